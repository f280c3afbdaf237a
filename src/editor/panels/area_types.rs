//! Area types: names, colours and costs; and the fields that choose one.

use egui::{Button, Color32, ComboBox, Id, RichText, TextEdit, Ui, vec2};
use egui_material_icons::icons::{ICON_ADD, ICON_CLOSE};

use super::fields::{self, Change};
use crate::editor::state::State;
use crate::editor::style;
use crate::project::{AreaType, Command, Document, MAX_AREA_TYPE, MAX_COST};

/// Shows the list.
pub fn show(ui: &mut Ui, state: &mut State) {
    ui.horizontal(|ui| {
        fields::head(ui, "AREA TYPES");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let button = Button::new(ICON_ADD.rich_text().size(14.0)).frame_when_inactive(false);
            let response = ui.add(button).on_hover_text("Give the next number a name, a colour and a cost");
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Add area type"));
            if response.clicked() {
                add(state);
            }
        });
    });
    let types = state.document().area_types.clone();
    if types.is_empty() {
        fields::explain(
            ui,
            "Numbers 0 to 63 with a name, a colour and a cost; without an entry a number costs 1.",
        );
    }
    for entry in types.iter() {
        row(ui, state, entry);
    }
    if !types.is_empty() {
        fields::explain(
            ui,
            "What paths pay for a unit of length: 1 is plain floor, 0 to 1000000. Games set their own.",
        );
    }
}

fn add(state: &mut State) {
    let taken = |number: &u8| state.document().area_type(*number).is_some();
    match (0..=MAX_AREA_TYPE).find(|number| !taken(number)) {
        Some(number) => {
            state.commit(&format!("Add area type {number}"), &Command::SetAreaType(AreaType::new(number)));
        }
        None => state.say(crate::editor::state::Tone::Hint, "All 64 area types have an entry"),
    }
}

fn row(ui: &mut Ui, state: &mut State, entry: &AreaType) {
    let number = entry.number;
    let mut edited = entry.clone();
    let mut change = Change::default();
    let mut gone = false;
    let mut renamed = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.add_sized([18.0, 20.0], egui::Label::new(RichText::new(number.to_string()).strong()));
        let response = ui.color_edit_button_srgb(&mut edited.color);
        let label = format!("Color of area type {number}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ColorWell, true, label.clone()));
        // The picker reports every frame of a drag: that is one step.
        change.changed |= response.changed();
        change.dragging |= response.changed() && ui.input(|input| input.pointer.any_down());
        let cost = &mut edited.cost;
        renamed = name(ui, entry);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let close = ui.add(Button::new(ICON_CLOSE.rich_text().size(12.0)).frame(false));
            let label = format!("Remove area type {number}");
            close.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label.clone()));
            gone = close.on_hover_text("Removes the entry; areas keep the number").clicked();
            let label = format!("Cost of area type {number}");
            let response = fields::drag(ui, 62.0, &label, cost, 0.0..=MAX_COST, |field| {
                field.speed(0.02).max_decimals(3).prefix("× ")
            });
            response.widget_info(|| egui::WidgetInfo {
                label: Some(label.clone()),
                ..egui::WidgetInfo::new(egui::Role::SpinButton)
            });
            change.note(&response.on_hover_text("Cost of a unit of length"));
        });
    });
    if gone {
        state.commit(&format!("Remove area type {number}"), &Command::RemoveAreaType(number));
    } else if let Some(name) = renamed {
        let kind = AreaType { name, ..entry.clone() };
        state.commit(&format!("Rename area type {number}"), &Command::SetAreaType(kind));
    } else {
        // A colour's drag ends when the button goes up.
        if state.history.in_gesture() && !ui.input(|input| input.pointer.any_down()) && !change.changed {
            state.end_adjust();
        }
        change.apply(state, &format!("Change area type {number}"), || Command::SetAreaType(edited));
    }
}

/// The name's field; the new name when it is left.
fn name(ui: &mut Ui, entry: &AreaType) -> Option<String> {
    let id = Id::unique(("area-type-name", entry.number));
    let buffer_id = id.with("text");
    let mut buffer =
        ui.data_mut(|data| data.get_temp::<String>(buffer_id)).unwrap_or_else(|| entry.name.clone());
    let width = (ui.available_width() - 92.0).max(40.0);
    let response = ui.add(TextEdit::singleline(&mut buffer).id(id).desired_width(width).char_limit(60));
    let label = format!("Name of area type {}", entry.number);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, label.clone()));
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(buffer_id, buffer));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(buffer_id));
    (response.lost_focus() && buffer != entry.name).then_some(buffer)
}

/// "3, mud", or the number alone.
#[must_use]
pub fn type_name(document: &Document, number: u8) -> String {
    document.area_type(number).map_or_else(|| number.to_string(), |entry| format!("{number}, {}", entry.name))
}

/// A choice of type: as the settings have it (`None`), one of the list, or any number.
pub fn choose(ui: &mut Ui, change: &mut Change, document: &Document, value: &mut Option<u8>) {
    let fallback = document.settings.area;
    fields::row(ui, "Area type", |ui, name| {
        let shown = match *value {
            Some(number) => type_name(document, number),
            None => format!("settings' ({})", type_name(document, fallback)),
        };
        let combo = ComboBox::from_id_salt("area-type").selected_text(shown).width(118.0).truncate();
        let response = combo.show_ui(ui, |ui| {
            let as_settings = format!("settings' ({})", type_name(document, fallback));
            if ui.selectable_value(value, None, as_settings).changed() {
                change.at_once();
            }
            listed(ui, document, value.unwrap_or(fallback), |number| {
                *value = Some(number);
                change.at_once();
            });
        });
        response.response.labelled_by(name);
    });
}

/// As [`choose`], for a link, which always has a type of its own.
pub fn choose_own(ui: &mut Ui, change: &mut Change, document: &Document, value: &mut u8) {
    fields::row(ui, "Area type", |ui, name| {
        let shown = type_name(document, *value);
        let combo = ComboBox::from_id_salt("link-area-type").selected_text(shown).width(118.0).truncate();
        let response = combo.show_ui(ui, |ui| {
            listed(ui, document, *value, |number| {
                *value = number;
                change.at_once();
            });
        });
        response.response.labelled_by(name);
    });
}

fn listed(ui: &mut Ui, document: &Document, now: u8, mut pick: impl FnMut(u8)) {
    for entry in document.area_types.iter() {
        ui.horizontal(|ui| {
            swatch(ui, entry.color);
            let text = format!("{}, {} (× {})", entry.number, entry.name, entry.cost);
            if ui.selectable_label(now == entry.number, text).clicked() && now != entry.number {
                pick(entry.number);
            }
        });
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new("number").color(style::of(ui.ctx()).weak));
        let mut number = now;
        let response =
            fields::drag(ui, 40.0, "Area type", &mut number, 0..=MAX_AREA_TYPE, |field| field.speed(0.05));
        response.widget_info(|| egui::WidgetInfo {
            label: Some("Area type number".to_owned()),
            ..egui::WidgetInfo::new(egui::Role::SpinButton)
        });
        if response.changed() && number != now {
            pick(number);
        }
    });
}

fn swatch(ui: &mut Ui, [red, green, blue]: [u8; 3]) {
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
    ui.painter().rect_filled(rect, 2.0, Color32::from_rgb(red, green, blue));
}
