//! The one-way imports between rooms, and who may name which crate.

mod circles;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::root;

/// The room, and all it may import from this crate. A new arrow is a visible one-line change here.
const TABLE: [(&str, &[&str]); 14] = [
    ("geom", &[]),
    ("format", &["geom"]),
    ("stitch", &["geom", "format"]),
    ("compare", &["format"]),
    ("bake", &["geom", "format", "stitch"]),
    ("query", &["geom", "format", "stitch"]),
    ("crowd", &["geom", "format", "query"]),
    ("stream", &["geom", "format", "stitch"]),
    ("interop", &["geom", "format", "bake"]),
    ("draw", &["geom", "format", "bake", "query", "crowd"]),
    ("project", &["geom", "format", "bake", "query", "interop"]),
    (
        "cli",
        &[
            "geom", "format", "stitch", "compare", "bake", "query", "crowd", "stream", "interop", "draw",
            "project",
        ],
    ),
    (
        "editor",
        &[
            "geom", "format", "stitch", "compare", "bake", "query", "crowd", "stream", "interop", "draw",
            "project",
        ],
    ),
    ("main", &["cli", "editor"]),
];

/// A crate, and the rooms (or files) that may name it.
const CRATES: [(&str, &[&str]); 17] = [
    ("eframe", &["editor/"]),
    ("egui", &["editor/"]),
    ("egui_notify", &["editor/"]),
    ("egui_tiles", &["editor/"]),
    ("etcetera", &["editor/"]),
    ("image", &["editor/canvas/pictures.rs"]),
    ("notify", &["editor/disk.rs", "editor/watch.rs"]),
    ("notify_debouncer_full", &["editor/disk.rs", "editor/watch.rs"]),
    ("rfd", &["editor/"]),
    ("clap", &["cli/", "main.rs"]),
    ("indicatif", &["cli/"]),
    ("anyhow", &["cli/", "main.rs"]),
    ("serde", &["project/file", "interop/", "cli/", "editor/"]),
    ("serde_json", &["project/file", "interop/", "cli/", "editor/"]),
    ("ron", &["project/file", "interop/", "editor/"]),
    ("tiny_skia", &["draw/raster.rs"]),
    ("gltf", &["interop/gltf.rs"]),
];

#[test]
fn rooms_import_one_way() {
    let table: BTreeMap<&str, &[&str]> = TABLE.into_iter().collect();
    let mut faults = Vec::new();
    for (file, code) in sources() {
        let room = room_of(&file);
        if room == "lib" {
            continue;
        }
        let Some(allowed) = table.get(room.as_str()) else {
            faults.push(format!("src/{file}: room `{room}` is not in the table"));
            continue;
        };
        let known: BTreeSet<&str> = TABLE.iter().map(|(room, _)| *room).collect();
        for import in crate_imports(&code) {
            let is_room = known.contains(import.as_str());
            if is_room && import != room && !allowed.contains(&import.as_str()) {
                faults.push(format!("src/{file}: `{room}` imports `{import}`"));
            }
        }
        if climbs_out(&file, &code) {
            faults.push(format!("src/{file}: `super::` leaves the room"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_room_is_in_the_table() {
    let table: BTreeSet<&str> = TABLE.iter().map(|(room, _)| *room).collect();
    let folders = fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(table.contains(name.as_str()), "src/{name}/ is not in the table");
    }
}

#[test]
fn crates_stay_in_their_rooms() {
    let mut faults = Vec::new();
    for (file, code) in sources() {
        for (name, rooms) in CRATES {
            let allowed = rooms.iter().any(|room| file.starts_with(room));
            if !allowed && names_crate(&code, name) {
                faults.push(format!("src/{file}: names `{name}`"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn nothing_below_the_command_line_prints() {
    let mut faults = Vec::new();
    for (file, code) in sources() {
        let may_print = file.starts_with("cli/") || file == "main.rs";
        for macro_name in ["print!", "println!", "eprint!", "eprintln!"] {
            if !may_print && has_word(&code, macro_name) {
                faults.push(format!("src/{file}: {macro_name}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// `bake` is pure and `format` opens no files: what they must not even name.
#[test]
fn pure_rooms_name_nothing_of_the_outside() {
    let forbidden = ["std::fs", "std::env", "std::time", "std::net", "std::process", "thread::current"];
    let pure = ["geom", "format", "stitch", "bake", "query", "draw", "crowd"];
    let mut faults = Vec::new();
    for (file, code) in sources() {
        if pure.contains(&room_of(&file).as_str()) {
            let named = forbidden.iter().filter(|name| code.contains(**name));
            faults.extend(named.map(|name| format!("src/{file}: names `{name}`")));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The readers of this file themselves: they must see what they forbid.
#[test]
fn the_readers_see_every_form_of_import() {
    let code = without_comments(
        "//! [`crate::bake`] in a comment counts for nothing\n\
         use crate::{format::Tile, geom::{self, Ring}, query};\n\
         let x = crate::draw::paint(\"crate::cli\"); use navwright::stitch; pub(crate) fn f() {}\n\
         use crate::interop as other;",
    );
    let found: BTreeSet<String> = crate_imports(&code).into_iter().collect();
    let expected = ["draw", "format", "geom", "interop", "query", "stitch"];
    assert_eq!(found, expected.into_iter().map(str::to_owned).collect());
    assert!(names_crate("use egui::Pos2;", "egui"));
    assert!(names_crate("fn f(p: &egui::Painter) {}", "egui"));
    assert!(!names_crate("use egui_notify::Toasts; my_egui::x", "egui"));
    assert!(climbs_out("geom/ring.rs", "use super::super::format;"));
    assert!(!climbs_out("bake/flat/cut.rs", "use super::super::input;"));
    assert!(climbs_out("geom/mod.rs", "use super::format;"));
    assert!(!climbs_out("geom/ring.rs", "fn f() {}\nmod tests {\n    use super::super::grid;\n}"));
    assert!(climbs_out("geom/ring.rs", "fn f() {}\nmod tests {\n    use super::super::super::format;\n}"));
}

/// Every source file under `src/`: its path from there with `/`, and its code without comments and texts.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    walk(&root().join("src"), &mut files);
    files.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(root().join("src")).unwrap().to_string_lossy().replace('\\', "/");
        (name, without_comments(&fs::read_to_string(path).unwrap()))
    };
    let sources: Vec<_> = files.iter().map(read).collect();
    assert!(sources.len() > 30, "only {} files found", sources.len());
    sources
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

fn room_of(file: &str) -> String {
    file.split('/').next().unwrap().trim_end_matches(".rs").to_owned()
}

/// Blanks comments and the inside of texts; keeps line breaks. Knows nothing of raw texts with quotes in them.
fn without_comments(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                for c in chars.by_ref() {
                    if c == '\n' {
                        out.push(c);
                        break;
                    }
                }
            }
            '/' if chars.peek() == Some(&'*') => {
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            '"' => {
                out.push('"');
                while let Some(c) = chars.next() {
                    if c == '\\' {
                        chars.next();
                    } else if c == '"' {
                        break;
                    }
                }
                out.push('"');
            }
            // A quote or a backslash as a character literal must not open a text.
            '\'' if matches!(chars.peek(), Some('"' | '\\')) => {
                out.push(c);
                if chars.next() == Some('\\') {
                    chars.next();
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// The first segment of every `crate::` or `navwright::` path, groups included.
fn crate_imports(code: &str) -> Vec<String> {
    let mut imports = Vec::new();
    for prefix in ["crate::", "navwright::"] {
        for (at, _) in code.match_indices(prefix) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let rest = &code[at + prefix.len()..];
            match rest.strip_prefix('{') {
                Some(group) => imports.extend(group_heads(group)),
                None => imports.push(identifier(rest)),
            }
        }
    }
    imports
}

/// The first segments of a group's members: `a::{b, c}, d}` gives a and d.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let (mut depth, mut fresh) = (0, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if c.is_whitespace() => {}
            _ if fresh => {
                heads.push(identifier(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    heads
}

fn identifier(code: &str) -> String {
    code.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn names_crate(code: &str, name: &str) -> bool {
    let path = format!("{name}::");
    let uses = [format!("use {name};"), format!("extern crate {name}"), format!("use {name} as")];
    has_word(code, &path) || uses.iter().any(|text| code.contains(text))
}

/// Whether `word` occurs, not as the end of a longer name or path.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        before.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == ':'))
    })
}

/// Whether a chain of `super::` climbs above the room's own folder. Inside inline modules, which stand at the end
/// of a file, a step more stays in.
fn climbs_out(file: &str, code: &str) -> bool {
    let segments = file.split('/').count();
    // In `room/mod.rs` one step leaves the room; in `room/file.rs` two do; in `room/part/file.rs` three.
    let room_depth = if file.ends_with("/mod.rs") { segments - 1 } else { segments };
    let mut at = 0;
    while let Some(found) = code[at..].find("super::") {
        let inline = code[..at + found].lines().filter(|line| is_inline_module(line)).count();
        at += found;
        let mut steps = 0;
        while code[at..].starts_with("super::") {
            steps += 1;
            at += "super::".len();
        }
        if steps >= room_depth + inline {
            return true;
        }
    }
    false
}

fn is_inline_module(line: &str) -> bool {
    let line = line.trim();
    let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub ")).unwrap_or(line);
    line.starts_with("mod ") && line.ends_with('{')
}
