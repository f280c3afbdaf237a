//! The values of an item of imported geometry: how its file lies in the world, and what its floors are.

use egui::{RichText, Ui};

use super::area_types;
use super::fields::{self, Change};
use super::fields::{COORDINATES, delete_button, level_field, optional};
use crate::bake::Severity;
use crate::editor::action::Action;
use crate::editor::placing;
use crate::editor::state::{State, Tone};
use crate::editor::style;
use crate::editor::words;
use crate::project::{Command, Geometry, UpAxis};

/// Shows the section.
pub(super) fn show(ui: &mut Ui, state: &mut State, item: &Geometry) -> Option<Action> {
    fields::head(ui, "IMPORTED GEOMETRY");
    let owner = egui::Id::unique(("geometry-name", item.id.0));
    if let Some(name) = fields::text(ui, owner, "Name", item.name()) {
        let name = if name == item.file_name() { String::new() } else { name };
        let renamed = Geometry { name, ..item.clone() };
        state.commit(&format!("Rename {}", item.name()), &Command::SetGeometry(renamed));
        return None;
    }
    let owner = egui::Id::unique(("geometry-path", item.id.0));
    if let Some(path) = fields::text(ui, owner, "File", &item.path) {
        if let Err(error) = state.find_geometry(item.id, &path) {
            state.say(Tone::Bad, error);
        }
        return None;
    }
    fields::explain(ui, "From the project's folder; type another one where the file was moved, or find it.");
    let picked = found(ui, state, item);
    ui.separator();
    fields::head(ui, "PLACE");
    let mut edited = item.clone();
    let mut change = Change::default();
    let to = &mut change;
    fields::row(ui, "Up axis", |ui, _| {
        for (up, name, help) in [
            (UpAxis::Z, "Z", "As in Blender's and CAD programs' own coordinates"),
            (UpAxis::Y, "Y", "As in OBJ files of most tools, and in glTF"),
        ] {
            if ui.selectable_value(&mut edited.up, up, name).on_hover_text(help).changed() {
                to.at_once();
            }
        }
    });
    fields::row(ui, "Faces", |ui, _| {
        let help = "Which side of a triangle is its floor: turn them over where nothing can be walked on";
        if ui.checkbox(&mut edited.flip, "Turned over").on_hover_text(help).changed() {
            to.at_once();
        }
    });
    fields::row(ui, "Scale", |ui, name| {
        let speed = (edited.scale * 0.005).max(0.000_001);
        let range = 0.000_001..=1_000_000.0;
        let response = fields::drag(ui, 92.0, "Scale", &mut edited.scale, range, |field| {
            field.speed(speed).max_decimals(6)
        })
        .labelled_by(name);
        to.note(&response);
        response.on_hover_text("Squares a unit of the file: 0.01 for centimetres, 0.0254 for inches");
    });
    fields::explain(ui, "0.000001 to 1000000. Squares a unit of the file.");
    fields::number(ui, to, "Turn", &mut edited.turn, -360.0..=360.0, "°")
        .on_hover_text("Round the vertical, from +x towards +z");
    fields::explain(ui, "-360 to 360. From +x towards +z.");
    for (axis, name) in ["Offset x", "Offset y", "Offset z"].into_iter().enumerate() {
        let help = if axis == 1 { "Height of the file's origin" } else { "Where the file's origin lies" };
        fields::number(ui, to, name, &mut edited.offset[axis], COORDINATES, "").on_hover_text(help);
    }
    ui.separator();
    fields::head(ui, "FLOORS");
    level_field(ui, to, state, "Level", &mut edited.level);
    area_types::choose(ui, to, state.document(), &mut edited.area_type);
    let flags = (state.document().settings.flags & 0xFF) as u8;
    optional(ui, to, "Flags", &mut edited.flags, flags, 255);
    let name = format!("Place {}", item.name());
    change.apply(state, &name, || Command::SetGeometry(edited));
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        if ui
            .button("Read again")
            .on_hover_text("Reads the file anew; changes on the disk are noticed anyway")
            .clicked()
        {
            state.geometry_anew = true;
        }
        if delete_button(ui, "Remove geometry") {
            state.delete();
        }
    });
    picked
}

/// What is in the file, or why nothing is and what can be done.
fn found(ui: &mut Ui, state: &State, item: &Geometry) -> Option<Action> {
    let warning = style::severity_color(ui.ctx(), Severity::Warning);
    let Some(loaded) = state.geometry.get(item.id) else {
        ui.label(RichText::new("Reading…").color(style::of(ui.ctx()).weak));
        return None;
    };
    if let Some(error) = &loaded.error {
        ui.label(RichText::new(format!("Not read: {error}")).color(warning));
        let button = ui.button("Find…").on_hover_text("Asks where the file is now; it lies as before");
        return button.clicked().then_some(Action::FindGeometry);
    }
    fields::value(ui, "Triangles", loaded.triangles.to_string());
    if loaded.meshes.len() > 1 {
        fields::value(ui, "Meshes", loaded.meshes.len().to_string());
    }
    if let Some([low, high]) = loaded.bounds {
        let size: [String; 3] = std::array::from_fn(|axis| words::number(high[axis] - low[axis]));
        fields::value(ui, "Size", format!("{} × {} × {}", size[0], size[1], size[2]));
        fields::value(ui, "Heights", format!("{} to {}", words::number(low[1]), words::number(high[1])));
        if let Some(doubt) = placing::doubt([low, high], state.class().height.into()) {
            ui.label(RichText::new(doubt).color(warning));
        }
    }
    if placing::faces_down(loaded) {
        ui.label(RichText::new(placing::FACES_DOWN).color(warning));
    }
    if !loaded.left_out.is_empty() {
        fields::explain(ui, &format!("While reading: {}", loaded.left_out));
    }
    None
}
