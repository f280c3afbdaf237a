//! What a frame of the window costs while the map is dragged under it: a large map against an empty one, in one run.
//!
//! No window and no graphics device take part: measured is what the program itself does for a frame, from the input to
//! the triangles and buffers it hands over.
//!
//! `cargo bench --bench frame -- geometry` measures a mesh of a million triangles instead: read, shown, looked at from all
//! sides, its bake called off.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]

mod geometry;

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use navwright::editor::App;
use navwright::editor::gpu::Gpu;
use navwright::editor::state::{Frame, Seen, State};
use navwright::editor::tools::ToolKind;
use navwright::project::{Document, open_text};

/// Frames of one measurement.
const FRAMES: usize = 240;
/// Measurements of each map and tool.
const ROUNDS: usize = 5;
/// Pixels a frame that the map is dragged by, there and back.
const STEP: f32 = 3.0;

/// What is done while frames are measured.
const WAYS: [(&str, ToolKind, Way); 4] = [
    ("drawing", ToolKind::Select, Way::Pan),
    ("test the bake", ToolKind::Test, Way::Pan),
    ("orbiting in 3D", ToolKind::Select, Way::Orbit),
    ("pointing in 3D", ToolKind::Select, Way::Point),
];

#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The map is dragged under the canvas.
    Pan,
    /// The eye goes round the map, the right button down.
    Orbit,
    /// The mouse moves over the map in space.
    Point,
}

fn main() {
    if std::env::args().any(|word| word == "geometry") {
        return geometry::run();
    }
    let large = open_text(&stars(46, 46, 20), "stars.nav").expect("a map text").document;
    println!(
        "processor time of a frame in ms: the least of {ROUNDS} medians, and the 95th of 100 in that round; dragged, or in \
         space"
    );
    let heads = WAYS.map(|(name, ..)| format!(" {name:>16}")).concat();
    println!("{:<12} {:>9} {:>9}{heads}", "map", "areas", "polygons");
    let maps = [("empty", Document::default()), ("stars", large)];
    let mut windows = maps.map(|(name, document)| {
        let areas = document.areas.len();
        (name, areas, Window::open(document), [(f64::INFINITY, 0.0); WAYS.len()])
    });
    // In turns, so that a busy moment of the machine is no map's alone.
    for _ in 0..ROUNDS {
        for (_, _, window, least) in &mut windows {
            for ((_, tool, way), least) in WAYS.into_iter().zip(least) {
                window.app.state.take_tool(tool);
                let found = window.measure(way);
                if found.0 < least.0 {
                    *least = found;
                }
            }
        }
    }
    for (name, areas, window, found) in &windows {
        let polygons = window.app.state.bake.shown.as_ref().map_or(0, |baked| baked.counts.polygons);
        let text = |(median, most): &(f64, f64)| format!("{median:.2} ({most:.2})");
        let found = found.each_ref().map(|times| format!(" {:>16}", text(times))).concat();
        println!("{name:<12} {areas:>9} {polygons:>9}{found}");
    }
    let [empty, large] = [&windows[0].3, &windows[1].3];
    let ratios = large.iter().zip(empty).map(|(large, empty)| format!(" {:>16.2}", large.0 / empty.0));
    println!("{:<32}{}", "large / empty", ratios.collect::<String>());
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
        self.frame_with(Vec::new())
    }

    /// A frame with input.
    fn frame_with(&mut self, events: Vec<egui::Event>) -> f64 {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1920.0, 1080.0));
        let input =
            egui::RawInput { screen_rect: Some(screen), time: Some(self.time), events, ..Default::default() };
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

    /// Measures frames, after the map has settled; median and 95th of a hundred.
    fn measure(&mut self, way: Way) -> (f64, f64) {
        let mut times = self.times(way);
        times.sort_by(f64::total_cmp);
        (times[FRAMES / 2], times[FRAMES * 95 / 100])
    }

    /// What each of some frames took.
    fn times(&mut self, way: Way) -> Vec<f64> {
        self.app.state.shown.views = if way == Way::Pan { Seen::Flat } else { Seen::Solid };
        for _ in 0..120 {
            self.frame();
        }
        let middle = self.app.view3d.rect.map_or(egui::Pos2::ZERO, |rect| rect.center());
        let right = |pressed| egui::Event::PointerButton {
            pos: middle,
            button: egui::PointerButton::Secondary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        if way != Way::Pan {
            self.frame_with(vec![egui::Event::PointerMoved(middle)]);
        }
        if way == Way::Orbit {
            self.frame_with(vec![right(true)]);
        }
        let mut at = middle;
        let times = (0..FRAMES).map(|frame| {
            let away = if frame % 60 < 30 { STEP } else { -STEP };
            let by = egui::vec2(away, 0.5 * away);
            if way == Way::Pan {
                self.app.state.camera.pan(by);
                return self.frame();
            }
            at += by;
            self.frame_with(vec![egui::Event::PointerMoved(at)])
        });
        let times = times.collect();
        if way == Way::Orbit {
            self.frame_with(vec![right(false)]);
        }
        times
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
