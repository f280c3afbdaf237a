//! Remarks on what is drawn: outlines that cross themselves, parts that touch, areas and levels that come to nothing.

use crate::bake::flat::cut::ColumnInput;
use crate::bake::flat::outline::{Drawing, NOT_WALKABLE};
use crate::bake::flat::overlay::{Overlay, Seen};
use crate::bake::{AreaKind, Diagnostic, DiagnosticKind, Element, FlatInput};

/// A column's own remarks: those whose place lies in its square, its greater borders left to the next columns.
pub(crate) fn crossings_and_touches(
    input: &FlatInput,
    drawing: &Drawing,
    column: &ColumnInput,
    overlay: &Overlay,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let (low, high) = (column.square.low, column.square.high);
    for node in 0..overlay.arrangement.places.len() as u32 {
        if overlay.arrangement.outgoing(node).len() <= 2 {
            continue;
        }
        let place = overlay.arrangement.floor_of(node);
        if low.x <= place.x && place.x < high.x && low.z <= place.z && place.z < high.z {
            report_crossing(input, drawing, column, overlay, node, &mut diagnostics);
            report_touch(drawing, overlay, node, &mut diagnostics);
        }
    }
    diagnostics
}

/// An outline that passes the node more than once.
fn report_crossing(
    input: &FlatInput,
    drawing: &Drawing,
    column: &ColumnInput,
    overlay: &Overlay,
    node: u32,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let arrangement = &overlay.arrangement;
    let ring_count = column.rings.len() as u32;
    let mut owners: Vec<u32> = arrangement
        .outgoing(node)
        .iter()
        .flat_map(|&half| arrangement.members(half / 2))
        .map(|member| arrangement.edges[member.edge as usize].owner)
        .filter(|&owner| owner < ring_count)
        .collect();
    owners.sort_unstable();
    for owner in owners.chunk_by(|a, b| a == b).filter(|group| group.len() > 2).map(|group| group[0]) {
        let ring = &drawing.rings[column.rings[owner as usize] as usize];
        let area = &input.areas[ring.area];
        let [x, z] = arrangement.f64_of(node);
        let place = drawing.frame.world_from_unit(x, z);
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::OutlineCrossesItself,
            place,
            level: area.level,
            element: Element::Area(area.id),
            measured: f64::NAN,
            limit: f64::NAN,
            message: format!(
                "{} crosses itself, or passes a point twice, at ({:.3}, {:.3}); it is filled all the same",
                area.name, place[0], place[1]
            ),
        });
    }
}

/// Walkable parts of a level that meet in the node only.
fn report_touch(drawing: &Drawing, overlay: &Overlay, node: u32, diagnostics: &mut Vec<Diagnostic>) {
    let around = overlay.arrangement.outgoing(node);
    for (level, &number) in drawing.levels.iter().enumerate() {
        let is_wall = |half: &&u32| {
            let (left, right) = overlay.sides(**half, level);
            (left == NOT_WALKABLE) != (right == NOT_WALKABLE)
        };
        if around.iter().filter(is_wall).count() <= 2 {
            continue;
        }
        let [x, z] = overlay.arrangement.f64_of(node);
        let place = drawing.frame.world_from_unit(x, z);
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::TouchAtPoint,
            place,
            level: number,
            element: Element::Level(number),
            measured: 0.0,
            limit: f64::NAN,
            message: format!(
                "walkable parts of level {number} touch in one point only at ({:.3}, {:.3}): there is no way through",
                place[0], place[1]
            ),
        });
    }
}

/// Walk areas that are nowhere walkable, holes that cut nothing. `seen`: per ring; its holes are rings.
pub(crate) fn report_rings(
    input: &FlatInput,
    drawing: &Drawing,
    seen: &[Seen],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let area_of = |ring: u32| &input.areas[drawing.rings[ring as usize].area];
    for (ring, seen) in (0..).zip(seen).filter(|(_, seen)| !seen.matters) {
        let area = area_of(ring);
        let (kind, message) = match area.kind {
            AreaKind::Walk => {
                let by = seen.hidden_by.map_or("holes", |hole| &area_of(hole).name);
                let more = if seen.hidden_by_more { " and other holes" } else { "" };
                (DiagnosticKind::WalkHidden, format!("{} is cut away by {by}{more}", area.name))
            }
            AreaKind::Hole => {
                (DiagnosticKind::HoleCutsNothing, format!("{} cuts no walk area of its level", area.name))
            }
        };
        diagnostics.push(Diagnostic {
            kind,
            place: first_point(drawing, ring),
            level: area.level,
            element: Element::Area(area.id),
            measured: f64::NAN,
            limit: f64::NAN,
            message,
        });
    }
}

/// Levels with walk areas but nothing walkable. `walkable`: per level.
pub(crate) fn report_levels(drawing: &Drawing, walkable: &[bool], diagnostics: &mut Vec<Diagnostic>) {
    for (level, &number) in drawing.levels.iter().enumerate().filter(|&(level, _)| !walkable[level]) {
        let mut rings = (0..).zip(&drawing.rings);
        let first = rings.find(|(_, ring)| ring.level == level && ring.kind == AreaKind::Walk);
        let Some((ring, _)) = first else { continue };
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::LevelEmpty,
            place: first_point(drawing, ring),
            level: number,
            element: Element::Level(number),
            measured: 0.0,
            limit: f64::NAN,
            message: format!("level {number} has walk areas, but holes cover all of them"),
        });
    }
}

fn first_point(drawing: &Drawing, ring: u32) -> [f64; 2] {
    let point = drawing.rings[ring as usize].points()[0];
    drawing.frame.world_from_unit(point.x as f64, point.z as f64)
}
