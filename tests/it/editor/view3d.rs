//! The 3D view: its eye and rays as numbers, and its mouse on the window without a device.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Role, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::canvas::pick::Item;
use navwright::editor::gpu::Gpu;
use navwright::editor::state::Seen;
use navwright::editor::view3d::camera::{Lens, Orbit};
use navwright::editor::view3d::levels::{Pull, Stack, lifts};
use navwright::editor::view3d::pick::nearest;
use navwright::editor::view3d::scene::floor_height;
use navwright::editor::view3d::solid::Thing;
use navwright::editor::view3d::space::{Ray, Vec3, add, cross, dot, length, scale, sub, unit};
use navwright::query::{PathScratch, PathStatus};
use proptest::prelude::*;

use super::drive::{Window, button, key, open, open_file, settle, wait};

const RECT: Rect = Rect { min: pos2(10.0, 20.0), max: pos2(810.0, 620.0) };

fn eyes() -> impl Strategy<Value = Orbit> {
    let place = -2000.0..2000.0_f64;
    ([place.clone(), -50.0..50.0, place], 0.5..3000.0_f64, 0.0..6.3_f64, -1.55..1.57_f64)
        .prop_map(|(target, distance, yaw, pitch)| Orbit { target, distance, yaw, pitch })
}

fn pixels() -> impl Strategy<Value = [f64; 2]> {
    [10.0..810.0_f64, 20.0..620.0_f64]
}

/// How far a place lies beside a ray.
fn beside(ray: &Ray, place: Vec3) -> f64 {
    length(cross(ray.along, sub(place, ray.from)))
}

proptest! {
    #[test]
    fn a_pixel_s_ray_passes_through_what_is_seen_there(eye in eyes(), pixel in pixels(), away in 0.01..100.0_f64) {
        let lens = eye.lens(RECT);
        let place = lens.ray(pixel).at(away * eye.distance);
        prop_assume!(lens.depth(place) > lens.near);
        let seen = lens.pixel(place).unwrap();
        prop_assert!((seen[0] - pixel[0]).hypot(seen[1] - pixel[1]) < 1e-5, "{seen:?} {pixel:?}");
        // And the other way round: from a place to its pixel to the ray through it.
        prop_assert!(beside(&lens.ray(seen), place) < 1e-7 * (1.0 + eye.distance * away + 2000.0));
    }

    #[test]
    fn the_axes_of_an_eye_are_square_to_each_other_and_not_mirrored(eye in eyes()) {
        let Lens { right, up, forward, .. } = eye.lens(RECT);
        for (a, b) in [(right, up), (up, forward), (forward, right)] {
            prop_assert!(dot(a, b).abs() < 1e-12);
        }
        // Seen from above x runs to the right and z up, as on the canvas: forward (down) is up x right there.
        prop_assert!(length(sub(cross(forward, right), up)) < 1e-12);
        prop_assert!(up[1] >= -1e-12, "heads are up");
    }

    #[test]
    fn zooming_keeps_what_is_under_the_mouse(eye in eyes(), pixel in pixels(), away in 0.2..3.0_f64, factor in 0.3..3.0_f64) {
        let place = eye.lens(RECT).ray(pixel).at(away * eye.distance);
        let mut nearer = eye;
        nearer.zoom(factor, place);
        let seen = nearer.lens(RECT).pixel(place);
        prop_assume!(seen.is_some());
        let seen = seen.unwrap();
        prop_assert!((seen[0] - pixel[0]).hypot(seen[1] - pixel[1]) < 1e-4, "{seen:?} {pixel:?}");
    }

    #[test]
    fn panning_keeps_what_is_in_hand(eye in eyes(), from in pixels(), to in pixels(), away in 0.2..3.0_f64) {
        let lens = eye.lens(RECT);
        let place = lens.ray(from).at(away * eye.distance);
        prop_assume!(lens.depth(place) > lens.near);
        let mut moved = eye;
        let delta = vec2((to[0] - from[0]) as f32, (to[1] - from[1]) as f32);
        moved.pan(delta, lens.depth(place), &lens);
        let seen = moved.lens(RECT).pixel(place).unwrap();
        prop_assert!((seen[0] - to[0]).hypot(seen[1] - to[1]) < 1e-2, "{seen:?} {to:?}");
    }

    #[test]
    fn a_framed_box_is_seen_whole_and_fills_the_picture(eye in eyes(), low in [-500.0..500.0_f64, -20.0..20.0, -500.0..500.0], size in [0.0..300.0_f64, 0.0..30.0, 0.0..300.0]) {
        let high = add(low, size);
        let mut framed = eye;
        framed.frame(low, high, RECT);
        let lens = framed.lens(RECT);
        let inner = RECT.shrink(20.0);
        let mut widest = 0.0_f64;
        for corner in 0..8 {
            let place = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] });
            let [x, y] = lens.pixel(place).unwrap();
            prop_assert!(inner.contains(pos2(x as f32, y as f32)), "{place:?} at {x}, {y}");
            widest = widest.max((x - 410.0).abs() / 380.0).max((y - 320.0).abs() / 280.0);
        }
        // Some corner lies near the rim, but for boxes so small that one would bump into them.
        prop_assert!(widest > 0.9 || framed.distance <= 3.0, "{widest}");
    }

    #[test]
    fn a_ray_meets_a_triangle_as_by_the_sides_of_its_edges(corners in [[-5.0..5.0_f64, -5.0..5.0, -5.0..5.0], [-5.0..5.0, -5.0..5.0, -5.0..5.0], [-5.0..5.0, -5.0..5.0, -5.0..5.0]], from in [-9.0..9.0_f64, -9.0..9.0, -9.0..9.0], to in [-4.0..4.0_f64, -4.0..4.0, -4.0..4.0]) {
        let ray = Ray { from, along: unit(sub(to, from)) };
        let (expected, margin) = by_volumes(&ray, corners);
        prop_assume!(margin > 1e-7);
        match (ray.triangle(corners), expected) {
            (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-6 * (1.0 + expected), "{found} {expected}"),
            (found, expected) => prop_assert_eq!(found, expected),
        }
    }

    #[test]
    fn pulled_apart_levels_keep_their_order_and_their_gaps_grow(heights in proptest::collection::vec(-20.0..20.0_f64, 1..8), explode in 0.0..4.0_f64) {
        let floors: Vec<(i8, f64)> = (-2_i8..).zip(heights).collect();
        let lifted = lifts(&floors, explode);
        prop_assert_eq!(lifted.len(), floors.len());
        let height = |level: i8| floors.iter().find(|(number, _)| *number == level).unwrap().1;
        let fixed = if floors.iter().any(|(level, _)| *level == 0) { 0 } else { lifted[0].0 };
        prop_assert_eq!(lifted.iter().find(|(level, _)| *level == fixed).unwrap().1, 0.0);
        for pair in lifted.windows(2) {
            let gap = height(pair[1].0) - height(pair[0].0);
            prop_assert!(gap >= 0.0, "in the order of their heights");
            let shown = gap + pair[1].1 - pair[0].1;
            prop_assert!(shown >= gap * (1.0 + explode) - 1e-9, "{shown} {gap}");
            prop_assert!(explode > 0.0 || shown == gap);
        }
    }
}

/// Where a ray meets a triangle, by the signs of the volumes that it spans with the edges, and the plane's equation; and
/// how far from undecided that is.
fn by_volumes(ray: &Ray, [a, b, c]: [Vec3; 3]) -> (Option<f64>, f64) {
    let volume = |p: Vec3, q: Vec3| dot(ray.along, cross(sub(p, ray.from), sub(q, ray.from)));
    let sides = [volume(a, b), volume(b, c), volume(c, a)];
    let normal = cross(sub(b, a), sub(c, a));
    let distance = dot(normal, sub(a, ray.from)) / dot(normal, ray.along);
    let margin = sides.iter().map(|side| side.abs()).fold(f64::INFINITY, f64::min).min(distance.abs());
    let same = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
    ((same && distance > 0.0).then_some(distance), margin)
}

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
    // A link by its arc.
    let link = document.links[0].clone();
    let scratch = &mut PathScratch::default();
    let jump = navwright::editor::view3d::scene::jump_of(&window.state().state, &link, scratch);
    let top = jump.arc()[9];
    let at = seen_at(&window, top, jump.level(9));
    click_at(&mut window, at, PointerButton::Primary);
    assert_eq!(window.state().state.selection.only(), Some(Item::Link(link.id)));
}

#[test]
fn what_is_nearest_under_the_mouse_is_what_all_triangles_say() {
    let mut window = open();
    open_3d(&mut window);
    for (explode, clip, level) in [(0.0, false, 0), (1.5, false, 0), (0.0, true, 0), (4.0, true, 1)] {
        window.state_mut().view3d.pull = Pull { explode, clip };
        window.state_mut().state.level = level;
        window.run_steps(3);
        let app = window.state();
        let stack = Stack::of(&app.state, app.view3d.pull);
        let mut random = crate::support::Random(7);
        let (eye, mut met) = (app.view3d.eye(), 0);
        for _ in 0..400 {
            let place = [random.unit() * 62.0, random.unit() * 8.0 - 3.0, random.unit() * 40.0];
            let far = [random.unit() - 0.5, random.unit() - 0.3, random.unit() - 0.5];
            let from = add(eye.eye(), scale(far, 30.0));
            let ray = Ray { from, along: unit(sub(place, from)) };
            let found = nearest(&app.view3d.scene, &stack, &ray, app.state.level, &|_| true);
            let mut best = f64::INFINITY;
            for (_, solid) in app.view3d.scene.solids() {
                for (corners, level, _) in solid.triangles() {
                    let shown = corners.map(|corner| stack.shown_at(corner, level));
                    if let (Some(distance), _) = by_volumes(&ray, shown)
                        && stack.standing(level).shown
                    {
                        best = best.min(distance);
                    }
                }
            }
            met += usize::from(best.is_finite());
            match found {
                Some(hit) => assert!((hit.distance - best).abs() < 1e-4, "{} {best}", hit.distance),
                None => assert_eq!(best, f64::INFINITY),
            }
        }
        assert!(met > 100, "only {met} rays met something");
    }
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
    assert_eq!(window.state().view3d.pull, Pull { explode: 0.5, clip: true });
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
fn an_idle_view_makes_nothing_anew_and_a_change_only_what_it_touches() {
    let mut window = open();
    open_3d(&mut window);
    settle(&mut window);
    window.run_steps(5);
    let made = |window: &Window| window.state().view3d.scene.made;
    let before = made(&window);
    let middle = rect(&window).center();
    window.hover_at(middle);
    window.run_steps(3);
    drag(&mut window, middle, middle + vec2(60.0, 20.0), PointerButton::Secondary);
    window.state_mut().view3d.pull.explode = 2.0;
    window.run_steps(3);
    window.state_mut().view3d.pull.clip = true;
    window.run_steps(3);
    assert_eq!(made(&window), before, "eye, levels apart and the cut are numbers, no new solids");
    let tiles = window.state().state.bake.shown.as_ref().unwrap().counts.tiles;
    key(&mut window, Key::Num7);
    window.run_steps(3);
    assert_eq!(made(&window) - before, tiles, "islands colour tiles and nothing else");
}

#[test]
fn every_polygon_of_the_mesh_is_in_the_picture_at_its_height() {
    let mut window = open();
    open_3d(&mut window);
    settle(&mut window);
    window.run_steps(3);
    let app = window.state();
    let baked = app.state.bake.shown.as_ref().unwrap();
    let mut seen = std::collections::BTreeMap::new();
    for (_, solid) in app.view3d.scene.solids() {
        for (corners, level, thing) in solid.triangles() {
            let Thing::Polygon(slot, index) = thing else { continue };
            let [a, b, c] = corners;
            // Its size seen from above; sides of plates have none.
            let twice = ((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])).abs();
            *seen.entry((slot, index)).or_insert(0.0) += 0.5 * twice;
            let (_, tile) = baked.mesh.mesh.tiles().find(|(tile, _)| tile.slot() == slot).unwrap();
            assert_eq!(tile.polygons[index as usize].level(), level);
        }
    }
    let total: f64 = seen.values().sum();
    let counted: f64 = baked.counts.area.values().sum();
    assert_eq!(seen.len(), baked.counts.polygons);
    assert!((total - counted).abs() < 1e-3 * counted, "{total} {counted}");
}

/// The hall with its imported geometry, all of it in the picture.
pub(super) fn open_hall() -> Window {
    let mut window = open_file(Some(crate::support::root().join("assets/hall.nav.ron")));
    open_3d(&mut window);
    wait(&mut window, "the geometry", |app| {
        app.view3d
            .scene
            .solids()
            .any(|(_, solid)| solid.triangles().any(|(_, _, thing)| matches!(thing, Thing::Geometry(_))))
    });
    window.run_steps(10);
    window
}

#[test]
fn imported_geometry_stands_in_the_picture_with_all_its_triangles_and_is_picked() {
    let mut window = open_hall();
    let app = window.state();
    let loaded = app.state.geometry.items[0].clone();
    let mut wanted: Vec<[[i64; 3]; 3]> = Vec::new();
    let rounded = |corners: [Vec3; 3]| corners.map(|corner| corner.map(|value| (value * 1e3).round() as i64));
    for mesh in loaded.meshes.iter() {
        wanted.extend(
            mesh.triangles
                .iter()
                .map(|triangle| rounded(triangle.map(|index| mesh.vertices[index as usize]))),
        );
    }
    let solids = app.view3d.scene.solids();
    let triangles = solids.flat_map(|(_, solid)| solid.triangles().collect::<Vec<_>>());
    let mut found: Vec<[[i64; 3]; 3]> = triangles
        .filter(|(_, _, thing)| *thing == Thing::Geometry(loaded.item.id))
        .map(|(corners, ..)| rounded(corners))
        .collect();
    wanted.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, wanted);
    window.get_by_label_contains("3D: hall.obj (geometry");
    // A click where nothing is drawn picks it; it has no level of its own to go to.
    let at = seen_at(&window, [2.0, 0.0, 2.0], 0);
    click_at(&mut window, at, PointerButton::Primary);
    let state = &window.state().state;
    assert_eq!(state.selection.only(), Some(Item::Geometry(loaded.item.id)));
    assert_eq!(state.level, 0);
    // Selected it is dragged on the plane where it was taken, and the picture goes along without being made anew.
    let before = loaded.item.offset;
    let made: Vec<[f64; 3]> = origins(&window);
    let to = seen_at(&window, [3.0, 0.0, 2.0], 0);
    drag(&mut window, at, to, PointerButton::Primary);
    let state = &window.state().state;
    assert_eq!(state.history.past().count(), 1);
    let now = state.document().geometry[0].offset;
    assert!((now[0] - before[0] - 1.0).abs() < 0.11 && now[1] == before[1], "{now:?}");
    wait(&mut window, "the geometry", |app| app.state.geometry_is_current());
    let moved = now[0] - before[0];
    let expected: Vec<[f64; 3]> =
        made.iter().map(|[x, y, z]| [x + moved, *y, z + now[2] - before[2]]).collect();
    assert_eq!(origins(&window), expected);
}

/// Where the pieces of geometry lie.
fn origins(window: &Window) -> Vec<[f64; 3]> {
    let solids = window.state().view3d.scene.solids();
    let pieces = solids.filter(|(key, _)| matches!(key, navwright::editor::view3d::solid::Key::Geometry(..)));
    pieces.map(|(_, solid)| solid.origin).collect()
}

#[test]
fn the_cut_hides_geometry_over_the_head_of_who_stands_on_the_level() {
    let mut window = open_hall();
    let highest = |window: &Window| {
        let app = window.state();
        let stack = Stack::of(&app.state, app.view3d.pull);
        let down = |place: [f64; 2]| Ray { from: [place[0], 50.0, place[1]], along: [0.0, -1.0, 0.0] };
        let mut random = crate::support::Random(3);
        let mut most = f64::NEG_INFINITY;
        for _ in 0..400 {
            let place = [random.unit() * 30.0, random.unit() * 20.0];
            let hit = nearest(&app.view3d.scene, &stack, &down(place), 0, &|_| true);
            most = most.max(hit.map_or(f64::NEG_INFINITY, |hit| hit.shown[1]));
        }
        most
    };
    let whole = highest(&window);
    assert!(whole > 2.5, "the gallery: {whole}");
    window.get_by_role_and_label(Role::Button, "Cut above the level").click();
    window.run_steps(3);
    let limit = window.state().view3d.scene.stack().unwrap().clip_height;
    assert!(highest(&window) <= limit && limit < whole, "{limit}");
}

/// When levels are pulled apart, geometry goes with its level, and so stays under what is baked and drawn on that; what is
/// aimed at there is told at its own height.
#[test]
fn pulled_apart_geometry_goes_with_its_level() {
    let mut window = open_hall();
    let on_level = |window: &mut Window, level: i8| {
        let item = (**window.state().state.document().geometry.first().unwrap()).clone();
        let item = navwright::project::Geometry { level, ..item };
        let command = navwright::project::Command::SetGeometry(item);
        assert!(window.state_mut().state.commit("Lay", &command));
        window.run_steps(3);
    };
    let down = Ray { from: [21.0, 90.0, 18.0], along: [0.0, -1.0, 0.0] };
    let hit = |window: &Window, wanted: &dyn Fn(Thing) -> bool| {
        let scene = &window.state().view3d.scene;
        nearest(scene, scene.stack().unwrap(), &down, 0, wanted).unwrap()
    };
    let is_geometry = |thing| matches!(thing, Thing::Geometry(_));
    let is_mesh = |thing| matches!(thing, Thing::Polygon(..));
    let together = hit(&window, &is_geometry).shown[1];
    // The hall's levels are 3.2 apart: that grows by twice itself.
    for (level, lift) in [(0, 0.0), (1, 6.4), (0, 0.0)] {
        on_level(&mut window, level);
        window.state_mut().view3d.pull.explode = 2.0;
        settle(&mut window);
        window.run_steps(3);
        let found = hit(&window, &is_geometry);
        assert!((found.shown[1] - together - lift).abs() < 1e-5, "{found:?} for {level}");
        assert!((found.lifted - lift).abs() < 1e-9, "{found:?}");
        // What was baked on it lies on it still.
        let floor = hit(&window, &is_mesh);
        assert!((floor.shown[1] - found.shown[1]).abs() < 0.5, "{floor:?} {found:?}");
        // And together again all is where it was.
        window.state_mut().view3d.pull.explode = 0.0;
        window.run_steps(3);
        assert!((hit(&window, &is_geometry).shown[1] - together).abs() < 1e-9);
    }
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
fn stages_stand_as_voxels_and_a_flat_one_lies_on_its_level() {
    use navwright::bake::voxel::FloorState;
    let mut window = open_hall();
    wait(&mut window, "the voxel bake", |app| app.state.fresh());
    key(&mut window, Key::Num8);
    wait(&mut window, "the stages", |app| !app.state.stage.voxels.is_empty());
    let names: Vec<&str> = window.state().state.stage.stages.iter().map(|stage| stage.name).collect();
    let boxes = |window: &Window| -> usize {
        window.state().view3d.scene.solids().map(|(_, solid)| solid.voxel_count()).sum()
    };
    let expected = |window: &Window, wanted: &dyn Fn(FloorState) -> bool| -> usize {
        let tiles = window.state().state.stage.voxels.clone();
        let inside = |x: i32, side: i32| 0 <= x && x < side;
        let count = |tile: &navwright::bake::voxel::TileStages| {
            let floors = tile.floors.iter().filter(|floor| wanted(floor.state));
            floors.filter(|floor| inside(floor.x, tile.side) && inside(floor.z, tile.side)).count()
        };
        tiles.iter().map(count).sum()
    };
    for (name, state) in [("eroded", FloorState::NearEdge), ("ledges", FloorState::Ledge)] {
        let stage = &mut window.state_mut().state.stage;
        stage.index = names.iter().position(|other| *other == name).unwrap();
        stage.difference = false;
        window.run_steps(3);
        let all = expected(&window, &|_| true);
        assert!(all > 100);
        assert_eq!(boxes(&window), all, "{name}: a box for each solid stretch");
        window.state_mut().state.stage.difference = true;
        window.run_steps(3);
        assert_eq!(boxes(&window), expected(&window, &|found| found == state), "{name}: what it took away");
    }
    // Stages after the voxels show the mesh again.
    window.state_mut().state.stage.index = names.iter().position(|other| *other == "polygons").unwrap();
    window.run_steps(3);
    assert_eq!(boxes(&window), 0);
    let polygons = |window: &Window| {
        let solids = window.state().view3d.scene.solids().map(|(_, solid)| solid.clone());
        let things =
            solids.flat_map(|solid| solid.triangles().map(|(_, _, thing)| thing).collect::<Vec<_>>());
        things.filter(|thing| matches!(thing, Thing::Polygon(..))).count()
    };
    assert!(polygons(&window) > 10);
    key(&mut window, Key::Num8);
    window.run_steps(3);
    assert!(polygons(&window) > 10 && boxes(&window) == 0);
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
