//! What is open, selected and shown, and how actions and effects change it. Knows no widgets.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::action::Step;
use super::canvas::camera::Camera;
use super::canvas::pick::Item;
use super::canvas::snap::{SnapKind, SnapSettings};
use super::export::Exported;
use super::ids;
pub use super::selection::Selection;
use super::tools::gesture::shift_items;
use super::tools::{Button, Context, Effect, Event, Keys, Marker, ToolKind, Tools};
use super::worker::{BakeFailure, Baked, Outcome, Request};
use crate::bake::{Diagnostic, Element, Severity};
use crate::project::{Area, AreaId, Command, Document, History, Link, LinkId};
use crate::query::{NavPath, PathScratch, QueryFilter, find_nav_path};

/// Nudges of one selection within this time are one undo step.
const NUDGE_PAUSE: Duration = Duration::from_millis(800);

/// How levels other than the current one are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum OtherLevels {
    Off,
    #[default]
    Faint,
    Full,
}

/// What is shown, and which panels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Shown {
    pub others: OtherLevels,
    pub grid: bool,
    pub mesh: bool,
    pub rulers: bool,
    pub outline: bool,
    pub properties: bool,
    pub issues: bool,
    pub canvas_only: bool,
    pub keys: bool,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            others: OtherLevels::Faint,
            grid: true,
            mesh: true,
            rulers: true,
            outline: true,
            properties: true,
            issues: true,
            canvas_only: false,
            keys: false,
        }
    }
}

/// The mesh on screen and how it stands to the drawing.
#[derive(Debug, Default)]
pub struct Bake {
    /// Whether every change is baked.
    pub live: bool,
    /// The last good mesh and the drawing it came from.
    pub shown: Option<Baked>,
    /// The drawing that `shown` came from.
    pub shown_generation: u64,
    /// The newest drawing that was sent to the worker.
    pub sent_generation: u64,
    /// The newest drawing that the worker has answered for.
    pub answered_generation: u64,
    /// Why the last bake gave no mesh.
    pub failure: Option<BakeFailure>,
    /// How long the last bake took.
    pub took: Duration,
    /// Since when the mesh is older than the drawing.
    pub stale_since: Option<Instant>,
}

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Tone {
    Hint,
    Good,
    Bad,
}

/// A sentence on the canvas. Bad ones stay until dismissed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Message {
    pub tone: Tone,
    pub text: String,
    pub since: Instant,
}

impl Message {
    /// How long it stays.
    #[must_use]
    pub fn stays(&self) -> Option<Duration> {
        match self.tone {
            Tone::Hint => Some(Duration::from_secs(4)),
            Tone::Good => Some(Duration::from_secs(12)),
            Tone::Bad => None,
        }
    }
}

/// Everything but the widgets.
#[derive(Debug)]
pub struct State {
    /// The document with its past and future.
    pub history: History,
    /// Counts states of the drawing, previews too.
    pub generation: u64,
    /// The current level.
    pub level: i8,
    /// What is selected.
    pub selection: Selection,
    /// The tools.
    pub tools: Tools,
    /// How points snap.
    pub snap: SnapSettings,
    /// What is shown.
    pub shown: Shown,
    /// Pan and zoom.
    pub camera: Camera,
    /// The mesh.
    pub bake: Bake,
    /// The answer of the test tool.
    pub path: Option<NavPath>,
    /// The file the document was read from or saved in.
    pub file: Option<PathBuf>,
    /// The document as it is in the file.
    pub saved: Document,
    /// The last export.
    pub exported: Option<Exported>,
    /// What the canvas says.
    pub message: Option<Message>,
    /// Where the cursor is in the world.
    pub cursor: Option<[f64; 2]>,
    /// The snap that won last.
    pub snap_kind: Option<SnapKind>,
    /// Things the canvas is to show when it is drawn next.
    pub frame_next: Option<Frame>,
    /// The issue that was picked last.
    pub issue: Option<usize>,
    /// What the menu at the cursor is about.
    pub menu_item: Option<Item>,
    last_nudge: Option<(Instant, Selection)>,
    path_key: Option<(Marker, Marker, u64)>,
    scratch: PathScratch,
}

/// What the canvas is to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frame {
    /// The whole map.
    All,
    /// The selection; without one the whole map.
    Selection,
    /// A place, without changing the zoom.
    Place([f64; 2]),
}

impl State {
    /// Opens a document. `file`: where it came from, if it can be saved there.
    #[must_use]
    pub fn new(document: Document, file: Option<PathBuf>) -> Self {
        let level = start_level(&document);
        Self {
            history: History::new(document.clone()),
            generation: 1,
            level,
            selection: Selection::default(),
            tools: Tools::default(),
            snap: SnapSettings::default(),
            shown: Shown::default(),
            camera: Camera::default(),
            bake: Bake { live: true, ..Bake::default() },
            path: None,
            file,
            saved: document,
            exported: None,
            message: None,
            cursor: None,
            snap_kind: None,
            frame_next: Some(Frame::All),
            issue: None,
            menu_item: None,
            last_nudge: None,
            path_key: None,
            scratch: PathScratch::default(),
        }
    }

    /// Opens another document in place of this one; what is shown and how points snap stays.
    pub fn replace(&mut self, document: Document, file: Option<PathBuf>) {
        let generation = self.generation + 1;
        let live = self.bake.live;
        let fresh = Self::new(document, file);
        *self = Self { generation, shown: self.shown, snap: self.snap, ..fresh };
        self.bake.live = live;
    }

    /// The drawing as it is shown.
    #[must_use]
    pub fn document(&self) -> &Document {
        self.history.document()
    }

    /// Whether there is something that the file does not have.
    #[must_use]
    pub fn edited(&self) -> bool {
        let now = self.history.gesture_start().unwrap_or_else(|| self.history.document());
        !now.ptr_eq(&self.saved)
    }

    /// Whether the mesh on screen is that of the drawing.
    #[must_use]
    pub fn fresh(&self) -> bool {
        self.bake.shown.is_some() && self.bake.shown_generation == self.generation
    }

    /// All that the bake found, worst first.
    #[must_use]
    pub fn issues(&self) -> &[Diagnostic] {
        self.bake.shown.as_ref().map_or(&[], |baked| &baked.report.diagnostics)
    }

    /// How many errors, warnings and notes.
    #[must_use]
    pub fn issue_counts(&self) -> [usize; 3] {
        let count = |severity| self.issues().iter().filter(|issue| issue.kind.severity() == severity).count();
        [Severity::Error, Severity::Warning, Severity::Note].map(count)
    }

    /// What a tool may know.
    #[must_use]
    pub fn context(&self, keys: Keys) -> Context<'_> {
        Context {
            document: self.history.gesture_start().unwrap_or_else(|| self.history.document()),
            level: self.level,
            selection: &self.selection,
            keys,
            snap: self.snap,
            pixel: 1.0 / self.camera.scale,
        }
    }

    /// Tells the tool in use what happened, and does what it wants.
    pub fn tool_event(&mut self, event: Event, keys: Keys) -> bool {
        let context = Context {
            document: self.history.gesture_start().unwrap_or_else(|| self.history.document()),
            level: self.level,
            selection: &self.selection,
            keys,
            snap: self.snap,
            pixel: 1.0 / self.camera.scale,
        };
        let effects = self.tools.event(event, &context);
        let mut menu = false;
        for effect in effects {
            menu |= matches!(effect, Effect::Menu(_));
            self.effect(effect);
        }
        menu
    }

    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Preview(Some(command)) => {
                if !self.history.in_gesture() {
                    self.history.begin("Move");
                }
                // A place out of range: the last good preview stays.
                if self.history.update(&command).is_ok() {
                    self.generation += 1;
                }
            }
            Effect::Preview(None) => {
                if self.history.cancel_gesture() {
                    self.generation += 1;
                }
            }
            Effect::Commit(name, command) => {
                self.commit(&name, &command);
            }
            Effect::Select(selection) => self.select(selection),
            Effect::Hint(text) => self.say(Tone::Hint, text),
            Effect::Menu(item) => {
                self.menu_item = item;
                if let Some(item) = item
                    && !self.selection.has(item)
                {
                    self.selection = Selection::item(item);
                }
            }
        }
    }

    /// Changes the document as one undo step. Whether it could.
    pub fn commit(&mut self, name: &str, command: &Command) -> bool {
        self.last_nudge = None;
        match self.history.commit(name, command) {
            Ok(()) => self.changed(),
            Err(error) => {
                self.say(Tone::Bad, format!("{name}: {error}"));
                return false;
            }
        }
        true
    }

    /// Changes the document as part of a step that goes on, such as a field being dragged.
    pub fn adjust(&mut self, name: &str, command: &Command) {
        if !self.history.in_gesture() {
            self.history.begin(name);
        }
        match self.history.update(command) {
            Ok(()) => self.changed(),
            Err(error) => self.say(Tone::Hint, error.to_string()),
        }
    }

    /// Ends such a step.
    pub fn end_adjust(&mut self) {
        if self.history.commit_gesture() {
            self.changed();
        }
    }

    fn changed(&mut self) {
        self.generation += 1;
        let document = self.history.document();
        self.selection.keep_existing(document);
    }

    /// Selects and goes to the level of what is selected.
    pub fn select(&mut self, mut selection: Selection) {
        selection.keep_existing(self.history.document());
        self.selection = selection;
    }

    /// Selects a thing and goes to its level.
    pub fn go_to(&mut self, item: Item) {
        let document = self.history.document();
        let level = match item {
            Item::Area(id) => document.area(id).map(|area| area.level),
            Item::Link(id) => document.link(id).map(|link| link.start_level),
        };
        self.level = level.unwrap_or(self.level);
        self.select(Selection::item(item));
    }

    /// Says something on the canvas.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.message = Some(Message { tone, text: text.into(), since: Instant::now() });
    }

    /// Takes another tool.
    pub fn take_tool(&mut self, kind: ToolKind) {
        self.history.cancel_gesture();
        self.tools.take(kind);
    }

    /// Cancels what is begun, then the message, then the selection, then the tool.
    pub fn escape(&mut self) {
        if self.tools.dragging() {
            // As a right click: the drag is called off, what was drawn before it stays.
            let place = self.cursor.unwrap_or_default();
            self.tool_event(Event::Press(Button::Right, place), Keys::default());
            return;
        }
        if self.tools.reset() {
            return;
        }
        if self.message.take().is_some() {
            return;
        }
        if !self.selection.is_empty() {
            self.selection = Selection::default();
        } else if self.tools.kind() == ToolKind::Test && self.tools.test.clear() {
        } else {
            self.tools.take(ToolKind::Select);
        }
    }

    /// Takes back a point of the drawing, else the last step.
    pub fn undo(&mut self) {
        if self.tools.undo() {
            return;
        }
        self.tools.reset();
        let name = self.history.undo().map(str::to_owned);
        self.after_history("Undid", name);
    }

    /// Returns a point of the drawing, else the last undone step.
    pub fn redo(&mut self) {
        if self.tools.redo() {
            return;
        }
        self.tools.reset();
        let name = self.history.redo().map(str::to_owned);
        self.after_history("Did again", name);
    }

    fn after_history(&mut self, what: &str, name: Option<String>) {
        self.last_nudge = None;
        match name {
            Some(name) => {
                self.changed();
                self.say(Tone::Hint, format!("{what}: {name}"));
            }
            None => self.say(Tone::Hint, "Nothing more"),
        }
    }

    /// Moves the selection, or its point, by a tenth of a square or a whole one.
    pub fn nudge(&mut self, step: Step, whole: bool) {
        let length = if whole { 1.0 } else { 0.1 };
        let change = step.direction().map(|along| along * length);
        let document = self.history.document();
        let command = match self.selection.selected_point() {
            Some((id, index)) => document.area(id).and_then(|area| {
                let from = *area.points.get(index)?;
                let to = super::canvas::snap::round_to([from[0] + change[0], from[1] + change[1]], 1000.0);
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
        let shift = |p: [f64; 2]| super::canvas::snap::round_to([p[0] + APART[0], p[1] + APART[1]], 1000.0);
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
        if self.commit(&format!("Add level {number}"), &Command::SetLevel(ids::fresh_level(number))) {
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
            Element::Level(_) | Element::Tile { .. } | Element::Settings => {}
        }
        if issue.place.iter().all(|value| value.is_finite()) {
            self.frame_next = Some(Frame::Place(issue.place));
        }
    }

    /// Goes to the next (`true`) or previous issue.
    pub fn step_issue(&mut self, forward: bool) {
        let count = self.issues().len();
        if count == 0 {
            return self.say(Tone::Hint, "No issues");
        }
        let next = match self.issue {
            None => 0,
            Some(now) if forward => (now + 1) % count,
            Some(now) => (now + count - 1) % count,
        };
        self.go_to_issue(next);
    }

    /// The request that is due, if any: the drawing changed and is baked live, or `now`.
    pub fn bake_request(&mut self, now: bool) -> Option<Request> {
        let due = self.bake.live || self.tools.kind() == ToolKind::Test;
        if !(now || due && self.bake.sent_generation != self.generation) {
            return None;
        }
        self.bake.sent_generation = self.generation;
        let dragging = self.history.in_gesture();
        Some(Request { generation: self.generation, document: self.history.document().clone(), dragging })
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
        let fresh = self.fresh();
        match (fresh, self.bake.stale_since) {
            (true, _) => self.bake.stale_since = None,
            (false, None) => self.bake.stale_since = Some(Instant::now()),
            (false, Some(_)) => {}
        }
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
        let found = find_nav_path(
            &baked.mesh.mesh,
            start.place,
            Some(start.level),
            end.place,
            Some(end.level),
            &QueryFilter::default(),
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

/// The ground if something stands on it, else the lowest level with something.
fn start_level(document: &Document) -> i8 {
    let levels: Vec<i8> = document.areas.iter().map(|area| area.level).collect();
    if levels.contains(&0) { 0 } else { levels.into_iter().min().unwrap_or(0) }
}
