//! Everything that changes a document.

use std::sync::Arc;

use super::{Area, AreaId, Document, Level, Link, LinkId};
use crate::format::NavSettings;

/// A change. Applying it is pure: the old value stays, and is the undo step.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Adds areas at the end of the order.
    AddAreas(Vec<Area>),
    /// Replaces areas of the same ids, each keeping its place in the order (several at once move joined points).
    SetAreas(Vec<Area>),
    /// Removes areas.
    RemoveAreas(Vec<AreaId>),
    /// Adds links at the end.
    AddLinks(Vec<Link>),
    /// Replaces links of the same ids.
    SetLinks(Vec<Link>),
    /// Removes links.
    RemoveLinks(Vec<LinkId>),
    /// Adds a level, or replaces the one of the same number.
    SetLevel(Level),
    /// Removes a level that nothing stands on.
    RemoveLevel(i8),
    /// Replaces the settings (`links` must be empty).
    SetSettings(Box<NavSettings>),
    /// Several changes as one step, in order; all or nothing.
    Several(Vec<Self>),
}

/// Why a command cannot be applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CommandError {
    #[error("there is no area {0:016x}")]
    NoSuchArea(u64),
    #[error("there is an area {0:016x} already")]
    AreaExists(u64),
    #[error("there is no link {0:016x}")]
    NoSuchLink(u64),
    #[error("there is a link {0:016x} already")]
    LinkExists(u64),
    #[error("area {id:016x} has {count} points, an area needs 3")]
    TooFewPoints { id: u64, count: usize },
    #[error("{what} is {value}, but {bound}")]
    OutOfRange { what: String, value: String, bound: String },
    #[error("level {0} is not empty")]
    LevelInUse(i8),
    #[error("level 0 stays")]
    GroundStays,
    #[error("there is no level {0}")]
    NoSuchLevel(i8),
}

/// The document after a command.
///
/// # Errors
/// [`CommandError`] naming the thing and the bound; the old value is untouched either way.
pub fn apply(_document: &Document, _command: &Command) -> Result<Document, CommandError> {
    let _unused: Option<Arc<()>> = None;
    todo!()
}
