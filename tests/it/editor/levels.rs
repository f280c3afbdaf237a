//! Levels, the Outline's marks and names, area types, pinned checks, the tested bake.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::Surface;
use navwright::editor::canvas::notes;
use navwright::editor::canvas::pick::Item;
use navwright::project::file::encode;
use navwright::project::{Area, AreaId, AreaType, CheckId, Command, Wanted};

use super::drive::{Window, click, key, open, open_file, settle};

fn map(text: &str) -> (tempfile::TempDir, Window) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav");
    std::fs::write(&path, text).unwrap();
    let window = open_file(Some(path));
    (folder, window)
}

const TWO: &str = "nav walk 0 0 0 8 0 8 8 0 8\nnav walk 0 20 0 28 0 28 8 20 8\n";

#[test]
fn the_eye_hides_from_canvas_and_mouse_and_the_lock_from_the_mouse() {
    let (_folder, mut window) = map(TWO);
    let first = Item::Area(AreaId(1));
    window.get_by_label("Lock area 1").click();
    window.run_steps(2);
    click(&mut window, [4.0, 4.0]);
    assert!(window.state().state.selection.is_empty());
    window.get_by_label("Lock area 1").click();
    window.run_steps(2);
    click(&mut window, [4.0, 4.0]);
    assert!(window.state().state.selection.has(first));
    key(&mut window, Key::Escape);
    window.get_by_label("Hide area 1").click();
    window.run_steps(2);
    click(&mut window, [4.0, 4.0]);
    assert!(window.state().state.selection.is_empty());
    let baked = window.state().state.bake.shown.as_ref().unwrap().counts.area[&0];
    assert!((baked - 128.0).abs() < 1e-6, "it is baked all the same");
    assert!(!window.state().state.edited(), "marks are no edit");
    // A whole level by its own eye.
    window.get_by_label("Hide level 0").click();
    window.run_steps(2);
    click(&mut window, [24.0, 4.0]);
    assert!(window.state().state.selection.is_empty());
    window.get_by_label("Hide level 0").click();
    window.run_steps(2);
    click(&mut window, [24.0, 4.0]);
    assert!(window.state().state.selection.has(Item::Area(AreaId(2))));
}

fn retype(window: &mut Window, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(3);
}

#[test]
fn f2_renames_an_area_a_level_and_a_check() {
    let (_folder, mut window) = map(TWO);
    click(&mut window, [4.0, 4.0]);
    key(&mut window, Key::F2);
    window.get_by_label("New name");
    retype(&mut window, "west hall");
    assert_eq!(window.state().state.document().areas[0].name, "west hall");
    key(&mut window, Key::Escape);
    key(&mut window, Key::F2);
    retype(&mut window, "cellar");
    assert_eq!(window.state().state.document().level(0).unwrap().name, "cellar");
    assert_eq!(window.state().state.history.past().count(), 2);
    // Esc leaves the name as it was.
    key(&mut window, Key::F2);
    window.event(egui::Event::Text("x".to_owned()));
    window.step();
    key(&mut window, Key::Escape);
    assert_eq!(window.state().state.document().level(0).unwrap().name, "cellar");
    assert!(window.query_by_label("New name").is_none());
}

#[test]
fn levels_are_added_on_both_sides_and_their_elevation_is_a_field() {
    let (_folder, mut window) = map(TWO);
    window.get_by_role_and_label(Role::Button, "Add level below").click();
    window.run_steps(2);
    assert_eq!(window.state().state.level, -1);
    window.get_by_role_and_label(Role::Button, "Add level").click();
    window.run_steps(2);
    assert_eq!(window.state().state.levels(), [-1, 0, 1]);
    window.get_by_label("LEVEL 1");
    let field = window.get_by_role_and_label(Role::SpinButton, "Elevation");
    field.focus();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.step();
    window.event(egui::Event::Text("4.5".to_owned()));
    window.step();
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(window.state().state.document().elevation(1), 4.5);
}

#[test]
fn seams_have_their_length_and_ramps_their_rise() {
    let map_text =
        "nav walk 0 0 0 20 0 20 20 0 20\nnav walk 1 5 20 9 20 9 32 5 32\nnav walk 1 0 32 20 32 20 40 0 40\n";
    let (_folder, mut window) = map(map_text);
    let ramp = window.state().state.document().areas[1].clone();
    let command = Command::SetAreas(vec![Area { surface: Surface::Ramp, ..(*ramp).clone() }]);
    window.state_mut().state.commit("Ramp", &command);
    window.state_mut().state.level = 1;
    window.run_steps(2);
    settle(&mut window);
    let state = &window.state().state;
    let seams = &state.bake.shown.as_ref().unwrap().report.seams;
    let slope = notes::slope(state.document(), seams, &state.document().areas[1]).unwrap();
    // 3 up over 12 squares, towards +z.
    assert!((slope.rise - 3.0).abs() < 1e-9 && (slope.degrees - 0.25_f64.atan().to_degrees()).abs() < 1e-9);
    assert!(slope.to[1] > slope.from[1] && (slope.to[0] - slope.from[0]).abs() < 1e-9);
    let view = state.camera.view(window.state().canvas().0);
    let words: Vec<String> = notes::level_notes(state, &view)
        .into_iter()
        .filter_map(|shape| match shape {
            navwright::draw::Shape::Text { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert!(words.contains(&"level 0 ↔ 1, 4.0 squares".to_owned()), "{words:?}");
    assert!(words.contains(&"+3, 14.0°".to_owned()), "{words:?}");
    // Flat on both sides, the seam shows its step.
    let command = Command::SetAreas(vec![Area { surface: Surface::Level, ..(*ramp).clone() }]);
    window.state_mut().state.commit("Flat", &command);
    window.run_steps(2);
    settle(&mut window);
    let state = &window.state().state;
    let stepped = notes::level_notes(state, &view).into_iter().any(|shape| {
        matches!(shape, navwright::draw::Shape::Text { text, .. } if text == "level 0 ↔ 1, 4.0 squares, step 3")
    });
    assert!(stepped);
}

#[test]
fn area_types_have_names_colours_and_costs_and_paths_pay_them() {
    // A straight way over mud, and a way round it.
    let (_folder, mut window) = map(
        "nav walk 0 0 0 10 0 10 4 0 4\nnav walk 0 10 0 14 0 14 4 10 4\nnav walk 0 14 0 24 0 24 4 14 4\nnav walk 0 8 4 16 4 16 8 8 8\n",
    );
    window.get_by_role_and_label(Role::Button, "Add area type").click();
    window.run_steps(2);
    window.get_by_role_and_label(Role::Button, "Add area type").click();
    window.run_steps(2);
    assert_eq!(window.state().state.document().area_types.len(), 2);
    let mud = AreaType { name: "mud".to_owned(), cost: 50.0, ..AreaType::new(1) };
    let area = window.state().state.document().areas[1].clone();
    let state = &mut window.state_mut().state;
    state.commit("Mud", &Command::SetAreaType(mud));
    state.commit("Swamp", &Command::SetAreas(vec![Area { area_type: Some(1), ..(*area).clone() }]));
    window.run_steps(2);
    settle(&mut window);
    key(&mut window, Key::T);
    click(&mut window, [2.0, 2.0]);
    click(&mut window, [22.0, 2.0]);
    settle(&mut window);
    let length = window.state().state.path.as_ref().unwrap().length;
    // Past the corners (10, 4) and (14, 4).
    assert!((length - 2.0 * 68.0_f64.sqrt() - 4.0).abs() < 1e-3, "round the mud: {length}");
    let text = encode(window.state().state.document());
    assert!(text.contains("(number: 1, name: \"mud\", color: \"#56b4e9\", cost: 50),"), "{text}");
    key(&mut window, Key::V);
    window.get_by_label("Cost of area type 1");
}

#[test]
fn a_path_is_pinned_and_every_bake_asks_it_again() {
    let (_folder, mut window) = map("nav walk 0 0 0 20 0 20 8 0 8\n");
    key(&mut window, Key::T);
    settle(&mut window);
    window.get_by_role_and_label(Role::Button, "Test");
    click(&mut window, [2.0, 4.0]);
    click(&mut window, [18.0, 4.0]);
    settle(&mut window);
    window.get_by_role_and_label(Role::Button, "Pin as a check").click();
    window.run_steps(2);
    settle(&mut window);
    let check = window.state().state.document().checks[0].clone();
    assert_eq!((check.wanted, check.start, check.end), (Wanted::Path, [2.0, 4.0], [18.0, 4.0]));
    window.get_by_label("Check: check 1: passed");
    // A wall right across: the answer changes, and so does the sign.
    let wall = navwright::project::open_text("nav hole 0 9 -1 10 -1 10 9 9 9", "wall").unwrap().document;
    let mut hole = (*wall.areas[0]).clone();
    hole.id = AreaId(77);
    window.state_mut().state.commit("Wall", &Command::AddAreas(vec![hole]));
    window.run_steps(2);
    settle(&mut window);
    window.get_by_label("Check: check 1: failed");
    window.get_by_role_and_label(Role::Button, "must not exist").click();
    window.run_steps(2);
    settle(&mut window);
    window.get_by_label("Check: check 1: passed");
    window.get_by_role_and_label(Role::Button, "Remove the check").click();
    window.run_steps(2);
    assert!(window.state().state.document().checks.is_empty());
    assert_eq!(window.state().state.history.past().count(), 4);
    assert_eq!(window.state().state.check_answer(CheckId(1)), None);
}

#[test]
fn testing_the_bake_states_its_counts() {
    let mut window = open();
    key(&mut window, Key::T);
    settle(&mut window);
    let text = navwright::editor::told::counts(&window.state().state).unwrap();
    let counts = &window.state().state.bake.shown.as_ref().unwrap().counts;
    assert!(
        text.starts_with(&format!("{} polygons, {} links, 1 island", counts.polygons, counts.links)),
        "{text}"
    );
}
