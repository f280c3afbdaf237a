//! How a tile lies in its bytes: the parts behind the header, and so how long they are.

use crate::format::RawTile;

/// Length of the header in bytes.
const HEADER_BYTES: usize = 80;

/// The seven counts in the header's order.
pub(super) fn counts(tile: &RawTile) -> [usize; 7] {
    [
        tile.vertices.len(),
        tile.polygons.len(),
        tile.edge_vertices.len(),
        tile.detail_meshes.len(),
        tile.detail_vertices.len(),
        tile.detail_triangles.len(),
        tile.links.len(),
    ]
}

/// Bytes of a tile with these arrays.
pub(in crate::format) fn encoded_len(tile: &RawTile) -> u64 {
    body_parts(counts(tile).map(|count| count as u64)).last().map_or(0, |part| part.1)
}

/// The body's parts: name and end offset, from the header's counts. Counts below 2^32 cannot overflow.
pub(super) fn body_parts(counts: [u64; 7]) -> [(&'static str, u64); 10] {
    let [vertices, polygons, edges, detail_meshes, detail_vertices, detail_triangles, links] = counts;
    let mut at = HEADER_BYTES as u64;
    let mut part = |name, bytes: u64| {
        at += bytes;
        if name == "padding" {
            at = at.next_multiple_of(4);
        }
        (name, at)
    };
    [
        part("vertices", 12 * vertices),
        part("polygons", 4 * polygons),
        part("edge vertices", 4 * edges),
        part("edge neighbours", 4 * edges),
        part("edge portal sides", edges),
        part("padding", 0),
        part("detail meshes", 16 * detail_meshes),
        part("detail vertices", 12 * detail_vertices),
        part("detail triangles", 8 * detail_triangles),
        part("off-mesh links", 36 * links),
    ]
}
