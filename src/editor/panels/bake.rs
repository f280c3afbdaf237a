//! How the mesh stands to the drawing, and what is in it.

use egui::{RichText, Ui};

use super::{fields, stages};
use crate::editor::action::Action;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::told;
use crate::editor::words::many;
use crate::editor::worker::Mode;

/// Least width that has room for all buttons in one row.
const ONE_ROW: f32 = 245.0;
/// Least height that has room for large numbers, below the buttons.
const LOW: f32 = 104.0;

/// Shows the panel; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let mut picked = None;
    // The panel is low: rows are dear.
    let one_row = ui.available_width() >= ONE_ROW;
    ui.horizontal(|ui| {
        mode(ui, state);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if one_row {
                picked = bake_button(ui, state);
            }
            let (name, help) = match state.bake_mode() {
                Mode::Flat => ("Live", "Bake after every change (Shift+B)"),
                Mode::Voxel => ("Auto", "Bake 0.8 s after the last change (Shift+B)"),
            };
            ui.checkbox(&mut state.bake.live, name).on_hover_text(help);
        });
    });
    if !one_row {
        ui.horizontal(|ui| picked = bake_button(ui, state));
    }
    if let Some(progress) = state.bake.progress {
        let bar = egui::ProgressBar::new(progress.part()).desired_height(6.0);
        let response = ui.add(bar);
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, progress.words()));
    }
    let low = ui.available_height() < LOW;
    egui::ScrollArea::vertical().id_salt("bake").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        // What is looked at comes first; that the mesh is fresh is said below the canvas, too.
        let stage = state.shown.overlays.stage;
        if !(stage && state.fresh()) {
            said(ui, state);
        }
        if stage {
            stages::show(ui, state);
            ui.separator();
            counts(ui, state, low);
        } else {
            counts(ui, state, low);
            stages::show(ui, state);
        }
        ui.add_space(3.0);
        levels(ui, state);
    });
    picked
}

fn mode(ui: &mut Ui, state: &mut State) {
    let mode = state.bake_mode();
    for (way, name, help) in [
        (Mode::Flat, "Flat", "Bakes the drawn areas alone, exactly"),
        (Mode::Voxel, "Voxel", "Bakes drawn areas and imported geometry by voxels"),
    ] {
        if ui.selectable_label(mode == way, name).on_hover_text(help).clicked() {
            state.pick_mode(way);
        }
    }
}

/// Bakes, or ends a long bake.
fn bake_button(ui: &mut Ui, state: &State) -> Option<Action> {
    if state.bake_mode() == Mode::Voxel && state.baking() {
        let cancel = ui.button("Cancel").on_hover_text("Stops the bake; the mesh before stays (Esc)");
        return cancel.clicked().then_some(Action::CancelBake);
    }
    let now = ui.button("Bake now").on_hover_text("Bakes the whole map (B)");
    now.clicked().then_some(Action::BakeNow)
}

/// How the mesh stands to the drawing, and how much of it the last bake made.
fn said(ui: &mut Ui, state: &State) {
    let colors = style::of(ui.ctx());
    ui.horizontal_wrapped(|ui| {
        let fresh = state.fresh() && !told::is_of_lost_geometry(state);
        let color = if fresh { colors.good } else { colors.weak };
        ui.label(RichText::new(told::bake(state)).color(color).size(12.0));
        let shown = state.bake.shown.as_ref().filter(|baked| baked.mode == Mode::Voxel && state.fresh());
        if let Some(baked) = shown {
            let text = format!("· {} made anew", many(baked.fresh_tiles, "tile column"));
            ui.label(RichText::new(text).size(10.5).color(colors.weak)).on_hover_text("By the last bake");
        }
    });
}

fn counts(ui: &mut Ui, state: &State, low: bool) {
    let Some(baked) = &state.bake.shown else { return };
    let counts = &baked.counts;
    let numbers = [
        ("polygons", counts.polygons),
        ("links", counts.links),
        ("islands", counts.islands),
        ("tiles", counts.tiles),
    ];
    let colors = style::of(ui.ctx());
    if low {
        ui.horizontal_wrapped(|ui| {
            for (name, count) in numbers {
                ui.spacing_mut().item_spacing.x = 3.0;
                ui.label(RichText::new(count.to_string()).size(12.0).color(colors.strong));
                let name = if count == 1 { name.trim_end_matches('s') } else { name };
                ui.label(RichText::new(name).size(10.5).color(colors.weak));
                ui.add_space(5.0);
            }
        });
        return;
    }
    ui.columns(numbers.len(), |columns| {
        for (column, (name, count)) in columns.iter_mut().zip(numbers) {
            column.label(RichText::new(count.to_string()).size(17.0).color(colors.strong));
            column.label(RichText::new(name).size(10.5).color(colors.weak));
        }
    });
}

fn levels(ui: &mut Ui, state: &State) {
    let Some(baked) = &state.bake.shown else { return };
    for (level, area) in baked.counts.area.iter().rev() {
        ui.spacing_mut().interact_size.y = 16.0;
        let small = |text: String| RichText::new(text).size(11.5);
        fields::row(ui, &format!("Level {level}"), |ui, _| ui.label(small(format!("{area:.1} squares"))));
    }
}
