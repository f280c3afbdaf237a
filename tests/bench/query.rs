//! Path queries against the `polyanya` crate, steps, crowds and edits, in one run:
//! `cargo bench --no-default-features --bench query` (one map: `-- town`; one part: `-- edits`, `-- crowd`; a million
//! random steps, each checked: `-- steps`).
//!
//! Both search for true shortest paths over the same polygons, and we over a bake of our own too: on tiles of 32, or
//! in one tile where the map comes as the peer's polygons. The maps and the right lengths are those of `data/flat`.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "this is what a bench is for")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use navwright::bake::{AreaKind, FlatArea, FlatInput, Surface};
use navwright::crowd::{AgentParams, AgentTarget, Crowd, CrowdSettings};
use navwright::format::{TilePosition, TiledNavMesh};
use navwright::query::{
    NavPath, NavPlace, PathScratch, PathStatus, QueryFilter, find_nav_path_into, move_along_surface,
    random_point, raycast,
};

mod counting;
#[path = "../it/query/flat_maps.rs"]
mod flat_maps;
#[path = "../it/query/steps.rs"]
mod steps;
#[path = "../it/support.rs"]
mod support;

use counting::allocations_of;
use flat_maps::{MAPS, MeshFile, Pair, areas, bake, pairs};

#[global_allocator]
static COUNTING: counting::Counting = counting::Counting;

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/flat");
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    if only.is_none() || only.as_deref() == Some("edits") {
        edits();
    }
    if only.is_none() || only.as_deref() == Some("crowd") {
        crowd(&data);
    }
    if only.as_deref() == Some("steps") {
        let begin = Instant::now();
        steps::walk_on_flat_maps(&data, 1_000_000 / MAPS.len() as u32 + 1);
        println!("steps: a million random steps and their checks in {:.0} s", begin.elapsed().as_secs_f64());
    }
    println!(
        "{:>16} {:>8} {:>12} {:>12} {:>12} {:>8} {:>8} {:>10} {:>12} {:>12} {:>8}",
        "map",
        "polygons",
        "peer q/s",
        "ours q/s",
        "own bake q/s",
        "ratio",
        "own bake",
        "worst",
        "steps/s",
        "rays/s",
        "allocs"
    );
    for (name, file) in MAPS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let mut pairs = pairs(&data, name);
        pairs.retain(|pair| pair.length.is_some());
        let file = data.join("maps").join(file);
        let (same, ours, peer);
        if file.extension().is_some_and(|ext| ext == "mesh") {
            let read = polyanya::PolyanyaFile::from_file(file.to_str().unwrap());
            peer = polyanya::Mesh::try_from(read).unwrap();
            let faces = MeshFile::read(&file);
            same = faces.to_mesh();
            // Only where no edge of a face is closed by itself do faces make areas.
            ours = ["arena", "aurora-merged"].contains(&name).then(|| bake(&faces.areas(), 2048.0));
        } else {
            let input = areas(&file);
            same = bake(&input, 1024.0);
            peer = peer_of(&same);
            ours = Some(bake(&input, 32.0));
        }
        let polygons: usize = same.tiles().map(|(_, tile)| tile.polygons.len()).sum();
        let mut askers = vec![asker_of_peer(&peer), asker_of(&same)];
        askers.extend(ours.as_ref().map(asker_of));
        let worst = worst(&pairs, &mut askers[1]);
        let rates = rates(&pairs, &mut askers);
        // Warm by now: what a round of all pairs still allocates.
        let allocations = allocations_of(|| pairs.iter().map(|pair| askers[1](pair)).sum::<f64>());
        let [steps, rays] = walks(&same);
        let own_bake = rates.get(2).copied().unwrap_or(f64::NAN);
        println!(
            "{name:>16} {polygons:>8} {:>12.0} {:>12.0} {own_bake:>12.0} {:>8.2} {:>8.2} {worst:>10.1e} {steps:>12.0} {rays:>12.0} {allocations:>8}",
            rates[0],
            rates[1],
            rates[1] / rates[0],
            own_bake / rates[0]
        );
    }
}

type Asker<'a> = Box<dyn FnMut(&Pair) -> f64 + 'a>;

/// The worst relative difference from the oracle.
fn worst(pairs: &[Pair], ask: &mut Asker<'_>) -> f64 {
    let off = pairs.iter().map(|pair| {
        let right = pair.length.unwrap();
        ((ask(pair) - right) / right.max(1e-9)).abs()
    });
    off.fold(0.0, f64::max)
}

/// Queries a second of each: the pairs in groups, each group's best time of many rounds, in which all take turns; so a
/// machine that does other things meanwhile is fair to all and spoils little.
fn rates(pairs: &[Pair], askers: &mut [Asker<'_>]) -> Vec<f64> {
    let groups: Vec<&[Pair]> = pairs.chunks(10).collect();
    let mut best = vec![vec![f64::INFINITY; groups.len()]; askers.len()];
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < 5 || begin.elapsed().as_secs_f64() < 4.0 {
        for (ask, best) in askers.iter_mut().zip(&mut best) {
            for (group, best) in groups.iter().zip(best) {
                let start = Instant::now();
                for pair in *group {
                    black_box(ask(pair));
                }
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        rounds += 1;
    }
    best.iter().map(|groups| pairs.len() as f64 / groups.iter().sum::<f64>()).collect()
}

/// Steps of 0.1 in a straight line with sliding, and rays of 10, a second.
fn walks(mesh: &TiledNavMesh) -> [f64; 2] {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let starts: Vec<NavPlace> =
        (0..200).map(|seed| random_point(mesh, seed, &filter, &mut scratch).unwrap()).collect();
    let turn = |k: usize| (k as f64 * 2.4).sin_cos();
    let mut best = [f64::INFINITY; 2];
    for _ in 0..20 {
        let begin = Instant::now();
        for (k, start) in starts.iter().enumerate() {
            let (sin, cos) = turn(k);
            let (mut polygon, mut at) = (start.polygon, [start.position[0], start.position[2]]);
            for _ in 0..20 {
                let target = [at[0] + 0.1 * cos, at[1] + 0.1 * sin];
                let moved = move_along_surface(mesh, polygon, at, target, &filter, &mut scratch);
                let moved = moved.unwrap().unwrap();
                (polygon, at) = (moved.polygon, [moved.position[0], moved.position[2]]);
            }
            black_box(at);
        }
        best[0] = best[0].min(begin.elapsed().as_secs_f64() / (200.0 * 20.0));
        let begin = Instant::now();
        for (k, start) in starts.iter().enumerate() {
            let (sin, cos) = turn(k);
            let from = [start.position[0], start.position[2]];
            let to = [from[0] + 10.0 * cos, from[1] + 10.0 * sin];
            black_box(raycast(mesh, start.polygon, from, to, &filter, &mut scratch).unwrap());
        }
        best[1] = best[1].min(begin.elapsed().as_secs_f64() / 200.0);
    }
    best.map(|secs| 1.0 / secs)
}

/// A step of 1 000 walking agents on walls2000 against one query of the peer there: at most a hundredth an agent.
fn crowd(data: &Path) {
    let input = areas(&data.join("maps/walls2000.nav"));
    let (mesh, one_tile) = (bake(&input, 32.0), bake(&input, 1024.0));
    let mut pairs = pairs(data, "walls2000");
    pairs.retain(|pair| pair.length.is_some());
    let peer = peer_of(&one_tile);
    let mut peer = [asker_of_peer(&peer)];
    let query_secs = 1.0 / rates(&pairs, &mut peer)[0];
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let mut place = |seed: u64| {
        let found = random_point(&mesh, seed, &filter, &mut scratch).unwrap();
        [found.position[0], found.position[2]]
    };
    let params = AgentParams { separation: 0.3, ..AgentParams::default() };
    let ids: Vec<_> =
        (0..1000).map(|seed| crowd.add_agent(&mesh, params, place(seed), None).unwrap()).collect();
    for (seed, id) in (1000..).zip(&ids) {
        crowd.set_target(*id, AgentTarget::Place { position: place(seed), level: None }).unwrap();
    }
    let begin = Instant::now();
    let mut steps = 0;
    while crowd.agents().any(|(_, agent)| agent.state() == navwright::crowd::AgentState::Waiting) {
        crowd.step(&mesh);
        steps += 1;
    }
    let planning = begin.elapsed().as_secs_f64();
    // Warm: paths are asked for again and again, and their memory goes from agent to agent.
    let mut turn = 2000;
    for _ in 0..4 {
        for id in &ids {
            crowd.set_target(*id, AgentTarget::Place { position: place(turn), level: None }).unwrap();
            turn += 1;
        }
        for _ in 0..400 {
            crowd.step(&mesh);
        }
    }
    let mut times = Vec::with_capacity(300);
    let allocations = allocations_of(|| {
        for _ in 0..300 {
            let begin = Instant::now();
            crowd.step(&mesh);
            times.push(begin.elapsed().as_secs_f64());
        }
    });
    times.sort_by(f64::total_cmp);
    let walking = crowd.agents().filter(|(_, agent)| agent.state() == navwright::crowd::AgentState::Walking);
    let (count, median) = (walking.count(), times[times.len() / 2] / 1000.0);
    println!(
        "crowd: 1000 agents ({count} still walking at the end), {steps} steps and {planning:.2} s until all had paths; then \
         {:.2} us an agent and step (best {:.2}, mean {:.2}), {:.0} agent steps/s; peer's query {:.0} us; an agent is \
         {:.5} of it (mark: 0.01); {allocations} allocations in 300 steps",
        median * 1e6,
        times[0] * 1e3,
        times.iter().sum::<f64>() / 300.0 * 1e3,
        1.0 / median,
        query_secs * 1e6,
        median / query_secs
    );
}

/// An edit and a short query on meshes of 100 and 10 000 tiles: should cost the same.
fn edits() {
    let mut costs = Vec::new();
    for side in [10_u32, 100] {
        let areas = (0..side * side).map(|k| {
            let (x, z) = (f64::from(k % side) * 8.0, f64::from(k / side) * 8.0);
            let hole = k % 3 == 0;
            FlatArea {
                id: u64::from(k) + 2,
                name: String::new(),
                kind: if hole { AreaKind::Hole } else { AreaKind::Walk },
                level: 0,
                outline: vec![[x + 2.0, z + 2.0], [x + 5.0, z + 2.5], [x + 4.0, z + 6.0]],
                area_type: None,
                flags: None,
                surface: Surface::Level,
            }
        });
        let whole = f64::from(side) * 8.0;
        let ground = FlatArea {
            id: 1,
            name: String::new(),
            kind: AreaKind::Walk,
            level: 0,
            outline: vec![[0.0, 0.0], [whole, 0.0], [whole, whole], [0.0, whole]],
            area_type: None,
            flags: None,
            surface: Surface::Level,
        };
        let areas = std::iter::once(ground).chain(areas).collect();
        let mut mesh = bake(&FlatInput { areas, ..FlatInput::default() }, 8.0);
        let middle = side as i32 / 2;
        let at = TilePosition { tile_x: middle, tile_z: middle, layer: 0 };
        let tile = mesh.tile_at(at).unwrap().1.clone();
        let (filter, mut scratch, mut path) =
            (QueryFilter::default(), PathScratch::default(), NavPath::default());
        let from = f64::from(middle) * 8.0;
        let mut ask = |mesh: &TiledNavMesh| {
            let (start, end) = (([from - 6.0, from + 1.0], None), ([from + 14.0, from + 1.0], None));
            find_nav_path_into(mesh, start, end, &filter, &mut scratch, &mut path).unwrap();
            black_box(path.length);
        };
        let first = Instant::now();
        ask(&mesh);
        let first = first.elapsed().as_secs_f64();
        let mut times = [f64::INFINITY; 2];
        for _ in 0..400 {
            let begin = Instant::now();
            mesh.replace_tile(tile.clone()).unwrap();
            times[0] = times[0].min(begin.elapsed().as_secs_f64());
            let begin = Instant::now();
            ask(&mesh);
            times[1] = times[1].min(begin.elapsed().as_secs_f64());
        }
        println!(
            "edits: {:>6} tiles: first query {:.0} us, then an edit {:.1} us and the query after it {:.1} us",
            mesh.tiles().count(),
            first * 1e6,
            times[0] * 1e6,
            times[1] * 1e6
        );
        costs.push(times[0] + times[1]);
    }
    println!("edits: 10 000 tiles against 100: {:.2}", costs[1] / costs[0]);
}

fn asker_of(mesh: &TiledNavMesh) -> Asker<'_> {
    let (filter, mut scratch, mut path) =
        (QueryFilter::default(), PathScratch::default(), NavPath::default());
    Box::new(move |pair| {
        let (start, end) = ((pair.start, None), (pair.end, None));
        find_nav_path_into(mesh, start, end, &filter, &mut scratch, &mut path).unwrap();
        assert_eq!(path.status, PathStatus::Complete);
        path.length
    })
}

fn asker_of_peer(mesh: &polyanya::Mesh) -> Asker<'_> {
    let point = |at: [f64; 2]| glam::Vec2::new(at[0] as f32, at[1] as f32);
    Box::new(move |pair| {
        let path = mesh.path(point(pair.start), point(pair.end));
        path.map_or(f64::NAN, |path| path.length.into())
    })
}

/// The same polygons for the peer: one tile, its vertices with the polygons round them.
fn peer_of(mesh: &TiledNavMesh) -> polyanya::Mesh {
    let (_, tile) = mesh.tiles().next().unwrap();
    assert_eq!(mesh.tiles().count(), 1, "the map lies in one tile");
    let point = |at: [f32; 3]| glam::Vec2::new(at[0], at[2]);
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); tile.vertices.len()];
    let mut polygons = Vec::new();
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let corners: Vec<u32> = polygon.edges().map(|edge| tile.edge_vertices[edge]).collect();
        for (k, edge) in polygon.edges().enumerate() {
            around[corners[k] as usize].push(index as u32);
            if tile.edge_neighbours[edge] == 0 {
                around[corners[k] as usize].push(u32::MAX);
                around[corners[(k + 1) % corners.len()] as usize].push(u32::MAX);
            }
        }
        let ways = polygon.edges().filter(|edge| tile.edge_neighbours[*edge] != 0).count();
        polygons.push(polyanya::Polygon::new(corners, ways == 1));
    }
    let vertices = around.iter_mut().zip(&tile.vertices).map(|(around, at)| {
        around.sort_unstable();
        around.dedup();
        polyanya::Vertex::new(point(*at), around.clone())
    });
    let mut mesh = polyanya::Mesh::new(vertices.collect(), polygons).unwrap();
    mesh.bake();
    mesh
}
