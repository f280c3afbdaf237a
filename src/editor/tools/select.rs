//! Select: click picks, drag moves, drag on empty ground draws a box.

use super::context::{Context, Feedback};
use super::event::{Button, Effect, Event, hint};
use super::gesture::{Gesture, badge, joined_points};
use crate::draw::{Role, Shape, Sign, link_arc};
use crate::editor::canvas::pick::{self, Item, Pick};
use crate::editor::footprint::away_from_rim;
use crate::editor::selection::Selection;
use crate::project::{AreaId, Command};

/// The select tool's state.
#[derive(Clone, Debug, Default)]
pub struct SelectTool {
    state: State,
    cursor: Option<[f64; 2]>,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    /// The button is down on something, or on nothing.
    Pressed {
        at: [f64; 2],
        pick: Option<Pick>,
    },
    Dragging(Gesture),
    Boxing {
        from: [f64; 2],
    },
    /// The drag was called off; the button is still down.
    CalledOff,
}

impl SelectTool {
    pub(super) fn busy(&self) -> bool {
        !matches!(self.state, State::Idle)
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
            Event::Release { button: Button::Right, place, moved } if !moved && !self.busy() => {
                right_click(place, context)
            }
            Event::Finish => self.finish(context),
            Event::Release { .. } | Event::Typed(_) | Event::StepBack => Vec::new(),
        }
    }

    fn press(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        if context.keys.shift
            && let Some((area, edge, on)) = shift_edge(place, context)
        {
            return self.insert(area, edge, on, context);
        }
        self.state = State::Pressed { at: place, pick: under(place, context) };
        Vec::new()
    }

    fn insert(&mut self, area: AreaId, edge: usize, on: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        let Some(value) = context.document.area(area) else { return Vec::new() };
        let snapped = context.snapped(on, &|id| id == area);
        if value.points.contains(&snapped.place) {
            return hint("there is a point already");
        }
        let Some(gesture) = Gesture::insert(context.document, area, edge, snapped.place) else {
            return Vec::new();
        };
        let preview = gesture.update(snapped.place, context).0;
        self.state = State::Dragging(gesture);
        // The point is there before it is selected.
        vec![Effect::Preview(preview), Effect::Select(Selection::point(area, edge + 1))]
    }

    fn drag(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        let mut effects = Vec::new();
        if let State::Pressed { at, pick } = self.state {
            let (state, selection) = begin_drag(at, pick, context);
            self.state = state;
            effects.extend(selection.map(Effect::Select));
        }
        if let State::Dragging(gesture) = &self.state {
            effects.push(Effect::Preview(gesture.update(place, context).0));
        }
        effects
    }

    fn release(&mut self, place: [f64; 2], moved: bool, context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        match std::mem::take(&mut self.state) {
            State::Idle | State::CalledOff => Vec::new(),
            State::Pressed { at, pick } => click(at, pick, context),
            State::Dragging(gesture) => {
                gesture.end(if moved { place } else { gesture.held_place().unwrap_or(place) }, context)
            }
            State::Boxing { from } => vec![Effect::Select(boxed(from, place, context))],
        }
    }

    /// `Enter` puts what is dragged where it is shown; the button may stay down.
    fn finish(&mut self, context: &Context<'_>) -> Vec<Effect> {
        let (State::Dragging(gesture), Some(cursor)) = (&self.state, self.cursor) else { return Vec::new() };
        let effects = gesture.end(cursor, context);
        self.state = State::CalledOff;
        effects
    }

    /// Whether a link's end is dragged.
    pub(super) fn holds_link_end(&self) -> bool {
        matches!(self.state, State::Dragging(Gesture::LinkEnd(..)))
    }

    /// Whether something is held that can be moved.
    pub(super) fn moves(&self) -> bool {
        matches!(self.state, State::Dragging(_) | State::Pressed { pick: Some(_), .. })
    }

    fn call_off(&mut self) -> Vec<Effect> {
        if matches!(self.state, State::Idle) {
            return Vec::new();
        }
        self.state = State::CalledOff;
        vec![Effect::Preview(None)]
    }

    pub(super) fn feedback(&self, context: &Context<'_>) -> Feedback {
        let Some(cursor) = self.cursor else { return Feedback::default() };
        match &self.state {
            State::Dragging(gesture) => gesture.feedback(cursor, context),
            State::Boxing { from } => {
                let (a, b) = (*from, cursor);
                let points = vec![a, [b[0], a[1]], b, [a[0], b[1]]];
                let shapes = vec![Shape::Polyline { points, closed: true, role: Role::DraftClosing }];
                let word = if b[0] < a[0] { "all it touches" } else { "all inside" };
                Feedback { shapes, word: Some((b, word.to_owned())), ..Feedback::default() }
            }
            State::Idle => hover(cursor, context),
            State::Pressed { .. } | State::CalledOff => Feedback::default(),
        }
    }

    pub(super) fn help(&self, context: &Context<'_>) -> String {
        match (&self.state, self.cursor) {
            (State::Dragging(_), _) => {
                "Release to place · x 2.5 Enter: exactly · Shift, X, Y one axis · Ctrl square edge · Alt no join, one point alone · Esc back".to_owned()
            }
            (State::Boxing { .. }, _) => "To the right: what lies inside · to the left: what it touches · points of selected areas if nothing whole · Ctrl adds".to_owned(),
            (_, Some(cursor)) => match under(cursor, context) {
                Some(Pick::Point(..)) => {
                    "Left: drag the point · Right: remove it · Alt+drag pulls it off the points joined with it".to_owned()
                }
                Some(Pick::Edge(..)) => "Left: select, drag the area · Shift+click: add a point here".to_owned(),
                Some(Pick::LinkEnd(..)) => "Left: drag the link's end".to_owned(),
                Some(Pick::Picture(_)) => "Left: drag the picture".to_owned(),
                Some(Pick::Geometry(id)) if context.selection.has(Item::Geometry(id)) => {
                    "Left: drag the geometry · Ctrl square edge · Shift, X, Y one axis · Right: menu".to_owned()
                }
                Some(Pick::Geometry(_)) => {
                    "Left: select the geometry, then drag it · Drag: a box to select · Ctrl+click: add or remove".to_owned()
                }
                Some(Pick::Area(_) | Pick::Link(_)) => {
                    "Left: select, drag to move · Ctrl+click: add or remove · Ctrl+drag: box · Alt+click: next below".to_owned()
                }
                None => "Left: drag a box to select · Middle or Space: pan · Wheel: zoom".to_owned(),
            },
            (_, None) => "Select: click picks, drag moves".to_owned(),
        }
    }
}

/// What a right click on a point or elsewhere does; shared by the tools that draw.
pub(super) fn right_click(place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
    let document = context.document;
    if let Some((id, index)) = pick::point_at(document, context.level, place, context.pixel, &liked(context))
    {
        let Some(area) = document.area(id) else { return Vec::new() };
        return match area.without_point(index) {
            Some(changed) => {
                let name = format!("Remove point of {}", area.name);
                let selection = Selection::area(id);
                vec![Effect::Commit(name, Command::SetAreas(vec![changed])), Effect::Select(selection)]
            }
            None => hint("an area needs 3 points; Del deletes the area"),
        };
    }
    vec![Effect::Menu(under(place, context).map(Pick::item))]
}

/// The edge that a Shift+click at a place would put a point into; a point there wins over it.
pub(super) fn shift_edge(place: [f64; 2], context: &Context<'_>) -> Option<(AreaId, usize, [f64; 2])> {
    let liked = liked(context);
    if pick::point_at(context.pickable, context.level, place, context.pixel, &liked).is_some() {
        return None;
    }
    pick::edge_at(context.pickable, context.level, place, context.pixel, &liked)
}

fn liked<'a>(context: &Context<'a>) -> impl Fn(AreaId) -> bool + use<'a> {
    let selection = context.selection;
    move |id| selection.has(Item::Area(id))
}

/// What a click would take. A reference picture is taken only while it is selected: at its rim before all else, inside
/// where nothing else is. Imported geometry is taken where nothing is drawn; selected, at its rim before all else.
fn under(place: [f64; 2], context: &Context<'_>) -> Option<Pick> {
    let (document, level) = (context.document, context.level);
    let picture = pick::pictures_at(document, context.pictures, level, place, context.pixel)
        .find(|&(id, _)| context.selection.has(Item::Picture(id)));
    let other =
        || pick::all_at(context.pickable, level, place, context.pixel, &liked(context)).first().copied();
    match picture {
        Some((id, true)) => Some(Pick::Picture(id)),
        Some((id, false)) => other().or(Some(Pick::Picture(id))),
        None => rim(place, context).or_else(other).or_else(|| context.geometry_at(place).map(Pick::Geometry)),
    }
}

/// The selected geometry whose rim is at a place of the canvas: so what areas cover can be taken too.
fn rim(place: [f64; 2], context: &Context<'_>) -> Option<Pick> {
    let reach = pick::EDGE_PIXELS * context.pixel;
    let selected = context.selection.geometry(context.pickable).filter(|_| context.aimed.is_none());
    let mut at_rim = selected.filter(|item| away_from_rim(&context.hull(item.id), place) <= reach);
    at_rim.next().map(|item| Pick::Geometry(item.id))
}

fn begin_drag(at: [f64; 2], pick: Option<Pick>, context: &Context<'_>) -> (State, Option<Selection>) {
    let Some(pick) = pick else { return (State::Boxing { from: at }, None) };
    // On a floor there is no empty ground to begin a box on.
    if let (Pick::Area(id), true) = (pick, context.keys.ctrl)
        && !context.selection.has(Item::Area(id))
    {
        return (State::Boxing { from: at }, None);
    }
    // Geometry is ground to draw on until it is selected: a slip of the hand does not move a whole level.
    if let Pick::Geometry(id) = pick
        && !context.selection.has(Item::Geometry(id))
    {
        return (State::Boxing { from: at }, None);
    }
    let document = context.document;
    let whole = || {
        let item = pick.item();
        let selection =
            if context.selection.has(item) { context.selection.clone() } else { Selection::item(item) };
        (Gesture::things(document, &selection, at), selection)
    };
    let (gesture, selection) = match pick {
        Pick::Point(area, index) if context.selection.points().contains(&(area, index)) => {
            let points = context.selection.points();
            let from = document.area(area).and_then(|area| area.points.get(index).copied());
            let gesture = match points.len() {
                1 => Gesture::point(document, area, index),
                _ => from.map(|from| Gesture::points(points, from)),
            };
            (gesture, context.selection.clone())
        }
        Pick::Point(area, index) => (Gesture::point(document, area, index), Selection::point(area, index)),
        Pick::LinkEnd(link, end) => (Some(Gesture::LinkEnd(link, end)), Selection::link(link)),
        Pick::Link(_) | Pick::Edge(..) | Pick::Area(_) | Pick::Picture(_) | Pick::Geometry(_) => whole(),
    };
    (gesture.map_or(State::Idle, State::Dragging), Some(selection))
}

fn click(at: [f64; 2], pick: Option<Pick>, context: &Context<'_>) -> Vec<Effect> {
    let mut selection = context.selection.clone();
    let Some(pick) = pick else {
        if context.keys.ctrl || context.keys.shift {
            return Vec::new();
        }
        return vec![Effect::Select(Selection::default())];
    };
    if context.keys.alt {
        let all = pick::all_at(context.pickable, context.level, at, context.pixel, &|_| false);
        let all = all.into_iter().chain(context.geometry_at(at).map(Pick::Geometry));
        let mut items: Vec<Item> = Vec::new();
        for item in all.map(Pick::item) {
            if !items.contains(&item) {
                items.push(item);
            }
        }
        if items.is_empty() {
            return Vec::new();
        }
        let now = items.iter().position(|&item| selection.has(item));
        let next = items[now.map_or(0, |now| (now + 1) % items.len())];
        return vec![Effect::Select(Selection::item(next))];
    }
    if context.keys.ctrl {
        // Points of what is selected are picked one by one, everything else as a whole.
        match pick {
            Pick::Point(area, index) if selection.has(Item::Area(area)) => {
                selection.toggle_point(area, index)
            }
            other => selection.toggle(other.item()),
        }
        return vec![Effect::Select(selection)];
    }
    let selection = match pick {
        Pick::Point(area, index) => Selection::point(area, index),
        other => Selection::item(other.item()),
    };
    vec![Effect::Select(selection)]
}

/// What a box takes: dragged to the right what lies in it, dragged to the left also what it touches; points of selected
/// areas if it takes nothing whole. `Ctrl` and `Shift` add to the selection.
fn boxed(from: [f64; 2], to: [f64; 2], context: &Context<'_>) -> Selection {
    let adds = context.keys.ctrl || context.keys.shift;
    let document = context.pickable;
    let area =
        Box2 { min: [from[0].min(to[0]), from[1].min(to[1])], max: [from[0].max(to[0]), from[1].max(to[1])] };
    let takes: &dyn Fn(&[[f64; 2]], bool) -> bool = if to[0] < from[0] {
        &|line, closed| area.touches(line, closed)
    } else {
        &|line, _| area.holds_all(line)
    };
    let mut found = Vec::new();
    let areas = document.areas.iter().filter(|area| area.level == context.level);
    found.extend(areas.filter(|area| takes(&area.points, true)).map(|area| Item::Area(area.id)));
    let on_level = |level| level == context.level;
    let links = document.links.iter().filter(|link| on_level(link.start_level) || on_level(link.end_level));
    found.extend(links.filter(|link| takes(&[link.start, link.end], false)).map(|link| Item::Link(link.id)));
    // Much geometry is a whole level: a box must hold all of it.
    let whole = |id| Some(context.hull(id)).is_some_and(|hull| !hull.is_empty() && area.holds_all(&hull));
    found.extend(document.geometry.iter().filter(|item| whole(item.id)).map(|item| Item::Geometry(item.id)));
    if found.is_empty() {
        let points = context.selection.areas(document).flat_map(|held| {
            let inside = held.points.iter().enumerate().filter(|(_, point)| area.holds(**point));
            inside.map(|(index, _)| (held.id, index))
        });
        let points: Vec<_> = points.collect();
        if !points.is_empty() {
            let kept = context.selection.points().iter().copied().filter(|_| adds);
            return Selection::points_of(kept.chain(points));
        }
    }
    let mut selection = if adds { context.selection.clone() } else { Selection::default() };
    found.into_iter().for_each(|item| selection.add(item));
    selection
}

/// A box along the axes.
#[derive(Clone, Copy)]
struct Box2 {
    min: [f64; 2],
    max: [f64; 2],
}

impl Box2 {
    fn holds(&self, point: [f64; 2]) -> bool {
        (0..2).all(|axis| self.min[axis] <= point[axis] && point[axis] <= self.max[axis])
    }

    fn holds_all(&self, points: &[[f64; 2]]) -> bool {
        points.iter().all(|&point| self.holds(point))
    }

    /// Whether a line has a place in the box.
    fn touches(&self, points: &[[f64; 2]], closed: bool) -> bool {
        let edges = pick::edges(points).take(if closed { points.len() } else { points.len() - 1 });
        edges.into_iter().any(|(_, a, b)| self.meets(a, b))
    }

    /// Whether a segment has a place in the box: the part of it within each pair of sides, cut down (Liang and Barsky
    /// 1984).
    fn meets(&self, a: [f64; 2], b: [f64; 2]) -> bool {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            let along = b[axis] - a[axis];
            let (low, high) = (self.min[axis] - a[axis], self.max[axis] - a[axis]);
            if along == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let (enter, leave) =
                if along > 0.0 { (low / along, high / along) } else { (high / along, low / along) };
            first = first.max(enter);
            last = last.min(leave);
        }
        first <= last
    }
}

/// Lights up what a click would take.
pub(super) fn hover(cursor: [f64; 2], context: &Context<'_>) -> Feedback {
    let document = context.document;
    if context.keys.shift
        && let Some((area, _, on)) = shift_edge(cursor, context)
    {
        let snapped = context.snapped(on, &|id| id == area);
        let shapes = super::gesture::ghost(&snapped);
        return Feedback {
            shapes,
            word: Some((snapped.place, "add point".to_owned())),
            snap: Some(snapped.kind),
        };
    }
    let outline = |id: AreaId| {
        document.area(id).map(|area| Shape::Polyline {
            points: area.points.clone(),
            closed: true,
            role: Role::Hover,
        })
    };
    let mut word = None;
    let shapes = match under(cursor, context) {
        Some(Pick::Point(id, index)) => {
            let at = document.area(id).and_then(|area| area.points.get(index).copied());
            let mut shapes = Vec::new();
            if let Some(at) = at {
                shapes.push(Shape::Marker { at, sign: Sign::Square, role: Role::Hover });
                let joined = joined_points(document, at).len();
                if joined > 1 {
                    shapes.extend(badge(joined, at, context.pixel));
                    word = Some((at, format!("{joined} joined points · Alt+drag pulls one away")));
                }
            }
            shapes
        }
        Some(Pick::LinkEnd(id, end)) => {
            let link = document.links.iter().find(|link| link.id == id);
            let at = link.map(|link| if end == pick::LinkEnd::Start { link.start } else { link.end });
            at.map(|at| Shape::Marker { at, sign: Sign::Ring, role: Role::Hover }).into_iter().collect()
        }
        Some(Pick::Edge(id, index, _)) => {
            let edge = document.area(id).and_then(|area| pick::edges(&area.points).nth(index));
            edge.map(|(_, from, to)| Shape::Lines { segments: vec![[from, to]], role: Role::Hover })
                .into_iter()
                .collect()
        }
        Some(Pick::Area(id)) if !context.selection.has(Item::Area(id)) => outline(id).into_iter().collect(),
        Some(Pick::Link(id)) => {
            let link = document.links.iter().find(|link| link.id == id);
            link.map(|link| Shape::Polyline {
                points: link_arc(link.start, link.end),
                closed: false,
                role: Role::Hover,
            })
            .into_iter()
            .collect()
        }
        Some(Pick::Geometry(id)) if !context.selection.has(Item::Geometry(id)) => {
            vec![Shape::Polyline { points: context.hull(id), closed: true, role: Role::Hover }]
        }
        Some(Pick::Area(_) | Pick::Picture(_) | Pick::Geometry(_)) | None => Vec::new(),
    };
    Feedback { shapes, word, ..Feedback::default() }
}
