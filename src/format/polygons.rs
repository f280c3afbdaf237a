//! Polygons in world coordinates to a tile: the hand-over from a 2D builder.

use std::collections::BTreeMap;

use robust::{Coord, orient2d};

use super::params::check_inside_world;
use super::tile::MAX_AREA;
use super::validate::check_polygon_count;
use super::{FormatError, NO_SIDE, NavMeshParams, Polygon, RawTile, TilePosition};

/// Coordinates within this part of a cell of a tile border lie on it.
const SNAP_CELLS: f64 = 1.0 / 1024.0;
/// Flags of polygons where the caller gives none.
const DEFAULT_FLAGS: u16 = 1;

/// Convex polygons that are cut to one tile already and share vertices by index.
#[derive(Clone, Copy, Debug)]
pub struct TilePolygons<'a> {
    /// The tile they are cut to.
    pub position: TilePosition,
    /// World y of the tile's local 0.
    pub origin_y: f64,
    /// World x, y, z; the tile keeps their order. One that no polygon uses must lie in the tile's bounds too.
    pub vertices: &'a [[f64; 3]],
    /// Per polygon its number of corners, 3..=max_verts_per_poly.
    pub vertex_counts: &'a [u8],
    /// The corners of all polygons, one after another, as indices of `vertices`; any winding.
    pub indices: &'a [u32],
    /// Per polygon its area type, 0..=63; `None`: all 0.
    pub areas: Option<&'a [u8]>,
    /// Per polygon its flags; `None`: all 1.
    pub flags: Option<&'a [u16]>,
}

/// Makes a tile's content of polygons in world coordinates, without height detail and off-mesh links;
/// [`RawTile::validate`] makes a tile of it.
///
/// Coordinates go to tile-local f32, and onto a tile border within 1/1024 of a cell. Clockwise polygons are turned
/// round, their first corner stays first. An edge that two polygons share, in opposite directions, joins them; an
/// edge shared by other than two stays a wall; a wall on a tile border is a portal.
///
/// # Errors
/// [`FormatError::OutOfRange`] for a world coordinate beyond ±2^21, [`FormatError::Bad`] for counts, indices and areas
/// outside their bounds and for arrays whose lengths disagree; each with the index, the value and the bound.
pub fn from_polygons(polygons: &TilePolygons<'_>, params: &NavMeshParams) -> Result<RawTile, FormatError> {
    params.validate()?;
    check_arrays(polygons, params)?;
    let TilePosition { tile_x, tile_z, layer } = polygons.position;
    let mut tile = RawTile { tile_x, tile_z, layer, origin_y: polygons.origin_y, ..RawTile::default() };
    tile.vertices = vertices_in_tile(polygons, params)?;
    let mut first = 0;
    for (index, &vertex_count) in polygons.vertex_counts.iter().enumerate() {
        let end = first + usize::from(vertex_count);
        tile.polygons.push(Polygon {
            first_edge: u32::try_from(first).unwrap_or(u32::MAX),
            vertex_count,
            area: polygons.areas.map_or(0, |areas| areas[index]),
            flags: polygons.flags.map_or(DEFAULT_FLAGS, |flags| flags[index]),
        });
        let corners = &polygons.indices[first..end];
        tile.edge_vertices.push(corners[0]);
        if is_clockwise(&tile.vertices, corners) {
            tile.edge_vertices.extend(corners[1..].iter().rev());
        } else {
            tile.edge_vertices.extend(&corners[1..]);
        }
        first = end;
    }
    tile.edge_neighbours = neighbours(&tile);
    tile.edge_sides = sides(&tile, params);
    Ok(tile)
}

fn check_arrays(polygons: &TilePolygons<'_>, params: &NavMeshParams) -> Result<(), FormatError> {
    let count = polygons.vertex_counts.len();
    check_polygon_count(count)?;
    let (mut corners, most) = (0, params.max_verts_per_poly);
    for (index, &vertex_count) in polygons.vertex_counts.iter().enumerate() {
        if vertex_count < 3 || u16::from(vertex_count) > most {
            let what = format!(
                "polygon {index}: vertex count is {vertex_count}, but must be 3 to max_verts_per_poly {most}"
            );
            return Err(FormatError::bad("polygon.vertex_count", what));
        }
        corners += usize::from(vertex_count);
    }
    if corners != polygons.indices.len() {
        let length = polygons.indices.len();
        let what =
            format!("indices has {length} entries, but the polygons' vertex counts sum to {corners} corners");
        return Err(FormatError::bad("tile.edge_count", what));
    }
    for (name, length) in
        [("areas", polygons.areas.map(<[u8]>::len)), ("flags", polygons.flags.map(<[u16]>::len))]
    {
        if let Some(length) = length.filter(|&length| length != count) {
            let what = format!("{name} has {length} entries, but there are {count} polygons");
            return Err(FormatError::bad("tile.polygon_count", what));
        }
    }
    let area = polygons.areas.and_then(|areas| areas.iter().enumerate().find(|(_, area)| **area > MAX_AREA));
    if let Some((index, area)) = area {
        let what = format!("polygon {index}: area is {area}, but must be 0 to {MAX_AREA}");
        return Err(FormatError::bad("polygon.area", what));
    }
    let vertices = polygons.vertices.len();
    for (corner, &index) in polygons.indices.iter().enumerate() {
        if index as usize >= vertices {
            let what =
                format!("indices: entry {corner} is {index}, but must be below the vertex count {vertices}");
            return Err(FormatError::bad("polygon.vertex_index", what));
        }
    }
    Ok(())
}

fn vertices_in_tile(
    polygons: &TilePolygons<'_>,
    params: &NavMeshParams,
) -> Result<Vec<[f32; 3]>, FormatError> {
    let origin = [
        params.tile_origin_x(polygons.position.tile_x),
        polygons.origin_y,
        params.tile_origin_z(polygons.position.tile_z),
    ];
    check_inside_world("origin_y", polygons.origin_y)?;
    let mut out = Vec::with_capacity(polygons.vertices.len());
    for (index, vertex) in polygons.vertices.iter().enumerate() {
        for (axis, &value) in ["x", "y", "z"].into_iter().zip(vertex) {
            check_inside_world(axis, value).map_err(|error| error.under(&format!("vertex {index}")))?;
        }
        let local: [f64; 3] = std::array::from_fn(|axis| vertex[axis] - origin[axis]);
        let [x, z] = [local[0], local[2]].map(|value| snapped(value, params));
        #[allow(clippy::cast_possible_truncation, reason = "the nearest f32 is what the format keeps")]
        let y = local[1] as f32;
        out.push([x, y, z]);
    }
    Ok(out)
}

/// A tile-local coordinate as the f32 that the tile keeps; close to a border it is the border's to the bit.
fn snapped(local: f64, params: &NavMeshParams) -> f32 {
    let reach = params.cell_size * SNAP_CELLS;
    let (to_near, to_far) = (local.abs(), (local - params.tile_size).abs());
    if to_near <= reach && to_near <= to_far {
        0.0
    } else if to_far <= reach {
        params.tile_size_f32()
    } else {
        #[allow(clippy::cast_possible_truncation, reason = "the nearest f32 is what the format keeps")]
        let nearest = local as f32;
        nearest
    }
}

/// Whether a polygon winds clockwise, x right and z up. Exact: the turn at the corner that lies lowest and leftmost.
fn is_clockwise(vertices: &[[f32; 3]], corners: &[u32]) -> bool {
    let point = |corner: usize| {
        let [x, _, z] = vertices[corners[corner % corners.len()] as usize];
        Coord { x: f64::from(x), y: f64::from(z) }
    };
    let place = |corner: &usize| {
        let Coord { x, y } = point(*corner);
        (x, y)
    };
    let compare = |a: &usize, b: &usize| {
        let ((ax, ay), (bx, by)) = (place(a), place(b));
        ax.total_cmp(&bx).then(ay.total_cmp(&by))
    };
    let lowest = (0..corners.len()).min_by(compare).unwrap_or(0);
    orient2d(point(lowest + corners.len() - 1), point(lowest), point(lowest + 1)) < 0.0
}

/// Per edge: the polygon across plus 1, where exactly two polygons share it in opposite directions.
fn neighbours(tile: &RawTile) -> Vec<u32> {
    /// Polygon, edge, whether it runs from the lower index.
    type User = (u32, usize, bool);
    let mut users: BTreeMap<(u32, u32), Vec<User>> = BTreeMap::new();
    for (index, polygon) in (0..).zip(&tile.polygons) {
        for (edge, [from, to]) in edges_of(tile, polygon) {
            users.entry((from.min(to), from.max(to))).or_default().push((index, edge, from < to));
        }
    }
    let mut neighbours = vec![0; tile.edge_vertices.len()];
    for users in users.values() {
        if let [(a, edge_a, up_a), (b, edge_b, up_b)] = users[..]
            && a != b
            && up_a != up_b
        {
            neighbours[edge_a] = b + 1;
            neighbours[edge_b] = a + 1;
        }
    }
    neighbours
}

/// Per edge: the border it lies on, if it is a wall.
fn sides(tile: &RawTile, params: &NavMeshParams) -> Vec<u8> {
    let size = params.tile_size_f32();
    let mut sides = vec![NO_SIDE; tile.edge_vertices.len()];
    for polygon in &tile.polygons {
        for (edge, ends) in edges_of(tile, polygon) {
            if tile.edge_neighbours[edge] != 0 {
                continue;
            }
            let on = |axis: usize, border: f32| {
                ends.iter().all(|&end| tile.vertices[end as usize][axis].to_bits() == border.to_bits())
            };
            let borders = [on(0, size), on(2, size), on(0, 0.0), on(2, 0.0)];
            if let Some(side) = (0..).zip(borders).find_map(|(side, lies_on)| lies_on.then_some(side)) {
                sides[edge] = side;
            }
        }
    }
    sides
}

/// A polygon's edges: index in the tile's edge arrays, and the vertices it runs between.
fn edges_of<'a>(tile: &'a RawTile, polygon: &Polygon) -> impl Iterator<Item = (usize, [u32; 2])> + 'a {
    let range = polygon.edges();
    let corners = &tile.edge_vertices[range.clone()];
    range.zip(0..).map(move |(edge, k)| (edge, [corners[k], corners[(k + 1) % corners.len()]]))
}
