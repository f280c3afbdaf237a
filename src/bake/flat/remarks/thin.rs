//! Parts and gaps thinner than two binary steps: snapping may close or split them.

use std::collections::BTreeSet;

use super::gaps::{Wall, facing_gap};
use crate::bake::flat::cut::ColumnInput;
use crate::bake::flat::outline::{Drawing, NOT_WALKABLE};
use crate::bake::flat::overlay::Overlay;
use crate::bake::{Diagnostic, DiagnosticKind, Element, FlatInput};
use crate::geom::grid::IntPoint;
use crate::geom::predicates::cross;
use crate::geom::segment_grid::SegmentGrid;

/// Reports facing outline edges of a level less than two steps apart in a column, each pair of areas once, and
/// outlines' corners less than two steps beside its border, each area once. `walls`: the tile's outline edges.
pub(crate) fn report_thin(
    input: &FlatInput,
    drawing: &Drawing,
    column: &ColumnInput,
    overlay: &Overlay,
    walls: &[Wall],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let limit = 2 * drawing.frame.step;
    let mut say = |owner: u32, level: usize, place: [f64; 2], units: f64, what: &str| {
        let frame = &drawing.frame;
        let (measured, limit) = (frame.length_from_units(units), frame.length_from_units(limit as f64));
        let area =
            column.rings.get(owner as usize).map(|&ring| &input.areas[drawing.rings[ring as usize].area]);
        let Some(area) = area else { return };
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::TooThin,
            place: frame.world_from_unit(place[0], place[1]),
            level: drawing.levels[level],
            element: Element::Area(area.id),
            measured,
            limit,
            message: format!(
                "{}: {what} is {measured:.9} wide, thinner than two steps of the grid ({limit:.9}); it may close or fall apart",
                area.name
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
        let gap = facing_gap(a, b, limit as f64).map(|found| (found, "a gap"));
        let part = || facing_gap(&a.turned(), &b.turned(), limit as f64).map(|found| (found, "a part"));
        if let Some(((units, place), what)) = gap.or_else(part) {
            said.insert(key);
            say(a.owner, a.level, place, units, what);
        }
    });
    let mut said: BTreeSet<u32> = BTreeSet::new();
    for node in 0..overlay.arrangement.places.len() as u32 {
        let p = overlay.arrangement.floor_of(node);
        let (low, high) = (column.square.low, column.square.high);
        let besides = [p.x - low.x, high.x - p.x, p.z - low.z, high.z - p.z];
        let near = besides.into_iter().filter(|&units| 0 < units && units < limit).min();
        if let Some(units) = near.filter(|_| column.square.contains(p))
            && let Some((owner, level)) = corner_at(overlay, node)
            && said.insert(owner)
        {
            say(owner, level, [p.x as f64, p.z as f64], units as f64, "its part beside a tile border");
        }
    }
}

/// A ring (by owner number) and its level, where some level's outline turns, ends or branches at a node.
fn corner_at(overlay: &Overlay, node: u32) -> Option<(u32, usize)> {
    let arrangement = &overlay.arrangement;
    (0..overlay.level_count()).find_map(|level| {
        let ends = |half: &u32| {
            let (left, right) = overlay.sides(*half, level);
            (left == NOT_WALKABLE) != (right == NOT_WALKABLE)
        };
        let around: Vec<u32> = arrangement.outgoing(node).iter().copied().filter(ends).collect();
        let turns = match around[..] {
            [a, b] => cross(arrangement.direction(a), arrangement.direction(b)) != 0,
            _ => !around.is_empty(),
        };
        let edges = arrangement.members(around.first()? / 2).iter().map(|member| member.edge).max();
        edges.filter(|_| turns).map(|edge| (arrangement.edges[edge as usize].owner, level))
    })
}
