//! What comes back from the bake: the mesh, its issues, and the path through it.

use std::sync::Arc;
use std::time::Instant;

use super::state::{Frame, Selection, State, Tone};
use super::worker::{Outcome, Request};
use crate::bake::Element;
use crate::project::{AreaId, LinkId};
use crate::query::find_nav_path;

impl State {
    /// The request that is due, if any: the drawing changed and is baked live, or `now`.
    pub fn bake_request(&mut self, now: bool) -> Option<Request> {
        let now = std::mem::take(&mut self.complete_wanted) || now;
        let due = self.bake.live || self.tools.kind().shows_bake();
        if !(now || due && self.bake.sent_generation != self.generation) {
            return None;
        }
        self.bake.sent_generation = self.generation;
        let dragging = self.history.in_gesture();
        let (document, class) = (self.history.document().clone(), Arc::clone(self.class()));
        Some(Request { generation: self.generation, document, class, dragging, complete: now })
    }

    /// Takes in what the worker has done.
    pub fn baked(&mut self, outcome: Outcome) {
        self.bake.answered_generation = outcome.generation;
        self.bake.took = outcome.took;
        match outcome.result {
            Ok(baked) => {
                self.bake.shown = Some(baked);
                self.bake.shown_generation = outcome.generation;
                self.bake.failure = None;
                self.issue = None;
            }
            Err(failure) => self.bake.failure = Some(failure),
        }
    }

    /// Whether the worker has something to do.
    #[must_use]
    pub fn baking(&self) -> bool {
        self.bake.sent_generation != self.bake.answered_generation
    }

    /// Keeps what follows from other things up to date: staleness and the path.
    pub fn refresh(&mut self) {
        self.refresh_issues();
        self.refresh_marks();
        self.refresh_fingerprint();
        let fresh = self.fresh();
        match (fresh, self.bake.stale_since) {
            (true, _) => self.bake.stale_since = None,
            (false, None) => self.bake.stale_since = Some(Instant::now()),
            (false, Some(_)) => {}
        }
        self.refresh_asked();
        let test = &self.tools.test;
        let (Some(start), Some(end), Some(baked)) = (test.start, test.end, &self.bake.shown) else {
            self.path = None;
            self.path_key = None;
            return;
        };
        let key = (start, end, self.bake.shown_generation);
        if self.path_key == Some(key) {
            return;
        }
        let filter = self.history.document().filter();
        let found = find_nav_path(
            &baked.mesh.mesh,
            start.place,
            Some(start.level),
            end.place,
            Some(end.level),
            &filter,
            &mut self.scratch,
        );
        self.path_key = Some(key);
        match found {
            Ok(path) => self.path = Some(path),
            Err(error) => {
                self.path = None;
                self.say(Tone::Bad, error.to_string());
            }
        }
    }

    /// Selects an issue's element and goes to its place.
    pub fn go_to_issue(&mut self, index: usize) {
        let Some(issue) = self.issues().get(index).cloned() else { return };
        self.issue = Some(index);
        self.level = issue.level;
        let links: Vec<LinkId> = self.history.document().links.iter().map(|link| link.id).collect();
        match issue.element {
            Element::Area(id) => self.select(Selection::area(AreaId(id))),
            Element::Point { area, index } => self.select(Selection::point(AreaId(area), index)),
            Element::Link(index) => {
                let found = links.get(index).map(|&id| Selection::link(id));
                self.select(found.unwrap_or_default());
            }
            Element::Level(_)
            | Element::Levels(_)
            | Element::Tile { .. }
            | Element::Settings
            | Element::Mesh(_) => {}
        }
        if issue.place.iter().all(|value| value.is_finite()) {
            self.frame_next = Some(Frame::Place(issue.place));
        }
    }

    /// Goes to the next (`true`) or previous issue.
    pub fn step_issue(&mut self, forward: bool) {
        let listed = self.listed_issues();
        let count = listed.len();
        if count == 0 {
            return self.say(Tone::Hint, "No issues");
        }
        let now = self.issue.and_then(|now| listed.iter().position(|&index| index == now));
        let next = match now {
            None => 0,
            Some(now) if forward => (now + 1) % count,
            Some(now) => (now + count - 1) % count,
        };
        let (index, text) = (listed[next], format!("Issue {} of {count}", next + 1));
        self.go_to_issue(index);
        let message = self.issues().get(index).map(|issue| issue.message.clone()).unwrap_or_default();
        self.say(Tone::Hint, format!("{text}: {message}"));
    }
}
