//! Opening whatever holds a map; what it is is decided by its content, not its name.

use std::path::Path;

use super::file::{self, FileError};
use super::marks::{self, Contested};
use super::{Document, map_text};
use crate::interop::navwalk::{MapText, MapTextError};

/// What a document was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A `.nav.ron` project.
    Project,
    /// `nav walk …` lines.
    MapText,
}

/// A document and where it came from.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The map.
    pub document: Document,
    /// What the file was.
    pub kind: FileKind,
}

/// Why a file cannot be opened as a map.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Not readable, or a project with a fault.
    #[error(transparent)]
    File(#[from] FileError),
    /// Map text with a fault.
    #[error("{path}:{}:{}: found {}, expected {}", error.line, error.column, error.found, error.expected)]
    MapText {
        /// The file.
        path: String,
        /// The fault.
        error: MapTextError,
    },
    /// A project in which a version control system left both sides of a conflict.
    #[error(
        "{path}: two versions stand in it, between conflict marks in {}; choose there, or open it in the editor, which merges what it can",
        lines_text(lines)
    )]
    Marks {
        /// The file.
        path: String,
        /// The lines where contested places begin, from 1.
        lines: Vec<usize>,
    },
    /// Neither.
    #[error("{path}: {what}; a map is a project (.nav.ron) or text with \"nav walk\" lines")]
    Unknown {
        /// The file.
        path: String,
        /// What it is instead.
        what: String,
    },
}

/// Opens a project or a map text.
///
/// # Errors
/// [`OpenError`] naming the file, the place and what is wrong.
pub fn open(path: &Path) -> Result<Opened, OpenError> {
    let bytes = file::read_bytes(path)?;
    let name = path.display().to_string();
    if let Some(what) = binary_kind(&bytes) {
        return Err(OpenError::Unknown { path: name, what: what.to_owned() });
    }
    open_text(file::text_of(&bytes, &name)?, &name)
}

/// Both sides of a project that [`open`] says has conflict marks.
///
/// # Errors
/// [`OpenError`].
pub fn open_contested(path: &Path) -> Result<Contested, OpenError> {
    let bytes = file::read_bytes(path)?;
    let name = path.display().to_string();
    Ok(marks::decode(file::text_of(&bytes, &name)?, &name)?)
}

/// "line 12", "lines 12, 40 and 71": the first few.
fn lines_text(lines: &[usize]) -> String {
    const MOST: usize = 8;
    let shown: Vec<String> = lines.iter().take(MOST).map(usize::to_string).collect();
    match (&shown[..], lines.len()) {
        ([only], _) => format!("line {only}"),
        (_, count) if count > MOST => format!("lines {} and {} more", shown.join(", "), count - MOST),
        ([first @ .., last], _) => format!("lines {} and {last}", first.join(", ")),
        ([], _) => "no line".to_owned(),
    }
}

/// As [`open`], for text that is already read; `path` is for messages.
///
/// # Errors
/// [`OpenError`].
pub fn open_text(text: &str, path: &str) -> Result<Opened, OpenError> {
    let lines = marks::marked_lines(text);
    if !lines.is_empty() {
        return Err(OpenError::Marks { path: path.to_owned(), lines });
    }
    match kind_of(text) {
        Ok(FileKind::Project) => Ok(Opened { document: file::decode(text, path)?, kind: FileKind::Project }),
        Ok(FileKind::MapText) => {
            let map =
                MapText::parse(text).map_err(|error| OpenError::MapText { path: path.to_owned(), error })?;
            Ok(Opened { document: map_text::document_from_map(&map), kind: FileKind::MapText })
        }
        Err(what) => Err(OpenError::Unknown { path: path.to_owned(), what }),
    }
}

/// A format of ours or another's that is no map, by its first bytes.
fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes.get(..4)? {
        b"ONNM" | b"ONNW" | b"ONPM" | b"ONPT" | b"ONPS" => Some("it is a baked mesh"),
        [0xCE, 0xFA, 0xED, 0xFE] => Some("it is a Source navigation mesh"),
        b"TESM" | b"MSET" => Some("it is a Detour mesh set"),
        _ => None,
    }
}

/// A project starts with `Project(` or `(` (after RON's comments and `#![…]`), a map text with `nav` or `#`.
fn kind_of(text: &str) -> Result<FileKind, String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    // A text of comments alone is a map without areas.
    let Some(first) = text.lines().map(str::trim).find(|line| !line.is_empty() && !is_comment(line)) else {
        return if text.is_empty() { Err("it is empty".to_owned()) } else { Ok(FileKind::MapText) };
    };
    if text.starts_with("//") || text.starts_with("/*") || text.starts_with("#![") {
        return Ok(FileKind::Project);
    }
    let word = first.split_whitespace().next().unwrap_or(first);
    let is_project = first.starts_with('(') || word.split('(').next() == Some("Project");
    match word {
        "nav" => Ok(FileKind::MapText),
        _ if is_project => Ok(FileKind::Project),
        _ => Err(format!("it starts with \"{}\"", word.chars().take(40).collect::<String>().escape_debug())),
    }
}

fn is_comment(line: &str) -> bool {
    line.starts_with('#') && !line.starts_with("#![")
}
