//! Agent classes in the window: added, renamed, shown, moved, removed, exported; each change one undo step.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::{BakeOptions, bake_mesh};
use navwright::editor::export::What;
use navwright::format::{NavMesh, NavWorld};
use navwright::project::{AgentClass, Command, Document};
use navwright::query::PathStatus;

use super::drive::{Window, click, ctrl, key, open_file, settle, wait};
use crate::cli_classes::floor_and_slab;
use crate::project::{after, class};

/// Two classes, of which the mouse does not climb the slab.
fn two() -> Document {
    after(&floor_and_slab(), [Command::AddClass(AgentClass { climb: 0.25, ..class(7, "mouse") })])
}

fn window(document: &Document) -> (tempfile::TempDir, Window) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    navwright::project::file::save(document, &path).unwrap();
    (folder, open_file(Some(path)))
}

fn names(window: &Window) -> Vec<String> {
    window.state().state.document().classes.iter().map(|class| class.name.clone()).collect()
}

fn steps(window: &Window) -> usize {
    window.state().state.history.past().count()
}

fn press(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run_steps(3);
}

fn fill(window: &mut Window, role: Role, label: &str, text: &str) {
    window.get_by_role_and_label(role, label).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    window.get_by_role_and_label(role, label).type_text(text);
    window.run_steps(2);
    key(window, Key::Enter);
}

#[test]
fn a_class_is_added_renamed_changed_moved_and_removed_each_as_one_step() {
    let (_folder, mut window) = window(&floor_and_slab());
    assert!(window.query_by_role_and_label(Role::ComboBox, "Agent").is_none(), "one class needs no choice");
    press(&mut window, "Add agent class");
    assert_eq!((names(&window), steps(&window)), (vec!["agent".to_owned(), "agent 2".to_owned()], 1));
    assert_eq!(window.state().state.class().name, "agent 2", "the new one is shown");
    fill(&mut window, Role::TextInput, "Name", " mouse ");
    assert_eq!((names(&window)[1].as_str(), steps(&window)), ("mouse", 2));
    fill(&mut window, Role::SpinButton, "Climb", "0.25");
    assert_eq!((window.state().state.class().climb, steps(&window)), (0.25, 3));
    press(&mut window, "Move agent class up");
    assert_eq!((names(&window), steps(&window)), (vec!["mouse".to_owned(), "agent".to_owned()], 4));
    // A name that is taken is refused, with the reason on the canvas.
    fill(&mut window, Role::TextInput, "Name", "agent");
    assert_eq!(steps(&window), 4);
    let message = window.state().state.message.clone().unwrap().text;
    assert!(message.contains("there is an agent class called \"agent\" already"), "{message}");
    press(&mut window, "Remove agent class");
    assert_eq!((names(&window), steps(&window)), (vec!["agent".to_owned()], 5));
    for (left, name) in [(4, "mouse"), (3, "mouse"), (2, "mouse"), (1, "agent 2")] {
        ctrl(&mut window, Key::Z);
        assert_eq!((steps(&window), window.state().state.class().name.as_str()), (left, name));
    }
    ctrl(&mut window, Key::Z);
    assert_eq!(names(&window), ["agent"]);
    assert!(!window.state().state.edited());
    for _ in 0..5 {
        ctrl(&mut window, Key::Y);
    }
    assert_eq!((names(&window), steps(&window)), (vec!["agent".to_owned()], 5));
    settle(&mut window);
}

#[test]
fn the_mesh_and_the_path_are_those_of_the_shown_class() {
    let (_folder, mut window) = window(&two());
    let document = window.state().state.document().clone();
    let fingerprint =
        |index: usize| document.bake_settings(&document.classes[index]).to_params().unwrap().fingerprint();
    let shown = |window: &Window| window.state().state.bake.shown.as_ref().unwrap().counts.clone();
    assert_eq!((shown(&window).fingerprint, shown(&window).islands), (fingerprint(0), 1));
    key(&mut window, Key::T);
    click(&mut window, [26.0, 2.0]);
    click(&mut window, [38.0, 4.0]);
    let status = |window: &Window| window.state().state.path.as_ref().map(|path| path.status);
    assert_eq!(status(&window), Some(PathStatus::Complete));
    // C shows the next class: the mouse does not get up.
    key(&mut window, Key::C);
    settle(&mut window);
    assert_eq!((shown(&window).fingerprint, shown(&window).islands), (fingerprint(1), 2));
    assert_ne!(status(&window), Some(PathStatus::Complete));
    key(&mut window, Key::C);
    settle(&mut window);
    assert_eq!(status(&window), Some(PathStatus::Complete));
    key(&mut window, Key::V);
    press(&mut window, "Agent class mouse");
    settle(&mut window);
    assert_eq!(shown(&window).fingerprint, fingerprint(1));
    assert_eq!(steps(&window), 0, "showing a class changes nothing");
    assert!(!window.state().state.edited());
}

fn alone(document: &Document, index: usize) -> Vec<u8> {
    let settings = document.bake_settings(&document.classes[index]);
    let baked = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default());
    baked.unwrap().0.to_bytes().unwrap()
}

fn export_to(window: &mut Window, label: &str, path: &str) {
    let name = format!("Path. A name without ending gets .{label}.");
    fill(window, Role::TextInput, &name, path);
    wait(window, "the export", |app| !app.files.exporting());
}

#[test]
fn an_export_is_a_world_of_all_classes_or_a_mesh_of_one() {
    let (folder, mut window) = window(&two());
    let document = window.state().state.document().clone();
    let path = |name: &str| folder.path().join(name);
    ctrl(&mut window, Key::E);
    window.get_by_label("Export the meshes");
    export_to(&mut window, "onnw", path("all").to_str().unwrap());
    let world = NavWorld::from_bytes(&std::fs::read(path("all.onnw")).unwrap()).unwrap();
    for (index, class) in world.classes().iter().enumerate() {
        assert_eq!(class.to_bytes().unwrap(), alone(&document, index), "class {index} as a bake of its own");
    }
    let message = window.state().state.message.clone().unwrap().text;
    assert!(message.contains("agent: ") && message.contains("mouse: "), "{message}");
    // One of them: picking it changes the ending.
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::E);
    window.run_steps(3);
    window.get_by_label("One agent class, as .onnm:").click();
    window.run_steps(3);
    window.get_by_label("Exported class").click();
    window.run_steps(3);
    window.get_all_by_label("mouse").last().unwrap().click();
    window.run_steps(3);
    let field = window.state().files.field.clone().unwrap();
    assert!(field.text.ends_with("map.onnm"), "{}", field.text);
    assert_eq!(field.what, What::Class(document.classes[1].id));
    export_to(&mut window, "onnm", path("mouse").to_str().unwrap());
    assert_eq!(std::fs::read(path("mouse.onnm")).unwrap(), alone(&document, 1));
    assert!(NavMesh::from_bytes(&alone(&document, 1)).is_ok());
    // Again: the same file, the same class, without a question.
    std::fs::remove_file(path("mouse.onnm")).unwrap();
    ctrl(&mut window, Key::E);
    wait(&mut window, "the export", |app| !app.files.exporting());
    assert_eq!(std::fs::read(path("mouse.onnm")).unwrap(), alone(&document, 1));
    assert!(window.state().files.field.is_none());
}

#[test]
fn what_an_export_holds_goes_by_the_ending_that_is_typed() {
    let (folder, mut window) = window(&two());
    ctrl(&mut window, Key::E);
    let path = folder.path().join("typed.onnm");
    export_to(&mut window, "onnw", path.to_str().unwrap());
    assert_eq!(std::fs::read(path).unwrap(), alone(window.state().state.document(), 0), "the shown class");
}

#[test]
fn a_preset_sets_the_whole_agent_as_one_step() {
    let (_folder, mut window) = window(&floor_and_slab());
    window.get_by_role_and_label(Role::ComboBox, "Preset").click();
    window.run_steps(4);
    window.get_by_label("Vehicle").click();
    window.run_steps(4);
    let agent = window.state().state.class().clone();
    assert_eq!((agent.radius, agent.height, agent.climb, agent.max_slope), (1.0, 2.0, 0.3, 25.0));
    assert_eq!((agent.name.as_str(), steps(&window)), ("agent", 1));
    ctrl(&mut window, Key::Z);
    assert!(!window.state().state.edited());
}
