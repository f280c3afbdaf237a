//! Path queries on a voxel bake of 512 × 512 m with boxes, plain and with landmarks, against the `polyanya` crate over
//! the same polygons in one run: `cargo bench --no-default-features --bench voxel_paths`. Needs the shared data beside the
//! package; its pairs and their true shortest lengths. One tile, as the peer's mesh is one.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use cpu_time::ThreadTime;
use glam::Vec2;
use navwright::bake::{BakeOptions, VoxelInput, bake_voxel_mesh};
use navwright::format::{NavSettings, TiledNavMesh};
use navwright::interop::obj::import_obj;
use navwright::query::{
    Landmarks, NavPath, PathScratch, PathStatus, QueryFilter, USUAL_LANDMARKS, find_nav_path_into,
};

const CELL: f64 = 0.3;
const ROUNDS: usize = 3;

/// Start and end (x, z), and the true shortest length.
struct Pair {
    start: [f64; 2],
    end: [f64; 2],
    optimal: f64,
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = ["../shared/data/recast", "../../shared/data/recast"].map(|path| root.join(path));
    let Some(data) = data.into_iter().find(|path| path.exists()) else {
        println!("SKIPPED: ../shared/data/recast is not there");
        return;
    };
    let bytes = std::fs::read(data.join("boxes512.obj")).unwrap();
    let mesh = import_obj(&bytes, "boxes512").unwrap().mesh;
    let end = |pick: fn(f64, f64) -> f64, start: f64| -> [f64; 3] {
        std::array::from_fn(|axis| mesh.vertices.iter().map(|vertex| vertex[axis]).fold(start, pick))
    };
    let (low, high) = (end(f64::min, f64::INFINITY), end(f64::max, f64::NEG_INFINITY));
    let cells = [0, 2].map(|axis| ((high[axis] - low[axis]) / CELL).ceil() + 1.0);
    let settings = NavSettings {
        origin: low,
        tile_size: f64::from((cells[0].max(cells[1]) * CELL) as f32),
        cell_size: CELL,
        walkable_climb: 0.9,
        agent_radius: 0.6,
        detail_sample_distance: 1.8,
        ..NavSettings::default()
    };
    let input = VoxelInput { meshes: vec![mesh], ..VoxelInput::default() };
    let baked = bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap().0.mesh;
    let text = std::fs::read_to_string(data.join("oracle/boxes512_solo_optimal_lengths.json")).unwrap();
    let pairs = read_pairs(&text);
    let peer = peer_of(&baked);
    let filter = QueryFilter::default();
    let begin = ThreadTime::now();
    let landmarks = Landmarks::find(&baked, USUAL_LANDMARKS);
    let found_in = begin.elapsed();
    let bytes = landmarks.memory_bytes();
    let asker = |landmarks: Option<Landmarks>| {
        let (baked, filter) = (&baked, &filter);
        let (mut scratch, mut path) = (PathScratch::default(), NavPath::default());
        scratch.use_landmarks(landmarks.map(Arc::new));
        move |pair: &Pair| {
            let (start, end) = ((pair.start, None), (pair.end, None));
            find_nav_path_into(baked, start, end, filter, &mut scratch, &mut path).unwrap();
            assert_eq!(path.status, PathStatus::Complete);
            path.length
        }
    };
    let (mut plain, mut prepared) = (asker(None), asker(Some(landmarks)));
    let point = |at: [f64; 2]| Vec2::new(at[0] as f32, at[1] as f32);
    // The peer's mesh lies in the tile's coordinates.
    let local = |at: [f64; 2]| point([at[0] - low[0], at[1] - low[2]]);
    let mut theirs = |pair: &Pair| {
        peer.path(local(pair.start), local(pair.end)).map_or(f64::NAN, |path| path.length.into())
    };
    let off = |length: f64, right: f64| (length / right - 1.0).abs();
    let lengths: Vec<[f64; 3]> =
        pairs.iter().map(|pair| [prepared(pair), plain(pair), pair.optimal]).collect();
    let worst = |of: usize| lengths.iter().map(|row| off(row[0], row[of])).fold(0.0, f64::max);
    let [off_plain, off_true] = [1, 2].map(worst);
    let [plain, prepared, theirs] = rates(&pairs, [&mut plain, &mut prepared, &mut theirs]);
    let polygons: usize = baked.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    println!("{} pairs on {polygons} polygons of one tile, by processor time", pairs.len());
    println!("polyanya {theirs:.0} q/s");
    println!("ours {plain:.0} q/s: {:.2} times", plain / theirs);
    println!(
        "ours with {USUAL_LANDMARKS} landmarks {prepared:.0} q/s: {:.2} times; found in {:.0} ms (as long as {:.0} queries \
         without), {:.1} MB",
        prepared / theirs,
        found_in.as_secs_f64() * 1e3,
        found_in.as_secs_f64() * plain,
        bytes as f64 / 1e6
    );
    println!(
        "lengths with and without differ by {off_plain:.1e} at most, and from the true ones by {:.2} %, both bakes being \
         different",
        off_true * 100.0
    );
}

/// Queries a second of each: the pairs in groups, each group's best processor time of some rounds, in which all take turns;
/// so a machine that does other things meanwhile is fair to all and spoils little.
fn rates<const N: usize>(pairs: &[Pair], mut askers: [&mut dyn FnMut(&Pair) -> f64; N]) -> [f64; N] {
    let groups: Vec<&[Pair]> = pairs.chunks(15).collect();
    let mut best = [(); N].map(|()| vec![f64::INFINITY; groups.len()]);
    for _ in 0..ROUNDS {
        for (place, group) in groups.iter().enumerate() {
            for (ask, best) in askers.iter_mut().zip(&mut best) {
                let begin = ThreadTime::now();
                group.iter().for_each(|pair| _ = black_box(ask(pair)));
                best[place] = best[place].min(begin.elapsed().as_secs_f64());
            }
        }
    }
    best.map(|groups| pairs.len() as f64 / groups.iter().sum::<f64>())
}

fn read_pairs(text: &str) -> Vec<Pair> {
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let place = |value: &serde_json::Value| [0, 1].map(|axis| value[axis].as_f64().unwrap());
    let pairs = all.as_array().unwrap().iter().filter_map(|pair| {
        let optimal = pair["optimal_len_xz"].as_f64()?;
        Some(Pair { start: place(&pair["start_xz"]), end: place(&pair["end_xz"]), optimal })
    });
    pairs.filter(|pair| pair.optimal > 1.0).collect()
}

/// The same polygons for the peer: the tile's vertices with the polygons round them.
fn peer_of(mesh: &TiledNavMesh) -> polyanya::Mesh {
    // The ground; what lies on top of boxes is a layer of its own, which no link leads to.
    let (_, tile) = mesh.tiles().max_by_key(|(_, tile)| tile.polygons.len()).unwrap();
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
        polyanya::Vertex::new(Vec2::new(at[0], at[2]), around.clone())
    });
    let mut mesh = polyanya::Mesh::new(vertices.collect(), polygons).unwrap();
    mesh.bake();
    mesh
}
