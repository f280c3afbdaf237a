//! Streams a world around a moving agent: tiles near it come in, tiles far from it go out, two operations a frame.
//!
//! ```sh
//! cargo run --no-default-features --example stream_world
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use navwright::bake::{BakeOptions, bake_mesh};
use navwright::format::{NavSettings, TiledNavMesh};
use navwright::project;
use navwright::query::{PathScratch, QueryFilter, find_nav_path};
use navwright::stream::TileStreamer;

/// Tiles around the agent's own that are wanted, in each direction.
const REACH: i32 = 1;
/// Operations a frame: what keeps each frame short, however fast the agent moves.
const OPERATIONS: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let world = arena_in_small_tiles()?;
    // What a game would keep on disk: a tile's bytes by column.
    let mut stored: BTreeMap<(i32, i32), Vec<Vec<u8>>> = BTreeMap::new();
    for (_, tile) in world.tiles() {
        stored.entry((tile.tile_x, tile.tile_z)).or_default().push(tile.to_bytes());
    }
    println!("{} tiles in {} columns", world.tiles().count(), stored.len());

    // The mesh that the game holds has the world's parameters and, to begin with, no tile.
    let mut mesh = TiledNavMesh::new(*world.params())?;
    let (mut streamer, mut asked) = (TileStreamer::new(), BTreeSet::new());
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let walk = find_nav_path(&world, [26.0, 12.0], None, [10.0, 28.0], None, &filter, &mut scratch)?;
    let mut most = 0;
    for frame in 0..=100 {
        let at = along(
            &walk.points.iter().map(|point| point.position).collect::<Vec<_>>(),
            f64::from(frame) / 100.0,
        );
        let Some((x, z)) = mesh.params().world_to_tile(at[0], at[2]) else { continue };
        let near = |&(column_x, column_z): &(i32, i32)| {
            (column_x - x).abs() <= REACH && (column_z - z).abs() <= REACH
        };
        for column in asked.iter().copied().filter(|column| !near(column)).collect::<Vec<_>>() {
            streamer.remove_column(column.0, column.1);
            asked.remove(&column);
        }
        for (&column, tiles) in stored.iter().filter(|(column, _)| near(column)) {
            if asked.insert(column) {
                tiles.iter().for_each(|bytes| streamer.put_tile(bytes.clone()));
            }
        }
        // A tile that cannot be read is reported once and is no longer in the queue.
        streamer.update(&mut mesh, OPERATIONS)?;
        most = most.max(mesh.tiles().count());
        if frame % 20 == 0 {
            // While the goal's tiles are missing, a path leads to the place nearest to it on the tiles that are there.
            let goal = [10.0, 28.0];
            let path = find_nav_path(&mesh, [at[0], at[2]], None, goal, None, &filter, &mut scratch)?;
            println!(
                "frame {frame:3}: {} tiles, {} operations wait; a path of {:.1} that ends {:.1} before the goal",
                mesh.tiles().count(),
                streamer.pending().len(),
                path.length,
                path.end_moved
            );
        }
    }
    println!("never more than {most} of {} tiles at once", world.tiles().count());
    Ok(())
}

/// The place at a part of a way.
fn along(points: &[[f64; 3]], part: f64) -> [f64; 3] {
    let length = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).hypot(a[2] - b[2]);
    let mut left = part * points.windows(2).map(|pair| length(pair[0], pair[1])).sum::<f64>();
    for pair in points.windows(2) {
        let step = length(pair[0], pair[1]);
        if left <= step && step > 0.0 {
            return std::array::from_fn(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * left / step);
        }
        left -= step;
    }
    points.last().copied().unwrap_or_default()
}

fn arena_in_small_tiles() -> Result<TiledNavMesh, Box<dyn Error>> {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/arena.nav.ron");
    let document = project::open(&map)?.document;
    let settings = NavSettings { tile_size: 8.0, ..document.bake_settings(&document.classes[0]) };
    let (baked, _report) = bake_mesh(&document.flat_input(), &settings, &BakeOptions::default())?;
    Ok(baked.mesh)
}
