//! What a mesh is built with: agent, tiles, labels; and the fingerprint that follows from it.

use egui::{RichText, Ui};
use egui_material_icons::icons::ICON_CONTENT_COPY;

use super::fields::{self, Change};
use super::{area_types, classes, voxels};
use crate::editor::action::Action;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::worker::Mode;
use crate::format::NavSettings;
use crate::project::{Command, Level};

/// Most cells of a tile's side, as the format has it.
const MOST_CELLS: f64 = 8192.0;

/// Shows the settings; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    level(ui, state);
    ui.separator();
    let picked = classes::show(ui, state);
    ui.separator();
    area_types::show(ui, state);
    ui.separator();
    let mut settings = (*state.document().settings).clone();
    let mut change = Change::default();
    tiles(ui, &mut change, &mut settings);
    ui.separator();
    labels(ui, &mut change, &mut settings);
    ui.separator();
    let voxel = state.bake_mode() == Mode::Voxel;
    egui::CollapsingHeader::new("Voxel settings").default_open(voxel).show(ui, |ui| {
        fields::explain(ui, "The flat bake does not use them, but they are part of the fingerprint.");
        voxels::settings(ui, &mut change, &mut settings);
        fields::head(ui, "NOT IN THE FINGERPRINT");
        voxels::extras(ui, state);
    });
    ui.separator();
    fingerprint(ui, state);
    change.apply(state, "Change settings", || Command::SetSettings(Box::new(settings)));
    picked
}

/// The current level: its name and its elevation.
fn level(ui: &mut Ui, state: &mut State) {
    let number = state.level;
    let entry = state.document().level(number).map_or_else(|| Level::new(number), |entry| (**entry).clone());
    fields::head(ui, &format!("LEVEL {number}"));
    let owner = egui::Id::unique(("level-name", number));
    if let Some(name) = fields::text(ui, owner, "Level name", &entry.name) {
        state.commit(&format!("Rename level {number}"), &Command::SetLevel(Level { name, ..entry }));
        return;
    }
    let mut edited = entry;
    let mut change = Change::default();
    fields::number(ui, &mut change, "Elevation", &mut edited.elevation, -1_000_000.0..=1_000_000.0, " sq");
    fields::explain(
        ui,
        "Height of its flat areas; 3 × its number unless it is set. Ramps lead to it by seams.",
    );
    change.apply(state, &format!("Change elevation of level {number}"), || Command::SetLevel(edited));
    if !state.document().geometry.is_empty() {
        cut(ui, state);
    }
}

/// How high geometry is shown: a matter of looking, so no step of the history.
fn cut(ui: &mut Ui, state: &mut State) {
    let usual = state.usual_cut();
    let mut over = state.geometry_cut.unwrap_or(usual);
    fields::row(ui, "Geometry up to", |ui, name| {
        let range = -10_000.0..=10_000.0;
        let response = fields::drag(ui, 92.0, "Geometry up to", &mut over, range, |field| {
            field.speed(0.05).suffix(" sq").max_decimals(3)
        })
        .labelled_by(name);
        if response.changed() {
            state.geometry_cut = Some(over);
        }
        let set = state.geometry_cut.is_some();
        if set && ui.small_button("Usual").on_hover_text("Six tenths of the agent's height").clicked() {
            state.geometry_cut = None;
        }
    });
    fields::explain(
        ui,
        "Over the level's floor: what lies higher is cut off in the shade, and in 3D with Cut.",
    );
}

fn tiles(ui: &mut Ui, change: &mut Change, settings: &mut NavSettings) {
    fields::head(ui, "TILES");
    let most = MOST_CELLS * settings.cell_size;
    let size = fields::number(ui, change, "Tile size", &mut settings.tile_size, 0.25..=most, " sq");
    if size.changed() {
        #[allow(clippy::cast_possible_truncation, reason = "a tile size is the nearest single")]
        let narrow = settings.tile_size as f32;
        settings.tile_size = f64::from(narrow);
    }
    fields::explain(ui, "Up to 8192 cells. Games load and replace tiles; edits bake the tiles they touch.");
    let least = (settings.tile_size / MOST_CELLS).max(0.001);
    fields::number(ui, change, "Cell size", &mut settings.cell_size, least..=100.0, " sq");
    fields::explain(ui, "From tile size / 8192. The unit of limits and of voxel bakes.");
    fields::whole(ui, change, "Polygon corners", &mut settings.max_verts_per_poly, 3..=16, "");
    fields::explain(ui, "3 to 16. The most corners a polygon may have.");
    fields::whole(ui, change, "Snap bits", &mut settings.snap_bits, -1..=24, "");
    fields::explain(ui, "-1 chooses. How fine the grid of the baked vertices is.");
    for (axis, name) in ["Origin x", "Origin y", "Origin z"].into_iter().enumerate() {
        fields::number(ui, change, name, &mut settings.origin[axis], -2_000_000.0..=2_000_000.0, "");
    }
    fields::explain(ui, "Where tile 0, 0 begins.");
    fields::number(ui, change, "Floor height", &mut settings.height, -100_000.0..=100_000.0, " sq");
    fields::explain(ui, "Added to every level's elevation.");
}

fn labels(ui: &mut Ui, change: &mut Change, settings: &mut NavSettings) {
    fields::head(ui, "WHAT AREAS GET THAT SAY NOTHING");
    fields::whole(ui, change, "Area type", &mut settings.area, 0..=63, "");
    fields::whole(ui, change, "Flags", &mut settings.flags, 0..=255, "");
    fields::explain(ui, "0 to 63 and 0 to 255. Games give them costs and filters.");
}

/// The whole fingerprint with a button that copies it.
pub fn fingerprint(ui: &mut Ui, state: &State) {
    fields::head(ui, "FINGERPRINT");
    match state.document().bake_settings(state.class()).to_params() {
        Ok(params) => {
            let text = params.fingerprint().to_string();
            ui.horizontal_wrapped(|ui| {
                let (first, second) = text.split_at(text.len().min(16));
                ui.label(RichText::new(format!("{first}\n{second}")).monospace());
                let response = ui.button(ICON_CONTENT_COPY.rich_text()).on_hover_text("Copy the fingerprint");
                response
                    .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Copy fingerprint"));
                if response.clicked() {
                    ui.ctx().copy_text(text.clone());
                }
            });
            fields::explain(ui, "Meshes of one fingerprint were built with the same settings and links.");
        }
        Err(error) => {
            ui.label(
                RichText::new(error.to_string())
                    .color(style::severity_color(ui.ctx(), crate::bake::Severity::Error)),
            );
        }
    }
}
