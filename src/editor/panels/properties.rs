//! The values of what is selected.

use egui::{Button, Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons::ICON_CLOSE;

use super::fields::{self, COORDINATES, Change, delete_button, level_field, optional};
use super::{area_types, checks, geometry, heights, picture, settings, shape};
use crate::bake::{AreaKind, Surface};
use crate::editor::action::Action;
use crate::editor::canvas::grid::{FINEST, is_on_grid, round_to};
use crate::editor::canvas::notes;
use crate::editor::canvas::pick::Item;
use crate::editor::state::{Selection, State};
use crate::editor::style;
use crate::editor::told;
use crate::editor::tools::ToolKind;
use crate::editor::words;
use crate::project::{Area, Command, Link};
use crate::query::PathStatus;

/// Height of a row of the table of points.
const POINT_ROW: f32 = 20.0;

/// Shows the panel; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let mut picked = None;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if state.tools.kind() == ToolKind::Test {
            path(ui, state);
            picked = super::why::show(ui, state);
            checks::show(ui, state);
        }
        match (state.selection.only(), state.selection.len()) {
            (Some(Item::Area(id)), _) => {
                if let Some(area) = state.document().area(id).cloned() {
                    area_fields(ui, state, &area);
                    ui.separator();
                    picked = shape::show(ui, state);
                }
            }
            (Some(Item::Link(id)), _) => {
                if let Some(link) = state.document().link(id).cloned() {
                    link_fields(ui, state, &link);
                }
            }
            (Some(Item::Picture(id)), _) => {
                if let Some(picture) = state.document().picture(id).cloned() {
                    picture::show(ui, state, &picture);
                }
            }
            (Some(Item::Geometry(id)), _) => {
                if let Some(item) = state.document().geometry(id).cloned() {
                    picked = geometry::show(ui, state, &item);
                }
            }
            // While a path is asked for too: what the agents are like decides over it.
            (None, 0) => picked = settings::show(ui, state).or(picked),
            (None, _) => {
                several(ui, state);
                ui.separator();
                picked = shape::show(ui, state).or(picked);
            }
        }
    });
    picked
}

/// Where floors lie over each other below a marker, which of them it stands on.
fn floors(ui: &mut Ui, state: &mut State) {
    let [start, end] = state.test_floors.clone();
    let test = &mut state.tools.test;
    for (floors, label, marker) in
        [(start, "Start floor", &mut test.start), (end, "End floor", &mut test.end)]
    {
        if let (Some(marker), Some(y)) = (marker, heights::choose(&floors, ui, label)) {
            marker.y = Some(y);
        }
    }
}

fn path(ui: &mut Ui, state: &mut State) {
    fields::head(ui, "PATH");
    floors(ui, state);
    let test = &state.tools.test;
    let Some(found) = &state.path else {
        let text = match (test.start, test.end) {
            (None, _) => "Click where the path starts.",
            (Some(_), None) => "Click where it ends.",
            (Some(_), Some(_)) => "Waiting for the mesh.",
        };
        ui.label(RichText::new(text).color(style::of(ui.ctx()).weak));
        ui.separator();
        return;
    };
    let (word, color) = match found.status {
        PathStatus::Complete if state.path_off.is_some() => {
            ("none: an end lies off the mesh", ui.visuals().error_fg_color)
        }
        PathStatus::Complete => ("complete", style::of(ui.ctx()).good),
        PathStatus::Partial => ("does not reach the end", ui.visuals().error_fg_color),
        PathStatus::None => ("none", ui.visuals().error_fg_color),
    };
    fields::row(ui, "Path", |ui, _| ui.label(RichText::new(word).color(color).strong()));
    if !found.reason.is_empty() {
        ui.label(&found.reason);
    }
    if let Some(off) = &state.path_off {
        ui.label(format!("{off}. What follows is the path between the nearest floors."));
    }
    if found.status != PathStatus::None {
        fields::value(ui, "Length", format!("{:.3} squares", found.length));
        fields::value(ui, "Along the surface", format!("{:.3}", found.length_3d));
        fields::value(ui, "Levels", told::levels(state).unwrap_or_default());
        fields::value(ui, "Corners", found.points.len().saturating_sub(2).to_string());
        let jumps = found.points.iter().filter(|point| point.link.is_some()).count();
        if jumps > 0 {
            fields::value(ui, "Jumps", jumps.to_string());
        }
    }
    ui.separator();
}

fn area_fields(ui: &mut Ui, state: &mut State, area: &Area) {
    fields::head(ui, if area.kind == AreaKind::Walk { "WALK AREA" } else { "HOLE" });
    let owner = Id::unique(("area-name", area.id.0));
    if let Some(name) = fields::text(ui, owner, "Name", &area.name) {
        let renamed = Area { name, ..area.clone() };
        state.commit(&format!("Rename {}", area.name), &Command::SetAreas(vec![renamed]));
        return;
    }
    let mut edited = area.clone();
    let mut change = Change::default();
    fields::row(ui, "Kind", |ui, _| {
        let mut pick = |ui: &mut Ui, kind, name| {
            if ui.selectable_value(&mut edited.kind, kind, name).changed() {
                change.at_once();
            }
        };
        pick(ui, AreaKind::Hole, "Hole");
        pick(ui, AreaKind::Walk, "Walk");
    });
    level_field(ui, &mut change, state, "Level", &mut edited.level);
    let flat = surface_heights(state, area);
    fields::row(ui, "Surface", |ui, _| surface(ui, &mut change, &mut edited, flat));
    rise(ui, state, area);
    area_types::choose(ui, &mut change, state.document(), &mut edited.area_type);
    let flags = (state.document().settings.flags & 0xFF) as u8;
    optional(ui, &mut change, "Flags", &mut edited.flags, flags, 255);
    ui.add_space(4.0);
    ui.separator();
    let title = format!("POINTS ({})", area.points.len());
    fields::head(ui, &title);
    let removed = points(ui, state, &mut change, &mut edited);
    if let Some(index) = removed {
        match area.without_point(index) {
            Some(fewer) => {
                state.commit(&format!("Remove point of {}", area.name), &Command::SetAreas(vec![fewer]));
            }
            None => {
                state.say(crate::editor::state::Tone::Hint, "an area needs 3 points; Del deletes the area")
            }
        }
        return;
    }
    let name = format!("Change {}", area.name);
    change.apply(state, &name, || Command::SetAreas(vec![edited]));
    ui.add_space(6.0);
    if delete_button(ui, "Delete area") {
        state.delete();
    }
}

/// The heights that the area's points have now: what a surface of heights begins with.
fn surface_heights(state: &State, area: &Area) -> Vec<f64> {
    let seams = state.bake.shown.as_ref().map_or(&[][..], |baked| &baked.report.seams);
    notes::heights(state.document(), seams, area)
}

/// How a sloped area rises: by how much, how steep, to where.
fn rise(ui: &mut Ui, state: &State, area: &Area) {
    let Some(baked) = state.bake.shown.as_ref().filter(|_| area.surface != Surface::Level) else { return };
    let Some(slope) = notes::slope(state.document(), &baked.report.seams, area) else {
        return fields::value(ui, "Rise", "flat: no point on a seam with another level");
    };
    let along = [slope.to[0] - slope.from[0], slope.to[1] - slope.from[1]];
    let direction = along[1].atan2(along[0]).to_degrees();
    fields::value(ui, "Rise", format!("{} sq", words::number(slope.rise)));
    let steep = slope.degrees > f64::from(state.class().max_slope);
    let text = format!("{:.1}°{}", slope.degrees, if steep { ", too steep" } else { "" });
    fields::value(ui, "Slope", text);
    fields::value(ui, "Up towards", format!("{direction:.0}°"));
}

fn surface(ui: &mut Ui, change: &mut Change, area: &mut Area, flat: Vec<f64>) {
    let kind = |surface: &Surface| match surface {
        Surface::Level => "Level",
        Surface::Ramp => "Ramp",
        Surface::Heights(_) => "Heights",
    };
    egui::ComboBox::from_id_salt(("surface", area.id.0))
        .selected_text(kind(&area.surface))
        .width(92.0)
        .show_ui(ui, |ui| {
            for (option, help) in [
                (Surface::Level, "Flat at its level's elevation"),
                (Surface::Ramp, "Points on a seam take the other level's elevation"),
                (Surface::Heights(flat), "One height per point"),
            ] {
                let now = kind(&area.surface) == kind(&option);
                if ui.selectable_label(now, kind(&option)).on_hover_text(help).clicked() && !now {
                    area.surface = option;
                    change.at_once();
                }
            }
        });
}

/// The table of points; the one whose ✕ was clicked.
fn points(ui: &mut Ui, state: &mut State, change: &mut Change, area: &mut Area) -> Option<usize> {
    let mut removed = None;
    let picked = state.selection.points().clone();
    let count = area.points.len();
    let with_heights = matches!(area.surface, Surface::Heights(_));
    let width = if with_heights { 58.0 } else { 82.0 };
    let height = (POINT_ROW + 3.0) * count.min(12) as f32 + 6.0;
    ui.horizontal(|ui| {
        ui.add_space(32.0);
        for name in if with_heights { &["x", "z", "height"][..] } else { &["x", "z"] } {
            ui.add_sized(
                [width, 14.0],
                egui::Label::new(RichText::new(*name).small().color(style::of(ui.ctx()).weak)),
            );
        }
    });
    ScrollArea::vertical().id_salt("points").max_height(height).show_rows(
        ui,
        POINT_ROW,
        count,
        |ui, range| {
            ui.spacing_mut().item_spacing = egui::vec2(4.0, 3.0);
            ui.spacing_mut().interact_size.y = POINT_ROW;
            for index in range {
                ui.horizontal(|ui| {
                    // A point off the grid is marked here only, not on the canvas.
                    let on_grid = is_on_grid(area.points[index], state.snap.per_square);
                    let number = RichText::new(format!("{}", index + 1)).small();
                    let button = Button::selectable(picked.contains(&(area.id, index)), number)
                        .min_size(egui::vec2(28.0, 20.0));
                    let response = ui.add(button);
                    let off = if on_grid { "" } else { ", off the grid" };
                    let label = format!("Point {}{off}", index + 1);
                    response
                        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label.clone()));
                    let response = if on_grid {
                        response
                    } else {
                        off_grid_mark(ui, response.rect);
                        response.on_hover_text("Off the grid")
                    };
                    if response.clicked() {
                        let mut selection = state.selection.clone();
                        if ui.input(|input| input.modifiers.command) {
                            selection.toggle_point(area.id, index);
                        } else {
                            selection = Selection::point(area.id, index);
                        }
                        state.select(selection);
                    }
                    for (axis, name) in ["x", "z"].into_iter().enumerate() {
                        let mut value = area.points[index][axis];
                        let label = format!("Point {} {name}", index + 1);
                        let response = fields::drag(ui, width, &label, &mut value, COORDINATES, |field| {
                            field.speed(0.1).max_decimals(3)
                        });
                        response.widget_info(|| egui::WidgetInfo {
                            label: Some(label.clone()),
                            ..egui::WidgetInfo::drag_value(true, value)
                        });
                        change.note(&response);
                        if response.changed() {
                            area.points[index][axis] = round_to([value, 0.0], FINEST)[0];
                        }
                    }
                    if let Surface::Heights(heights) = &mut area.surface
                        && let Some(height) = heights.get_mut(index)
                    {
                        let label = format!("Point {} height", index + 1);
                        let response = fields::drag(ui, width, &label, height, COORDINATES, |field| {
                            field.speed(0.05).max_decimals(3)
                        });
                        response.widget_info(|| egui::WidgetInfo {
                            label: Some(label.clone()),
                            ..egui::WidgetInfo::new(egui::Role::SpinButton)
                        });
                        change.note(&response);
                    }
                    let response = ui.add(Button::new(ICON_CLOSE.rich_text().size(12.0)).frame(false));
                    let label = format!("Remove point {}", index + 1);
                    response
                        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label.clone()));
                    if response.clicked() {
                        removed = Some(index);
                    }
                });
            }
        },
    );
    removed
}

/// ◇ in the corner of a point's number; the font has no such letter.
fn off_grid_mark(ui: &Ui, rect: egui::Rect) {
    let at = rect.left_top() + egui::vec2(5.0, 5.0);
    let corners = [[0.0, -4.0], [4.0, 0.0], [0.0, 4.0], [-4.0, 0.0]];
    let corners = corners.map(|[x, y]| at + egui::vec2(x, y)).to_vec();
    let line = egui::Stroke::new(1.2, style::of(ui.ctx()).strong);
    ui.painter().add(egui::Shape::closed_line(corners, line));
}

fn link_fields(ui: &mut Ui, state: &mut State, link: &Link) {
    fields::head(ui, "LINK");
    let owner = Id::unique(("link-name", link.id.0));
    if let Some(name) = fields::text(ui, owner, "Name", &link.name) {
        let renamed = Link { name, ..link.clone() };
        state.commit(&format!("Rename {}", link.name), &Command::SetLinks(vec![renamed]));
        return;
    }
    let mut edited = link.clone();
    let mut change = Change::default();
    let change_ref = &mut change;
    level_field(ui, change_ref, state, "Start level", &mut edited.start_level);
    fields::number(ui, change_ref, "Start x", &mut edited.start[0], COORDINATES, "");
    fields::number(ui, change_ref, "Start z", &mut edited.start[1], COORDINATES, "");
    edited.start_y = heights::field(ui, state, change_ref, "Start height", edited.start_spot());
    level_field(ui, change_ref, state, "End level", &mut edited.end_level);
    fields::number(ui, change_ref, "End x", &mut edited.end[0], COORDINATES, "");
    fields::number(ui, change_ref, "End z", &mut edited.end[1], COORDINATES, "");
    edited.end_y = heights::field(ui, state, change_ref, "End height", edited.end_spot());
    ui.separator();
    fields::number(ui, change_ref, "Radius", &mut edited.radius, 0.001..=1000.0, " sq")
        .on_hover_text("How far an end reaches for a polygon to attach to");
    fields::row(ui, "Direction", |ui, _| {
        let both = ui.selectable_label(edited.bidirectional, "both ways");
        let one = ui.selectable_label(!edited.bidirectional, "one way");
        if both.clicked() || one.clicked() {
            let wanted = both.clicked();
            if wanted != edited.bidirectional {
                edited.bidirectional = wanted;
                change_ref.at_once();
            }
        }
    });
    area_types::choose_own(ui, change_ref, state.document(), &mut edited.area);
    fields::whole(ui, change_ref, "Flags", &mut edited.flags, 0..=u16::MAX, "");
    fields::whole(ui, change_ref, "User id", &mut edited.user_id, 0..=u32::MAX, "")
        .on_hover_text("Your own number; the game sees it when a path takes this link");
    let length = (link.end[0] - link.start[0]).hypot(link.end[1] - link.start[1]);
    fields::value(ui, "Length", format!("{length:.2} squares"));
    let name = format!("Change {}", link.name);
    change.apply(state, &name, || Command::SetLinks(vec![edited]));
    ui.add_space(6.0);
    if delete_button(ui, "Delete link") {
        state.delete();
    }
}

fn several(ui: &mut Ui, state: &mut State) {
    let document = state.document().clone();
    let areas: Vec<Area> = state.selection.areas(&document).map(|area| (**area).clone()).collect();
    let links = state.selection.links(&document).count();
    fields::head(ui, &format!("{} THINGS", state.selection.len()));
    fields::value(ui, "Areas", areas.len().to_string());
    fields::value(ui, "Links", links.to_string());
    if !areas.is_empty() {
        let count = words::many(areas.len(), "area");
        let mut all = |ui: &mut Ui, text: &str, what: &str, set: &dyn Fn(&mut Area)| {
            if ui.button(text).clicked() {
                let mut changed = areas.clone();
                changed.iter_mut().for_each(set);
                state.commit(&format!("Make {count} {what}"), &Command::SetAreas(changed));
            }
        };
        ui.horizontal_wrapped(|ui| {
            all(ui, "Make walk areas", "walkable", &|area| area.kind = AreaKind::Walk);
            all(ui, "Make holes", "holes", &|area| area.kind = AreaKind::Hole);
        });
        let level = state.level;
        let on_level = format!("Move to level {level}");
        let moved = areas.iter().any(|area| area.level != level);
        if moved && ui.button(&on_level).clicked() {
            let changed = areas.iter().map(|area| Area { level, ..area.clone() }).collect();
            state.commit(&format!("Move {count} to level {level}"), &Command::SetAreas(changed));
        }
    }
    ui.add_space(6.0);
    if delete_button(ui, "Delete all of them") {
        state.delete();
    }
}
