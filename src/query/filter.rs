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

    /// Becomes equal to another filter, in its own memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        let Self { area_costs, include, exclude, off_mesh, closed_links } = other;
        (self.area_costs, self.include, self.exclude) = (*area_costs, *include, *exclude);
        self.off_mesh = *off_mesh;
        self.closed_links.clone_from(closed_links);
    }

    pub(super) fn passes_cell(&self, cell: &Cell) -> bool {
        self.passes_flags(cell.flags.into())
    }

    pub(super) fn passes_jump(&self, jump: &Jump) -> bool {
        self.off_mesh && self.passes_flags(jump.flags) && !self.closed_links.contains(&jump.user_id)
    }

    /// Whether every polygon is surely open.
    pub(super) fn passes_all_cells(&self, plan: &Plan) -> bool {
        let all = plan.tally.all();
        (self.include == 0xFF || !all.lacked_flags & self.include != 0) && all.any_flags & self.exclude == 0
    }

    /// What every area type of a set costs, if they all cost the same and not nothing.
    pub(super) fn equal_cost(&self, areas: u64) -> Option<f64> {
        let first = self.costs_of(areas).next()?;
        (first > 0.0 && self.costs_of(areas).all(|cost| cost == first)).then_some(first)
    }

    /// The costs of the area types whose bits are set.
    fn costs_of(&self, mut areas: u64) -> impl Iterator<Item = f64> {
        std::iter::from_fn(move || {
            let area = (areas != 0).then(|| areas.trailing_zeros())?;
            areas &= areas - 1;
            Some(self.area_costs[area as usize])
        })
    }

    fn passes_flags(&self, flags: u16) -> bool {
        let author = (flags & 0xFF) as u8;
        (self.include == 0xFF || author & self.include != 0) && author & self.exclude == 0
    }

    /// The least cost among the area types whose bits are set in `areas`; 0 for none.
    pub(super) fn least_cost(&self, areas: u64) -> f64 {
        let least = self.costs_of(areas).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 0.0 }
    }

    pub(super) fn check(&self) -> Result<(), QueryError> {
        // Asked before every search, so all at once: a sign, or an exponent of ones (which the addition carries into the
        // sign), marks what is negative, infinite or no number.
        let signs = self.area_costs.iter().map(|cost| cost.to_bits());
        let marks = signs.fold(0, |marks, bits| marks | bits | bits.wrapping_add(1 << 52));
        if marks >> 63 == 0 {
            return Ok(());
        }
        let good = |cost: &f64| 0.0 <= *cost && *cost < f64::INFINITY;
        match self.area_costs.iter().position(|cost| !good(cost)) {
            Some(area) => Err(QueryError::AreaCost { area, value: self.area_costs[area] }),
            None => Ok(()),
        }
    }
}
