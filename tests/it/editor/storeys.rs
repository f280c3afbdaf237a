//! Floors over each other in one file of geometry, seen in space: what is clicked is what is meant.

use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::{DiagnosticKind, Severity};
use navwright::editor::files::Next;
use navwright::editor::tools::Marker;

use super::drive::{Window, button, key, open_file, settle};
use super::view3d::{click_at, open_3d, seen_at};

/// A path between two markers, once the mesh is there.
fn length(window: &mut Window, ends: [Option<f64>; 2]) -> f64 {
    let marker = |place, height| Some(Marker { place, level: 0, y: height });
    let test = &mut window.state_mut().state.tools.test;
    (test.start, test.end) = (marker([15.6, 8.7], ends[0]), marker([20.0, 18.0], ends[1]));
    window.run_steps(3);
    window.state().state.path.as_ref().unwrap().length
}

#[test]
fn a_test_in_space_goes_to_the_floor_that_was_clicked_and_not_to_the_one_over_it() {
    let mut window = open_file(Some(crate::support::root().join("assets/hall.nav.ron")));
    key(&mut window, Key::T);
    settle(&mut window);
    // As `navwright path hall.onnm --xyz 15.6,0,8.7 20,0,18` says, and the same to 20,3.2,18 on the gallery.
    assert!((length(&mut window, [Some(0.2), Some(0.2)]) - 10.4).abs() < 0.1);
    let above = length(&mut window, [Some(0.2), Some(3.4)]);
    assert!(above > 20.0, "by the stairs: {above}");
}

/// A selected link is not drawn over the path that takes it.
#[test]
fn a_path_that_takes_a_link_is_told_from_one_that_does_not() {
    use navwright::editor::taken::takes;
    let mut window = open_file(Some(crate::support::root().join("assets/hall.nav.ron")));
    key(&mut window, Key::T);
    settle(&mut window);
    let mut taken = |ends: [([f64; 2], f64); 2]| {
        let marker = |(place, y): ([f64; 2], f64)| Some(Marker { place, level: 0, y: Some(y) });
        let test = &mut window.state_mut().state.tools.test;
        (test.start, test.end) = (marker(ends[0]), marker(ends[1]));
        window.run_steps(3);
        let state = &window.state().state;
        assert!(state.path_exists());
        takes(state, &state.document().links[0])
    };
    // From the gallery it is a leap down; it is one way, so up it is by the stairs.
    let (above, below) = (([24.0, 17.0], 3.4), ([24.0, 12.0], 0.2));
    assert!(taken([above, below]));
    assert!(!taken([below, above]));
    assert!(!taken([below, ([20.0, 6.0], 0.2)]));
}

#[test]
fn floors_on_one_level_are_not_faint_for_who_draws_on_another() {
    let mut window = open_file(Some(crate::support::root().join("assets/hall.nav.ron")));
    settle(&mut window);
    open_3d(&mut window);
    window.state_mut().state.level = 1;
    window.run_steps(3);
    let strength =
        |window: &Window, level| window.state().view3d.scene.stack().unwrap().standing(level).strength;
    assert_eq!((strength(&window, 0), strength(&window, 1)), (1.0, 1.0));
    // Where levels are drawn, the others are.
    let mut window = super::drive::open();
    open_3d(&mut window);
    assert!(strength(&window, 1) < 1.0 && strength(&window, 0) == 1.0);
}

#[test]
fn who_brings_a_level_along_is_not_told_to_draw_a_floor() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = super::geometry::project(folder.path());
    let told = |window: &Window| navwright::editor::hints::next(&window.ctx, &window.state().state).is_some();
    assert!(told(&window));
    super::geometry::import(&mut window, &folder.path().join("art/floor.obj"));
    assert!(!told(&window));
    // Nor who begins anew and then imports.
    super::drive::ctrl(&mut window, Key::N);
    window.state_mut().files.question = None;
    let app = window.state_mut();
    app.files.go_on_anyway(Next::New, &mut app.state, &egui::Context::default());
    window.run_steps(2);
    assert!(told(&window));
    super::geometry::import(&mut window, &folder.path().join("art/floor.obj"));
    assert!(!told(&window));
}

/// A floor at -2.2, and a smaller one over it at 8.4.
fn two_storeys(folder: &std::path::Path) -> Window {
    let plate = |y: f64, side: f64, from: u32| {
        let [a, b, c, d] = [from, from + 1, from + 2, from + 3];
        format!(
            "v 0 {y} 0\nv 0 {y} {side}\nv {side} {y} {side}\nv {side} {y} 0\nf {a} {b} {c}\nf {a} {c} {d}\n"
        )
    };
    let mut window = super::geometry::project(folder);
    let art = folder.join("art/storeys.obj");
    std::fs::write(&art, plate(-2.2, 24.0, 1) + &plate(8.4, 10.0, 5)).unwrap();
    super::geometry::import(&mut window, &art);
    settle(&mut window);
    window
}

/// World y of the floors at a place.
fn floors(window: &mut Window, at: [f64; 2]) -> Vec<i64> {
    let spot = navwright::project::Spot { at, level: 0, y: None };
    let heights = window.state_mut().state.floors_at(spot).heights;
    heights.into_iter().map(|y| y.trunc() as i64).collect()
}

#[test]
fn floors_over_each_other_are_told_by_their_shades_and_need_no_number() {
    use navwright::draw::{Role, Shape, Theme};
    let folder = tempfile::tempdir().unwrap();
    let window = two_storeys(folder.path());
    let baked = window.state().state.bake.shown.as_ref().unwrap();
    assert!(baked.shapes.labels.is_empty(), "all floors are on level 0");
    let storeys = baked.shapes.storeys.expect("one lies 10.6 over the other");
    let mesh = &baked.mesh.mesh;
    let shapes: Vec<Shape> =
        mesh.tiles().flat_map(|(tile_ref, _)| storeys.tile_shapes(mesh, tile_ref)).collect();
    let shade = |wanted: [f64; 2]| {
        let holds = |shape: &&Shape| match shape {
            Shape::Convex { points, .. } => navwright::geom::plane::contains(points, wanted),
            _ => false,
        };
        let over: Vec<Role> = shapes.iter().filter(holds).map(Shape::role).collect();
        over
    };
    // The upper one covers the lower one, and is lighter.
    let [ref below @ .., above] = shade([5.0, 5.0])[..] else { panic!("nothing there") };
    let low = shade([17.0, 17.0])[0];
    assert_eq!(below, [low]);
    for theme in [Theme::DARK, Theme::LIGHT] {
        let light = |role: Role| {
            let [r, g, b, _] = theme.style(role).fill.unwrap().0;
            u32::from(r) + u32::from(g) + u32::from(b)
        };
        assert!(light(above) > light(low) + 100, "{above:?} {low:?}");
    }
    for (role, height) in [(low, -2.2), (above, 8.4)] {
        let Role::Height(shade) = role else { panic!("{role:?}") };
        assert!((storeys.height_of(shade) - height).abs() < 0.3, "{shade}");
    }
}

fn missed(window: &Window) -> Option<usize> {
    let issues = window.state().state.issues();
    issues.iter().position(|issue| issue.kind == DiagnosticKind::HoleMissesFloor)
}

#[test]
fn a_hole_drawn_on_a_floor_in_space_shuts_that_floor() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = two_storeys(folder.path());
    assert_eq!((floors(&mut window, [17.0, 17.0]), floors(&mut window, [5.0, 5.0])), (vec![-2], vec![-2, 8]));
    open_3d(&mut window);
    let mut hole = |corners: [[f64; 2]; 4], y: f64| {
        key(&mut window, Key::H);
        window.state_mut().state.snap.join = false;
        window.state_mut().state.selection = Default::default();
        for [x, z] in corners.into_iter().chain([corners[0]]) {
            let at = seen_at(&window, [x, y, z], 0);
            click_at(&mut window, at, PointerButton::Primary);
        }
        settle(&mut window);
        let state = &window.state().state;
        let area = (**state.selection.areas(state.document()).next().expect("it is closed")).clone();
        assert_eq!(state.level, area.level, "one is where one draws");
        let elevation = state.document().elevation(area.level);
        assert!((elevation - y).abs() < 0.3, "{elevation} for {y}");
        for (point, corner) in area.points.iter().zip(corners) {
            assert!((0..2).all(|axis| (point[axis] - corner[axis]).abs() < 0.4), "{point:?} {corner:?}");
        }
        assert_eq!(missed(&window), None);
        area.level
    };
    assert_eq!(hole([[15.0, 15.0], [19.0, 15.0], [19.0, 19.0], [15.0, 19.0]], -2.2), -1);
    assert_eq!(hole([[3.0, 3.0], [7.0, 3.0], [7.0, 7.0], [3.0, 7.0]], 8.4), 1);
    // Another one there needs no other level.
    assert_eq!(hole([[20.0, 2.0], [22.0, 2.0], [22.0, 4.0], [20.0, 4.0]], -2.2), -1);
    assert_eq!((floors(&mut window, [17.0, 17.0]), floors(&mut window, [5.0, 5.0])), (vec![], vec![-2]));
    assert_eq!(window.state().state.history.past().count(), 4, "each is one step, as the import was");
}

#[test]
fn a_hole_that_misses_the_floor_is_put_on_it_by_a_fix() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = two_storeys(folder.path());
    key(&mut window, Key::H);
    for place in [[3.0, 3.0], [7.0, 3.0], [7.0, 7.0], [3.0, 7.0], [3.0, 3.0]] {
        super::drive::click(&mut window, place);
    }
    settle(&mut window);
    let index = missed(&window).expect("it is said");
    assert_eq!(window.state().state.issues()[index].kind.severity(), Severity::Warning);
    assert_eq!(floors(&mut window, [5.0, 5.0]), [-2, 8]);
    let fixes = window.state_mut().state.fixes(index);
    let names: Vec<&str> = fixes.iter().map(|fix| fix.name.as_str()).collect();
    let [level, storey, "Select hole 1", "Delete hole 1"] = names[..] else { panic!("{names:?}") };
    assert!(
        level.starts_with("Put level 0 at -2") && storey.starts_with("Move it to a level at 8."),
        "{names:?}"
    );
    for (fix, left) in [(&fixes[0], [8]), (&fixes[1], [-2])] {
        window.state_mut().state.do_fix(Some(index), fix);
        settle(&mut window);
        assert_eq!((floors(&mut window, [5.0, 5.0]), missed(&window)), (left.to_vec(), None));
        super::drive::ctrl(&mut window, Key::Z);
        settle(&mut window);
        assert_eq!(floors(&mut window, [5.0, 5.0]), [-2, 8]);
    }
}

#[test]
fn a_flight_is_no_right_click() {
    let mut window = open_file(Some(crate::support::root().join("assets/hall.nav.ron")));
    key(&mut window, Key::T);
    settle(&mut window);
    length(&mut window, [Some(0.2), Some(0.2)]);
    open_3d(&mut window);
    let middle = super::view3d::rect(&window).center();
    let right = |window: &mut Window, flies: bool| {
        window.hover_at(middle);
        window.step();
        button(window, middle, PointerButton::Secondary, true);
        window.step();
        if flies {
            window.key_down(Key::W);
            window.run_steps(4);
            window.key_up(Key::W);
        }
        button(window, middle, PointerButton::Secondary, false);
        window.run_steps(3);
    };
    right(&mut window, true);
    assert!(window.state().state.path_exists(), "the path stays");
    right(&mut window, false);
    assert!(!window.state().state.path_exists(), "and a click takes it away");
    key(&mut window, Key::V);
    // Of a thing, or of the empty place.
    let menu = |window: &Window| {
        let entries = ["Duplicate", "Paste in place"];
        entries.iter().any(|entry| window.query_all_by_label_contains(entry).next().is_some())
    };
    right(&mut window, true);
    assert!(!menu(&window));
    right(&mut window, false);
    assert!(menu(&window));
}

#[test]
fn two_presses_within_one_frame_are_two() {
    let mut window = super::drive::open();
    window.get_by_label("Outline: meadow").click();
    window.run_steps(2);
    let x = |window: &Window| {
        let areas = &window.state().state.document().areas;
        areas.iter().find(|area| area.name == "meadow").unwrap().points[0][0]
    };
    let before = x(&window);
    for _ in 0..2 {
        for pressed in [true, false] {
            let (key, modifiers) = (Key::ArrowRight, Modifiers::NONE);
            window.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        }
    }
    window.run_steps(2);
    assert!((x(&window) - before - 0.2).abs() < 1e-9, "{} from {before}", x(&window));
}
