//! The values of a reference picture.

use egui::{Slider, Ui};

use super::fields::{self, Change};
use super::fields::{COORDINATES, delete_button, level_field};
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;
use crate::project::{Command, PIXEL_SIZES, Picture};

/// Shows the section.
pub(super) fn show(ui: &mut Ui, state: &mut State, picture: &Picture) {
    fields::head(ui, "REFERENCE PICTURE");
    fields::value(ui, "File", picture.name());
    fields::explain(ui, &picture.path);
    let known = state.picture_sizes.get(&picture.id).cloned();
    if let Some(Err(why)) = &known {
        let color = style::severity_color(ui.ctx(), crate::bake::Severity::Warning);
        ui.label(egui::RichText::new(format!("Not shown: {why}")).color(color));
    }
    let mut edited = picture.clone();
    let mut change = Change::default();
    let to = &mut change;
    level_field(ui, to, state, "Level", &mut edited.level);
    fields::row(ui, "Opacity", |ui, name| {
        ui.spacing_mut().slider_width = 84.0;
        let mut per_cent = (edited.opacity * 100.0).round();
        let slider = Slider::new(&mut per_cent, 0.0..=100.0).suffix(" %").fixed_decimals(0);
        let response = ui.add(slider).labelled_by(name);
        to.note(&response);
        if response.changed() {
            edited.opacity = per_cent / 100.0;
        }
    });
    fields::number(ui, to, "Offset x", &mut edited.offset[0], COORDINATES, "")
        .on_hover_text("World x of the picture's lower left corner");
    fields::number(ui, to, "Offset z", &mut edited.offset[1], COORDINATES, "")
        .on_hover_text("World z of the picture's lower left corner");
    fields::row(ui, "Squares per pixel", |ui, name| {
        let speed = edited.squares_per_pixel * 0.005;
        let value = &mut edited.squares_per_pixel;
        let response = fields::drag(ui, 92.0, "Squares per pixel", value, PIXEL_SIZES, |field| {
            field.speed(speed).max_decimals(6)
        })
        .labelled_by(name);
        to.note(&response);
    });
    if let Some(Ok([width, height])) = known {
        // How broad it is in the world says more than how large a pixel is.
        let mut broad = f64::from(width) * edited.squares_per_pixel;
        let before = broad;
        fields::number(ui, to, "Width", &mut broad, 0.001..=2_000_000.0, " sq")
            .on_hover_text("The same as squares per pixel, as the width of the whole picture");
        if broad != before && width > 0 {
            edited.squares_per_pixel =
                (broad / f64::from(width)).clamp(*PIXEL_SIZES.start(), *PIXEL_SIZES.end());
        }
        let high = f64::from(height) * edited.squares_per_pixel;
        fields::value(ui, "Height", format!("{} sq", words::number(high)));
        fields::value(ui, "Pixels", format!("{width} × {height}"));
    }
    let name = format!("Change {}", picture.name());
    change.apply(state, &name, || Command::SetPicture(edited));
    ui.add_space(6.0);
    fields::explain(ui, "While it is selected a drag on its rim, or where nothing lies on it, moves it.");
    ui.horizontal(|ui| {
        if ui.button("Read again").on_hover_text("Reads the file anew").clicked() {
            state.pictures_anew = true;
        }
        if delete_button(ui, "Remove picture") {
            state.delete();
        }
    });
}
