//! Which polygons and links a query may use, and what they cost.

/// Costs per area type, flags that must or must not be set, and link switches.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryFilter {
    /// Cost per unit of length on each area type; ≥ 0.
    pub area_costs: [f64; 64],
    /// A polygon passes if it has any of these author flags (low byte), or if this is 0xFF.
    pub include: u8,
    /// A polygon with any of these author flags is closed.
    pub exclude: u8,
    /// Whether off-mesh links may be used.
    pub off_mesh: bool,
    /// User ids of links that are switched off.
    pub closed_links: Vec<u32>,
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self { area_costs: [1.0; 64], include: 0xFF, exclude: 0, off_mesh: true, closed_links: Vec::new() }
    }
}
