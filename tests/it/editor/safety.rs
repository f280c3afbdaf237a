//! Preferences that stay, and what was not saved when a session ended badly.

use std::fs;
use std::time::Duration;

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::action::Action;
use navwright::editor::preferences::{Look, Preferences};
use navwright::editor::safety::Home;
use navwright::editor::worker::Mode;
use navwright::project::autosave::leftovers;
use navwright::project::file;

use super::drive::{Window, ctrl, key, open_at_home, wait};
use super::geometry::{floor, import};

fn home(folder: &tempfile::TempDir) -> Home {
    let preferences = folder.path().join("config").join("preferences.ron");
    Home { preferences, recovery: folder.path().join("recovery") }
}

fn press(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run_steps(3);
}

/// Moves the meadow by a tenth.
fn edit(window: &mut Window) {
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    key(window, Key::ArrowRight);
    assert!(window.state().state.edited());
}

fn keep_now(window: &mut Window) {
    window.state_mut().safety.as_mut().unwrap().period = Duration::ZERO;
    wait(window, "the autosave", |app| app.state.autosaved.is_some());
}

#[test]
fn theme_scale_panels_and_recent_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let map = folder.path().join("yard.nav");
    fs::write(&map, "nav walk 0 0 0 8 0 8 8\n").unwrap();
    let project = folder.path().join("yard.nav.ron");
    let opened = navwright::project::open(&map).unwrap().document;
    file::save(&opened, &project).unwrap();
    let mut window = open_at_home(Some(project.clone()), Some(&home));
    assert_eq!(window.ctx.theme(), egui::Theme::Dark);
    ctrl(&mut window, Key::Comma);
    window.get_by_label("Preferences");
    press(&mut window, "Light");
    assert_eq!(window.ctx.theme(), egui::Theme::Light, "at once");
    key(&mut window, Key::Escape);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Plus);
    window.run_steps(2);
    assert!((window.ctx.zoom_factor() - 1.1).abs() < 1e-3);
    window.state_mut().state.shown.rulers = false;
    window.run_steps(2);
    drop(window);
    let (read, complaint) = Preferences::load(&home.preferences);
    assert_eq!((read.look, read.scale, read.rulers, complaint), (Look::Light, 110, false, None));
    assert_eq!(read.recent, std::slice::from_ref(&project));
    let mut window = open_at_home(None, Some(&home));
    assert_eq!(window.ctx.theme(), egui::Theme::Light);
    assert!(!window.state().state.shown.rulers);
    press(&mut window, "File");
    window.get_by_label_contains("Open recent").hover();
    window.run_steps(20);
    window.get_by_label_contains("Open recent").click();
    window.run_steps(20);
    window.get_by_label("yard.nav.ron").click();
    window.run_steps(3);
    assert_eq!(window.state().state.file, Some(project.clone()));
    // A file that is gone says so, and the map stays.
    fs::remove_file(&project).unwrap();
    window.state_mut().perform(navwright::editor::action::Action::OpenRecent(0), &egui::Context::default());
    assert!(window.state().state.message.as_ref().unwrap().text.contains("yard.nav.ron"));
    assert_eq!(window.state().state.document().areas.len(), 1);
}

#[test]
fn preferences_that_cannot_be_read_are_told_and_not_fatal() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    fs::create_dir_all(home.preferences.parent().unwrap()).unwrap();
    fs::write(&home.preferences, "(scale: many)").unwrap();
    let window = open_at_home(None, Some(&home));
    let text = window.state().state.message.clone().unwrap().text;
    assert!(text.contains("preferences.ron:1:8"), "{text}");
    fs::write(&home.preferences, "(scale: 60000, look: Light)").unwrap();
    let (read, complaint) = Preferences::load(&home.preferences);
    assert_eq!((read.scale, read.look, complaint), (300, Look::Light, None));
}

#[test]
fn what_was_not_saved_is_offered_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let path = folder.path().join("map.nav.ron");
    fs::copy(crate::support::root().join("assets/arena.nav.ron"), &path).unwrap();
    let mut window = open_at_home(Some(path.clone()), Some(&home));
    edit(&mut window);
    keep_now(&mut window);
    let edited = window.state().state.document().clone();
    assert!(leftovers(&home.recovery).is_empty(), "a running program's file is its own");
    // The program ends without a word.
    drop(window);
    let mut window = open_at_home(None, Some(&home));
    window.get_by_label("Something was not saved");
    assert!(window.query_by_label_contains("1 area changed").is_some());
    // Keys wait for the answer.
    key(&mut window, Key::W);
    assert_eq!(window.state().state.tools.kind(), navwright::editor::tools::ToolKind::Select);
    press(&mut window, "Recover");
    let state = &window.state().state;
    assert_eq!(*state.document(), edited);
    assert!(state.edited() && state.file.as_deref() == Some(&path), "unsaved changes of the same project");
    ctrl(&mut window, Key::S);
    window.run_steps(3);
    assert_eq!(file::load(&path).unwrap(), edited);
    drop(window);
    assert!(leftovers(&home.recovery).is_empty(), "what is saved is not offered");
}

#[test]
fn a_leftover_can_be_discarded_or_asked_about_later() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let mut window = open_at_home(None, Some(&home));
    edit(&mut window);
    keep_now(&mut window);
    drop(window);
    let mut window = open_at_home(None, Some(&home));
    press(&mut window, "Ask again at the next start");
    assert!(window.query_by_label("Something was not saved").is_none());
    drop(window);
    let mut window = open_at_home(None, Some(&home));
    press(&mut window, "Discard");
    assert!(window.query_by_label("Something was not saved").is_none());
    drop(window);
    assert!(leftovers(&home.recovery).is_empty());
}

#[test]
fn a_session_that_ends_well_or_saves_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let mut window = open_at_home(None, Some(&home));
    edit(&mut window);
    keep_now(&mut window);
    ctrl(&mut window, Key::Z);
    window.run_steps(2);
    assert!(!window.state().state.edited());
    let kept = |folder: &std::path::Path| {
        fs::read_dir(folder)
            .unwrap()
            .filter(|e| e.as_ref().unwrap().path().extension().is_some_and(|x| x == "ron"))
            .count()
    };
    assert_eq!(kept(&home.recovery), 0, "nothing differs from the file any more");
    edit(&mut window);
    keep_now(&mut window);
    assert_eq!(kept(&home.recovery), 1);
    window.state_mut().finish();
    drop(window);
    assert_eq!(fs::read_dir(&home.recovery).unwrap().count(), 0);
}

#[test]
fn a_drag_is_never_kept_halfway() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let mut window = open_at_home(None, Some(&home));
    window.state_mut().safety.as_mut().unwrap().period = Duration::ZERO;
    let (area, moved) = {
        let area = window.state().state.document().areas[0].clone();
        let mut moved = (*area).clone();
        moved.points[0][0] += 1.0;
        (area, moved)
    };
    let state = &mut window.state_mut().state;
    state.adjust("Move", &navwright::project::Command::SetAreas(vec![moved]));
    window.run_steps(5);
    assert!(window.state().state.autosaved.is_none());
    window.state_mut().state.end_adjust();
    wait(&mut window, "the autosave", |app| app.state.autosaved.is_some());
    drop(window);
    let left = leftovers(&home.recovery);
    assert_ne!(left[0].document().unwrap().area(area.id), Some(&area));
}

#[test]
fn how_a_project_is_baked_stays_with_the_user_and_out_of_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let [one, two] = ["one", "two"].map(|name| folder.path().join(format!("{name}.nav.ron")));
    for path in [&one, &two] {
        fs::copy(crate::support::root().join("assets/arena.nav.ron"), path).unwrap();
    }
    let before = fs::read(&one).unwrap();
    let baking = |window: &Window| {
        let state = &window.state().state;
        (state.bake_mode(), state.bake.live)
    };
    let mut window = open_at_home(Some(one.clone()), Some(&home));
    assert_eq!(baking(&window), (Mode::Flat, true));
    let context = window.ctx.clone();
    window.state_mut().perform(Action::VoxelBake, &context);
    window.state_mut().perform(Action::LiveBake, &context);
    window.run_steps(3);
    ctrl(&mut window, Key::S);
    window.run_steps(3);
    // Another project in the same session does not take it over, and what was picked is there on the way back.
    navwright::editor::files::open_path(&two, &mut window.state_mut().state).unwrap();
    window.run_steps(3);
    assert_eq!(baking(&window), (Mode::Flat, true));
    navwright::editor::files::open_path(&one, &mut window.state_mut().state).unwrap();
    window.run_steps(3);
    assert_eq!(baking(&window), (Mode::Voxel, false));
    drop(window);
    let mut app = navwright::editor::App::at_home(&egui::Context::default(), Some(&one), false, Some(&home));
    app.logic(&egui::Context::default());
    assert_eq!((app.state.bake_mode(), app.state.bake.live), (Mode::Voxel, false), "in the next session");
    assert_eq!(fs::read(&one).unwrap(), before, "the project holds the map only");
    let (read, _) = Preferences::load(&home.preferences);
    assert_eq!(read.bakes.len(), 1, "what is as everywhere is not noted");
}

#[test]
fn a_recovered_map_without_a_project_finds_its_geometry() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let art = folder.path().join("art");
    fs::create_dir_all(&art).unwrap();
    fs::write(art.join("floor.obj"), floor(12.0)).unwrap();
    let mut window = open_at_home(None, Some(&home));
    let context = window.ctx.clone();
    window.state_mut().perform(Action::New, &context);
    window.run_steps(2);
    import(&mut window, &art.join("floor.obj"));
    keep_now(&mut window);
    drop(window);
    let recovered = |files: usize| {
        let mut window = open_at_home(None, Some(&home));
        press(&mut window, "Recover");
        wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
        let items = &window.state().state.geometry.items;
        assert_eq!(items.len(), files);
        assert_eq!(items.iter().find_map(|loaded| loaded.error.clone()), None);
        window
    };
    let window = recovered(1);
    assert_eq!(window.state().state.geometry.items[0].triangles, 2);
    // Not saved then either: the recovered map is kept, with its folder.
    drop(window);
    let mut window = recovered(1);
    // Geometry that comes with a sample has no folder at all.
    let hall = navwright::editor::samples::SAMPLES.iter().position(|sample| sample.name == "hall").unwrap();
    window.state_mut().perform(Action::Sample(u8::try_from(hall).unwrap()), &context);
    window.run_steps(2);
    press(&mut window, "Don't save");
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    let mut item = (*window.state().state.document().geometry[0]).clone();
    item.offset[0] += 1.0;
    assert!(window.state_mut().state.commit("Move", &navwright::project::Command::SetGeometry(item)));
    window.run_steps(2);
    keep_now(&mut window);
    drop(window);
    let window = recovered(1);
    assert!(window.state().state.geometry.items[0].triangles > 2);
}
