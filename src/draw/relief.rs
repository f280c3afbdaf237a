//! Imported geometry under a map, as seen from above: the higher the lighter, and lit from the upper left.

use super::{Role, Shape};
use crate::bake::TriangleMesh;

/// Most triangles that are drawn.
pub const MOST_RELIEF: usize = 50_000;

/// Where light comes from: above, from the upper left.
const LIGHT: [f64; 3] = [-0.45, 0.77, 0.45];

struct Face {
    y: f64,
    light: f64,
    points: Vec<[f64; 2]>,
}

/// The triangles that lie inside a frame, the lowest first; none where there are more than [`MOST_RELIEF`].
pub(super) fn relief_shapes(meshes: &[TriangleMesh], frame: [[f64; 2]; 2]) -> Vec<Shape> {
    if meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>() > MOST_RELIEF {
        return Vec::new();
    }
    let mut faces: Vec<Face> = Vec::new();
    for mesh in meshes {
        for triangle in mesh.triangles.iter() {
            let corner = |index: u32| mesh.vertices.get(index as usize).copied();
            let [Some(a), Some(b), Some(c)] = triangle.map(corner) else { continue };
            faces.extend(face([a, b, c], frame));
        }
    }
    faces.sort_by(|a, b| a.y.total_cmp(&b.y));
    let (Some(low), Some(high)) = (faces.first().map(|face| face.y), faces.last().map(|face| face.y)) else {
        return Vec::new();
    };
    let shape = |Face { y, light, points }: Face| {
        let part = (y - low) / (high - low).max(1e-6);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let shade = (255.0 * (0.25 + 0.5 * part) * (0.62 + 0.5 * light)).clamp(0.0, 255.0) as u8;
        Shape::Convex { points, role: Role::Relief(shade) }
    };
    faces.into_iter().map(shape).collect()
}

/// The bounds of all places that are numbers.
pub(super) fn bounds_of_geometry(meshes: &[TriangleMesh]) -> Option<[[f64; 2]; 2]> {
    let places = meshes.iter().flat_map(|mesh| mesh.vertices.iter()).map(|&[x, _, z]| [x, z]);
    let finite = places.filter(|place| place.iter().all(|value| value.is_finite()));
    finite.map(|place| [place; 2]).reduce(|[low, high], [place, _]| {
        [[low[0].min(place[0]), low[1].min(place[1])], [high[0].max(place[0]), high[1].max(place[1])]]
    })
}

/// What is seen of a triangle from above, within the frame; nothing of one that stands upright.
fn face(corners: [[f64; 3]; 3], [low, high]: [[f64; 2]; 2]) -> Option<Face> {
    let [a, b, c] = corners;
    let (u, v): ([f64; 3], [f64; 3]) =
        (std::array::from_fn(|axis| b[axis] - a[axis]), std::array::from_fn(|axis| c[axis] - a[axis]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
    if !length.is_finite() || normal[1].abs() <= 1e-9 * length {
        return None;
    }
    let mut points: Vec<[f64; 2]> = corners.iter().map(|&[x, _, z]| [x, z]).collect();
    for axis in 0..2 {
        points = cut(&points, axis, low[axis], 1.0);
        points = cut(&points, axis, high[axis], -1.0);
    }
    // Seen from above, whichever way it faces.
    let along = normal.iter().zip(LIGHT).map(|(n, l)| n * l).sum::<f64>() * normal[1].signum() / length;
    let y = (a[1] + b[1] + c[1]) / 3.0;
    (points.len() > 2).then_some(Face { y, light: along.clamp(0.0, 1.0), points })
}

/// The part of a convex outline on one side of a line: where `side` × (coordinate − `at`) is at least 0.
fn cut(points: &[[f64; 2]], axis: usize, at: f64, side: f64) -> Vec<[f64; 2]> {
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (index, &to) in points.iter().enumerate() {
        let from = points[(index + points.len() - 1) % points.len()];
        let (before, here) = (side * (from[axis] - at), side * (to[axis] - at));
        if before * here < 0.0 {
            let t = before / (before - here);
            kept.push([0, 1].map(|axis| from[axis] + t * (to[axis] - from[axis])));
        }
        if here >= 0.0 {
            kept.push(to);
        }
    }
    kept
}
