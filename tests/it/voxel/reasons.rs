//! An empty mesh, and a part of one that is missing, has its reason: what it is, how many, and what to do.

use std::sync::Arc;

use navwright::bake::voxel::{VoxelBaker, voxel_probe};
use navwright::bake::{
    AreaKind, AreaMark, BakeOptions, Diagnostic, DiagnosticKind, FlatArea, FlatInput, MarkKind, Severity,
    Surface, TriangleMesh, VoxelInput, bake_voxel_mesh,
};
use navwright::format::{NavMesh, NavSettings};

use super::{bake, block, input_of, plate, quad, settings_of};

fn of_kind(diagnostics: &[Diagnostic], kind: DiagnosticKind) -> Vec<&Diagnostic> {
    diagnostics.iter().filter(|diagnostic| diagnostic.kind == kind).collect()
}

/// The reasons of a bake that gives no polygon: exactly one, a warning.
#[track_caller]
fn reason(input: &VoxelInput, settings: &NavSettings) -> (DiagnosticKind, String) {
    let (mesh, report) = bake(input, settings);
    assert_eq!(mesh.mesh.tiles().count(), 0);
    let kinds = [DiagnosticKind::NoFloor, DiagnosticKind::FacesDown];
    let found: Vec<_> = report.diagnostics.iter().filter(|said| kinds.contains(&said.kind)).collect();
    let [only] = &found[..] else { panic!("{:?}", report.diagnostics) };
    assert_eq!(only.kind.severity(), Severity::Warning);
    (only.kind, only.message.clone())
}

fn turned(mut mesh: TriangleMesh) -> TriangleMesh {
    Arc::make_mut(&mut mesh.triangles).iter_mut().for_each(|triangle| triangle.swap(1, 2));
    mesh
}

#[test]
fn triangles_that_nobody_can_stand_on_are_counted_by_how_they_lie() {
    let settings = settings_of(32);
    let floor = || plate([0.0, 0.0, 9.0, 9.0], 0.0);
    let (kind, words) = reason(&input_of(vec![turned(floor())]), &settings);
    assert_eq!(kind, DiagnosticKind::FacesDown);
    assert_eq!(words, "2 of 2 triangles face down: flip the winding or choose another up axis");
    // A floor whose file has z up stands upright when y is.
    let mut wall = floor();
    Arc::make_mut(&mut wall.vertices).iter_mut().for_each(|vertex| *vertex = [vertex[0], vertex[2], 0.0]);
    let (_, words) = reason(&input_of(vec![wall.clone()]), &settings);
    assert_eq!(words, "there is no floor: of 2 triangles 2 stand upright: choose another up axis");
    let (_, words) = reason(&input_of(vec![wall, turned(floor())]), &settings);
    assert!(words.contains("of 4 triangles 2 face down, 2 stand upright"), "{words}");
    // 60 degrees.
    let mut slope = TriangleMesh::default();
    quad(&mut slope, [0.0, 0.0, 9.0, 9.0], [0.0, 9.0 * 3.0_f64.sqrt(), 9.0 * 3.0_f64.sqrt(), 0.0]);
    let (_, words) = reason(&input_of(vec![slope]), &settings);
    assert_eq!(words, "there is no floor: of 2 triangles 2 are steeper than 45°");
    let named = TriangleMesh { name: "bare.obj".to_owned(), ..TriangleMesh::default() };
    let (kind, words) = reason(&input_of(vec![named]), &settings);
    assert_eq!(kind, DiagnosticKind::NoFloor);
    assert_eq!(words, "there is no floor: \"bare.obj\" has no triangles that can be baked");
    // Nothing was given, so nothing is missing.
    assert_eq!(bake(&VoxelInput::default(), &settings).1.diagnostics, []);
}

/// Each stage in turn takes the last floor of a plate of 30 × 30 cells.
#[test]
fn the_stage_that_took_the_last_floor_is_named_with_its_setting() {
    let plain = NavSettings { agent_radius: 0.0, min_region_area: 0, ..settings_of(64) };
    let floor = || plate([0.0, 0.0, 9.0, 9.0], 0.0);
    let open = || input_of(vec![floor()]);
    assert!(bake(&open(), &plain).1.diagnostics.is_empty(), "the plate itself bakes");

    let wide = NavSettings { agent_radius: 100.0, ..plain.clone() };
    let (kind, words) = reason(&open(), &wide);
    assert_eq!(kind, DiagnosticKind::NoFloor);
    // The rim of 4 × 29 cells lies beside the drop.
    assert!(
        words.starts_with(
            "no floor is left: the radius (agent_radius) took the last of it. Of 900 cells of floor "
        ),
        "{words}"
    );
    assert!(words.contains("784 lie nearer to a wall or ledge than agent_radius 100"), "{words}");
    assert!(words.contains("116 lie beside a step or drop"), "{words}");

    let mut under = floor();
    block(&mut under, [-3.0, -3.0, 12.0, 12.0], 1.2, 1.4);
    turned_roof(&mut under);
    let (_, words) = reason(&input_of(vec![under]), &plain);
    assert!(
        words.contains("the height (agent_height) took the last of it")
            && words.contains("than agent_height 2"),
        "{words}"
    );

    let large = NavSettings { min_region_area: 10_000, ..plain.clone() };
    let (_, words) = reason(&open(), &large);
    assert!(
        words.contains("(min_region_area) took")
            && words.contains("784 lie on islands of fewer cells than min_region_area 10000"),
        "{words}"
    );

    let hole = AreaMark {
        id: 1,
        name: "all".to_owned(),
        kind: MarkKind::Hole,
        level: 0,
        outline: vec![[-9.0, -9.0], [18.0, -9.0], [18.0, 18.0], [-9.0, 18.0]],
        low: -0.5,
        high: 0.5,
    };
    let (_, words) = reason(&VoxelInput { marks: vec![hole], ..open() }, &plain);
    assert!(
        words.contains("a drawn hole took the last of it") && words.contains("784 lie in drawn holes"),
        "{words}"
    );

    // One cell wide: all of it is rim.
    let (_, words) = reason(&input_of(vec![plate([0.0, 0.0, 9.0, 0.3], 0.0)]), &plain);
    assert!(words.contains("the climb (walkable_climb) took the last of it"), "{words}");

    // A part of the map may be empty; and a bake that goes on from another says the same.
    let options = BakeOptions { tiles: Some([5, 5, 6, 6]), ..BakeOptions::default() };
    let (_, report) = bake_voxel_mesh(&open(), &wide, &options).unwrap();
    assert_eq!(report.diagnostics, []);
    let mut baker = VoxelBaker::default();
    for settings in [&plain, &wide, &plain, &wide] {
        let live = baker.bake(&open(), settings, &BakeOptions::default()).unwrap();
        assert_eq!(live.1, bake(&open(), settings).1);
    }
}

/// Makes the block's own top no floor.
fn turned_roof(mesh: &mut TriangleMesh) {
    let top = mesh.vertices.iter().map(|vertex| vertex[1]).fold(f64::NEG_INFINITY, f64::max);
    let is_top = |index: &u32| (mesh.vertices[*index as usize][1] - top).abs() < 1e-9;
    let (roof, rest): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
        mesh.triangles.iter().partition(|triangle| triangle.iter().all(is_top));
    let turned = roof.into_iter().map(|[a, b, c]| [a, c, b]);
    mesh.triangles = Arc::new(rest.into_iter().chain(turned).collect());
}

fn area(id: u64, kind: AreaKind, level: i8, [x0, z0, x1, z1]: [f64; 4]) -> FlatArea {
    FlatArea {
        id,
        name: format!("area {id}"),
        kind,
        level,
        outline: vec![[x0, z0], [x1, z0], [x1, z1], [x0, z1]],
        area_type: None,
        flags: None,
        surface: Surface::Level,
    }
}

fn drawn(areas: Vec<FlatArea>, mesh: TriangleMesh, settings: &NavSettings) -> (NavMesh, Vec<Diagnostic>) {
    let mut input = input_of(vec![mesh]);
    let drawing = FlatInput { areas, ..FlatInput::default() };
    let said = input.add_drawing(&drawing, settings).unwrap();
    let (baked, report) = bake(&input, settings);
    (baked, report.with(said).diagnostics)
}

/// `editor_ux.md` 10: a hole where nothing is is a note, a level with areas but no polygon a warning; what a drawing
/// alone would say of them does not hold with geometry under it.
#[test]
fn holes_and_levels_are_judged_with_the_geometry() {
    let settings = NavSettings { agent_radius: 0.0, min_region_area: 0, ..settings_of(64) };
    let floor = || plate([0.0, 0.0, 9.0, 9.0], 0.0);
    let hole = |at| area(1, AreaKind::Hole, 0, at);
    let holes = |areas: Vec<FlatArea>, mesh| {
        let (_, said) = drawn(areas, mesh, &settings);
        let missed = of_kind(&said, DiagnosticKind::HoleMissesFloor);
        assert!(missed.is_empty() || missed[0].message.contains("over or under"), "{missed:?}");
        let idle = of_kind(&said, DiagnosticKind::HoleCutsNothing);
        idle.iter().chain(&missed).map(|said| (said.level, said.message.clone())).collect::<Vec<_>>()
    };
    // On the floor, and off it.
    assert_eq!(holes(vec![hole([2.0, 2.0, 4.0, 4.0])], floor()), []);
    let [(0, words)] = &holes(vec![hole([20.0, 2.0, 24.0, 4.0])], floor())[..] else { panic!() };
    assert_eq!(
        words,
        "area 1 cuts nothing: no walk area of level 0, and no floor of the geometry at heights -0.9 to 2"
    );
    // Over the same place, but on level 1, which is 3 above: it was meant to shut something, so this is a warning.
    let over = vec![area(1, AreaKind::Hole, 1, [2.0, 2.0, 4.0, 4.0])];
    let (_, said) = drawn(over.clone(), floor(), &settings);
    let [missed] = &of_kind(&said, DiagnosticKind::HoleMissesFloor)[..] else { panic!("{said:?}") };
    assert_eq!(missed.kind.severity(), navwright::bake::Severity::Warning);
    assert_eq!(of_kind(&said, DiagnosticKind::HoleCutsNothing), Vec::<&Diagnostic>::new());
    assert_eq!(holes(over, floor()).len(), 1);
    // The upper floor at 3 is on level 1's band; its slope down to 0 meets it only beyond the hole.
    let mut slope = TriangleMesh::default();
    quad(&mut slope, [0.0, 0.0, 9.0, 9.0], [0.0, 6.0, 6.0, 0.0]);
    assert_eq!(holes(vec![area(1, AreaKind::Hole, 1, [4.0, 2.0, 5.0, 4.0])], slope.clone()), []);
    assert_eq!(holes(vec![area(1, AreaKind::Hole, 1, [0.5, 2.0, 1.5, 4.0])], slope).len(), 1);
    // What cuts a drawn floor cuts something; walls and undersides are no floor.
    let walk = area(2, AreaKind::Walk, 0, [20.0, 0.0, 30.0, 9.0]);
    assert_eq!(holes(vec![walk.clone(), hole([24.0, 2.0, 26.0, 4.0])], floor()), []);
    assert_eq!(holes(vec![hole([2.0, 2.0, 4.0, 4.0])], turned(floor())).len(), 1);

    // A level whose only floor is swallowed by a hole, beside the geometry.
    let all = vec![floor_area(2), area(3, AreaKind::Hole, 2, [19.0, -1.0, 31.0, 10.0])];
    let (_, said) = drawn(all, floor(), &settings);
    let [level] = &of_kind(&said, DiagnosticKind::LevelEmpty)[..] else { panic!("{said:?}") };
    assert_eq!((level.level, &level.message[..]), (2, "level 2 has walk areas, but no floor is left on it"));
    let (_, said) = drawn(vec![floor_area(2)], floor(), &settings);
    assert_eq!(of_kind(&said, DiagnosticKind::LevelEmpty), Vec::<&Diagnostic>::new());
}

fn floor_area(level: i8) -> FlatArea {
    area(7, AreaKind::Walk, level, [20.0, 0.0, 30.0, 9.0])
}

#[test]
fn islands_are_one_note_with_a_count_and_their_area() {
    let settings = NavSettings { agent_radius: 0.0, min_region_area: 0, ..settings_of(16) };
    let mut mesh = plate([0.0, 0.0, 12.0, 12.0], 0.0);
    let notes = |mesh: &TriangleMesh| {
        let (_, report) = bake(&input_of(vec![mesh.clone()]), &settings);
        let found = of_kind(&report.diagnostics, DiagnosticKind::Island).into_iter().cloned();
        found.collect::<Vec<_>>()
    };
    assert_eq!(notes(&mesh), []);
    quad(&mut mesh, [21.0, 0.0, 27.0, 6.0], [0.0; 4]);
    assert!(notes(&mesh)[0].message.starts_with("an island of "));
    quad(&mut mesh, [0.0, 21.0, 3.0, 24.0], [0.0; 4]);
    let all = notes(&mesh);
    let [note] = &all[..] else { panic!("{all:?}") };
    assert!(note.message.starts_with("2 islands of "), "{}", note.message);
    // 6 × 6 and 3 × 3, on whole cells, less a rim of one cell all round.
    let expected = 5.4 * 5.4 + 2.4 * 2.4;
    assert!((note.measured - expected).abs() < 0.5, "{} for {expected}", note.measured);
    assert!((21.0..27.0).contains(&note.place[0]) && (0.0..6.0).contains(&note.place[1]), "{:?}", note.place);
}

/// Two floors that nothing joins, one with a seed: the other goes, is counted, and the probe says why.
#[test]
fn what_no_seed_reaches_is_said_by_the_bake_and_by_the_probe() {
    let settings = NavSettings { agent_radius: 0.0, min_region_area: 0, ..settings_of(16) };
    let mut mesh = plate([0.0, 0.0, 12.0, 12.0], 0.0);
    quad(&mut mesh, [0.0, 0.0, 12.0, 12.0], [4.0; 4]);
    let all = input_of(vec![mesh]);
    let seeded = VoxelInput { seeds: vec![[3.0, 0.0, 3.0]], ..all.clone() };
    let ((_, free), (kept, said)) = (bake(&all, &settings), bake(&seeded, &settings));
    assert_eq!(of_kind(&free.diagnostics, DiagnosticKind::NoSeedReaches), Vec::<&Diagnostic>::new());
    let [note] = &of_kind(&said.diagnostics, DiagnosticKind::NoSeedReaches)[..] else { panic!("{said:?}") };
    assert_eq!(note.kind.severity(), Severity::Note);
    // The upper floor less its rim.
    assert!((note.measured - 11.4 * 11.4).abs() < 1.0, "{note:?}");
    assert!(note.message.starts_with("no seed reaches "), "{}", note.message);
    for place in [[6.0, 6.0], [1.0, 11.0], [4.8, 4.9]] {
        let column = voxel_probe(&seeded, &settings, place).unwrap();
        let words = |column: &navwright::bake::voxel::VoxelProbe| {
            column.spans.iter().map(|span| span.verdict.to_string()).collect::<Vec<_>>()
        };
        assert!(words(&column).iter().all(|words| words.starts_with("walkable")), "{place:?}");
        let seen = words(&column.seen_in(&kept.mesh));
        let [below, above] = &seen[..] else { panic!("{seen:?}") };
        assert!(below.starts_with("walkable"), "{place:?}: {below}");
        assert_eq!(above, "no seed reaches it", "{place:?}");
        // Without seeds there is nothing to reach.
        let free = voxel_probe(&all, &settings, place).unwrap();
        assert_eq!(free.seen_in(&kept.mesh), free);
    }
    // All of it: the seed itself is said to be off.
    let (none, said) = bake(&VoxelInput { seeds: vec![[3.0, 50.0, 3.0]], ..all }, &settings);
    assert_eq!(none.mesh.tiles().count(), 0);
    for kind in [DiagnosticKind::SeedOffFloor, DiagnosticKind::NoSeedReaches] {
        assert_eq!(of_kind(&said.diagnostics, kind).len(), 1, "{:?}", said.diagnostics);
    }
}
