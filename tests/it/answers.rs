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
