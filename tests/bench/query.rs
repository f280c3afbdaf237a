//! Path queries against the `polyanya` crate, in one run: `cargo bench --no-default-features --bench query`.
//!
//! Both search for true shortest paths over the same polygons, and we over a bake of our own too: on tiles of 32, or
//! in one tile where the map comes as the peer's polygons. The maps and the right lengths are those of `data/flat`.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "this is what a bench is for")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use navwright::format::TiledNavMesh;
use navwright::query::{NavPath, PathScratch, PathStatus, QueryFilter, find_nav_path_into};

#[path = "../it/query/flat_maps.rs"]
mod flat_maps;

use flat_maps::{MAPS, MeshFile, Pair, areas, bake, pairs};

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/flat");
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    println!(
        "{:>16} {:>8} {:>12} {:>12} {:>12} {:>8} {:>8} {:>10}",
        "map", "polygons", "peer q/s", "ours q/s", "own bake q/s", "ratio", "own bake", "worst"
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
        let own_bake = rates.get(2).copied().unwrap_or(f64::NAN);
        println!(
            "{name:>16} {polygons:>8} {:>12.0} {:>12.0} {own_bake:>12.0} {:>8.2} {:>8.2} {worst:>10.1e}",
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

/// Queries a second of each, the best of many rounds, which take turns so that a busy machine is fair to all.
fn rates(pairs: &[Pair], askers: &mut [Asker<'_>]) -> Vec<f64> {
    let mut best = vec![0.0_f64; askers.len()];
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < 5 || begin.elapsed().as_secs_f64() < 4.0 {
        for (ask, best) in askers.iter_mut().zip(&mut best) {
            let round = Instant::now();
            for pair in pairs {
                black_box(ask(pair));
            }
            *best = best.max(pairs.len() as f64 / round.elapsed().as_secs_f64());
        }
        rounds += 1;
    }
    best
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
