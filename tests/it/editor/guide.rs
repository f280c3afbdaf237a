//! What leads a newcomer: hints that are enough to get to a file, the start page, the tour, the signs.

use egui::{Event, Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::action::Action;
use navwright::editor::hints;
use navwright::editor::preferences::Preferences;
use navwright::editor::safety::Home;
use navwright::editor::samples::SAMPLES;
use navwright::editor::tools::ToolKind;
use navwright::format::NavMesh;

use super::drive::{Window, click, ctrl, key, open, open_at_home, settle, wait};

fn home(folder: &tempfile::TempDir) -> Home {
    Home { preferences: folder.path().join("preferences.ron"), recovery: folder.path().join("recovery") }
}

fn press(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run_steps(3);
}

fn perform(window: &mut Window, action: Action) {
    let context = window.ctx.clone();
    window.state_mut().perform(action, &context);
    window.run_steps(4);
}

/// Does what a hint says, and knows nothing else: it reads keys to press and how many places to click, and has for each
/// kind of place some coordinates.
struct Follower {
    folder: tempfile::TempDir,
}

impl Follower {
    fn places(how: &str, count: usize) -> Vec<[f64; 2]> {
        let floor = [[-4.0, -3.0], [4.0, -3.0], [4.0, 3.0], [-4.0, 3.0]];
        let found: Vec<[f64; 2]> = if how.contains("inside the floor") {
            vec![[-2.0, -1.0], [-1.0, -1.0], [-1.5, 1.0]]
        } else if how.contains("2 of them on corners of the floor") {
            vec![floor[1], [7.0, -3.0], [7.0, 3.0], floor[2]]
        } else if how.contains("on the landing") {
            vec![[6.0, 0.0]]
        } else if how.contains("on the floor") {
            vec![[2.0, 0.0]]
        } else {
            floor.to_vec()
        };
        assert_eq!(found.len(), count, "{how}");
        found
    }

    fn follow(&self, window: &mut Window, how: &str) {
        // "Press PgUp to go …. Press W, then click 4 corners and the first one again, …"
        for part in how.split(". ").flat_map(|part| part.split(", then ")).flat_map(|part| part.split(", ")) {
            let part = part.trim().trim_start_matches("and ");
            if part.contains("2 of them on corners") {
                continue;
            }
            let words: Vec<&str> = part.split_whitespace().collect();
            match words[0].to_lowercase().as_str() {
                "press" => self.press(window, words[1]),
                "click" => {
                    for clicks in part.split(" and ").filter(|part| part.contains(char::is_numeric)) {
                        let count = clicks.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
                        let context = if how.contains("corners of the floor") { how } else { clicks };
                        let places = Self::places(context, count);
                        places.iter().for_each(|&place| click(window, place));
                        if part.contains("and the first one again") {
                            click(window, places[0]);
                        }
                    }
                }
                "type" => {
                    // A name of one's own goes in when the field opens.
                    if let Some((_, text)) = part.split_once('"') {
                        window.event(Event::Text(text.trim_end_matches('"').to_owned()));
                    }
                }
                other => panic!("what does {other:?} mean in {how:?}?"),
            }
            window.run_steps(2);
        }
        settle(window);
    }

    fn press(&self, window: &mut Window, name: &str) {
        match name {
            "Ctrl+P" => ctrl(window, Key::P),
            "Ctrl+E" => {
                ctrl(window, Key::E);
                // "type a name".
                window.key_press_modifiers(Modifiers::COMMAND, Key::A);
                window.step();
                let path = self.folder.path().join("first.onnm");
                window.event(Event::Text(path.display().to_string()));
                window.run_steps(2);
            }
            "PageUp" | "PgUp" => key(window, Key::PageUp),
            "PageDown" | "PgDn" => key(window, Key::PageDown),
            name => {
                let found = Key::from_name(name).unwrap_or_else(|| panic!("which key is {name:?}?"));
                key(window, found);
            }
        }
    }
}

#[test]
fn the_hints_alone_lead_from_nothing_to_a_file() {
    let mut window = open();
    assert_eq!(hints::next(&window.ctx.clone(), &window.state().state), None, "not on a map that is there");
    ctrl(&mut window, Key::N);
    assert_eq!(window.state().state.tools.kind(), ToolKind::Walk);
    window.state_mut().state.camera.scale = 40.0;
    window.state_mut().state.camera.center = [1.0, 0.0];
    window.run_steps(2);
    let follower = Follower { folder: tempfile::tempdir().unwrap() };
    let mut seen = Vec::new();
    for _ in 0..8 {
        let Some(hint) = hints::next(&window.ctx.clone(), &window.state().state) else { break };
        // It stands on the canvas, for everybody.
        window.get_by_label(&hint.how);
        assert!(!seen.contains(&hint.step.0), "step {} did not do it: {}", hint.step.0, hint.how);
        seen.push(hint.step.0);
        follower.follow(&mut window, &hint.how);
        if hint.step.0 == hint.step.1 {
            wait(&mut window, "the export", |app| app.state.exported.is_some());
        }
    }
    assert_eq!(seen, (1..=seen.len()).collect::<Vec<_>>());
    let message = window.state().state.message.clone().unwrap().text;
    assert!(message.starts_with("Saved and read back, "), "{message}");
    for part in [" polygons, ", " links, ", "1 island, ", "1 check passed, ", "fingerprint "] {
        assert!(message.contains(part), "{message}");
    }
    let bytes = std::fs::read(follower.folder.path().join("first.onnm")).unwrap();
    let mesh = NavMesh::from_bytes(&bytes).unwrap();
    assert_eq!(mesh.settings.links.len(), 1);
    // No dialog stood in the way but that of the export.
    assert!(window.state().files.question.is_none());
}

/// Who asks for a path on a map that has a floor alone is not told to cut a hole; who has asked for one goes on from there.
#[test]
fn a_path_is_tested_without_a_hint_to_draw() {
    let mut window = open();
    ctrl(&mut window, Key::N);
    let hint = |window: &Window| hints::next(&window.ctx, &window.state().state).unwrap();
    let is_told = |window: &Window| window.query_by_label(&hint(window).how).is_some();
    for place in [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0], [0.0, 0.0]] {
        super::drive::click(&mut window, place);
    }
    super::drive::settle(&mut window);
    assert_eq!((hint(&window).step.0, is_told(&window)), (2, true));
    key(&mut window, Key::T);
    assert!(!is_told(&window));
    super::drive::click(&mut window, [1.0, 1.0]);
    super::drive::click(&mut window, [7.0, 7.0]);
    assert!(window.state().state.path_exists() && !is_told(&window));
    key(&mut window, Key::H);
    assert!(is_told(&window), "the hole is next again");
}

#[test]
fn the_start_page_opens_what_is_picked() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let map = folder.path().join("yard.nav.ron");
    navwright::project::file::save(&crate::project::three_areas(), &map).unwrap();
    let gone = folder.path().join("gone.nav.ron");
    let recent = vec![map.clone(), gone.clone()];
    Preferences { start_page: true, recent, ..Preferences::default() }.save(&home.preferences).unwrap();
    let mut window = open_at_home(None, Some(&home));
    window.get_by_label("missing");
    press(&mut window, "Forget gone.nav.ron");
    assert!(window.query_by_label("missing").is_none());
    window.get_by_role_and_label(Role::Button, "Sample first_steps").click();
    window.run_steps(4);
    assert_eq!(window.state().state.name, "first_steps");
    assert!(window.query_by_label("missing").is_none() && !window.state().state.shown.start);
    perform(&mut window, Action::StartPage);
    window.get_by_label("yard.nav.ron").click();
    window.run_steps(4);
    assert_eq!(window.state().state.file.as_deref(), Some(map.as_path()));
    perform(&mut window, Action::StartPage);
    press(&mut window, "Close the start page");
    assert_eq!(window.state().state.document().areas.len(), 3);
    drop(window);
    assert_eq!(Preferences::load(&home.preferences).0.recent, std::slice::from_ref(&map));
    // A file that is named is opened.
    let window = open_at_home(Some(map), Some(&home));
    assert!(!window.state().state.shown.start);
}

#[test]
fn a_file_that_failed_to_open_is_not_opened_again_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let broken = folder.path().join("broken.nav.ron");
    std::fs::write(&broken, "Project(version: 2, areas: oops)").unwrap();
    let window = open_at_home(Some(broken.clone()), Some(&home));
    let message = window.state().state.message.clone().unwrap();
    assert!(message.text.contains("broken.nav.ron:1:"), "{}", message.text);
    assert_eq!(message.stays(), None, "until it is dismissed");
    drop(window);
    let window = open_at_home(None, Some(&home));
    assert_eq!(window.state().state.name, "arena");
    assert!(window.state().state.message.is_none());
    assert!(Preferences::load(&home.preferences).0.recent.is_empty());
}

#[test]
fn what_a_crash_left_is_on_the_start_page_and_under_recover() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let map = folder.path().join("arena.nav.ron");
    std::fs::copy(crate::support::root().join("assets/arena.nav.ron"), &map).unwrap();
    let leave = || {
        let mut window = open_at_home(Some(map.clone()), Some(&home));
        window.get_by_label("Outline: meadow").click();
        window.run_steps(2);
        key(&mut window, Key::ArrowRight);
        assert!(window.state().state.edited());
        window.state_mut().safety.as_mut().unwrap().period = std::time::Duration::ZERO;
        wait(&mut window, "the autosave", |app| app.state.autosaved.is_some());
        window.state().state.document().clone()
    };
    leave();
    Preferences { start_page: true, ..Preferences::load(&home.preferences).0 }
        .save(&home.preferences)
        .unwrap();
    let mut window = open_at_home(None, Some(&home));
    assert!(window.query_by_label_contains("area \"meadow\"").is_some(), "what differs is listed");
    press(&mut window, "Discard");
    assert!(window.query_by_label("Discard").is_none());
    press(&mut window, "Close the start page");
    // One that was put off is found again.
    let kept = leave();
    perform(&mut window, Action::Recover);
    press(&mut window, "Recover");
    assert_eq!(*window.state().state.document(), kept);
    // Leftovers do not stop this program's own autosave.
    assert!(window.state().state.autosaved.is_some());
    perform(&mut window, Action::Recover);
    assert_eq!(window.state().state.message.clone().unwrap().text, "Nothing was left unsaved");
}

#[test]
fn the_tour_goes_on_when_things_are_done_and_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let mut window = open_at_home(None, Some(&home));
    press(&mut window, "Start the tour");
    assert_eq!(window.state().tour.step(), Some(1));
    key(&mut window, Key::W);
    assert_eq!(window.state().tour.step(), Some(2), "the tool was taken");
    press(&mut window, "Next");
    key(&mut window, Key::PageUp);
    assert_eq!(window.state().tour.step(), Some(4), "another level");
    press(&mut window, "Skip the tour");
    assert_eq!(window.state().tour.step(), None);
    drop(window);
    let mut window = open_at_home(None, Some(&home));
    assert!(window.query_by_label("Start the tour").is_none(), "seen");
    perform(&mut window, Action::Tour);
    for _ in 0..6 {
        press(&mut window, "Next");
    }
    press(&mut window, "Done");
    assert_eq!(window.state().tour.step(), None);
}

#[test]
fn every_sample_opens_and_every_sign_has_its_words() {
    for sample in SAMPLES {
        let document = sample.document().unwrap();
        assert!(document.areas.len() >= 3 || !document.geometry.is_empty(), "{}", sample.name);
    }
    let mut window = open();
    perform(&mut window, Action::Signs);
    for words in
        ["hole: hatched", "seam: an edge part that two levels share", "error: octagon; nothing is exported"]
    {
        window.get_by_label(words);
    }
    key(&mut window, Key::Escape);
    perform(&mut window, Action::Sample(2));
    assert_eq!(window.state().state.name, "stairs");
}
