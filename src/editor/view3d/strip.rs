//! The strip over the 3D picture: how levels are pulled apart, what is cut off, and the ways back.

use egui::{Rect, RichText, Ui, vec2};
use egui_material_icons::icons::{ICON_CENTER_FOCUS_STRONG, ICON_CONTENT_CUT, ICON_RESTART_ALT};

use super::levels::{MOST_EXPLODE, is_of_one_piece};
use super::pane::View3d;
use crate::editor::action::Action;
use crate::editor::panels::fields;
use crate::editor::state::State;
use crate::editor::style;

/// Below this breadth it leaves out words, in points.
const NARROW: f32 = 480.0;

impl View3d {
    /// Shows it; what was picked.
    pub(super) fn strip(&mut self, ui: &mut Ui, strip: Rect, state: &mut State) -> Option<Action> {
        ui.painter().rect_filled(strip, 0.0, style::of(ui.ctx()).bar);
        let inner = strip.shrink2(vec2(8.0, 2.0));
        let mut child = ui.new_child(
            egui::UiBuilder::new().max_rect(inner).layout(egui::Layout::left_to_right(egui::Align::Center)),
        );
        let ui = &mut child;
        ui.set_clip_rect(strip.intersect(ui.clip_rect()));
        let narrow = strip.width() < NARROW;
        self.explode(ui, state, narrow);
        self.cut(ui, state, narrow);
        if !state.document().geometry.is_empty() {
            let inside = egui::Button::selectable(self.pull.inside, "Inside");
            let help = "Looks into what is closed in: faces of geometry that look away are left out, so that a roof does \
                        not hide the rooms under it";
            if ui.add(inside).on_hover_text(help).clicked() {
                self.pull.inside = !self.pull.inside;
            }
        }
        let mut picked = None;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let buttons = [
                (ICON_RESTART_ALT, "Reset 3D view", Action::ResetView),
                (ICON_CENTER_FOCUS_STRONG, "Frame all", Action::FrameAll),
            ];
            for (icon, name, action) in buttons {
                let response = ui.add(egui::Button::new(icon.rich_text().size(15.0)).frame(false));
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
                if response.on_hover_text(name).clicked() {
                    picked = Some(action);
                }
            }
        });
        picked
    }

    /// The slider that pulls levels apart, where they can be.
    fn explode(&mut self, ui: &mut Ui, state: &State, narrow: bool) {
        ui.spacing_mut().slider_width = if narrow { 60.0 } else { 90.0 };
        let why_not = if is_of_one_piece(state) {
            Some(
                "The geometry's storeys are one piece: they cannot be pulled apart. Cut shows what lies below",
            )
        } else if state.document().levels.len() < 2 {
            Some("There is one level: nothing can be pulled apart")
        } else {
            None
        };
        ui.add_enabled_ui(why_not.is_none(), |ui| {
            let name = ui.label(RichText::new("Explode").color(style::of(ui.ctx()).weak));
            let mut none = 0.0;
            let value = if why_not.is_some() { &mut none } else { &mut self.pull.explode };
            let slider = egui::Slider::new(value, 0.0..=MOST_EXPLODE).max_decimals(1).suffix("×");
            let response = ui.add(slider).labelled_by(name.id);
            match why_not {
                Some(why_not) => response.on_disabled_hover_text(why_not),
                None => response.on_hover_text(
                    "Pulls the levels apart: each gap grows by so many times itself. Geometry goes with its level",
                ),
            };
        });
    }

    /// The button that cuts off what lies above, and how high.
    fn cut(&mut self, ui: &mut Ui, state: &mut State, narrow: bool) {
        let cut = ICON_CONTENT_CUT.codepoint;
        let words = if narrow { "" } else { "Cut above " };
        let button = egui::Button::selectable(self.pull.clip, format!("{cut} {words}{}", state.level));
        let response = ui.add(button);
        let on = self.pull.clip;
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, "Cut above the level"));
        if response.on_hover_text("Hides everything above the current level").clicked() {
            self.pull.clip = !self.pull.clip;
        }
        if !on || state.document().geometry.is_empty() {
            return;
        }
        let floor = state.document().height_of(state.level);
        let Some(stack) = self.scene.stack().filter(|stack| stack.clip_height.is_finite()) else { return };
        let mut over =
            state.geometry_cut.unwrap_or_else(|| stack.clip_height - stack.lift(state.level) - floor);
        let label = "Cut this far over the level's floor";
        let response = fields::drag(ui, 66.0, label, &mut over, -10_000.0..=10_000.0, |field| {
            field.speed(0.05).prefix("+ ").suffix(" sq").max_decimals(2)
        });
        response.widget_info(|| egui::WidgetInfo {
            label: Some(label.to_owned()),
            ..egui::WidgetInfo::drag_value(true, over)
        });
        if response.changed() {
            state.geometry_cut = Some(over);
        }
        let help = format!("{label}: drag, or click and type. The shade of the canvas ends there, too");
        response.on_hover_text(help);
    }
}
