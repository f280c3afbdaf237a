//! The rules of files in the window: what fails says so and harms nothing, what is written is what is shown.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Event, Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::{BakeOptions, bake_mesh};
use navwright::editor::action::Action;
use navwright::editor::safety::Home;
use navwright::editor::worker::Mode;
use navwright::format::NavMesh;
use navwright::interop::navwalk::MapText;
use navwright::project::file::{encode, load, save};
use navwright::project::{AgentClass, Document};

use super::drive::{Window, click, ctrl, key, open, open_at_home, open_file, settle, wait};
use crate::cli::Bench;
use crate::support::root;

fn sample(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("arena.nav.ron");
    fs::copy(root().join("assets/arena.nav.ron"), &path).unwrap();
    path
}

fn perform(window: &mut Window, action: Action) {
    let context = window.ctx.clone();
    window.state_mut().perform(action, &context);
    window.run_steps(4);
}

fn press(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run_steps(3);
}

/// Types a path into the field and takes it.
fn answer(window: &mut Window, path: &Path) {
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.step();
    window.event(Event::Text(path.display().to_string()));
    window.run_steps(2);
    key(window, Key::Enter);
    wait(window, "the file", |app| !app.files.exporting());
}

fn nudge(window: &mut Window) {
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    key(window, Key::ArrowRight);
}

fn message(window: &Window) -> String {
    window.state().state.message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

#[test]
fn a_save_that_fails_keeps_the_old_file_and_says_why_until_dismissed() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample(&folder);
    let before = fs::read(&path).unwrap();
    let mut window = open_file(Some(path.clone()));
    nudge(&mut window);
    // The backup cannot be written: its name is a folder that is not empty.
    let backup = path.with_file_name("arena.nav.ron.bak");
    fs::create_dir(&backup).unwrap();
    fs::write(backup.join("x"), "").unwrap();
    ctrl(&mut window, Key::S);
    assert!(message(&window).contains("cannot keep the old"), "{}", message(&window));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(window.state().state.edited());
    assert_eq!(window.state().state.message.as_ref().unwrap().stays(), None);
    assert!(window.query_by_label_contains("cannot keep the old").is_some());
    press(&mut window, "Dismiss message");
    assert!(window.query_by_label_contains("cannot keep the old").is_none());
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "no temporary file: {left:?}");
    fs::remove_dir_all(&backup).unwrap();
    ctrl(&mut window, Key::S);
    assert!(!window.state().state.edited());
    assert_eq!(fs::read(&backup).unwrap(), before);
}

#[test]
fn save_open_save_changes_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample(&folder);
    let mut window = open_file(Some(path.clone()));
    nudge(&mut window);
    // What is looked at is none of the file's business.
    window.state_mut().state.camera.scale *= 2.0;
    key(&mut window, Key::PageUp);
    perform(&mut window, Action::Rulers);
    ctrl(&mut window, Key::S);
    let saved = fs::read(&path).unwrap();
    drop(window);
    let mut window = open_file(Some(path.clone()));
    key(&mut window, Key::PageUp);
    ctrl(&mut window, Key::S);
    assert_eq!(fs::read(&path).unwrap(), saved);
    assert_eq!(encode(window.state().state.document()).as_bytes(), saved);
}

#[test]
fn saving_exports_too_where_that_is_wished_and_the_place_is_known_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let home =
        Home { preferences: folder.path().join("preferences.ron"), recovery: folder.path().join("recovery") };
    let (path, mesh) = (sample(&folder), folder.path().join("out.onnm"));
    let mut window = open_at_home(Some(path.clone()), Some(&home));
    perform(&mut window, Action::ExportAs);
    answer(&mut window, &mesh);
    assert!(message(&window).starts_with("Saved and read back, "), "{}", message(&window));
    // The command line that repeats it gives the same bytes.
    let (name, line) = window.state().state.message.clone().unwrap().copy.unwrap();
    assert_eq!(name, "Copy command");
    window.get_by_role_and_label(Role::Button, "Copy command");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[..2], ["navwright", "bake"]);
    let first = fs::read(&mesh).unwrap();
    fs::remove_file(&mesh).unwrap();
    let status =
        std::process::Command::new(env!("CARGO_BIN_EXE_navwright")).args(&words[1..]).output().unwrap();
    assert!(status.status.code() == Some(0), "{status:?}");
    assert_eq!(fs::read(&mesh).unwrap(), first);
    drop(window);
    let mut window = open_at_home(Some(path.clone()), Some(&home));
    nudge(&mut window);
    ctrl(&mut window, Key::S);
    wait(&mut window, "nothing", |app| !app.files.exporting());
    assert_eq!(fs::read(&mesh).unwrap(), first, "not unless it is wished");
    perform(&mut window, Action::ExportOnSave);
    nudge(&mut window);
    ctrl(&mut window, Key::S);
    wait(&mut window, "the export", |app| app.state.exported.is_some());
    let second = fs::read(&mesh).unwrap();
    assert_ne!(second, first);
    let document = load(&path).unwrap();
    let expected = document.bake_settings(&document.classes[0]).to_params().unwrap().fingerprint();
    assert_eq!(NavMesh::from_bytes(&second).unwrap().mesh.params().fingerprint(), expected);
}

#[test]
fn errors_block_the_export_and_their_place_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mesh) = (folder.path().join("line.nav"), folder.path().join("line.onnm"));
    fs::write(&path, "nav walk 0 0 0 8 0 8 8\nnav walk 2 50 50 54 50 58 50\n").unwrap();
    let mut window = open_file(Some(path));
    assert_eq!(window.state().state.level, 0);
    perform(&mut window, Action::ExportAs);
    answer(&mut window, &mesh);
    assert!(message(&window).starts_with("Not exported: 1 error stands in the way"), "{}", message(&window));
    assert!(!mesh.exists());
    assert_eq!(window.state().state.level, 2, "the error's level");
    let center = window.state().state.camera.center;
    let (rect, _) = window.state().canvas();
    let shown = window.state().state.camera.view(rect).pixel_from_world([54.0, 50.0]);
    assert!(rect.contains(shown.into()), "{center:?}");
}

#[test]
fn another_map_is_imported_as_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("more.nav");
    fs::write(&path, "nav walk 0 60 60 64 60 64 64\nnav hole 3 60 60 61 60 61 61\n").unwrap();
    let mut window = open();
    let (count, steps) =
        (window.state().state.document().areas.len(), window.state().state.history.past().len());
    perform(&mut window, Action::Import);
    answer(&mut window, &path);
    let areas = window.state().state.document().areas.clone();
    assert_eq!((areas.len(), window.state().state.history.past().len()), (count + 2, steps + 1));
    assert_eq!(areas[count].points[0], [60.0, 60.0]);
    assert_eq!(areas[count + 1].level, 3, "each on its own level");
    ctrl(&mut window, Key::Z);
    assert_eq!(window.state().state.document().areas.len(), count);
    // What is no map says so, and the field stays.
    fs::write(&path, "what is this").unwrap();
    perform(&mut window, Action::Import);
    answer(&mut window, &path);
    assert!(window.state().files.field.as_ref().unwrap().error.as_ref().unwrap().contains("more.nav"));
}

#[test]
fn a_picture_and_outlines_are_written_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open();
    for (name, start) in [("map.png", &b"\x89PNG"[..]), ("map.svg", &b"<svg"[..])] {
        let path = folder.path().join(name);
        perform(&mut window, Action::ExportPicture);
        answer(&mut window, &path);
        assert!(message(&window).starts_with("Picture saved and read back, "), "{}", message(&window));
        assert!(fs::read(&path).unwrap().windows(start.len()).take(80).any(|part| part == start), "{name}");
    }
    let path = folder.path().join("map.mesh.nav");
    perform(&mut window, Action::ExportOutlines);
    answer(&mut window, &path);
    let text = MapText::parse(&fs::read_to_string(&path).unwrap()).unwrap();
    let baked = window.state().state.bake.shown.clone().unwrap();
    assert_eq!(text.areas().count(), baked.counts.polygons);
    // Their areas are the mesh's, level by level, but for the rounding to thousandths.
    for (level, expected) in &baked.counts.area {
        let area: f64 = text.areas().filter(|area| area.level == *level).map(|area| ring(&area.points)).sum();
        assert!((area - expected).abs() < 0.05, "level {level}: {area} {expected}");
    }
}

/// The picture of a map with geometry is the one that `render` writes, geometry included; words above it may differ.
#[test]
fn a_picture_shows_the_geometry_as_render_does() {
    let bench = Bench::new();
    for name in ["hall.obj", "hall.nav.ron"] {
        fs::copy(root().join("assets").join(name), bench.file(name)).unwrap();
    }
    let mut window = open_file(Some(bench.file("hall.nav.ron")));
    wait(&mut window, "the voxel bake", |app| {
        app.state.bake.shown.as_ref().is_some_and(|baked| baked.mode == Mode::Voxel) && app.state.fresh()
    });
    perform(&mut window, Action::ExportPicture);
    answer(&mut window, &bench.file("editor.svg"));
    assert!(message(&window).starts_with("Picture saved and read back, "), "{}", message(&window));
    let dark = window.ctx.theme() == egui::Theme::Dark;
    let theme = if dark { "dark" } else { "light" };
    bench.run(&["render", "hall.nav.ron", "-o", "cli.svg", "--theme", theme]).ends(0);
    let drawn = |name: &str| {
        let text = fs::read_to_string(bench.file(name)).unwrap();
        text.lines().filter(|line| !line.contains("<text")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (editor, cli) = (drawn("editor.svg"), drawn("cli.svg"));
    assert!(editor.len() > 100, "{}", editor.len());
    assert_eq!(editor.len(), cli.len());
    assert!(editor == cli, "{:?}", editor.iter().zip(&cli).find(|(a, b)| a != b));
}

fn ring(points: &[[f64; 2]]) -> f64 {
    let pairs = points.iter().zip(points.iter().cycle().skip(1));
    (0.5 * pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()).abs()
}

#[test]
fn a_drawing_under_way_is_not_disturbed_by_autosave_or_reload() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample(&folder);
    let mut window = open_file(Some(path.clone()));
    key(&mut window, Key::W);
    click(&mut window, [-4.0, -2.0]);
    click(&mut window, [-1.0, -2.0]);
    let mut changed = load(&path).unwrap();
    changed = navwright::project::apply(
        &changed,
        &navwright::project::Command::RemoveLinks(vec![changed.links[0].id]),
    )
    .unwrap();
    save(&changed, &path).unwrap();
    wait(&mut window, "the file to be read again", |app| {
        app.state.document().links.len() == changed.links.len()
    });
    assert_eq!(window.state().state.tools.draft().len(), 2);
    click(&mut window, [-1.0, -4.0]);
    click(&mut window, [-4.0, -2.0]);
    settle(&mut window);
    assert_eq!(window.state().state.document().areas.len(), changed.areas.len() + 1);
}

#[test]
fn the_mesh_on_screen_is_compared_with_one_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open();
    settle(&mut window);
    let document = window.state().state.document().clone();
    let baked = |document: &Document, name: &str| {
        let class = &document.classes[0];
        let settings = document.bake_settings(class);
        let (mesh, _) = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()).unwrap();
        let path = folder.path().join(name);
        fs::write(&path, mesh.to_bytes().unwrap()).unwrap();
        path
    };
    // The same map.
    let path = baked(&document, "same.onnm");
    perform(&mut window, Action::CompareBuild);
    answer(&mut window, &path);
    assert!(window.query_by_label("No difference: settings, links and tiles are the same.").is_some());
    press(&mut window, "Close");
    assert!(window.state().state.compared.is_none());
    // A map with another climb, and one without its last area.
    let mut other = document.clone();
    let class = AgentClass { climb: document.classes[0].climb + 0.25, ..(*document.classes[0]).clone() };
    let climb = class.climb;
    other.classes = Arc::new(vec![Arc::new(class)]);
    let path = baked(&other, "climb.onnm");
    perform(&mut window, Action::CompareBuild);
    answer(&mut window, &path);
    assert!(window.query_by_label_contains("The fingerprints differ").is_some());
    let row = window.query_by_label_contains("! walkable_climb").unwrap();
    assert!(format!("{row:?}").contains(&climb.to_string()), "{row:?}");
    press(&mut window, "Close");
    let mut fewer = document.clone();
    fewer.areas = Arc::new(document.areas[..document.areas.len() - 1].to_vec());
    let path = baked(&fewer, "fewer.onnm");
    perform(&mut window, Action::CompareBuild);
    answer(&mut window, &path);
    assert!(window.query_by_label_contains("The fingerprint is the same").is_some());
    press(&mut window, "Close");
    // What is no mesh says so, and the field stays.
    let path = folder.path().join("text.onnm");
    fs::write(&path, "nav walk 0 0 0 1 0 1 1\n").unwrap();
    perform(&mut window, Action::CompareBuild);
    answer(&mut window, &path);
    assert!(window.state().files.field.as_ref().unwrap().error.as_ref().unwrap().contains("no baked mesh"));
}
