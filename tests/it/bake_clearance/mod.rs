//! Clearance: never nearer to a wall than the radius, at most 1 % and three steps further, along straight lines in the
//! joined surface; seams stay open, bridges are left alone.

mod oracle;

use navwright::bake::flat::FlatBaker;
use navwright::bake::{AreaKind, BakeOptions, BakeReport, FlatInput, Surface, bake_mesh, bake_world};
use navwright::format::{NO_SIDE, NavMesh, NavSettings, RawTile};
use navwright::project::open_text;
use navwright::query::{PathScratch, PathStatus, QueryFilter, find_nav_path};

use crate::bake_soup::{SOUPS, input_of, soup};
use crate::support::Random;
use oracle::Oracle;

/// A decimal step, the coarser one of all grids used here.
const STEP: f64 = 1.0 / 16000.0;

fn settings(radius: f32, tile_size: f64) -> NavSettings {
    NavSettings { agent_radius: radius, tile_size, walkable_climb: 0.5, ..NavSettings::default() }
}

fn input(map: &str) -> FlatInput {
    open_text(map, "test.nav").unwrap().document.flat_input()
}

fn bake(input: &FlatInput, settings: &NavSettings) -> (NavMesh, BakeReport) {
    bake_mesh(input, settings, &BakeOptions::default()).unwrap()
}

/// A polygon of a mesh in the plane, with what lies across each edge.
struct Flat {
    level: i8,
    corners: Vec<[f64; 2]>,
    is_open: Vec<bool>,
}

fn polygons(mesh: &NavMesh) -> Vec<Flat> {
    let mut all = Vec::new();
    for (_, tile) in mesh.mesh.tiles() {
        for polygon in &tile.polygons {
            let point = |at: usize| tile.vertices[tile.edge_vertices[at] as usize];
            let world = |at: usize| tile.point_in_world(mesh.mesh.params(), point(at));
            let open = |at: usize| tile.edge_neighbours[at] != 0 || tile.edge_sides[at] != NO_SIDE;
            all.push(Flat {
                level: polygon.level(),
                corners: polygon.edges().map(world).map(|[x, _, z]| [x, z]).collect(),
                is_open: polygon.edges().map(open).collect(),
            });
        }
    }
    all
}

impl Flat {
    fn area(&self) -> f64 {
        let o = self.corners[0];
        self.corners
            .windows(2)
            .map(|w| ((w[0][0] - o[0]) * (w[1][1] - o[1]) - (w[0][1] - o[1]) * (w[1][0] - o[0])) / 2.0)
            .sum()
    }

    fn holds(&self, p: [f64; 2]) -> bool {
        let count = self.corners.len();
        (0..count).all(|i| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % count]);
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0.0
        })
    }
}

fn area(mesh: &NavMesh, level: i8) -> f64 {
    polygons(mesh).iter().filter(|polygon| polygon.level == level).map(Flat::area).sum()
}

/// Checks a baked mesh against the oracle: along its own border, where it is sharpest, and at random places.
#[track_caller]
fn check(input: &FlatInput, settings: &NavSettings, samples: usize, random: &mut Random, here: &str) {
    let (mesh, report) = bake(input, settings);
    for diagnostic in &report.diagnostics {
        let name = diagnostic.kind.name();
        assert!(name != "tile_failed" && name != "border_mismatch", "{here}: {}", diagnostic.message);
    }
    let oracle = Oracle::new(input);
    let polygons = polygons(&mesh);
    let radius = f64::from(settings.agent_radius);
    let (most, slack) = (radius * 1.01 + 3.0 * STEP, 1e-6);
    let mut distance = |p: [f64; 2], level: i8| oracle.distance(p, level, radius * 1.5 + 0.01, random);
    let mut seen = 0;
    for polygon in &polygons {
        let (count, level) = (polygon.corners.len(), polygon.level);
        for i in 0..count {
            let (a, b) = (polygon.corners[i], polygon.corners[(i + 1) % count]);
            let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
            let length = dx.hypot(dz);
            if polygon.is_open[i] || length < 1e-3 {
                continue;
            }
            let part = 0.1 + 0.8 * Random((seen * 7 + i) as u64).unit();
            seen += 1;
            let beside = |by: f64| [a[0] + dx * part - dz / length * by, a[1] + dz * part + dx / length * by];
            let (inside, outside) = (beside(2e-6), beside(-2e-6));
            if seen > samples {
                break;
            }
            if oracle.is_walkable(inside, level) {
                let [_, found] = distance(inside, level);
                assert!(
                    found >= radius,
                    "{here}, level {level}: {inside:?} lies {found} from a wall, r is {radius}"
                );
            }
            if oracle.is_walkable(outside, level) {
                let [found, _] = distance(outside, level);
                assert!(
                    found <= most + slack,
                    "{here}, level {level}: {outside:?} is gone, {found} from a wall, r is {radius}"
                );
            }
        }
    }
    let bounds = input
        .areas
        .iter()
        .flat_map(|area| &area.outline)
        .fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |b, p| {
            [b[0].min(p[0]), b[1].min(p[1]), b[2].max(p[0]), b[3].max(p[1])]
        });
    let mut places = Random(samples as u64);
    for _ in 0..samples {
        let p = [
            bounds[0] + (bounds[2] - bounds[0]) * places.unit(),
            bounds[1] + (bounds[3] - bounds[1]) * places.unit(),
        ];
        for &level in &oracle.levels {
            let kept = polygons.iter().any(|polygon| polygon.level == level && polygon.holds(p));
            if !oracle.is_walkable(p, level) {
                continue;
            }
            let [nearest, found] = distance(p, level);
            if kept {
                assert!(
                    found >= radius,
                    "{here}, level {level}: {p:?} lies {found} from a wall, r is {radius}"
                );
            } else {
                assert!(
                    nearest <= most + slack,
                    "{here}, level {level}: {p:?} is gone, {nearest} from a wall, r is {radius}"
                );
            }
        }
    }
}

fn random() -> Random {
    Random(20_261_130)
}

const ROOM: &str = "nav walk 0 0 0 20 0 20 20 0 20\n";

#[test]
fn a_square_room_loses_the_radius_on_each_side() {
    for (radius, tile_size) in [(0.5, 32.0), (0.5, 4.0), (0.3, 0.7_f32.into()), (9.9, 4.0), (0.001, 8.0)] {
        let (mesh, report) = bake(&input(ROOM), &settings(radius, tile_size));
        assert_eq!(report.diagnostics, [], "radius {radius}, tiles of {tile_size}");
        let (found, radius) = (area(&mesh, 0), f64::from(radius));
        let (most, least) =
            ((20.0 - 2.0 * radius).powi(2), (20.0 - 2.0 * (radius * 1.01 + 3.0 * STEP)).powi(2));
        assert!(least <= found && found < most, "radius {radius}: area {found} not in {least}..{most}");
        check(&input(ROOM), &settings(radius as f32, tile_size), 200, &mut random(), "room");
    }
}

#[test]
fn corners_of_all_widths() {
    // A star with reflex corners of 210° to 350° and sharp tips, and an octagonal pillar.
    let star = "nav walk 0 0 0 6 4 13 0.5 9 7 14 12 7 9.5 1 15 5 8 -1 5 4 4.5\nnav hole 0 6 6 7 5.5 8 6 8.2 7 7.3 7.8 6.4 7.1\n";
    for radius in [0.05, 0.35, 1.1] {
        for tile_size in [4.0, 64.0] {
            check(
                &input(star),
                &settings(radius, tile_size),
                400,
                &mut random(),
                &format!("star, radius {radius}"),
            );
        }
    }
}

#[test]
fn a_bridge_leaves_the_path_under_it_alone() {
    let floor = area(&bake(&input(ROOM), &settings(0.5, 4.0)).0, 0);
    let bridged = input(&format!("{ROOM}nav walk 1 5 -4 9 -4 9 24 5 24\n"));
    let (mesh, _) = bake(&bridged, &settings(0.5, 4.0));
    assert_eq!(area(&mesh, 0), floor, "the ground under the bridge is as without it");
    let bridge = area(&mesh, 1);
    assert!((bridge - 3.0 * 27.0).abs() < 0.5 && bridge < 81.0, "{bridge}");
    check(&bridged, &settings(0.5, 4.0), 300, &mut random(), "bridge");
}

/// The open seams of a mesh: for each edge with the other level across it in the tile, its ends.
fn seam_edges(mesh: &NavMesh) -> Vec<[[f64; 2]; 2]> {
    let mut edges = Vec::new();
    for (_, tile) in mesh.mesh.tiles() {
        for polygon in &tile.polygons {
            let first = polygon.edges().start;
            let count = polygon.edges().len();
            for at in polygon.edges() {
                let neighbour = tile.edge_neighbours[at];
                if neighbour != 0 && tile.polygons[neighbour as usize - 1].level() > polygon.level() {
                    let world = |at: usize| {
                        let [x, _, z] = tile.point_in_world(
                            mesh.mesh.params(),
                            tile.vertices[tile.edge_vertices[at] as usize],
                        );
                        [x, z]
                    };
                    edges.push([world(at), world(first + (at + 1 - first) % count)]);
                }
            }
        }
    }
    edges
}

#[test]
fn a_seam_stays_open_between_its_ends() {
    // Stairs 4 wide go up from the room at z = 20: the seam keeps 4 − 2r.
    let stairs = input(&format!("{ROOM}nav walk 1 8 20 12 20 12 30 8 30\n"));
    for tile_size in [64.0, 7.0, 4.0] {
        let settings = settings(0.5, tile_size);
        let mesh = NavSettings { origin: [0.0, 0.0, 0.5], ..settings };
        check(&stairs, &mesh, 300, &mut random(), "stairs");
        let (mesh, _) = bake(&stairs, &mesh);
        let edges = seam_edges(&mesh);
        let ends = edges.iter().flatten().fold([f64::MAX, f64::MIN], |e, p| [e[0].min(p[0]), e[1].max(p[0])]);
        let length: f64 = edges.iter().map(|[a, b]| (a[0] - b[0]).abs()).sum();
        assert!(edges.iter().flatten().all(|p| (p[1] - 20.0).abs() < 1e-6));
        assert!(8.5 < ends[0] && ends[0] < 8.51 && 11.49 < ends[1] && ends[1] < 11.5, "{ends:?}");
        assert!((length - (ends[1] - ends[0])).abs() < 1e-6, "open all the way: {edges:?}");
        let path = find_nav_path(
            &mesh.mesh,
            [10.0, 5.0],
            Some(0),
            [10.0, 28.0],
            Some(1),
            &QueryFilter::default(),
            &mut PathScratch::default(),
        );
        assert_eq!(path.unwrap().status, PathStatus::Complete);
    }
}

#[test]
fn a_seam_of_half_the_width_and_one_too_narrow() {
    // A wide room above meets the room below along half its edge.
    let half = input(&format!("{ROOM}nav walk 1 10 20 30 20 30 30 10 30\n"));
    check(&half, &settings(1.0, 4.0), 400, &mut random(), "half");
    // 0.9 wide stairs and a radius of 0.5: closed.
    let narrow = input(&format!("{ROOM}nav walk 1 8 20 8.9 20 8.9 30 8 30\n"));
    let (mesh, report) = bake(&narrow, &settings(0.5, 8.0));
    assert!(seam_edges(&mesh).is_empty());
    assert_eq!(area(&mesh, 1), 0.0);
    check(&narrow, &settings(0.5, 8.0), 200, &mut random(), "narrow");
    assert!(report.diagnostics.iter().any(|d| d.kind.name() == "vanished_under_radius"));
}

#[test]
fn walls_are_seen_through_seam_after_seam() {
    // Steps of 0.3, each a level of its own, between two walls; a pillar on the last one; the radius spans four steps.
    let mut map = String::from("nav walk 0 0 0 6 0 6 5 0 5\n");
    for step in 0..6_i32 {
        let (low, high) = (5.0 + 0.3 * f64::from(step), 5.0 + 0.3 * f64::from(step + 1));
        map += &format!("nav walk {} 1 {low} 5 {low} 5 {high} 1 {high}\n", step + 1);
    }
    map += "nav walk 7 -2 6.8 8 6.8 8 12 -2 12\nnav hole 7 2.5 6.9 3.1 6.9 3.1 7.5 2.5 7.5\n";
    let map = input(&map);
    for tile_size in [4.0, 32.0] {
        check(&map, &settings(1.2, tile_size), 600, &mut random(), "steps");
        check(&map, &settings(0.25, tile_size), 600, &mut random(), "steps");
    }
}

#[test]
fn a_room_of_the_same_level_under_a_seam_is_not_seen() {
    // A terrace of level 1 goes on where the floor ends at x = 10; under it a cellar of level 0, from x = 10.2 to 10.4.
    let map = "nav walk 0 0 0 10 0 10 10 0 10\nnav walk 1 10 0 20 0 20 10 10 10\nnav walk 0 10.2 2 10.4 2 10.4 8 10.2 8\n";
    let map = input(map);
    let (mesh, _) = bake(&map, &settings(0.5, 4.0));
    let floor = polygons(&mesh);
    assert!(
        floor.iter().any(|p| p.level == 0 && p.holds([9.99, 5.0])),
        "the cellar's wall does not cut the floor above it"
    );
    assert!(!floor.iter().any(|p| p.level == 0 && p.holds([10.3, 5.0])));
    check(&map, &settings(0.5, 4.0), 600, &mut random(), "cellar");
}

#[test]
fn random_drawings_keep_the_radius() {
    for (number, kind) in SOUPS.into_iter().enumerate() {
        for seed in 0..soup_count() {
            let mut random = Random(seed * 4 + number as u64);
            let areas = soup(&mut random, kind, 4 + (seed % 12) as usize, 1 + seed % 5, [0, 0]);
            let radius = [0.03, 0.2, 0.45, 0.8, 1.7][random.below(5) as usize];
            let tile_size = if seed % 2 == 0 { 4.0 } else { 32.0 };
            let here = format!("{kind:?}, SEED={seed}, radius {radius}, tiles of {tile_size}");
            check(&input_of(&areas), &settings(radius, tile_size), 80, &mut random, &here);
        }
    }
}

/// Floors cut into a slanted grid of cells, each on a level of its own or none, a few on two: seams everywhere, walls
/// seen through several, contested ones.
fn patchwork(random: &mut Random, size: i64) -> Vec<(AreaKind, i8, Vec<[i64; 2]>)> {
    let mut pick = |below: i64| random.below(below as u64) as i64;
    let (across, up) = ([500 + pick(900), pick(300) - 150], [pick(500) - 250, 400 + pick(900)]);
    let corner = |i: i64, j: i64| [i * across[0] + j * up[0], i * across[1] + j * up[1]];
    let mut areas = Vec::new();
    for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
        let outline = vec![corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        let levels = if pick(6) == 0 { 2 } else { i64::from(pick(7) > 0) };
        for _ in 0..levels {
            areas.push((AreaKind::Walk, pick(3) as i8 - 1, outline.clone()));
        }
    }
    areas
}

#[test]
fn patchworks_of_levels_keep_the_radius() {
    for seed in 0..soup_count() {
        let mut random = Random(90_000 + seed);
        let areas = patchwork(&mut random, 6);
        let radius = [0.1, 0.3, 0.5, 0.9, 1.6][random.below(5) as usize];
        let tile_size = if seed % 2 == 0 { 2.0 } else { 32.0 };
        let here = format!("patchwork, SEED={seed}, radius {radius}, tiles of {tile_size}");
        check(&input_of(&areas), &settings(radius, tile_size), 60, &mut random, &here);
    }
}

/// Drawings of each kind; `SOUPS=1000` for a long run.
fn soup_count() -> u64 {
    std::env::var("SOUPS").ok().and_then(|count| count.parse().ok()).unwrap_or(16)
}

#[test]
fn threads_tile_ranges_and_drawing_order_change_no_byte() {
    for number in 0..6 {
        let mut random = Random(70 + number as u64);
        let (kind, areas) = match SOUPS.get(number) {
            Some(&kind) => (format!("{kind:?}"), soup(&mut random, kind, 16, 3, [0, 0])),
            None => ("patchwork".to_owned(), patchwork(&mut random, 10)),
        };
        let input = input_of(&areas);
        let settings = settings(0.3, 4.0);
        let with = |jobs: usize| BakeOptions { jobs, ..BakeOptions::default() };
        let whole = bake_mesh(&input, &settings, &with(1)).unwrap().0;
        let bytes = whole.to_bytes().unwrap();
        assert_eq!(
            bytes,
            bake_mesh(&input, &settings, &with(8)).unwrap().0.to_bytes().unwrap(),
            "{kind}: 8 threads"
        );
        let mut shuffled = input.clone();
        for area in &mut shuffled.areas {
            let first = random.below(area.outline.len() as u64) as usize;
            area.outline.rotate_left(first);
            if random.below(2) == 0 {
                area.outline.reverse();
            }
        }
        for i in (1..shuffled.areas.len()).rev() {
            shuffled.areas.swap(i, random.below(i as u64 + 1) as usize);
        }
        assert_eq!(bytes, bake(&shuffled, &settings).0.to_bytes().unwrap(), "{kind}: shuffled");
        for (_, tile) in whole.mesh.tiles() {
            let (x, z) = (tile.tile_x, tile.tile_z);
            let options = BakeOptions { tiles: Some([x, z, x, z]), ..BakeOptions::default() };
            let alone = bake_mesh(&input, &settings, &options).unwrap().0;
            let (_, same) = alone.mesh.tile_at(tile.position()).unwrap();
            assert_eq!(same.to_bytes(), tile.to_bytes(), "{kind}: tile {:?} alone", tile.position());
        }
        let moved: Vec<_> = areas
            .iter()
            .map(|(kind, level, points)| {
                (*kind, *level, points.iter().map(|p| [p[0] + 400_000, p[1] - 80_000]).collect())
            })
            .collect();
        let there = bake(&input_of(&moved), &settings).0;
        for ((_, here), (_, there)) in whole.mesh.tiles().zip(there.mesh.tiles()) {
            let (here, there) = ((**here).clone(), (**there).clone());
            let back = RawTile { tile_x: there.tile_x - 100, tile_z: there.tile_z + 20, ..there };
            assert!(here == back, "{kind}: moved by whole tiles");
        }
    }
}

#[test]
fn classes_of_one_world_are_those_baked_alone() {
    let mut random = Random(5);
    let mut input = input_of(&soup(&mut random, SOUPS[0], 20, 3, [0, 0]));
    input.areas[2].surface = Surface::Ramp;
    let classes: Vec<NavSettings> = [0.0, 0.3, 0.9, 0.0]
        .into_iter()
        .map(|radius| NavSettings { agent_height: 1.0 + radius, ..settings(radius, 4.0) })
        .collect();
    let (world, reports) = bake_world(&input, &classes, &BakeOptions::default()).unwrap();
    for ((class, report), settings) in world.classes().iter().zip(&reports).zip(&classes) {
        let (alone, alone_report) = bake(&input, settings);
        assert_eq!(class.to_bytes(), alone.to_bytes(), "radius {}", settings.agent_radius);
        assert_eq!(format!("{report:?}"), format!("{alone_report:?}"), "radius {}", settings.agent_radius);
    }
    let areas: Vec<f64> = world.classes().iter().map(|class| area(class, 0)).collect();
    assert!(areas[0] > areas[1] && areas[1] > areas[2] && areas[3] == areas[0], "{areas:?}");
}

/// Edits far from a tile change it only through walls within reach, seams between: the baker has to know.
#[test]
fn edits_within_reach_of_a_tile_bake_it_again() {
    // Rooms in a row over many tiles of 2 squares, levels changing at seams; each edit moves a wall of one room.
    let rooms: Vec<_> = (0..8_i64)
        .map(|i| {
            let (x0, x1) = (i * 1500, (i + 1) * 1500);
            (AreaKind::Walk, (i % 2) as i8, vec![[x0, 0], [x1, 0], [x1, 5000], [x0, 5000]])
        })
        .collect();
    let mut random = Random(11);
    let (mut rooms, settings, mut baker) = (rooms, settings(1.3, 2.0), FlatBaker::default());
    for step in 0..30 {
        let (room, point) = (random.below(8) as usize, random.below(4) as usize);
        rooms[room].2[point][1] = if point < 2 { 0 } else { 5000 } + random.below(1500) as i64 - 750;
        let input = input_of(&rooms);
        let again = baker.bake(&input, &settings, &BakeOptions::default()).unwrap();
        let fresh = bake(&input, &settings);
        assert!(again.0.to_bytes() == fresh.0.to_bytes(), "step {step}");
        assert_eq!(format!("{:?}", again.1), format!("{:?}", fresh.1), "step {step}");
    }
}
