//! The start page: a new map, one from before, a sample, or what a crash left.

use std::path::{Path, PathBuf};

use egui::{Button, CentralPanel, Label, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, vec2};
use egui_material_icons::icons::{ICON_ADD, ICON_CLOSE, ICON_DRAFT, ICON_FOLDER_OPEN};

use super::action::Action;
use super::canvas::ink::Ink;
use super::panels::fields;
use super::safety::{Found, ago};
use super::samples::SAMPLES;
use super::style::{self, color32};
use crate::bake::Severity;
use crate::draw::{Shape, View, area_shapes, bounds, paint};
use crate::project::Document;

/// What was picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Act(Action),
    /// Takes a recent file off the list.
    Forget(usize),
    Sample(usize),
    Recover(usize),
    Discard(usize),
    Close,
}

/// What stays from frame to frame: the samples' shapes, and which recent files are there.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pictures: Vec<Vec<Shape>>,
    there: Vec<(PathBuf, bool)>,
}

/// Shows the page in what room there is.
pub(super) fn show(ui: &mut Ui, memory: &mut Memory, recent: &[PathBuf], found: &[Found]) -> Option<Choice> {
    memory.refresh(recent);
    let mut choice = None;
    let frame = egui::Frame::new().fill(style::of(ui.ctx()).field).inner_margin(24.0);
    CentralPanel::default().frame(frame).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let width = ui.available_width().min(980.0);
            let side = ((ui.available_width() - width) * 0.5).max(0.0);
            ui.horizontal_top(|ui| {
                ui.add_space(side);
                ui.vertical(|ui| {
                    ui.set_width(width);
                    head(ui, &mut choice);
                    recovered(ui, found, &mut choice);
                    ui.spacing_mut().item_spacing.x = 32.0;
                    ui.columns(2, |columns| {
                        columns.iter_mut().for_each(|column| column.spacing_mut().item_spacing.x = 6.0);
                        begin(&mut columns[0], &mut choice);
                        recent_files(&mut columns[0], memory, &mut choice);
                        samples(&mut columns[1], memory, &mut choice);
                    });
                });
            });
        });
    });
    choice
}

impl Memory {
    fn refresh(&mut self, recent: &[PathBuf]) {
        if self.pictures.is_empty() {
            self.pictures = SAMPLES
                .iter()
                .map(|sample| sample.document().map(|map| picture(&map)).unwrap_or_default())
                .collect();
        }
        // Asking the disk in every frame would wake sleeping ones.
        if self.there.iter().map(|(path, _)| path).ne(recent) {
            self.there = recent.iter().map(|path| (path.clone(), path.is_file())).collect();
        }
    }
}

/// A map's areas, lowest level first, as the picture of it.
fn picture(map: &Document) -> Vec<Shape> {
    let mut areas = map.flat_input().areas;
    areas.sort_by_key(|area| area.level);
    areas.iter().flat_map(|area| area_shapes(area, None)).collect()
}

fn head(ui: &mut Ui, choice: &mut Option<Choice>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("navwright").size(26.0).color(style::of(ui.ctx()).strong));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let response = ui.add(Button::new(ICON_CLOSE.rich_text().size(16.0)).min_size(vec2(28.0, 28.0)));
            response
                .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Close the start page"));
            if response.on_hover_text("Back to the map").clicked() {
                *choice = Some(Choice::Close);
            }
        });
    });
    ui.label(
        RichText::new("Draw where things may walk, and see why something cannot.")
            .color(style::of(ui.ctx()).weak),
    );
    ui.add_space(12.0);
}

fn begin(ui: &mut Ui, choice: &mut Option<Choice>) {
    fields::head(ui, "BEGIN");
    for (icon, name, help, action) in [
        (ICON_ADD, "New map", "Empty, with the Walk tool ready and hints on the canvas.", Action::New),
        (ICON_FOLDER_OPEN, "Open…", "A project (.nav.ron) or map text.", Action::Open),
    ] {
        let text = (icon.rich_text().size(18.0), RichText::new(name).size(14.0));
        let response = ui.add(Button::new(text).min_size(vec2(190.0, 32.0)));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
        if response.on_hover_text(help).clicked() {
            *choice = Some(Choice::Act(action));
        }
    }
    ui.add_space(10.0);
}

fn recent_files(ui: &mut Ui, memory: &Memory, choice: &mut Option<Choice>) {
    fields::head(ui, "RECENT");
    if memory.there.is_empty() {
        ui.label(RichText::new("Nothing was opened yet.").color(style::of(ui.ctx()).weak));
    }
    for (index, (path, there)) in memory.there.iter().enumerate() {
        ui.horizontal(|ui| {
            let colors = style::of(ui.ctx());
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let color = if *there { colors.strong } else { colors.weak };
            let icon = ICON_DRAFT.rich_text().size(16.0).color(color);
            let button = Button::new((icon, RichText::new(name.as_ref()).color(color))).truncate();
            let response = ui.add_enabled(*there, button.min_size(vec2(190.0, 26.0)));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, *there, name.as_ref()));
            if response.on_hover_text(path.display().to_string()).clicked() {
                *choice = u8::try_from(index).ok().map(|index| Choice::Act(Action::OpenRecent(index)));
            }
            if !there {
                let color = style::severity_color(ui.ctx(), Severity::Warning);
                ui.label(RichText::new("missing").small().color(color));
            }
            let response = ui.add(Button::new(ICON_CLOSE.rich_text().size(13.0)).frame(false));
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Forget {name}"))
            });
            if response.on_hover_text("Takes it off this list; the file stays").clicked() {
                *choice = Some(Choice::Forget(index));
            }
            let folder = path.parent().unwrap_or(Path::new("")).display().to_string();
            ui.add(Label::new(RichText::new(folder).small().color(colors.weak)).truncate());
        });
    }
}

fn samples(ui: &mut Ui, memory: &Memory, choice: &mut Option<Choice>) {
    fields::head(ui, "SAMPLES");
    for (index, (sample, shapes)) in SAMPLES.iter().zip(&memory.pictures).enumerate() {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 104.0), Sense::click());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Sample {}", sample.name))
        });
        let colors = style::of(ui.ctx());
        let fill = if response.hovered() { colors.raised_hover } else { colors.panel };
        let line = if response.has_focus() { colors.accent } else { colors.line };
        ui.painter().rect(rect, 6.0, fill, Stroke::new(1.0, line), StrokeKind::Inside);
        let small = Rect::from_min_size(rect.min + vec2(8.0, 8.0), vec2(132.0, 88.0));
        let theme = style::theme(ui.ctx());
        let painter = ui.painter_at(small);
        painter.rect_filled(small, 4.0, color32(theme.background()));
        if let Some(around) = bounds(shapes) {
            let inside = small.shrink(6.0);
            let view = View::fit(around, inside.min.into(), inside.max.into());
            let mut ink = Ink::new(ui.ctx());
            paint(shapes, &view, theme, &mut ink);
            painter.extend(ink.finish());
        }
        let words =
            Rect::from_min_max(egui::pos2(small.max.x + 12.0, rect.min.y + 10.0), rect.max - vec2(10.0, 8.0));
        let mut inner = ui.new_child(
            egui::UiBuilder::new().max_rect(words).layout(egui::Layout::top_down(egui::Align::Min)),
        );
        inner.add(Label::new(RichText::new(sample.name).size(14.0).color(colors.strong)).selectable(false));
        inner.add(Label::new(RichText::new(sample.shows).color(colors.text)).wrap().selectable(false));
        if response.clicked() {
            *choice = Some(Choice::Sample(index));
        }
        ui.add_space(4.0);
    }
}

fn recovered(ui: &mut Ui, found: &[Found], choice: &mut Option<Choice>) {
    if found.is_empty() {
        return;
    }
    fields::head(ui, "NOT SAVED BEFORE NAVWRIGHT ENDED");
    for (index, found) in found.iter().enumerate() {
        ui.horizontal_wrapped(|ui| {
            let colors = style::of(ui.ctx());
            ui.label(RichText::new(found.title()).color(colors.strong));
            ui.label(RichText::new(format!("kept {}", ago(found.leftover.written))).color(colors.weak));
            if ui.add_enabled(found.document.is_ok(), fields::primary(ui.ctx(), "Recover")).clicked() {
                *choice = Some(Choice::Recover(index));
            }
            if ui.button("Discard").clicked() {
                *choice = Some(Choice::Discard(index));
            }
        });
        for line in found.lines().iter().take(8) {
            ui.label(RichText::new(line).small().color(style::of(ui.ctx()).text));
        }
    }
    ui.add_space(10.0);
}
