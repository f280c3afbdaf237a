//! The card of the Inspect tool: what is at a place; and the menu of all things there.

use egui::{Align2, Id, Order, Rect, RichText, Role, ScrollArea, WidgetInfo, pos2};
use egui_material_icons::icons::{ICON_CLOSE, ICON_CONTENT_COPY};

use super::probe;
use crate::bake::Severity;
use crate::editor::canvas::pick::Item;
use crate::editor::inspect::{thing_words, things_at};
use crate::editor::state::{Selection, State};
use crate::editor::style;
use crate::editor::tools::ToolKind;

/// Breadth of the card, in points.
const BREADTH: f32 = 300.0;

/// Shows the card on the canvas while the Inspect tool is used.
pub fn card(context: &egui::Context, state: &mut State, canvas: Rect) {
    if state.tools.kind() != ToolKind::Inspect {
        return;
    }
    let Some(asked) = state.asked.clone() else { return };
    let colors = style::of(context);
    let (mut picked, mut floor, mut closed) = (None, None, false);
    // On the side of the canvas where it does not hide the place.
    let at = state.camera.view(canvas).pixel_from_world(asked.place);
    let (pivot, x) = if at[0] > canvas.center().x {
        (Align2::LEFT_TOP, canvas.min.x + 12.0)
    } else {
        (Align2::RIGHT_TOP, canvas.max.x - 12.0)
    };
    let area = egui::Area::new(Id::unique("inspect-card")).order(Order::Middle).pivot(pivot);
    // What the stage on top says stays in sight.
    let top = if state.shown.overlays.stage { 56.0 } else { 12.0 };
    area.fixed_pos(pos2(x, canvas.min.y + top)).show(context, |ui| {
        let frame = egui::Frame::new()
            .fill(colors.plate)
            .stroke(egui::Stroke::new(1.0, colors.line))
            .corner_radius(6.0)
            .inner_margin(egui::Margin::symmetric(12, 9));
        frame.show(ui, |ui| {
            // In a narrow canvas most of the map stays in sight.
            ui.set_width(BREADTH.min((0.5 * canvas.width()).max(200.0)).min(canvas.width() - 48.0));
            ui.horizontal(|ui| {
                ui.label(RichText::new("What is here").strong().color(colors.strong));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    closed = button(ui, ICON_CLOSE, "Close the card");
                    if button(ui, ICON_CONTENT_COPY, "Copy what is here")
                        && let Some(text) = state.asked_text()
                    {
                        ui.ctx().copy_text(text);
                    }
                });
            });
            ui.add_space(4.0);
            let high = (canvas.height() - 78.0 - top).max(80.0);
            // The area is as large as it was; what came since may need more.
            ScrollArea::vertical().max_height(high).min_scrolled_height(high).show(ui, |ui| {
                for fact in &asked.facts {
                    ui.add_space(3.0);
                    ui.label(RichText::new(fact.about).size(10.5).color(colors.weak));
                    let color = if fact.reason {
                        style::severity_color(ui.ctx(), Severity::Warning)
                    } else {
                        colors.strong
                    };
                    let text = RichText::new(&fact.text).color(color);
                    match fact.item {
                        Some(item) => {
                            if ui.link(text).on_hover_text("Select it").clicked() {
                                picked = Some(item);
                            }
                        }
                        None if fact.floor.is_some() => {
                            if ui.link(text).on_hover_text("Ask about this floor").clicked() {
                                floor = fact.floor;
                            }
                        }
                        None => drop(ui.label(text)),
                    }
                }
                probe::show(ui, state);
            });
        });
    });
    if let Some(item) = picked {
        state.select(Selection::item(item));
    }
    if let Some(y) = floor {
        state.ask_floor(y);
    }
    if closed {
        state.asked = None;
    }
}

fn button(ui: &mut egui::Ui, icon: egui_material_icons::MaterialIcon, name: &'static str) -> bool {
    let response = ui.add(egui::Button::new(icon.rich_text().size(14.0)).frame(false));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response.on_hover_text(name).clicked()
}

/// The rows of the menu of all things at a place; the thing that was picked.
pub fn menu(ui: &mut egui::Ui, state: &State, place: [f64; 2]) -> Option<Item> {
    let things = things_at(state, place);
    if things.is_empty() {
        ui.label(RichText::new("Nothing of this level is here").color(style::of(ui.ctx()).weak));
    }
    let mut picked = None;
    for item in things.into_iter().take(24) {
        let text = thing_words(state.document(), item);
        let selected = state.selection.has(item);
        if ui.add(egui::Button::selectable(selected, text)).clicked() {
            picked = Some(item);
            ui.close();
        }
    }
    picked
}
