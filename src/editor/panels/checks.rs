//! Pinned checks: what the path that is asked for becomes, and the fields of one that is selected.

use egui::{ComboBox, Id, RichText, Ui};

use super::fields::{self, Change};
use crate::editor::state::{State, Tone};
use crate::editor::style;
use crate::editor::tools::{Marker, ToolKind};
use crate::project::{CheckAnswer, CheckId, Command, PathCheck, Wanted, new_id};

/// How a check stands after the last bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Standing {
    Passed,
    Failed,
    /// Not asked of the shown class, or not baked yet.
    Unknown,
}

impl State {
    /// What the shown mesh answers to a check.
    #[must_use]
    pub fn check_answer(&self, id: CheckId) -> Option<&CheckAnswer> {
        self.bake.shown.as_ref()?.checks.iter().find(|answer| answer.id == id)
    }

    /// How a check stands.
    #[must_use]
    pub fn standing(&self, id: CheckId) -> Standing {
        match self.check_answer(id) {
            Some(answer) if answer.passed => Standing::Passed,
            Some(_) => Standing::Failed,
            None => Standing::Unknown,
        }
    }

    /// Shows a check's places with the Test tool, and its fields.
    pub fn go_to_check(&mut self, id: CheckId) {
        let Some(check) = self.document().check(id).cloned() else { return };
        if self.tools.kind() != ToolKind::Test {
            self.take_tool(ToolKind::Test);
        }
        self.tools.test.start = Some(Marker::from(check.start_spot()));
        self.tools.test.end = Some(Marker::from(check.end_spot()));
        self.level = check.start_level;
        self.check = Some(id);
    }

    /// Pins the path that is asked for: it must exist if it does now, else it must not.
    pub fn pin_check(&mut self) {
        let test = &self.tools.test;
        let (Some(start), Some(end), Some(_)) = (test.start, test.end, &self.path) else {
            return self.say(Tone::Hint, "Two clicks with the Test tool ask for a path that can be pinned");
        };
        let exists = self.path_exists();
        let document = self.document();
        let taken = |name: &String| document.checks.iter().any(|check| check.name == *name);
        let mut names = (1..).map(|count: usize| format!("check {count}"));
        let check = PathCheck {
            id: CheckId(new_id()),
            name: names.find(|name| !taken(name)).unwrap_or_default(),
            class: None,
            start: start.place,
            start_level: start.level,
            start_y: start.y,
            end: end.place,
            end_level: end.level,
            end_y: end.y,
            wanted: if exists { Wanted::Path } else { Wanted::NoPath },
            longest: None,
        };
        let (id, name) = (check.id, check.name.clone());
        if self.commit(&format!("Pin {name}"), &Command::SetCheck(check)) {
            self.check = Some(id);
            self.say(Tone::Good, format!("{name}: every bake now looks whether this stays so"));
        }
    }

    /// The check whose fields are shown, if it is still there and has not been left.
    #[must_use]
    pub fn shown_check(&self) -> Option<&std::sync::Arc<PathCheck>> {
        self.document().check(self.check?).filter(|_| self.tools.kind() == ToolKind::Test)
    }
}

/// The fields of the selected check, else a button that pins the path.
pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(check) = state.shown_check().cloned() else {
        if state.path.is_some() {
            let button = egui::Button::new("Pin as a check");
            let help = "Keeps this question in the map: after each bake the answer must be the same";
            if ui.add(button).on_hover_text(help).clicked() {
                state.pin_check();
            }
            ui.separator();
        }
        return;
    };
    fields::head(ui, "CHECK");
    let owner = Id::unique(("check-name", check.id.0));
    if let Some(name) = fields::text(ui, owner, "Name", &check.name) {
        let renamed = PathCheck { name, ..(*check).clone() };
        state.commit(&format!("Rename {}", check.name), &Command::SetCheck(renamed));
        return;
    }
    let mut edited = (*check).clone();
    let mut change = Change::default();
    fields::row(ui, "The path", |ui, _| {
        let mut pick = |ui: &mut Ui, wanted, text| {
            if ui.selectable_value(&mut edited.wanted, wanted, text).changed() {
                change.at_once();
            }
        };
        pick(ui, Wanted::NoPath, "must not exist");
        pick(ui, Wanted::Path, "must exist");
    });
    if edited.wanted == Wanted::Path {
        longest(ui, state, &mut change, &mut edited);
    }
    class(ui, state, &mut change, &mut edited);
    let test = &state.tools.test;
    let ends = (test.start, test.end);
    let (start, end) = (Marker::from(check.start_spot()), Marker::from(check.end_spot()));
    if ends != (Some(start), Some(end))
        && let (Some(start), Some(end)) = ends
        && ui.button("Move the check to these markers").clicked()
    {
        edited = edited.between(start.spot(), end.spot());
        change.at_once();
    }
    answer(ui, state, check.id);
    change.apply(state, &format!("Change {}", check.name), || Command::SetCheck(edited));
    ui.horizontal(|ui| {
        if ui.button("Remove the check").clicked() {
            state.commit(&format!("Remove {}", check.name), &Command::RemoveChecks(vec![check.id]));
        }
        if ui.button("Leave it").on_hover_text("Back to asking for paths").clicked() {
            state.check = None;
        }
    });
    ui.separator();
}

fn longest(ui: &mut Ui, state: &State, change: &mut Change, edited: &mut PathCheck) {
    fields::row(ui, "Longest", |ui, name| {
        let mut limited = edited.longest.is_some();
        let found = state.path.as_ref().map_or(10.0, |path| path.length);
        let mut value = edited.longest.unwrap_or_else(|| (found * 1.1).ceil().max(1.0));
        if limited {
            let response = fields::drag(ui, 80.0, "Longest", &mut value, 0.001..=1e9, |field| {
                field.speed(0.1).max_decimals(3).suffix(" sq")
            })
            .labelled_by(name);
            change.note(&response);
        }
        if ui.checkbox(&mut limited, "at most").changed() {
            change.at_once();
        }
        edited.longest = limited.then_some(value);
    });
}

fn class(ui: &mut Ui, state: &State, change: &mut Change, edited: &mut PathCheck) {
    let classes = &state.document().classes;
    if classes.len() < 2 {
        return;
    }
    fields::row(ui, "Agent class", |ui, name| {
        let named = |id| classes.iter().find(|class| Some(class.id) == id).map(|class| class.name.clone());
        let shown = named(edited.class).unwrap_or_else(|| "all of them".to_owned());
        let combo = ComboBox::from_id_salt("check-class").selected_text(shown).width(110.0);
        let response = combo.show_ui(ui, |ui| {
            if ui.selectable_value(&mut edited.class, None, "all of them").changed() {
                change.at_once();
            }
            for class in classes.iter() {
                if ui.selectable_value(&mut edited.class, Some(class.id), &class.name).changed() {
                    change.at_once();
                }
            }
        });
        response.response.labelled_by(name);
    });
}

fn answer(ui: &mut Ui, state: &State, id: CheckId) {
    let (sign, color) = sign(ui.ctx(), state.standing(id));
    let text = state.check_answer(id).map_or("not asked yet", |answer| &answer.message);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(sign).color(color).strong());
        ui.label(text);
    });
}

/// A check's sign and colour.
#[must_use]
pub fn sign(context: &egui::Context, standing: Standing) -> (&'static str, egui::Color32) {
    use egui_material_icons::icons::{ICON_CHECK, ICON_CLOSE, ICON_QUESTION_MARK};
    let colors = style::of(context);
    match standing {
        Standing::Passed => (ICON_CHECK.codepoint, colors.good),
        Standing::Failed => (ICON_CLOSE.codepoint, colors.bad),
        Standing::Unknown => (ICON_QUESTION_MARK.codepoint, colors.weak),
    }
}
