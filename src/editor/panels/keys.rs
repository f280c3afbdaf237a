//! `F1`: every key and every sign on the canvas.

use egui::{RichText, ScrollArea, Ui};

use super::fields;
use crate::draw::Role;
use crate::editor::action::{Group, LIST, shortcut_text};
use crate::editor::style;

const MOUSE: [(&str, &str); 9] = [
    ("Wheel", "zoom at the cursor"),
    ("Middle drag, Space+drag", "pan"),
    ("Two fingers, pinch", "pan, zoom"),
    ("Shift+click on an edge", "add a point; hold to drag it"),
    ("Right click on a point", "remove it"),
    ("Ctrl while placing", "on the square's edge"),
    ("Alt while placing", "no joining; pull one point off joined ones"),
    ("Shift while dragging", "keep one axis"),
    ("Alt+click", "pick the next thing below"),
];

const SIGNS: [(Role, &str); 8] = [
    (Role::Walk, "walk area"),
    (Role::Hole, "hole: hatched"),
    (Role::LevelBelow, "other levels: solid below, dashed above"),
    (Role::Seam, "seam between levels: rungs"),
    (Role::Portal, "stitched tile border"),
    (Role::LonelyPortal, "unstitched tile border: dashes"),
    (Role::Link, "link: arc with arrow heads, a crossed ring when loose"),
    (Role::Path, "path: disc S, square E"),
];

/// Shows the window's content.
pub fn show(ui: &mut Ui) {
    ui.set_min_size(egui::vec2(720.0, 460.0));
    ScrollArea::vertical().max_height(520.0).show(ui, |ui| {
        ui.columns(2, |columns| {
            let (left, right) = columns.split_at_mut(1);
            let (left, right) = (&mut left[0], &mut right[0]);
            for (title, group) in [("TOOLS", Group::Tools), ("CANVAS", Group::Canvas), ("VIEW", Group::View)]
            {
                actions(left, title, group);
            }
            for (title, group) in
                [("FILE", Group::File), ("EDIT", Group::Edit), ("LEVEL", Group::Level), ("BAKE", Group::Bake)]
            {
                actions(right, title, group);
            }
            fields::head(right, "MOUSE");
            for (keys, does) in MOUSE {
                line(right, keys, does);
            }
            fields::head(right, "SIGNS");
            for (role, meaning) in SIGNS {
                right.horizontal(|ui| {
                    ui.label(
                        RichText::new(egui_material_icons::icons::ICON_SQUARE.codepoint)
                            .color(style::role_color(ui.ctx(), role))
                            .size(15.0),
                    );
                    ui.label(meaning);
                });
            }
        });
    });
}

fn actions(ui: &mut Ui, title: &str, group: Group) {
    let with_keys = || LIST.iter().filter(|entry| entry.group == group && !entry.keys.is_empty());
    if with_keys().next().is_none() {
        return;
    }
    fields::head(ui, title);
    for entry in with_keys() {
        let keys: Vec<String> = entry.keys.iter().map(|keys| shortcut_text(ui.ctx(), keys)).collect();
        line(ui, &keys.join(", "), entry.name);
    }
}

fn line(ui: &mut Ui, keys: &str, does: &str) {
    ui.horizontal(|ui| {
        let size = egui::vec2(150.0, 18.0);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_width(size.x);
            ui.label(RichText::new(keys).color(style::of(ui.ctx()).strong));
        });
        ui.label(RichText::new(does).color(style::of(ui.ctx()).text));
    });
}
