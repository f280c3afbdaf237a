//! The plots: what is chosen, painted by `egui_plot`; what the mouse is on is told and lit up on the canvas, a click goes
//! there; buttons write the numbers or a picture.

use egui::{Color32, RichText, Ui, WidgetInfo};
use egui_plot::{
    Bar as PlotBar, BarChart, Legend, Line, LineStyle, Plot, PlotPoint, PlotPoints, PlotUi, Polygon, Text,
    VLine,
};

use crate::draw::{Role, Shape, Sign};
use crate::editor::action::Action;
use crate::editor::plots::export::{heat_color, on_heat, series_color};
use crate::editor::plots::{Bar, Body, Cell, Figure, Kind, Place, why_empty};
use crate::editor::state::State;
use crate::editor::style::{self, color32};
use crate::editor::words::{self, number};

/// Most tiles whose values are written on them.
const MOST_WRITTEN: usize = 260;

/// From this height on a plot has names at its axes and a legend, in points.
const HIGH: f32 = 210.0;

/// Shows the panel; what was picked.
pub fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let mut picked = None;
    ui.horizontal(|ui| {
        let before = state.plots.kind;
        let response = egui::ComboBox::from_id_salt("plot")
            .selected_text(before.name())
            .width(170.0)
            .height(320.0)
            .show_ui(ui, |ui| {
                for (kind, name) in Kind::ALL {
                    ui.selectable_value(&mut state.plots.kind, kind, name);
                }
            })
            .response;
        response.widget_info(|| WidgetInfo {
            current_text_value: Some(before.name().to_owned()),
            ..WidgetInfo::labeled(egui::Role::ComboBox, true, "Plot")
        });
        if state.plots.kind != before {
            state.plots.lit.clear();
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let buttons = [
                (Action::PlotPicture, "PNG…", "A picture of this plot"),
                (Action::PlotNumbers, "CSV…", "The numbers of this plot"),
            ];
            for (action, name, help) in buttons {
                if ui.button(name).on_hover_text(help).clicked() {
                    picked = Some(action);
                }
            }
        });
    });
    let kind = state.plots.kind;
    let Some(figure) = state.figure() else {
        ui.label(RichText::new(why_empty(kind)).color(style::of(ui.ctx()).weak));
        return picked;
    };
    let found = plot(ui, kind, &figure);
    told(ui, state, &figure, found);
    picked
}

/// What the mouse is on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    Bar(usize),
    Cell(usize),
    Place(usize),
}

/// Paints it; what the mouse is on, whether it was clicked, and what is written of it.
fn plot(ui: &mut Ui, kind: Kind, figure: &Figure) -> Option<(On, bool)> {
    let log = figure.log;
    // In a low panel there is room for the plot and its numbers alone.
    let high = ui.available_height() > HIGH;
    let mut plot = Plot::new(("plot", kind.name()))
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .label_formatter(|_| None)
        .set_margin_fraction(egui::vec2(0.03, 0.06))
        .x_axis_formatter(move |mark, _| number(if log { mark.value.exp2() } else { mark.value }));
    if let Body::Bars { series, .. } = &figure.body {
        plot = plot.include_y(0.0);
        if series.len() > 1 && high {
            plot = plot.legend(Legend::default());
        }
    }
    if high {
        plot = plot.x_axis_label(figure.x).y_axis_label(figure.y);
    }
    if matches!(figure.body, Body::Heat(_)) {
        plot = plot.data_aspect(1.0);
    }
    let context = ui.ctx().clone();
    let shown = plot.show(ui, |plot| {
        match &figure.body {
            Body::Bars { series, bars, mark } => {
                bar_charts(plot, series, bars, &context);
                if let Some((at, words)) = mark {
                    let strong = style::of(&context).strong;
                    plot.vline(
                        VLine::new(words, *at).color(strong).style(LineStyle::dashed_loose()).width(2.0),
                    );
                }
            }
            Body::Heat(cells) => heat(plot, cells, &context),
            Body::Course(places) => course(plot, places, &context),
        }
        plot.pointer_coordinate().and_then(|at| under(&figure.body, [at.x, at.y]))
    });
    let response = shown.response;
    let label = format!("Plot: {}, {}", kind.name(), summary(&figure.body));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, label.clone()));
    let on = shown.inner.filter(|_| response.hovered())?;
    let clicked = response.clicked();
    let words = words_of(&figure.body, on);
    response.on_hover_ui_at_pointer(|ui| {
        ui.label(words);
    });
    Some((on, clicked))
}

fn bar_charts(plot: &mut PlotUi<'_>, series: &[String], bars: &[Bar], context: &egui::Context) {
    let line = egui::Stroke::new(1.0, style::of(context).bar);
    for (number, name) in series.iter().enumerate() {
        let [r, g, b] = series_color(number);
        let color = Color32::from_rgb(r, g, b);
        let parts = bars.iter().map(|bar| {
            let below: f64 = bar.parts.iter().take(number).sum();
            let [from, to] = bar.sides;
            let part = bar.parts.get(number).copied().unwrap_or(0.0);
            PlotBar::new(0.5 * (from + to), part).width(to - from).base_offset(below).stroke(line).fill(color)
        });
        let chart = BarChart::new(name, parts.collect()).color(color).allow_hover(false);
        plot.bar_chart(chart);
    }
}

fn heat(plot: &mut PlotUi<'_>, cells: &[Cell], context: &egui::Context) {
    let most = cells.iter().map(|cell| cell.value).fold(0.0, f64::max).max(1e-12);
    let line = egui::Stroke::new(1.0, style::of(context).bar);
    for cell in cells {
        let [x, z] = cell.tile.map(f64::from);
        let [r, g, b] = heat_color(cell.value / most);
        let corners = vec![[x, z], [x + 1.0, z], [x + 1.0, z + 1.0], [x, z + 1.0]];
        let square = Polygon::new("", corners).fill_color(Color32::from_rgb(r, g, b)).stroke(line);
        plot.polygon(square.allow_hover(false));
    }
    // A number besides the colour, where it has room.
    let wide = plot.transform().dpos_dvalue_x().abs();
    if cells.len() <= MOST_WRITTEN && wide > 34.0 {
        for cell in cells {
            let [x, z] = cell.tile.map(|value| f64::from(value) + 0.5);
            let text = RichText::new(&cell.words).size(10.5).color(color32(on_heat(cell.value / most)));
            plot.text(Text::new("", PlotPoint::new(x, z), text).allow_hover(false));
        }
    }
}

fn course(plot: &mut PlotUi<'_>, places: &[Place], context: &egui::Context) {
    let colors = style::of(context);
    let [r, g, b] = series_color(0);
    let (walked, steep) =
        (Color32::from_rgb(r, g, b), style::severity_color(context, crate::bake::Severity::Warning));
    let at = |place: &Place| [place.along, place.height];
    let mut from = 0;
    while from + 1 < places.len() {
        let kind = |place: &Place| (place.jumps, place.steepest, place.level);
        let mut to = from + 1;
        while to + 1 < places.len() && kind(&places[to]) == kind(&places[from]) {
            to += 1;
        }
        let points: PlotPoints<'_> = places[from..=to].iter().map(at).collect::<Vec<_>>().into();
        let name = match (places[from].jumps, places[from].steepest) {
            (true, _) => "jump",
            (_, true) => "steepest",
            _ => "walked",
        };
        let line = Line::new(name, points).allow_hover(false);
        plot.line(match name {
            "jump" => line.color(colors.strong).style(LineStyle::dashed_dense()).width(2.0),
            "steepest" => line.color(steep).width(5.0),
            _ => line.color(walked).width(2.5),
        });
        // Where a level begins, its number stands.
        if from == 0 || places[from].level != places[from - 1].level {
            let text = RichText::new(format!("level {}", places[from].level)).size(10.5).color(colors.text);
            let [along, height] = at(&places[from]);
            let word = Text::new("", PlotPoint::new(along, height), text);
            plot.text(word.anchor(egui::Align2::LEFT_BOTTOM).allow_hover(false));
        }
        from = to;
    }
}

/// What lies at a place of the plot.
fn under(body: &Body, [x, y]: [f64; 2]) -> Option<On> {
    match body {
        Body::Bars { bars, .. } => {
            let found = bars.iter().position(|bar| bar.sides[0] <= x && x < bar.sides[1])?;
            (y >= 0.0).then_some(On::Bar(found))
        }
        Body::Heat(cells) => {
            #[allow(clippy::cast_possible_truncation, reason = "saturates")]
            let tile = [x.floor() as i32, y.floor() as i32];
            cells.iter().position(|cell| cell.tile == tile).map(On::Cell)
        }
        Body::Course(places) => {
            let away = |place: &Place| (place.along - x).abs();
            let nearest = (0..places.len()).min_by(|a, b| away(&places[*a]).total_cmp(&away(&places[*b])))?;
            Some(On::Place(nearest))
        }
    }
}

fn words_of(body: &Body, on: On) -> String {
    match (body, on) {
        (Body::Bars { bars, .. }, On::Bar(index)) => bars[index].words.clone(),
        (Body::Heat(cells), On::Cell(index)) => {
            let Cell { tile: [x, z], words, .. } = &cells[index];
            format!("tile {x}, {z}: {words}")
        }
        (Body::Course(places), On::Place(index)) => {
            let place = &places[index];
            let along = number((place.along * 100.0).round() / 100.0);
            let height = number((place.height * 100.0).round() / 100.0);
            let jump = if place.jumps { " · a jump" } else { "" };
            let steep = if place.steepest { " · the steepest part" } else { "" };
            format!(
                "{along} along, height {height}, level {}, at {}{jump}{steep}",
                place.level,
                words::place(place.place.map(|value| (value * 100.0).round() / 100.0))
            )
        }
        _ => String::new(),
    }
}

/// What a reader of screens is told.
fn summary(body: &Body) -> String {
    match body {
        Body::Bars { bars, .. } => words::many(bars.len(), "bar"),
        Body::Heat(cells) => words::many(cells.len(), "tile"),
        Body::Course(places) => {
            format!("{} squares long", number(places.last().map_or(0.0, |last| last.along)))
        }
    }
}

/// Lights up on the canvas what the mouse is on, and goes there by a click.
fn told(ui: &Ui, state: &mut State, figure: &Figure, found: Option<(On, bool)>) {
    match (&figure.body, found) {
        (Body::Bars { bars, .. }, Some((On::Bar(index), true))) => {
            state.pick_plotted(bars[index].lights.clone(), bars[index].tile);
        }
        (Body::Heat(cells), Some((On::Cell(index), true))) => {
            state.pick_plotted(Vec::new(), Some(cells[index].tile));
        }
        (Body::Course(places), Some((On::Place(index), clicked))) => {
            let place = &places[index];
            let ring = Shape::Marker { at: place.place, sign: Sign::Ring, role: Role::Hover };
            let disc = Shape::Marker { at: place.place, sign: Sign::Disc, role: Role::Handle };
            state.plots.lit = vec![ring, disc];
            if clicked {
                state.frame_next = Some(crate::editor::state::Frame::Place(place.place));
            }
            ui.ctx().request_repaint();
        }
        (Body::Course(_), None) => state.plots.lit.clear(),
        _ => {}
    }
}
