//! The 3D view in the window, without a device: its mouse and its keys.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Role, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::canvas::pick::Item;
use navwright::editor::gpu::Gpu;
use navwright::editor::state::Seen;
use navwright::editor::view3d::levels::Pull;
use navwright::editor::view3d::scene::floor_height;
use navwright::editor::view3d::space::{Vec3, dot, sub};
use navwright::query::{PathScratch, PathStatus};

use super::drive::{Window, button, key, open, open_file, settle};

/// A window that shows the 3D view as if there were a device: nothing is drawn, everything else happens.
pub(super) fn open_3d(window: &mut Window) {
    window.state_mut().use_gpu(Gpu::Buffers);
    key(window, Key::F3);
    key(window, Key::F3);
    window.run_steps(20);
    assert_eq!(window.state().state.shown.views, Seen::Solid);
}

pub(super) fn rect(window: &Window) -> Rect {
    window.state().view3d.rect.expect("the 3D view is shown")
}

/// Where a place of a level's floor is seen.
fn seen(window: &Window, place: [f64; 2], level: i8) -> Pos2 {
    let app = window.state();
    let height = floor_height(&app.state, place, level, &mut PathScratch::default());
    seen_at(window, [place[0], height, place[1]], level)
}

pub(super) fn seen_at(window: &Window, place: Vec3, level: i8) -> Pos2 {
    let app = window.state();
    let shown = app.view3d.scene.stack().unwrap().shown_at(place, level);
    let [x, y] = app.view3d.eye().lens(rect(window)).pixel(shown).unwrap();
    let at = pos2(x as f32, y as f32);
    assert!(rect(window).contains(at), "{place:?} is seen at {at:?}");
    at
}

pub(super) fn click_at(window: &mut Window, at: Pos2, which: PointerButton) {
    window.hover_at(at);
    window.step();
    button(window, at, which, true);
    window.step();
    button(window, at, which, false);
    window.run_steps(2);
}

fn click(window: &mut Window, place: [f64; 2], level: i8) {
    let at = seen(window, place, level);
    click_at(window, at, PointerButton::Primary);
}

pub(super) fn drag(window: &mut Window, from: Pos2, to: Pos2, which: PointerButton) {
    window.hover_at(from);
    window.step();
    button(window, from, which, true);
    window.step();
    for part in [0.3, 0.6, 1.0] {
        window.hover_at(from + (to - from) * part);
        window.step();
    }
    button(window, to, which, false);
    window.run_steps(2);
}

#[test]
fn without_a_device_the_panel_says_so_and_the_canvas_works() {
    let mut window = open();
    assert!(window.query_by_label_contains("No 3D view here").is_none());
    key(&mut window, Key::F3);
    assert_eq!(window.state().state.shown.views, Seen::Split);
    window.get_by_label("No 3D view here");
    window.get_by_role_and_label(Role::Canvas, "Canvas, level 0");
    super::drive::click(&mut window, [30.0, 4.5]);
    assert_eq!(window.state().state.selection.len(), 1, "the canvas picks as before");
    key(&mut window, Key::F3);
    assert_eq!(window.state().state.shown.views, Seen::Solid);
    assert!(window.query_by_role_and_label(Role::Canvas, "Canvas, level 0").is_none());
    window.get_by_label("No 3D view here");
    // Undo, levels and the like need no picture.
    key(&mut window, Key::PageUp);
    assert_eq!(window.state().state.level, 1);
    key(&mut window, Key::F3);
    assert_eq!(window.state().state.shown.views, Seen::Flat);
    assert!(window.query_by_label_contains("No 3D view here").is_none());
}

#[test]
fn a_click_picks_what_a_click_on_the_canvas_picks_and_goes_to_its_level() {
    let mut window = open();
    let document = window.state().state.document().clone();
    let named = |name: &str| document.areas.iter().find(|area| area.name == name).unwrap().clone();
    open_3d(&mut window);
    let bridge = named("bridge");
    let middle = [0, 1]
        .map(|axis| bridge.points.iter().map(|point| point[axis]).sum::<f64>() / bridge.points.len() as f64);
    click(&mut window, middle, 1);
    let state = &window.state().state;
    assert_eq!(state.selection.only(), Some(Item::Area(bridge.id)));
    assert_eq!(state.level, 1, "its level is the current one now");
    // A corner of it: the point is picked.
    let at = seen(&window, bridge.points[0], 1);
    click_at(&mut window, at, PointerButton::Primary);
    let state = &window.state().state;
    let (area, index) = state.selection.selected_point().expect("a point is picked");
    let picked = document.area(area).unwrap().points[index];
    assert_eq!(picked, bridge.points[0]);
    // A link.
    let link = document.links[0].clone();
    let scratch = &mut PathScratch::default();
    let jump = navwright::editor::view3d::scene::jump_of(&window.state().state, &link, scratch);
    // By its arc, where no corner of an area is nearer.
    let arc = jump.arc().into_iter().enumerate().skip(5).take(11);
    let picked = arc.filter(|(step, at)| {
        let at = seen_at(&window, *at, jump.level(*step));
        click_at(&mut window, at, PointerButton::Primary);
        window.state().state.selection.only() == Some(Item::Link(link.id))
    });
    assert!(picked.count() >= 3);
}

#[test]
fn an_area_is_drawn_on_the_plane_of_the_current_level() {
    let mut window = open();
    open_3d(&mut window);
    key(&mut window, Key::PageUp);
    key(&mut window, Key::W);
    // Nothing but the plane says where points go.
    window.state_mut().state.snap.join = false;
    let elevation = window.state().state.document().elevation(1);
    let corners = [[26.0, 10.0], [30.0, 10.0], [30.0, 14.0]];
    for [x, z] in corners.into_iter().chain([corners[0]]) {
        let at = seen_at(&window, [x, elevation, z], 1);
        click_at(&mut window, at, PointerButton::Primary);
    }
    let state = &window.state().state;
    let area = state.selection.areas(state.document()).next().expect("it is closed and selected").clone();
    assert_eq!((area.level, area.points.len()), (1, 3));
    for (point, wanted) in area.points.iter().zip(corners) {
        assert!((point[0] - wanted[0]).abs() < 0.11 && (point[1] - wanted[1]).abs() < 0.11, "{point:?}");
    }
    assert_eq!(state.history.past().count(), 1, "one undo step");
}

#[test]
fn a_point_is_dragged_on_its_level_and_the_drag_is_one_step() {
    let mut window = open();
    open_3d(&mut window);
    let document = window.state().state.document().clone();
    let area = document.areas.iter().find(|area| area.name == "lookout").unwrap().clone();
    let elevation = document.elevation(area.level);
    let [x, z] = area.points[0];
    let from = seen_at(&window, [x, elevation, z], area.level);
    let to = seen_at(&window, [x - 1.0, elevation, z + 1.0], area.level);
    drag(&mut window, from, to, PointerButton::Primary);
    let state = &window.state().state;
    assert_eq!(state.history.past().count(), 1);
    assert_eq!(state.level, area.level);
    let moved = state.document().areas.iter().filter(|now| document.area(now.id).unwrap() != *now);
    let moved: Vec<_> = moved.collect();
    let before = document.area(moved[0].id).unwrap();
    let index = (0..before.points.len()).find(|&at| before.points[at] != moved[0].points[at]).unwrap();
    assert_eq!(before.points[index], [x, z], "the point under the mouse");
    let [now_x, now_z] = moved[0].points[index];
    assert!((now_x - (x - 1.0)).abs() < 0.11 && (now_z - (z + 1.0)).abs() < 0.11, "{now_x}, {now_z}");
}

#[test]
fn test_clicks_take_the_level_of_the_floor_they_meet() {
    let mut window = open();
    open_3d(&mut window);
    key(&mut window, Key::T);
    settle(&mut window);
    window.run_steps(3);
    click(&mut window, [13.0, 12.0], 0);
    click(&mut window, [40.0, 24.0], 1);
    let state = &window.state().state;
    assert_eq!(state.level, 0, "looking at another floor is not going there");
    assert_eq!(state.tools.test.start.map(|marker| marker.level), Some(0));
    assert_eq!(state.tools.test.end.map(|marker| marker.level), Some(1));
    let path = state.path.as_ref().expect("there is an answer");
    assert_eq!(path.status, PathStatus::Complete);
    let ends = [path.points.first(), path.points.last()].map(|point| point.unwrap().level);
    assert_eq!(ends, [0, 1]);
}

#[test]
fn link_ends_take_the_level_of_the_floor_under_the_mouse() {
    let mut window = open();
    open_3d(&mut window);
    let before = window.state().state.document().links.len();
    key(&mut window, Key::K);
    click(&mut window, [40.0, 26.0], 1);
    click(&mut window, [50.0, 8.0], 0);
    let state = &window.state().state;
    assert_eq!(state.document().links.len(), before + 1);
    let link = state.selection.links(state.document()).next().expect("the new link is selected");
    assert_eq!((link.start_level, link.end_level), (1, 0));
    assert!((link.start[0] - 40.0).abs() < 0.11 && (link.end[1] - 8.0).abs() < 0.11, "{link:?}");
}

#[test]
fn buttons_and_wheel_move_the_eye_and_letters_fly_while_the_right_one_is_held() {
    let mut window = open();
    open_3d(&mut window);
    let middle = rect(&window).center();
    let start = window.state().view3d.eye();
    drag(&mut window, middle, middle + vec2(90.0, -40.0), PointerButton::Secondary);
    let turned = window.state().view3d.eye();
    assert!(turned.yaw != start.yaw && turned.pitch < start.pitch && turned.target == start.target);
    drag(&mut window, middle, middle + vec2(50.0, 30.0), PointerButton::Middle);
    let panned = window.state().view3d.eye();
    assert!(panned.target != turned.target && panned.yaw == turned.yaw);
    let unit = egui::MouseWheelUnit::Line;
    let wheel = Event::MouseWheel {
        unit,
        delta: vec2(0.0, 3.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    window.hover_at(middle);
    window.step();
    window.event(wheel);
    window.run_steps(2);
    let near = window.state().view3d.eye();
    assert!((near.distance / panned.distance - 1.18_f64.powi(-3)).abs() < 1e-9);
    // W flies forward, and is no tool while the button is held.
    button(&window, middle, PointerButton::Secondary, true);
    window.step();
    window.key_down(Key::W);
    window.run_steps(4);
    window.key_up(Key::W);
    button(&window, middle, PointerButton::Secondary, false);
    window.run_steps(2);
    let flown = window.state().view3d.eye();
    assert!(dot(sub(flown.target, near.target), near.forward()) > 0.0);
    assert_eq!(window.state().state.tools.kind(), navwright::editor::tools::ToolKind::Select);
    // By keys alone, then back.
    window.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    window.run_steps(20);
    assert!(window.state().view3d.eye().yaw != flown.yaw);
    window.key_press_modifiers(Modifiers::ALT, Key::Plus);
    window.key_press_modifiers(Modifiers::ALT, Key::Plus);
    window.key_press_modifiers(Modifiers::ALT, Key::Minus);
    window.key_press_modifiers(Modifiers::SHIFT, Key::O);
    window.run_steps(3);
    assert_eq!(window.state().view3d.pull, Pull { explode: 0.5, clip: true, ..Pull::default() });
    window.key_press_modifiers(Modifiers::SHIFT, Key::Home);
    window.run_steps(20);
    let back = window.state().view3d.eye();
    assert_eq!((back.yaw, back.pitch), (start.yaw, start.pitch));
    assert_eq!(window.state().view3d.pull, Pull::default());
}

#[test]
fn a_view_that_is_closed_with_a_button_down_keeps_no_letters() {
    let mut window = open();
    open_3d(&mut window);
    let middle = rect(&window).center();
    window.hover_at(middle);
    window.step();
    button(&window, middle, PointerButton::Secondary, true);
    window.step();
    assert!(window.state().view3d.flies());
    key(&mut window, Key::F3);
    assert!(!window.state().view3d.flies() && window.state().state.aim.is_none());
    button(&window, middle, PointerButton::Secondary, false);
    window.run_steps(2);
    key(&mut window, Key::W);
    assert_eq!(window.state().state.tools.kind(), navwright::editor::tools::ToolKind::Walk);
    // And back: nothing is in hand.
    key(&mut window, Key::Escape);
    key(&mut window, Key::F3);
    let eye = window.state().view3d.eye();
    window.hover_at(rect(&window).center() + vec2(30.0, 10.0));
    window.run_steps(3);
    assert_eq!((window.state().view3d.eye().yaw, window.state().view3d.flies()), (eye.yaw, false));
}

#[test]
fn a_right_click_is_the_tools_and_a_right_drag_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav");
    std::fs::write(&path, "nav walk 0 0 0 8 0 8 8 4 12 0 8\n").unwrap();
    let mut window = open_file(Some(path));
    open_3d(&mut window);
    let at = seen_at(&window, [4.0, 0.0, 12.0], 0);
    drag(&mut window, at, at + vec2(40.0, 0.0), PointerButton::Secondary);
    assert_eq!(window.state().state.document().areas[0].points.len(), 5);
    let at = seen_at(&window, [4.0, 0.0, 12.0], 0);
    click_at(&mut window, at, PointerButton::Secondary);
    assert_eq!(
        window.state().state.document().areas[0].points.len(),
        4,
        "a point is removed, as on the canvas"
    );
}

#[test]
fn the_view_is_chosen_in_the_menu_bar_and_says_what_it_shows() {
    let mut window = open();
    window.state_mut().use_gpu(Gpu::Buffers);
    window.get_by_role_and_label(Role::Button, "View Split").click();
    window.run_steps(10);
    assert_eq!(window.state().state.shown.views, Seen::Split);
    window.get_by_role_and_label(Role::Canvas, "Canvas, level 0");
    window.get_by_role_and_label(Role::Canvas, "3D view, level 0");
    // Areas of all levels are there for a screen reader.
    window.get_by_label("3D: lookout (walk area, level 3)");
    window.get_by_label("3D: meadow (walk area, level 0)");
    // The place under the mouse in the one is known to the other.
    let at = seen(&window, [30.0, 12.0], 0);
    window.hover_at(at);
    window.run_steps(2);
    let aim = window.state().state.aim.expect("the mouse is on the 3D view");
    // What a click would pick there is at most 9 points away.
    let near = (aim.place[0] - 30.0).hypot(aim.place[1] - 12.0);
    assert!(near < 25.0 * aim.pixel, "{aim:?}");
    assert_eq!(window.state().state.cursor, Some(aim.place));
    let flat = super::drive::pixel(&window, [20.0, 10.0]);
    window.hover_at(flat);
    window.run_steps(2);
    assert!(window.state().state.aim.is_none());
    let [x, z] = window.state().state.cursor.unwrap();
    assert!((x - 20.0).abs() < 0.1 && (z - 10.0).abs() < 0.1);
    window.get_by_role_and_label(Role::Button, "View 3D").click();
    window.run_steps(5);
    assert!(window.query_by_role_and_label(Role::Canvas, "Canvas, level 0").is_none());
    // What is framed on the canvas is framed here.
    window.get_by_label("Outline: lookout").click();
    window.run_steps(3);
    let far = window.state().view3d.eye().distance;
    key(&mut window, Key::F);
    assert!(window.state().view3d.eye().distance < 0.7 * far);
    key(&mut window, Key::Home);
    assert!((window.state().view3d.eye().distance / far - 1.0).abs() < 0.1);
}

#[test]
fn a_click_on_a_badge_goes_to_its_issue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.nav");
    // The outline crosses itself at (4, 4).
    std::fs::write(&path, "nav walk 0 0 0 8 8 8 0 0 8\n").unwrap();
    let mut window = open_file(Some(path));
    open_3d(&mut window);
    settle(&mut window);
    window.run_steps(3);
    let state = &window.state().state;
    let index = state.shown_issues()[0];
    let place = state.issues()[index].place;
    assert!(state.issue.is_none());
    let at = seen(&window, place, 0);
    click_at(&mut window, at, PointerButton::Primary);
    assert_eq!(window.state().state.issue, Some(index));
    // At rest it says what is wrong, with the fixes as buttons, which can be reached.
    window.hover_at(at + vec2(60.0, 60.0));
    window.run_steps(3);
    window.hover_at(at);
    window.run_steps(40);
    let view = window.state().view3d.rect.unwrap();
    let buttons = window.get_all_by_role_and_label(Role::Button, "Split here");
    let card = buttons.map(|node| node.rect().center()).find(|center| view.contains(*center)).unwrap();
    for share in [0.3, 0.7, 1.0] {
        window.hover_at(at + (card - at) * share);
        window.run_steps(2);
    }
    button(&window, card, PointerButton::Primary, true);
    window.step();
    button(&window, card, PointerButton::Primary, false);
    window.run_steps(3);
    settle(&mut window);
    let state = &window.state().state;
    assert_eq!(state.history.past().collect::<Vec<_>>(), ["Split here"]);
    assert_eq!(state.document().areas.len(), 2);
}
