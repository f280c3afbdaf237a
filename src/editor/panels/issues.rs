//! What the bake found, worst first: a click selects and shows it, buttons do something about it.

use egui::{Button, ComboBox, Label, Response, RichText, ScrollArea, Sense, Ui, vec2};
use egui_material_icons::icons::{ICON_MORE_VERT, ICON_VISIBILITY, ICON_VISIBILITY_OFF};

use crate::bake::{Diagnostic, DiagnosticKind, Severity};
use crate::editor::action::Action;
use crate::editor::fix_button::fix_button;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;
use crate::project::fix::Fix;

const ROW: f32 = 24.0;
const TWO_LINES: f32 = 38.0;
/// Below this breadth a row has two lines, and its first fix alone beside the menu of all others.
const NARROW: f32 = 620.0;
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

/// Shows the list; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    state.refresh_issues();
    filters(ui, state);
    if state.issue_view.hidden_shown && !state.document().hidden_issues.is_empty() {
        hidden(ui, state);
        return None;
    }
    let mut picked = failure(ui, state);
    let count = state.listed_issues().len();
    if count == 0 {
        let text = match (&state.bake.shown, &state.bake.failure) {
            (None, Some(_)) => "",
            (None, None) => "Not baked yet.",
            (Some(_), _) if !state.shown_issues().is_empty() => "Nothing that the filter lets through.",
            (Some(_), _) => "Nothing found.",
        };
        ui.label(RichText::new(text).color(style::of(ui.ctx()).weak));
        return picked;
    }
    // What does not fit in a line gets two.
    let height = if ui.available_width() < NARROW { TWO_LINES } else { ROW };
    ui.spacing_mut().item_spacing.y = 1.0;
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, count, |ui, range| {
        // A fix of an earlier row may have changed the list.
        let rows = state.listed_issues().get(range).map(<[usize]>::to_vec).unwrap_or_default();
        for index in rows {
            picked = row(ui, state, index, height).or(picked);
        }
    });
    picked
}

/// Buttons for severities, choices of kind and level, and the way to what is hidden.
fn filters(ui: &mut Ui, state: &mut State) {
    let counts = state.issue_counts();
    let hidden = state.document().hidden_issues.len();
    let view = &mut state.issue_view;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for ((count, severity), on) in counts.into_iter().zip(SEVERITIES).zip(&mut view.filter.severities) {
            let color = if count == 0 || !*on {
                style::of(ui.ctx()).weak
            } else {
                style::severity_color(ui.ctx(), severity)
            };
            let text = RichText::new(format!("{} {count}", words::sign(severity))).color(color).size(12.0);
            let button = Button::new(text).selected(false).min_size(vec2(36.0, 20.0));
            let response = ui.add(if *on { button } else { button.frame(false) });
            let label = format!("Show {}s", words::severity(severity));
            let is_on = *on;
            response
                .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_on, label.clone()));
            if response.on_hover_text(format!("{label}: {}", if is_on { "on" } else { "off" })).clicked() {
                *on = !*on;
            }
        }
        let name = |kind: DiagnosticKind| kind.name().replace('_', " ");
        ComboBox::from_id_salt("issue-kind")
            .selected_text(view.filter.kind.map_or_else(|| "All kinds".to_owned(), name))
            .width(120.0)
            .truncate()
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut view.filter.kind, None, "All kinds");
                for &kind in &view.kinds {
                    ui.selectable_value(&mut view.filter.kind, Some(kind), name(kind));
                }
            })
            .response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Kind of issues"));
        let word = |level: i8| format!("Level {level}");
        ComboBox::from_id_salt("issue-level")
            .selected_text(view.filter.level.map_or_else(|| "All levels".to_owned(), word))
            .width(84.0)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut view.filter.level, None, "All levels");
                for &level in &view.levels {
                    ui.selectable_value(&mut view.filter.level, Some(level), word(level));
                }
            })
            .response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Level of issues"));
        if hidden > 0 {
            let text = format!("{hidden} hidden");
            let response = ui.add(Button::selectable(view.hidden_shown, text));
            if response.on_hover_text("What is hidden on purpose in this map").clicked() {
                view.hidden_shown = !view.hidden_shown;
            }
        }
    });
    state.refresh_issues();
}

/// Why there is no mesh at all.
fn failure(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let failure = state.bake.failure.as_ref().filter(|_| !state.fresh())?.to_string();
    let color = style::severity_color(ui.ctx(), Severity::Error);
    let fixes = state.failure_fixes();
    let mut picked = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(format!("{} {failure}", words::sign(Severity::Error))).color(color));
        for fix in &fixes {
            if fix_button(ui, fix) {
                picked = state.do_fix(None, fix);
            }
        }
    });
    picked
}

fn row(ui: &mut Ui, state: &mut State, index: usize, height: f32) -> Option<Action> {
    let issue = state.issues().get(index)?.clone();
    let (fixes, remark) = (state.fixes(index), state.remark(index));
    let is_narrow = height > ROW;
    let shown = if is_narrow { 1 } else { 3 };
    let mut picked = None;
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let hide = Button::new(ICON_VISIBILITY_OFF.rich_text().size(13.0)).frame_when_inactive(false);
            let response = ui.add(hide).on_hover_text("Hide this one: the map remembers it");
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Hide this one"));
            if response.clicked() {
                state.hide_issue(index);
            }
            if fixes.len() > shown {
                picked = more(ui, state, index, &fixes[shown..]);
            }
            for fix in fixes.iter().take(shown).rev() {
                if fix_button(ui, fix) {
                    picked = state.do_fix(Some(index), fix);
                }
            }
            if let Some(remark) = remark.filter(|_| fixes.is_empty() || !is_narrow) {
                let room = if is_narrow { 0.4 } else { 0.55 } * ui.available_width();
                let label = Label::new(RichText::new(remark).small().color(style::of(ui.ctx()).weak));
                ui.scope(|ui| {
                    ui.set_max_width(room);
                    ui.add(if is_narrow { label.wrap() } else { label.truncate() });
                });
            }
            let response = what(ui, &issue, state.issue == Some(index), height);
            let clicked = response.clicked();
            response.on_hover_ui(|ui| {
                ui.set_max_width(420.0);
                ui.label(state.issue_text(index));
            });
            if clicked {
                state.go_to_issue(index);
            }
        });
    });
    picked
}

/// The fixes that have no button of their own in the row.
fn more(ui: &mut Ui, state: &mut State, index: usize, fixes: &[Fix]) -> Option<Action> {
    let icon = ICON_MORE_VERT.rich_text().size(15.0);
    let button = Button::new(icon).frame_when_inactive(false);
    let (response, inner) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        let picked = fixes.iter().find(|fix| ui.button(&fix.name).on_hover_text(&fix.help).clicked());
        picked.map(|fix| {
            ui.close();
            state.do_fix(Some(index), fix)
        })
    });
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "More fixes"));
    inner.and_then(|inner| inner.inner).flatten()
}

/// What was found, and where, in as many lines as there is room for.
fn what(ui: &mut Ui, issue: &Diagnostic, selected: bool, height: f32) -> Response {
    let severity = issue.kind.severity();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let label = format!("Issue: {}: {}", words::severity(severity), issue.message);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, selected, label.clone()));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let visuals = ui.style().interact_selectable(&response, selected);
    if selected || response.hovered() || response.has_focus() {
        ui.painter().rect(rect, 4.0, visuals.weak_bg_fill, visuals.bg_stroke, egui::StrokeKind::Inside);
    }
    let colors = style::of(ui.ctx());
    let (text, weak) =
        if selected { (colors.on_accent, colors.on_accent) } else { (colors.text, colors.weak) };
    let body = egui::TextStyle::Body.resolve(ui.style());
    let small = egui::FontId::proportional(body.size * 0.84);
    let mut job = egui::text::LayoutJob::default();
    job.append(&issue.message, 0.0, egui::TextFormat::simple(body, text));
    // In one piece.
    let place = format!("level {} · {}", issue.level, words::place(issue.place)).replace(' ', "\u{a0}");
    job.append(&place, 10.0, egui::TextFormat::simple(small, weak));
    job.wrap.max_width = rect.width() - 32.0;
    job.wrap.max_rows = if height > ROW { 2 } else { 1 };
    let galley = ui.painter().layout_job(job);
    let sign = RichText::new(words::sign(severity)).color(style::severity_color(ui.ctx(), severity));
    let sign = egui::WidgetText::from(sign).into_galley(ui, None, 24.0, egui::TextStyle::Body);
    let middle = |size: egui::Vec2| rect.center().y - 0.5 * size.y;
    ui.painter().galley(egui::pos2(rect.min.x + 6.0, middle(sign.size())), sign, text);
    ui.painter().galley(egui::pos2(rect.min.x + 25.0, middle(galley.size())), galley, text);
    response
}

/// What is hidden on purpose, with a button for each that shows it again.
fn hidden(ui: &mut Ui, state: &mut State) {
    let all = state.document().hidden_issues.clone();
    if ui.button("Show all of them").clicked() {
        return state.unhide_issues(all.to_vec());
    }
    let mut back = None;
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, all.len(), |ui, range| {
        for hidden in &all[range] {
            ui.horizontal(|ui| {
                let button = Button::new(ICON_VISIBILITY.rich_text().size(13.0)).frame_when_inactive(false);
                let response = ui.add(button).on_hover_text("Show it again");
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Show it again"));
                if response.clicked() {
                    back = Some(*hidden);
                }
                let severity = hidden.kind.severity();
                ui.label(
                    RichText::new(words::sign(severity)).color(style::severity_color(ui.ctx(), severity)),
                );
                let about =
                    hidden.area.and_then(|id| state.document().area(id).map(|area| area.name.clone()));
                let about = about.map(|name| format!(" · {name}")).unwrap_or_default();
                let (kind, place) = (hidden.kind.name().replace('_', " "), words::place(hidden.place));
                ui.label(format!("{kind}{about} · level {} · {place}", hidden.level));
            });
        }
    });
    if let Some(hidden) = back {
        state.unhide_issues(vec![hidden]);
    }
}
