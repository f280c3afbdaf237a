//! Equal input gives equal bytes, however it is baked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use navwright::bake::{BakeError, BakeOptions, Progress, TriangleMesh, VoxelInput, bake_voxel_mesh};
use navwright::format::{NavMesh, NavSettings, Partition};

use super::{area_of, bake, block, components, input_of, open_portals, plate, quad, settings_of};
use crate::support::Random;

/// Hills with blocks on them and a bridge over a part.
fn hilly_input(offset: f64) -> VoxelInput {
    let mut random = Random(11);
    let mut ground = TriangleMesh { name: "ground".to_owned(), ..TriangleMesh::default() };
    let height = |x: f64, z: f64| {
        let wave = |value: f64| {
            // A triangle wave, so that no platform's sine matters.
            let turns = value - value.floor();
            (turns - 0.5).abs() * 4.0 - 1.0
        };
        1.5 * wave(x / 17.0) + 1.2 * wave(z / 13.0) + 0.4 * wave((x + z) / 5.0)
    };
    for i in 0..20 {
        for j in 0..20 {
            let (x, z) = (f64::from(i) * 2.0, f64::from(j) * 2.0);
            let y = [(x, z), (x + 2.0, z), (x + 2.0, z + 2.0), (x, z + 2.0)].map(|(x, z)| height(x, z));
            quad(&mut ground, [x + offset, z + offset, x + 2.0 + offset, z + 2.0 + offset], y);
        }
    }
    for _ in 0..12 {
        let (x, z) = (offset + 2.0 + random.unit() * 34.0, offset + 2.0 + random.unit() * 34.0);
        block(&mut ground, [x, z, x + 1.0 + random.unit() * 2.0, z + 1.0 + random.unit() * 2.0], -3.0, 5.0);
    }
    let mut bridge = TriangleMesh { name: "bridge".to_owned(), ..TriangleMesh::default() };
    block(&mut bridge, [offset + 4.0, offset + 15.0, offset + 36.0, offset + 19.0], 6.0, 6.5);
    input_of(vec![ground, bridge])
}

fn bytes_of(mesh: &NavMesh) -> Vec<u8> {
    mesh.to_bytes().unwrap()
}

#[test]
fn threads_and_tiles_one_by_one_make_no_difference() {
    let input = hilly_input(0.0);
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let settings = NavSettings { partition, ..settings_of(32) };
        let with = |jobs: usize| {
            let options = BakeOptions { jobs, ..BakeOptions::default() };
            bake_voxel_mesh(&input, &settings, &options).unwrap().0
        };
        let one = with(1);
        for jobs in [2, 8] {
            assert_eq!(bytes_of(&with(jobs)), bytes_of(&one), "{jobs} threads");
        }
        for (_, tile) in one.mesh.tiles() {
            let tiles = Some([tile.tile_x, tile.tile_z, tile.tile_x, tile.tile_z]);
            let options = BakeOptions { tiles, ..BakeOptions::default() };
            let (alone, _) = bake_voxel_mesh(&input, &settings, &options).unwrap();
            let (_, same) = alone.mesh.tile_at(tile.position()).unwrap();
            assert_eq!(same.to_bytes(), tile.to_bytes(), "tile {}", tile.position());
        }
        assert_eq!(open_portals(&one), Vec::<String>::new());
    }
}

#[test]
fn the_order_of_triangles_meshes_and_corners_makes_no_difference() {
    let input = hilly_input(0.0);
    let expected = bytes_of(&bake(&input, &settings_of(64)).0);
    let mut random = Random(5);
    for _ in 0..3 {
        let mut shuffled = input.clone();
        shuffled.meshes.reverse();
        for mesh in &mut shuffled.meshes {
            for index in (1..mesh.triangles.len()).rev() {
                Arc::make_mut(&mut mesh.triangles).swap(index, random.below(index as u64 + 1) as usize);
            }
            Arc::make_mut(&mut mesh.triangles)
                .iter_mut()
                .for_each(|triangle| triangle.rotate_left(random.below(3) as usize));
        }
        assert_eq!(bytes_of(&bake(&shuffled, &settings_of(64)).0), expected);
    }
}

#[test]
fn a_stop_ends_the_bake_and_progress_counts_every_tile() {
    let (input, settings) = (hilly_input(0.0), settings_of(32));
    let stop = AtomicBool::new(true);
    let options = BakeOptions { stop: Some(&stop), ..BakeOptions::default() };
    assert_eq!(bake_voxel_mesh(&input, &settings, &options).unwrap_err(), BakeError::Stopped);
    let (calls, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let count = |progress: Progress| {
        calls.fetch_add(1, Ordering::Relaxed);
        most.fetch_max(progress.done, Ordering::Relaxed);
        assert_eq!(progress.total, 25);
    };
    bake_voxel_mesh(&input, &settings, &BakeOptions { progress: Some(&count), ..BakeOptions::default() })
        .unwrap();
    assert_eq!((calls.into_inner(), most.into_inner()), (25, 25));
}

/// Fault 31: far from the origin the same floors are joined the same way.
#[test]
fn a_move_by_a_hundred_kilometres_changes_no_topology() {
    let near = bake(&hilly_input(0.0), &settings_of(32)).0;
    let far_settings = NavSettings { origin: [1e5, 0.0, 1e5], ..settings_of(32) };
    let far = bake(&hilly_input(1e5), &far_settings).0;
    let counts = |mesh: &NavMesh| mesh.mesh.tiles().map(|(_, tile)| tile.polygons.len()).collect::<Vec<_>>();
    assert_eq!(counts(&near), counts(&far));
    assert_eq!(components(&near).count(), components(&far).count());
    assert!((area_of(&near) - area_of(&far)).abs() < 1e-6);
    // The square with a small hole of the report, and no origin to help.
    let mut square = plate([0.0, 0.0, 20.0, 20.0], 0.0);
    block(&mut square, [9.5, 9.5, 10.5, 10.5], -1.0, 3.0);
    let at = |offset: f64| {
        let mut moved = square.clone();
        Arc::make_mut(&mut moved.vertices)
            .iter_mut()
            .for_each(|vertex| (vertex[0] += offset, vertex[2] += offset).0);
        let mesh = bake(&input_of(vec![moved]), &settings_of(32)).0;
        (components(&mesh).count(), open_portals(&mesh).len())
    };
    assert_eq!([at(0.0), at(5e4), at(1e5)], [(1, 0); 3]);
}
