//! The tree of levels, areas and links; selects both ways with the canvas.

use egui::{AtomExt as _, Button, RichText, ScrollArea, TextEdit, Ui, vec2};
use egui_material_icons::icons::{ICON_CROP_FREE, ICON_IMAGE, ICON_LAYERS, ICON_PENTAGON, ICON_SWAP_CALLS};

use crate::bake::AreaKind;
use crate::draw::Role;
use crate::editor::canvas::pick::Item;
use crate::editor::state::{Frame, Selection, State};
use crate::editor::style;
use crate::project::{AreaId, Document};

const ROW: f32 = 22.0;

/// A line of the tree.
enum Row {
    Level { number: i8, name: String, count: usize },
    Thing { item: Item, name: String, kind: Kind },
    Links { count: usize },
}

#[derive(Clone, Copy)]
enum Kind {
    Walk,
    Hole,
    Link,
    Picture,
}

/// What the panel remembers from frame to frame.
#[derive(Debug, Default)]
pub struct Memory {
    /// The text of the filter box.
    filter: String,
    /// The selection that was scrolled to.
    seen: Selection,
}

/// Shows the panel.
pub fn show(ui: &mut Ui, state: &mut State, memory: &mut Memory) {
    let box_response = ui.add(
        TextEdit::singleline(&mut memory.filter).hint_text("Filter by name").desired_width(f32::INFINITY),
    );
    box_response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter outline"));
    ui.add_space(2.0);
    let rows = rows(state.document(), &memory.filter.to_lowercase());
    ui.spacing_mut().item_spacing.y = 1.0;
    let mut area = ScrollArea::vertical().id_salt("outline-rows").auto_shrink(false);
    if memory.seen != state.selection {
        memory.seen = state.selection.clone();
        area = scroll_to(ui, area, &rows, state);
    }
    area.show_rows(ui, ROW, rows.len(), |ui, range| {
        for row in &rows[range] {
            show_row(ui, state, row);
        }
    });
}

fn rows(document: &Document, filter: &str) -> Vec<Row> {
    let wanted = |name: &str| filter.is_empty() || name.to_lowercase().contains(filter);
    let mut rows = Vec::new();
    for level in document.levels.iter().rev() {
        let areas = document.areas.iter().filter(|area| area.level == level.number && wanted(&area.name));
        let things: Vec<Row> = areas
            .map(|area| Row::Thing {
                item: Item::Area(area.id),
                name: area.name.clone(),
                kind: if area.kind == AreaKind::Walk { Kind::Walk } else { Kind::Hole },
            })
            .collect();
        rows.push(Row::Level { number: level.number, name: level.name.clone(), count: things.len() });
        rows.extend(things);
        let pictures = document.pictures.iter().filter(|picture| picture.level == level.number);
        rows.extend(pictures.filter(|picture| wanted(picture.name())).map(|picture| Row::Thing {
            item: Item::Picture(picture.id),
            name: picture.name().to_owned(),
            kind: Kind::Picture,
        }));
    }
    let links = document.links.iter().filter(|link| wanted(&link.name));
    let links: Vec<Row> = links
        .map(|link| Row::Thing { item: Item::Link(link.id), name: link.name.clone(), kind: Kind::Link })
        .collect();
    if !links.is_empty() {
        rows.push(Row::Links { count: links.len() });
        rows.extend(links);
    }
    rows
}

/// Scrolls to the only selected thing, a third of the way down, unless it is in sight already.
fn scroll_to(ui: &Ui, area: ScrollArea, rows: &[Row], state: &State) -> ScrollArea {
    let Some(only) = state.selection.only() else { return area };
    let found = rows.iter().position(|row| matches!(row, Row::Thing { item, .. } if *item == only));
    let Some(index) = found else { return area };
    let at = (ROW + ui.spacing().item_spacing.y) * index as f32;
    let id = ui.make_persistent_id("outline-rows");
    let before = egui::scroll_area::State::load(ui.ctx(), id).map_or(0.0, |state| state.unclamped_offset().y);
    let height = ui.available_height();
    if before <= at && at + ROW <= before + height {
        area
    } else {
        area.vertical_scroll_offset((at - height / 3.0).max(0.0))
    }
}

fn show_row(ui: &mut Ui, state: &mut State, row: &Row) {
    let width = ui.available_width();
    match row {
        Row::Level { number, name, count } => {
            let current = *number == state.level;
            let color = if current { style::of(ui.ctx()).strong } else { style::of(ui.ctx()).weak };
            let title = if name == &format!("level {number}") { String::new() } else { format!("  {name}") };
            let text = (
                ICON_LAYERS.rich_text().size(15.0).color(color),
                RichText::new(format!("Level {number}{title}")).color(color).strong(),
            );
            let button = Button::new(text)
                .fill(if current { style::of(ui.ctx()).raised } else { egui::Color32::TRANSPARENT })
                .right_text(RichText::new(count.to_string()).small().color(style::of(ui.ctx()).weak))
                .min_size(vec2(width, ROW));
            let response = ui.add(button);
            let label = format!("Outline: level {number}");
            response
                .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, current, label.clone()));
            if response.clicked() {
                state.level = *number;
            }
        }
        Row::Links { count } => {
            let text = (
                ICON_SWAP_CALLS.rich_text().size(15.0).color(style::of(ui.ctx()).weak),
                RichText::new("Links").color(style::of(ui.ctx()).weak).strong(),
            );
            let count = RichText::new(count.to_string()).small().color(style::of(ui.ctx()).weak);
            ui.add(
                Button::new(text)
                    .frame(false)
                    .right_text(count)
                    .min_size(vec2(width, ROW))
                    .sense(egui::Sense::hover()),
            );
        }
        Row::Thing { item, name, kind } => {
            let (icon, role) = match kind {
                Kind::Walk => (ICON_PENTAGON, Role::Walk),
                Kind::Hole => (ICON_CROP_FREE, Role::Hole),
                Kind::Link => (ICON_SWAP_CALLS, Role::Link),
                Kind::Picture => (ICON_IMAGE, Role::LevelBelow),
            };
            let selected = state.selection.has(*item);
            let icon = icon.rich_text().size(13.0).color(style::role_color(ui.ctx(), role));
            ui.horizontal(|ui| {
                ui.add_space(14.0);
                let text = (icon, RichText::new(name).atom_shrink(true));
                // The empty word on the right pushes the name to the left.
                let button = Button::selectable(selected, text)
                    .truncate()
                    .right_text("")
                    .min_size(vec2(width - 20.0, ROW))
                    .sense(egui::Sense::click_and_drag());
                let response = ui.add(button);
                let label = format!("Outline: {name}");
                response.widget_info(|| {
                    egui::WidgetInfo::selected(egui::Role::Button, true, selected, label.clone())
                });
                if let Item::Area(id) = *item {
                    drag(ui, state, &response, id);
                }
                if response.double_clicked() {
                    state.frame_next = Some(Frame::Selection);
                } else if response.clicked() {
                    if ui.input(|input| input.modifiers.command) {
                        let mut selection = state.selection.clone();
                        selection.toggle(*item);
                        state.select(selection);
                    } else {
                        state.go_to(*item);
                    }
                }
            });
        }
    }
}

/// An area's row is dragged to another place of the order: above or below another row of its level.
fn drag(ui: &Ui, state: &mut State, response: &egui::Response, id: AreaId) {
    response.dnd_set_drag_payload(id);
    let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else { return };
    let below = pointer.y > response.rect.center().y;
    if let Some(dragged) = response.dnd_hover_payload::<AreaId>()
        && *dragged != id
    {
        let y = if below { response.rect.max.y } else { response.rect.min.y };
        ui.painter().hline(response.rect.x_range(), y, egui::Stroke::new(2.0, style::of(ui.ctx()).accent));
    }
    let Some(dragged) = response.dnd_release_payload::<AreaId>().filter(|dragged| **dragged != id) else {
        return;
    };
    state.put_beside(*dragged, id, below);
}
