//! Recovery files: whose they are, what they hold, and what is left of them.

use std::fs;
use std::path::Path;

use navwright::project::autosave::{Recovery, forget, keep, leftovers};
use navwright::project::{AreaId, Command, Document, Level, differences};

use crate::project::{after, area, class, full, link, three_areas};

#[test]
fn a_file_whose_program_has_ended_is_left_over() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("deep").join("recovery");
    assert!(leftovers(&place).is_empty(), "no folder, nothing left over");
    let first = Recovery::start(&place).unwrap();
    assert!(leftovers(&place).is_empty(), "nothing is kept yet");
    keep(first.file(), &full(), Some(Path::new("/maps/town \"x\".nav.ron")), None).unwrap();
    keep(first.file(), &three_areas(), Some(Path::new("/maps/town \"x\".nav.ron")), None).unwrap();
    let second = Recovery::start(&place).unwrap();
    assert_ne!(first.file(), second.file());
    keep(second.file(), &full(), None, None).unwrap();
    assert!(leftovers(&place).is_empty(), "both programs run");
    drop(first);
    // A program that another test is just starting holds a copy of the lock until it runs.
    let mut left = leftovers(&place);
    for _ in 0..100 {
        if !left.is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        left = leftovers(&place);
    }
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].document().unwrap(), three_areas(), "the last that was kept");
    assert_eq!(left[0].origin.as_deref(), Some(Path::new("/maps/town \"x\".nav.ron")));
    assert!(left[0].written.is_some());
    assert!(leftovers(&place).is_empty(), "offered by one program only");
    drop(left);
    let left = leftovers(&place);
    assert_eq!(left.len(), 1, "and again by the next one");
    left.into_iter().for_each(navwright::project::autosave::Leftover::discard);
    second.finish();
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0, "nothing stays behind");
}

#[test]
fn odd_files_in_the_folder_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    for (name, text) in [("a.nav.ron", "no project"), ("b.nav.ron", ""), ("c.txt", "x"), ("nav.ron", "x")] {
        fs::write(place.join(name), text).unwrap();
    }
    fs::create_dir(place.join("d.nav.ron")).unwrap();
    let recovery = Recovery::start(place).unwrap();
    let left = leftovers(place);
    for leftover in &left {
        assert!(leftover.document().is_err() && leftover.origin.is_none(), "{leftover:?}");
    }
    assert!(left.iter().any(|leftover| leftover.file.ends_with("a.nav.ron")), "it is shown with its fault");
    keep(recovery.file(), &Document::default(), Some(Path::new("two\nlines")), Some(Path::new("a\nb")))
        .unwrap();
    let text = fs::read_to_string(recovery.file()).unwrap();
    assert!(text.lines().nth(2).is_some_and(|line| line.starts_with("Project(")), "{text}");
    forget(recovery.file());
    forget(recovery.file());
    assert!(!recovery.file().exists());
}

#[test]
fn old_locks_of_programs_that_kept_nothing_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let running = Recovery::start(place).unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for name in ["old.lock", "young.lock", "kept.lock"] {
        let file = fs::File::create(place.join(name)).unwrap();
        if name != "young.lock" {
            file.set_modified(old).unwrap();
        }
    }
    keep(&place.join("kept.nav.ron"), &Document::default(), None, None).unwrap();
    // The running program's own is old too, but held.
    let own = running.file().to_str().unwrap().replace(".nav.ron", ".lock");
    fs::File::options().write(true).open(&own).unwrap().set_modified(old).unwrap();
    assert_eq!(leftovers(place).len(), 1);
    let mut left: Vec<String> =
        fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.retain(|name| ["old.lock", "young.lock", "kept.lock"].contains(&name.as_str()));
    left.sort();
    assert_eq!(left, ["kept.lock", "young.lock"]);
    assert!(Path::new(&own).exists());
    running.finish();
}

#[test]
fn differences_are_counted_by_kind() {
    let before = after(&three_areas(), [Command::AddLinks(vec![link(1)])]);
    assert!(differences(&before, &before.clone()).is_empty());
    let changed = navwright::project::Area { level: 1, ..area(2) };
    let next = after(
        &before,
        [
            Command::SetAreas(vec![changed]),
            Command::RemoveAreas(vec![AreaId(1)]),
            Command::AddAreas(vec![area(8), area(9)]),
            Command::RemoveLinks(vec![navwright::project::LinkId(1)]),
            Command::SetLevel(Level { elevation: 7.0, ..Level::new(0) }),
            Command::AddClass(class(5, "a")),
            Command::AddClass(class(6, "b")),
        ],
    );
    let expected = [
        "2 areas added",
        "1 area removed",
        "1 area changed",
        "1 link removed",
        "1 level added",
        "1 level changed",
        "2 agent classes added",
    ];
    assert_eq!(differences(&before, &next), expected);
}
