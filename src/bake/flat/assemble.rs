//! Polygons of all levels to the format's tiles, a layer each.

use super::cut::TileCut;
use super::heights::PlaceHeights;
use super::layers::{Plan, pack_layers};
use super::outline::Drawing;
use super::partition::Poly;
use super::snap::Pixel;
use super::surfaces::Surfaces;
use crate::format::{NO_SIDE, Polygon, RawTile};
use crate::geom::grid::IntPoint;
use crate::geom::union_find::UnionFind;

/// A polygon with its level, and where its corners start in a list of all corners.
struct Placed<'a> {
    poly: &'a Poly,
    level: usize,
    first_corner: usize,
}

/// Makes the tiles of one column, lowest layer first.
///
/// `polys`: per level, sorted. Neighbours share vertex indices; places that are not joined have separate ones.
pub(crate) fn assemble(
    drawing: &Drawing,
    cut: &TileCut,
    polys: &[Vec<Poly>],
    surfaces: &Surfaces,
    column: [i32; 2],
) -> Vec<RawTile> {
    let placed = place(polys);
    let corner_count = placed.last().map_or(0, |last| last.first_corner + last.poly.corners.len());
    let neighbours = find_neighbours(cut, &placed, corner_count);

    let mut vertices = UnionFind::new(corner_count);
    let mut owner_of_corner = vec![0; corner_count];
    for (index, polygon) in placed.iter().enumerate() {
        let count = polygon.poly.corners.len();
        for edge in 0..count {
            let corner = polygon.first_corner + edge;
            owner_of_corner[corner] = index;
            if let Some((other, other_edge)) = neighbours[corner] {
                let other = &placed[other];
                let other_end = other.first_corner + (other_edge + 1) % other.poly.corners.len();
                vertices.union(corner as u32, other_end as u32);
                let end = polygon.first_corner + (edge + 1) % count;
                vertices.union(end as u32, (other.first_corner + other_edge) as u32);
            }
        }
    }
    let mut joined = UnionFind::new(placed.len());
    for (index, polygon) in (0..).zip(&placed) {
        let corners = polygon.first_corner..polygon.first_corner + polygon.poly.corners.len();
        for &(other, _) in neighbours[corners].iter().flatten() {
            joined.union(index, other as u32);
        }
    }
    let plans: Vec<Plan<'_>> = (0..)
        .zip(&placed)
        .map(|(index, p)| Plan { corners: &p.poly.corners, level: p.level, component: joined.find(index) })
        .collect();
    let layer_of = pack_layers(&plans);
    let layer_count = layer_of.iter().map(|&layer| layer + 1).max().unwrap_or(0);

    let mut heights = PlaceHeights::new(drawing, cut, surfaces);
    let mut height_of_root = vec![f64::NAN; corner_count];
    for corner in 0..corner_count {
        let root = vertices.find(corner as u32);
        if root == corner as u32 {
            let polygon = &placed[owner_of_corner[corner]];
            let (pixel, inward) = corner_of(polygon, corner - polygon.first_corner);
            height_of_root[root as usize] = heights.at(pixel, polygon.level, polygon.poly.label, inward);
        }
    }
    let mut numbers = Numbers { polygon: vec![0; placed.len()], vertex: vec![0; corner_count] };
    let parts =
        Parts { drawing, cut, placed: &placed, neighbours: &neighbours, height_of_root: &height_of_root };
    (0..layer_count)
        .map(|layer| {
            let members: Vec<usize> = (0..placed.len()).filter(|&index| layer_of[index] == layer).collect();
            layer_tile(&parts, &members, &mut vertices, &mut numbers, column, layer as i32)
        })
        .collect()
}

fn place(polys: &[Vec<Poly>]) -> Vec<Placed<'_>> {
    let mut first_corner = 0;
    let mut placed = Vec::with_capacity(polys.iter().map(Vec::len).sum());
    for (level, polys) in polys.iter().enumerate() {
        for poly in polys {
            placed.push(Placed { poly, level, first_corner });
            first_corner += poly.corners.len();
        }
    }
    placed
}

/// A polygon's edge by its level and ends, lesser one first, and where it belongs.
type EdgeEntry = ((usize, Pixel, Pixel), bool, (usize, usize));

/// The polygon and edge across each edge, in the tile: on the same level, or over a seam.
fn find_neighbours(cut: &TileCut, placed: &[Placed<'_>], corner_count: usize) -> Vec<Option<(usize, usize)>> {
    let mut edges: Vec<EdgeEntry> = Vec::with_capacity(corner_count);
    for (index, polygon) in placed.iter().enumerate() {
        let corners = &polygon.poly.corners;
        for edge in 0..corners.len() {
            let (from, to) = (corners[edge], corners[(edge + 1) % corners.len()]);
            edges.push(((polygon.level, from.min(to), from.max(to)), from > to, (index, edge)));
        }
    }
    edges.sort_unstable();
    let mut neighbours = vec![None; corner_count];
    let corner = |(polygon, edge): (usize, usize)| placed[polygon].first_corner + edge;
    for pair in edges.windows(2) {
        let ((a_ends, a_back, a), (b_ends, b_back, b)) = (pair[0], pair[1]);
        if a_ends == b_ends && a_back != b_back {
            neighbours[corner(a)] = Some(b);
            neighbours[corner(b)] = Some(a);
        }
    }
    let find = |level: usize, from: Pixel, to: Pixel| {
        let key = ((level, from.min(to), from.max(to)), from > to);
        let found = edges.binary_search_by_key(&key, |&(ends, back, _)| (ends, back));
        found.ok().map(|at| edges[at].2)
    };
    for seam in &cut.seams {
        let (left, right) = (find(seam.left, seam.a, seam.b), find(seam.right, seam.b, seam.a));
        if let (Some(left), Some(right)) = (left, right) {
            neighbours[corner(left)] = Some(right);
            neighbours[corner(right)] = Some(left);
        }
    }
    neighbours
}

/// A corner's pixel and a direction into the polygon there: between its two edges.
fn corner_of(polygon: &Placed<'_>, corner: usize) -> (Pixel, IntPoint) {
    let corners = &polygon.poly.corners;
    let (here, count) = (corners[corner], corners.len());
    let next = corners[(corner + 1) % count].point() - here.point();
    let before = corners[(corner + count - 1) % count].point() - here.point();
    // Edges scaled by each other's length (roughly), so that their sum lies between them.
    let length = |d: IntPoint| d.x.abs().max(d.z.abs()).max(1);
    let (next_length, before_length) = (length(next), length(before));
    let inward = IntPoint::new(
        next.x * before_length + before.x * next_length,
        next.z * before_length + before.z * next_length,
    );
    // A straight corner: turn the outgoing edge left.
    let inward = if inward == IntPoint::default() { IntPoint::new(-next.z, next.x) } else { inward };
    (here, inward)
}

struct Parts<'a> {
    drawing: &'a Drawing,
    cut: &'a TileCut,
    placed: &'a [Placed<'a>],
    neighbours: &'a [Option<(usize, usize)>],
    height_of_root: &'a [f64],
}

/// A polygon's and a vertex root's number in the layer in hand.
struct Numbers {
    polygon: Vec<u32>,
    vertex: Vec<u32>,
}

fn layer_tile(
    parts: &Parts<'_>,
    members: &[usize],
    vertices: &mut UnionFind,
    numbers: &mut Numbers,
    column: [i32; 2],
    layer: i32,
) -> RawTile {
    for (number, &member) in (0..).zip(members) {
        numbers.polygon[member] = number;
    }
    // Vertices in (z, x) order, then by their first corner.
    let mut roots: Vec<(Pixel, u32)> = Vec::new();
    for &member in members {
        let polygon = &parts.placed[member];
        for (i, &pixel) in polygon.poly.corners.iter().enumerate() {
            roots.push((pixel, vertices.find((polygon.first_corner + i) as u32)));
        }
    }
    roots.sort_unstable();
    roots.dedup();
    let height = |root: u32| parts.height_of_root[root as usize];
    let origin_y = roots.iter().map(|&(_, root)| height(root)).fold(f64::INFINITY, f64::min);
    let scale = 2_f64.powi(-(parts.drawing.frame.bits as i32));
    let local = |steps: i32| (f64::from(steps) * scale) as f32;
    let mut tile = RawTile {
        tile_x: column[0],
        tile_z: column[1],
        layer,
        origin_y,
        vertices: roots
            .iter()
            .map(|&(pixel, root)| [local(pixel.x), (height(root) - origin_y) as f32, local(pixel.z)])
            .collect(),
        ..RawTile::default()
    };
    for (number, &(_, root)) in (0..).zip(&roots) {
        numbers.vertex[root as usize] = number;
    }
    for &member in members {
        let polygon = &parts.placed[member];
        let label = &parts.drawing.labels[polygon.poly.label as usize];
        let level = parts.drawing.levels[polygon.level] as u8;
        let corners = &polygon.poly.corners;
        tile.polygons.push(Polygon {
            first_edge: tile.edge_vertices.len() as u32,
            vertex_count: corners.len() as u8,
            area: label.area_type,
            flags: u16::from(level) << 8 | u16::from(label.flags),
        });
        for edge in 0..corners.len() {
            let corner = polygon.first_corner + edge;
            tile.edge_vertices.push(numbers.vertex[vertices.find(corner as u32) as usize]);
            let neighbour = parts.neighbours[corner].map(|(other, _)| numbers.polygon[other] + 1);
            tile.edge_neighbours.push(neighbour.unwrap_or(0));
            let side =
                portal_side(parts.cut, polygon.level, corners[edge], corners[(edge + 1) % corners.len()]);
            tile.edge_sides.push(if neighbour.is_some() { NO_SIDE } else { side });
        }
    }
    tile
}

fn portal_side(cut: &TileCut, level: usize, from: Pixel, to: Pixel) -> u8 {
    let segments = &cut.segments[level];
    let found =
        segments.binary_search_by_key(&(from.min(to), from.max(to)), |segment| (segment.a, segment.b));
    found.map_or(NO_SIDE, |index| segments[index].portal)
}
