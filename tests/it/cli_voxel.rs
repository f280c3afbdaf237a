//! Voxel bakes on the command line.

use std::fs;

use navwright::bake::{BakeOptions, bake_voxel_mesh};
use navwright::format::NavMesh;
use navwright::project::{self, load_geometry, voxel_input};

use crate::cli::{Bench, MAP, has_keys};
use crate::support::root;

/// A floor of 12 × 12 and a box of 2 × 2 × 3 on it, in centimetres with z up.
const OBJ: &str = "\
# a room
v 0 0 0\nv 1200 0 0\nv 1200 1200 0\nv 0 1200 0\nf 1 2 3 4
v 500 500 0\nv 700 500 0\nv 700 700 0\nv 500 700 0
v 500 500 300\nv 700 500 300\nv 700 700 300\nv 500 700 300
f 9 10 11 12\nf 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12
";
const PLACED: [&str; 6] = ["--up", "z", "--scale", "0.01", "--offset", "0,0,12"];

#[test]
fn an_obj_is_baked_by_itself_with_its_axes_and_units() {
    let bench = Bench::new();
    bench.with("room.obj", OBJ);
    let args = [
        "bake",
        "room.obj",
        "-o",
        "room.onnm",
        "--json",
        "--set",
        "tile_size=8",
        "--set",
        "agent_radius=0.25",
    ];
    let json = bench.run(&[&args[..], &PLACED].concat()).ends(0).json();
    has_keys(&json, &["fingerprint", "tiles", "polygons", "area", "diagnostics", "timings", "notes"]);
    // The floor without its rim of ledges and a radius of 0.25: 11 × 11; the box takes 2 × 2, its cells' rims and the
    // radius, less what walls are simplified by.
    let area = json["area"]["0"].as_f64().unwrap();
    assert!((area - (11.0 * 11.0 - 2.5 * 2.5)).abs() < 4.0, "{area}");
    let [low, high] = [0, 1].map(|end| {
        json["bounds"][end].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>()
    });
    assert!(low[0] > 0.2 && high[0] < 11.8 && low[2] > 0.2 && high[2] < 11.8, "{low:?} {high:?}");
    // Round the box is farther than through it.
    let path = bench.run(&["path", "room.onnm", "2,6", "10,6", "--json"]).ends(0).json();
    assert_eq!(path["status"], "complete");
    assert!(path["length"].as_f64().unwrap() > 8.2);
    bench.run(&["validate", "room.onnm", "room.obj"]).ends(0);
    let shown = bench.run(&["inspect", "room.obj", "--json"]).ends(0).json();
    assert_eq!((&shown["kind"], &shown["geometry"][0]["triangles"]), (&"geometry".into(), &12.into()));
    bench.run(&[&["render", "room.obj", "-o", "room.svg"][..], &PLACED].concat()).ends(0);
    assert!(fs::read_to_string(bench.file("room.svg")).unwrap().contains("<svg"));
    // As it stands in the file the floor is a wall: an empty mesh.
    let flat = bench.run(&["bake", "room.obj", "-o", "wall.onnm", "--json"]).ends(0).json();
    assert!(flat["area"]["0"].as_f64().is_none_or(|area| area < 1000.0 * 1000.0));
}

#[test]
fn a_project_with_geometry_is_baked_as_the_library_does_it() {
    let bench = Bench::new();
    for name in ["hall.obj", "hall.nav.ron"] {
        fs::copy(root().join("assets").join(name), bench.file(name)).unwrap();
    }
    bench.run(&["bake", "hall.nav.ron", "-o", "hall.onnm", "--jobs", "2"]).ends(0);
    let bytes = fs::read(bench.file("hall.onnm")).unwrap();
    let document = project::open(&bench.file("hall.nav.ron")).unwrap().document;
    let settings = document.bake_settings(&document.classes[0]);
    let geometry = load_geometry(&document, bench.file("").as_path()).unwrap();
    let (input, _) = voxel_input(&document, &settings, geometry.meshes).unwrap();
    let (mesh, _) = bake_voxel_mesh(&input, &settings, &BakeOptions::default()).unwrap();
    assert_eq!(mesh.to_bytes().unwrap(), bytes);
    // In two parts, put together again.
    for (tiles, name) in [("0,0..0,9", "west.onnm"), ("1,0..9,9", "east.onnm")] {
        let args = ["bake", "hall.nav.ron", "-o", name, "--tiles", tiles];
        bench.run(&args).ends(0);
    }
    bench.run(&["merge", "west.onnm", "east.onnm", "-o", "both.onnm"]).ends(0);
    assert_eq!(fs::read(bench.file("both.onnm")).unwrap(), bytes);
    bench.run(&["render", "hall.nav.ron", "-o", "hall.png"]).ends(0);
}

#[test]
fn map_text_has_a_voxel_bake_of_its_own_floors() {
    let bench = Bench::new();
    bench.with("map.nav", MAP);
    let args = ["bake", "map.nav", "-o", "map.onnm", "--mode", "voxel", "--json", "--set", "cell_size=0.1"];
    let json = bench.run(&args).ends(0).json();
    // 10 × 10 less the hole of 2 × 2, and their rims of one cell.
    let area = json["area"]["0"].as_f64().unwrap();
    assert!((area - (9.8 * 9.8 - 2.2 * 2.2)).abs() < 0.8, "{area}");
    assert!(NavMesh::from_bytes(&fs::read(bench.file("map.onnm")).unwrap()).is_ok());
}

#[test]
fn wrong_usage_is_said() {
    let bench = Bench::new();
    bench.with("map.nav", MAP).with("bad.obj", "v 0 0 0\nf 1 2 3\n");
    bench.with("map.nav.ron", "(version: 2, geometry: [(id: 1, path: \"gone.obj\")])");
    bench.run(&["bake", "map.nav", "-o", "x.onnm", "--up", "z"]).ends(2).complains(&["--up"]);
    bench.run(&["bake", "bad.obj", "-o", "x.onnm"]).ends(2).complains(&["bad.obj: line 2"]);
    bench.run(&["bake", "map.nav.ron", "--mode", "voxel", "-o", "x.onnm"]).ends(2).complains(&["gone.obj"]);
    bench.run(&["validate", "bad.obj"]).ends(1);
    bench.run(&["bake", "bad.obj", "--scale", "0", "-o", "x.onnm"]).ends(2).complains(&["scale"]);
    bench.run(&["bake", "bad.obj", "--offset", "1,2", "-o", "x.onnm"]).ends(2).complains(&["offset"]);
    assert!(!bench.file("x.onnm").exists());
}
