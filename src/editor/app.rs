//! The frame: take in what threads have done, keys, panels, canvas, dialogs; then ask for the next bake.

use std::path::{Path, PathBuf};

use egui::{CentralPanel, Panel, Ui};
use egui_tiles::Tree;

use super::action::{self, Action};
use super::canvas::{self, Canvas};
use super::dialogs;
use super::dock::{self, Layout, Pane};
use super::files::{Files, Next, Purpose, open_path};
use super::finder::{self, Finder, Seek};
use super::gpu::Gpu;
use super::panels::{at_place, menu, outline, status, toolbar};
use super::preferences::{Look, Preferences};
use super::safety::{Home, Safety};
use super::selection::Selection;
use super::state::{self, OtherLevels, Shown, State, Tone};
use super::style;
use super::tools::{Event, Keys, ToolKind};
use super::transform::Transform;
use super::worker::Worker;
use crate::project::{Document, open_text};

/// The map that opens by default.
const ARENA: &str = include_str!("../../assets/arena.nav.ron");

/// The editor.
#[derive(Debug)]
pub struct App {
    /// All but widgets and threads.
    pub state: State,
    /// Dialogs and exports under way.
    pub files: Files,
    canvas: Canvas,
    worker: Worker,
    outline: outline::Memory,
    menu_at: Option<egui::Pos2>,
    title: String,
    /// Whether what is pasted next keeps its place.
    paste_in_place: bool,
    finder: Option<Finder>,
    /// Where panels are.
    layout: Tree<Pane>,
    /// The user's choices.
    pub preferences: Preferences,
    /// Where they are kept, and as they are there.
    kept: Option<(PathBuf, Preferences)>,
    /// Autosave, where there is a folder for it.
    pub safety: Option<Safety>,
    /// The file that the recent ones know of.
    noted: Option<PathBuf>,
}

impl App {
    /// Opens `path`, or the sample map, and keeps nothing of its own. `native`: whether native file dialogs are tried.
    #[must_use]
    pub fn new(context: &egui::Context, path: Option<&Path>, native: bool) -> Self {
        Self::at_home(context, path, native, None)
    }

    /// As [`App::new`], with the user's preferences and autosave in `home`.
    #[must_use]
    pub fn at_home(context: &egui::Context, path: Option<&Path>, native: bool, home: Option<&Home>) -> Self {
        style::apply(context);
        let mut complaints = Vec::new();
        let (preferences, complaint) =
            home.map(|home| Preferences::load(&home.preferences)).unwrap_or_default();
        complaints.extend(complaint);
        let safety = home.and_then(|home| {
            let started = Safety::start(&home.recovery);
            let complain =
                |error| complaints.push(format!("No autosave: {}: {error}", home.recovery.display()));
            started.map_err(complain).ok()
        });
        let sample = open_text(ARENA, "arena.nav.ron");
        let mut state = match sample {
            Ok(opened) => {
                let mut state = State::new(opened.document, None);
                state.name = "arena".to_owned();
                state
            }
            Err(error) => {
                let mut state = State::new(Document::default(), None);
                state.say(Tone::Bad, error.to_string());
                state
            }
        };
        if let Some(path) = path
            && let Err(error) = open_path(path, &mut state)
        {
            state.say(Tone::Bad, error);
        }
        preferences.show(&mut state.shown);
        for complaint in complaints {
            state.say(Tone::Bad, complaint);
        }
        let mut files = Files::new(native);
        files.recent.clone_from(&preferences.recent);
        let kept = home.map(|home| (home.preferences.clone(), preferences.clone()));
        let wake = context.clone();
        let worker = Worker::start(move || wake.request_repaint());
        Self {
            state,
            files,
            canvas: Canvas::default(),
            worker,
            outline: outline::Memory::default(),
            menu_at: None,
            title: String::new(),
            paste_in_place: false,
            finder: None,
            layout: preferences.layout.clone().unwrap_or_else(dock::standard).tree(),
            preferences,
            kept,
            safety,
            noted: None,
        }
    }

    /// The canvas without rulers, in points, and how many kept parts of its picture were made so far: tests read both.
    #[must_use]
    pub fn canvas(&self) -> (egui::Rect, usize) {
        (self.canvas.rect.unwrap_or(egui::Rect::NOTHING), self.canvas.made())
    }

    /// How the canvas hands its triangles over from now on.
    pub fn use_gpu(&mut self, gpu: Gpu) {
        self.canvas.use_gpu(gpu);
    }

    /// Takes in what threads have done, and sends the next bake.
    pub fn logic(&mut self, context: &egui::Context) {
        while let Some(outcome) = self.worker.poll() {
            self.state.baked(outcome);
        }
        self.files.poll(&mut self.state, context);
        self.keep(context);
        self.state.refresh();
        if let Some(request) = self.state.bake_request(false) {
            self.worker.submit(request);
        }
    }

    /// Shows everything.
    pub fn ui(&mut self, ui: &mut Ui) {
        let context = ui.ctx().clone();
        self.closing(&context);
        let leftover = self.safety.as_ref().is_some_and(|safety| !safety.found.is_empty());
        let shown = self.state.shown;
        let dialog = self.files.field.is_some() || self.files.question.is_some() || shown.keys;
        let dialog = dialog || shown.preferences || leftover;
        let asking = dialog || self.finder.is_some();
        // Keys come before the canvas: a tool chosen by a key takes a click of the same frame.
        let on_canvas = self.canvas.has_keyboard(&context);
        if !asking && on_canvas {
            self.typing(&context);
        }
        let pressed = if asking { Vec::new() } else { action::pressed(&context, on_canvas) };
        for action in pressed {
            self.perform(action, &context);
        }
        if !asking {
            self.clipboard(&context);
        }
        let mut picked = Vec::new();
        let bars =
            |name: &'static str| Panel::top(name).frame(style::bar_frame(&context)).show_separator_line(true);
        if !self.state.shown.canvas_only {
            bars("menu").show(ui, |ui| picked.extend(menu::show(ui, &self.state, &self.files.recent)));
            bars("toolbar").show(ui, |ui| picked.extend(toolbar::show(ui, &mut self.state)));
            Panel::bottom("status").frame(style::bar_frame(&context)).exact_size(26.0).show(ui, |ui| {
                picked.extend(status::show(ui, &self.state));
            });
        }
        let wish = CentralPanel::no_frame().show(ui, |ui| {
            if self.state.shown.canvas_only {
                return self.canvas.show(ui, &mut self.state);
            }
            let (state, canvas) = (&mut self.state, &mut self.canvas);
            let (actions, wish) = dock::show(ui, &mut self.layout, state, canvas, &mut self.outline);
            picked.extend(actions);
            wish
        });
        let wish = wish.inner;
        if let Some(rect) = self.canvas.rect {
            canvas::message(&context, &mut self.state, rect);
            at_place::card(&context, &mut self.state, rect);
        }
        if wish.menu_at.is_some() {
            self.menu_at = wish.menu_at;
        }
        picked.extend(self.context_menu(&context));
        dialogs::show(&context, &mut self.files, &mut self.state);
        if self.state.shown.preferences {
            dialogs::preferences(&context, &mut self.preferences, &mut self.state);
        }
        if let Some(safety) = self.safety.as_mut().filter(|safety| !safety.found.is_empty()) {
            dialogs::recovered(&context, safety, &mut self.state);
        }
        picked.extend(finder::show(&context, &mut self.finder, &mut self.state));
        for action in picked {
            self.perform(action, &context);
        }
        self.title(&context);
        // What was done just now is baked without waiting for the next frame.
        self.state.refresh();
        if let Some(request) = self.state.bake_request(false) {
            self.worker.submit(request);
        }
    }

    fn context_menu(&mut self, context: &egui::Context) -> Option<Action> {
        let at = self.menu_at?;
        let mut picked = None;
        let mut open = true;
        egui::Popup::new(egui::Id::unique("canvas-menu"), context.clone(), at, egui::LayerId::background())
            .kind(egui::PopupKind::Menu)
            .open_bool(&mut open)
            .show(|ui| {
                ui.set_min_width(190.0);
                if let Some(place) = self.state.menu_of_all {
                    if let Some(item) = at_place::menu(ui, &self.state, place) {
                        self.state.select(Selection::item(item));
                    }
                    return;
                }
                let actions: &[Action] = if self.state.menu_item.is_some() {
                    &[
                        Action::FrameSelection,
                        Action::Cut,
                        Action::Copy,
                        Action::Duplicate,
                        Action::RotateLeft,
                        Action::RotateRight,
                        Action::SelectionUp,
                        Action::SelectionDown,
                        Action::Delete,
                    ]
                } else {
                    &[
                        Action::Paste,
                        Action::PasteInPlace,
                        Action::Undo,
                        Action::SelectAll,
                        Action::FrameAll,
                        Action::Tool(ToolKind::Walk),
                    ]
                };
                for &wanted in actions {
                    let Some(entry) = action::entry(wanted) else { continue };
                    let keys = action::keys_text(ui.ctx(), entry);
                    if ui.add(egui::Button::new(entry.name).shortcut_text(keys)).clicked() {
                        picked = Some(wanted);
                        ui.close();
                    }
                }
            });
        if !open {
            self.menu_at = None;
        }
        picked
    }

    /// Does what was picked in a menu, on a bar or by keys.
    pub fn perform(&mut self, action: Action, context: &egui::Context) {
        let state = &mut self.state;
        match action {
            Action::New => self.files.go_on(Next::New, state, context),
            Action::Open => self.files.go_on(Next::Open, state, context),
            Action::Save => self.files.save(None, state, context),
            Action::SaveAs => self.files.ask(Purpose::Save, state, context),
            Action::Export => self.files.export_again(state, context),
            Action::ExportAs => self.files.ask(Purpose::Export, state, context),
            Action::ImportPicture => self.files.import_picture(state, context),
            Action::Quit => context.send_viewport_cmd(egui::ViewportCommand::Close),
            Action::Undo => state.undo(),
            Action::Redo => state.redo(),
            Action::Copy => {
                if let Some(text) = state.copied() {
                    context.copy_text(text);
                }
            }
            Action::Cut => {
                if let Some(text) = state.cut() {
                    context.copy_text(text);
                }
            }
            Action::Paste | Action::PasteInPlace => {
                self.paste_in_place = action == Action::PasteInPlace;
                context.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
            }
            Action::SelectSameKind => state.select_same_kind(),
            Action::SelectTouching => state.select_touching(),
            Action::RotateLeft => state.transform(Transform::RotateLeft),
            Action::RotateRight => state.transform(Transform::RotateRight),
            Action::MirrorX => state.transform(Transform::MirrorX),
            Action::MirrorZ => state.transform(Transform::MirrorZ),
            Action::MoveLater => state.reorder(true),
            Action::MoveEarlier => state.reorder(false),
            Action::JoinPoints => state.join_points(),
            Action::Separate => state.separate(),
            Action::Simplify => state.simplify(state.tolerance),
            Action::SelectionUp => state.move_to_level(true),
            Action::SelectionDown => state.move_to_level(false),
            Action::Duplicate => state.duplicate(),
            Action::Delete => state.delete(),
            Action::SelectAll => state.select_all(),
            Action::Escape => state.escape(),
            Action::Finish => state.finish(),
            Action::NextThing | Action::PreviousThing => {
                let forward = action == Action::NextThing;
                self.canvas.next_thing(context, state, forward);
            }
            Action::Put => {
                let modifiers = context.input(|input| input.modifiers);
                state.put_at_cross(canvas::keys(modifiers));
            }
            Action::StepBack => {
                state.tool_event(Event::StepBack, Keys::default());
            }
            Action::Nudge(step, whole) => state.arrow(step, whole),
            Action::LevelUp => state.step_level(true),
            Action::LevelDown => state.step_level(false),
            Action::AddLevelAbove => state.add_level(true),
            Action::AddLevelBelow => state.add_level(false),
            Action::RemoveLevel => state.remove_level(),
            Action::BakeNow => {
                if let Some(request) = state.bake_request(true) {
                    self.worker.submit(request);
                }
            }
            Action::LiveBake => state.bake.live = !state.bake.live,
            Action::AddClass => state.add_class(),
            Action::RemoveClass => state.remove_class(),
            Action::ClassUp => state.move_class(true),
            Action::ClassDown => state.move_class(false),
            Action::NextClass => state.next_class(),
            Action::FrameAll => state.frame_next = Some(state::Frame::All),
            Action::FrameSelection => state.frame_next = Some(state::Frame::Selection),
            Action::NextIssue => state.step_issue(true),
            Action::PreviousIssue => state.step_issue(false),
            Action::Tool(kind) => state.take_tool(kind),
            Action::OtherLevels => {
                state.shown.others = match state.shown.others {
                    OtherLevels::Off => OtherLevels::Faint,
                    OtherLevels::Faint => OtherLevels::Full,
                    OtherLevels::Full => OtherLevels::Off,
                };
                let word = format!("Other levels: {:?}", state.shown.others).to_lowercase();
                state.say(Tone::Hint, word);
            }
            Action::Grid => state.shown.grid = !state.shown.grid,
            Action::Mesh => state.shown.mesh = !state.shown.mesh,
            Action::Rulers => state.shown.rulers = !state.shown.rulers,
            Action::Outline => state.shown.outline = !state.shown.outline,
            Action::Properties => state.shown.properties = !state.shown.properties,
            Action::Issues => state.shown.issues = !state.shown.issues,
            Action::CanvasOnly => state.shown.canvas_only = !state.shown.canvas_only,
            Action::OpenRecent(index) => self.files.go_on(Next::Recent(index), state, context),
            Action::Preferences => state.shown.preferences = true,
            Action::LightOrDark => {
                let dark = context.theme() == egui::Theme::Dark;
                self.preferences.look = if dark { Look::Light } else { Look::Dark };
            }
            Action::ScaleUp => self.preferences.step_scale(true),
            Action::ScaleDown => self.preferences.step_scale(false),
            Action::History => state.shown.history = !state.shown.history,
            Action::ResetLayout => {
                self.layout = dock::standard().tree();
                let Shown { outline, properties, issues, history, .. } = Shown::default();
                state.shown = Shown { outline, properties, issues, history, ..state.shown };
            }
            Action::Palette => self.finder = Some(Finder::new(Seek::Command)),
            Action::Find => self.finder = Some(Finder::new(Seek::Thing)),
            Action::GoTo => self.finder = Some(Finder::new(Seek::Place)),
            Action::Keys => state.shown.keys = !state.shown.keys,
        }
    }

    /// Keeps what is not saved, and the user's choices where they changed.
    fn keep(&mut self, context: &egui::Context) {
        self.preferences.apply(context);
        if let Some(safety) = &mut self.safety {
            safety.tick(&mut self.state, context);
        }
        if self.noted != self.state.file {
            self.noted.clone_from(&self.state.file);
            if let Some(path) = &self.noted {
                self.preferences.opened(path);
                self.files.recent.clone_from(&self.preferences.recent);
            }
        }
        self.preferences.note(&self.state.shown);
        // Not while a border or a tab is in hand.
        let in_hand = context.input(|input| input.pointer.any_down());
        if !in_hand {
            self.preferences.layout = Layout::of(&self.layout);
        }
        if let Some((path, kept)) = &mut self.kept
            && *kept != self.preferences
        {
            kept.clone_from(&self.preferences);
            if let Err(error) = self.preferences.save(path) {
                self.state
                    .say(Tone::Bad, format!("The preferences cannot be kept: {}: {error}", path.display()));
            }
        }
    }

    /// The window closes for good: nothing is left to recover.
    pub fn finish(&mut self) {
        if let Some(safety) = &mut self.safety {
            safety.finish();
        }
    }

    /// Numbers typed on the canvas, before they are taken for keys.
    fn typing(&mut self, context: &egui::Context) {
        if egui::Popup::is_any_open(context) || context.text_edit_focused() {
            return;
        }
        let mut took = false;
        for event in context.input(|input| input.events.clone()) {
            match event {
                egui::Event::Text(text) => took |= self.state.type_letters(&text),
                egui::Event::Key { key: egui::Key::Backspace, pressed: true, .. } => {
                    took |= self.state.untype();
                }
                _ => {}
            }
        }
        // Space held down pans; only its first press puts a point.
        let again = |event: &egui::Event| {
            matches!(event, egui::Event::Key { key: egui::Key::Space, repeat: true, .. })
        };
        context
            .input_mut(|input| input.events.retain(|event| !(again(event) || took && canvas::types(event))));
    }

    /// Copy, cut and paste, which come from the window as events of their own.
    fn clipboard(&mut self, context: &egui::Context) {
        if context.text_edit_focused() {
            return;
        }
        let shift = context.input(|input| input.modifiers.shift);
        for event in context.input(|input| input.events.clone()) {
            match event {
                egui::Event::Copy => self.perform(Action::Copy, context),
                egui::Event::Cut => self.perform(Action::Cut, context),
                egui::Event::Paste(text) => {
                    let in_place = std::mem::take(&mut self.paste_in_place) || shift;
                    self.state.paste(&text, in_place);
                }
                _ => {}
            }
        }
    }

    /// The window wants to close: not before unsaved changes are asked about.
    fn closing(&mut self, context: &egui::Context) {
        let wanted = context.input(|input| input.viewport().close_requested());
        if wanted && !self.files.may_quit && self.state.edited() {
            context.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.files.question = Some(Next::Quit);
        }
    }

    fn title(&mut self, context: &egui::Context) {
        let mark = if self.state.edited() { "• " } else { "" };
        let title = format!("{mark}{} - navwright", self.state.name);
        if self.title != title {
            context.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, context: &egui::Context, _frame: &mut eframe::Frame) {
        Self::logic(self, context);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        Self::ui(self, ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.finish();
    }
}
