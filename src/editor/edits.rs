//! Changes that are no mouse gestures: nudge, delete, duplicate, select all, levels.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::action::Step;
use super::canvas::pick::Item;
use super::canvas::snap::round_to;
use super::ids;
use super::state::{Selection, State, Tone, start_level};
use super::tools::gesture::shift_items;
use crate::project::{AgentClass, Area, AreaId, Command, Document, Level, Link, LinkId};

/// Nudges of one selection within this time are one undo step.
const NUDGE_PAUSE: Duration = Duration::from_millis(800);

impl State {
    /// Moves the selection, or its point, by a tenth of a square or a whole one.
    pub fn nudge(&mut self, step: Step, whole: bool) {
        let length = if whole { 1.0 } else { 0.1 };
        let change = step.direction().map(|along| along * length);
        let document = self.history.document();
        let command = match self.selection.selected_point() {
            Some((id, index)) => document.area(id).and_then(|area| {
                let from = *area.points.get(index)?;
                let to = round_to([from[0] + change[0], from[1] + change[1]], 1000.0);
                Some(move_joined(document, from, to))
            }),
            None => shift_items(document, &self.selection, [0.0; 2], change),
        };
        let Some(command) = command else { return };
        let soon = |(at, selection): &(Instant, Selection)| {
            at.elapsed() < NUDGE_PAUSE && *selection == self.selection
        };
        let more = self.last_nudge.as_ref().is_some_and(soon);
        let done = if more {
            self.history.commit_more("Nudge", &command)
        } else {
            self.history.commit("Nudge", &command)
        };
        match done {
            Ok(()) => {
                self.changed();
                self.last_nudge = Some((Instant::now(), self.selection.clone()));
            }
            Err(error) => self.say(Tone::Bad, error.to_string()),
        }
    }

    /// Removes the selection.
    pub fn delete(&mut self) {
        let document = self.history.document();
        let areas: Vec<AreaId> = self.selection.areas(document).map(|area| area.id).collect();
        let links: Vec<LinkId> = self.selection.links(document).map(|link| link.id).collect();
        let name = match (areas.len(), links.len()) {
            (0, 0) => return,
            (1, 0) => {
                let name = self.selection.areas(document).next().map(|area| area.name.clone());
                format!("Delete {}", name.unwrap_or_default())
            }
            (0, 1) => "Delete link".to_owned(),
            (areas, links) => format!("Delete {} things", areas + links),
        };
        let mut commands = Vec::new();
        if !areas.is_empty() {
            commands.push(Command::RemoveAreas(areas));
        }
        if !links.is_empty() {
            commands.push(Command::RemoveLinks(links));
        }
        self.commit(&name, &Command::Several(commands));
    }

    /// Copies the selection, one square to the right and down.
    pub fn duplicate(&mut self) {
        const APART: [f64; 2] = [1.0, -1.0];
        let document = self.history.document();
        let shift = |p: [f64; 2]| round_to([p[0] + APART[0], p[1] + APART[1]], 1000.0);
        let mut copy = document.clone();
        let (mut areas, mut links) = (Vec::new(), Vec::new());
        for area in self.selection.areas(document) {
            let points = area.points.iter().map(|&point| shift(point)).collect();
            let name = ids::area_name(&copy, area.kind);
            let area = Area { id: ids::fresh_area(document), name, points, ..(**area).clone() };
            Arc::make_mut(&mut copy.areas).push(Arc::new(area.clone()));
            areas.push(area);
        }
        for link in self.selection.links(document) {
            let (name, user_id) = (ids::link_name(&copy), ids::next_user_id(&copy));
            let (start, end) = (shift(link.start), shift(link.end));
            let link = Link { id: ids::fresh_link(document), name, user_id, start, end, ..(**link).clone() };
            Arc::make_mut(&mut copy.links).push(Arc::new(link.clone()));
            links.push(link);
        }
        if areas.is_empty() && links.is_empty() {
            return;
        }
        let mut selection = Selection::default();
        areas.iter().for_each(|area| selection.add(Item::Area(area.id)));
        links.iter().for_each(|link| selection.add(Item::Link(link.id)));
        let command = Command::Several(vec![Command::AddAreas(areas), Command::AddLinks(links)]);
        if self.commit("Duplicate", &command) {
            self.selection = selection;
        }
    }

    /// Selects everything on the current level.
    pub fn select_all(&mut self) {
        let (document, level) = (self.history.document(), self.level);
        let mut selection = Selection::default();
        let areas = document.areas.iter().filter(|area| area.level == level);
        areas.for_each(|area| selection.add(Item::Area(area.id)));
        let links = document.links.iter().filter(|link| link.start_level == level || link.end_level == level);
        links.for_each(|link| selection.add(Item::Link(link.id)));
        self.selection = selection;
    }

    /// Goes to the next level above (`true`) or below.
    pub fn step_level(&mut self, up: bool) {
        let numbers = self.levels();
        let next = if up {
            numbers.iter().find(|&&number| number > self.level)
        } else {
            numbers.iter().rev().find(|&&number| number < self.level)
        };
        match next {
            Some(&next) => self.level = next,
            None => self.say(
                Tone::Hint,
                format!(
                    "Level {} is the {} one; + adds another",
                    self.level,
                    if up { "highest" } else { "lowest" }
                ),
            ),
        }
    }

    /// The numbers of all levels, lowest first.
    #[must_use]
    pub fn levels(&self) -> Vec<i8> {
        self.history.document().levels.iter().map(|level| level.number).collect()
    }

    /// Adds a level above all others (`true`) or below, and goes there.
    pub fn add_level(&mut self, above: bool) {
        let numbers = self.levels();
        let number = if above {
            numbers.last().copied().unwrap_or(0).checked_add(1)
        } else {
            numbers.first().copied().unwrap_or(0).checked_sub(1)
        };
        let Some(number) = number else { return self.say(Tone::Hint, "Levels go from -128 to 127") };
        if self.commit(&format!("Add level {number}"), &Command::SetLevel(Level::new(number))) {
            self.level = number;
        }
    }

    /// Removes the current level if nothing stands on it.
    pub fn remove_level(&mut self) {
        let number = self.level;
        if self.commit(&format!("Remove level {number}"), &Command::RemoveLevel(number)) {
            self.level = start_level(self.history.document());
        }
    }
}

/// Agent classes.
impl State {
    /// Adds a class like the shown one, and shows it.
    pub fn add_class(&mut self) {
        let document = self.history.document();
        let (id, name) = (ids::fresh_class(document), ids::class_name(document));
        let class = AgentClass { id, name: name.clone(), ..(**self.class()).clone() };
        if self.commit(&format!("Add agent class {name}"), &Command::AddClass(class)) {
            self.show_class(id);
        }
    }

    /// Removes the shown class, and shows the one that takes its place.
    pub fn remove_class(&mut self) {
        let (id, name) = (self.class().id, self.class().name.clone());
        let classes = &self.history.document().classes;
        if classes.len() < 2 {
            return self.say(Tone::Hint, "A map has at least one agent class");
        }
        let place = classes.iter().position(|class| class.id == id).unwrap_or(0);
        if self.commit(&format!("Remove agent class {name}"), &Command::RemoveClass(id)) {
            let classes = &self.history.document().classes;
            self.class = classes[place.min(classes.len() - 1)].id;
        }
    }

    /// Moves the shown class up (`true`) or down in the order that a world file keeps.
    pub fn move_class(&mut self, up: bool) {
        let (id, name) = (self.class().id, self.class().name.clone());
        let classes = &self.history.document().classes;
        let place = classes.iter().position(|class| class.id == id).unwrap_or(0);
        let before = match (up, place) {
            (true, 0) => return,
            (true, place) => Some(classes[place - 1].id),
            (false, place) if place + 1 >= classes.len() => return,
            (false, place) => classes.get(place + 2).map(|class| class.id),
        };
        self.commit(&format!("Move agent class {name}"), &Command::MoveClass { id, before });
    }

    /// Shows the mesh of the next class.
    pub fn next_class(&mut self) {
        let id = self.class().id;
        let classes = &self.history.document().classes;
        let place = classes.iter().position(|class| class.id == id).unwrap_or(0);
        let next = Arc::clone(&classes[(place + 1) % classes.len()]);
        self.show_class(next.id);
        self.say(Tone::Hint, format!("Mesh of agent class {}", next.name));
    }
}

/// Moves all points that lie exactly at `from`.
fn move_joined(document: &Document, from: [f64; 2], to: [f64; 2]) -> Command {
    let touched = document.areas.iter().filter(|area| area.points.contains(&from));
    let moved = touched.map(|area| {
        let points = area.points.iter().map(|&point| if point == from { to } else { point }).collect();
        Area { points, ..(**area).clone() }
    });
    Command::SetAreas(moved.collect())
}
