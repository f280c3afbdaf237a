//! Files import each other one way: no circle of files, however a name is spelled and whoever passes it on.
//!
//! An arrow leads from a file to the file that a name it uses is defined in. A `pub use` is looked through, so that a front
//! page makes no circle with the files that it shows, and hides none either. Methods are not seen: `impl` blocks for a type
//! may stand in files above the type's own.

use std::collections::{BTreeMap, BTreeSet};

use super::{sources, without_comments};

#[test]
fn files_import_one_way() {
    let crate_files = Crate::of(&sources());
    assert!(crate_files.arrow_count() > 1000, "only {} arrows found", crate_files.arrow_count());
    let told: Vec<_> = crate_files.circles().iter().map(|circle| crate_files.tell(circle)).collect();
    assert!(told.is_empty(), "\n{}", told.join("\n"));
    let vague = crate_files.modules.iter().filter(|(_, names)| names.passes_all()).map(|(module, _)| module);
    let vague: Vec<_> = vague.collect();
    assert!(vague.is_empty(), "`pub use ..::*` hides where names come from: {vague:?}");
}

/// The reader itself: it must see what it forbids.
#[test]
fn the_reader_sees_a_circle_however_it_is_spelled() {
    let low = ("low.rs", "pub struct Low;\nimpl Low { pub fn is(&self) -> bool { true } }");
    let circle_of = |files: &[(&str, &str)]| {
        let with_low = files.iter().chain([&low]);
        let files: Vec<_> =
            with_low.map(|(name, code)| ((*name).to_owned(), without_comments(code))).collect();
        Crate::of(&files).circles()
    };
    let front = (
        "room/mod.rs",
        "mod a;\nmod b;\npub use a::{One, other as another};\npub(crate) use b::Two as Second;",
    );
    let from_a = ("room/a.rs", "use super::b::Two;\nuse crate::low::Low;");
    let both = [vec!["room::a".to_owned(), "room::b".to_owned()]];
    for from_b in [
        "use crate::room::a::One;",
        "use crate::{low::{self, Low}, room::{a::{One}}};",
        "pub fn f() -> crate::room::a::One {}",
        "use super::One;",
        "use crate::room::another;",
        "fn f() {\n    super::another();\n}",
        "use super::super::room::One as Mine;",
        "use navwright::room::One;",
        "use crate::passed::One;",
        "use super::*;",
    ] {
        let passed = ("passed.rs", "pub use crate::room::One;");
        assert_eq!(circle_of(&[front, from_a, ("room/b.rs", from_b), passed]), both, "{from_b}");
    }
    for from_b in [
        "use crate::low::Low;",
        "// use super::One;\nfn f() { \"super::One\"; }",
        "struct One;\nfn f(one: One) { One::new(); }",
        "#[cfg(test)]\nmod tests {\n    use crate::room::a::One;\n    use super::*;\n}",
        "use other_crate::room::a::One;",
    ] {
        assert_eq!(circle_of(&[front, from_a, ("room/b.rs", from_b)]), [[""; 0]; 0], "{from_b}");
    }
    // A front page that does more than to show its files is a file like the others.
    let page = ("room/mod.rs", "mod a;\npub struct Page;\nfn f() { a::go(); }");
    let found = circle_of(&[page, ("room/a.rs", "use super::Page;")]);
    assert_eq!(found, [["room", "room::a"]]);
}

type Segments = Vec<String>;

/// A file's names: what it uses, and what it passes on by which name.
#[derive(Debug, Default)]
struct Names {
    used: Vec<Segments>,
    passed_on: BTreeMap<String, Segments>,
}

impl Names {
    /// Whether it passes on whatever another file has: then nobody sees where a name comes from.
    fn passes_all(&self) -> bool {
        self.passed_on.contains_key("*")
    }
}

/// Modules by path, `""` the root; arrows to the modules that each imports.
#[derive(Debug)]
struct Crate {
    modules: BTreeMap<String, Names>,
    arrows: BTreeMap<String, BTreeSet<String>>,
}

impl Crate {
    fn of(files: &[(String, String)]) -> Self {
        let modules = files.iter().filter(|(file, _)| file != "main.rs");
        let modules = modules.map(|(file, code)| (module_of(file), names_in(code))).collect();
        let mut found = Self { modules, arrows: BTreeMap::new() };
        for (module, names) in &found.modules {
            let homes = names.used.iter().flat_map(|path| found.homes_of(module, path));
            found.arrows.insert(module.clone(), homes.filter(|to| to != module).collect());
        }
        found
    }

    fn arrow_count(&self) -> usize {
        self.arrows.values().map(BTreeSet::len).sum()
    }

    /// The modules that a path leads to: one, but for a `*` also all those whose names it passes on.
    fn homes_of(&self, module: &str, path: &[String]) -> Vec<String> {
        let Some((_, before)) = path.split_last().filter(|(last, before)| *last == "*" && !before.is_empty())
        else {
            return self.home_of(module, path, 0).into_iter().collect();
        };
        let Some(home) = self.home_of(module, before, 0) else { return Vec::new() };
        let passed = self.modules[&home].passed_on.values();
        let mut homes: Vec<String> = passed.filter_map(|path| self.home_of(&home, path, 0)).collect();
        homes.push(home);
        homes
    }

    /// The module that a path leads to from another one, through all that pass it on; `None` for another crate's.
    fn home_of(&self, module: &str, path: &[String], depth: usize) -> Option<String> {
        let here: Segments = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let up = path.iter().take_while(|name| *name == "super").count();
        let whole: Segments = match path[0].as_str() {
            "crate" | "navwright" => path[1..].to_vec(),
            "self" => here.into_iter().chain(path[1..].iter().cloned()).collect(),
            "super" => here[..here.len().checked_sub(up)?].iter().chain(&path[up..]).cloned().collect(),
            first => {
                let whole: Segments = here.iter().chain(path).cloned().collect();
                let child = whole[..=here.len()].join("::");
                let known = self.modules.contains_key(&child)
                    || self.modules.get(module)?.passed_on.contains_key(first);
                known.then_some(whole)?
            }
        };
        let ends = (0..=whole.len()).rev();
        let (end, at) = ends
            .map(|end| (end, whole[..end].join("::")))
            .find(|(_, module)| self.modules.contains_key(module))?;
        let passed = whole.get(end).and_then(|name| self.modules[&at].passed_on.get(name));
        match passed.filter(|_| depth < 10) {
            Some(to) => {
                let rest: Segments = to.iter().chain(&whole[end + 1..]).cloned().collect();
                self.home_of(&at, &rest, depth + 1).or(Some(at))
            }
            None => Some(at),
        }
    }

    fn reach(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for to in self.arrows.get(module).into_iter().flatten() {
                if reached.insert(to.as_str()) {
                    open.push(to);
                }
            }
        }
        reached
    }

    /// The modules that lead to each other, by circles.
    fn circles(&self) -> Vec<Vec<String>> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.arrows.keys().map(|module| (module.as_str(), self.reach(module))).collect();
        let mut circles = BTreeSet::new();
        for (module, reached) in reach.iter().filter(|(module, reached)| reached.contains(*module)) {
            let circle = reached.iter().filter(|other| reach[*other].contains(module));
            circles.insert(circle.map(|module| (*module).to_owned()).collect());
        }
        circles.into_iter().collect()
    }

    /// A circle with the arrows in it: one of them is to go.
    fn tell(&self, circle: &[String]) -> String {
        let mut text = format!("a circle of {} files:", circle.len());
        for from in circle {
            let to = circle.iter().filter(|to| self.arrows[from].contains(*to));
            text += &format!("\n  {from} imports {}", to.cloned().collect::<Vec<_>>().join(", "));
        }
        text
    }
}

/// `room/part/mod.rs` and `room/part.rs` are `room::part`.
fn module_of(file: &str) -> String {
    let path = file.trim_end_matches(".rs").replace('/', "::");
    let path = path.strip_suffix("::mod").unwrap_or(&path);
    if path == "lib" { String::new() } else { path.to_owned() }
}

/// What a file's code names, without its tests, which stand at its end.
fn names_in(code: &str) -> Names {
    let code = code.find("#[cfg(test)]\nmod tests {").map_or(code, |end| &code[..end]);
    let words = words(code);
    let mut names = Names::default();
    let mut at = 0;
    while at < words.len() {
        // Not `impl Trait + use<..>`.
        if words[at] == "use" && words.get(at + 1) != Some(&"<") {
            let end = words[at..].iter().position(|word| *word == ";").map_or(words.len(), |end| at + end);
            // `pub use`, `pub(crate) use`, `pub(in path) use`.
            let passes_on = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
            let mut leaves = Vec::new();
            use_leaves(&words[at + 1..end], &[], &mut leaves);
            for (path, name) in leaves {
                if passes_on {
                    names.passed_on.insert(name, path);
                } else {
                    names.used.push(path);
                }
            }
            at = end;
        } else if is_name(words[at])
            && words.get(at + 1) == Some(&"::")
            // Not the rest of a path, nor `pub(in path)`.
            && (at == 0 || !["::", "in"].contains(&words[at - 1]))
        {
            let mut path = vec![words[at].to_owned()];
            while words.get(at + 1) == Some(&"::") && words.get(at + 2).is_some_and(|word| is_name(word)) {
                at += 2;
                path.push(words[at].to_owned());
            }
            names.used.push(path);
        }
        at += 1;
    }
    names
}

/// The paths that a `use` names, each with the name that it has from there on.
fn use_leaves(words: &[&str], before: &[String], leaves: &mut Vec<(Segments, String)>) {
    let mut path = before.to_vec();
    let mut at = 0;
    while at < words.len() {
        match words[at] {
            "{" => {
                let mut depth = 0;
                let mut start = at + 1;
                for (end, word) in words.iter().enumerate().skip(at) {
                    depth += i32::from(*word == "{") - i32::from(*word == "}");
                    if depth == 0 || depth == 1 && *word == "," {
                        use_leaves(&words[start..end], &path, leaves);
                        start = end + 1;
                    }
                    if depth == 0 {
                        return;
                    }
                }
                return;
            }
            "as" => {
                let name = words.get(at + 1).copied().unwrap_or("_").to_owned();
                leaves.push((path, name));
                return;
            }
            "::" => {}
            "*" => {
                path.push("*".to_owned());
                leaves.push((path, "*".to_owned()));
                return;
            }
            // `a::{self}` is `a`.
            "self" if !path.is_empty() => {}
            name => path.push(name.to_owned()),
        }
        at += 1;
    }
    if let Some(last) = path.last().filter(|_| !words.is_empty()).cloned() {
        leaves.push((path, last));
    }
}

/// Names, `::`, and every other sign by itself.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        if !first.is_whitespace() {
            words.push(word);
        }
        rest = after;
    }
    words
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
