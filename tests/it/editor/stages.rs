//! The stage view, the voxel probe and the geometry's picture on the canvas.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::bake::voxel::{FloorState, Verdict, voxel_probe};
use navwright::bake::{
    BakeOptions, DiagnosticKind, TriangleMesh, VoxelInput, bake_voxel_mesh, voxel_tile_stages,
};
use navwright::draw::{Role as Ink, Shape, seeds_stage, voxel_stages};
use navwright::editor::App;
use navwright::editor::action::Action;
use navwright::editor::tools::ToolKind;
use navwright::format::NavSettings;
use navwright::project::{Command, VoxelExtras, load_geometry, voxel_input};

use super::drive::{Window, click, key, open, wait};
use super::table::run;
use super::voxel::hall;
use crate::support::root;

fn input(window: &Window) -> (VoxelInput, NavSettings) {
    let document = window.state().state.document();
    let settings = document.bake_settings(&document.classes[0]);
    let meshes = load_geometry(document, &root().join("assets")).unwrap().meshes;
    (voxel_input(document, &settings, meshes).unwrap().0, settings)
}

fn show_stages(window: &mut Window) {
    key(window, Key::Num8);
    wait(window, "the stages", |app| !app.state.stage.waits() && !app.state.stage.stages.is_empty());
}

#[test]
fn keys_and_the_slider_go_through_the_stages_of_the_tile_in_the_middle() {
    let mut window = hall();
    let made = window.state().state.bake.ticket;
    show_stages(&mut window);
    let tile = window.state().state.stage_tile().unwrap();
    let (input, settings) = input(&window);
    let (stages, _) = voxel_tile_stages(&input, &settings, tile).unwrap();
    let names: Vec<&str> = window.state().state.stage.stages.iter().map(|stage| stage.name).collect();
    for wanted in [
        "geometry",
        "solid spans",
        "slope",
        "low obstacles",
        "head room",
        "ledges",
        "compact",
        "eroded",
        "area marks",
        "distance",
        "regions",
        "raw contours",
        "simplified contours",
        "polygons",
        "detail",
        "tiles and links",
    ] {
        assert!(names.contains(&wanted), "{wanted}: {names:?}");
    }
    let solid = window.state().state.stage.stages.iter().find(|stage| stage.name == "solid spans").unwrap();
    assert_eq!(solid.count, stages.solid.len());
    let gone = |state| stages.floors.iter().filter(|floor| floor.state == state).count();
    for (name, state) in [("eroded", FloorState::NearEdge), ("ledges", FloorState::Ledge)] {
        let stage = window.state().state.stage.stages.iter().find(|stage| stage.name == name).unwrap();
        assert_eq!(stage.removed_count, gone(state), "{name}");
        assert!(stage.removed_count > 0, "{name}");
    }
    assert!(window.state().state.stage.stages.iter().any(|stage| stage.secs.is_some_and(|secs| secs > 0.0)));
    for expected in [1, 2, 3] {
        key(&mut window, Key::Period);
        assert_eq!(window.state().state.stage.index, expected);
    }
    key(&mut window, Key::Comma);
    assert_eq!(window.state().state.stage.index, 2);
    assert!(window.query_by_label(names[2]).is_some());
    let context = window.ctx.clone();
    window.state_mut().perform(Action::Layout(2), &context);
    window.run_steps(3);
    window.get_by_role_and_label(Role::CheckBox, "Difference").click();
    window.run_steps(2);
    assert!(window.state().state.stage.difference);
    // Looking bakes nothing, and what was found stays as long as nothing changes.
    let edition = window.state().state.stage.edition;
    window.run_steps(20);
    assert_eq!((window.state().state.stage.edition, window.state().state.bake.ticket), (edition, made));
}

/// What the seeds left is a stage of its own where the map has seeds: by the mesh on screen, so that no other tile is baked.
#[test]
fn the_stage_of_seeds_shows_what_is_left_of_the_tile_and_what_went() {
    let mut window = hall();
    let made = window.state().state.bake.ticket;
    show_stages(&mut window);
    let named = |app: &App| app.state.stage.stages.last().map(|stage| stage.name);
    wait(&mut window, "the seeds", |app| named(app) == Some("seeds reached"));
    let state = &window.state().state;
    let [x, z] = state.stage_tile().unwrap();
    let mesh = &state.bake.shown.as_ref().unwrap().mesh.mesh;
    let polygons: usize = mesh.column(x, z).map(|(_, tile)| tile.polygons.len()).sum();
    assert_eq!(state.stage.stages.last().unwrap().count, polygons);
    assert_eq!(state.bake.ticket, made);
    // Without seeds there is no such stage.
    let extras = VoxelExtras { seeds: Vec::new(), ..(*state.document().voxel).clone() };
    assert!(window.state_mut().state.commit("No seeds", &Command::SetVoxel(extras)));
    wait(&mut window, "other stages", |app| named(app) == Some("tiles and links"));

    // A tile with a floor that no seed reaches.
    let quad = |y: f64| [[0.0, y, 0.0], [0.0, y, 12.0], [12.0, y, 12.0], [12.0, y, 0.0]];
    let vertices: Vec<[f64; 3]> = quad(0.0).into_iter().chain(quad(4.0)).collect();
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let mesh =
        TriangleMesh { vertices: vertices.into(), triangles: triangles.into(), ..TriangleMesh::default() };
    let all = VoxelInput { meshes: vec![mesh], seeds: vec![[3.0, 0.0, 3.0]], ..VoxelInput::default() };
    let settings = NavSettings { cell_size: 0.25, tile_size: 16.0, ..NavSettings::default() };
    let (kept, report) = bake_voxel_mesh(&all, &settings, &BakeOptions::default()).unwrap();
    let (stages, _) = voxel_tile_stages(&all, &settings, [0, 0]).unwrap();
    let stage = seeds_stage(&stages, &kept.mesh);
    let alone: usize = stages.tiles.iter().map(|tile| tile.polygons.len()).sum();
    let left: usize = kept.mesh.column(0, 0).map(|(_, tile)| tile.polygons.len()).sum();
    assert_eq!((stage.count, stage.removed_count), (left, alone - left));
    assert!(stage.removed_count > 0 && left > 0);
    let area: f64 = stage
        .removed
        .iter()
        .map(|shape| match shape {
            Shape::Convex { points, .. } => {
                let pairs = points.iter().zip(points.iter().cycle().skip(1));
                (0.5 * pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()).abs()
            }
            _ => 0.0,
        })
        .sum();
    let said = report.diagnostics.iter().find(|said| said.kind == DiagnosticKind::NoSeedReaches).unwrap();
    assert!((area - said.measured).abs() < 1e-3, "{area} {}", said.measured);
}

#[test]
fn inspect_picks_the_tile_and_an_edit_is_looked_at_again() {
    let mut window = hall();
    show_stages(&mut window);
    let tile = window.state().state.stage_tile().unwrap();
    let other = if tile == [0, 0] { [24.0, 3.0] } else { [3.0, 3.0] };
    key(&mut window, Key::I);
    click(&mut window, other);
    wait(&mut window, "the stages", |app| !app.state.stage.waits());
    let now = window.state().state.stage_tile().unwrap();
    assert_eq!(now, other.map(|at| if at < 16.0 { 0 } else { 1 }));
    assert_ne!(now, tile);
    let edition = window.state().state.stage.edition;
    window.state_mut().state.take_tool(ToolKind::Select);
    run(&mut window, "click 20 8 del");
    wait(&mut window, "another look", |app| app.state.stage.edition != edition && !app.state.stage.waits());
}

#[test]
fn what_a_stage_shows_covers_the_floors_it_left_below_the_cut() {
    let window = hall();
    let (input, settings) = input(&window);
    let (stages, _) = voxel_tile_stages(&input, &settings, [0, 0]).unwrap();
    let params = settings.to_params().unwrap();
    let cut = 1.0;
    let pictures = voxel_stages(&stages, &params, cut);
    let area = |shapes: &[Shape], ink: Ink| -> f64 {
        let cells = shapes.iter().filter(|shape| shape.role() == ink);
        let area = |shape: &Shape| match shape {
            Shape::Convex { points, .. } => (points[2][0] - points[0][0]) * (points[2][1] - points[0][1]),
            _ => 0.0,
        };
        cells.map(area).sum()
    };
    let columns = |keep: &dyn Fn(FloorState) -> bool| {
        let below = |y: i32| stages.origin[1] + f64::from(y) * stages.cell_height <= cut;
        let kept = stages.floors.iter().filter(|floor| below(floor.y) && keep(floor.state));
        kept.map(|floor| (floor.x, floor.z)).collect::<std::collections::BTreeSet<_>>().len()
    };
    let cell = stages.cell_size * stages.cell_size;
    let named = |name: &str| pictures.iter().find(|picture| picture.name == name).unwrap();
    use FloorState as F;
    let eroded = columns(&|state| !matches!(state, F::Steep | F::LowCeiling | F::Ledge | F::NearEdge));
    assert!((area(&named("eroded").shapes, Ink::StageFloor) - eroded as f64 * cell).abs() < 1e-6);
    let gone = columns(&|state| state == F::NearEdge);
    assert!(gone > 0);
    assert!((area(&named("eroded").removed, Ink::StageGone) - gone as f64 * cell).abs() < 1e-6);
}

#[test]
fn a_flat_tile_has_stages_too() {
    let mut window = open();
    show_stages(&mut window);
    let names: Vec<&str> = window.state().state.stage.stages.iter().map(|stage| stage.name).collect();
    let wanted = [
        "outlines",
        "joined and cut",
        "seams",
        "clearance",
        "cut into tiles",
        "polygons",
        "heights",
        "layers",
    ];
    assert_eq!(names, wanted);
    let polygons = window.state().state.stage.stages.iter().find(|stage| stage.name == "polygons").unwrap();
    let [x, z] = window.state().state.stage_tile().unwrap();
    let mesh = &window.state().state.bake.shown.as_ref().unwrap().mesh.mesh;
    let tiles = mesh.tiles().filter(|(_, tile)| (tile.tile_x, tile.tile_z) == (x, z));
    assert_eq!(polygons.count, tiles.map(|(_, tile)| tile.polygons.len()).sum::<usize>());
}

#[test]
fn inspect_says_why_nothing_can_walk_at_a_place_with_numbers() {
    let mut window = hall();
    let (input, settings) = input(&window);
    key(&mut window, Key::I);
    // In the middle of the floor, beside a pillar, and past the outer wall.
    for place in [[15.0, 3.0], [4.0, 4.4], [0.1, 10.0]] {
        click(&mut window, place);
        wait(&mut window, "the column", |app| app.state.probe.found.is_some());
        let asked = window.state().state.asked.as_ref().unwrap().place;
        wait(&mut window, "this column", |app| {
            app.state.probe.found.as_ref().is_some_and(|(at, _)| *at == asked)
        });
        let expected = voxel_probe(&input, &settings, asked).unwrap();
        assert!(!expected.spans.is_empty(), "{place:?}");
        for (index, span) in expected.spans.iter().enumerate() {
            let label = format!("Span {}: height ", index + 1);
            let node = window.query_all_by_label_contains(&label).count();
            assert_eq!(node, 1, "{label} at {place:?}");
            assert!(window.query_all_by_label_contains(&span.verdict.to_string()).count() > 0, "{span:?}");
        }
        let near = expected.spans.iter().any(|span| !matches!(span.verdict, Verdict::Walkable { .. }));
        assert_eq!(near, place != [15.0, 3.0], "{expected:?}");
    }
}

#[test]
fn the_geometrys_picture_is_made_once_and_again_when_the_level_changes() {
    let mut window = hall();
    let mut last = usize::MAX;
    wait(&mut window, "the picture", |app| app.relief_made() > 0);
    while last != window.state().relief_made() {
        last = window.state().relief_made();
        std::thread::sleep(std::time::Duration::from_millis(150));
        window.run_steps(2);
    }
    window.run_steps(30);
    assert_eq!(window.state().relief_made(), last, "an idle window makes nothing");
    key(&mut window, Key::PageUp);
    wait(&mut window, "the next level's picture", |app| app.relief_made() > last);
}

#[test]
fn stages_of_all_tiles_are_shown_together_where_that_is_asked_for() {
    let mut window = hall();
    show_stages(&mut window);
    assert_eq!(window.state().state.stage.voxels.len(), 1);
    window.get_by_role_and_label(Role::CheckBox, "All").click();
    window.run_steps(2);
    wait(&mut window, "the stages of all", |app| app.state.stage.voxels.len() > 1);
    let mesh = window.state().state.bake.shown.as_ref().unwrap().mesh.clone();
    let params = mesh.mesh.params();
    let corners = mesh.mesh.tiles();
    let corners =
        corners.map(|(_, tile)| [params.tile_origin_x(tile.tile_x), params.tile_origin_z(tile.tile_z)]);
    let corners: std::collections::BTreeSet<[u64; 2]> =
        corners.map(|corner| corner.map(f64::to_bits)).collect();
    let stage = &window.state().state.stage;
    let shown: std::collections::BTreeSet<[u64; 2]> =
        stage.voxels.iter().map(|voxels| [voxels.origin[0], voxels.origin[2]].map(f64::to_bits)).collect();
    assert_eq!(shown, corners);
    let solid = stage.stages.iter().find(|stage| stage.name == "solid spans").unwrap();
    assert_eq!(solid.count, stage.voxels.iter().map(|voxels| voxels.solid.len()).sum::<usize>());
}

/// Floors that the seeds cut off are walkable by every rule of the tile alone; Inspect says what took them all the same.
#[test]
fn inspect_says_that_no_seed_reaches_a_floor() {
    let mut window = hall();
    key(&mut window, Key::I);
    click(&mut window, [15.0, 3.0]);
    let said = |app: &App| app.state.asked_text().unwrap_or_default();
    wait(&mut window, "the column", |app| said(app).contains("Voxels: "));
    assert!(!said(window.state()).contains("no seed reaches it"));
    let extras = VoxelExtras { seeds: vec![[15.0, 50.0, 3.0]], ..VoxelExtras::default() };
    assert!(window.state_mut().state.commit("Move the seed", &Command::SetVoxel(extras)));
    wait(&mut window, "the bake", |app| {
        app.state.bake.shown.as_ref().is_some_and(|baked| baked.mesh.mesh.tiles().next().is_none())
    });
    wait(&mut window, "its reason", |app| said(app).contains("no seed reaches it"));
    window.run_steps(2);
    assert!(window.query_all_by_label_contains("no seed reaches it").count() > 0);
}
