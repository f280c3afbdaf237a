//! Walk and Hole: a click adds a point, a click on the first point closes.

use super::gesture::{Gesture, ghost};
use super::select::{hover, right_click, shift_edge};
use super::{Button, Context, Effect, Event, Feedback, hint};
use crate::bake::{AreaKind, Surface};
use crate::draw::{Role, Shape, Sign};
use crate::editor::canvas::pick::{self, POINT_PIXELS, distance};
use crate::editor::canvas::snap::Snapped;
use crate::editor::ids;
use crate::editor::state::Selection;
use crate::project::{Area, Command, Level};

/// The drawing tools' state.
#[derive(Clone, Debug)]
pub struct DrawTool {
    /// What the next area will be.
    pub kind: AreaKind,
    points: Vec<[f64; 2]>,
    /// Points that undo took back, last one first.
    undone: Vec<[f64; 2]>,
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
        Self { kind, points: Vec::new(), undone: Vec::new(), press: Press::Up, cursor: None }
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
            Event::Finish => self.close(context),
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
            Press::DraggingDraft { index, .. } => {
                let index = *index;
                self.points[index] = self.snapped(place, context).place;
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
        let found = pick::point_at(context.document, context.level, at, context.pixel, &|_| false);
        let gesture = found.and_then(|(area, index)| Gesture::point(context.document, area, index));
        gesture.map_or(Press::Down { at }, Press::Dragging)
    }

    fn release(&mut self, place: [f64; 2], moved: bool, context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        match std::mem::take(&mut self.press) {
            Press::Up | Press::CalledOff | Press::DraggingDraft { .. } => Vec::new(),
            Press::Down { at } => self.click(if moved { place } else { at }, context),
            Press::Dragging(gesture) => {
                let put_in = match &gesture {
                    Gesture::Point(drag) if !moved => drag.inserted_at(),
                    _ => None,
                };
                let mut effects = vec![Effect::Preview(None)];
                if let (Some(command), _) = gesture.update(put_in.unwrap_or(place), context) {
                    effects.push(Effect::Commit(gesture.name(context.document), command));
                }
                effects
            }
        }
    }

    fn click(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        let snapped = self.snapped(place, context);
        if self.closes(place, &snapped, context) {
            return self.close(context);
        }
        if self.points.last() == Some(&snapped.place) {
            return Vec::new();
        }
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
        let area = Area {
            id,
            name: ids::area_name(context.document, self.kind),
            kind: self.kind,
            level: context.level,
            points: std::mem::take(&mut self.points),
            area_type: None,
            flags: None,
            surface: Surface::Level,
            order: 0,
        };
        self.undone.clear();
        let name = format!("Draw {}", area.name);
        let mut commands = Vec::new();
        if !context.document.levels.iter().any(|level| level.number == context.level) {
            commands.push(Command::SetLevel(Level::new(context.level)));
        }
        commands.push(Command::AddAreas(vec![area]));
        let command = match commands.pop() {
            Some(only) if commands.is_empty() => only,
            last => Command::Several(commands.into_iter().chain(last).collect()),
        };
        vec![Effect::Commit(name, command), Effect::Select(Selection::area(id))]
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
        if let Press::Dragging(gesture) = &self.press {
            return gesture.feedback(cursor, context);
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
            if let Some(&last) = self.points.last() {
                let (dx, dz) = (snapped.place[0] - last[0], snapped.place[1] - last[1]);
                words.push(format!("{:.2} · {:.0}°", dx.hypot(dz), dz.atan2(dx).to_degrees()));
            }
        }
        words.retain(|word| !word.is_empty());
        feedback.word = (!words.is_empty()).then(|| (snapped.place, words.join(" · ")));
        feedback.snap = Some(snapped.kind);
        feedback
    }

    /// The drawing with the segment to the cursor, the closing segment, and ✕ where segments cross.
    fn draft(&self, to: Option<[f64; 2]>, closes: bool) -> Feedback {
        let mut shapes = Vec::new();
        let Some((&first, &last)) = self.points.first().zip(self.points.last()) else {
            return Feedback::default();
        };
        let mut points = self.points.clone();
        let end = if closes { Some(first) } else { to };
        points.extend(end);
        for crossing in crossings(&points) {
            shapes.push(Shape::Marker { at: crossing, sign: Sign::Cross, role: Role::Warning });
        }
        if let Some(end) = end
            && !closes
            && self.points.len() > 1
        {
            shapes.push(Shape::Polyline {
                points: vec![end, first],
                closed: false,
                role: Role::DraftClosing,
            });
        }
        shapes.insert(0, Shape::Polyline { points, closed: false, role: Role::Draft });
        let handles = self.points.iter().skip(1);
        shapes.extend(handles.map(|&at| Shape::Marker { at, sign: Sign::Square, role: Role::Handle }));
        let first_role = if closes { Role::Selection } else { Role::Handle };
        shapes.push(Shape::Marker { at: first, sign: Sign::Disc, role: first_role });
        debug_assert!(self.points.len() > 1 || first == last);
        Feedback { shapes, ..Feedback::default() }
    }

    pub(super) fn help(&self) -> String {
        let what = if self.kind == AreaKind::Walk { "walk area" } else { "hole" };
        match (self.dragging() && !matches!(self.press, Press::Down { .. }), self.points.len()) {
            (true, _) => "Release to place · Ctrl square edge · Alt no join · Esc back".to_owned(),
            (_, 0) => format!(
                "Left: first point of a {what}, or drag a point · Right: remove a point · Shift+click an edge: add a point"
            ),
            (_, 1 | 2) => {
                "Left: add point · Right, Backspace: last point back · Ctrl square edge · Alt no join · Esc drop".to_owned()
            }
            _ => "Left: add point, on the first one close · Enter: close · Right, Backspace: last point back · Esc drop"
                .to_owned(),
        }
    }
}

/// Where segments of a line that are not neighbours cross.
fn crossings(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let Some(last) = points.len().checked_sub(2) else { return Vec::new() };
    let (c, d) = (points[last], points[last + 1]);
    let earlier = points.windows(2).take(last.saturating_sub(1));
    earlier.filter_map(|part| crossing(part[0], part[1], c, d)).collect()
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
