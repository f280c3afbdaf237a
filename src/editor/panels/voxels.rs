//! What a voxel bake alone asks for: its settings, and what the format's settings have no place for.

use egui::{ComboBox, Id, RichText, Ui};
use egui_material_icons::icons::{ICON_ADD_LOCATION, ICON_DELETE};

use super::fields::single;
use super::fields::{self, Change};
use crate::editor::state::{State, Tone};
use crate::editor::style;
use crate::editor::words;
use crate::format::{NavSettings, Partition};
use crate::project::{Command, VoxelExtras};

/// The settings that are part of the fingerprint.
pub(super) fn settings(ui: &mut Ui, change: &mut Change, settings: &mut NavSettings) {
    partition(ui, change, &mut settings.partition);
    fields::number(ui, change, "Cell height", &mut settings.cell_height, 0.001..=100.0, " sq");
    fields::explain(ui, "Above 0. Height of a voxel; climbs and head room are measured in them.");
    fields::whole(ui, change, "Least region", &mut settings.min_region_area, 0..=1_000_000, " cells");
    fields::explain(ui, "From 0. Smaller floors are dropped.");
    fields::whole(ui, change, "Merge regions", &mut settings.merge_region_area, 0..=1_000_000, " cells");
    fields::explain(ui, "From 0. Smaller floors are merged with their neighbours.");
    single(ui, change, "Contour error", &mut settings.contour_max_error, 0.0..=100.0, " cells");
    fields::explain(ui, "From 0. How far an outline may leave the voxels.");
    fields::number(ui, change, "Longest edge", &mut settings.max_edge_length, 0.0..=10_000.0, " sq");
    fields::explain(ui, "From 0, which splits none. Longer edges are split.");
    let distance = &mut settings.detail_sample_distance;
    fields::number(ui, change, "Detail distance", distance, 0.0..=10_000.0, " sq");
    fields::explain(ui, "From 0, which leaves heights out. How often heights are sampled.");
    fields::number(ui, change, "Detail error", &mut settings.detail_max_error, 0.0..=10_000.0, " sq");
    fields::explain(ui, "From 0. How far sampled heights may leave the floor.");
}

fn partition(ui: &mut Ui, change: &mut Change, partition: &mut Partition) {
    let ways = [
        (Partition::Watershed, "watershed", "fewest regions, of the best shape; the slowest"),
        (Partition::Monotone, "monotone", "the fastest; long thin regions"),
        (Partition::Layers, "layers", "sheets that do not lie over themselves; good for tiles"),
    ];
    let name = ways.iter().find(|(way, ..)| way == partition).map_or("?", |(_, name, _)| name);
    let before = *partition;
    fields::row(ui, "Regions", |ui, label| {
        let combo = ComboBox::from_id_salt("partition").selected_text(name).width(110.0);
        let shown = combo.show_ui(ui, |ui| {
            for (way, name, help) in ways {
                ui.selectable_value(partition, way, name).on_hover_text(help);
            }
        });
        shown.response.labelled_by(label);
    });
    fields::explain(ui, "How floors are divided before outlines are drawn around them.");
    if *partition != before {
        change.at_once();
    }
}

/// What is no part of the fingerprint: ledges, seeds, which area type wins.
pub(super) fn extras(ui: &mut Ui, state: &mut State) {
    let mut extras = (*state.document().voxel).clone();
    let mut change = Change::default();
    ledges(ui, state, &mut change, &mut extras.ledge_radius);
    priority(ui, state, &mut change, &mut extras.area_priority);
    seeds(ui, state, &mut change, &mut extras);
    change.apply(state, "Change what the voxel bake asks for", || Command::SetVoxel(extras));
}

fn ledges(ui: &mut Ui, state: &State, change: &mut Change, radius: &mut Option<f32>) {
    let mut own = radius.is_some();
    if ui.checkbox(&mut own, "Another radius off ledges").changed() {
        *radius = own.then_some(state.class().radius);
        change.at_once();
    }
    if let Some(radius) = radius {
        single(ui, change, "Ledge radius", radius, 0.0..=1000.0, " sq");
    }
    fields::explain(ui, "From 0. How far an agent's middle keeps off drops; without it as far as off walls.");
}

fn priority(ui: &mut Ui, state: &mut State, change: &mut Change, priority: &mut Vec<u8>) {
    let words: Vec<String> = priority.iter().map(u8::to_string).collect();
    let owner = Id::unique("area-priority");
    if let Some(text) = fields::text(ui, owner, "Area types", &words.join(", ")) {
        match read_priority(&text) {
            Ok(read) => {
                *priority = read;
                change.at_once();
            }
            Err(error) => state.say(Tone::Bad, error),
        }
    }
    fields::explain(
        ui,
        "Numbers 0 to 63, the one that wins first, where floors of several types meet at one height. The others follow, \
         the greater number first.",
    );
}

/// "3, 1, 7" as area types.
fn read_priority(text: &str) -> Result<Vec<u8>, String> {
    let parts = text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty());
    let read = |part: &str| {
        let number = part.parse::<u8>().ok().filter(|number| *number <= 63);
        number.ok_or_else(|| format!("\"{part}\" is no area type: they are 0 to 63, with commas between"))
    };
    parts.map(read).collect()
}

fn seeds(ui: &mut Ui, state: &State, change: &mut Change, extras: &mut VoxelExtras) {
    fields::head(ui, "SEEDS");
    let mut gone = None;
    for (index, &[x, y, z]) in extras.seeds.iter().enumerate() {
        let place = format!("{} · height {}", words::place([x, z]), words::number(y));
        fields::row(ui, &place, |ui, _| {
            let response = ui.add(egui::Button::new(ICON_DELETE.rich_text().size(14.0)).frame(false));
            let label = format!("Remove seed {}", index + 1);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label.clone()));
            if response.on_hover_text(&label).clicked() {
                gone = Some(index);
            }
        });
    }
    if let Some(index) = gone {
        extras.seeds.remove(index);
        change.at_once();
    }
    let text =
        (ICON_ADD_LOCATION.rich_text().size(15.0), RichText::new("Add a seed in the middle of the view"));
    let response = ui.add(egui::Button::new(text));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add a seed"));
    if response.clicked() {
        let document = state.document();
        let [x, z] = state.camera.center.map(|value| (value * 10.0).round() / 10.0);
        extras.seeds.push([x, document.settings.height + document.elevation(state.level), z]);
        change.at_once();
    }
    let weak = style::of(ui.ctx()).weak;
    let help = "Only what can be reached from one of them stays; without any all stays. At the current level's height.";
    ui.label(RichText::new(help).size(10.5).color(weak));
}
