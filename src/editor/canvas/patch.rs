//! A part of the picture as triangles, made for a window of the world and good as long as that window holds.

use std::sync::Arc;

use super::ink::Ink;
use crate::draw::{Theme, View};
use crate::editor::gpu::{Batch, Placed};

/// Points around a patch that wide lines, signs and words may reach.
const MARGIN: f64 = 48.0;

/// What patches are made for: a piece of the world twice as wide and high as the canvas, at one zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    center: [f64; 2],
    scale: f64,
    /// Half of its width and height, in points.
    half: [f32; 2],
    pixels_per_point: f32,
    theme: Theme,
}

/// Triangles and words of one thing.
#[derive(Debug)]
pub struct Patch {
    window: Window,
    /// Whether the window holds all of it, so that nothing was left out.
    whole: bool,
    batch: Option<Arc<Batch>>,
    /// Words around the middle of the window.
    words: Vec<egui::Shape>,
}

impl Window {
    /// Around what a view shows.
    #[must_use]
    pub fn around(view: &View, pixels_per_point: f32, theme: Theme) -> Self {
        let half = [0, 1].map(|axis| view.max[axis] - view.min[axis]);
        Self { center: view.center, scale: view.scale, half, pixels_per_point, theme }
    }

    /// Pixels a square.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether it differs from another in its piece of the world and its zoom alone.
    #[must_use]
    pub fn has_ink_of(&self, other: &Self) -> bool {
        self.pixels_per_point == other.pixels_per_point && self.theme == other.theme
    }

    /// Whether all that a view shows lies in it.
    #[must_use]
    pub fn covers(&self, view: &View) -> bool {
        let [[x0, z0], [x1, z1]] = self.view().shown();
        let [low, high] = view.shown();
        x0 <= low[0] && z0 <= low[1] && high[0] <= x1 && high[1] <= z1
    }

    /// Its projection; the middle is the origin.
    fn view(&self) -> View {
        let [x, y] = self.half;
        View { center: self.center, scale: self.scale, min: [-x, -y], max: [x, y] }
    }

    /// Whether a box, with what is drawn around it, lies in it.
    fn holds(&self, [low, high]: [[f64; 2]; 2]) -> bool {
        let [from, to] = self.view().shown();
        let margin = MARGIN / self.scale;
        (0..2).all(|axis| from[axis] <= low[axis] - margin && high[axis] + margin <= to[axis])
    }
}

impl Patch {
    /// Paints what `paint` paints, which lies in the box `bounds`.
    #[must_use]
    pub fn new(window: Window, bounds: [[f64; 2]; 2], ink: Ink, paint: impl FnOnce(&View, &mut Ink)) -> Self {
        let (mesh, words) = ink.apart(|ink| paint(&window.view(), ink));
        Self { window, whole: window.holds(bounds), batch: Batch::of(mesh), words }
    }

    /// Whether it is what would be made for a window.
    #[must_use]
    pub fn is_made_for(&self, window: &Window) -> bool {
        let same = self.window.scale == window.scale && self.window.has_ink_of(window);
        same && (self.whole || self.window == *window)
    }

    /// What its triangles take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.batch.as_ref().map_or(0, |batch| batch.bytes())
    }

    /// Its triangles and words where a view shows them, larger or smaller than made if the zoom differs.
    pub fn show(&self, view: &View, placed: &mut Vec<Placed>, words: &mut Vec<egui::Shape>) {
        let offset = view.pixel_from_world(self.window.center);
        #[allow(clippy::cast_possible_truncation, reason = "pixels need no more than f32")]
        let scale = (view.scale / self.window.scale) as f32;
        if let Some(batch) = &self.batch {
            placed.push(Placed { batch: Arc::clone(batch), offset, scale });
        }
        for word in &self.words {
            let mut word = word.clone();
            let moved = if let egui::Shape::Text(text) = &word {
                let middle = text.pos + 0.5 * text.galley.size();
                egui::Pos2::from(offset) - middle + scale * middle.to_vec2()
            } else {
                egui::Vec2::from(offset)
            };
            word.translate(moved);
            words.push(word);
        }
    }
}

/// Whether a box, with what is drawn around it, is in sight.
#[must_use]
pub fn is_in_sight(view: &View, [low, high]: [[f64; 2]; 2]) -> bool {
    let [from, to] = view.shown();
    let margin = MARGIN / view.scale;
    (0..2).all(|axis| low[axis] - margin <= to[axis] && from[axis] <= high[axis] + margin)
}
