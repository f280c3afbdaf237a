//! The upper part of the picture, made in every frame: selection, badges, path and what the tool shows.

use std::time::Duration;

use super::ink::Ink;
use super::pick::{Item, distance};
use crate::bake::{Diagnostic, DiagnosticKind, Element};
use crate::draw::{self, Anchor, Role, Shape, Sign, View, link_arc, path_shapes};
use crate::editor::state::State;
use crate::editor::taken::takes;
use crate::editor::tools::{Feedback, ToolKind};
use crate::editor::why;
use crate::editor::worker::Mode;
use crate::project::Link;
use crate::query::NavPoint;

/// A mesh older than the drawing for less than this is not marked, so that quick bakes do not flicker.
const PATIENCE: Duration = Duration::from_millis(250);
/// A marker farther from the path's end than this was put off the mesh.
pub const OFF_MESH: f64 = 0.01;
/// Most seeds that are shown, signs and words.
const MOST_SEEDS: usize = 400;

/// Whether the mesh has been older than the drawing for long enough to say so.
#[must_use]
pub fn visibly_stale(state: &State) -> bool {
    state.bake.stale_since.is_some_and(|since| since.elapsed() >= PATIENCE)
}

/// What changes with every move of the mouse: selection, path, what the tool shows.
#[must_use]
pub fn upper(
    context: &egui::Context,
    state: &State,
    view: &View,
    feedback: &Feedback,
    lit: &[Shape],
) -> Vec<egui::Shape> {
    let mut ink = Ink::new(context);
    draw::paint(lit, view, ink.theme, &mut ink);
    draw::paint(&failed_tiles(state), view, ink.theme, &mut ink);
    draw::paint(&selection_shapes(state), view, ink.theme, &mut ink);
    if let (Some(path), Some(baked)) = (&state.path, &state.bake.shown) {
        let ends = [Role::PathStart, Role::PathEnd];
        // The markers are drawn where they were put.
        let shapes = path_shapes(&baked.mesh.mesh, path);
        draw::paint(shapes.iter().filter(|shape| !ends.contains(&shape.role())), view, ink.theme, &mut ink);
    }
    draw::paint(&marker_shapes(state), view, ink.theme, &mut ink);
    let on_plan = |[x, _, z]: [f64; 3], _: i8| Some([x, z]);
    draw::paint(&why::shapes(state, &on_plan, 1.0 / view.scale), view, ink.theme, &mut ink);
    if let Some(asked) = state.asked.as_ref().filter(|_| state.tools.kind() == ToolKind::Inspect) {
        let asked = Shape::Marker { at: asked.place, sign: Sign::Ring, role: Role::Selection };
        draw::paint(&[asked], view, ink.theme, &mut ink);
    }
    if let Some(aim) = &state.aim {
        let on = |sign, role| Shape::Marker { at: aim.place, sign, role };
        let cursor = [on(Sign::Ring, Role::Hover), on(Sign::Plus, Role::Ghost)];
        draw::paint(&cursor, view, ink.theme, &mut ink);
    }
    draw::paint(&seeds(state), view, ink.theme, &mut ink);
    draw::paint(&state.plots.lit, view, ink.theme, &mut ink);
    draw::paint(&feedback.shapes, view, ink.theme, &mut ink);
    ink.finish()
}

/// The seeds of a voxel bake: what cannot be reached from one of them is left out.
pub(in crate::editor) fn seeds(state: &State) -> Vec<Shape> {
    if state.bake_mode() != Mode::Voxel {
        return Vec::new();
    }
    let seeds = state.document().voxel.seeds.iter().zip(1..);
    let signs = seeds.flat_map(|(&[x, y, z], number)| {
        let text = format!("   seed {number}, at {y:.1}");
        let word = Shape::Text { at: [x, z], text, anchor: Anchor::Left, role: Role::Label };
        [Shape::Marker { at: [x, z], sign: Sign::Ring, role: Role::Handle }, word]
    });
    signs.take(MOST_SEEDS).collect()
}

/// The tiles that could not be baked; the badge in the middle of each says why.
pub(in crate::editor) fn failed_tiles(state: &State) -> Vec<Shape> {
    let Some(baked) = &state.bake.shown else { return Vec::new() };
    let params = baked.mesh.mesh.params();
    let failed = baked.report.diagnostics.iter().filter(|issue| issue.kind == DiagnosticKind::TileFailed);
    let square = |issue: &Diagnostic| {
        let Element::Tile { tile_x, tile_z } = issue.element else { return None };
        let [x0, x1] = [tile_x, tile_x.saturating_add(1)].map(|tile| params.tile_origin_x(tile));
        let [z0, z1] = [tile_z, tile_z.saturating_add(1)].map(|tile| params.tile_origin_z(tile));
        let outline = vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]];
        Some(Shape::Area { pieces: vec![outline.clone()], outline, role: Role::FailedTile })
    };
    failed.filter_map(square).collect()
}

fn selection_shapes(state: &State) -> Vec<Shape> {
    let document = state.document();
    let mut shapes = Vec::new();
    let points = state.selection.points();
    for area in state.selection.areas(document) {
        let line = |points| Shape::Polyline { points, closed: true, role: Role::Selection };
        shapes.push(line(area.points.clone()));
        let handles = area.points.iter().enumerate().map(|(index, &at)| {
            let picked = points.contains(&(area.id, index));
            let role = if picked { Role::Selection } else { Role::Handle };
            Shape::Marker { at, sign: if picked { Sign::Disc } else { Sign::Square }, role }
        });
        shapes.extend(handles);
    }
    for picture in state.selection.pictures(document) {
        let Some(Ok(size)) = state.picture_sizes.get(&picture.id) else { continue };
        let [low, high] = picture.bounds(*size);
        let points = vec![low, [high[0], low[1]], high, [low[0], high[1]]];
        shapes.push(Shape::Polyline { points, closed: true, role: Role::Selection });
        shapes.push(Shape::Marker { at: low, sign: Sign::Square, role: Role::Handle });
    }
    for item in state.selection.geometry(document) {
        let Some(loaded) = state.geometry.get(item.id) else { continue };
        shapes.push(Shape::Polyline { points: loaded.hull_at(item), closed: true, role: Role::Selection });
        // The origin of its file is what snaps.
        let at = [item.offset[0], item.offset[2]];
        shapes.push(Shape::Marker { at, sign: Sign::Square, role: Role::Handle });
    }
    // Where a path is asked for, its line counts.
    for link in state.selection.links(document).filter(|_| !state.tools.kind().shows_bake()) {
        if !takes(state, link) {
            let points = link_arc(link.start, link.end);
            shapes.push(Shape::Polyline { points, closed: false, role: Role::Selection });
        }
        shapes.extend([link.start, link.end].map(|at| Shape::Marker {
            at,
            sign: Sign::Square,
            role: Role::Handle,
        }));
    }
    shapes
}

/// The markers of the path test where no path shows them.
fn marker_shapes(state: &State) -> Vec<Shape> {
    let test = &state.tools.test;
    let points = state.path.as_ref().map_or(&[][..], |path| &path.points);
    let found = |point: Option<&NavPoint>| point.map(|point| [point.position[0], point.position[2]]);
    let ends = [
        (test.start, found(points.first()), Sign::DiscLetter('S'), Role::PathStart),
        (test.end, found(points.last()), Sign::SquareLetter('E'), Role::PathEnd),
    ];
    let mut shapes = Vec::new();
    for (marker, found, sign, role) in ends {
        let Some(marker) = marker else { continue };
        let away = found.map(|found| distance(found, marker.place));
        if let Some(found) = found.filter(|_| away.is_some_and(|away| away > OFF_MESH)) {
            let points = vec![marker.place, found];
            shapes.push(Shape::Polyline { points, closed: false, role: Role::DraftClosing });
            shapes.push(Shape::Marker { at: found, sign: Sign::Disc, role: Role::Handle });
        }
        shapes.push(Shape::Marker { at: marker.place, sign, role });
    }
    shapes
}

/// An authored link as an arc with its ends; `here`: whether it touches the current level.
pub(super) fn link_shapes(link: &Link, loose: bool, here: bool) -> Vec<Shape> {
    let role = match (here, loose) {
        (false, _) => Role::LevelBelow,
        (true, false) => Role::Link,
        (true, true) => Role::LooseLink,
    };
    let arc = link_arc(link.start, link.end);
    let mut shapes = Vec::new();
    if here {
        let reach = |center| Shape::Circle { center, radius: link.radius, role: Role::LinkRadius };
        shapes.extend([reach(link.start), reach(link.end)]);
    }
    let head = |tip: [f64; 2], before: [f64; 2]| {
        let direction = [tip[0] - before[0], tip[1] - before[1]];
        Shape::Marker { at: tip, sign: Sign::ArrowHead(direction), role }
    };
    let ends = [
        (link.start, arc.get(1).copied(), link.bidirectional),
        (link.end, arc.iter().rev().nth(1).copied(), true),
    ];
    shapes.push(Shape::Polyline { points: arc, closed: false, role });
    for (at, before, arrow) in ends {
        if loose && here {
            shapes.push(Shape::Marker { at, sign: Sign::RingCross, role });
        } else if let Some(before) = before.filter(|_| arrow) {
            shapes.push(head(at, before));
        } else {
            shapes.push(Shape::Marker { at, sign: Sign::Disc, role });
        }
    }
    shapes
}

/// Whether a diagnostic says that an end of a link, by its place in the list, reaches nothing.
pub(in crate::editor) fn is_loose(index: usize, state: &State) -> bool {
    let about = |element: Element| element == Element::Link(index);
    let loose = |kind| {
        matches!(
            kind,
            DiagnosticKind::LinkStartUnattached
                | DiagnosticKind::LinkEndUnattached
                | DiagnosticKind::LinkDropped
                | DiagnosticKind::LinkInvalid
        )
    };
    state.issues().iter().any(|issue| loose(issue.kind) && about(issue.element))
}

/// The box of what is selected, else of the whole map; `None` for an empty map.
#[must_use]
pub fn bounds(state: &State, selected: bool) -> Option<[[f64; 2]; 2]> {
    let document = state.document();
    let wanted = |item| !selected || state.selection.has(item);
    let areas = document.areas.iter().filter(|area| wanted(Item::Area(area.id)));
    let links = document.links.iter().filter(|link| wanted(Item::Link(link.id)));
    let points = areas.flat_map(|area| area.points.iter().copied());
    let pictures = document.pictures.iter().filter(|picture| wanted(Item::Picture(picture.id)));
    let boxes = pictures.filter_map(|picture| {
        let size = state.picture_sizes.get(&picture.id)?.as_ref().ok()?;
        Some(picture.bounds(*size))
    });
    let geometry = state.geometry.items.iter().filter(|loaded| wanted(Item::Geometry(loaded.item.id)));
    let geometry = geometry.filter_map(|loaded| Some(loaded.bounds?.map(|[x, _, z]| [x, z])));
    let points = points.chain(boxes.flatten()).chain(geometry.flatten());
    let mut points = points.chain(links.flat_map(|link| [link.start, link.end]));
    let first = points.next()?;
    Some(points.fold([first, first], |[low, high], p| {
        [[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]]
    }))
}
