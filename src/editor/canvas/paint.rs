//! What the canvas shows: the drawing or the baked mesh below, selection, tool and path above.
//!
//! The lower part is kept as triangles until the drawing, the mesh, the camera or what is shown changes; an area's
//! shapes are kept until that area changes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::ink::{Ink, color32};
use super::pick::{Item, distance};
use crate::bake::{AreaKind, DiagnosticKind, Element};
use crate::draw::{
    self, Anchor, MeshShapes, Role, Shape, Sign, Theme, View, area_shapes, grid_shapes, nice_step,
    path_shapes,
};
use crate::editor::state::{OtherLevels, Shown, State};
use crate::editor::tools::{Feedback, ToolKind};
use crate::project::{Area, AreaId, Link};
use crate::query::NavPoint;

/// A mesh older than the drawing for less than this is not marked, so that quick bakes do not flicker.
const PATIENCE: Duration = Duration::from_millis(250);
/// Edges of polygons are left out below this zoom, in pixels a square: they would only grey the floor.
const EDGES_FROM: f64 = 3.0;

/// Least distance of the grid's finest lines, in pixels, as `grid_shapes` has it.
const LINES_APART: f64 = 9.0;
/// A marker farther from the path's end than this was put off the mesh.
pub const OFF_MESH: f64 = 0.01;

/// The line of a link.
#[must_use]
pub fn link_line(from: [f64; 2], to: [f64; 2]) -> Vec<[f64; 2]> {
    draw::link_arc(from, to)
}

/// Shapes that are kept.
#[derive(Debug, Default)]
pub struct Kept {
    areas: BTreeMap<AreaId, KeptArea>,
    /// The mesh's triangles on the drawing, and what they were made for.
    mesh: Option<(MeshKey, Vec<egui::Shape>)>,
    key: Option<Key>,
    /// A word laid out in every frame: another one tells that the fonts' picture was made anew, by which everything
    /// kept with words in it is worthless.
    probe: Option<Arc<egui::Galley>>,
    lower: Vec<egui::Shape>,
    /// How often the lower part was made anew: tests and the idle check read it.
    pub rebuilt: usize,
}

#[derive(Debug)]
struct KeptArea {
    area: Arc<Area>,
    look: Look,
    /// Its area type's colour and words, if the type has an entry.
    typed: Option<Typed>,
    shapes: Vec<Shape>,
    /// The shapes as triangles, and what they were made for.
    painted: Option<(Sight, Vec<egui::Shape>)>,
}

/// What the triangles of an area depend on besides the area.
type Sight = (View, f32, Theme);

/// How an area of a level looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Full,
    From(i8),
}

/// What is shown of an area's type.
type Typed = ([u8; 3], String);

/// What the mesh's triangles on the drawing depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MeshKey {
    mesh: u64,
    level: i8,
    sight: Sight,
    stale: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    generation: u64,
    mesh: u64,
    level: i8,
    view: View,
    shown: Shown,
    pixels: f32,
    theme: Theme,
    test: bool,
    stale: bool,
    marks: u64,
}

/// Whether the mesh has been older than the drawing for long enough to say so.
#[must_use]
pub fn visibly_stale(state: &State) -> bool {
    state.bake.stale_since.is_some_and(|since| since.elapsed() >= PATIENCE)
}

/// The lower part, made anew only if something it shows has changed.
pub fn lower<'a>(
    context: &egui::Context,
    state: &State,
    view: &View,
    kept: &'a mut Kept,
) -> &'a [egui::Shape] {
    let key = Key {
        generation: state.generation,
        mesh: state.bake.shown_generation,
        level: state.level,
        view: *view,
        shown: state.shown,
        pixels: context.pixels_per_point(),
        theme: crate::editor::style::theme(context),
        test: state.tools.kind() == ToolKind::Test,
        stale: visibly_stale(state),
        marks: state.marks.edition,
    };
    let font = egui::FontId::proportional(11.0);
    let probe = context.fonts_mut(|fonts| fonts.layout_no_wrap("0".to_owned(), font, egui::Color32::WHITE));
    if !kept.probe.as_ref().is_some_and(|old| Arc::ptr_eq(old, &probe)) {
        *kept = Kept { rebuilt: kept.rebuilt, probe: Some(probe), ..Kept::default() };
    }
    if kept.key != Some(key) {
        kept.rebuilt += 1;
        let mut ink = Ink::new(context);
        if key.test && state.bake.shown.is_some() {
            baked_map(state, view, &mut ink);
        } else {
            drawing(state, view, kept, &mut ink, key.stale);
        }
        kept.lower = ink.finish();
        kept.key = Some(key);
    }
    &kept.lower
}

/// The drawing: other levels, the current level's areas with the mesh's edges on them, seams, links and badges.
fn drawing(state: &State, view: &View, kept: &mut Kept, ink: &mut Ink, stale: bool) {
    let (document, level, shown) = (state.document(), state.level, state.shown);
    let existing: std::collections::BTreeSet<AreaId> = document.areas.iter().map(|area| area.id).collect();
    kept.areas.retain(|id, _| existing.contains(id));
    let look = |area: &Area| {
        let full = area.level == level || shown.others == OtherLevels::Full;
        if full { Look::Full } else { Look::From(level) }
    };
    for area in document.areas.iter() {
        let look = look(area);
        let typed = typed(state, area, look);
        let same =
            |kept: &KeptArea| Arc::ptr_eq(&kept.area, area) && kept.look == look && kept.typed == typed;
        if !kept.areas.get(&area.id).is_some_and(same) {
            let current = if look == Look::Full { None } else { Some(level) };
            let mut shapes = area_shapes(&flat(area), current);
            if let Some((color, words)) = &typed {
                as_typed(&mut shapes, *color, words);
            }
            kept.areas
                .insert(area.id, KeptArea { area: Arc::clone(area), look, typed, shapes, painted: None });
        }
    }
    let sight = (*view, ink.pixels_per_point(), ink.theme);
    let mut paint_area = |area: &Area, ink: &mut Ink| {
        if state.marks.is_hidden(Item::Area(area.id)) {
            return;
        }
        if let Some(kept) = kept.areas.get_mut(&area.id) {
            kept.paint(sight, ink);
        }
    };
    let others = shown.others != OtherLevels::Off;
    let mut numbers: Vec<i8> = document.areas.iter().map(|area| area.level).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.retain(|&number| number != level && shown.others == OtherLevels::Full);
    // The current level lies on top of the others, whatever its number.
    numbers.push(level);
    for number in numbers {
        for kind in [AreaKind::Walk, AreaKind::Hole] {
            for area in document.areas.iter().filter(|area| area.level == number && area.kind == kind) {
                paint_area(area, ink);
            }
        }
    }
    if shown.grid {
        grid(view, ink);
    }
    if shown.others == OtherLevels::Faint {
        for area in document.areas.iter().filter(|area| area.level != level) {
            paint_area(area, ink);
        }
    }
    if let Some(baked) = state.bake.shown.as_ref().filter(|_| shown.mesh) {
        let key = MeshKey { mesh: state.bake.shown_generation, level, sight, stale };
        if kept.mesh.as_ref().is_none_or(|(of, _)| *of != key) {
            let mut own = ink.beside();
            mesh_on_drawing(&baked.shapes, level, view, &mut own, stale);
            kept.mesh = Some((key, own.finish()));
        }
        if let Some((_, shapes)) = &kept.mesh {
            ink.add(shapes);
        }
    }
    if shown.mesh && !stale {
        draw::paint(&super::notes::level_notes(state, view), view, ink.theme, ink);
    }
    for link in document.links.iter() {
        let here = link.start_level == level || link.end_level == level;
        if (here || others) && !state.marks.is_hidden(Item::Link(link.id)) {
            draw::paint(&link_shapes(link, state, here), view, ink.theme, ink);
        }
    }
}

/// What is shown of a walk area's type on its own level: nothing for the type that all areas have by the settings.
fn typed(state: &State, area: &Area, look: Look) -> Option<Typed> {
    let document = state.document();
    let number = area.area_type?;
    if look != Look::Full || area.kind != AreaKind::Walk || number == document.settings.area {
        return None;
    }
    let entry = document.area_type(number)?;
    Some((entry.color, format!("{number} {}", entry.name)))
}

/// Gives an area its type's colour, with hatch and words, since colour alone says nothing.
fn as_typed(shapes: &mut Vec<Shape>, color: [u8; 3], words: &str) {
    let mut middle = None;
    for shape in shapes.iter_mut() {
        if let Shape::Area { pieces, role, .. } = shape {
            *role = Role::Typed(color);
            // In the middle of the largest piece.
            let size = |piece: &&Vec<[f64; 2]>| crate::geom::plane::signed_area(piece).abs();
            middle = pieces.iter().max_by(|a, b| size(a).total_cmp(&size(b))).map(|piece| {
                let count = piece.len() as f64;
                [0, 1].map(|axis| piece.iter().map(|point| point[axis]).sum::<f64>() / count)
            });
        }
    }
    if let Some(at) = middle {
        shapes.push(Shape::Text { at, text: words.to_owned(), anchor: Anchor::Center, role: Role::Label });
    }
}

impl KeptArea {
    /// Adds the area's triangles, made anew only if they are seen otherwise than before.
    fn paint(&mut self, sight: Sight, ink: &mut Ink) {
        if self.painted.as_ref().is_none_or(|(of, _)| *of != sight) {
            let mut own = ink.beside();
            if self.look == Look::Full && self.area.kind == AreaKind::Hole {
                cut_out(&self.shapes, &sight.0, &mut own);
            }
            draw::paint(&self.shapes, &sight.0, own.theme, &mut own);
            self.painted = Some((sight, own.finish()));
        }
        if let Some((_, shapes)) = &self.painted {
            ink.add(shapes);
        }
    }
}

/// The grid; its finest lines come and go softly as the zoom spreads them.
fn grid(view: &View, ink: &mut Ink) {
    let shapes = grid_shapes(view);
    let finest = |shape: &&Shape| shape.role() == Role::Grid;
    #[allow(clippy::cast_possible_truncation, reason = "pixels, for showing")]
    let apart = (nice_step((LINES_APART / view.scale).max(0.1)) * view.scale) as f32;
    ink.opacity = ((apart - 6.0) / 16.0).clamp(0.25, 1.0);
    draw::paint(shapes.iter().filter(finest), view, ink.theme, ink);
    ink.opacity = 1.0;
    draw::paint(shapes.iter().filter(|shape| !finest(shape)), view, ink.theme, ink);
}

/// Edges between polygons, rims of tiles, borders and seams; a stale mesh is hatched grey.
fn mesh_on_drawing(mesh: &MeshShapes, level: i8, view: &View, ink: &mut Ink, stale: bool) {
    draw::paint(&mesh.rims, view, ink.theme, ink);
    if stale {
        let polygons = mesh.fills.get(&level).into_iter().flatten();
        let hatched = polygons.filter_map(|shape| match shape {
            Shape::Convex { points, .. } => {
                Some(Shape::Area { outline: points.clone(), pieces: vec![points.clone()], role: Role::Stale })
            }
            _ => None,
        });
        draw::paint(&hatched.collect::<Vec<_>>(), view, ink.theme, ink);
        return;
    }
    if view.scale >= EDGES_FROM {
        let edges = mesh.edges.get(&level).into_iter().flatten();
        draw::paint(edges.filter(|shape| shape.role() == Role::InnerEdge), view, ink.theme, ink);
        draw::paint(&mesh.borders, view, ink.theme, ink);
    }
    draw::paint(&mesh.seams, view, ink.theme, ink);
}

/// The baked mesh, floor by floor.
fn baked_map(state: &State, view: &View, ink: &mut Ink) {
    let Some(baked) = &state.bake.shown else { return };
    let mesh = &*baked.shapes;
    draw::paint(&mesh.rims, view, ink.theme, ink);
    for (level, fills) in &mesh.fills {
        draw::paint(fills, view, ink.theme, ink);
        if view.scale >= EDGES_FROM {
            draw::paint(mesh.edges.get(level).into_iter().flatten(), view, ink.theme, ink);
        }
    }
    if state.shown.grid {
        grid(view, ink);
    }
    for shapes in [&mesh.borders, &mesh.seams, &mesh.labels, &mesh.links] {
        draw::paint(shapes, view, ink.theme, ink);
    }
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
    draw::paint(&selection_shapes(state), view, ink.theme, &mut ink);
    if let (Some(path), Some(baked)) = (&state.path, &state.bake.shown) {
        let ends = [Role::PathStart, Role::PathEnd];
        // The markers are drawn where they were put.
        let shapes = path_shapes(&baked.mesh.mesh, path);
        draw::paint(shapes.iter().filter(|shape| !ends.contains(&shape.role())), view, ink.theme, &mut ink);
    }
    draw::paint(&marker_shapes(state), view, ink.theme, &mut ink);
    draw::paint(&feedback.shapes, view, ink.theme, &mut ink);
    ink.finish()
}

/// The ground under a hole is taken away, so that it reads as cut.
fn cut_out(shapes: &[Shape], view: &View, ink: &mut Ink) {
    let ground = color32(ink.theme.background()).gamma_multiply(0.8);
    for shape in shapes {
        let Shape::Area { pieces, .. } = shape else { continue };
        for piece in pieces {
            let pixels: Vec<[f32; 2]> = piece.iter().map(|&point| view.pixel_from_world(point)).collect();
            ink.fill_convex(&pixels, ground);
        }
    }
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
    for link in state.selection.links(document) {
        let points = link_line(link.start, link.end);
        shapes.push(Shape::Polyline { points, closed: false, role: Role::Selection });
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

fn link_shapes(link: &Link, state: &State, here: bool) -> Vec<Shape> {
    let loose = is_loose(link, state);
    let role = match (here, loose) {
        (false, _) => Role::LevelBelow,
        (true, false) => Role::Link,
        (true, true) => Role::LooseLink,
    };
    let arc = link_line(link.start, link.end);
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

fn is_loose(link: &Link, state: &State) -> bool {
    let index = state.document().links.iter().position(|other| other.id == link.id);
    let about = |element: Element| index.is_some_and(|index| element == Element::Link(index));
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

fn flat(area: &Area) -> crate::bake::FlatArea {
    crate::bake::FlatArea {
        id: area.id.0,
        name: area.name.clone(),
        kind: area.kind,
        level: area.level,
        outline: area.points.clone(),
        area_type: area.area_type,
        flags: area.flags,
        surface: area.surface.clone(),
    }
}

/// The box of what is selected, else of the whole map; `None` for an empty map.
#[must_use]
pub fn bounds(state: &State, selected: bool) -> Option<[[f64; 2]; 2]> {
    let document = state.document();
    let wanted = |item| !selected || state.selection.has(item);
    let areas = document.areas.iter().filter(|area| wanted(Item::Area(area.id)));
    let links = document.links.iter().filter(|link| wanted(Item::Link(link.id)));
    let points = areas.flat_map(|area| area.points.iter().copied());
    let mut points = points.chain(links.flat_map(|link| [link.start, link.end]));
    let first = points.next()?;
    Some(points.fold([first, first], |[low, high], p| {
        [[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]]
    }))
}
