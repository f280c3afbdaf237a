//! Paths, nearest places and islands on meshes built by hand, where the right answer is worked out on paper.

mod builder;
mod chains;
mod detour;
mod explained;
mod faults;
mod flat_maps;
mod follows;
mod landmarks;
mod moves;
mod random;
mod shortest;
mod steps;
mod visibility;

use navwright::format::TiledNavMesh;
use navwright::query::{
    NavPath, PathOptions, PathScratch, PathStatus, QueryError, QueryFilter, SlicedPath, closest_nav_point,
    distance_to_wall, find_nav_path, find_nav_path_into, height_on_polygon, islands, move_on_nav,
    nearest_in_box, polygons_around, polygons_in_box, random_point, random_point_around, raycast,
    walls_around,
};

use crate::counting::allocations_of;
use builder::{Jump, Plate, mesh, params};

fn path(mesh: &TiledNavMesh, start: ([f64; 2], i8), end: ([f64; 2], i8)) -> NavPath {
    path_with(mesh, start, end, &QueryFilter::default())
}

fn path_with(
    mesh: &TiledNavMesh,
    start: ([f64; 2], i8),
    end: ([f64; 2], i8),
    filter: &QueryFilter,
) -> NavPath {
    let mut scratch = PathScratch::default();
    find_nav_path(mesh, start.0, Some(start.1), end.0, Some(end.1), filter, &mut scratch).unwrap()
}

/// x, z and level of each point.
fn points(path: &NavPath) -> Vec<(f64, f64, i8)> {
    path.points.iter().map(|point| (point.position[0], point.position[2], point.level)).collect()
}

fn assert_length(path: &NavPath, length: f64) {
    assert_eq!(path.status, PathStatus::Complete, "{}", path.reason);
    assert!((path.length - length).abs() < 1e-9, "{} instead of {length}: {:?}", path.length, points(path));
}

fn grid(origin: [f64; 3], tile_size: f64, count: i32) -> TiledNavMesh {
    let at = |axis: usize, k: i32| origin[axis] + f64::from(k) * tile_size;
    let plates: Vec<_> = (0..count * count)
        .map(|k| {
            let (x, z) = (k % count, k / count);
            Plate::rect(0, 0.0, [at(0, x), at(0, x + 1)], [at(2, z), at(2, z + 1)])
        })
        .collect();
    mesh(params(origin, tile_size), &plates, &[])
}

/// Eight squares of side 4 round a hole, in one tile.
fn ring(area_below: u8, flags_below: u8) -> TiledNavMesh {
    let mut plates = Vec::new();
    for (x, z) in [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)] {
        let (x, z) = (f64::from(x) * 4.0, f64::from(z) * 4.0);
        let plate = Plate::rect(0, 0.0, [x, x + 4.0], [z, z + 4.0]);
        let below = (x, z) == (4.0, 0.0);
        plates.push(if below { plate.area(area_below).flags(flags_below) } else { plate });
    }
    mesh(params([0.0; 3], 16.0), &plates, &[])
}

/// A path on level 0 under a bridge on level 1, three units up.
fn bridge() -> TiledNavMesh {
    let plates = [Plate::rect(0, 0.0, [0.0, 12.0], [4.0, 8.0]), Plate::rect(1, 3.0, [4.0, 8.0], [0.0, 12.0])];
    mesh(params([0.0; 3], 16.0), &plates, &[])
}

/// Two plates with a gap of 2 between them, and a jump over it.
fn gap(both_ways: bool) -> TiledNavMesh {
    let plates = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(0, 0.0, [6.0, 10.0], [0.0, 4.0])];
    let jump = Jump { start: [3.5, 0.0, 2.0], end: [6.5, 0.0, 2.0], both_ways, user_id: 7 };
    mesh(params([0.0; 3], 16.0), &plates, &[jump])
}

#[test]
fn straight_on_there_are_two_points() {
    let plates = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(0, 0.0, [4.0, 8.0], [0.0, 4.0])];
    let mesh = mesh(params([0.0; 3], 8.0), &plates, &[]);
    let path = path(&mesh, ([1.0, 1.0], 0), ([7.0, 3.0], 0));
    assert_length(&path, 6.0_f64.hypot(2.0));
    assert_eq!(points(&path), [(1.0, 1.0, 0), (7.0, 3.0, 0)]);
    assert_eq!(path.corridor.len(), 2);
    assert_eq!((path.start_moved, path.end_moved), (0.0, 0.0));
}

#[test]
fn round_a_hole_the_path_bends_at_its_corners() {
    let path = path(&ring(0, 1), ([2.0, 5.0], 0), ([10.0, 5.0], 0));
    assert_length(&path, 2.0 * 2.0_f64.hypot(1.0) + 4.0);
    assert_eq!(points(&path), [(2.0, 5.0, 0), (4.0, 4.0, 0), (8.0, 4.0, 0), (10.0, 5.0, 0)]);
}

#[test]
fn a_closed_flag_or_a_cost_sends_the_path_the_other_way_round() {
    let (start, end) = (([2.0, 5.0], 0), ([10.0, 5.0], 0));
    let above = 2.0 * 2.0_f64.hypot(3.0) + 4.0;
    let closed = QueryFilter { exclude: 2, ..QueryFilter::default() };
    assert_length(&path_with(&ring(0, 2), start, end, &closed), above);
    // Flag 1 is included, and the place below has flag 2 only.
    let included = QueryFilter { include: 1, ..QueryFilter::default() };
    assert_length(&path_with(&ring(0, 2), start, end, &included), above);

    // Below the hole, 4 units lie on area 5: 8.47 + 4·(cost − 1) against 11.21 above it.
    let mut filter = QueryFilter::default();
    filter.area_costs[5] = 1.5;
    assert_length(&path_with(&ring(5, 1), start, end, &filter), 2.0 * 2.0_f64.hypot(1.0) + 4.0);
    filter.area_costs[5] = 2.0;
    assert_length(&path_with(&ring(5, 1), start, end, &filter), above);
}

#[test]
fn the_level_does_not_count_as_a_flag() {
    let mesh = mesh(params([0.0; 3], 8.0), &[Plate::rect(-1, -3.0, [0.0, 4.0], [0.0, 4.0]).flags(1)], &[]);
    let filter = QueryFilter { exclude: 0xFE, ..QueryFilter::default() };
    assert_length(&path_with(&mesh, ([1.0, 1.0], -1), ([3.0, 1.0], -1), &filter), 2.0);
}

#[test]
fn a_portal_between_tiles_is_the_exact_overlap() {
    let (low, high) = (f64::from(1.1_f32), f64::from(1.9_f32));
    let plates = [Plate::rect(0, 0.0, [0.0, 8.0], [0.0, 8.0]), Plate::rect(0, 0.0, [8.0, 16.0], [low, high])];
    let mesh = mesh(params([0.0; 3], 8.0), &plates, &[]);
    let path = path(&mesh, ([1.0, 7.0], 0), ([15.0, 1.5], 0));
    assert_eq!(points(&path), [(1.0, 7.0, 0), (8.0, high, 0), (15.0, 1.5, 0)]);
    assert_length(&path, 7.0_f64.hypot(7.0 - high) + 7.0_f64.hypot(high - 1.5));
}

#[test]
fn one_edge_against_several_of_the_next_tile() {
    let plates = [
        Plate::rect(0, 0.0, [0.0, 8.0], [0.0, 8.0]),
        Plate::rect(0, 0.0, [8.0, 12.0], [0.0, 3.0]),
        Plate::rect(0, 0.0, [8.0, 12.0], [5.0, 8.0]),
        Plate::rect(0, 0.0, [12.0, 16.0], [0.0, 8.0]),
    ];
    let mesh = mesh(params([0.0; 3], 8.0), &plates, &[]);
    // Straight through the upper one; round the hole's corner from its middle.
    assert_length(&path(&mesh, ([1.0, 6.0], 0), ([15.0, 6.0], 0)), 14.0);
    let round = path(&mesh, ([7.0, 3.5], 0), ([13.0, 3.5], 0));
    assert_eq!(points(&round), [(7.0, 3.5, 0), (8.0, 3.0, 0), (12.0, 3.0, 0), (13.0, 3.5, 0)]);
}

#[test]
fn borders_bend_nothing_wherever_the_origin_is() {
    for (origin, size) in [(0.0, 8.0), (0.1, f64::from(9.6_f32)), (2_000_000.1, 0.5), (-77_777.7, 3.25)] {
        let mesh = grid([origin, 0.0, -origin], size, 5);
        for (from, to) in [([0.1, 0.1], [4.9, 4.9]), ([0.3, 4.7], [4.6, 0.2]), ([0.0, 0.0], [5.0, 5.0])] {
            let place = |p: [f64; 2]| [origin + p[0] * size, p[1] * size - origin];
            let (a, b) = (place(from), place(to));
            let path = path(&mesh, (a, 0), (b, 0));
            assert_eq!(path.status, PathStatus::Complete);
            assert_eq!(path.points.len(), 2, "origin {origin}: {:?}", points(&path));
        }
    }
}

#[test]
fn stairs_change_the_level_where_they_begin() {
    let ramp = [[4.0, 0.0, 0.0], [6.0, 3.0, 0.0], [6.0, 3.0, 4.0], [4.0, 0.0, 4.0]];
    let plates = [
        Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]),
        Plate::polygon(1, &ramp),
        Plate::rect(1, 3.0, [6.0, 10.0], [0.0, 4.0]),
    ];
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &[]);
    let up = path(&mesh, ([1.0, 2.0], 0), ([9.0, 2.0], 1));
    assert_length(&up, 8.0);
    assert_eq!(points(&up), [(1.0, 2.0, 0), (4.0, 2.0, 1), (9.0, 2.0, 1)]);
    assert_eq!(up.points.iter().map(|point| point.position[1]).collect::<Vec<_>>(), [0.0, 0.0, 3.0]);
    assert!((up.length_3d - (3.0 + 2.0_f64.hypot(3.0) + 3.0)).abs() < 1e-9, "{}", up.length_3d);

    let down = path(&mesh, ([9.0, 2.0], 1), ([1.0, 2.0], 0));
    assert_eq!(points(&down), [(9.0, 2.0, 1), (4.0, 2.0, 0), (1.0, 2.0, 0)]);
    // Half way up the stairs.
    let half = path(&mesh, ([1.0, 2.0], 0), ([5.0, 2.0], 1));
    assert_eq!(half.points[2].position, [5.0, 1.5, 2.0]);
}

#[test]
fn a_bend_on_a_seam_has_the_level_from_there_on() {
    // The stairs touch the platform's side by its lower part only.
    let plates = [
        Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 8.0]),
        Plate::rect(1, 0.0, [4.0, 8.0], [0.0, 2.0]),
        Plate::rect(1, 0.0, [8.0, 12.0], [0.0, 8.0]),
    ];
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &[]);
    let path = path(&mesh, ([2.0, 6.0], 0), ([10.0, 6.0], 1));
    assert_eq!(points(&path), [(2.0, 6.0, 0), (4.0, 2.0, 1), (8.0, 2.0, 1), (10.0, 6.0, 1)]);
    assert_length(&path, 2.0 * 2.0_f64.hypot(4.0) + 4.0);
}

#[test]
fn a_bridge_over_a_path_joins_nothing() {
    let mesh = bridge();
    assert_length(&path(&mesh, ([1.0, 6.0], 0), ([11.0, 6.0], 0)), 10.0);
    assert_length(&path(&mesh, ([6.0, 1.0], 1), ([6.0, 11.0], 1)), 10.0);

    let under = path(&mesh, ([1.0, 6.0], 0), ([6.0, 6.0], 1));
    assert_eq!(under.status, PathStatus::Partial);
    assert_eq!(points(&under), [(1.0, 6.0, 0), (6.0, 6.0, 0)]);
    assert_eq!(
        under.reason,
        "the start is on island 1 of 2 (1 polygon), the end on island 2 of 2 (1 polygon), and nothing joins them; \
         the path stops 0.000 short of the end, 3.000 below it"
    );
    let beside = path(&mesh, ([1.0, 6.0], 0), ([5.0, 1.0], 1));
    assert_eq!(beside.status, PathStatus::Partial);
    assert_eq!(points(&beside), [(1.0, 6.0, 0), (5.0, 4.0, 0)]);
    assert!((beside.length - 4.0_f64.hypot(2.0)).abs() < 1e-9);
    assert!(beside.reason.contains("stops 3.000 short of the end, 3.000 below it"), "{}", beside.reason);
}

#[test]
fn without_a_level_the_one_nearest_to_the_ground_is_taken() {
    let mesh = bridge();
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let mut at = |point, level| closest_nav_point(&mesh, point, level, 1.0, &filter, &mut scratch).unwrap();
    assert_eq!(at([6.0, 6.0], None).unwrap().position, [6.0, 0.0, 6.0]);
    assert_eq!(at([6.0, 6.0], Some(1)).unwrap().position, [6.0, 3.0, 6.0]);
    assert_eq!(at([6.0, 1.0], None).unwrap().level, 1);
    assert_eq!(at([3.5, 1.0], Some(1)).unwrap().position, [4.0, 3.0, 1.0]);
    assert_eq!(at([3.5, 1.0], Some(1)).unwrap().distance, 0.5);
    assert_eq!(at([3.5, 1.0], Some(0)), None);
    assert_eq!(at([6.0, 6.0], Some(2)), None);
}

#[test]
fn a_one_way_jump_leads_one_way() {
    let mesh = gap(false);
    let there = path(&mesh, ([1.0, 2.0], 0), ([9.0, 3.0], 0));
    assert_eq!(points(&there), [(1.0, 2.0, 0), (3.5, 2.0, 0), (6.5, 2.0, 0), (9.0, 3.0, 0)]);
    assert_eq!(there.points.iter().map(|point| point.link).collect::<Vec<_>>(), [None, Some(7), None, None]);
    assert_length(&there, 2.5 + 3.0 + 2.5_f64.hypot(1.0));

    let back = path(&mesh, ([9.0, 3.0], 0), ([1.0, 2.0], 0));
    assert_eq!(back.status, PathStatus::Partial);
    assert_eq!(points(&back), [(9.0, 3.0, 0), (6.0, 2.0, 0)]);
    assert_eq!(
        back.reason,
        "start and end are on island 1 of 1 (2 polygons), but its one-way links lead no way to the end; \
         the path stops 5.000 short of the end, 0.000 below it"
    );
    assert_eq!(islands(&mesh, &QueryFilter::default()).count(), 1);
}

#[test]
fn a_two_way_jump_can_be_switched_off() {
    let mesh = gap(true);
    let (start, end) = (([9.0, 3.0], 0), ([1.0, 2.0], 0));
    let back = path(&mesh, start, end);
    assert_eq!(points(&back), [(9.0, 3.0, 0), (6.5, 2.0, 0), (3.5, 2.0, 0), (1.0, 2.0, 0)]);
    assert_eq!(back.points[1].link, Some(7));

    let by_id = QueryFilter { closed_links: vec![7], ..QueryFilter::default() };
    let all = QueryFilter { off_mesh: false, ..QueryFilter::default() };
    let flag = QueryFilter { include: 2, ..QueryFilter::default() };
    assert_eq!(path_with(&mesh, start, end, &by_id).status, PathStatus::Partial);
    assert_eq!(path_with(&mesh, start, end, &all).status, PathStatus::Partial);
    assert_eq!(path_with(&mesh, start, end, &flag).status, PathStatus::None);
    let islands = islands(&mesh, &by_id);
    assert_eq!((islands.count(), islands.polygon_count(0), islands.polygon_count(1)), (2, 1, 1));
    let corridor = &back.corridor;
    assert_eq!((islands.of(corridor[0]), islands.of(corridor[1])), (Some(1), Some(0)));
}

#[test]
fn a_ladder_goes_straight_up() {
    let jump = Jump { start: [6.0, 0.0, 6.0], end: [6.0, 3.0, 6.0], both_ways: true, user_id: 3 };
    let plates = [Plate::rect(0, 0.0, [0.0, 12.0], [4.0, 8.0]), Plate::rect(1, 3.0, [4.0, 8.0], [0.0, 12.0])];
    let mesh = mesh(params([0.0; 3], 16.0), &plates, &[jump]);
    let up = path(&mesh, ([1.0, 6.0], 0), ([6.0, 11.0], 1));
    assert_eq!(points(&up), [(1.0, 6.0, 0), (6.0, 6.0, 0), (6.0, 6.0, 1), (6.0, 11.0, 1)]);
    assert_length(&up, 10.0);
    assert!((up.length_3d - 13.0).abs() < 1e-9);
}

#[test]
fn edges_and_corners_are_inside() {
    let mesh = ring(0, 1);
    let mut scratch = PathScratch::default();
    let filter = QueryFilter::default();
    // Inner edge, inner corner, hole's corner, outline's corner.
    for point in [[4.0, 2.0], [4.0, 8.0], [8.0, 8.0], [12.0, 12.0], [0.0, 6.0]] {
        let place = closest_nav_point(&mesh, point, Some(0), 0.0, &filter, &mut scratch).unwrap();
        let place = place.unwrap_or_else(|| panic!("{point:?} is taken for outside"));
        assert_eq!((place.position, place.distance), ([point[0], 0.0, point[1]], 0.0));
        assert_length(&path(&mesh, (point, 0), (point, 0)), 0.0);
    }
    assert_length(&path(&mesh, ([4.0, 2.0], 0), ([8.0, 2.0], 0)), 4.0);
    assert_length(&path(&mesh, ([4.0, 4.0], 0), ([8.0, 8.0], 0)), 8.0);
}

#[test]
fn a_corner_where_two_plates_touch_is_on_both_but_lets_nothing_through() {
    let plates = [Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]), Plate::rect(0, 0.0, [4.0, 8.0], [4.0, 8.0])];
    let mesh = mesh(params([0.0; 3], 8.0), &plates, &[]);
    assert_eq!(path(&mesh, ([1.0, 1.0], 0), ([7.0, 7.0], 0)).status, PathStatus::Partial);
    assert_length(&path(&mesh, ([4.0, 4.0], 0), ([1.0, 4.0], 0)), 3.0);
    assert_length(&path(&mesh, ([4.0, 4.0], 0), ([7.0, 4.0], 0)), 3.0);
    assert_length(&path(&mesh, ([7.0, 4.0], 0), ([4.0, 4.0], 0)), 3.0);
}

#[test]
fn a_place_off_the_mesh_is_moved_and_the_path_says_so() {
    let mesh = bridge();
    let near = path(&mesh, ([-3.0, 5.0], 0), ([11.0, 20.0], 0));
    assert_length(&near, 11.0_f64.hypot(3.0));
    assert_eq!((near.start_moved, near.end_moved), (3.0, 12.0));

    let far = path(&mesh, ([6.0, 6.0], 0), ([6.0, 1000.0], 0));
    assert_eq!((far.status, far.points.len()), (PathStatus::None, 0));
    assert_eq!(
        far.reason,
        "the end (6.000, 1000.000) lies off the mesh: the nearest open place on level 0 is (6.000, 8.000), \
         992.000 away, and at most 32.000 is looked for"
    );
    let nowhere = path(&mesh, ([6.0, 6.0], 5), ([6.0, 6.0], 0));
    assert_eq!(nowhere.status, PathStatus::None);
    assert_eq!(
        nowhere.reason,
        "the start (6.000, 6.000) lies off the mesh: there is no open polygon on level 5"
    );
}

#[test]
fn an_empty_mesh_has_no_path() {
    let mesh = TiledNavMesh::new(params([0.0; 3], 8.0)).unwrap();
    assert_eq!(path(&mesh, ([1.0, 1.0], 0), ([2.0, 2.0], 0)).status, PathStatus::None);
    assert_eq!(islands(&mesh, &QueryFilter::default()).count(), 0);
}

#[test]
fn coordinates_and_costs_out_of_range_are_refused() {
    let mesh = bridge();
    let mut scratch = PathScratch::default();
    let mut filter = QueryFilter::default();
    for value in [f64::NAN, f64::INFINITY, 2_097_152.0, -2_097_152.0] {
        let answer = find_nav_path(&mesh, [1.0, 1.0], None, [1.0, value], None, &filter, &mut scratch);
        assert!(matches!(answer, Err(QueryError::OutOfRange { name: "end z", .. })), "{value}: {answer:?}");
        let answer = closest_nav_point(&mesh, [value, 1.0], None, 1.0, &filter, &mut scratch);
        assert!(matches!(answer, Err(QueryError::OutOfRange { name: "position x", .. })), "{value}");
    }
    let far = find_nav_path(&mesh, [2_097_151.0, 1.0], None, [1.0, 1.0], None, &filter, &mut scratch);
    assert_eq!(far.unwrap().status, PathStatus::None);
    for value in [f64::NAN, -1.0, f64::INFINITY] {
        filter.area_costs[9] = value;
        let answer = find_nav_path(&mesh, [1.0, 6.0], None, [2.0, 6.0], None, &filter, &mut scratch);
        assert!(matches!(answer, Err(QueryError::AreaCost { area: 9, .. })), "{answer:?}");
    }
}

#[test]
fn heights_come_from_the_detail_mesh_else_from_the_fan() {
    let square = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 4.0], [0.0, 0.0, 4.0]];
    let tent = Plate::rect(0, 0.0, [4.0, 8.0], [0.0, 4.0]).peak([6.0, 2.0, 2.0]);
    let bent = mesh(params([0.0; 3], 8.0), &[Plate::polygon(0, &square)], &[]);
    let polygon = path(&bent, ([1.0, 1.0], 0), ([2.0, 2.0], 0)).corridor[0];
    // The fan from (0, 0) folds along the diagonal to (4, 4): y = z below it, y = x above it.
    assert_eq!(height_on_polygon(&bent, polygon, [3.0, 1.0]), Some(1.0));
    assert_eq!(height_on_polygon(&bent, polygon, [1.0, 3.0]), Some(1.0));
    assert_eq!(height_on_polygon(&bent, polygon, [2.0, 2.0]), Some(2.0));
    // From (1, 3) to (3, 1): up by 1, then down by 1.
    let over = path(&bent, ([1.0, 3.0], 0), ([3.0, 1.0], 0));
    assert!((over.length_3d - 2.0 * 2.0_f64.sqrt().hypot(1.0)).abs() < 1e-9, "{}", over.length_3d);

    let tent = mesh(params([0.0; 3], 8.0), &[tent], &[]);
    let over = path(&tent, ([4.0, 2.0], 0), ([8.0, 2.0], 0));
    assert_eq!(height_on_polygon(&tent, over.corridor[0], [6.0, 2.0]), Some(2.0));
    assert_eq!(height_on_polygon(&tent, over.corridor[0], [5.0, 2.0]), Some(1.0));
    assert!((over.length_3d - 2.0 * 2.0_f64.hypot(2.0)).abs() < 1e-9, "{}", over.length_3d);
    assert_eq!(over.length, 4.0);
}

#[test]
fn a_scratch_follows_the_mesh_and_stops_growing() {
    let mut scratch = PathScratch::default();
    let filter = QueryFilter::default();
    let mut ask = |mesh: &TiledNavMesh, end: [f64; 2]| {
        let path = find_nav_path(mesh, [1.0, 6.0], Some(0), end, Some(0), &filter, &mut scratch).unwrap();
        (path.length, path.status, scratch.memory_bytes())
    };
    // Slots and generations of both are alike.
    let (bridge, ring) = (bridge(), ring(0, 1));
    assert_eq!(ask(&bridge, [11.0, 6.0]).0, 10.0);
    assert!(ask(&ring, [11.0, 6.0]).0 > 10.0);
    assert_eq!(ask(&bridge, [11.0, 6.0]).0, 10.0);

    let wide = grid([0.0; 3], 8.0, 12);
    let end = |k: u32| [95.0 - f64::from(k), 90.0];
    let (length, status, _) = ask(&wide, end(0));
    assert_eq!((length, status), (94.0_f64.hypot(84.0), PathStatus::Complete));
    // Twice, since the corridor in hand and the best one change places.
    let warm = (0..100).map(|k| ask(&wide, end(k / 2)).2).last().unwrap();
    for k in 0..50 {
        assert_eq!(ask(&wide, end(k)).2, warm);
    }
}

#[test]
fn a_closed_island_is_counted_apart() {
    let mesh = ring(0, 2);
    let filter = QueryFilter { exclude: 2, ..QueryFilter::default() };
    let closed = path(&mesh, ([6.0, 2.0], 0), ([6.0, 2.0], 0)).corridor[0];
    let islands = islands(&mesh, &filter);
    assert_eq!((islands.count(), islands.polygon_count(0), islands.of(closed)), (1, 7, None));
}

#[test]
fn warm_queries_allocate_nothing() {
    let (mesh, filter, mut scratch) = (ring(0, 1), QueryFilter::default(), PathScratch::without_words());
    let (mut path, mut walls, mut polygons) = (NavPath::default(), Vec::new(), Vec::new());
    let mut sliced = NavPath::default();
    let mut dear = QueryFilter::default();
    dear.area_costs[5] = 3.0;
    let costly = ring(5, 1);
    let mut ask = |mesh: &TiledNavMesh, filter: &QueryFilter, scratch: &mut PathScratch| {
        let ends = (([2.0, 5.0], None), ([10.0, 5.0], Some(0)));
        find_nav_path_into(mesh, ends.0, ends.1, filter, scratch, &mut path).unwrap();
        let mut search = SlicedPath::new(ends.0, ends.1, filter, PathOptions::default()).unwrap();
        while !search.go_on(mesh, 1, scratch, &mut sliced) {}
        let here = closest_nav_point(mesh, [-1.0, 5.0], None, 9.0, filter, scratch).unwrap().unwrap();
        let at = [here.position[0], here.position[2]];
        move_on_nav(mesh, at, None, [9.0, 9.0], filter, scratch).unwrap().unwrap();
        raycast(mesh, here.polygon, at, [9.0, 9.0], filter, scratch).unwrap().unwrap();
        nearest_in_box(mesh, [5.0, 0.0, 3.0], [3.0; 3], filter, scratch).unwrap().unwrap();
        distance_to_wall(mesh, here.polygon, at, 9.0, filter, scratch).unwrap().unwrap();
        walls_around(mesh, here.polygon, at, 9.0, filter, scratch, &mut walls).unwrap();
        polygons_around(mesh, here.polygon, at, 9.0, filter, scratch, &mut polygons).unwrap();
        polygons_in_box(mesh, [0.0; 3], [9.0; 3], filter, scratch, &mut polygons).unwrap();
        random_point(mesh, 7, filter, scratch).unwrap();
        random_point_around(mesh, here.polygon, at, 3.0, 7, filter, scratch).unwrap().unwrap();
    };
    for (mesh, filter) in [(&mesh, &filter), (&costly, &dear)] {
        (0..3).for_each(|_| ask(mesh, filter, &mut scratch));
        assert_eq!(allocations_of(|| ask(mesh, filter, &mut scratch)), 0);
    }
}
