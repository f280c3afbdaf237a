//! The canvas by keys alone: `Tab` through things, `Enter` into points, arrows move, `Space` clicks at the cross-hair,
//! numbers are typed.

use super::action::Step;
use super::canvas::grid::round_to;
use super::canvas::pick::Item;
use super::state::{Frame, Selection, State};
use super::tools::{Button, Event, Keys, ToolKind};
use crate::project::Document;

impl State {
    /// Selects the next (`true`) or previous thing of this level, or point if a point is selected. Whether there is one:
    /// after the last and before the first the canvas is left.
    pub fn next_thing(&mut self, forward: bool) -> bool {
        let document = self.history.document();
        if let Some((id, index)) = self.selection.selected_point()
            && let Some(area) = document.area(id)
        {
            let count = area.points.len();
            let next = if forward { (index + 1) % count } else { (index + count - 1) % count };
            let place = area.points[next];
            self.selection = Selection::point(id, next);
            self.look_at(place);
            return true;
        }
        let things = things_of(document, self.level);
        let now = things.iter().position(|&(item, _)| self.selection.has(item));
        let next = match (now, forward) {
            (None, true) => Some(0),
            (None, false) => things.len().checked_sub(1),
            (Some(now), true) => Some(now + 1),
            (Some(now), false) => now.checked_sub(1),
        };
        let Some(&(item, place)) = next.and_then(|next| things.get(next)) else { return false };
        self.selection = Selection::item(item);
        self.look_at(place);
        true
    }

    /// From a selected area to its first point. Whether there was one.
    pub fn enter_points(&mut self) -> bool {
        let (Some(Item::Area(id)), true) = (self.selection.only(), self.selection.points().is_empty()) else {
            return false;
        };
        let Some(place) = self.history.document().area(id).and_then(|area| area.points.first().copied())
        else {
            return false;
        };
        self.selection = Selection::point(id, 0);
        self.look_at(place);
        true
    }

    /// `Enter`: ends a drag, closes a drawing, puts what is typed; with the Select tool goes into the points.
    pub fn finish(&mut self) {
        let idle = self.tools.kind() == ToolKind::Select && !self.tools.dragging();
        if !(idle && self.enter_points()) {
            self.tool_event(Event::Finish, Keys::default());
        }
    }

    /// An arrow key: moves the cross-hair of a tool that puts something, else the selection.
    pub fn arrow(&mut self, step: Step, whole: bool) {
        if self.tools.dragging() {
            return;
        }
        let by_keys = self.cross.is_some() || !self.tools.draft().is_empty();
        if self.selection.is_empty() || self.tools.puts() && by_keys {
            self.move_cross(step, whole);
        } else {
            self.nudge(step, whole);
        }
    }

    fn move_cross(&mut self, step: Step, whole: bool) {
        let per_square = if whole { 1.0 } else { self.snap.per_square };
        let from = self.cross.unwrap_or_else(|| self.cross_start());
        let along = step.direction();
        let to = [0, 1].map(|axis| from[axis] + along[axis] / per_square);
        let to = round_to(to, self.snap.per_square.max(10.0));
        self.look_at(to);
        self.tool_event(Event::Hover(to), Keys::default());
    }

    /// Where the cross-hair appears: under the mouse if that is on the canvas, else in the middle of it.
    fn cross_start(&self) -> [f64; 2] {
        round_to(self.cursor.unwrap_or(self.camera.center), self.snap.per_square)
    }

    fn look_at(&mut self, place: [f64; 2]) {
        self.cross = Some(place);
        (self.cursor, self.aim) = (Some(place), None);
        self.frame_next = Some(Frame::Place(place));
    }

    /// A click at the cross-hair; the first time it only appears, and not while the mouse is on the canvas: then `Space`
    /// pans.
    pub fn put_at_cross(&mut self, keys: Keys) {
        if self.tools.dragging() {
            return;
        }
        let Some(place) = self.cross else {
            if self.cursor.is_some() {
                return;
            }
            let start = self.cross_start();
            self.look_at(start);
            self.tool_event(Event::Hover(start), keys);
            return;
        };
        self.tool_event(Event::Press(Button::Left, place), keys);
        self.tool_event(Event::Release { button: Button::Left, place, moved: false }, keys);
    }

    /// Takes letters typed on the canvas. Whether they mean something to the tool in use.
    pub fn type_letters(&mut self, letters: &str) -> bool {
        let mut took = false;
        for letter in letters.chars() {
            took |= self.tools.type_letter(letter);
        }
        if took {
            self.retype();
        }
        took
    }

    /// Takes the last typed letter back; whether there was one.
    pub fn untype(&mut self) -> bool {
        let had = self.tools.untype();
        if had {
            self.retype();
        }
        had
    }

    /// Shows what a typed move does.
    fn retype(&mut self) {
        if let Some(place) = self.cursor.filter(|_| self.tools.moves()) {
            self.tool_event(Event::Drag(place), Keys::default());
        }
    }

    /// What a screen reader says of the canvas: the selection, and where the cross-hair is.
    #[must_use]
    pub fn canvas_words(&self) -> String {
        let document = self.history.document();
        let point = self.selection.selected_point().and_then(|(id, index)| {
            let area = document.area(id)?;
            let at = super::words::place(*area.points.get(index)?);
            Some(format!("point {} of {} at {at}", index + 1, area.name))
        });
        let thing = || self.selection.only().map(|item| super::inspect::thing_words(document, item));
        let cross = || self.cross.map(|at| format!("cross-hair at {}", super::words::place(at)));
        point.or_else(thing).or_else(cross).unwrap_or_default()
    }
}

/// The things of a level in the order of `Tab`, with a place on each.
fn things_of(document: &Document, level: i8) -> Vec<(Item, [f64; 2])> {
    let areas = document.areas.iter().filter(|area| area.level == level);
    let areas = areas.map(|area| (Item::Area(area.id), area.points[0]));
    let links = document.links.iter().filter(|link| link.start_level == level || link.end_level == level);
    let links = links
        .map(|link| (Item::Link(link.id), if link.start_level == level { link.start } else { link.end }));
    areas.chain(links).collect()
}
