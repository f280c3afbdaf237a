//! What the command line answers to a place: the floor that the editor takes, how far it lies off, and no path where a
//! check says so.

use serde_json::Value;

use navwright::project::file::decode;
use navwright::project::{Spot, find_path, load_geometry, voxel_input};
use navwright::query::{PathScratch, QueryFilter};

use crate::cli::{APART, Bench, MAP, close};
use crate::support::root;

fn hall_file() -> String {
    root().join("assets/hall.nav.ron").display().to_string()
}

/// Folders with the hall baked to `hall.onnm`.
fn hall() -> Bench {
    let bench = Bench::new();
    bench.run(&["bake", &hall_file(), "-o", "hall.onnm"]).ends(0);
    bench
}

fn asked(bench: &Bench, code: i32, args: &[&str]) -> (Value, String) {
    let all: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let told = bench.run(&all).ends(code).json();
    let notes = told["notes"].as_array().unwrap().iter();
    let notes = notes.map(|note| note.as_str().unwrap().to_owned()).collect::<Vec<_>>().join("\n");
    (told, notes)
}

/// A hall of 30 by 20 at height 0 with a gallery at 3.2 over z 15 to 20, both on level 0, which is at 0.
#[test]
fn a_map_is_asked_for_the_floor_at_its_levels_elevation_as_in_the_editor() {
    let (bench, file) = (hall(), hall_file());
    let (told, notes) = asked(&bench, 0, &["path", &file, "2,2,0", "24,17,0"]);
    let last = &told["points"].as_array().unwrap().last().unwrap()["y"];
    assert!(last.as_f64().unwrap() < 0.5, "{told:#}");
    assert!(notes.contains("over the end lie 2 floors of level 0, at heights"), "{notes}");
    // What the editor and checks ask.
    let text = std::fs::read_to_string(&file).unwrap();
    let document = decode(&text, "hall").unwrap();
    let settings = document.bake_settings(&document.classes[0]);
    let meshes = load_geometry(&document, &root().join("assets")).unwrap().meshes;
    let (input, _) = voxel_input(&document, &settings, meshes).unwrap();
    let (mesh, _) = navwright::bake::bake_voxel_mesh(&input, &settings, &Default::default()).unwrap();
    let [from, to] = [[2.0, 2.0], [24.0, 17.0]].map(|at| Spot { at, level: 0, y: None });
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let found = find_path(&document, &mesh.mesh, [&from, &to], &filter, &mut scratch).unwrap();
    close(&told["length"], found.path.length);
    // Without a level, many at once, and the picture's path are the same question.
    let (any, _) = asked(&bench, 0, &["path", &file, "2,2", "24,17"]);
    close(&any["length"], found.path.length);
    bench.with("pairs.txt", "2 2 0 24 17 0\n");
    let line = bench.run(&["path", &file, "--pairs", "pairs.txt"]).ends(0).out;
    let length: f64 = line.split(' ').nth(1).unwrap().parse().unwrap();
    assert!((length - found.path.length).abs() < 1e-4, "{line}");
    let drawn = bench.run(&["render", &file, "-o", "x.svg", "--path", "2,2,0", "24,17,0"]).ends(0).err;
    assert!(drawn.contains("over the end lie 2 floors of level 0") && drawn.contains("one at 0."), "{drawn}");
    // A baked mesh knows no elevations: it takes the upper one, and says so.
    let (told, notes) = asked(&bench, 0, &["path", "hall.onnm", "2,2,0", "24,17,0"]);
    let last = &told["points"].as_array().unwrap().last().unwrap()["y"];
    assert!(last.as_f64().unwrap() > 3.0 && notes.contains("of level 0, at heights"), "{told:#}");
}

/// Ground of 20 × 20 at 0 and a roof of 10 × 10 at 6 over its corner, which nothing joins; both level 0.
const ROOFED: &str = "\
v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 1 4 3 2\n\
v 10 6 10\nv 20 6 10\nv 20 6 20\nv 10 6 20\nf 5 8 7 6\n";

#[test]
fn the_floor_that_is_taken_is_the_ends_also_where_the_path_does_not_get_there() {
    let bench = Bench::new();
    bench.with("roofed.obj", ROOFED).run(&["bake", "roofed.obj", "-o", "roofed.onnm"]).ends(0);
    // Places under and over the roof, and how high the floor is that a baked mesh takes.
    for (from, to, start, end) in [("2,2", "15,15", None, Some(6.0)), ("15,15", "2,2", Some(6.0), None)] {
        let (told, notes) = asked(&bench, 1, &["path", "roofed.onnm", from, to]);
        assert_eq!(told["status"], "partial");
        for (name, height) in [("start", start), ("end", end)] {
            let note = notes.lines().find(|note| note.starts_with(&format!("over the {name} lie 2 floors")));
            assert_eq!(note.is_some(), height.is_some(), "{notes}");
            let (Some(note), Some(height)) = (note, height) else { continue };
            let taken = note.split("the one at ").nth(1).unwrap().split(' ').next().unwrap();
            assert!((taken.parse::<f64>().unwrap() - height).abs() < 0.4, "{note}");
        }
        let drawn = bench.run(&["render", "roofed.onnm", "-o", "x.svg", "--path", from, to]).ends(1).err;
        assert!(drawn.contains(notes.lines().next().unwrap()), "{drawn}\n{notes}");
    }
}

#[test]
fn with_a_height_a_place_lies_off_the_mesh_in_space() {
    let bench = hall();
    let ask = |to: &str, code| asked(&bench, code, &["path", "hall.onnm", "--xyz", "3,0,3", to]).0;
    // On the floor, and a climb above it.
    for to in ["20,0,5", "20,0.4,5"] {
        assert_eq!(ask(to, 0)["status"], "complete", "{to}");
    }
    // The floor stands at 0.2 by whole cells: so many squares above it.
    for (to, away) in [("20,10,5", 9.8), ("20,20,5", 19.8), ("20,-5,5", 5.2)] {
        let told = ask(to, 1);
        let reason = told["reason"].as_str().unwrap();
        assert_eq!(
            (&told["status"], told["points"].as_array().unwrap().len()),
            (&"none".into(), 0),
            "{reason}"
        );
        let said: f64 =
            reason.split("the end lies ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((said - away).abs() < 0.25, "{to}: {reason}");
    }
    // Beside and above: 6 beside the hall's end less a radius, 10 above.
    let reason = ask("36,10,5", 1)["reason"].as_str().unwrap().to_owned();
    let said: f64 = reason.split("the end lies ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((said - 6.4_f64.hypot(9.8)).abs() < 0.5 && reason.contains("beside it"), "{reason}");
    // So far off that nothing is looked for is no answer to another question; the nearest is named.
    let reason = ask("20,50,5", 1)["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("at height 50.000 lies off the mesh: no open floor within 32"), "{reason}");
    assert!(reason.contains("the nearest lies"), "{reason}");
}

/// The mesh ends at 10 less the radius; what a check fails, `path` does not find, and the other way round.
#[test]
fn path_and_check_give_one_verdict_on_places_off_the_mesh() {
    let bench = Bench::new();
    bench.with("map.nav", "nav walk 0 0 0 10 0 10 10 0 10");
    let set = ["--set", "agent_radius=0.4"];
    bench.run(&[&["bake", "map.nav", "-o", "map.onnm"][..], &set].concat()).ends(0);
    let limit = std::f64::consts::SQRT_2 * 0.4 + 2.0 * 0.25;
    for (away, code) in [(0.0, 0), (limit - 0.02, 0), (limit + 0.02, 1), (20.5, 1)] {
        let place = format!("{},5", 9.6 + away);
        for (from, to, name) in [("1,5", place.as_str(), "end"), (place.as_str(), "1,5", "start")] {
            for file in [&["map.onnm"][..], &["map.nav", "--set", "agent_radius=0.4"]] {
                let (told, _) = asked(&bench, code, &[&["path"], file, &[from, to]].concat());
                assert_eq!(told["status"], if code == 0 { "complete" } else { "none" }, "{away}");
                let reason = told["reason"].as_str().unwrap();
                let said = reason.contains(&format!("the {name} lies")) && reason.contains("off the mesh");
                assert_eq!(said, code == 1, "{reason}");
                assert_eq!(
                    reason.contains("between the nearest floors there is one of"),
                    code == 1,
                    "{reason}"
                );
            }
            bench.with("pairs.txt", format!("{} {}\n", pair(from), pair(to)));
            let line = bench.run(&["path", "map.onnm", "--pairs", "pairs.txt"]).ends(code).out;
            assert_eq!(line.starts_with("none"), code == 1, "{line}");
            let drawn = ["render", "map.onnm", "-o", "x.svg", "--path", from, to];
            bench.run(&drawn).ends(code);
        }
    }
}

fn pair(place: &str) -> String {
    format!("{} 0", place.replace(',', " "))
}

#[test]
fn islands_are_counted_from_1_of_how_many_there_are() {
    let bench = Bench::baked(&format!("{MAP}{APART}"));
    let said = bench.run(&["path", "map.onnm", "1,1", "22,2", "--explain"]).ends(1).out;
    let all = said.lines().find(|line| line.starts_with("why:")).unwrap();
    assert!(all.contains("the end on island 2 of 2 (1 polygon)"), "{said}");
    assert!(all.contains("the start is on island 1 of 2 ("), "{said}");
    assert!(said.contains("start on island 1 of 2 (") && said.contains("end on island 2 of 2 ("), "{said}");
    let told = bench.run(&["path", "map.onnm", "22,2", "1,1", "--explain", "--json"]).ends(1).json();
    assert_eq!(
        (&told["explanation"]["start"]["island"], &told["explanation"]["end"]["island"]),
        (&2.into(), &1.into())
    );
    assert_eq!(told["explanation"]["start"]["islands"], 2);
}

#[test]
fn a_mesh_is_not_written_to_the_name_of_something_else() {
    let bench = Bench::baked(MAP);
    for name in ["x.png", "x.obj", "x.nav.ron", "x.onn", "folder.onnm/x.txt"] {
        for args in [["bake", "map.nav", "-o", name], ["merge", "map.onnm", "-o", name]] {
            bench.run(&args).ends(2).complains(&[name, ".onnm or .onnw"]);
            assert!(!bench.file(name).exists(), "{name}");
        }
    }
    for name in ["x.onnm", "x.ONNM", "x.onnw", "x", "x.y.onnm"] {
        bench.run(&["bake", "map.nav", "-o", name]).ends(0);
        assert!(bench.file(name).exists(), "{name}");
    }
}

#[test]
fn geometry_that_a_flat_bake_leaves_out_is_said_once() {
    let (bench, file) = (Bench::new(), hall_file());
    for verb in [
        &["bake", &file, "-o", "x.onnm", "--mode", "flat"][..],
        &["check", &file, "--mode", "flat"],
        &["render", &file, "-o", "x.svg", "--mode", "flat"],
        &["path", &file, "6,8", "20,8", "--mode", "flat"],
    ] {
        let ran = bench.run(verb);
        let said = format!("{}{}", ran.out, ran.err);
        assert_eq!(said.matches("leaves out").count(), 1, "{verb:?}: {said}");
    }
}

#[test]
fn an_empty_map_says_that_its_mesh_is_empty() {
    let bench = Bench::new();
    let empty = "the mesh is empty: the map has no walk area and no geometry";
    for (name, map, said) in [
        ("new.nav", "# nothing yet\n", empty),
        ("hole.nav", "nav hole 0 0 0 4 0 4 4 0 4\n", empty),
        ("gone.nav", "nav walk 0 1 1 3 1 3 3 1 3\nnav hole 0 0 0 4 0 4 4 0 4\n", "is cut away by"),
    ] {
        bench.with(name, map);
        let text = bench.run(&["bake", name, "-o", "x.onnm"]).out;
        assert_eq!(text.matches(said).count(), 1, "{text}");
        assert_eq!(text.contains(empty), said == empty, "the reason is said already: {text}");
    }
    // The file is written, and the script is told.
    let json = bench.run(&["bake", "new.nav", "-o", "x.onnm", "--json"]).ends(1).json();
    bench.run(&["validate", "x.onnm"]).ends(0);
    assert_eq!(json["diagnostics"][0]["kind"], "no_floor");
    assert_eq!(json["diagnostics"][0]["severity"], "warning");
    for verb in [&["check", "new.nav"][..], &["render", "new.nav", "-o", "x.svg"]] {
        bench.run(verb).ends(0).complains(&[empty]);
    }
    // A part of a map may well be empty, and a drawn map is not.
    for more in [&["--tiles", "0,0..1,1"][..], &[]] {
        let name = if more.is_empty() { "map.nav" } else { "new.nav" };
        bench.with("map.nav", MAP);
        let ran = bench.run(&[&["bake", name, "-o", "x.onnm"], more].concat()).ends(0);
        assert!(!ran.out.contains(empty) && !ran.err.contains(empty), "{}", ran.out);
    }
}

/// Tiles of 16: a floor over two of them, and beyond it a third; a link from tile 0 to tile 2, 0.5 off any floor at its far
/// end in a case.
fn linked(end: f64) -> String {
    let link = format!(
        "links: [(id: 1, name: \"leap\", start: (4, 4), start_level: 0, end: ({end}, 4), end_level: 0, radius: 0.5, \
         bidirectional: true, area: 0, flags: 1, user_id: 1)],"
    );
    let area = |id: u32, [x0, x1]: [f64; 2]| {
        format!(
            "(id: {id}, order: {id}0, name: \"a{id}\", kind: walk, level: 0, points: [({x0}, 0), ({x1}, 0), ({x1}, 8), ({x0}, 8)]),"
        )
    };
    format!(
        "Project(\n    version: 2,\n    settings: (tile_size: 16),\n    areas: [{}{}],\n    {link}\n)\n",
        area(1, [0.0, 30.0]),
        area(2, [33.0, 46.0])
    )
}

#[test]
fn a_part_of_a_map_answers_for_its_own_links_alone() {
    let bench = Bench::new();
    // The end on the far floor; nowhere; and beside it, in the last tile.
    for (end, in_part) in [(40.0, None), (47.6, Some(1))] {
        bench.with("map.nav.ron", linked(end));
        let links = |ran: Value| -> Vec<String> {
            let found = ran["diagnostics"].as_array().unwrap().iter();
            found
                .filter(|said| said["kind"].as_str().unwrap().starts_with("link"))
                .map(Value::to_string)
                .collect()
        };
        let bake = |more: &[&str]| {
            links(bench.run(&[&["bake", "map.nav.ron", "--json"], more].concat()).ends(0).json())
        };
        let whole = bake(&["-o", "whole.onnm"]);
        assert_eq!(whole.is_empty(), in_part.is_none(), "{whole:?}");
        let west = bake(&["-o", "west.onnm", "--tiles", "0,0..0,0"]);
        let east = bake(&["-o", "east.onnm", "--tiles", "1,0..2,0"]);
        // The west owns the link, and cannot know what the east has at its end.
        assert_eq!((west, east), (vec![], vec![]), "{end}");
        bench.run(&["merge", "west.onnm", "east.onnm", "-o", "both.onnm"]).ends(0);
        assert_eq!(
            std::fs::read(bench.file("both.onnm")).unwrap(),
            std::fs::read(bench.file("whole.onnm")).unwrap()
        );
    }
    // A start beside all floors is said by the part that it lies in, and by no other.
    bench.with("map.nav.ron", linked(40.0).replace("start: (4, 4)", "start: (4, 12)"));
    for (tiles, said) in [("0,0..0,0", 1), ("1,0..2,0", 0)] {
        let args = ["bake", "map.nav.ron", "-o", "x.onnm", "--tiles", tiles, "--json"];
        let json = bench.run(&args).ends(0).json();
        let found = json["diagnostics"].as_array().unwrap().iter();
        let found = found.filter(|found| found["kind"] == "link_start_unattached").count();
        assert_eq!(found, said, "{tiles}: {json:#}");
    }
}

#[test]
fn tiles_where_nothing_is_are_told_from_empty_ones() {
    let (bench, file) = (Bench::baked(MAP), hall_file());
    bench.with("map.nav.ron", linked(40.0));
    // The hall is 30 × 20 and its tiles 16.
    for (map, range) in [("map.nav.ron", "0,0..2,0"), (file.as_str(), "0,0..1,1"), ("map.nav", "0,0..0,0")] {
        let args = ["bake", map, "-o", "x.onnm", "--tiles", "50,50..60,60"];
        let note = format!("--tiles 50,50..60,60: no tile is there; the map lies on tiles {range}");
        bench.run(&args).ends(0).complains(&[&note]);
        let json = bench.run(&[&args[..], &["--json"]].concat()).ends(0).json();
        assert!(json["notes"].as_array().unwrap().contains(&note.into()), "{json:#}");
        let ran = bench.run(&["bake", map, "-o", "x.onnm", "--tiles", "0,0..0,0"]).ends(0);
        assert!(!ran.err.contains("no tile is there"), "{}", ran.err);
    }
}

#[test]
fn a_wrong_scale_is_said_with_the_size_that_it_makes() {
    let bench = Bench::new();
    bench.with("plate.obj", "v 0 0 0\nv 91 0 0\nv 91 0 77\nv 0 0 77\nf 1 4 3 2\n");
    let bake = |scale: &str| bench.run(&["bake", "plate.obj", "-o", "x.onnm", "--scale", scale]);
    let said = bake("0.001").ends(1).out;
    assert!(said.contains("the geometry is 0.091 by 0.077 squares in all: its scale may be wrong"), "{said}");
    assert!(!bake("1").ends(0).out.contains("scale"));
    // 1 820 000 by 1 540 000 squares are 669 000 tiles of 8192 cells of 0.25, and 4 200 000 of as many of 0.1.
    let big = bake("20000").ends(2).complains(&["raise tile_size, which may be 2048"]);
    assert!(!big.err.contains("no tile_size"), "{}", big.err);
    let fine = ["bake", "plate.obj", "-o", "x.onnm", "--scale", "20000", "--set", "cell_size=0.1"];
    let fine = bench.run(&fine).ends(2).complains(&["no tile_size helps", "scale", "1820000 by 1540000"]);
    assert!(!fine.err.contains("raise tile_size"), "{}", fine.err);
}

#[test]
fn a_map_without_checks_says_so_and_a_word_that_is_no_command_too() {
    let bench = Bench::baked(MAP);
    bench.with("plate.obj", "v 0 0 0\nv 9 0 0\nv 9 0 9\nv 0 0 9\nf 1 4 3 2\n");
    for file in ["plate.obj", "map.nav"] {
        let ran = bench.run(&["check", file]).ends(0).complains(&["pins no checks", file]);
        assert!(ran.out.contains("0 checks, 0 failed"), "{}", ran.out);
    }
    assert!(bench.run(&["check", "--help"]).ends(0).out.contains("hold no checks"));
    for words in [&["konvert", "a", "b"][..], &["konvert", "map.nav"], &["konvert"], &["konvert", "--json"]] {
        let ran =
            bench.run(words).ends(2).complains(&["no command of that name", "convert", "bake", "merge"]);
        assert!(!ran.err.contains("subcommand"), "{}", ran.err);
    }
    // What is a file, or a command used wrongly, is told as before.
    bench.run(&["bake"]).ends(2).complains(&["required", "PROJECT"]);
    bench.run(&["map.nav", "b"]).ends(2).complains(&["b"]);
}

#[test]
fn diff_begins_with_what_differs() {
    let bench = Bench::new();
    bench.with("a.nav", MAP).with("b.nav", MAP.replace("6.000 4.000", "6.500 4.000"));
    let text = bench.run(&["diff", "a.nav", "b.nav"]).ends(1).out;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("A ") && lines[1].starts_with("B ") && lines[2] == "map", "{text}");
    assert!(lines[3].starts_with("  ! "), "{text}");
    // Settings that are equal are one line each for the parameters and for what is behind the digest.
    assert_eq!(text.matches("the same in both").count(), 2, "{text}");
    assert!(!text.contains("cell_size"), "{text}");
    bench.run(&["bake", "a.nav", "-o", "a.onnm"]).ends(0);
    bench.run(&["bake", "a.nav", "-o", "b.onnm", "--set", "cell_size=0.5"]).ends(0);
    let text = bench.run(&["diff", "a.onnm", "b.onnm"]).ends(1).out;
    let differing: Vec<&str> = text.lines().filter(|line| line.starts_with("  ! ")).collect();
    assert!(differing.iter().all(|line| line.contains("cell_size") || line.contains("digest")), "{text}");
    assert!(!differing.is_empty() && !text.contains("agent_radius"), "{text}");
}
