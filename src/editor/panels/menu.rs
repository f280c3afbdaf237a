//! The menu bar.

use std::path::PathBuf;

use egui::{Button, RichText, Ui};

use crate::editor::action::{Action, Group, LIST, keys_text};
use crate::editor::state::State;
use crate::editor::style;

const MENUS: [(&str, Group); 6] = [
    ("File", Group::File),
    ("Edit", Group::Edit),
    ("Level", Group::Level),
    ("Bake", Group::Bake),
    ("View", Group::View),
    ("Help", Group::Help),
];

/// Shows the bar; what was picked.
pub fn show(ui: &mut Ui, state: &State, recent: &[PathBuf]) -> Vec<Action> {
    let mut picked = Vec::new();
    egui::MenuBar::new().ui(ui, |ui| {
        for (name, group) in MENUS {
            ui.menu_button(name, |ui| {
                ui.set_min_width(230.0);
                for entry in LIST.iter().filter(|entry| entry.group == group) {
                    // Until there was an export, "again" is the same as "as".
                    if entry.action == Action::ExportAs && state.exported.is_none() {
                        continue;
                    }
                    if entry.rule {
                        ui.separator();
                    }
                    let text = match name_of(entry.action, state) {
                        Some(name) => name,
                        None => entry.name.to_owned(),
                    };
                    let tick = egui_material_icons::icons::ICON_CHECK.codepoint;
                    let mark = if is_on(entry.action, state) { format!("{tick} ") } else { String::new() };
                    let button =
                        Button::new(format!("{mark}{text}")).shortcut_text(keys_text(ui.ctx(), entry));
                    let enabled = is_possible(entry.action, state);
                    if ui.add_enabled(enabled, button).on_hover_text(entry.help).clicked() {
                        picked.push(entry.action);
                        ui.close();
                    }
                    if entry.action == Action::Open && !recent.is_empty() {
                        ui.menu_button("Open recent", |ui| {
                            for (index, path) in (0..).zip(recent) {
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
            let text = RichText::new("Run a command").color(style::of(ui.ctx()).weak);
            let keys = LIST.iter().find(|entry| entry.action == Action::Palette);
            let keys = keys.map(|entry| keys_text(ui.ctx(), entry)).unwrap_or_default();
            let response = ui.add(Button::new(text).shortcut_text(keys));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Commands"));
            if response.clicked() {
                picked.push(Action::Palette);
            }
        });
    });
    picked
}

/// A name that says what would happen.
fn name_of(action: Action, state: &State) -> Option<String> {
    match action {
        Action::Undo => state.history.past().last().map(|name| format!("Undo: {name}")),
        Action::Redo => state.history.future().next().map(|name| format!("Redo: {name}")),
        Action::Export => {
            let Some(exported) = &state.exported else { return Some("Export…".to_owned()) };
            exported.path.file_name().map(|name| format!("Export again: {}", name.to_string_lossy()))
        }
        _ => None,
    }
}

fn is_on(action: Action, state: &State) -> bool {
    match action {
        Action::LiveBake => state.bake.live,
        Action::Grid => state.shown.grid,
        Action::Mesh => state.shown.mesh,
        Action::Rulers => state.shown.rulers,
        Action::Outline => state.shown.outline,
        Action::Properties => state.shown.properties,
        Action::Issues => state.shown.issues,
        Action::History => state.shown.history,
        Action::CanvasOnly => state.shown.canvas_only,
        _ => false,
    }
}

pub(in crate::editor) fn is_possible(action: Action, state: &State) -> bool {
    match action {
        Action::Undo => state.history.past().next().is_some() || !state.tools.draft().is_empty(),
        Action::Redo => state.history.future().next().is_some(),
        Action::Delete
        | Action::Duplicate
        | Action::Cut
        | Action::Copy
        | Action::SelectSameKind
        | Action::SelectTouching
        | Action::RotateLeft
        | Action::RotateRight
        | Action::MirrorX
        | Action::MirrorZ
        | Action::SelectionUp
        | Action::SelectionDown
        | Action::FrameSelection => !state.selection.is_empty(),
        Action::MoveLater
        | Action::MoveEarlier
        | Action::JoinPoints
        | Action::Separate
        | Action::Simplify => state.selection.areas(state.document()).next().is_some(),
        Action::PinCheck => state.path.is_some(),
        Action::RemoveClass | Action::NextClass => state.document().classes.len() > 1,
        Action::ClassUp => state.document().classes.first() != Some(state.class()),
        Action::ClassDown => state.document().classes.last() != Some(state.class()),
        Action::RemoveLevel => {
            let level = state.level;
            let document = state.document();
            let links =
                document.links.iter().any(|link| link.start_level == level || link.end_level == level);
            level != 0 && !links && !document.areas.iter().any(|area| area.level == level)
        }
        _ => true,
    }
}
