//! What is open, selected and shown, and how actions and effects change it. Knows no widgets.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::aim::Aim;
use super::asked::Asked;
use super::canvas::camera::Camera;
use super::canvas::pick::{Item, PictureSizes};
use super::canvas::snap::{SnapKind, SnapSettings};
use super::compare::Compared;
use super::export::{Exported, What};
use super::fingerprint::FingerprintWatch;
use super::floors::Floors;
use super::geometry::Geometries;
use super::issue_view::IssueView;
use super::marks::Marks;
use super::overlays::{Overlay, Overlays};
use super::plots::PlotView;
use super::progress::Progress;
use super::records::Records;
use super::samples::Bundled;
pub use super::selection::Selection;
use super::selection::Views;
pub use super::shown::{OtherLevels, Seen, Shown};
use super::stage_view::{ProbeView, StageView};
use super::tools::{Marker, Tools};
use super::why_not::Why;
use super::worker::{BakeFailure, Baked, Mode};
use crate::bake::Diagnostic;
use crate::project::{AgentClass, CheckId, ClassId, Command, Contested, Document, GeometryId, History};
use crate::query::{NavPath, PathScratch};

/// The mesh on screen and how it stands to the drawing.
#[derive(Debug, Default)]
pub struct Bake {
    /// Whether every change is baked.
    pub live: bool,
    /// The last good mesh and the drawing it came from.
    pub shown: Option<Baked>,
    /// The drawing that `shown` came from.
    pub shown_generation: u64,
    /// The newest drawing that was sent to the worker.
    pub sent_generation: u64,
    /// The number of the newest request.
    pub ticket: u64,
    /// The newest request that is done, or that nobody waits for.
    pub answered: u64,
    /// The newest request of the map that was open before.
    pub(super) since_ticket: u64,
    /// Whether what the worker does is for nobody.
    pub(super) stop_worker: bool,
    /// How to bake, where it was picked.
    pub picked_mode: Option<Mode>,
    /// Whether the map was opened just now, and nobody has asked yet how it was baked last.
    pub(super) is_new: bool,
    /// The newest drawing, and since when it is as it is.
    pub(super) changed: Option<(u64, Instant)>,
    /// Where the voxel bake in hand is.
    pub progress: Option<Progress>,
    /// Whether the last bake was called off.
    pub cancelled: bool,
    /// What was edited before the newest request.
    pub(super) sent_for: Option<String>,
    /// The last bakes of this map.
    pub records: Records,
    /// Why the last bake gave no mesh.
    pub failure: Option<BakeFailure>,
    /// How long the last bake took.
    pub took: Duration,
    /// Since when the mesh is older than the drawing.
    pub stale_since: Option<Instant>,
}

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Tone {
    Hint,
    Good,
    Bad,
}

/// A sentence on the canvas. Bad ones stay until dismissed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Message {
    pub tone: Tone,
    pub text: String,
    /// What a button beside it copies: its name, and the text.
    pub copy: Option<(&'static str, String)>,
    pub since: Instant,
}

impl Message {
    /// How long it stays.
    #[must_use]
    pub fn stays(&self) -> Option<Duration> {
        match self.tone {
            Tone::Hint => Some(Duration::from_secs(4)),
            Tone::Good => Some(Duration::from_secs(12)),
            Tone::Bad => None,
        }
    }
}

/// Everything but the widgets.
#[derive(Debug)]
pub struct State {
    /// The document with its past and future.
    pub history: History,
    /// Counts states of the drawing, previews too.
    pub generation: u64,
    /// The current level.
    pub level: i8,
    /// The agent class whose mesh is shown; [`State::class`] where it is there no more.
    pub(super) class: ClassId,
    /// What is selected.
    pub selection: Selection,
    /// The tools.
    pub tools: Tools,
    /// How points snap.
    pub snap: SnapSettings,
    /// What is shown.
    pub shown: Shown,
    /// Pan and zoom.
    pub camera: Camera,
    /// The mesh.
    pub bake: Bake,
    /// What a comparison with a build said, while its window is open.
    pub compared: Option<Compared>,
    /// The answer of the test tool.
    pub path: Option<NavPath>,
    /// Why it is none between the places that were asked for: one of them is too far from its floor.
    pub path_off: Option<String>,
    /// What stands in its way.
    pub why: Why,
    /// Whether the thread that explains was asked and has not answered yet.
    pub(super) why_asked: bool,
    /// The floors over the start and the end of the path test.
    pub test_floors: [Floors; 2],
    pub(super) floors_key: Option<([Option<Marker>; 2], u64)>,
    /// The file the document was read from or saved in.
    pub file: Option<PathBuf>,
    /// What the document is called: its file's name, or what it was made from.
    pub name: String,
    /// The document as it is in the file.
    pub saved: Document,
    /// Whether the map was begun empty: hints say what comes next.
    pub guided: bool,
    /// What is to be decided in a file with conflict marks.
    pub contest: Option<Contest>,
    /// When the document was kept for recovery, unless it is saved since.
    pub autosaved: Option<Instant>,
    /// The last export.
    pub exported: Option<Exported>,
    /// Where the mesh goes when it is exported again, in this session or since an earlier one.
    pub export_target: Option<(PathBuf, What)>,
    /// What the canvas says.
    pub message: Option<Message>,
    /// Where the cursor is in the world.
    pub cursor: Option<[f64; 2]>,
    /// What the mouse is on in the 3D view, while it is there.
    pub aim: Option<Aim>,
    /// The breadth of a pixel, in squares, where that is not the canvas's.
    pub(super) pixel: Option<f64>,
    /// The snap that won last.
    pub snap_kind: Option<SnapKind>,
    /// Things the canvas is to show when it is drawn next.
    pub frame_next: Option<Frame>,
    /// The issue that was picked last.
    pub issue: Option<usize>,
    /// Which issues are listed, and what can be done about them.
    pub issue_view: IssueView,
    /// What is not drawn, and what the mouse passes over.
    pub marks: Marks,
    pub(super) fingerprint: FingerprintWatch,
    /// The check whose fields are shown.
    pub check: Option<CheckId>,
    /// Whether the next bake keeps nothing of the last one.
    pub(super) complete_wanted: bool,
    /// What the menu at the cursor is about.
    pub menu_item: Option<Item>,
    /// The place whose things the menu at the cursor lists.
    pub menu_of_all: Option<[f64; 2]>,
    /// The last question of the Inspect tool, with its answer.
    pub asked: Option<Asked>,
    /// The cross-hair of those who draw by keys, while it is used.
    pub cross: Option<[f64; 2]>,
    /// How large the reference pictures are, in pixels; those that are not read yet are not in it.
    pub picture_sizes: PictureSizes,
    /// Whether all pictures are to be read anew.
    pub pictures_anew: bool,
    /// The imported geometry that was read.
    pub geometry: Geometries,
    /// Whether all geometry is to be read anew.
    pub geometry_anew: bool,
    /// How high over the level's floor geometry is cut off where it is shown, if that was set.
    pub geometry_cut: Option<f64>,
    /// Whether geometry that comes is to be shown whole: it was imported just now.
    pub(super) frame_geometry: bool,
    /// The geometry that came just now, while the canvas asks how it lies.
    pub placing: Option<GeometryId>,
    /// The stages of a tile that are looked at.
    pub stage: StageView,
    /// The column that is looked at.
    pub probe: ProbeView,
    /// The plot that is looked at.
    pub plots: PlotView,
    /// The number of the last close look.
    pub(super) last_look: u64,
    /// Where the paths of a document that has no file yet lead on from.
    pub base: Option<PathBuf>,
    /// Files of geometry that come with the program.
    pub bundled: &'static [Bundled],
    /// What was selected before each step.
    pub(super) views: Views,
    pub(super) last_nudge: Option<(Instant, Selection)>,
    /// What was turned last, about where, and the state of the drawing after that.
    pub(super) pivot: Option<(Selection, [f64; 2], u64)>,
    /// How far an outline may move where it is simplified, in squares.
    pub tolerance: f64,
    /// The factor that the selection is scaled by.
    pub factor: f64,
    pub(super) path_key: Option<(Marker, Marker, u64)>,
    pub(super) scratch: PathScratch,
}

/// A file with conflict marks that was opened: the places wait for a choice.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Both sides.
    pub contested: Arc<Contested>,
    /// Both sides merged, as it was opened: later edits are kept when a choice is made.
    pub opened: Document,
}

/// What the canvas is to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Frame {
    /// The whole map.
    All,
    /// The selection; without one the whole map.
    Selection,
    /// A place, without changing the zoom.
    Place([f64; 2]),
    /// A place in the middle of the canvas.
    Center([f64; 2]),
}

impl State {
    /// Opens a document. `file`: where it came from, if it can be saved there.
    #[must_use]
    pub fn new(document: Document, file: Option<PathBuf>) -> Self {
        let level = start_level(&document);
        let class = document.classes.first().map_or(ClassId(0), |class| class.id);
        Self {
            history: History::new(document.clone()),
            generation: 1,
            level,
            class,
            selection: Selection::default(),
            tools: Tools::default(),
            snap: SnapSettings::default(),
            shown: Shown::default(),
            camera: Camera::default(),
            bake: Bake { live: true, is_new: true, ..Bake::default() },
            compared: None,
            path: None,
            path_off: None,
            why: Why::default(),
            why_asked: false,
            test_floors: Default::default(),
            floors_key: None,
            name: file.as_deref().map_or_else(|| "untitled".to_owned(), file_name),
            file,
            saved: document,
            guided: false,
            contest: None,
            autosaved: None,
            exported: None,
            export_target: None,
            message: None,
            cursor: None,
            aim: None,
            pixel: None,
            snap_kind: None,
            frame_next: Some(Frame::All),
            issue: None,
            issue_view: IssueView::default(),
            marks: Marks::default(),
            fingerprint: FingerprintWatch::default(),
            check: None,
            complete_wanted: false,
            menu_item: None,
            menu_of_all: None,
            asked: None,
            cross: None,
            picture_sizes: PictureSizes::new(),
            pictures_anew: false,
            geometry: Geometries::default(),
            geometry_anew: false,
            geometry_cut: None,
            frame_geometry: false,
            placing: None,
            stage: StageView::default(),
            probe: ProbeView::default(),
            plots: PlotView::default(),
            last_look: 0,
            base: None,
            bundled: &[],
            views: Views::default(),
            last_nudge: None,
            pivot: None,
            tolerance: 0.05,
            factor: 2.0,
            path_key: None,
            scratch: PathScratch::default(),
        }
    }

    /// Opens another document in place of this one; what is shown and how points snap stays.
    pub fn replace(&mut self, document: Document, file: Option<PathBuf>) {
        let generation = self.generation + 1;
        let (live, ticket, last_look) = (self.bake.live, self.bake.ticket, self.last_look);
        let why_asked = self.why_asked;
        let fresh = Self::new(document, file);
        let shown = Shown { start: false, ..self.shown };
        let kind = self.plots.kind;
        *self = Self { generation, shown, snap: self.snap, ..fresh };
        self.bake.live = live;
        self.plots.kind = kind;
        self.last_look = last_look;
        self.why_asked = why_asked;
        // What the worker still does is for another map.
        (self.bake.ticket, self.bake.answered, self.bake.since_ticket) = (ticket, ticket, ticket);
        self.bake.stop_worker = true;
    }

    /// The drawing as it is shown.
    #[must_use]
    pub fn document(&self) -> &Document {
        self.history.document()
    }

    /// The agent class whose mesh is shown.
    #[must_use]
    pub fn class(&self) -> &Arc<AgentClass> {
        let document = self.history.document();
        document.class(self.class).unwrap_or(&document.classes[0])
    }

    /// Shows the mesh of another agent class.
    pub fn show_class(&mut self, id: ClassId) {
        if self.class().id != id && self.history.document().class(id).is_some() {
            self.class = id;
            self.generation += 1;
        }
    }

    /// The folder that relative paths lead on from, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<PathBuf> {
        let of_file = self.file.as_deref().and_then(Path::parent).map(Path::to_owned);
        of_file.or_else(|| self.base.clone())
    }

    /// What the document's geometry stands for is another thing, though the document is the same.
    pub(super) fn geometry_changed(&mut self) {
        self.generation += 1;
    }

    /// Whether there is something that the file does not have.
    #[must_use]
    pub fn edited(&self) -> bool {
        let now = self.history.gesture_start().unwrap_or_else(|| self.history.document());
        !now.ptr_eq(&self.saved)
    }

    /// Whether the mesh on screen is that of the drawing.
    #[must_use]
    pub fn fresh(&self) -> bool {
        self.bake.shown.is_some() && self.bake.shown_generation == self.generation
    }

    /// All that the bake found, worst first.
    #[must_use]
    pub fn issues(&self) -> &[Diagnostic] {
        self.bake.shown.as_ref().map_or(&[], |baked| &baked.report.diagnostics)
    }

    /// Changes the document as one undo step. Whether it could.
    pub fn commit(&mut self, name: &str, command: &Command) -> bool {
        self.last_nudge = None;
        self.note_view();
        match self.history.commit(name, command) {
            Ok(()) => self.changed(),
            Err(error) => {
                self.say(Tone::Bad, format!("{name}: {error}"));
                return false;
            }
        }
        true
    }

    /// Changes the document as part of a step that goes on, such as a field being dragged.
    pub fn adjust(&mut self, name: &str, command: &Command) {
        if !self.history.in_gesture() {
            self.note_view();
            self.history.begin(name);
        }
        match self.history.update(command) {
            Ok(()) => self.changed(),
            Err(error) => self.say(Tone::Hint, error.to_string()),
        }
    }

    /// Ends such a step.
    pub fn end_adjust(&mut self) {
        if self.history.commit_gesture() {
            self.changed();
        }
    }

    pub(super) fn changed(&mut self) {
        self.generation += 1;
        let document = self.history.document();
        self.selection.keep_existing(document);
    }

    /// Selects and goes to the level of what is selected.
    pub fn select(&mut self, mut selection: Selection) {
        selection.keep_existing(self.history.document());
        self.selection = selection;
    }

    /// Selects a thing and goes to its level.
    pub fn go_to(&mut self, item: Item) {
        let document = self.history.document();
        let level = match item {
            Item::Area(id) => document.area(id).map(|area| area.level),
            Item::Link(id) => document.link(id).map(|link| link.start_level),
            Item::Picture(id) => document.picture(id).map(|picture| picture.level),
            Item::Geometry(id) => document.geometry(id).map(|item| item.level),
        };
        self.level = level.unwrap_or(self.level);
        self.select(Selection::item(item));
    }

    /// Hides things, or draws them again.
    pub fn set_hidden(&mut self, items: &[Item], hidden: bool) {
        self.marks.set_hidden(items, hidden);
        self.refresh_marks();
    }

    /// Locks things, or lets the mouse have them again.
    pub fn set_locked(&mut self, items: &[Item], locked: bool) {
        self.marks.set_locked(items, locked);
        self.refresh_marks();
    }

    /// Keeps what can be picked up to date.
    pub(super) fn refresh_marks(&mut self) {
        self.marks.refresh(self.history.gesture_start().unwrap_or_else(|| self.history.document()));
    }

    /// The document without what the mouse passes over. Points of areas keep their numbers.
    #[must_use]
    pub fn pickable(&self) -> &Document {
        self.marks.pickable(self.history.gesture_start().unwrap_or_else(|| self.history.document()))
    }

    /// Says something on the canvas.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.message = Some(Message { tone, text: text.into(), copy: None, since: Instant::now() });
    }

    /// Shows a part of the picture, or hides it.
    pub fn turn_overlay(&mut self, overlay: Overlay) {
        let part = self.shown.overlays.part(overlay);
        *part = !*part;
        let now = if *part { "shown" } else { "hidden" };
        self.say(Tone::Hint, format!("{overlay:?}: {now}"));
    }

    /// Shows what is shown at first.
    pub fn default_overlays(&mut self) {
        self.shown.overlays = Overlays::default();
        self.say(Tone::Hint, "Overlays as at first");
    }
}

/// A file's name without its folder.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The ground if something stands on it, else the lowest level with something.
pub(super) fn start_level(document: &Document) -> i8 {
    let levels: Vec<i8> = document.areas.iter().map(|area| area.level).collect();
    if levels.contains(&0) { 0 } else { levels.into_iter().min().unwrap_or(0) }
}
