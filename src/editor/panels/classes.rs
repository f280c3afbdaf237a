//! Agent classes: the list, and the agent of the one whose mesh is shown.

use egui::{Button, Id, RichText, Ui, vec2};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{ICON_ADD, ICON_ARROW_DOWNWARD, ICON_ARROW_UPWARD, ICON_DELETE};

use super::fields::single;
use super::fields::{self, Change};
use crate::editor::action::{Action, entry};
use crate::editor::possible::is_possible;
use crate::editor::state::State;
use crate::editor::style;
use crate::project::{AgentClass, Command};

/// Shows the list and the fields; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let mut picked = None;
    ui.horizontal(|ui| {
        fields::head(ui, "AGENT CLASSES");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (action, icon) in [
                (Action::RemoveClass, ICON_DELETE),
                (Action::ClassDown, ICON_ARROW_DOWNWARD),
                (Action::ClassUp, ICON_ARROW_UPWARD),
                (Action::AddClass, ICON_ADD),
            ] {
                picked = picked.or_else(|| button(ui, state, action, icon));
            }
        });
    });
    list(ui, state);
    let class = (**state.class()).clone();
    let owner = Id::unique(("class-name", class.id.0));
    if let Some(name) = fields::text(ui, owner, "Name", &class.name) {
        let renamed = AgentClass { name: name.trim().to_owned(), ..class.clone() };
        state.commit(&format!("Rename agent class {}", class.name), &Command::SetClass(renamed));
        return picked;
    }
    let mut edited = class.clone();
    let mut change = Change::default();
    agent(ui, &mut change, &mut edited);
    let name = format!("Change agent class {}", class.name);
    change.apply(state, &name, || Command::SetClass(edited));
    picked
}

fn button(ui: &mut Ui, state: &State, action: Action, icon: MaterialIcon) -> Option<Action> {
    let entry = entry(action)?;
    let button =
        Button::new(icon.rich_text().size(14.0)).min_size(vec2(22.0, 20.0)).frame_when_inactive(false);
    let possible = is_possible(action, state);
    let response = ui.add_enabled(possible, button).on_hover_text(format!("{}\n{}", entry.name, entry.help));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, possible, entry.name));
    response.clicked().then_some(action)
}

fn list(ui: &mut Ui, state: &mut State) {
    let (classes, shown) = (state.document().classes.clone(), state.class().id);
    if classes.len() < 2 {
        return;
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    for class in classes.iter() {
        let selected = class.id == shown;
        let colors = style::of(ui.ctx());
        let beside = if selected { colors.on_accent } else { colors.weak };
        let size = RichText::new(format!("r {} · h {}", class.radius, class.height)).small();
        let response = ui.add(
            Button::selectable(selected, RichText::new(&class.name))
                .truncate()
                .right_text(size.color(beside))
                .min_size(vec2(ui.available_width(), 22.0)),
        );
        let label = format!("Agent class {}", class.name);
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, selected, label.clone()));
        if response.on_hover_text("Show this class's mesh").clicked() {
            state.show_class(class.id);
        }
    }
    ui.add_space(3.0);
}

/// Agents to begin with: name, radius, height, climb, slope.
const PRESETS: [(&str, [f32; 4]); 5] = [
    ("Point", [0.0, 2.0, 0.5, 45.0]),
    ("Person", [0.3, 1.8, 0.4, 45.0]),
    ("Animal, small", [0.15, 0.5, 0.2, 50.0]),
    ("Vehicle", [1.0, 2.0, 0.3, 25.0]),
    ("Giant", [1.2, 4.0, 1.0, 50.0]),
];

fn agent(ui: &mut Ui, change: &mut Change, class: &mut AgentClass) {
    fields::row(ui, "Preset", |ui, name| {
        let now = [class.radius, class.height, class.climb, class.max_slope];
        let shown = PRESETS.iter().find(|(_, values)| *values == now).map_or("own", |(name, _)| *name);
        let combo = egui::ComboBox::from_id_salt("agent-preset").selected_text(shown).width(92.0);
        let response = combo.show_ui(ui, |ui| {
            for (preset, values) in PRESETS {
                let [radius, height, climb, max_slope] = values;
                let help = format!("radius {radius}, height {height}, climb {climb}, slope {max_slope}°");
                let clicked = ui.selectable_label(values == now, preset).on_hover_text(help).clicked();
                if clicked && values != now {
                    *class = AgentClass { radius, height, climb, max_slope, ..class.clone() };
                    change.at_once();
                }
            }
        });
        response.response.labelled_by(name);
    });
    single(ui, change, "Radius", &mut class.radius, 0.0..=100.0, " sq");
    fields::explain(ui, "0 to 100. How far from walls its middle stays.");
    single(ui, change, "Height", &mut class.height, 0.01..=1000.0, " sq");
    fields::explain(ui, "Above 0. The head room it needs.");
    single(ui, change, "Climb", &mut class.climb, 0.0..=1000.0, " sq");
    fields::explain(ui, "From 0. The highest step it takes, also at tile borders.");
    single(ui, change, "Slope", &mut class.max_slope, 0.0..=90.0, "°");
    fields::explain(ui, "0 to 90. The steepest floor it walks.");
}
