//! Numbers of regions.

/// What no region covers.
pub(crate) const NO_REGION: u32 = 0;
/// Walkable floors of other tiles.
pub(crate) const BORDER: u32 = u32::MAX;

/// A region number for each floor, and for none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Regions {
    /// Per floor: [`NO_REGION`], [`BORDER`], or 1 to `count`.
    pub(crate) of: Vec<u32>,
    pub(crate) count: u32,
    /// Watershed only: the distance to the nearest edge of its area, smoothed, in half cells.
    pub(crate) distance: Vec<u16>,
}
