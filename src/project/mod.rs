//! The document as a value: pure commands, undo by keeping values, and the file it is saved in.

mod command;
mod document;
pub mod file;
mod history;

pub use command::{Command, CommandError, apply};
pub use document::{Area, AreaId, Document, Level, Link, LinkId};
pub use history::History;
