//! Ceilings of a bake.

/// Most points of all outlines together.
pub const MAX_OUTLINE_POINTS: usize = 8_000_000;
/// Most tiles a bake may touch.
pub const MAX_TILES: usize = 1_000_000;
/// Most triangles of a voxel bake's meshes together.
pub const MAX_TRIANGLES: usize = 100_000_000;
/// Most cells of a tile of a voxel bake with its border.
pub const MAX_TILE_CELLS: usize = 1 << 27;
/// Most pieces of triangles over the cells of one tile.
pub const MAX_TILE_PIECES: usize = 1 << 27;
/// Most cells, or cell heights, from the mesh's origin to any point of a voxel bake.
pub const MAX_CELLS_FROM_ORIGIN: f64 = 536_870_912.0;
/// Most kinds of floor (area type, flags and level) of a voxel bake.
pub const MAX_LABELS: usize = 65_534;
