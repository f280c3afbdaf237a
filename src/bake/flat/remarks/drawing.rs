//! Remarks on the joined drawing.

use std::collections::BTreeSet;

use super::gaps::{outer_edges, report_gaps};
use super::scene::Scene;
use super::thin::report_thin;
use super::vanished::report_vanished;
use crate::bake::flat::joined::Components;
use crate::bake::flat::outline::{Drawing, NOT_WALKABLE};
use crate::bake::flat::overlay::Overlay;
use crate::bake::flat::surfaces::Surfaces;
use crate::bake::{AreaKind, Diagnostic, DiagnosticKind, Element, FlatInput};
use crate::format::{NavMesh, NavSettings};

/// All remarks on the drawing.
pub(crate) fn on_drawing(
    input: &FlatInput,
    settings: &NavSettings,
    drawing: &Drawing,
    overlay: &Overlay,
    surfaces: &Surfaces,
    components: &Components,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let scene = Scene { input, drawing, overlay, components };
    report_close_points(&scene, diagnostics);
    report_rings(&scene, diagnostics);
    report_levels(&scene, diagnostics);
    report_crossings(&scene, diagnostics);
    report_touches(&scene, diagnostics);
    report_seams(&scene, surfaces, settings, diagnostics);
    let walls = outer_edges(&scene);
    report_gaps(&scene, &walls, diagnostics);
    report_thin(&scene, &walls, diagnostics);
}

/// What clearance leaves nothing of, on a `mesh` of the whole drawing.
pub(crate) fn on_clearance(
    input: &FlatInput,
    drawing: &Drawing,
    overlay: &Overlay,
    components: &Components,
    mesh: &NavMesh,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let scene = Scene { input, drawing, overlay, components };
    report_vanished(&scene, &mesh.mesh, mesh.settings.agent_radius, diagnostics);
}

/// Neighbouring points of an outline nearer than a thousandth.
fn report_close_points(scene: &Scene<'_>, diagnostics: &mut Vec<Diagnostic>) {
    const LIMIT: f64 = 0.001;
    for area in &scene.input.areas {
        let count = area.outline.len();
        for (index, &a) in area.outline.iter().enumerate() {
            let b = area.outline[(index + 1) % count];
            let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
            // A thousandth drawn is a thousandth, whatever f64 makes of the difference.
            if distance < LIMIT * (1.0 - 1e-6) && count > 1 {
                let next = (index + 1) % count + 1;
                diagnostics.push(Diagnostic {
                    kind: DiagnosticKind::PointsTooClose,
                    place: a,
                    level: area.level,
                    element: Element::Point { area: area.id, index },
                    measured: distance,
                    limit: LIMIT,
                    message: format!(
                        "{}: points {} and {next} lie {distance:.6} apart, nearer than {LIMIT}",
                        area.name,
                        index + 1
                    ),
                });
            }
        }
    }
}

/// Walk areas that are nowhere walkable, holes that cut nothing.
fn report_rings(scene: &Scene<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (index, seen) in scene.overlay.seen.iter().enumerate() {
        if seen.matters {
            continue;
        }
        let ring = index as u32;
        let data = &scene.drawing.rings[index];
        let name = scene.name(ring);
        let (kind, message) = match data.kind {
            AreaKind::Walk => {
                let by = seen.hidden_by.map_or("holes", |hole| scene.name(hole));
                let more = if seen.hidden_by_more { " and other holes" } else { "" };
                (DiagnosticKind::WalkHidden, format!("{name} is cut away by {by}{more}"))
            }
            AreaKind::Hole => {
                (DiagnosticKind::HoleCutsNothing, format!("{name} cuts no walk area of its level"))
            }
        };
        let [x, z] = [data.points[0].x as f64, data.points[0].z as f64];
        diagnostics.push(Diagnostic {
            kind,
            place: scene.drawing.frame.world_from_unit(x, z),
            level: scene.level(ring),
            element: Element::Area(scene.area_id(ring)),
            measured: f64::NAN,
            limit: f64::NAN,
            message,
        });
    }
}

/// Levels with walk areas but nothing walkable.
fn report_levels(scene: &Scene<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (level, &number) in scene.drawing.levels.iter().enumerate() {
        let mut walks =
            scene.drawing.rings.iter().filter(|ring| ring.level == level && ring.kind == AreaKind::Walk);
        let Some(first) = walks.next() else { continue };
        let walkable = (0..scene.overlay.faces.count as u32)
            .any(|face| scene.overlay.label(face, level) != NOT_WALKABLE);
        if !walkable {
            diagnostics.push(Diagnostic {
                kind: DiagnosticKind::LevelEmpty,
                place: scene
                    .drawing
                    .frame
                    .world_from_unit(first.points[0].x as f64, first.points[0].z as f64),
                level: number,
                element: Element::Level(number),
                measured: 0.0,
                limit: f64::NAN,
                message: format!("level {number} has walk areas, but holes cover all of them"),
            });
        }
    }
}

/// Places that one outline passes more than once.
fn report_crossings(scene: &Scene<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let arrangement = &scene.overlay.arrangement;
    let ring_count = scene.drawing.rings.len() as u32;
    for node in 0..arrangement.places.len() as u32 {
        let around = arrangement.outgoing(node);
        if around.len() < 2 {
            continue;
        }
        let mut owners: Vec<u32> = around
            .iter()
            .flat_map(|&half| arrangement.members(half / 2))
            .map(|member| arrangement.edges[member.edge as usize].owner)
            .filter(|&owner| owner < ring_count)
            .collect();
        owners.sort_unstable();
        for ring in owners.chunk_by(|a, b| a == b).filter(|group| group.len() > 2).map(|group| group[0]) {
            let place = scene.world(node);
            diagnostics.push(Diagnostic {
                kind: DiagnosticKind::OutlineCrossesItself,
                place,
                level: scene.level(ring),
                element: Element::Area(scene.area_id(ring)),
                measured: f64::NAN,
                limit: f64::NAN,
                message: format!(
                    "{} crosses itself, or passes a point twice, at ({:.3}, {:.3}); it is filled all the same",
                    scene.name(ring),
                    place[0],
                    place[1]
                ),
            });
        }
    }
}

/// Places where two walkable parts of a level meet in a point only.
fn report_touches(scene: &Scene<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let arrangement = &scene.overlay.arrangement;
    for node in 0..arrangement.places.len() as u32 {
        let around = arrangement.outgoing(node);
        for (level, &number) in scene.drawing.levels.iter().enumerate() {
            let changes = around
                .iter()
                .filter(|&&half| {
                    let (left, right) = scene.overlay.sides(half, level);
                    (left == NOT_WALKABLE) != (right == NOT_WALKABLE)
                })
                .count();
            if changes > 2 {
                let place = scene.world(node);
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
    }
}

/// Seams with a step above the climb, contested ones, and edges of two levels with their insides alike.
fn report_seams(
    scene: &Scene<'_>,
    surfaces: &Surfaces,
    settings: &NavSettings,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let arrangement = &scene.overlay.arrangement;
    let climb = f64::from(settings.walkable_climb);
    // Pieces of one input edge say the same thing once.
    let mut said: BTreeSet<(DiagnosticKind, u32, usize, usize)> = BTreeSet::new();
    for piece in 0..arrangement.pieces.len() as u32 {
        let (left, right) = scene.overlay.seam_levels(piece);
        if left.len() + right.len() < 2 {
            continue;
        }
        let data = &arrangement.pieces[piece as usize];
        let (a, b) = (scene.world(data.from), scene.world(data.to));
        let middle = [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])];
        let mut say = |kind, l: usize, r: usize, measured: f64, limit: f64, message: String| {
            if said.insert((kind, data.edge, l.min(r), l.max(r))) {
                let level = scene.drawing.levels[l.min(r)];
                let element = Element::Level(level);
                diagnostics.push(Diagnostic {
                    kind,
                    place: middle,
                    level,
                    element,
                    measured,
                    limit,
                    message,
                });
            }
        };
        let number = |level: usize| scene.drawing.levels[level];
        for side in [&left, &right] {
            for pair in side.windows(2) {
                let message = format!(
                    "levels {} and {} share an edge, but lie on the same side of it: they are not joined there",
                    number(pair[0]),
                    number(pair[1])
                );
                say(DiagnosticKind::SameSideEdges, pair[0], pair[1], f64::NAN, f64::NAN, message);
            }
        }
        if let (Some(&l), Some(&r)) = (left.first(), right.first())
            && left.len() + right.len() > 2
        {
            let all: Vec<String> =
                left.iter().chain(&right).map(|&level| number(level).to_string()).collect();
            let count = (left.len() * right.len()) as f64;
            let message =
                format!("levels {} compete for one seam; an edge joins two levels only", all.join(", "));
            say(DiagnosticKind::SeamContested, l, r, count, 1.0, message);
        }
        for &l in &left {
            for &r in &right {
                let step_at = |node: u32| {
                    let place = arrangement.f64_of(node);
                    let (left_label, right_label) =
                        (scene.overlay.sides(piece * 2, l).0, scene.overlay.sides(piece * 2, r).1);
                    let left = surfaces.beside(scene.drawing, l, left_label, place);
                    (left - surfaces.beside(scene.drawing, r, right_label, place)).abs()
                };
                let step = step_at(data.from).max(step_at(data.to));
                if step > climb {
                    let message = format!(
                        "levels {} and {} meet with a step of {step:.3}, the agent climbs {climb}; make one side a ramp or \
                         set the elevations nearer",
                        number(l.min(r)),
                        number(l.max(r))
                    );
                    say(DiagnosticKind::SeamStep, l, r, step, climb, message);
                }
            }
        }
    }
}
