//! Questions in front of everything: unsaved changes, the path field, the list of keys.

use std::path::Path;

use egui::{Button, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::export::What;
use super::files::{Files, Next, PathField};
use super::panels::{colors, fields, keys};
use super::preferences::{Look, Preferences, SCALES};
use super::purpose::{Purpose, what_by_ending};
use super::safety::{Safety, ago};
use super::state::State;
use super::style;

/// Shows what is open.
pub(super) fn show(context: &egui::Context, files: &mut Files, state: &mut State) {
    if files.question.is_some() {
        unsaved(context, files, state);
    }
    if files.field.is_some() {
        path_field(context, files, state);
    }
    compared(context, state);
}

/// Keys and signs.
pub(super) fn keys(
    context: &egui::Context,
    memory: &mut keys::Memory,
    preferences: &mut Preferences,
    state: &mut State,
) {
    keys::takes_escape(context, memory);
    let modal = modal(context, "keys").show(context, |ui| {
        title(ui, "Keys and signs");
        keys::show(ui, memory, &mut preferences.keys);
        ui.add_space(6.0);
        ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
    });
    if modal.inner || modal.should_close() {
        state.shown.keys = false;
        *memory = keys::Memory::default();
    }
}

pub(super) fn modal(context: &egui::Context, name: &'static str) -> Modal {
    let colors = style::of(context);
    let frame = egui::Frame::new()
        .fill(colors.panel)
        .stroke(egui::Stroke::new(1.0, colors.line))
        .corner_radius(8.0)
        .inner_margin(16.0)
        .shadow(egui::Shadow {
            offset: [0, 8],
            blur: 24,
            spread: 0,
            color: egui::Color32::from_black_alpha(140),
        });
    Modal::new(Id::unique(name)).frame(frame)
}

/// A dialog's width, as far as the window has it.
pub(super) fn set_width(ui: &mut Ui, wanted: f32) {
    ui.set_width(wanted.min(ui.ctx().content_rect().width() - 64.0));
}

/// Theme and scale.
pub(super) fn preferences(context: &egui::Context, preferences: &mut Preferences, state: &mut State) {
    let modal = modal(context, "preferences").show(context, |ui| {
        set_width(ui, 360.0);
        title(ui, "Preferences");
        // A large interface in a small window.
        let height = (ui.ctx().content_rect().height() - 120.0).max(80.0);
        egui::ScrollArea::vertical().max_height(height).show(ui, |ui| rows(ui, preferences, state));
        ui.add_space(8.0);
        ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
    });
    if modal.inner || modal.should_close() {
        state.shown.preferences = false;
    }
}

fn rows(ui: &mut Ui, preferences: &mut Preferences, state: &mut State) {
    fields::row(ui, "Theme", |ui, _| {
        for (look, name) in [(Look::System, "As the system"), (Look::Light, "Light"), (Look::Dark, "Dark")] {
            ui.selectable_value(&mut preferences.look, look, name);
        }
    });
    colors::show(ui, preferences);
    fields::row(ui, "Scale", |ui, name| {
        let text = format!("{} %", preferences.scale);
        let combo = egui::ComboBox::from_id_salt("scale").selected_text(text).width(92.0);
        combo
            .show_ui(ui, |ui| {
                for scale in SCALES {
                    ui.selectable_value(&mut preferences.scale, scale, format!("{scale} %"));
                }
            })
            .response
            .labelled_by(name);
    });
    fields::explain(ui, "On top of the screen's own scale. Ctrl+Shift with + and - changes it too.");
    ui.checkbox(&mut preferences.reduced_motion, "Reduced motion");
    fields::explain(ui, "Nothing glides or fades.");
    ui.checkbox(&mut preferences.start_page, "Start page");
    fields::explain(ui, "Shown at the start instead of the sample, where no file is named.");
    ui.checkbox(&mut preferences.export_on_save, "Export on save");
    fields::explain(ui, "Saving exports too, where the map was exported before.");
    fields::value(ui, "Autosave", "every 60 s");
    fields::explain(ui, "While something is not saved, never during a drag; offered again after a crash.");
    ui.horizontal(|ui| {
        ui.label("Keys");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Change keys…").clicked() {
                state.shown.keys = true;
                state.shown.preferences = false;
            }
        });
    });
}

/// What earlier sessions left unsaved.
pub(super) fn recovered(context: &egui::Context, safety: &mut Safety, state: &mut State) {
    enum Choice {
        Open(usize),
        Discard(usize),
    }
    let mut choice = None;
    let modal = modal(context, "recovered").show(context, |ui| {
        set_width(ui, 460.0);
        title(ui, "Something was not saved");
        ui.label("navwright ended without saving, and kept this:");
        ui.add_space(4.0);
        egui::ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
            for (index, found) in safety.found.iter().enumerate() {
                ui.separator();
                ui.label(RichText::new(found.title()).color(style::of(ui.ctx()).strong));
                let age = ago(found.leftover.written);
                let what = match &found.document {
                    Ok(_) if found.differences.is_empty() => format!("Kept {age}: nothing differs"),
                    Ok(_) => format!("Kept {age}: {}", found.differences.join(", ")),
                    Err(error) => format!("Kept {age}, but cannot be read: {error}"),
                };
                ui.label(RichText::new(what).color(style::of(ui.ctx()).weak));
                for line in found.lines().iter().take(6) {
                    ui.label(RichText::new(line).small().color(style::of(ui.ctx()).text));
                }
                ui.horizontal(|ui| {
                    let open = fields::primary(ui.ctx(), "Recover");
                    if ui.add_enabled(found.document.is_ok(), open).clicked() {
                        choice = Some(Choice::Open(index));
                    }
                    if ui.add(Button::new("Discard").min_size(vec2(90.0, 26.0))).clicked() {
                        choice = Some(Choice::Discard(index));
                    }
                });
            }
        });
        ui.add_space(8.0);
        let later = Button::new("Ask again at the next start").min_size(vec2(90.0, 26.0));
        ui.add(later).clicked()
    });
    match choice {
        Some(Choice::Open(index)) => {
            safety.open(index, state);
            // One map is open at a time; what else was found is offered again.
            safety.found.clear();
        }
        Some(Choice::Discard(index)) => safety.discard(index),
        None if modal.inner || modal.should_close() => safety.found.clear(),
        None => {}
    }
}

pub(super) fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).heading().color(style::of(ui.ctx()).strong));
    ui.add_space(4.0);
}

enum Answer {
    Save,
    Drop,
    Cancel,
}

fn unsaved(context: &egui::Context, files: &mut Files, state: &mut State) {
    let Some(next) = files.question else { return };
    let modal = modal(context, "unsaved").show(context, |ui| {
        set_width(ui, 380.0);
        title(ui, "Save the changes first?");
        let what = match next {
            Next::New => "A new map takes the place of this one.",
            Next::Open | Next::Recent(_) | Next::Sample(_) => "Another map takes the place of this one.",
            Next::Quit => "The window closes.",
        };
        ui.label(format!("{what} What is not saved will be lost."));
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let save = fields::primary(ui.ctx(), "Save");
            let saved = ui.add(save).clicked();
            let dropped = ui.add(Button::new("Don't save").min_size(vec2(90.0, 26.0))).clicked();
            let cancelled = ui.add(Button::new("Cancel").min_size(vec2(90.0, 26.0))).clicked();
            match (saved, dropped, cancelled) {
                (true, ..) => Some(Answer::Save),
                (_, true, _) => Some(Answer::Drop),
                (.., true) => Some(Answer::Cancel),
                _ => None,
            }
        })
        .inner
    });
    let answer = modal.inner.as_ref();
    match answer {
        Some(Answer::Save) => {
            files.question = None;
            files.wants_save = Some(Some(next));
        }
        Some(Answer::Drop) => files.go_on_anyway(next, state, context),
        Some(Answer::Cancel) => files.question = None,
        None if modal.should_close() => files.question = None,
        None => {}
    }
}

fn path_field(context: &egui::Context, files: &mut Files, state: &mut State) {
    let Some(field) = &mut files.field else { return };
    let (name, verb, ending) = match field.purpose {
        Purpose::Open => ("Open a map", "Open", "A project (.nav.ron) or map text (nav walk … lines)."),
        Purpose::Picture => ("Import a picture", "Import", "A PNG or JPEG file; only its path is kept."),
        Purpose::Compare => {
            ("Compare with a build", "Compare", "A baked mesh (.onnm, .onnw), such as a teammate's.")
        }
        Purpose::Save => ("Save the project", "Save", "A name without ending gets .nav.ron."),
        Purpose::Export if field.what == What::World => {
            ("Export the meshes", "Export", "A name without ending gets .onnw.")
        }
        Purpose::Export => ("Export the mesh", "Export", "A name without ending gets .onnm."),
        Purpose::Import => (
            "Import a map or geometry",
            "Import",
            "A map's areas and links are added; of geometry (OBJ, glTF, GLB) only the path is kept.",
        ),
        Purpose::Find(_) => (
            "Find the geometry's file",
            "Find",
            "OBJ, glTF or GLB; the geometry lies as before. What lay beside it is looked for there, too.",
        ),
        Purpose::Render => {
            ("Export a picture", "Export", "PNG or SVG, by its ending; without one it gets .png.")
        }
        Purpose::PlotNumbers => (
            "Export the plot's numbers",
            "Export",
            "Comma-separated values; a name without ending gets .csv.",
        ),
        Purpose::PlotPicture => ("Export the plot's picture", "Export", "A name without ending gets .png."),
        Purpose::Outlines => {
            ("Export the mesh's outlines", "Export", "Map text, a nav walk … line for each polygon.")
        }
    };
    let mut browse = false;
    let modal = modal(context, "path-field").show(context, |ui| {
        set_width(ui, 460.0);
        title(ui, name);
        if field.purpose == Purpose::Export && state.document().classes.len() > 1 {
            export_choice(ui, field, state);
        }
        let label = ui.label(RichText::new(format!("Path. {ending}")).color(style::of(ui.ctx()).weak)).id;
        let edit = TextEdit::singleline(&mut field.text).desired_width(f32::INFINITY);
        let response = ui.add(edit).labelled_by(label);
        if std::mem::take(&mut field.fresh) {
            response.request_focus();
        }
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(error) = &field.error {
            ui.label(
                RichText::new(error).color(style::severity_color(ui.ctx(), crate::bake::Severity::Error)),
            );
        } else {
            let path = Path::new(field.text.trim());
            let folder =
                std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
            let note = if !field.purpose.reads() && path.is_file() {
                "The file is there already; it will be replaced.".to_owned()
            } else if path.is_relative() {
                format!("In {folder}")
            } else {
                String::new()
            };
            ui.label(RichText::new(note).size(11.0).color(style::of(ui.ctx()).weak));
        }
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let button = fields::primary(ui.ctx(), verb);
            let accepted = ui.add(button).clicked() || entered;
            let cancelled = ui.add(Button::new("Cancel").min_size(vec2(90.0, 26.0))).clicked();
            if files.native {
                let right = egui::Layout::right_to_left(egui::Align::Center);
                let button = Button::new("Browse…").min_size(vec2(90.0, 26.0));
                browse = ui.with_layout(right, |ui| ui.add(button).clicked()).inner;
            }
            (accepted, cancelled)
        })
        .inner
    });
    let (accepted, cancelled) = modal.inner;
    if browse {
        files.browse(context);
    } else if accepted {
        files.accept_field(state, context);
    } else if cancelled || modal.should_close() {
        files.cancel_field();
    }
}

/// Which agent classes an export holds; the path's ending goes with it, either way.
fn export_choice(ui: &mut Ui, field: &mut PathField, state: &State) {
    field.what = what_by_ending(Path::new(field.text.trim()), field.what, state);
    let before = field.what;
    let classes = &state.document().classes;
    ui.radio_value(
        &mut field.what,
        What::World,
        format!("All {} agent classes, as one .onnw", classes.len()),
    );
    let shown = match field.what {
        What::Class(id) => id,
        What::World => state.class().id,
    };
    ui.horizontal(|ui| {
        ui.radio_value(&mut field.what, What::Class(shown), "One agent class, as .onnm:");
        let name = classes.iter().find(|class| class.id == shown).map_or("", |class| class.name.as_str());
        let combo = egui::ComboBox::from_id_salt("export-class").selected_text(name).show_ui(ui, |ui| {
            for class in classes.iter() {
                ui.selectable_value(&mut field.what, What::Class(class.id), &class.name);
            }
        });
        combo
            .response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Exported class"));
    });
    ui.add_space(4.0);
    if field.what.ending() != before.ending() {
        let path = Path::new(field.text.trim());
        if path.extension().is_some_and(|ending| ending == before.ending()) {
            field.text = path.with_extension(field.what.ending()).display().to_string();
        }
    }
}

/// The answer of a comparison with a build, while there is one.
fn compared(context: &egui::Context, state: &mut State) {
    let Some(compared) = &state.compared else { return };
    let modal = modal(context, "compare").show(context, |ui| {
        set_width(ui, 780.0);
        title(ui, "Compare with a build");
        let colors = style::of(ui.ctx());
        let color = if compared.different { colors.strong } else { colors.good };
        ui.label(RichText::new(&compared.verdict).color(color));
        ui.add_space(6.0);
        let height = (ui.ctx().content_rect().height() - 220.0).max(120.0);
        ScrollArea::both().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for line in compared.text.lines() {
                let marks = ["!", "changed:", "only in", "moved:", "different:"];
                let differs = marks.iter().any(|mark| line.trim_start().starts_with(mark));
                let color = if differs { colors.bad } else { colors.weak };
                let text = RichText::new(line).monospace().size(12.0).color(color);
                ui.add(egui::Label::new(text).extend());
            }
        });
        ui.add_space(8.0);
        let (mut close, mut copy) = (false, false);
        ui.horizontal(|ui| {
            copy = ui.button("Copy as text").on_hover_text("For a message to somebody else").clicked();
            close = ui.add(Button::new("Close").min_size(vec2(90.0, 26.0))).clicked();
        });
        if copy {
            ui.ctx().copy_text(compared.text.clone());
        }
        close
    });
    if modal.inner || modal.should_close() {
        state.compared = None;
    }
}
