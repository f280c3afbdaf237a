//! Ceilings of a bake.

/// Most points of all outlines together.
pub const MAX_OUTLINE_POINTS: usize = 8_000_000;
/// Most tiles a bake may touch.
pub const MAX_TILES: usize = 1_000_000;
