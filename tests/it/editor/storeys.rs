//! Floors over each other in one file of geometry, seen in space: what is clicked is what is meant.

use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::tools::Marker;

use super::drive::{Window, key, open_file, settle};

/// A path between two markers, once the mesh is there.
fn length(window: &mut Window, ends: [Option<f64>; 2]) -> f64 {
    let marker = |place, height| Some(Marker { place, level: 0, y: height });
    let test = &mut window.state_mut().state.tools.test;
    (test.start, test.end) = (marker([15.6, 8.7], ends[0]), marker([20.0, 18.0], ends[1]));
    window.run_steps(3);
    window.state().state.path.as_ref().unwrap().length
}

#[test]
fn a_test_in_space_goes_to_the_floor_that_was_clicked_and_not_to_the_one_over_it() {
    let mut window = open_file(Some(crate::support::root().join("assets/hall.nav.ron")));
    key(&mut window, Key::T);
    settle(&mut window);
    // As `navwright path hall.onnm --xyz 15.6,0,8.7 20,0,18` says, and the same to 20,3.2,18 on the gallery.
    assert!((length(&mut window, [Some(0.2), Some(0.2)]) - 10.4).abs() < 0.1);
    let above = length(&mut window, [Some(0.2), Some(3.4)]);
    assert!(above > 20.0, "by the stairs: {above}");
}

#[test]
fn who_brings_a_level_along_is_not_told_to_draw_a_floor() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = super::geometry::project(folder.path());
    let told = |window: &Window| navwright::editor::hints::next(&window.ctx, &window.state().state).is_some();
    assert!(told(&window));
    super::geometry::import(&mut window, &folder.path().join("art/floor.obj"));
    assert!(!told(&window));
}

#[test]
fn two_presses_within_one_frame_are_two() {
    let mut window = super::drive::open();
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    let x = |window: &Window| {
        let areas = &window.state().state.document().areas;
        areas.iter().find(|area| area.name == "meadow").unwrap().points[0][0]
    };
    let before = x(&window);
    for _ in 0..2 {
        for pressed in [true, false] {
            let (key, modifiers) = (Key::ArrowRight, Modifiers::NONE);
            window.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        }
    }
    window.run_steps(2);
    assert!((x(&window) - before - 0.2).abs() < 1e-9, "{} from {before}", x(&window));
}
