//! The eye in motion: gliding to what is to be seen, and flying by keys while the right button is held.

use egui::{Context, Key, Rect};

use super::camera::Orbit;
use super::space::Vec3;

/// How long the eye glides, in seconds.
const GLIDE_SECS: f64 = 0.22;
/// How far it flies in a second, in distances from its target; faster with Shift.
const SPEED: f64 = 0.7;
const FAST: f64 = 3.0;
/// Longest time that is flown in one frame, in seconds.
const LONGEST_STEP: f32 = 0.1;

/// The keys that fly, with right, up and forward.
pub(super) const FLY_KEYS: [(Key, Vec3); 6] = [
    (Key::D, [1.0, 0.0, 0.0]),
    (Key::A, [-1.0, 0.0, 0.0]),
    (Key::E, [0.0, 1.0, 0.0]),
    (Key::Q, [0.0, -1.0, 0.0]),
    (Key::W, [0.0, 0.0, 1.0]),
    (Key::S, [0.0, 0.0, -1.0]),
];

/// An eye with where it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    /// Where it is going, or is.
    pub(super) to: Orbit,
    from: Option<(Orbit, f64)>,
}

impl Motion {
    /// Where the eye is now. Asks for another frame while it glides.
    pub(super) fn now(&mut self, context: &Context) -> Orbit {
        let Some((from, since)) = self.from else { return self.to };
        let part = (context.input(|input| input.time) - since) / GLIDE_SECS;
        if !(0.0..1.0).contains(&part) {
            self.from = None;
            return self.to;
        }
        context.request_repaint();
        let eased = part * part * (3.0 - 2.0 * part);
        from.toward(&self.to, eased)
    }

    /// Goes somewhere, gliding unless motion is turned off.
    pub(super) fn go(&mut self, context: &Context, to: Orbit) {
        let now = self.now(context);
        let still = context.global_style().animation_time == 0.0;
        self.from = (!still && now != to).then(|| (now, context.input(|input| input.time)));
        self.to = to;
    }

    /// Takes hold of the eye where it is now.
    pub(super) fn hold(&mut self, context: &Context) -> &mut Orbit {
        self.to = self.now(context);
        self.from = None;
        &mut self.to
    }

    /// Flies on while keys are held. Whether there are any.
    pub(super) fn fly(&mut self, context: &Context, rect: Rect) -> bool {
        let (by, seconds) = context.input(|input| {
            let held = FLY_KEYS.iter().filter(|(key, _)| input.key_down(*key));
            let by = held.fold([0.0; 3], |sum, (_, by)| super::space::add(sum, *by));
            let speed = SPEED * if input.modifiers.shift { FAST } else { 1.0 };
            (super::space::scale(by, speed), f64::from(input.stable_dt.min(LONGEST_STEP)))
        });
        if by == [0.0; 3] {
            return false;
        }
        let eye = self.hold(context);
        let lens = eye.lens(rect);
        eye.fly(super::space::scale(by, seconds), &lens);
        context.request_repaint();
        true
    }
}

/// Takes the letters that fly, so that they are no keys of tools.
pub fn take_keys(context: &Context) {
    let flies = |key: &Key| FLY_KEYS.iter().any(|(own, _)| own == key);
    context.input_mut(|input| {
        input.events.retain(|event| match event {
            egui::Event::Key { key, modifiers, .. } => modifiers.command || !flies(key),
            egui::Event::Text(_) => false,
            _ => true,
        });
    });
}
