//! A path that is not there: what stands between is named, and each way out that is offered leads to a path.

use egui::Key;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use navwright::draw::{Role, Shape, Sign};
use navwright::editor::told;
use navwright::editor::tools::Marker;
use navwright::editor::why::{barrier_words, shapes};

use super::drive::{Window, ctrl, key, settle, wait};
use crate::support::stair_obj;

/// A floor at 0 up to x = 12, and one `rise` higher from there on.
fn step(folder: &std::path::Path, rise: f64) -> Window {
    let plate = |y: f64, x: f64, from: u32| {
        let (w, [a, b, c, d]) = (x + 12.0, [from, from + 1, from + 2, from + 3]);
        format!("v {x} {y} 0\nv {x} {y} 12\nv {w} {y} 12\nv {w} {y} 0\nf {a} {b} {c}\nf {a} {c} {d}\n")
    };
    baked(folder, plate(0.0, 0.0, 1) + &plate(rise, 12.0, 5))
}

/// A window with geometry, and the Test path tool.
fn baked(folder: &std::path::Path, obj: String) -> Window {
    let mut window = super::geometry::project(folder);
    let art = folder.join("art/step.obj");
    std::fs::write(&art, obj).unwrap();
    super::geometry::import(&mut window, &art);
    settle(&mut window);
    key(&mut window, Key::T);
    window
}

fn ask(window: &mut Window, [start, end]: [([f64; 2], f64); 2]) {
    let marker = |(place, y)| Some(Marker { place, level: 0, y: Some(y) });
    let test = &mut window.state_mut().state.tools.test;
    (test.start, test.end) = (marker(start), marker(end));
    answer(window);
}

/// Runs frames until nothing is looked for any more.
fn answer(window: &mut Window) {
    window.run_steps(3);
    wait(window, "what stands between", |app| !app.state.why.is_looked_for());
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
        answer(&mut window);
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

/// Four steps of 1, of which the climb is half: as in `each_step_of_a_stair_is_told_in_its_order`.
#[test]
fn a_stair_of_steps_that_are_too_high_is_told_step_by_step_and_opened_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = baked(folder.path(), stair_obj());
    ask(&mut window, [([4.0, 3.0], 0.0), ([36.0, 3.0], 4.0)]);
    let state = &window.state().state;
    let rises: Vec<f64> = state.why.barriers.iter().map(|barrier| barrier.rise.round()).collect();
    assert_eq!(rises, [1.0; 4], "{:#?}", state.why.barriers);
    let band = told::path(state).unwrap();
    assert!(band.contains("4 barriers. Number 1, at ") && band.contains(": a step of "), "{band}");
    // The canvas shows all four, and says what the first one is.
    let drawn = shapes(state, &|[x, _, z], _| Some([x, z]), 0.01);
    let places = |shape: &&Shape| {
        let is_place = matches!(shape, Shape::Polyline { .. } | Shape::Marker { sign: Sign::Cross, .. });
        is_place && shape.role() == Role::Barrier
    };
    assert_eq!(drawn.iter().filter(places).count(), 4, "{drawn:#?}");
    let text = |shape: &Shape| match shape {
        Shape::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    let texts: Vec<String> = drawn.iter().filter_map(text).collect();
    let first = format!("1  {}", barrier_words(state, &state.why.barriers[0]));
    assert_eq!(texts, [first.as_str(), "2", "3", "4"]);
    // A click on the third shows that one.
    let third = format!("3  {} at ", barrier_words(state, &state.why.barriers[2]));
    let links = window.query_all_by_role(egui::Role::Link);
    let starts = |label: String| label.starts_with(&third);
    links.into_iter().find(|node| node.accesskit_node().label().is_some_and(starts)).unwrap().click();
    window.run_steps(2);
    assert!(told::path(&window.state().state).unwrap().contains("Number 3, at "));
    let fixes = window.state_mut().state.chain_fixes();
    let names: Vec<&str> = fixes.iter().map(|fix| fix.name.as_str()).collect();
    assert!(matches!(names[..], ["Add 4 links", climb] if climb.starts_with("Raise Climb to ")), "{names:?}");
    for fix in &fixes {
        window.get_by_label(&fix.name).click();
        window.run_steps(2);
        settle(&mut window);
        window.run_steps(3);
        let state = &window.state().state;
        assert!(state.path_exists() && state.why.barriers.is_empty(), "{}: {:?}", fix.name, state.path);
        ctrl(&mut window, Key::Z);
        settle(&mut window);
        answer(&mut window);
    }
}
