//! Bad input: named, counted, never a panic.

use std::collections::BTreeSet;
use std::sync::Arc;

use navwright::bake::{
    AreaMark, BakeError, BakeOptions, DiagnosticKind, Element, MarkKind, TriangleMesh, VoxelInput,
    bake_voxel_mesh, voxel_tile_stages,
};
use navwright::format::{NavMesh, NavSettings};

use super::{area_of, bake, complaints, input_of, plate, quad, settings_of};
use crate::support::Random;

#[test]
fn bad_triangles_are_left_out_with_their_reasons_counted() {
    let mut mesh = plate([0.0, 0.0, 10.0, 10.0], 0.0);
    let sound = bake(&input_of(vec![mesh.clone()]), &settings_of(64)).0;
    Arc::make_mut(&mut mesh.vertices).extend([
        [f64::NAN, 0.0, 0.0],
        [0.0, f64::INFINITY, 0.0],
        [3e6, 0.0, 0.0],
        [f64::MAX, 0.0, -f64::MAX],
    ]);
    Arc::make_mut(&mut mesh.triangles).extend([
        [0, 1, 4],        // NaN
        [5, 1, 2],        // infinite
        [2, 1, 6],        // beyond 2^21
        [7, 1, 2],        // its products overflow
        [0, 1, 99],       // no such vertex
        [u32::MAX, 0, 1], // nor such
        [0, 0, 1],        // no area
    ]);
    let (baked, report) = bake(&input_of(vec![mesh]), &settings_of(64));
    assert_eq!(baked.to_bytes().unwrap(), sound.to_bytes().unwrap());
    let [diagnostic] = &report.diagnostics[..] else { panic!("{:?}", report.diagnostics) };
    assert_eq!((diagnostic.kind, diagnostic.element), (DiagnosticKind::TrianglesSkipped, Element::Mesh(0)));
    assert_eq!(diagnostic.measured, 7.0);
    for part in
        ["7 of 9", "2 with a vertex index", "2 with a coordinate that is no number", "2 beyond", "1 without"]
    {
        assert!(diagnostic.message.contains(part), "{part}: {}", diagnostic.message);
    }
}

#[test]
fn nothing_makes_an_empty_mesh() {
    for (input, said) in [(VoxelInput::default(), 0), (input_of(vec![TriangleMesh::default()]), 1)] {
        let (mesh, report) = bake(&input, &settings_of(64));
        assert_eq!((mesh.mesh.slots().len(), report.diagnostics.len()), (0, said));
    }
}

#[test]
fn limits_are_named() {
    let refused = |input: &VoxelInput, settings: &NavSettings| {
        bake_voxel_mesh(input, settings, &BakeOptions::default()).unwrap_err().to_string()
    };
    // Fault 22: a plate of 20 km in cells of 0.3 m is 4.3 million tiles of 32 cells.
    let wide = input_of(vec![plate([-1e4, -1e4, 1e4, 1e4], 0.0)]);
    let what = refused(&wide, &settings_of(32));
    assert!(what.contains("number of tiles") && what.contains("1000000") && what.contains("434"), "{what}");
    // A part of it is no trouble.
    let options = BakeOptions { tiles: Some([3, -7, 4, -7]), ..BakeOptions::default() };
    let (part, _) = bake_voxel_mesh(&wide, &settings_of(32), &options).unwrap();
    assert!((area_of(&part) - 2.0 * 9.6 * 9.6).abs() < 1e-3);

    let small = input_of(vec![plate([0.0, 0.0, 4.0, 4.0], 0.0)]);
    let radius = NavSettings { agent_radius: 1e6, ..settings_of(32) };
    assert!(refused(&small, &radius).contains("number of cells of a tile with its border"));
    let flags = NavSettings { flags: 256, ..settings_of(32) };
    assert!(refused(&small, &flags).contains("flags is 256"));
    let tile = NavSettings { tile_size: 0.125, ..settings_of(32) };
    assert!(refused(&small, &tile).contains("tile_size is 0.125"));
    let mut area = small.clone();
    area.meshes[0].area_type = Some(64);
    assert!(refused(&area, &settings_of(32)).contains("area type is 64"));
    let stopped = BakeError::Stopped.to_string();
    assert!(!stopped.is_empty());
}

#[test]
fn marks_change_what_lies_in_them() {
    let floors = vec![plate([0.0, 0.0, 12.0, 12.0], 0.0), plate([0.0, 0.0, 12.0, 12.0], 3.0)];
    let square = |kind: MarkKind, low: f64, high: f64| AreaMark {
        id: 7,
        name: "mark".to_owned(),
        kind,
        level: 2,
        outline: vec![[3.0, 3.0], [9.0, 3.0], [9.0, 9.0], [3.0, 9.0]],
        low,
        high,
    };
    let settings = NavSettings { agent_radius: 0.0, ..settings_of(64) };
    let area_where = |marks: Vec<AreaMark>, area: u8, level: i8| {
        // Where a hole is over all of it, nothing is left on the area's level.
        let is_cut = marks.iter().any(|mark| mark.kind == MarkKind::Hole);
        let input = VoxelInput { meshes: floors.clone(), marks, ..VoxelInput::default() };
        let (mesh, report) = bake(&input, &settings);
        let said: Vec<_> = complaints(&report).iter().map(|said| (said.kind, said.level)).collect();
        assert_eq!(said, if is_cut { vec![(DiagnosticKind::LevelEmpty, 2)] } else { Vec::new() });
        let of = |(_, tile): (_, &navwright::format::Tile)| -> f64 {
            let chosen = (0..tile.polygons.len())
                .filter(|&index| (tile.polygons[index].area, tile.polygons[index].level()) == (area, level));
            chosen.map(|index| super::doubled_area(tile, index) / 2.0).sum()
        };
        mesh.mesh.tiles().map(of).sum::<f64>()
    };
    // 20 × 20 cells of the marked floor alone, however high the mark reaches above it.
    let water = MarkKind::Area { area_type: 5, flags: 3 };
    assert!((area_where(vec![square(water, -0.5, 2.0)], 5, 2) - 36.0).abs() < 1e-3);
    assert!((area_where(vec![square(water, -0.5, 5.0)], 5, 2) - 72.0).abs() < 1e-3);
    // The outermost cells of both floors are ledges: 38 × 38 cells stay.
    let rest = 2.0 * 11.4 * 11.4 - 36.0;
    assert!((area_where(vec![square(water, -0.5, 2.0)], 0, 0) - rest).abs() < 1e-3);
    // A hole wins, also over an area that comes later; the radius does not keep off it.
    let both = vec![square(MarkKind::Hole, -0.5, 2.0), square(water, -0.5, 2.0)];
    assert_eq!(area_where(both.clone(), 5, 2), 0.0);
    assert!((area_where(both, 0, 0) - rest).abs() < 1e-3);
    // Fault 19: a mark over nothing, or over a whole tile.
    let plain = VoxelInput { meshes: floors.clone(), ..VoxelInput::default() };
    let mut far = square(MarkKind::Hole, -0.5, 2.0);
    far.outline.iter_mut().flatten().for_each(|value| *value += 1e6);
    let marked = VoxelInput { marks: vec![far], ..plain.clone() };
    assert_eq!(bake(&marked, &settings).0.to_bytes().unwrap(), bake(&plain, &settings).0.to_bytes().unwrap());
    let mut whole = square(MarkKind::Hole, -10.0, 10.0);
    whole.outline = vec![[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]];
    let marked = VoxelInput { marks: vec![whole], ..plain };
    assert_eq!(bake(&marked, &settings).0.mesh.slots().len(), 0);
}

#[test]
fn marks_that_are_no_outline_are_said() {
    let mark = |outline: Vec<[f64; 2]>, high: f64| AreaMark {
        id: 9,
        name: "odd".to_owned(),
        kind: MarkKind::Hole,
        level: 0,
        outline,
        low: 0.0,
        high,
    };
    let marks = vec![
        mark(vec![[0.0, 0.0], [1.0, 0.0]], 1.0),
        mark(vec![[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]], 1.0),
        mark(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], f64::INFINITY),
    ];
    let input = VoxelInput { marks, ..input_of(vec![plate([0.0, 0.0, 4.0, 4.0], 0.0)]) };
    let (_, report) = bake(&input, &settings_of(32));
    let kinds: Vec<_> = report.diagnostics.iter().map(|d| (d.kind, d.element)).collect();
    assert_eq!(kinds, [(DiagnosticKind::OutlineDegenerate, Element::Area(9)); 3]);
}

/// Fault 26: whatever the triangles, every polygon is convex, winds upward and has area; the format checks it, so the
/// bake says nothing of a tile that failed.
#[test]
fn random_soups_bake_to_sound_polygons() {
    let (mut open, mut with_floor) = (Vec::new(), 0);
    for seed in 0..60 {
        let (input, settings) = soup(seed);
        let (mesh, report) = bake(&input, &settings);
        if seed % 10 == 0 {
            check_tiles_alone(&input, &settings, &mesh);
        }
        let failed: Vec<_> =
            report.diagnostics.iter().filter(|d| d.kind == DiagnosticKind::TileFailed).collect();
        assert!(failed.is_empty(), "seed {seed}: {failed:?}");
        with_floor += usize::from(area_of(&mesh) > 0.0);
        open.extend(super::open_portals(&mesh));
    }
    // A small floor may go with a large radius; most soups have some left.
    assert!(with_floor >= 45, "{with_floor} of 60 have floor");
    assert_eq!(open, Vec::<String>::new());
}

/// Each tile baked alone, which shares its voxels with no other, is the tile of the whole.
fn check_tiles_alone(input: &VoxelInput, settings: &NavSettings, whole: &NavMesh) {
    let one = BakeOptions { jobs: 1, ..BakeOptions::default() };
    assert_eq!(
        bake_voxel_mesh(input, settings, &one).unwrap().0.to_bytes().unwrap(),
        whole.to_bytes().unwrap()
    );
    for (_, tile) in whole.mesh.tiles() {
        let tiles = Some([tile.tile_x, tile.tile_z, tile.tile_x, tile.tile_z]);
        let (alone, _) = bake_voxel_mesh(input, settings, &BakeOptions { tiles, ..one }).unwrap();
        let (_, same) = alone.mesh.tile_at(tile.position()).unwrap();
        assert_eq!(same.to_bytes(), tile.to_bytes(), "tile {}", tile.position());
    }
}

/// Triangles all over the place, and a setting of each kind.
fn soup(seed: u64) -> (VoxelInput, NavSettings) {
    let mut random = Random(seed);
    let mut mesh = TriangleMesh { name: format!("seed {seed}"), ..TriangleMesh::default() };
    let size = 2.0 + random.unit() * 20.0;
    for _ in 0..20 + random.below(150) {
        let at: [f64; 3] = std::array::from_fn(|axis| random.unit() * if axis == 1 { 4.0 } else { size });
        let mut corner = |reach: f64| -> [f64; 3] {
            std::array::from_fn(|axis| {
                let reach = if axis == 1 { reach * 0.2 } else { reach };
                let value = at[axis] + (random.unit() - 0.5) * reach;
                // Many corners on borders of cells.
                if random.below(3) == 0 { (value / 0.3).round() * 0.3 } else { value }
            })
        };
        let base = mesh.vertices.len() as u32;
        Arc::make_mut(&mut mesh.vertices).extend([corner(6.0), corner(6.0), corner(6.0)]);
        Arc::make_mut(&mut mesh.triangles).push([base, base + 1, base + 2]);
    }
    quad(&mut mesh, [0.0, 0.0, size, size / 2.0], [0.0; 4]);
    let mut settings = settings_of(16 + 16 * (seed as u32 % 3));
    settings.agent_radius = [0.0, 0.3, 0.6][seed as usize % 3];
    settings.min_region_area = [0, 8, 64][(seed / 3) as usize % 3];
    settings.partition = navwright::format::Partition::from_index((seed % 4 % 3) as i32).unwrap();
    settings.contour_max_error = [0.0, 1.3, 4.0][(seed / 9) as usize % 3];
    (input_of(vec![mesh]), settings)
}

/// No region lies over itself: one outline could not describe it, and its portals would face nothing (soup 10203).
#[test]
fn no_region_has_two_floors_in_one_cell() {
    let mut floors = 0;
    for seed in (0..40).chain([10203]) {
        let (input, settings) = soup(seed);
        let (mesh, _) = bake(&input, &settings);
        let columns: BTreeSet<[i32; 2]> =
            mesh.mesh.tiles().map(|(_, tile)| [tile.tile_x, tile.tile_z]).collect();
        for column in columns {
            let (stages, _) = voxel_tile_stages(&input, &settings, column).unwrap();
            let mut seen = BTreeSet::new();
            for floor in stages.floors.iter().filter(|floor| floor.region != 0) {
                assert!(
                    seen.insert((floor.x, floor.z, floor.region)),
                    "seed {seed} tile {column:?}: {floor:?}"
                );
                floors += 1;
            }
        }
        assert_eq!(super::open_portals(&mesh), Vec::<String>::new(), "seed {seed}");
    }
    assert!(floors > 10_000, "{floors}");
}

/// A region is covered whole, also where the straight line to the next one would cross a wall that is followed exactly
/// (soup 18879).
#[test]
fn regions_whose_portals_cross_their_walls_are_whole() {
    for seed in (0..120).filter(|seed| seed / 9 % 3 == 0).chain([18879]) {
        let (input, settings) = soup(seed);
        assert_eq!(settings.contour_max_error, 0.0);
        let (mesh, report) = bake(&input, &settings);
        let torn: Vec<_> =
            report.diagnostics.iter().filter(|d| d.kind == DiagnosticKind::RegionIncomplete).collect();
        assert!(torn.is_empty(), "seed {seed}: {torn:?}");
        assert_eq!(super::open_portals(&mesh), Vec::<String>::new(), "seed {seed}");
        // Straight lines between regions give as much to the one as they take from the other.
        let columns: BTreeSet<[i32; 2]> =
            mesh.mesh.tiles().map(|(_, tile)| [tile.tile_x, tile.tile_z]).collect();
        let cells: usize = columns
            .into_iter()
            .map(|column| {
                let (stages, _) = voxel_tile_stages(&input, &settings, column).unwrap();
                stages.floors.iter().filter(|floor| floor.region != 0).count()
            })
            .sum();
        let expected = cells as f64 * 0.09;
        assert!((area_of(&mesh) - expected).abs() <= 0.02 * expected + 1.0, "seed {seed}: {expected}");
    }
}
