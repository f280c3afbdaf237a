//! Which of the floors over each other is meant: the height of a link's end, the floor of a place of the path test.

use egui::{ComboBox, RichText, Ui};

use super::fields::COORDINATES;
use super::fields::{self, Change};
use crate::editor::floors::Floors;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;
use crate::project::Spot;

/// A list of floors to choose from, where there is a choice; the height that was chosen.
pub(super) fn choose(floors: &Floors, ui: &mut Ui, label: &str) -> Option<f64> {
    let words = floors.words()?;
    let mut chosen = None;
    let own = |index: usize| words::number(floors.heights[index]);
    fields::row(ui, label, |ui, name| {
        let shown = floors.taken.map_or_else(|| words.clone(), |taken| format!("{} · {words}", own(taken)));
        let combo = ComboBox::from_id_salt(("floors", label)).selected_text(shown).width(130.0);
        let response = combo.show_ui(ui, |ui| {
            for index in (0..floors.heights.len()).rev() {
                let text = format!("height {}", own(index));
                if ui.selectable_label(floors.taken == Some(index), text).clicked() {
                    chosen = Some(floors.typed(index));
                }
            }
        });
        response.response.labelled_by(name).on_hover_text("Floors that lie over each other here");
    });
    chosen
}

/// The height of a link's end: the level's, or one of its own.
pub(super) fn field(
    ui: &mut Ui,
    state: &mut State,
    change: &mut Change,
    label: &str,
    spot: Spot,
) -> Option<f64> {
    let mut y = spot.y;
    let level = state.document().height_of(spot.level);
    fields::row(ui, label, |ui, name| {
        let mut own = y.is_some();
        let mut height = y.unwrap_or(level);
        if own {
            let response = fields::drag(ui, 60.0, label, &mut height, COORDINATES, |field| {
                field.speed(0.02).max_decimals(3)
            })
            .labelled_by(name);
            change.note(&response);
        } else {
            let text = RichText::new(words::number(level)).color(style::of(ui.ctx()).weak);
            ui.add_sized([60.0, 20.0], egui::Label::new(text));
        }
        let help = "Off: the level's elevation, and moves with it";
        if ui.checkbox(&mut own, "own").on_hover_text(help).changed() {
            change.at_once();
        }
        y = own.then_some(height);
    });
    let floor = choose(&state.floors_at(spot), ui, &label.replace("height", "floor"));
    if let Some(floor) = floor {
        change.at_once();
        y = Some(floor);
    }
    y
}
