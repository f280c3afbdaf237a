//! The tools: small state machines that take places in the world and answer with effects.
//!
//! Reading order: `event` ([`Event`] in, [`Effect`] out), `context` (all a tool may know); [`gesture`] (drags that all
//! tools share), then one file per tool, and [`Tools`] here, which hands an event to the tool in use. A tool changes
//! nothing but itself, so it can be tested without a window.

mod context;
mod draw_area;
mod event;
pub mod gesture;
mod inspect;
mod link;
mod measure;
mod play;
mod select;
mod test_path;
mod typed;

use crate::bake::AreaKind;
use crate::project::Spot;
use event::hint;

pub use context::{Context, Feedback};
pub use draw_area::DrawTool;
pub use event::{Button, Effect, Event, Keys, ToolKind};
pub use gesture::Gesture;
pub use inspect::InspectTool;
pub use link::LinkTool;
pub use measure::MeasureTool;
pub use play::PlayTool;
pub use select::SelectTool;
pub use test_path::{Marker, TestTool};
pub use typed::{Exact, Typed};

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
