//! Which part of the world the canvas shows, and how it moves.

use crate::draw::View;

/// Smallest and largest number of pixels a square may take.
const SCALES: std::ops::RangeInclusive<f64> = 0.002..=4000.0;
/// Farthest that the middle of the canvas may go.
const FARTHEST: f64 = 2_200_000.0;

/// Pan and zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World (x, z) in the middle of the canvas.
    pub center: [f64; 2],
    /// Pixels per square.
    pub scale: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: [8.0, 6.0], scale: 40.0 }
    }
}

impl Camera {
    /// The projection onto a canvas.
    #[must_use]
    pub fn view(&self, canvas: egui::Rect) -> View {
        View { center: self.center, scale: self.scale, min: canvas.min.into(), max: canvas.max.into() }
    }

    /// Moves the world with the hand.
    pub fn pan(&mut self, pixels: egui::Vec2) {
        self.center[0] -= f64::from(pixels.x) / self.scale;
        self.center[1] += f64::from(pixels.y) / self.scale;
        self.bound();
    }

    /// Zooms so that the world place under `at` stays under it.
    pub fn zoom(&mut self, factor: f64, at: egui::Pos2, canvas: egui::Rect) {
        let fixed = self.view(canvas).world_from_pixel(at.into());
        self.scale = (self.scale * factor).clamp(*SCALES.start(), *SCALES.end());
        let moved = self.view(canvas).world_from_pixel(at.into());
        self.center[0] += fixed[0] - moved[0];
        self.center[1] += fixed[1] - moved[1];
        self.bound();
    }

    /// Shows a box with some room around it; a single place is shown at a readable zoom.
    pub fn frame(&mut self, [low, high]: [[f64; 2]; 2], canvas: egui::Rect) {
        let inner = canvas.shrink(f32::min(56.0, 0.2 * canvas.width().min(canvas.height())));
        let fitted = View::fit([low, high], inner.min.into(), inner.max.into());
        self.center = fitted.center;
        self.scale = fitted.scale.clamp(*SCALES.start(), 120.0);
        self.bound();
    }

    /// Moves, without zooming, so that a place is comfortably on the canvas.
    pub fn reveal(&mut self, place: [f64; 2], canvas: egui::Rect) {
        let at: egui::Pos2 = self.view(canvas).pixel_from_world(place).into();
        if !canvas.shrink(40.0).contains(at) {
            self.center = place;
            self.bound();
        }
    }

    fn bound(&mut self) {
        self.center = self.center.map(|value| value.clamp(-FARTHEST, FARTHEST));
    }
}
