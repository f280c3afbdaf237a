//! The command line bakes a map as the editor does, and never answers without a reason.

use std::fs;

use serde_json::Value;

use crate::cli::{Bench, Ran};
use crate::support::{root, shared};

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
    let check = |more: &[&str]| bench.run(&[&["check", "checked.nav.ron", "--json"], more].concat());
    let length = |json: Value| json["classes"][0]["checks"][0]["length"].as_f64().unwrap();
    let straight = 7.0_f64.hypot(5.0);
    let asked = check(&[]).ends(0);
    assert!(!asked.err.contains("warning"), "{}", asked.err);
    let (fresh, said) = (length(asked.json()), length(check(&["--mode", "voxel"]).ends(0).json()));
    // No shorter than straight, which from the carpet's side it would be, and a pillar may stand between.
    assert!((straight - 1e-3..1.1 * straight).contains(&fresh) && fresh == said, "{fresh}, {said}");
    // It starts off the drawn areas, which are all that a flat bake has.
    let asked = check(&["--mode", "flat"]).ends(1);
    assert_eq!(asked.json()["classes"][0]["checks"][0]["length"], Value::Null);
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

/// The hall's OBJ baked: ground at 0, gallery at 3.2 over a part of it, all of one level.
fn baked_hall() -> Bench {
    let bench = hall();
    bench.run(&["bake", "hall.nav.ron", "-o", "hall.onnm"]).ends(0);
    bench
}

/// `project_and_cli.md`: `path` says why, and `render` is no other answer to the same question.
#[test]
fn render_draws_the_path_or_says_why_there_is_none() {
    let bench = baked_hall();
    let draw = |from: &str, to: &str, code: i32| {
        let ran = bench.run(&["render", "hall.onnm", "-o", "hall.svg", "--path", from, to]).ends(code);
        (ran.err, fs::read_to_string(bench.file("hall.svg")).unwrap())
    };
    let (said, svg) = draw("3,3", "20,3", 0);
    assert!(said.is_empty() && svg.contains(">S<") && svg.contains(">E<"), "{said}");
    for (from, to) in [("3,3", "24,17,1"), ("3,3", "9999,9999"), ("3,3,5", "20,3")] {
        let path = bench.run(&["path", "hall.onnm", from, to, "--json"]).ends(1).json();
        let (said, svg) = draw(from, to, 1);
        assert!(said.contains(path["reason"].as_str().unwrap()), "{from} {to}: {said}");
        assert!(svg.trim_end().ends_with("</svg>"), "the picture is written all the same");
    }
    // By height, the gallery is found.
    let args = ["render", "hall.onnm", "-o", "up.svg", "--xyz", "--path", "3,0,3", "8,3.2,17"];
    assert!(bench.run(&args).ends(0).err.is_empty());
}

#[test]
fn a_level_that_is_not_there_is_answered_with_those_that_are() {
    let bench = baked_hall();
    let said = bench.run(&["path", "hall.onnm", "3,3", "24,17,1"]).ends(1).out;
    assert!(said.contains("no polygon of the mesh is on level 1; all of them are on level 0"), "{said}");
    assert!(said.contains("--xyz"), "{said}");
    // Two floors lie there, and one is taken.
    let json = bench.run(&["path", "hall.onnm", "3,3", "24,17", "--json"]).ends(0).json();
    let notes = json["notes"].to_string();
    assert!(
        notes.contains("over the end lie 2 floors, at heights ") && notes.contains("--xyz X,Y,Z"),
        "{notes}"
    );
    assert!(!notes.contains("X,Z,LEVEL"), "both are on one level: {notes}");
    let heights: Vec<&str> =
        notes.split("at heights ").nth(1).unwrap().split(';').next().unwrap().split(", ").collect();
    let heights: Vec<f64> = heights.iter().map(|text| text.parse().unwrap()).collect();
    // The ground, and the gallery, within a cell height or two.
    assert!(heights[0].abs() < 0.5 && (heights[1] - 3.2).abs() < 0.5, "{heights:?}");
    // Of drawn levels that lie over each other, the level says which.
    let bench = Bench::baked(
        "nav walk 0 0.000 0.000 9.000 0.000 9.000 9.000 0.000 9.000\n\
         nav walk 2 0.000 0.000 9.000 0.000 9.000 9.000 0.000 9.000\n",
    );
    let said = bench.run(&["path", "map.onnm", "1,1,0", "8,8"]).out;
    assert!(
        said.contains("2 floors, at heights 0, 6") && said.contains("X,Z,LEVEL or --xyz X,Y,Z"),
        "{said}"
    );
    let said = bench.run(&["path", "map.onnm", "1,1,0", "8,8,1"]).ends(1).out;
    assert!(said.contains("it has levels 0 and 2"), "{said}");
    assert!(!bench.run(&["path", "map.onnm", "1,1,0", "8,8,0"]).ends(0).out.contains("note"));
}

#[test]
fn a_place_that_is_moved_onto_the_mesh_is_said() {
    let bench = Bench::baked(crate::cli::MAP);
    // The floor's side is x = 0; an agent of radius 0 is let pass two cells of 0.25.
    let said = bench.run(&["path", "map.onnm", "-0.425,5", "1,5"]).ends(0).out;
    assert!(said.contains("note: the start lies 0.425 off the mesh and was moved onto it\n"), "{said}");
    assert!(!said.contains("the end lies"), "{said}");
    let json = bench.run(&["path", "map.onnm", "1,5", "-0.425,5", "--json"]).ends(0).json();
    assert_eq!(json["notes"], serde_json::json!(["the end lies 0.425 off the mesh and was moved onto it"]));
    // Less than a cell is what a baked outline may be off by.
    assert!(!bench.run(&["path", "map.onnm", "-0.2,5", "1,5"]).ends(0).out.contains("note"));
    // Also where there is no way.
    let bench = Bench::baked(&format!("{}{}", crate::cli::MAP, crate::cli::APART));
    let said = bench.run(&["path", "map.onnm", "1,5", "26,2"]).ends(1).out;
    assert!(said.contains("the end lies 2 off the mesh"), "{said}");
}

/// `editor_ux.md` 9.1: the narrowest gap, once, and how much higher the other side is.
#[test]
fn what_stands_between_is_said_once_with_its_rise() {
    let bench = Bench::new();
    // Two plates of whole tiles, so that four polygons of each meet at the corners that lie nearest; 5 up and 4 across.
    let plate = |x: f64, y: f64, first: usize| {
        let corners = [[x, 0.0], [x + 8.0, 0.0], [x + 8.0, 8.0], [x, 8.0]];
        let lines: String = corners.iter().map(|[x, z]| format!("v {x} {y} {z}\n")).collect();
        format!("{lines}f {} {} {} {}\n", first + 3, first + 2, first + 1, first)
    };
    bench.with("two.obj", plate(0.0, 0.0, 1) + &plate(12.0, 5.0, 5));
    let set = ["--set", "tile_size=4", "--set", "min_region_area=0"];
    bench.run(&[&["bake", "two.obj", "-o", "two.onnm"][..], &set].concat()).ends(0);
    let ask = |from: &str, to: &str, more: &[&str]| {
        bench.run(&[&["path", "two.onnm", from, to, "--explain"], more].concat()).ends(1)
    };
    let json = ask("2,4", "18,4", &["--json"]).json();
    let barriers = json["explanation"]["barriers"].as_array().unwrap();
    let mut seen: Vec<String> =
        barriers.iter().map(|b| format!("{} {} {}", b["from"], b["to"], b["kind"])).collect();
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert!(count > 0 && seen.len() == count, "{barriers:#?}");
    for (from, to, way) in [("2,4", "18,4", "up"), ("18,4", "2,4", "down")] {
        let text = ask(from, to, &[]).out;
        let line =
            text.lines().find(|line| line.contains(" without floor")).unwrap_or_else(|| panic!("{text}"));
        let rise = line.split(" without floor, and ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        assert!((rise.parse::<f64>().unwrap() - 5.0).abs() <= 0.21 && line.ends_with(way), "{line}");
    }
}

#[test]
fn small_things_are_called_by_their_names() {
    let bench = hall();
    bench.with("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n");
    for more in [&[][..], &["--json"]] {
        let ran = bench.run(&[&["inspect", "bad.obj"], more].concat()).ends(2);
        ran.complains(&["bad.obj", "line 4", "vertex 9"]);
    }
    // A map whose geometry cannot be read has more to say.
    bench.with("map.nav.ron", "(version: 2, geometry: [(id: 1, path: \"bad.obj\")])");
    assert!(bench.run(&["inspect", "map.nav.ron"]).ends(0).out.contains("bad.obj: cannot be read"));

    bench.run(&["bake", "hall.nav.ron", "-o", "a.onnm", "--jobs", "1"]).ends(0);
    bench.run(&["bake", "hall.nav.ron", "-o", "b.onnm", "--set", "partition=layers"]).ends(0);
    let text = bench.run(&["diff", "a.onnm", "b.onnm"]).ends(1).out;
    assert!(text.contains("watershed (0x00000000) in A, layers (0x00000002) in B"), "{text}");

    let bake = |set: &str| bench.run(&["bake", "hall.nav.ron", "-o", "x.onnm", "--set", set]);
    bake("agent_radius=1e9").ends(2).complains(&["agent_radius", "the most is"]);
    bench.with("wide.obj", "v 0 0 0\nv 2000000 0 0\nv 2000000 0 2000000\nv 0 0 2000000\nf 4 3 2 1\n");
    bench
        .run(&["bake", "wide.obj", "-o", "x.onnm"])
        .ends(2)
        .complains(&["number of tiles", "raise tile_size"]);
    let ran = bench.run(&["bake", "hall.obj", "-o", "x.onnm", "--scale", "-1"]).ends(2);
    ran.complains(&["scale", "-1", "0.000001 to 1000000"]);

    // Wherever a GLB is cut, its place is said.
    let json = b"{\"asset\":{\"version\":\"2.0\"}} ";
    let mut glb = b"glTF".to_vec();
    glb.extend(2_u32.to_le_bytes());
    glb.extend((12 + 8 + json.len() as u32).to_le_bytes());
    glb.extend((json.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    glb.extend(json);
    bench.with("whole.glb", &glb);
    bench.run(&["inspect", "whole.glb"]).ends(0);
    for cut in [4, 8, 11, 12, 15, 20, glb.len() - 1] {
        bench.with("cut.glb", &glb[..cut]);
        bench.run(&["inspect", "cut.glb"]).ends(2).complains(&["cut.glb", &format!("ends after {cut}")]);
    }
    let mut long = glb.clone();
    long[12] += 4;
    bench.with("long.glb", &long);
    bench.run(&["inspect", "long.glb"]).ends(2).complains(&["long.glb", "chunk 0 at byte 12", "are left"]);

    let help = bench.run(&["--help"]).ends(0).out;
    assert!(help.contains("OBJ, glTF"), "{help}");
    for verb in ["inspect", "validate", "diff"] {
        assert!(bench.run(&[verb, "--help"]).ends(0).out.contains("OBJ, glTF"), "{verb}");
    }
    #[cfg(feature = "editor")]
    bench.run(&[]).ends(2).complains(&["navwright check"]);
}

/// Detour's own set, which is no file of ours.
#[test]
fn a_detour_set_is_called_one() {
    let Some(set) = shared("data/recast/all_tiles_navmesh.bin") else { return };
    let bench = Bench::new();
    let path = set.display().to_string();
    let json = bench.run(&["inspect", &path, "--json"]).ends(0).json();
    assert_eq!((&json["kind"], &json["version"]), (&"MSET".into(), &1.into()));
    assert!(bench.run(&["inspect", &path]).ends(0).out.starts_with("Detour's tiled mesh (MSET, version 1)"));
}

/// `project_and_cli.md`: the map as the editor's canvas draws it; storeys of one level are told apart by their height.
#[test]
fn storeys_of_one_level_are_shaded_by_height() {
    let bench = baked_hall();
    let svg = |name: &str| {
        bench.run(&["render", name, "-o", "out.svg"]).ends(0);
        fs::read_to_string(bench.file("out.svg")).unwrap()
    };
    let stacked = svg("hall.onnm");
    // The gallery is at 3.2, its floor a cell height or two above.
    assert!(stacked.contains(">floor at 0.") && stacked.contains(">floor at 3."), "no heights in the legend");
    assert!(!stacked.contains("floor, level 0"));
    // Of a project the geometry is shown too, which is 30 boxes seen from above; a flat bake leaves it out.
    let filled = |svg: &str| svg.matches("<path fill=\"#").count();
    assert!(filled(&svg("hall.nav.ron")) >= filled(&stacked) + 60);
    bench.run(&["render", "hall.nav.ron", "-o", "flat.svg", "--mode", "flat"]).ends(0);
    assert!(filled(&fs::read_to_string(bench.file("flat.svg")).unwrap()) < 60);
    // Flat levels go by their numbers.
    bench.with("map.nav", crate::cli::MAP);
    let levels = svg("map.nav");
    assert!(
        levels.contains("floor, level 0")
            && levels.contains("floor, level 1")
            && !levels.contains("floor at")
    );
}

/// A map is baked first, as `bake` bakes it.
#[test]
fn paths_are_found_in_maps_too() {
    let bench = baked_hall();
    let ask = |file: &str, more: &[&str]| {
        bench.run(&[&["path", file, "--xyz", "3,0,3", "8,3.2,17", "--json"], more].concat())
    };
    let of_map = ask("hall.nav.ron", &[]).ends(0);
    assert_eq!(of_map.json(), ask("hall.onnm", &[]).ends(0).json());
    assert!(of_map.json()["length"].as_f64().unwrap() > 0.0);
    warns_of_flat(&ask("hall.nav.ron", &["--mode", "flat"]));
    ask("hall.nav.ron", &["--set", "agent_radius=0.3"]).ends(0);
    for more in [["--set", "flags=2"], ["--mode", "flat"]] {
        ask("hall.onnm", &more).ends(2).complains(&[more[0], "hall.onnm is baked already"]);
    }
}

/// The commands that show no diagnostics do not keep an empty mesh's reason to themselves.
#[test]
fn an_empty_mesh_is_explained_wherever_it_is_baked() {
    let bench = hall();
    let obj = "v 0 0 0\nv 9 0 0\nv 9 0 9\nv 0 0 9\n";
    bench.with("down.obj", format!("{obj}f 1 2 3\nf 1 3 4\n"));
    let why = "2 of 2 triangles face down: flip the winding or choose another up axis";
    let baked = bench.run(&["bake", "down.obj", "-o", "x.onnm", "--json"]).ends(1).json();
    let [said] = &warnings(&baked, "faces_down")[..] else { panic!("{baked:#}") };
    assert_eq!(said["message"], why);
    // Turned over, it is a floor; a map says so itself.
    let turned = bench.run(&["bake", "down.obj", "--flip", "-o", "y.onnm", "--json"]).ends(0).json();
    assert_eq!(warnings(&turned, "faces_down"), Vec::<&serde_json::Value>::new(), "{turned:#}");
    bench.run(&["bake", "hall.nav.ron", "--flip", "-o", "z.onnm"]).ends(2).complains(&["--flip", "is a map"]);
    for args in [
        &["check", "down.obj"][..],
        &["render", "down.obj", "-o", "x.svg"],
        &["path", "down.obj", "1,1", "8,8"],
    ] {
        bench.run(args).complains(&["warning: down.obj: ", why]);
    }
    for (set, name) in [("agent_radius=100", "agent_radius"), ("min_region_area=1000000", "min_region_area")]
    {
        let ran = bench.run(&["check", "hall.nav.ron", "--set", set]);
        ran.complains(&["no floor is left: ", name, " took the last of it"]);
    }
    for (file, mode) in [("hall.nav.ron", "voxel"), ("hall.obj", "voxel"), ("map.nav", "flat")] {
        bench.with("map.nav", crate::cli::MAP);
        assert_eq!(bench.run(&["inspect", file, "--json"]).ends(0).json()["mode"], mode);
    }
}
