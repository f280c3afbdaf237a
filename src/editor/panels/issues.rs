//! What the bake found, worst first; a click selects and shows it.

use egui::{AtomExt as _, Button, RichText, ScrollArea, Ui, vec2};

use super::words;
use crate::bake::Severity;
use crate::editor::state::State;
use crate::editor::style;

const ROW: f32 = 22.0;

/// Shows the list.
pub fn show(ui: &mut Ui, state: &mut State) {
    let [errors, warnings, notes] = state.issue_counts();
    ui.horizontal(|ui| {
        for (count, severity) in
            [(errors, Severity::Error), (warnings, Severity::Warning), (notes, Severity::Note)]
        {
            let color =
                if count == 0 { style::of(ui.ctx()).weak } else { style::severity_color(ui.ctx(), severity) };
            ui.label(RichText::new(format!("{} {count}", words::sign(severity))).color(color).size(12.0));
        }
    });
    if let Some(failure) = state.bake.failure.as_ref().filter(|_| !state.fresh()) {
        let color = style::severity_color(ui.ctx(), Severity::Error);
        ui.label(RichText::new(format!("{} {failure}", words::sign(Severity::Error))).color(color));
    }
    let count = state.issues().len();
    if count == 0 {
        let text = match (&state.bake.shown, &state.bake.failure) {
            (None, Some(_)) => "",
            (None, None) => "Not baked yet.",
            (Some(_), _) => "Nothing found.",
        };
        ui.label(RichText::new(text).color(style::of(ui.ctx()).weak));
        return;
    }
    let mut picked = None;
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, count, |ui, range| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let width = ui.available_width();
        for index in range {
            let Some(issue) = state.issues().get(index) else { continue };
            let severity = issue.kind.severity();
            let text = (
                RichText::new(words::sign(severity)).color(style::severity_color(ui.ctx(), severity)),
                RichText::new(&issue.message).atom_shrink(true),
            );
            let place = format!("level {} · {}", issue.level, words::place(issue.place));
            let colors = style::of(ui.ctx());
            let beside = if state.issue == Some(index) { colors.on_accent } else { colors.weak };
            let button = Button::selectable(state.issue == Some(index), text)
                .truncate()
                .right_text(RichText::new(place).small().color(beside))
                .min_size(vec2(width, ROW));
            let response = ui.add(button);
            let label = format!("Issue: {}: {}", words::severity(severity), issue.message);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label.clone()));
            if response.on_hover_text(issue.message.clone()).clicked() {
                picked = Some(index);
            }
        }
    });
    if let Some(index) = picked {
        state.go_to_issue(index);
    }
}
