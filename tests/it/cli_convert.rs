//! `convert` as its users see it: which pairs go, what each says that it leaves out, and what comes back.

use std::fs;

use navwright::format::{NavMesh, NavWorld, Snapshot, TiledNavMesh};
use navwright::interop::mset::import_mset;
use serde_json::Value;

use crate::cli::{Bench, MAP, close, has_keys};
use crate::vectors;

/// A square of 4 × 4 at height 1, face up, and a wall; y is up.
const OBJ: &str = "\
o square
v 0 1 0
v 4 1 0
v 4 1 4
v 0 1 4
v 0 3 0
f 1 4 3
f 1 3 2
f 1 2 5
";

/// A file of each kind that is read, with a name that says which.
fn every_kind() -> Bench {
    let bench = Bench::baked(MAP);
    bench.with("in.nav", MAP).with("in.obj", OBJ).with("in.onnw", vectors::read("world_three.onnw"));
    bench
        .with("in.onps", vectors::read("snapshot.onps"))
        .with("in.onpt", vectors::read("single_triangle.onpt"));
    fs::rename(bench.file("map.onnm"), bench.file("in.onnm")).unwrap();
    for (from, to) in
        [("in.nav", "in.nav.ron"), ("in.onnm", "in.onpm"), ("in.onnm", "in.mset"), ("in.obj", "in.glb")]
    {
        bench.run(&["convert", from, to]).ends(0);
    }
    bench
}

#[test]
fn each_pair_goes_or_is_refused_with_the_reason() {
    let bench = every_kind();
    let (first, drawn, held) =
        ("do that first: navwright bake", "what was drawn to bake it is not in it", "holds none");
    let settings = "does not hold the settings";
    let alone = "map text holds drawn areas alone";
    let tile = "a single tile (ONPT)";
    let snapshot = "is a snapshot of a mesh";
    let goes = "";
    let kinds = ["project", "map", "onnm", "onnw", "onpm", "onps", "mset", "obj", "glb"];
    #[rustfmt::skip]
    let table = [
        ("in.nav.ron", [goes, goes, first, first, first, first, first, first, first]),
        ("in.nav",     [goes, goes, first, first, first, first, first, first, first]),
        ("in.obj",     [goes, alone, first, first, first, first, first, goes, goes]),
        ("in.glb",     [goes, alone, first, first, first, first, first, goes, goes]),
        ("in.onnm",    [drawn, drawn, goes, goes, goes, goes, goes, goes, goes]),
        ("in.onpm",    [drawn, drawn, settings, settings, goes, goes, goes, goes, goes]),
        ("in.mset",    [drawn, drawn, settings, settings, goes, goes, goes, goes, goes]),
        ("in.onps",    [snapshot, snapshot, held, held, held, held, held, held, held]),
        ("in.onpt",    [tile; 9]),
    ];
    for (from, row) in table {
        for (kind, reason) in kinds.into_iter().zip(row) {
            let out = format!("{}_{kind}", from.replace('.', "_"));
            let ran = bench.run(&["convert", from, &out, "--to", kind]);
            if reason == goes {
                ran.ends(0);
                let read = bench.run(&["inspect", &out]).ends(0);
                assert!(!read.out.is_empty());
                bench.run(&["validate", &out]).ends(0);
            } else {
                ran.ends(2).complains(&[from, reason]);
                assert!(!bench.file(&out).exists(), "{from} to {kind} left a file");
            }
        }
    }
}

#[test]
fn one_of_a_worlds_classes_is_taken_and_the_others_are_named() {
    let bench = every_kind();
    bench.run(&["convert", "in.onnw", "one.onnm"]).ends(2).complains(&["has 3 agent classes", "--class N"]);
    bench.run(&["convert", "in.onnw", "one.onnm", "--class", "3"]).ends(2).complains(&["--class 3"]);
    bench
        .run(&["convert", "in.onnw", "one.onnm", "--class", "1"])
        .ends(0)
        .complains(&["2 other agent classes are left out"]);
    let world = NavWorld::from_bytes(&vectors::read("world_three.onnw")).unwrap();
    assert_eq!(fs::read(bench.file("one.onnm")).unwrap(), world.classes()[1].to_bytes().unwrap());
    // The whole world stays one, byte for byte; a mesh by itself is a world of one.
    let quiet = bench.run(&["convert", "in.onnw", "all.onnw"]).ends(0);
    assert_eq!(quiet.err, "");
    assert_eq!(fs::read(bench.file("all.onnw")).unwrap(), vectors::read("world_three.onnw"));
    bench.run(&["convert", "one.onnm", "one.onnw"]).ends(0);
    bench.run(&["convert", "one.onnw", "again.onnm"]).ends(0);
    assert_eq!(fs::read(bench.file("again.onnm")).unwrap(), fs::read(bench.file("one.onnm")).unwrap());
    bench
        .run(&["convert", "in.nav", "x.nav.ron", "--class", "0"])
        .ends(2)
        .complains(&["keeps all its classes"]);
    bench.run(&["convert", "in.onnm", "x.onpm", "--class", "1"]).ends(2).complains(&["is a single mesh"]);
}

#[test]
fn meshes_keep_every_tile_and_say_what_is_left_out() {
    let bench = every_kind();
    let mesh = NavMesh::from_bytes(&fs::read(bench.file("in.onnm")).unwrap()).unwrap();
    let bare =
        bench.run(&["convert", "in.onnm", "bare.onpm"]).ends(0).complains(&["the settings are left out"]);
    assert!(bare.out.contains("bare.onpm: a bare mesh (ONPM)"), "{}", bare.out);
    assert_eq!(fs::read(bench.file("bare.onpm")).unwrap(), mesh.mesh.to_bytes());
    bench.run(&["convert", "bare.onpm", "state.onps"]).ends(0).complains(&["the tiles are left out"]);
    let state = Snapshot::from_bytes(&fs::read(bench.file("state.onps")).unwrap()).unwrap();
    assert_eq!(state, Snapshot::of(&mesh.mesh));
    // To Detour's and back: the floors stay, levels do not.
    let ran = bench.run(&["convert", "in.onnm", "all_tiles_navmesh.bin"]).ends(0);
    ran.complains(&[
        "1 polygon of a level other than 0: Detour knows no levels",
        "the settings are left out",
    ]);
    let detours = import_mset(&fs::read(bench.file("all_tiles_navmesh.bin")).unwrap()).unwrap().mesh;
    bench.run(&["convert", "all_tiles_navmesh.bin", "back.onpm"]).ends(0);
    assert_eq!(fs::read(bench.file("back.onpm")).unwrap(), detours.to_bytes());
    for file in ["in.onnm", "all_tiles_navmesh.bin", "back.onpm"] {
        let path = bench.run(&["path", file, "1,1", "13,3", "--json"]).ends(0).json();
        assert_eq!(path["status"], "complete", "{file}");
    }
    // 100 − 4, and the landing.
    let total = |file: &str| -> f64 {
        let said = bench.run(&["inspect", file, "--json"]).ends(0).json();
        said["area"].as_object().unwrap().values().map(|area| area.as_f64().unwrap()).sum()
    };
    for file in ["in.onnm", "bare.onpm", "all_tiles_navmesh.bin"] {
        assert!((total(file) - 104.0).abs() < 1e-6, "{file}: {}", total(file));
    }
}

/// Vertices and faces of an OBJ file, by the words of its lines.
fn faces(text: &str) -> Vec<[[f64; 3]; 3]> {
    let mut vertices = Vec::new();
    let mut faces = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "v" => vertices.push([1, 2, 3].map(|k| words[k].parse::<f64>().unwrap())),
            "f" => faces.push([1, 2, 3].map(|k| vertices[words[k].parse::<usize>().unwrap() - 1])),
            "o" | "#" => {}
            other => panic!("{other}"),
        }
    }
    faces
}

/// The area of a face seen from above, above 0 if a right-handed eye (y up) sees its front.
fn area_from_above([a, b, c]: [[f64; 3]; 3]) -> f64 {
    0.5 * ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]))
}

#[test]
fn the_floors_of_a_mesh_are_triangles_that_face_up() {
    let bench = every_kind();
    bench
        .run(&["convert", "in.onnm", "floors.obj"])
        .ends(0)
        .complains(&["flags, links and settings are left out"]);
    let text = fs::read_to_string(bench.file("floors.obj")).unwrap();
    let objects: Vec<&str> = text.lines().filter(|line| line.starts_with("o ")).collect();
    assert_eq!(objects, ["o level 0", "o level 1"]);
    let areas: Vec<f64> = faces(&text).into_iter().map(area_from_above).collect();
    assert!(areas.iter().all(|area| *area > 0.0));
    assert!((areas.iter().sum::<f64>() - 104.0).abs() < 1e-9);
    // Level 1 stands at 3: a triangle of it is as high, but where it comes down to the floor.
    let high = faces(&text).into_iter().flatten().map(|vertex| vertex[1]).fold(0.0, f64::max);
    assert!((high - 3.0).abs() < 1e-6, "{high}");
    // Floors of another type are an object by themselves.
    let typed = "areas: [(id: 1, order: 10, name: \"mud\", kind: walk, level: 0, area_type: 3, points: [(0, 0), (2, 0), (2, 2), (0, 2)]), \
                 (id: 2, order: 20, name: \"road\", kind: walk, level: 0, points: [(2, 0), (4, 0), (4, 2), (2, 2)])]";
    bench.with("typed.nav.ron", format!("Project(version: 2, {typed})"));
    bench.run(&["bake", "typed.nav.ron", "-o", "typed.onnm"]).ends(0);
    bench.run(&["convert", "typed.onnm", "typed.obj"]).ends(0);
    let typed = fs::read_to_string(bench.file("typed.obj")).unwrap();
    let objects: Vec<&str> = typed.lines().filter(|line| line.starts_with("o ")).collect();
    assert_eq!(objects, ["o level 0", "o level 0, area 3"]);
    // As glTF the same, and read by somebody else's reader.
    bench.run(&["convert", "in.onnm", "floors.glb"]).ends(0).complains(&["32 bits"]);
    bench.run(&["convert", "floors.glb", "back.obj"]).ends(0).complains(&["no triangle is left out"]);
    let back = fs::read_to_string(bench.file("back.obj")).unwrap();
    assert_eq!(faces(&back), faces(&text));
    // And baked again they are floors.
    let baked = bench.run(&["bake", "floors.obj", "-o", "again.onnm", "--json"]).ends(0).json();
    assert!(baked["area"]["0"].as_f64().unwrap() > 60.0);
}

#[test]
fn height_detail_is_in_the_triangles() {
    let bench = every_kind();
    // A slope of 1 to 4 over 16, baked by voxels: its floors lie on it, between its ends.
    let slope = "v 0 0 0\nv 16 4 0\nv 16 4 16\nv 0 0 16\nf 1 4 3\nf 1 3 2\n";
    bench.with("slope.obj", slope).run(&["bake", "slope.obj", "-o", "slope.onnm"]).ends(0);
    bench.run(&["convert", "slope.onnm", "floor.obj"]).ends(0);
    let found = faces(&fs::read_to_string(bench.file("floor.obj")).unwrap());
    let mesh = NavMesh::from_bytes(&fs::read(bench.file("slope.onnm")).unwrap()).unwrap().mesh;
    let triangles: usize = mesh.tiles().map(|(_, tile)| tile.detail_triangles.len()).sum();
    assert_eq!(found.len(), triangles);
    for [x, y, _] in found.iter().flatten() {
        // Voxels round up by a cell's height, and corners by a cell: 0.2 + 0.25 / 4, twice for two roundings.
        assert!((y - x / 4.0).abs() < 2.0 * (0.2 + 0.25 / 4.0), "{x}, {y}");
    }
}

#[test]
fn geometry_is_placed_as_asked_and_its_faults_are_counted() {
    let bench = every_kind();
    let place = ["--scale", "4", "--offset", "10,0,-2"];
    bench.run(&[&["convert", "in.obj", "moved.obj"], &place[..]].concat()).ends(0);
    let moved = faces(&fs::read_to_string(bench.file("moved.obj")).unwrap());
    assert_eq!(
        moved,
        faces(OBJ)
            .into_iter()
            .map(|face| face.map(|[x, y, z]| [4.0 * x + 10.0, 4.0 * y, 4.0 * z - 2.0]))
            .collect::<Vec<_>>()
    );
    bench.with("bad.obj", format!("{OBJ}v 1 nan 2\nf 1 2 6\n"));
    bench
        .run(&["convert", "bad.obj", "good.obj"])
        .ends(0)
        .complains(&["1 triangle with a coordinate that is no number is left out"]);
    assert_eq!(faces(&fs::read_to_string(bench.file("good.obj")).unwrap()), faces(OBJ));
    bench.run(&["convert", "bad.obj", "good.glb"]).ends(0);
    bench
        .run(&["convert", "in.onnm", "x.obj", "--up", "z"])
        .ends(2)
        .complains(&["--up", "lies where it was baked"]);
    bench
        .run(&["convert", "in.nav", "x.nav.ron", "--scale", "2"])
        .ends(2)
        .complains(&["--scale", "is a map"]);
    // A project of it bakes to the same mesh, from another folder too.
    fs::create_dir(bench.file("maps")).unwrap();
    bench.run(&[&["convert", "in.obj", "maps/level.nav.ron"], &place[..]].concat()).ends(0);
    bench.run(&["bake", "maps/level.nav.ron", "-o", "a.onnm"]).ends(0);
    bench.run(&[&["bake", "in.obj", "-o", "b.onnm"], &place[..]].concat()).ends(0);
    assert_eq!(fs::read(bench.file("a.onnm")).unwrap(), fs::read(bench.file("b.onnm")).unwrap());
    bench.run(&["convert", "maps/level.nav.ron", "here.nav.ron"]).ends(0);
    assert!(fs::read_to_string(bench.file("here.nav.ron")).unwrap().contains("path: \"in.obj\""));
}

#[test]
fn maps_come_back_as_they_were() {
    let bench = every_kind();
    let noted = format!("# the yard\n\n{MAP}nav walk -2 0.0004 0 1 0 1 1 # a cellar\n");
    bench.with("noted.nav", &noted);
    // As map text comments stay; only what has more decimals is rounded.
    bench
        .run(&["convert", "noted.nav", "same.nav"])
        .ends(0)
        .complains(&["1 coordinate is rounded to a thousandth"]);
    let wanted = noted.replace("0.0004 0 1 0 1 1 #", "0.000 0.000 1.000 0.000 1.000 1.000 #");
    assert_eq!(fs::read_to_string(bench.file("same.nav")).unwrap(), wanted);
    // In a project they do not.
    bench.run(&["convert", "same.nav", "same.nav.ron"]).ends(0).complains(&["2 comments are left out"]);
    bench.run(&["convert", "same.nav.ron", "again.txt"]).ends(0);
    let bare: String = wanted
        .lines()
        .filter(|line| line.starts_with("nav"))
        .map(|line| format!("{}\n", line.split(" #").next().unwrap()))
        .collect();
    assert_eq!(fs::read_to_string(bench.file("again.txt")).unwrap(), bare);
    // A project is written as it is saved, and once more without a change.
    let arena = crate::support::root().join("assets/arena.nav.ron");
    fs::copy(&arena, bench.file("arena.nav.ron")).unwrap();
    let quiet = bench.run(&["convert", "arena.nav.ron", "saved.nav.ron"]).ends(0);
    assert_eq!(quiet.err, "");
    assert_eq!(fs::read(bench.file("saved.nav.ron")).unwrap(), fs::read(&arena).unwrap());
    let remarks = fs::read_to_string(&arena).unwrap().replacen("Project(", "// one\n/* two\n*/ Project(", 1);
    // What stood under the name stays beside it.
    bench.run(&["convert", "same.nav", "saved.nav.ron"]).ends(0);
    assert_eq!(fs::read(bench.file("saved.nav.ron.bak")).unwrap(), fs::read(&arena).unwrap());
    bench.with("remarks.nav.ron", remarks);
    bench
        .run(&["convert", "remarks.nav.ron", "quiet.nav.ron"])
        .ends(0)
        .complains(&["2 comments are left out"]);
    let ran = bench.run(&["convert", "arena.nav.ron", "arena.nav"]).ends(0);
    ran.complains(&["links are left out", "area names are left out", "ramp or heights are left out"]);
    // All that map text has no place for.
    let hall = crate::support::root().join("assets/hall.nav.ron");
    let hall = hall.to_str().unwrap();
    bench.run(&["convert", hall, "hall.nav"]).ends(0).complains(&["1 file of geometry is left out"]);
}

#[test]
fn the_name_says_the_kind_or_is_asked_about() {
    let bench = every_kind();
    bench.run(&["convert", "in.onnm", "mesh.dat"]).ends(2).complains(&[
        "does not say what to write",
        ".onpm",
        "--to KIND",
    ]);
    bench.run(&["convert", "in.onnm", "mesh.svg"]).ends(2).complains(&["navwright render"]);
    bench.run(&["convert", "in.onnm", "mesh.gltf"]).ends(2).complains(&["end the name in .glb"]);
    // In its own place only what loses nothing.
    bench.run(&["convert", "in.obj", "./in.obj"]).ends(2).complains(&["would replace itself", "materials"]);
    assert_eq!(fs::read_to_string(bench.file("in.obj")).unwrap(), OBJ);
    bench.run(&["convert", "in.nav", "in.nav"]).ends(0);
    bench.run(&["convert", "in.onnm", "mesh.dat", "--to", "onpm"]).ends(0);
    bench.run(&["convert", "in.onnm", "MESH.ONPM"]).ends(0);
    bench
        .run(&["convert", "in.onnm", "mesh.onnm", "--to", "obj"])
        .ends(2)
        .complains(&["--to obj", "mesh with its settings"]);
    bench
        .run(&["convert", "in.onnm", "mesh", "--to", "stone"])
        .ends(2)
        .complains(&["stone", "possible values"]);
    bench.run(&["convert", "in.onnm"]).ends(2).complains(&["<OUT>"]);
    bench.run(&["convert", "gone.onnm", "a.onpm"]).ends(2).complains(&["gone.onnm"]);
    bench.run(&["convert", "in.onnm", "no/such/folder.onpm"]).ends(2).complains(&["cannot write"]);
    let said = bench.run(&["convert", "in.onnm", "a.mset", "--json"]).ends(0).json();
    has_keys(&said, &["input", "output", "kind", "bytes", "left_out"]);
    assert_eq!((&said["kind"], &said["output"]), (&"mset".into(), &"a.mset".into()));
    close(&said["bytes"], fs::metadata(bench.file("a.mset")).unwrap().len() as f64);
    assert!(said["left_out"].as_array().unwrap().iter().all(Value::is_string));
    // The help names every kind, and the list of commands this one.
    let help = bench.run(&["convert", "--help"]).ends(0).out;
    assert!(
        ["project", "map", "onnm", "onnw", "onpm", "onps", "mset", "obj", "glb"]
            .iter()
            .all(|kind| help.contains(&format!("- {kind}:")))
    );
    bench.run(&["gone"]).ends(2).complains(&["convert"]);
}

#[test]
fn what_a_mesh_of_detours_holds_beyond_ours_is_said() {
    let bench = every_kind();
    let mut bytes = fs::read(bench.file("in.mset")).unwrap();
    // The first tile's record begins at 40, its data at 48, and there the user's word at 20.
    bytes[68] = 7;
    bench.with("word.mset", &bytes);
    let said = "1 tiles with a word of the user, left out";
    let text = bench.run(&["inspect", "word.mset"]).ends(0).out;
    assert!(text.contains(said), "{text}");
    assert_eq!(bench.run(&["inspect", "word.mset", "--json"]).json()["left_out"], serde_json::json!([said]));
    bench.run(&["convert", "word.mset", "x.onpm"]).ends(0).complains(&[said]);
    assert_eq!(bench.run(&["inspect", "in.mset", "--json"]).json()["left_out"], serde_json::json!([]));
}

#[test]
fn damaged_files_are_refused_and_nothing_is_written() {
    let bench = every_kind();
    for (name, kind) in [
        ("in.onnm", "onpm"),
        ("in.onnw", "onnw"),
        ("in.onpm", "mset"),
        ("in.mset", "onpm"),
        ("in.glb", "obj"),
    ] {
        let bytes = fs::read(bench.file(name)).unwrap();
        for cut in [5, 12, bytes.len() / 2, bytes.len() - 1] {
            bench.with("cut", &bytes[..cut]);
            bench.run(&["convert", "cut", "out", "--to", kind]).ends(2).complains(&["cut"]);
            assert!(!bench.file("out").exists(), "{name} cut to {cut}");
        }
    }
    bench
        .with("bad.obj", "v 0 0 0\nf 1 2 3\n")
        .run(&["convert", "bad.obj", "x.glb"])
        .ends(2)
        .complains(&["line 2"]);
    bench
        .with("bad.nav", "nav walk 0 1 2\n")
        .run(&["convert", "bad.nav", "x.nav.ron"])
        .ends(2)
        .complains(&["bad.nav:1:"]);
    assert!(!bench.file("x.nav.ron").exists() && !bench.file("x.glb").exists());
    // A mesh without tiles has no floors, and none that Detour reads.
    bench.with("empty.onpm", vectors::read("empty_mesh.onpm"));
    bench
        .run(&["convert", "empty.onpm", "empty.bin"])
        .ends(2)
        .complains(&["empty.onpm: the mesh has no tiles"]);
    bench.run(&["convert", "empty.onpm", "empty.glb"]).ends(0);
    bench.run(&["inspect", "empty.glb"]).ends(0);
    assert!(TiledNavMesh::from_bytes(&fs::read(bench.file("empty.onpm")).unwrap()).is_ok());
}
