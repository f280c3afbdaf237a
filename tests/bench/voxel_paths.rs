//! Path queries on a voxel bake of 512 × 512 m with boxes, against the `polyanya` crate over the same polygons in one
//! run: `cargo bench --no-default-features --bench voxel_paths`. Needs the shared data beside the package; its pairs
//! and their true shortest lengths. One tile, as the peer's mesh is one.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use glam::Vec2;
use navwright::bake::{BakeOptions, VoxelInput, bake_voxel_mesh};
use navwright::format::{NavSettings, TiledNavMesh};
use navwright::interop::obj::import_obj;
use navwright::query::{NavPath, PathScratch, PathStatus, QueryFilter, find_nav_path_into};

const CELL: f64 = 0.3;
const ROUNDS: usize = 2;

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
    let (filter, mut scratch, mut path) =
        (QueryFilter::default(), PathScratch::default(), NavPath::default());
    let mut ours = |pair: &Pair| {
        let (start, end) = ((pair.start, None), (pair.end, None));
        find_nav_path_into(&baked, start, end, &filter, &mut scratch, &mut path).unwrap();
        assert_eq!(path.status, PathStatus::Complete);
        path.length
    };
    let point = |at: [f64; 2]| Vec2::new(at[0] as f32, at[1] as f32);
    // The peer's mesh lies in the tile's coordinates.
    let local = |at: [f64; 2]| point([at[0] - low[0], at[1] - low[2]]);
    let theirs = |pair: &Pair| {
        peer.path(local(pair.start), local(pair.end)).map_or(f64::NAN, |path| path.length.into())
    };
    let worst = pairs.iter().map(|pair| (ours(pair) / pair.optimal - 1.0).abs()).fold(0.0, f64::max);
    let (mut best, count) = ([0.0_f64; 2], pairs.len());
    for _ in 0..ROUNDS {
        let time = |ask: &mut dyn FnMut(&Pair) -> f64| {
            let begin = Instant::now();
            pairs.iter().for_each(|pair| _ = black_box(ask(pair)));
            count as f64 / begin.elapsed().as_secs_f64()
        };
        best[0] = best[0].max(time(&mut |pair| ours(pair)));
        best[1] = best[1].max(time(&mut |pair| theirs(pair)));
    }
    let polygons: usize = baked.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    println!("{count} pairs on {polygons} polygons of one tile");
    println!("ours {:.0} q/s, polyanya {:.0} q/s: {:.2} times", best[0], best[1], best[0] / best[1]);
    println!(
        "our lengths are off the true ones by at most {:.2} %, both bakes being different",
        worst * 100.0
    );
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
