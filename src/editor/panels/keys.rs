//! `F1`: every key, which can be bound to another, every gesture, and every sign on the canvas.

use egui::{Button, Key, Label, RichText, ScrollArea, TextEdit, Ui, vec2};
use egui_material_icons::icons::{ICON_RESTART_ALT, ICON_WARNING};

use super::{fields, gestures, legend};
use crate::bake::Severity;
use crate::editor::action::{Action, Entry, Group, LIST};
use crate::editor::keymap::{self, Bound, Keymap, shortcut_text};
use crate::editor::style;

const GROUPS: [(&str, Group); 8] = [
    ("TOOLS", Group::Tools),
    ("CANVAS", Group::Canvas),
    ("FILE", Group::File),
    ("EDIT", Group::Edit),
    ("LEVEL", Group::Level),
    ("BAKE", Group::Bake),
    ("VIEW", Group::View),
    ("HELP", Group::Help),
];

const ROW: f32 = 22.0;

/// What is open of it.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    filter: String,
    /// The action that the next keys are for.
    capturing: Option<Action>,
    signs: bool,
}

impl Memory {
    /// Shows the signs instead of the keys.
    pub fn show_signs(&mut self, signs: bool) {
        self.signs = signs;
    }
}

/// Shows the window's content.
pub fn show(ui: &mut Ui, memory: &mut Memory, keymap: &mut Keymap) {
    ui.set_width((ui.ctx().content_rect().width() - 64.0).min(760.0));
    ui.horizontal(|ui| {
        ui.selectable_value(&mut memory.signs, false, "Keys");
        ui.selectable_value(&mut memory.signs, true, "Signs");
        if !memory.signs {
            ui.add_space(12.0);
            let field = TextEdit::singleline(&mut memory.filter)
                .hint_text("Filter by name or key")
                .desired_width(220.0);
            let response = ui.add(field);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter keys"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let reset = Button::new("Reset all keys");
                if ui.add_enabled(keymap.is_any_changed(), reset).clicked() {
                    keymap.reset_all();
                }
            });
        }
    });
    ui.add_space(4.0);
    if memory.signs {
        return legend::show(ui);
    }
    capture(ui, memory, keymap);
    keymap.install(ui.ctx());
    let bound = keymap::bound(ui.ctx());
    let rows = rows(ui.ctx(), &memory.filter, &bound);
    let height = (ui.ctx().content_rect().height() - 220.0).clamp(200.0, 520.0);
    ScrollArea::vertical().min_scrolled_height(height).max_height(height).auto_shrink([false, false]).show(
        ui,
        |ui| {
            ui.columns(2, |columns| {
                // About as long as each other.
                let gestures = gestures::height(&memory.filter);
                let total = rows.iter().map(|(_, rows)| rows.len() + 2).sum::<usize>() + gestures;
                let mut filled = 0;
                for (title, entries) in &rows {
                    let ui = &mut columns[usize::from(2 * filled >= total)];
                    fields::head(ui, title);
                    for entry in entries {
                        row(ui, entry, &bound, memory, keymap);
                    }
                    filled += entries.len() + 2;
                }
                gestures::show(&mut columns[1], &memory.filter);
            });
        },
    );
    ui.label(
        RichText::new("Click a key to bind another one, right click to take it away.")
            .small()
            .color(style::of(ui.ctx()).weak),
    );
}

/// The rows that have all words that are typed, by group.
fn rows(context: &egui::Context, filter: &str, bound: &Bound) -> Vec<(&'static str, Vec<&'static Entry>)> {
    let typed = filter.trim().to_lowercase();
    let fits = |entry: &Entry| {
        let keys: Vec<String> =
            bound.keys(entry.action).iter().map(|keys| shortcut_text(context, keys)).collect();
        let whole = format!("{} {}", entry.name, keys.join(" ")).to_lowercase();
        typed.split_whitespace().all(|word| whole.contains(word))
    };
    // A tool has a row in a menu and one of its own.
    let is_own = |entry: &Entry| {
        LIST.iter().rfind(|other| other.action == entry.action).is_some_and(|last| last.group == entry.group)
    };
    let of_group =
        |group| LIST.iter().filter(|entry| entry.group == group && is_own(entry) && fits(entry)).collect();
    let groups = GROUPS.map(|(title, group)| (title, of_group(group)));
    groups.into_iter().filter(|(_, rows): &(_, Vec<_>)| !rows.is_empty()).collect()
}

/// Takes the keys that are pressed for the action that waits for them.
fn capture(ui: &Ui, memory: &mut Memory, keymap: &mut Keymap) {
    let Some(action) = memory.capturing else { return };
    if let Some(keys) = keymap::pressed_now(ui.ctx()) {
        // The filter must not get what was typed for a binding.
        ui.ctx().input_mut(|input| input.events.retain(|event| !matches!(event, egui::Event::Text(_))));
        keymap.bind(action, Some(keys));
        memory.capturing = None;
    }
}

/// Whether keys are waited for: then `Esc` ends that, not the dialog.
pub fn takes_escape(context: &egui::Context, memory: &mut Memory) {
    if memory.capturing.is_some()
        && context.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape))
    {
        memory.capturing = None;
    }
}

fn row(ui: &mut Ui, entry: &Entry, bound: &Bound, memory: &mut Memory, keymap: &mut Keymap) {
    let clashes = bound.clashes(entry.action);
    ui.horizontal(|ui| {
        ui.set_min_height(ROW);
        let width = ui.available_width();
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(vec2(width * 0.5, ROW), layout, |ui| {
            ui.set_min_width(width * 0.5);
            ui.add(Label::new(entry.name).truncate()).on_hover_text(entry.help);
        });
        let keys: Vec<String> =
            bound.keys(entry.action).iter().map(|keys| shortcut_text(ui.ctx(), keys)).collect();
        let capturing = memory.capturing == Some(entry.action);
        let colors = style::of(ui.ctx());
        let text = if capturing { "press keys…".to_owned() } else { keys.join(", ") };
        let text = if text.is_empty() {
            RichText::new("–").color(colors.weak)
        } else {
            RichText::new(text).color(colors.strong)
        };
        let response = ui.add(Button::selectable(capturing, text).min_size(vec2(72.0, 20.0)));
        response.widget_info(|| {
            egui::WidgetInfo::labeled(
                egui::Role::Button,
                true,
                format!("Keys of {}: {}", entry.name, keys.join(", ")),
            )
        });
        if response.clicked() {
            memory.capturing = if capturing { None } else { Some(entry.action) };
            // Keys are for the binding now, not for the filter.
            ui.memory_mut(|memory| memory.stop_text_input());
        }
        if response.secondary_clicked() {
            keymap.bind(entry.action, None);
        }
        if keymap.is_changed(entry.action) {
            let icon = Button::new(ICON_RESTART_ALT.rich_text().size(14.0)).frame(false);
            let response = ui.add(icon).on_hover_text("Back to its own keys");
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Reset keys of {}", entry.name))
            });
            if response.clicked() {
                keymap.reset(entry.action);
            }
        }
        if !clashes.is_empty() {
            let color = style::severity_color(ui.ctx(), Severity::Warning);
            let names: Vec<&str> = clashes.iter().map(|entry| entry.name).collect();
            let text = format!("also {}", names.join(", "));
            ui.label(ICON_WARNING.rich_text().size(14.0).color(color));
            ui.add(Label::new(RichText::new(&text).small().color(color)).truncate()).on_hover_text(format!(
                "{} has these keys too; the one that stands first in this list gets them",
                names.join(", ")
            ));
        }
    });
}
