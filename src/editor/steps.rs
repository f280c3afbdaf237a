//! Undo and redo as the window has them: with the selection and the level that belong to each state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::canvas::pick::Item;
use super::selection::Selection;
use super::state::{State, Tone, start_level};
use crate::project::{AgentClass, Area, AreaId, Document};

impl State {
    /// Notes what is selected, as a step is about to be done.
    pub(super) fn note_view(&mut self) {
        let done = self.history.past().len();
        self.views.note(done, self.selection.clone(), self.level);
    }

    /// Selects what was selected in the state that is come back to.
    fn take_view(&mut self) {
        let Some((selection, level)) = self.views.at(self.history.past().len()).cloned() else { return };
        self.select(selection);
        if self.history.document().level(level).is_some() {
            self.level = level;
        }
    }

    /// Takes back a point of the drawing, else the last step.
    pub fn undo(&mut self) {
        if self.tools.undo() {
            return;
        }
        self.tools.reset();
        let before = self.history.document().clone();
        let name = self.history.undo().map(str::to_owned);
        let undone = name.is_some();
        self.after_history("Undid", name, &before);
        if undone {
            self.take_view();
        }
    }

    /// Returns a point of the drawing, else the last undone step.
    pub fn redo(&mut self) {
        if self.tools.redo() {
            return;
        }
        self.tools.reset();
        let before = self.history.document().clone();
        let name = self.history.redo().map(str::to_owned);
        self.after_history("Did again", name, &before);
    }

    /// Goes to where `step_count` steps are done.
    pub fn jump(&mut self, step_count: usize) {
        self.tools.reset();
        let before = self.history.document().clone();
        let back = step_count < self.history.past().len();
        self.history.jump(step_count);
        self.last_nudge = None;
        self.changed();
        self.show_difference(&before);
        if back {
            self.take_view();
        }
    }

    fn after_history(&mut self, what: &str, name: Option<String>, before: &Document) {
        self.last_nudge = None;
        match name {
            Some(name) => {
                self.changed();
                self.show_difference(before);
                self.say(Tone::Hint, format!("{what}: {name}"));
            }
            None => self.say(Tone::Hint, "Nothing more"),
        }
    }

    /// Selects what is not as it was, and goes to a level where something has changed.
    fn show_difference(&mut self, before: &Document) {
        let now = self.history.document();
        let old: BTreeMap<AreaId, &Arc<Area>> = before.areas.iter().map(|area| (area.id, area)).collect();
        let new: BTreeSet<AreaId> = now.areas.iter().map(|area| area.id).collect();
        let same = |area: &&Arc<Area>| old.get(&area.id).is_some_and(|other| Arc::ptr_eq(area, other));
        let mut selection = Selection::default();
        let mut levels = Vec::new();
        for area in now.areas.iter().filter(|area| !same(area)) {
            selection.add(Item::Area(area.id));
            levels.push(area.level);
        }
        levels.extend(before.areas.iter().filter(|area| !new.contains(&area.id)).map(|area| area.level));
        for link in now.links.iter().filter(|link| !before.links.iter().any(|other| Arc::ptr_eq(link, other)))
        {
            selection.add(Item::Link(link.id));
            levels.extend([link.start_level, link.end_level]);
        }
        let kept = |picture| before.pictures.iter().any(|other| Arc::ptr_eq(picture, other));
        for picture in now.pictures.iter().filter(|picture| !kept(picture)) {
            selection.add(Item::Picture(picture.id));
            levels.push(picture.level);
        }
        let kept = |item| before.geometry.iter().any(|other| Arc::ptr_eq(item, other));
        for item in now.geometry.iter().filter(|item| !kept(item)) {
            selection.add(Item::Geometry(item.id));
            levels.push(item.level);
        }
        let same =
            |old: &AgentClass, class: &AgentClass| AgentClass { order: class.order, ..old.clone() } == *class;
        let other = |class: &&Arc<AgentClass>| !before.classes.iter().any(|old| same(old, class));
        if let Some(class) = now.classes.iter().find(other) {
            self.class = class.id;
        }
        if !levels.is_empty() {
            self.selection = selection;
            if !levels.contains(&self.level) {
                self.level = levels[0];
            }
        }
        if now.level(self.level).is_none() {
            self.level = start_level(now);
        }
    }
}
