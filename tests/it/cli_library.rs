//! `diff`, `stitch` and `merge` as their users see them.

use std::process::Stdio;

use navwright::format::{AuthoredLink, NavMesh, NavSettings, NavWorld, TiledNavMesh};
use serde_json::Value;

use crate::cli::{APART, Bench, MAP, close, has_keys};
use crate::vectors::read;

/// A floor of 80 × 80 with a hole, and a landing: 3 × 3 tiles of the default size, two levels.
const WIDE: &str = "\
nav walk 0 0.000 0.000 80.000 0.000 80.000 80.000 0.000 80.000
nav hole 0 20.000 20.000 50.000 20.000 50.000 50.000 20.000 50.000
nav walk 1 80.000 30.000 90.000 30.000 90.000 40.000 80.000 40.000
";

fn rows<'a>(diff: &'a Value, list: &str) -> Vec<&'a str> {
    let rows = diff[list].as_array().unwrap().iter();
    rows.filter(|row| row["differs"] == true).map(|row| row["name"].as_str().unwrap()).collect()
}

#[test]
fn a_file_does_not_differ_from_itself_or_from_its_map() {
    let bench = Bench::baked(MAP);
    let same = bench.run(&["diff", "map.onnm", "map.onnm", "--json"]).ends(0).json();
    has_keys(&same, &["different", "a", "b", "parameters", "settings", "links", "single_change", "tiles"]);
    assert_eq!(same["different"], false);
    assert!(same["tiles"]["same"].as_u64().unwrap() > 0);
    let text = bench.run(&["diff", "map.onnm", "map.onnm"]).ends(0);
    assert!(text.out.contains("no difference"), "{}", text.out);
    bench.run(&["diff", "map.nav", "map.onnm"]).ends(0);
}

#[test]
fn every_changed_setting_is_named_with_both_values_and_bits() {
    let bench = Bench::baked(MAP);
    let set = ["--set", "walkable_climb=0.6", "--set", "max_edge_length=9"];
    bench.run(&[&["bake", "map.nav", "-o", "other.onnm"], &set[..]].concat()).ends(0);
    let diff = bench.run(&["diff", "map.onnm", "other.onnm", "--json"]).ends(1).json();
    assert_eq!(rows(&diff, "parameters"), ["walkable_climb", "settings_digest"]);
    assert_eq!(rows(&diff, "settings"), ["max_edge_length"]);
    let climb = &diff["parameters"][0];
    assert_eq!((&climb["a"], &climb["b"]), (&"0.5".into(), &"0.6".into()));
    assert_eq!((&climb["a_bits"], &climb["b_bits"]), (&"3f000000".into(), &"3f19999a".into()));
    assert_eq!(climb["prints_the_same"], false);
    // The tiles are the same but for the fingerprint that they carry.
    assert_eq!(diff["tiles"]["different"], Value::Array(Vec::new()));
    let text = bench.run(&["diff", "map.onnm", "other.onnm"]).ends(1).out;
    let (first, rest) = text.split_once("parameters\n").unwrap().1.split_once('\n').unwrap();
    assert!(first.contains("walkable_climb") && first.contains("0x3f19999a"), "{text}");
    assert!(rest.contains("  ! max_edge_length"), "{text}");
}

#[test]
fn values_that_differ_in_the_last_bits_are_told_apart() {
    let bench = Bench::baked(MAP);
    let near = f64::from(0.2_f32).to_string();
    let set = format!("cell_height={near}");
    bench.run(&["bake", "map.nav", "-o", "other.onnm", "--set", &set]).ends(0);
    let diff = bench.run(&["diff", "map.onnm", "other.onnm"]).ends(1);
    assert!(diff.out.contains("prints the same, differs in the last bits"), "{}", diff.out);
    let json = bench.run(&["diff", "map.onnm", "other.onnm", "--json"]).ends(1).json();
    assert_eq!(rows(&json, "settings"), ["cell_height"]);
    assert_eq!(json["settings"][0]["prints_the_same"], true);
}

fn link(x: f64, user_id: u32) -> AuthoredLink {
    AuthoredLink {
        start: [x, 0.0, 1.0],
        end: [x, 0.0, 3.3],
        radius: 1.0,
        bidirectional: false,
        area: 0,
        flags: 1,
        user_id,
    }
}

/// An `.onnm` without tiles, with these links and a change of its settings.
fn built(bench: &Bench, name: &str, links: &[AuthoredLink], change: impl Fn(&mut NavSettings)) {
    let mut settings = NavSettings { links: links.to_vec(), ..NavSettings::default() };
    change(&mut settings);
    let mesh = NavMesh::new(settings).unwrap();
    bench.with(name, mesh.to_bytes().unwrap());
    bench.with(&name.replace(".onnm", ".onpm"), mesh.mesh.to_bytes());
}

#[test]
fn authored_links_are_added_removed_changed_and_moved() {
    let bench = Bench::new();
    let all = [link(1.0, 0), link(2.0, 0), link(3.0, 7), link(4.0, 0)];
    built(&bench, "a.onnm", &all, |_| {});
    let links = |links: &[AuthoredLink]| {
        built(&bench, "b.onnm", links, |_| {});
        let diff = bench.run(&["diff", "a.onnm", "b.onnm", "--json"]).ends(1).json();
        assert_eq!(rows(&diff, "parameters"), ["settings_digest"]);
        diff["links"].clone()
    };
    let empty = |links: &Value, keys: &[&str]| {
        keys.iter().for_each(|key| assert_eq!(links[key], Value::Array(Vec::new()), "{key} of {links}"));
    };
    let removed = links(&[all[0], all[2], all[3]]);
    assert_eq!(removed["removed"], serde_json::json!([1]));
    empty(&removed, &["added", "changed", "reordered"]);
    let added = links(&[link(9.0, 0), all[0], all[1], all[2], all[3]]);
    assert_eq!(added["added"], serde_json::json!([0]));
    empty(&added, &["removed", "changed", "reordered"]);
    let moved = links(&[all[3], all[0], all[1], all[2]]);
    assert_eq!(moved["reordered"], serde_json::json!([{"a": 3, "b": 0}]));
    empty(&moved, &["added", "removed", "changed"]);
    // The one with a number of its own is known by it, wherever it goes.
    let changed = links(&[all[0], AuthoredLink { radius: 2.5, ..link(8.0, 7) }, all[1], all[3]]);
    empty(&changed, &["added", "removed", "reordered"]);
    let [change] = &changed["changed"].as_array().unwrap()[..] else { panic!("{changed}") };
    assert_eq!((&change["a"], &change["b"]), (&2.into(), &1.into()));
    assert!(change["fields"].to_string().contains("radius 1 → 2.5"), "{change}");
}

/// All that is known of B is its digest: the one change of A's settings that gives it is found.
#[test]
fn the_single_change_behind_a_bare_digest_is_found() {
    let bench = Bench::new();
    let links = [link(1.0, 0), link(2.0, 0), link(3.0, 7)];
    let known = |settings: &mut NavSettings| {
        settings.cell_height = 0.25;
        settings.max_edge_length = 9.5;
    };
    built(&bench, "a.onnm", &links, known);
    let find = |name: &str| {
        let diff = bench.run(&["diff", "a.onnm", name, "--json"]).ends(1).json();
        let change = diff["single_change"].clone();
        let text = bench.run(&["diff", name, "a.onnm"]).ends(1).out;
        assert_eq!(change.is_null(), text.contains("no single change"), "{text}");
        change
    };
    type Change = fn(&mut NavSettings);
    let changes: [(&str, Change, &str); 7] = [
        ("cell_height", |s| s.cell_height = 0.2, "0.2"),
        ("max_edge_length", |s| s.max_edge_length = 9.5_f64.next_up(), "9.500000000000002"),
        ("detail_max_error", |s| s.detail_max_error = 0.2_f32.into(), "0.20000000298023224"),
        ("contour_max_error", |s| s.contour_max_error = 1.3_f32.next_down(), "1.2999998"),
        ("area", |s| s.area = 17, "17"),
        ("flags", |s| s.flags = 0, "0"),
        ("snap_bits", |s| s.snap_bits = 9, "9"),
    ];
    for (name, change, to) in changes {
        built(&bench, "b.onnm", &links, |settings| {
            known(settings);
            change(settings);
        });
        let found = find("b.onpm");
        assert_eq!((&found["name"], &found["to"]), (&name.into(), &to.into()));
    }
    built(&bench, "b.onnm", &[links[0], links[2]], known);
    assert_eq!(find("b.onpm")["name"], "link 2");
    built(&bench, "b.onnm", &[], known);
    assert_eq!(find("b.onpm")["name"], "links");
    built(&bench, "b.onnm", &links, |settings| {
        known(settings);
        (settings.cell_height, settings.area) = (0.2, 17);
    });
    assert!(find("b.onpm").is_null());
    // And a digest that is that of the settings is said to be.
    let same = bench.run(&["diff", "a.onnm", "a.onpm"]).ends(0).out;
    assert!(same.contains("B has only their digest, which is that of A's settings"), "{same}");
}

#[test]
fn a_mesh_made_by_hand_is_said_to_have_no_settings() {
    let bench = Bench::baked(MAP);
    bench.with("grid.onpm", read("grid_2x2.onpm"));
    let diff = bench.run(&["diff", "map.onnm", "grid.onpm"]).ends(1).out;
    assert!(diff.contains("B has none: its digest is 0"), "{diff}");
    let both = bench.run(&["diff", "grid.onpm", "grid.onpm"]).ends(0).out;
    assert!(both.contains("neither file has them") && both.contains("no difference"), "{both}");
}

#[test]
fn tiles_are_the_same_different_or_only_in_one() {
    let bench = Bench::baked(WIDE);
    bench.with("more.nav", WIDE.replace("20.000 50.000\n", "20.000 40.000\n") + APART);
    bench.run(&["bake", "more.nav", "-o", "more.onnm"]).ends(0);
    bench.run(&["bake", "map.nav", "-o", "part.onnm", "--tiles", "0,0..1,2"]).ends(0);
    let diff = bench.run(&["diff", "map.onnm", "part.onnm", "--json"]).ends(1).json();
    assert_eq!((&diff["tiles"]["same"], &diff["tiles"]["only_b"]), (&6.into(), &Value::Array(Vec::new())));
    let only: Vec<_> =
        diff["tiles"]["only_a"].as_array().unwrap().iter().map(|at| at["x"].as_i64()).collect();
    assert_eq!(only, [Some(2); 3]);
    assert_eq!(rows(&diff, "parameters"), [""; 0]);
    let diff = bench.run(&["diff", "map.onnm", "more.onnm"]).ends(1);
    assert!(
        diff.out.contains("different: (0, 1, layer 0): ")
            || diff.out.contains("different: (1, 1, layer 0): "),
        "{}",
        diff.out
    );
    bench.run(&["diff", "map.onnm", "missing.onnm"]).ends(2).complains(&["missing.onnm"]);
    bench.with("broken.onnm", "ONNMx").run(&["diff", "broken.onnm", "map.onnm"]).ends(2);
}

#[test]
fn worlds_are_compared_class_by_class() {
    let bench = Bench::new();
    bench.with("three.onnw", read("world_three.onnw"));
    let mut classes = NavWorld::from_bytes(&read("world_three.onnw")).unwrap().into_classes();
    bench.run(&["diff", "three.onnw", "three.onnw"]).ends(0);
    classes.truncate(2);
    bench.with("two.onnw", NavWorld::new(classes).unwrap().to_bytes().unwrap());
    let diff = bench.run(&["diff", "three.onnw", "two.onnw"]).ends(1);
    assert!(diff.out.contains("A has 3 agent classes, B 2"), "{}", diff.out);
    let inspected = bench.run(&["inspect", "three.onnw", "--json"]).ends(0).json();
    assert_eq!(
        (inspected["kind"].as_str(), inspected["classes"].as_array().unwrap().len()),
        (Some("ONNW"), 3)
    );
    bench.run(&["inspect", "three.onnw"]).ends(0);
    bench.run(&["validate", "three.onnw"]).ends(0);
    bench.run(&["path", "three.onnw", "0,0", "1,1"]).ends(2).complains(&["3 agent classes"]);
    bench.with("s.onps", read("snapshot.onps"));
    let snapshot = bench.run(&["inspect", "s.onps", "--json"]).ends(0).json();
    assert_eq!((snapshot["slots"].as_u64(), snapshot["tiles"].as_u64()), (Some(6), Some(4)));
    bench.run(&["inspect", "s.onps"]).ends(0);
    bench.run(&["validate", "s.onps"]).ends(0);
}

#[test]
fn stitch_lists_links_and_near_misses_with_their_reasons() {
    let bench = Bench::new();
    for name in ["layers_climb", "t_junction", "offmesh_no_end", "offmesh_two_way"] {
        bench.with(&format!("{name}.onpm"), read(format!("{name}.onpm")));
        let stated: Value = serde_json::from_slice(&read(format!("{name}.json"))).unwrap();
        let found = bench.run(&["stitch", &format!("{name}.onpm"), "--json"]).ends(0).json();
        let stated = stated["links"].as_array().unwrap();
        let found_links = found["links"].as_array().unwrap();
        assert_eq!(found_links.len(), stated.len(), "{name}");
        for (found, stated) in found_links.iter().zip(stated) {
            assert_eq!(found["from"]["ref"].as_str().unwrap(), &stated["from"].as_str().unwrap()[2..]);
            assert_eq!(found["to"]["ref"].as_str().unwrap(), &stated["to"].as_str().unwrap()[2..]);
            assert_eq!(found["kind"], stated["kind"]);
        }
    }
    // Four links to nothing, by what the vector says: beside, above, and no tile.
    let misses = bench.run(&["stitch", "offmesh_no_end.onpm", "--json"]).json()["misses"].clone();
    let kinds: Vec<_> =
        misses.as_array().unwrap().iter().map(|miss| miss["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"out_of_reach") && kinds.contains(&"no_tile"), "{misses:#}");
    // The layers beyond the climb: one double beyond it up and down, and 3.
    let misses = bench.run(&["stitch", "layers_climb.onpm", "--json"]).json()["misses"].clone();
    let heights = misses.as_array().unwrap().iter().filter(|miss| miss["kind"] == "height");
    let measured: Vec<f64> = heights.map(|miss| miss["measured"].as_f64().unwrap()).collect();
    assert_eq!(measured.len(), 3, "{misses:#}");
    assert!(measured.iter().all(|&value| value > 0.5) && measured.contains(&3.0), "{measured:?}");
    let text = bench.run(&["stitch", "layers_climb.onpm"]).ends(0).out;
    assert!(text.contains("heights differ by 0.5000000000000001, more than the climb of 0.5 at "), "{text}");
    assert!(text.contains("heights differ by 3, more than the climb of 0.5 at "), "{text}");
}

#[test]
fn stitch_at_a_place_says_what_every_edge_leads_to() {
    let bench = Bench::baked(WIDE);
    let found = bench.run(&["stitch", "map.onnm", "--at", "31,5", "--json"]).ends(0).json();
    let [polygon] = &found["polygons"].as_array().unwrap()[..] else { panic!("{found:#}") };
    let edges = polygon["edges"].as_array().unwrap();
    assert!(edges.len() >= 3);
    let linked = edges.iter().find(|edge| edge["kind"] == "linked").unwrap();
    assert_eq!(linked["to"][0]["x"], 1);
    assert!(edges.iter().any(|edge| edge["kind"] == "wall"));
    // In the hole: the nearest polygon's.
    let near = bench.run(&["stitch", "map.onnm", "--at", "21,35"]).ends(0).out;
    assert!(near.contains("tile (0, 1, layer 0)"), "{near}");
    bench.run(&["stitch", "map.nav"]).ends(2).complains(&["bake it first"]);
    bench.run(&["stitch", "map.onnm", "--at", "1,2,3"]).ends(2).complains(&["X,Z"]);
}

#[test]
fn parts_baked_in_several_processes_join_to_the_bytes_of_a_whole_bake() {
    let bench = Bench::baked(WIDE);
    let parts: Vec<(String, String)> =
        (0..4).map(|x| (format!("part{x}.onnm"), format!("{x},-1..{x},5"))).collect();
    let bake = |(name, tiles): &(String, String)| {
        let mut command = bench.command(&["bake", "map.nav", "-o", name, "--jobs", "1", "--tiles", tiles]);
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    // All at once, each in a process of its own; the last range holds no tile.
    let running: Vec<_> = parts.iter().map(bake).collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    let merge = |order: &[usize]| {
        let names = order.iter().map(|&index| parts[index].0.as_str());
        let args: Vec<&str> = ["merge", "-o", "joined.onnm"].into_iter().chain(names).collect();
        bench.run(&args).ends(0);
        std::fs::read(bench.file("joined.onnm")).unwrap()
    };
    let whole = std::fs::read(bench.file("map.onnm")).unwrap();
    assert!(merge(&[0, 1, 2, 3]) == whole, "in order");
    assert!(merge(&[3, 1, 0, 2]) == whole, "in any order");
    assert!(merge(&[2, 0, 1, 2, 1]) == whole, "a part twice");
    let json = bench.run(&["merge", "part0.onnm", "-o", "one.onnm", "--json"]).ends(0).json();
    has_keys(&json, &["fingerprint", "tiles", "parts", "output", "bytes"]);
    bench.run(&["diff", "map.onnm", "one.onnm"]).ends(1);
}

#[test]
fn parts_of_several_builds_or_maps_are_refused() {
    let bench = Bench::baked(WIDE);
    bench.run(&["bake", "map.nav", "-o", "climb.onnm", "--set", "walkable_climb=0.25"]).ends(0);
    let refused = bench.run(&["merge", "map.onnm", "climb.onnm", "-o", "out.onnm"]).ends(2);
    refused.complains(&["walkable_climb", "0.25", "0.5", "climb.onnm"]);
    bench.with("other.nav", WIDE.replace("50.000 50.000", "50.000 49.000"));
    bench.run(&["bake", "other.nav", "-o", "other.onnm"]).ends(0);
    bench.run(&["merge", "map.onnm", "other.onnm", "-o", "out.onnm"]).ends(2).complains(&["differs between"]);
    bench.run(&["merge", "map.nav", "-o", "out.onnm"]).ends(2).complains(&["map.nav"]);
    bench.run(&["merge", "-o", "out.onnm"]).ends(2);
    assert!(!bench.file("out.onnm").exists());
}

#[test]
fn a_place_off_the_mesh_is_said_to_be() {
    let bench = Bench::baked(MAP);
    let on = bench.run(&["stitch", "map.onnm", "--at", "1,1"]).ends(0);
    assert!(!on.out.contains("no polygon lies at"), "{}", on.out);
    let off = bench.run(&["stitch", "map.onnm", "--at", "-3,5"]).ends(0);
    assert!(off.out.starts_with("no polygon lies at -3, 5; the nearest is 3 off\n"), "{}", off.out);
    close(&bench.run(&["stitch", "map.onnm", "--at", "-3,5", "--json"]).json()["off"], 3.0);
}

#[test]
fn bare_meshes_join_to_a_bare_mesh() {
    let bench = Bench::new();
    bench.with("grid.onpm", read("grid_2x2.onpm"));
    bench.run(&["merge", "grid.onpm", "grid.onpm", "-o", "out.onpm"]).ends(0);
    let joined = TiledNavMesh::from_bytes(&std::fs::read(bench.file("out.onpm")).unwrap()).unwrap();
    assert_eq!(joined.tiles().count(), 4);
    close(&bench.run(&["inspect", "out.onpm", "--json"]).json()["tiles"], 4.0);
    // A name of another kind is a slip of the hand.
    let refused = bench.run(&["merge", "grid.onpm", "-o", "out.onnm"]).ends(2);
    refused.complains(&["the parts are bare meshes", "ends in .onpm"]);
    assert!(!bench.file("out.onnm").exists());
}
