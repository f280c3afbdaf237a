//! Landmarks: paths as long as without them, on any mesh, under any filter and after any edit, at less cost.

use std::sync::Arc;

use navwright::format::{PolygonState, TiledNavMesh};
use navwright::query::{
    Landmarks, NavPath, PathOptions, PathScratch, PathStatus, QueryFilter, SlicedPath, find_nav_path,
    find_nav_path_into, random_point,
};

use super::builder::{Jump, Plate, mesh, params};
use super::flat_maps::{MAPS, MeshFile, areas, bake, pairs};
use crate::counting::allocations_of;
use crate::support::{Random, shared};

/// Floors are of area 1 or 3, links of area 0, so that a filter can tell them apart.
const OTHER_FLOOR: u8 = 3;

/// Cells of two levels in tiles of side 4, some closed by flag 2, a gallery above, and links of both kinds.
fn town(random: &mut Random) -> TiledNavMesh {
    let (mut plates, mut jumps) = (Vec::new(), Vec::new());
    for k in 0..144_u32 {
        let at = [f64::from(k % 12), f64::from(k / 12)];
        let mut add = |level: i8, y: f64, random: &mut Random| {
            let area = if random.unit() < 0.2 { OTHER_FLOOR } else { 1 };
            let flags = if random.unit() < 0.1 { 2 } else { 1 };
            let plate = Plate::rect(level, y, [at[0], at[0] + 1.0], [at[1], at[1] + 1.0]);
            plates.push(plate.area(area).flags(flags));
        };
        if random.unit() < 0.75 {
            add(i8::from(random.unit() < 0.3), 0.0, random);
        }
        if k % 12 / 3 == 2 {
            add(2, 3.0, random);
        }
        if random.unit() < 0.06 {
            let [start, end] = [[at[0] + 0.5, at[1] + 0.5], [random.unit() * 12.0, random.unit() * 12.0]]
                .map(|[x, z]| [x, if random.unit() < 0.3 { 3.0 } else { 0.0 }, z]);
            jumps.push(Jump { start, end, both_ways: random.unit() < 0.5, user_id: k % 5 });
        }
    }
    mesh(params([0.0; 3], 4.0), &plates, &jumps)
}

/// What a filter may say, with floors that all cost 1 except in the last two.
fn filters() -> Vec<QueryFilter> {
    let usual = QueryFilter::default;
    let mut all = vec![
        usual(),
        QueryFilter { exclude: 2, ..usual() },
        QueryFilter { include: 1, closed_links: vec![0, 3], ..usual() },
        QueryFilter { off_mesh: false, ..usual() },
    ];
    for link_cost in [0.0, 0.25, 3.0] {
        let mut filter = usual();
        filter.area_costs[0] = link_cost;
        all.push(filter);
    }
    for (floor, cost) in [(1, 2.0), (usize::from(OTHER_FLOOR), 2.5)] {
        let mut filter = usual();
        filter.area_costs[floor] = cost;
        all.push(filter);
    }
    all
}

fn with_landmarks(landmarks: Landmarks) -> PathScratch {
    let mut scratch = PathScratch::default();
    scratch.use_landmarks(Some(Arc::new(landmarks)));
    scratch
}

fn ask(
    mesh: &TiledNavMesh,
    [start, end]: [[f64; 2]; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> NavPath {
    find_nav_path(mesh, start, None, end, None, filter, scratch).unwrap()
}

/// What a path costs where all floor costs 1.
fn cost(path: &NavPath, filter: &QueryFilter) -> f64 {
    let stretches = path.points.windows(2).map(|pair| {
        let ([a, b], by_link) = ([pair[0].position, pair[1].position], pair[0].link.is_some());
        (a[0] - b[0]).hypot(a[2] - b[2]) * if by_link { filter.area_costs[0] } else { 1.0 }
    });
    stretches.sum()
}

/// Equally short ways may differ, and so may their lengths where links cost more or less than floor; costs may not.
fn assert_as_good(path: &NavPath, plain: &NavPath, filter: &QueryFilter, what: &str) {
    assert_eq!(path.status, plain.status, "{what}: {} / {}", path.reason, plain.reason);
    if filter.area_costs[1] != filter.area_costs[usize::from(OTHER_FLOOR)] {
        assert_eq!(path, plain, "{what}: where floors differ, landmarks keep out of it");
        return;
    }
    let (own, other) = (cost(path, filter), cost(plain, filter));
    assert!((own - other).abs() <= 1e-9 * other.max(1.0), "{what}: {own} instead of {other}");
    let end = |path: &NavPath| path.points.last().map(|point| point.position);
    assert_eq!(end(path), end(plain), "{what}");
}

#[test]
fn with_landmarks_paths_are_as_short_as_without() {
    let mut random = Random(21);
    let (mut complete, mut partial) = (0, 0);
    for round in 0..24 {
        let mesh = town(&mut random);
        let mut prepared = with_landmarks(Landmarks::find(&mesh, [1, 4, 16][round % 3]));
        let mut plain = PathScratch::default();
        for (number, filter) in filters().iter().enumerate() {
            for _ in 0..8 {
                let ends = [(); 2].map(|()| [random.unit() * 12.0, random.unit() * 12.0]);
                let what = format!("town {round}, filter {number}, {ends:?}");
                let other = ask(&mesh, ends, filter, &mut plain);
                let path = ask(&mesh, ends, filter, &mut prepared);
                assert_as_good(&path, &other, filter, &what);
                *if path.status == PathStatus::Complete { &mut complete } else { &mut partial } += 1;

                let options = PathOptions::default();
                let [start, end] = ends.map(|at| (at, None));
                let mut sliced = SlicedPath::new(start, end, filter, options).unwrap();
                let mut slow = NavPath::default();
                while !sliced.go_on(&mesh, 3, &mut prepared, &mut slow) {}
                assert_eq!(slow, path, "{what}, in slices");
            }
        }
    }
    assert!(complete > 400 && partial > 100, "{complete} and {partial}");
}

#[test]
fn after_any_edit_landmarks_do_no_harm() {
    let mut random = Random(22);
    for round in 0..3 {
        let (mut mesh, other) = (town(&mut random), town(&mut random));
        let tiles: Vec<_> = mesh.tiles().chain(other.tiles()).map(|(_, tile)| tile.clone()).collect();
        let mut prepared = with_landmarks(Landmarks::find(&mesh, 8));
        let (before, mut states) = (mesh.clone(), 0);
        for edit in 0..40 {
            let tile = &tiles[random.below(tiles.len() as u64) as usize];
            let there = mesh.tile_at(tile.position()).is_some();
            if edit < 12 || random.unit() < 0.3 {
                // Doors first, which landmarks live through.
                if let Some(place) = random_point(&mesh, edit, &QueryFilter::default(), &mut prepared) {
                    let state =
                        PolygonState { area: [1, OTHER_FLOOR][edit as usize % 2], flags: 1 + edit as u8 % 2 };
                    mesh.set_polygon_state(place.polygon, state).unwrap();
                    states += 1;
                }
            } else if !there {
                mesh.add_tile(tile.clone()).unwrap();
            } else if random.unit() < 0.4 {
                mesh.remove_tile(tile.position()).unwrap();
            } else {
                mesh.replace_tile(tile.clone()).unwrap();
            }
            if edit == 30 {
                prepared.use_landmarks(Some(Arc::new(Landmarks::find(&mesh, 8))));
            }
            for filter in &filters() {
                let ends = [(); 2].map(|()| [random.unit() * 12.0, random.unit() * 12.0]);
                // Now and then the mesh as it was, by the same scratch.
                let asked = if random.unit() < 0.1 { &before } else { &mesh };
                let plain = ask(asked, ends, filter, &mut PathScratch::default());
                let path = ask(asked, ends, filter, &mut prepared);
                assert_as_good(&path, &plain, filter, &format!("town {round} after edit {edit}, {ends:?}"));
            }
        }
        assert!(states >= 12);
    }
}

/// A comb: from one tooth to the next it is down to the root and up again, which straight lines know nothing of. Each
/// tooth is a loop, so that nothing of it is a dead end.
fn comb() -> Vec<Plate> {
    let mut plates = Vec::new();
    let mut add = |x: [f64; 2], z: [f64; 2]| plates.push(Plate::rect(0, 0.0, x, z));
    for tooth in 0..10 {
        let x = f64::from(tooth) * 4.0;
        add([x, x + 4.0], [0.0, 1.0]);
        add([x + 1.0, x + 2.0], [30.0, 31.0]);
        for z in (1..31).map(f64::from) {
            add([x, x + 1.0], [z, z + 1.0]);
            add([x + 2.0, x + 3.0], [z, z + 1.0]);
        }
    }
    plates
}

/// Nodes that a search for the way from one tooth's end to another's looks at, and the way's length.
fn nodes(mesh: &TiledNavMesh, scratch: &mut PathScratch) -> (usize, f64) {
    let (start, end) = (([8.5, 30.5], None), ([36.5, 30.5], None));
    let mut search = SlicedPath::new(start, end, &QueryFilter::default(), PathOptions::default()).unwrap();
    let mut path = NavPath::default();
    while !search.go_on(mesh, usize::MAX, scratch, &mut path) {}
    (search.nodes(), path.length)
}

#[test]
fn a_search_with_landmarks_looks_at_less_until_the_mesh_is_another() {
    let whole = mesh(params([0.0; 3], 64.0), &comb(), &[]);
    let landmarks = Landmarks::find(&whole, 16);
    assert!(landmarks.fit(&whole));
    let mut prepared = with_landmarks(landmarks);
    let (plain, length) = nodes(&whole, &mut PathScratch::default());
    let (fewer, same) = nodes(&whole, &mut prepared);
    assert!((length - same).abs() < 1e-9);
    // The way itself is some 70 cells long; the teeth between are 360 more.
    assert!(2 * fewer < plain, "{fewer} and {plain}");
    // Closing a cell leaves them in use.
    let mut doors = whole.clone();
    let place = random_point(&whole, 5, &QueryFilter::default(), &mut PathScratch::default()).unwrap();
    doors.set_polygon_state(place.polygon, PolygonState { area: 0, flags: 1 }).unwrap();
    assert_eq!(nodes(&doors, &mut prepared).0, fewer);
    // The same tile once more is another mesh, where nothing is known.
    let mut again = whole.clone();
    again.replace_tile(whole.tiles().next().unwrap().1.clone()).unwrap();
    assert_eq!(nodes(&again, &mut prepared).0, plain);
    // And on the first one they are known still.
    assert_eq!(nodes(&whole, &mut prepared).0, fewer);
    prepared.use_landmarks(None);
    assert_eq!(nodes(&whole, &mut prepared).0, plain);
}

#[test]
fn landmarks_fit_what_they_were_found_on_and_its_clones() {
    let mut random = Random(23);
    let mesh = town(&mut random);
    let landmarks = Landmarks::find(&mesh, 4);
    let mut clone = mesh.clone();
    assert!(landmarks.fit(&clone));
    let place = random_point(&mesh, 1, &QueryFilter::default(), &mut PathScratch::default()).unwrap();
    clone.set_polygon_state(place.polygon, PolygonState { area: 7, flags: 3 }).unwrap();
    assert!(landmarks.fit(&clone));
    let tile = mesh.tiles().next().unwrap().1.clone();
    clone.remove_tile(tile.position()).unwrap();
    assert!(!landmarks.fit(&clone));
    clone.add_tile(tile).unwrap();
    assert!(!landmarks.fit(&clone) && landmarks.fit(&mesh));
    assert!(!landmarks.fit(&town(&mut Random(23))));
    let empty = TiledNavMesh::new(params([0.0; 3], 4.0)).unwrap();
    assert!(!landmarks.fit(&empty) && Landmarks::find(&empty, 0).fit(&empty));
}

#[test]
fn a_shortcut_that_is_built_later_is_taken() {
    let comb = comb();
    let mut mesh = mesh(params([0.0; 3], 64.0), &comb, &[]);
    let mut prepared = with_landmarks(Landmarks::find(&mesh, 16));
    let before = nodes(&mesh, &mut prepared).1;
    assert!(before > 2.0 * 29.0 + 27.0);
    // A bridge over all teeth, in the tile that takes the place of the first.
    let mut bridged = comb;
    let gaps = (0..9).map(|tooth| f64::from(tooth) * 4.0 + 3.0);
    bridged.extend(gaps.map(|x| Plate::rect(0, 0.0, [x, x + 1.0], [30.0, 31.0])));
    let tile = super::builder::mesh(params([0.0; 3], 64.0), &bridged, &[]).tiles().next().unwrap().1.clone();
    mesh.replace_tile(tile).unwrap();
    let after = nodes(&mesh, &mut prepared).1;
    assert!((after - 28.0).abs() < 1e-9, "{after}");
}

#[test]
fn a_warm_scratch_with_landmarks_allocates_nothing() {
    let mesh = town(&mut Random(24));
    let landmarks = Arc::new(Landmarks::find(&mesh, 16));
    let mut scratch = PathScratch::without_words();
    scratch.use_landmarks(Some(landmarks));
    let (mut path, filters) = (NavPath::default(), filters());
    let mut round = |scratch: &mut PathScratch| {
        for filter in &filters[..2] {
            for k in 0..12 {
                let at = f64::from(k) + 0.25;
                let (start, end) = (([at, 0.3], None), ([11.7 - at, 11.6], None));
                find_nav_path_into(&mesh, start, end, filter, scratch, &mut path).unwrap();
            }
        }
    };
    (0..3).for_each(|_| round(&mut scratch));
    assert_eq!(allocations_of(|| round(&mut scratch)), 0);
}

#[test]
fn on_flat_maps_lengths_with_landmarks_are_the_oracles() {
    let Some(data) = shared("data/flat") else { return };
    for name in ["arena", "walls200", "town"] {
        let (_, file) = MAPS.iter().find(|(other, _)| *other == name).unwrap();
        let file = data.join("maps").join(file);
        let mesh = if file.extension().is_some_and(|ext| ext == "mesh") {
            MeshFile::read(&file).to_mesh()
        } else {
            bake(&areas(&file), 32.0)
        };
        let mut scratch = with_landmarks(Landmarks::find(&mesh, 8));
        for pair in pairs(&data, name) {
            let path = ask(&mesh, [pair.start, pair.end], &QueryFilter::default(), &mut scratch);
            let what =
                format!("{name}, {:?} to {:?}: {} of {:?}", pair.start, pair.end, path.length, pair.length);
            assert_eq!(path.status == PathStatus::Complete, pair.length.is_some(), "{what}");
            if let Some(length) = pair.length {
                assert!((path.length - length).abs() <= 1e-4 * length + 2e-3, "{what}");
            }
        }
    }
}
