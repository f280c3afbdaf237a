//! What stands in the 3D picture, and which of it a ray meets.

use egui::{Key, PointerButton, Role, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use navwright::editor::canvas::pick::Item;
use navwright::editor::view3d::levels::{Pull, Stack};
use navwright::editor::view3d::pick::nearest;
use navwright::editor::view3d::solid::Thing;
use navwright::editor::view3d::space::{Ray, Vec3, add, scale, sub, unit};

use super::drive::{Window, key, open, open_file, settle, wait};
use super::rays::by_volumes;
use super::view3d::{click_at, drag, open_3d, rect, seen_at};

#[test]
fn what_is_nearest_under_the_mouse_is_what_all_triangles_say() {
    let mut window = open();
    open_3d(&mut window);
    for (explode, clip, level) in [(0.0, false, 0), (1.5, false, 0), (0.0, true, 0), (4.0, true, 1)] {
        window.state_mut().view3d.pull = Pull { explode, clip, ..Pull::default() };
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

/// A floor on level 0 and a smaller one, in another file, 3 higher on level 1.
fn two_floors(folder: &std::path::Path) -> Window {
    let mut window = super::geometry::project(folder);
    super::geometry::import(&mut window, &folder.join("art/floor.obj"));
    window.state_mut().state.level = 1;
    let above = folder.join("art/above.obj");
    let square = "v 0 3 0\nv 0 3 6\nv 6 3 6\nv 6 3 0\nf 1 2 3\nf 1 3 4\n";
    std::fs::write(&above, square).unwrap();
    super::geometry::import(&mut window, &above);
    settle(&mut window);
    open_3d(&mut window);
    settle_pieces(&mut window, 2);
    let document = window.state().state.document();
    assert_eq!(document.geometry.iter().map(|item| u32::from(item.level == 1)).sum::<u32>(), 1);
    window
}

/// Waits until so many items of geometry are in the picture.
fn settle_pieces(window: &mut Window, count: usize) {
    use navwright::editor::view3d::solid::Key;
    wait(window, "the geometry", |app| {
        let solids = app.view3d.scene.solids();
        let pieces = solids.filter(|(key, _)| matches!(key, Key::Geometry(_, 0)));
        pieces.count() == count
    });
}

/// When levels are pulled apart, geometry goes with its level, and so stays under what is baked and drawn on that; what is
/// aimed at there is told at its own height.
#[test]
fn pulled_apart_geometry_goes_with_its_level() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = two_floors(folder.path());
    let hit = |window: &Window, place: [f64; 2], wanted: &dyn Fn(Thing) -> bool| {
        let down = Ray { from: [place[0], 90.0, place[1]], along: [0.0, -1.0, 0.0] };
        let scene = &window.state().view3d.scene;
        nearest(scene, scene.stack().unwrap(), &down, 0, wanted).unwrap()
    };
    let is_geometry = |thing| matches!(thing, Thing::Geometry(_));
    let is_mesh = |thing| matches!(thing, Thing::Polygon(..));
    // The levels are 3 apart: that grows by twice itself.
    for explode in [2.0, 0.0] {
        window.state_mut().view3d.pull.explode = explode;
        window.run_steps(3);
        for (place, height, lift) in [([9.0, 9.0], 0.0, 0.0), ([3.0, 3.0], 3.0, 3.0 * explode)] {
            let found = hit(&window, place, &is_geometry);
            assert!((found.shown[1] - height - lift).abs() < 1e-5, "{found:?} at {place:?}");
            assert!((found.lifted - lift).abs() < 1e-9, "{found:?}");
            // What was baked on it lies on it still.
            let floor = hit(&window, place, &is_mesh);
            assert!((floor.shown[1] - found.shown[1]).abs() < 0.5, "{floor:?} {found:?}");
        }
    }
}

/// As long as nobody has moved the eye, levels that are pulled apart stay in sight.
#[test]
fn the_eye_draws_back_as_levels_are_pulled_apart() {
    let mut window = open();
    open_3d(&mut window);
    let document = window.state().state.document().clone();
    let lookout = document.areas.iter().find(|area| area.name == "lookout").unwrap().clone();
    let [x, z] = lookout.points[0];
    let near = window.state().view3d.eye().distance;
    window.state_mut().view3d.pull.explode = 3.0;
    window.run_steps(3);
    assert!(window.state().view3d.eye().distance > near);
    // It is in the picture, or this panics.
    seen_at(&window, [x, document.height_of(lookout.level), z], lookout.level);
    let middle = rect(&window).center();
    drag(&mut window, middle, middle + vec2(60.0, 20.0), PointerButton::Secondary);
    let moved = window.state().view3d.eye();
    window.state_mut().view3d.pull.explode = 1.0;
    window.run_steps(3);
    assert_eq!(window.state().view3d.eye().distance, moved.distance);
}

#[test]
fn storeys_of_one_piece_are_not_pulled_apart_and_the_slider_says_why() {
    let mut window = open_hall();
    settle(&mut window);
    window.state_mut().view3d.pull.explode = 2.0;
    window.run_steps(3);
    let stack = window.state().view3d.scene.stack().unwrap();
    assert!(stack.all().iter().all(|standing| standing.lift == 0.0), "what is drawn stays on the gallery");
    let slider = window.get_by_role_and_label(Role::Slider, "Explode");
    assert!(slider.accesskit_node().is_disabled());
    window.hover_at(slider.rect().center());
    window.run_steps(60);
    window.get_by_label_contains("one piece");
}

/// A room whose walls, floor and ceiling look inward, as those of a dungeon do: 12 by 12, 3 high.
pub(super) fn room() -> String {
    let mut text = String::new();
    for y in [0, 3] {
        text += &format!("v 0 {y} 0\nv 12 {y} 0\nv 12 {y} 12\nv 0 {y} 12\n");
    }
    // The floor looks up, the ceiling down, each wall at the others.
    for [a, b, c, d] in [[4, 3, 2, 1], [5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]] {
        text += &format!("f {a} {b} {c}\nf {a} {c} {d}\n");
    }
    text
}

#[test]
fn one_looks_through_the_roof_of_a_room_and_aims_at_its_floor() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = super::geometry::project(folder.path());
    let path = folder.path().join("art/room.obj");
    std::fs::write(&path, room()).unwrap();
    super::geometry::import(&mut window, &path);
    settle(&mut window);
    open_3d(&mut window);
    settle_pieces(&mut window, 1);
    let met = |window: &Window, from: Vec3, along: Vec3| {
        let scene = &window.state().view3d.scene;
        let ray = Ray { from, along };
        nearest(scene, scene.stack().unwrap(), &ray, 0, &|thing| matches!(thing, Thing::Geometry(_)))
    };
    let (down, up) = ([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
    assert_eq!(met(&window, [5.0, 20.0, 6.0], down).unwrap().shown[1], 0.0);
    assert_eq!(met(&window, [5.0, 1.0, 6.0], up).unwrap().shown[1], 3.0, "from within there is a ceiling");
    let side = [1.0, 0.0, 0.0];
    assert_eq!(met(&window, [-9.0, 1.0, 6.0], side).unwrap().shown[0], 12.0, "past the near wall");
    window.get_by_role_and_label(Role::Button, "Inside").click();
    window.run_steps(3);
    assert_eq!(met(&window, [5.0, 20.0, 6.0], down).unwrap().shown[1], 3.0);
    assert_eq!(met(&window, [-9.0, 1.0, 6.0], side).unwrap().shown[0], 0.0);
}

#[test]
fn geometry_that_faces_down_is_seen_from_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = super::geometry::project(folder.path());
    let path = folder.path().join("art/down.obj");
    std::fs::write(&path, super::geometry::floor(12.0).replace("f 1 2 3\nf 1 3 4", "f 3 2 1\nf 4 3 1"))
        .unwrap();
    super::geometry::import(&mut window, &path);
    open_3d(&mut window);
    settle_pieces(&mut window, 1);
    let scene = &window.state().view3d.scene;
    for (y, along) in [(9.0, -1.0), (-9.0, 1.0)] {
        let ray = Ray { from: [5.0, y, 6.0], along: [0.0, along, 0.0] };
        let hit = nearest(scene, scene.stack().unwrap(), &ray, 0, &|_| true);
        assert_eq!(hit.unwrap().shown[1], 0.0, "or a designer sees nothing of what is to be turned over");
    }
}

#[test]
fn the_height_of_the_cut_lies_beside_it() {
    let mut window = open_hall();
    let cut = "Cut this far over the level's floor";
    assert!(window.query_by_label(cut).is_none());
    window.get_by_role_and_label(Role::Button, "Cut above the level").click();
    window.run_steps(3);
    let field = window.get_by_label(cut);
    let shown = field.accesskit_node().numeric_value().unwrap();
    let stack = |window: &Window| window.state().view3d.scene.stack().unwrap().clip_height;
    let floor = window.state().state.document().height_of(0);
    assert!((stack(&window) - floor - shown).abs() < 1e-9, "{shown}");
    field.click();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.get_by_label(cut).type_text("1.5");
    window.run_steps(2);
    key(&mut window, Key::Enter);
    assert!((stack(&window) - floor - 1.5).abs() < 1e-9, "{}", stack(&window));
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
