//! `.nav.ron`: the project file, its schema by version, and saving that never loses the old file.
//!
//! Version 2 is one `Project(…)` in RON: `version`, `settings`, `classes`, `levels`, `areas`, `links`. It is written to be
//! read and merged by people: a level is a line, a class, an area or a link a block with a field a line, sorted by random
//! stable id; classes and areas have an `order` key (a world file keeps the classes' order; where areas' labels overlap
//! the later wins). Numbers are in the shortest form that reads back to the same value, and −0.0 is 0. All settings are
//! written, so that the file says what the mesh was built with; any may be left out and is then at its default, as are a
//! class's fields but for its id and name, an area's `area_type` and `flags` (the settings'), `surface` (`level`), `order`
//! and `name`. The sections `pictures`, `area_types`, `checks`, `hidden_issues`, `geometry` and `voxel` are written where they hold something. Comments are read over and not kept; an unknown field is refused with its name.
//!
//! Version 1 had one agent, whose fields stood in the settings. A later version adds sections and raises [`VERSION`];
//! older ones are converted by hand when read.

mod decode;
mod decode_extras;
mod decode_geometry;
mod decode_items;
mod decode_pictures;
mod decode_settings;
mod encode;
mod save;

use std::io::Read;
use std::path::Path;

use super::Document;

pub use decode::decode;
pub use encode::{encode, encode_part};
pub use save::{save, save_text};

/// The version this program writes, and the newest that it reads.
pub const VERSION: u32 = 2;

/// Most bytes of a file that is read as a project or a map.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// Why a project file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: String,
        /// Its reason.
        source: std::io::Error,
    },
    /// The file is larger than any project.
    #[error("{path} has {bytes} bytes, a project has at most {most}")]
    TooLarge {
        /// The file.
        path: String,
        /// Its size.
        bytes: u64,
        /// [`MAX_FILE_BYTES`].
        most: u64,
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

/// Reads a project file.
///
/// # Errors
/// [`FileError`].
pub fn load(path: &Path) -> Result<Document, FileError> {
    let bytes = read_bytes(path)?;
    let name = path.display().to_string();
    decode(text_of(&bytes, &name)?, &name)
}

/// The text of a project or map text as it stands in its file.
///
/// # Errors
/// [`FileError`].
pub fn text_of_file(path: &Path) -> Result<String, FileError> {
    let bytes = read_bytes(path)?;
    Ok(text_of(&bytes, &path.display().to_string())?.to_owned())
}

/// The first bytes of a file: enough to tell what it is.
pub(super) fn read_start(path: &Path) -> Result<Vec<u8>, FileError> {
    let io = |source| FileError::Io { path: path.display().to_string(), source };
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(io)?.take(1 << 16).read_to_end(&mut bytes).map_err(io)?;
    Ok(bytes)
}

/// A file's bytes, unless it is larger than any project.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let name = || path.display().to_string();
    let io = |source| FileError::Io { path: name(), source };
    let file = std::fs::File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut bytes = Vec::new();
    // One byte more than allowed, so that a file that grows or lies about its length shows.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    let read = bytes.len() as u64;
    if read > MAX_FILE_BYTES {
        return Err(FileError::TooLarge { path: name(), bytes: read.max(length), most: MAX_FILE_BYTES });
    }
    Ok(bytes)
}

/// The bytes as text, without a byte order mark.
pub(super) fn text_of<'a>(bytes: &'a [u8], path: &str) -> Result<&'a str, FileError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let (line, column) = place_of(&bytes[..error.valid_up_to()]);
        let what =
            format!("byte {} is {:#04x}, not UTF-8 text", error.valid_up_to(), bytes[error.valid_up_to()]);
        FileError::Text { path: path.to_owned(), line, column, what }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Line and column just after some text, from 1.
fn place_of(before: &[u8]) -> (usize, usize) {
    let before = String::from_utf8_lossy(before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    (line, column)
}
