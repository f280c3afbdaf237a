//! What holds of every bake: the same bytes however it is made, borders that are stitched from both sides, nothing
//! damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use navwright::bake::{BakeOptions, DiagnosticKind, VoxelInput, bake_voxel_mesh};
use navwright::format::{LinkKind, NavMesh, NavSettings, PolyRef, RawTile};

use super::scenes::{move_by, scene};
use super::{bake, block, input_of, open_portals, plate, settings_of};
use crate::support::Random;

/// Both ends of every way over a border.
fn ways_over_borders(mesh: &NavMesh) -> BTreeSet<(PolyRef, PolyRef)> {
    let mut ways = BTreeSet::new();
    for (slot, tile) in mesh.mesh.tiles() {
        for index in 0..tile.polygons.len() {
            let polygon = slot.polygon(index as u32);
            let portals = mesh.mesh.links(polygon).iter().filter(|link| link.kind == LinkKind::Portal);
            ways.extend(portals.map(|link| (polygon, link.to)));
        }
    }
    ways
}

fn shuffled(input: &VoxelInput, random: &mut Random) -> VoxelInput {
    let mut shuffled = input.clone();
    shuffled.meshes.reverse();
    for mesh in &mut shuffled.meshes {
        let triangles = Arc::make_mut(&mut mesh.triangles);
        for index in (1..triangles.len()).rev() {
            triangles.swap(index, random.below(index as u64 + 1) as usize);
        }
        triangles.iter_mut().for_each(|triangle| triangle.rotate_left(random.below(3) as usize));
    }
    shuffled
}

/// The tiles in words, as if the mesh lay so many tiles farther back.
fn tiles_moved_back(mesh: &NavMesh, [x, z]: [i32; 2]) -> BTreeMap<[i32; 3], String> {
    let words = |tile: &RawTile| {
        let mut tile = tile.clone();
        (tile.tile_x, tile.tile_z) = (tile.tile_x - x, tile.tile_z - z);
        ([tile.tile_x, tile.tile_z, tile.layer], format!("{tile:?}"))
    };
    mesh.mesh.tiles().map(|(_, tile)| words(tile)).collect()
}

#[test]
fn a_bake_is_the_same_however_it_is_made() {
    let mut ways = 0;
    for seed in 100..160 {
        let is_exact = seed % 2 == 0;
        let (input, settings) = scene(seed, is_exact);
        let with = |input: &VoxelInput, jobs: usize, tiles: Option<[i32; 4]>| {
            let options = BakeOptions { jobs, tiles, ..BakeOptions::default() };
            bake_voxel_mesh(input, &settings, &options).unwrap()
        };
        let (whole, report) = with(&input, 1, None);
        let bytes = whole.to_bytes().unwrap();
        assert!(NavMesh::from_bytes(&bytes).is_ok(), "seed {seed}");
        let damaged = [DiagnosticKind::TileFailed, DiagnosticKind::RegionIncomplete];
        let said: Vec<_> = report.diagnostics.iter().filter(|said| damaged.contains(&said.kind)).collect();
        assert!(said.is_empty(), "seed {seed}: {said:?}");
        assert_eq!(open_portals(&whole), Vec::<String>::new(), "seed {seed}");
        let over = ways_over_borders(&whole);
        assert!(over.iter().all(|&(from, to)| over.contains(&(to, from))), "seed {seed}");
        ways += over.len();

        let (threads, same) = with(&input, 2 + 6 * (seed as usize / 2 % 2), None);
        assert!(threads.to_bytes().unwrap() == bytes, "seed {seed}: threads differ");
        assert_eq!(format!("{same:?}"), format!("{report:?}"), "seed {seed}");
        let (other, _) = with(&shuffled(&input, &mut Random(seed)), 1, None);
        assert!(other.to_bytes().unwrap() == bytes, "seed {seed}: another order of triangles differs");
        let columns: BTreeSet<[i32; 2]> =
            whole.mesh.tiles().map(|(_, tile)| [tile.tile_x, tile.tile_z]).collect();
        for &[x, z] in columns.iter().take(6) {
            let (alone, _) = with(&input, 1, Some([x, z, x, z]));
            let of = |mesh: &NavMesh| -> Vec<Vec<u8>> {
                mesh.mesh.column(x, z).map(|(_, tile)| tile.to_bytes()).collect()
            };
            assert!(of(&alone) == of(&whole), "seed {seed}: tile {x}, {z} alone differs");
        }
        if is_exact {
            let mut moved = input.clone();
            move_by(&mut moved, [3.0 * settings.tile_size, -40.0 * settings.tile_size]);
            let (moved, _) = with(&moved, 1, None);
            assert!(
                tiles_moved_back(&moved, [3, -40]) == tiles_moved_back(&whole, [0, 0]),
                "seed {seed}: moved by whole tiles it differs"
            );
        }
    }
    assert!(ways > 2000, "{ways}");
}

/// How large an island is said to be does not depend on the tile that asks: a corridor over many tiles that has too few
/// floors goes, in each of them, and one that is longer than what is looked at stays, in each of them.
#[test]
fn long_islands_stay_or_go_in_all_their_tiles() {
    for (cells, stays) in [(700, false), (1100, true)] {
        let corridor = plate([0.0, 0.0, f64::from(cells) * 0.3, 1.8], 0.0);
        let input = input_of(vec![corridor]);
        let settings =
            |side: u32| NavSettings { min_region_area: 20_000, agent_radius: 0.3, ..settings_of(side) };
        let count = |side: u32| bake(&input, &settings(side)).0.mesh.tiles().count();
        assert_eq!([count(64), count(2048)].map(|count| count > 0), [stays; 2], "{cells}");
        for x in [0, 7, cells / 64] {
            let tiles = Some([x, 0, x, 0]);
            let options = BakeOptions { tiles, ..BakeOptions::default() };
            let (alone, _) = bake_voxel_mesh(&input, &settings(64), &options).unwrap();
            assert_eq!(alone.mesh.tiles().count(), usize::from(stays), "{cells}, tile {x}");
        }
    }
}

/// Floors of a tower and posts in a floor, by the hundred: what each costs does not grow with all the others.
#[test]
fn many_storeys_and_many_holes_bake() {
    let storeys = 120;
    let tower = (0..storeys).map(|storey| plate([0.0, 0.0, 6.0, 6.0], f64::from(storey) * 3.0)).collect();
    let (mesh, _) = bake(&input_of(tower), &settings_of(32));
    assert_eq!(mesh.mesh.tiles().count(), 120);
    assert_eq!(
        mesh.mesh.tiles().map(|(_, tile)| tile.layer).collect::<Vec<_>>(),
        (0..120).collect::<Vec<_>>()
    );

    let mut posts = plate([0.0, 0.0, 36.0, 36.0], 0.0);
    for post in 0..400 {
        let (x, z) = (f64::from(post % 20) * 1.8 + 0.9, f64::from(post / 20) * 1.8 + 0.9);
        block(&mut posts, [x, z, x + 0.29, z + 0.29], -0.5, 3.0);
    }
    let settings = NavSettings { agent_radius: 0.0, contour_max_error: 0.0, ..settings_of(128) };
    let (mesh, report) = bake(&input_of(vec![posts]), &settings);
    assert_eq!(super::complaints(&report), []);
    // The outermost cells are ledges; each post lies in a cell of its own.
    let expected = f64::from(118 * 118 - 20 * 20) * 0.09;
    let found = super::area_of(&mesh);
    assert!((found - expected).abs() < 1e-2, "{found} of {expected}");
}
