//! The drawing grid: its steps, and places rounded to it.

/// Lines a square that typed and joined places keep to.
pub const FINEST: f64 = 1000.0;
/// Steps of the drawing grid: lines per square, and their name.
pub const GRIDS: [(f64, &str); 4] = [(10.0, "1/10"), (4.0, "1/4"), (2.0, "1/2"), (1.0, "1")];

/// Each coordinate to the nearest line of a grid with `per_square` lines a square, the same on both sides of zero,
/// never −0.
#[must_use]
pub fn round_to(place: [f64; 2], per_square: f64) -> [f64; 2] {
    place.map(|value| (value * per_square).round() / per_square + 0.0)
}

/// Whether a place lies on a grid with `per_square` lines a square.
#[must_use]
pub fn is_on_grid(place: [f64; 2], per_square: f64) -> bool {
    round_to(place, per_square) == place
}
