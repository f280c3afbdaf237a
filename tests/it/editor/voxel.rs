//! The voxel bake in the window: which mode, when, which tiles, cancelled, exported; what is missing is an issue.

use std::path::Path;
use std::time::{Duration, Instant};

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::{BakeOptions, DiagnosticKind, bake_voxel_mesh};
use navwright::editor::action::Action;
use navwright::editor::worker::Mode;
use navwright::format::NavMesh;
use navwright::project::{Document, load_geometry, voxel_input};

use super::drive::{Window, key, open, open_file, settle, wait};
use super::geometry::{floor, import, project};
use super::table::run;
use crate::support::root;

pub(super) fn hall() -> Window {
    open_file(Some(root().join("assets/hall.nav.ron")))
}

/// What the library makes of a document, on its own.
fn library_bake(document: &Document, folder: &Path) -> NavMesh {
    let settings = document.bake_settings(&document.classes[0]);
    let meshes = load_geometry(document, folder).unwrap().meshes;
    let (input, _) = voxel_input(document, &settings, meshes).unwrap();
    bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap().0
}

fn shown_bytes(window: &Window) -> Vec<u8> {
    window.state().state.bake.shown.as_ref().unwrap().mesh.to_bytes().unwrap()
}

#[test]
fn a_project_with_geometry_is_baked_by_voxels_as_the_library_does_and_flat_on_request() {
    let mut window = hall();
    assert_eq!(window.state().state.bake_mode(), Mode::Voxel);
    let expected = library_bake(window.state().state.document(), &root().join("assets"));
    assert_eq!(shown_bytes(&window), expected.to_bytes().unwrap());
    let count = expected.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum::<usize>();
    window.get_by_label("polygons");
    window.get_by_label(&count.to_string());
    window.get_by_role_and_label(Role::Button, "Flat").click();
    window.run_steps(2);
    settle(&mut window);
    let document = window.state().state.document().clone();
    let settings = document.bake_settings(&document.classes[0]);
    let flat =
        navwright::bake::bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()).unwrap().0;
    assert_eq!(shown_bytes(&window), flat.to_bytes().unwrap());
    window.get_by_role_and_label(Role::Button, "Voxel").click();
    window.run_steps(2);
    settle(&mut window);
    assert_eq!(shown_bytes(&window), expected.to_bytes().unwrap());
    // How a map is baked is no part of it.
    assert!(!window.state().state.edited());
}

#[test]
fn an_edit_is_baked_when_nothing_has_changed_for_a_while_and_touches_few_tiles() {
    let mut window = hall();
    let before = window.state().state.bake.ticket;
    run(&mut window, "V click 20 8");
    let changed = Instant::now();
    run(&mut window, "right-key");
    // On a machine that is slow enough, the pause is over by now.
    assert!(window.state().state.bake.ticket == before || changed.elapsed() >= Duration::from_millis(800));
    while window.state().state.bake.ticket == before {
        assert!(changed.elapsed() < Duration::from_secs(30), "no bake came");
        std::thread::sleep(Duration::from_millis(10));
        window.step();
    }
    assert!(changed.elapsed() >= Duration::from_millis(800), "it came after {:?}", changed.elapsed());
    settle(&mut window);
    let baked = window.state().state.bake.shown.as_ref().unwrap();
    assert!(0 < baked.fresh_tiles && baked.fresh_tiles <= 4, "{}", baked.fresh_tiles);
    let expected = library_bake(window.state().state.document(), &root().join("assets"));
    assert_eq!(shown_bytes(&window), expected.to_bytes().unwrap());
}

#[test]
fn without_auto_a_voxel_bake_waits_for_the_button() {
    let mut window = hall();
    window.get_by_role_and_label(Role::CheckBox, "Auto").click();
    window.run_steps(2);
    let before = window.state().state.bake.ticket;
    run(&mut window, "V click 20 8 right-key");
    for _ in 0..120 {
        std::thread::sleep(Duration::from_millis(10));
        window.step();
    }
    assert_eq!(window.state().state.bake.ticket, before);
    assert!(window.query_all_by_label("stale").count() > 0);
    window.get_by_role_and_label(Role::Button, "Bake now").click();
    window.run_steps(2);
    settle(&mut window);
    let expected = library_bake(window.state().state.document(), &root().join("assets"));
    assert_eq!(shown_bytes(&window), expected.to_bytes().unwrap());
}

#[test]
fn esc_and_the_button_stop_a_bake_and_the_mesh_before_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/floor.obj"));
    settle(&mut window);
    let before = shown_bytes(&window);
    std::fs::write(folder.path().join("art/big.obj"), floor(1200.0)).unwrap();
    for by_key in [true, false] {
        import(&mut window, &folder.path().join("art/big.obj"));
        wait(&mut window, "the bake's first tiles", |app| {
            app.state.bake.progress.is_some_and(|progress| progress.total > 100 && progress.done > 0)
        });
        let words = window.state().state.bake.progress.unwrap().words();
        assert!(words.contains(", tile ") && words.contains(" of "), "{words}");
        assert!(window.query_all_by_label_contains(", tile ").count() > 0);
        if by_key {
            key(&mut window, Key::Escape);
        } else {
            window.get_by_role_and_label(Role::Button, "Cancel").click();
            window.run_steps(2);
        }
        assert!(!window.state().state.baking());
        assert!(window.query_all_by_label("cancelled, stale").count() > 0);
        assert_eq!(shown_bytes(&window), before);
        // Nothing begins by itself.
        let ticket = window.state().state.bake.ticket;
        for _ in 0..100 {
            std::thread::sleep(Duration::from_millis(10));
            window.step();
        }
        assert_eq!((window.state().state.bake.ticket, window.state().state.baking()), (ticket, false));
        assert_eq!(shown_bytes(&window), before);
        run(&mut window, "undo");
        settle(&mut window);
    }
}

#[test]
fn a_missing_file_is_an_issue_with_a_fix_and_stops_the_export() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = project(folder.path());
    import(&mut window, &folder.path().join("art/floor.obj"));
    settle(&mut window);
    std::fs::remove_file(folder.path().join("art/floor.obj")).unwrap();
    wait(&mut window, "the issue", |app| {
        app.state.fresh()
            && app.state.issues().iter().any(|issue| issue.kind == DiagnosticKind::GeometryUnreadable)
    });
    let index = window
        .state()
        .state
        .issues()
        .iter()
        .position(|issue| issue.kind == DiagnosticKind::GeometryUnreadable);
    let (index, context) = (index.unwrap(), window.ctx.clone());
    let message = window.state().state.issues()[index].message.clone();
    assert!(message.contains("floor.obj"), "{message}");
    let app = window.state_mut();
    app.perform(Action::ExportAs, &context);
    app.files.field.as_mut().unwrap().text = folder.path().join("map.onnm").display().to_string();
    app.files.accept_field(&mut app.state, &context);
    wait(&mut window, "the export", |app| !app.files.exporting());
    assert!(!folder.path().join("map.onnm").exists());
    let app = window.state_mut();
    app.state.go_to_issue(index);
    let fixes = app.state.fixes(index);
    let fix = fixes.iter().find(|fix| fix.name == "Remove floor.obj").unwrap();
    app.state.do_fix(Some(index), fix);
    assert!(app.state.document().geometry.is_empty());
    settle(&mut window);
    assert_eq!(window.state().state.bake_mode(), Mode::Flat);
}

#[test]
fn a_voxel_bake_is_exported_as_it_is_shown_and_says_how_to_repeat_it() {
    let mut window = hall();
    let folder = tempfile::tempdir().unwrap();
    let (context, to) = (window.ctx.clone(), folder.path().join("hall.onnm"));
    let app = window.state_mut();
    app.perform(Action::ExportAs, &context);
    app.files.field.as_mut().unwrap().text = to.display().to_string();
    app.files.accept_field(&mut app.state, &context);
    wait(&mut window, "the export", |app| !app.files.exporting());
    assert_eq!(std::fs::read(to).unwrap(), shown_bytes(&window));
    let said = window.state().state.message.clone().unwrap().text;
    assert!(said.contains("--mode voxel"), "{said}");
}

#[test]
fn the_sample_with_geometry_brings_its_file_along() {
    let mut window = open();
    let context = window.ctx.clone();
    window.state_mut().perform(Action::StartPage, &context);
    window.run_steps(2);
    window.get_by_label("Sample hall").click();
    window.run_steps(2);
    settle(&mut window);
    let expected = library_bake(window.state().state.document(), &root().join("assets"));
    assert_eq!(shown_bytes(&window), expected.to_bytes().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let app = window.state_mut();
    app.perform(Action::SaveAs, &context);
    app.files.field.as_mut().unwrap().text = folder.path().join("mine.nav.ron").display().to_string();
    app.files.accept_field(&mut app.state, &context);
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    assert_eq!(
        std::fs::read(folder.path().join("hall.obj")).unwrap(),
        std::fs::read(root().join("assets/hall.obj")).unwrap()
    );
    assert!(window.state().state.geometry.items.iter().all(|loaded| loaded.error.is_none()));
}

#[test]
fn to_look_at_values_beyond_what_the_panel_offers_changes_nothing() {
    // Its floor height and a level's elevation are more than the fields go to.
    let mut window = open_file(Some(root().join("assets/issues/tile_failed.nav.ron")));
    window.run_steps(5);
    assert!(!window.state().state.edited());
    assert_eq!(window.state().state.document().settings.height, 1_500_000.0);
    let failed = |issue: &navwright::bake::Diagnostic| issue.kind == DiagnosticKind::TileFailed;
    let index = window.state().state.issues().iter().position(failed).unwrap();
    // What came of the tile is one click away.
    let state = &mut window.state_mut().state;
    let fix = state.fixes(index).into_iter().find(|fix| fix.name == "Open the stage view").unwrap();
    state.do_fix(Some(index), &fix);
    assert_eq!((state.shown.overlays.stage, state.stage_tile()), (true, Some([1, 0])));
    wait(&mut window, "the stages", |app| !app.state.stage.waits());
    assert!(!window.state().state.edited());
}

#[test]
fn what_only_the_voxel_bake_asks_for_has_fields_and_each_change_is_one_step() {
    let mut window = hall();
    let steps = |window: &Window| window.state().state.history.past().count();
    key(&mut window, Key::Escape);
    // Regions.
    let combo = window.get_by_role_and_label(Role::ComboBox, "Regions");
    combo.scroll_to_me();
    window.run_steps(20);
    window.get_by_role_and_label(Role::ComboBox, "Regions").click();
    window.run_steps(4);
    window.get_by_label("monotone").click();
    window.run_steps(4);
    assert_eq!(window.state().state.document().settings.partition, navwright::format::Partition::Monotone);
    assert_eq!(steps(&window), 1);
    // Ledges: the agent's radius at first.
    window.get_by_label("Another radius off ledges").scroll_to_me();
    window.run_steps(20);
    window.get_by_label("Another radius off ledges").click();
    window.run_steps(4);
    let radius = window.state().state.class().radius;
    assert_eq!(window.state().state.document().voxel.ledge_radius, Some(radius));
    // A seed where one looks, and away again; the sample has one already.
    let seeds = |window: &Window| window.state().state.document().voxel.seeds.clone();
    let before = seeds(&window);
    window.get_by_label("Add a seed").scroll_to_me();
    window.run_steps(20);
    window.get_by_label("Add a seed").click();
    window.run_steps(4);
    let center = window.state().state.camera.center.map(|value| (value * 10.0).round() / 10.0);
    assert_eq!(seeds(&window), [&before[..], &[[center[0], 0.0, center[1]]]].concat());
    assert_eq!(steps(&window), 3);
    window.get_by_label("Remove seed 2").click();
    window.run_steps(4);
    assert_eq!(seeds(&window), before);
    settle(&mut window);
    let expected = library_bake(window.state().state.document(), &root().join("assets"));
    assert_eq!(shown_bytes(&window), expected.to_bytes().unwrap());
    for _ in 0..4 {
        window.state_mut().state.undo();
    }
    assert!(!window.state().state.edited());
}
