//! Gaps that look like a missed join: two facing outer edges of different pieces, less than a tenth apart.

use std::collections::BTreeSet;

use super::scene::Scene;
use crate::bake::flat::outline::NOT_WALKABLE;
use crate::bake::{Diagnostic, DiagnosticKind, Element};
use crate::geom::grid::IntPoint;
use crate::geom::segment_grid::SegmentGrid;

/// Gaps of at least this, in squares, are meant.
const LIMIT: f64 = 0.1;
/// Edges that run apart by more than this sine of an angle (about 10°) are not taken for facing each other.
const LARGEST_SINE: f64 = 0.17;

/// An outer edge in units, the inside on its left.
pub(super) struct Wall {
    pub(super) from: [f64; 2],
    pub(super) to: [f64; 2],
    pub(super) from_node: u32,
    pub(super) level: usize,
    component: u32,
    /// The part of its level that it bounds, before seams join.
    pub(super) part: u32,
    pub(super) owner: u32,
}

impl Wall {
    /// The same edge with the inside on its right.
    pub(super) fn turned(&self) -> Self {
        Self { from: self.to, to: self.from, ..*self }
    }
}

/// Reports each pair of facing edges once. `walls`: all outline edges.
pub(super) fn report_gaps(scene: &Scene<'_>, walls: &[Wall], diagnostics: &mut Vec<Diagnostic>) {
    let reach = scene.drawing.frame.units_from_length(LIMIT);
    // Each wall as a segment moved outwards by half the reach is near the other's moved the same way.
    let boxes: Vec<(IntPoint, IntPoint)> =
        walls.iter().map(|wall| moved_out(wall, reach as f64 / 2.0)).collect();
    let grid = SegmentGrid::new(&boxes);
    let mut said: BTreeSet<(u32, u32)> = BTreeSet::new();
    grid.pairs_near(&boxes, reach, |i, j| {
        let (a, b) = (&walls[i as usize], &walls[j as usize]);
        let key = (a.component.min(b.component), a.component.max(b.component));
        if a.component == b.component || said.contains(&key) {
            return;
        }
        let Some((gap, place)) = facing_gap(a, b, reach as f64) else { return };
        said.insert(key);
        let measured = scene.drawing.frame.length_from_units(gap);
        let world = scene.drawing.frame.world_from_unit(place[0], place[1]);
        let level = scene.drawing.levels[a.level];
        let between = if a.level == b.level {
            format!("two parts of level {level}")
        } else {
            format!("levels {level} and {}", scene.drawing.levels[b.level])
        };
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::MissedJoin,
            place: world,
            level,
            element: Element::Area(scene.area_id(a.owner)),
            measured,
            limit: LIMIT,
            message: format!("{between} lie {measured:.3} apart and are not joined; a gap under {LIMIT} looks like a missed join"),
        });
    });
}

/// The outline edges of all levels.
pub(super) fn outer_edges(scene: &Scene<'_>) -> Vec<Wall> {
    let arrangement = &scene.overlay.arrangement;
    let mut walls = Vec::new();
    for piece in 0..arrangement.pieces.len() as u32 {
        for level in 0..scene.drawing.levels.len() {
            let (left, right) = scene.overlay.sides(piece * 2, level);
            let half = match (left != NOT_WALKABLE, right != NOT_WALKABLE) {
                (true, false) => piece * 2,
                (false, true) => piece * 2 + 1,
                _ => continue,
            };
            walls.push(Wall {
                from: arrangement.f64_of(arrangement.origin(half)),
                to: arrangement.f64_of(arrangement.origin(half ^ 1)),
                from_node: arrangement.origin(half),
                level,
                component: scene.components.of(scene.overlay.faces.of_half[half as usize], level),
                part: scene.components.on_level(scene.overlay.faces.of_half[half as usize], level),
                owner: arrangement.edges[arrangement.pieces[piece as usize].edge as usize].owner,
            });
        }
    }
    walls
}

fn direction(wall: &Wall) -> ([f64; 2], f64) {
    let d = [wall.to[0] - wall.from[0], wall.to[1] - wall.from[1]];
    let length = d[0].hypot(d[1]).max(f64::MIN_POSITIVE);
    ([d[0] / length, d[1] / length], length)
}

fn moved_out(wall: &Wall, distance: f64) -> (IntPoint, IntPoint) {
    let ([dx, dz], _) = direction(wall);
    let moved = |p: [f64; 2]| IntPoint::new((p[0] + dz * distance) as i64, (p[1] - dx * distance) as i64);
    (moved(wall.from), moved(wall.to))
}

/// The gap between two edges whose outsides face each other over some length, and its middle.
pub(super) fn facing_gap(a: &Wall, b: &Wall, reach: f64) -> Option<(f64, [f64; 2])> {
    let ((da, length), (db, _)) = (direction(a), direction(b));
    let sine = da[0] * db[1] - da[1] * db[0];
    let cosine = da[0] * db[0] + da[1] * db[1];
    if cosine > 0.0 || sine.abs() > LARGEST_SINE {
        return None;
    }
    // Along a, and to its right (outwards).
    let along = |p: [f64; 2]| (p[0] - a.from[0]) * da[0] + (p[1] - a.from[1]) * da[1];
    let out = |p: [f64; 2]| (p[0] - a.from[0]) * da[1] - (p[1] - a.from[1]) * da[0];
    let (low, high) = (along(b.to).max(0.0), along(b.from).min(length));
    // They must face each other over more than the gap is wide.
    if high - low < reach {
        return None;
    }
    let out_at = |t: f64| {
        let (t0, t1) = (along(b.from), along(b.to));
        out(b.from) + (out(b.to) - out(b.from)) * ((t - t0) / (t1 - t0))
    };
    let middle = f64::midpoint(low, high);
    let (gap, widest) = (out_at(middle), out_at(low).max(out_at(high)));
    if !(gap > 0.0 && widest < reach && out_at(low).min(out_at(high)) >= 0.0) {
        return None;
    }
    let place =
        [a.from[0] + da[0] * middle + da[1] * gap / 2.0, a.from[1] + da[1] * middle - da[0] * gap / 2.0];
    Some((gap, place))
}
