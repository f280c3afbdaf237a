//! The menu of the right button: fixes of the badge there, then what fits the thing or the empty place.

use super::App;
use crate::editor::action::{self, Action};
use crate::editor::keymap;
use crate::editor::panels::at_place;
use crate::editor::selection::Selection;
use crate::editor::tools::ToolKind;

impl App {
    /// Shows it while it is open; what was picked.
    pub(super) fn context_menu(&mut self, context: &egui::Context) -> Option<Action> {
        let at = self.menu_at?;
        let mut picked = None;
        let mut open = true;
        egui::Popup::new(egui::Id::unique("canvas-menu"), context.clone(), at, egui::LayerId::background())
            .kind(egui::PopupKind::Menu)
            .open_bool(&mut open)
            .show(|ui| {
                ui.set_min_width(190.0);
                if let Some(place) = self.state.menu_of_all {
                    if let Some(item) = at_place::menu(ui, &self.state, place) {
                        self.state.select(Selection::item(item));
                    }
                    return;
                }
                for &index in self.menu_issues.iter().take(3) {
                    for fix in self.state.fixes(index) {
                        if ui.button(&fix.name).on_hover_text(&fix.help).clicked() {
                            picked = self.state.do_fix(Some(index), &fix);
                            ui.close();
                        }
                    }
                    ui.separator();
                }
                let actions: &[Action] = if self.state.menu_item.is_some() {
                    &[
                        Action::FrameSelection,
                        Action::Cut,
                        Action::Copy,
                        Action::Duplicate,
                        Action::RotateLeft,
                        Action::RotateRight,
                        Action::SelectionUp,
                        Action::SelectionDown,
                        Action::Delete,
                    ]
                } else {
                    &[
                        Action::Paste,
                        Action::PasteInPlace,
                        Action::Undo,
                        Action::SelectAll,
                        Action::FrameAll,
                        Action::Tool(ToolKind::Walk),
                    ]
                };
                for &wanted in actions {
                    let Some(entry) = action::entry(wanted) else { continue };
                    let keys = keymap::keys_text(ui.ctx(), entry);
                    if ui.add(egui::Button::new(entry.name).shortcut_text(keys)).clicked() {
                        picked = Some(wanted);
                        ui.close();
                    }
                }
            });
        if !open {
            self.menu_at = None;
        }
        picked
    }
}
