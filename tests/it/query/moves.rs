//! Steps, rays and what lies around: by hand, and by a million random steps.

use navwright::bake::{BakeOptions, bake_mesh};
use navwright::format::TiledNavMesh;
use navwright::project;
use navwright::query::{
    NavPath, PathOptions, PathScratch, PathStatus, QueryFilter, closest_nav_point, distance_to_wall,
    find_nav_path, find_nav_path_with, move_along_surface, move_on_nav, nearest_in_box, polygons_around,
    polygons_in_box, random_point, random_point_around, raycast, raycast_through, walls_around,
};

use super::builder::{Plate, mesh, params};
use super::steps::{walk_at_random, walk_on_flat_maps};
use super::{bridge, gap, grid, ring};
use crate::support::{Random, root, shared};

fn step(mesh: &TiledNavMesh, from: [f64; 2], level: i8, to: [f64; 2]) -> ([f64; 2], i8) {
    let filter = QueryFilter::default();
    let moved =
        move_on_nav(mesh, from, Some(level), to, &filter, &mut PathScratch::default()).unwrap().unwrap();
    ([moved.position[0], moved.position[2]], moved.level)
}

fn near(a: [f64; 2], b: [f64; 2]) -> bool {
    (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-6
}

#[test]
fn a_free_step_arrives_and_a_blocked_one_slides() {
    let mesh = ring(0, 1);
    assert_eq!(step(&mesh, [1.0, 1.0], 0, [11.0, 3.0]), ([11.0, 3.0], 0));
    // Against the hole's wall x = 4 from the left: the rest goes along it.
    let (at, _) = step(&mesh, [3.0, 5.0], 0, [6.0, 6.0]);
    assert!(near(at, [4.0, 6.0]) && at[0] < 4.0, "{at:?}");
    // Into the corner of the outer walls: it ends there.
    let (at, _) = step(&mesh, [1.0, 2.0], 0, [-5.0, -7.0]);
    assert!(near(at, [0.0, 0.0]), "{at:?}");
    // Past the end of the hole's wall, on along the same line.
    let (at, _) = step(&mesh, [3.0, 6.0], 0, [5.0, 12.0]);
    assert!(near(at, [4.0, 12.0]) || at[1] > 8.0, "{at:?}");
}

#[test]
fn a_level_changes_over_a_seam_only() {
    let under = bridge();
    assert_eq!(step(&under, [1.0, 6.0], 0, [11.0, 6.0]), ([11.0, 6.0], 0));
    assert_eq!(step(&under, [6.0, 1.0], 1, [6.0, 11.0]), ([6.0, 11.0], 1));
    let stairs = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(1, 0.0, [4.0, 8.0], [0.0, 4.0])];
    let stairs = mesh(params([0.0; 3], 8.0), &stairs, &[]);
    assert_eq!(step(&stairs, [1.0, 1.0], 0, [7.0, 2.0]), ([7.0, 2.0], 1));
}

#[test]
fn a_corner_that_only_touches_lets_nobody_through() {
    let plates = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(0, 0.0, [4.0, 8.0], [4.0, 8.0])];
    let touching = mesh(params([0.0; 3], 8.0), &plates, &[]);
    let (at, _) = step(&touching, [2.0, 2.0], 0, [6.0, 6.0]);
    assert!(near(at, [4.0, 4.0]) && at[0] <= 4.0 && at[1] <= 4.0, "{at:?}");
    // Off-mesh links are not walked.
    let (at, _) = step(&gap(true), [1.0, 2.0], 0, [9.0, 2.0]);
    assert!(near(at, [4.0, 2.0]), "{at:?}");
}

/// The samples that the editor opens, baked as it bakes them.
fn samples() -> Vec<(&'static str, TiledNavMesh)> {
    let bake = |name: &'static str| {
        let document = project::open(&root().join("assets").join(name)).unwrap().document;
        let settings = document.bake_settings(&document.classes[0]);
        let baked = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()).unwrap();
        (name, baked.0.mesh)
    };
    ["arena.nav.ron", "first_steps.nav.ron"].map(bake).to_vec()
}

#[test]
fn random_steps_never_leave_the_mesh() {
    // A million take a few minutes here; `--bench query -- steps` takes them optimised.
    let total = std::env::var("NAVWRIGHT_STEPS").map_or(8_000, |steps| steps.parse().unwrap());
    let by_hand = [("ring", ring(0, 1)), ("bridge", bridge()), ("grid", grid([0.1, 0.0, -7.3], 8.0, 3))];
    for (name, made) in by_hand {
        walk_at_random(&made, name, total / 20);
    }
    for (name, sample) in samples() {
        walk_at_random(&sample, name, total / 20);
    }
    let Some(data) = shared("data/flat") else { return };
    walk_on_flat_maps(&data, total / 8);
}

#[test]
fn a_ray_passes_shared_corners_and_borders_at_any_scale() {
    for (origin, size) in [(0.0, 4.0), (1e5, 4.0), (-1e6, 2000.0)] {
        let tiles = grid([origin, 0.0, origin], size, 2);
        let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
        for (from, to) in [
            ([0.5, 0.5], [1.5, 1.5]),
            ([1.5, 0.5], [0.5, 1.5]),
            ([1.0, 0.25], [1.0, 1.75]),
            ([0.25, 1.0], [1.75, 1.0]),
        ] {
            let [from, to] = [from, to].map(|at: [f64; 2]| at.map(|v| origin + v * size));
            let start = closest_nav_point(&tiles, from, None, 0.0, &filter, &mut scratch).unwrap().unwrap();
            let hit = raycast(&tiles, start.polygon, from, to, &filter, &mut scratch).unwrap().unwrap();
            assert_eq!((hit.t, hit.wall), (1.0, None), "{from:?} to {to:?}");
        }
    }
}

#[test]
fn a_ray_stops_at_a_wall_and_tells_which_floor_it_is_on() {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let under = bridge();
    let road = closest_nav_point(&under, [1.0, 6.0], Some(0), 0.0, &filter, &mut scratch).unwrap().unwrap();
    let deck = closest_nav_point(&under, [6.0, 6.0], Some(1), 0.0, &filter, &mut scratch).unwrap().unwrap();
    // It arrives under the wanted place, not at it.
    let hit = raycast(&under, road.polygon, [1.0, 6.0], [6.0, 6.0], &filter, &mut scratch).unwrap().unwrap();
    assert_eq!((hit.t, hit.polygon == deck.polygon), (1.0, false));
    let hit = raycast(&under, road.polygon, [1.0, 6.0], [1.0, 10.0], &filter, &mut scratch).unwrap().unwrap();
    assert!((hit.t - 0.5).abs() < 1e-12, "{hit:?}");
    assert_eq!(hit.wall, Some([[12.0, 8.0], [0.0, 8.0]]));
}

#[test]
fn a_ray_and_a_path_tell_the_polygons_they_cross() {
    // Three squares in a row.
    let row: Vec<_> = (0..3)
        .map(|k| Plate::rect(0, 0.0, [f64::from(k) * 4.0, f64::from(k) * 4.0 + 4.0], [0.0, 4.0]))
        .collect();
    let row = mesh(params([0.0; 3], 16.0), &row, &[]);
    let (filter, mut scratch, mut passed) = (QueryFilter::default(), PathScratch::default(), Vec::new());
    let (from, to) = ([1.0, 1.0], [11.0, 3.0]);
    let here = closest_nav_point(&row, from, None, 0.0, &filter, &mut scratch).unwrap().unwrap();
    let hit = raycast_through(&row, here.polygon, from, to, &filter, &mut scratch, &mut passed);
    assert_eq!(hit, raycast(&row, here.polygon, from, to, &filter, &mut scratch));
    let mut path = NavPath::default();
    let options = PathOptions { crossing_points: true, ..PathOptions::default() };
    find_nav_path_with(&row, (from, None), (to, None), &filter, options, &mut scratch, &mut path).unwrap();
    assert_eq!(path.corridor, passed);
    let points: Vec<_> = path.points.iter().map(|point| (point.position, point.polygon)).collect();
    let right = [[1.0, 0.0, 1.0], [4.0, 0.0, 1.6], [8.0, 0.0, 2.4], [11.0, 0.0, 3.0]];
    let right = right.iter().zip([passed[0], passed[1], passed[2], passed[2]]);
    for ((found, polygon), (wanted, its)) in points.iter().zip(right) {
        assert!((0..3).all(|axis| (found[axis] - wanted[axis]).abs() < 1e-12), "{points:?}");
        assert_eq!(*polygon, its);
    }
    assert_eq!(points.len(), 4);
    // Without being asked for, there are the two ends.
    find_nav_path_with(
        &row,
        (from, None),
        (to, None),
        &filter,
        PathOptions::default(),
        &mut scratch,
        &mut path,
    )
    .unwrap();
    assert_eq!(path.points.len(), 2);
}

#[test]
fn walls_and_polygons_around_a_place() {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let mesh = ring(0, 1);
    let at = [3.0, 6.0];
    let here = closest_nav_point(&mesh, at, None, 0.0, &filter, &mut scratch).unwrap().unwrap();
    let wall = distance_to_wall(&mesh, here.polygon, at, 10.0, &filter, &mut scratch).unwrap().unwrap();
    assert_eq!((wall.distance, wall.point, wall.normal), (1.0, [4.0, 6.0], [-1.0, 0.0]));
    assert_eq!(distance_to_wall(&mesh, here.polygon, at, 0.5, &filter, &mut scratch).unwrap(), None);
    let mut walls = Vec::new();
    walls_around(&mesh, here.polygon, at, 3.5, &filter, &mut scratch, &mut walls).unwrap();
    let found: Vec<f64> = walls.iter().map(|wall| wall.distance).collect();
    // The hole's left side at 1, the ends of its lower and upper side at √(1 + 4), the outer wall at 3; its pieces
    // above and below begin at √(9 + 4), too far.
    assert_eq!(found, [1.0, 5.0_f64.sqrt(), 5.0_f64.sqrt(), 3.0]);
    let mut polygons = Vec::new();
    polygons_around(&mesh, here.polygon, at, 2.1, &filter, &mut scratch, &mut polygons).unwrap();
    assert_eq!(polygons.len(), 3, "its own square, the one above and the one below");
    // Behind a wall is not around.
    let gap = gap(true);
    let here = closest_nav_point(&gap, [3.0, 2.0], None, 0.0, &filter, &mut scratch).unwrap().unwrap();
    polygons_around(&gap, here.polygon, [3.0, 2.0], 5.0, &filter, &mut scratch, &mut polygons).unwrap();
    assert_eq!(polygons.len(), 1);
}

#[test]
fn the_box_meets_the_surface_and_not_the_flat_polygon() {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    // A tent 2 high over a flat outline; a platform 3 above the floor.
    let tent = Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]).peak([2.0, 2.0, 2.0]);
    let plates =
        [tent, Plate::rect(1, 3.0, [8.0, 12.0], [0.0, 4.0]), Plate::rect(0, 0.0, [8.0, 12.0], [0.0, 4.0])];
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &[]);
    let mut find = |center, extents| nearest_in_box(&mesh, center, extents, &filter, &mut scratch).unwrap();
    assert_eq!(find([2.0, 1.9, 2.0], [0.5, 0.5, 0.5]).unwrap().position, [2.0, 2.0, 2.0]);
    assert_eq!(find([10.0, 2.5, 2.0], [1.0, 1.0, 1.0]).unwrap().level, 1);
    assert_eq!(find([10.0, 1.0, 2.0], [2.0, 4.0, 2.0]).unwrap().level, 0);
    assert_eq!(find([10.0, 1.5, 2.0], [1.0, 1.0, 1.0]), None);
    let mut polygons = Vec::new();
    polygons_in_box(&mesh, [0.0, 1.5, 0.0], [16.0, 3.5, 4.0], &filter, &mut scratch, &mut polygons).unwrap();
    assert_eq!(polygons.len(), 2);
    polygons_in_box(&mesh, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], &filter, &mut scratch, &mut polygons).unwrap();
    assert_eq!(polygons.len(), 1, "nothing but the polygon at the tile's least corner");
}

#[test]
fn random_places_are_uniform_and_in_the_disc() {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let mesh = ring(0, 1);
    let mut lower = 0;
    for seed in 0..4000 {
        let place = random_point(&mesh, seed, &filter, &mut scratch).unwrap();
        lower += u32::from(place.position[2] < 4.0);
        let [x, _, z] = place.position;
        assert!(!(4.0 < x && x < 8.0 && 4.0 < z && z < 8.0), "{x}, {z} is in the hole");
    }
    // 3 of 8 squares: 1500 of 4000, with a deviation of 31.
    assert!((1350..1650).contains(&lower), "{lower}");
    let wide = super::builder::mesh(
        params([0.0; 3], 128.0),
        &[Plate::rect(0, 0.0, [0.0, 100.0], [0.0, 100.0])],
        &[],
    );
    let here = closest_nav_point(&wide, [50.0, 50.0], None, 0.0, &filter, &mut scratch).unwrap().unwrap();
    let (mut inner, mut right) = (0, 0);
    for seed in 0..2000 {
        let place = random_point_around(&wide, here.polygon, [50.0, 50.0], 1.0, seed, &filter, &mut scratch)
            .unwrap()
            .unwrap();
        let (dx, dz) = (place.position[0] - 50.0, place.position[2] - 50.0);
        assert!(dx.hypot(dz) <= 1.0);
        inner += u32::from(dx.hypot(dz) < 0.5);
        right += u32::from(dx > 0.0);
    }
    // A quarter of the disc, and a half of it; deviations of 19 and 22.
    assert!((400..600).contains(&inner) && (890..1110).contains(&right), "{inner}, {right}");
}

#[test]
fn what_one_call_returns_every_other_accepts() {
    // The quad on whose right edge other engines find no height.
    let corners = [[-13.0, 0.0, -10.0], [-13.0, 0.0, -8.5], [-14.0, 0.0, -8.5], [-15.0, 0.0, -10.0]];
    let quad = mesh(params([-16.0, 0.0, -16.0], 32.0), &[Plate::polygon(0, &corners)], &[]);
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let mut random = Random(7);
    for _ in 0..2000 {
        let asked = [random.unit() * 8.0 - 18.0, random.unit() * 8.0 - 14.0];
        let place =
            closest_nav_point(&quad, asked, None, f64::INFINITY, &filter, &mut scratch).unwrap().unwrap();
        let at = [place.position[0], place.position[2]];
        assert!(navwright::query::height_on_polygon(&quad, place.polygon, at).is_some());
        assert!(raycast(&quad, place.polygon, at, asked, &filter, &mut scratch).unwrap().is_some());
        assert!(
            move_along_surface(&quad, place.polygon, at, asked, &filter, &mut scratch).unwrap().is_some()
        );
        let path = find_nav_path(&quad, at, None, [-13.0, -9.0], None, &filter, &mut scratch).unwrap();
        assert_eq!(path.status, PathStatus::Complete);
    }
}
