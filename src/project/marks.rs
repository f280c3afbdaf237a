//! Project files in which a version control system left both sides of a conflict between marks
//! (`<<<<<<<`, perhaps `|||||||`, `=======`, `>>>>>>>`): both sides are read, and what is not contested is merged.

use std::collections::BTreeMap;

use super::file::{self, FileError};
use super::{CommandError, Conflict, Document, Merged, Part, Side, merge};

/// A file that holds two documents.
#[derive(Clone, Debug)]
pub struct Contested {
    /// The side above the `=======`: what was checked out.
    pub mine: Document,
    /// The side below it: what was merged in.
    pub theirs: Document,
    /// What both came from, where the file has that side too.
    pub base: Option<Document>,
    /// The first and the last line of each contested place, from 1.
    pub places: Vec<(usize, usize)>,
    lines: Lines,
}

/// Whether a text has a place with conflict marks; the lines of all that begin there, from 1.
#[must_use]
pub fn marked_lines(text: &str) -> Vec<usize> {
    let begins = |(line, number): (&str, usize)| (mark(line) == Some(Mark::Mine)).then_some(number);
    let found: Vec<usize> = text.lines().zip(1..).filter_map(begins).collect();
    let ends = || text.lines().any(|line| mark(line) == Some(Mark::End));
    if !found.is_empty() && ends() { found } else { Vec::new() }
}

/// Reads both sides of a project's text; `path` is for messages.
///
/// # Errors
/// [`FileError::Text`] where the marks do not fit together, or a side is no project, with the line in this text.
pub fn decode(text: &str, path: &str) -> Result<Contested, FileError> {
    let split = split(text, path)?;
    let side = |side: &Lined| file::decode(&side.text, path).map_err(|error| side.placed(error));
    let (mine, theirs) = (side(&split.mine)?, side(&split.theirs)?);
    // A shortened base may be no whole project; without one the sides still are.
    let base = split.base.as_ref().and_then(|base| side(base).ok());
    Ok(Contested { mine, theirs, base, lines: Lines::of(text), places: split.places })
}

impl Contested {
    /// Both sides together, as [`merge`].
    ///
    /// # Errors
    /// As [`merge`].
    pub fn merged(&self, picks: &BTreeMap<Part, Side>) -> Result<Merged, CommandError> {
        merge(self.base.as_ref(), &self.mine, &self.theirs, picks)
    }

    /// The line that a conflict is about: the contested place in the thing's block, else the block's first line.
    #[must_use]
    pub fn line(&self, conflict: &Conflict) -> Option<usize> {
        let (first, end) = self.lines.block(conflict.part)?;
        let inside = |&&(from, to): &&(usize, usize)| from < end && first <= to;
        Some(self.places.iter().find(inside).map_or(first, |&(from, _)| from))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Mine,
    Base,
    Theirs,
    End,
}

/// A line that is a mark: seven of its sign, then nothing or a space and a name.
fn mark(line: &str) -> Option<Mark> {
    let kinds =
        [("<<<<<<<", Mark::Mine), ("|||||||", Mark::Base), ("=======", Mark::Theirs), (">>>>>>>", Mark::End)];
    let (_, found) = kinds.into_iter().find(|(sign, _)| {
        line.strip_prefix(sign).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\r']))
    })?;
    Some(found)
}

/// A side's text, and the line of the file that each of its lines was.
#[derive(Default)]
struct Lined {
    text: String,
    lines: Vec<usize>,
}

impl Lined {
    fn push(&mut self, line: &str, number: usize) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(number);
    }

    /// An error in this side at its place in the file.
    fn placed(&self, error: FileError) -> FileError {
        match error {
            FileError::Text { path, line, column, what } => {
                let known = self.lines.get(line.saturating_sub(1)).or(self.lines.last());
                FileError::Text { path, line: known.copied().unwrap_or(line), column, what }
            }
            other => other,
        }
    }
}

struct Split {
    mine: Lined,
    theirs: Lined,
    base: Option<Lined>,
    places: Vec<(usize, usize)>,
}

fn split(text: &str, path: &str) -> Result<Split, FileError> {
    let fault = |line: usize, what: &str| FileError::Text {
        path: path.to_owned(),
        line,
        column: 1,
        what: what.to_owned(),
    };
    let [mut mine, mut theirs, mut base] = [Lined::default(), Lined::default(), Lined::default()];
    let mut places = Vec::new();
    // Where the open place begins, and whose lines these are.
    let mut open: Option<(usize, Mark)> = None;
    let mut with_base = 0;
    for (line, number) in text.lines().zip(1..) {
        match (mark(line), open) {
            (None, None) => {
                [&mut mine, &mut theirs, &mut base].into_iter().for_each(|side| side.push(line, number))
            }
            (None, Some((_, Mark::Mine))) => mine.push(line, number),
            (None, Some((_, Mark::Base))) => base.push(line, number),
            (None, Some(_)) => theirs.push(line, number),
            (Some(Mark::Mine), None) => open = Some((number, Mark::Mine)),
            (Some(Mark::Base), Some((first, Mark::Mine))) => {
                open = Some((first, Mark::Base));
                with_base += 1;
            }
            (Some(Mark::Theirs), Some((first, Mark::Mine | Mark::Base))) => {
                open = Some((first, Mark::Theirs))
            }
            (Some(Mark::End), Some((first, Mark::Theirs))) => {
                places.push((first, number));
                open = None;
            }
            (Some(_), Some((first, _))) => {
                return Err(fault(
                    number,
                    &format!("this mark does not fit the conflict that begins in line {first}"),
                ));
            }
            (Some(_), None) => return Err(fault(number, "this conflict mark has no beginning")),
        }
    }
    if let Some((first, _)) = open {
        return Err(fault(first, "this conflict has no end"));
    }
    let base = (with_base == places.len()).then_some(base);
    Ok(Split { mine, theirs, base, places })
}

/// The sections of a project.
const SECTIONS: [&str; 11] = [
    "settings",
    "classes",
    "levels",
    "areas",
    "links",
    "pictures",
    "area_types",
    "checks",
    "hidden_issues",
    "geometry",
    "voxel",
];

/// Where things stand in the file.
#[derive(Clone, Debug, Default)]
struct Lines {
    /// A thing's own line, as "areas/0x…", in the order of the file.
    found: Vec<(String, usize)>,
    count: usize,
}

impl Lines {
    fn of(text: &str) -> Self {
        let mut found = Vec::new();
        let mut section = "";
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            for name in SECTIONS {
                let is_head = line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(':'));
                section = if is_head { name } else { section };
            }
            let key = match section {
                "settings" | "voxel" => line.split(':').next().map(str::trim),
                "levels" | "area_types" => {
                    line.strip_prefix("(number: ").and_then(|rest| rest.split(',').next())
                }
                _ => line.strip_prefix("id: ").map(|rest| rest.trim_end_matches(',')),
            };
            if let Some(key) = key.filter(|key| !key.is_empty()) {
                found.push((format!("{section}/{key}"), number));
            }
        }
        Self { found, count: text.lines().count() }
    }

    /// The thing's first line, and the first one after it.
    fn block(&self, part: Part) -> Option<(usize, usize)> {
        let id = |section: &str, id: u64| format!("{section}/0x{id:016x}");
        let key = match part {
            Part::Setting(name) => format!("settings/{name}"),
            Part::Level(number) => format!("levels/{number}"),
            Part::Class(key) => id("classes", key.0),
            Part::Area(key) => id("areas", key.0),
            Part::Link(key) => id("links", key.0),
            Part::Picture(key) => id("pictures", key.0),
            Part::AreaType(number) => format!("area_types/{number}"),
            Part::Check(key) => id("checks", key.0),
            Part::Geometry(key) => id("geometry", key.0),
            Part::Voxel(name) => format!("voxel/{name}"),
            Part::Settings | Part::ClassOrder | Part::AreaOrder | Part::HiddenIssues => return None,
        };
        let first = self.found.iter().position(|(found, _)| *found == key)?;
        let last = self.found.iter().rposition(|(found, _)| *found == key)?;
        let end = self.found.get(last + 1).map_or(self.count + 1, |(_, number)| *number);
        Some((self.found[first].1, end))
    }
}
