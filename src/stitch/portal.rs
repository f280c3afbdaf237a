//! Links across tile borders: facing portal edges whose intervals overlap and whose heights agree.

use super::border_edge::BorderEdge;
use super::border_tree::BorderTree;
use crate::format::{FormatError, Link, PolyRef, Tile};

/// Column steps across the sides +X, +Z, −X, −Z.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The column across a side; `None` beyond the columns that exist.
pub(super) fn column_across((tile_x, tile_z): (i32, i32), side: u8) -> Option<(i32, i32)> {
    let (dx, dz) = STEPS[usize::from(side)];
    Some((tile_x.checked_add(dx)?, tile_z.checked_add(dz)?))
}

/// Finds the pairs of facing edges that link and hands over both links of each pair, with the polygons that they
/// leave. `edges` and `facing` come lowest layer first and in portal order within a tile, and so do the links
/// that leave one edge for one tile.
///
/// # Errors
/// What `emit` returns; it may stop the search.
pub(super) fn join_borders(
    edges: &[BorderEdge],
    facing: Vec<BorderEdge>,
    climb: f64,
    mut emit: impl FnMut(PolyRef, Link) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    if edges.is_empty() || facing.is_empty() {
        return Ok(());
    }
    let tree = BorderTree::new(facing);
    let mut found = Vec::new();
    for edge in edges {
        found.clear();
        tree.for_each_near(edge, climb, |index| found.push(index));
        found.sort_unstable();
        for &index in &found {
            let other = tree.edge(index);
            if let Some(overlap) = edge.overlap(other, climb) {
                emit(edge.poly(), edge.link_to(other, overlap))?;
                emit(other.poly(), other.link_to(edge, overlap))?;
            }
        }
    }
    Ok(())
}

/// The reader's limit: refuses a tile with more than `64 * edge_count + 1024` portal links, since overlapping
/// polygons could otherwise ask for quadratically many.
pub(super) fn check_link_count(tile: &Tile, slot: u32, count: u64) -> Result<(), FormatError> {
    let most = 64 * tile.edge_vertices.len() as u64 + 1024;
    if count <= most {
        return Ok(());
    }
    let name = format!("portal link count of tile {} in slot {slot}", tile.position());
    let bound = format!("at most 64 * edge_count + 1024 = {most} are allowed");
    Err(FormatError::out_of_range(name, count.to_string(), bound))
}
