//! What becomes of a file that changed on the disk, or that has conflict marks: the bar, the differences, the choices.

use std::collections::BTreeMap;

use egui::{Button, Panel, RichText, ScrollArea, Ui, vec2};

use super::canvas::pick::Item;
use super::dialogs::{modal, set_width, title};
use super::disk::{Disk, News};
use super::panels::fields;
use super::state::{Frame, State, Tone};
use super::style;
use super::words::many;
use crate::bake::Severity;
use crate::project::{Change, CommandError, Conflict, Merged, Part, Side, changes, merge};

/// What is open of this.
#[derive(Debug, Default)]
pub(super) struct Reconcile {
    view: Option<View>,
    /// The sides picked so far.
    picks: BTreeMap<Part, Side>,
}

/// A dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// What is another here and on the disk.
    Differences,
    /// Whose change counts: with the file on the disk.
    Merge,
    /// Whose change counts: between conflict marks.
    Marks,
    /// Saving would lose what is on the disk.
    Overwrite,
    /// Saving with contested places not decided.
    Unresolved,
}

/// What was answered that others must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Save now.
    Save,
}

impl Reconcile {
    /// Whether a dialog waits for an answer.
    pub(super) fn asking(&self) -> bool {
        self.view.is_some()
    }

    /// Whether saving has to wait for an answer; asks the question if so.
    pub(super) fn holds_back(&mut self, disk: &mut Disk, state: &mut State, context: &egui::Context) -> bool {
        if state.contest.is_some() {
            self.view = Some(View::Unresolved);
        } else if disk.is_newer(state, context) {
            self.view = Some(View::Overwrite);
        }
        self.view.is_some()
    }

    /// The bars under the tools, where there is something to say.
    pub(super) fn bar(&mut self, ui: &mut Ui, disk: &mut Disk, state: &mut State) {
        if let Some(contest) = &state.contest {
            let count = contest.contested.places.len();
            let text = format!("{} has conflict marks: {} to decide", state.name, many(count, "place"));
            bar(ui, "contest", &text, |ui| {
                if ui.button("Choose…").clicked() {
                    self.open(View::Marks);
                }
            });
        }
        let Some(news) = disk.news.clone() else { return };
        let name = state.name.clone();
        match news {
            News::Changed(_) => bar(ui, "disk", &format!("{name} changed on the disk, and here too"), |ui| {
                if ui.button("Show differences").clicked() {
                    self.open(View::Differences);
                }
                if ui.button("Merge").on_hover_text("Both sides' changes, as one undo step").clicked() {
                    self.merge(disk, state);
                }
                let mine = "What is on the disk will be replaced by the next save";
                if ui.button("Keep mine").on_hover_text(mine).clicked() {
                    disk.keep_mine(state);
                }
                if ui.button("Load theirs").on_hover_text("Undo brings what is here back").clicked() {
                    disk.load_theirs(state);
                }
            }),
            News::Marked(contested) => {
                let places = many(contested.places.len(), "contested place");
                bar(ui, "disk", &format!("{name} on the disk has conflict marks now: {places}"), |ui| {
                    if ui
                        .button("Load theirs")
                        .on_hover_text("Merges both sides; undo brings what is here back")
                        .clicked()
                    {
                        disk.load_theirs(state);
                    }
                    if ui.button("Keep mine").clicked() {
                        disk.news = None;
                    }
                });
            }
            News::Unreadable(error) => {
                bar(ui, "disk", &format!("{name} changed on the disk and cannot be read: {error}"), |ui| {
                    if ui.button("Keep mine").clicked() {
                        disk.news = None;
                    }
                });
            }
            News::Gone => {
                bar(ui, "disk", &format!("{name} is gone from the disk; saving writes it again"), |ui| {
                    if ui.button("OK").clicked() {
                        disk.news = None;
                    }
                })
            }
        }
    }

    fn open(&mut self, view: View) {
        self.view = Some(view);
        self.picks.clear();
    }

    /// Merges at once if nothing is contested, else asks.
    fn merge(&mut self, disk: &mut Disk, state: &mut State) {
        self.picks.clear();
        match self.merged(View::Merge, disk, state) {
            Some(Ok(merged)) if merged.conflicts.is_empty() => self.apply(View::Merge, merged, disk, state),
            Some(Ok(_)) => self.open(View::Merge),
            Some(Err(error)) => state.say(Tone::Bad, format!("Cannot be merged: {error}")),
            None => {}
        }
    }

    /// What a choice is about, as picked so far.
    fn merged(&self, view: View, disk: &Disk, state: &State) -> Option<Result<Merged, CommandError>> {
        match (view, &disk.news) {
            (View::Marks, _) => Some(state.contest.as_ref()?.contested.merged(&self.picks)),
            (_, Some(News::Changed(theirs))) => {
                Some(merge(Some(&state.saved), state.document(), theirs, &self.picks))
            }
            _ => None,
        }
    }

    fn apply(&mut self, view: View, merged: Merged, disk: &mut Disk, state: &mut State) {
        self.view = None;
        let mut notes = merged.notes;
        if view == View::Marks {
            let Some(contest) = state.contest.clone() else { return };
            // What was edited since the file was opened stays.
            match merge(Some(&contest.opened), state.document(), &merged.document, &BTreeMap::new()) {
                Ok(with_edits) => {
                    if state.take_over("Resolve conflicts", with_edits.document) {
                        state.contest = None;
                        notes.extend(with_edits.notes);
                        say_merged(state, "The conflicts are resolved; save to keep it", &notes);
                    }
                }
                Err(error) => state.say(Tone::Bad, format!("Cannot be merged: {error}")),
            }
            return;
        }
        let Some(News::Changed(theirs)) = disk.news.take() else { return };
        if state.take_over("Merge with the file on the disk", merged.document) {
            state.saved = theirs;
            say_merged(state, "Both sides are merged; save to keep it", &notes);
        }
    }

    /// Shows the dialog that is open.
    pub(super) fn show(
        &mut self,
        context: &egui::Context,
        disk: &mut Disk,
        state: &mut State,
    ) -> Option<Answer> {
        let view = self.view?;
        match view {
            View::Differences => self.differences(context, disk, state),
            View::Merge | View::Marks => self.choices(context, view, disk, state),
            View::Overwrite => return self.overwrite(context, disk, state),
            View::Unresolved => return self.unresolved(context, state),
        }
        None
    }

    fn differences(&mut self, context: &egui::Context, disk: &mut Disk, state: &mut State) {
        let Some(News::Changed(theirs)) = &disk.news else {
            self.view = None;
            return;
        };
        let on_disk = changes(&state.saved, theirs);
        let here = changes(&state.saved, state.document());
        let modal = modal(context, "differences").show(context, |ui| {
            set_width(ui, 640.0);
            title(ui, "What is different");
            ui.columns(2, |columns| {
                list_changes(&mut columns[0], "ON THE DISK", &on_disk);
                list_changes(&mut columns[1], "HERE", &here);
            });
            ui.add_space(10.0);
            ui.horizontal(|ui| {
                let merge = ui.add(fields::primary(ui.ctx(), "Merge")).clicked();
                let mine = ui.add(Button::new("Keep mine").min_size(vec2(90.0, 26.0))).clicked();
                let theirs = ui.add(Button::new("Load theirs").min_size(vec2(90.0, 26.0))).clicked();
                let later = ui.add(Button::new("Later").min_size(vec2(90.0, 26.0))).clicked();
                (merge, mine, theirs, later)
            })
            .inner
        });
        let (with_both, mine, theirs, later) = modal.inner;
        if with_both || mine || theirs || later || modal.should_close() {
            self.view = None;
        }
        if with_both {
            self.merge(disk, state);
        } else if mine {
            disk.keep_mine(state);
        } else if theirs {
            disk.load_theirs(state);
        }
    }

    fn choices(&mut self, context: &egui::Context, view: View, disk: &mut Disk, state: &mut State) {
        let merged = match self.merged(view, disk, state) {
            Some(Ok(merged)) => merged,
            Some(Err(error)) => {
                state.say(Tone::Bad, format!("Cannot be merged: {error}"));
                self.view = None;
                return;
            }
            None => {
                self.view = None;
                return;
            }
        };
        let contested = state.contest.as_ref().filter(|_| view == View::Marks).map(|c| c.contested.clone());
        let line = |conflict: &Conflict| contested.as_ref().and_then(|contested| contested.line(conflict));
        let mut shown = None;
        let modal = modal(context, "choices").show(context, |ui| {
            set_width(ui, 680.0);
            title(ui, "Both sides changed the same things");
            let what = if view == View::Marks {
                "Mine is the side above the ======= of the marks, theirs the one below. All else is merged."
            } else {
                "Mine is what is here, theirs what is on the disk. All else is merged."
            };
            ui.label(RichText::new(what).color(style::of(ui.ctx()).weak));
            ui.add_space(6.0);
            ScrollArea::vertical().max_height(340.0).auto_shrink([false, true]).show(ui, |ui| {
                for conflict in &merged.conflicts {
                    if let Some(part) = choice(ui, conflict, line(conflict), &mut self.picks) {
                        shown = Some(part);
                    }
                }
                if merged.conflicts.is_empty() {
                    ui.label("Nothing is contested: the marks are around what merges by itself.");
                }
                for note in &merged.notes {
                    ui.label(RichText::new(note).color(style::of(ui.ctx()).weak));
                }
            });
            ui.add_space(10.0);
            ui.horizontal(|ui| {
                let done = ui.add(fields::primary(ui.ctx(), "Merge")).clicked();
                for (side, name) in [(Side::Mine, "All mine"), (Side::Theirs, "All theirs")] {
                    if ui.add(Button::new(name).min_size(vec2(90.0, 26.0))).clicked() {
                        self.picks = merged.conflicts.iter().map(|conflict| (conflict.part, side)).collect();
                    }
                }
                (done, ui.add(Button::new("Later").min_size(vec2(90.0, 26.0))).clicked())
            })
            .inner
        });
        let (done, later) = modal.inner;
        if let Some(part) = shown {
            show_part(part, state);
        }
        if done {
            self.apply(view, merged, disk, state);
        } else if later || modal.should_close() {
            self.view = None;
        }
    }

    fn overwrite(&mut self, context: &egui::Context, disk: &mut Disk, state: &mut State) -> Option<Answer> {
        let can_merge = matches!(disk.news, Some(News::Changed(_)));
        let answers = [Some("Merge").filter(|_| can_merge), Some("Save over it"), Some("Cancel")];
        let text =
            format!("{} has changed on the disk since it was read. Saving now would lose that.", state.name);
        match question(context, "overwrite", "The file is newer", &text, answers)? {
            0 => {
                self.view = None;
                self.merge(disk, state);
                None
            }
            1 => {
                self.view = None;
                disk.keep_mine(state);
                disk.news = None;
                Some(Answer::Save)
            }
            _ => {
                self.view = None;
                None
            }
        }
    }

    fn unresolved(&mut self, context: &egui::Context, state: &mut State) -> Option<Answer> {
        let text = "Both sides of the conflict marks are merged here; where both changed the same, mine stands. Saving \
                    writes that, without marks.";
        let answers = [Some("Choose…"), Some("Save as it is"), Some("Cancel")];
        match question(context, "unresolved", "Places are not decided", text, answers)? {
            0 => self.open(View::Marks),
            1 => {
                self.view = None;
                state.contest = None;
                return Some(Answer::Save);
            }
            _ => self.view = None,
        }
        None
    }
}

fn say_merged(state: &mut State, text: &str, notes: &[String]) {
    let notes: String = notes.iter().map(|note| format!(" · {note}")).collect();
    state.say(Tone::Good, format!("{text}{notes}"));
}

/// Which answer was given; the last one for a dialog that was closed.
fn question(
    context: &egui::Context,
    id: &'static str,
    head: &str,
    text: &str,
    answers: [Option<&str>; 3],
) -> Option<usize> {
    let modal = modal(context, id).show(context, |ui| {
        set_width(ui, 420.0);
        title(ui, head);
        ui.label(text);
        ui.add_space(10.0);
        let mut given = None;
        ui.horizontal(|ui| {
            for (index, answer) in answers.into_iter().enumerate() {
                let Some(answer) = answer else { continue };
                let button = if index == 0 {
                    fields::primary(ui.ctx(), answer)
                } else {
                    Button::new(answer).min_size(vec2(90.0, 26.0))
                };
                if ui.add(button).clicked() {
                    given = Some(index);
                }
            }
        });
        given
    });
    let closed = modal.should_close();
    modal.inner.or(closed.then_some(answers.len() - 1))
}

/// A bar across the window.
fn bar(ui: &mut Ui, id: &'static str, text: &str, buttons: impl FnOnce(&mut Ui)) {
    let color = style::severity_color(ui.ctx(), Severity::Warning);
    let frame = style::bar_frame(ui.ctx()).stroke(egui::Stroke::new(1.0, color));
    Panel::top(id).frame(frame).show_separator_line(false).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let sign = egui_material_icons::icons::ICON_WARNING.rich_text().size(16.0).color(color);
            ui.label(sign);
            ui.label(RichText::new(text).color(style::of(ui.ctx()).strong));
            ui.add_space(8.0);
            buttons(ui);
        });
    });
}

fn list_changes(ui: &mut Ui, head: &str, list: &[Change]) {
    fields::head(ui, head);
    ScrollArea::vertical().id_salt(head).max_height(300.0).auto_shrink([false, true]).show(ui, |ui| {
        if list.is_empty() {
            ui.label(RichText::new("nothing").color(style::of(ui.ctx()).weak));
        }
        for change in list.iter().take(500) {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(&change.name).color(style::of(ui.ctx()).strong));
                ui.label(&change.what);
            });
        }
        if list.len() > 500 {
            ui.label(format!("and {} more", list.len() - 500));
        }
    });
}

/// One contested thing; the part whose place is to be shown.
fn choice(
    ui: &mut Ui,
    conflict: &Conflict,
    line: Option<usize>,
    picks: &mut BTreeMap<Part, Side>,
) -> Option<Part> {
    let mut shown = None;
    ui.horizontal(|ui| {
        let name = RichText::new(&conflict.name).color(style::of(ui.ctx()).strong);
        let response = ui.add(egui::Label::new(name).sense(egui::Sense::click()));
        if response.on_hover_text("Click shows it").clicked() {
            shown = Some(conflict.part);
        }
        if let Some(line) = line {
            ui.label(RichText::new(format!("line {line}")).color(style::of(ui.ctx()).weak));
        }
    });
    ui.indent(conflict.part, |ui| {
        for (side, word, what) in
            [(Side::Mine, "Mine", &conflict.mine), (Side::Theirs, "Theirs", &conflict.theirs)]
        {
            let text = format!("{word}: {what}");
            let response = ui.radio(conflict.picked == side, text);
            let label = format!("{}, {}: {what}", conflict.name, word.to_lowercase());
            response.widget_info(|| {
                egui::WidgetInfo::selected(
                    egui::Role::RadioButton,
                    true,
                    conflict.picked == side,
                    label.clone(),
                )
            });
            if response.clicked() {
                picks.insert(conflict.part, side);
            }
        }
    });
    ui.add_space(4.0);
    shown
}

fn show_part(part: Part, state: &mut State) {
    match part {
        Part::Area(id) => state.go_to(Item::Area(id)),
        Part::Link(id) => state.go_to(Item::Link(id)),
        Part::Level(number) if state.document().level(number).is_some() => state.level = number,
        Part::Class(id) => state.show_class(id),
        _ => return,
    }
    if matches!(part, Part::Area(_) | Part::Link(_)) {
        state.frame_next = Some(Frame::Selection);
    }
}
