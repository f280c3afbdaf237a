//! Changes that are no mouse gestures: nudge, delete, duplicate, select all, levels.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::action::Step;
use super::canvas::pick::Item;
use super::ids;
use super::state::{Selection, State, Tone, start_level};
use super::tools::gesture::{shift_items, shift_points, shifted, with_joined};
use super::words::{called, things};
use crate::project::{
    AgentClass, Area, AreaId, Command, Geometry, GeometryId, Level, Link, LinkId, Picture, PictureId,
};

/// Nudges of one selection within this time are one undo step.
const NUDGE_PAUSE: Duration = Duration::from_millis(800);

impl State {
    /// Moves the selection, or its point, by a tenth of a square or a whole one.
    pub fn nudge(&mut self, step: Step, whole: bool) {
        let length = if whole { 1.0 } else { 0.1 };
        let change = step.direction().map(|along| along * length);
        let document = self.history.document();
        let points = self.selection.points();
        let command = if points.is_empty() {
            shift_items(document, &self.selection, [0.0; 2], change)
        } else {
            shift_points(document, &with_joined(document, points), [0.0; 2], change)
        };
        let Some(command) = command else { return };
        let name = format!("Nudge {}", self.selection.words(document));
        let soon = |(at, selection): &(Instant, Selection)| {
            at.elapsed() < NUDGE_PAUSE && *selection == self.selection
        };
        let more = self.last_nudge.as_ref().is_some_and(soon);
        if !more {
            self.note_view();
        }
        let done = if more {
            self.history.commit_more(&name, &command)
        } else {
            self.history.commit(&name, &command)
        };
        match done {
            Ok(()) => {
                self.changed();
                self.last_nudge = Some((Instant::now(), self.selection.clone()));
            }
            Err(error) => self.say(Tone::Bad, error.to_string()),
        }
    }

    /// Removes the selection: several picked points, else whole things.
    pub fn delete(&mut self) {
        if self.selection.points().len() > 1 {
            self.delete_points();
        } else {
            self.remove_selected("Delete");
        }
    }

    /// Removes all that is selected; `verb` begins the step's name.
    pub(super) fn remove_selected(&mut self, verb: &str) {
        let document = self.history.document();
        let areas: Vec<AreaId> = self.selection.areas(document).map(|area| area.id).collect();
        let links: Vec<LinkId> = self.selection.links(document).map(|link| link.id).collect();
        let pictures: Vec<PictureId> = self.selection.pictures(document).map(|picture| picture.id).collect();
        let geometry: Vec<GeometryId> = self.selection.geometry(document).map(|item| item.id).collect();
        if areas.len() + links.len() + pictures.len() + geometry.len() == 0 {
            return;
        }
        let name = format!("{verb} {}", self.selection.thing_words(document));
        let mut commands = Vec::new();
        if !areas.is_empty() {
            commands.push(Command::RemoveAreas(areas));
        }
        if !links.is_empty() {
            commands.push(Command::RemoveLinks(links));
        }
        if !pictures.is_empty() {
            commands.push(Command::RemovePictures(pictures));
        }
        if !geometry.is_empty() {
            commands.push(Command::RemoveGeometry(geometry));
        }
        self.commit(&name, &Command::Several(commands));
    }

    fn delete_points(&mut self) {
        let (document, points) = (self.history.document(), self.selection.points());
        let fewer = self.selection.areas(document).map(|area| {
            let mut chosen = (0..area.points.len()).rev().filter(|&index| points.contains(&(area.id, index)));
            let left = chosen.try_fold((**area).clone(), |left, index| left.without_point(index));
            left.ok_or_else(|| {
                format!("{} needs 3 points; without picked points Del removes it whole", area.name)
            })
        });
        let changed: Result<Vec<Area>, String> = fewer.collect();
        let name = format!("Remove {}", self.selection.words(document));
        let selection = self.selection.without_points();
        match changed {
            Ok(changed) => {
                if self.commit(&name, &Command::SetAreas(changed)) {
                    self.selection = selection;
                }
            }
            Err(text) => self.say(Tone::Hint, text),
        }
    }

    /// Copies the selection, one square to the right and down.
    pub fn duplicate(&mut self) {
        const APART: [f64; 2] = [1.0, -1.0];
        let document = self.history.document();
        let areas = self.selection.areas(document).map(|area| (**area).clone()).collect();
        let links = self.selection.links(document).map(|link| (**link).clone()).collect();
        self.put_in("Duplicate", areas, links, APART, 0);
    }

    /// Adds copies of things, moved and some levels higher, with ids of their own, as one step, and selects them. `verb`
    /// begins the step's name.
    pub(super) fn put_in(
        &mut self,
        verb: &str,
        areas: Vec<Area>,
        links: Vec<Link>,
        by: [f64; 2],
        higher: i16,
    ) -> bool {
        let document = self.history.document();
        let shift = |p: [f64; 2]| shifted(p, [0.0; 2], by);
        let level = |level: i8| i8::try_from(i16::from(level) + higher).ok();
        let levels = areas.iter().map(|area| area.level);
        let levels = levels.chain(links.iter().flat_map(|link| [link.start_level, link.end_level]));
        if let Some(beyond) = levels.clone().find(|&number| level(number).is_none()) {
            let text = format!(
                "level {beyond} would become {}; levels go from -128 to 127",
                i16::from(beyond) + higher
            );
            self.say(Tone::Hint, text);
            return false;
        }
        let area_names: Vec<&str> = areas.iter().map(|area| called(&area.name, "area")).collect();
        let link_names: Vec<&str> = links.iter().map(|link| called(&link.name, "link")).collect();
        let step = format!("{verb} {}", things([("area", &area_names), ("link", &link_names)]));
        let mut names = ids::Names::of(document);
        let mut selection = Selection::default();
        let copy_area = |area: Area| {
            let id = ids::fresh_area(document);
            selection.add(Item::Area(id));
            let points = area.points.iter().map(|&point| shift(point)).collect();
            let level = level(area.level).unwrap_or(area.level);
            Area { id, name: names.area(&area.name), points, level, ..area }
        };
        let areas: Vec<Area> = areas.into_iter().map(copy_area).collect();
        let copy_link = |link: Link| {
            let id = ids::fresh_link(document);
            selection.add(Item::Link(id));
            Link {
                id,
                name: names.link(&link.name),
                user_id: names.user_id(link.user_id),
                start: shift(link.start),
                end: shift(link.end),
                start_level: level(link.start_level).unwrap_or(link.start_level),
                end_level: level(link.end_level).unwrap_or(link.end_level),
                // On another level the copy stands on that one's floors.
                start_y: link.start_y.filter(|_| higher == 0),
                end_y: link.end_y.filter(|_| higher == 0),
                ..link
            }
        };
        let links: Vec<Link> = links.into_iter().map(copy_link).collect();
        if areas.is_empty() && links.is_empty() {
            return false;
        }
        let command = Command::Several(vec![Command::AddAreas(areas), Command::AddLinks(links)]);
        let done = self.commit(&step, &command);
        if done {
            self.selection = selection;
        }
        done
    }

    /// Takes the selection along to the next level above (`true`) or below.
    pub fn move_to_level(&mut self, up: bool) {
        if self.selection.is_empty() {
            return self.say(Tone::Hint, "Nothing is selected");
        }
        let before = self.level;
        self.step_level(up);
        let by = i16::from(self.level) - i16::from(before);
        if by == 0 {
            return;
        }
        let moved = |level: i8| i8::try_from(i16::from(level) + by);
        let document = self.history.document();
        let areas = self.selection.areas(document);
        let areas = areas.map(|area| Ok(Area { level: moved(area.level)?, ..(**area).clone() }));
        let areas: Result<Vec<Area>, std::num::TryFromIntError> = areas.collect();
        let links = self.selection.links(document).map(|link| {
            let (start_level, end_level) = (moved(link.start_level)?, moved(link.end_level)?);
            // The floors of other levels are meant now.
            Ok(Link { start_level, end_level, start_y: None, end_y: None, ..(**link).clone() })
        });
        let links: Result<Vec<Link>, std::num::TryFromIntError> = links.collect();
        let pictures = self.selection.pictures(document);
        let pictures = pictures.map(|picture| {
            Ok(Command::SetPicture(Picture { level: moved(picture.level)?, ..(**picture).clone() }))
        });
        let pictures: Result<Vec<Command>, std::num::TryFromIntError> = pictures.collect();
        let geometry = self.selection.geometry(document);
        let geometry = geometry
            .map(|item| Ok(Command::SetGeometry(Geometry { level: moved(item.level)?, ..(**item).clone() })));
        let geometry: Result<Vec<Command>, std::num::TryFromIntError> = geometry.collect();
        let (Ok(areas), Ok(links), Ok(pictures), Ok(geometry)) = (areas, links, pictures, geometry) else {
            self.level = before;
            return self.say(Tone::Hint, "Levels go from -128 to 127");
        };
        let mut commands = vec![Command::SetAreas(areas), Command::SetLinks(links)];
        commands.extend(pictures);
        commands.extend(geometry);
        let command = Command::Several(commands);
        // Undoing it leads back to the level it was begun on.
        let to = std::mem::replace(&mut self.level, before);
        let what = self.selection.thing_words(self.history.document());
        if self.commit(&format!("Move {what} to level {to}"), &command) {
            self.level = to;
        }
    }

    /// Moves an area, with the whole selection if it is part of it, to just before another of its level, or after it.
    pub fn put_beside(&mut self, moved: AreaId, other: AreaId, after: bool) {
        let document = self.history.document();
        let level = |id| document.area(id).map(|area| area.level);
        if level(moved) != level(other) {
            return self.say(
                Tone::Hint,
                "An area is dragged within its level; Ctrl+PgUp and PgDn take it to another",
            );
        }
        let selected: Vec<AreaId> = self.selection.areas(document).map(|area| area.id).collect();
        let ids = if selected.contains(&moved) { selected } else { vec![moved] };
        let place = document.areas.iter().position(|area| area.id == other).unwrap_or(0) + usize::from(after);
        let next = document.areas.iter().skip(place).find(|area| !ids.contains(&area.id));
        let mut what = Selection::default();
        ids.iter().for_each(|&id| what.add(Item::Area(id)));
        let name = format!("Move {} in order", what.thing_words(document));
        let command = Command::MoveAreas { before: next.map(|area| area.id), ids };
        self.commit(&name, &command);
    }

    /// Moves the selected areas one place later (`true`) or earlier among those of their level: where labels overlap the
    /// later one wins.
    pub fn reorder(&mut self, later: bool) {
        let document = self.history.document();
        let chosen: Vec<AreaId> = self.selection.areas(document).map(|area| area.id).collect();
        let Some(level) = self.selection.areas(document).next().map(|area| area.level) else {
            return self.say(Tone::Hint, "No area is selected");
        };
        let same_level: Vec<AreaId> =
            document.areas.iter().filter(|area| area.level == level).map(|area| area.id).collect();
        let places: Vec<usize> =
            (0..same_level.len()).filter(|&place| chosen.contains(&same_level[place])).collect();
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return };
        let before = if later {
            if last + 1 >= same_level.len() {
                return self.say(Tone::Hint, "It is the last of its level already");
            }
            same_level.get(last + 2).copied()
        } else {
            if first == 0 {
                return self.say(Tone::Hint, "It is the first of its level already");
            }
            Some(same_level[first - 1])
        };
        let mut what = Selection::default();
        chosen.iter().for_each(|&id| what.add(Item::Area(id)));
        let name = format!(
            "Move {} {} in order",
            what.thing_words(document),
            if later { "later" } else { "earlier" }
        );
        let command = Command::MoveAreas { ids: chosen, before };
        self.commit(&name, &command);
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

    /// Goes to the next level above; from the highest one, if something is drawn there, to a new one: nobody should have
    /// to look for a button before the second floor.
    pub fn climb(&mut self) {
        let is_highest = self.levels().last() == Some(&self.level);
        if is_highest && self.history.document().areas.iter().any(|area| area.level == self.level) {
            self.add_level(true);
        } else {
            self.step_level(true);
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
