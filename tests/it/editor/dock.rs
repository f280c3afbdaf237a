//! Panels: shown and hidden, moved and kept, put back; and the History panel.

use egui::{Key, PointerButton, Role, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::action::Action;
use navwright::editor::layout::{Layout, Pane, standard};
use navwright::editor::preferences::Preferences;
use navwright::editor::safety::Home;

use super::drive::{Window, button, ctrl, key, open, open_at_home};

fn perform(window: &mut Window, action: Action) {
    let context = window.ctx.clone();
    window.state_mut().perform(action, &context);
    window.run_steps(4);
}

#[test]
fn panels_hide_and_come_back_and_the_canvas_takes_their_room() {
    let mut window = open();
    let breadth = |window: &Window| window.state().canvas().0.width();
    let before = breadth(&window);
    perform(&mut window, Action::Outline);
    assert!(window.query_by_label("Filter outline").is_none());
    assert!(breadth(&window) > before + 100.0);
    perform(&mut window, Action::Outline);
    window.get_by_label("Filter outline");
    assert!((breadth(&window) - before).abs() < 1.0);
    key(&mut window, Key::F11);
    assert!(breadth(&window) > 1200.0);
    key(&mut window, Key::F11);
    assert!((breadth(&window) - before).abs() < 1.0);
    // What is selected does not move the canvas.
    window.get_by_label("Outline: bridge").click();
    window.run_steps(3);
    assert!((breadth(&window) - before).abs() < 0.01);
}

#[test]
fn a_moved_border_stays_and_the_standard_layout_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let home =
        Home { preferences: folder.path().join("preferences.ron"), recovery: folder.path().join("recovery") };
    let mut window = open_at_home(None, Some(&home));
    let left = |window: &Window| window.state().canvas().0.min.x;
    let before = left(&window);
    // The border lies just left of the ruler.
    let border = pos2(before - 37.0, 300.0);
    window.hover_at(border);
    window.run_steps(2);
    button(&window, border, PointerButton::Primary, true);
    window.step();
    for part in [20.0, 60.0, 100.0] {
        window.hover_at(border + vec2(part, 0.0));
        window.step();
    }
    button(&window, border + vec2(100.0, 0.0), PointerButton::Primary, false);
    window.run_steps(3);
    let after = left(&window);
    assert!((after - before - 100.0).abs() < 4.0, "{before} {after}");
    drop(window);
    let mut window = open_at_home(None, Some(&home));
    assert!((left(&window) - after).abs() < 2.0, "it is where it was");
    perform(&mut window, Action::ResetLayout);
    assert!((left(&window) - before).abs() < 2.0);
}

#[test]
fn a_layout_that_is_kept_is_read_and_one_with_a_fault_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let home =
        Home { preferences: folder.path().join("preferences.ron"), recovery: folder.path().join("recovery") };
    // The outline on the right of the canvas, everything else in tabs.
    let tabs = [Pane::Properties, Pane::Issues, Pane::Bake, Pane::History].map(Layout::Panel).to_vec();
    let layout = Layout::Row(vec![
        (1.0, Layout::Tabs { panels: tabs, active: 2 }),
        (3.0, Layout::Panel(Pane::Canvas)),
        (1.0, Layout::Panel(Pane::Outline)),
    ]);
    Preferences { layout: Some(layout), ..Preferences::default() }.save(&home.preferences).unwrap();
    let mut window = open_at_home(None, Some(&home));
    let canvas = window.state().canvas().0;
    assert!(window.get_by_label("Filter outline").rect().min.x > canvas.max.x);
    window.get_by_role_and_label(Role::Button, "Bake now");
    assert!(window.query_by_label("Add agent class").is_none(), "behind the tab of the bake");
    window.get_by_role_and_label(Role::Button, "Properties").click();
    window.run_steps(3);
    window.get_by_label("Add agent class");
    let read = Preferences::load(&home.preferences).0.layout.unwrap();
    // It is older than the 3D view, which stands beside the canvas.
    let Layout::Row(parts) = &read else { panic!("{read:?}") };
    assert_eq!(parts.len(), 3, "{read:?}");
    let beside = Layout::Tabs { panels: vec![Layout::Panel(Pane::View3d)], active: 0 };
    assert!(matches!(&parts[1].1, Layout::Row(views) if views[1].1 == beside), "{read:?}");
    for wrong in [
        Layout::Panel(Pane::Outline),
        Layout::Row(Vec::new()),
        Layout::Row(vec![(f32::NAN, standard()), (1.0, standard())]),
        Layout::Tabs { panels: vec![Layout::Panel(Pane::Canvas); 6], active: 9 },
    ] {
        let tree = wrong.tree();
        assert_eq!(Layout::of(&tree), Some(standard()), "{wrong:?}");
    }
}

#[test]
fn a_click_in_the_history_goes_to_that_step() {
    let mut window = open();
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    for _ in 0..3 {
        ctrl(&mut window, Key::D);
    }
    let count = |window: &Window| window.state().state.document().areas.len();
    let full = count(&window);
    window.get_by_role_and_label(Role::Button, "History").click();
    window.run_steps(3);
    window.get_by_role_and_label(Role::Button, "Step 1: Duplicate meadow").click();
    window.run_steps(3);
    assert_eq!(count(&window), full - 2);
    window.get_by_label_contains("Step 3: Duplicate meadow").click();
    window.run_steps(3);
    assert_eq!(count(&window), full);
    window.get_by_role_and_label(Role::Button, "Step 0: Opened").click();
    window.run_steps(3);
    assert!(!window.state().state.edited());
}

#[test]
fn a_map_that_is_seen_whole_is_so_in_a_smaller_canvas_too_unless_one_has_moved() {
    let mut window = open();
    let is_whole = |window: &Window| {
        let canvas = window.state().canvas().0;
        let areas = &window.state().state.document().areas;
        let mut points = areas.iter().flat_map(|area| &area.points);
        points.all(|&point| canvas.contains(super::drive::pixel(window, point)))
    };
    assert!(is_whole(&window));
    key(&mut window, Key::F3);
    window.run_steps(3);
    assert_eq!(window.state().state.shown.views, navwright::editor::state::Seen::Split);
    assert!(is_whole(&window));
    window.state_mut().state.camera.scale *= 1.01;
    let moved = window.state().state.camera;
    key(&mut window, Key::F3);
    key(&mut window, Key::F3);
    window.run_steps(3);
    assert_eq!(window.state().state.camera, moved, "where one has gone one stays");
}
