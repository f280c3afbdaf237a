//! Mouse and keys for a window without a display.

use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use navwright::editor::App;
use navwright::editor::safety::Home;

pub(super) type Window = Harness<'static, App>;

pub(super) fn open() -> Window {
    open_file(None)
}

pub(super) fn open_file(path: Option<std::path::PathBuf>) -> Window {
    open_at_home(path, None)
}

/// With the user's folders.
pub(super) fn open_at_home(path: Option<std::path::PathBuf>, home: Option<&Home>) -> Window {
    let app = App::at_home(&egui::Context::default(), path.as_deref(), false, home);
    let build = Harness::builder().with_size(egui::vec2(1280.0, 800.0));
    let build = build.with_context_setup(navwright::editor::style::apply);
    let frame = |ui: &mut egui::Ui, app: &mut App| {
        app.logic(ui.ctx());
        app.ui(ui);
    };
    let mut window = build.build_ui_state(frame, app);
    window.run_steps(3);
    settle(&mut window);
    window
}

/// Runs frames until the mesh is that of the drawing.
pub(super) fn settle(window: &mut Window) {
    wait(window, "the bake", |app| app.state.fresh() && !app.state.baking());
}

pub(super) fn wait(window: &mut Window, what: &str, done: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !done(window.state()) {
        assert!(start.elapsed() < Duration::from_secs(60), "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(5));
        window.step();
    }
    window.run_steps(2);
}

pub(super) fn pixel(window: &Window, place: [f64; 2]) -> Pos2 {
    let app = window.state();
    app.state.camera.view(app.canvas().0).pixel_from_world(place).into()
}

pub(super) fn button(window: &Window, at: Pos2, button: PointerButton, pressed: bool) {
    window.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
}

pub(super) fn click(window: &mut Window, place: [f64; 2]) {
    let at = pixel(window, place);
    window.hover_at(at);
    window.step();
    button(window, at, PointerButton::Primary, true);
    window.step();
    button(window, at, PointerButton::Primary, false);
    window.run_steps(2);
}

pub(super) fn drag(window: &mut Window, from: [f64; 2], to: [f64; 2]) {
    let (from, to) = (pixel(window, from), pixel(window, to));
    window.hover_at(from);
    window.step();
    button(window, from, PointerButton::Primary, true);
    window.step();
    for part in [0.3, 0.6, 1.0] {
        window.hover_at(from + (to - from) * part);
        window.step();
    }
    button(window, to, PointerButton::Primary, false);
    window.run_steps(2);
}

pub(super) fn key(window: &mut Window, key: Key) {
    window.key_press(key);
    window.run_steps(2);
}

pub(super) fn ctrl(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.run_steps(2);
}
