//! The panel with the 3D view: a strip with what it can do, the picture, and what lies over it.

use egui::{Align2, CursorIcon, FontId, Id, Pos2, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};

use super::badges::Stamps;
use super::camera::{Lens, Orbit};
use super::device;
use super::frame::{Drawn, Frame as Numbers, Outlook};
use super::heights::Heights;
use super::hold::Down;
use super::levels::Pull;
use super::motion::Motion;
use super::overlay::{Memory, upper};
use super::pick::{drawing_height, plane_height};
use super::projector::Projector;
use super::scene::{Scene, floor_height, jump_of};
use super::solid::Key;
use super::space::Vec3;
use crate::draw::{Rgba, Role, Shape, Theme};
use crate::editor::canvas::cards::{IssueCard, Written, is_told, thing_card, written};
use crate::editor::canvas::paint::visibly_stale;
use crate::editor::canvas::pick::Item;
use crate::editor::canvas::{Wish, banner, word};
use crate::editor::gpu::Gpu;
use crate::editor::hover::{Card, card_at};
use crate::editor::state::{Frame, Seen, State};
use crate::editor::style;
use crate::editor::told;
use crate::editor::tools::{Keys, ToolKind};
use crate::query::PathScratch;

/// Height of the strip, in points.
const STRIP: f32 = 28.0;
/// How long the mouse must rest before a card comes, in seconds.
const REST: f64 = 0.3;
/// How much of a stale mesh's colours is grey.
const STALE: f32 = 0.6;

/// What of the 3D view lives from frame to frame.
#[derive(Debug, Default)]
pub struct View3d {
    /// Everything that is drawn.
    pub scene: Scene,
    /// How levels are pulled apart and cut off.
    pub pull: Pull,
    pub(super) motion: Motion,
    pub(super) down: Option<Down>,
    pub(super) last_keys: Keys,
    pub(super) scratch: PathScratch,
    pub(super) heights: Heights,
    stamps: Stamps,
    /// Its own id, for the keyboard.
    id: Option<Id>,
    /// Where the picture was drawn last; none while the panel is not shown.
    pub rect: Option<Rect>,
    gpu: Gpu,
    /// What it is to show when it is drawn next.
    wanted: Option<Frame>,
    /// Whether it was ever drawn.
    begun: bool,
    /// The eye that all was framed by, for this size, so many pieces of geometry and levels so far apart: while nobody
    /// moves it, it follows them.
    framed: Option<(Orbit, egui::Vec2, usize, f64)>,
    /// Where the mouse rests, and since when; the card that is open.
    rest: Option<(Pos2, f64)>,
    card: Option<(Pos2, Card, i8)>,
    /// What that card is written of.
    card_of: Written,
    /// The card of the issues that the mouse rests on.
    issues: Option<IssueCard>,
}

impl View3d {
    /// How triangles reach the screen from now on.
    pub fn use_gpu(&mut self, gpu: Gpu) {
        self.gpu = gpu;
    }

    /// Where the eye is.
    #[must_use]
    pub fn eye(&self) -> Orbit {
        self.motion.to
    }

    /// Takes note of what the canvas is to show: the view shows it too, now or when it is opened.
    pub fn note(&mut self, wanted: Option<Frame>) {
        self.rect = None;
        self.wanted = wanted.or(self.wanted);
    }

    /// Whether it has the keyboard.
    #[must_use]
    pub fn has_keyboard(&self, context: &egui::Context) -> bool {
        self.id.is_some() && context.memory(|memory| memory.focused()) == self.id
    }

    /// The text of the card that is open, for the clipboard.
    #[must_use]
    pub fn card_text(&self, state: &mut State) -> Option<String> {
        let issues = self.issues.as_ref().map(|card| card.text(state));
        issues.or_else(|| self.card.as_ref().map(|(_, card, _)| card.text()))
    }

    /// Whether the open card is about issues.
    #[must_use]
    pub fn on_issues(&self) -> bool {
        self.issues.is_some()
    }

    /// Puts the eye where it was at first, looking at all.
    pub fn reset(&mut self, context: &egui::Context) {
        let Some(rect) = self.last_rect() else { return };
        let mut eye = Orbit::default();
        eye.frame(&self.scene.boxes(), rect);
        self.pull = Pull::default();
        self.motion.go(context, eye);
    }

    /// Turns the eye by steps of an eighth of a quarter, or goes nearer.
    pub fn step(&mut self, context: &egui::Context, [right, up, near]: [f32; 3]) {
        let mut eye = self.motion.to;
        eye.turn(vec2(right, up) * 26.0);
        let target = eye.target;
        eye.zoom(0.8_f64.powf(near.into()), target);
        self.motion.go(context, eye);
    }

    fn last_rect(&self) -> Option<Rect> {
        self.rect.or(self.begun.then_some(Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0))))
    }

    /// Shows the view in what room there is.
    pub fn show(&mut self, ui: &mut Ui, state: &mut State) -> Wish {
        let size = ui.available_size().max(vec2(32.0, STRIP + 32.0));
        let (whole, _) = ui.allocate_exact_size(size, Sense::hover());
        let (strip, below) = whole.split_top_bottom_at_y(whole.min.y + STRIP);
        let pixels = ui.pixels_per_point();
        let snapped = |value: f32| (value * pixels).round() / pixels;
        let rect = Rect::from_min_max(below.min, below.max).intersect(whole);
        let rect = Rect::from_min_max(
            pos2(snapped(rect.min.x), snapped(rect.min.y)),
            pos2(snapped(rect.max.x), snapped(rect.max.y)),
        );
        let response = ui.interact(rect, ui.scope_id().with("3D"), Sense::click_and_drag());
        let label = format!("3D view, level {}", state.level);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, label.clone()));
        self.id = Some(response.id);
        self.rect = Some(rect);
        let theme = style::theme(ui.ctx());
        let action = self.strip(ui, strip, state);
        if self.gpu == Gpu::Shapes {
            no_device(ui, rect);
            return Wish { action, ..Wish::default() };
        }
        crate::editor::canvas::hold_keyboard(ui, response.id, state);
        self.scene.update(state, self.pull, theme);
        self.scene.reveal(ui.ctx(), state, theme);
        self.frame(ui.ctx(), state, rect);
        let mut wish = self.input(ui, &response, rect, state);
        wish.action = action;
        // Beside the canvas that one does it.
        if state.shown.views == Seen::Solid {
            state.play_in(ui);
        }
        // What was done just now is shown without waiting for the next frame.
        self.scene.update(state, self.pull, theme);
        self.paint(ui, &response, rect, state, theme);
        if let Some(picked) = self.issues.as_mut().and_then(|card| card.show(ui, state, rect)) {
            self.issues = None;
            wish.action = picked.or(wish.action);
        }
        self.cursor(ui, &response, state);
        wish
    }

    /// Goes where it was asked to go before it had a size.
    fn frame(&mut self, context: &egui::Context, state: &State, rect: Rect) {
        let first = !std::mem::replace(&mut self.begun, true);
        let pieces = self.scene.solids().filter(|(key, _)| matches!(key, Key::Geometry(..))).count();
        let now = (rect.size(), pieces, self.pull.explode);
        let grown = self.framed.is_some_and(|(eye, size, count, explode)| {
            eye == self.motion.to && (size, count, explode) != now
        });
        let wanted = self.wanted.take().or((first || grown).then_some(Frame::All));
        let Some(wanted) = wanted else { return };
        let mut eye = self.motion.to;
        match wanted {
            Frame::Place(place) | Frame::Center(place) => {
                let at = self.shown(state, place, state.level);
                let seen = eye.lens(rect).pixel(at);
                let inside = |[x, y]: [f64; 2]| {
                    #[allow(clippy::cast_possible_truncation, reason = "pixels")]
                    rect.shrink(40.0).contains(pos2(x as f32, y as f32))
                };
                if matches!(wanted, Frame::Place(_)) && seen.is_some_and(inside) {
                    return;
                }
                eye.target = at;
            }
            Frame::All | Frame::Selection => {
                let selected = (wanted == Frame::Selection).then(|| self.selected_bounds(state)).flatten();
                let boxes = selected.map_or_else(|| self.scene.boxes(), |bounds| vec![bounds]);
                if boxes.is_empty() {
                    eye = Orbit::default();
                }
                eye.frame(&boxes, rect);
            }
        }
        self.framed = (wanted == Frame::All).then_some((eye, now.0, now.1, now.2));
        if first || grown {
            *self.motion.hold(context) = eye;
        } else {
            self.motion.go(context, eye);
        }
    }

    /// Where a place of a level is shown.
    fn shown(&mut self, state: &State, place: [f64; 2], level: i8) -> Vec3 {
        let height = floor_height(state, place, level, &mut self.scratch);
        let lift = self.scene.stack().map_or(0.0, |stack| stack.lift(level));
        [place[0], height + lift, place[1]]
    }

    /// The box of what is selected.
    fn selected_bounds(&mut self, state: &State) -> Option<[Vec3; 2]> {
        let stack = self.scene.stack()?;
        let chosen = self.scene.outlines().filter(|outline| state.selection.has(Item::Area(outline.area)));
        let picked = state.selection.points();
        let corners = chosen.flat_map(|outline| {
            let whole = picked.is_empty();
            let corners = outline.corners.iter().enumerate();
            let wanted = corners.filter(move |(index, _)| whole || picked.contains(&(outline.area, *index)));
            wanted.map(|(_, corner)| stack.shown_at(*corner, outline.level))
        });
        let mut places: Vec<Vec3> = corners.collect();
        for link in state.selection.links(state.document()) {
            let jump = jump_of(state, link, &mut self.scratch);
            let arc = jump.arc().into_iter().enumerate();
            places.extend(arc.map(|(step, place)| stack.shown_at(place, jump.level(step))));
        }
        let geometry = state.selection.geometry(state.document());
        places.extend(geometry.filter_map(|item| state.geometry.get(item.id)?.bounds_at(item)).flatten());
        let first = *places.first()?;
        Some(places.iter().fold([first, first], |[low, high], place| {
            [
                [0, 1, 2].map(|axis| f64::min(low[axis], place[axis])),
                [0, 1, 2].map(|axis| f64::max(high[axis], place[axis])),
            ]
        }))
    }

    fn paint(&mut self, ui: &Ui, response: &egui::Response, rect: Rect, state: &mut State, theme: Theme) {
        let eye = self.motion.now(ui.ctx());
        let lens = eye.lens(rect);
        let painter = ui.painter_at(rect);
        let Some(stack) = self.scene.stack().cloned() else { return };
        let stale = if visibly_stale(state) { STALE } else { 0.0 };
        let grey = theme.style(Role::Stale).fill.unwrap_or(Rgba([128, 128, 128, 255]));
        let drawn: Vec<Drawn> = self
            .scene
            .solids()
            .map(|(key, solid)| {
                let part = if matches!(key, Key::Tile(_)) { stale } else { 0.0 };
                // Voxel floors lie a little over or under what they were made from.
                let over = stack.cuts_all && !matches!(key, Key::Geometry(..));
                let raise = if over { state.document().settings.cell_height } else { 0.0 };
                Drawn { solid: std::sync::Arc::clone(solid), tint: (grey, part), raise }
            })
            .collect();
        let outlook = Outlook {
            lens: &lens,
            distance: eye.distance,
            stack: &stack,
            points: rect.size(),
            pixels_per_point: ui.pixels_per_point(),
            theme,
            grid: state.shown.grid.then(|| plane_height(state, &stack, state.level)),
        };
        painter.add(device::shape(rect, Numbers::new(&drawn, &outlook)));
        let aim = state.aim;
        let context = |state: &State, keys| state.tools.feedback(&state.context(keys));
        let keys = self.last_keys;
        let (feedback, level) = match aim {
            Some(aim) => (state.aimed(&aim, |state| context(state, keys)), aim.level),
            None => (context(state, keys), state.level),
        };
        if aim.is_some() {
            state.snap_kind.clone_from(&feedback.snap);
        }
        self.card(ui, response, rect, &lens, state);
        let projector = Projector { lens: &lens, stack: &stack, scene: &self.scene };
        let none: &[Shape] = &[];
        let lit = self.card.as_ref().map_or((none, level), |(_, card, level)| (&card.lit, *level));
        let (scratch, heights, stamps) = (&mut self.scratch, &mut self.heights, &mut self.stamps);
        let memory = Memory { scratch, heights, stamps };
        let over = upper(ui.ctx(), state, &projector, rect, (&feedback, level), lit, memory);
        painter.extend(over);
        super::nodes::add(ui, rect, &projector, state);
        axes(&painter, &lens, rect);
        if let Some((place, text)) = feedback.word.as_ref().filter(|(_, text)| !text.is_empty()) {
            let height = if state.tools.draws() {
                drawing_height(state, &stack)
            } else {
                plane_height(state, &stack, level)
            };
            if let Some([x, y]) = lens.pixel([place[0], height, place[1]]) {
                #[allow(clippy::cast_possible_truncation, reason = "pixels")]
                word(&painter, pos2(x as f32, y as f32) + vec2(16.0, -20.0), text, rect);
            }
        }
        self.banner(ui, &painter, rect, state);
        if let Some((at, card, _)) = &self.card {
            thing_card(ui, *at, card, rect);
        }
        if self.has_keyboard(ui.ctx()) && state.cross.is_some() {
            let line = Stroke::new(2.0, style::of(ui.ctx()).accent);
            painter.rect_stroke(rect, 0.0, line, egui::StrokeKind::Inside);
        }
    }

    /// What the path test says, and which stage is looked at where the canvas does not say it.
    fn banner(&self, ui: &Ui, painter: &egui::Painter, rect: Rect, state: &State) {
        if state.tools.kind() != ToolKind::Test && !(told::keeps_path(state) && state.path.is_some()) {
            let stage = state.shown.overlays.stage.then(|| told::stage(state)).flatten();
            if let Some(text) = stage.filter(|_| state.shown.views == Seen::Solid) {
                banner(painter, rect, &text, style::of(ui.ctx()).accent);
            }
            return;
        }
        if let Some(text) = told::path(state) {
            let reached = state.path_exists();
            let color = if reached { style::of(ui.ctx()).good } else { ui.visuals().error_fg_color };
            banner(painter, rect, &text, color);
        } else if let Some(text) = told::counts(state) {
            banner(painter, rect, &text, style::of(ui.ctx()).accent);
        }
    }

    /// The card of what the mouse rests on.
    fn card(&mut self, ui: &Ui, response: &egui::Response, rect: Rect, lens: &Lens, state: &mut State) {
        if self.issues.as_ref().is_some_and(|card| card.is_over(ui, state)) {
            self.issues = None;
        }
        if self.issues.is_some() {
            (self.rest, self.card) = (None, None);
            return;
        }
        let now = ui.input(|input| input.time);
        let pointer = ui.input(|input| input.pointer.latest_pos()).filter(|at| rect.contains(*at));
        let idle = !state.tools.dragging() && !self.is_held() && state.tools.draft().is_empty();
        let Some(at) = pointer.filter(|_| response.hovered() && idle) else {
            (self.rest, self.card) = (None, None);
            return;
        };
        if self.rest.is_none_or(|(was, _)| was.distance(at) > 2.0) {
            (self.rest, self.card) = (Some((at, now)), None);
        }
        let Some((_, since)) = self.rest else { return };
        if now - since < REST {
            let wait = std::time::Duration::from_secs_f64((REST - (now - since)).max(0.01));
            return ui.ctx().request_repaint_after(wait);
        }
        if state.aim.is_some_and(|aim| is_told(state, aim.place, aim.pixel)) {
            return self.card = None;
        }
        if self.card.is_some() && self.card_of == written(state) {
            // It stays while the mouse rests.
            return;
        }
        let issues = self.issues_at(ui.ctx(), at, rect, state);
        if !issues.is_empty() {
            self.issues = Some(IssueCard::new(at, issues, false, state));
        } else if let Some(aim) = state.aim.filter(|aim| aim.solid && lens.depth(aim.shown) > 0.0) {
            let card = state.aimed(&aim, |state| card_at(state, aim.place, aim.pixel));
            self.card = card.map(|card| (at, card, aim.level));
            self.card_of = written(state);
        }
    }

    fn cursor(&self, ui: &Ui, response: &egui::Response, state: &State) {
        if !response.hovered() && !self.is_held() {
            return;
        }
        let icon = if self.in_hand() {
            CursorIcon::Grabbing
        } else if ui.input(|input| input.key_down(egui::Key::Space)) && !ui.ctx().text_edit_focused() {
            CursorIcon::Grab
        } else if state.tools.kind() == ToolKind::Select {
            if state.tools.dragging() { CursorIcon::Grabbing } else { CursorIcon::Default }
        } else {
            CursorIcon::Crosshair
        };
        ui.ctx().set_cursor_icon(icon);
    }
}

/// Says that nothing can be seen here, and why.
fn no_device(ui: &mut Ui, rect: Rect) {
    let colors = style::of(ui.ctx());
    ui.painter().rect_filled(rect, 0.0, colors.field);
    let mut child = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(rect.shrink(24.0))
            .layout(egui::Layout::top_down(egui::Align::Center)),
    );
    child.add_space((0.5 * rect.height() - 60.0).max(0.0));
    child.label(RichText::new("No 3D view here").size(16.0).strong().color(colors.strong));
    child.label(
        RichText::new(
            "It needs a graphics device that wgpu can use (Vulkan, Metal, DirectX 12 or OpenGL ES 3; a software driver \
             such as Mesa's will do). The canvas and everything else work without.",
        )
        .color(colors.text),
    );
}

/// The world's axes in a corner.
fn axes(painter: &egui::Painter, lens: &Lens, rect: Rect) {
    let middle = pos2(rect.min.x + 40.0, rect.max.y - 40.0);
    let colors = style::of(painter.ctx());
    let ends = [
        ("x", [1.0, 0.0, 0.0], (214, 72, 58)),
        ("y", [0.0, 1.0, 0.0], (0, 158, 115)),
        ("z", [0.0, 0.0, 1.0], (58, 134, 206)),
    ];
    let mut ends = ends.map(|(name, along, color)| {
        let part = |axis: Vec3| super::space::dot(axis, along);
        (part(lens.forward), name, [part(lens.right), part(lens.up)], color)
    });
    // What points away lies below.
    ends.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, name, [x, y], (r, g, b)) in ends {
        #[allow(clippy::cast_possible_truncation, reason = "pixels")]
        let along = vec2(x as f32, -y as f32);
        let color = egui::Color32::from_rgb(r, g, b);
        let tip = middle + along * 24.0;
        painter.line_segment([middle, tip], Stroke::new(3.5, colors.plate));
        painter.line_segment([middle, tip], Stroke::new(2.0, color));
        painter.text(
            middle + along * 33.0,
            Align2::CENTER_CENTER,
            name,
            FontId::proportional(11.0),
            colors.text,
        );
    }
}
