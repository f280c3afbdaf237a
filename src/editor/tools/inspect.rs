//! Inspect: a click asks what is at a place, the right button offers all things there.

use super::event::{Button, Effect, Event};

/// The inspect tool has nothing to remember.
#[derive(Clone, Copy, Debug, Default)]
pub struct InspectTool;

impl InspectTool {
    pub(super) fn event(&self, event: Event) -> Vec<Effect> {
        match event {
            Event::Release { button: Button::Left, place, .. } | Event::Typed(place) => {
                vec![Effect::Ask(place)]
            }
            Event::Release { button: Button::Right, place, moved: false } => {
                vec![Effect::MenuOfAll(place)]
            }
            _ => Vec::new(),
        }
    }
}
