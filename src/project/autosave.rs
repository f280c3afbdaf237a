//! Recovery files: what was not saved when a program ended badly is there at the next start.
//!
//! Each running program has a file of its own in one folder, `ID.nav.ron`, which is a project with lines of comment on top
//! (the project that it is of, the folder its paths lead on from, and the project's own), and beside it a lock (`ID.lock`) that the system lets go when the program ends, however it ends. A file whose
//! lock nobody holds is a leftover.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::file::{self, FileError, encode};
use super::{Document, new_id, write_whole};

const ENDING: &str = "nav.ron";
/// Locks are taken within this time of being made.
const LOCK_AGE: Duration = Duration::from_secs(60);
const FIRST_LINE: &str = "// navwright recovery of ";
const SECOND_LINE: &str = "// whose paths lead on from ";

/// This program's recovery file.
#[derive(Debug)]
pub struct Recovery {
    file: PathBuf,
    lock_file: PathBuf,
    /// Held as long as the program runs.
    _lock: File,
}

/// What another program left behind.
#[derive(Debug)]
pub struct Leftover {
    /// The recovery file.
    pub file: PathBuf,
    /// The project that it is a later state of, if it was ever saved.
    pub origin: Option<PathBuf>,
    /// The folder that its relative paths lead on from: that of its project, or else what it was made from.
    pub folder: Option<PathBuf>,
    /// When it was written.
    pub written: Option<SystemTime>,
    lock_file: PathBuf,
    /// Held, so that two programs do not offer one leftover.
    _lock: File,
}

impl Recovery {
    /// Takes a name in the folder, which is made if it is missing. Nothing is kept yet.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let id = format!("{:016x}", new_id());
        let (file, lock_file) = (folder.join(format!("{id}.{ENDING}")), folder.join(format!("{id}.lock")));
        let lock = File::create_new(&lock_file)?;
        lock.lock()?;
        Ok(Self { file, lock_file, _lock: lock })
    }

    /// Where the document is kept.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Ends well: nothing is left over.
    pub fn finish(&self) {
        forget(&self.file);
        fs::remove_file(&self.lock_file).ok();
    }
}

/// Writes a document to a recovery file, whole or not at all. `origin`: the project that it is a later state of;
/// `folder`: where the relative paths of a map lead on from that has no project yet.
///
/// # Errors
/// What the system says; what was kept before is then whole.
pub fn keep(
    file: &Path,
    document: &Document,
    origin: Option<&Path>,
    folder: Option<&Path>,
) -> io::Result<()> {
    // A path that does not fit one line is left out.
    let line = |path: &Path| {
        Some(path.display().to_string()).filter(|path| !path.contains(['\n', '\r'])).unwrap_or_default()
    };
    let origin = origin.map(line).unwrap_or_default();
    let folder = folder.map(line).unwrap_or_default();
    let text = format!("{FIRST_LINE}{origin}\n{SECOND_LINE}{folder}\n{}", encode(document));
    write_whole(file, text.as_bytes())
}

/// Removes a recovery file: all that it has is saved, or was given up on purpose.
pub fn forget(file: &Path) {
    fs::remove_file(file).ok();
}

/// The recovery files whose programs have ended, newest first. A folder that is not there holds none. Locks of programs
/// that ended with nothing to keep are removed.
#[must_use]
pub fn leftovers(folder: &Path) -> Vec<Leftover> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.iter().for_each(|file| remove_idle_lock(file));
    let mut found: Vec<Leftover> = files.iter().filter_map(|file| leftover(file)).collect();
    found.sort_by(|a, b| (b.written, &b.file).cmp(&(a.written, &a.file)));
    found
}

fn remove_idle_lock(file: &Path) {
    let is_lock = file.extension().is_some_and(|ending| ending == "lock");
    if !is_lock || file.with_extension(ENDING).exists() {
        return;
    }
    // A younger one may be about to be taken.
    let age = fs::metadata(file).and_then(|data| data.modified()).ok().and_then(|at| at.elapsed().ok());
    let is_old = age.is_some_and(|age| age >= LOCK_AGE);
    if is_old && File::open(file).is_ok_and(|lock| lock.try_lock().is_ok()) {
        fs::remove_file(file).ok();
    }
}

fn leftover(file: &Path) -> Option<Leftover> {
    let id = file.file_name()?.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?;
    let lock_file = file.with_file_name(format!("{id}.lock"));
    let lock = File::options().create(true).truncate(false).write(true).open(&lock_file).ok()?;
    lock.try_lock().ok()?;
    let written = fs::metadata(file).and_then(|data| data.modified()).ok();
    let [origin, folder] = head(file).map(|path| path.map(PathBuf::from));
    let folder = folder.or_else(|| Some(origin.as_ref()?.parent()?.to_owned()));
    Some(Leftover { file: file.to_owned(), origin, folder, written, lock_file, _lock: lock })
}

/// The paths on the first two lines.
fn head(file: &Path) -> [Option<String>; 2] {
    use std::io::BufRead;
    let Ok(file) = File::open(file) else { return [None, None] };
    let mut lines = io::BufReader::new(io::Read::take(file, 1 << 16)).lines();
    [FIRST_LINE, SECOND_LINE].map(|begin| {
        let line = lines.next()?.ok()?;
        line.strip_prefix(begin).filter(|path| !path.is_empty()).map(str::to_owned)
    })
}

impl Leftover {
    /// The document that was kept.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn document(&self) -> Result<Document, FileError> {
        file::load(&self.file)
    }

    /// Removes it for good.
    pub fn discard(self) {
        forget(&self.file);
        fs::remove_file(&self.lock_file).ok();
    }
}
