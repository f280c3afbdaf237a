//! What tools are told, and what they answer.

use crate::editor::canvas::pick::Item;
use crate::editor::selection::Selection;
use crate::project::Command;

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

/// The parts of effects that several tools give.
pub(super) fn hint(text: impl Into<String>) -> Vec<Effect> {
    vec![Effect::Hint(text.into())]
}
