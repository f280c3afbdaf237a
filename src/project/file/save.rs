//! Saving: a temporary file in the same folder, synced, renamed over the old one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{FileError, encode};
use crate::project::Document;
use crate::project::whole::{sync_folder, target_of, written_beside};

/// Writes beside the file, syncs, keeps the old file as `NAME.bak`, then renames over it: a crash at any instant
/// leaves a whole old or a whole new file. A symbolic link stays one; the file keeps its permissions.
///
/// # Errors
/// [`FileError`]; the old file is then whole.
pub fn save(document: &Document, path: &Path) -> Result<(), FileError> {
    save_text(&encode(document), path)
}

/// As [`save`], for a project's text.
///
/// # Errors
/// [`FileError`]; the old file is then whole.
pub fn save_text(text: &str, path: &Path) -> Result<(), FileError> {
    let target = target_of(path);
    let fail = |source| FileError::Io { path: format!("cannot save {}", path.display()), source };
    if target.is_dir() {
        return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
    }
    let new = written_beside(&target, text.as_bytes()).map_err(fail)?;
    match fs::read(&target) {
        Ok(old) => {
            let backup = backup_of(&target);
            let failed = |source| FileError::Io {
                path: format!("cannot keep the old {} as {}", path.display(), backup.display()),
                source,
            };
            let kept = written_beside(&target, &old).map_err(failed)?;
            kept.persist(&backup).map_err(|error| failed(error.error))?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(fail(error)),
    }
    new.persist(&target).map_err(|error| fail(error.error))?;
    if let Some(folder) = target.parent() {
        sync_folder(folder);
    }
    Ok(())
}

/// `NAME.bak` beside the file.
fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}
