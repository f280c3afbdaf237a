//! The small inputs of the known faults of other engines (sections A to C of the list), those that no other test has.

use std::collections::BTreeSet;
use std::fs;

use navwright::format::{TilePosition, TiledNavMesh};
use navwright::interop::mset::import_mset;
use navwright::query::{
    NavPath, NavPlace, PathScratch, PathStatus, QueryFilter, closest_nav_point, closest_on_polygon,
    find_nav_path, find_path_between, height_on_polygon, islands, nearest_in_box, polygons_in_box,
    random_point,
};

use super::builder::{Jump, Plate, mesh, params};
use super::flat_maps::{areas, bake};
use super::grid;
use crate::support::{Random, shared};

fn ask(mesh: &TiledNavMesh, start: [f64; 2], end: [f64; 2]) -> NavPath {
    let mut scratch = PathScratch::default();
    find_nav_path(mesh, start, None, end, None, &QueryFilter::default(), &mut scratch).unwrap()
}

/// The angle by which a path turns at each inner point, in radians.
fn turns(path: &NavPath) -> Vec<f64> {
    let at: Vec<[f64; 2]> = path.points.iter().map(|p| [p.position[0], p.position[2]]).collect();
    let angle = |k: usize| {
        let (a, b) = (
            [at[k][0] - at[k - 1][0], at[k][1] - at[k - 1][1]],
            [at[k + 1][0] - at[k][0], at[k + 1][1] - at[k][1]],
        );
        (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1]).abs()
    };
    (1..at.len().saturating_sub(1)).map(angle).collect()
}

#[test]
fn a1_a_border_point_that_tiles_see_apart_bends_nothing_much() {
    // Four tiles at one point, of which one has its copy 5e-4 off along each border.
    let off = f64::from(8.0005_f32);
    let plates = [
        Plate::rect(0, 0.0, [0.0, 8.0], [0.0, 8.0]),
        Plate::rect(0, 0.0, [8.0, 16.0], [0.0, 8.0]),
        Plate::rect(0, 0.0, [0.0, 8.0], [8.0, 16.0]),
        Plate::polygon(
            0,
            &[[off, 0.0, 8.0], [16.0, 0.0, 8.0], [16.0, 0.0, 16.0], [8.0, 0.0, 16.0], [8.0, 0.0, off]],
        ),
    ];
    let mesh = mesh(params([0.0; 3], 8.0), &plates, &[]);
    for (from, to) in [([1.0, 1.0], [15.0, 15.0]), ([1.0, 15.0], [15.0, 1.0]), ([4.0, 7.0], [12.0, 9.0])] {
        let path = ask(&mesh, from, to);
        let straight = (from[0] - to[0]).hypot(from[1] - to[1]);
        assert!(path.length - straight < 2e-3, "{} instead of {straight}", path.length);
        assert!(turns(&path).iter().all(|turn| *turn < 1e-3), "{path:?}");
    }
}

#[test]
fn a1_a_real_mesh_has_no_corners_that_do_not_turn() {
    let Some(data) = shared("data/recast") else { return };
    let mesh = import_mset(&fs::read(data.join("all_tiles_navmesh.bin")).unwrap()).unwrap().mesh;
    let (filter, mut scratch, mut path) =
        (QueryFilter::default(), PathScratch::default(), NavPath::default());
    let mut complete = 0;
    for seed in 0..400 {
        let [from, to] =
            [2 * seed, 2 * seed + 1].map(|seed| random_point(&mesh, seed, &filter, &mut scratch).unwrap());
        find_path_between(&mesh, &from, &to, &filter, &mut scratch, &mut path).unwrap();
        complete += u32::from(path.status == PathStatus::Complete);
        for pair in path.points.windows(2) {
            assert_ne!(pair[0].position, pair[1].position);
        }
        assert!(turns(&path).iter().all(|turn| *turn > 1e-7), "seed {seed}: {:?}", turns(&path));
    }
    assert!(complete > 100, "{complete}");
}

#[test]
fn a2_portals_that_begin_on_one_line_add_no_corner() {
    // A corridor whose portals all have their right ends on z = 0.
    let plates: Vec<_> = (0..10)
        .map(|k| {
            let x = f64::from(k) * 2.0;
            let high = |k: i32| 1.0 + f64::from(k % 3);
            Plate::polygon(
                0,
                &[[x, 0.0, 0.0], [x + 2.0, 0.0, 0.0], [x + 2.0, 0.0, high(k + 1)], [x, 0.0, high(k)]],
            )
        })
        .collect();
    let mesh = mesh(params([0.0; 3], 32.0), &plates, &[]);
    for (from, to) in [([0.5, 0.0], [19.5, 0.0]), ([0.5, 0.0], [19.5, 0.5]), ([0.0, 0.5], [20.0, 0.0])] {
        let path = ask(&mesh, from, to);
        assert_eq!(path.points.len(), 2, "{:?}", path.points);
    }
}

#[test]
fn a6_a_detail_triangle_without_area_has_a_height() {
    // The inner point lies on the polygon's edge, so one triangle of the fan round it has no area.
    let plate = Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]).peak([2.0, 1.0, 0.0]);
    let mesh = mesh(params([0.0; 3], 8.0), &[plate], &[]);
    let path = ask(&mesh, [0.0, 0.0], [4.0, 0.0]);
    assert!(path.length_3d.is_finite());
    let polygon = path.corridor[0];
    for k in 0..=40 {
        let height = height_on_polygon(&mesh, polygon, [f64::from(k) / 10.0, 0.0]).unwrap();
        assert!((0.0..=1.0).contains(&height), "{height} at {k}");
    }
    assert_eq!(height_on_polygon(&mesh, polygon, [2.0, 0.0]), Some(1.0));
}

#[test]
fn a6_more_nodes_than_sixteen_bits_count() {
    // 300 by 300 squares whose costs differ, so that the corridor's search looks at most of them.
    let mut random = Random(1);
    let side = 300;
    let mut plates = Vec::new();
    for k in 0..side * side {
        let (x, z) = (f64::from(k % side), f64::from(k / side));
        plates.push(Plate::rect(0, 0.0, [x, x + 1.0], [z, z + 1.0]).area(u8::from(random.unit() < 0.5)));
    }
    let mesh = mesh(params([0.0; 3], 10.0), &plates, &[]);
    let mut filter = QueryFilter::default();
    filter.area_costs[1] = 3.0;
    let mut scratch = PathScratch::default();
    let end = f64::from(side) - 0.5;
    let path = find_nav_path(&mesh, [0.5, 0.5], None, [end, end], None, &filter, &mut scratch).unwrap();
    assert_eq!(path.status, PathStatus::Complete);
    assert!(path.length >= 299.0 * 2.0_f64.sqrt() - 1e-9);
}

#[test]
fn b9_b10_boxes_and_nearest_places_agree_with_a_look_at_everything() {
    let mut random = Random(9);
    let mut plates = Vec::new();
    for k in 0..60 {
        let (x, z) = (random.unit() * 28.0, random.unit() * 28.0);
        let (wide, deep) = (0.2 + random.unit() * 3.0, 0.2 + random.unit() * 3.0);
        plates.push(Plate::rect(0, f64::from(k % 5) * 0.8, [x, x + wide], [z, z + deep]));
    }
    let mesh = mesh(params([0.0; 3], 64.0), &plates, &[]);
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let (reference, tile) = mesh.tiles().next().unwrap();
    let box_of = |k: usize| {
        let corners = tile.polygons[k].edges().map(|edge| tile.vertices[tile.edge_vertices[edge] as usize]);
        let corners: Vec<[f64; 3]> = corners.map(|c| c.map(f64::from)).collect();
        let fold = |pick: fn(f64, f64) -> f64| {
            [0, 1, 2].map(|axis| corners.iter().map(|c| c[axis]).reduce(pick).unwrap())
        };
        (fold(f64::min), fold(f64::max))
    };
    let mut found = Vec::new();
    for _ in 0..500 {
        let center = [random.unit() * 32.0, random.unit() * 4.0, random.unit() * 32.0];
        let half = [random.unit() * 4.0, random.unit() * 2.0, random.unit() * 4.0];
        let min = [0, 1, 2].map(|axis| center[axis] - half[axis]);
        let max = [0, 1, 2].map(|axis| center[axis] + half[axis]);
        polygons_in_box(&mesh, min, max, &filter, &mut scratch, &mut found).unwrap();
        let meets = |k: &usize| {
            let (low, high) = box_of(*k);
            (0..3).all(|axis| low[axis] <= max[axis] && min[axis] <= high[axis])
        };
        let all: Vec<_> =
            (0..tile.polygons.len()).filter(meets).map(|k| reference.polygon(k as u32)).collect();
        assert_eq!(found, all);
        let nearest = nearest_in_box(&mesh, center, half, &filter, &mut scratch).unwrap();
        let gap = |place: &NavPlace| {
            let [dx, dy, dz] = [0, 1, 2].map(|axis| place.position[axis] - center[axis]);
            dx.hypot(dz).hypot(dy)
        };
        let brute = (0..tile.polygons.len()).filter(meets).map(|k| {
            let (low, high) = box_of(k);
            let off =
                [0, 1, 2].map(|axis| (low[axis] - center[axis]).max(center[axis] - high[axis]).max(0.0));
            off[0].hypot(off[2]).hypot(off[1])
        });
        let brute = brute.fold(f64::INFINITY, f64::min);
        if let Some(place) = &nearest {
            let again = closest_on_polygon(&mesh, place.polygon, [center[0], center[2]]).unwrap();
            assert_eq!(again.position, place.position);
        }
        match nearest {
            Some(place) => assert!((gap(&place) - brute).abs() < 1e-9, "{} instead of {brute}", gap(&place)),
            None => assert!(all.is_empty()),
        }
    }
}

#[test]
fn c15_a_link_over_two_tiles_works_in_whatever_order_tiles_come() {
    let plates = [
        Plate::rect(0, 0.0, [1.0, 7.0], [1.0, 7.0]),
        Plate::rect(0, 0.0, [9.0, 15.0], [1.0, 7.0]),
        Plate::rect(0, 0.0, [17.0, 23.0], [1.0, 7.0]),
    ];
    let jump = Jump { start: [6.0, 0.0, 4.0], end: [18.0, 0.0, 4.0], both_ways: true, user_id: 1 };
    let mut mesh = mesh(params([0.0; 3], 8.0), &plates, &[jump]);
    let mut scratch = PathScratch::default();
    let mut status = |mesh: &TiledNavMesh| {
        let filter = QueryFilter::default();
        find_nav_path(mesh, [2.0, 4.0], None, [22.0, 4.0], None, &filter, &mut scratch).unwrap().status
    };
    assert_eq!(status(&mesh), PathStatus::Complete);
    for tile_x in [0, 1, 2] {
        let at = TilePosition { tile_x, tile_z: 0, layer: 0 };
        let tile = mesh.remove_tile(at).unwrap();
        assert_eq!(status(&mesh) == PathStatus::Complete, tile_x == 1);
        mesh.add_tile(tile.clone()).unwrap();
        assert_eq!(status(&mesh), PathStatus::Complete);
        mesh.replace_tile(tile).unwrap();
        assert_eq!(status(&mesh), PathStatus::Complete);
    }
}

#[test]
fn c16_links_stacked_at_one_place_join_the_floors_they_start_and_end_on() {
    let plates: Vec<_> = (0..4).map(|k| Plate::rect(k, f64::from(k) * 3.0, [0.0, 8.0], [0.0, 8.0])).collect();
    let jumps: Vec<_> = (0..3)
        .map(|k| {
            let y = f64::from(k) * 3.0;
            Jump { start: [4.0, y, 4.0], end: [4.0, y + 3.0, 4.0], both_ways: true, user_id: k }
        })
        .collect();
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &jumps);
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let lift = find_nav_path(&mesh, [1.0, 4.0], Some(0), [1.0, 4.0], Some(3), &filter, &mut scratch).unwrap();
    assert_eq!(lift.status, PathStatus::Complete);
    let links: Vec<_> = lift.points.iter().filter_map(|point| point.link).collect();
    assert_eq!(links, [0, 1, 2]);
    assert!((lift.length_3d - (3.0 + 9.0 + 3.0)).abs() < 1e-9, "{}", lift.length_3d);
}

#[test]
fn c18_a_spiral_stair_across_a_tile_corner_is_joined_turn_by_turn() {
    // Two turns of four quarters, each in another tile, round a pole.
    let mut plates = Vec::new();
    for quarter in 0..8 {
        let (k, low) = (quarter % 4, f64::from(quarter));
        let (sin, cos) = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][k as usize];
        let turned = |x: f64, y: f64, z: f64| [8.0 + cos * x - sin * z, y, 8.0 + sin * x + cos * z];
        plates.push(Plate::polygon(
            0,
            &[
                turned(1.0, low, 0.0),
                turned(4.0, low, 0.0),
                turned(4.0, low + 0.5, 4.0),
                turned(0.0, low + 1.0, 4.0),
                turned(0.0, low + 1.0, 1.0),
            ],
        ));
    }
    let mesh = mesh(params([0.0; 3], 8.0), &plates, &[]);
    assert_eq!(mesh.tiles().count(), 4);
    let (filter, mut scratch, mut path) =
        (QueryFilter::default(), PathScratch::default(), NavPath::default());
    let place = |at: [f64; 3]| {
        nearest_in_box(&mesh, at, [0.1, 0.4, 0.1], &filter, &mut PathScratch::default()).unwrap().unwrap()
    };
    let (bottom, top) = (place([9.0, 0.0, 8.0]), place([9.0, 8.0, 8.0]));
    assert!(find_path_between(&mesh, &bottom, &top, &filter, &mut scratch, &mut path).unwrap());
    assert_eq!(path.status, PathStatus::Complete);
    let floors: BTreeSet<_> = path.corridor.iter().collect();
    assert_eq!(floors.len(), 8);
    assert!((path.length - 8.0 * 2.0_f64.sqrt()).abs() < 1e-6, "{}", path.length);
}

#[test]
fn c18_one_edge_against_six_is_joined_with_each() {
    let mut plates = vec![Plate::rect(0, 0.0, [0.0, 16.0], [0.0, 16.0])];
    for k in 0..6 {
        let z = f64::from(k) * 2.5 + 0.5;
        plates.push(Plate::rect(0, 0.0, [16.0, 20.0], [z, z + 1.5]));
    }
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &[]);
    for k in 0..6 {
        let z = f64::from(k) * 2.5 + 1.0;
        let path = ask(&mesh, [2.0, z], [19.0, z]);
        assert_eq!((path.status, path.length), (PathStatus::Complete, 17.0));
    }
}

#[test]
fn c20_islands_are_the_same_whatever_the_tile_size() {
    let Some(data) = shared("data/flat") else { return };
    for name in ["town.nav", "walls200.nav"] {
        let input = areas(&data.join("maps").join(name));
        let counts: Vec<_> = [8.0, 24.0, 32.0, 128.0, 1024.0]
            .map(|size| islands(&bake(&input, size), &QueryFilter::default()).count())
            .to_vec();
        assert!(counts.iter().all(|count| *count == counts[0]), "{name}: {counts:?}");
    }
}

#[test]
fn a_scratch_that_knew_another_mesh_gives_the_same_answers() {
    let (one, other) = (grid([0.0; 3], 8.0, 3), grid([3.0, 0.0, 3.0], 4.0, 5));
    let (filter, mut shared_scratch) = (QueryFilter::default(), PathScratch::default());
    for k in 0..20 {
        let at = f64::from(k) + 2.0;
        for mesh in [&one, &other] {
            let mut fresh = PathScratch::default();
            let place = |scratch: &mut PathScratch| {
                closest_nav_point(mesh, [at, 5.0], None, f64::INFINITY, &filter, scratch).unwrap()
            };
            assert_eq!(place(&mut shared_scratch), place(&mut fresh));
        }
    }
}
