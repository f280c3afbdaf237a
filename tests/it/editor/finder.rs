//! Commands, things and places by typing; and the clipboard through the window.

use egui::{Event, Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::finder::place;

use super::drive::{Window, click, ctrl, key, open, settle};

fn type_in(window: &mut Window, label: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, label).type_text(text);
    window.run_steps(3);
}

#[test]
fn a_command_is_run_by_its_name() {
    let mut window = open();
    ctrl(&mut window, Key::P);
    assert!(window.get_by_role_and_label(Role::TextInput, "Run a command").is_focused());
    // Keys go to the box, not to the canvas behind it.
    type_in(&mut window, "Run a command", "level up");
    window.get_by_role_and_label(Role::Button, "Level: Level up");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().state.level, 1);
    assert!(window.query_by_role_and_label(Role::TextInput, "Run a command").is_none(), "it closes");
    // Arrows pick another answer; what cannot be done now is not done.
    ctrl(&mut window, Key::P);
    type_in(&mut window, "Run a command", "level");
    key(&mut window, Key::ArrowDown);
    key(&mut window, Key::Enter);
    assert_eq!(window.state().state.level, 0);
    ctrl(&mut window, Key::P);
    type_in(&mut window, "Run a command", "redo");
    key(&mut window, Key::Enter);
    assert!(window.query_by_role_and_label(Role::TextInput, "Run a command").is_some());
    key(&mut window, Key::Escape);
    assert!(window.query_by_role_and_label(Role::TextInput, "Run a command").is_none());
    window.get_by_role_and_label(Role::Button, "Commands").click();
    window.run_steps(3);
    type_in(&mut window, "Run a command", "no such words");
    assert!(window.query_by_label_contains("Nothing has these words").is_some());
    assert_eq!(window.state().state.history.past().count(), 0);
}

#[test]
fn a_thing_is_found_by_its_name_and_shown() {
    let mut window = open();
    ctrl(&mut window, Key::F);
    type_in(&mut window, "Find a thing", "bridge");
    key(&mut window, Key::Enter);
    let state = &window.state().state;
    let bridge = state.document().areas.iter().find(|area| area.name == "bridge").unwrap();
    assert!(state.selection.has(navwright::editor::canvas::pick::Item::Area(bridge.id)));
    assert_eq!((state.level, state.selection.len()), (1, 1));
}

#[test]
fn a_typed_place_is_gone_to() {
    let mut window = open();
    ctrl(&mut window, Key::G);
    type_in(&mut window, "Go to a place", "12.5, 40 x");
    assert!(window.query_by_label("\"x\" is not a number").is_some());
    key(&mut window, Key::Escape);
    ctrl(&mut window, Key::G);
    type_in(&mut window, "Go to a place", "12.5, 30, 2");
    key(&mut window, Key::Enter);
    let state = &window.state().state;
    assert_eq!((state.camera.center, state.level), ([12.5, 30.0], 2));
    assert_eq!(place("1 -2"), Ok(([1.0, -2.0], None)));
    assert_eq!(place(" 1.5,2 , -1"), Ok(([1.5, 2.0], Some(-1))));
    for wrong in ["", "1", "1,2,3,4", "1,2,0.5", "1,2,128", "1,NaN", "3000000, 0"] {
        assert!(place(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn copy_and_paste_go_through_the_clipboard_and_text_fields_keep_theirs() {
    let mut window = open();
    let areas = window.state().state.document().areas.len();
    click(&mut window, [25.0, 2.0]);
    window.event(Event::Copy);
    window.step();
    let copied = window.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.unwrap();
    assert!(copied.starts_with("Project(\n    version: ") && copied.contains("meadow"), "{copied}");
    window.event(Event::Paste(copied.clone()));
    window.run_steps(2);
    assert_eq!(window.state().state.document().areas.len(), areas + 1);
    window.event(Event::Cut);
    window.run_steps(2);
    assert_eq!(window.state().state.document().areas.len(), areas);
    ctrl(&mut window, Key::Z);
    ctrl(&mut window, Key::Z);
    assert_eq!(window.state().state.history.past().count(), 0);
    window.get_by_label("Filter outline").focus();
    window.run_steps(2);
    window.event(Event::Paste("nav walk 0 0 0 1 0 1 1".to_owned()));
    window.run_steps(2);
    assert_eq!(window.state().state.document().areas.len(), areas, "the field has it, not the map");
    settle(&mut window);
}

#[test]
fn the_shape_of_a_selection_is_changed_by_buttons_and_keys() {
    let mut window = open();
    window.get_by_label("Outline: bridge").click();
    window.run_steps(3);
    let points = |window: &Window| {
        let document = window.state().state.document();
        document.areas.iter().find(|area| area.name == "bridge").unwrap().points.clone()
    };
    let before = points(&window);
    window.get_by_role_and_label(Role::Button, "Rotate left").click();
    window.run_steps(3);
    assert_ne!(points(&window), before);
    window.key_press_modifiers(Modifiers::COMMAND, Key::CloseBracket);
    window.run_steps(2);
    assert_eq!(points(&window), before, "and back by its key");
    assert_eq!(window.state().state.history.past().collect::<Vec<_>>(), ["Rotate bridge", "Rotate bridge"]);
    window.get_by_role_and_label(Role::Button, "Scale").click();
    window.run_steps(3);
    let breadth = |points: &[[f64; 2]]| {
        let xs = points.iter().map(|point| point[0]);
        xs.clone().fold(f64::MIN, f64::max) - xs.fold(f64::MAX, f64::min)
    };
    assert!((breadth(&points(&window)) - 2.0 * breadth(&before)).abs() < 1e-3);
}
