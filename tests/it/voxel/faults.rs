//! The inputs on which other bakers failed (the numbers are those of the collected reports), with the right answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use navwright::bake::{
    BakeOptions, DiagnosticKind, TriangleMesh, VoxelInput, bake_voxel_mesh, voxel_tile_stages,
};
use navwright::format::{AuthoredLink, NavMesh, NavSettings, Partition};
use navwright::interop::obj::import_obj;

use super::{
    area_of, bake, block, complaints, components, input_of, open_portals, plate, polygon_at, quad,
    settings_of,
};
use crate::support::shared;

/// World y of the polygons, lowest and highest.
fn heights(mesh: &NavMesh) -> (f64, f64) {
    let tiles = mesh.mesh.tiles();
    let ys =
        tiles.flat_map(|(_, tile)| tile.vertices.iter().map(|vertex| tile.origin_y + f64::from(vertex[1])));
    ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
}

fn recast_mesh(name: &str) -> Option<TriangleMesh> {
    let file = shared(&format!("data/recast/{name}.obj"))?;
    Some(import_obj(&std::fs::read(file).unwrap(), name).unwrap().mesh)
}

/// Every vertex and detail vertex of a tile lies within the climb and the error of a floor in the cells around it.
fn check_heights(input: &VoxelInput, settings: &NavSettings, column: [i32; 2]) -> usize {
    let (stages, _) = voxel_tile_stages(input, settings, column).unwrap();
    let reach = f64::from(settings.walkable_climb) + settings.detail_max_error + 1e-3;
    let mut checked = 0;
    for tile in &stages.tiles {
        for vertex in tile.vertices.iter().chain(&tile.detail_vertices) {
            let [x, y, z] = vertex.map(f64::from);
            let near = stages.floors.iter().any(|floor| {
                let off = |cell: i32, at: f64| {
                    let middle = (f64::from(cell) + 0.5) * stages.cell_size;
                    (middle - at).abs() <= 2.6 * stages.cell_size
                };
                let floor_y = stages.origin[1] + f64::from(floor.y) * stages.cell_height;
                off(floor.x, x) && off(floor.z, z) && (floor_y - (tile.origin_y + y)).abs() <= reach
            });
            assert!(near, "tile {} vertex {vertex:?} is on no floor", tile.position());
            checked += 1;
        }
    }
    checked
}

/// 16: each end goes to the floor nearest in height.
#[test]
fn links_in_a_lift_shaft_reach_their_own_floors() {
    let floors = (0..4).map(|floor| plate([0.0, 0.0, 8.0, 8.0], f64::from(floor) * 3.0)).collect();
    let link = |floor: i32| AuthoredLink {
        start: [4.0, f64::from(floor) * 3.0, 4.0],
        end: [4.0, f64::from(floor + 1) * 3.0, 4.0],
        radius: 0.5,
        bidirectional: true,
        area: 0,
        flags: 1,
        user_id: floor as u32,
    };
    let settings = NavSettings { links: (0..3).map(link).collect(), ..settings_of(64) };
    let (mesh, report) = bake(&input_of(floors), &settings);
    assert_eq!(complaints(&report), []);
    assert_eq!(mesh.mesh.tiles().count(), 4);
    assert_eq!(components(&mesh).count(), 1);
    for (_, tile) in mesh.mesh.tiles() {
        let floor = tile.origin_y + f64::from(tile.vertices[0][1]);
        for link in &tile.links {
            assert!((tile.origin_y + f64::from(link.start[1]) - floor).abs() <= 0.21, "{link:?} on {floor}");
        }
    }
}

/// 18: floors one above the other at a border are joined to their own continuations, however many there are.
#[test]
fn a_spiral_stair_round_a_tile_corner_is_one_way_up() {
    // Two turns round the corner that tiles (0, 0) to (1, 1) share: 16 steps a turn of 0.3 m, each a wedge.
    let mut stair = TriangleMesh { name: "stair".to_owned(), ..TriangleMesh::default() };
    let (middle, steps) = (9.6, 16_u32);
    // Points round a square, so that no sine is needed.
    let rim = |step: u32| -> [f64; 2] {
        let t = f64::from(step % steps) / f64::from(steps) * 4.0;
        let (side, along) = (t.floor(), t.fract() * 2.0 - 1.0);
        let [x, z] = [[along, -1.0], [1.0, along], [-along, 1.0], [-1.0, -along]][side as usize];
        [middle + x * 6.0, middle + z * 6.0]
    };
    let inner = |[x, z]: [f64; 2]| [middle + (x - middle) * 0.25, middle + (z - middle) * 0.25];
    for step in 0..2 * steps {
        let y = f64::from(step) * 0.3;
        let (a, b) = (rim(step), rim(step + 1));
        let corners = [inner(a), a, b, inner(b)];
        let base = stair.vertices.len() as u32;
        Arc::make_mut(&mut stair.vertices).extend(corners.map(|[x, z]| [x, y, z]));
        Arc::make_mut(&mut stair.triangles).extend([[base, base + 2, base + 1], [base, base + 3, base + 2]]);
    }
    let settings = NavSettings { agent_radius: 0.3, ..settings_of(32) };
    let (mesh, _) = bake(&input_of(vec![stair]), &settings);
    assert_eq!(open_portals(&mesh), Vec::<String>::new());
    let islands = components(&mesh);
    let at = |step: u32| {
        let (a, b) = (rim(step), rim(step + 1));
        let half = |i: usize| middle + ((a[i] + b[i]) / 2.0 - middle) * 0.6;
        islands.of(polygon_at(&mesh, [half(0), f64::from(step) * 0.3, half(1)]).unwrap())
    };
    let bottom = at(1);
    assert!(bottom.is_some());
    assert_eq!((1..31).map(at).collect::<BTreeSet<_>>(), BTreeSet::from([bottom]));
}

/// 18: one long edge against six short ones.
#[test]
fn one_edge_faces_six() {
    let mut mesh = plate([0.0, 0.0, 9.6, 9.6], 0.0);
    for piece in 0..6 {
        let z = f64::from(piece) * 1.6;
        quad(&mut mesh, [9.6, z, 19.2, z + 0.9], [0.0; 4]);
    }
    let settings = NavSettings { agent_radius: 0.0, min_region_area: 0, ..settings_of(32) };
    let (mesh, _) = bake(&input_of(vec![mesh]), &settings);
    assert_eq!((open_portals(&mesh), components(&mesh).count()), (Vec::new(), 1));
}

/// 20: what is joined does not depend on how large tiles are.
#[test]
fn islands_are_the_same_in_every_tile_size() {
    for name in ["undulating", "nav_test", "dungeon"] {
        let Some(mesh) = recast_mesh(name) else { return };
        let low: [f64; 3] =
            std::array::from_fn(|axis| mesh.vertices.iter().map(|v| v[axis]).fold(f64::INFINITY, f64::min));
        let input = input_of(vec![mesh]);
        let count = |cells: u32| {
            let mesh = bake(&input, &NavSettings { origin: low, ..settings_of(cells) }).0;
            components(&mesh).count()
        };
        let whole = count(512);
        for cells in [24, 32, 64, 100] {
            assert_eq!(count(cells), whole, "{name} in tiles of {cells} cells");
        }
    }
}

/// 21: heights have their full range.
#[test]
fn far_apart_heights_stay_what_they_are() {
    let plates = vec![plate([0.0, 0.0, 8.0, 8.0], 0.0), plate([0.0, 0.0, 8.0, 8.0], 4000.0)];
    let (mesh, _) = bake(&input_of(plates), &settings_of(64));
    let (low, high) = heights(&mesh);
    assert!((low - 0.2).abs() <= 0.2 && (high - 4000.0).abs() <= 0.2, "{low} {high}");
    assert_eq!(mesh.mesh.tiles().count(), 2);
    // Beyond what one tile's local heights reach: the layers have origins of their own.
    let plates = vec![plate([0.0, 0.0, 8.0, 8.0], -90_000.0), plate([0.0, 0.0, 8.0, 8.0], 90_000.0)];
    let (mesh, report) = bake(&input_of(plates), &settings_of(64));
    let (low, high) = heights(&mesh);
    assert!((low + 90_000.0).abs() <= 0.21 && (high - 90_000.0).abs() <= 0.21, "{low} {high}");
    assert_eq!(complaints(&report), []);

    let Some(dungeon) = recast_mesh("dungeon") else { return };
    let alone = bake(&input_of(vec![dungeon.clone()]), &settings_of(64)).0;
    let mut deep = dungeon;
    let base = deep.vertices.len() as u32;
    Arc::make_mut(&mut deep.vertices).extend([[0.0, -2000.0, 0.0], [0.5, -2000.0, 0.0], [0.0, -2000.0, 0.5]]);
    Arc::make_mut(&mut deep.triangles).push([base, base + 2, base + 1]);
    let with = bake(&input_of(vec![deep]), &settings_of(64)).0;
    assert_eq!(with.to_bytes().unwrap(), alone.to_bytes().unwrap());
}

/// 23: detail beside steps and gaps lies on the floors that are there.
#[test]
fn detail_lies_on_its_floor_beside_stairs_and_gaps() {
    let mut mesh = plate([0.0, 0.0, 4.0, 12.0], 0.0);
    for step in 0..10 {
        let (x, y) = (4.0 + f64::from(step) * 0.5, f64::from(step + 1) * 0.2);
        block(&mut mesh, [x, 0.0, x + 0.5, 5.85], y - 0.2, y);
        // The same stairs again, beyond a gap of 0.3 m.
        block(&mut mesh, [x, 6.15, x + 0.5, 12.0], y - 0.2, y);
    }
    quad(&mut mesh, [9.0, 0.0, 14.0, 12.0], [2.0; 4]);
    for sample in [0.5, 1.0, 1.8] {
        let mut settings = NavSettings { agent_radius: 0.3, ..settings_of(64) };
        settings.detail_sample_distance = sample;
        let checked = check_heights(&input_of(vec![mesh.clone()]), &settings, [0, 0]);
        assert!(checked >= 8, "{checked}");
    }
}

/// 24: a polygon keeps its region; its heights follow its own floor.
#[test]
fn heights_follow_their_own_floor_in_layers() {
    let Some(mesh) = recast_mesh("nav_test") else { return };
    let settings = NavSettings { walkable_climb: 1.6, partition: Partition::Layers, ..settings_of(32) };
    let input = input_of(vec![mesh]);
    let columns: BTreeSet<[i32; 2]> =
        bake(&input, &settings).0.mesh.tiles().map(|(_, tile)| [tile.tile_x, tile.tile_z]).collect();
    let checked: usize = columns.iter().map(|&column| check_heights(&input, &settings, column)).sum();
    assert!(checked > 500, "{checked}");
}

/// 25: holes are bridged; nothing goes missing round a pillar.
#[test]
fn a_plate_with_a_pillar_keeps_all_its_floor() {
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let mut mesh = plate([0.0, 0.0, 18.0, 18.0], 0.0);
        block(&mut mesh, [8.5, 8.5, 9.5, 9.5], -1.0, 4.0);
        let settings =
            NavSettings { partition, agent_radius: 0.0, contour_max_error: 0.0, ..settings_of(128) };
        let (mesh, report) = bake(&input_of(vec![mesh]), &settings);
        assert_eq!(complaints(&report), []);
        // The outermost cells are ledges, the pillar takes 4 × 4 cells; without simplification the rest is exact.
        let expected = 17.4 * 17.4 - 1.2 * 1.2;
        assert!((area_of(&mesh) - expected).abs() < 1e-3, "{partition:?}: {} of {expected}", area_of(&mesh));
    }
}

/// 25: dungeon at 32 cells, whole; and undulating without samples.
#[test]
fn what_made_a_port_give_up_bakes() {
    if let Some(dungeon) = recast_mesh("dungeon") {
        let low: [f64; 3] = std::array::from_fn(|axis| {
            dungeon.vertices.iter().map(|v| v[axis]).fold(f64::INFINITY, f64::min)
        });
        let settings = NavSettings { origin: low, ..settings_of(32) };
        let (mesh, report) = bake(&input_of(vec![dungeon]), &settings);
        assert_eq!(complaints(&report), []);
        assert!(mesh.mesh.column(4, 1).next().is_some());
    }
    if let Some(undulating) = recast_mesh("undulating") {
        let settings = NavSettings { detail_sample_distance: 0.0, ..settings_of(64) };
        let (mesh, _) = bake(&input_of(vec![undulating]), &settings);
        assert!(mesh.mesh.tiles().all(|(_, tile)| tile.detail_meshes.is_empty()));
    }
}

/// 27: which of two floors at one height wins does not depend on which comes first: the greater area type.
#[test]
fn water_and_ground_at_one_height_are_water_in_any_order() {
    let ground = plate([0.0, 0.0, 12.0, 12.0], 0.0);
    let mut water = plate([0.0, 0.0, 12.0, 12.0], 0.0);
    water.area_type = Some(3);
    let meshes = [vec![ground.clone(), water.clone()], vec![water, ground]];
    let [a, b] = meshes.map(|meshes| bake(&input_of(meshes), &settings_of(64)).0);
    assert_eq!(a.to_bytes().unwrap(), b.to_bytes().unwrap());
    assert!(a.mesh.tiles().all(|(_, tile)| tile.polygons.iter().all(|polygon| polygon.area == 3)));
}

/// 28: small puddles of another area do not cut the floor into islands, nor go missing.
#[test]
fn puddles_belong_to_the_floor_around_them() {
    let ground = plate([0.0, 0.0, 18.0, 18.0], 0.0);
    let mut puddles = TriangleMesh { area_type: Some(2), ..TriangleMesh::default() };
    for i in 0..4 {
        for j in 0..4 {
            let (x, z) = (2.4 + f64::from(i) * 3.6, 2.4 + f64::from(j) * 3.6);
            quad(&mut puddles, [x, z, x + 0.9, z + 0.9], [0.0; 4]);
        }
    }
    let settings = NavSettings { agent_radius: 0.0, ..settings_of(128) };
    let (mesh, _) = bake(&input_of(vec![ground, puddles]), &settings);
    assert_eq!(components(&mesh).count(), 1);
    let wet = mesh.mesh.tiles().flat_map(|(_, tile)| &tile.polygons).filter(|polygon| polygon.area == 2);
    assert!(wet.count() >= 16);
}

/// 28: a floor inside a closed box goes when a seed says where agents are; one that a link leads to stays.
#[test]
fn what_no_seed_reaches_goes() {
    let mut mesh = plate([0.0, 0.0, 24.0, 12.0], 0.0);
    // A closed box with a floor of its own inside, and a shelf that only a link reaches.
    block(&mut mesh, [4.0, 2.0, 12.0, 10.0], -1.0, 6.0);
    quad(&mut mesh, [5.0, 3.0, 11.0, 9.0], [1.0; 4]);
    quad(&mut mesh, [16.0, 2.0, 22.0, 8.0], [5.0; 4]);
    let link = AuthoredLink {
        start: [18.0, 0.0, 10.0],
        end: [19.0, 5.0, 5.0],
        radius: 0.5,
        bidirectional: false,
        area: 0,
        flags: 1,
        user_id: 1,
    };
    for cells in [32, 128] {
        let settings = NavSettings { links: vec![link], ..settings_of(cells) };
        let all = input_of(vec![mesh.clone()]);
        let island = |mesh: &NavMesh, place: [f64; 3]| {
            polygon_at(mesh, place).filter(|&polygon| {
                let (tile, index) = mesh.mesh.polygon(polygon).unwrap();
                let corners = &tile.edge_vertices[tile.polygons[index].edges()];
                let y = tile.origin_y + f64::from(tile.vertices[corners[0] as usize][1]);
                (y - place[1]).abs() < 0.5
            })
        };
        let (inside, roof, shelf, ground) =
            ([8.0, 1.0, 6.0], [8.0, 6.0, 6.0], [19.0, 5.0, 5.0], [2.0, 0.0, 6.0]);
        let (plain, _) = bake(&all, &settings);
        for place in [inside, roof, shelf, ground] {
            assert!(island(&plain, place).is_some(), "{place:?} without seeds");
        }
        let seeded = VoxelInput { seeds: vec![[2.0, 0.1, 2.0]], ..all.clone() };
        let (kept, report) = bake(&seeded, &settings);
        let kinds: Vec<_> = report.diagnostics.iter().map(|said| said.kind).collect();
        assert_eq!(kinds, [DiagnosticKind::NoSeedReaches]);
        assert_eq!(
            [inside, roof, shelf, ground].map(|place| island(&kept, place).is_some()),
            [false, false, true, true]
        );
        assert_eq!(open_portals(&kept), Vec::<String>::new());
        // A tile baked alone is the tile of the whole.
        let (_, tile) = kept.mesh.tiles().next().unwrap();
        let tiles = Some([tile.tile_x, tile.tile_z, tile.tile_x, tile.tile_z]);
        let options = BakeOptions { tiles, ..BakeOptions::default() };
        let (alone, _) = bake_voxel_mesh(&seeded, &settings, &options).unwrap();
        assert_eq!(alone.mesh.tile_at(tile.position()).unwrap().1.to_bytes(), tile.to_bytes());
        // From the shelf there is no way down.
        let (shelf_only, _) = bake(&VoxelInput { seeds: vec![[19.0, 5.0, 5.0]], ..all.clone() }, &settings);
        assert!(island(&shelf_only, shelf).is_some() && island(&shelf_only, ground).is_none());
        let (nothing, report) = bake(&VoxelInput { seeds: vec![[2.0, 50.0, 2.0]], ..all }, &settings);
        assert_eq!(nothing.mesh.tiles().count(), 0);
        assert!(report.diagnostics.iter().any(|d| d.kind == DiagnosticKind::SeedOffFloor));
    }
}

/// 28: a plank of 1 m with nothing beside it stays for an agent of radius 0.6, if ledges ask for less than walls do.
#[test]
fn ledges_may_ask_for_less_than_walls() {
    // The plank, and a corridor between walls of the same width.
    let mut mesh = plate([0.0, 0.0, 18.0, 1.2], 4.0);
    quad(&mut mesh, [0.0, 6.0, 18.0, 7.2], [4.0; 4]);
    block(&mut mesh, [0.0, 5.4, 18.0, 6.0], 3.0, 8.0);
    block(&mut mesh, [0.0, 7.2, 18.0, 7.8], 3.0, 8.0);
    let settings = NavSettings { min_region_area: 0, ..settings_of(64) };
    let input = input_of(vec![mesh]);
    let on = |mesh: &NavMesh, z: f64| {
        let near = |vertex: [f64; 3]| (vertex[2] - z).abs() < 0.7 && (vertex[1] - 4.0).abs() < 0.5;
        let mut tiles = mesh.mesh.tiles();
        tiles.any(|(_, tile)| {
            tile.vertices.iter().any(|&vertex| near(tile.point_in_world(mesh.mesh.params(), vertex)))
        })
    };
    let (recast, _) = bake(&input, &settings);
    assert!(!on(&recast, 0.6) && !on(&recast, 6.6));
    let (apart, _) = bake(&VoxelInput { ledge_radius: Some(0.0), ..input.clone() }, &settings);
    assert!(on(&apart, 0.6) && !on(&apart, 6.6));
    let (same, _) = bake(&VoxelInput { ledge_radius: Some(0.6), ..input }, &settings);
    assert_eq!(same.to_bytes().unwrap(), recast.to_bytes().unwrap());
}

/// 28: which area type wins where floors meet is the author's choice.
#[test]
fn the_area_that_wins_can_be_chosen() {
    let ground = TriangleMesh { area_type: Some(1), ..plate([0.0, 0.0, 12.0, 12.0], 0.0) };
    let water = TriangleMesh { area_type: Some(3), ..plate([0.0, 0.0, 12.0, 12.0], 0.0) };
    let areas = |area_priority: Vec<u8>| {
        let input = VoxelInput { area_priority, ..input_of(vec![ground.clone(), water.clone()]) };
        let (mesh, _) = bake(&input, &settings_of(64));
        let tiles = mesh.mesh.tiles();
        tiles.flat_map(|(_, tile)| tile.polygons.iter().map(|p| p.area)).collect::<BTreeSet<u8>>()
    };
    assert_eq!(areas(vec![]), BTreeSet::from([3]));
    assert_eq!(areas(vec![1]), BTreeSet::from([1]));
    assert_eq!(areas(vec![3, 1]), BTreeSet::from([3]));
}

/// 29: holes that touch at their corners leave no edge to more than two polygons; the floor is whole around them.
#[test]
fn sixteen_touching_holes_leave_a_manifold() {
    let mut mesh = plate([0.0, 0.0, 19.2, 19.2], 0.0);
    for i in 0..4_i32 {
        for j in 0..4_i32 {
            if (i + j) % 2 == 0 {
                let (x, z) = (4.8 + f64::from(i) * 2.4, 4.8 + f64::from(j) * 2.4);
                block(&mut mesh, [x, z, x + 2.4, z + 2.4], -1.0, 3.0);
            }
        }
    }
    for cells in [32, 64, 128] {
        let settings = NavSettings { agent_radius: 0.0, min_region_area: 0, ..settings_of(cells) };
        let (mesh, report) = bake(&input_of(vec![mesh.clone()]), &settings);
        assert_eq!(complaints(&report), []);
        assert_eq!(open_portals(&mesh), Vec::<String>::new());
        for (_, tile) in mesh.mesh.tiles() {
            let mut users: std::collections::BTreeMap<(u32, u32), usize> = Default::default();
            for polygon in &tile.polygons {
                let corners = &tile.edge_vertices[polygon.edges()];
                for edge in 0..corners.len() {
                    let (from, to) = (corners[edge], corners[(edge + 1) % corners.len()]);
                    *users.entry((from.min(to), from.max(to))).or_default() += 1;
                }
            }
            assert!(users.values().all(|&count| count <= 2));
        }
    }
}

/// 30: the spacing of samples is what it says: a bump between samples is missed, one on them is found.
#[test]
fn detail_samples_are_as_far_apart_as_asked() {
    // A slope with a ridge of hills 6 m apart.
    let mut mesh = TriangleMesh { name: "hills".to_owned(), ..TriangleMesh::default() };
    let height = |x: f64| x * 0.1 + (1.0 - ((x / 6.0).fract() - 0.5).abs() * 2.0) * 1.2;
    for column in 0..36 {
        let (x0, x1) = (f64::from(column) * 0.5, f64::from(column + 1) * 0.5);
        let (y0, y1) = (height(x0), height(x1));
        quad(&mut mesh, [x0, 0.0, x1, 18.0], [y0, y1, y1, y0]);
    }
    let count = |spacing: f64| {
        let settings = NavSettings { detail_sample_distance: spacing, agent_radius: 0.0, ..settings_of(60) };
        let (mesh, _) = bake(&input_of(vec![mesh.clone()]), &settings);
        mesh.mesh.tiles().map(|(_, tile)| tile.detail_vertices.len()).sum::<usize>()
    };
    let counts = [0.5, 1.0, 6.0, 16.0].map(count);
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    // Samples every 0.5 m see each of the six turns of the slope at both ends of the plate; every 16 m sees none.
    assert!(counts[0] >= 10 && counts[3] <= 2, "{counts:?}");
}

/// Two floors that are no more than two climbs apart, beside a step in reach of both.
#[test]
fn floors_close_above_each_other_bake_as_one_way_each() {
    let mut mesh = plate([0.0, 0.0, 6.0, 9.0], 0.0);
    quad(&mut mesh, [6.0, 0.0, 12.0, 9.0], [0.8; 4]);
    quad(&mut mesh, [6.0, 0.0, 12.0, 9.0], [-0.8; 4]);
    let settings = NavSettings { agent_height: 1.2, agent_radius: 0.0, ..settings_of(64) };
    let options = BakeOptions::default();
    let (mesh, report) = bake_voxel_mesh(&input_of(vec![mesh]), &settings, &options).unwrap();
    assert_eq!(complaints(&report), []);
    // Whichever it is joined to, floors of one plan are in layers of their own.
    assert_eq!(mesh.mesh.tiles().count(), 2);
    assert_eq!(components(&mesh).count(), 2);
}
