//! How the mesh stands to the drawing, and what is in it.

use egui::{RichText, Ui};

use super::{fields, words};
use crate::editor::action::Action;
use crate::editor::state::State;
use crate::editor::style;

/// Shows the panel; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let mut picked = None;
    ui.horizontal(|ui| {
        let color = if state.fresh() { style::of(ui.ctx()).good } else { style::of(ui.ctx()).weak };
        ui.label(RichText::new(words::bake(state)).color(color).size(12.0));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Bake now").on_hover_text("Bakes the whole map (B)").clicked() {
                picked = Some(Action::BakeNow);
            }
            ui.checkbox(&mut state.bake.live, "Live").on_hover_text("Bake after every change (Shift+B)");
        });
    });
    let Some(baked) = &state.bake.shown else { return picked };
    egui::ScrollArea::vertical().id_salt("bake").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let counts = &baked.counts;
        let numbers = [
            ("polygons", counts.polygons),
            ("links", counts.links),
            ("islands", counts.islands),
            ("tiles", counts.tiles),
        ];
        let colors = style::of(ui.ctx());
        ui.columns(numbers.len(), |columns| {
            for (column, (name, count)) in columns.iter_mut().zip(numbers) {
                column.label(RichText::new(count.to_string()).size(17.0).color(colors.strong));
                column.label(RichText::new(name).size(10.5).color(colors.weak));
            }
        });
        ui.add_space(3.0);
        for (level, area) in counts.area.iter().rev() {
            ui.spacing_mut().interact_size.y = 16.0;
            let small = |text: String| RichText::new(text).size(11.5);
            fields::row(ui, &format!("Level {level}"), |ui, _| ui.label(small(format!("{area:.1} squares"))));
        }
    });
    picked
}
