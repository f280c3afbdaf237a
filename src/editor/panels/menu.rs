//! The menu bar.

use egui::{Button, RichText, Ui};

use crate::editor::action::{Action, Entry, Group, LIST, entry};
use crate::editor::keymap::keys_text;
use crate::editor::possible::is_possible;
use crate::editor::preferences::Preferences;
use crate::editor::state::{Seen, State};
use crate::editor::style;
use crate::editor::tour;
use crate::editor::worker::Mode;
use crate::editor::workspace::{BUILT_IN, Workspaces};

const MENUS: [(&str, Group); 6] = [
    ("File", Group::File),
    ("Edit", Group::Edit),
    ("Level", Group::Level),
    ("Bake", Group::Bake),
    ("View", Group::View),
    ("Help", Group::Help),
];

/// Room that the choice of views takes, in points.
const VIEWS: f32 = 130.0;
/// Room beside the menus that all buttons need with their words, in points; and that layouts need without.
const WORDS: f32 = 510.0;
const LAYOUTS: f32 = 350.0;

/// Shows the bar; what was picked.
pub fn show(ui: &mut Ui, state: &State, preferences: &Preferences) -> Vec<Action> {
    let mut picked = Vec::new();
    egui::MenuBar::new().ui(ui, |ui| {
        for (name, group) in MENUS {
            ui.menu_button(name, |ui| {
                ui.set_min_width(230.0);
                // Rows close to each other: the longest menu has to fit into the smallest window.
                ui.spacing_mut().item_spacing.y = 1.0;
                for entry in LIST.iter().filter(|entry| entry.group == group) {
                    // Until there was an export, "again" is the same as "as".
                    if entry.action == Action::ExportAs && state.export_target.is_none() {
                        continue;
                    }
                    if is_overlay(entry.action) {
                        if entry.rule {
                            ui.menu_button("Overlays", |ui| {
                                ui.set_min_width(230.0);
                                let overlays = LIST.iter().filter(|entry| is_overlay(entry.action));
                                overlays.for_each(|entry| row(ui, entry, state, preferences, &mut picked));
                            });
                        }
                        continue;
                    }
                    if entry.rule {
                        ui.separator();
                    }
                    row(ui, entry, state, preferences, &mut picked);
                    if entry.action == Action::Layout(2) {
                        picked.extend(own_layouts(ui, preferences));
                    }
                    if entry.action == Action::Open && !preferences.recent.is_empty() {
                        ui.menu_button("Open recent", |ui| {
                            for (index, path) in (0..).zip(&preferences.recent) {
                                let name = path.file_name().unwrap_or_default().to_string_lossy();
                                let button = Button::new(name.as_ref());
                                if ui.add(button).on_hover_text(path.display().to_string()).clicked() {
                                    picked.push(Action::OpenRecent(index));
                                    ui.close();
                                }
                            }
                        });
                    }
                }
            });
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            // What has no room is in the menus too: words go first, then layouts.
            let room = ui.available_width();
            let (words, layouts) = (room > WORDS, room > LAYOUTS);
            let text = if words { "Run a command" } else { "" };
            let text = RichText::new(text).color(style::of(ui.ctx()).weak);
            let keys = LIST.iter().find(|entry| entry.action == Action::Palette);
            let keys = keys.map(|entry| keys_text(ui.ctx(), entry)).unwrap_or_default();
            let response = ui.add(Button::new(text).shortcut_text(keys));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Commands"));
            tour::mark(ui.ctx(), tour::Spot::Commands, response.rect);
            if response.clicked() {
                picked.push(Action::Palette);
            }
            ui.add_space(if words { 12.0 } else { 4.0 });
            let names = [(2, BUILT_IN[2]), (1, BUILT_IN[1]), (0, BUILT_IN[0])];
            for (index, name) in names.into_iter().filter(|_| layouts) {
                let taken = preferences.workspaces.current == name;
                let response = ui.add(Button::selectable(taken, name));
                response.widget_info(|| {
                    egui::WidgetInfo::selected(egui::Role::Button, true, taken, format!("Layout {name}"))
                });
                let help = entry(Action::Layout(index)).map_or("", |entry| entry.help);
                if response.on_hover_text(help).clicked() {
                    picked.push(Action::Layout(index));
                }
            }
            if words {
                ui.label(RichText::new("Layout").color(style::of(ui.ctx()).weak));
            }
            if ui.available_width() > VIEWS {
                ui.add_space(12.0);
                picked.extend(views(ui, state));
            }
        });
    });
    picked
}

/// The canvas, both side by side, or the 3D view; from the right.
fn views(ui: &mut Ui, state: &State) -> Option<Action> {
    let mut picked = None;
    let names = [(Seen::Solid, "3D"), (Seen::Split, "Split"), (Seen::Flat, "2D")];
    for (seen, name) in names {
        let taken = state.shown.views == seen;
        let response = ui.add(Button::selectable(taken, name));
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::Button, true, taken, format!("View {name}"))
        });
        let help = match seen {
            Seen::Flat => "The canvas (F3: the next view)",
            Seen::Split => "The canvas and the map in space, with a common cursor (F3: the next view)",
            Seen::Solid => "The map in space (F3: the next view)",
        };
        if response.on_hover_text(help).clicked() {
            picked = Some(Action::See(seen));
        }
    }
    picked
}

/// One action, with a tick if it is on.
fn row(ui: &mut Ui, entry: &Entry, state: &State, preferences: &Preferences, picked: &mut Vec<Action>) {
    let text = name_of(entry.action, state).unwrap_or_else(|| entry.name.to_owned());
    let tick = egui_material_icons::icons::ICON_CHECK.codepoint;
    let mark = if is_on(entry.action, state, preferences) { format!("{tick} ") } else { String::new() };
    let button = Button::new(format!("{mark}{text}")).shortcut_text(keys_text(ui.ctx(), entry));
    let enabled = is_possible(entry.action, state);
    if ui.add_enabled(enabled, button).on_hover_text(entry.help).clicked() {
        picked.push(entry.action);
        ui.close();
    }
}

/// Whether an action has its place in the menu of overlays.
fn is_overlay(action: Action) -> bool {
    matches!(action, Action::Overlay(_) | Action::DefaultOverlays)
}

/// The user's own layouts.
fn own_layouts(ui: &mut Ui, preferences: &Preferences) -> Option<Action> {
    let mut picked = None;
    let own = preferences.workspaces.names().filter(|name| Workspaces::is_own(name));
    for (index, name) in (0..).zip(own) {
        let tick = egui_material_icons::icons::ICON_CHECK.codepoint;
        let mark = if preferences.workspaces.current == name { format!("{tick} ") } else { String::new() };
        if ui.button(format!("{mark}Layout: {name}")).clicked() {
            picked = Some(Action::OwnLayout(index));
            ui.close();
        }
    }
    picked
}

/// A name that says what would happen.
fn name_of(action: Action, state: &State) -> Option<String> {
    match action {
        Action::Undo => state.history.past().last().map(|name| format!("Undo: {name}")),
        Action::Redo => state.history.future().next().map(|name| format!("Redo: {name}")),
        Action::Export => {
            let Some((path, _)) = &state.export_target else { return Some("Export…".to_owned()) };
            path.file_name().map(|name| format!("Export again: {}", name.to_string_lossy()))
        }
        _ => None,
    }
}

fn is_on(action: Action, state: &State, preferences: &Preferences) -> bool {
    match action {
        Action::ExportOnSave => preferences.export_on_save,
        Action::Layout(index) => {
            BUILT_IN.get(usize::from(index)).is_some_and(|name| preferences.workspaces.current == *name)
        }
        Action::LiveBake => state.bake.live,
        Action::VoxelBake => state.bake_mode() == Mode::Voxel,
        Action::Grid => state.shown.grid,
        Action::Overlay(overlay) => state.shown.overlays.has(overlay),
        Action::Rulers => state.shown.rulers,
        Action::Outline => state.shown.outline,
        Action::Properties => state.shown.properties,
        Action::Issues => state.shown.issues,
        Action::History => state.shown.history,
        Action::CanvasOnly => state.shown.canvas_only,
        _ => false,
    }
}
