//! `path` on Detour's meshes, and what `--explain` says.

use std::fs;

use crate::cli::{APART, Bench, MAP, close};
use crate::support::{shared, stair_obj};

#[test]
fn the_barrier_has_its_width_in_words_and_as_a_number() {
    // From the level 0 floor, which ends at x = 10, with stairs to x = 14, to the island that begins at x = 20.
    let bench = Bench::baked(&format!("{MAP}{APART}"));
    let told = bench.run(&["path", "map.onnm", "1,1", "22,2", "--json", "--explain"]).ends(1).json();
    let barrier = &told["explanation"]["barriers"][0];
    assert_eq!(barrier["kind"], "gap");
    close(&barrier["from"]["x"], 14.0);
    close(&barrier["to"]["x"], 20.0);
    close(&barrier["width"], 6.0);
    assert_eq!(told["explanation"]["end"]["polygons"], 1);
    let text = bench.run(&["path", "map.onnm", "1,1", "22,2", "--explain"]).ends(1).out;
    assert!(text.contains("6 without floor"), "{text}");
    let plain = bench.run(&["path", "map.onnm", "1,1", "9,9", "--json", "--explain"]).ends(0).json();
    assert_eq!(plain["explanation"]["barriers"].as_array().unwrap().len(), 0);
}

#[test]
fn detours_meshes_are_asked_in_space() {
    let Some(data) = shared("data/recast") else { return };
    let bench = Bench::new();
    bench.with("all.bin", fs::read(data.join("all_tiles_navmesh.bin")).unwrap());
    let text = fs::read_to_string(data.join("oracle/nav_test_ts32_watershed.json")).unwrap();
    let oracle: serde_json::Value = serde_json::from_str(&text).unwrap();
    let results = oracle["results"].as_array().unwrap();
    let mut pairs = String::new();
    for result in &results[..60] {
        for end in ["start", "end"] {
            for axis in 0..3 {
                pairs += &format!("{} ", result[end][axis].as_f64().unwrap());
            }
        }
        pairs.push('\n');
    }
    bench.with("pairs.txt", pairs);
    let ran = bench.run(&["path", "all.bin", "--xyz", "--pairs", "pairs.txt"]).ends(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 60);
    for (line, result) in lines.iter().zip(results) {
        let reached = result["reached"].as_bool().unwrap();
        assert_eq!(line.starts_with("complete "), reached, "{line}");
    }
    let damaged = fs::read(data.join("all_tiles_navmesh.bin")).unwrap();
    bench.with("cut.bin", &damaged[..damaged.len() / 2]);
    bench.run(&["path", "cut.bin", "0,0", "1,1"]).ends(2).complains(&["cut.bin", "byte"]);
}

#[test]
fn so_many_pairs_that_landmarks_pay_get_the_answer_of_one() {
    let bench = Bench::baked(MAP);
    // Round the hole, so that each search looks at some nodes; thousands are worth the landmarks of a dozen polygons.
    let pair = "3.5 5 0 6.5 5 0\n";
    let one = bench.with("one.txt", pair).run(&["path", "map.onnm", "--pairs", "one.txt"]).ends(0).out;
    assert!(one.starts_with("complete 4.236068 "), "{one}");
    let all =
        bench.with("all.txt", pair.repeat(4000)).run(&["path", "map.onnm", "--pairs", "all.txt"]).ends(0).out;
    assert_eq!(all.lines().count(), 4000);
    assert!(all.lines().all(|line| line == one.trim_end()));
}

/// `--explain` on a stair whose steps are all too high: 0.5 may be climbed, so four steps of 1 are less to change than the
/// wall of 4 beside them.
#[test]
fn each_step_of_a_stair_is_told_in_its_order() {
    let bench = Bench::new();
    bench.with("stair.obj", stair_obj());
    let set = ["--set", "agent_radius=0.3", "--set", "walkable_climb=0.5", "--set", "min_region_area=0"];
    bench.run(&[&["bake", "stair.obj", "-o", "stair.onnm"][..], &set].concat()).ends(0);
    for (from, to, edges, rise) in
        [("4,3", "36,3", [20.0, 23.0, 26.0, 29.0], 1.0), ("36,3", "4,3", [29.0, 26.0, 23.0, 20.0], -1.0)]
    {
        let told = bench.run(&["path", "stair.onnm", from, to, "--json", "--explain"]).ends(1).json();
        let barriers = told["explanation"]["barriers"].as_array().unwrap();
        assert_eq!(barriers.len(), 4, "{told:#}");
        for (barrier, edge) in barriers.iter().zip(edges) {
            let number = |value: &serde_json::Value| value.as_f64().unwrap();
            // Heights are rounded to 0.2, edges to cells and radii.
            assert!((number(&barrier["rise"]) - rise).abs() < 0.21, "{barrier:#}");
            let middle = 0.5 * (number(&barrier["from"]["x"]) + number(&barrier["to"]["x"]));
            assert!((middle - edge).abs() < 0.6, "{barrier:#}");
            // In the middle of the stair, over which the way goes straight.
            let z = 0.5 * (number(&barrier["from"]["z"]) + number(&barrier["to"]["z"]));
            assert!((z - 3.0).abs() < 1.0, "{barrier:#}");
        }
        let walls = told["explanation"]["instead"].as_array().unwrap();
        assert!(
            walls.iter().any(|wall| (wall["rise"].as_f64().unwrap().abs() - 4.0).abs() < 0.21),
            "{told:#}"
        );
        let text = bench.run(&["path", "stair.onnm", from, to, "--explain"]).ends(1).out;
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("barrier ")).collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines[0].starts_with("barrier 1 of 4, between "), "{text}");
        assert!(text.lines().any(|line| line.starts_with("elsewhere, between ")), "{text}");
    }
}
