//! Files that are written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

/// How temporary files are called.
const PREFIX: &str = ".navwright-";
const SUFFIX: &str = ".tmp";
/// No save takes as long as this.
const LEFT_OVER_AFTER: Duration = Duration::from_secs(60);

/// Writes a file whole or not at all: beside it, synced, then renamed over it. A symbolic link stays one and the file
/// keeps its permissions; what is no plain file (a pipe, a device) is written to as it is.
///
/// # Errors
/// What the system says, or that the target is a folder or read-only; the old file is then whole.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target_of(path);
    match fs::metadata(&target) {
        Ok(old) if old.is_dir() => return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(old) if !old.is_file() => return fs::write(&target, bytes),
        Ok(old) if old.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    written_beside(&target, bytes)?.persist(&target).map_err(|error| error.error)?;
    sync_folder(&folder_of(&target));
    Ok(())
}

/// What a link points to is replaced, not the link.
pub(in crate::project) fn target_of(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The folder that a file lies in.
fn folder_of(target: &Path) -> PathBuf {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// A synced temporary file beside the target with these bytes and the target's permissions; it is gone when dropped.
pub(in crate::project) fn written_beside(target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the user's mask takes its bits away.
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    let folder = folder_of(target);
    sweep(&folder);
    let mut file = builder.tempfile_in(&folder).map_err(|error| {
        io::Error::new(error.kind(), format!("folder {}: {}", folder.display(), plain(&error)))
    })?;
    // Held as long as it is being written. Where a file system has no locks, the age alone says what is left over.
    file.as_file().lock().ok();
    file.write_all(bytes)?;
    if let Ok(old) = fs::metadata(target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Removes temporary files that nobody holds any more: a program that is killed while it saves leaves one.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        let written =
            entry.metadata().ok().filter(fs::Metadata::is_file).and_then(|data| data.modified().ok());
        let old = written.and_then(|at| at.elapsed().ok()).is_some_and(|age| age >= LEFT_OVER_AFTER);
        if old && fs::File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            fs::remove_file(entry.path()).ok();
        }
    }
}

/// Makes a rename last. Not every file system can sync a folder, and the file is whole either way.
pub(in crate::project) fn sync_folder(folder: &Path) {
    if let Ok(folder) = fs::File::open(folder) {
        folder.sync_all().ok();
    }
}

/// An error of the system in its own words, without the name of the temporary file.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or(&text).to_owned()
}
