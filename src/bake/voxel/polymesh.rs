//! Outlines to convex polygons that share vertices.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::contours::{Contour, Corner, border_side};
use super::grid::VoxelGrid;
use super::poll::Poll;
use super::region::NO_REGION;
use super::simplify::{doubled_area, simplify};
use super::triangulate::{Triangle, triangulate};
use crate::bake::BakeError;
use crate::geom::union_find::UnionFind;

/// A convex polygon of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MeshPolygon {
    pub(crate) region: u32,
    pub(crate) label: u16,
    /// Vertex indices, counter-clockwise, no three on a line.
    pub(crate) corners: Vec<u32>,
}

/// Convex polygons over shared vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PolygonMesh {
    /// x and z in cells from the tile's corner, y in cell heights.
    pub(crate) vertices: Vec<[i32; 3]>,
    pub(crate) polygons: Vec<MeshPolygon>,
    /// Edges (from, to), the polygon on their left, across which the floor goes on in another tile: its side.
    pub(crate) borders: BTreeMap<(u32, u32), u8>,
    /// Simplified outlines with their regions, for looking at.
    pub(crate) outlines: Vec<(u32, Vec<Corner>)>,
    /// Regions, each with a place in cells, that could not be covered whole since their outlines cross.
    pub(crate) damaged: Vec<(u32, [i32; 2])>,
}

/// Makes the polygons of all regions, of at most `max_verts_per_poly` corners.
///
/// Between floors of one kind outlines run straight, and may so cross a wall that is followed exactly. Then the stretches
/// that the region shares with others are followed cell by cell, on both sides, and all is made again.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn build_polygons(
    contours: &[Contour],
    grid: &VoxelGrid,
    poll: Poll<'_>,
) -> Result<PolygonMesh, BakeError> {
    let mut mesh = polygons_of(contours, grid, poll)?;
    let mut followed: BTreeSet<u32> = BTreeSet::new();
    let mut contours = Cow::Borrowed(contours);
    loop {
        let crossing: BTreeSet<u32> = mesh.damaged.iter().map(|&(region, _)| region).collect();
        if crossing.is_subset(&followed) {
            return Ok(mesh);
        }
        followed.extend(crossing);
        pin_shared(contours.to_mut(), &followed);
        mesh = polygons_of(&contours, grid, poll)?;
    }
}

/// Pins the corners where a stretch turns that one of these regions shares with another.
fn pin_shared(contours: &mut [Contour], regions: &BTreeSet<u32>) {
    for contour in contours {
        let own = regions.contains(&contour.region);
        let corners = &mut contour.corners;
        let count = corners.len();
        for index in 0..count {
            let (before, after) = (corners[(index + count - 1) % count], corners[(index + 1) % count]);
            let corner = &mut corners[index];
            let shared = [before.across, corner.across].iter().any(|&across| {
                let inside = across != NO_REGION && border_side(across).is_none();
                inside && (own || regions.contains(&across))
            });
            let step = |a: &Corner, b: &Corner| (b.x - a.x, b.z - a.z);
            corner.pinned |= shared && step(&before, corner) != step(corner, &after);
        }
    }
}

fn polygons_of(contours: &[Contour], grid: &VoxelGrid, poll: Poll<'_>) -> Result<PolygonMesh, BakeError> {
    let mut mesh = PolygonMesh::default();
    let mut vertices = BTreeMap::new();
    let mut by_region: Vec<&Contour> = contours.iter().collect();
    by_region.sort_by_key(|contour| contour.region);
    for region in by_region.chunk_by(|a, b| a.region == b.region) {
        poll()?;
        let (parts, whole) = cut_region(region, grid, poll)?;
        if !whole {
            let corner = region[0].corners[0];
            mesh.damaged.push((region[0].region, [corner.x, corner.z]));
        }
        for part in parts {
            add_part(&mut mesh, &mut vertices, region[0], part, grid.max_verts_per_poly);
        }
    }
    Ok(mesh)
}

/// An outline with its holes one after another, and its triangles.
struct Part {
    rings: Vec<Vec<Corner>>,
    triangles: Vec<Triangle>,
}

/// The triangles of a region, and whether they cover it: with its walls followed exactly if simpler ones cross.
fn cut_region(region: &[&Contour], grid: &VoxelGrid, poll: Poll<'_>) -> Result<(Vec<Part>, bool), BakeError> {
    let (parts, whole) = cut_within(region, grid, grid.contour_max_error, poll)?;
    if whole || grid.contour_max_error == 0.0 {
        return Ok((parts, whole));
    }
    cut_within(region, grid, 0.0, poll)
}

fn cut_within(
    region: &[&Contour],
    grid: &VoxelGrid,
    max_error: f64,
    poll: Poll<'_>,
) -> Result<(Vec<Part>, bool), BakeError> {
    let rings: Result<Vec<Vec<Corner>>, BakeError> =
        region.iter().map(|contour| simplify(contour, grid, max_error, poll)).collect();
    let rings = rings?.into_iter();
    let (outer, inner): (Vec<Vec<Corner>>, Vec<Vec<Corner>>) =
        rings.filter(|ring| ring.len() > 2).partition(|ring| doubled_area(ring) > 0);
    // A hole whose outline shrank to nothing is no hole any more.
    let mut holes: Vec<Option<Vec<Corner>>> =
        inner.into_iter().filter(|ring| doubled_area(ring) < 0).map(Some).collect();
    let single = outer.len() == 1;
    let mut whole = true;
    let mut parts = Vec::with_capacity(outer.len());
    for outline in outer {
        let mut rings = vec![outline];
        for hole in &mut holes {
            if hole.as_ref().is_some_and(|hole| single || holds(&rings[0], hole)) {
                rings.extend(hole.take());
            }
        }
        let holes: Vec<&[Corner]> = rings[1..].iter().map(Vec::as_slice).collect();
        let (triangles, covered) = triangulate(&rings[0], &holes, poll)?;
        whole &= covered;
        parts.push(Part { rings, triangles });
    }
    Ok((parts, whole))
}

/// Whether a ring holds another's first corner strictly inside, or else on its outline.
fn holds(ring: &[Corner], other: &[Corner]) -> bool {
    let Some(point) = other.first() else { return false };
    let mut inside = false;
    for (index, to) in ring.iter().enumerate() {
        let from = &ring[(index + ring.len() - 1) % ring.len()];
        if (from.z > point.z) != (to.z > point.z) {
            let turn = i64::from(to.x - from.x) * i64::from(point.z - from.z)
                - i64::from(to.z - from.z) * i64::from(point.x - from.x);
            inside ^= (turn > 0) == (to.z > from.z);
        }
    }
    inside
}

fn add_part(
    mesh: &mut PolygonMesh,
    vertices: &mut BTreeMap<[i32; 3], u32>,
    region: &Contour,
    part: Part,
    most: usize,
) {
    // Floors that are not linked never have equal heights at one place, so place and height tell vertices apart.
    let mut number = |corner: &Corner| {
        let vertex = [corner.x, corner.y, corner.z];
        *vertices.entry(vertex).or_insert_with(|| {
            mesh.vertices.push(vertex);
            mesh.vertices.len() as u32 - 1
        })
    };
    let numbers: Vec<u32> = part.rings.iter().flatten().map(&mut number).collect();
    let mut start = 0;
    for ring in &part.rings {
        for (index, corner) in ring.iter().enumerate() {
            if let Some(side) = border_side(corner.across) {
                let next = start + (index + 1) % ring.len();
                mesh.borders.insert((numbers[start + index], numbers[next]), side);
            }
        }
        start += ring.len();
    }
    mesh.outlines.extend(part.rings.into_iter().map(|ring| (region.region, ring)));
    let triangles: Vec<Triangle> =
        part.triangles.iter().map(|triangle| triangle.map(|corner| numbers[corner as usize])).collect();
    for corners in join_triangles(&mesh.vertices, &triangles, most) {
        mesh.polygons.push(MeshPolygon { region: region.region, label: region.label, corners });
    }
}

/// Joins triangles over their longest shared edges as long as the sum stays strictly convex and small enough
/// (Hertel & Mehlhorn 1983). A join that fails once fails for good, so each edge is tried once.
fn join_triangles(vertices: &[[i32; 3]], triangles: &[Triangle], most: usize) -> Vec<Vec<u32>> {
    let mut polygons: Vec<Vec<u32>> = triangles.iter().map(|triangle| triangle.to_vec()).collect();
    // Both ends, and the triangle it belongs to, lower end first; whether it runs from the lower end.
    let mut edges: Vec<(u32, u32, bool, u32)> = Vec::with_capacity(triangles.len() * 3);
    for (index, triangle) in (0..).zip(triangles) {
        for side in 0..3 {
            let (from, to) = (triangle[side], triangle[(side + 1) % 3]);
            edges.push((from.min(to), from.max(to), from < to, index));
        }
    }
    edges.sort_unstable();
    let mut shared: Vec<(i64, u32, u32, u32, u32)> = Vec::new();
    for users in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [down, up] = users
            && down.2 != up.2
        {
            let (a, b) = (vertices[up.0 as usize], vertices[up.1 as usize]);
            let (dx, dz) = (i64::from(b[0] - a[0]), i64::from(b[2] - a[2]));
            shared.push((-(dx * dx + dz * dz), up.0, up.1, up.3, down.3));
        }
    }
    shared.sort_unstable();
    let mut sets = UnionFind::new(triangles.len());
    for (_, from, to, left, right) in shared {
        let (left, right) = (sets.find(left) as usize, sets.find(right) as usize);
        if left == right || polygons[left].len() + polygons[right].len() - 2 > most {
            continue;
        }
        if let Some(sum) = joined(vertices, &polygons[left], &polygons[right], from, to) {
            sets.union(left as u32, right as u32);
            let (kept, gone) = (left.min(right), left.max(right));
            polygons[kept] = sum;
            polygons[gone].clear();
        }
    }
    polygons.retain(|corners| !corners.is_empty());
    polygons
}

/// The sum of two polygons over the edge that runs from `from` to `to` in the left one, if it is strictly convex.
fn joined(vertices: &[[i32; 3]], left: &[u32], right: &[u32], from: u32, to: u32) -> Option<Vec<u32>> {
    let at = left.iter().position(|&corner| corner == from)?;
    let back = right.iter().position(|&corner| corner == to)?;
    let in_left = |step: usize| left[(at + step) % left.len()];
    let in_right = |step: usize| right[(back + step) % right.len()];
    if in_left(1) != to || in_right(1) != from {
        return None;
    }
    let turns_left = |a: u32, b: u32, c: u32| {
        let [a, b, c] = [a, b, c].map(|corner| vertices[corner as usize].map(i64::from));
        (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]) > 0
    };
    // At `to`: from the right polygon's corner before it to the left one's after it; at `from` the other way round.
    let convex = turns_left(in_right(right.len() - 1), to, in_left(2))
        && turns_left(in_left(left.len() - 1), from, in_right(2));
    // From `to` round the left polygon to `from`, then on round the right one.
    let sum = (1..=left.len()).map(in_left).chain((2..right.len()).map(in_right));
    convex.then(|| sum.collect())
}
