//! Several agent classes on the command line: `bake --class`, worlds, and what other commands do with both.

use std::fs;

use navwright::bake::Surface;
use navwright::format::{NavMesh, NavWorld};
use navwright::project::{self, AgentClass, Area, Command, Document, Link};
use serde_json::Value;

use crate::cli::{Bench, MAP, has_keys};
use crate::project::{after, class, link};

/// A floor, a slab 0.3 above it and apart from it, and a link between them, whose end on the slab is within reach only
/// of agents that climb 0.3.
pub(crate) fn floor_and_slab() -> Document {
    let map = "nav walk 0 24 0 32 0 32 8 24 8\nnav walk 0 36 2 40 2 40 6 36 6\n";
    let map = project::open_text(map, "map").unwrap().document;
    let slab = Area { surface: Surface::Heights(vec![0.3; 4]), ..(*map.areas[1]).clone() };
    let link = Link { start: [31.0, 4.0], end: [37.0, 4.0], bidirectional: true, ..link(1) };
    after(&map, [Command::SetAreas(vec![slab]), Command::AddLinks(vec![link])])
}

/// The same with three classes, of which the mouse does not climb the slab.
fn three() -> Document {
    let classes = [
        AgentClass { climb: 0.25, height: 1.0, ..class(7, "mouse") },
        AgentClass { climb: 1.0, height: 3.5, max_slope: 30.0, ..class(3, "ogre") },
    ];
    after(&floor_and_slab(), classes.map(Command::AddClass))
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.with("map.nav.ron", project::file::encode(&three()));
    bench
}

fn bytes(bench: &Bench, name: &str) -> Vec<u8> {
    fs::read(bench.file(name)).unwrap()
}

#[test]
fn each_mesh_of_a_world_has_the_bytes_of_its_class_baked_alone() {
    let bench = bench();
    let json = bench.run(&["bake", "map.nav.ron", "-o", "all.onnw", "--json"]).ends(0).json();
    has_keys(&json, &["classes", "timings", "output", "bytes"]);
    let names: Vec<_> =
        json["classes"].as_array().unwrap().iter().map(|class| class["class"].clone()).collect();
    assert_eq!(names, ["agent", "mouse", "ogre"]);
    let world = NavWorld::from_bytes(&bytes(&bench, "all.onnw")).unwrap();
    let alone = ["agent", "1", "ogre"].map(|class| {
        bench.run(&["bake", "map.nav.ron", "-o", "one.onnm", "--class", class]).ends(0);
        bytes(&bench, "one.onnm")
    });
    let of_world = world.classes().iter().map(|class| class.to_bytes().unwrap());
    assert!(of_world.eq(alone.iter().cloned()));
    // And these are the classes that the project says.
    let agents: Vec<_> =
        world.classes().iter().map(|c| (c.settings.walkable_climb, c.settings.agent_height)).collect();
    assert_eq!(agents, [(0.5, 2.0), (0.25, 1.0), (1.0, 3.5)]);
    assert!(alone[0] != alone[1] && alone[1] != alone[2]);
    // A world may hold one class of several.
    bench.run(&["bake", "map.nav.ron", "-o", "one.onnw", "--class", "ogre"]).ends(0);
    let one = NavWorld::from_bytes(&bytes(&bench, "one.onnw")).unwrap();
    assert_eq!(one.classes()[0].to_bytes().unwrap(), alone[2]);
    let text = bench.run(&["bake", "map.nav.ron", "-o", "all.onnw"]).ends(0).out;
    for line in ["class 0 \"agent\"\n", "class 1 \"mouse\"\n", "class 2 \"ogre\"\n", "wrote all.onnw"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_single_mesh_of_several_classes_asks_which_and_names_them() {
    let bench = bench();
    let has = "map.nav.ron has 3 agent classes: 0 \"agent\", 1 \"mouse\", 2 \"ogre\"";
    bench.run(&["bake", "map.nav.ron", "-o", "one.onnm"]).ends(2).complains(&[has, "--class", ".onnw"]);
    for wrong in ["troll", "3", "-1", ""] {
        let class = format!("--class={wrong}");
        let refused = bench.run(&["bake", "map.nav.ron", "-o", "one.onnm", &class]).ends(2);
        refused.complains(&[&format!("--class {wrong}: {has}")]);
    }
    assert!(!bench.file("one.onnm").exists());
    // What cannot be baked says whose it is, and nothing is written.
    let wrong = bench.run(&["bake", "map.nav.ron", "-o", "all.onnw", "--set", "agent_height=-1"]).ends(2);
    wrong.complains(&["agent_height is -1"]);
    assert!(!bench.file("all.onnw").exists());
    // A map without classes of its own is a world of one.
    bench.with("map.nav", MAP).run(&["bake", "map.nav", "-o", "one.onnw"]).ends(0);
    assert_eq!(NavWorld::from_bytes(&bytes(&bench, "one.onnw")).unwrap().classes().len(), 1);
    bench.run(&["bake", "map.nav", "-o", "one.onnm", "--class", "agent"]).ends(0);
}

#[test]
fn a_setting_of_the_agent_is_overridden_in_every_class() {
    let bench = bench();
    let set = ["--set", "agent_max_slope=20", "--set", "cell_size=0.5"];
    bench.run(&[&["bake", "map.nav.ron", "-o", "all.onnw"], &set[..]].concat()).ends(0);
    let world = NavWorld::from_bytes(&bytes(&bench, "all.onnw")).unwrap();
    for class in world.classes() {
        assert_eq!((class.settings.agent_max_slope, class.settings.cell_size), (20.0, 0.5));
    }
    assert_eq!(world.classes()[1].settings.walkable_climb, 0.25, "what is not overridden stays");
}

#[test]
fn other_commands_take_a_class_of_a_map_or_a_world() {
    let bench = bench();
    bench.run(&["bake", "map.nav.ron", "-o", "all.onnw"]).ends(0);
    bench.run(&["bake", "map.nav.ron", "-o", "mouse.onnm", "--class", "mouse"]).ends(0);
    // The mouse does not get onto the slab, the others do.
    let path = |class: &str| bench.run(&["path", "all.onnw", "25,1,0", "38,3,0", "--class", class]);
    path("0").ends(0);
    path("1").ends(1);
    path("2").ends(0);
    let ids = |text: &str| serde_json::from_str::<Value>(text).unwrap()["corridor"].clone();
    let world = bench.run(&["path", "all.onnw", "25,1,0", "30,7,0", "--class", "1", "--json"]).ends(0);
    let alone = bench.run(&["path", "mouse.onnm", "25,1,0", "30,7,0", "--json"]).ends(0);
    assert_eq!(ids(&world.out), ids(&alone.out));
    bench.run(&["path", "all.onnw", "25,1,0", "38,3,0"]).ends(2).complains(&[
        "all.onnw has 3 agent classes: 0 (radius 0, height 2, climb 0.5, slope 45), 1 (radius 0, height 1, climb 0.25",
        "--class N",
    ]);
    path("3").ends(2).complains(&["--class 3: all.onnw has 3 agent classes"]);
    bench.run(&["stitch", "all.onnw", "--class", "2"]).ends(0);
    bench.run(&["stitch", "mouse.onnm", "--class", "2"]).ends(2).complains(&["mouse.onnm is a single mesh"]);
    bench.run(&["render", "all.onnw", "-o", "all.svg", "--class", "2"]).ends(0);
    bench.run(&["render", "map.nav.ron", "-o", "map.svg"]).ends(0);
    bench.run(&["render", "map.nav.ron", "-o", "map.svg", "--class", "mouse"]).ends(0);
    bench.run(&["render", "map.nav.ron", "-o", "map.svg", "--class", "x"]).ends(2).complains(&["2 \"ogre\""]);
    // The project and its world say the same, class by class and each for itself.
    bench.run(&["diff", "map.nav.ron", "all.onnw"]).ends(0);
    bench
        .run(&["diff", "map.nav.ron", "mouse.onnm"])
        .ends(2)
        .complains(&["map.nav.ron has 3 agent classes", "--class"]);
    bench.run(&["diff", "map.nav.ron", "mouse.onnm", "--class", "1"]).ends(0);
    let other = bench.run(&["diff", "map.nav.ron", "mouse.onnm", "--class", "0", "--json"]).ends(1).json();
    let differing = other["parameters"].as_array().unwrap().iter().filter(|row| row["differs"] == true);
    let differing: Vec<_> = differing.map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(differing, ["walkable_climb", "agent_height"]);
    // Inspecting lists them, with the fingerprints that their meshes have.
    let map = bench.run(&["inspect", "map.nav.ron", "--json"]).ends(0).json();
    let world = bench.run(&["inspect", "all.onnw", "--json"]).ends(0).json();
    for index in 0..3 {
        assert_eq!(map["classes"][index]["fingerprint"], world["classes"][index]["fingerprint"]);
    }
    assert_eq!(map["classes"][1]["name"], "mouse");
    let text = bench.run(&["inspect", "map.nav.ron"]).ends(0).out;
    assert!(text.contains("class 2 \"ogre\"\n") && text.contains("agent_height"), "{text}");
    let valid = bench.run(&["validate", "map.nav.ron", "all.onnw"]).ends(0).out;
    assert!(valid.contains("3 agent classes"), "{valid}");
}

#[test]
fn parts_of_a_world_join_class_by_class() {
    let bench = bench();
    let wide = project::open_text("nav walk 0 0 0 80 0 80 20 0 20\n", "map").unwrap().document;
    let wide = after(&wide, [Command::AddClass(class(7, "mouse"))]);
    bench.with("wide.nav.ron", project::file::encode(&wide));
    bench.run(&["bake", "wide.nav.ron", "-o", "whole.onnw"]).ends(0);
    for x in 0..3 {
        let (tiles, name) = (format!("{x},0..{x},0"), format!("part{x}.onnw"));
        bench.run(&["bake", "wide.nav.ron", "-o", &name, "--tiles", &tiles]).ends(0);
    }
    let merged =
        bench.run(&["merge", "part2.onnw", "part0.onnw", "part1.onnw", "-o", "joined.onnw", "--json"]);
    assert_eq!(merged.ends(0).json()["classes"].as_array().unwrap().len(), 2);
    assert!(bytes(&bench, "joined.onnw") == bytes(&bench, "whole.onnw"));
    bench.run(&["bake", "wide.nav.ron", "-o", "one.onnm", "--class", "mouse"]).ends(0);
    let refused = bench.run(&["merge", "part0.onnw", "one.onnm", "-o", "out.onnw"]).ends(2);
    refused.complains(&["one.onnm is a single mesh, but part0.onnw is a world of 2 agent classes"]);
    let world = NavWorld::from_bytes(&bytes(&bench, "whole.onnw")).unwrap();
    let second = NavMesh::from_bytes(&bytes(&bench, "one.onnm")).unwrap();
    assert_eq!(world.classes()[1].to_bytes().unwrap(), second.to_bytes().unwrap());
}
