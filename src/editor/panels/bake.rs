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
        fields::head(ui, "BAKE");
        let color = if state.fresh() { style::GOOD } else { style::TEXT_WEAK };
        ui.label(RichText::new(words::bake(state)).color(color).size(12.0));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Bake now").on_hover_text("Bakes the whole map (B)").clicked() {
                picked = Some(Action::BakeNow);
            }
        });
    });
    let Some(baked) = &state.bake.shown else { return picked };
    egui::ScrollArea::vertical().id_salt("bake").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let counts = &baked.counts;
        ui.columns(2, |columns| {
            let rows = [
                (0, "Polygons", counts.polygons),
                (0, "Links", counts.links),
                (1, "Islands", counts.islands),
                (1, "Tiles", counts.tiles),
            ];
            for (column, name, count) in rows {
                fields::value(&mut columns[column], name, count.to_string());
            }
        });
        for (level, area) in counts.area.iter().rev() {
            fields::value(ui, &format!("Level {level}"), format!("{area:.1} sq²"));
        }
    });
    picked
}
