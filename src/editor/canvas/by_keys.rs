//! The canvas as a widget that keys work on: who has the keyboard, what `Tab` does, and the cross-hair.

use egui::{
    Context, Event, EventFilter, FocusDirection, Id, Key, Painter, Pos2, Rect, Stroke, StrokeKind, Ui,
};

use crate::draw::View;
use crate::editor::state::State;
use crate::editor::style;

/// The cross-hair, and a frame while the canvas, by its `id`, has the keyboard and is used by keys.
pub(super) fn paint_keyboard(
    ui: &Ui,
    id: Option<Id>,
    painter: &Painter,
    view: &View,
    state: &State,
    rect: Rect,
) {
    let Some(cross) = state.cross else { return };
    if state.tools.puts() || state.selection.is_empty() {
        cross_hair(painter, view.pixel_from_world(cross).into(), rect);
    }
    if id.is_some_and(|id| ui.memory(|memory| memory.has_focus(id))) {
        let line = Stroke::new(2.0, style::of(ui.ctx()).accent);
        painter.rect_stroke(rect, 0.0, line, StrokeKind::Inside);
    }
}

/// `Tab` and `Shift+Tab`: first the canvas takes the keyboard, then thing after thing is selected, then the next widget
/// takes it.
pub(super) fn next_thing(context: &Context, id: Id, state: &mut State, forward: bool) {
    let held = context.memory(|memory| memory.has_focus(id));
    context.memory_mut(|memory| {
        memory.request_focus(id);
        memory.move_focus(FocusDirection::None);
    });
    if !state.next_thing(forward) && held {
        let direction = if forward { FocusDirection::Next } else { FocusDirection::Previous };
        context.memory_mut(|memory| memory.move_focus(direction));
    }
}

/// While the canvas has the keyboard, `Tab`, arrows and `Esc` are its own, and screen readers are told what is selected.
pub(in crate::editor) fn hold_keyboard(ui: &Ui, id: Id, state: &State) {
    let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    ui.ctx().accesskit_node_builder(id, |node| node.set_value(state.canvas_words()));
}

/// Whether an event is a key whose letter goes into a typed number.
#[must_use]
pub fn types(event: &Event) -> bool {
    const KEYS: [Key; 21] = [
        Key::Num0,
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
        Key::X,
        Key::Y,
        Key::Z,
        Key::Minus,
        Key::Plus,
        Key::Period,
        Key::Comma,
        Key::Semicolon,
        Key::Space,
        Key::Backspace,
        Key::Equals,
    ];
    matches!(event, Event::Key { key, modifiers, .. } if KEYS.contains(key) && !modifiers.command)
}

/// Where `Space` would click.
fn cross_hair(painter: &Painter, at: Pos2, rect: Rect) {
    let colors = style::of(painter.ctx());
    let faint = Stroke::new(1.0, colors.weak.gamma_multiply(0.6));
    painter.hline(rect.x_range(), at.y, faint);
    painter.vline(at.x, rect.y_range(), faint);
    painter.circle_stroke(at, 6.0, Stroke::new(3.5, colors.plate));
    painter.circle_stroke(at, 6.0, Stroke::new(1.5, colors.strong));
}
