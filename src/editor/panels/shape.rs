//! What can be done to the shape of the selection: turn, mirror, scale, simplify, join.

use egui::{Button, Ui, vec2};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_ARROW_DOWNWARD, ICON_ARROW_UPWARD, ICON_JOIN_INNER, ICON_ROTATE_LEFT, ICON_ROTATE_RIGHT,
    ICON_SWAP_HORIZ, ICON_SWAP_VERT,
};

use super::fields;
use crate::editor::action::{Action, entry};
use crate::editor::keymap::keys_text;
use crate::editor::possible::is_possible;
use crate::editor::state::State;
use crate::editor::transform::Transform;

/// Shows the section; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let mut picked = None;
    fields::head(ui, "SHAPE");
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for (action, icon) in [
            (Action::RotateLeft, ICON_ROTATE_LEFT),
            (Action::RotateRight, ICON_ROTATE_RIGHT),
            (Action::MirrorX, ICON_SWAP_HORIZ),
            (Action::MirrorZ, ICON_SWAP_VERT),
            (Action::MoveEarlier, ICON_ARROW_UPWARD),
            (Action::MoveLater, ICON_ARROW_DOWNWARD),
            (Action::JoinPoints, ICON_JOIN_INNER),
        ] {
            picked = picked.or_else(|| button(ui, state, action, icon));
        }
    });
    let scaled = typed(ui, "Scale by", "Scale", &mut state.factor, 0.01, "");
    if scaled {
        state.transform(Transform::Scale(state.factor));
    }
    if state.selection.areas(state.document()).next().is_some()
        && typed(ui, "Tolerance", "Simplify", &mut state.tolerance, 0.005, " sq")
    {
        state.simplify(state.tolerance);
    }
    picked
}

fn button(ui: &mut Ui, state: &State, action: Action, icon: MaterialIcon) -> Option<Action> {
    let entry = entry(action)?;
    let possible = is_possible(action, state);
    let response =
        ui.add_enabled(possible, Button::new(icon.rich_text().size(16.0)).min_size(vec2(28.0, 24.0)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, possible, entry.name));
    let keys = keys_text(ui.ctx(), entry);
    let keys = if keys.is_empty() { String::new() } else { format!(" ({keys})") };
    response.on_hover_text(format!("{}{keys}\n{}", entry.name, entry.help)).clicked().then_some(action)
}

/// A number and a button that uses it; whether the button was clicked.
fn typed(ui: &mut Ui, label: &str, verb: &str, value: &mut f64, speed: f64, unit: &'static str) -> bool {
    fields::row(ui, label, |ui, name| {
        let clicked = ui.add(Button::new(verb).min_size(vec2(66.0, 20.0))).clicked();
        fields::drag(ui, 60.0, label, value, -1000.0..=1000.0, |field| {
            field.speed(speed).max_decimals(3).suffix(unit)
        })
        .labelled_by(name);
        clicked
    })
}
