//! Link: the first click starts, the second ends; drag an end to move it.

use super::context::{Context, Feedback};
use super::event::{Button, Effect, Event};
use super::gesture::{Gesture, ghost};
use crate::draw::{Role, Shape, Sign, link_arc};
use crate::editor::canvas::pick::{self, LinkEnd, distance};
use crate::editor::selection::Selection;
use crate::editor::words;
use crate::project::{Command, LINK_RADIUS, LinkId, Spot, new_link};

/// The link tool's state.
#[derive(Clone, Debug, Default)]
pub struct LinkTool {
    start: Option<Spot>,
    press: Press,
    cursor: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Press {
    #[default]
    Up,
    Down {
        at: [f64; 2],
    },
    Dragging(LinkId, LinkEnd),
    CalledOff,
}

impl LinkTool {
    pub(super) fn busy(&self) -> bool {
        self.start.is_some() || self.dragging()
    }

    pub(super) fn dragging(&self) -> bool {
        !matches!(self.press, Press::Up)
    }

    pub(super) fn event(&mut self, event: Event, context: &Context<'_>) -> Vec<Effect> {
        match event {
            Event::Hover(place) => self.cursor = Some(place),
            Event::Leave => self.cursor = None,
            Event::Press(Button::Left, at) => {
                self.cursor = Some(at);
                self.press = Press::Down { at };
            }
            Event::Press(Button::Right, _) => {
                if self.dragging() {
                    self.press = Press::CalledOff;
                    return vec![Effect::Preview(None)];
                }
            }
            Event::Drag(place) => return self.drag(place, context),
            Event::Release { button: Button::Left, place, moved } => {
                return self.release(place, moved, context);
            }
            Event::Release { button: Button::Right, place, moved } => {
                let click = !moved && !self.dragging();
                return if click { self.right_click(place, context) } else { Vec::new() };
            }
            Event::StepBack => self.start = None,
            Event::Typed(at) => return self.put(Spot { at, level: context.level, y: None }, context),
            Event::Finish => return self.finish(context),
        }
        Vec::new()
    }

    /// `Enter` puts a dragged end where it is shown.
    fn finish(&mut self, context: &Context<'_>) -> Vec<Effect> {
        let (Press::Dragging(link, end), Some(cursor)) = (self.press, self.cursor) else { return Vec::new() };
        self.press = Press::CalledOff;
        Gesture::LinkEnd(link, end).end(cursor, context)
    }

    /// Whether something is held that can be moved.
    pub(super) fn moves(&self) -> bool {
        matches!(self.press, Press::Dragging(..))
    }

    fn drag(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        self.cursor = Some(place);
        if let Press::Down { at } = self.press
            && self.start.is_none()
            && let Some((link, end)) = pick::link_end_at(context.pickable, context.level, at, context.pixel)
        {
            self.press = Press::Dragging(link, end);
        }
        match self.press {
            Press::Dragging(link, end) => {
                vec![Effect::Preview(Gesture::LinkEnd(link, end).update(place, context).0)]
            }
            Press::Up | Press::Down { .. } | Press::CalledOff => Vec::new(),
        }
    }

    fn release(&mut self, place: [f64; 2], moved: bool, context: &Context<'_>) -> Vec<Effect> {
        match std::mem::take(&mut self.press) {
            Press::Up | Press::CalledOff => Vec::new(),
            Press::Dragging(link, end) => {
                let mut effects = Gesture::LinkEnd(link, end).end(place, context);
                effects.push(Effect::Select(Selection::link(link)));
                effects
            }
            Press::Down { at } => self.click(if moved { place } else { at }, context),
        }
    }

    fn click(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        self.put(context.link_spot(context.snapped_to_grid(place).place), context)
    }

    fn put(&mut self, spot: Spot, context: &Context<'_>) -> Vec<Effect> {
        let Some(start) = self.start else {
            if let Some((link, _)) =
                pick::link_end_at(context.pickable, context.level, spot.at, context.pixel)
            {
                return vec![Effect::Select(Selection::link(link))];
            }
            self.start = Some(spot);
            return Vec::new();
        };
        if start == spot {
            return Vec::new();
        }
        self.start = None;
        let link = new_link(context.document, start, spot, true);
        let id = link.id;
        let name = format!("Add {}", link.name);
        vec![Effect::Commit(name, Command::AddLinks(vec![link])), Effect::Select(Selection::link(id))]
    }

    fn right_click(&mut self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        if self.start.take().is_some() {
            return Vec::new();
        }
        let document = context.document;
        let end = pick::link_end_at(document, context.level, place, context.pixel).map(|(link, _)| link);
        let found = end.or_else(|| pick::link_at(document, context.level, place, context.pixel));
        let Some(link) = found.and_then(|id| document.links.iter().find(|link| link.id == id)) else {
            return Vec::new();
        };
        let name = format!("Remove {}", link.name);
        vec![Effect::Commit(name, Command::RemoveLinks(vec![link.id])), Effect::Select(Selection::default())]
    }

    pub(super) fn begun(&self) -> Option<Spot> {
        self.start
    }

    pub(super) fn feedback(&self, context: &Context<'_>) -> Feedback {
        let Some(cursor) = self.cursor else { return Feedback::default() };
        if let Press::Dragging(link, end) = self.press {
            return Gesture::LinkEnd(link, end).feedback(cursor, context);
        }
        if self.start.is_none()
            && let Some((link, end)) =
                pick::link_end_at(context.pickable, context.level, cursor, context.pixel)
        {
            let link = context.document.links.iter().find(|candidate| candidate.id == link);
            let at = link.map(|link| if end == LinkEnd::Start { link.start } else { link.end });
            let shapes = at.map(|at| Shape::Marker { at, sign: Sign::Ring, role: Role::Hover });
            return Feedback { shapes: shapes.into_iter().collect(), ..Feedback::default() };
        }
        let snapped = context.snapped_to_grid(cursor);
        let mut shapes = ghost(&snapped);
        let mut word = snapped.kind.word();
        shapes.push(Shape::Circle { center: snapped.place, radius: LINK_RADIUS, role: Role::LinkRadius });
        if let Some(from) = self.start {
            let start = from.at;
            let line = link_arc(start, snapped.place);
            shapes.push(Shape::Polyline { points: line, closed: false, role: Role::LooseLink });
            shapes.push(Shape::Circle { center: start, radius: LINK_RADIUS, role: Role::LinkRadius });
            shapes.push(Shape::Marker { at: start, sign: Sign::Disc, role: Role::Link });
            let length = distance(start, snapped.place);
            let [from, to] = [from, context.link_spot(snapped.place)].map(words::floor);
            word = format!("{length:.2} squares, {from} › {to}");
        }
        let word = (!word.is_empty()).then_some((snapped.place, word));
        Feedback { shapes, word, snap: Some(snapped.kind) }
    }

    pub(super) fn help(&self) -> String {
        match (self.press, self.start) {
            (Press::Dragging(..), _) => {
                "Release to place the link's end · Ctrl square edge · Esc back".to_owned()
            }
            (_, None) => "Left: where the link starts, or drag an end · Right: remove a link".to_owned(),
            (_, Some(_)) => {
                "Left: where the link ends (PgUp, PgDn: on another level) · Right, Esc: drop it".to_owned()
            }
        }
    }
}
