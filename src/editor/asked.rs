//! A place that was asked about by the Inspect tool, and what is known of it.

use super::canvas::pick::Item;

/// A place that was asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// World (x, z).
    pub place: [f64; 2],
    /// The level that was looked at.
    pub level: i8,
    /// World y of the surface that was clicked in 3D, where floors of one level can lie over each other.
    pub y: Option<f64>,
    /// What is known, and what it was known from.
    pub facts: Vec<Fact>,
    pub(super) key: (u64, u64),
}

/// Something that is known of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is about.
    pub about: &'static str,
    /// One line.
    pub text: String,
    /// The thing that a click selects.
    pub item: Option<Item>,
    /// World y of the floor that a click asks about.
    pub floor: Option<f64>,
    /// Whether it is the answer to "why not".
    pub reason: bool,
}

impl Fact {
    pub(super) fn new(about: &'static str, text: impl Into<String>) -> Self {
        Self { about, text: text.into(), item: None, floor: None, reason: false }
    }

    pub(super) fn of(about: &'static str, text: impl Into<String>, item: Item) -> Self {
        Self { item: Some(item), ..Self::new(about, text) }
    }

    pub(super) fn reason(text: impl Into<String>) -> Self {
        Self { reason: true, ..Self::new("Not walkable", text) }
    }
}
