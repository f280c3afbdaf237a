//! The steps that were done and undone, by name; a click goes there.

use std::cmp::Ordering;

use egui::{Button, RichText, ScrollArea, Ui, vec2};

use crate::editor::state::State;
use crate::editor::style;

const ROW: f32 = 20.0;

/// Shows the list, newest last.
pub fn show(ui: &mut Ui, state: &mut State) {
    let done = state.history.past().len();
    let first = std::iter::once("Opened".to_owned());
    let names: Vec<String> =
        first.chain(state.history.past().chain(state.history.future()).map(str::to_owned)).collect();
    let mut wanted = None;
    ui.spacing_mut().item_spacing.y = 1.0;
    ScrollArea::vertical().id_salt("history").auto_shrink(false).stick_to_bottom(true).show_rows(
        ui,
        ROW,
        names.len(),
        |ui, range| {
            for index in range {
                let colors = style::of(ui.ctx());
                let color = match index.cmp(&done) {
                    Ordering::Less => colors.text,
                    Ordering::Equal => colors.on_accent,
                    Ordering::Greater => colors.weak,
                };
                let button = Button::selectable(index == done, RichText::new(&names[index]).color(color));
                let response =
                    ui.add(button.truncate().right_text("").min_size(vec2(ui.available_width(), ROW)));
                let label = format!("Step {index}: {}", names[index]);
                response.widget_info(|| {
                    egui::WidgetInfo::selected(egui::Role::Button, true, index == done, label.clone())
                });
                if response.clicked() {
                    wanted = Some(index);
                }
            }
        },
    );
    if let Some(index) = wanted.filter(|&index| index != done) {
        state.jump(index);
    }
}
