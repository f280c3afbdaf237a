//! Storeys of one imported file, one over the other: a click in 3D takes the one that it meets.

use egui::{Key, PointerButton, Pos2, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::DiagnosticKind;
use navwright::editor::state::Selection;
use navwright::editor::told;
use navwright::editor::view3d::pick::nearest;
use navwright::project::{Command, Link, PathCheck, Wanted};

use super::drive::{Window, button, click as click_canvas, drag as drag_canvas, key, settle};
use super::picture3d::open_hall;
use super::view3d::{click_at, drag, rect, seen_at};
use super::voxel::hall;

/// The gallery's floor in the hall.
const GALLERY: f64 = 3.2;

fn is_near(found: Option<f64>, wanted: f64) -> bool {
    found.is_some_and(|found| (found - wanted).abs() < 0.4)
}

fn new_link(window: &Window) -> Link {
    let state = &window.state().state;
    (**state.selection.links(state.document()).next().expect("the link is selected")).clone()
}

/// Where the ground under the gallery is seen.
fn under_the_lip(window: &Window) -> Pos2 {
    let (app, rect) = (window.state(), rect(window));
    let lens = app.view3d.eye().lens(rect);
    let stack = app.view3d.scene.stack().unwrap();
    let columns = (0..).map(|step| rect.min.x + 5.0 * step as f32).take_while(|x| *x < rect.max.x - 5.0);
    let rows = (0..).map(|step| rect.min.y + 3.0 * step as f32).take_while(|y| *y < rect.max.y - 5.0);
    let rows: Vec<f32> = rows.collect();
    let pixels = columns.flat_map(|x| rows.iter().map(move |y| Pos2::new(x, *y)));
    let mut found: Vec<Pos2> = pixels
        .filter(|at| {
            let ray = lens.ray([at.x.into(), at.y.into()]);
            nearest(&app.view3d.scene, stack, &ray, 0, &|_| true).is_some_and(|hit| {
                let [x, y, z] = hit.shown;
                y.abs() < 0.3 && (16.0..19.0).contains(&z) && (19.0..28.0).contains(&x)
            })
        })
        .collect();
    assert!(!found.is_empty(), "the ground under the gallery is in the picture");
    found.swap_remove(found.len() / 2)
}

#[test]
fn a_link_that_is_drawn_in_3d_lands_on_the_storey_that_was_clicked() {
    let mut window = open_hall();
    key(&mut window, Key::K);
    let (above, below) = (seen_at(&window, [10.0, GALLERY, 16.5], 0), seen_at(&window, [10.0, 0.0, 12.0], 0));
    click_at(&mut window, above, PointerButton::Primary);
    click_at(&mut window, below, PointerButton::Primary);
    let link = new_link(&window);
    assert!(is_near(link.start_y, GALLERY), "{link:?}");
    assert_eq!(link.end_y, None, "the ground is the level's own height");
    settle(&mut window);
    let state = &window.state().state;
    let index = state.document().links.iter().position(|other| other.id == link.id).unwrap();
    let loose = [DiagnosticKind::LinkStartUnattached, DiagnosticKind::LinkEndUnattached];
    let element = navwright::bake::Element::Link(index);
    let trouble = state.issues().iter().find(|found| found.element == element && loose.contains(&found.kind));
    assert_eq!(trouble.map(|found| found.message.as_str()), None);
    // The end is dragged up to the gallery, where it stands then; one step, and undo brings it down.
    let to = seen_at(&window, [12.0, GALLERY, 17.0], 0);
    drag(&mut window, below, to, PointerButton::Primary);
    let dragged = new_link(&window);
    assert_eq!(dragged.id, link.id);
    assert!(is_near(dragged.end_y, GALLERY), "{dragged:?}");
    assert!((dragged.end[0] - 12.0).abs() < 0.6 && (dragged.end[1] - 17.0).abs() < 0.6, "{dragged:?}");
    assert_eq!((dragged.start, dragged.start_y), (link.start, link.start_y));
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    let state = &window.state().state;
    assert_eq!(state.document().link(link.id).map(|link| (**link).clone()), Some(link));
}

#[test]
fn a_test_in_3d_takes_the_floor_that_was_clicked_under_the_gallery_too() {
    let mut window = open_hall();
    key(&mut window, Key::T);
    settle(&mut window);
    window.run_steps(3);
    let (from, lower) = (seen_at(&window, [15.6, 0.0, 8.7], 0), under_the_lip(&window));
    click_at(&mut window, from, PointerButton::Primary);
    click_at(&mut window, lower, PointerButton::Primary);
    let state = &window.state().state;
    let (start, end) = (state.tools.test.start.unwrap(), state.tools.test.end.unwrap());
    assert!(is_near(start.y, 0.0) && is_near(end.y, 0.0), "{start:?} {end:?}");
    let path = state.path.clone().unwrap();
    assert!(state.path_exists());
    assert!(is_near(path.points.last().map(|point| point.position[1]), 0.0), "{path:?}");
    let straight = (end.place[0] - start.place[0]).hypot(end.place[1] - start.place[1]);
    assert!(straight <= path.length + 1e-6 && path.length < 1.2 * straight, "{} {straight}", path.length);
    assert!(told::path(state).unwrap().contains("end on floor 1 of 2"), "{:?}", told::path(state));
    // Pinned, it keeps the heights.
    window.state_mut().state.pin_check();
    let check = (**window.state().state.document().checks.first().unwrap()).clone();
    assert_eq!((check.start_y, check.end_y, check.wanted), (start.y, end.y, Wanted::Path));
    settle(&mut window);
    assert_eq!(window.state().state.check_answer(check.id).map(|answer| answer.passed), Some(true));
    // The gallery right over it is another question with another answer.
    let above = seen_at(&window, [10.0, GALLERY, 17.0], 0);
    click_at(&mut window, from, PointerButton::Primary);
    click_at(&mut window, above, PointerButton::Primary);
    let state = &window.state().state;
    assert!(is_near(state.tools.test.end.unwrap().y, GALLERY));
    assert!(is_near(state.path.as_ref().unwrap().points.last().map(|point| point.position[1]), GALLERY));
}

#[test]
fn a_walker_is_put_down_in_3d_and_walks_on_the_storey_that_was_clicked() {
    let mut window = open_hall();
    key(&mut window, Key::P);
    settle(&mut window);
    window.run_steps(3);
    let lower = under_the_lip(&window);
    click_at(&mut window, lower, PointerButton::Primary);
    window.run_steps(3);
    let put = window.state().state.tools.play.walker().expect("it is put down");
    assert!(is_near(Some(put.y), 0.0), "{put:?}");
    // A right click sends it out to the middle of the hall: on the ground all the way.
    let goal = seen_at(&window, [23.5, 0.0, 8.0], 0);
    click_at(&mut window, goal, PointerButton::Secondary);
    let mut steps = 0;
    while window.state().state.tools.play.walks() {
        assert!(steps < 3000, "it arrives");
        steps += 1;
        window.step();
    }
    let play = &window.state().state.tools.play;
    let walker = play.walker().unwrap();
    assert!((walker.place[0] - 23.5).hypot(walker.place[1] - 8.0) < 0.6, "{walker:?}");
    assert!(play.trail().iter().all(|step| is_near(Some(step.y), 0.0)), "{:?}", play.trail());
    // Held down, the left button leads it straight on, under the gallery again.
    window.hover_at(lower);
    window.step();
    button(&window, lower, PointerButton::Primary, true);
    window.run_steps(200);
    button(&window, lower, PointerButton::Primary, false);
    window.run_steps(2);
    let walker = window.state().state.tools.play.walker().unwrap();
    assert!(walker.place[1] > 14.0 && is_near(Some(walker.y), 0.0), "{walker:?} {put:?}");
}

#[test]
fn on_the_canvas_the_level_s_elevation_takes_the_floor_and_another_can_be_chosen() {
    let mut window = hall();
    key(&mut window, Key::T);
    settle(&mut window);
    click_canvas(&mut window, [15.6, 8.7]);
    click_canvas(&mut window, [21.0, 18.0]);
    let end = |window: &Window| {
        let path = window.state().state.path.clone().unwrap();
        path.points.last().map(|point| point.position[1])
    };
    assert!(is_near(end(&window), 0.0));
    window.run_steps(2);
    window.get_by_role_and_label(Role::ComboBox, "End floor").click();
    window.run_steps(2);
    window.get_by_label_contains("height 3").click();
    window.run_steps(3);
    assert!(is_near(window.state().state.tools.test.end.unwrap().y, GALLERY));
    assert!(is_near(end(&window), GALLERY));
    // Dragged on the canvas it stays on its floor.
    drag_canvas(&mut window, [21.0, 18.0], [19.0, 17.5]);
    let moved = window.state().state.tools.test.end.unwrap();
    assert!((moved.place[0] - 19.0).abs() < 0.1 && is_near(moved.y, GALLERY), "{moved:?}");
}

/// N goes up through the storeys, Shift+N down, round and round: of the place, or the link's end, nearer to the cursor.
#[test]
fn a_key_goes_through_the_floors_over_each_other() {
    let mut window = hall();
    key(&mut window, Key::T);
    settle(&mut window);
    let message = |window: &Window| window.state().state.message.as_ref().map(|message| message.text.clone());
    key(&mut window, Key::N);
    assert!(message(&window).unwrap().starts_with("Nothing stands on a floor"), "{:?}", message(&window));
    // The first lies under the open sky, the second under the gallery.
    click_canvas(&mut window, [15.6, 8.7]);
    click_canvas(&mut window, [21.0, 18.0]);
    let ends = |window: &Window| {
        let test = &window.state().state.tools.test;
        (test.start.unwrap().y, test.end.unwrap().y)
    };
    let before = ends(&window);
    for (step, shift) in [(GALLERY, false), (0.0, false), (GALLERY, true), (0.0, true)] {
        // Also from afar: the start has no choice.
        window.state_mut().state.cursor = Some([15.6, 8.7]);
        let modifiers = if shift { egui::Modifiers::SHIFT } else { egui::Modifiers::NONE };
        window.key_press_modifiers(modifiers, Key::N);
        window.run_steps(2);
        let now = ends(&window);
        assert!(now.0 == before.0 && is_near(now.1, step), "{now:?} for {step}");
        let path = window.state().state.path.clone().unwrap();
        assert!(is_near(path.points.last().map(|point| point.position[1]), step));
        let floor =
            if step > 0.0 { "The end is on floor 2 of 2, height 3." } else { "The end is on floor 1 of 2" };
        assert!(message(&window).unwrap().starts_with(floor), "{:?}", message(&window));
    }
    // A link with both ends under the gallery: the end at the cursor moves, as one step.
    key(&mut window, Key::V);
    let spot = |at| navwright::project::Spot { at, level: 0, y: None };
    let link =
        Link { name: "hop".to_owned(), ..(**window.state().state.document().links.first().unwrap()).clone() };
    let link = link.starting_at(spot([21.0, 18.0])).ending_at(spot([24.0, 17.5]));
    let item = navwright::editor::canvas::pick::Item::Link(link.id);
    let state = &mut window.state_mut().state;
    assert!(state.commit("Lay", &Command::SetLinks(vec![link])));
    state.select(Selection::item(item));
    state.cursor = Some([23.0, 17.0]);
    let steps = state.history.past().len();
    key(&mut window, Key::N);
    let link = new_link(&window);
    assert!(link.start_y.is_none() && is_near(link.end_y, GALLERY), "{link:?}");
    let state = &window.state().state;
    assert_eq!(state.history.past().len(), steps + 1);
    let name = state.history.past().last().unwrap();
    assert!(name.starts_with("Link \"hop\": end height"), "{name}");
}

#[test]
fn an_end_off_the_mesh_is_no_path_and_is_pinned_as_none() {
    let mut window = hall();
    key(&mut window, Key::T);
    settle(&mut window);
    window.state_mut().state.camera.scale *= 0.6;
    window.run_steps(2);
    click_canvas(&mut window, [15.6, 8.7]);
    click_canvas(&mut window, [-4.0, 8.0]);
    let state = &window.state().state;
    let words = told::path(state).unwrap();
    assert!(!state.path_exists());
    assert!(
        words.starts_with("No path. The end lies 4.") && words.contains("between the nearest floors is"),
        "{words}"
    );
    window.get_by_label("none: an end lies off the mesh");
    window.state_mut().state.pin_check();
    let check: PathCheck = (**window.state().state.document().checks.first().unwrap()).clone();
    assert_eq!(check.wanted, Wanted::NoPath);
}

#[test]
fn what_is_asked_in_3d_is_told_of_the_storey_that_was_clicked() {
    let mut window = open_hall();
    key(&mut window, Key::I);
    let facts = |window: &Window, about: &str| {
        let asked = window.state().state.asked.clone().unwrap();
        let found = asked.facts.iter().filter(|fact| fact.about == about).map(|fact| fact.text.clone());
        found.collect::<Vec<_>>()
    };
    let lower = under_the_lip(&window);
    click_at(&mut window, lower, PointerButton::Primary);
    assert!(is_near(window.state().state.asked.as_ref().unwrap().y, 0.0));
    assert_eq!(facts(&window, "Polygon").len(), 1);
    let above = facts(&window, "Above");
    assert!(above.len() == 1 && above[0].contains("at height 3"), "{above:?}");
    let upper = seen_at(&window, [10.0, GALLERY, 17.0], 0);
    click_at(&mut window, upper, PointerButton::Primary);
    let below = facts(&window, "Below");
    assert!(below.len() == 1 && facts(&window, "Above").is_empty(), "{below:?}");
}

#[test]
fn a_link_s_heights_have_fields_and_another_level_drops_them() {
    let mut window = hall();
    let state = &mut window.state_mut().state;
    let link = state.document().links[0].clone();
    let tall = Link { start_level: 0, start_y: Some(3.1), ..(*link).clone() };
    assert!(state.commit("Lift", &Command::SetLinks(vec![tall])));
    state.select(Selection::link(link.id));
    window.run_steps(3);
    window.get_by_role_and_label(Role::SpinButton, "Start height");
    window.get_by_label("End height");
    let own: Vec<_> = window.get_all_by_role_and_label(Role::CheckBox, "own").collect();
    assert_eq!(own.len(), 2);
    own[0].click();
    window.run_steps(3);
    assert_eq!(new_link(&window).start_y, None, "back to the level's");
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert_eq!(new_link(&window).start_y, Some(3.1));
    window.state_mut().state.move_to_level(true);
    let moved = new_link(&window);
    assert_eq!((moved.start_level, moved.start_y), (1, None));
}
