//! Issues in the window: badges, cards, arrows at the rim, fixes, what is hidden; hover and status bar.

use std::path::{Path, PathBuf};

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::project::file::encode;

use super::drive::{Window, button, click, ctrl, key, open, open_file, pixel, settle};

fn sample(name: &str) -> Window {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/issues").join(format!("{name}.nav.ron"));
    open_file(Some(path))
}

fn map(text: &str) -> (tempfile::TempDir, Window) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav");
    std::fs::write(&path, text).unwrap();
    let window = open_file(Some(path));
    (folder, window)
}

/// Lets the cursor rest: three tenths of a second and a little more.
fn rest(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.run_steps(40);
}

fn count(window: &Window) -> usize {
    window.state().state.shown_issues().len()
}

fn text(window: &Window) -> String {
    encode(window.state().state.document())
}

#[test]
fn a_fix_in_the_list_is_one_step() {
    let mut window = sample("missed_join");
    let before = text(&window);
    window.get_by_label_contains("Issue: warning: two parts of level 0 lie 0.050 apart");
    window.get_by_role_and_label(Role::Button, "Join").click();
    window.run_steps(2);
    settle(&mut window);
    assert_eq!(count(&window), 0, "the gap, and the island that it made");
    assert_eq!(window.state().state.history.past().collect::<Vec<_>>(), ["Join"]);
    ctrl(&mut window, Key::Z);
    settle(&mut window);
    assert!(text(&window) == before);
    assert_eq!(count(&window), 2);
}

#[test]
fn a_badge_opens_a_card_with_numbers_and_fixes_that_can_be_reached() {
    let mut window = sample("outline_crosses_itself");
    let at = pixel(&window, [5.0, 5.0]);
    rest(&mut window, at);
    assert!(window.query_all_by_label_contains("5, 5 · level 0").count() > 0);
    // The list has the button too: the card's lies on the canvas.
    let canvas = window.state().canvas().0;
    let buttons = window.get_all_by_role_and_label(Role::Button, "Split here");
    let card = buttons.map(|node| node.rect().center()).find(|center| canvas.contains(*center)).unwrap();
    for share in [0.3, 0.7, 1.0] {
        window.hover_at(at + (card - at) * share);
        window.run_steps(2);
    }
    button(&window, card, PointerButton::Primary, true);
    window.step();
    button(&window, card, PointerButton::Primary, false);
    window.run_steps(3);
    settle(&mut window);
    assert_eq!(window.state().state.document().areas.len(), 2);
    assert_eq!(window.state().state.history.past().collect::<Vec<_>>(), ["Split here"]);
    let left =
        window.state().state.issues().iter().any(|issue| issue.kind.name() == "outline_crosses_itself");
    assert!(!left);
}

/// What there is no room for beside an issue is in the menu of its row.
#[test]
fn every_fix_of_an_issue_can_be_reached_from_its_row() {
    let mut window = sample("seam_step");
    let names: Vec<String> = {
        let state = &mut window.state_mut().state;
        let index = state.shown_issues()[0];
        state.fixes(index).iter().map(|fix| fix.name.clone()).collect()
    };
    let [first, others @ ..] = &names[..] else { panic!("no fix") };
    assert!(!others.is_empty());
    let canvas = window.state().canvas().0;
    let in_row = |window: &Window, name: &str| {
        let buttons = window.query_all_by_role_and_label(Role::Button, name);
        buttons.filter(|node| !canvas.contains(node.rect().center())).count()
    };
    assert_eq!((in_row(&window, first), in_row(&window, &others[0])), (1, 0));
    // By the mouse, which rests there first: no word of what the button does may keep the menu shut.
    let more = window.get_by_role_and_label(Role::Button, "More fixes").rect().center();
    rest(&mut window, more);
    button(&window, more, PointerButton::Primary, true);
    window.step();
    button(&window, more, PointerButton::Primary, false);
    window.run_steps(3);
    for name in others {
        window.get_by_role_and_label(Role::Button, name);
    }
    let last = others.last().unwrap();
    window.get_by_role_and_label(Role::Button, last).click();
    window.run_steps(2);
    settle(&mut window);
    assert_eq!(window.state().state.history.past().collect::<Vec<_>>(), [last]);
    // The tab counts all that is listed, notes too.
    let window = sample("missed_join");
    let tab = format!("Issues {}", count(&window));
    assert!(window.query_all_by_label_contains(&tab).count() > 0, "{tab}");
}

#[test]
fn near_badges_become_one_whose_click_opens_a_list() {
    // Two bow ties whose crossings lie a tenth of a square apart.
    let (_folder, mut window) =
        map("nav walk 0 0 0 10 10 10 0 0 10\nnav walk 0 0.1 0 10.1 10 10.1 0 0.1 10\n");
    let at = pixel(&window, [5.05, 5.0]);
    window.hover_at(at);
    window.run_steps(2);
    button(&window, at, PointerButton::Primary, true);
    window.step();
    button(&window, at, PointerButton::Primary, false);
    window.run_steps(2);
    let hides = window.get_all_by_role_and_label(Role::Button, "Hide this one").count();
    let listed = count(&window);
    assert!(hides >= listed + 2, "{hides} with {listed} in the list");
    // It stays when the cursor leaves, until Esc.
    window.hover_at(at + egui::vec2(-200.0, -120.0));
    window.run_steps(10);
    assert_eq!(window.get_all_by_role_and_label(Role::Button, "Hide this one").count(), hides);
    key(&mut window, Key::Escape);
    assert_eq!(window.get_all_by_role_and_label(Role::Button, "Hide this one").count(), listed);
    assert!(window.state().state.selection.is_empty(), "the click was the badge's, not the tool's");
}

#[test]
fn an_arrow_at_the_rim_shows_what_is_out_of_sight() {
    let mut window = sample("island");
    window.state_mut().state.camera.center = [-300.0, 7.0];
    window.run_steps(3);
    let rect = window.state().canvas().0;
    let at = egui::pos2(rect.max.x - 15.0, rect.center().y);
    window.hover_at(at);
    window.run_steps(2);
    button(&window, at, PointerButton::Primary, true);
    window.step();
    button(&window, at, PointerButton::Primary, false);
    window.run_steps(3);
    let shown = pixel(&window, [24.0, 7.0]);
    assert!(rect.contains(shown), "{shown:?} in {rect:?}");
}

#[test]
fn f8_steps_through_what_the_filter_lets_through() {
    let (_folder, mut window) =
        map("nav walk 0 0 0 10 10 10 0 0 10\nnav walk 0 30 0 34 0 34 4 30 4\nnav hole 0 50 0 52 0 52 2\n");
    let kinds = |window: &Window| {
        let state = &window.state().state;
        state.issue.map(|index| state.issues()[index].kind.name())
    };
    let mut seen = Vec::new();
    for _ in 0..count(&window) {
        key(&mut window, Key::F8);
        seen.push(kinds(&window).unwrap());
    }
    assert_eq!(seen[0], "outline_crosses_itself", "worst first");
    assert!(seen.contains(&"island") && seen.contains(&"hole_cuts_nothing"));
    window.key_press_modifiers(Modifiers::SHIFT, Key::F8);
    window.run_steps(2);
    assert_eq!(kinds(&window), Some(seen[seen.len() - 2]));
    // Notes off: warnings alone.
    window.get_by_role_and_label(Role::Button, "Show notes").click();
    window.run_steps(2);
    for _ in 0..3 {
        key(&mut window, Key::F8);
        assert_eq!(kinds(&window), Some("outline_crosses_itself"));
    }
}

#[test]
fn what_is_hidden_is_kept_in_the_map_and_comes_back() {
    let mut window = sample("hole_cuts_nothing");
    assert_eq!(count(&window), 1);
    window.get_by_role_and_label(Role::Button, "Hide this one").click();
    window.run_steps(2);
    settle(&mut window);
    assert_eq!(count(&window), 0);
    assert!(
        text(&window).contains(
            "hidden_issues: [\n        (kind: \"hole_cuts_nothing\", level: 0, at: (30, 5), area: "
        )
    );
    window.get_by_role_and_label(Role::Button, "1 hidden").click();
    window.run_steps(2);
    window.get_by_role_and_label(Role::Button, "Show it again").click();
    window.run_steps(2);
    settle(&mut window);
    assert_eq!(count(&window), 1);
    assert_eq!(window.state().state.history.past().count(), 2);
}

#[test]
fn a_card_says_what_lies_under_the_cursor_and_can_be_copied() {
    let (_folder, mut window) = map("nav walk 0 0 0 8 0 8 8 0 8\nnav walk 0 8 0 12 0 12 8 8 8\n");
    let corner = pixel(&window, [8.0, 8.0]);
    rest(&mut window, corner);
    window.get_by_label("joined with");
    window.get_by_label_contains("area 1, level 0");
    let edge = pixel(&window, [8.0, 4.0]);
    rest(&mut window, edge);
    window.get_by_label("8 squares");
    window.get_by_label("shared with");
    let inside = pixel(&window, [3.0, 3.0]);
    rest(&mut window, inside);
    window.get_by_label("64 squares");
    window.get_by_label_contains("Polygon 0 of tile (0, 0)");
    window.event(Event::Copy);
    window.step();
    let copied = window.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.unwrap_or_default();
    assert!(copied.starts_with("area 1\nkind: walk area, level 0\n"), "{copied}");
    // A press closes it.
    click(&mut window, [3.0, 3.0]);
    window.hover_at(pixel(&window, [3.2, 3.2]));
    window.run_steps(1);
    assert!(window.query_by_label_contains("Polygon 0 of tile").is_none());
}

#[test]
fn the_status_bar_says_why_the_fingerprint_has_changed() {
    let mut window = open();
    let class = (**window.state().state.class()).clone();
    let wider = navwright::project::AgentClass { radius: 0.35, ..class };
    window.state_mut().state.commit("Radius", &navwright::project::Command::SetClass(wider));
    window.run_steps(2);
    settle(&mut window);
    window.get_by_label("agent radius 0 › 0.35");
    assert_eq!(window.query_all_by_label_contains("fresh ").count(), 2, "on the Bake panel too");
    let whole = window.state().state.bake.shown.as_ref().unwrap().counts.fingerprint.to_string();
    window.get_by_label(&whole[..8]);
    for field in ["0 errors", "0 notes"] {
        window.get_by_role_and_label(Role::Button, field);
    }
}

#[test]
fn a_failed_bake_offers_its_setting() {
    let mut window = open();
    let settings = navwright::format::NavSettings {
        snap_bits: 20,
        ..(*window.state().state.document().settings).clone()
    };
    let command = navwright::project::Command::SetSettings(Box::new(settings));
    window.state_mut().state.commit("Bits", &command);
    super::drive::wait(&mut window, "the failure", |app| app.state.bake.failure.is_some());
    window.get_by_role_and_label(Role::Button, "Set snap bits to automatic").click();
    window.run_steps(2);
    settle(&mut window);
    assert!(window.state().state.bake.failure.is_none());
}

#[test]
fn a_link_that_a_fix_draws_is_selected_and_shown() {
    let mut window = sample("island");
    window.state_mut().state.camera.center = [-300.0, 7.0];
    window.run_steps(3);
    let index = window.state().state.shown_issues()[0];
    super::drive::wait(&mut window, "the fixes", |app| !app.state.advice_is_looked_for(index));
    let state = &mut window.state_mut().state;
    let fix = state.fixes(index).into_iter().find(|fix| fix.name == "Add a link").unwrap();
    assert!(state.do_fix(Some(index), &fix).is_none());
    window.run_steps(4);
    let state = &window.state().state;
    let document = state.document();
    let links: Vec<_> = state.selection.links(document).map(|link| (link.start, link.end)).collect();
    let [(start, end)] = links[..] else { panic!("{links:?}") };
    // From the islet's west side, x 22, to the floor's east, x 20.
    assert!((start[0] - 22.0).abs() < 0.5 && (end[0] - 20.0).abs() < 0.5, "{start:?} {end:?}");
    let rect = window.state().canvas().0;
    for place in [start, end] {
        assert!(rect.contains(pixel(&window, place)), "{place:?} is out of sight");
    }
}

#[test]
fn an_island_that_no_link_reaches_says_why_where_its_button_would_be() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = super::geometry::project(folder.path());
    let plate = |[x0, x1]: [i32; 2], n: i32| {
        let corners = format!("v {x0} 0 0\nv {x0} 0 12\nv {x1} 0 12\nv {x1} 0 0\n");
        format!("{corners}f {} {} {}\nf {} {} {}\n", n, n + 1, n + 2, n, n + 2, n + 3)
    };
    let art = folder.path().join("art/two.obj");
    std::fs::write(&art, plate([0, 12], 1) + &plate([18, 24], 5)).unwrap();
    super::geometry::import(&mut window, &art);
    settle(&mut window);
    let index = window.state().state.shown_issues()[0];
    super::drive::wait(&mut window, "the fixes", |app| !app.state.advice_is_looked_for(index));
    let state = &mut window.state_mut().state;
    assert!(state.fixes(index).is_empty());
    let said = state.remark(index).unwrap();
    assert!(state.issue_text(index).ends_with(&format!(" · {said}")));
    // Floors end up to two cells of 0.25 before their edges.
    let gap = said.strip_prefix("no link an agent can take: nearest gap ").unwrap();
    let gap: f64 = gap.strip_suffix(" wide").unwrap().parse().unwrap();
    assert!((6.0..7.01).contains(&gap), "{said}");
    window.run_steps(2);
    window.get_by_label(&said);
}
