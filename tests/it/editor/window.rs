//! The whole window, driven through AccessKit: no display, no driver.

use egui::{Event, Key, Modifiers, PointerButton, Role, pos2};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::canvas::snap::SnapKind;
use navwright::editor::tools::ToolKind;
use navwright::format::NavMesh;
use navwright::query::PathStatus;

use super::drive::{Window, button, click, ctrl, drag, key, open, open_file, pixel, settle, wait};

#[test]
fn opens_on_the_arena() {
    let window = open();
    window.get_by_role_and_label(Role::Canvas, "Canvas, level 0");
    assert!(window.query_by_label_contains("meadow (walk area, level 0").is_some());
    assert!(window.query_by_label_contains("west cliff (walk area").is_none(), "another level's area");
    window.get_by_label("Outline: west cliff");
    let app = window.state();
    assert!(app.state.fresh() && !app.state.edited());
    assert!(app.state.bake.shown.as_ref().is_some_and(|baked| baked.counts.polygons > 20));
    for panel in ["File", "Walk", "Level 1", "Export", "Bake now"] {
        window.get_by_role_and_label(Role::Button, panel);
    }
}

#[test]
fn draws_an_area_by_clicks_and_takes_it_back() {
    let mut window = open();
    let before = window.state().state.document().areas.len();
    key(&mut window, Key::W);
    assert_eq!(window.state().state.tools.kind(), ToolKind::Walk);
    for place in [[-4.0, -2.0], [-1.0, -2.0], [-1.0, -4.0]] {
        click(&mut window, place);
    }
    assert_eq!(window.state().state.tools.draft().len(), 3);
    click(&mut window, [-4.0, -2.0]);
    let areas = window.state().state.document().areas.clone();
    assert_eq!(areas.len(), before + 1);
    let drawn = areas.iter().find(|area| area.name == "area 1").unwrap();
    assert_eq!(drawn.points, [[-4.0, -2.0], [-1.0, -2.0], [-1.0, -4.0]]);
    // It is there for a screen reader too, selected, with its points.
    window.get_by_label("area 1 (walk area, level 0, 3 points)");
    window.get_by_label("area 1, point 2: -1, -2");
    settle(&mut window);
    ctrl(&mut window, Key::Z);
    assert_eq!(window.state().state.document().areas.len(), before);
    assert!(window.query_by_label_contains("area 1 (walk").is_none());
    ctrl(&mut window, Key::Y);
    assert_eq!(window.state().state.document().areas.len(), before + 1);
}

#[test]
fn moves_a_point_and_the_mesh_follows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav");
    std::fs::write(&path, "nav walk 0 0 0 8 0 8 8 0 8\n").unwrap();
    let mut window = open_file(Some(path));
    let area = |window: &Window| window.state().state.bake.shown.as_ref().unwrap().counts.area[&0];
    assert!((area(&window) - 64.0).abs() < 1e-6);
    drag(&mut window, [8.0, 8.0], [10.0, 8.0]);
    assert_eq!(window.state().state.document().areas[0].points[2], [10.0, 8.0]);
    settle(&mut window);
    // The triangle (8, 0), (10, 8), (8, 8) came with it.
    assert!((area(&window) - 72.0).abs() < 1e-6, "{}", area(&window));
    ctrl(&mut window, Key::Z);
    settle(&mut window);
    assert!((area(&window) - 64.0).abs() < 1e-6);
    assert!(!window.state().state.edited(), "undone to what was opened");
}

#[test]
fn switches_levels_by_strip_and_keys() {
    let mut window = open();
    window.get_by_role_and_label(Role::Button, "Level 1").click();
    window.run_steps(2);
    window.get_by_role_and_label(Role::Canvas, "Canvas, level 1");
    assert!(window.query_by_label_contains("bridge (walk area, level 1").is_some());
    key(&mut window, Key::PageUp);
    assert_eq!(window.state().state.level, 2);
    key(&mut window, Key::PageDown);
    key(&mut window, Key::PageDown);
    key(&mut window, Key::PageDown);
    assert_eq!(window.state().state.level, -1);
    window.get_by_label("Add level").click();
    window.run_steps(2);
    assert_eq!(window.state().state.level, 4);
}

#[test]
fn a_path_goes_over_stairs_but_not_over_a_bridges_side() {
    let mut window = open();
    key(&mut window, Key::T);
    // From the meadow in front of the west stairs to the cliff above them.
    click(&mut window, [13.0, 12.0]);
    key(&mut window, Key::PageUp);
    click(&mut window, [18.0, 21.0]);
    let path = window.state().state.path.clone().unwrap();
    assert_eq!(path.status, PathStatus::Complete);
    assert_eq!(path.points.first().map(|point| point.level), Some(0));
    assert_eq!(path.points.last().map(|point| point.level), Some(1));
    assert!(window.query_by_label_contains("squares · level 0 › 1").is_some());
    // From under the bridge onto it: 3 squares away as the crow flies, but the way is by the stairs.
    key(&mut window, Key::PageDown);
    click(&mut window, [26.0, 22.0]);
    key(&mut window, Key::PageUp);
    click(&mut window, [26.0, 25.3]);
    let around = window.state().state.path.clone().unwrap();
    assert_eq!(around.status, PathStatus::Complete);
    assert!(around.length > 20.0, "{}", around.length);
    assert_eq!(window.state().state.history.past().count(), 0);
}

#[test]
fn says_why_there_is_no_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bridge.nav");
    // A path on the ground and a bridge over it: they overlap and share no edge.
    std::fs::write(&path, "nav walk 0 0 0 12 0 12 4 0 4\nnav walk 1 5 -3 7 -3 7 7 5 7\n").unwrap();
    let mut window = open_file(Some(path));
    key(&mut window, Key::T);
    click(&mut window, [2.0, 2.0]);
    key(&mut window, Key::PageUp);
    click(&mut window, [6.0, 2.0]);
    let found = window.state().state.path.clone().unwrap();
    assert_ne!(found.status, PathStatus::Complete);
    assert!(!found.reason.is_empty());
    assert!(window.query_by_label_contains("No path.").is_some());
}

#[test]
fn exports_through_the_path_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena");
    let mut window = open();
    ctrl(&mut window, Key::E);
    window.get_by_label("Export the mesh");
    let field = window.get_by_role_and_label(Role::TextInput, "Path. A name without ending gets .onnm.");
    assert!(field.is_focused());
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    window
        .get_by_role_and_label(Role::TextInput, "Path. A name without ending gets .onnm.")
        .type_text(path.to_str().unwrap());
    window.run_steps(2);
    key(&mut window, Key::Enter);
    wait(&mut window, "the export", |app| !app.files.exporting());
    let message = window.state().state.message.clone().unwrap();
    assert!(message.text.starts_with("Saved and read back"), "{}", message.text);
    let written = std::fs::read(path.with_extension("onnm")).unwrap();
    let mesh = NavMesh::from_bytes(&written).unwrap();
    let fingerprint = mesh.mesh.params().fingerprint().to_string();
    assert!(message.text.ends_with(&fingerprint[..8]), "{}", message.text);
    // Again without a question.
    std::fs::remove_file(path.with_extension("onnm")).unwrap();
    ctrl(&mut window, Key::E);
    wait(&mut window, "the export", |app| !app.files.exporting());
    assert_eq!(std::fs::read(path.with_extension("onnm")).unwrap(), written);
}

#[test]
fn a_path_that_cannot_be_opened_says_so_and_keeps_the_map() {
    let mut window = open();
    let areas = window.state().state.document().areas.len();
    ctrl(&mut window, Key::O);
    let label = "Path. A project (.nav.ron) or map text (nav walk … lines).";
    window.get_by_role_and_label(Role::TextInput, label).type_text("/nowhere/map.nav.ron");
    window.run_steps(2);
    key(&mut window, Key::Enter);
    assert!(window.query_by_label_contains("/nowhere/map.nav.ron").is_some());
    assert!(
        window.state().files.field.as_ref().is_some_and(|field| field.error.is_some()),
        "the field stays"
    );
    key(&mut window, Key::Escape);
    assert!(window.state().files.field.is_none());
    assert_eq!(window.state().state.document().areas.len(), areas);
}

#[test]
fn unsaved_changes_are_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open();
    key(&mut window, Key::V);
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    key(&mut window, Key::ArrowRight);
    assert!(window.state().state.edited());
    ctrl(&mut window, Key::N);
    window.get_by_label("Save the changes first?");
    window.get_by_label("Cancel").click();
    window.run_steps(2);
    assert!(window.state().state.edited() && window.state().files.question.is_none());
    ctrl(&mut window, Key::N);
    window.get_by_label("Save").click();
    window.run_steps(2);
    let path = folder.path().join("edited.nav.ron");
    let label = "Path. A name without ending gets .nav.ron.";
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, label).type_text(path.to_str().unwrap());
    window.run_steps(2);
    key(&mut window, Key::Enter);
    // Saved, and the new map is open.
    assert!(navwright::project::file::load(&path).unwrap().areas.len() > 10);
    assert!(window.state().state.document().areas.is_empty());
    assert_eq!(window.state().state.tools.kind(), ToolKind::Walk);
}

#[test]
fn saving_what_was_opened_changes_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    let sample = std::fs::read(crate::support::root().join("assets/arena.nav.ron")).unwrap();
    std::fs::write(&path, &sample).unwrap();
    let mut window = open_file(Some(path.clone()));
    ctrl(&mut window, Key::S);
    assert_eq!(std::fs::read(&path).unwrap(), sample);
    key(&mut window, Key::PageUp);
    key(&mut window, Key::T);
    ctrl(&mut window, Key::S);
    assert_eq!(std::fs::read(&path).unwrap(), sample, "level and tool are not in the file");
}

#[test]
fn keys_typed_in_a_text_field_never_reach_the_canvas() {
    let mut window = open();
    window.get_by_label("Filter outline").focus();
    window.run_steps(2);
    window.get_by_label("Filter outline").type_text("whk");
    window.key_press(Key::W);
    window.key_press(Key::Delete);
    window.run_steps(3);
    assert_eq!(window.state().state.tools.kind(), ToolKind::Select);
    // The first click back on the canvas already acts.
    click(&mut window, [25.0, 2.0]);
    assert_eq!(window.state().state.selection.len(), 1);
    key(&mut window, Key::W);
    assert_eq!(window.state().state.tools.kind(), ToolKind::Walk);
}

#[test]
fn coordinates_are_typed_to_the_thousandth() {
    let mut window = open();
    window.get_by_label("Outline: bridge").click();
    window.run_steps(2);
    let label = "Point 1 x";
    window.get_by_label(label).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    window.get_by_label(label).type_text("22.4567");
    window.run_steps(2);
    key(&mut window, Key::Enter);
    let state = &window.state().state;
    let bridge = state.document().areas.iter().find(|area| area.name == "bridge").unwrap();
    assert_eq!(bridge.points[0][0], 22.457);
    assert_eq!(state.history.past().count(), 1);
    assert_eq!(state.level, 1, "the outline goes to the thing's level");
}

#[test]
fn the_wheel_zooms_at_the_cursor_and_the_middle_button_pans() {
    let mut window = open();
    let place = [30.0, 20.0];
    let at = pixel(&window, place);
    let before = window.state().state.camera;
    window.hover_at(at);
    window.step();
    window.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, 2.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(2);
    assert!(window.state().state.camera.scale > 1.2 * before.scale);
    assert!(pixel(&window, place).distance(at) < 0.01, "the place stays under the cursor");
    button(&window, at, PointerButton::Middle, true);
    window.step();
    window.hover_at(at + egui::vec2(50.0, 20.0));
    window.step();
    button(&window, at + egui::vec2(50.0, 20.0), PointerButton::Middle, false);
    window.run_steps(2);
    assert!(pixel(&window, place).distance(at + egui::vec2(50.0, 20.0)) < 0.01);
    assert_eq!(window.state().state.history.past().count(), 0);
}

#[test]
fn an_idle_window_makes_nothing_anew() {
    let mut window = open();
    window.run_steps(5);
    let before = window.state().canvas().1;
    for at in [pos2(400.0, 300.0), pos2(500.0, 300.0), pos2(600.0, 350.0)] {
        window.hover_at(at);
        window.run_steps(3);
    }
    assert_eq!(window.state().canvas().1, before, "moving the mouse makes nothing anew");
    // And a window that nobody touches asks for no frames.
    window.run();
}

#[test]
fn the_snap_that_won_is_said() {
    let mut window = open();
    key(&mut window, Key::W);
    let corner =
        window.state().state.document().areas.iter().find(|area| area.name == "meadow").unwrap().points[0];
    let at = pixel(&window, corner);
    window.hover_at(at + egui::vec2(3.0, 2.0));
    window.run_steps(2);
    let joins = SnapKind::Join { name: "meadow".to_owned(), level: 0 };
    assert_eq!(window.state().state.snap_kind, Some(joins));
    window.hover_at(pixel(&window, [-3.04, -2.0]));
    window.run_steps(2);
    assert_eq!(window.state().state.snap_kind, Some(SnapKind::Grid));
}

#[test]
fn every_menu_and_the_list_of_keys_open() {
    let mut window = open();
    let menus = [
        ("File", "Save as…"),
        ("Edit", "Select all"),
        ("Level", "Level up"),
        ("Bake", "Live bake"),
        ("View", "Frame all"),
        ("Help", "Tour"),
    ];
    for (menu, inside) in menus {
        // A panel may have the name of a menu, which comes first.
        window.get_all_by_role_and_label(Role::Button, menu).next().unwrap().click();
        window.run_steps(3);
        assert!(window.query_all_by_label_contains(inside).count() > 0, "{menu} has {inside}");
        key(&mut window, Key::Escape);
        window.run_steps(2);
        assert!(!egui::Popup::is_any_open(&window.ctx), "Esc closes {menu}");
    }
    key(&mut window, Key::F1);
    window.get_by_label("Keys and signs");
    assert!(window.query_by_label_contains("adds a point; held, drags it at once").is_some());
    key(&mut window, Key::Escape);
    assert!(!window.state().state.shown.keys);
}

#[test]
fn a_tool_chosen_by_a_key_takes_a_click_of_the_same_frame() {
    let mut window = open();
    let at = pixel(&window, [-4.0, -2.0]);
    let key = |pressed| Event::Key {
        key: Key::W,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let click = |pressed| Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    // A slow frame gets all of it at once.
    window.input_mut().events.extend([
        key(true),
        key(false),
        Event::PointerMoved(at),
        click(true),
        click(false),
    ]);
    window.run_steps(2);
    assert_eq!(window.state().state.tools.draft().len(), 1);
}
