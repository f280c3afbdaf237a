//! What it costs to say why there is no path, as a multiple of one look through the whole mesh (its islands), in processor
//! time of the same run: `cargo bench --no-default-features --bench explain`. On a voxel bake of 512 × 512 m with boxes
//! whose tops nothing leads to; needs the shared data beside the package.

#![allow(clippy::print_stdout, reason = "a bench prints what it measures")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use std::hint::black_box;
use std::path::Path;

use cpu_time::ThreadTime;
use navwright::bake::{BakeOptions, VoxelInput, bake_voxel_mesh};
use navwright::format::{NavSettings, PolyRef, TiledNavMesh};
use navwright::interop::obj::import_obj;
use navwright::query::{
    Islands, NavPlace, PathScratch, PathStatus, QueryFilter, closest_on_polygon, explain_path_between,
    islands,
};

/// Islands that are asked for, from the largest one and to it.
const ASKED: usize = 24;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = ["../shared/data/recast", "../../shared/data/recast"].map(|path| root.join(path));
    let Some(data) = data.into_iter().find(|path| path.exists()) else {
        println!("SKIPPED: ../shared/data/recast is not there");
        return;
    };
    let boxes = import_obj(&std::fs::read(data.join("boxes512.obj")).unwrap(), "boxes512").unwrap().mesh;
    println!("polygons islands | all islands ms | explained: middle ms, worst ms, barriers at most | ratio");
    for tile_size in [19.2_f32, 9.6, 3.6] {
        let settings = NavSettings {
            tile_size: tile_size.into(),
            cell_size: 0.3,
            walkable_climb: 0.9,
            agent_radius: 0.6,
            ..NavSettings::default()
        };
        let input = VoxelInput { meshes: vec![boxes.clone()], ..VoxelInput::default() };
        measure(&bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap().0.mesh);
    }
}

fn measure(mesh: &TiledNavMesh) {
    let filter = QueryFilter::default();
    let all = islands(mesh, &filter);
    let look = middle((0..5).map(|_| millis(|| black_box(islands(mesh, &filter)).count())).collect());
    let mut by_size: Vec<u32> = (0..all.count() as u32).collect();
    by_size.sort_by_key(|&island| std::cmp::Reverse(all.polygon_count(island)));
    let main = place(mesh, &all, by_size[0]);
    let others = by_size[1..].iter().step_by((by_size.len() / ASKED).max(1));
    let (mut scratch, mut most, mut times) = (PathScratch::default(), 0, Vec::new());
    for &other in others {
        let other = place(mesh, &all, other);
        for (from, to) in [(&main, &other), (&other, &main)] {
            // The first time lays out the mesh.
            for round in 0..2 {
                let mut told = None;
                let time = millis(|| {
                    told = explain_path_between(mesh, from, to, &filter, &mut scratch).unwrap();
                    0
                });
                let told = told.unwrap();
                assert!(told.path.status == PathStatus::Partial && !told.barriers.is_empty());
                most = most.max(told.barriers.len());
                if round > 0 {
                    times.push(time);
                }
            }
        }
    }
    let polygons: usize = mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    let worst = times.iter().fold(0.0, |a: f64, b| a.max(*b));
    let usual = middle(times);
    println!(
        "{polygons:>8} {:>7} | {look:>14.1} | {usual:>20.1} {worst:>9.1} {most:>17} | {:.2}",
        all.count(),
        usual / look
    );
}

/// The middle of an island's first polygon.
fn place(mesh: &TiledNavMesh, all: &Islands, island: u32) -> NavPlace {
    let polygons = mesh.tiles().flat_map(|(tile_ref, tile)| {
        (0..tile.polygons.len() as u32).map(move |index| tile_ref.polygon(index))
    });
    let first: PolyRef = polygons.into_iter().find(|polygon| all.of(*polygon) == Some(island)).unwrap();
    let (tile, index) = mesh.polygon(first).unwrap();
    let corners = tile.polygons[index].edges().map(|edge| {
        let corner = tile.vertices[tile.edge_vertices[edge] as usize];
        tile.point_in_world(mesh.params(), corner)
    });
    let corners: Vec<[f64; 3]> = corners.collect();
    let middle = [0, 2].map(|axis| corners.iter().map(|at| at[axis]).sum::<f64>() / corners.len() as f64);
    closest_on_polygon(mesh, first, middle).unwrap()
}

fn millis(work: impl FnOnce() -> usize) -> f64 {
    let begin = ThreadTime::now();
    black_box(work());
    begin.elapsed().as_secs_f64() * 1000.0
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
