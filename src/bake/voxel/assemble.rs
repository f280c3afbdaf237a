//! Polygons and detail to the format's tiles, a layer each.

use robust::{Coord, orient2d};

use super::detail::PolygonDetail;
use super::grid::VoxelGrid;
use super::layers::{find_neighbours, pack_layers};
use super::poll::Poll;
use super::polymesh::PolygonMesh;
use super::soup::Labels;
use crate::bake::BakeError;
use crate::format::{DetailMesh, DetailTriangle, NO_SIDE, NavMeshParams, Polygon, RawTile, Tile};

/// The most of a tile's height reach that is used before its own y origin moves.
const REACH: f64 = 0.9;

/// What the tiles of a column are made of.
pub(crate) struct Parts<'a> {
    pub(crate) grid: &'a VoxelGrid,
    pub(crate) params: &'a NavMeshParams,
    pub(crate) labels: &'a Labels,
    pub(crate) column: [i32; 2],
    pub(crate) mesh: &'a PolygonMesh,
    /// Per polygon, or empty.
    pub(crate) details: &'a [PolygonDetail],
}

/// Makes the tiles of a column, lowest layer first.
///
/// # Errors
/// [`BakeError::Format`] for the first rule of the format that a tile breaks, and those of `poll`.
pub(crate) fn assemble(parts: &Parts<'_>, poll: Poll<'_>) -> Result<Vec<Tile>, BakeError> {
    let neighbours = find_neighbours(parts.mesh);
    let layer_of = pack_layers(parts.mesh, &neighbours, poll)?;
    let count = layer_of.iter().map(|&layer| layer + 1).max().unwrap_or(0);
    let tile = |layer| {
        poll()?;
        Ok(layer_tile(parts, &neighbours, &layer_of, layer).validate(parts.params)?)
    };
    (0..count).map(tile).collect()
}

/// Whether a polygon of whole cells is still convex in the tile's 32-bit coordinates: in tiles of thousands of cells a
/// very slim one may not be.
pub(crate) fn is_sound(
    grid: &VoxelGrid,
    params: &NavMeshParams,
    mesh: &PolygonMesh,
    corners: &[u32],
) -> bool {
    let place = |corner: u32| {
        let [x, _, z] = mesh.vertices[corner as usize];
        let local = [x, z].map(|cell| f64::from(grid.local_from_cell(cell.into(), params)));
        Coord { x: local[0], y: local[1] }
    };
    let count = corners.len();
    (0..count).all(|edge| {
        let (from, to) = (corners[edge], corners[(edge + 1) % count]);
        let others = (2..count).map(|step| corners[(edge + step) % count]);
        others.into_iter().all(|other| orient2d(place(from), place(to), place(other)) > 0.0)
    })
}

fn layer_tile(parts: &Parts<'_>, neighbours: &[Option<u32>], layer_of: &[usize], layer: usize) -> RawTile {
    let Parts { grid, params, labels, column, mesh, details } = *parts;
    let members: Vec<usize> = (0..mesh.polygons.len()).filter(|&index| layer_of[index] == layer).collect();
    let mut first_corner = Vec::with_capacity(mesh.polygons.len() + 1);
    first_corner.push(0);
    for polygon in &mesh.polygons {
        first_corner.push(first_corner[first_corner.len() - 1] + polygon.corners.len());
    }
    let mut number_of = vec![0; mesh.polygons.len()];
    let mut index_of = vec![u32::MAX; mesh.vertices.len()];
    for (number, &member) in (0..).zip(&members) {
        number_of[member] = number;
        mesh.polygons[member].corners.iter().for_each(|&corner| index_of[corner as usize] = 0);
    }
    let used: Vec<usize> = (0..mesh.vertices.len()).filter(|&vertex| index_of[vertex] == 0).collect();
    for (number, &vertex) in (0..).zip(&used) {
        index_of[vertex] = number;
    }
    let heights = used.iter().map(|&vertex| f64::from(mesh.vertices[vertex][1]) * grid.cell_height);
    let base = base_of(heights, params.max_local_extent());
    let local = |[x, y, z]: [f64; 3]| {
        let y = (y * grid.cell_height - base) as f32;
        [grid.local_from_cell(x, params), y, grid.local_from_cell(z, params)]
    };
    // A tile lives long, so its lists get room for what they hold and no more.
    let total = |count: &dyn Fn(usize) -> usize| members.iter().map(|&member| count(member)).sum();
    let edges = total(&|member| mesh.polygons[member].corners.len());
    let in_detail =
        |count: &dyn Fn(&PolygonDetail) -> usize| total(&|member| details.get(member).map_or(0, count));
    let mut tile = RawTile {
        tile_x: column[0],
        tile_z: column[1],
        layer: layer as i32,
        origin_y: params.origin[1] + base,
        vertices: used.iter().map(|&vertex| local(mesh.vertices[vertex].map(f64::from))).collect(),
        polygons: Vec::with_capacity(members.len()),
        edge_vertices: Vec::with_capacity(edges),
        edge_neighbours: Vec::with_capacity(edges),
        edge_sides: Vec::with_capacity(edges),
        detail_meshes: Vec::with_capacity(in_detail(&|_| 1)),
        detail_vertices: Vec::with_capacity(in_detail(&|detail| detail.points.len())),
        detail_triangles: Vec::with_capacity(in_detail(&|detail| detail.triangles.len())),
        links: Vec::new(),
    };
    for &member in &members {
        let polygon = &mesh.polygons[member];
        let label = labels.label(polygon.label);
        let count = polygon.corners.len();
        tile.polygons.push(Polygon {
            first_edge: tile.edge_vertices.len() as u32,
            vertex_count: count as u8,
            area: label.map_or(0, |label| label.area_type),
            flags: label.map_or(0, |label| label.flags),
        });
        for edge in 0..count {
            let (from, to) = (polygon.corners[edge], polygon.corners[(edge + 1) % count]);
            let neighbour = neighbours[first_corner[member] + edge];
            let side = mesh.borders.get(&(from, to)).copied().unwrap_or(NO_SIDE);
            tile.edge_vertices.push(index_of[from as usize]);
            tile.edge_neighbours.push(neighbour.map_or(0, |other| number_of[other as usize] + 1));
            tile.edge_sides.push(if neighbour.is_some() { NO_SIDE } else { side });
        }
        if let Some(detail) = details.get(member) {
            tile.detail_meshes.push(DetailMesh {
                vertex_base: tile.detail_vertices.len() as u32,
                vertex_count: detail.points.len() as u32,
                triangle_base: tile.detail_triangles.len() as u32,
                triangle_count: detail.triangles.len() as u32,
            });
            tile.detail_vertices.extend(detail.points.iter().map(|&point| local(point)));
            let triangles = detail.triangles.iter();
            tile.detail_triangles
                .extend(triangles.map(|&(indices, edge_flags)| DetailTriangle { indices, edge_flags }));
        }
    }
    tile
}

/// The y of a tile's origin above the mesh's: 0 as long as the tile's heights reach from there, so that tiles side by
/// side have equal bits; else a multiple of the reach.
fn base_of(heights: impl Iterator<Item = f64>, extent: f64) -> f64 {
    let (low, high) =
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    if low.abs().max(high.abs()) <= REACH * extent {
        return 0.0;
    }
    ((low / 2.0 + high / 2.0) / extent).round() * extent
}
