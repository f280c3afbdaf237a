//! Bakes a Wavefront OBJ and asks for a path on it: `cargo run --example bake_obj [FILE.obj]`. Without a file it makes
//! one: a hall with pillars, a stair and a gallery.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use navwright::bake::{BakeOptions, VoxelInput, bake_voxel_mesh};
use navwright::format::NavSettings;
use navwright::interop::obj::import_obj;
use navwright::query::{QueryFilter, islands};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (name, bytes) = match std::env::args().nth(1) {
        Some(file) => (file.clone(), std::fs::read(file)?),
        None => ("hall".to_owned(), hall().into_bytes()),
    };
    let import = import_obj(&bytes, &name)?;
    let left_out = import.to_string();
    if !left_out.is_empty() {
        println!("{name}: {left_out}");
    }
    println!("{name}: {} vertices, {} triangles", import.mesh.vertices.len(), import.mesh.triangles.len());

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
    let polygons: usize = baked.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    let islands = islands(&baked.mesh, &QueryFilter::default());
    println!("{} tiles, {polygons} polygons, {} islands", baked.mesh.tiles().count(), islands.count());
    println!("{} bytes as .onnm", baked.to_bytes()?.len());
    Ok(())
}

/// A floor of 30 × 20 with twelve pillars, and a stair up to a gallery along one wall.
fn hall() -> String {
    let mut text = String::from("# made by examples/bake_obj.rs\no hall\n");
    let mut boxes = vec![([0.0, -0.2, 0.0], [30.0, 0.0, 20.0]), ([0.0, 3.0, 15.0], [30.0, 3.2, 20.0])];
    for pillar in 0..12 {
        let (x, z) = (3.0 + f64::from(pillar % 6) * 4.5, 4.0 + f64::from(pillar / 6) * 6.0);
        boxes.push(([x, 0.0, z], [x + 0.8, 6.0, z + 0.8]));
    }
    for step in 0..16 {
        let z = 10.2 + f64::from(step) * 0.3;
        boxes.push(([0.5, 0.0, z], [3.0, 0.2 * f64::from(step + 1), z + 0.3]));
    }
    let mut count = 0;
    for (low, high) in boxes {
        for corner in 0..8 {
            let pick = |axis: usize, bit: u32| if corner >> bit & 1 == 1 { high[axis] } else { low[axis] };
            text += &format!("v {} {} {}\n", pick(0, 0), pick(1, 2), pick(2, 1));
        }
        // Each face counter-clockwise from outside; 1 to 4 below, 5 to 8 above.
        for face in [[5, 7, 8, 6], [1, 2, 4, 3], [1, 5, 6, 2], [3, 4, 8, 7], [1, 3, 7, 5], [2, 6, 8, 4]] {
            let [a, b, c, d] = face.map(|corner| count + corner);
            text += &format!("f {a} {b} {c} {d}\n");
        }
        count += 8;
    }
    text
}
