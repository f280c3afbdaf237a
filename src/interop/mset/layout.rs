//! Magics, sizes and sides that reading and writing share.

/// The file's first four bytes, as a number.
pub(super) const FILE_MAGIC: u32 = 0x4D53_4554;
/// A tile's first four bytes, as a number.
pub(super) const TILE_MAGIC: u32 = 0x444E_4156;
pub(super) const FILE_VERSION: u32 = 1;
pub(super) const TILE_VERSION: u32 = 7;
pub(super) const FILE_HEADER_BYTES: usize = 40;
pub(super) const TILE_HEADER_BYTES: usize = 100;
pub(super) const VERTEX_BYTES: usize = 12;
pub(super) const POLYGON_BYTES: usize = 32;
pub(super) const LINK_BYTES: usize = 12;
pub(super) const DETAIL_BYTES: usize = 12;
pub(super) const TRIANGLE_BYTES: usize = 4;
pub(super) const NODE_BYTES: usize = 16;
pub(super) const CONNECTION_BYTES: usize = 36;
/// Most corners of a polygon.
pub(super) const MOST_CORNERS: usize = 6;
/// Bits of a reference for tile and polygon: ten are left for the generation.
pub(super) const REFERENCE_BITS: u32 = 22;
/// A neighbour with this bit is a side of the tile.
pub(super) const PORTAL: u16 = 0x8000;

/// The axis that one of our sides (0 +X, 1 +Z, 2 −X, 3 −Z) stands on, and its coordinate there.
pub(super) fn border_of(side: u8, tile_size: f32) -> (usize, f32) {
    let axis = if side.is_multiple_of(2) { 0 } else { 2 };
    (axis, if side < 2 { tile_size } else { 0.0 })
}
