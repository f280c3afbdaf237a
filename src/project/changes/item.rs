//! What a difference is told of: a thing in a list of the document, and the words for what of it is another.

use std::fmt::Display;
use std::sync::Arc;

use crate::project::{AreaId, CheckId, ClassId, Document, GeometryId, LinkId, PictureId};

/// A part of a document that is changed, or contested, by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A setting, by its name in the file.
    Setting(&'static str),
    /// All settings together: where each side's change is fine, but both together are out of range.
    Settings,
    /// An agent class.
    Class(ClassId),
    /// The order of the agent classes.
    ClassOrder,
    /// A level.
    Level(i8),
    /// An area.
    Area(AreaId),
    /// The order of the areas.
    AreaOrder,
    /// A link.
    Link(LinkId),
    /// A reference picture.
    Picture(PictureId),
    /// An area type.
    AreaType(u8),
    /// A check.
    Check(CheckId),
    /// The issues that are hidden.
    HiddenIssues,
    /// Imported geometry.
    Geometry(GeometryId),
    /// What only a voxel bake asks for, by its name in the file.
    Voxel(&'static str),
}

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of what.
    pub part: Part,
    /// What it is called: `area "meadow"`.
    pub name: String,
    /// "added", "removed", or what is another: "level 0 › 1, 2 points moved".
    pub what: String,
}

/// A thing of one of the document's lists.
pub(in crate::project) trait Item: Clone + PartialEq {
    /// What tells it from the others.
    type Key: Ord + Copy;
    /// Its list.
    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>>;
    fn key(&self) -> Self::Key;
    fn part(key: Self::Key) -> Part;
    /// Its place, if that is a value of its own.
    fn order(&self) -> i64 {
        0
    }
    fn with_order(self, _order: i64) -> Self {
        self
    }
    fn name(&self) -> String;
    /// What is another, but for the order; empty if nothing is.
    fn words(&self, after: &Self) -> Vec<String>;
}

/// `level 0 › 1`, if both differ.
pub(super) fn changed<T: PartialEq + Display>(words: &mut Vec<String>, what: &str, old: &T, new: &T) {
    if old != new {
        words.push(format!("{what} {old} › {new}"));
    }
}

/// As [`changed`], for values that may be left to the settings.
pub(super) fn changed_option<T: PartialEq + Display>(
    words: &mut Vec<String>,
    what: &str,
    old: &Option<T>,
    new: &Option<T>,
) {
    if old != new {
        let shown = |value: &Option<T>| value.as_ref().map_or_else(|| "none".to_owned(), T::to_string);
        words.push(format!("{what} {} › {}", shown(old), shown(new)));
    }
}

pub(super) fn changed_height(words: &mut Vec<String>, what: &str, old: Option<f64>, new: Option<f64>) {
    let shown =
        |value: Option<f64>| value.map_or_else(|| "the level's".to_owned(), |value| value.to_string());
    changed(words, what, &shown(old), &shown(new));
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.escape_debug())
}

pub(super) fn named(noun: &str, name: &str, id: u64) -> String {
    if name.is_empty() { format!("{noun} {id:016x}") } else { format!("{noun} {}", quoted(name)) }
}

pub(super) fn place([x, z]: [f64; 2]) -> String {
    format!("({x}, {z})")
}

pub(super) fn one_or_many(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
