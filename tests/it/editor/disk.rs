//! The open file changes on the disk: it is read again, merged, kept or loaded; our own saves are no news.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::disk::News;
use navwright::project::file::{encode, load, save};
use navwright::project::{Area, AreaId, Command, Document, apply};

use super::drive::{Window, ctrl, key, open_file, wait};
use crate::project::{area, three_areas};

fn project(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("map.nav.ron");
    save(&three_areas(), &path).unwrap();
    path
}

fn press(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run_steps(3);
}

fn renamed(document: &Document, id: u64, name: &str) -> Document {
    let area = document.area(AreaId(id)).unwrap();
    let next = Area { name: name.to_owned(), ..(**area).clone() };
    apply(document, &Command::SetAreas(vec![next])).unwrap()
}

/// What another program does.
fn write(path: &Path, document: &Document) {
    fs::write(path, encode(document)).unwrap();
}

fn edit_here(window: &mut Window, id: u64, name: &str) {
    let state = &mut window.state_mut().state;
    let next = Area { name: name.to_owned(), ..(**state.document().area(AreaId(id)).unwrap()).clone() };
    assert!(state.commit("Rename", &Command::SetAreas(vec![next])));
    window.run_steps(2);
}

/// Some frames during which nothing may happen: longer than events are collected.
fn nothing_for(window: &mut Window, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::thread::sleep(Duration::from_millis(10));
        window.step();
    }
}

fn name_of(window: &Window, id: u64) -> String {
    window.state().state.document().area(AreaId(id)).unwrap().name.clone()
}

#[test]
fn an_unedited_project_is_read_again_with_view_and_selection_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = project(&folder);
    let mut window = open_file(Some(path.clone()));
    window.get_by_label("Outline: area 2").click();
    window.run_steps(2);
    window.state_mut().state.camera.scale *= 1.7;
    window.run_steps(2);
    let (camera, selection) = (window.state().state.camera, window.state().state.selection.clone());
    write(&path, &renamed(&three_areas(), 1, "yard"));
    wait(&mut window, "the file to be read again", |app| app.state.document().areas[0].name == "yard");
    let state = &window.state().state;
    assert_eq!((state.camera, &state.selection), (camera, &selection));
    assert!(!state.edited() && window.state().disk.news.is_none());
    // By renaming another file over it, as many editors save.
    let beside = folder.path().join("map.tmp");
    write(&beside, &renamed(&three_areas(), 1, "court"));
    fs::rename(&beside, &path).unwrap();
    wait(&mut window, "the file to be read again", |app| app.state.document().areas[0].name == "court");
    // What was read is a step: undo has the earlier state, as an edit.
    ctrl(&mut window, Key::Z);
    assert_eq!(name_of(&window, 1), "yard");
    assert!(window.state().state.edited());
}

#[test]
fn our_own_saves_and_touched_files_are_no_news() {
    let folder = tempfile::tempdir().unwrap();
    let path = project(&folder);
    let mut window = open_file(Some(path.clone()));
    for round in 0..4 {
        edit_here(&mut window, 1, &format!("yard {round}"));
        ctrl(&mut window, Key::S);
        edit_here(&mut window, 2, &format!("court {round}"));
    }
    nothing_for(&mut window, Duration::from_millis(900));
    assert!(window.state().disk.news.is_none(), "{:?}", window.state().disk);
    let steps = window.state().state.history.past().len();
    // The same content again, and other files beside it.
    let text = fs::read(&path).unwrap();
    fs::write(&path, &text).unwrap();
    fs::write(folder.path().join("other.nav.ron"), "nothing").unwrap();
    nothing_for(&mut window, Duration::from_millis(900));
    assert!(window.state().disk.news.is_none());
    assert_eq!(window.state().state.history.past().len(), steps);
    assert_eq!(name_of(&window, 2), "court 3", "what is not saved stays");
}

/// Edited here and changed on the disk.
fn both(folder: &tempfile::TempDir, theirs: &Document) -> (Window, PathBuf) {
    let path = project(folder);
    let mut window = open_file(Some(path.clone()));
    edit_here(&mut window, 1, "mine");
    write(&path, theirs);
    wait(&mut window, "the news", |app| app.disk.news.is_some());
    (window, path)
}

#[test]
fn a_project_changed_by_both_is_merged_as_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let (mut window, path) = both(&folder, &renamed(&three_areas(), 2, "theirs"));
    assert!(window.query_by_label_contains("changed on the disk, and here too").is_some());
    let steps = window.state().state.history.past().len();
    press(&mut window, "Show differences");
    assert!(window.query_by_label_contains("\"area 2\" › \"theirs\"").is_some());
    assert!(window.query_by_label_contains("\"area 1\" › \"mine\"").is_some());
    press(&mut window, "Later");
    press(&mut window, "Merge");
    assert_eq!((name_of(&window, 1), name_of(&window, 2)), ("mine".to_owned(), "theirs".to_owned()));
    assert_eq!(window.state().state.history.past().len(), steps + 1);
    assert!(window.state().disk.news.is_none() && window.state().state.edited());
    ctrl(&mut window, Key::Z);
    assert_eq!(name_of(&window, 2), "area 2");
    ctrl(&mut window, Key::Y);
    ctrl(&mut window, Key::S);
    window.run_steps(3);
    let saved = load(&path).unwrap();
    assert_eq!((saved.areas[0].name.as_str(), saved.areas[1].name.as_str()), ("mine", "theirs"));
    nothing_for(&mut window, Duration::from_millis(700));
    assert!(window.state().disk.news.is_none() && !window.state().state.edited());
}

#[test]
fn what_both_changed_is_asked_about_and_mine_counts_unless_picked() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = renamed(&renamed(&three_areas(), 1, "theirs"), 3, "third");
    let (mut window, _) = both(&folder, &theirs);
    press(&mut window, "Merge");
    window.get_by_label("Both sides changed the same things");
    assert_eq!(name_of(&window, 1), "mine", "nothing is done yet");
    window.get_by_label("area \"mine\", theirs: name \"area 1\" › \"theirs\"").click();
    window.run_steps(3);
    window.get_all_by_role_and_label(Role::Button, "Merge").last().unwrap().click();
    window.run_steps(3);
    assert_eq!((name_of(&window, 1), name_of(&window, 3)), ("theirs".to_owned(), "third".to_owned()));
}

#[test]
fn mine_is_kept_or_theirs_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = renamed(&three_areas(), 2, "theirs");
    let (mut window, path) = both(&folder, &theirs);
    press(&mut window, "Keep mine");
    assert!(window.state().disk.news.is_none());
    assert_eq!((name_of(&window, 1), name_of(&window, 2)), ("mine".to_owned(), "area 2".to_owned()));
    ctrl(&mut window, Key::S);
    window.run_steps(3);
    assert_eq!(load(&path).unwrap().areas[1].name, "area 2", "saved over it, as was said");
    // The old one is the backup.
    assert_eq!(load(&path.with_file_name("map.nav.ron.bak")).unwrap(), theirs);

    let folder = tempfile::tempdir().unwrap();
    let (mut window, _) = both(&folder, &theirs);
    press(&mut window, "Load theirs");
    assert_eq!(*window.state().state.document(), theirs);
    assert!(!window.state().state.edited());
    ctrl(&mut window, Key::Z);
    assert_eq!(name_of(&window, 1), "mine", "undo brings mine back");
}

#[test]
fn saving_over_a_newer_file_is_asked_about_even_before_the_news() {
    let folder = tempfile::tempdir().unwrap();
    let path = project(&folder);
    let mut window = open_file(Some(path.clone()));
    edit_here(&mut window, 1, "mine");
    let theirs = renamed(&three_areas(), 2, "theirs");
    write(&path, &theirs);
    // At once: no event has come yet.
    ctrl(&mut window, Key::S);
    window.get_by_label("The file is newer");
    assert_eq!(load(&path).unwrap(), theirs);
    press(&mut window, "Cancel");
    assert_eq!(load(&path).unwrap(), theirs);
    ctrl(&mut window, Key::S);
    press(&mut window, "Save over it");
    assert_eq!(load(&path).unwrap().areas[0].name, "mine");
}

#[test]
fn a_file_that_is_gone_or_cannot_be_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = project(&folder);
    let mut window = open_file(Some(path.clone()));
    fs::rename(&path, folder.path().join("elsewhere.nav.ron")).unwrap();
    wait(&mut window, "the news", |app| matches!(app.disk.news, Some(News::Gone)));
    assert!(window.state().state.edited(), "what is here is nowhere else");
    ctrl(&mut window, Key::S);
    window.run_steps(3);
    assert_eq!(load(&path).unwrap(), three_areas());
    wait(&mut window, "the news to go", |app| app.disk.news.is_none());
    assert!(!window.state().state.edited());
    fs::write(&path, "Project(version: 2, areas: [(").unwrap();
    wait(&mut window, "the news", |app| matches!(app.disk.news, Some(News::Unreadable(_))));
    assert!(window.query_by_label_contains("cannot be read").is_some());
    assert_eq!(*window.state().state.document(), three_areas(), "what was open stays");
    // It is whole again: nothing is left to say.
    write(&path, &three_areas());
    wait(&mut window, "the news to go", |app| app.disk.news.is_none());
}

fn with_marks(mine: &str, theirs: &str) -> String {
    let text =
        encode(&apply(&Document::default(), &Command::AddAreas(vec![area(0x10), area(0x20)])).unwrap());
    let line = text.lines().find(|line| line.contains("\"area 16\"")).unwrap().to_owned();
    let side = |name: &str| line.replace("area 16", name);
    text.replace(&line, &format!("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> feature", side(mine), side(theirs)))
}

#[test]
fn a_file_with_conflict_marks_opens_with_its_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav.ron");
    let text = with_marks("yard", "court");
    let at = text.lines().position(|line| line.starts_with("<<<<<<<")).unwrap() + 1;
    fs::write(&path, &text).unwrap();
    let mut window = open_file(Some(path.clone()));
    assert_eq!(window.state().state.document().areas.len(), 2);
    assert!(window.state().state.edited());
    assert!(window.query_by_label_contains("has conflict marks: 1 place to decide").is_some());
    // Saving asks while a place is not decided.
    ctrl(&mut window, Key::S);
    window.get_by_label("Places are not decided");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    window.get_all_by_role_and_label(Role::Button, "Choose…").last().unwrap().click();
    window.run_steps(3);
    assert!(window.query_by_label(&format!("line {at}")).is_some());
    // An edit made meanwhile stays.
    key(&mut window, Key::Escape);
    edit_here(&mut window, 0x20, "edited");
    press(&mut window, "Choose…");
    window.get_by_label("area \"yard\", theirs: name \"yard\" › \"court\"").click();
    window.run_steps(3);
    press(&mut window, "Merge");
    assert_eq!((name_of(&window, 0x10), name_of(&window, 0x20)), ("court".to_owned(), "edited".to_owned()));
    assert!(window.state().state.contest.is_none());
    ctrl(&mut window, Key::S);
    window.run_steps(3);
    assert_eq!(load(&path).unwrap().areas[0].name, "court");
    // A pull that leaves marks while it is open and not edited.
    fs::write(&path, with_marks("court", "plaza")).unwrap();
    wait(&mut window, "the marks", |app| app.state.contest.is_some());
    press(&mut window, "Choose…");
    press(&mut window, "Later");
    ctrl(&mut window, Key::S);
    press(&mut window, "Save as it is");
    assert_eq!(load(&path).unwrap().areas[0].name, "court");
}
