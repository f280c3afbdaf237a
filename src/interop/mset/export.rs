//! Writing `MSET`.
//!
//! What is written: polygons with neighbours, portals, areas and flags; detail meshes; off-mesh links; the tree of
//! boxes. Room is left for links, which Detour makes when it loads. Slots become Detour's tiles in their order.

use std::collections::BTreeMap;

use super::bytes::Bytes;
use super::error::MsetExportError;
use super::exported::MsetExport;
use super::layout::{FILE_HEADER_BYTES, FILE_MAGIC, FILE_VERSION, REFERENCE_BITS};
use super::write_tile::{TileWriting, cells_per_unit};
use crate::format::TiledNavMesh;

/// Writes a mesh as Detour's `MSET`.
///
/// # Errors
/// [`MsetExportError`] for what the format cannot hold, with the tile, the number and the bound.
pub fn export_mset(mesh: &TiledNavMesh) -> Result<MsetExport, MsetExportError> {
    let params = mesh.params();
    let scale = cells_per_unit(params);
    if !scale.is_finite() || scale <= 0.0 {
        return Err(MsetExportError::CellSize { cell_size: params.cell_size.to_string() });
    }
    let mut export = MsetExport::default();
    // Ends of off-mesh links over each column.
    let mut ends: BTreeMap<(i32, i32), usize> = BTreeMap::new();
    for (_, tile) in mesh.tiles() {
        let places = tile.links.iter().map(|link| tile.point_in_world(params, link.end));
        places
            .filter_map(|at| params.world_to_tile(at[0], at[2]))
            .for_each(|column| *ends.entry(column).or_default() += 1);
    }
    let mut blobs = Vec::new();
    for (reference, tile) in mesh.tiles() {
        let ends_here = ends.get(&(tile.tile_x, tile.tile_z)).copied().unwrap_or(0);
        let writing = TileWriting { mesh, reference, tile, position: tile.position(), params, ends_here };
        blobs.push(writing.written(&mut export)?);
    }
    let most = blobs.iter().map(|blob| blob.polygons).max().ok_or(MsetExportError::NoTiles)?;
    let tile_bits = blobs.len().next_power_of_two().trailing_zeros();
    let bits = tile_bits + most.next_power_of_two().trailing_zeros();
    if bits > REFERENCE_BITS {
        return Err(MsetExportError::References { tiles: blobs.len(), polygons: most, bits });
    }
    let polygon_bits = REFERENCE_BITS - tile_bits;
    export.generations_left_out =
        mesh.slots().iter().filter(|slot| slot.salt != 1 || slot.tile.is_none()).count();
    let size: usize = blobs.iter().map(|blob| blob.bytes.0.len() + 8).sum();
    let mut out = Bytes(Vec::with_capacity(size + FILE_HEADER_BYTES));
    out.u32(FILE_MAGIC);
    out.u32(FILE_VERSION);
    out.count(blobs.len());
    params.origin.iter().for_each(|value| out.f32(*value as f32));
    out.f32(params.tile_size as f32);
    out.f32(params.tile_size as f32);
    out.u32(1 << tile_bits);
    out.u32(1 << polygon_bits);
    for (slot, blob) in (0_u32..).zip(&blobs) {
        out.u32(1 << REFERENCE_BITS | slot << polygon_bits);
        out.count(blob.bytes.0.len());
        out.0.extend_from_slice(&blob.bytes.0);
    }
    export.bytes = out.0;
    Ok(export)
}
