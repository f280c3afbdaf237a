//! The open project's file as it is on the disk: watched, read when something happens to it, and compared with what was
//! loaded or saved last, so that our own saves are never news.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};

use super::state::{Contest, State, Tone};
use crate::project::{Command, Contested, Document, OpenError, open, open_contested};

/// Events are collected this long: an editor that saves by renaming makes several.
const QUIET: Duration = Duration::from_millis(250);
/// A file that is gone may be on its way back: it is looked for again after this.
const BACK_SOON: Duration = Duration::from_millis(600);

type Watcher = Debouncer<notify::RecommendedWatcher, RecommendedCache>;

/// What the file holds that is not here, while the user has not said what becomes of it.
#[derive(Clone, Debug)]
pub enum News {
    /// Another document.
    Changed(Document),
    /// A document with conflict marks.
    Marked(Arc<Contested>),
    /// Something that cannot be read, and why.
    Unreadable(String),
    /// The file is there no more.
    Gone,
}

/// The watched file.
pub struct Disk {
    watcher: Option<Watcher>,
    file: Option<PathBuf>,
    touched: Arc<AtomicBool>,
    reading: Option<(Document, Receiver<Seen>)>,
    gone_since: Option<Instant>,
    /// Length and time of the file when it was last the same as `State::saved`, and that document.
    stamp: Option<(Stamp, Document)>,
    /// What is to be decided.
    pub news: Option<News>,
}

type Stamp = Option<(u64, SystemTime)>;
type Seen = (Stamp, Result<Document, Fault>);

enum Fault {
    Gone,
    Marked(Box<Contested>),
    Other(String),
}

impl std::fmt::Debug for Disk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Disk").field("file", &self.file).field("news", &self.news).finish_non_exhaustive()
    }
}

impl Default for Disk {
    fn default() -> Self {
        let touched = Arc::new(AtomicBool::new(false));
        Self { watcher: None, file: None, touched, reading: None, gone_since: None, stamp: None, news: None }
    }
}

impl Disk {
    /// Watches the file that is open, and takes in what happened to it.
    pub fn tick(&mut self, state: &mut State, context: &egui::Context) {
        self.follow(state, context);
        let Some(file) = self.file.clone() else { return };
        if let Some((saved, receiver)) = &self.reading
            && let Ok(seen) = receiver.try_recv()
        {
            let current = saved.ptr_eq(&state.saved);
            self.reading = None;
            if current {
                self.take(seen, state, context);
            } else {
                // Saved while it was read: what was read may be older.
                self.touched.store(true, Ordering::Relaxed);
            }
        }
        if let Some(since) = self.gone_since {
            if since.elapsed() >= BACK_SOON {
                self.touched.store(true, Ordering::Relaxed);
            } else {
                context.request_repaint_after(BACK_SOON.saturating_sub(since.elapsed()));
            }
        }
        // A drag is not disturbed: the file can wait.
        let busy = state.history.in_gesture() || state.tools.dragging();
        if self.reading.is_none() && !busy && self.touched.swap(false, Ordering::Relaxed) {
            let (sender, receiver) = channel();
            let wake = context.clone();
            let spawned = std::thread::Builder::new().name("read again".to_owned()).spawn(move || {
                drop(sender.send(read(&file)));
                wake.request_repaint();
            });
            self.reading = spawned.is_ok().then(|| (state.saved.clone(), receiver));
        }
    }

    /// Whether the file has something that would be lost if it were saved over now. Looks at the disk itself: a change of
    /// a moment ago may not be known yet, and some disks cannot be watched.
    pub fn is_newer(&mut self, state: &mut State, context: &egui::Context) -> bool {
        if self.news.is_none() && self.file.is_some() && self.file == state.file {
            let file = self.file.clone().unwrap_or_default();
            let unchanged = self.stamp.as_ref().is_some_and(|(stamp, saved)| {
                saved.ptr_eq(&state.saved) && stamp.is_some() && *stamp == stamp_of(&file)
            });
            if !unchanged {
                self.gone_since = None;
                self.take(read(&file), state, context);
            }
        }
        matches!(self.news, Some(News::Changed(_) | News::Marked(_)))
    }

    /// The document here counts: the one on the disk is what it differs from now, and is saved over.
    pub fn keep_mine(&mut self, state: &mut State) {
        if let Some(News::Changed(theirs)) = self.news.take() {
            state.saved = theirs;
        }
    }

    /// The document on the disk counts; undo brings the one here back.
    pub fn load_theirs(&mut self, state: &mut State) {
        match self.news.take() {
            Some(News::Changed(theirs)) => {
                let taken = state.take_over("Load from disk", theirs);
                if taken {
                    state.saved = state.document().clone();
                    state.contest = None;
                }
            }
            Some(News::Marked(contested)) => open_marked(&contested, state),
            _ => {}
        }
    }

    fn follow(&mut self, state: &mut State, context: &egui::Context) {
        if self.file == state.file {
            return;
        }
        *self = Self { file: state.file.clone(), ..Self::default() };
        let Some(file) = &self.file else { return };
        match watch(file, &self.touched, context) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) => {
                let text = format!("Changes of {} on the disk are not noticed: {error}", file.display());
                state.say(Tone::Hint, text);
            }
        }
        self.stamp = Some((stamp_of(file), state.saved.clone()));
    }

    fn take(&mut self, (stamp, seen): Seen, state: &mut State, context: &egui::Context) {
        let was_gone = self.gone_since.take();
        match seen {
            Ok(theirs) if theirs == state.saved => {
                self.stamp = Some((stamp, state.saved.clone()));
                self.news = None;
            }
            Ok(theirs) if state.edited() => self.news = Some(News::Changed(theirs)),
            Ok(theirs) => {
                self.news = None;
                let camera = state.camera;
                if state.take_over("Reload from disk", theirs) {
                    state.saved = state.document().clone();
                    state.camera = camera;
                    self.stamp = Some((stamp, state.saved.clone()));
                    state.say(Tone::Hint, format!("{} changed on the disk and was read again", state.name));
                }
            }
            Err(Fault::Marked(contested)) => {
                let same = |contest: &Contest| {
                    contest.contested.mine == contested.mine && contest.contested.theirs == contested.theirs
                };
                if state.contest.as_ref().is_some_and(same) {
                    return;
                }
                let contested = Arc::new(*contested);
                if state.edited() {
                    self.news = Some(News::Marked(contested));
                } else {
                    open_marked(&contested, state);
                }
            }
            Err(Fault::Gone) if was_gone.is_none() => {
                self.gone_since = Some(Instant::now());
                context.request_repaint_after(BACK_SOON);
            }
            Err(Fault::Gone) => {
                // What is here is nowhere else any more: it counts as not saved.
                if !state.edited() {
                    state.saved = elsewhere(&state.saved);
                }
                self.news = Some(News::Gone);
            }
            Err(Fault::Other(error)) => self.news = Some(News::Unreadable(error)),
        }
    }
}

/// Shows both sides of a file with conflict marks merged as far as it goes, on top of what was here.
pub(super) fn open_marked(contested: &Arc<Contested>, state: &mut State) {
    let merged = match contested.merged(&std::collections::BTreeMap::new()) {
        Ok(merged) => merged,
        Err(error) => return state.say(Tone::Bad, error.to_string()),
    };
    if state.take_over("Merge both sides", merged.document) {
        // Nothing of this is in the file: the file has marks.
        state.saved = elsewhere(&contested.mine);
        state.contest = Some(Contest { contested: Arc::clone(contested), opened: state.document().clone() });
    }
}

/// The same value elsewhere in memory: what is compared with it counts as edited.
fn elsewhere(document: &Document) -> Document {
    Document { areas: Arc::new((*document.areas).clone()), ..document.clone() }
}

impl State {
    /// Takes another document over as one undo step; what is selected and in sight stays as far as it is there.
    pub(super) fn take_over(&mut self, step: &str, document: Document) -> bool {
        self.history.cancel_gesture();
        let (selection, level) = (self.selection.clone(), self.level);
        if !self.commit(step, &Command::Replace(Box::new(document))) {
            return false;
        }
        self.select(selection);
        let there = self.document().level(level).is_some();
        self.level = if there { level } else { super::state::start_level(self.document()) };
        true
    }
}

fn stamp_of(file: &Path) -> Stamp {
    let data = std::fs::metadata(file).ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// The file as it is now.
fn read(file: &Path) -> Seen {
    let stamp = stamp_of(file);
    let seen = match open(file) {
        Ok(opened) => Ok(opened.document),
        Err(OpenError::Marks { .. }) => Err(match open_contested(file) {
            Ok(contested) => Fault::Marked(Box::new(contested)),
            Err(error) => Fault::Other(error.to_string()),
        }),
        Err(_) if stamp.is_none() && !file.exists() => Err(Fault::Gone),
        Err(error) => Err(Fault::Other(error.to_string())),
    };
    (stamp, seen)
}

/// Watches the folders that the file's name is in: files are replaced by renaming, which watching the file itself misses.
fn watch(file: &Path, touched: &Arc<AtomicBool>, context: &egui::Context) -> notify::Result<Watcher> {
    let named = std::path::absolute(file)?;
    // Where a link points to, if it is one.
    let mut files = vec![std::fs::canonicalize(&named).unwrap_or_else(|_| named.clone()), named];
    files.dedup();
    let names: Vec<_> = files.iter().filter_map(|file| file.file_name().map(ToOwned::to_owned)).collect();
    let (touched, wake) = (Arc::clone(touched), context.clone());
    let handle = move |events: DebounceEventResult| {
        let is_ours =
            |path: &PathBuf| path.file_name().is_some_and(|name| names.iter().any(|own| own == name));
        let hit = match events {
            Ok(events) => {
                events.iter().any(|event| !event.kind.is_access() && event.paths.iter().any(is_ours))
            }
            // Something was missed: look.
            Err(_) => true,
        };
        if hit {
            touched.store(true, Ordering::Relaxed);
            wake.request_repaint();
        }
    };
    let mut watcher = new_debouncer(QUIET, None, handle)?;
    let mut folders: Vec<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    folders.dedup();
    for folder in folders {
        watcher.watch(folder, notify::RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}
