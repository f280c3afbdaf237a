//! World ↔ pixels: x to the right, z up.

/// The part of the world that a rectangle of pixels shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// World (x, z) in the middle of the rectangle.
    pub center: [f64; 2],
    /// Pixels per square (world unit), above 0.
    pub scale: f64,
    /// Upper left corner of the rectangle, in pixels.
    pub min: [f32; 2],
    /// Lower right corner of the rectangle, in pixels.
    pub max: [f32; 2],
}

impl View {
    /// Shows all of `bounds` in the rectangle, as large as fits. An empty or flat box gets a square or more around it.
    #[must_use]
    pub fn fit(bounds: [[f64; 2]; 2], min: [f32; 2], max: [f32; 2]) -> Self {
        let [low, high] = bounds;
        let center = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        let scale = |axis: usize| f64::from(max[axis] - min[axis]) / (high[axis] - low[axis]).max(1.0);
        Self { center, scale: scale(0).min(scale(1)).max(1e-6), min, max }
    }

    /// The pixel of a world place.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "pixels need no more than f32")]
    pub fn pixel_from_world(&self, place: [f64; 2]) -> [f32; 2] {
        let middle = self.middle();
        let x = middle[0] + (place[0] - self.center[0]) * self.scale;
        let y = middle[1] - (place[1] - self.center[1]) * self.scale;
        [x as f32, y as f32]
    }

    /// The world place of a pixel.
    #[must_use]
    pub fn world_from_pixel(&self, pixel: [f32; 2]) -> [f64; 2] {
        let middle = self.middle();
        let x = self.center[0] + (f64::from(pixel[0]) - middle[0]) / self.scale;
        let z = self.center[1] - (f64::from(pixel[1]) - middle[1]) / self.scale;
        [x, z]
    }

    /// The box of the world that is shown: least and greatest (x, z).
    #[must_use]
    pub fn shown(&self) -> [[f64; 2]; 2] {
        let low = self.world_from_pixel([self.min[0], self.max[1]]);
        let high = self.world_from_pixel([self.max[0], self.min[1]]);
        [low, high]
    }

    fn middle(&self) -> [f64; 2] {
        let half = |axis: usize| 0.5 * (f64::from(self.min[axis]) + f64::from(self.max[axis]));
        [half(0), half(1)]
    }
}
