//! Heights: of a point on a polygon, and the length of a straight stretch along its surface.

use super::sight::{cross, minus, size_of_vector};
use super::view::{PolygonView, world_xz};
use crate::format::{PolyRef, TiledNavMesh};

/// World y of a polygon's surface at a place (world x, z): its detail mesh where it has one, else the triangle
/// fan from its first vertex. A place off the polygon takes the height of the surface's nearest triangle.
/// `None` for a stale reference.
#[must_use]
pub fn height_on_polygon(mesh: &TiledNavMesh, polygon: PolyRef, point: [f64; 2]) -> Option<f64> {
    PolygonView::new(mesh, polygon).map(|view| height_at(&view, point))
}

pub(super) fn height_at(view: &PolygonView<'_>, point: [f64; 2]) -> f64 {
    if let Some(y) = flat_height(view).or_else(|| corner_height(view, point)) {
        return y;
    }
    let mut best = (f64::NEG_INFINITY, world_y(view, view.local_corner(0)[1]));
    each_triangle(view, all, |corners| {
        if let Some(weights) = barycentric(corners, point) {
            let inside = weights[0].min(weights[1]).min(weights[2]);
            if inside > best.0 {
                best = (inside, weighted_height(corners, weights));
            }
        }
    });
    best.1
}

/// Length along the surface between two points of one polygon. The stretch is cut at the surface's triangles;
/// where these leave gaps or overlap, the mean slope of the covered part counts.
pub(super) fn surface_length(view: &PolygonView<'_>, from: [f64; 2], to: [f64; 2]) -> f64 {
    let run = (to[0] - from[0]).hypot(to[1] - from[1]);
    if run == 0.0 || flat_height(view).is_some() {
        return run;
    }
    let (mut covered, mut length) = (0.0, 0.0);
    // Most triangles lie wholly on one side of the stretch. That much shows in the tile's own frame, before they are put
    // into the world, which moves them by the rounding of 32-bit numbers at most.
    let (origin, along) = (world_xz(view.params, view.tile, [0.0; 2]), minus(to, from));
    let start = minus(from, origin);
    let slack = size_of_vector(along) * (view.params.tile_size * 1e-6 + 1e-8);
    let on_both_sides = |corners: &[[f32; 3]; 3]| {
        let sides = corners.map(|[x, _, z]| cross(along, minus([x.into(), z.into()], start)));
        sides.iter().any(|side| *side > -slack) && sides.iter().any(|side| *side < slack)
    };
    each_triangle(view, on_both_sides, |corners| {
        let Some((t0, t1)) = clip(corners, from, to) else { return };
        let at = |t: f64| [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
        let (Some(w0), Some(w1)) = (barycentric(corners, at(t0)), barycentric(corners, at(t1))) else {
            return;
        };
        let rise = weighted_height(corners, w1) - weighted_height(corners, w0);
        covered += t1 - t0;
        length += (run * (t1 - t0)).hypot(rise);
    });
    if covered > 0.0 { length / covered } else { run.hypot(height_at(view, to) - height_at(view, from)) }
}

fn world_y(view: &PolygonView<'_>, local: f32) -> f64 {
    view.tile.origin_y + f64::from(local)
}

/// The height of a polygon whose corners, and the vertices of its detail if it has any, are all equally high.
pub(super) fn flat_height(view: &PolygonView<'_>) -> Option<f64> {
    let first = view.local_corner(0)[1];
    let level = (1..view.corner_count()).all(|k| view.local_corner(k)[1] == first)
        && detail_vertices(view).iter().all(|vertex| vertex[1] == first);
    level.then(|| world_y(view, first))
}

/// The height of a polygon's corner at a place, if the surface has that corner.
fn corner_height(view: &PolygonView<'_>, point: [f64; 2]) -> Option<f64> {
    let corner = (0..view.corner_count()).find(|k| view.corner(*k) == point)?;
    let on_surface = detail_triangles(view).is_none_or(|triangles| {
        let mut triangles = view.tile.detail_triangles[triangles].iter();
        triangles.any(|triangle| triangle.indices.iter().any(|index| usize::from(*index) == corner))
    });
    on_surface.then(|| world_y(view, view.local_corner(corner)[1]))
}

/// The vertices of a polygon's detail beside its own.
fn detail_vertices<'a>(view: &PolygonView<'a>) -> &'a [[f32; 3]] {
    let vertices = view.tile.detail_meshes.get(view.reference.polygon() as usize).map(|detail| {
        let base = detail.vertex_base as usize;
        &view.tile.detail_vertices[base..base + detail.vertex_count as usize]
    });
    vertices.unwrap_or_default()
}

/// The lowest and the highest point of a polygon's surface.
pub(super) fn height_range(view: &PolygonView<'_>) -> [f64; 2] {
    if let Some(y) = flat_height(view) {
        return [y; 2];
    }
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    each_triangle(view, all, |corners| {
        for corner in corners {
            range = [range[0].min(corner[1]), range[1].max(corner[1])];
        }
    });
    range
}

fn detail_triangles(view: &PolygonView<'_>) -> Option<std::ops::Range<usize>> {
    let detail = view.tile.detail_meshes.get(view.reference.polygon() as usize)?;
    let base = detail.triangle_base as usize;
    (detail.triangle_count > 0).then(|| base..base + detail.triangle_count as usize)
}

fn all(_: &[[f32; 3]; 3]) -> bool {
    true
}

/// Calls back with the corners, world x, y, z, of each triangle that is wanted by those in the tile's frame.
fn each_triangle(
    view: &PolygonView<'_>,
    wanted: impl Fn(&[[f32; 3]; 3]) -> bool,
    mut visit: impl FnMut([[f64; 3]; 3]),
) {
    let count = view.corner_count();
    let in_world = |[x, y, z]: [f32; 3]| {
        let [x, z] = world_xz(view.params, view.tile, [x, z]);
        [x, world_y(view, y), z]
    };
    let mut meet = |corners: [[f32; 3]; 3]| {
        if wanted(&corners) {
            visit(corners.map(in_world));
        }
    };
    let Some(triangles) = detail_triangles(view) else {
        for k in 1..count - 1 {
            meet([0, k, k + 1].map(|k| view.local_corner(k)));
        }
        return;
    };
    let more = detail_vertices(view);
    let corner = |index: u16| {
        let index = usize::from(index);
        if index < count { view.local_corner(index) } else { more[index - count] }
    };
    for triangle in &view.tile.detail_triangles[triangles] {
        meet(triangle.indices.map(corner));
    }
}

/// Weights of a triangle's corners at a place; `None` for a triangle without area.
fn barycentric([a, b, c]: [[f64; 3]; 3], point: [f64; 2]) -> Option<[f64; 3]> {
    let cross = |p: [f64; 3], q: [f64; 3]| {
        (p[0] - point[0]) * (q[2] - point[1]) - (p[2] - point[1]) * (q[0] - point[0])
    };
    let area = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
    if area == 0.0 {
        return None;
    }
    let weights = [cross(b, c) / area, cross(c, a) / area, cross(a, b) / area];
    weights.iter().all(|weight| weight.is_finite()).then_some(weights)
}

/// The height under weights that may lie a little outside: these are pulled back into the triangle.
fn weighted_height(corners: [[f64; 3]; 3], weights: [f64; 3]) -> f64 {
    let weights = weights.map(|weight| weight.clamp(0.0, 1.0));
    let sum: f64 = weights.iter().sum();
    let base = corners[0][1];
    base + (weights[1] * (corners[1][1] - base) + weights[2] * (corners[2][1] - base)) / sum
}

/// The part of a stretch inside a triangle of either winding, as parameters; `None` if it has no length.
fn clip([a, b, c]: [[f64; 3]; 3], from: [f64; 2], to: [f64; 2]) -> Option<(f64, f64)> {
    let area = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
    let (mut t0, mut t1) = (0.0_f64, 1.0_f64);
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let side = |point: [f64; 2]| {
            area.signum() * ((q[0] - p[0]) * (point[1] - p[2]) - (q[2] - p[2]) * (point[0] - p[0]))
        };
        let (start, end) = (side(from), side(to));
        if start < 0.0 && end < 0.0 {
            return None;
        }
        if start < 0.0 {
            t0 = t0.max(start / (start - end));
        } else if end < 0.0 {
            t1 = t1.min(start / (start - end));
        }
    }
    (area != 0.0 && t0 < t1).then_some((t0, t1))
}
