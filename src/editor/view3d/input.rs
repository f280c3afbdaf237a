//! The mouse on the 3D view: left is the tool's, right orbits (and is the tool's where it only clicks), middle pans, the
//! wheel goes nearer to what is under it.

use egui::{Event as Input, Key, PointerButton, Pos2, Rect, Ui, Vec2};

use super::badges::places;
use super::hold::{Down, Hold};
use super::pane::View3d;
use super::pick::Sight;
use crate::editor::aim::Aim;
use crate::editor::canvas::pick::distance;
use crate::editor::canvas::{Wish, keys};
use crate::editor::state::State;
use crate::editor::tools::{Button, Event, Keys, ToolKind};

/// A press becomes a drag when it has moved this far, in points.
const DRAG_FROM: f32 = 4.0;
/// How far the mouse may be from the middle of an issue's badge, in points.
const BADGE: f64 = 9.0;
/// How much nearer a notch of the wheel goes.
const NOTCH: f64 = 1.18;
/// What a notch is in points, and a line of a trackpad.
const NOTCH_POINTS: f64 = 50.0;
const LINE_POINTS: f32 = 20.0;

impl View3d {
    /// Whether the right button is held, so that letters fly.
    #[must_use]
    pub fn flies(&self) -> bool {
        self.rect.is_some() && self.down.is_some_and(|down| matches!(down.what, Hold::Turn))
    }

    /// Whether the world is in hand.
    pub(super) fn in_hand(&self) -> bool {
        self.down.is_some_and(|down| !matches!(down.what, Hold::Tool { .. }))
    }

    /// Whether any button is down.
    pub(super) fn is_held(&self) -> bool {
        self.down.is_some()
    }

    pub(super) fn input(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        rect: Rect,
        state: &mut State,
    ) -> Wish {
        let mut wish = Wish::default();
        let context = ui.ctx().clone();
        let events = ui.input(|input| input.events.clone());
        let mut modifiers = ui.input(|input| input.modifiers);
        let space = ui.input(|input| input.key_down(Key::Space)) && !context.text_edit_focused();
        let free = |at: Pos2| {
            rect.contains(at)
                && context.layer_id_at(at) == Some(response.layer_id)
                && !egui::Popup::is_any_open(&context)
        };
        for event in events {
            match event {
                Input::PointerMoved(at) => self.moved(&context, at, rect, keys(modifiers), free(at), state),
                Input::PointerButton { pos, button, pressed: true, modifiers: now } => {
                    modifiers = now;
                    if free(pos) {
                        context.memory_mut(|memory| memory.request_focus(response.id));
                        self.pressed(&context, pos, button, space, rect, keys(now), state);
                    }
                }
                Input::PointerButton { pos, button, pressed: false, modifiers: now } => {
                    modifiers = now;
                    if self.released(&context, pos, button, rect, keys(now), state) {
                        wish.menu_at = Some(pos);
                    }
                }
                Input::PointerGone if state.aim.take().is_some() && self.down.is_none() => {
                    state.cursor = None;
                    state.tool_event(Event::Leave, keys(modifiers));
                }
                Input::MouseWheel { unit, delta, source, modifiers, .. } => {
                    let at = ui.input(|input| input.pointer.latest_pos());
                    if let Some(at) = at.filter(|&at| free(at) && !modifiers.command) {
                        let points = unit == egui::MouseWheelUnit::Point;
                        let wheel = source == egui::MouseWheelSource::Wheel;
                        match (wheel, points, source) {
                            (true, true, _) => {
                                let notches = f64::from(delta.y) / NOTCH_POINTS;
                                self.zoom(&context, NOTCH.powf(-notches), at, rect, state);
                            }
                            (false, true, _) => self.pan_by(&context, delta, rect),
                            (_, _, egui::MouseWheelSource::Trackpad) => {
                                self.pan_by(&context, delta * LINE_POINTS, rect);
                            }
                            _ => self.zoom(&context, NOTCH.powf(-f64::from(delta.y)), at, rect, state),
                        }
                    }
                }
                _ => {}
            }
        }
        let pinch = ui.input(|input| input.zoom_delta());
        let at = ui.input(|input| input.pointer.latest_pos());
        if let Some(at) = at.filter(|&at| pinch != 1.0 && free(at)) {
            self.zoom(&context, 1.0 / f64::from(pinch), at, rect, state);
        }
        // Where the panel was hidden meanwhile, nobody said that the button went up.
        if !ui.input(|input| input.pointer.any_down()) {
            self.down = None;
        }
        if self.flies()
            && self.motion.fly(&context, rect)
            && let Some(down) = &mut self.down
        {
            // What has flown is no click, though the mouse stood still.
            down.moved = true;
        }
        self.last_keys = keys(modifiers);
        wish
    }

    /// The place under a point, for the tool in use.
    pub fn aim(&mut self, context: &egui::Context, at: Pos2, rect: Rect, state: &State) -> Option<Aim> {
        let eye = self.motion.now(context);
        let lens = eye.lens(rect);
        let stack = self.scene.stack()?;
        let sight = Sight { scene: &self.scene, stack, lens: &lens, distance: eye.distance };
        sight.aim([at.x.into(), at.y.into()], state, &mut self.scratch)
    }

    /// The mouse went to a point. `free`: nothing lies between it and the view.
    pub fn moved(
        &mut self,
        context: &egui::Context,
        at: Pos2,
        rect: Rect,
        keys: Keys,
        free: bool,
        state: &mut State,
    ) {
        let Some(down) = &mut self.down else {
            if !free {
                if state.aim.take().is_some() && state.cursor.take().is_some() {
                    state.tool_event(Event::Leave, keys);
                }
                return;
            }
            let Some(aim) = self.aim(context, at, rect, state) else { return };
            (state.cross, state.cursor, state.aim) = (None, Some(aim.place), Some(aim));
            state.aimed(&aim, |state| state.tool_event(Event::Hover(aim.place), keys));
            return;
        };
        let delta = at - down.last;
        down.last = at;
        down.moved |= down.origin.distance(at) >= DRAG_FROM;
        let Down { what, moved, .. } = *down;
        match what {
            Hold::Tool { aim, off } => {
                let Some(aim) = self.held(context, at, rect, aim, off, state) else { return };
                (state.cursor, state.aim) = (Some(aim.place), Some(aim));
                if moved {
                    state.aimed(&aim, |state| state.tool_event(Event::Drag(aim.place), keys));
                }
            }
            Hold::Turn if moved => {
                let flies = super::motion::FLY_KEYS
                    .iter()
                    .any(|(key, _)| context.input(|input| input.key_down(*key)));
                let eye = self.motion.hold(context);
                if flies { eye.look(delta) } else { eye.turn(delta) }
            }
            Hold::Turn => {}
            Hold::Pan { depth } => {
                let eye = self.motion.hold(context);
                let lens = eye.lens(rect);
                eye.pan(delta, depth, &lens);
            }
        }
    }

    /// Where what is held lies now: on the surface under the mouse if it stands on one, else on the plane on which it was
    /// taken.
    fn held(
        &mut self,
        context: &egui::Context,
        at: Pos2,
        rect: Rect,
        aim: Aim,
        off: [f64; 2],
        state: &State,
    ) -> Option<Aim> {
        let stands = state.tools.holds_what_stands();
        let eye = self.motion.now(context);
        let lens = eye.lens(rect);
        let stack = self.scene.stack()?;
        let sight = Sight { scene: &self.scene, stack, lens: &lens, distance: eye.distance };
        let pixel = [at.x.into(), at.y.into()];
        if let Some(aim) = stands.then(|| sight.on_surface(pixel, state)).flatten() {
            return Some(aim);
        }
        let shown = sight.at_height(pixel, aim.shown[1])?;
        let place = [shown[0] + off[0], shown[2] + off[1]];
        Some(Aim { place, y: None, shown, pixel: lens.pixel_size(shown), ..aim })
    }

    /// A button went down.
    #[allow(clippy::too_many_arguments, reason = "one event's values, passed once")]
    pub fn pressed(
        &mut self,
        context: &egui::Context,
        at: Pos2,
        button: PointerButton,
        space: bool,
        rect: Rect,
        keys: Keys,
        state: &mut State,
    ) {
        let down = |what| Down { what, origin: at, last: at, moved: false };
        if button == PointerButton::Middle || button == PointerButton::Primary && space {
            let depth = self.depth_at(context, at, rect, state);
            self.down = Some(down(Hold::Pan { depth }));
            return;
        }
        match button {
            PointerButton::Secondary => {
                // A second button during a drag calls the drag off; the first one stays down.
                if self.down.is_some() {
                    let place = state.cursor.unwrap_or_default();
                    state.tool_event(Event::Press(Button::Right, place), keys);
                } else {
                    self.down = Some(down(Hold::Turn));
                }
            }
            PointerButton::Primary if self.down.is_none() => {
                let Some(aim) = self.aim(context, at, rect, state) else { return };
                if aim.solid && state.tools.kind() == ToolKind::Select {
                    // What is selected is worked on, so its level becomes the current one.
                    state.level = aim.level;
                }
                let held = self.held(context, at, rect, aim, [0.0; 2], state);
                let off = held
                    .map_or([0.0; 2], |held| [aim.place[0] - held.place[0], aim.place[1] - held.place[1]]);
                self.down = Some(down(Hold::Tool { aim, off }));
                (state.cursor, state.cross, state.aim) = (Some(aim.place), None, Some(aim));
                state.aimed(&aim, |state| state.tool_event(Event::Press(Button::Left, aim.place), keys));
            }
            _ => {}
        }
    }

    /// A button went up. Whether the tool wants the menu.
    pub fn released(
        &mut self,
        context: &egui::Context,
        at: Pos2,
        button: PointerButton,
        rect: Rect,
        keys: Keys,
        state: &mut State,
    ) -> bool {
        let Some(down) = self.down else { return false };
        let moved = down.moved || down.origin.distance(at) >= DRAG_FROM;
        match (down.what, button) {
            (Hold::Tool { aim, off }, PointerButton::Primary) => {
                self.down = None;
                // A click ends where it began, whatever the plane says.
                let aim =
                    if moved { self.held(context, at, rect, aim, off, state).unwrap_or(aim) } else { aim };
                (state.cursor, state.aim) = (Some(aim.place), Some(aim));
                let menu = state.aimed(&aim, |state| {
                    if moved && !down.moved {
                        state.tool_event(Event::Drag(aim.place), keys);
                    }
                    let place = aim.place;
                    state.tool_event(Event::Release { button: Button::Left, place, moved }, keys)
                });
                let picks = state.tools.kind() == ToolKind::Select && !moved;
                let issues = if picks { self.issues_at(context, at, rect, state) } else { Vec::new() };
                if let Some(&index) = issues.first() {
                    state.go_to_issue(index);
                }
                menu
            }
            (Hold::Turn, PointerButton::Secondary) => {
                self.down = None;
                if moved {
                    return false;
                }
                let Some(aim) = self.aim(context, at, rect, state) else { return false };
                if aim.solid && state.tools.kind() == ToolKind::Select {
                    state.level = aim.level;
                }
                state.aimed(&aim, |state| {
                    let (button, place) = (Button::Right, aim.place);
                    state.tool_event(Event::Press(button, place), keys);
                    state.tool_event(Event::Release { button, place, moved: false }, keys)
                })
            }
            (Hold::Pan { .. }, PointerButton::Middle | PointerButton::Primary) => {
                self.down = None;
                false
            }
            _ => false,
        }
    }

    /// The issues whose badges are at a point, the nearest first.
    pub(super) fn issues_at(
        &mut self,
        context: &egui::Context,
        at: Pos2,
        rect: Rect,
        state: &State,
    ) -> Vec<usize> {
        let lens = self.motion.now(context).lens(rect);
        let Some(stack) = self.scene.stack() else { return Vec::new() };
        let places = places(state, stack, &mut self.heights);
        let pixel = [f64::from(at.x), f64::from(at.y)];
        let seen = places.into_iter().filter_map(|(index, place)| Some((index, lens.pixel(place)?)));
        let away = seen.map(|(index, seen)| (distance(seen, pixel), index));
        let mut near: Vec<(f64, usize)> = away.filter(|(away, _)| *away <= BADGE).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.into_iter().map(|(_, index)| index).collect()
    }

    /// How far into the picture the surface under a point lies, or else the target.
    fn depth_at(&mut self, context: &egui::Context, at: Pos2, rect: Rect, state: &State) -> f64 {
        let eye = self.motion.now(context);
        let lens = eye.lens(rect);
        self.under(context, at, rect, state).map_or(eye.distance, |place| lens.depth(place))
    }

    /// What is under a point: a surface, or the level's plane not far beyond the target.
    fn under(&mut self, context: &egui::Context, at: Pos2, rect: Rect, state: &State) -> Option<[f64; 3]> {
        let eye = self.motion.now(context);
        let lens = eye.lens(rect);
        let stack = self.scene.stack()?;
        let sight = Sight { scene: &self.scene, stack, lens: &lens, distance: eye.distance };
        let pixel = [at.x.into(), at.y.into()];
        let plane = || sight.on_plane(pixel, state).map(|aim| aim.shown);
        let near = |place: &[f64; 3]| lens.depth(*place) < 4.0 * eye.distance;
        sight.surface(pixel, state).map(|hit| hit.shown).or_else(plane).filter(near)
    }

    fn zoom(&mut self, context: &egui::Context, factor: f64, at: Pos2, rect: Rect, state: &State) {
        let under = self.under(context, at, rect, state);
        let eye = self.motion.hold(context);
        // Toward the sky there is nothing to come nearer to but what is looked at, in the direction of the mouse.
        let place = under.unwrap_or_else(|| eye.lens(rect).ray([at.x.into(), at.y.into()]).at(eye.distance));
        eye.zoom(factor, place);
    }

    fn pan_by(&mut self, context: &egui::Context, delta: Vec2, rect: Rect) {
        let eye = self.motion.hold(context);
        let lens = eye.lens(rect);
        eye.pan(delta, eye.distance, &lens);
    }
}
