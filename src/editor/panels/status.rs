//! The bottom line: what the buttons do now, and where everything stands.

use egui::{RichText, Ui};

use super::words;
use crate::bake::Severity;
use crate::editor::action::Action;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::tools::Keys;

/// Shows the line; what was picked.
pub fn show(ui: &mut Ui, state: &State) -> Option<Action> {
    let mut picked = None;
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let colors = style::of(ui.ctx());
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.spacing_mut().interact_size.y = 18.0;
        ui.spacing_mut().button_padding = egui::vec2(2.0, 0.0);
        let weak = |text: String| RichText::new(text).size(11.5).color(colors.weak);
        let strong = |text: String| RichText::new(text).size(11.5).color(colors.text);
        let dot = |ui: &mut Ui| ui.label(RichText::new("·").color(colors.line));
        ui.label(weak(format!("{:.0}%", state.camera.scale / 40.0 * 100.0))).on_hover_text("Zoom");
        dot(ui);
        let word = match (state.edited(), &state.file) {
            (true, _) if state.autosaved.is_some() => ", edited, autosaved",
            (true, _) => ", edited",
            (false, Some(_)) => ", saved",
            (false, None) => "",
        };
        let text = format!("{}{word}", state.name);
        ui.label(if state.edited() { strong(text) } else { weak(text) });
        dot(ui);
        if let Some(baked) = &state.bake.shown {
            let whole = baked.counts.fingerprint.to_string();
            let short = whole.get(..8).unwrap_or(&whole).to_owned();
            ui.label(weak(short)).on_hover_text(format!("Fingerprint {whole}"));
            dot(ui);
        }
        let color =
            if state.fresh() { colors.good } else { style::severity_color(ui.ctx(), Severity::Warning) };
        ui.label(RichText::new(words::bake(state)).size(11.5).color(color));
        dot(ui);
        let [errors, warnings, notes] = state.issue_counts();
        let sign = words::sign;
        let counts = format!(
            "{} {errors}   {} {warnings}   {} {notes}",
            sign(Severity::Error),
            sign(Severity::Warning),
            sign(Severity::Note)
        );
        let worst = if errors > 0 { Severity::Error } else { Severity::Warning };
        let color = if errors + warnings > 0 { style::severity_color(ui.ctx(), worst) } else { colors.weak };
        let button = egui::Button::new(RichText::new(counts).size(11.5).color(color)).frame(false);
        if ui.add(button).on_hover_text("Errors, warnings, notes: click for the list").clicked() {
            picked = Some(Action::Issues);
        }
        dot(ui);
        if !state.selection.is_empty() {
            ui.label(weak(format!("{} selected", state.selection.len())));
            dot(ui);
        }
        let snap = state.snap_kind.as_ref().map_or("", |kind| kind.short());
        if !snap.is_empty() {
            ui.label(weak(snap.to_owned())).on_hover_text("The snap that won");
            dot(ui);
        }
        ui.label(strong(format!("L{}", state.level))).on_hover_text("The current level");
        dot(ui);
        let place = state.cursor.map_or_else(|| "–".to_owned(), |[x, z]| format!("{x:.1}, {z:.1}"));
        ui.label(strong(place)).on_hover_text("Cursor x, z in squares");
        dot(ui);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let help = state.tools.help(&state.context(Keys::default()));
            ui.add(egui::Label::new(RichText::new(help).size(11.5).color(colors.text)).truncate());
        });
    });
    picked
}
