//! `.nav.ron`: the project file, its schema by version, and saving that never loses the old file.

use std::path::Path;

use super::Document;

/// Why a project file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// Its reason.
        source: std::io::Error,
    },
    /// The text is not a project, or a value in it is out of range.
    #[error("{path}:{line}:{column}: {what}")]
    Text {
        /// The file.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// Written by a newer program.
    #[error("{path}: project version {found}, this program reads up to {newest}")]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: u32,
        /// The newest version this program reads.
        newest: u32,
    },
}

/// Parses a project's text; `path` is for messages.
///
/// # Errors
/// [`FileError`] with line and column.
pub fn decode(_text: &str, _path: &str) -> Result<Document, FileError> {
    todo!()
}

/// The project as text; equal documents give equal bytes, and decoding gives the document back.
#[must_use]
pub fn encode(_document: &Document) -> String {
    todo!()
}

/// Reads a project file.
///
/// # Errors
/// [`FileError`].
pub fn load(_path: &Path) -> Result<Document, FileError> {
    todo!()
}

/// Writes beside the file, syncs, keeps the old file as `NAME.bak`, then renames over it.
///
/// # Errors
/// [`FileError`]; the old file is then whole.
pub fn save(_document: &Document, _path: &Path) -> Result<(), FileError> {
    todo!()
}
