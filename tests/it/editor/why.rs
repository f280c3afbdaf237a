//! A path that is not there: what stands between is named, and each way out that is offered leads to a path.

use egui::Key;
use navwright::editor::tools::Marker;
use navwright::editor::why::barrier_words;

use super::drive::{Window, ctrl, key, settle};

/// A floor at 0 up to x = 12, and one `rise` higher from there on.
fn step(folder: &std::path::Path, rise: f64) -> Window {
    let plate = |y: f64, x: f64, from: u32| {
        let (w, [a, b, c, d]) = (x + 12.0, [from, from + 1, from + 2, from + 3]);
        format!("v {x} {y} 0\nv {x} {y} 12\nv {w} {y} 12\nv {w} {y} 0\nf {a} {b} {c}\nf {a} {c} {d}\n")
    };
    let mut window = super::geometry::project(folder);
    let art = folder.join("art/step.obj");
    std::fs::write(&art, plate(0.0, 0.0, 1) + &plate(rise, 12.0, 5)).unwrap();
    super::geometry::import(&mut window, &art);
    settle(&mut window);
    key(&mut window, Key::T);
    window
}

fn ask(window: &mut Window, [start, end]: [([f64; 2], f64); 2]) {
    let marker = |(place, y)| Some(Marker { place, level: 0, y: Some(y) });
    let test = &mut window.state_mut().state.tools.test;
    (test.start, test.end) = (marker(start), marker(end));
    window.run_steps(3);
}

#[test]
fn a_step_between_two_floors_is_named_and_each_fix_leads_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = step(folder.path(), 1.0);
    ask(&mut window, [([4.0, 6.0], 0.0), ([20.0, 6.0], 1.0)]);
    let state = &window.state().state;
    assert!(!state.path_exists(), "{:?}", state.path);
    let barrier = state.why.barrier().expect("something stands between").clone();
    let words = barrier_words(state, &barrier);
    assert!(words.starts_with("a step of ") && words.contains("up, and Climb is "), "{words}");
    assert!((barrier.rise - 1.0).abs() < 0.3 && (barrier.from.position[0] - 12.0).abs() < 1.5, "{barrier:?}");
    let fixes = window.state_mut().state.barrier_fixes();
    let names: Vec<&str> = fixes.iter().map(|fix| fix.name.as_str()).collect();
    assert!(
        matches!(names[..], ["Add a jump here", climb] if climb.starts_with("Raise Climb to ")),
        "{names:?}"
    );
    for fix in &fixes {
        window.state_mut().state.do_fix(None, fix);
        settle(&mut window);
        window.run_steps(3);
        let state = &window.state().state;
        assert!(state.path_exists() && state.why.barriers.is_empty(), "{}: {:?}", fix.name, state.path);
        ctrl(&mut window, Key::Z);
        settle(&mut window);
        window.run_steps(3);
        assert!(window.state().state.why.barrier().is_some(), "undone: {}", fix.name);
    }
}

#[test]
fn a_marker_in_the_air_is_put_on_the_floor_under_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = step(folder.path(), 0.0);
    ask(&mut window, [([4.0, 6.0], 7.0), ([20.0, 6.0], 0.0)]);
    let state = &window.state().state;
    assert!(!state.path_exists());
    let [elsewhere] = &state.why.elsewhere[..] else { panic!("{:?}", state.why.elsewhere) };
    assert!(elsewhere.start && elsewhere.name.starts_with("Put the start on the floor at "), "{elsewhere:?}");
    let elsewhere = elsewhere.clone();
    window.state_mut().state.put_marker(&elsewhere);
    window.run_steps(3);
    let state = &window.state().state;
    assert!(state.path_exists() && state.why.elsewhere.is_empty());
    assert!((state.path.as_ref().unwrap().length - 16.0).abs() < 0.1, "straight on");
}
