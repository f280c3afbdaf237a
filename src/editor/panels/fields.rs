//! Small widgets that several panels use: labelled numbers, names, section heads.

use std::cell::Cell;
use std::ops::RangeInclusive;

use egui::emath::Numeric;
use egui::{Button, DragValue, Id, Response, RichText, TextEdit, Ui};
use egui_material_icons::icons::ICON_DELETE;

use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;
use crate::project::Command;

/// Where things may be, in squares along each axis.
pub const COORDINATES: RangeInclusive<f64> = -2_097_151.0..=2_097_151.0;

/// What became of a field in this frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    /// The value is another one.
    pub changed: bool,
    /// A drag goes on.
    pub dragging: bool,
    /// A drag has ended.
    pub released: bool,
}

impl Change {
    /// Notes what a widget did.
    pub fn note(&mut self, response: &Response) {
        self.changed |= response.changed();
        self.dragging |= response.dragged();
        self.released |= response.drag_stopped();
    }

    /// Notes a change that is done at once.
    pub fn at_once(&mut self) {
        self.changed = true;
    }

    /// Changes the document: a drag is one step from press to release, anything else is a step at once. What a step that
    /// changed one thing did becomes its name; `name` is that of others.
    pub fn apply(self, state: &mut State, name: &str, command: impl FnOnce() -> Command) {
        let steps = state.history.past().len();
        if self.changed && self.dragging {
            state.adjust(name, &command());
        } else if self.changed && !self.released {
            state.commit(name, &command());
        } else if self.changed {
            state.adjust(name, &command());
        }
        if self.released {
            state.end_adjust();
        }
        if state.history.past().len() > steps {
            state.history.describe_last();
        }
    }
}

/// The button that does what a dialog is for.
pub fn primary(context: &egui::Context, text: &str) -> egui::Button<'static> {
    let colors = style::of(context);
    let text = RichText::new(text).strong().color(colors.on_accent);
    egui::Button::new(text).fill(colors.accent).min_size(egui::vec2(90.0, 26.0))
}

/// A section's head.
pub fn head(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).size(11.0).color(style::of(ui.ctx()).weak).strong());
    ui.add_space(1.0);
}

/// A number in a row with a label on the left.
pub fn number(
    ui: &mut Ui,
    change: &mut Change,
    label: &str,
    value: &mut f64,
    range: RangeInclusive<f64>,
    unit: &'static str,
) -> Response {
    row(ui, label, |ui, name| {
        let speed = (value.abs() * 0.005).clamp(0.01, 1.0);
        let response =
            drag(ui, 92.0, label, value, range, |field| field.speed(speed).max_decimals(3).suffix(unit))
                .labelled_by(name);
        change.note(&response);
        response
    })
}

/// A whole number in a row with a label on the left.
pub fn whole<N: Numeric>(
    ui: &mut Ui,
    change: &mut Change,
    label: &str,
    value: &mut N,
    range: RangeInclusive<N>,
    unit: &'static str,
) -> Response {
    row(ui, label, |ui, name| {
        let response =
            drag(ui, 92.0, label, value, range, |field| field.speed(0.05).suffix(unit)).labelled_by(name);
        change.note(&response);
        response
    })
}

/// A number in a field: all of them are made here. One that is typed beyond the range becomes its end, and that is told
/// ([`take_told`]). A file may hold more than is offered: to look at it changes nothing.
pub fn drag<N: Numeric>(
    ui: &mut Ui,
    width: f32,
    label: &str,
    value: &mut N,
    range: RangeInclusive<N>,
    look: impl FnOnce(DragValue<'_>) -> DragValue<'_>,
) -> Response {
    let typed = Cell::new(None);
    let read = |text: &str| {
        let plain: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let number = plain.replace('−', "-").parse::<f64>().ok().filter(|number| !number.is_nan());
        typed.set(number);
        number
    };
    let [low, high] = [range.start().to_f64(), range.end().to_f64()];
    let field = DragValue::new(value).range(range).custom_parser(read);
    let field = look(field).clamp_existing_to_range(false).update_while_editing(false);
    let response = ui.add_sized([width, 20.0], field);
    if let Some(number) = typed.get().filter(|number| !(low..=high).contains(number)) {
        let (word, end) = if number < low { ("least", low) } else { ("most", high) };
        let [number, end] = [number, end].map(words::measure);
        let text = format!("{label}: {end} is the {word}, so {number} became {end}");
        ui.data_mut(|data| data.insert_temp(told_id(), text));
    }
    response
}

fn told_id() -> Id {
    Id::unique("field-told")
}

/// What a field has to tell, once.
pub fn take_told(context: &egui::Context) -> Option<String> {
    context.data_mut(|data| data.remove_temp(told_id()))
}

/// A single-precision number in a row with a label on the left.
pub fn single(
    ui: &mut Ui,
    change: &mut Change,
    label: &str,
    value: &mut f32,
    range: RangeInclusive<f64>,
    unit: &'static str,
) {
    // Through decimals, so that 0.35 does not become 0.34999999.
    let mut wide = value.to_string().parse::<f64>().unwrap_or_else(|_| f64::from(*value));
    let response = number(ui, change, label, &mut wide, range, unit);
    if response.changed() {
        #[allow(clippy::cast_possible_truncation, reason = "the setting is a single")]
        let narrow = wide as f32;
        *value = narrow;
    }
}

/// A number that may be left to the settings.
pub fn optional(
    ui: &mut Ui,
    change: &mut Change,
    label: &str,
    value: &mut Option<u8>,
    fallback: u8,
    most: u8,
) {
    row(ui, label, |ui, name| {
        let mut own = value.is_some();
        let mut number = value.unwrap_or(fallback);
        if own {
            let response =
                drag(ui, 60.0, label, &mut number, 0..=most, |field| field.speed(0.1)).labelled_by(name);
            change.note(&response);
        } else {
            ui.add_sized(
                [60.0, 20.0],
                egui::Label::new(RichText::new(fallback.to_string()).color(style::of(ui.ctx()).weak)),
            );
        }
        if ui.checkbox(&mut own, "own").on_hover_text("Off: the value of the bake settings").changed() {
            change.at_once();
        }
        *value = own.then_some(number);
    });
}

/// A choice among the levels.
pub fn level_field(ui: &mut Ui, change: &mut Change, state: &State, label: &str, level: &mut i8) {
    let levels = state.levels();
    row(ui, label, |ui, name| {
        egui::ComboBox::from_id_salt(("level-of", label))
            .selected_text(level.to_string())
            .width(92.0)
            .show_ui(ui, |ui| {
                for number in levels.iter().rev() {
                    if ui.selectable_value(level, *number, number.to_string()).changed() {
                        change.at_once();
                    }
                }
            })
            .response
            .labelled_by(name);
    });
}

/// A label on the left and something on the right.
pub fn row<R>(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui, Id) -> R) -> R {
    ui.horizontal(|ui| {
        let name = ui.label(label).id;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| add(ui, name)).inner
    })
    .inner
}

/// A value to read.
pub fn value(ui: &mut Ui, label: &str, text: impl Into<String>) {
    row(ui, label, |ui, _| ui.label(RichText::new(text).color(style::of(ui.ctx()).strong)));
}

/// Words that explain what stands above.
pub fn explain(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(10.5).color(style::of(ui.ctx()).weak));
    ui.add_space(3.0);
}

/// A line of text that is taken over when the field is left or `Enter` is pressed. `owner` tells whose text it is.
pub fn text(ui: &mut Ui, owner: Id, label: &str, current: &str) -> Option<String> {
    let buffer_id = owner.with("text");
    let mut buffer =
        ui.data_mut(|data| data.get_temp::<String>(buffer_id)).unwrap_or_else(|| current.to_owned());
    let response = row(ui, label, |ui, name| {
        let field = TextEdit::singleline(&mut buffer).id(owner).desired_width(f32::INFINITY).char_limit(200);
        ui.add(field).labelled_by(name)
    });
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(buffer_id, buffer));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(buffer_id));
    (response.lost_focus() && buffer != current).then_some(buffer)
}

/// The button that deletes what a panel shows. Whether it was clicked.
pub fn delete_button(ui: &mut Ui, label: &'static str) -> bool {
    let response = ui.add(Button::new((ICON_DELETE.rich_text(), label)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label));
    response.clicked()
}
