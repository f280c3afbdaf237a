//! The values of an item of imported geometry: how its file lies in the world, and what its floors are.

use egui::{RichText, Ui};

use super::area_types;
use super::fields::{self, Change};
use super::fields::{COORDINATES, delete_button, level_field, optional};
use crate::bake::Severity;
use crate::editor::state::{State, Tone};
use crate::editor::style;
use crate::editor::words;
use crate::project::{Command, Geometry, UpAxis};

/// Shows the section.
pub(super) fn show(ui: &mut Ui, state: &mut State, item: &Geometry) {
    fields::head(ui, "IMPORTED GEOMETRY");
    let owner = egui::Id::unique(("geometry-name", item.id.0));
    if let Some(name) = fields::text(ui, owner, "Name", item.name()) {
        let name = if name == item.file_name() { String::new() } else { name };
        let renamed = Geometry { name, ..item.clone() };
        state.commit(&format!("Rename {}", item.name()), &Command::SetGeometry(renamed));
        return;
    }
    let owner = egui::Id::unique(("geometry-path", item.id.0));
    if let Some(path) = fields::text(ui, owner, "File", &item.path) {
        if let Err(error) = state.find_geometry(item, &path) {
            state.say(Tone::Bad, error);
        }
        return;
    }
    fields::explain(ui, "From the project's folder; type another one where the file was moved.");
    found(ui, state, item);
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
    fields::row(ui, "Scale", |ui, name| {
        let speed = (edited.scale * 0.005).max(0.000_001);
        let field = egui::DragValue::new(&mut edited.scale)
            .range(0.000_001..=1_000_000.0)
            .speed(speed)
            .max_decimals(6)
            .clamp_existing_to_range(false)
            .update_while_editing(false);
        let response = ui.add_sized([92.0, 20.0], field).labelled_by(name);
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
    let name = format!("{} {}", what_changed(item, &edited), item.name());
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
}

/// What a step does, for the history.
fn what_changed(before: &Geometry, after: &Geometry) -> &'static str {
    let changes = [
        (before.up != after.up, "Change the up axis of"),
        (before.scale != after.scale, "Scale"),
        (before.turn != after.turn, "Turn"),
        (before.offset != after.offset, "Move"),
        (before.level != after.level, "Change the level of"),
        (before.area_type != after.area_type, "Change the area type of"),
        (before.flags != after.flags, "Change the flags of"),
    ];
    changes.into_iter().find(|(is_it, _)| *is_it).map_or("Place", |(_, words)| words)
}

/// What is in the file, or why nothing is.
fn found(ui: &mut Ui, state: &State, item: &Geometry) {
    let warning = style::severity_color(ui.ctx(), Severity::Warning);
    let Some(loaded) = state.geometry.get(item.id) else {
        ui.label(RichText::new("Reading…").color(style::of(ui.ctx()).weak));
        return;
    };
    if let Some(error) = &loaded.error {
        ui.label(RichText::new(format!("Not read: {error}")).color(warning));
        return;
    }
    fields::value(ui, "Triangles", loaded.triangles.to_string());
    if loaded.meshes.len() > 1 {
        fields::value(ui, "Meshes", loaded.meshes.len().to_string());
    }
    if let Some([low, high]) = loaded.bounds {
        let size: [String; 3] = std::array::from_fn(|axis| words::number(high[axis] - low[axis]));
        fields::value(ui, "Size", format!("{} × {} × {}", size[0], size[1], size[2]));
        fields::value(ui, "Heights", format!("{} to {}", words::number(low[1]), words::number(high[1])));
    }
    if !loaded.left_out.is_empty() {
        fields::explain(ui, &format!("While reading: {}", loaded.left_out));
    }
}
