//! How a file of geometry lies that came just now: its size with a question where that is odd, its up axis and its scale,
//! on the canvas, where one looks, before anything is drawn on it.

use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Rect, RichText, Ui, vec2};
use egui_material_icons::icons::ICON_CLOSE;

use super::geometry::Loaded;
use super::panels::fields;
use super::state::State;
use super::style;
use super::tools::ToolKind;
use super::words::{many, number};
use crate::bake::Severity;
use crate::project::{Command, Geometry, UpAxis};

/// Levels are wider than this many times an agent's height, and not so many squares wide.
const NARROWEST: f64 = 2.0;
const WIDEST: f64 = 20_000.0;
/// Levels are no higher than this many times their lesser width, and not as high as half their greater one.
const HIGHEST: f64 = 3.0;
/// More than this many times as much that faces down as up is a question.
const MOST_DOWN: f64 = 2.0;
/// Units of a file, and how many squares (metres, mostly) they are.
const UNITS: [(&str, f64); 5] = [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254), ("foot", 0.3048)];

/// What is odd about the size of a level, in a question; `None` where nothing is.
#[must_use]
pub fn doubt([low, high]: [[f64; 3]; 2], agent_height: f64) -> Option<String> {
    let [wide, tall, deep]: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    let (least, most) = (wide.min(deep), wide.max(deep));
    let whole = format!("{} × {} squares in all", short(wide), short(deep));
    if most < NARROWEST * agent_height && tall < NARROWEST * agent_height {
        Some(format!("{whole}: is the scale right? An agent is {} high.", number(agent_height)))
    } else if most > WIDEST {
        Some(format!("{whole}: is the scale right?"))
    } else if tall > HIGHEST * least && 2.0 * tall > most {
        Some(format!("{} high, but {whole}: does it lie on its side?", short(tall)))
    } else {
        None
    }
}

/// What is said of geometry most of which faces down.
pub const FACES_DOWN: &str = "Most of its floors face down, where nothing walks.";

/// Whether most of what is flat faces down: a level that is closed in has as much of both.
#[must_use]
pub fn faces_down(loaded: &Loaded) -> bool {
    let [up, down] = loaded.footprint.facing();
    down > MOST_DOWN * up
}

/// "91.2 × 105 squares, 17.6 high".
#[must_use]
pub fn size([low, high]: [[f64; 3]; 2]) -> String {
    let [wide, tall, deep]: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    format!("{} × {} squares, {} high", short(wide), short(deep), short(tall))
}

/// Three digits are enough to see whether a size is right.
fn short(value: f64) -> String {
    #[allow(clippy::cast_possible_truncation, reason = "the number of digits before the point")]
    let digits = if value > 0.0 { value.log10().floor() as i32 } else { 0 };
    let unit = 10.0_f64.powi((digits - 2).clamp(-6, 0));
    number((value / unit).round() * unit)
}

/// Shows the card until it is closed, another tool is taken, or a stage of the bake is looked at.
pub(super) fn show(context: &Context, state: &mut State, canvas: Rect) {
    let Some(id) = state.placing else { return };
    let item = state.document().geometry(id).cloned();
    // Who goes on to something else has seen it.
    let idle = state.tools.kind() == ToolKind::Select && !state.shown.overlays.stage;
    let Some(item) = item.filter(|_| idle) else {
        state.placing = None;
        return;
    };
    let Some(loaded) = state.geometry.get(id).filter(|loaded| loaded.error.is_none()).cloned() else {
        return;
    };
    let colors = style::of(context);
    let area = Area::new(Id::unique("placing")).order(Order::Middle).pivot(Align2::LEFT_TOP);
    area.fixed_pos(canvas.min + vec2(12.0, 12.0)).show(context, |ui| {
        let frame = Frame::new()
            .fill(colors.plate)
            .stroke(egui::Stroke::new(1.0, colors.accent))
            .corner_radius(6.0)
            .inner_margin(Margin::symmetric(12, 9));
        frame.show(ui, |ui| {
            ui.set_max_width((canvas.width() - 48.0).clamp(160.0, 330.0));
            rows(ui, state, &item, &loaded);
        });
    });
}

fn rows(ui: &mut Ui, state: &mut State, item: &Geometry, loaded: &Loaded) {
    let colors = style::of(ui.ctx());
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("How {} lies", item.name())).strong().color(colors.strong));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let response = ui.add(egui::Button::new(ICON_CLOSE.rich_text().size(14.0)).frame(false));
            let name = "It lies as it is meant to";
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
            if response.on_hover_text("It lies as it is meant to; Properties has these fields, too").clicked()
            {
                state.placing = None;
            }
        });
    });
    if let Some(bounds) = loaded.bounds {
        match doubt(bounds, state.class().height.into()) {
            Some(doubt) => {
                let color = style::severity_color(ui.ctx(), Severity::Warning);
                ui.label(RichText::new(doubt).color(color));
            }
            None => {
                let text = format!("{} · {}", size(bounds), many(loaded.triangles, "triangle"));
                ui.label(RichText::new(text).size(12.0).color(colors.weak));
            }
        }
    }
    ui.add_space(4.0);
    let mut edited = item.clone();
    let mut change = fields::Change::default();
    if faces_down(loaded) {
        ui.horizontal_wrapped(|ui| {
            let color = style::severity_color(ui.ctx(), Severity::Warning);
            ui.label(RichText::new(FACES_DOWN).color(color));
            if ui.button("Turn over").on_hover_text("Its faces look the other way then").clicked() {
                edited.flip = !edited.flip;
                change.at_once();
            }
        });
    }
    ui.horizontal(|ui| {
        for (up, name, help) in [
            (UpAxis::Y, "Y up", "As in OBJ files of most tools, and in glTF"),
            (UpAxis::Z, "Z up", "As in Blender's and CAD programs' own coordinates"),
        ] {
            if ui.selectable_value(&mut edited.up, up, name).on_hover_text(help).changed() {
                change.at_once();
            }
        }
    });
    ui.horizontal(|ui| {
        let label = ui.label("Unit").id;
        let speed = (edited.scale * 0.005).max(0.000_001);
        let response = fields::drag(ui, 62.0, "Unit", &mut edited.scale, 0.000_001..=1_000_000.0, |field| {
            field.speed(speed).max_decimals(6)
        })
        .labelled_by(label);
        change.note(&response);
        response.on_hover_text("Squares a unit of the file");
        for (name, scale) in UNITS {
            let help = format!("A unit of the file is {scale} squares, where a square is a metre");
            let on = (edited.scale - scale).abs() <= 1e-9 * scale;
            if ui.selectable_label(on, name).on_hover_text(help).clicked() && !on {
                edited.scale = scale;
                change.at_once();
            }
        }
    });
    if change.changed && !change.dragging {
        // What comes is shown whole again.
        state.frame_geometry = true;
    }
    change.apply(state, &format!("Place {}", item.name()), || Command::SetGeometry(edited));
}

#[cfg(test)]
mod tests {
    use super::doubt;

    fn of(size: [f64; 3]) -> Option<String> {
        doubt([[1.0, 2.0, 3.0], [1.0 + size[0], 2.0 + size[1], 3.0 + size[2]]], 2.0)
    }

    #[test]
    fn sizes_of_levels_raise_no_question_and_those_of_toys_do() {
        // The maps of the public data, a tower, a corridor.
        for size in [
            [91.0, 17.6, 77.0],
            [76.6, 23.4, 89.7],
            [512.0, 6.0, 512.0],
            [20.0, 40.0, 20.0],
            [3.0, 3.0, 80.0],
        ] {
            assert_eq!(of(size), None, "{size:?}");
        }
        let toy = of([0.0912, 0.0176, 0.077]).unwrap();
        assert!(toy.starts_with("0.091 × 0.077 squares in all: is the scale right?"), "{toy}");
        assert!(of([91_000.0, 17_600.0, 77_000.0]).unwrap().ends_with("is the scale right?"));
        // z up, read as y up.
        assert!(of([91.0, 77.0, 17.6]).unwrap().ends_with("does it lie on its side?"));
    }
}
