//! The command line as its users see it: the binary in a temporary folder, its output and exit codes.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::root;

/// A floor of 10 × 10 with a hole of 2 × 2 in its middle, and on level 1 a landing of 4 × 2 whose west end lies on
/// the floor's east side.
pub(crate) const MAP: &str = "\
nav walk 0 0.000 0.000 10.000 0.000 10.000 10.000 0.000 10.000
nav hole 0 4.000 4.000 6.000 4.000 6.000 6.000 4.000 6.000
nav walk 1 10.000 2.000 14.000 2.000 14.000 4.000 10.000 4.000
";
/// A floor that nothing joins.
pub(crate) const APART: &str = "nav walk 0 20.000 0.000 24.000 0.000 24.000 4.000 20.000 4.000\n";

pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn with(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.file(name), content).unwrap();
        self
    }

    /// Runs in the folder, with no display.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_in("", args)
    }

    fn run_in(&self, input: &str, args: &[&str]) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that reads nothing may be gone already.
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).ok();
        Ran::from(child.wait_with_output().unwrap(), args)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navwright"));
        command.args(args).current_dir(self.folder.path());
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            command.env_remove(name);
        }
        command
    }

    /// A folder with the map as `map.nav`, baked to `map.onnm`.
    pub(crate) fn baked(map: &str) -> Self {
        let bench = Self::new();
        bench.with("map.nav", map).run(&["bake", "map.nav", "-o", "map.onnm"]).ends(0);
        bench
    }
}

pub(crate) struct Ran {
    args: String,
    code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn from(output: Output, args: &[&str]) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self {
            args: args.join(" "),
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        let Self { args, out, err, .. } = &self;
        assert_eq!(self.code, Some(code), "navwright {args}\n--- stdout\n{out}\n--- stderr\n{err}");
        self
    }

    /// Standard error says all of these.
    #[track_caller]
    pub(crate) fn complains(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "navwright {}: no {word:?} in\n{}", self.args, self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in\n{}", self.out))
    }
}

pub(crate) fn has_keys(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "no key {key:?} in {value:#}");
    }
}

pub(crate) fn close(value: &Value, right: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - right).abs() < 1e-4, "{found}, not {right}");
}

const COUNTS: [&str; 8] =
    ["fingerprint", "settings_digest", "tiles", "polygons", "links", "neighbours", "islands", "area"];

#[test]
fn bake_inspect_and_validate_agree() {
    let bench = Bench::new();
    bench.with("map.nav", MAP);
    let baked = bench.run(&["bake", "map.nav", "-o", "map.onnm", "--json"]).ends(0).json();
    has_keys(&baked, &COUNTS);
    has_keys(&baked, &["diagnostics", "timings"]);
    close(&baked["area"]["0"], 96.0);
    close(&baked["area"]["1"], 8.0);
    assert_eq!(baked["islands"], 1);
    for diagnostic in baked["diagnostics"].as_array().unwrap() {
        let keys = ["kind", "severity", "x", "z", "level", "element", "measured", "limit", "message"];
        has_keys(diagnostic, &keys);
    }
    assert!(baked["timings"]["bake"].as_f64().unwrap() >= 0.0);

    let inspected = bench.run(&["inspect", "map.onnm", "--json"]).ends(0).json();
    for key in COUNTS {
        assert_eq!(inspected[key], baked[key], "{key}");
    }
    assert_eq!(inspected["kind"], "ONNM");
    assert_eq!(inspected["bytes"].as_u64(), Some(fs::metadata(bench.file("map.onnm")).unwrap().len()));
    let map = bench.run(&["inspect", "map.nav", "--json"]).ends(0).json();
    assert_eq!(map["fingerprint"], baked["fingerprint"], "what the map will have is what the mesh has");
    assert_eq!(map["areas"], 3);
    let level_0 = &map["levels"][0];
    assert_eq!(
        (&level_0["number"], &level_0["walk_areas"], &level_0["holes"]),
        (&0.into(), &1.into(), &1.into())
    );
    assert!(bench.run(&["inspect", "map.onnm"]).ends(0).out.contains("cell_size"));
    assert!(bench.run(&["inspect", "map.nav"]).ends(0).out.contains("1 walk area, 1 hole"));

    let valid = bench.run(&["validate", "map.onnm", "map.nav"]).ends(0);
    assert_eq!(valid.out.matches(": valid").count(), 2, "{}", valid.out);
}

#[test]
fn the_same_map_bakes_to_the_same_bytes_on_any_number_of_threads() {
    let bench = Bench::new();
    // Four tiles by four, with a hole in each.
    let mut map = "nav walk 0 0.000 0.000 128.000 0.000 128.000 128.000 0.000 128.000\n".to_owned();
    for (x, z) in (0..16).map(|index| (8 + 32 * (index % 4), 8 + 32 * (index / 4))) {
        map += &format!("nav hole 0 {x}.000 {z}.000 {}.500 {z}.250 {}.125 {}.000\n", x + 20, x + 3, z + 13);
    }
    bench.with("map.nav", map);
    for jobs in ["1", "2", "8"] {
        let out = format!("{jobs}.onnm");
        bench.run(&["bake", "map.nav", "-o", &out, "--jobs", jobs]).ends(0);
    }
    let bytes = |name: &str| fs::read(bench.file(name)).unwrap();
    assert_eq!(bytes("1.onnm"), bytes("2.onnm"));
    assert_eq!(bytes("1.onnm"), bytes("8.onnm"));
    let tile_ids = |name: &str| {
        let list = bench.run(&["inspect", name, "--json"]).ends(0).json()["tile_list"].clone();
        let mut ids: Vec<String> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|tile| format!("{} {} {} {}", tile["x"], tile["z"], tile["layer"], tile["content_id"]))
            .collect();
        ids.sort();
        ids
    };
    bench.run(&["bake", "map.nav", "-o", "part.onnm", "--tiles", "1,1..2,2"]).ends(0);
    let (whole, part) = (tile_ids("1.onnm"), tile_ids("part.onnm"));
    assert_eq!((whole.len(), part.len()), (16, 4));
    assert!(part.iter().all(|id| whole.contains(id)), "a tile baked alone is the tile of the whole");
}

#[test]
fn a_path_goes_around_the_hole_and_up_the_stairs() {
    let bench = Bench::baked(MAP);
    // By the hole's corner (6, 4) or (4, 6): twice the root of 34.
    let around = bench.run(&["path", "map.onnm", "1,1", "9,9,0", "--json"]).ends(0).json();
    has_keys(&around, &["status", "length", "length_3d", "points", "reason"]);
    assert_eq!(around["status"], "complete");
    close(&around["length"], 2.0 * 34.0_f64.sqrt());
    // Straight up the landing: 12 long, and the level changes at x = 10.
    let up = bench.run(&["path", "map.onnm", "1,3", "13,3,1", "--json"]).ends(0).json();
    close(&up["length"], 12.0);
    let points = up["points"].as_array().unwrap();
    let corners: Vec<(f64, i64)> =
        points.iter().map(|p| (p["x"].as_f64().unwrap(), p["level"].as_i64().unwrap())).collect();
    assert_eq!(corners, [(1.0, 0), (10.0, 1), (13.0, 1)]);
    let text = bench.run(&["path", "map.onnm", "1,3", "13,3,1", "--explain"]).ends(0).out;
    assert!(text.starts_with("complete, length 12 "), "{text}");
    // With heights: level 1 lies 3 above.
    let high = bench.run(&["path", "map.onnm", "--xyz", "1,0,3", "13,2.9,3", "--json"]).ends(0).json();
    assert_eq!(high["points"][2]["level"], 1);
}

#[test]
fn no_path_is_a_finding_with_a_reason() {
    let bench = Bench::baked(&format!("{MAP}{APART}"));
    let ran = bench.run(&["path", "map.onnm", "1,1", "22,2", "--json"]).ends(1);
    assert_eq!(ran.json()["status"], "partial");
    assert!(!ran.json()["reason"].as_str().unwrap().is_empty());
    let text = bench.run(&["path", "map.onnm", "1,1", "22,2", "--explain"]).ends(1).out;
    assert!(text.contains("why: "), "{text}");
    let none = bench.run(&["path", "map.onnm", "1,1", "2000,2", "--json"]).ends(1);
    assert_eq!(none.json()["status"], "none");
}

#[test]
fn negative_coordinates_are_places_too() {
    let map = "nav walk -1 -10.000 -10.000 -2.000 -10.000 -2.000 -2.000 -10.000 -2.000\n";
    let bench = Bench::baked(map);
    let path = bench.run(&["path", "map.onnm", "-9,-3,-1", "-3,-3", "--json"]).ends(0).json();
    close(&path["length"], 6.0);
    assert_eq!(path["points"][0]["level"], -1);
    bench.run(&["bake", "map.nav", "-o", "part.onnm", "--tiles", "-1,-1..-1,-1"]).ends(0);
    bench.run(&["bake", "map.nav", "-o", "moved.onnm", "--set", "origin=-8,0,-8"]).ends(0);
    bench.run(&["render", "map.onnm", "-o", "map.svg", "--path", "-9,-3", "-3,-3"]).ends(0);
}

#[test]
fn many_pairs_get_a_line_each() {
    let bench = Bench::baked(&format!("{MAP}{APART}"));
    let pairs = "# from, to\n1 3 0 9 3 0\n\n1,3,0 13,3,1\n1 1 0 22 2 0\n";
    let ran = bench.run_in(pairs, &["path", "map.onnm", "--pairs", "-"]).ends(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", ran.out);
    assert!(lines[0].starts_with("complete 8 ") && lines[1].starts_with("complete 12 "), "{}", ran.out);
    assert!(lines[2].starts_with("partial "), "{}", ran.out);
    bench.with("pairs.txt", "1 3 0 9 3 0\n1 3 0 9 3\n");
    let ran = bench.run(&["path", "map.onnm", "--pairs", "pairs.txt", "--json"]).ends(2);
    let ran = ran.complains(&["pairs.txt:2", "5 numbers", "6 are needed"]);
    assert_eq!(ran.json()["status"], "complete", "the lines before were answered");
}

#[test]
fn pictures_are_what_their_names_say() {
    let bench = Bench::baked(MAP);
    bench.run(&["render", "map.nav", "-o", "map.png", "--size", "640x480"]).ends(0);
    let png = fs::read(bench.file("map.png")).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (640, 480));
    bench.run(&["render", "map.onnm", "-o", "map.svg", "--path", "1,3", "13,3", "--theme", "light"]).ends(0);
    let svg = fs::read_to_string(bench.file("map.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    for word in ["floor, level 0", "floor, level 1", "seam of two levels", "path", ">S<", ">E<"] {
        assert!(svg.contains(word), "no {word:?}");
    }
    bench.run(&["render", "map.onnm", "-o", "map.gif"]).ends(2).complains(&["map.gif", ".png or .svg"]);
    bench.run(&["render", "map.onnm", "-o", "map.png", "--size", "99999"]).ends(2).complains(&["16384"]);
    bench
        .run(&["render", "map.onnm", "-o", "map.png", "--set", "flags=2"])
        .ends(2)
        .complains(&["baked already"]);
}

#[test]
fn errors_in_the_map_are_a_finding_and_the_rest_is_written() {
    let bench = Bench::new();
    bench.with("map.nav", format!("{MAP}nav walk 0 20.000 20.000 21.000 21.000 22.000 22.000\n"));
    let ran = bench.run(&["bake", "map.nav", "-o", "map.onnm", "--json"]).ends(1).json();
    let list = ran["diagnostics"].as_array().unwrap();
    assert_eq!((&list[0]["kind"], &list[0]["severity"]), (&"outline_degenerate".into(), &"error".into()));
    close(&ran["area"]["0"], 96.0);
    let text = bench.run(&["bake", "map.nav", "-o", "map.onnm"]).ends(1).out;
    assert!(text.contains("error: outline_degenerate at "), "{text}");
    bench.run(&["validate", "map.onnm"]).ends(0);
}

#[test]
fn an_empty_map_has_an_empty_mesh() {
    let bench = Bench::new();
    // A script is told, and the file is written all the same.
    bench.with("map.nav", "# nothing yet\n").run(&["bake", "map.nav", "-o", "map.onnm"]).ends(1);
    let inspected = bench.run(&["inspect", "map.onnm", "--json"]).ends(0).json();
    assert_eq!((&inspected["tiles"], &inspected["islands"]), (&0.into(), &0.into()));
    bench.run(&["validate", "map.onnm"]).ends(0);
    bench.run(&["render", "map.onnm", "-o", "map.png"]).ends(0);
    bench.run(&["path", "map.onnm", "1,1", "2,2"]).ends(1);
}

#[test]
fn settings_are_overridden_by_name() {
    let bench = Bench::new();
    bench.with("map.nav", MAP);
    let set = |list: &[&str]| {
        let mut args = vec!["bake", "map.nav", "-o", "map.onnm"];
        list.iter().for_each(|text| args.extend(["--set", text]));
        bench.run(&args)
    };
    set(&["tile_size=9.6", "cell_size=0.3", "flags=3", "partition=monotone", "origin=1,0,-2.5"]).ends(0);
    let settings = bench.run(&["inspect", "map.onnm", "--json"]).ends(0).json()["settings"].clone();
    // The float32 nearest to 9.6.
    assert_eq!(settings["tile_size"].as_f64(), Some(f64::from(9.6_f32)));
    assert_eq!(settings["cell_size"].as_f64(), Some(0.3));
    assert_eq!(settings["partition"], "monotone");
    assert_eq!(settings["origin"], serde_json::json!([1.0, 0.0, -2.5]));

    set(&["cel_size=1"]).ends(2).complains(&["--set cel_size=1", "no setting", "cell_size"]);
    set(&["cell_size"]).ends(2).complains(&["NAME=VALUE"]);
    set(&["cell_size=wide"]).ends(2).complains(&["\"wide\" is not a number"]);
    set(&["cell_size=-1"]).ends(2).complains(&["cell_size is -1"]);
    set(&["cell_size=inf"]).ends(2).complains(&["not a number"]);
    set(&["max_verts_per_poly=2.5"]).ends(2).complains(&["not a whole number"]);
    set(&["max_verts_per_poly=99999999"]).ends(2).complains(&["does not fit"]);
    set(&["max_verts_per_poly=17"]).ends(2).complains(&["max_verts_per_poly is 17"]);
    set(&["walkable_climb=1e99"]).ends(2).complains(&["does not fit"]);
    set(&["partition=best"]).ends(2).complains(&["watershed, monotone, layers"]);
    set(&["origin=1,2"]).ends(2).complains(&["2 numbers"]);
}

/// What is refused is never silently ignored, and the old file stays.
#[test]
fn what_cannot_be_baked_is_refused_and_the_old_file_stays() {
    let bench = Bench::new();
    bench.with("map.nav", MAP).with("map.onnm", "what was there");
    let old = || fs::read_to_string(bench.file("map.onnm")).unwrap();
    let bake = |more: &[&str]| bench.run(&[&["bake", "map.nav", "-o", "map.onnm"], more].concat());
    bake(&["--set", "agent_radius=1e30"]).ends(2).complains(&["agent_radius"]);
    bake(&["--mode", "cubes"]).ends(2).complains(&["cubes"]);
    bake(&["--class", "1"]).ends(2).complains(&["--class 1: map.nav has 1 agent class: 0 \"agent\""]);
    bake(&["--jobs", "many"]).ends(2).complains(&["--jobs"]);
    bake(&["--tiles", "1,1"]).ends(2).complains(&["X0,Z0..X1,Z1"]);
    bake(&["--tiles", "1,1..0,0"]).ends(2).complains(&["does not lie before"]);
    assert_eq!(old(), "what was there");
    bench.run(&["bake", "map.nav"]).ends(2).complains(&["--output"]);
    let left: Vec<_> =
        fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "no temporary file stays behind: {left:?}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let bench = Bench::new();
    bench.with("empty", "").with("poem.txt", "Shall I compare thee").with("zeros", [0; 64]);
    fs::create_dir(bench.file("folder")).unwrap();
    for name in ["missing.nav", "folder", "empty", "poem.txt", "zeros"] {
        for verb in ["inspect", "validate"] {
            bench.run(&[verb, name]).ends(2).complains(&[name]);
        }
        bench.run(&["bake", name, "-o", "out.onnm"]).ends(2).complains(&[name]);
        bench.run(&["path", name, "1,1", "2,2"]).ends(2).complains(&[name]);
        bench.run(&["render", name, "-o", "out.png"]).ends(2).complains(&[name]);
    }
    // The system's reason is said once.
    let missing = bench.run(&["inspect", "missing.nav"]);
    assert_eq!(missing.err.matches("(os error").count(), 1, "{}", missing.err);
    bench.with("map.nav", MAP);
    bench.run(&["stitch", "map.nav"]).ends(2).complains(&["map.nav", "bake it first"]);
}

#[test]
fn a_word_for_a_number_in_map_text_is_found_at_its_place() {
    let bench = Bench::new();
    bench.with("map.nav", "nav walk 0 0.000 0.000 ten 0.000 10.000 10.000\n");
    bench.run(&["bake", "map.nav", "-o", "out.onnm"]).ends(2).complains(&["map.nav:1:24", "ten"]);
    let invalid = bench.run(&["validate", "map.nav"]).ends(1).out;
    assert!(invalid.contains("map.nav:1:24: invalid") && invalid.contains("ten"), "{invalid}");
}

#[test]
fn a_project_cut_anywhere_is_refused_with_a_place() {
    let bench = Bench::new();
    let project = fs::read(root().join("assets/arena.nav.ron")).unwrap();
    bench.with("whole.nav.ron", &project);
    bench.run(&["validate", "whole.nav.ron"]).ends(0);
    for cut in (1..24).map(|part| part * project.len() / 24) {
        bench.with("cut.nav.ron", &project[..cut]);
        let ran = bench.run(&["bake", "cut.nav.ron", "-o", "out.onnm"]).ends(2).complains(&["cut.nav.ron:"]);
        let place = ran.err.split("cut.nav.ron:").nth(1).unwrap();
        assert!(place.starts_with(|c: char| c.is_ascii_digit()), "cut at {cut}: {}", ran.err);
    }
    assert!(!bench.file("out.onnm").exists());
}

#[test]
fn a_damaged_mesh_is_invalid_and_says_where() {
    let bench = Bench::baked(MAP);
    let bytes = fs::read(bench.file("map.onnm")).unwrap();
    for cut in (1..32).map(|part| 4 + part * (bytes.len() - 5) / 32) {
        bench.with("cut.onnm", &bytes[..cut]);
        let ran = bench.run(&["validate", "cut.onnm"]).ends(1);
        assert!(ran.out.starts_with("cut.onnm: invalid: "), "cut at {cut}: {}", ran.out);
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let mut version = bytes.clone();
    version[4] = 9;
    bench.with("longer.onnm", longer).with("version.onnm", version);
    let ran = bench.run(&["validate", "longer.onnm", "map.onnm", "version.onnm", "--json"]).ends(1).json();
    let valid: Vec<&Value> = ran.as_array().unwrap().iter().map(|row| &row["valid"]).collect();
    assert_eq!(valid, [false, true, false]);
    assert!(ran[2]["error"].as_str().unwrap().contains("version 9"), "{ran:#}");
    bench.run(&["path", "version.onnm", "1,1", "2,2"]).ends(2).complains(&["version.onnm", "version 9"]);
    bench.run(&["inspect", "version.onnm"]).ends(2).complains(&["version.onnm"]);
}

#[test]
fn places_that_are_none_are_wrong_usage() {
    let bench = Bench::baked(MAP);
    let ask = |from: &str, to: &str| bench.run(&["path", "map.onnm", from, to]);
    ask("1,one", "2,2").ends(2).complains(&["\"one\" is not a number"]);
    ask("1", "2,2").ends(2).complains(&["it has 1 number;"]);
    ask("1,1,0,0", "2,2").ends(2).complains(&["4 numbers"]);
    ask("1,1,0.5", "2,2").ends(2).complains(&["0.5 is no level"]);
    ask("1,1,300", "2,2").ends(2).complains(&["300 is no level"]);
    ask("nan,1", "2,2").ends(2).complains(&["not a number"]);
    ask("3000000,1", "2,2").ends(2).complains(&["3000000", "2097152"]);
    bench.run(&["path", "map.onnm", "--xyz", "1,1", "2,2,2"]).ends(2).complains(&["X,Y,Z"]);
    bench.run(&["path", "map.onnm", "1,1"]).ends(2).complains(&["<TO>"]);
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let bench = Bench::baked(MAP);
    fs::create_dir(bench.file("folder")).unwrap();
    let outs = ["missing/out.onnm", "folder", "map.nav/out.onnm"];
    for out in outs {
        bench.run(&["bake", "map.nav", "-o", out]).ends(2).complains(&["cannot write", out]);
    }
    bench.run(&["render", "map.onnm", "-o", "missing/out.svg"]).ends(2).complains(&["missing"]);
    assert_eq!(fs::read_to_string(bench.file("map.nav")).unwrap(), MAP);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_keeps_its_old_file() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::baked(MAP);
    let folder = bench.file("locked");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("out.onnm"), "what was there").unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let is_enforced = fs::write(folder.join("probe"), "").is_err();
    if is_enforced {
        bench
            .run(&["bake", "map.nav", "-o", "locked/out.onnm"])
            .ends(2)
            .complains(&["cannot write", "locked"]);
        assert_eq!(fs::read_to_string(folder.join("out.onnm")).unwrap(), "what was there");
    } else {
        eprintln!("SKIPPED: this user may write into read-only folders");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    // Nobody creates files here, not even root.
    if Path::new("/sys/kernel").is_dir() {
        bench.run(&["bake", "map.nav", "-o", "/sys/kernel/out.onnm"]).ends(2).complains(&["/sys/kernel"]);
    }
}

#[test]
fn without_a_display_the_editor_says_what_works() {
    let bench = Bench::new();
    bench.with("map.nav", MAP);
    for args in [&[][..], &["map.nav"]] {
        let words = [
            "navwright bake",
            "navwright inspect",
            "navwright validate",
            "navwright path",
            "navwright render",
        ];
        bench.run(args).ends(2).complains(&words);
    }
    bench.run(&["missing.nav"]).ends(2).complains(&["missing.nav", "--help"]);
}

#[test]
fn help_and_version_are_answers() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]).ends(0).out;
    for word in ["bake", "inspect", "validate", "path", "render", "Exit codes"] {
        assert!(help.contains(word), "no {word:?} in\n{help}");
    }
    for verb in ["bake", "inspect", "validate", "path", "render"] {
        let help = bench.run(&[verb, "--help"]).ends(0).out;
        assert!(help.contains("Usage: navwright"), "{help}");
    }
    assert_eq!(bench.run(&["--version"]).ends(0).out, format!("navwright {}\n", env!("CARGO_PKG_VERSION")));
    bench.run(&["bake", "--nonsense"]).ends(2).complains(&["--nonsense"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let bench = Bench::baked(MAP);
    let pairs = "1 3 0 9 3 0\n".repeat(5000);
    bench.with("pairs.txt", pairs);
    let mut command = bench.command(&["path", "map.onnm", "--pairs", "pairs.txt", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    // The pipe is closed by now.
    let ran = Ran::from(child.wait_with_output().unwrap(), &["path"]).ends(0);
    assert_eq!(ran.err, "");
}
