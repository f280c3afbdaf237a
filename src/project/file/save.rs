//! Saving: a temporary file in the same folder, synced, renamed over the old one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::{FileError, encode};
use crate::project::Document;

/// Writes beside the file, syncs, keeps the old file as `NAME.bak`, then renames over it: a crash at any instant
/// leaves a whole old or a whole new file. A symbolic link stays one; the file keeps its permissions.
///
/// # Errors
/// [`FileError`]; the old file is then whole.
pub fn save(document: &Document, path: &Path) -> Result<(), FileError> {
    // What a link points to is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let fail = |source| FileError::Io { path: format!("cannot save {}", path.display()), source };
    if target.is_dir() {
        return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let new = written(folder, &target, encode(document).as_bytes()).map_err(fail)?;
    match fs::read(&target) {
        Ok(old) => {
            let backup = backup_of(&target);
            let failed = |source| FileError::Io {
                path: format!("cannot keep the old {} as {}", path.display(), backup.display()),
                source,
            };
            let kept = written(folder, &target, &old).map_err(failed)?;
            kept.persist(&backup).map_err(|error| failed(error.error))?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(fail(error)),
    }
    new.persist(&target).map_err(|error| fail(error.error))?;
    sync_folder(folder);
    Ok(())
}

/// `NAME.bak` beside the file.
fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}

/// A synced temporary file with these bytes and the target's permissions; it is gone when dropped.
fn written(folder: &Path, target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".navwright-").suffix(".tmp");
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the user's mask takes its bits away.
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Ok(old) = fs::metadata(target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Makes the rename last. Not every file system can sync a folder, and the file is whole either way.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = fs::File::open(folder) {
        folder.sync_all().ok();
    }
}
