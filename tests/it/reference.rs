//! Our bakes as the reference reader of the shared tools sees them: links, settings and fingerprints.

use std::path::{Path, PathBuf};
use std::process::Command;

use navwright::bake::{BakeOptions, bake_mesh};
use navwright::format::{NavMesh, NavWorld};
use navwright::project;
use serde_json::Value;

use crate::support::{root, shared};
use crate::vectors::links_json;

/// Most polygons of a map that is handed over: the reference is plain Python.
const MOST_POLYGONS: usize = 3000;

/// Every map of the samples and of the flat cases; skipped, said loudly, without the tools or without Python.
#[test]
fn the_reference_reader_agrees_on_every_sample_map() {
    let Some(tool) = shared("tools/onnav_ref.py") else { return };
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for map in maps() {
        let document = project::open(&map).unwrap().document;
        let options = BakeOptions::default();
        let (mesh, _) =
            bake_mesh(&document.flat_input(), &document.bake_settings(&document.classes[0]), &options)
                .unwrap();
        if mesh.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum::<usize>() > MOST_POLYGONS {
            continue;
        }
        let file = folder.path().join("map.onnm");
        std::fs::write(&file, mesh.to_bytes().unwrap()).unwrap();
        compare(&tool, &file, &[&mesh], &map);
        let world = NavWorld::new(vec![mesh.clone(), mesh]).unwrap();
        let file = folder.path().join("map.onnw");
        std::fs::write(&file, world.to_bytes().unwrap()).unwrap();
        ask(&tool, "validate", &file);
        checked += 1;
    }
    assert!(checked >= 3, "only {checked} maps");
}

fn maps() -> Vec<PathBuf> {
    let folders = ["assets", "tests/fixtures/flat/maps"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut maps: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    maps.retain(|map| map.extension().is_some_and(|end| end == "nav" || end == "ron"));
    maps.sort();
    maps
}

fn compare(tool: &Path, file: &Path, meshes: &[&NavMesh], map: &Path) {
    ask(tool, "validate", file);
    let name = map.display();
    let parse = |text: String| -> Value { serde_json::from_str(&text).unwrap() };
    let links = parse(ask(tool, "stitch", file));
    assert_eq!(links, links_json(&meshes[0].mesh), "{name}");
    let settings = parse(ask(tool, "settings", file));
    let digest = format!("0x{:016x}", meshes[0].settings.digest());
    assert_eq!(settings["settings_digest"], digest, "{name}");
    assert_eq!(settings["fingerprint"], meshes[0].mesh.fingerprint().to_string(), "{name}");
}

fn ask(tool: &Path, command: &str, file: &Path) -> String {
    let answer = Command::new("python3").arg(tool).arg(command).arg(file).output().unwrap();
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let error = String::from_utf8_lossy(&answer.stderr);
    assert!(answer.status.success(), "{command} {}: {text}{error}", file.display());
    text
}
