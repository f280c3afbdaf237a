//! What can be wrong with bytes, values and edits.

/// A typed error; every message names the thing, its index, the value and the bound.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormatError {
    /// Bytes or tile content break a rule of the format.
    #[error("{what}")]
    Bad {
        /// The rule's short name, such as `polygon.convex`.
        rule: &'static str,
        /// Polygon, edge, array, value and bound.
        what: String,
    },
    /// A version this reader does not know.
    #[error("{what}: version {found} found, version {expected} expected")]
    Version {
        /// Which structure.
        what: String,
        /// The version found.
        found: u16,
        /// The version expected.
        expected: u16,
    },
    /// Built with other settings.
    #[error("{what}")]
    Fingerprint {
        /// Which field differs and both values, where known.
        what: String,
    },
    /// A value outside its bound.
    #[error("{name} is {value}, but {bound}")]
    OutOfRange {
        /// The value's name.
        name: String,
        /// The value found.
        value: String,
        /// The bound it breaks.
        bound: String,
    },
    /// A tile stands there already.
    #[error("tile ({tile_x}, {tile_z}, layer {layer}) is occupied by slot {slot}")]
    Occupied {
        /// Column.
        tile_x: i32,
        /// Row.
        tile_z: i32,
        /// Layer.
        layer: i32,
        /// The slot that holds it.
        slot: u32,
    },
    /// A snapshot's content id that the library lacks.
    #[error("{what}")]
    MissingContent {
        /// The slot and the content id.
        what: String,
    },
}

impl FormatError {
    pub(crate) fn bad(rule: &'static str, what: impl Into<String>) -> Self {
        Self::Bad { rule, what: what.into() }
    }

    pub(crate) fn out_of_range(
        name: impl Into<String>,
        value: impl Into<String>,
        bound: impl Into<String>,
    ) -> Self {
        Self::OutOfRange { name: name.into(), value: value.into(), bound: bound.into() }
    }

    /// The same error, said to be inside `place` (a structure, a slot).
    #[must_use]
    pub(crate) fn under(self, place: &str) -> Self {
        match self {
            Self::Bad { rule, what } => Self::Bad { rule, what: format!("{place}: {what}") },
            Self::Version { what, found, expected } => {
                Self::Version { what: format!("{place}: {what}"), found, expected }
            }
            Self::Fingerprint { what } => Self::Fingerprint { what: format!("{place}: {what}") },
            Self::OutOfRange { name, value, bound } => {
                Self::OutOfRange { name: format!("{place}: {name}"), value, bound }
            }
            Self::MissingContent { what } => Self::MissingContent { what: format!("{place}: {what}") },
            occupied @ Self::Occupied { .. } => occupied,
        }
    }

    /// A value that broke its bound in a file: the same words, as [`FormatError::Bad`].
    #[must_use]
    pub(crate) fn in_file(self, rule: &'static str) -> Self {
        match self {
            out @ Self::OutOfRange { .. } => Self::Bad { rule, what: out.to_string() },
            other => other,
        }
    }
}

/// A float as the shortest decimal that gives it back; whole numbers without `.0`.
pub(crate) fn show(value: f64) -> String {
    trim(format!("{value:?}"))
}

/// As [`show`], for f32.
pub(crate) fn show_f32(value: f32) -> String {
    trim(format!("{value:?}"))
}

fn trim(mut text: String) -> String {
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}
