//! Every rule of a tile, in one list, and the rules of a mesh's slots.
//!
//! Order: position and counts, vertices, each polygon's shape, adjacency and portals, detail, off-mesh links.
//! A rule that reads through an index comes after the rule that bounds it. The whole list takes near-linear
//! time on any input.

use std::collections::BTreeMap;

use robust::{Coord, orient2d};

use super::codec::encoded_len;
use super::error::{show, show_f32};
use super::params::check_inside_world;
use super::tile::{MAX_AREA, MAX_POLYGONS};
use super::{
    DetailMesh, Fingerprint, FormatError, MAX_SLOTS, NO_SIDE, NavMeshParams, OffMeshLink, Polygon, RawTile,
    Slot, Tile,
};

/// Highest layer.
const MAX_LAYER: i32 = 1023;
/// Highest salt: 24 bits.
const MAX_SALT: u32 = 0x00FF_FFFF;
/// Names of the border sides, for messages.
const SIDE_NAMES: [&str; 4] = ["+X", "+Z", "-X", "-Z"];

impl RawTile {
    /// Checks every rule against the mesh's parameters.
    ///
    /// # Errors
    /// [`FormatError`] naming the first broken rule with the polygon, edge or array, the value and the bound.
    pub fn validate(self, params: &NavMeshParams) -> Result<Tile, FormatError> {
        self.validate_as(params, params.fingerprint())
    }

    /// As [`RawTile::validate`], for a caller who knows the parameters' fingerprint already.
    pub(super) fn validate_as(
        self,
        params: &NavMeshParams,
        fingerprint: Fingerprint,
    ) -> Result<Tile, FormatError> {
        check_tile(&self, params)?;
        Ok(Tile::checked(self, fingerprint))
    }
}

fn check_tile(tile: &RawTile, params: &NavMeshParams) -> Result<(), FormatError> {
    check_position(tile, params)?;
    check_arrays(tile)?;
    check_points("vertex", &tile.vertices, params)?;
    for (index, polygon) in tile.polygons.iter().enumerate() {
        check_polygon(tile, polygon, params)
            .and_then(|()| check_shape(tile, polygon))
            .map_err(|error| error.under(&format!("polygon {index}")))?;
    }
    for (index, polygon) in tile.polygons.iter().enumerate() {
        for edge in 0..usize::from(polygon.vertex_count) {
            check_edge(tile, index, edge, params)
                .map_err(|error| error.under(&format!("polygon {index}, edge {edge}")))?;
        }
    }
    check_points("detail vertex", &tile.detail_vertices, params)?;
    check_detail(tile)?;
    for (index, link) in tile.links.iter().enumerate() {
        check_link(link, params).map_err(|error| error.under(&format!("off-mesh link {index}")))?;
    }
    Ok(())
}

fn check_position(tile: &RawTile, params: &NavMeshParams) -> Result<(), FormatError> {
    for (name, index, origin) in [
        ("tile_x", tile.tile_x, params.tile_origin_x(tile.tile_x)),
        ("tile_z", tile.tile_z, params.tile_origin_z(tile.tile_z)),
    ] {
        check_inside_world("the tile's origin", origin)
            .map_err(|error| error.under(&format!("{name} {index}")).in_file("tile.origin"))?;
    }
    if !(0..=MAX_LAYER).contains(&tile.layer) {
        let what = format!("layer is {}, but must be 0 to {MAX_LAYER}", tile.layer);
        return Err(FormatError::bad("tile.layer", what));
    }
    check_inside_world("origin_y", tile.origin_y).map_err(|error| error.in_file("tile.origin_y"))
}

pub(super) fn check_polygon_count(count: usize) -> Result<(), FormatError> {
    if (1..=MAX_POLYGONS).contains(&count) {
        return Ok(());
    }
    let what = format!("polygon_count is {count}, but must be 1 to {MAX_POLYGONS}");
    Err(FormatError::bad("tile.polygon_count", what))
}

pub(super) fn check_detail_mesh_count(count: usize, polygon_count: usize) -> Result<(), FormatError> {
    if count == 0 || count == polygon_count {
        return Ok(());
    }
    let what = format!("detail_mesh_count is {count}, but must be 0 or polygon_count {polygon_count}");
    Err(FormatError::bad("tile.detail_mesh_count", what))
}

/// Array lengths agree, and the tile fits its bytes' u32 length.
fn check_arrays(tile: &RawTile) -> Result<(), FormatError> {
    check_polygon_count(tile.polygons.len())?;
    check_detail_mesh_count(tile.detail_meshes.len(), tile.polygons.len())?;
    let mut edge_count = 0;
    for (index, polygon) in tile.polygons.iter().enumerate() {
        if polygon.first_edge as usize != edge_count {
            let what =
                format!("polygon {index}: first edge is {}, but must be {edge_count}", polygon.first_edge);
            return Err(FormatError::bad("polygon.first_edge", what));
        }
        edge_count += usize::from(polygon.vertex_count);
    }
    for (name, length) in [
        ("edge_vertices", tile.edge_vertices.len()),
        ("edge_neighbours", tile.edge_neighbours.len()),
        ("edge_sides", tile.edge_sides.len()),
    ] {
        if length != edge_count {
            let what = format!("{name} has {length} entries, but the polygons have {edge_count} edges");
            return Err(FormatError::bad("tile.edge_count", what));
        }
    }
    let bytes = encoded_len(tile);
    if bytes > u32::MAX.into() {
        let what = format!("length is {bytes} bytes, but a tile has less than 4 GiB");
        return Err(FormatError::bad("tile.length", what));
    }
    Ok(())
}

/// The bounds of vertices and detail vertices.
fn check_points(array: &str, points: &[[f32; 3]], params: &NavMeshParams) -> Result<(), FormatError> {
    let (size, extent) = (params.tile_size, params.max_local_extent());
    for (index, point) in points.iter().enumerate() {
        for (axis, &value) in point.iter().enumerate() {
            let (low, high) = if axis == 1 { (-extent, extent) } else { (-size, 2.0 * size) };
            let inside = value.is_finite() && low <= f64::from(value) && f64::from(value) <= high;
            if !inside {
                let (axis, value) = (["x", "y", "z"][axis], show_f32(value));
                let (low, high) = (show(low), show(high));
                let what = format!("{array} {index}: {axis} is {value}, but must be finite, {low} to {high}");
                return Err(FormatError::bad("vertex.bounds", what));
            }
        }
    }
    Ok(())
}

/// Counts, area and indices of a polygon.
fn check_polygon(tile: &RawTile, polygon: &Polygon, params: &NavMeshParams) -> Result<(), FormatError> {
    let (count, most) = (polygon.vertex_count, params.max_verts_per_poly);
    if count < 3 || u16::from(count) > most {
        let what = format!("vertex count is {count}, but must be 3 to max_verts_per_poly {most}");
        return Err(FormatError::bad("polygon.vertex_count", what));
    }
    if polygon.area > MAX_AREA {
        let what = format!("area is {}, but must be 0 to {MAX_AREA}", polygon.area);
        return Err(FormatError::bad("polygon.area", what));
    }
    let corners = &tile.edge_vertices[polygon.edges()];
    let vertex_count = tile.vertices.len();
    for (edge, &vertex) in corners.iter().enumerate() {
        if vertex as usize >= vertex_count {
            let what = format!(
                "edge {edge}: vertex index is {vertex}, but must be below vertex_count {vertex_count}"
            );
            return Err(FormatError::bad("polygon.vertex_index", what));
        }
        if let Some(first) = corners[..edge].iter().position(|&other| other == vertex) {
            let what = format!("vertex index {vertex} is used twice, at edges {first} and {edge}");
            return Err(FormatError::bad("polygon.distinct", what));
        }
    }
    Ok(())
}

/// Convex and counter-clockwise by the exact orientation predicate: every other vertex lies left of or on every
/// edge and at least one strictly left. With every edge on the hull, two equal positions mean that the outline
/// runs round twice.
fn check_shape(tile: &RawTile, polygon: &Polygon) -> Result<(), FormatError> {
    let corners = &tile.edge_vertices[polygon.edges()];
    let count = corners.len();
    // −0.0 and 0.0 are one position, which `==` on floats knows.
    let point = |corner: usize| {
        let [x, _, z] = tile.vertices[corners[corner % count] as usize];
        Coord { x: f64::from(x), y: f64::from(z) }
    };
    for edge in 0..count {
        if point(edge) == point(edge + 1) {
            return Err(FormatError::bad("polygon.zero_edge", format!("edge {edge} has no length in X/Z")));
        }
    }
    for edge in 0..count {
        let mut strict = false;
        for other in (2..count).map(|step| (edge + step) % count) {
            let turn = orient2d(point(edge), point(edge + 1), point(other));
            if turn < 0.0 {
                let what = format!(
                    "edge {edge}: the polygon's vertex {other} (index {}) lies right of it, so the polygon is not \
                     convex and counter-clockwise",
                    corners[other]
                );
                return Err(FormatError::bad("polygon.convex", what));
            }
            strict |= turn > 0.0;
        }
        if !strict {
            let what = format!("edge {edge}: no vertex lies strictly left of it, so the polygon has no area");
            return Err(FormatError::bad("polygon.area_zero", what));
        }
    }
    for second in 1..count {
        if let Some(first) = (0..second).find(|&first| point(first) == point(second)) {
            let what = format!(
                "its vertices {first} and {second} lie at one X/Z position, so the outline overlaps itself"
            );
            return Err(FormatError::bad("polygon.winding", what));
        }
    }
    Ok(())
}

/// Neighbour and portal rules of one edge.
fn check_edge(
    tile: &RawTile,
    polygon: usize,
    edge: usize,
    params: &NavMeshParams,
) -> Result<(), FormatError> {
    let index = tile.polygons[polygon].first_edge as usize + edge;
    let (neighbour, side) = (tile.edge_neighbours[index], tile.edge_sides[index]);
    if side != NO_SIDE && side > 3 {
        let what = format!("portal side is {side}, but must be 0 to 3, or 255 for none");
        return Err(FormatError::bad("edge.side", what));
    }
    let (from, to) = edge_ends(tile, polygon, edge);
    if neighbour != 0 {
        if side != NO_SIDE {
            let other = neighbour - 1;
            let what = format!("has portal side {side} and also the in-tile neighbour polygon {other}");
            return Err(FormatError::bad("edge.neighbour_and_side", what));
        }
        return check_neighbour(tile, polygon, neighbour, (from, to));
    }
    if side != NO_SIDE {
        return check_portal(tile, side, (from, to), params);
    }
    Ok(())
}

/// The vertex indices that an edge runs between.
fn edge_ends(tile: &RawTile, polygon: usize, edge: usize) -> (u32, u32) {
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    (corners[edge], corners[(edge + 1) % corners.len()])
}

fn check_neighbour(
    tile: &RawTile,
    polygon: usize,
    neighbour: u32,
    (from, to): (u32, u32),
) -> Result<(), FormatError> {
    let count = tile.polygons.len();
    if neighbour as usize > count {
        let what = format!("neighbour is {neighbour}, but must be 0 to polygon_count {count}");
        return Err(FormatError::bad("edge.neighbour_range", what));
    }
    let other = neighbour as usize - 1;
    if other == polygon {
        let what = format!("neighbour {neighbour} names the polygon itself");
        return Err(FormatError::bad("edge.neighbour_self", what));
    }
    let first = tile.polygons[other].first_edge as usize;
    let edges = usize::from(tile.polygons[other].vertex_count);
    let Some(back) = (0..edges).find(|&edge| edge_ends(tile, other, edge) == (to, from)) else {
        let what = format!("neighbour polygon {other} has no edge from vertex {to} to vertex {from}");
        return Err(FormatError::bad("edge.neighbour_shared", what));
    };
    match tile.edge_neighbours[first + back] {
        named if named as usize == polygon + 1 => Ok(()),
        0 => {
            let what =
                format!("neighbour polygon {other} has the reversed edge, but it names no polygon back");
            Err(FormatError::bad("edge.neighbour_back", what))
        }
        named => {
            let named = named - 1;
            let what =
                format!("neighbour polygon {other} has the reversed edge, but it names polygon {named} back");
            Err(FormatError::bad("edge.neighbour_back", what))
        }
    }
}

/// A portal lies on its border to the bit, and has length along it.
fn check_portal(
    tile: &RawTile,
    side: u8,
    (from, to): (u32, u32),
    params: &NavMeshParams,
) -> Result<(), FormatError> {
    let name = SIDE_NAMES[usize::from(side)];
    let axis = if side.is_multiple_of(2) { 0 } else { 2 };
    let border = if side < 2 { params.tile_size_f32() } else { 0.0 };
    for vertex in [from, to] {
        let value = tile.vertices[vertex as usize][axis];
        if value.to_bits() != border.to_bits() {
            let what = format!(
                "portal side {side} ({name}) needs {} of vertex {vertex} to be {} to the bit, but it is {} \
                 (0x{:08x})",
                ["x", "y", "z"][axis],
                show_f32(border),
                show_f32(value),
                value.to_bits(),
            );
            return Err(FormatError::bad("edge.portal_coordinate", what));
        }
    }
    let along = |vertex: u32| tile.vertices[vertex as usize][2 - axis];
    if along(from) == along(to) {
        let what = format!("portal side {side} ({name}) has no length along the border");
        return Err(FormatError::bad("edge.portal_length", what));
    }
    Ok(())
}

/// Ranges inside the arrays, edge flags, and the indices of covered triangles.
fn check_detail(tile: &RawTile) -> Result<(), FormatError> {
    for (index, triangle) in tile.detail_triangles.iter().enumerate() {
        if triangle.edge_flags > 7 {
            let flags = triangle.edge_flags;
            let what = format!(
                "detail triangle {index}: edge flags are 0x{flags:02x}, but only bits 0 to 2 may be set"
            );
            return Err(FormatError::bad("detail.edge_flags", what));
        }
    }
    for (index, mesh) in tile.detail_meshes.iter().enumerate() {
        for (what, base, count, length) in [
            ("vertex", mesh.vertex_base, mesh.vertex_count, tile.detail_vertices.len()),
            ("triangle", mesh.triangle_base, mesh.triangle_count, tile.detail_triangles.len()),
        ] {
            if u64::from(base) + u64::from(count) > length as u64 {
                let what = format!(
                    "detail mesh {index}: {what} range {base} + {count} exceeds detail_{what}_count {length}"
                );
                return Err(FormatError::bad("detail.range", what));
            }
        }
    }
    check_triangle_indices(tile)
}

/// Ranges may overlap, so each triangle is checked once, against the least limit of the meshes that cover it:
/// meshes go from the least limit up, and a chain of skips jumps over triangles that are done.
fn check_triangle_indices(tile: &RawTile) -> Result<(), FormatError> {
    let limit =
        |mesh: &DetailMesh, polygon: &Polygon| u64::from(polygon.vertex_count) + u64::from(mesh.vertex_count);
    let mut by_limit: Vec<(u64, usize)> = tile
        .detail_meshes
        .iter()
        .zip(&tile.polygons)
        .map(|(mesh, polygon)| limit(mesh, polygon))
        .zip(0..)
        .collect();
    by_limit.sort_unstable();
    // next[t] is t while triangle t waits, else a later triangle on the way to the next one that waits.
    let mut next: Vec<usize> = (0..=tile.detail_triangles.len()).collect();
    for (limit, index) in by_limit {
        let mesh = tile.detail_meshes[index];
        let end = mesh.triangle_base as usize + mesh.triangle_count as usize;
        let mut at = find_waiting(&mut next, mesh.triangle_base as usize);
        while at < end {
            if let Some(&corner) =
                tile.detail_triangles[at].indices.iter().find(|&&corner| u64::from(corner) >= limit)
            {
                let (polygon, extra) = (tile.polygons[index].vertex_count, mesh.vertex_count);
                let what = format!(
                    "detail mesh {index}: triangle {at} has index {corner}, but it must be below {limit} ({polygon} \
                     polygon vertices + {extra} detail vertices)"
                );
                return Err(FormatError::bad("detail.triangle_index", what));
            }
            next[at] = at + 1;
            at = find_waiting(&mut next, at);
        }
    }
    Ok(())
}

/// The first waiting triangle from `at` on; halves the chain as it walks.
fn find_waiting(next: &mut [usize], mut at: usize) -> usize {
    while next[at] != at {
        next[at] = next[next[at]];
        at = next[at];
    }
    at
}

fn check_link(link: &OffMeshLink, params: &NavMeshParams) -> Result<(), FormatError> {
    let extent = params.max_local_extent();
    for (name, point) in [("start", link.start), ("end", link.end)] {
        for (axis, value) in ["x", "y", "z"].into_iter().zip(point) {
            if !(value.is_finite() && f64::from(value).abs() <= extent) {
                let (value, extent) = (show_f32(value), show(extent));
                let what = format!("{name} {axis} is {value}, but must be finite and within +-{extent}");
                return Err(FormatError::bad("link.bounds", what));
            }
        }
    }
    if !(link.radius.is_finite() && link.radius > 0.0) {
        let what = format!("radius is {}, but must be finite and above 0", show_f32(link.radius));
        return Err(FormatError::bad("link.radius", what));
    }
    if link.area > MAX_AREA {
        let what = format!("area is {}, but must be 0 to {MAX_AREA}", link.area);
        return Err(FormatError::bad("link.area", what));
    }
    Ok(())
}

pub(crate) fn check_salt(salt: u32) -> Result<(), FormatError> {
    if (1..=MAX_SALT).contains(&salt) {
        return Ok(());
    }
    Err(FormatError::bad("slot.salt", format!("salt is {salt}, but must be 1 to {MAX_SALT}")))
}

/// No two tiles stand at one position, and there are not too many slots.
pub(crate) fn check_positions(slots: &[Slot]) -> Result<(), FormatError> {
    if slots.len() > MAX_SLOTS {
        let what = format!("slot count is {}, but at most {MAX_SLOTS} are allowed", slots.len());
        return Err(FormatError::bad("mesh.slot_count", what));
    }
    let mut seen = BTreeMap::new();
    for (index, slot) in slots.iter().enumerate() {
        let Some(tile) = &slot.tile else { continue };
        let position = tile.position();
        if let Some(first) = seen.insert(position, index) {
            let what = format!("slot {index}: tile {position} is a duplicate of slot {first}'s position");
            return Err(FormatError::bad("mesh.duplicate", what));
        }
    }
    Ok(())
}
