//! What a frame of the window costs while the map is dragged under it: a large map against an empty one, in one run.
//!
//! No window and no graphics device take part: measured is what the program itself does for a frame, from the input to
//! the triangles and buffers it hands over.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use navwright::editor::App;
use navwright::editor::gpu::Gpu;
use navwright::editor::state::{Frame, State};
use navwright::editor::tools::ToolKind;
use navwright::project::{Document, open_text};

/// Frames of one measurement.
const FRAMES: usize = 240;
/// Measurements of each map and tool.
const ROUNDS: usize = 5;
/// Pixels a frame that the map is dragged by, there and back.
const STEP: f32 = 3.0;

fn main() {
    let large = open_text(&stars(46, 46, 20), "stars.nav").expect("a map text").document;
    println!(
        "panning, processor time of a frame in ms: the least of {ROUNDS} medians, and the 95th of 100 in that round"
    );
    println!("{:<28} {:>9} {:>9} {:>16} {:>16}", "map", "areas", "polygons", "drawing", "test the bake");
    let maps = [("empty", Document::default()), ("stars", large)];
    let mut windows = maps.map(|(name, document)| {
        let areas = document.areas.len();
        (name, areas, Window::open(document), [(f64::INFINITY, 0.0); 2])
    });
    // In turns, so that a busy moment of the machine is no map's alone.
    for _ in 0..ROUNDS {
        for (_, _, window, least) in &mut windows {
            for (tool, least) in [ToolKind::Select, ToolKind::Test].into_iter().zip(least) {
                window.app.state.take_tool(tool);
                let found = window.pan();
                if found.0 < least.0 {
                    *least = found;
                }
            }
        }
    }
    for (name, areas, window, [drawing, test]) in &windows {
        let polygons = window.app.state.bake.shown.as_ref().map_or(0, |baked| baked.counts.polygons);
        let text = |(median, most): &(f64, f64)| format!("{median:.2} ({most:.2})");
        println!("{name:<28} {areas:>9} {polygons:>9} {:>16} {:>16}", text(drawing), text(test));
    }
    let [empty, large] = [&windows[0].3, &windows[1].3];
    let ratio = |tool: usize| large[tool].0 / empty[tool].0;
    println!("large / empty: drawing {:.2}, test the bake {:.2}", ratio(0), ratio(1));
}

/// The editor without a window.
struct Window {
    context: egui::Context,
    app: App,
    time: f64,
}

impl Window {
    /// Opens a map and waits until all of it is baked and shown.
    fn open(document: Document) -> Self {
        let context = egui::Context::default();
        let mut app = App::new(&context, None, false);
        app.use_gpu(Gpu::Buffers);
        app.state = State::new(document, None);
        app.state.frame_next = Some(Frame::All);
        let mut window = Self { context, app, time: 0.0 };
        for _ in 0..5 {
            window.frame();
        }
        while !window.app.state.fresh() || window.app.state.baking() {
            std::thread::sleep(Duration::from_millis(10));
            window.frame();
        }
        window
    }

    /// One frame; the processor time that its thread took, in ms.
    fn frame(&mut self) -> f64 {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1920.0, 1080.0));
        let input = egui::RawInput { screen_rect: Some(screen), time: Some(self.time), ..Default::default() };
        self.time += 1.0 / 60.0;
        let start = ThreadTime::now();
        let app = &mut self.app;
        let output = self.context.run_ui(input, |ui| {
            app.logic(ui.ctx());
            app.ui(ui);
        });
        black_box(self.context.tessellate(output.shapes, output.pixels_per_point));
        start.elapsed().as_secs_f64() * 1e3
    }

    /// Drags the map, after it has settled; median and 95th of a hundred.
    fn pan(&mut self) -> (f64, f64) {
        for _ in 0..120 {
            self.frame();
        }
        let mut times: Vec<f64> = (0..FRAMES)
            .map(|frame| {
                let away = if frame % 60 < 30 { STEP } else { -STEP };
                self.app.state.camera.pan(egui::vec2(away, 0.5 * away));
                self.frame()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        (times[FRAMES / 2], times[FRAMES * 95 / 100])
    }
}

/// Map text of stars side by side, whose rays reach into each other.
fn stars(columns: u32, rows: u32, rays: u32) -> String {
    let mut text = String::new();
    for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
        text.push_str("nav walk 0");
        for point in 0..2 * rays {
            let turn = std::f64::consts::TAU * f64::from(point) / f64::from(2 * rays);
            let radius = if point % 2 == 0 { 2.1 } else { 1.2 };
            let place = |from: u32, along: f64| f64::from(from) * 4.0 + 2.0 + radius * along;
            text.push_str(&format!(" {:.2} {:.2}", place(column, turn.cos()), place(row, turn.sin())));
        }
        text.push('\n');
    }
    text
}
