//! The tools: small state machines that take places in the world and answer with effects.
//!
//! Reading order: [`Event`] in, [`Effect`] out, [`Context`] (all a tool may know); [`gesture`] (drags that all tools
//! share), then one file per tool. A tool changes nothing but itself, so it can be tested without a window.

mod draw_area;
pub mod gesture;
mod link;
mod select;
mod test_path;

use crate::bake::AreaKind;
use crate::draw::Shape;
use crate::editor::canvas::pick::Item;
use crate::editor::canvas::snap::{SnapKind, SnapSettings, Snapped, snap};
use crate::editor::state::Selection;
use crate::project::{AreaId, Command, Document};

pub use draw_area::DrawTool;
pub use gesture::Gesture;
pub use link::LinkTool;
pub use select::SelectTool;
pub use test_path::{Marker, TestTool};

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
}

impl Context<'_> {
    /// Snaps a place; points of areas for which `skip` holds are not joined.
    #[must_use]
    pub fn snapped(&self, place: [f64; 2], skip: &dyn Fn(AreaId) -> bool) -> Snapped {
        snap(place, self.document, self.snap, self.keys, self.pixel, skip)
    }

    /// Snaps a place to the grid or the square's edge only.
    #[must_use]
    pub fn snapped_to_grid(&self, place: [f64; 2]) -> Snapped {
        let settings = SnapSettings { join: false, ..self.snap };
        snap(place, self.document, settings, self.keys, self.pixel, &|_| true)
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
    /// The markers of the path test stay while other tools are used.
    pub test: TestTool,
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
        match self.kind {
            ToolKind::Select => self.select.event(event, context),
            ToolKind::Walk | ToolKind::Hole => self.draw.event(event, context),
            ToolKind::Link => self.link.event(event, context),
            ToolKind::Test => self.test.event(event, context),
        }
    }

    /// What the tool in use shows.
    #[must_use]
    pub fn feedback(&self, context: &Context<'_>) -> Feedback {
        match self.kind {
            ToolKind::Select => self.select.feedback(context),
            ToolKind::Walk | ToolKind::Hole => self.draw.feedback(context),
            ToolKind::Link => self.link.feedback(context),
            ToolKind::Test => Feedback::default(),
        }
    }

    /// Drops what the tool in use has begun. Whether there was anything.
    pub fn reset(&mut self) -> bool {
        let begun = self.busy();
        self.select = SelectTool::default();
        self.draw = DrawTool::new(self.draw.kind);
        self.link = LinkTool::default();
        self.test.release();
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
        }
    }

    /// Whether a mouse drag is under way.
    #[must_use]
    pub fn dragging(&self) -> bool {
        match self.kind {
            ToolKind::Select => self.select.busy(),
            ToolKind::Walk | ToolKind::Hole => self.draw.dragging(),
            ToolKind::Link => self.link.dragging(),
            ToolKind::Test => self.test.busy(),
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

    /// What each button does now, for the status bar.
    #[must_use]
    pub fn help(&self, context: &Context<'_>) -> String {
        match self.kind {
            ToolKind::Select => self.select.help(context),
            ToolKind::Walk | ToolKind::Hole => self.draw.help(),
            ToolKind::Link => self.link.help(),
            ToolKind::Test => self.test.help(),
        }
    }

    fn draws(&self) -> bool {
        matches!(self.kind, ToolKind::Walk | ToolKind::Hole)
    }
}

/// The parts of effects that several tools give.
fn hint(text: impl Into<String>) -> Vec<Effect> {
    vec![Effect::Hint(text.into())]
}
