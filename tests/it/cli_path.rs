//! `path` on Detour's meshes, and what `--explain` says.

use std::fs;

use crate::cli::{APART, Bench, MAP, close};
use crate::support::shared;

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
    // Round the hole, so that each search looks at some nodes; thousands of them are worth the landmarks of a dozen polygons.
    let pair = "3.5 5 0 6.5 5 0\n";
    let one = bench.with("one.txt", pair).run(&["path", "map.onnm", "--pairs", "one.txt"]).ends(0).out;
    assert!(one.starts_with("complete 4.236068 "), "{one}");
    let all =
        bench.with("all.txt", pair.repeat(4000)).run(&["path", "map.onnm", "--pairs", "all.txt"]).ends(0).out;
    assert_eq!(all.lines().count(), 4000);
    assert!(all.lines().all(|line| line == one.trim_end()));
}
