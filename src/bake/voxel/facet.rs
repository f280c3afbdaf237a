//! A triangle's edges and plane, as rows of cells cut them.

/// A point of a row's outline seen from the side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Side {
    /// The height at an x of a line through it.
    #[inline]
    pub(super) fn on_line(self, x: f64, slope: f64) -> f64 {
        self.y + (x - self.x) * slope
    }
}

/// The two ends of an edge, from lower x to upper.
#[inline]
pub(super) fn by_x(a: Side, b: Side) -> (Side, Side) {
    if a.x > b.x { (b, a) } else { (a, b) }
}

/// An edge from its lower z to its upper.
pub(super) struct Edge {
    pub(super) from: [f64; 3],
    pub(super) to: [f64; 3],
    pub(super) x_slope: f64,
    pub(super) y_slope: f64,
    pub(super) y_over_x: f64,
}

impl Edge {
    #[inline]
    pub(super) fn new(from: [f64; 3], to: [f64; 3]) -> Self {
        let run = to[2] - from[2];
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        // An edge without length along an axis is never asked for its slope over that.
        let over_run = if run > 0.0 { 1.0 / run } else { 0.0 };
        let y_over_x = if x != 0.0 { y / x } else { 0.0 };
        Self { from, to, x_slope: x * over_run, y_slope: y * over_run, y_over_x }
    }

    /// The edge's point at a z; beyond its ends the end.
    #[inline]
    pub(super) fn at(&self, z: f64) -> Side {
        if z >= self.to[2] {
            return Side { x: self.to[0], y: self.to[1] };
        }
        let run = greater(z - self.from[2], 0.0);
        Side { x: self.from[0] + run * self.x_slope, y: self.from[1] + run * self.y_slope }
    }
}

/// The plane of a triangle: y over x and z.
pub(super) struct Plane {
    pub(super) corner: [f64; 3],
    pub(super) x_slope: f64,
    pub(super) z_slope: f64,
    /// From a cell's lower x and z to the place in it where the plane is lowest, in height.
    pub(super) to_lowest: f64,
    /// From its lowest to its highest height in a cell.
    pub(super) rise: f64,
}

impl Plane {
    /// A triangle that stands upright has no plane over x and z; it covers no cell either.
    #[inline]
    pub(super) fn new(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Self {
        let (u, v) = ([0, 1, 2].map(|axis| b[axis] - a[axis]), [0, 1, 2].map(|axis| c[axis] - a[axis]));
        let area = u[0] * v[2] - u[2] * v[0];
        let over_area = if area == 0.0 { 0.0 } else { 1.0 / area };
        let x_slope = (u[1] * v[2] - u[2] * v[1]) * over_area;
        let z_slope = (u[0] * v[1] - u[1] * v[0]) * over_area;
        let to_lowest = lesser(x_slope, 0.0) + lesser(z_slope, 0.0);
        Self { corner: a, x_slope, z_slope, to_lowest, rise: x_slope.abs() + z_slope.abs() }
    }

    /// Lowest and highest y over a cell.
    #[inline]
    pub(super) fn over_cell(&self, x: f64, z: f64) -> (f64, f64) {
        let [corner_x, y, corner_z] = self.corner;
        let low = y + (x - corner_x) * self.x_slope + (z - corner_z) * self.z_slope + self.to_lowest;
        (low, low + self.rise)
    }
}

/// Sorts a triangle's corners by z, then x, then y.
#[inline]
pub(super) fn sort_corners(corners: &mut [[f64; 3]; 3]) {
    let behind = |a: &[f64; 3], b: &[f64; 3]| (a[2], a[0], a[1]) > (b[2], b[0], b[1]);
    for (a, b) in [(0, 1), (1, 2), (0, 1)] {
        if behind(&corners[a], &corners[b]) {
            corners.swap(a, b);
        }
    }
}

/// The lesser of two numbers. Unlike `f64::min` it does not look for what is no number: there is none here.
#[inline]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers.
#[inline]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
