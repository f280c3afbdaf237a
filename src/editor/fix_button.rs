//! The button that repairs an issue, in the list and on cards.

use egui::{Button, RichText, Ui, vec2};

use crate::project::fix::Fix;

/// A small button that does something about an issue; whether it was clicked.
pub(super) fn fix_button(ui: &mut Ui, fix: &Fix) -> bool {
    let text = RichText::new(&fix.name).size(12.0);
    let response = ui.add(Button::new(text).min_size(vec2(0.0, 19.0)));
    response.on_hover_text(&fix.help).clicked()
}
