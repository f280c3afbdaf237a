//! The command line bakes a map as the editor does, and never answers without a reason.

use std::fs;

use serde_json::Value;

use crate::cli::{Bench, Ran};
use crate::support::root;

/// The sample hall, with a check on it: from its carpet to its gallery, 3.2 above, which the geometry alone has.
fn hall() -> Bench {
    let bench = Bench::new();
    fs::copy(root().join("assets/hall.obj"), bench.file("hall.obj")).unwrap();
    let map = fs::read_to_string(root().join("assets/hall.nav.ron")).unwrap();
    let check = "    checks: [
        (
            id: 0x0000000000000007,
            name: \"up\",
            start: (15, 3),
            start_level: 0,
            end: (8, 8),
            end_level: 0,
            wanted: path,
        ),
    ],
    voxel: (";
    bench.with("hall.nav.ron", &map).with("checked.nav.ron", map.replacen("    voxel: (", check, 1));
    bench
}

fn warnings<'a>(json: &'a Value, kind: &str) -> Vec<&'a Value> {
    let found = json["diagnostics"].as_array().unwrap();
    found.iter().filter(|entry| entry["kind"] == kind && entry["severity"] == "warning").collect()
}

fn warns_of_flat(ran: &Ran) {
    assert!(ran.err.contains("warning: ") && ran.err.contains("hall.obj"), "{}", ran.err);
}

/// `project_and_cli.md`: the checks run on a fresh bake, which is the one that is exported; the editor bakes a map that
/// has geometry by voxels.
#[test]
fn every_command_bakes_geometry_unless_flat_is_asked_for() {
    let bench = hall();
    let bake = |name: &str, more: &[&str]| {
        bench.run(&[&["bake", "hall.nav.ron", "-o", name, "--json"], more].concat()).ends(0)
    };
    let (own, voxel) = (bake("own.onnm", &[]), bake("voxel.onnm", &["--mode", "voxel"]));
    let bytes = |name: &str| fs::read(bench.file(name)).unwrap();
    assert_eq!(bytes("own.onnm"), bytes("voxel.onnm"));
    for ran in [&own, &voxel] {
        assert_eq!(warnings(&ran.json(), "geometry_left_out"), Vec::<&Value>::new());
    }
    let flat = bake("flat.onnm", &["--mode", "flat"]);
    let json = flat.json();
    assert!(warnings(&json, "geometry_left_out")[0]["message"].as_str().unwrap().contains("hall.obj"));
    warns_of_flat(&flat);
    // The hall is 30 squares and more from wall to wall, the carpet alone 20 × 2.
    assert!(json["area"]["0"].as_f64().unwrap() <= 40.0 + 1e-3);
    assert!(own.json()["area"]["0"].as_f64().unwrap() > 300.0);

    // The check begins beside the carpet, on the floor that only the geometry has.
    let check = |more: &[&str]| bench.run(&[&["check", "checked.nav.ron", "--json"], more].concat()).ends(0);
    let length = |json: Value| json["classes"][0]["checks"][0]["length"].as_f64().unwrap();
    let straight = 7.0_f64.hypot(5.0);
    let asked = check(&[]);
    assert!(!asked.err.contains("warning"), "{}", asked.err);
    let (fresh, said) = (length(asked.json()), length(check(&["--mode", "voxel"]).json()));
    assert!((fresh - straight).abs() < 0.2 && fresh == said, "{fresh}, {said}");
    let asked = check(&["--mode", "flat"]);
    warns_of_flat(&asked);
    assert_eq!(warnings(&asked.json()["classes"][0], "geometry_left_out").len(), 1);
    // `bake` asks the same.
    let baked = bench.run(&["bake", "checked.nav.ron", "-o", "checked.onnm", "--json"]).ends(0).json();
    assert_eq!(baked["checks"][0]["length"].as_f64(), Some(fresh));

    let render = |name: &str, more: &[&str]| {
        bench.run(&[&["render", "hall.nav.ron", "-o", name], more].concat()).ends(0);
        fs::read(bench.file(name)).unwrap()
    };
    assert_eq!(render("own.svg", &[]), render("voxel.svg", &["--mode", "voxel"]));
    warns_of_flat(&bench.run(&["render", "hall.nav.ron", "-o", "flat.svg", "--mode", "flat"]).ends(0));
}

/// A fingerprint is of settings alone; what tells the modes apart is the height detail of voxel tiles.
#[test]
fn parts_of_both_modes_are_not_merged() {
    let bench = hall();
    for (name, mode, tiles) in [
        ("flat.onnm", "flat", "0,0..0,9"),
        ("voxel.onnm", "voxel", "1,0..9,9"),
        ("west.onnm", "voxel", "0,0..0,9"),
    ] {
        let args = ["bake", "hall.nav.ron", "-o", name, "--mode", mode, "--tiles", tiles];
        bench.run(&args).ends(0);
    }
    for parts in [["flat.onnm", "voxel.onnm"], ["voxel.onnm", "flat.onnm"]] {
        let ran = bench.run(&["merge", parts[0], parts[1], "-o", "both.onnm"]).ends(2);
        ran.complains(&["voxel.onnm is a voxel bake", "flat.onnm a flat bake"]);
        assert!(!bench.file("both.onnm").exists());
    }
    bench.run(&["merge", "west.onnm", "voxel.onnm", "-o", "both.onnm"]).ends(0);
}

/// `diff` looks at what is drawn and imported, names what differs, and never calls maps the same that it did not compare.
#[test]
fn maps_are_compared_thing_by_thing() {
    let bench = hall();
    let map = fs::read_to_string(bench.file("hall.nav.ron")).unwrap();
    let diff = |text: &str, code: i32| {
        bench.with("other.nav.ron", text);
        let json = bench.run(&["diff", "hall.nav.ron", "other.nav.ron", "--json"]).ends(code).json();
        (bench.run(&["diff", "hall.nav.ron", "other.nav.ron"]).ends(code).out, json)
    };
    let (same, json) = diff(&map, 0);
    assert!(same.ends_with("no difference in settings, drawing and geometry\n"), "{same}");
    assert_eq!((&json["different"], &json["map"]["geometry"][0]["differs"]), (&false.into(), &false.into()));
    // One thing at a time: what is changed, and what is said.
    let cases = [
        ("points: [(6, 7), (26, 7)", "points: [(6, 7), (20, 7)", "area \"carpet\": 1 point moved"),
        ("end: (24, 13)", "end: (25, 13)", "link \"leap from the gallery\": end (24, 13) › (25, 13)"),
        ("elevation: 3.2", "elevation: 3.5", "level 1: elevation 3.2 › 3.5"),
        ("offset: (0, 0, 0)", "offset: (0, 0, 2)", "hall.obj"),
        ("(15, 0, 3),", "(16, 0, 3),", "voxel seeds: 1 seed moved"),
        ("agent_radius: 0.4", "agent_radius: 0.5", "agent class \"agent\": radius 0.4 › 0.5"),
    ];
    for (old, new, words) in cases {
        assert!(map.contains(old), "{old}");
        let (text, json) = diff(&map.replacen(old, new, 1), 1);
        assert!(text.contains(words) && !text.contains("no difference"), "{words} is not in\n{text}");
        assert_eq!(json["different"], true);
        assert_eq!(json["map"]["changes"].as_array().unwrap().len(), 1, "{json:#}");
    }
    let checked = fs::read_to_string(bench.file("checked.nav.ron")).unwrap();
    assert!(diff(&checked, 1).0.contains("check \"up\": added"));

    // The same name and placement, but another file behind it.
    fs::create_dir(bench.file("old")).unwrap();
    let obj = fs::read_to_string(bench.file("hall.obj")).unwrap();
    bench.with("old/hall.nav.ron", &map).with("old/hall.obj", obj.replacen("v ", "v -", 1));
    let text = bench.run(&["diff", "hall.nav.ron", "old/hall.nav.ron"]).ends(1).out;
    assert!(text.contains("! triangles of hall.obj: "), "{text}");
    fs::remove_file(bench.file("old/hall.obj")).unwrap();
    let text = bench.run(&["diff", "hall.nav.ron", "old/hall.nav.ron"]).ends(1).out;
    assert!(text.contains("cannot be read") && !text.contains("no difference"), "{text}");

    // Geometry by itself, and a map beside a mesh, whose areas nobody knows.
    bench.with("a.obj", &obj).with("same.obj", &obj).with("b.obj", obj.replacen("f ", "# ", 1));
    bench.run(&["diff", "a.obj", "same.obj"]).ends(0);
    let text = bench.run(&["diff", "a.obj", "b.obj"]).ends(1).out;
    assert!(text.contains("triangles of a.obj and b.obj") && !text.contains("no difference"), "{text}");
    bench.run(&["bake", "hall.nav.ron", "-o", "hall.onnm"]).ends(0);
    let text = bench.run(&["diff", "hall.nav.ron", "hall.onnm"]).ends(0).out;
    assert!(text.contains("no difference in settings and links; whether B comes of A is told by"), "{text}");
}
