//! The canvas's colours among the preferences.

use egui::{ComboBox, Ui};

use super::fields;
use crate::draw::{LEAST_CONTRAST, Rgba, Sight, Theme};
use crate::editor::preferences::{Own, Preferences, Preset};

const PRESETS: [(Preset, &str); 3] =
    [(Preset::Standard, "Standard"), (Preset::HighContrast, "High contrast"), (Preset::Own, "Own")];

const SIGHTS: [(Sight, &str); 4] = [
    (Sight::Usual, "Usual sight"),
    (Sight::Protanopia, "Protanopia (no red)"),
    (Sight::Deuteranopia, "Deuteranopia (no green)"),
    (Sight::Tritanopia, "Tritanopia (no blue)"),
];

/// Shows the choice of colours, and of eyes to see them with.
pub(in crate::editor) fn show(ui: &mut Ui, preferences: &mut Preferences) {
    fields::row(ui, "Canvas colours", |ui, name| {
        let now =
            PRESETS.iter().find(|(preset, _)| *preset == preferences.preset).map_or("", |(_, name)| name);
        let combo = ComboBox::from_id_salt("preset").selected_text(now).width(150.0);
        let shown = combo.show_ui(ui, |ui| {
            for (preset, name) in PRESETS {
                ui.selectable_value(&mut preferences.preset, preset, name);
            }
        });
        shown.response.labelled_by(name);
    });
    if preferences.preset == Preset::Own {
        own(ui, &mut preferences.own);
    }
    fields::row(ui, "Seen with", |ui, name| {
        let now = SIGHTS.iter().find(|(sight, _)| *sight == preferences.sight).map_or("", |(_, name)| name);
        let combo = ComboBox::from_id_salt("sight").selected_text(now).width(190.0);
        let shown = combo.show_ui(ui, |ui| {
            for (sight, name) in SIGHTS {
                ui.selectable_value(&mut preferences.sight, sight, name);
            }
        });
        shown.response.labelled_by(name);
    });
    fields::explain(ui, "Shows the canvas as colour-blind people see it, until the window is closed.");
}

fn own(ui: &mut Ui, own: &mut Own) {
    let ground = Theme { dark: ui.ctx().theme() == egui::Theme::Dark, ..Theme::DARK }.background();
    let rows: [(&'static str, &mut [u8; 3]); 7] = [
        ("Walk area", &mut own.walk),
        ("Hole", &mut own.hole),
        ("Other levels", &mut own.other_levels),
        ("Stitched border", &mut own.stitched),
        ("Unstitched border", &mut own.unstitched),
        ("Link", &mut own.link),
        ("Path", &mut own.path),
    ];
    for (thing, color) in rows {
        let [red, green, blue] = *color;
        let contrast = Rgba([red, green, blue, 255]).contrast(ground);
        fields::row(ui, thing, |ui, name| {
            ui.color_edit_button_srgb(color).labelled_by(name);
            if contrast < LEAST_CONTRAST {
                ui.label(format!("{contrast:.1} : 1, gets a rim"));
            }
        });
    }
    if ui.button("Standard colours").clicked() {
        *own = Own::default();
    }
}
