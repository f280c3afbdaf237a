//! The frame: take in what threads have done, keys, panels, canvas, dialogs; then ask for the next bake.

mod context_menu;
mod perform;

use std::path::{Path, PathBuf};

use egui::{CentralPanel, Panel, Ui};
use egui_tiles::Tree;

use super::action::{self, Action, Group};
use super::canvas::{self, Canvas};
use super::dialogs;
use super::disk::Disk;
use super::dock;
use super::explainer::Explainer;
use super::files::{Files, Next, open_path, open_sample};
use super::finder::{self, Finder};
use super::geometry_loader::Loader;
use super::gpu::Gpu;
use super::hints;
use super::keymap;
use super::layout::{self, Layout, Pane};
use super::naming::Naming;
use super::panels::{at_place, fields, keys, menu, outline, status, toolbar};
use super::placing;
use super::preferences::Preferences;
use super::reconcile::{self, Reconcile};
use super::safety::{Home, Safety};
use super::samples::SAMPLES;
use super::start;
use super::state::{Seen, State, Tone};
use super::study::Study;
use super::style;
use super::tour::{self, Tour};
use super::view3d::{self, View3d};
use super::worker::Worker;
use super::workspace::Workspace;
use crate::project::Document;

/// The editor.
#[derive(Debug)]
pub struct App {
    /// All but widgets and threads.
    pub state: State,
    /// Dialogs and exports under way.
    pub files: Files,
    canvas: Canvas,
    /// The map in space.
    pub view3d: View3d,
    worker: Worker,
    study: Study,
    explainer: Explainer,
    outline: outline::Memory,
    keys: keys::Memory,
    start: start::Memory,
    /// The tour, or its offer.
    pub tour: Tour,
    /// The name of a layout that is being saved.
    naming: Option<Naming>,
    /// Side panels of a narrow window.
    sides: dock::Sides,
    menu_at: Option<egui::Pos2>,
    menu_issues: Vec<usize>,
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
    /// The open file as it is on the disk.
    pub disk: Disk,
    reconcile: Reconcile,
    /// Reads imported geometry.
    pub geometry: Loader,
    /// What comes after the save that is being asked about.
    after_save: Option<Next>,
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
        let mut state = State::new(Document::default(), None);
        open_sample(&SAMPLES[0], &mut state);
        if let Some(path) = path
            && let Err(error) = open_path(path, &mut state)
        {
            state.say(Tone::Bad, error);
        }
        preferences.show(&mut state.shown);
        state.shown.start = preferences.start_page && path.is_none();
        for complaint in complaints {
            state.say(Tone::Bad, complaint);
        }
        let mut files = Files::new(native);
        files.recent.clone_from(&preferences.recent);
        let kept = home.map(|home| (home.preferences.clone(), preferences.clone()));
        let wake = context.clone();
        let worker = Worker::start(move || wake.request_repaint());
        let wake = context.clone();
        let study = Study::start(move || wake.request_repaint());
        let wake = context.clone();
        let explainer = Explainer::start(move || wake.request_repaint());
        Self {
            state,
            files,
            canvas: Canvas::default(),
            view3d: View3d::default(),
            worker,
            study,
            explainer,
            outline: outline::Memory::default(),
            keys: keys::Memory::default(),
            start: start::Memory::default(),
            tour: Tour::offered(home.is_some() && !preferences.tour_seen),
            naming: None,
            sides: dock::Sides::default(),
            menu_at: None,
            menu_issues: Vec::new(),
            title: String::new(),
            paste_in_place: false,
            finder: None,
            layout: preferences.layout.clone().unwrap_or_else(layout::standard).tree(),
            preferences,
            kept,
            safety,
            disk: Disk::default(),
            reconcile: Reconcile::default(),
            geometry: Loader::default(),
            after_save: None,
            noted: None,
        }
    }

    /// The canvas without rulers, in points, and how many kept parts of its picture were made so far: tests read both.
    #[must_use]
    pub fn canvas(&self) -> (egui::Rect, usize) {
        (self.canvas.rect.unwrap_or(egui::Rect::NOTHING), self.canvas.made())
    }

    /// How many chunks of the geometry's picture were made so far: tests read it.
    #[must_use]
    pub fn relief_made(&self) -> usize {
        self.canvas.relief_made()
    }

    /// Whether a bake is in hand or waits to be: tests and benches read it.
    #[must_use]
    pub fn bakes(&self) -> bool {
        self.worker.is_busy()
    }

    /// How the canvas hands its triangles over from now on.
    pub fn use_gpu(&mut self, gpu: Gpu) {
        self.canvas.use_gpu(gpu);
        self.view3d.use_gpu(gpu);
    }

    /// Takes in what threads have done, and sends the next bake.
    pub fn logic(&mut self, context: &egui::Context) {
        while let Some(outcome) = self.worker.poll() {
            self.state.baked(outcome);
        }
        self.state.bake.progress = self.worker.progress().filter(|_| self.state.baking());
        while let Some((number, found)) = self.study.poll() {
            self.state.looked(number, found);
        }
        self.files.poll(&mut self.state, context);
        self.disk.tick(&mut self.state, context);
        super::dropped::take(context, &mut self.state);
        self.geometry.tick(&mut self.state, context);
        self.keep(context);
        self.state.refresh();
        self.submit_due(context);
    }

    /// Sends the bake that is due, or sees to it that the window wakes when one is.
    fn submit_due(&mut self, context: &egui::Context) {
        if std::mem::take(&mut self.state.bake.stop_worker) {
            self.worker.cancel();
        }
        self.state.explain(&self.explainer);
        self.state.looks().into_iter().for_each(|look| self.study.ask(look));
        if let Some(request) = self.state.bake_request(false) {
            self.worker.submit(request);
        } else if let Some(wait) = self.state.wakes_in() {
            context.request_repaint_after(wait);
        }
        if let Some(wait) = self.state.why.wakes_in() {
            context.request_repaint_after(wait);
        }
    }

    /// Shows everything.
    pub fn ui(&mut self, ui: &mut Ui) {
        let context = ui.ctx().clone();
        self.closing(&context);
        let shown = self.state.shown;
        let leftover = self.safety.as_ref().is_some_and(|safety| !safety.found.is_empty()) && !shown.start;
        let dialog = self.files.field.is_some() || self.files.question.is_some() || shown.keys;
        let dialog = dialog || self.state.compared.is_some();
        let dialog = dialog || shown.preferences || leftover || self.reconcile.asking();
        let asking = dialog || self.finder.is_some() || self.naming.is_some();
        self.sides.narrow = context.content_rect().width() < dock::NARROW;
        // Keys come before the canvas: a tool chosen by a key takes a click of the same frame.
        let on_canvas = self.canvas.has_keyboard(&context) || self.view3d.has_keyboard(&context);
        if self.view3d.flies() {
            view3d::take_keys(&context);
        }
        if !asking && on_canvas && !shown.start {
            self.typing(&context);
        }
        let pressed = if asking { Vec::new() } else { keymap::pressed(&context, on_canvas) };
        // On the start page there is nothing to draw on.
        let fits = |action: &Action| {
            !shown.start
                || action::entry(*action)
                    .is_some_and(|entry| matches!(entry.group, Group::File | Group::Help))
        };
        for action in pressed.into_iter().filter(fits) {
            self.perform(action, &context);
        }
        if !asking && !shown.start {
            self.clipboard(&context);
        }
        let mut picked = Vec::new();
        let bars =
            |name: &'static str| Panel::top(name).frame(style::bar_frame(&context)).show_separator_line(true);
        if !self.state.shown.canvas_only {
            bars("menu").show(ui, |ui| picked.extend(menu::show(ui, &self.state, &self.preferences)));
            if !self.state.shown.start {
                bars("toolbar").show(ui, |ui| picked.extend(toolbar::show(ui, &mut self.state)));
            }
            Panel::bottom("status").frame(style::bar_frame(&context)).exact_size(26.0).show(ui, |ui| {
                tour::mark(ui.ctx(), tour::Spot::Status, ui.max_rect());
                picked.extend(status::show(ui, &self.state));
            });
        }
        self.reconcile.bar(ui, &mut self.disk, &mut self.state);
        if self.state.shown.start {
            self.start_page(ui, &context);
        } else {
            self.work_space(ui, &context, &mut picked);
        }
        picked.extend(self.context_menu(&context));
        self.dialogs(&context);
        picked.extend(finder::show(&context, &mut self.finder, &mut self.state));
        for action in picked {
            self.perform(action, &context);
        }
        self.title(&context);
        // What was done just now is baked without waiting for the next frame.
        self.state.refresh();
        self.submit_due(&context);
    }

    /// The panels with the canvas, and what lies over them.
    fn work_space(&mut self, ui: &mut Ui, context: &egui::Context, picked: &mut Vec<Action>) {
        if !self.state.shown.canvas_only {
            self.sides.strips(ui, &self.state.shown);
        }
        if self.view3d.rect.is_none() {
            self.state.aim = None;
        }
        self.view3d.note(self.state.frame_next);
        let wish = CentralPanel::no_frame().show(ui, |ui| {
            if self.state.shown.canvas_only {
                return self.views_only(ui);
            }
            let (state, views) = (&mut self.state, (&mut self.canvas, &mut self.view3d));
            let (actions, wish) =
                dock::show(ui, &mut self.layout, self.sides, state, views, &mut self.outline);
            picked.extend(actions);
            wish
        });
        let wish = wish.inner;
        let flat = self.canvas.rect.filter(|_| self.state.shown.views != Seen::Solid);
        let rect = flat.or(self.view3d.rect).or(self.canvas.rect);
        if let Some(rect) = rect.filter(|_| flat.is_none()) {
            // The canvas goes along while it is not shown.
            canvas::frame(&mut self.state, rect);
        }
        if let Some(rect) = rect {
            tour::mark(context, tour::Spot::Canvas, rect);
            hints::show(context, &self.state, rect);
            canvas::message(context, &mut self.state, rect);
            at_place::card(context, &mut self.state, rect);
            placing::show(context, &mut self.state, rect);
        }
        if wish.menu_at.is_some() {
            self.menu_at = wish.menu_at;
            self.menu_issues = wish.menu_issues;
        }
        picked.extend(wish.action);
        if self.tour.show(context, &self.state) {
            self.preferences.tour_seen = true;
        }
    }

    /// The canvas, the 3D view or both, without panels.
    fn views_only(&mut self, ui: &mut Ui) -> canvas::Wish {
        let views = self.state.shown.views;
        if views != Seen::Split {
            let solid = views == Seen::Solid;
            let state = &mut self.state;
            return if solid { self.view3d.show(ui, state) } else { self.canvas.show(ui, state) };
        }
        let (left, right) = ui.max_rect().split_left_right_at_fraction(0.5);
        let (left, right) = (left.with_max_x(left.max.x - 1.0), right.with_min_x(right.min.x + 1.0));
        let mut wish = ui
            .scope_builder(egui::UiBuilder::new().max_rect(left), |ui| self.canvas.show(ui, &mut self.state));
        let other = ui.scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
            self.view3d.show(ui, &mut self.state)
        });
        wish.inner.add(other.inner);
        wish.inner
    }

    fn dialogs(&mut self, context: &egui::Context) {
        let (files, state) = (&mut self.files, &mut self.state);
        dialogs::show(context, files, state);
        if let Some(text) = fields::take_told(context) {
            state.say(Tone::Hint, text);
        }
        if state.shown.keys {
            dialogs::keys(context, &mut self.keys, &mut self.preferences, state);
        }
        if state.shown.preferences {
            dialogs::preferences(context, &mut self.preferences, state);
        }
        let safety = self.safety.as_mut().filter(|safety| !safety.found.is_empty() && !state.shown.start);
        if let Some(safety) = safety {
            dialogs::recovered(context, safety, state);
        }
        if let Some(naming) = &mut self.naming {
            match naming.show(context) {
                Some(Some(name)) => {
                    let now = self.workspace();
                    match now.map(|now| self.preferences.workspaces.save_as(&name, now)) {
                        Some(Err(error)) => self.naming = Some(Naming::again(&name, error)),
                        _ => self.naming = None,
                    }
                }
                Some(None) => self.naming = None,
                None => {}
            }
        }
        self.reconcile(context);
    }

    fn start_page(&mut self, ui: &mut Ui, context: &egui::Context) {
        let found = self.safety.as_ref().map_or(&[][..], |safety| &safety.found);
        let choice = start::show(ui, &mut self.start, &self.files.recent, found);
        match choice {
            None => {}
            Some(start::Choice::Act(action)) => self.perform(action, context),
            Some(start::Choice::Sample(index)) => {
                let index = u8::try_from(index).unwrap_or(0);
                self.perform(Action::Sample(index), context);
            }
            Some(start::Choice::Forget(index)) => {
                self.preferences.forget(index);
                self.files.recent.clone_from(&self.preferences.recent);
            }
            Some(start::Choice::Recover(index)) => {
                if let Some(safety) = &mut self.safety {
                    safety.open(index, &mut self.state);
                    // One map is open at a time; what else was found is offered again.
                    safety.found.clear();
                }
            }
            Some(start::Choice::Discard(index)) => {
                if let Some(safety) = &mut self.safety {
                    safety.discard(index);
                }
            }
            Some(start::Choice::Close) => self.state.shown.start = false,
        }
    }

    /// The layout on screen.
    fn workspace(&self) -> Option<Workspace> {
        Layout::of(&self.layout).map(|layout| Workspace::of(layout, &self.state.shown))
    }

    fn lay_out(&mut self, name: &str) {
        if let Some(now) = self.workspace() {
            self.preferences.workspaces.note(now);
        }
        let next = self.preferences.workspaces.go_to(name);
        self.put_up(&next);
    }

    fn put_up(&mut self, workspace: &Workspace) {
        self.layout = workspace.layout.tree();
        workspace.show(&mut self.state.shown);
    }

    /// Offers what other sessions left.
    fn recover(&mut self) {
        let Some(safety) = &mut self.safety else {
            return self.state.say(Tone::Hint, "There is no folder for what is not saved");
        };
        safety.look_now();
        if safety.found.is_empty() {
            self.state.say(Tone::Hint, "Nothing was left unsaved");
        }
    }

    /// Saves, and then goes on to `next`; not before it is said what becomes of what others saved meanwhile.
    fn save(&mut self, next: Option<Next>, context: &egui::Context) {
        self.after_save = next;
        if !self.reconcile.holds_back(&mut self.disk, &mut self.state, context) {
            self.files.save(self.after_save.take(), &mut self.state, context);
        }
    }

    fn reconcile(&mut self, context: &egui::Context) {
        if let Some(next) = self.files.wants_save.take() {
            self.save(next, context);
        }
        let answer = self.reconcile.show(context, &mut self.disk, &mut self.state);
        if answer == Some(reconcile::Answer::Save) {
            self.files.save(self.after_save.take(), &mut self.state, context);
        }
    }

    /// Keeps what is not saved, and the user's choices where they changed.
    fn keep(&mut self, context: &egui::Context) {
        self.preferences.apply(context);
        if let Some(safety) = &mut self.safety {
            safety.tick(&mut self.state, context);
        }
        self.files.export_on_save = self.preferences.export_on_save;
        if self.noted != self.state.file {
            self.noted.clone_from(&self.state.file);
            if let Some(path) = &self.noted {
                self.preferences.opened(path);
                self.files.recent.clone_from(&self.preferences.recent);
                if self.state.export_target.is_none() {
                    self.state.export_target = self.preferences.export_of(path);
                }
            }
        }
        let is_new = std::mem::take(&mut self.state.bake.is_new);
        if let Some(project) = &self.state.file {
            let project = project.clone();
            if is_new {
                let (mode, live) = self.preferences.baking_of(&project);
                self.state.bake.live = live;
                self.state.set_picked_mode(mode);
            }
            let bake = &self.state.bake;
            self.preferences.baked_by(&project, (bake.picked_mode, bake.live));
        }
        if let (Some(project), Some(target)) = (&self.state.file, &self.state.export_target) {
            self.preferences.exported(project, target);
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
