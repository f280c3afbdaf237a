//! What of a polygon lies in a square.

/// A convex polygon cut to a square; the memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Clip {
    points: Vec<[f64; 2]>,
    /// Of the cut in hand.
    kept: Vec<[f64; 2]>,
}

impl Clip {
    /// Sutherland and Hodgman 1974.
    pub(super) fn cut(&mut self, ring: impl Iterator<Item = [f64; 2]>, center: [f64; 2], radius: f64) {
        let Self { points, kept } = self;
        points.clear();
        points.extend(ring);
        for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
            let inside = |point: [f64; 2]| radius - sign * (point[axis] - center[axis]);
            kept.clear();
            for k in 0..points.len() {
                let (from, to) = (points[k], points[(k + 1) % points.len()]);
                let (a, b) = (inside(from), inside(to));
                if a >= 0.0 {
                    kept.push(from);
                }
                if (a < 0.0) != (b < 0.0) {
                    let t = a / (a - b);
                    kept.push([from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t]);
                }
            }
            std::mem::swap(points, kept);
        }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = [f64; 2]> + Clone + '_ {
        self.points.iter().copied()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        (self.points.capacity() + self.kept.capacity()) * size_of::<[f64; 2]>()
    }
}
