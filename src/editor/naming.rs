//! The name of a layout that is saved.

use egui::{Button, Key, RichText, TextEdit, vec2};

use super::dialogs::{modal, set_width, title};
use super::panels::fields;
use super::style;

/// The open question.
#[derive(Clone, Debug)]
pub(super) struct Naming {
    text: String,
    /// Why the name was not taken.
    error: Option<String>,
    fresh: bool,
}

impl Naming {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), error: None, fresh: true }
    }

    /// Asks again, with the reason.
    pub(super) fn again(text: &str, error: String) -> Self {
        Self { error: Some(error), ..Self::new(text) }
    }

    /// Shows it: the name that was given, or that there is none after all.
    pub(super) fn show(&mut self, context: &egui::Context) -> Option<Option<String>> {
        let modal = modal(context, "layout-name").show(context, |ui| {
            set_width(ui, 360.0);
            title(ui, "Save the layout");
            let weak = style::of(ui.ctx()).weak;
            let label = ui.label(RichText::new("Name. One that is there is replaced.").color(weak)).id;
            let response = ui.add(TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY));
            let response = response.labelled_by(label);
            if std::mem::take(&mut self.fresh) {
                response.request_focus();
            }
            let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if let Some(error) = &self.error {
                ui.label(RichText::new(error).color(style::of(ui.ctx()).bad));
            }
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                let saved = ui.add(fields::primary(ui.ctx(), "Save")).clicked() || entered;
                (saved, ui.add(Button::new("Cancel").min_size(vec2(90.0, 26.0))).clicked())
            })
            .inner
        });
        match modal.inner {
            (true, _) => Some(Some(self.text.clone())),
            (_, true) => Some(None),
            _ => modal.should_close().then_some(None),
        }
    }
}
