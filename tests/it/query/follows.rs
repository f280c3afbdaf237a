//! A scratch that follows a mesh through edits, searches that go on over frames, limits, and states of polygons.

use navwright::format::{PolygonState, TilePosition, TiledNavMesh};
use navwright::query::{
    NavPath, PathOptions, PathQueue, PathScratch, PathStatus, QueryFilter, SlicedPath, closest_nav_point,
    distance_to_wall, find_nav_path, find_nav_path_with, move_on_nav, random_point,
};

use super::builder::{Jump, Plate, mesh, params};
use super::{grid, ring};
use crate::support::Random;

type Place = ([f64; 2], Option<i8>);

fn ask(mesh: &TiledNavMesh, start: Place, end: Place, scratch: &mut PathScratch) -> NavPath {
    find_nav_path(mesh, start.0, start.1, end.0, end.1, &QueryFilter::default(), scratch).unwrap()
}

/// Tiles of side 4 in two layers: blocks of cells, ramps of the other level through tile borders, some with links.
fn town(random: &mut Random) -> TiledNavMesh {
    let (mut plates, mut jumps) = (Vec::new(), Vec::new());
    for z in 0..16 {
        for x in 0..16 {
            if random.unit() < 0.75 {
                let at = [f64::from(x), f64::from(z)];
                let plate = Plate::rect(0, 0.0, [at[0], at[0] + 1.0], [at[1], at[1] + 1.0]);
                plates.push(plate.area(u8::from(random.unit() < 0.2) * 3));
            }
            if random.unit() < 0.02 {
                let at = [f64::from(x) + 0.5, f64::from(z) + 0.5];
                let far = [random.unit() * 16.0, random.unit() * 16.0];
                let both_ways = random.unit() < 0.5;
                let (start, end) = ([at[0], 0.0, at[1]], [far[0], 0.0, far[1]]);
                jumps.push(Jump { start, end, both_ways, user_id: x });
            }
        }
    }
    mesh(params([0.0; 3], 4.0), &plates, &jumps)
}

#[test]
fn after_any_edits_the_answers_are_those_of_a_fresh_scratch() {
    let mut random = Random(11);
    for _ in 0..6 {
        let (mut mesh, other) = (town(&mut random), town(&mut random));
        let tiles: Vec<_> = mesh.tiles().chain(other.tiles()).map(|(_, tile)| tile.clone()).collect();
        let mut old = PathScratch::default();
        for edit in 0..60 {
            let tile = &tiles[(random.unit() * tiles.len() as f64) as usize];
            let there = mesh.tile_at(tile.position()).is_some();
            if !there {
                mesh.add_tile(tile.clone()).unwrap();
            } else if random.unit() < 0.4 {
                mesh.remove_tile(tile.position()).unwrap();
            } else {
                mesh.replace_tile(tile.clone()).unwrap();
            }
            if random.unit() < 0.3
                && let Some(place) = random_point(&mesh, edit, &QueryFilter::default(), &mut old)
            {
                let state = PolygonState { area: 5, flags: 1 };
                mesh.set_polygon_state(place.polygon, state).unwrap();
            }
            let mut fresh = PathScratch::default();
            let mut filter = QueryFilter::default();
            filter.area_costs[3] = if edit % 3 == 0 { 2.5 } else { 1.0 };
            filter.exclude = if edit % 5 == 0 { 2 } else { 0 };
            for _ in 0..4 {
                let [start, end] = [(); 2].map(|()| [random.unit() * 16.0, random.unit() * 16.0]);
                let one = |scratch: &mut PathScratch| {
                    find_nav_path(&mesh, start, None, end, None, &filter, scratch).unwrap()
                };
                assert_eq!(one(&mut old), one(&mut fresh), "{start:?} to {end:?} after edit {edit}");
            }
        }
    }
}

#[test]
fn a_scratch_that_follows_does_not_grow_for_ever() {
    let mut mesh = grid([0.0; 3], 4.0, 12);
    let mut scratch = PathScratch::default();
    let tile = mesh.tile_at(TilePosition { tile_x: 5, tile_z: 5, layer: 0 }).unwrap().1.clone();
    let mut sizes = Vec::new();
    for _ in 0..3000 {
        mesh.remove_tile(tile.position()).unwrap();
        let round = ask(&mesh, ([20.0, 22.0], None), ([28.0, 22.0], None), &mut scratch);
        mesh.add_tile(tile.clone()).unwrap();
        let through = ask(&mesh, ([19.0, 22.0], None), ([28.0, 22.0], None), &mut scratch);
        assert_eq!(through.length, 9.0);
        assert!(round.length > 8.0);
        sizes.push(scratch.memory_bytes());
    }
    assert!(sizes[2999] <= sizes[1000], "{} then {}", sizes[1000], sizes[2999]);
}

#[test]
fn a_sliced_search_gives_the_path_of_a_whole_one() {
    let mut random = Random(5);
    for _ in 0..20 {
        let mesh = town(&mut random);
        for cost in [1.0, 2.5] {
            let mut filter = QueryFilter::default();
            filter.area_costs[3] = cost;
            let [start, end] = [(); 2].map(|()| ([random.unit() * 16.0, random.unit() * 16.0], None));
            let (mut scratch, options) = (PathScratch::default(), PathOptions::default());
            let mut whole = NavPath::default();
            find_nav_path_with(&mesh, start, end, &filter, options, &mut scratch, &mut whole).unwrap();
            let (mut path, mut slices) = (NavPath::default(), 0);
            let mut search = SlicedPath::new(start, end, &filter, options).unwrap();
            while !search.go_on(&mesh, 1, &mut scratch, &mut path) {
                slices += 1;
                assert_eq!(path, NavPath::default());
                if slices % 7 == 3 {
                    // Another search in between takes the memory: the sliced one begins anew, and still ends.
                    if slices < 20 {
                        ask(&mesh, end, start, &mut scratch);
                    }
                }
                // Looking for a place, and walking, leave it alone; looking around takes its memory, too.
                let here =
                    closest_nav_point(&mesh, start.0, None, 99.0, &filter, &mut scratch).unwrap().unwrap();
                move_on_nav(&mesh, start.0, None, end.0, &filter, &mut scratch).unwrap();
                if slices < 20 && slices % 5 == 1 {
                    let at = [here.position[0], here.position[2]];
                    distance_to_wall(&mesh, here.polygon, at, 9.0, &filter, &mut scratch).unwrap();
                }
                assert!(slices < 100_000);
            }
            assert_eq!(path, whole);
            assert!(slices <= search.nodes() + 40);
        }
    }
}

/// Between two slices the scratch is asked about other meshes, which lay out their polygons where those of the search were,
/// about places that are not there, or it is another scratch altogether that has searched as often: the path stays the same.
#[test]
fn a_sliced_search_does_not_go_on_with_the_memory_of_another_mesh() {
    let mut random = Random(23);
    for round in 0..20 {
        let (own, other) = (town(&mut random), town(&mut random));
        // Shares all slots but one with `own`.
        let mut edited = own.clone();
        let gone = edited.tiles().next().unwrap().1.position();
        edited.remove_tile(gone).unwrap();
        let filter = QueryFilter::default();
        let [start, end] = [(); 2].map(|()| ([random.unit() * 16.0, random.unit() * 16.0], None));
        let options = PathOptions::default();
        let mut whole = NavPath::default();
        let mut fresh = PathScratch::default();
        find_nav_path_with(&own, start, end, &filter, options, &mut fresh, &mut whole).unwrap();
        for kind in 0..6 {
            let (mut scratch, mut path) = (PathScratch::default(), NavPath::default());
            // As many searches as the other scratch has seen.
            ask(&own, start, end, &mut scratch);
            let mut twin = scratch.clone();
            let mut search = SlicedPath::new(start, end, &filter, options).unwrap();
            let mut slices = 0;
            while !search.go_on(&own, 2, &mut scratch, &mut path) {
                slices += 1;
                if slices > 12 || slices % 3 != 1 {
                    continue;
                }
                match kind {
                    0 => ask(&other, end, start, &mut scratch).points.clear(),
                    // These begin no search.
                    1 | 2 => {
                        let mesh = if kind == 1 { &other } else { &edited };
                        let place =
                            closest_nav_point(mesh, end.0, None, 99.0, &filter, &mut scratch).unwrap();
                        assert!(place.is_some());
                    }
                    3 => {
                        // Its start is found and its end is nowhere.
                        let lost = ask(&own, ([8.0, 8.0], None), ([-4000.0, 0.0], None), &mut scratch);
                        assert_eq!(lost.status, PathStatus::None);
                    }
                    4 => {
                        let mut busy = SlicedPath::new(end, start, &filter, options).unwrap();
                        busy.go_on(&own, 3, &mut twin, &mut NavPath::default());
                        std::mem::swap(&mut scratch, &mut twin);
                    }
                    // An older state of the same memory.
                    _ => scratch = twin.clone(),
                }
            }
            assert_eq!(path, whole, "round {round}, kind {kind}");
        }
        let mut search = SlicedPath::new(start, end, &filter, options).unwrap();
        let (mut scratch, mut path) = (PathScratch::default(), NavPath::default());
        if search.go_on(&own, 3, &mut scratch, &mut path) {
            continue;
        }
        // Turned to another mesh, it answers for that.
        while !search.go_on(&edited, 3, &mut scratch, &mut path) {}
        let mut expected = NavPath::default();
        find_nav_path_with(&edited, start, end, &filter, options, &mut fresh, &mut expected).unwrap();
        assert_eq!(path, expected, "round {round}");
    }
}

#[test]
fn a_limit_is_told_apart_from_an_end_that_cannot_be_reached() {
    // A comb: to get from one tooth to the next, walk to its root and back.
    let mut plates = Vec::new();
    for tooth in 0..20 {
        let x = f64::from(tooth) * 2.0;
        plates.push(Plate::rect(0, 0.0, [x, x + 2.0], [0.0, 1.0]));
        plates.push(Plate::rect(0, 0.0, [x, x + 1.0], [1.0, 30.0]));
    }
    let whole = mesh(params([0.0; 3], 64.0), &plates, &[]);
    let filter = QueryFilter::default();
    let (start, end) = (([0.5, 29.0], None), ([38.5, 29.0], None));
    let at_most = |mesh: &TiledNavMesh, max_nodes| {
        let options = PathOptions { max_nodes, ..PathOptions::default() };
        let (mut scratch, mut path) = (PathScratch::default(), NavPath::default());
        find_nav_path_with(mesh, start, end, &filter, options, &mut scratch, &mut path).unwrap();
        path
    };
    let full = at_most(&whole, usize::MAX);
    assert_eq!((full.status, full.limit_reached), (PathStatus::Complete, false));
    let cut = at_most(&whole, 1);
    assert_eq!((cut.status, cut.limit_reached), (PathStatus::Partial, true));
    assert!(cut.reason.starts_with("the search ended at its limit of 1 nodes"), "{}", cut.reason);
    // What it has come to: the place nearest to the end among the cells it knows, and a real way there.
    let last = cut.points.last().unwrap().position;
    assert!(last[0] > 0.5 && cut.length > 0.0, "{cut:?}");
    // Without the root of the tenth tooth.
    plates.remove(20);
    let apart = at_most(&mesh(params([0.0; 3], 64.0), &plates, &[]), usize::MAX);
    assert_eq!((apart.status, apart.limit_reached), (PathStatus::Partial, false));
}

#[test]
fn a_queue_answers_in_the_order_of_asking() {
    let mesh = grid([0.0; 3], 4.0, 12);
    let (filter, mut scratch, mut queue) =
        (QueryFilter::default(), PathScratch::default(), PathQueue::default());
    let search = |x: f64| {
        SlicedPath::new(([0.5, 0.5], None), ([x, 47.0], None), &filter, PathOptions::default()).unwrap()
    };
    let tickets: Vec<_> = (0..5).map(|k| queue.ask(search(f64::from(k) + 40.0))).collect();
    queue.cancel(tickets[1]);
    let mut path = NavPath::default();
    assert!(!queue.take(tickets[0], &mut path));
    while queue.waiting() > 0 {
        assert!(queue.update(&mesh, 3, &mut scratch) <= 3);
    }
    assert!(!queue.take(tickets[1], &mut path));
    for (k, ticket) in tickets.iter().enumerate().filter(|(k, _)| *k != 1) {
        assert!(queue.take(*ticket, &mut path));
        assert!((path.length - (k as f64 + 39.5).hypot(46.5)).abs() < 1e-9);
        assert!(!queue.take(*ticket, &mut path));
    }
}

#[test]
fn water_turns_to_ice_until_its_tile_is_replaced() {
    let mut mesh = ring(7, 1);
    let mut scratch = PathScratch::default();
    let mut filter = QueryFilter::default();
    filter.area_costs[7] = 10.0;
    let mut length = |mesh: &TiledNavMesh, filter: &QueryFilter| {
        find_nav_path(mesh, [2.0, 5.0], None, [10.0, 5.0], None, filter, &mut scratch).unwrap().length
    };
    let (below, above) = (2.0 * 2.0_f64.hypot(1.0) + 4.0, 2.0 * 2.0_f64.hypot(3.0) + 4.0);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} instead of {b}");
    near(length(&mesh, &filter), above);
    let water = closest_nav_point(&mesh, [6.0, 2.0], None, 0.0, &filter, &mut PathScratch::default());
    let water = water.unwrap().unwrap().polygon;
    let edition = mesh.edition();
    mesh.set_polygon_state(water, PolygonState { area: 2, flags: 1 }).unwrap();
    assert_ne!(mesh.edition(), edition);
    near(length(&mesh, &filter), below);
    let closed = QueryFilter { exclude: 4, ..filter.clone() };
    near(length(&mesh, &closed), below);
    mesh.set_polygon_state(water, PolygonState { area: 2, flags: 5 }).unwrap();
    near(length(&mesh, &closed), above);
    let kept: Vec<_> = mesh.polygon_states().collect();
    assert_eq!(kept, [(water, PolygonState { area: 2, flags: 5 })]);

    // A clone has the state, and changes by itself.
    let mut clone = mesh.clone();
    clone.reset_polygon_state(water);
    near(length(&clone, &filter), above);
    assert_eq!(clone.polygon_states().count(), 0);
    near(length(&mesh, &filter), below);

    // Gone with the tile, and the old reference with it.
    let tile = mesh.tiles().next().unwrap().1.clone();
    mesh.replace_tile(tile).unwrap();
    assert_eq!(mesh.polygon_states().count(), 0);
    near(length(&mesh, &filter), above);
    assert_eq!(mesh.polygon_state(water), None);
    let error = mesh.set_polygon_state(water, PolygonState { area: 2, flags: 1 }).unwrap_err();
    assert!(error.to_string().contains("polygon"), "{error}");
    let again = closest_nav_point(&mesh, [6.0, 2.0], None, 0.0, &filter, &mut PathScratch::default());
    let error = mesh.set_polygon_state(again.unwrap().unwrap().polygon, PolygonState { area: 64, flags: 0 });
    assert!(error.unwrap_err().to_string().contains("64"));
}

#[test]
fn points_say_what_is_there() {
    let plates = [
        Plate::rect(0, 0.0, [0.0, 4.0], [0.0, 4.0]),
        Plate::rect(0, 0.0, [4.0, 8.0], [0.0, 4.0]).area(3),
        Plate::rect(1, 0.0, [8.0, 12.0], [0.0, 4.0]).area(3),
        Plate::rect(1, 0.0, [14.0, 18.0], [0.0, 4.0]),
    ];
    let jump = Jump { start: [11.5, 0.0, 2.0], end: [14.5, 0.0, 2.0], both_ways: true, user_id: 7 };
    let mesh = mesh(params([0.0; 3], 32.0), &plates, &[jump]);
    let options = PathOptions { area_points: true, ..PathOptions::default() };
    let (mut scratch, mut path) = (PathScratch::default(), NavPath::default());
    let (start, end) = (([1.0, 2.0], None), ([17.0, 2.0], None));
    find_nav_path_with(&mesh, start, end, &QueryFilter::default(), options, &mut scratch, &mut path).unwrap();
    let told: Vec<_> = path
        .points
        .iter()
        .map(|point| {
            let marks = point.marks;
            let signs = [
                (marks.start, 's'),
                (marks.end, 'e'),
                (marks.departure, 'd'),
                (marks.arrival, 'a'),
                (marks.area_change, 'A'),
                (marks.level_change, 'L'),
            ];
            let signs: String = signs.into_iter().filter_map(|(is, sign)| is.then_some(sign)).collect();
            (point.position[0], signs)
        })
        .collect();
    let told: Vec<_> = told.iter().map(|(x, signs)| (*x, signs.as_str())).collect();
    assert_eq!(told, [(1.0, "s"), (4.0, "A"), (8.0, "L"), (11.5, "d"), (14.5, "aA"), (17.0, "e")]);
    // Without the option the straight stretch has no point for the area.
    let plain = ask(&mesh, start, end, &mut scratch);
    assert_eq!(plain.points.len(), 5);
}
