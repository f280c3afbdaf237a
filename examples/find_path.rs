//! Loads a baked mesh and finds a path on it.
//!
//! ```sh
//! cargo run --no-default-features --example find_path -- arena.onnm 26 12 10 28
//! ```
//!
//! Without arguments it bakes the arena sample in memory and goes from the meadow to the highest cliff.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;
use std::path::Path;

use navwright::bake::{BakeOptions, bake_mesh};
use navwright::format::{NavMesh, TiledNavMesh};
use navwright::project;
use navwright::query::{PathScratch, QueryFilter, find_nav_path};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (mesh, from, to) = match &args[..] {
        [] => (arena()?, [26.0, 12.0], [10.0, 28.0]),
        [file, numbers @ ..] if numbers.len() == 4 => {
            let numbers = numbers.iter().map(|text| text.parse()).collect::<Result<Vec<f64>, _>>()?;
            // Any broken rule of the file is an error that names it; what loads is sound.
            let mesh = NavMesh::from_bytes(&std::fs::read(file)?)?.mesh;
            (mesh, [numbers[0], numbers[1]], [numbers[2], numbers[3]])
        }
        _ => return Err("give a file and X Z X Z, or nothing".into()),
    };

    // One scratch for many paths: once it is warm, finding a path allocates next to nothing.
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let path = find_nav_path(&mesh, from, None, to, None, &filter, &mut scratch)?;
    println!("{:?}, {:.2} long, over {} polygons", path.status, path.length, path.corridor.len());
    for point in &path.points {
        let [x, y, z] = point.position;
        let way = if point.link.is_some() { ", then along a link" } else { "" };
        println!("  ({x:.2}, {y:.2}, {z:.2}) on level {}{way}", point.level);
    }
    if !path.reason.is_empty() {
        println!("{}", path.reason);
    }
    Ok(())
}

/// A game would read a file that was baked before; this bakes the sample's map.
fn arena() -> Result<TiledNavMesh, Box<dyn Error>> {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/arena.nav.ron");
    let document = project::open(&map)?.document;
    let (baked, _report) = bake_mesh(
        &document.flat_input(),
        &document.bake_settings(&document.classes[0]),
        &BakeOptions::default(),
    )?;
    Ok(baked.mesh)
}
