//! Floors that no seed reaches go, also in a bake that follows another one and pays for what changed alone.

use std::collections::BTreeSet;

use navwright::bake::voxel::VoxelBaker;
use navwright::bake::{BakeOptions, DiagnosticKind, TriangleMesh, VoxelInput};
use navwright::format::{AuthoredLink, NavMesh, NavSettings, PolyRef};
use navwright::query::{QueryFilter, nearest_in_box};

use super::{area_of, bake, block, doubled_area, input_of, plate, settings_of};
use crate::support::Random;

/// Side of a tile of 32 cells.
const TILE: f64 = 9.6;

/// A plate of 8 × 8 tiles with long walls, each a mesh of its own, which cut it into rooms; islands above it, two of them
/// with a link down, one with a link up.
fn rooms(random: &mut Random) -> (VoxelInput, NavSettings) {
    let mut meshes = vec![plate([0.0, 0.0, 8.0 * TILE, 8.0 * TILE], 0.0)];
    meshes.extend((0..10).map(|_| wall(random)));
    for shelf in 0..3 {
        let at = 8.0 + f64::from(shelf) * 20.0;
        meshes.push(plate([at, at, at + 8.0, at + 8.0], 6.0));
    }
    let link = |x: f64, down: bool, user_id: u32| {
        let (upper, lower) = ([x, 6.0, x], [x, 0.0, x - 6.0]);
        AuthoredLink {
            start: if down { upper } else { lower },
            end: if down { lower } else { upper },
            radius: 2.0,
            bidirectional: false,
            area: 0,
            flags: 1,
            user_id,
        }
    };
    let links = vec![link(12.0, true, 1), link(32.0, false, 2), link(52.0, true, 3)];
    (input_of(meshes), NavSettings { links, agent_radius: 0.3, ..settings_of(32) })
}

/// Long, narrow, and too high to step upon.
fn wall(random: &mut Random) -> TriangleMesh {
    let mut mesh = TriangleMesh { name: "wall".to_owned(), ..TriangleMesh::default() };
    let (along, across) = (random.unit() * 20.0, random.unit() * 76.0);
    let length = 30.0 + random.unit() * 50.0;
    let rectangle = match random.below(2) {
        0 => [along, across, along + length, across + 0.6],
        _ => [across, along, across + 0.6, along + length],
    };
    block(&mut mesh, rectangle, -0.5, 3.0);
    mesh
}

/// The polygon right under a place.
fn floor_under(mesh: &NavMesh, place: [f64; 3]) -> Option<PolyRef> {
    let (filter, mut scratch) = (QueryFilter::default(), Default::default());
    let near = nearest_in_box(&mesh.mesh, place, [0.01, 1.0, 0.01], &filter, &mut scratch).unwrap();
    near.map(|place| place.polygon)
}

/// By a search over all polygons of a mesh without seeds: how many no seed reaches, and their area.
fn unreached_by_search(mesh: &NavMesh, seeds: &[[f64; 3]]) -> (usize, f64) {
    let mut stack: Vec<PolyRef> = seeds.iter().filter_map(|&seed| floor_under(mesh, seed)).collect();
    let mut reached = BTreeSet::new();
    while let Some(polygon) = stack.pop() {
        if !reached.insert(polygon) {
            continue;
        }
        stack.extend(mesh.mesh.links(polygon).iter().map(|link| link.to));
        let (tile, index) = mesh.mesh.polygon(polygon).unwrap();
        let beside = &tile.edge_neighbours[tile.polygons[index].edges()];
        let inside = beside.iter().filter(|&&number| number != 0);
        stack.extend(inside.map(|&number| polygon.tile().polygon(number - 1)));
    }
    let (mut count, mut area) = (0, 0.0);
    for (slot, tile) in mesh.mesh.tiles() {
        for index in 0..tile.polygons.len() {
            if !reached.contains(&slot.polygon(index as u32)) {
                (count, area) = (count + 1, area + doubled_area(tile, index) / 2.0);
            }
        }
    }
    (count, area)
}

#[test]
fn after_random_changes_what_is_left_is_what_a_search_over_the_whole_mesh_reaches() {
    let mut random = Random(23);
    let (mut input, settings) = rooms(&mut random);
    let mut baker = VoxelBaker::default();
    let (mut counts, mut kept_before) = (BTreeSet::new(), false);
    for change in 0..24 {
        match change % 4 {
            0 => input.meshes.push(wall(&mut random)),
            1 => _ = input.meshes.remove(1 + random.below(9) as usize),
            2 => input.meshes[1 + random.below(9) as usize] = wall(&mut random),
            _ => input.seeds = vec![[-1.0, 0.0, 0.0]],
        }
        let (all, _) = bake(&VoxelInput { seeds: Vec::new(), ..input.clone() }, &settings);
        // They stay as long as they lie on a floor; every other time on the middle shelf as well.
        if input.seeds.first().is_some_and(|&seed| floor_under(&all, seed).is_none()) {
            let mut place = || [2.0 + random.unit() * 70.0, 0.3, 2.0 + random.unit() * 70.0];
            let on_floor = std::iter::repeat_with(&mut place).find(|&at| floor_under(&all, at).is_some());
            input.seeds =
                on_floor.into_iter().chain((change % 8 == 3).then_some([32.0, 6.0, 32.0])).collect();
        }
        if change == 14 {
            input.seeds.clear();
        }
        let (kept, report) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
        let (fresh, fresh_report) = bake(&input, &settings);
        assert_eq!(kept.to_bytes().unwrap(), fresh.to_bytes().unwrap(), "change {change}");
        // In words: what was not measured equals nothing.
        assert_eq!(format!("{report:?}"), format!("{fresh_report:?}"), "change {change}");
        if input.seeds.is_empty() {
            assert_eq!(kept.to_bytes().unwrap(), all.to_bytes().unwrap());
            continue;
        }
        let (count, area) = unreached_by_search(&all, &input.seeds);
        let said: Vec<_> =
            report.diagnostics.iter().filter(|said| said.kind == DiagnosticKind::NoSeedReaches).collect();
        assert_eq!(said.len(), usize::from(count > 0), "change {change}");
        for said in said {
            assert!((said.measured - area).abs() < 1e-3, "change {change}: {} for {area}", said.measured);
            assert!(said.message.contains(&format!("{count} polygon")), "change {change}: {}", said.message);
        }
        assert!((area_of(&all) - area_of(&kept) - area).abs() < 1e-3, "change {change}");
        counts.insert(count);
        kept_before |= baker.fresh_columns() < 64;
    }
    assert!(counts.len() > 5 && kept_before, "{counts:?}");
}

/// What a seed reaches is asked part by part, not polygon by polygon: an edit looks at its tile and those around it.
#[test]
fn an_edit_with_seeds_looks_at_the_polygons_of_its_tile_and_of_those_around_it() {
    let mut random = Random(5);
    let (mut input, settings) = rooms(&mut random);
    input.seeds = vec![[2.0, 0.0, 2.0]];
    let middle = |height: f64| {
        let mut mesh = TriangleMesh { name: "block".to_owned(), ..TriangleMesh::default() };
        // In the middle of tile (1, 6): its border does not reach the next one's cells.
        block(&mut mesh, [14.0, 62.0, 15.0, 63.0], -0.5, height);
        mesh
    };
    input.meshes.push(middle(3.0));
    let mut baker = VoxelBaker::default();
    let (first, _) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    let all: usize = first.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    assert!(baker.counted_polygons() >= all);
    baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!((baker.fresh_columns(), baker.counted_polygons()), (0, 0));

    *input.meshes.last_mut().unwrap() = middle(0.4);
    let (second, report) = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!(baker.fresh_columns(), 1);
    // Once for what seeds reach, once for the islands of what is left.
    let (whole, _) = bake(&VoxelInput { seeds: Vec::new(), ..input.clone() }, &settings);
    let near = |mesh: &NavMesh| -> usize {
        let tiles = mesh.mesh.tiles().map(|(_, tile)| tile);
        let near = tiles.filter(|tile| tile.tile_x.abs_diff(1) <= 1 && tile.tile_z.abs_diff(6) <= 1);
        near.map(|tile| tile.polygons.len()).sum()
    };
    let most = near(&whole) + near(&second);
    assert!(0 < baker.counted_polygons() && baker.counted_polygons() <= most, "{}", baker.counted_polygons());
    assert!(most < all, "{most} of {all}");
    assert_eq!(format!("{report:?}"), format!("{:?}", bake(&input, &settings).1));
}
