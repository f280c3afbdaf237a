//! Walk and Hole: a click adds a point, a click on the first point closes.

use super::context::{Context, Feedback};
use super::event::{Button, Effect, Event, hint};
use super::gesture::{Gesture, ghost};
use super::select::{hover, right_click, shift_edge};
use super::typed::change_words;
use crate::bake::{AreaKind, Surface};
use crate::draw::{Role, Shape, Sign};
use crate::editor::canvas::edge::points_put_in;
use crate::editor::canvas::pick::{self, POINT_PIXELS, distance};
use crate::editor::canvas::snap::{SnapKind, Snapped};
use crate::editor::ids;
use crate::editor::selection::Selection;
use crate::editor::words;
use crate::project::{Area, Command, Level, least_climb, level_at, new_level_at};

/// The drawing tools' state.
#[derive(Clone, Debug)]
pub struct DrawTool {
    /// What the next area will be.
    pub kind: AreaKind,
    points: Vec<[f64; 2]>,
    /// World y of the floor that the first point was put on, where that is not the level's plane.
    floor: Option<f64>,
    /// Points that undo took back, last one first.
    undone: Vec<[f64; 2]>,
    /// Places that were put on other areas' edges, which get them as points too.
    on_edges: Vec<[f64; 2]>,
    press: Press,
    cursor: Option<[f64; 2]>,
}

#[derive(Clone, Debug, Default)]
enum Press {
    #[default]
    Up,
    /// Down; a release without a drag is a click.
    Down { at: [f64; 2] },
    /// Dragging something of the document.
    Dragging(Gesture),
    /// Dragging a point of the drawing.
    DraggingDraft { index: usize, from: [f64; 2] },
    /// The drag was called off, or dragged nothing; the button is still down.
    CalledOff,
}

impl Default for DrawTool {
    fn default() -> Self {
        Self::new(AreaKind::Walk)
    }
}

impl DrawTool {
    pub(super) fn new(kind: AreaKind) -> Self {
        Self {
            kind,
            points: Vec::new(),
            floor: None,
            undone: Vec::new(),
            on_edges: Vec::new(),
            press: Press::Up,
            cursor: None,
        }
    }

    pub(super) fn busy(&self) -> bool {
        !self.points.is_empty() || self.dragging()
    }

    pub(super) fn dragging(&self) -> bool {
        !matches!(self.press, Press::Up)
    }

    pub(super) fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    pub(super) fn floor(&self) -> Option<f64> {
        self.floor.filter(|_| !self.points.is_empty())
    }

    pub(super) fn undo(&mut self) -> bool {
        self.points.pop().map(|point| self.undone.push(point)).is_some()
    }

    pub(super) fn redo(&mut self) -> bool {
        self.undone.pop().map(|point| self.points.push(point)).is_some()
    }

    pub(super) fn event(&mut self, event: Event, context: &Context<'_>) -> Vec<Effect> {
        match event {
            Event::Hover(place) => {
                self.cursor = Some(place);
                Vec::new()
            }
            Event::Leave => {
                self.cursor = None;
                Vec::new()
            }
            Event::Press(Button::Left, place) => self.press(place, context),
            Event::Press(Button::Right, _) => self.call_off(),
            Event::Drag(place) => self.drag(place, context),
            Event::Release { button: Button::Left, place, moved } => self.release(place, moved, context),
            Event::Release { button: Button::Right, place, moved } => {
                if matches!(self.press, Press::CalledOff) || moved {
                    return Vec::new();
                }
                if self.undo() { Vec::new() } else { right_click(place, context) }
            }
            Event::Typed(place) => self.put(Snapped { place, kind: SnapKind::Typed }, context),
            Event::Finish => self.finish(context),
            Event::StepBack => {
                self.undo();
                Vec::new()
            }
        }
    }

    fn press(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        self.press = Press::Down { at: place };
        if !context.keys.shift || !self.points.is_empty() {
            return Vec::new();
        }
        let Some((area, edge, on)) = shift_edge(place, context) else { return Vec::new() };
        let snapped = context.snapped(on, &|id| id == area);
        let Some(value) = context.document.area(area) else { return Vec::new() };
        if value.points.contains(&snapped.place) {
            return hint("there is a point already");
        }
        let Some(gesture) = Gesture::insert(context.document, area, edge, snapped.place) else {
            return Vec::new();
        };
        let preview = gesture.update(snapped.place, context).0;
        self.press = Press::Dragging(gesture);
        vec![Effect::Preview(preview)]
    }

    fn drag(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        if let Press::Down { at } = self.press {
            self.press = self.take_hold(at, context);
        }
        match &self.press {
            Press::Dragging(gesture) => vec![Effect::Preview(gesture.update(place, context).0)],
            Press::DraggingDraft { index, from } => {
                let (index, from) = (*index, *from);
                self.move_draft(index, from, place, context);
                Vec::new()
            }
            Press::Up | Press::Down { .. } | Press::CalledOff => Vec::new(),
        }
    }

    /// A press that has become a drag: on a point of the drawing, else on a point of the document, else nothing yet.
    fn take_hold(&self, at: [f64; 2], context: &Context<'_>) -> Press {
        let reach = POINT_PIXELS * context.pixel;
        if let Some(index) = self.points.iter().position(|&point| distance(point, at) <= reach) {
            return Press::DraggingDraft { index, from: self.points[index] };
        }
        let found = pick::point_at(context.pickable, context.level, at, context.pixel, &|_| false);
        let gesture = found.and_then(|(area, index)| Gesture::point(context.document, area, index));
        gesture.map_or(Press::Down { at }, Press::Dragging)
    }

    fn release(&mut self, place: [f64; 2], moved: bool, context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        match std::mem::take(&mut self.press) {
            Press::Up | Press::CalledOff | Press::DraggingDraft { .. } => Vec::new(),
            Press::Down { at } => self.click(if moved { place } else { at }, context),
            Press::Dragging(gesture) => {
                gesture.end(if moved { place } else { gesture.held_place().unwrap_or(place) }, context)
            }
        }
    }

    fn move_draft(&mut self, index: usize, from: [f64; 2], place: [f64; 2], context: &Context<'_>) {
        let snapped = context.landed(from, place, true, &|_| false);
        self.note_edge(&snapped);
        self.points[index] = snapped.place;
    }

    /// Whether something is held that can be moved.
    pub(super) fn moves(&self) -> bool {
        matches!(self.press, Press::Dragging(_) | Press::DraggingDraft { .. })
    }

    /// `Enter`: puts what is dragged where it is shown, else closes.
    fn finish(&mut self, context: &Context<'_>) -> Vec<Effect> {
        let effects = match (&self.press, self.cursor) {
            (Press::Dragging(gesture), Some(cursor)) => gesture.end(cursor, context),
            (Press::DraggingDraft { index, from }, Some(cursor)) => {
                let (index, from) = (*index, *from);
                self.move_draft(index, from, cursor, context);
                Vec::new()
            }
            _ => return self.close(context),
        };
        self.press = Press::CalledOff;
        effects
    }

    fn note_edge(&mut self, snapped: &Snapped) {
        if matches!(snapped.kind, SnapKind::Edge { .. }) {
            self.on_edges.push(snapped.place);
        }
    }

    fn click(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        let snapped = self.snapped(place, context);
        if self.closes(place, &snapped, context) {
            return self.close(context);
        }
        self.put(snapped, context)
    }

    /// Adds a point to the drawing; on the first one it closes, on the last one nothing happens.
    fn put(&mut self, snapped: Snapped, context: &Context<'_>) -> Vec<Effect> {
        if self.points.last() == Some(&snapped.place) {
            return Vec::new();
        }
        if self.points.first() == Some(&snapped.place) {
            return self.close(context);
        }
        if self.points.is_empty() && self.undone.is_empty() {
            self.floor = context.floor();
        }
        self.note_edge(&snapped);
        self.undone.clear();
        self.points.push(snapped.place);
        Vec::new()
    }

    /// Whether a click would close: near the first point on screen, or snapped onto it.
    fn closes(&self, place: [f64; 2], snapped: &Snapped, context: &Context<'_>) -> bool {
        self.points.len() > 1
            && self.points.first().is_some_and(|&first| {
                snapped.place == first || distance(first, place) <= POINT_PIXELS * context.pixel
            })
    }

    fn close(&mut self, context: &Context<'_>) -> Vec<Effect> {
        if self.points.is_empty() {
            return Vec::new();
        }
        if self.points.len() < 3 {
            let more = 3 - self.points.len();
            return hint(format!("an area needs 3 points, {more} more"));
        }
        let id = ids::fresh_area(context.document);
        let (level, new_level) = self.level(context);
        let area = Area {
            id,
            name: ids::area_name(context.document, self.kind),
            kind: self.kind,
            level,
            points: std::mem::take(&mut self.points),
            area_type: None,
            flags: None,
            surface: Surface::Level,
            order: 0,
        };
        self.undone.clear();
        let on_edges = std::mem::take(&mut self.on_edges);
        let on_edges: Vec<[f64; 2]> =
            area.points.iter().filter(|point| on_edges.contains(point)).copied().collect();
        let name = format!("Draw {}", area.name);
        let mut commands = Vec::new();
        let others = points_put_in(context.document, &on_edges, &|_| false);
        if !others.is_empty() {
            commands.push(Command::SetAreas(others));
        }
        commands.extend(new_level.map(Command::SetLevel));
        commands.push(Command::AddAreas(vec![area]));
        let command = match commands.pop() {
            Some(only) if commands.is_empty() => only,
            last => Command::Several(commands.into_iter().chain(last).collect()),
        };
        let mut effects = vec![Effect::Commit(name, command), Effect::Select(Selection::area(id))];
        if level != context.level {
            effects.push(Effect::Level(level));
        }
        effects
    }

    /// The level of the drawing, and what it is to be where the map has none like that: on a floor the level that is as
    /// high, else the current one.
    fn level(&self, context: &Context<'_>) -> (i8, Option<Level>) {
        let document = context.document;
        if let Some(y) = self.floor {
            if let Some(level) = level_at(document, y, least_climb(document)) {
                return (level, None);
            }
            if let Some(level) = new_level_at(document, y) {
                return (level.number, Some(level));
            }
        }
        let missing = document.level(context.level).is_none();
        (context.level, missing.then(|| Level::new(context.level)))
    }

    fn call_off(&mut self) -> Vec<Effect> {
        match std::mem::take(&mut self.press) {
            Press::Up => return Vec::new(),
            Press::DraggingDraft { index, from } => self.points[index] = from,
            Press::Down { .. } | Press::Dragging(_) | Press::CalledOff => {}
        }
        self.press = Press::CalledOff;
        vec![Effect::Preview(None)]
    }

    fn snapped(&self, place: [f64; 2], context: &Context<'_>) -> Snapped {
        context.snapped(place, &|_| false)
    }

    pub(super) fn feedback(&self, context: &Context<'_>) -> Feedback {
        let Some(cursor) = self.cursor else { return self.draft(None, false) };
        match &self.press {
            Press::Dragging(gesture) => return gesture.feedback(cursor, context),
            Press::DraggingDraft { from, .. } => {
                let snapped = context.landed(*from, cursor, true, &|_| false);
                let mut feedback = self.draft(None, false);
                feedback.shapes.extend(ghost(&snapped));
                let words = [snapped.kind.word(), change_words(*from, snapped.place)];
                feedback.word = Some((snapped.place, words.join(" · ")));
                return feedback;
            }
            Press::Up | Press::Down { .. } | Press::CalledOff => {}
        }
        if self.points.is_empty() && context.keys.shift && shift_edge(cursor, context).is_some() {
            return hover(cursor, context);
        }
        let snapped = self.snapped(cursor, context);
        let closes = self.closes(cursor, &snapped, context);
        let mut feedback = self.draft(Some(snapped.place), closes);
        let mut words = Vec::new();
        if closes {
            words.push(if self.points.len() < 3 { "needs 3 points" } else { "closes" }.to_owned());
        } else {
            feedback.shapes.extend(ghost(&snapped));
            words.push(snapped.kind.word());
            match self.points.last() {
                Some(&last) => words.push(segment_words(last, snapped.place)),
                None => words.extend(context.floor().map(|y| floor_words(context, y))),
            }
        }
        feedback.word = Some((snapped.place, words.join(" · ")));
        feedback.snap = Some(snapped.kind);
        feedback
    }

    /// The drawing with the segment to the cursor, the closing segment, and ✕ where segments cross.
    fn draft(&self, to: Option<[f64; 2]>, closes: bool) -> Feedback {
        let mut shapes = Vec::new();
        let Some(&first) = self.points.first() else { return Feedback::default() };
        let mut points = self.points.clone();
        points.extend(to.filter(|_| !closes));
        let closed = closes || points.len() > 2;
        shapes.push(Shape::Polyline { points: points.clone(), closed: closes, role: Role::Draft });
        if let Some(&end) = points.last().filter(|_| closed && !closes) {
            shapes.push(Shape::Polyline {
                points: vec![end, first],
                closed: false,
                role: Role::DraftClosing,
            });
        }
        let crossings = crossings(&points, closed);
        let crossed = crossings.iter().map(|crossing| crossing.segment).collect();
        shapes.push(Shape::Lines { segments: crossed, role: Role::DraftCrossing });
        shapes.extend(crossings.iter().map(|crossing| Shape::Marker {
            at: crossing.place,
            sign: Sign::Cross,
            role: Role::DraftCrossing,
        }));
        let handles = self.points.iter().skip(1);
        shapes.extend(handles.map(|&at| Shape::Marker { at, sign: Sign::Square, role: Role::Handle }));
        shapes.push(Shape::Marker { at: first, sign: Sign::Disc, role: Role::Handle });
        if closes {
            shapes.push(Shape::Marker { at: first, sign: Sign::Disc, role: Role::Selection });
            shapes.push(Shape::Marker { at: first, sign: Sign::Ring, role: Role::Ghost });
        }
        Feedback { shapes, ..Feedback::default() }
    }

    pub(super) fn help(&self) -> String {
        let what = if self.kind == AreaKind::Walk { "walk area" } else { "hole" };
        match (self.dragging() && !matches!(self.press, Press::Down { .. }), self.points.len()) {
            (true, _) => "Release to place · x 2.5 Enter: exactly · Shift one axis · Ctrl square edge · Alt no join · Esc back".to_owned(),
            (_, 0) => format!(
                "Left: first point of a {what}, or drag a point · Right: remove a point · Shift+click an edge: add a point"
            ),
            (_, 1 | 2) => {
                "Left, or 12.3, 4 Enter: add point · Right, Backspace: last point back · Ctrl square edge · Alt no join · Esc drop".to_owned()
            }
            _ => "Left: add point, on the first one close · Enter: close · Right, Backspace: last point back · Esc drop"
                .to_owned(),
        }
    }
}

/// "floor at 8.4, new level": where an area that begins here comes to lie.
fn floor_words(context: &Context<'_>, y: f64) -> String {
    let level = level_at(context.document, y, least_climb(context.document));
    let level = level.map_or_else(|| "a new level".to_owned(), |level| format!("level {level}"));
    format!("floor at {}, {level}", words::number(y))
}

/// "4.24 · 45°": length and direction of a segment.
fn segment_words(from: [f64; 2], to: [f64; 2]) -> String {
    let (dx, dz) = (to[0] - from[0], to[1] - from[1]);
    // Never "-0°": both are shown without a sign.
    format!("{:.2} · {:.0}°", dx.hypot(dz), dz.atan2(dx).to_degrees().round() + 0.0)
}

/// Most points of a drawing whose segments are all tested; longer ones test the last two alone.
const MOST_TESTED: usize = 400;

/// Where two segments cross, and the later one of them.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    place: [f64; 2],
    segment: [[f64; 2]; 2],
}

/// Where segments of a line that are not neighbours cross.
fn crossings(points: &[[f64; 2]], closed: bool) -> Vec<Crossing> {
    let count = if closed { points.len() } else { points.len().saturating_sub(1) };
    let segment = |index: usize| [points[index], points[(index + 1) % points.len()]];
    let tested = if points.len() > MOST_TESTED { count.saturating_sub(2) } else { 0 };
    let mut found = Vec::new();
    for later in tested..count {
        let [c, d] = segment(later);
        for [a, b] in (0..later).map(segment) {
            found.extend(crossing(a, b, c, d).map(|place| Crossing { place, segment: [c, d] }));
        }
    }
    found
}

fn crossing(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> Option<[f64; 2]> {
    let (r, s) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]);
    let cross = r[0] * s[1] - r[1] * s[0];
    if cross == 0.0 {
        return None;
    }
    let to = [c[0] - a[0], c[1] - a[1]];
    let (t, u) = ((to[0] * s[1] - to[1] * s[0]) / cross, (to[0] * r[1] - to[1] * r[0]) / cross);
    let inside = |part: f64| 1e-9 < part && part < 1.0 - 1e-9;
    (inside(t) && inside(u)).then(|| [a[0] + t * r[0], a[1] + t * r[1]])
}
