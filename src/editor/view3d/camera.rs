//! Where the 3D view is looked from: an eye that circles a target; what it sees as pixels and rays.

use super::space::{Ray, Vec3, add, between, dot, scale, sub};

/// What is seen from top to bottom, in radians.
const FIELD_OF_VIEW: f64 = 0.72;
/// Nearest and farthest that the eye may be from its target, in squares.
const DISTANCES: std::ops::RangeInclusive<f64> = 0.5..=4_000_000.0;
/// Farthest that the target may go.
const FARTHEST: f64 = 2_200_000.0;
/// Highest that the eye may stand over its target: straight above.
const MOST_PITCH: f64 = std::f64::consts::FRAC_PI_2;
/// How much a pixel of the mouse turns.
const TURN: f64 = 0.0075;

/// An eye on a sphere about a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What is looked at.
    pub target: Vec3,
    /// How far away the eye is, in squares.
    pub distance: f64,
    /// 0 looks along z, a quarter turn along x.
    pub yaw: f64,
    /// How far down it looks, in radians; a quarter turn is straight down.
    pub pitch: f64,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { target: [8.0, 0.0, 6.0], distance: 30.0, yaw: -0.5, pitch: 0.72 }
    }
}

/// An eye with a rectangle of pixels before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Where the eye is.
    pub eye: Vec3,
    /// World direction to the right of the picture.
    pub right: Vec3,
    /// World direction to the top of the picture.
    pub up: Vec3,
    /// World direction into the picture.
    pub forward: Vec3,
    /// Pixels that a square takes which is one square away.
    pub focal: f64,
    /// The pixel that is looked at.
    pub middle: [f64; 2],
    /// Nearest that is seen.
    pub near: f64,
}

impl Orbit {
    /// World direction into the picture.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        [sin * self.pitch.cos(), -self.pitch.sin(), cos * self.pitch.cos()]
    }

    /// Where the eye is.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        sub(self.target, scale(self.forward(), self.distance))
    }

    /// The projection onto a rectangle of pixels.
    #[must_use]
    pub fn lens(&self, rect: egui::Rect) -> Lens {
        let (sin, cos) = self.yaw.sin_cos();
        let up = [sin * self.pitch.sin(), self.pitch.cos(), cos * self.pitch.sin()];
        let middle = rect.center();
        Lens {
            eye: self.eye(),
            right: [cos, 0.0, -sin],
            up,
            forward: self.forward(),
            focal: 0.5 * f64::from(rect.height().max(1.0)) / (0.5 * FIELD_OF_VIEW).tan(),
            middle: [middle.x.into(), middle.y.into()],
            near: (self.distance * 0.004).clamp(0.005, 20.0),
        }
    }

    /// Circles with the hand; `delta` in pixels.
    pub fn turn(&mut self, delta: egui::Vec2) {
        self.yaw = (self.yaw + f64::from(delta.x) * TURN).rem_euclid(std::f64::consts::TAU);
        self.pitch = (self.pitch + f64::from(delta.y) * TURN).clamp(-MOST_PITCH, MOST_PITCH);
    }

    /// Looks around from where the eye is.
    pub fn look(&mut self, delta: egui::Vec2) {
        let eye = self.eye();
        self.turn(delta);
        self.target = add(eye, scale(self.forward(), self.distance));
        self.bound();
    }

    /// Moves the world with the hand: what is `depth` away stays under it.
    pub fn pan(&mut self, delta: egui::Vec2, depth: f64, lens: &Lens) {
        let by = depth / lens.focal;
        let across = scale(lens.right, -f64::from(delta.x) * by);
        self.target = add(self.target, add(across, scale(lens.up, f64::from(delta.y) * by)));
        self.bound();
    }

    /// Goes nearer by a factor below 1, or farther, so that a place stays where it is on the picture.
    pub fn zoom(&mut self, factor: f64, place: Vec3) {
        let distance = (self.distance * factor).clamp(*DISTANCES.start(), *DISTANCES.end());
        self.target = between(place, self.target, distance / self.distance);
        self.distance = distance;
        self.bound();
    }

    /// Flies: right, up and forward in distances of the eye from its target.
    pub fn fly(&mut self, [right, up, forward]: Vec3, lens: &Lens) {
        let across = add(scale(lens.right, right), scale(lens.forward, forward));
        let by = add(across, [0.0, up, 0.0]);
        self.target = add(self.target, scale(by, self.distance));
        self.bound();
    }

    /// Goes as near as boxes can be seen whole, in the middle of the picture, looking as before.
    ///
    /// A corner at (r, u, d) to the right of the target, above it and behind it is seen from a distance D if, after a move
    /// to the right by a, |r - a| <= wide (D + d): the least D for all of them, and the a that it is for, follow from the
    /// greatest r - wide d and the greatest -r - wide d. In height it is the same.
    pub fn frame(&mut self, boxes: &[[Vec3; 2]], rect: egui::Rect) {
        let Some(&[low, high]) = boxes.first() else { return };
        self.target = between(low, high, 0.5);
        let lens = self.lens(rect);
        let room = |size: f32| f64::from((0.5 * size - 20.0).max(0.2 * size)).max(1.0) / lens.focal;
        let (wide, tall) = (room(rect.width()), room(rect.height()));
        let mut most = [f64::NEG_INFINITY; 4];
        for [low, high] in boxes {
            for corner in 0..8_u8 {
                let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
                let away = sub([pick(0), pick(1), pick(2)], self.target);
                let [r, u, d] = [lens.right, lens.up, lens.forward].map(|axis| dot(away, axis));
                for (most, value) in
                    most.iter_mut().zip([r - wide * d, -r - wide * d, u - tall * d, -u - tall * d])
                {
                    *most = most.max(value);
                }
            }
        }
        let [right, left, up, down] = most;
        let across = add(scale(lens.right, 0.5 * (right - left)), scale(lens.up, 0.5 * (up - down)));
        self.target = add(self.target, across);
        let distance = (0.5 * (right + left) / wide).max(0.5 * (up + down) / tall);
        self.distance = distance.clamp(3.0, *DISTANCES.end());
        self.bound();
    }

    /// The eye on its way to another place; `part` of 0..=1.
    #[must_use]
    pub fn toward(&self, other: &Self, part: f64) -> Self {
        let turn = std::f64::consts::TAU;
        let by = (other.yaw - self.yaw + 0.5 * turn).rem_euclid(turn) - 0.5 * turn;
        Self {
            target: between(self.target, other.target, part),
            distance: self.distance * (other.distance / self.distance).powf(part),
            yaw: self.yaw + by * part,
            pitch: self.pitch + (other.pitch - self.pitch) * part,
        }
    }

    fn bound(&mut self) {
        self.target = self.target.map(|value| value.clamp(-FARTHEST, FARTHEST));
    }
}

impl Lens {
    /// How far into the picture a place lies.
    #[must_use]
    pub fn depth(&self, place: Vec3) -> f64 {
        dot(sub(place, self.eye), self.forward)
    }

    /// The pixel of a place; `None` for one that is behind or too near.
    #[must_use]
    pub fn pixel(&self, place: Vec3) -> Option<[f64; 2]> {
        let depth = self.depth(place);
        (depth >= self.near).then(|| self.pixel_at(place, depth))
    }

    fn pixel_at(&self, place: Vec3, depth: f64) -> [f64; 2] {
        let away = sub(place, self.eye);
        let by = self.focal / depth;
        [self.middle[0] + dot(away, self.right) * by, self.middle[1] - dot(away, self.up) * by]
    }

    /// The pixels of a line's ends, of that part of it that lies before the eye.
    #[must_use]
    pub fn line(&self, a: Vec3, b: Vec3) -> Option<[[f64; 2]; 2]> {
        let (near_a, near_b) = (self.depth(a) - self.near, self.depth(b) - self.near);
        if near_a < 0.0 && near_b < 0.0 {
            return None;
        }
        let cut = |from: Vec3, to: Vec3, before: f64, behind: f64| {
            if before >= 0.0 { from } else { between(from, to, before / (before - behind)) }
        };
        let ends = [cut(a, b, near_a, near_b), cut(b, a, near_b, near_a)];
        Some(ends.map(|end| self.pixel_at(end, self.depth(end).max(self.near))))
    }

    /// What lies under a pixel.
    #[must_use]
    pub fn ray(&self, pixel: [f64; 2]) -> Ray {
        let (x, y) = ((pixel[0] - self.middle[0]) / self.focal, (self.middle[1] - pixel[1]) / self.focal);
        let along = add(self.forward, add(scale(self.right, x), scale(self.up, y)));
        Ray { from: self.eye, along: super::space::unit(along) }
    }

    /// The breadth of a pixel at a place, in squares.
    #[must_use]
    pub fn pixel_size(&self, place: Vec3) -> f64 {
        self.depth(place).max(self.near) / self.focal
    }
}
