//! What must not be left behind in the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::root;

/// Most lines of a source file.
const MOST_LINES: usize = 1000;

#[test]
fn no_leftovers() {
    let mut faults = Vec::new();
    // Put together here, so that this file does not find itself.
    let words = ["dbg", "todo", "unimplemented"].map(|word| format!("{word}!("));
    let front_page = ["TODO", "front page"].join(" ");
    for (name, text) in sources(&["src", "tests", "examples"]) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            let found = words.iter().any(|word| code.contains(word.as_str()));
            if found || line.contains(&front_page) {
                faults.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_file_is_too_long() {
    let long =
        sources(&["src", "tests", "examples"]).into_iter().map(|(name, text)| (name, text.lines().count()));
    let long: Vec<_> = long.filter(|(_, lines)| *lines > MOST_LINES).collect();
    assert!(long.is_empty(), "over {MOST_LINES} lines: {long:?}");
}

#[test]
fn every_module_has_a_front_page() {
    for (name, text) in sources(&["src"]) {
        if name != "src/main.rs" {
            let first = text.lines().next().unwrap_or_default();
            let has_page = first.starts_with("//!") || first.starts_with("#![doc");
            assert!(has_page, "{name} begins with {first:?}, not with what it is for");
        }
    }
}

/// A fixture that no test names, by its folder, its file or its stem, is dead.
#[test]
fn no_fixture_is_dead() {
    let fixtures = root().join("tests/fixtures");
    let mut files = Vec::new();
    walk(&fixtures, &mut files);
    let tests: String = sources(&["tests"]).into_iter().map(|(_, text)| text).collect();
    let mut dead = BTreeSet::new();
    for file in files {
        let inside = file.strip_prefix(&fixtures).unwrap();
        let name = inside.file_name().unwrap().to_string_lossy().into_owned();
        // A folder's README says where its files come from; a folder that is walked is named as a whole.
        let folders =
            inside.parent().into_iter().flat_map(Path::ancestors).filter(|f| !f.as_os_str().is_empty());
        let walked = folders.map(|f| f.to_string_lossy().replace('\\', "/")).any(|f| tests.contains(&f));
        if name != "README.md" && !walked && !tests.contains(&name) {
            dead.insert(inside.display().to_string());
        }
    }
    assert!(dead.is_empty(), "no test names {dead:?}");
}

fn sources(folders: &[&str]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    folders.iter().for_each(|folder| walk(&root().join(folder), &mut files));
    files.retain(|file| file.extension().is_some_and(|end| end == "rs"));
    files.sort();
    let name = |file: &PathBuf| file.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    files.iter().map(|file| (name(file), fs::read_to_string(file).unwrap())).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}
