//! The tools: small state machines that take places in the world and answer with effects.
//!
//! Reading order: [`Event`] in, [`Effect`] out, [`Context`] (all a tool may know); [`gesture`] (drags that all tools
//! share), then one file per tool. A tool changes nothing but itself, so it can be tested without a window.

mod draw_area;
pub mod gesture;
mod inspect;
mod link;
mod measure;
mod play;
mod select;
mod test_path;
mod typed;

use crate::bake::AreaKind;
use crate::draw::Shape;
use crate::editor::canvas::pick::Item;
use crate::editor::canvas::pictures::Sizes;
use crate::editor::canvas::snap::{FINEST, Rules, SnapKind, SnapSettings, Snapped};
use crate::editor::geometry::Geometries;
use crate::editor::state::Selection;
use crate::project::{AreaId, Command, Document, GeometryId, Spot, least_climb};

pub use draw_area::DrawTool;
pub use gesture::Gesture;
pub use inspect::InspectTool;
pub use link::LinkTool;
pub use measure::MeasureTool;
pub use play::PlayTool;
pub use select::SelectTool;
pub use test_path::{Marker, TestTool};
pub use typed::{Exact, Typed};

/// The tools by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum ToolKind {
    #[default]
    Select,
    Walk,
    Hole,
    Link,
    Test,
    Play,
    Inspect,
    Measure,
}

impl ToolKind {
    /// Whether the baked mesh is shown in place of the drawing.
    #[must_use]
    pub fn shows_bake(self) -> bool {
        matches!(self, Self::Test | Self::Play)
    }
}

/// Modifier keys, as they are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Keys {
    pub shift: bool,
    pub ctrl: bool,
    pub alt: bool,
}

/// A mouse button that tools know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Button {
    Left,
    Right,
}

/// What happened, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The cursor moved; no button is down.
    Hover([f64; 2]),
    /// A button went down.
    Press(Button, [f64; 2]),
    /// The cursor moved 4 pixels or more since the left button went down.
    Drag([f64; 2]),
    /// A button went up; `moved`: it had gone 4 pixels or more since it went down.
    Release {
        /// Which.
        button: Button,
        /// Where.
        place: [f64; 2],
        /// Whether this ends a drag rather than a click.
        moved: bool,
    },
    /// The cursor left the canvas.
    Leave,
    /// A place was typed: as a click there, without snapping.
    Typed([f64; 2]),
    /// `Enter`.
    Finish,
    /// `Backspace`.
    StepBack,
}

/// What a tool wants to happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Show the document as it would be; `None` shows it as it is.
    Preview(Option<Command>),
    /// Change the document, as one undo step.
    Commit(String, Command),
    /// Select this.
    Select(Selection),
    /// Say this for a while.
    Hint(String),
    /// Open the menu of the thing under the cursor.
    Menu(Option<Item>),
    /// Open the menu of all things at a place.
    MenuOfAll([f64; 2]),
    /// Ask what is at a place.
    Ask([f64; 2]),
    /// Go to a level.
    Level(i8),
}

/// All a tool may know.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The document without the preview.
    pub document: &'a Document,
    /// The same without what the mouse passes over.
    pub pickable: &'a Document,
    /// The current level.
    pub level: i8,
    /// What is selected.
    pub selection: &'a Selection,
    /// Modifier keys.
    pub keys: Keys,
    /// How points snap.
    pub snap: SnapSettings,
    /// Size of a pixel in squares.
    pub pixel: f64,
    /// What is typed: set by [`Tools`].
    pub exact: Exact,
    /// How large the reference pictures are.
    pub pictures: &'a Sizes,
    /// Imported geometry, where it was read.
    pub geometry: &'a Geometries,
    /// World height above which the canvas shows nothing of it.
    pub cut: f64,
    /// In the 3D view, the geometry under the mouse, if any; on the canvas it is looked for from above.
    pub aimed: Option<Option<GeometryId>>,
    /// World y of the surface under the mouse on the 3D view.
    pub surface: Option<f64>,
}

/// A surface is at a level's elevation if it is no farther from it than this, whatever the agents climb.
const LEAST_CLIMB: f64 = 0.05;

impl Context<'_> {
    /// The geometry that a click at a place would take where nothing is drawn.
    #[must_use]
    pub fn geometry_at(&self, place: [f64; 2]) -> Option<GeometryId> {
        let free = |id: GeometryId| self.pickable.geometry(id).is_some();
        match self.aimed {
            Some(aimed) => aimed.filter(|&id| free(id)),
            None => self.geometry.at(place, self.cut, &free),
        }
    }

    /// The outline around an item of geometry.
    #[must_use]
    pub fn hull(&self, id: GeometryId) -> Vec<[f64; 2]> {
        let found = self.geometry.get(id).zip(self.document.geometry(id));
        found.map(|(loaded, item)| loaded.hull_at(item)).unwrap_or_default()
    }

    /// A link's end at a place. It gets a height of its own where the surface under the mouse is farther from the level's
    /// elevation than every class climbs: there it would not attach.
    #[must_use]
    pub fn link_spot(&self, at: [f64; 2]) -> Spot {
        let climbs = self.document.classes.iter().map(|class| f64::from(class.climb));
        let climb = climbs.fold(f64::INFINITY, f64::min).max(LEAST_CLIMB);
        let floor = self.document.height_of(self.level);
        let y = self.surface_y().filter(|y| (y - floor).abs() > climb);
        Spot { at, level: self.level, y }
    }

    /// A place to ask about. It gets the height of the surface under the mouse where floors of one level can lie over each
    /// other; elsewhere the level tells the floor, and goes on telling it when it is raised.
    #[must_use]
    pub fn test_spot(&self, at: [f64; 2]) -> Spot {
        Spot { at, level: self.level, y: self.surface_y().filter(|_| self.document.stacks_floors()) }
    }

    fn surface_y(&self) -> Option<f64> {
        self.surface.map(|y| (y * FINEST).round() / FINEST + 0.0)
    }

    /// World y of the floor under the mouse on which an area would be drawn, where that is not the level's plane.
    #[must_use]
    pub fn floor(&self) -> Option<f64> {
        let (level, reach) = (self.document.height_of(self.level), least_climb(self.document));
        self.surface_y().filter(|y| self.document.stacks_floors() && (y - level).abs() > reach)
    }

    /// Snaps a place; areas for which `skip` holds are not joined.
    #[must_use]
    pub fn snapped(&self, place: [f64; 2], skip: &dyn Fn(AreaId) -> bool) -> Snapped {
        self.rules(skip).snap(place)
    }

    /// Snaps a place to the grid or the square's edge only.
    #[must_use]
    pub fn snapped_to_grid(&self, place: [f64; 2]) -> Snapped {
        self.to_grid().snapped(place, &|_| true)
    }

    /// Where what was at `from` and is dragged to `aim` comes to lie: by a typed move, along a kept axis, else snapped.
    /// `shift`: whether `Shift` keeps an axis.
    #[must_use]
    pub fn landed(
        &self,
        from: [f64; 2],
        aim: [f64; 2],
        shift: bool,
        skip: &dyn Fn(AreaId) -> bool,
    ) -> Snapped {
        if let Some(place) = self.exact.moved(from, aim) {
            return Snapped { place, kind: SnapKind::Typed };
        }
        match self.axis(from, aim, shift) {
            Some(axis) => self.rules(skip).snap_along(from, axis, aim),
            None => self.snapped(aim, skip),
        }
    }

    /// As [`Context::landed`], joining nothing.
    #[must_use]
    pub fn landed_on_grid(&self, from: [f64; 2], aim: [f64; 2]) -> Snapped {
        self.to_grid().landed(from, aim, true, &|_| true)
    }

    /// The axis that a drag keeps to: the locked one, else with `Shift` the one it has gone farther along.
    #[must_use]
    pub fn axis(&self, from: [f64; 2], aim: [f64; 2], shift: bool) -> Option<usize> {
        let wider = (shift && self.keys.shift).then(|| typed::wider(from, aim));
        self.exact.axis.or(wider)
    }

    fn to_grid(self) -> Self {
        Self { snap: SnapSettings { join: false, ..self.snap }, ..self }
    }

    fn rules<'a>(&'a self, skip: &'a dyn Fn(AreaId) -> bool) -> Rules<'a> {
        Rules { document: self.document, settings: self.snap, keys: self.keys, pixel: self.pixel, skip }
    }
}

/// What a tool shows on top of the drawing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Feedback {
    /// In world coordinates.
    pub shapes: Vec<Shape>,
    /// A word at a place.
    pub word: Option<([f64; 2], String)>,
    /// The snap that won, for the status bar.
    pub snap: Option<SnapKind>,
}

/// All tools, with the one in use.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    kind: ToolKind,
    select: SelectTool,
    draw: DrawTool,
    link: LinkTool,
    inspect: InspectTool,
    /// The markers of the path test stay while other tools are used.
    pub test: TestTool,
    /// So does the walker,
    pub play: PlayTool,
    /// and what was measured.
    pub measure: MeasureTool,
    typed: Typed,
}

impl Tools {
    /// The tool in use.
    #[must_use]
    pub fn kind(&self) -> ToolKind {
        self.kind
    }

    /// Takes another tool; what the old one had begun is dropped.
    pub fn take(&mut self, kind: ToolKind) {
        self.reset();
        self.kind = kind;
        self.draw.kind = if kind == ToolKind::Hole { AreaKind::Hole } else { AreaKind::Walk };
    }

    /// Tells the tool in use what happened.
    pub fn event(&mut self, event: Event, context: &Context<'_>) -> Vec<Effect> {
        let event = match (event, self.typed.exact().place()) {
            // A typed place is put by Enter; a typed move is part of the drag that Enter ends.
            (Event::Finish, Some(place)) if !self.dragging() => {
                self.typed = Typed::default();
                Event::Typed(place)
            }
            (Event::Finish, None) if !self.dragging() && !self.typed.is_empty() => {
                return hint("a place is typed as two numbers: 12.3, 4");
            }
            (event, _) => event,
        };
        let context = Context { exact: self.typed.exact(), ..*context };
        let effects = match self.kind {
            ToolKind::Select => self.select.event(event, &context),
            ToolKind::Walk | ToolKind::Hole => self.draw.event(event, &context),
            ToolKind::Link => self.link.event(event, &context),
            ToolKind::Test => self.test.event(event, &context),
            ToolKind::Play => self.play.event(event, &context),
            ToolKind::Inspect => self.inspect.event(event),
            ToolKind::Measure => self.measure.event(event, &context),
        };
        let ends = matches!(event, Event::Finish | Event::Release { .. } | Event::Press(Button::Right, _));
        if ends {
            self.typed = Typed::default();
        }
        effects
    }

    /// Takes a typed letter; whether it means something to the tool: in a drag an exact move, in tools that put points a
    /// place.
    pub fn type_letter(&mut self, letter: char) -> bool {
        let moves = self.moves();
        let places =
            matches!(self.kind, ToolKind::Walk | ToolKind::Hole | ToolKind::Link | ToolKind::Measure);
        (moves || places && !self.dragging()) && self.typed.push(letter, moves)
    }

    /// Takes the last typed letter back; whether there was one.
    pub fn untype(&mut self) -> bool {
        self.typed.pop()
    }

    /// Drops what is typed; whether there was anything.
    pub fn drop_typed(&mut self) -> bool {
        !std::mem::take(&mut self.typed).is_empty()
    }

    /// What is typed.
    #[must_use]
    pub fn typed(&self) -> &Typed {
        &self.typed
    }

    /// What the tool in use shows.
    #[must_use]
    pub fn feedback(&self, context: &Context<'_>) -> Feedback {
        let context = &Context { exact: self.typed.exact(), ..*context };
        let mut feedback = match self.kind {
            ToolKind::Select => self.select.feedback(context),
            ToolKind::Walk | ToolKind::Hole => self.draw.feedback(context),
            ToolKind::Link => self.link.feedback(context),
            ToolKind::Test | ToolKind::Inspect => Feedback::default(),
            ToolKind::Play => self.play.feedback(context),
            ToolKind::Measure => self.measure.feedback(context),
        };
        if !self.typed.is_empty() {
            let typed = self.typed.word();
            let word = match feedback.word.take() {
                Some((at, word)) if self.moves() && !word.is_empty() => (at, format!("{typed}  {word}")),
                Some((at, _)) => (at, typed),
                None => (self.typed.exact().place().unwrap_or_default(), typed),
            };
            feedback.word = Some(word);
        }
        feedback
    }

    /// Drops what the tool in use has begun. Whether there was anything.
    pub fn reset(&mut self) -> bool {
        let begun = self.busy();
        self.select = SelectTool::default();
        self.draw = DrawTool::new(self.draw.kind);
        self.link = LinkTool::default();
        self.test.release();
        self.play.release();
        self.measure.release();
        self.typed = Typed::default();
        begun
    }

    /// Whether the tool in use has begun something that `Esc` would drop.
    #[must_use]
    pub fn busy(&self) -> bool {
        match self.kind {
            ToolKind::Select => self.select.busy(),
            ToolKind::Walk | ToolKind::Hole => self.draw.busy(),
            ToolKind::Link => self.link.busy(),
            ToolKind::Test => self.test.busy(),
            ToolKind::Play => self.play.busy(),
            ToolKind::Inspect => false,
            ToolKind::Measure => self.measure.busy(),
        }
    }

    /// Whether a mouse drag is under way.
    #[must_use]
    pub fn dragging(&self) -> bool {
        match self.kind {
            ToolKind::Walk | ToolKind::Hole => self.draw.dragging(),
            ToolKind::Link => self.link.dragging(),
            _ => self.busy(),
        }
    }

    /// Whether something is held that a typed number would move.
    #[must_use]
    pub fn moves(&self) -> bool {
        match self.kind {
            ToolKind::Select => self.select.moves(),
            ToolKind::Walk | ToolKind::Hole => self.draw.moves(),
            ToolKind::Link => self.link.moves(),
            _ => false,
        }
    }

    /// Whether what is dragged stands on the surface under the mouse, as ends of links and places of the path test do.
    #[must_use]
    pub fn holds_what_stands(&self) -> bool {
        match self.kind {
            ToolKind::Select => self.select.holds_link_end(),
            ToolKind::Link => self.link.moves(),
            ToolKind::Test => self.test.busy(),
            _ => false,
        }
    }

    /// Takes back a step inside what has begun. Whether there was one.
    pub fn undo(&mut self) -> bool {
        self.draws() && self.draw.undo()
    }

    /// Returns a step inside what has begun. Whether there was one.
    pub fn redo(&mut self) -> bool {
        self.draws() && self.draw.redo()
    }

    /// Points of the area being drawn.
    #[must_use]
    pub fn draft(&self) -> &[[f64; 2]] {
        if self.draws() { self.draw.points() } else { &[] }
    }

    /// World y of the floor that an area is being drawn on, where that is not its level's plane.
    #[must_use]
    pub fn draft_floor(&self) -> Option<f64> {
        if self.draws() { self.draw.floor() } else { None }
    }

    /// Where the link begins that is being drawn.
    #[must_use]
    pub fn link_start(&self) -> Option<Spot> {
        if self.kind == ToolKind::Link { self.link.begun() } else { None }
    }

    /// Whether areas are drawn.
    #[must_use]
    pub fn draws(&self) -> bool {
        matches!(self.kind, ToolKind::Walk | ToolKind::Hole)
    }

    /// Whether the tool puts something where it is clicked.
    #[must_use]
    pub fn puts(&self) -> bool {
        self.kind != ToolKind::Select
    }

    /// What each button does now, for the status bar.
    #[must_use]
    pub fn help(&self, context: &Context<'_>) -> String {
        match self.kind {
            ToolKind::Select => self.select.help(context),
            ToolKind::Walk | ToolKind::Hole => self.draw.help(),
            ToolKind::Link => self.link.help(),
            ToolKind::Test => self.test.help(),
            ToolKind::Play => self.play.help(),
            ToolKind::Inspect => "Left: what is here, and why · Right: menu of all things here".to_owned(),
            ToolKind::Measure => self.measure.help(),
        }
    }
}

/// The parts of effects that several tools give.
fn hint(text: impl Into<String>) -> Vec<Effect> {
    vec![Effect::Hint(text.into())]
}
