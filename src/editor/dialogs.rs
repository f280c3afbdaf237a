//! Questions in front of everything: unsaved changes, the path field, the list of keys.

use std::path::Path;

use egui::{Button, Id, Key, Modal, RichText, TextEdit, Ui, vec2};

use super::export::What;
use super::files::{Files, Next, PathField, Purpose, what_by_ending};
use super::panels::keys;
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
    if state.shown.keys {
        let modal = modal("keys").show(context, |ui| {
            title(ui, "Keys and signs");
            keys::show(ui);
            ui.add_space(6.0);
            ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
        });
        if modal.inner || modal.should_close() {
            state.shown.keys = false;
        }
    }
}

pub(super) fn modal(name: &'static str) -> Modal {
    let frame = egui::Frame::new()
        .fill(style::PANEL)
        .stroke(egui::Stroke::new(1.0, style::LINE))
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

fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).heading().color(style::TEXT_STRONG));
    ui.add_space(4.0);
}

enum Answer {
    Save,
    Drop,
    Cancel,
}

fn unsaved(context: &egui::Context, files: &mut Files, state: &mut State) {
    let Some(next) = files.question else { return };
    let modal = modal("unsaved").show(context, |ui| {
        ui.set_width(380.0);
        title(ui, "Save the changes first?");
        let what = match next {
            Next::New => "A new map takes the place of this one.",
            Next::Open => "Another map takes the place of this one.",
            Next::Quit => "The window closes.",
        };
        ui.label(format!("{what} What is not saved will be lost."));
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            let save =
                Button::new(RichText::new("Save").strong()).fill(style::ACCENT).min_size(vec2(90.0, 26.0));
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
        Some(Answer::Save) => files.save(Some(next), state, context),
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
        Purpose::Save => ("Save the project", "Save", "A name without ending gets .nav.ron."),
        Purpose::Export if field.what == What::World => {
            ("Export the meshes", "Export", "A name without ending gets .onnw.")
        }
        Purpose::Export => ("Export the mesh", "Export", "A name without ending gets .onnm."),
    };
    let mut browse = false;
    let modal = modal("path-field").show(context, |ui| {
        ui.set_width(460.0);
        title(ui, name);
        if field.purpose == Purpose::Export && state.document().classes.len() > 1 {
            export_choice(ui, field, state);
        }
        let label = ui.label(RichText::new(format!("Path. {ending}")).color(style::TEXT_WEAK)).id;
        let edit = TextEdit::singleline(&mut field.text).desired_width(f32::INFINITY);
        let response = ui.add(edit).labelled_by(label);
        if std::mem::take(&mut field.fresh) {
            response.request_focus();
        }
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(error) = &field.error {
            ui.label(RichText::new(error).color(style::severity_color(crate::bake::Severity::Error)));
        } else {
            let path = Path::new(field.text.trim());
            let folder =
                std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
            let note = if field.purpose != Purpose::Open && path.is_file() {
                "The file is there already; it will be replaced.".to_owned()
            } else if path.is_relative() {
                format!("In {folder}")
            } else {
                String::new()
            };
            ui.label(RichText::new(note).size(11.0).color(style::TEXT_WEAK));
        }
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let button =
                Button::new(RichText::new(verb).strong()).fill(style::ACCENT).min_size(vec2(90.0, 26.0));
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
