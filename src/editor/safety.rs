//! Autosave while something is not saved, and what an earlier program left behind.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

use super::samples;
use super::state::{State, Tone};
use crate::project::autosave::{Leftover, Recovery, forget, keep, leftovers};
use crate::project::{Change, Document, changes, differences, file};

/// How often what is not saved is kept.
pub const PERIOD: Duration = Duration::from_secs(60);

/// How long leftovers are looked for after the start, and how often.
const LOOK: Duration = Duration::from_secs(12);
const LOOK_PAUSE: Duration = Duration::from_secs(2);

/// This program's recovery file, and the leftovers of others.
#[derive(Debug)]
pub struct Safety {
    recovery: Recovery,
    /// How often.
    pub period: Duration,
    /// The document that the recovery file has.
    kept: Option<Document>,
    last: Instant,
    writing: Option<(Document, Receiver<std::io::Result<()>>)>,
    /// What is offered.
    pub found: Vec<Found>,
    folder: PathBuf,
    /// Until when leftovers are looked for again, and the last look: a program that broke down may take a while to end.
    look: Option<(Instant, Instant)>,
}

/// A leftover that can be opened.
#[derive(Debug)]
pub struct Found {
    /// Its file.
    pub leftover: Leftover,
    /// What it holds, or why it cannot be read.
    pub document: Result<Document, String>,
    /// How it differs from the project it came from.
    pub differences: Vec<String>,
    /// The same, thing by thing.
    pub changes: Vec<Change>,
}

impl Found {
    /// The project it is of.
    #[must_use]
    pub fn title(&self) -> String {
        let origin = self.leftover.origin.as_ref();
        origin.map_or_else(|| "a map never saved".to_owned(), |path| path.display().to_string())
    }

    /// What differs, a line for each thing; or why it cannot be read.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        match &self.document {
            Ok(_) => self.changes.iter().map(|change| format!("{}: {}", change.name, change.what)).collect(),
            Err(error) => vec![error.clone()],
        }
    }
}

impl Safety {
    /// Looks for leftovers in the folder and takes a name of its own there.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(folder: &std::path::Path) -> std::io::Result<Self> {
        let found: Vec<Found> = leftovers(folder).into_iter().map(found).collect();
        let now = Instant::now();
        let look = found.is_empty().then_some((now + LOOK, now));
        let recovery = Recovery::start(folder)?;
        let (period, last) = (PERIOD, Instant::now());
        Ok(Self { recovery, period, kept: None, last, writing: None, found, folder: folder.to_owned(), look })
    }

    /// Keeps what is not saved when it is due, never during a drag, on a thread of its own; forgets it once it is saved.
    pub fn tick(&mut self, state: &mut State, context: &egui::Context) {
        self.look_again(context);
        if let Some((document, receiver)) = &self.writing
            && let Ok(result) = receiver.try_recv()
        {
            match result {
                Ok(()) => (self.kept, state.autosaved) = (Some(document.clone()), Some(Instant::now())),
                Err(error) => {
                    let file = self.recovery.file().display();
                    state.say(Tone::Bad, format!("Autosave failed: {file}: {error}"));
                }
            }
            self.writing = None;
        }
        if self.writing.is_some() {
            return;
        }
        if !state.edited() {
            if self.kept.take().is_some() {
                forget(self.recovery.file());
                state.autosaved = None;
            }
            self.last = Instant::now();
            return;
        }
        if self.kept.as_ref().is_some_and(|kept| kept.ptr_eq(state.document())) || state.history.in_gesture()
        {
            return;
        }
        let left = self.period.saturating_sub(self.last.elapsed());
        if left > Duration::ZERO {
            return context.request_repaint_after(left);
        }
        self.last = Instant::now();
        let (document, origin, folder) = (state.document().clone(), state.file.clone(), state.folder());
        let (file, wake, to_write) = (self.recovery.file().to_owned(), context.clone(), document.clone());
        let (sender, receiver) = channel();
        let spawned = std::thread::Builder::new().name("autosave".to_owned()).spawn(move || {
            drop(sender.send(keep(&file, &to_write, origin.as_deref(), folder.as_deref())));
            wake.request_repaint();
        });
        if spawned.is_ok() {
            self.writing = Some((document, receiver));
        }
    }

    fn look_again(&mut self, context: &egui::Context) {
        let Some((until, last)) = self.look else { return };
        let now = Instant::now();
        if now < last + LOOK_PAUSE {
            return context.request_repaint_after(last + LOOK_PAUSE - now);
        }
        self.found = leftovers(&self.folder).into_iter().map(found).collect();
        self.look = (self.found.is_empty() && now < until).then_some((until, now));
        context.request_repaint();
    }

    /// Looks for leftovers now.
    pub fn look_now(&mut self) {
        // Those that are held already would not be found again.
        self.found.extend(leftovers(&self.folder).into_iter().map(found));
    }

    /// Ends well.
    pub fn finish(&mut self) {
        if let Some((_, receiver)) = self.writing.take() {
            // It must not come back after it is forgotten.
            drop(receiver.recv());
        }
        self.recovery.finish();
    }

    /// Opens a leftover as unsaved changes of the project it came from. It stays until these are saved or given up.
    pub fn open(&mut self, index: usize, state: &mut State) {
        if index >= self.found.len() {
            return;
        }
        let Found { leftover, document, .. } = self.found.remove(index);
        match document {
            Ok(document) => {
                let origin = leftover.origin.clone();
                let saved = origin.as_deref().and_then(|path| file::load(path).ok());
                // A project that is there no more is saved under a name that is asked for.
                state.replace(document, origin.filter(|_| saved.is_some()));
                state.base.clone_from(&leftover.folder);
                if state.folder().is_none() {
                    state.bundled = samples::files_of(state.document());
                }
                state.saved = saved.unwrap_or_default();
                state.say(Tone::Good, "Recovered what was not saved; save it to keep it");
                // Kept at once under this program's name, then the old file may go.
                let folder = state.folder();
                let kept =
                    keep(self.recovery.file(), state.document(), state.file.as_deref(), folder.as_deref());
                match kept {
                    Ok(()) => {
                        (self.kept, state.autosaved) = (Some(state.document().clone()), Some(Instant::now()));
                        leftover.discard();
                    }
                    Err(error) => state.say(Tone::Bad, format!("Autosave failed: {error}")),
                }
            }
            Err(error) => state.say(Tone::Bad, format!("Cannot be recovered: {error}")),
        }
    }

    /// Removes a leftover for good.
    pub fn discard(&mut self, index: usize) {
        if index < self.found.len() {
            self.found.remove(index).leftover.discard();
        }
    }
}

fn found(leftover: Leftover) -> Found {
    let document = leftover.document().map_err(|error| error.to_string());
    let before = leftover.origin.as_deref().and_then(|path| file::load(path).ok()).unwrap_or_default();
    let differences = document.as_ref().map(|document| differences(&before, document)).unwrap_or_default();
    let changes = document.as_ref().map(|document| changes(&before, document)).unwrap_or_default();
    Found { leftover, document, differences, changes }
}

/// "3 minutes ago".
#[must_use]
pub fn ago(written: Option<SystemTime>) -> String {
    let Some(age) = written.and_then(|at| at.elapsed().ok()) else { return "at an unknown time".to_owned() };
    let minutes = age.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "less than a minute ago".to_owned(),
        1..=119 => (minutes, "minute"),
        120..=2879 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

/// The folders of a user.
#[derive(Clone, Debug)]
pub struct Home {
    /// The preferences' file.
    pub preferences: PathBuf,
    /// The folder of recovery files.
    pub recovery: PathBuf,
}

impl Home {
    /// Where this system keeps such files; `None` where it does not say.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        let name = AppStrategyArgs { app_name: "navwright".to_owned(), ..AppStrategyArgs::default() };
        let folders = choose_app_strategy(name).ok()?;
        let state = folders.state_dir().unwrap_or_else(|| folders.data_dir());
        Some(Self {
            preferences: folders.config_dir().join("preferences.ron"),
            recovery: state.join("recovery"),
        })
    }
}
