//! Vectors of three numbers, and rays. World axes: x to the right, y up, z away, as on the canvas seen from above.

/// World x, y, z.
pub type Vec3 = [f64; 3];

/// A half-line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub from: Vec3,
    /// Its direction, of length 1.
    pub along: Vec3,
}

impl Ray {
    /// The place at a distance.
    #[must_use]
    pub fn at(&self, distance: f64) -> Vec3 {
        add(self.from, scale(self.along, distance))
    }

    /// Where it meets the horizontal plane at a height; `None` if it does not, or only behind.
    #[must_use]
    pub fn at_height(&self, y: f64) -> Option<f64> {
        let distance = (y - self.from[1]) / self.along[1];
        (distance.is_finite() && distance > 0.0).then_some(distance)
    }

    /// The distance at which it meets a triangle from either side.
    ///
    /// Source: Möller and Trumbore 1997.
    #[must_use]
    pub fn triangle(&self, [a, b, c]: [Vec3; 3]) -> Option<f64> {
        let (ab, ac) = (sub(b, a), sub(c, a));
        let across = cross(self.along, ac);
        let determinant = dot(ab, across);
        if determinant == 0.0 {
            return None;
        }
        let from = sub(self.from, a);
        let u = dot(from, across) / determinant;
        let other = cross(from, ab);
        let v = dot(self.along, other) / determinant;
        // A hair's breadth more than the triangle, so that no ray slips through between two neighbours.
        const HAIR: f64 = 1e-9;
        let inside = u >= -HAIR && v >= -HAIR && u + v <= 1.0 + HAIR;
        let distance = dot(ac, other) / determinant;
        (inside && distance > 0.0).then_some(distance)
    }

    /// Whether it meets a box along the axes before a distance (Kay and Kajiya 1986).
    #[must_use]
    pub fn meets_box(&self, low: Vec3, high: Vec3, before: f64) -> bool {
        let (mut first, mut last) = (0.0_f64, before);
        for axis in 0..3 {
            let inverse = 1.0 / self.along[axis];
            let (a, b) = ((low[axis] - self.from[axis]) * inverse, (high[axis] - self.from[axis]) * inverse);
            // A ray along a side gives NaN, which `max` and `min` pass over.
            first = first.max(a.min(b));
            last = last.min(a.max(b));
        }
        first <= last
    }
}

/// a + b
#[must_use]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b
#[must_use]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a · factor
#[must_use]
pub fn scale(a: Vec3, factor: f64) -> Vec3 {
    a.map(|value| value * factor)
}

/// The inner product.
#[must_use]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
#[must_use]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The length.
#[must_use]
pub fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// The same direction with length 1; nothing stays nothing.
#[must_use]
pub fn unit(a: Vec3) -> Vec3 {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

/// From a to b by a part.
#[must_use]
pub fn between(a: Vec3, b: Vec3, part: f64) -> Vec3 {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
}
