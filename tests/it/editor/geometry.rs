//! Imported geometry: taken in, placed, renamed, removed, missing, broken, changed on the disk.

use std::path::Path;
use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::{Diagnostic, DiagnosticKind};
use navwright::editor::App;
use navwright::editor::action::Action;
use navwright::editor::canvas::pick::Item;
use navwright::editor::state::Selection;
use navwright::project::{Geometry, UpAxis, file, placed, voxel_input};

use super::drive::{Window, key, open, open_file, wait};
use super::table::run;

/// A square floor from (0, 0, 0) to (`side`, 0, `side`).
pub(super) fn floor(side: f64) -> String {
    format!("v 0 0 0\nv 0 0 {side}\nv {side} 0 {side}\nv {side} 0 0\nf 1 2 3\nf 1 3 4\n")
}

/// A project in a folder of its own, with a floor beside it that is not taken in yet.
pub(super) fn project(folder: &Path) -> Window {
    std::fs::create_dir_all(folder.join("art")).unwrap();
    std::fs::write(folder.join("art/floor.obj"), floor(12.0)).unwrap();
    file::save(&navwright::project::Document::default(), &folder.join("map.nav.ron")).unwrap();
    open_file(Some(folder.join("map.nav.ron")))
}

pub(super) fn import(window: &mut Window, path: &Path) {
    let context = window.ctx.clone();
    window.state_mut().perform(Action::Import, &context);
    window.state_mut().files.field.as_mut().unwrap().text = path.display().to_string();
    let app = window.state_mut();
    app.files.accept_field(&mut app.state, &context);
    window.run_steps(2);
    wait(window, "the geometry", |app| app.state.geometry_is_current());
}

fn items(window: &Window) -> Vec<Geometry> {
    window.state().state.document().geometry.iter().map(|item| (**item).clone()).collect()
}

fn steps(window: &Window) -> usize {
    window.state().state.history.past().count()
}

#[test]
fn a_bake_is_given_the_triangles_that_are_shown_and_no_copy() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/floor.obj"));
    let state = &window.state().state;
    let (shown, document) = (&state.geometry.items[0].meshes[0], state.document());
    let settings = document.bake_settings(state.class());
    let (input, _) = voxel_input(document, &settings, state.geometry.meshes()).unwrap();
    assert!(Arc::ptr_eq(&input.meshes[0].vertices, &shown.vertices));
    assert!(Arc::ptr_eq(&input.meshes[0].triangles, &shown.triangles));
    // Placed twice, the file's triangles are still there once.
    let item = &document.geometry[0];
    let again = placed(shown, &Geometry { offset: [3.0, 0.0, 0.0], ..(**item).clone() });
    assert!(Arc::ptr_eq(&again.triangles, &shown.triangles));
    assert_eq!(again.vertices[0][0], shown.vertices[0][0] + 3.0);
}

#[test]
fn geometry_is_one_step_and_kept_as_a_relative_path_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    let before = file::encode(window.state().state.document());
    import(&mut window, &folder.path().join("art/floor.obj"));
    let [item] = &items(&window)[..] else { panic!("{:?}", window.state().files.field) };
    assert_eq!((item.path.as_str(), item.name(), item.level), ("art/floor.obj", "floor.obj", 0));
    let loaded = window.state().state.geometry.get(item.id).unwrap();
    assert_eq!((loaded.triangles, loaded.error.as_deref()), (2, None));
    assert_eq!(loaded.bounds, Some([[0.0; 3], [12.0, 0.0, 12.0]]));
    // It is selected, shown whole and listed, and the panel says what is in it.
    window.get_by_label("IMPORTED GEOMETRY");
    window.get_by_role_and_label(Role::Image, "floor.obj (geometry, 2 triangles)");
    window.get_by_label("Outline: floor.obj");
    let after = file::encode(window.state().state.document());
    assert!(!after.contains(&*folder.path().to_string_lossy()), "{after}");
    assert_eq!(steps(&window), 1);
    run(&mut window, "undo");
    assert_eq!(file::encode(window.state().state.document()), before);
    run(&mut window, "redo");
    assert_eq!(file::encode(window.state().state.document()), after);
    assert_eq!(file::decode(&after, "map").unwrap(), *window.state().state.document());
}

#[test]
fn a_dropped_file_is_imported_into_a_map_that_has_no_file_yet_and_found_after_saving() {
    let folder = tempfile::tempdir().unwrap();
    let art = folder.path().join("art");
    std::fs::create_dir_all(&art).unwrap();
    std::fs::write(art.join("floor.obj"), floor(12.0)).unwrap();
    let mut window = open();
    window.input_mut().dropped_files.push(Arc::new(Dropped(art.join("floor.obj"))));
    window.run_steps(2);
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    assert_eq!(items(&window)[0].path, "floor.obj");
    assert_eq!(window.state().state.geometry.items[0].triangles, 2);
    std::fs::create_dir_all(folder.path().join("maps")).unwrap();
    let context = window.ctx.clone();
    window.state_mut().perform(Action::SaveAs, &context);
    let to = folder.path().join("maps/map.nav.ron");
    window.state_mut().files.field.as_mut().unwrap().text = to.display().to_string();
    let app = window.state_mut();
    app.files.accept_field(&mut app.state, &context);
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    assert_eq!(items(&window)[0].path, "../art/floor.obj");
    assert_eq!(window.state().state.geometry.items[0].triangles, 2);
    assert!(std::fs::read_to_string(to).unwrap().contains("\"../art/floor.obj\""));
}

#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("the editor reads the path".to_owned())
    }
}

#[test]
fn each_choice_of_the_place_is_one_step_and_moves_the_triangles() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/floor.obj"));
    let bounds = |window: &mut Window| {
        wait(window, "the geometry", |app| app.state.geometry_is_current());
        window.state().state.geometry.items[0].bounds.unwrap()
    };
    window.get_by_role_and_label(Role::Button, "Z").click();
    window.run_steps(2);
    assert_eq!((steps(&window), items(&window)[0].up), (2, UpAxis::Z));
    // The file's z is up: x stays, z becomes the height, y (0) becomes −z.
    assert_eq!(bounds(&mut window), [[0.0; 3], [12.0, 12.0, 0.0]]);
    run(&mut window, "undo");
    for (label, text, expected) in [
        ("Scale", "0.5", [[0.0; 3], [6.0, 0.0, 6.0]]),
        ("Turn", "90", [[-6.0, 0.0, 0.0], [0.0, 0.0, 6.0]]),
        ("Offset x", "10", [[4.0, 0.0, 0.0], [10.0, 0.0, 6.0]]),
        ("Offset y", "2", [[4.0, 2.0, 0.0], [10.0, 2.0, 6.0]]),
    ] {
        let before = steps(&window);
        let field = window.get_by_role_and_label(Role::SpinButton, label);
        field.focus();
        window.run_steps(2);
        window.get_by_role_and_label(Role::SpinButton, label).click();
        window.run_steps(2);
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        window.event(egui::Event::Text(text.to_owned()));
        window.run_steps(2);
        key(&mut window, Key::Enter);
        assert_eq!(steps(&window), before + 1, "{label}");
        let found = bounds(&mut window);
        let near = found.iter().flatten().zip(expected.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near, "{label}: {found:?}, expected {expected:?}");
    }
}

#[test]
fn geometry_is_selected_renamed_hidden_and_removed_in_the_outline() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/floor.obj"));
    // Or Esc stops the bake.
    super::drive::settle(&mut window);
    let item = Item::Geometry(items(&window)[0].id);
    run(&mut window, "esc");
    assert!(!window.state().state.selection.has(item));
    window.get_by_label("Outline: floor.obj").click();
    window.run_steps(2);
    assert!(window.state().state.selection.has(item));
    let edition = window.state().state.geometry.items[0].edition;
    key(&mut window, Key::F2);
    window.event(egui::Event::Text("ground".to_owned()));
    window.run_steps(2);
    key(&mut window, Key::Enter);
    assert_eq!((items(&window)[0].name(), steps(&window)), ("ground", 2));
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    assert_eq!(window.state().state.geometry.items[0].edition, edition, "a name moves no triangle");
    let text = file::encode(window.state().state.document());
    assert_eq!(file::decode(&text, "map").unwrap(), *window.state().state.document());
    window.get_by_label("Hide ground").click();
    window.run_steps(2);
    assert!(window.state().state.marks.is_hidden(item));
    assert!(window.query_by_label("ground (geometry, 2 triangles)").is_none());
    window.get_by_label("Outline: ground").click();
    window.run_steps(2);
    run(&mut window, "del");
    assert!(items(&window).is_empty());
    assert_eq!(steps(&window), 3);
    run(&mut window, "undo undo undo");
    assert!(window.state().state.document().ptr_eq(&window.state().state.saved));
}

#[test]
fn a_missing_or_broken_file_says_so_and_is_read_when_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    let path = folder.path().join("art/floor.obj");
    import(&mut window, &path);
    std::fs::remove_file(&path).unwrap();
    wait(&mut window, "the loss", |app| app.state.geometry.items.iter().any(|loaded| loaded.error.is_some()));
    assert!(window.query_by_label_contains("Not read: ").is_some());
    // What was read before stays in sight, and the fault is told.
    assert_eq!(window.state().state.geometry.items[0].triangles, 2);
    let told = |window: &Window| window.state().state.message.as_ref().map(|message| message.text.clone());
    assert!(told(&window).is_some_and(|text| text.starts_with("Geometry cannot be read: ")));
    std::fs::write(&path, "v 0 0\nf 1 2 3\n").unwrap();
    let broken = |loaded: &navwright::editor::geometry::Loaded| {
        loaded.error.as_deref().is_some_and(|error| error.contains("floor.obj: line 1"))
    };
    wait(&mut window, "the fault", |app| app.state.geometry.items.iter().any(broken));
    std::fs::write(&path, floor(20.0)).unwrap();
    wait(&mut window, "the file", |app| {
        app.state.geometry.items[0].bounds == Some([[0.0; 3], [20.0, 0.0, 20.0]])
    });
    assert!(!told(&window).is_some_and(|text| text.starts_with("Geometry cannot be read: ")), "it is over");
    // What was read once is read again only when it changes.
    let readings = window.state().geometry.readings;
    window.run_steps(20);
    assert_eq!(window.state().geometry.readings, readings);
}

/// The floor with the canvas looking at it at 20 pixels a square.
fn floor_on_canvas(folder: &Path) -> Window {
    let mut window = project(folder);
    import(&mut window, &folder.join("art/floor.obj"));
    let camera = &mut window.state_mut().state.camera;
    (camera.center, camera.scale) = ([6.0, 6.0], 20.0);
    window.run_steps(2);
    run(&mut window, "V esc");
    window
}

fn loaded(window: &mut Window) {
    wait(window, "the geometry", |app| app.state.geometry_is_current());
}

#[test]
fn geometry_is_picked_by_a_click_and_moved_by_a_drag_on_the_canvas() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = floor_on_canvas(folder.path());
    let item = Item::Geometry(items(&window)[0].id);
    let offset = |window: &Window| items(window)[0].offset;
    // Until it is selected it is ground: a drag begins a box, which does not hold all of it.
    run(&mut window, "drag 2 2 5 5");
    assert_eq!((offset(&window), steps(&window)), ([0.0; 3], 1));
    assert!(window.state().state.selection.is_empty());
    run(&mut window, "drag -0.5 -0.5 12.5 12.5");
    assert_eq!(window.state().state.selection.only(), Some(item), "a box around all of it takes it");
    run(&mut window, "esc click 6 6");
    assert_eq!(window.state().state.selection.only(), Some(item));
    let before = file::encode(window.state().state.document());
    // From (6, 6) by 1.03 and 0.02: its origin goes to the nearest tenth.
    run(&mut window, "drag 6 6 7.03 6.02");
    assert_eq!((offset(&window), steps(&window)), ([1.0, 0.0, 0.0], 2));
    let named = window.state().state.history.past().last().map(str::to_owned);
    assert_eq!(named.as_deref(), Some("Move floor.obj"));
    loaded(&mut window);
    let found = &window.state().state.geometry.items[0];
    assert_eq!(found.bounds, Some([[1.0, 0.0, 0.0], [13.0, 0.0, 12.0]]));
    run(&mut window, "undo");
    assert_eq!(file::encode(window.state().state.document()), before);
    run(&mut window, "redo");
    assert_eq!(offset(&window), [1.0, 0.0, 0.0]);
    // Esc puts it back, and there is no step; typed numbers are exact; arrows nudge.
    run(&mut window, "click 6 6 press 6 6 move 9 9");
    assert_ne!(offset(&window), [1.0, 0.0, 0.0], "it goes along");
    run(&mut window, "esc release 9 9");
    assert_eq!((offset(&window), steps(&window)), ([1.0, 0.0, 0.0], 2));
    run(&mut window, "press 6 6 move 7 6 type x_2.345 enter release 7 6");
    assert_eq!((offset(&window), steps(&window)), ([3.345, 0.0, 0.0], 3));
    run(&mut window, "right-key");
    assert_eq!(steps(&window), 4);
    assert!((offset(&window)[0] - 3.445).abs() < 1e-9);
}

#[test]
fn areas_win_over_geometry_and_what_is_locked_hidden_or_above_the_cut_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = floor_on_canvas(folder.path());
    let item = Item::Geometry(items(&window)[0].id);
    run(&mut window, "W click 2 2 click 2 8 click 8 8 click 8 2 click 2 2 V esc esc");
    let area = Item::Area(window.state().state.document().areas[0].id);
    let picked = |window: &mut Window, script: &str| {
        run(window, script);
        let only = window.state().state.selection.only();
        run(window, "esc");
        only
    };
    assert_eq!(picked(&mut window, "click 5 5"), Some(area));
    assert_eq!(picked(&mut window, "alt-click 5 5 alt-click 5 5"), Some(item), "the next one below");
    assert_eq!(picked(&mut window, "click 10 10"), Some(item));
    // Selected it is also had by its rim, where an area lies over it.
    window.state_mut().state.select(Selection::item(item));
    run(&mut window, "drag 12 5 13 5");
    assert_eq!(items(&window)[0].offset, [1.0, 0.0, 0.0]);
    run(&mut window, "undo");
    loaded(&mut window);
    // On the area the area is dragged.
    window.state_mut().state.select(Selection::item(item));
    let outline = |window: &Window| window.state().state.document().areas[0].points.clone();
    let before = outline(&window);
    run(&mut window, "drag 5 5 5 6");
    assert_ne!(outline(&window), before);
    assert_eq!(items(&window)[0].offset, [0.0; 3]);
    run(&mut window, "undo esc");
    for lock in [true, false] {
        let state = &mut window.state_mut().state;
        if lock {
            state.set_locked(&[item], true)
        } else {
            state.set_hidden(&[item], true)
        }
        window.run_steps(2);
        assert_eq!(picked(&mut window, "click 10 10"), None);
        run(&mut window, "drag -0.5 -0.5 12.5 12.5");
        assert!(!window.state().state.selection.has(item), "nor by a box");
        run(&mut window, "esc");
        let state = &mut window.state_mut().state;
        if lock {
            state.set_locked(&[item], false)
        } else {
            state.set_hidden(&[item], false)
        }
        window.run_steps(2);
    }
    // A roof is not seen from level 0 (the cut lies at 0.6 × 2 over the floor), so it is not picked there.
    let roof = Geometry { offset: [0.0, 3.0, 0.0], ..items(&window)[0].clone() };
    let raise = navwright::project::Command::SetGeometry(roof);
    assert!(window.state_mut().state.commit("Raise", &raise));
    loaded(&mut window);
    assert_eq!(picked(&mut window, "click 10 10"), None);
    // Shown up to 4 over the floor it is.
    window.state_mut().state.geometry_cut = Some(4.0);
    window.run_steps(2);
    assert_eq!(picked(&mut window, "click 10 10"), Some(item));
}

#[test]
fn geometry_is_turned_and_scaled_with_the_selection_and_four_turns_end_where_they_began() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = floor_on_canvas(folder.path());
    run(&mut window, "click 6 6");
    let before = file::encode(window.state().state.document());
    let context = window.ctx.clone();
    let bounds = |window: &mut Window| {
        loaded(window);
        let bounds = window.state().state.geometry.items[0].bounds.unwrap();
        bounds.map(|corner| corner.map(|value| (value * 1e6).round() / 1e6 + 0.0))
    };
    for turn in [90.0, -180.0, -90.0, 0.0] {
        window.state_mut().perform(Action::RotateLeft, &context);
        assert_eq!(items(&window)[0].turn, turn);
        // A square about its middle stays where it is.
        assert_eq!(bounds(&mut window), [[0.0; 3], [12.0, 0.0, 12.0]]);
    }
    assert_eq!(file::encode(window.state().state.document()), before);
    window.state_mut().state.transform(navwright::editor::transform::Transform::Scale(0.5));
    assert_eq!(bounds(&mut window), [[3.0, 0.0, 3.0], [9.0, 0.0, 9.0]]);
    let count = steps(&window);
    window.state_mut().perform(Action::MirrorX, &context);
    assert_eq!(steps(&window), count, "a file cannot be mirrored");
}

/// What is typed beyond what a field takes becomes the nearest that it does, and that is told; the step says what it did.
#[test]
fn a_number_beyond_its_range_is_told_and_the_step_says_what_it_changed() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = floor_on_canvas(folder.path());
    run(&mut window, "click 6 6");
    window.run_steps(2);
    let told = |window: &Window| window.state().state.message.as_ref().map(|message| message.text.clone());
    for (label, text, said, step) in [
        ("Turn", "5000", Some("Turn: 360 is the most, so 5000 became 360"), "turn 0 › 360"),
        ("Turn", "-361", Some("Turn: -360 is the least, so -361 became -360"), "turn 360 › -360"),
        ("Turn", "90", None, "turn -360 › 90"),
        ("Scale", "0", Some("Scale: 0.000001 is the least, so 0 became 0.000001"), "scale 1 › 0.000001"),
        ("Scale", "2", None, "scale 0.000001 › 2"),
        (
            "Offset y",
            "-1e9",
            Some("Offset y: -2097151 is the least, so -1000000000 became -2097151"),
            "offset (",
        ),
    ] {
        window.state_mut().state.message = None;
        window.get_by_role_and_label(Role::SpinButton, label).focus();
        window.run_steps(2);
        window.get_by_role_and_label(Role::SpinButton, label).click();
        window.run_steps(2);
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        window.event(egui::Event::Text(text.to_owned()));
        window.run_steps(2);
        key(&mut window, Key::Enter);
        assert_eq!(told(&window).as_deref(), said, "{label} {text}");
        let name = window.state().state.history.past().last().unwrap().to_owned();
        assert!(name.starts_with(&format!("Geometry \"art/floor.obj\": {step}")), "{name}");
    }
}

/// A floor that faces down bakes to nothing; the fix that is offered turns it over, as one step.
#[test]
fn a_floor_that_faces_down_is_turned_over_by_its_fix() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    let down = floor(12.0).replace("f 1 2 3", "f 3 2 1").replace("f 1 3 4", "f 4 3 1");
    std::fs::write(folder.path().join("art/floor.obj"), down).unwrap();
    import(&mut window, &folder.path().join("art/floor.obj"));
    let polygons = |app: &App| app.state.bake.shown.as_ref().map(|baked| baked.counts.polygons);
    wait(&mut window, "the empty bake", |app| {
        app.state.issues().iter().any(|issue| issue.kind == DiagnosticKind::FacesDown)
    });
    assert_eq!(polygons(window.state()), Some(0));
    let before = steps(&window);
    let state = &mut window.state_mut().state;
    let index = state.issues().iter().position(|issue| issue.kind == DiagnosticKind::FacesDown).unwrap();
    let fixes = state.fixes(index);
    assert_eq!(fixes.iter().map(|fix| &fix.name[..]).collect::<Vec<_>>(), ["Turn floor.obj over"]);
    state.do_fix(Some(index), &fixes[0]);
    assert!(items(&window)[0].flip);
    assert_eq!(steps(&window), before + 1);
    wait(&mut window, "a floor", |app| polygons(app).is_some_and(|count| count > 0));
    let id = items(&window)[0].id;
    window.state_mut().state.select(Selection::item(Item::Geometry(id)));
    window.run_steps(2);
    window.get_by_role_and_label(Role::CheckBox, "Turned over");
}

/// *Find…* asks where a file is now; what is missing beside it is found with it, in one step.
#[test]
fn a_file_that_was_moved_is_found_with_those_that_lay_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("art/walls")).unwrap();
    for name in ["art/roof.obj", "art/walls/east.obj", "art/lost.obj"] {
        std::fs::write(at(name), floor(4.0)).unwrap();
    }
    for name in ["art/floor.obj", "art/roof.obj", "art/walls/east.obj", "art/lost.obj"] {
        import(&mut window, &at(name));
    }
    std::fs::rename(at("art"), at("models")).unwrap();
    std::fs::remove_file(at("models/lost.obj")).unwrap();
    window.state_mut().state.geometry_anew = true;
    wait(&mut window, "the loss", |app| app.state.geometry.items.iter().all(|loaded| loaded.error.is_some()));
    let id = items(&window).iter().find(|item| item.path == "art/floor.obj").unwrap().id;
    window.state_mut().state.select(Selection::item(Item::Geometry(id)));
    window.run_steps(2);
    let before = steps(&window);
    window.get_by_role_and_label(Role::Button, "Find…").click();
    window.run_steps(2);
    let field = window.state_mut().files.field.as_mut().unwrap();
    // Its folder is gone, the project's is not.
    assert_eq!(field.text, at("floor.obj").display().to_string());
    field.text = at("models/floor.obj").display().to_string();
    let context = window.ctx.clone();
    let app = window.state_mut();
    app.files.accept_field(&mut app.state, &context);
    wait(&mut window, "the files", |app| {
        let read = app.state.geometry.items.iter().filter(|loaded| loaded.error.is_none());
        app.state.geometry_is_current() && read.count() == 3
    });
    let mut paths: Vec<String> = items(&window).into_iter().map(|item| item.path).collect();
    paths.sort();
    assert_eq!(paths, ["art/lost.obj", "models/floor.obj", "models/roof.obj", "models/walls/east.obj"]);
    assert_eq!(steps(&window), before + 1);
    assert_eq!(window.state().state.history.past().last(), Some("Find floor.obj and 2 files"));
    // The issue of what is still missing offers the same.
    let unread = |app: &App| {
        let is_it = |issue: &Diagnostic| issue.kind == DiagnosticKind::GeometryUnreadable;
        app.state.issues().iter().position(is_it)
    };
    wait(&mut window, "the issue", |app| app.state.fresh() && !app.state.baking() && unread(app).is_some());
    let index = unread(window.state()).unwrap();
    let state = &mut window.state_mut().state;
    let fixes = state.fixes(index);
    assert_eq!(fixes[0].name, "Find lost.obj…");
    assert_eq!(state.do_fix(Some(index), &fixes[0]), Some(Action::FindGeometry));
}

#[test]
fn a_file_that_was_moved_is_found_by_typing_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/floor.obj"));
    std::fs::create_dir_all(folder.path().join("new")).unwrap();
    std::fs::rename(folder.path().join("art/floor.obj"), folder.path().join("new/ground.obj")).unwrap();
    wait(&mut window, "the loss", |app| app.state.geometry.items.iter().any(|loaded| loaded.error.is_some()));
    let before = items(&window)[0].clone();
    window.get_by_role_and_label(Role::TextInput, "File").focus();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("new/ground.obj".to_owned()));
    window.run_steps(2);
    key(&mut window, Key::Enter);
    wait(&mut window, "the file", |app| {
        app.state.geometry_is_current() && app.state.geometry.items[0].error.is_none()
    });
    assert_eq!(items(&window)[0], Geometry { path: "new/ground.obj".to_owned(), ..before });
    assert_eq!(steps(&window), 2);
}

#[test]
fn a_file_that_comes_is_asked_about_where_one_looks() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    // A floor of 12 metres in a file that counts kilometres.
    let path = folder.path().join("art/small.obj");
    std::fs::write(&path, floor(0.012)).unwrap();
    import(&mut window, &path);
    assert!(
        window.get_all_by_label_contains("0.012 × 0.012 squares in all: is the scale right?").count() > 0
    );
    window.get_by_label("How small.obj lies");
    let canvas = window.state().canvas().0;
    let on_canvas = |window: &Window, name: &str| {
        let nodes = window.get_all_by_label(name).filter(|node| canvas.contains(node.rect().center()));
        nodes.map(|node| node.rect().center()).next().unwrap()
    };
    let at = on_canvas(&window, "Z up");
    super::view3d::click_at(&mut window, at, egui::PointerButton::Primary);
    assert_eq!((items(&window)[0].up, steps(&window)), (UpAxis::Z, 2), "one step");
    let at = on_canvas(&window, "inch");
    super::view3d::click_at(&mut window, at, egui::PointerButton::Primary);
    assert_eq!((items(&window)[0].scale, steps(&window)), (0.0254, 3));
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    let at = on_canvas(&window, "It lies as it is meant to");
    super::view3d::click_at(&mut window, at, egui::PointerButton::Primary);
    assert!(window.query_by_label("How small.obj lies").is_none());
    // Who has saved the map knows how its files lie.
    let saved = window.state().state.document().clone();
    file::save(&saved, &folder.path().join("map.nav.ron")).unwrap();
    let again = open_file(Some(folder.path().join("map.nav.ron")));
    assert!(again.query_by_label_contains("How small.obj lies").is_none());
    // A file that is opened by itself is asked about, too.
    std::fs::write(&path, floor(12.0)).unwrap();
    let mut alone = open_file(Some(path));
    wait(&mut alone, "the geometry", |app| app.state.geometry_is_current());
    alone.get_by_label("How small.obj lies");
    assert_eq!(alone.query_all_by_label_contains("is the scale right").count(), 0);
    key(&mut alone, Key::T);
    assert!(alone.query_by_label_contains("How small.obj lies").is_none());
}

#[test]
fn a_file_whose_floors_face_down_is_turned_over_where_it_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    // A floor that faces down, and a small lid on it that faces up: so there is some mesh, and no issue says why so little.
    let lid = "v 2 1 2\nv 2 1 5\nv 5 1 5\nv 5 1 2\nf 5 6 7\nf 5 7 8\n";
    let down = floor(12.0).replace("f 1 2 3", "f 3 2 1").replace("f 1 3 4", "f 4 3 1") + lid;
    let path = folder.path().join("art/floor.obj");
    std::fs::write(&path, down).unwrap();
    import(&mut window, &path);
    let facing = window.state().state.geometry.items[0].footprint.facing();
    assert_eq!(facing, [9.0, 144.0]);
    assert_eq!(window.get_all_by_label_contains("face down").count(), 2, "on the canvas and in Properties");
    window.get_by_role_and_label(Role::Button, "Turn over").click();
    window.run_steps(2);
    assert!(items(&window)[0].flip);
    assert_eq!(steps(&window), 2);
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    assert_eq!(window.state().state.geometry.items[0].footprint.facing(), [144.0, 9.0]);
    assert_eq!(window.query_all_by_label_contains("face down").count(), 0);
    // A closed room has as much of both.
    let text = super::picture3d::room();
    std::fs::write(&path, text).unwrap();
    window.state_mut().state.geometry_anew = true;
    wait(&mut window, "the room", |app| app.state.geometry.items[0].triangles == 12);
    assert_eq!(window.query_all_by_label_contains("face down").count(), 0);
}

/// The least cell follows from the tile's size: a smaller one is not taken, and the reason names what was typed.
#[test]
fn a_cell_is_no_smaller_than_its_tile_allows() {
    let mut window = open();
    window.get_by_role_and_label(Role::SpinButton, "Cell size").focus();
    window.run_steps(2);
    window.get_by_role_and_label(Role::SpinButton, "Cell size").click();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("0.00001".to_owned()));
    window.run_steps(2);
    key(&mut window, Key::Enter);
    let state = &window.state().state;
    let told = state.message.as_ref().map(|message| message.text.as_str());
    assert_eq!(told, Some("Cell size: 0.003906 is the least, so 0.00001 became 0.003906"));
    // 8192 of them make a tile of 32.
    assert_eq!(state.document().settings.cell_size, 0.003_906_25);
}
