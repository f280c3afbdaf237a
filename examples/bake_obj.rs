//! Bakes a Wavefront OBJ and writes what games load: `cargo run --example bake_obj [FILE.obj [OUT.onnm]]`. Without
//! arguments it bakes the sample hall (pillars, a stair, a gallery) into a file in the temporary folder.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::path::{Path, PathBuf};

use navwright::bake::{BakeOptions, VoxelInput, bake_voxel_mesh};
use navwright::format::{NavMesh, NavSettings};
use navwright::interop::obj::import_obj;
use navwright::query::{QueryFilter, islands};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).map(PathBuf::from);
    let file = args.next().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/hall.obj"));
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let out = args.next().unwrap_or_else(|| std::env::temp_dir().join(format!("{name}.onnm")));

    // What is read, and what of the file is left out.
    let import = import_obj(&std::fs::read(&file)?, &name)?;
    println!("{name}: {} vertices, {} triangles", import.mesh.vertices.len(), import.mesh.triangles.len());
    let left_out = import.to_string();
    if !left_out.is_empty() {
        println!("{left_out}");
    }

    // Recast's usual numbers: cells of 0.3, an agent of radius 0.6 that climbs 0.9.
    let settings = NavSettings {
        tile_size: f64::from(9.6_f32),
        cell_size: 0.3,
        agent_radius: 0.6,
        walkable_climb: 0.9,
        ..NavSettings::default()
    };
    let input = VoxelInput { meshes: vec![import.mesh], ..VoxelInput::default() };
    let (baked, report) = bake_voxel_mesh(&input, &settings, &BakeOptions::default())?;
    for diagnostic in &report.diagnostics {
        println!("{}: {}", diagnostic.kind.name(), diagnostic.message);
    }

    // The file, and what a game finds in it.
    std::fs::write(&out, baked.to_bytes()?)?;
    let bytes = std::fs::read(&out)?;
    let mesh = NavMesh::from_bytes(&bytes)?.mesh;
    let polygons: usize = mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    let islands = islands(&mesh, &QueryFilter::default());
    println!("{} tiles, {polygons} polygons, {} islands", mesh.tiles().count(), islands.count());
    println!("{}: {} bytes", out.display(), bytes.len());
    Ok(())
}
