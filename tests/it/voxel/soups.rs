//! What holds of every bake: the same bytes however it is made, borders that are stitched from both sides, nothing
//! damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use navwright::bake::voxel::FloorState;
use navwright::bake::{BakeOptions, DiagnosticKind, VoxelInput, bake_voxel_mesh, voxel_tile_stages};
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

/// Twice the area of a triangle in plan.
fn turn([a, b, c]: [[f64; 3]; 3]) -> f64 {
    (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])
}

/// A polygon's corners, and the points and triangles of its detail; in cells from the tile's corner, heights in cell heights
/// from the mesh's origin.
fn detail_of(tile: &RawTile, polygon: usize, settings: &NavSettings) -> (Vec<[f64; 3]>, Vec<[[f64; 3]; 3]>) {
    let side = settings.tile_size / (settings.tile_size / settings.cell_size).round();
    let in_cells = |vertex: [f32; 3]| {
        let [x, y, z] = vertex.map(f64::from);
        [x / side, (y + tile.origin_y - settings.origin[1]) / settings.cell_height, z / side]
    };
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    let corners: Vec<[f64; 3]> =
        corners.iter().map(|&corner| in_cells(tile.vertices[corner as usize])).collect();
    let detail = tile.detail_meshes[polygon];
    let (first, from) = (detail.vertex_base as usize, detail.triangle_base as usize);
    let mut points = corners.clone();
    points
        .extend(tile.detail_vertices[first..][..detail.vertex_count as usize].iter().copied().map(in_cells));
    let triangles = &tile.detail_triangles[from..][..detail.triangle_count as usize];
    let triangles = triangles.iter().map(|triangle| triangle.indices.map(|index| points[usize::from(index)]));
    (corners, triangles.collect())
}

/// Detail covers its polygon, turns nowhere over, and passes within the error of a floor at every sample inside.
#[test]
fn detail_passes_within_its_error_of_the_floors_that_are_sampled() {
    let (mut samples, mut polygons) = (0, 0);
    for seed in 200..240 {
        let (input, settings) = scene(seed, seed % 2 == 0);
        if settings.detail_sample_distance == 0.0 {
            continue;
        }
        let distance = (settings.detail_sample_distance / settings.cell_size).max(0.9);
        let error = settings.detail_max_error / settings.cell_height + 0.02;
        let near = 2.0 * (f64::from(settings.walkable_climb) / settings.cell_height + 1e-4).floor();
        let (mesh, _) = bake(&input, &settings);
        let columns: BTreeSet<[i32; 2]> =
            mesh.mesh.tiles().map(|(_, tile)| [tile.tile_x, tile.tile_z]).collect();
        for column in columns {
            let (stages, _) = voxel_tile_stages(&input, &settings, column).unwrap();
            let mut tops: BTreeMap<[i32; 2], Vec<(f64, bool)>> = BTreeMap::new();
            for floor in &stages.floors {
                let here = tops.entry([floor.x, floor.z]).or_default();
                here.push((f64::from(floor.y), floor.state == FloorState::Walkable));
            }
            for tile in &stages.tiles {
                for polygon in 0..tile.polygons.len() {
                    let (corners, triangles) = detail_of(tile, polygon, &settings);
                    let place = format!("seed {seed}, tile {}, polygon {polygon}", tile.position());
                    let fan = (2..corners.len()).map(|i| turn([corners[0], corners[i - 1], corners[i]]));
                    let (whole, parts) = (fan.sum::<f64>(), triangles.iter().map(|&t| turn(t)));
                    assert!(parts.clone().all(|part| part > -1e-4), "{place} turns over");
                    let covered: f64 = parts.sum();
                    assert!((covered - whole).abs() < 1e-3 * whole.max(1.0), "{place}: {covered} of {whole}");
                    polygons += 1;
                    for [x, z] in samples_in(&corners, distance) {
                        let at = [x, 0.0, z];
                        let edges =
                            |[a, b, c]: [[f64; 3]; 3]| [turn([b, c, at]), turn([c, a, at]), turn([a, b, at])];
                        let holds = |t: &&[[f64; 3]; 3]| edges(**t).iter().all(|&side| side >= -1e-4);
                        let Some(&triangle) = triangles.iter().find(holds).filter(|t| turn(**t) > 1e-3)
                        else {
                            continue;
                        };
                        let shares = edges(triangle);
                        let y = (0..3).map(|i| triangle[i][1] * shares[i]).sum::<f64>() / turn(triangle);
                        let cell = [x, z].map(|value| (value + 0.01).floor() as i32);
                        let here = tops.get(&cell).map_or(&[][..], Vec::as_slice);
                        if here.iter().any(|&(top, walkable)| walkable && (top - y).abs() <= near) {
                            samples += 1;
                            let close = here.iter().any(|&(top, _)| (top - y).abs() <= error);
                            assert!(close, "{place} at {x}, {z}: {y} between {here:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(samples > 5000 && polygons > 1000, "{samples} samples, {polygons} polygons");
}

/// The places on the grid of samples that lie inside a polygon by more than half their distance.
fn samples_in(corners: &[[f64; 3]], distance: f64) -> Vec<[f64; 2]> {
    let range = |axis: usize| {
        let along = corners.iter().map(|corner| corner[axis] / distance);
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        low.ceil() as i32..=high.floor() as i32
    };
    let depth = |x: f64, z: f64| {
        let inside = |index: usize| {
            let (a, b) = (corners[index], corners[(index + 1) % corners.len()]);
            turn([a, b, [x, 0.0, z]]) / (b[0] - a[0]).hypot(b[2] - a[2])
        };
        (0..corners.len()).map(inside).fold(f64::INFINITY, f64::min)
    };
    let all = range(0).flat_map(|column| range(2).map(move |row| [column, row]));
    let places = all.map(|[column, row]| [f64::from(column) * distance, f64::from(row) * distance]);
    places.filter(|&[x, z]| depth(x, z) > distance / 2.0 + 1e-3).collect()
}
