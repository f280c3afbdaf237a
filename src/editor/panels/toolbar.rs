//! Tools, levels, snapping, live bake and export.

use egui::{Button, RichText, Ui, vec2};
use egui_material_icons::icons::{
    ICON_ADD, ICON_ARROW_SELECTOR_TOOL, ICON_CROP_FREE, ICON_DIRECTIONS_WALK, ICON_DOWNLOAD, ICON_FIT_SCREEN,
    ICON_HELP_CENTER, ICON_PENTAGON, ICON_REDO, ICON_REMOVE, ICON_ROUTE, ICON_STRAIGHTEN, ICON_SWAP_CALLS,
    ICON_UNDO,
};

use crate::editor::action::{Action, entry};
use crate::editor::canvas::grid::GRIDS;
use crate::editor::keymap::keys_text;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::tools::ToolKind;
use crate::editor::tour;

/// Below this width, in points, tools are shown without their names.
const NARROW: f32 = 1240.0;

/// Below this one, which a large interface on a small screen has, all that is not needed is left out.
const TIGHT: f32 = 900.0;

/// And below this one the levels' buttons but the current one's.
const CRAMPED: f32 = 660.0;

/// And below this one undo and redo, which the menu and the keyboard have.
const LEAST: f32 = 560.0;

/// Shows the bar; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Vec<Action> {
    let mut picked = Vec::new();
    let (narrow, tight) = (ui.available_width() < NARROW, ui.available_width() < TIGHT);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let start = ui.cursor().min;
        let tools = [
            (ToolKind::Select, ICON_ARROW_SELECTOR_TOOL, "Select"),
            (ToolKind::Walk, ICON_PENTAGON, "Walk"),
            (ToolKind::Hole, ICON_CROP_FREE, "Hole"),
            (ToolKind::Link, ICON_SWAP_CALLS, "Link"),
            (ToolKind::Test, ICON_ROUTE, "Test"),
            (ToolKind::Play, ICON_DIRECTIONS_WALK, "Play"),
            (ToolKind::Inspect, ICON_HELP_CENTER, "Inspect"),
            (ToolKind::Measure, ICON_STRAIGHTEN, "Measure"),
        ];
        for (kind, icon, name) in tools {
            let action = Action::Tool(kind);
            let taken = state.tools.kind() == kind;
            let icon = icon.rich_text().size(17.0);
            let button = if narrow {
                Button::selectable(taken, icon).min_size(vec2(32.0, 28.0))
            } else {
                Button::selectable(taken, (icon, RichText::new(name))).min_size(vec2(62.0, 28.0))
            };
            let response = ui.add(button);
            response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, taken, name));
            if with_help(response, action, ui).clicked() {
                picked.push(action);
            }
        }
        let spot = egui::Rect::from_min_max(start, egui::pos2(ui.cursor().min.x, start.y + 28.0));
        tour::mark(ui.ctx(), tour::Spot::Tools, spot);
        ui.separator();
        if ui.ctx().content_rect().width() >= LEAST {
            for (action, icon, name) in [(Action::Undo, ICON_UNDO, "Undo"), (Action::Redo, ICON_REDO, "Redo")]
            {
                picked.extend(icon_button(ui, action, icon, name));
            }
            ui.separator();
        }
        let spot = ui.scope(|ui| levels(ui, state, tight, &mut picked)).response.rect;
        tour::mark(ui.ctx(), tour::Spot::Levels, spot);
        ui.separator();
        snapping(ui, state, tight);
        if state.document().classes.len() > 1 {
            ui.separator();
            class(ui, state);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let on_accent = style::of(ui.ctx()).on_accent;
            let export = (
                ICON_DOWNLOAD.rich_text().size(16.0).color(on_accent),
                RichText::new("Export").strong().color(on_accent),
            );
            let button = if tight { Button::new(export.0) } else { Button::new(export) };
            let least = vec2(if tight { 32.0 } else { 86.0 }, 28.0);
            let button = button.fill(style::of(ui.ctx()).accent).min_size(least);
            let response = ui.add(button);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Export"));
            tour::mark(ui.ctx(), tour::Spot::Export, response.rect);
            if with_help(response, Action::Export, ui).clicked() {
                picked.push(Action::Export);
            }
            if !tight {
                picked.extend(icon_button(ui, Action::FrameAll, ICON_FIT_SCREEN, "Frame all"));
            }
        });
    });
    picked
}

fn levels(ui: &mut Ui, state: &mut State, tight: bool, picked: &mut Vec<Action>) {
    if !tight {
        ui.label(RichText::new("Level").color(style::of(ui.ctx()).weak));
    }
    let document = state.document().clone();
    // Many levels: those around the current one, so that the bar keeps its breadth.
    let numbers = state.levels();
    let here = numbers.iter().position(|&number| number == state.level).unwrap_or(0);
    let most = if cramped(ui) {
        1
    } else if tight {
        3
    } else {
        7
    };
    let from = here.saturating_sub(most / 2).min(numbers.len().saturating_sub(most));
    for &number in numbers.iter().skip(from).take(most) {
        let label = format!("Level {number}");
        let text = RichText::new(number.to_string());
        let button = Button::selectable(number == state.level, text).min_size(vec2(28.0, 24.0));
        let response = ui.add(button);
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::Button, true, number == state.level, label.clone())
        });
        let response = response.on_hover_ui(|ui| {
            let areas = document.areas.iter().filter(|area| area.level == number).count();
            let name = document.level(number).map_or("", |level| &level.name);
            let elevation = document.elevation(number);
            ui.label(format!("Level {number}, {name}: {areas} areas, elevation {elevation}"));
        });
        if response.clicked() {
            state.level = number;
        }
    }
    if cramped(ui) {
        // The menu has them.
        return;
    }
    let below = Button::new(ICON_REMOVE.rich_text().size(15.0)).min_size(vec2(22.0, 24.0));
    let response = ui.add(below).on_hover_text("Add a level below; numbers may be negative");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add level below"));
    if response.clicked() {
        picked.push(Action::AddLevelBelow);
    }
    let button = Button::new(ICON_ADD.rich_text().size(15.0)).min_size(vec2(22.0, 24.0));
    let response = ui.add(button).on_hover_text("Add a level above; click with Shift: below");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add level"));
    if response.clicked() {
        let below = ui.input(|input| input.modifiers.shift);
        picked.push(if below { Action::AddLevelBelow } else { Action::AddLevelAbove });
    }
}

/// What the grid with so many lines a square is called.
pub(super) fn grid_name(lines: f64) -> &'static str {
    GRIDS.iter().find(|(per_square, _)| *per_square == lines).map_or("?", |(_, name)| name)
}

/// Whether not even the level buttons have room: 300 % on a small screen.
fn cramped(ui: &Ui) -> bool {
    ui.ctx().content_rect().width() < CRAMPED
}

fn snapping(ui: &mut Ui, state: &mut State, tight: bool) {
    let name = (!tight).then(|| ui.label(RichText::new("Grid").color(style::of(ui.ctx()).weak)).id);
    let now = GRIDS.iter().find(|(lines, _)| *lines == state.snap.per_square).map_or("?", |(_, name)| name);
    let response = egui::ComboBox::from_id_salt("grid-step")
        .selected_text(now)
        .width(56.0)
        .show_ui(ui, |ui| {
            for (lines, name) in GRIDS {
                ui.selectable_value(&mut state.snap.per_square, lines, format!("{name} square"));
            }
        })
        .response;
    let response = match name {
        Some(name) => response.labelled_by(name),
        None => {
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Grid"));
            response
        }
    };
    response.on_hover_text("The grid: where points land; Ctrl: on the square's edge");
    ui.add_space(2.0);
    let on = state.snap.join;
    let response = ui.checkbox(&mut state.snap.join, if tight { "" } else { "Join" });
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, on, "Join"));
    response.on_hover_text(
        "Join: points join other areas' points and edges within 10 pixels, on any level; Alt turns it off for a moment",
    );
}

/// Which agent class's mesh is shown.
fn class(ui: &mut Ui, state: &mut State) {
    let name = ui.label(RichText::new("Agent").color(style::of(ui.ctx()).weak)).id;
    let (classes, mut shown) = (state.document().classes.clone(), state.class().id);
    egui::ComboBox::from_id_salt("shown-class")
        .selected_text(&state.class().name)
        .width(84.0)
        .truncate()
        .show_ui(ui, |ui| {
            for class in classes.iter() {
                ui.selectable_value(&mut shown, class.id, &class.name);
            }
        })
        .response
        .labelled_by(name)
        .on_hover_text("The agent class whose mesh is shown and asked for paths (C: the next one)");
    state.show_class(shown);
}

fn icon_button(
    ui: &mut Ui,
    action: Action,
    icon: egui_material_icons::MaterialIcon,
    name: &'static str,
) -> Option<Action> {
    let response = ui.add(Button::new(icon.rich_text().size(17.0)).min_size(vec2(28.0, 28.0)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    with_help(response, action, ui).clicked().then_some(action)
}

fn with_help(response: egui::Response, action: Action, ui: &Ui) -> egui::Response {
    let Some(entry) = entry(action) else { return response };
    // The tool's own row has the key.
    let entry = crate::editor::action::LIST.iter().rfind(|other| other.action == action).unwrap_or(entry);
    let keys = keys_text(ui.ctx(), entry);
    let keys = if keys.is_empty() { String::new() } else { format!(" ({keys})") };
    response.on_hover_text(format!("{}{keys}\n{}", entry.name, entry.help))
}
