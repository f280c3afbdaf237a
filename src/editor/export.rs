//! Export: bake completely, write beside the file, swap, read back, compare.

use std::path::{Path, PathBuf};

use super::worker::{BakeFailure, Baked, bake, count};
use crate::bake::Severity;
use crate::format::{FormatError, NavMesh};
use crate::project::{Document, write_whole};

/// What was written, as read back.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Where.
    pub path: PathBuf,
    /// How long the file is.
    pub bytes: usize,
    /// The bake it came from; counts are those of the file.
    pub baked: Baked,
}

/// Why nothing was exported; the old file is whole.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No mesh.
    #[error(transparent)]
    Bake(#[from] BakeFailure),
    /// Diagnostics of error severity.
    #[error("{count} {}: {first}", if *count == 1 { "error stands in the way" } else { "errors stand in the way, the first" })]
    Blocked {
        /// How many.
        count: usize,
        /// The first one's words.
        first: String,
    },
    /// The mesh has no bytes.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The operating system says no.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// What was written is not what was baked.
    #[error("{path}: reads back differently ({what}); do not use it", path = path.display())]
    ReadBack {
        /// The file.
        path: PathBuf,
        /// How it differs.
        what: String,
    },
}

impl Exported {
    /// "19 polygons, 40 links, 1 island, fingerprint 3fa9c1d2".
    #[must_use]
    pub fn summary(&self) -> String {
        let counts = &self.baked.counts;
        let fingerprint = counts.fingerprint.to_string();
        format!(
            "{}, {}, {}, {}, fingerprint {}",
            many(counts.polygons, "polygon"),
            many(counts.links, "link"),
            many(counts.islands, "island"),
            many(self.bytes, "byte"),
            fingerprint.get(..8).unwrap_or(&fingerprint)
        )
    }
}

/// "1 island", "2 islands".
#[must_use]
pub fn many(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Bakes a document and writes the mesh to `path`.
///
/// # Errors
/// [`ExportError`]; unless it is `ReadBack`, a file that was there is untouched.
pub fn export(document: &Document, path: &Path) -> Result<Exported, ExportError> {
    let mut baked = bake(document, None).map_err(BakeFailure::from)?;
    let errors = baked.report.diagnostics.iter().filter(|found| found.kind.severity() == Severity::Error);
    let mut errors = errors.map(|found| found.message.clone());
    if let Some(first) = errors.next() {
        return Err(ExportError::Blocked { count: 1 + errors.count(), first });
    }
    let bytes = baked.mesh.to_bytes()?;
    write_whole(path, &bytes).map_err(|source| ExportError::Io { path: path.to_owned(), source })?;
    let read = std::fs::read(path).map_err(|source| ExportError::Io { path: path.to_owned(), source })?;
    let differs = |what: String| ExportError::ReadBack { path: path.to_owned(), what };
    if read != bytes {
        return Err(differs(format!("{} bytes written, {} read", bytes.len(), read.len())));
    }
    let mesh = NavMesh::from_bytes(&read).map_err(|error| differs(error.to_string()))?;
    let again = mesh.to_bytes()?;
    if again != bytes {
        return Err(differs("it writes other bytes".to_owned()));
    }
    let counts = count(&mesh.mesh);
    if counts != baked.counts {
        return Err(differs(format!(
            "{} and {} baked, {} and {} read",
            many(baked.counts.polygons, "polygon"),
            many(baked.counts.links, "link"),
            many(counts.polygons, "polygon"),
            many(counts.links, "link")
        )));
    }
    baked.counts = counts;
    Ok(Exported { path: path.to_owned(), bytes: bytes.len(), baked })
}
