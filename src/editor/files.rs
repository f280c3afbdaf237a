//! Opening, saving and exporting: native dialogs on a thread, an in-app path field where there are none.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::compare::{OnScreen, compare};
use super::disk;
use super::export::{ExportError, Exported, What, command_line, export_with};
use super::plots::{self, why_empty};
use super::purpose::{Purpose, native_dialog, suggestion, what_by_ending, what_of, with_extension};
use super::samples::{SAMPLES, Sample};
use super::sight;
use super::state::{State, Tone, file_name};
use super::words::many;
use super::worker::Mode;
use crate::bake::Severity;
use crate::draw::Theme;
use crate::project::{FileKind, OpenError, file, open, open_contested, write_whole};

/// A dialog that answers "cancel" sooner than a hand can: there is none on this desktop.
const TOO_SOON: Duration = Duration::from_millis(300);

/// What was to be done when the question about unsaved changes came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Next {
    New,
    Open,
    /// The recent file of this number.
    Recent(u8),
    /// The sample of this number.
    Sample(u8),
    Quit,
}

/// The in-app path field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathField {
    /// What the path is for.
    pub purpose: Purpose,
    /// What is typed.
    pub text: String,
    /// What is exported; the text's ending goes with it.
    pub what: What,
    /// Why it did not work.
    pub error: Option<String>,
    /// Whether the field is new and wants the keyboard.
    pub fresh: bool,
}

/// What a native dialog says, and how long it took.
type Answer = (Option<PathBuf>, Duration);

/// What is under way with files.
#[derive(Debug)]
pub struct Files {
    /// Whether native dialogs are tried first.
    pub native: bool,
    /// The in-app path field, if it is open.
    pub field: Option<PathField>,
    /// The question about unsaved changes, if it is open.
    pub question: Option<Next>,
    /// Files opened or saved, the last one first.
    pub recent: Vec<PathBuf>,
    /// Whether the window may close.
    pub may_quit: bool,
    after_save: Option<Next>,
    /// Saving was asked for by a dialog, and what comes after it.
    pub(super) wants_save: Option<Option<Next>>,
    asked: Option<(Purpose, Receiver<Answer>)>,
    /// Whether the dialog's answer goes into the field.
    browsing: bool,
    exporting: Option<Receiver<Written>>,
    /// Whether saving exports too.
    pub export_on_save: bool,
}

/// What a thread has written.
#[derive(Debug)]
enum Written {
    Mesh(Result<Exported, ExportError>),
    /// Something that is only looked at: what was written, or why not.
    Sight(Result<String, String>),
}

impl Files {
    /// Nothing under way.
    #[must_use]
    pub fn new(native: bool) -> Self {
        Self {
            native,
            field: None,
            question: None,
            recent: Vec::new(),
            may_quit: false,
            after_save: None,
            wants_save: None,
            asked: None,
            browsing: false,
            exporting: None,
            export_on_save: false,
        }
    }

    /// Whether an export is being written.
    #[must_use]
    pub fn exporting(&self) -> bool {
        self.exporting.is_some()
    }

    /// Goes on to `next`, after asking about unsaved changes.
    pub fn go_on(&mut self, next: Next, state: &mut State, context: &egui::Context) {
        if state.edited() {
            self.question = Some(next);
        } else {
            self.go_on_anyway(next, state, context);
        }
    }

    /// Goes on to `next`; unsaved changes are lost.
    pub fn go_on_anyway(&mut self, next: Next, state: &mut State, context: &egui::Context) {
        self.question = None;
        match next {
            Next::New => {
                state.replace(crate::project::Document::default(), None);
                state.guided = true;
                state.take_tool(super::tools::ToolKind::Walk);
            }
            Next::Open => self.ask(Purpose::Open, state, context),
            Next::Recent(index) => {
                let Some(path) = self.recent.get(usize::from(index)).cloned() else { return };
                if let Err(error) = open_path(&path, state) {
                    state.say(Tone::Bad, error);
                }
            }
            Next::Sample(index) => {
                if let Some(sample) = SAMPLES.get(usize::from(index)) {
                    open_sample(sample, state);
                }
            }
            Next::Quit => {
                self.may_quit = true;
                context.send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }

    /// Saves where the document came from, else asks for a path; then goes on to `next`.
    pub fn save(&mut self, next: Option<Next>, state: &mut State, context: &egui::Context) {
        self.question = None;
        self.after_save = next;
        match state.file.clone() {
            Some(path) => {
                if let Err(error) = self.save_to(&path, state, context) {
                    state.say(Tone::Bad, error);
                }
            }
            None => self.ask(Purpose::Save, state, context),
        }
    }

    /// Exports where the last export went, else asks for a path.
    pub fn export_again(&mut self, state: &mut State, context: &egui::Context) {
        match state.export_target.clone() {
            Some((path, what)) => self.export_to(&path, what, state, context),
            None => self.ask(Purpose::Export, state, context),
        }
    }

    /// Asks for a path: by a native dialog if there may be one, else by the field. Of several agent classes the field
    /// asks which.
    pub fn ask(&mut self, purpose: Purpose, state: &State, context: &egui::Context) {
        let choice = purpose == Purpose::Export && state.document().classes.len() > 1;
        if !self.native || choice {
            return self.open_field(purpose, state);
        }
        self.browsing = false;
        let suggested = suggestion(purpose, what_of(state), state);
        if !self.dialog(purpose, suggested, context) {
            self.open_field(purpose, state);
        }
    }

    /// Asks for a picture to draw over. Its path is kept from the project's folder on, so there must be one.
    pub fn import_picture(&mut self, state: &mut State, context: &egui::Context) {
        if state.file.is_some() {
            return self.ask(Purpose::Picture, state, context);
        }
        state.say(
            Tone::Hint,
            "Save the project first: a picture is kept by its path from the project's folder",
        );
        self.save(None, state, context);
    }

    /// Opens a native dialog whose answer goes into the field.
    pub fn browse(&mut self, context: &egui::Context) {
        let Some(field) = &self.field else { return };
        let (purpose, suggested) = (field.purpose, PathBuf::from(field.text.trim()));
        self.browsing = true;
        self.dialog(purpose, suggested, context);
    }

    /// Whether a native dialog is open or can be.
    fn dialog(&mut self, purpose: Purpose, suggested: PathBuf, context: &egui::Context) -> bool {
        if self.asked.is_some() {
            return true;
        }
        let (sender, receiver) = channel();
        let wake = context.clone();
        let spawned = std::thread::Builder::new().name("file dialog".to_owned()).spawn(move || {
            let asked = Instant::now();
            let answer = native_dialog(purpose, &suggested);
            // The window may be gone by now; then nobody needs the answer.
            drop(sender.send((answer, asked.elapsed())));
            wake.request_repaint();
        });
        self.asked = spawned.is_ok().then_some((purpose, receiver));
        self.asked.is_some()
    }

    fn open_field(&mut self, purpose: Purpose, state: &State) {
        let text = match purpose {
            Purpose::Open => state.file.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
            Purpose::Picture => {
                let folder = state.file.as_deref().and_then(Path::parent);
                folder.map(|folder| folder.join("").display().to_string()).unwrap_or_default()
            }
            Purpose::Import | Purpose::Compare => String::new(),
            Purpose::Save
            | Purpose::Find(_)
            | Purpose::Export
            | Purpose::Render
            | Purpose::Outlines
            | Purpose::PlotNumbers
            | Purpose::PlotPicture => suggestion(purpose, what_of(state), state).display().to_string(),
        };
        self.field = Some(PathField { purpose, text, what: what_of(state), error: None, fresh: true });
    }

    /// Closes the field without doing anything.
    pub fn cancel_field(&mut self) {
        self.field = None;
        self.after_save = None;
    }

    /// Takes the path that stands in the field.
    pub fn accept_field(&mut self, state: &mut State, context: &egui::Context) {
        let Some(field) = self.field.clone() else { return };
        let text = field.text.trim();
        if text.is_empty() {
            return;
        }
        let path = with_extension(field.purpose, field.what, Path::new(text));
        if let Err(error) = self.take_path(field.purpose, field.what, &path, state, context) {
            self.field = Some(PathField { error: Some(error), ..field });
        } else {
            self.field = None;
        }
    }

    fn take_path(
        &mut self,
        purpose: Purpose,
        what: What,
        path: &Path,
        state: &mut State,
        context: &egui::Context,
    ) -> Result<(), String> {
        match purpose {
            Purpose::Open => open_path(path, state),
            Purpose::Picture => state.import_picture(path),
            Purpose::Compare => compare_file(path, state),
            Purpose::Save => self.save_to(path, state, context),
            Purpose::Import => import(path, state),
            Purpose::Find(id) => state.find_geometry(id, &path.display().to_string()),
            Purpose::PlotNumbers | Purpose::PlotPicture => write_plot(purpose, path, state, context),
            Purpose::Render | Purpose::Outlines => {
                self.write_sight(purpose, path, state, context);
                Ok(())
            }
            Purpose::Export => {
                self.export_to(path, what_by_ending(path, what, state), state, context);
                Ok(())
            }
        }
    }

    fn save_to(&mut self, path: &Path, state: &mut State, context: &egui::Context) -> Result<(), String> {
        state.keep_pictures(path);
        state.keep_geometry(path)?;
        let document = state.document().clone();
        file::save(&document, path).map_err(|error| error.to_string())?;
        state.saved = document;
        state.file = Some(path.to_owned());
        state.name = file_name(path);
        state.say(Tone::Hint, format!("Saved {}", path.display()));
        if let Some((path, what)) = state.export_target.clone().filter(|_| self.export_on_save) {
            self.export_to(&path, what, state, context);
        }
        if let Some(next) = self.after_save.take() {
            self.go_on_anyway(next, state, context);
        }
        Ok(())
    }

    fn export_to(&mut self, path: &Path, what: What, state: &mut State, context: &egui::Context) {
        if self.exporting.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        let voxel = state.bake_mode() == Mode::Voxel;
        if voxel && !state.geometry_is_current() {
            return state.say(Tone::Hint, "The geometry is still being read; export again in a moment");
        }
        let (document, path) = (state.document().clone(), path.to_owned());
        let voxels = voxel.then(|| state.geometry.clone());
        let wake = context.clone();
        let spawned = std::thread::Builder::new().name("export".to_owned()).spawn(move || {
            drop(sender.send(Written::Mesh(export_with(&document, voxels.as_ref(), what, &path))));
            wake.request_repaint();
        });
        match spawned {
            Ok(_) => {
                self.exporting = Some(receiver);
                state.say(Tone::Hint, "Exporting…");
            }
            Err(error) => state.say(Tone::Bad, format!("the export cannot start: {error}")),
        }
    }

    fn write_sight(&mut self, purpose: Purpose, path: &Path, state: &mut State, context: &egui::Context) {
        if self.exporting.is_some() {
            return;
        }
        let Some(baked) = state.bake.shown.clone() else {
            return state.say(Tone::Bad, "There is no mesh to write");
        };
        let sight = sight::Sight {
            document: state.document().clone(),
            mesh: baked.mesh,
            issues: baked.report.diagnostics.clone(),
            geometry: if baked.mode == Mode::Voxel { state.geometry.meshes() } else { Vec::new() },
            name: state.name.clone(),
            // Files keep the standard colours, whoever writes them.
            theme: Theme { dark: super::style::theme(context).dark, ..Theme::DARK },
        };
        let (sender, receiver) = channel();
        let (path, wake) = (path.to_owned(), context.clone());
        let spawned = std::thread::Builder::new().name("picture".to_owned()).spawn(move || {
            let written = match purpose {
                Purpose::Render => sight.write_picture(&path),
                _ => sight.write_outlines(&path),
            };
            drop(sender.send(Written::Sight(written)));
            wake.request_repaint();
        });
        match spawned {
            Ok(_) => self.exporting = Some(receiver),
            Err(error) => state.say(Tone::Bad, format!("nothing can be written: {error}")),
        }
    }

    /// Takes in what dialogs and exports have answered.
    pub fn poll(&mut self, state: &mut State, context: &egui::Context) {
        if let Some((purpose, receiver)) = &self.asked
            && let Ok((answer, took)) = receiver.try_recv()
        {
            let (purpose, soon) = (*purpose, took < TOO_SOON);
            self.asked = None;
            match (answer, &mut self.field) {
                (Some(path), Some(field)) if self.browsing => field.text = path.display().to_string(),
                (None, Some(field)) if self.browsing && soon => {
                    field.error = Some("this desktop has no file dialog; type the path".to_owned());
                }
                // Nobody waits for it any more.
                _ if self.browsing => {}
                (Some(path), _) => {
                    let what = what_of(state);
                    let path = with_extension(purpose, what, &path);
                    if let Err(error) = self.take_path(purpose, what, &path, state, context) {
                        state.say(Tone::Bad, error);
                    }
                }
                (None, _) if soon => self.open_field(purpose, state),
                (None, _) => self.after_save = None,
            }
        }
        if let Some(receiver) = &self.exporting
            && let Ok(result) = receiver.try_recv()
        {
            self.exporting = None;
            match result {
                Written::Mesh(result) => exported(result, state),
                Written::Sight(Ok(text)) => state.say(Tone::Good, text),
                Written::Sight(Err(error)) => state.say(Tone::Bad, error),
            }
        }
    }
}

fn exported(result: Result<Exported, ExportError>, state: &mut State) {
    match result {
        Ok(exported) => {
            let (tone, but) = match exported.emptiness() {
                Some(emptiness) => (Tone::Bad, format!("but {emptiness}; ")),
                None => (Tone::Good, String::new()),
            };
            state.say(tone, format!("Saved and read back, {but}{}", exported.summary()));
            // What is not saved would be baked by nobody else.
            let repeats = state.file.clone().filter(|_| !state.edited());
            let line = repeats.map(|project| command_line(&project, state.document(), &exported));
            if let (Some(line), Some(message)) = (line, &mut state.message) {
                message.text = format!("{} · {line}", message.text);
                message.copy = Some(("Copy command", line));
            }
            state.export_target = Some((exported.path.clone(), exported.what));
            state.exported = Some(exported);
        }
        Err(error) => {
            if matches!(error, ExportError::Blocked { .. }) {
                let worst = state.issues().iter().position(|issue| issue.kind.severity() == Severity::Error);
                if let Some(index) = worst {
                    state.go_to_issue(index);
                }
            }
            state.say(Tone::Bad, format!("Not exported: {error}"));
        }
    }
}

/// Opens a project or map text in place of what is open.
///
/// # Errors
/// What is wrong, with the file and the place; what was open stays.
pub fn open_path(path: &Path, state: &mut State) -> Result<(), String> {
    let opened = match open(path) {
        Err(OpenError::Marks { .. }) => {
            let contested = Arc::new(open_contested(path).map_err(|error| error.to_string())?);
            state.replace(contested.mine.clone(), Some(path.to_owned()));
            disk::open_marked(&contested, state);
            return Ok(());
        }
        opened => opened.map_err(|error| error.to_string())?,
    };
    let areas = many(opened.document.areas.len(), "area");
    let words = if opened.kind == FileKind::Geometry { "reading its triangles".to_owned() } else { areas };
    // Map text holds less than a project: saving asks for a project's name.
    let file = (opened.kind == FileKind::Project).then(|| path.to_owned());
    state.replace(opened.document, file);
    state.base = path.parent().map(Path::to_owned);
    state.name = file_name(path);
    state.say(Tone::Hint, format!("Opened {}: {words}", path.display()));
    Ok(())
}

/// Adds the areas and links of another map to this one, as one step, at their own places and levels.
pub(super) fn import(path: &Path, state: &mut State) -> Result<(), String> {
    let opened = open(path).map_err(|error| error.to_string())?;
    if opened.kind == FileKind::Geometry {
        return state.import_geometry(path);
    }
    let opened = opened.document;
    let areas: Vec<_> = opened.areas.iter().map(|area| (**area).clone()).collect();
    let links: Vec<_> = opened.links.iter().map(|link| (**link).clone()).collect();
    let words = format!("{}, {}", many(areas.len(), "area"), many(links.len(), "link"));
    if areas.is_empty() && links.is_empty() {
        return Err(format!("{}: there is no area and no link in it", path.display()));
    }
    if state.put_in(&format!("Import {}:", file_name(path)), areas, links, [0.0; 2], 0) {
        state.frame_next = Some(super::state::Frame::All);
        state.say(Tone::Good, format!("Imported {}: {words}", path.display()));
    }
    Ok(())
}

/// Opens a sample in place of what is open.
pub(super) fn open_sample(sample: &Sample, state: &mut State) {
    match sample.document() {
        Ok(document) => {
            state.replace(document, None);
            state.bundled = sample.files;
            sample.name.clone_into(&mut state.name);
        }
        Err(error) => state.say(Tone::Bad, error),
    }
}

/// Compares a mesh in a file with the one on screen; the answer is kept until its window is closed.
///
/// # Errors
/// A sentence with the file and the reason: it cannot be read, it is no mesh, or there is no fresh mesh to compare.
pub(super) fn compare_file(path: &Path, state: &mut State) -> Result<(), String> {
    let baked = state.bake.shown.as_ref().filter(|_| state.fresh());
    let mesh = baked.map(|baked| &baked.mesh.mesh);
    let compared = compare(
        path,
        &OnScreen { name: &state.name, document: state.document(), class: state.class(), mesh },
    )?;
    state.compared = Some(compared);
    Ok(())
}

/// Writes the plot that is looked at.
fn write_plot(
    purpose: Purpose,
    path: &Path,
    state: &mut State,
    context: &egui::Context,
) -> Result<(), String> {
    let kind = state.plots.kind;
    let figure = state.figure().ok_or_else(|| why_empty(kind).to_owned())?;
    let bytes = match purpose {
        Purpose::PlotPicture => {
            let theme = Theme { dark: super::style::theme(context).dark, ..Theme::DARK };
            plots::export::png(kind, &figure, theme)?
        }
        _ => plots::export::csv(&figure).into_bytes(),
    };
    write_whole(path, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    state.say(Tone::Good, format!("Saved {}", path.display()));
    Ok(())
}
