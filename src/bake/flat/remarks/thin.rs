//! Parts and gaps thinner than two binary steps: snapping may close or split them.

use std::collections::BTreeSet;

use super::gaps::{Wall, facing_gap};
use super::scene::Scene;
use crate::bake::{Diagnostic, DiagnosticKind, Element};
use crate::geom::grid::IntPoint;
use crate::geom::segment_grid::SegmentGrid;

/// Reports facing outline edges of a level less than two steps apart, each pair of areas once, and outline corners less
/// than two steps beside a tile border, each area once. `walls`: all outline edges.
pub(super) fn report_thin(scene: &Scene<'_>, walls: &[Wall], diagnostics: &mut Vec<Diagnostic>) {
    let limit = 2 * scene.drawing.frame.step;
    let mut say = |wall: &Wall, place: [f64; 2], measured: f64, what: &str| {
        let frame = &scene.drawing.frame;
        let (measured, limit) = (frame.length_from_units(measured), frame.length_from_units(limit as f64));
        let level = scene.drawing.levels[wall.level];
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::TooThin,
            place: frame.world_from_unit(place[0], place[1]),
            level,
            element: Element::Area(scene.area_id(wall.owner)),
            measured,
            limit,
            message: format!(
                "{}: {what} of level {level} is {measured:.9} wide, thinner than two steps of the grid ({limit:.9}); it may close \
                 or fall apart",
                scene.name(wall.owner)
            ),
        });
    };
    let whole = |p: [f64; 2]| IntPoint::new(p[0] as i64, p[1] as i64);
    let segments: Vec<(IntPoint, IntPoint)> =
        walls.iter().map(|wall| (whole(wall.from), whole(wall.to))).collect();
    let mut said: BTreeSet<(u32, u32)> = BTreeSet::new();
    SegmentGrid::new(&segments).pairs_near(&segments, limit + 2, |i, j| {
        let (a, b) = (&walls[i as usize], &walls[j as usize]);
        let key = (a.owner.min(b.owner), a.owner.max(b.owner));
        if a.level != b.level || said.contains(&key) {
            return;
        }
        let (a_turned, b_turned) = (a.turned(), b.turned());
        let gap = facing_gap(a, b, limit as f64).map(|found| (found, "a gap"));
        let part = || facing_gap(&a_turned, &b_turned, limit as f64).map(|found| (found, "a part"));
        if let Some(((width, place), what)) = gap.or_else(part) {
            said.insert(key);
            say(a, place, width, what);
        }
    });
    let mut said: BTreeSet<u32> = BTreeSet::new();
    let side = scene.drawing.frame.tile_units();
    for wall in walls {
        let p = whole(wall.from);
        // How far beside the nearest border, on either axis.
        let beside = |units: i64| {
            let rest = units.rem_euclid(side);
            rest.min(side - rest)
        };
        let near = [beside(p.x), beside(p.z)].into_iter().filter(|&units| 0 < units && units < limit).min();
        if let Some(units) = near
            && scene.turns_at(wall.from_node, wall.level)
            && said.insert(wall.owner)
        {
            say(wall, wall.from, units as f64, "its part beside a tile border");
        }
    }
}
