//! Why a document is not what it must be.

use crate::format::FormatError;

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
    #[error(transparent)]
    Settings(#[from] FormatError),
    #[error("level {0} is not empty")]
    LevelInUse(i8),
    #[error("level 0 stays")]
    GroundStays,
    #[error("there is no level {0}")]
    NoSuchLevel(i8),
    #[error("there is no agent class {0:016x}")]
    NoSuchClass(u64),
    #[error("there is an agent class {0:016x} already")]
    ClassExists(u64),
    #[error("there is an agent class called \"{0}\" already")]
    ClassNameTaken(String),
    #[error("there is no picture {0:016x}")]
    NoSuchPicture(u64),
    #[error("area type {0} has no entry")]
    NoSuchAreaType(u8),
    #[error("there is no check {0:016x}")]
    NoSuchCheck(u64),
    #[error("there is no geometry {0:016x}")]
    NoSuchGeometry(u64),
    #[error("a map has at least one agent class")]
    LastClass,
}
