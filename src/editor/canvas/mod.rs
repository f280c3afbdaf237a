//! The drawing surface: pan and zoom, the mouse as events in the world, and what is painted.
//!
//! Reading order: [`camera`], [`grid`], [`snap`], [`edge`] and [`pick`] with `reach` (in world coordinates, no window), [`ink`] (triangles of shapes),
//! [`patch`] and [`scene`] (triangles that are kept), [`pictures`] and [`relief`] (geometry from above), [`chunks`], [`lower`] and [`paint`] (what is shown, from below), [`rulers`],
//! [`nodes`] (for screen readers), `by_keys`, and [`Canvas`] here, which joins them.

pub mod badges;
mod by_keys;
pub mod camera;
pub mod cards;
pub mod chunks;
pub mod edge;
pub mod grid;
pub mod ink;
pub mod lower;
pub mod nodes;
pub mod notes;
pub mod paint;
pub mod patch;
pub mod pick;
pub mod pictures;
mod reach;
pub mod relief;
pub mod rulers;
pub mod scene;
pub mod snap;
mod typed;

pub(super) use by_keys::hold_keyboard;
pub use by_keys::types;

use std::time::Duration;

use egui::{
    Color32, CursorIcon, FontId, Id, Key, PointerButton, Pos2, Rect, RichText, Sense, Ui, Vec2, pos2, vec2,
};

use super::action::Action;
use super::gpu::Gpu;
use super::state::{Frame, State, Tone};
use super::style;
use super::told;
use super::tools::{Button, Event, Feedback, Keys, ToolKind};
use crate::draw::View;

/// A press becomes a drag when it has moved this far, in points.
const DRAG_FROM: f32 = 4.0;
/// How much a notch of the wheel zooms.
const NOTCH: f64 = 1.18;
/// What a notch is in points, for wheels that tell points.
const NOTCH_POINTS: f64 = 50.0;
/// What a line is in points, for trackpads that tell lines.
const LINE_POINTS: f32 = 20.0;

/// What of the canvas lives from frame to frame.
#[derive(Debug, Default)]
pub struct Canvas {
    scene: scene::Scene,
    lower: lower::Lower,
    pictures: pictures::Pictures,
    relief: relief::Relief,
    down: Option<Down>,
    panning: bool,
    last_keys: Keys,
    /// Its own id, for the keyboard.
    id: Option<Id>,
    /// Where the canvas was drawn last, without its rulers.
    pub rect: Option<Rect>,
    badges: badges::Badges,
    cards: cards::Cards,
    /// The camera that shows all of the map, and the size it was made for: while nobody moves it, it follows the size.
    whole: Option<(camera::Camera, Vec2)>,
}

/// A button that is down.
#[derive(Clone, Copy, Debug)]
struct Down {
    button: Button,
    origin: Pos2,
    moved: bool,
}

/// What the canvas asks of its surroundings.
#[derive(Debug, Default)]
pub struct Wish {
    /// Open the menu of the thing under the cursor, here.
    pub menu_at: Option<Pos2>,
    /// The issues whose badge is there.
    pub menu_issues: Vec<usize>,
    /// What was picked on a card.
    pub action: Option<Action>,
}

impl Wish {
    /// Asks for what another one asks for too.
    pub fn add(&mut self, other: Self) {
        if other.menu_at.is_some() {
            (self.menu_at, self.menu_issues) = (other.menu_at, other.menu_issues);
        }
        self.action = self.action.or(other.action);
    }
}

impl Canvas {
    /// How many kept parts of the picture were made since the beginning.
    #[must_use]
    pub fn made(&self) -> usize {
        self.scene.made
    }

    /// How many chunks of the geometry's picture were made since the beginning.
    #[must_use]
    pub fn relief_made(&self) -> usize {
        self.relief.made
    }

    /// How triangles reach the screen from now on.
    pub fn use_gpu(&mut self, gpu: Gpu) {
        self.scene.gpu = gpu;
    }

    /// Whether no other widget has the keyboard.
    #[must_use]
    pub fn has_keyboard(&self, context: &egui::Context) -> bool {
        let focused = context.memory(|memory| memory.focused());
        focused.is_none() || focused == self.id
    }

    /// What `Tab` does, and backward `Shift+Tab`.
    pub fn next_thing(&mut self, context: &egui::Context, state: &mut State, forward: bool) {
        if let Some(id) = self.id {
            by_keys::next_thing(context, id, state, forward);
        }
    }

    /// Goes where it was asked to go; where all was shown, all is shown after a change of size, too.
    fn frame(&mut self, state: &mut State, rect: Rect) {
        if self.whole.is_some_and(|(camera, size)| camera == state.camera && size != rect.size()) {
            state.frame_next = state.frame_next.or(Some(Frame::All));
        }
        let all = state.frame_next == Some(Frame::All);
        frame(state, rect);
        if all {
            self.whole = Some((state.camera, rect.size()));
        }
    }

    /// Shows the canvas in what room there is.
    pub fn show(&mut self, ui: &mut Ui, state: &mut State) -> Wish {
        let size = ui.available_size().max(vec2(32.0, 32.0));
        let (whole, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let label = format!("Canvas, level {}", state.level);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, label.clone()));
        let rect = if state.shown.rulers { rulers::inner(whole) } else { whole };
        self.rect = Some(rect);
        self.id = Some(response.id);
        by_keys::hold_keyboard(ui, response.id, state);
        self.pictures.update(ui.ctx(), state);
        self.frame(state, rect);
        let mut wish = self.input(ui, &response, rect, state);
        state.play_in(ui);
        let view = state.camera.view(rect);
        let pointer = ui.input(|input| input.pointer.latest_pos()).filter(|at| rect.contains(*at));
        let feedback = state.tools.feedback(&state.context(self.last_keys));
        state.snap_kind.clone_from(&feedback.snap);
        self.paint(ui, whole, rect, &view, state, &feedback, pointer);
        nodes::add(ui, rect, &view, state);
        // Nothing stands in the way of a drawing.
        let idle = !state.tools.dragging() && self.down.is_none() && state.tools.draft().is_empty();
        let free = pointer.filter(|_| response.hovered() && idle);
        let lit = self.cards.lit().len();
        wish.action = self.cards.show(ui, state, &self.badges, &view, free, rect);
        if self.cards.lit().len() != lit {
            // What it lit up was painted before.
            ui.ctx().request_repaint();
        }
        if let Some((_, badge)) = wish.menu_at.and_then(|at| self.badges.badge_at(at)) {
            wish.menu_issues.clone_from(&badge.issues);
        }
        self.cursor(ui, &response, state);
        if paint::visibly_stale(state) || state.bake.stale_since.is_none() {
            // Nothing to wait for.
        } else {
            ui.ctx().request_repaint_after(Duration::from_millis(260));
        }
        wish
    }

    #[allow(clippy::too_many_arguments, reason = "one frame's values, passed once")]
    fn paint(
        &mut self,
        ui: &Ui,
        whole: Rect,
        rect: Rect,
        view: &View,
        state: &State,
        feedback: &Feedback,
        pointer: Option<Pos2>,
    ) {
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 0.0, style::color32(style::theme(ui.ctx()).background()));
        self.relief.paint(&painter, state, view, rect);
        self.pictures.paint(&painter, state, view, rect);
        let mut picture = self.scene.begin(ui.ctx(), view, rect, style::theme(ui.ctx()));
        self.lower.paint(ui.ctx(), state, &mut picture);
        picture.shapes(paint::upper(ui.ctx(), state, view, feedback, self.cards.lit()));
        self.badges.update(state, view, rect);
        self.badges.paint(&mut picture);
        painter.extend(picture.finish());
        self.badges.paint_arrows(&painter);
        if let Some((at, text)) = &feedback.word
            && !text.is_empty()
        {
            let at: Pos2 = view.pixel_from_world(*at).into();
            word(&painter, at + vec2(16.0, -20.0), text, rect);
        }
        if state.tools.kind() == ToolKind::Test
            && state.path.is_none()
            && let Some(text) = told::counts(state)
        {
            banner(&painter, rect, &text, style::of(ui.ctx()).accent);
        }
        // It stays as long as the path does, but where another answer has its place.
        if (state.tools.kind() == ToolKind::Test || told::keeps_path(state))
            && let Some(text) = told::path(state)
        {
            let reached = state.path_exists();
            banner(
                &painter,
                rect,
                &text,
                if reached { style::of(ui.ctx()).good } else { ui.visuals().error_fg_color },
            );
        }
        if state.tools.kind() != ToolKind::Test
            && state.shown.overlays.stage
            && let Some(text) = told::stage(state)
        {
            banner(&painter, rect, &text, style::of(ui.ctx()).accent);
        }
        by_keys::paint_keyboard(ui, self.id, &painter, view, state, rect);
        if state.shown.rulers {
            rulers::paint(&ui.painter_at(whole), whole, view, pointer);
        }
    }

    fn input(&mut self, ui: &Ui, response: &egui::Response, rect: Rect, state: &mut State) -> Wish {
        let mut wish = Wish::default();
        let context = ui.ctx();
        let events = ui.input(|input| input.events.clone());
        let mut modifiers = ui.input(|input| input.modifiers);
        let space = ui.input(|input| input.key_down(Key::Space)) && !context.text_edit_focused();
        self.last_keys = keys(modifiers);
        let free = |at: Pos2| {
            rect.contains(at)
                && context.layer_id_at(at) == Some(response.layer_id)
                && !egui::Popup::is_any_open(context)
        };
        for event in events {
            match event {
                egui::Event::PointerMoved(at) => self.moved(at, rect, keys(modifiers), free(at), state),
                egui::Event::PointerButton { pos, button, pressed: true, modifiers: now } => {
                    modifiers = now;
                    if free(pos) && button == PointerButton::Primary && self.pressed_badge(pos, state) {
                        continue;
                    }
                    if free(pos) {
                        context.memory_mut(|memory| memory.request_focus(response.id));
                        self.pressed(pos, button, space, rect, keys(now), state);
                    }
                }
                egui::Event::PointerButton { pos, button, pressed: false, modifiers: now } => {
                    modifiers = now;
                    if self.released(pos, button, rect, keys(now), state) {
                        wish.menu_at = Some(pos);
                    }
                }
                egui::Event::PointerGone => {
                    (state.cursor, state.aim) = (None, None);
                    if self.down.is_none() {
                        state.tool_event(Event::Leave, self.last_keys);
                    }
                }
                egui::Event::MouseWheel { unit, delta, source, modifiers, .. } => {
                    let at = ui.input(|input| input.pointer.latest_pos());
                    // With Ctrl egui reports it as a pinch.
                    if let Some(at) = at.filter(|&at| free(at) && !modifiers.command) {
                        wheel(unit, source, delta, at, rect, state);
                    }
                }
                _ => {}
            }
        }
        let pinch = ui.input(|input| input.zoom_delta());
        if let Some(at) = ui.input(|input| input.pointer.latest_pos()).filter(|&at| pinch != 1.0 && free(at))
        {
            state.camera.zoom(f64::from(pinch), at, rect);
        }
        wish
    }

    fn moved(&mut self, at: Pos2, rect: Rect, keys: Keys, free: bool, state: &mut State) {
        let place = state.camera.view(rect).world_from_pixel(at.into());
        if self.panning {
            // `latest_pos` of the frame before is not kept by egui per event, so the world under the hand is.
            if let Some(down) = &mut self.down {
                state.camera.pan(at - down.origin);
                down.origin = at;
            }
            return;
        }
        match &mut self.down {
            Some(down) => {
                down.moved |= down.origin.distance(at) >= DRAG_FROM;
                state.cursor = Some(place);
                if down.moved && down.button == Button::Left {
                    state.tool_event(Event::Drag(place), keys);
                }
            }
            None if free => {
                (state.cross, state.aim) = (None, None);
                state.cursor = Some(place);
                state.tool_event(Event::Hover(place), keys);
            }
            // On the 3D view the place under the mouse is its business.
            None if state.aim.is_some() => {}
            None => {
                if state.cursor.take().is_some() {
                    state.tool_event(Event::Leave, keys);
                }
            }
        }
    }

    fn pressed(
        &mut self,
        at: Pos2,
        button: PointerButton,
        space: bool,
        rect: Rect,
        keys: Keys,
        state: &mut State,
    ) {
        let pan = button == PointerButton::Middle || button == PointerButton::Primary && space;
        if pan {
            self.panning = true;
            self.down = Some(Down { button: Button::Left, origin: at, moved: false });
            return;
        }
        let button = match button {
            PointerButton::Primary => Button::Left,
            PointerButton::Secondary => Button::Right,
            _ => return,
        };
        let place = state.camera.view(rect).world_from_pixel(at.into());
        (state.cursor, state.cross, state.aim) = (Some(place), None, None);
        // A second button during a drag calls the drag off; the first one stays down.
        if self.down.is_none() {
            self.down = Some(Down { button, origin: at, moved: false });
        }
        state.tool_event(Event::Press(button, place), keys);
    }

    /// A click on a stack of badges opens its list, one on an arrow at the rim shows what it points at. Whether it was one.
    fn pressed_badge(&mut self, at: Pos2, state: &mut State) -> bool {
        if let Some(arrow) = self.badges.arrow_at(at) {
            state.go_to_issue(arrow.worst);
            return true;
        }
        let stack = self.badges.badge_at(at).filter(|(_, badge)| badge.issues.len() > 1);
        let Some((at, stack)) = stack else { return false };
        self.cards.pin(at, stack.issues.clone(), state);
        true
    }

    /// The text of the card that is open, if it is about issues or nothing is selected.
    #[must_use]
    pub fn card_text(&self, state: &mut State) -> Option<String> {
        self.cards.text(state)
    }

    /// Whether the open card is about issues.
    #[must_use]
    pub fn on_issues(&self) -> bool {
        self.cards.on_issues()
    }

    /// Closes a card that stays open. Whether there was one.
    pub fn close_card(&mut self) -> bool {
        self.cards.close()
    }

    /// Whether the tool wants the menu.
    fn released(
        &mut self,
        at: Pos2,
        button: PointerButton,
        rect: Rect,
        keys: Keys,
        state: &mut State,
    ) -> bool {
        if self.panning {
            if matches!(button, PointerButton::Middle | PointerButton::Primary) {
                self.panning = false;
                self.down = None;
            }
            return false;
        }
        let button = match button {
            PointerButton::Primary => Button::Left,
            PointerButton::Secondary => Button::Right,
            _ => return false,
        };
        let Some(down) = self.down.filter(|down| down.button == button) else { return false };
        self.down = None;
        let moved = down.moved || down.origin.distance(at) >= DRAG_FROM;
        let place = state.camera.view(rect).world_from_pixel(at.into());
        state.cursor = Some(place);
        if moved && !down.moved && button == Button::Left {
            // Press and release came in one frame, apart from each other.
            state.tool_event(Event::Drag(place), keys);
        }
        state.tool_event(Event::Release { button, place, moved }, keys)
    }

    fn cursor(&self, ui: &Ui, response: &egui::Response, state: &State) {
        if !response.hovered() && self.down.is_none() {
            return;
        }
        let icon = if self.panning {
            CursorIcon::Grabbing
        } else if ui.input(|input| input.key_down(Key::Space)) && !ui.ctx().text_edit_focused() {
            CursorIcon::Grab
        } else if state.tools.dragging() && state.tools.kind() == ToolKind::Select {
            CursorIcon::Grabbing
        } else if state.tools.kind() == ToolKind::Select {
            CursorIcon::Default
        } else {
            CursorIcon::Crosshair
        };
        ui.ctx().set_cursor_icon(icon);
    }
}

/// Modifier keys as tools know them.
#[must_use]
pub fn keys(modifiers: egui::Modifiers) -> Keys {
    Keys { shift: modifiers.shift, ctrl: modifiers.command, alt: modifiers.alt }
}

/// A wheel zooms at the cursor, two fingers on a trackpad pan.
fn wheel(
    unit: egui::MouseWheelUnit,
    source: egui::MouseWheelSource,
    delta: Vec2,
    at: Pos2,
    rect: Rect,
    state: &mut State,
) {
    let points = unit == egui::MouseWheelUnit::Point;
    match source {
        egui::MouseWheelSource::Wheel if points => {
            state.camera.zoom(NOTCH.powf(f64::from(delta.y) / NOTCH_POINTS), at, rect);
        }
        _ if points => state.camera.pan(delta),
        egui::MouseWheelSource::Trackpad => state.camera.pan(delta * LINE_POINTS),
        _ => state.camera.zoom(NOTCH.powf(f64::from(delta.y)), at, rect),
    }
}

/// Moves the camera where it was asked to go before the canvas had a size.
pub(in crate::editor) fn frame(state: &mut State, rect: Rect) {
    let Some(wanted) = state.frame_next.take() else { return };
    let bounds = match wanted {
        Frame::Place(place) => return state.camera.reveal(place, rect),
        Frame::Center(place) => return state.camera.center = place,
        Frame::All => paint::bounds(state, false),
        Frame::Selection => paint::bounds(state, true).or_else(|| paint::bounds(state, false)),
    };
    match bounds {
        Some(bounds) => state.camera.frame(bounds, rect),
        None => state.camera = camera::Camera::default(),
    }
}

/// A word on a plate.
pub(in crate::editor) fn word(painter: &egui::Painter, at: Pos2, text: &str, inside: Rect) {
    let galley =
        painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), style::of(painter.ctx()).strong);
    let size = galley.size() + vec2(12.0, 6.0);
    let corner = pos2(
        at.x.min(inside.max.x - size.x - 4.0).max(inside.min.x + 4.0),
        at.y.max(inside.min.y + 4.0).min(inside.max.y - size.y - 4.0),
    );
    let plate = Rect::from_min_size(corner, size);
    painter.rect_filled(plate, 4.0, style::of(painter.ctx()).plate);
    painter.galley(corner + vec2(6.0, 3.0), galley, style::of(painter.ctx()).strong);
}

/// The answer of the path test, on top of the canvas.
pub(in crate::editor) fn banner(painter: &egui::Painter, rect: Rect, text: &str, color: Color32) {
    let font = FontId::proportional(13.5);
    let galley = painter.layout(text.to_owned(), font, style::of(painter.ctx()).strong, rect.width() - 80.0);
    let size = galley.size() + vec2(34.0, 14.0);
    let plate = Rect::from_center_size(pos2(rect.center().x, rect.min.y + 12.0 + size.y * 0.5), size);
    painter.rect(
        plate,
        6.0,
        style::of(painter.ctx()).plate,
        egui::Stroke::new(1.0, color),
        egui::StrokeKind::Inside,
    );
    painter.circle_filled(pos2(plate.min.x + 14.0, plate.center().y), 4.5, color);
    painter.galley(plate.min + vec2(26.0, 7.0), galley, style::of(painter.ctx()).strong);
}

/// The message on the canvas, with a button that dismisses it.
pub fn message(context: &egui::Context, state: &mut State, rect: Rect) {
    let Some(message) = state.message.clone() else { return };
    if let Some(stays) = message.stays() {
        let age = message.since.elapsed();
        if age >= stays {
            state.message = None;
            return;
        }
        context.request_repaint_after(stays - age);
    }
    let color = match message.tone {
        Tone::Hint => style::of(context).weak,
        Tone::Good => style::of(context).good,
        Tone::Bad => style::severity_color(context, crate::bake::Severity::Error),
    };
    let place = pos2(rect.center().x, rect.max.y - 14.0);
    let area =
        egui::Area::new(Id::unique("message")).order(egui::Order::Middle).pivot(egui::Align2::CENTER_BOTTOM);
    area.fixed_pos(place).show(context, |ui| {
        let frame = egui::Frame::new()
            .fill(style::of(context).plate)
            .stroke(egui::Stroke::new(1.0, color))
            .corner_radius(6.0)
            .inner_margin(egui::Margin::symmetric(12, 7));
        frame.show(ui, |ui| {
            ui.set_max_width((rect.width() - 80.0).max(120.0));
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(&message.text).color(style::of(context).strong));
                if let Some((name, text)) = &message.copy
                    && ui.button(*name).on_hover_text(text).clicked()
                {
                    context.copy_text(text.clone());
                }
                if message.tone != Tone::Hint {
                    let icon = egui_material_icons::icons::ICON_CLOSE.rich_text().size(13.0);
                    let response = ui.add(egui::Button::new(icon).frame(false));
                    response.widget_info(|| {
                        egui::WidgetInfo::labeled(egui::Role::Button, true, "Dismiss message")
                    });
                    if response.clicked() {
                        state.message = None;
                    }
                }
            });
        });
    });
}
