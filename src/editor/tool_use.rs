//! The tool in use: what it is told, and what becomes of its answers.

use super::aim::Aim;
use super::selection::Selection;
use super::state::{State, Tone};
use super::tools::{Button, Context, Effect, Event, Exact, Keys, ToolKind};

impl State {
    /// What a tool may know.
    #[must_use]
    pub fn context(&self, keys: Keys) -> Context<'_> {
        Context {
            document: self.history.gesture_start().unwrap_or_else(|| self.history.document()),
            pickable: self
                .marks
                .pickable(self.history.gesture_start().unwrap_or_else(|| self.history.document())),
            level: self.level,
            selection: &self.selection,
            keys,
            snap: self.snap,
            pixel: self.pixel.unwrap_or(1.0 / self.camera.scale),
            exact: Exact::default(),
            pictures: &self.picture_sizes,
            geometry: &self.geometry,
            cut: self.ground_cut(),
            aimed: self.aim.map(|aim| aim.geometry),
            surface: self.aim.and_then(|aim| aim.y),
        }
    }

    /// Tells the tool in use what happened, and does what it wants.
    pub fn tool_event(&mut self, event: Event, keys: Keys) -> bool {
        // The tools are no part of what they may know.
        let mut tools = std::mem::take(&mut self.tools);
        let effects = tools.event(event, &self.context(keys));
        self.tools = tools;
        let mut menu = false;
        for effect in effects {
            menu |= matches!(effect, Effect::Menu(_) | Effect::MenuOfAll(_));
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
            Effect::Level(level) => self.level = level,
            Effect::Ask(place) => self.ask(place),
            Effect::MenuOfAll(place) => self.menu_of_all = Some(place),
            Effect::Menu(item) => {
                self.menu_of_all = None;
                self.menu_item = item;
                if let Some(item) = item
                    && !self.selection.has(item)
                {
                    self.selection = Selection::item(item);
                }
            }
        }
    }

    /// Does something as if the aim's level were the current one and its pixels those of the canvas.
    pub fn aimed<R>(&mut self, aim: &Aim, act: impl FnOnce(&mut Self) -> R) -> R {
        let (level, pixel) = (self.level, self.pixel);
        (self.level, self.pixel) = (aim.level, Some(aim.pixel));
        let done = act(self);
        self.pixel = pixel;
        // What goes to another level by itself stays there.
        if self.level == aim.level {
            self.level = level;
        }
        done
    }

    /// Takes another tool.
    pub fn take_tool(&mut self, kind: ToolKind) {
        // To test the bake is to bake as the exporter does: nothing of the last one is kept.
        self.complete_wanted |= kind == ToolKind::Test && self.tools.kind() != ToolKind::Test;
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
        if self.tools.drop_typed() || self.tools.reset() {
            return;
        }
        // Bad news stay until they are dismissed; what passes by itself goes along with what Esc does.
        if self.message.take().is_some_and(|message| message.tone == Tone::Bad) {
            return;
        }
        if self.cross.is_some() && !self.selection.points().is_empty() {
            // By keys one came into the points by Enter: Esc leads out of them.
            self.selection = self.selection.without_points();
        } else if !self.selection.is_empty() {
            self.selection = Selection::default();
        } else if !self.forget() {
            self.tools.take(ToolKind::Select);
        }
    }

    /// Whether a drag or a drawing goes on.
    #[must_use]
    pub fn in_hand(&self) -> bool {
        self.tools.dragging() || !self.tools.draft().is_empty()
    }

    /// Takes away what the tool in use has put on the canvas. Whether there was anything.
    fn forget(&mut self) -> bool {
        match self.tools.kind() {
            ToolKind::Test => self.tools.test.clear(),
            ToolKind::Play => self.tools.play.clear(),
            ToolKind::Measure => self.tools.measure.clear(),
            ToolKind::Inspect => self.asked.take().is_some(),
            ToolKind::Select | ToolKind::Walk | ToolKind::Hole | ToolKind::Link => false,
        }
    }
}
