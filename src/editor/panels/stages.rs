//! The stages of the bake: which tile and stage is shown, what the stage made and took, and what it cost.

use egui::{Color32, RichText, Role, Slider, Ui, WidgetInfo};

use super::fields;
use crate::draw::StagePicture;
use crate::editor::overlays::Overlay;
use crate::editor::stage::MOST_TILES;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;

/// Shows the section.
pub(super) fn show(ui: &mut Ui, state: &mut State) {
    let mut on = state.shown.overlays.stage;
    ui.horizontal(|ui| {
        let help = "What each stage of the bake made of a tile (8); keys , and . go through them";
        if ui.checkbox(&mut on, "Stages").on_hover_text(help).changed() {
            state.turn_overlay(Overlay::Stage);
        }
        if !on {
            return;
        }
        tile(ui, state);
    });
    if !on {
        return;
    }
    if let Some(why) = &state.stage.failure {
        ui.label(RichText::new(format!("No stages: {why}")).color(ui.visuals().error_fg_color));
        return;
    }
    let count = state.stage.stages.len();
    if count == 0 {
        let text = if state.stage.waits() { "Looking…" } else { "There is no floor in this tile." };
        ui.label(RichText::new(text).color(style::of(ui.ctx()).weak));
        return;
    }
    state.stage.index = state.stage.index.min(count - 1);
    ui.horizontal(|ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - 96.0).clamp(60.0, 320.0);
        let name = state.stage.stages[state.stage.index].name;
        let slider = Slider::new(&mut state.stage.index, 0..=count - 1).show_value(false);
        let response = ui.add(slider);
        response.widget_info(|| WidgetInfo {
            label: Some("Stage".to_owned()),
            ..WidgetInfo::slider(true, 0.0, name)
        });
        let help = "Shows only what this stage took away";
        ui.checkbox(&mut state.stage.difference, "Difference").on_hover_text(help);
    });
    let Some(shown) = state.stage.shown() else { return };
    let colors = style::of(ui.ctx());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let number = format!("{}/{count}", state.stage.index + 1);
        ui.label(RichText::new(number).size(11.0).color(colors.weak));
        ui.label(RichText::new(shown.name).strong().color(colors.strong)).on_hover_text(shown.help);
        ui.label(RichText::new(words::stage_cost(shown)).size(11.5).color(colors.text));
        if shown.removed_count > 0 {
            let text = format!("took away {}", shown.removed_count);
            let color = style::severity_color(ui.ctx(), crate::bake::Severity::Warning);
            ui.label(RichText::new(text).size(11.5).color(color));
        } else if state.stage.difference {
            ui.label(RichText::new("took nothing away").size(11.5).color(colors.weak));
        }
    });
    let help = shown.help;
    let picked = bars(ui, &state.stage.stages, state.stage.index);
    state.stage.index = picked.unwrap_or(state.stage.index);
    fields::explain(ui, help);
}

/// Which tile, and whether those around it are shown too.
fn tile(ui: &mut Ui, state: &mut State) {
    let Some([mut x, mut z]) = state.stage_tile() else { return };
    let before = [x, z];
    for (value, name) in [(&mut x, "Tile x"), (&mut z, "Tile z")] {
        let prefix = if name == "Tile x" { "x " } else { "z " };
        let response =
            ui.add(egui::DragValue::new(value).prefix(prefix).speed(0.05).update_while_editing(false));
        response
            .widget_info(|| WidgetInfo { label: Some(name.to_owned()), ..WidgetInfo::new(Role::SpinButton) });
        response.on_hover_text("Column and row of the tile; a click with Inspect picks one too");
    }
    if [x, z] != before {
        state.pick_stage_tile([x, z]);
    }
    let help = "The eight tiles around it are shown too";
    ui.checkbox(&mut state.stage.around, "Around").on_hover_text(help);
    let help = format!("All tiles are shown; of more than {MOST_TILES} those nearest to this one");
    ui.checkbox(&mut state.stage.all, "All").on_hover_text(help);
}

/// A bar for each stage's time; the one that was clicked.
fn bars(ui: &mut Ui, stages: &[StagePicture], current: usize) -> Option<usize> {
    let most = stages.iter().filter_map(|stage| stage.secs).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let mut picked = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let width =
            ((ui.available_width() - 2.0 * stages.len() as f32) / stages.len() as f32).clamp(4.0, 24.0);
        for (index, stage) in stages.iter().enumerate() {
            let (rect, response) = ui.allocate_exact_size(egui::vec2(width, 26.0), egui::Sense::click());
            let part = (stage.secs.unwrap_or(0.0) / most) as f32;
            let colors = style::of(ui.ctx());
            let color: Color32 =
                if index == current { colors.accent } else { colors.weak.gamma_multiply(0.6) };
            let bar = egui::Rect::from_min_max(
                egui::pos2(rect.min.x, rect.max.y - (24.0 * part).max(1.5)),
                rect.max,
            );
            ui.painter().rect_filled(bar, 1.0, color);
            let label = format!("Stage {}: {}", stage.name, words::stage_cost(stage));
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label.clone()));
            if response.on_hover_text(label).clicked() {
                picked = Some(index);
            }
        }
    });
    picked
}
