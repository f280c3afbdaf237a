//! Folders watched for changes of any file in them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};

/// Events are collected this long: a program that writes a file makes several.
const QUIET: Duration = Duration::from_millis(250);

type Watcher = Debouncer<notify::RecommendedWatcher, RecommendedCache>;

/// Watched folders, and which of their files changed. Folders are watched, not files: a file may come later, or be
/// replaced by renaming.
#[derive(Default)]
pub(super) struct Watch {
    watcher: Option<Watcher>,
    folders: BTreeSet<PathBuf>,
    changed: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("folders", &self.folders).finish_non_exhaustive()
    }
}

impl Watch {
    /// Watches these folders and no others. A folder that is not there, or cannot be watched, is left out.
    pub(super) fn follow(&mut self, folders: impl Iterator<Item = PathBuf>, context: &egui::Context) {
        let wanted: BTreeSet<PathBuf> = folders.filter(|folder| here(folder).is_dir()).collect();
        if wanted == self.folders {
            return;
        }
        self.watcher = None;
        if !wanted.is_empty() {
            self.watcher = self.watch(&wanted, context).ok();
        }
        self.folders = wanted;
    }

    /// The files that changed since the last call, by the folders' own spelling.
    pub(super) fn changed(&self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn watch(&self, wanted: &BTreeSet<PathBuf>, context: &egui::Context) -> notify::Result<Watcher> {
        let (changed, wake) = (Arc::clone(&self.changed), context.clone());
        // Events tell whole paths; the folders may be written in another way.
        let whole = |folder: &PathBuf| {
            let here = here(folder);
            (std::fs::canonicalize(&here).unwrap_or(here), folder.clone())
        };
        let known: Vec<(PathBuf, PathBuf)> = wanted.iter().map(whole).collect();
        let watched = known.clone();
        let handle = move |events: DebounceEventResult| {
            let Ok(events) = events else { return };
            let paths = events.iter().filter(|event| !event.kind.is_access()).flat_map(|event| &event.paths);
            let known = &known;
            let named = paths.flat_map(|path| {
                known.iter().filter_map(|(whole, folder)| Some(folder.join(path.strip_prefix(whole).ok()?)))
            });
            let named: Vec<PathBuf> = named.collect();
            if named.is_empty() {
                return;
            }
            changed.lock().unwrap_or_else(PoisonError::into_inner).extend(named);
            wake.request_repaint();
        };
        let mut watcher = new_debouncer(QUIET, None, handle)?;
        for (whole, _) in &watched {
            watcher.watch(whole, notify::RecursiveMode::NonRecursive)?;
        }
        Ok(watcher)
    }
}

/// A folder's path to open: an empty one is the working folder.
fn here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}
