//! A path with its ends, jumps and level changes.

use super::{Role, Shape, Sign, link_arc};
use crate::format::TiledNavMesh;
use crate::query::{NavPath, NavPoint};

/// The corridor's polygons (where `mesh` still has them), the line, then the signs: a disc S, a square E, the new
/// level's number where it changes.
#[must_use]
pub fn path_shapes(mesh: &TiledNavMesh, path: &NavPath) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for &poly in &path.corridor {
        if let Some((tile, index)) = mesh.polygon(poly) {
            let points = super::navmesh::polygon_in_world(mesh.params(), tile, index);
            shapes.push(Shape::Convex { points, role: Role::Corridor });
        }
    }
    lines(&path.points, &mut shapes);
    signs(&path.points, &mut shapes);
    shapes
}

fn place(point: &NavPoint) -> [f64; 2] {
    [point.position[0], point.position[2]]
}

fn lines(points: &[NavPoint], shapes: &mut Vec<Shape>) {
    let mut walk: Vec<[f64; 2]> = Vec::new();
    let finish = |walk: &mut Vec<[f64; 2]>, shapes: &mut Vec<Shape>| {
        let points = std::mem::take(walk);
        if points.len() > 1 {
            shapes.push(Shape::Polyline { points, closed: false, role: Role::Path });
        }
    };
    for (index, point) in points.iter().enumerate() {
        walk.push(place(point));
        if let (Some(_), Some(next)) = (point.link, points.get(index + 1)) {
            finish(&mut walk, shapes);
            let arc = link_arc(place(point), place(next));
            shapes.push(Shape::Polyline { points: arc, closed: false, role: Role::PathJump });
        }
    }
    finish(&mut walk, shapes);
}

fn signs(points: &[NavPoint], shapes: &mut Vec<Shape>) {
    for pair in points.windows(2) {
        if pair[0].level != pair[1].level {
            let sign = Sign::DiscNumber(pair[1].level);
            shapes.push(Shape::Marker { at: place(&pair[1]), sign, role: Role::LevelChange });
        }
    }
    if let (Some(first), Some(last)) = (points.first(), points.last()) {
        let end = Shape::Marker { at: place(last), sign: Sign::SquareLetter('E'), role: Role::PathEnd };
        let start = Shape::Marker { at: place(first), sign: Sign::DiscLetter('S'), role: Role::PathStart };
        shapes.extend([end, start]);
    }
}
