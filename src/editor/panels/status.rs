//! The bottom line: what the buttons do now, and where everything stands. On narrow windows what matters least goes first.

use std::time::Duration;

use egui::{Button, Color32, Label, RichText, Ui};

use crate::bake::Severity;
use crate::editor::action::Action;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::told;
use crate::editor::tools::Keys;
use crate::editor::words;

/// Below these breadths, in points, fields are left out or shortened.
const ROOMY: f32 = 1240.0;
const NARROW: f32 = 1100.0;
/// Least room for what the buttons do.
const HELP: f32 = 180.0;

/// Shows the line; what was picked.
pub fn show(ui: &mut Ui, state: &State) -> Option<Action> {
    let mut picked = None;
    let width = ui.available_width();
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.spacing_mut().interact_size.y = 18.0;
        ui.spacing_mut().button_padding = egui::vec2(2.0, 0.0);
        let mut line = Line { ui, first: true };
        if width >= NARROW {
            line.weak(format!("{:.0}%", state.camera.scale / 40.0 * 100.0), "Zoom");
        }
        file(&mut line, state, width);
        fingerprint(&mut line, state, width);
        let fresh = state.fresh() && !told::is_of_lost_geometry(state);
        let color =
            if fresh { line.colors().good } else { style::severity_color(line.ui.ctx(), Severity::Warning) };
        line.text(told::bake(state), color, "The mesh, and how long the last bake took");
        picked = issues(&mut line, state);
        if !state.selection.is_empty() {
            let (things, points) = (state.selection.len(), state.selection.points().len());
            let text =
                if points > 1 { format!("{things} sel, {points} pts") } else { format!("{things} selected") };
            line.weak(text, "Things and points that are selected");
        }
        let grid = super::toolbar::grid_name(state.snap.per_square);
        let snap = state.snap_kind.as_ref().map_or("", |kind| kind.short());
        let snap = if snap.is_empty() || snap == "grid" { String::new() } else { format!(" {snap}") };
        line.weak(format!("{grid}{snap}"), "The grid's step, and the snap that won");
        line.strong(format!("L{}", state.level), "The current level");
        let place = state.cursor.map_or_else(|| "–".to_owned(), |[x, z]| format!("{x:.1}, {z:.1}"));
        line.strong(place, "Cursor x, z in squares");
        line.dot();
        let help = state.tools.help(&state.context(Keys::default()));
        let ui = line.ui;
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let colors = style::of(ui.ctx());
            let text = RichText::new(&help).size(11.5).color(colors.text);
            if ui.available_width() >= HELP.min(width * 0.12) {
                ui.add(Label::new(text).truncate()).on_hover_text(help);
            }
        });
    });
    picked
}

/// Fields from the right, with dots between.
struct Line<'a> {
    ui: &'a mut Ui,
    first: bool,
}

impl Line<'_> {
    fn colors(&self) -> &'static style::Colors {
        style::of(self.ui.ctx())
    }

    fn dot(&mut self) {
        if !std::mem::take(&mut self.first) {
            let line = self.colors().line;
            self.ui.label(RichText::new("·").color(line));
        }
    }

    fn text(&mut self, text: impl Into<String>, color: Color32, help: &str) {
        self.dot();
        self.ui.label(RichText::new(text).size(11.5).color(color)).on_hover_text(help);
    }

    fn weak(&mut self, text: impl Into<String>, help: &str) {
        let color = self.colors().weak;
        self.text(text, color, help);
    }

    fn strong(&mut self, text: impl Into<String>, help: &str) {
        let color = self.colors().text;
        self.text(text, color, help);
    }
}

/// Its name, and whether it is as on disk.
fn file(line: &mut Line<'_>, state: &State, width: f32) {
    let most = if width < NARROW { 14 } else { 28 };
    let mut name: String = state.name.chars().take(most).collect();
    if name.len() < state.name.len() {
        name.push('…');
    }
    let (word, wait) = match (state.edited(), &state.file) {
        (true, _) => match state.autosaved.map(|at| at.elapsed()) {
            Some(ago) if width >= ROOMY => (format!(", edited, autosaved {}", ago_words(ago)), Some(10)),
            Some(_) => (", autosaved".to_owned(), None),
            None => (", edited".to_owned(), None),
        },
        (false, Some(_)) => (", saved".to_owned(), None),
        (false, None) => (String::new(), None),
    };
    if let Some(seconds) = wait {
        line.ui.ctx().request_repaint_after(Duration::from_secs(seconds));
    }
    let help = state.file.as_ref().map_or_else(|| state.name.clone(), |path| path.display().to_string());
    if state.edited() {
        line.strong(format!("{name}{word}"), &help)
    } else {
        line.weak(format!("{name}{word}"), &help)
    }
}

/// In steps of ten seconds, so that an idle window is drawn no oftener.
fn ago_words(ago: Duration) -> String {
    match ago.as_secs() {
        0..10 => "just now".to_owned(),
        seconds @ 10..60 => format!("{} s ago", seconds / 10 * 10),
        seconds => format!("{} min ago", seconds / 60),
    }
}

/// Its first 8 digits; for 5 seconds after a change the reason.
fn fingerprint(line: &mut Line<'_>, state: &State, width: f32) {
    if let Some((reason, left)) = state.fingerprint.reason() {
        line.ui.ctx().request_repaint_after(left);
        let most = if width < NARROW { 30 } else { 60 };
        let shown: String = reason.chars().take(most).collect();
        let color = line.colors().strong;
        line.text(shown, color, &format!("The fingerprint has changed: {reason}"));
    }
    let Some(baked) = &state.bake.shown else { return };
    let whole = baked.counts.fingerprint.to_string();
    let short = whole.get(..8).unwrap_or(&whole).to_owned();
    line.weak(short, &format!("Fingerprint {whole}"));
}

/// Counts by severity, each with its sign; a click shows the list.
fn issues(line: &mut Line<'_>, state: &State) -> Option<Action> {
    let counts = state.issue_counts();
    line.dot();
    let mut clicked = false;
    let signs = [Severity::Error, Severity::Warning, Severity::Note];
    for (severity, count) in signs.into_iter().zip(counts).rev() {
        let color =
            if count > 0 { style::severity_color(line.ui.ctx(), severity) } else { line.colors().weak };
        let text = RichText::new(format!("{} {count}", words::sign(severity))).size(11.5).color(color);
        let response = line.ui.add(Button::new(text).frame(false));
        let label = format!("{count} {}s", words::severity(severity));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label.clone()));
        clicked |= response.on_hover_text(format!("{label}: click for the list")).clicked();
    }
    clicked.then_some(Action::Issues)
}
