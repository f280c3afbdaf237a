//! Which polygons and links a query may use, and what they cost.

use super::QueryError;
use super::plan::{Cell, Jump, Plan};
use crate::format::{OffMeshLink, Polygon};

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

impl QueryFilter {
    /// Whether a polygon is open: asks the author's flags (low byte) only, never the level.
    #[must_use]
    pub fn passes(&self, polygon: &Polygon) -> bool {
        self.passes_flags(polygon.flags)
    }

    /// Whether an off-mesh link is open; its flags are asked like a polygon's.
    #[must_use]
    pub fn passes_link(&self, link: &OffMeshLink) -> bool {
        self.off_mesh && self.passes_flags(link.flags) && !self.closed_links.contains(&link.user_id)
    }

    /// Cost per unit of length on an area type.
    #[must_use]
    pub fn cost(&self, area: u8) -> f64 {
        self.area_costs[usize::from(area & 63)]
    }

    pub(super) fn passes_cell(&self, cell: &Cell) -> bool {
        self.passes_flags(cell.flags.into())
    }

    pub(super) fn passes_jump(&self, jump: &Jump) -> bool {
        self.off_mesh && self.passes_flags(jump.flags) && !self.closed_links.contains(&jump.user_id)
    }

    /// Whether every polygon is surely open.
    pub(super) fn passes_all_cells(&self, plan: &Plan) -> bool {
        (self.include == 0xFF || plan.common_flags & self.include != 0) && plan.any_flags & self.exclude == 0
    }

    /// What every area type of a set costs, if they all cost the same and not nothing.
    pub(super) fn equal_cost(&self, areas: u64) -> Option<f64> {
        let mut used = (0..64_usize).filter(|area| areas >> area & 1 == 1).map(|area| self.area_costs[area]);
        let first = used.next()?;
        (first > 0.0 && used.all(|cost| cost == first)).then_some(first)
    }

    fn passes_flags(&self, flags: u16) -> bool {
        let author = (flags & 0xFF) as u8;
        (self.include == 0xFF || author & self.include != 0) && author & self.exclude == 0
    }

    /// The least cost among the area types whose bits are set in `areas`; 0 for none.
    pub(super) fn least_cost(&self, areas: u64) -> f64 {
        let used = (0..64_usize).filter(|area| areas >> area & 1 == 1);
        let least = used.map(|area| self.area_costs[area]).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 0.0 }
    }

    pub(super) fn check(&self) -> Result<(), QueryError> {
        let bad = self.area_costs.iter().position(|cost| !(cost.is_finite() && *cost >= 0.0));
        match bad {
            Some(area) => Err(QueryError::AreaCost { area, value: self.area_costs[area] }),
            None => Ok(()),
        }
    }
}
