//! The 24-gon that clearance is measured with.

use crate::geom::grid::IntPoint;
use crate::geom::predicates::{cross, dot};

/// Corners of the gauge.
pub(super) const CORNERS: usize = 24;
/// Most units that a gauge reaches; the drawing lies within ±2^58.
pub(crate) const MAX_REACH: i64 = 1 << 57;

/// The corners of the first 45° of the 24-gon circumscribed about the unit circle, at 7.5°, 22.5° and 37.5°, in 2^-32,
/// rounded up: (cos a / cos 7.5°, sin a / cos 7.5°).
const FIRST_CORNERS: [[i128; 2]; 3] =
    [[4_294_967_296, 565_443_172], [4_002_272_373, 1_657_795_498], [3_436_829_201, 2_637_171_799]];

/// A 24-gon around the origin, edges at right angles to every multiple of 15°.
///
/// Every point within its radius is inside; no corner is further than 1/cos 7.5° (0.863 % more than the radius) and two
/// units. As a measure of length it is a norm, so what holds of shortest lines to walls holds of it as well.
#[derive(Clone, Debug)]
pub(super) struct Gauge {
    corners: [IntPoint; CORNERS],
}

impl Gauge {
    /// Circumscribed about a circle of `radius` units, 0 < radius ≤ [`MAX_REACH`].
    pub(super) fn new(radius: i64) -> Self {
        // Corners away from the middle, so that no edge comes nearer to it.
        let scaled = |part: i128| ((i128::from(radius) * part + (1 << 32) - 1) >> 32) as i64;
        let corners = std::array::from_fn(|k| {
            let [far, near] = FIRST_CORNERS[[0, 1, 2, 2, 1, 0][k % 6]].map(scaled);
            let first = if k % 6 < 3 { IntPoint::new(far, near) } else { IntPoint::new(near, far) };
            (0..k / 6).fold(first, |p, _| left_of(p))
        });
        Self { corners }
    }

    /// Corner `k`, counted counter-clockwise from 7.5°, around and around.
    pub(super) fn corner(&self, k: usize) -> IntPoint {
        self.corners[k % CORNERS]
    }

    /// How far it reaches along an axis.
    pub(super) fn reach(&self) -> i64 {
        self.corners[0].x
    }

    /// The corner that lies furthest in a direction; of two, the first counter-clockwise.
    pub(super) fn support(&self, direction: IntPoint) -> usize {
        let along = |k: usize| dot(direction, self.corner(k));
        (0..CORNERS)
            .find(|&k| along(k + CORNERS - 1) < along(k) && along(k) >= along(k + 1))
            .unwrap_or_default()
    }

    /// The number of the last corner at or before a direction, counter-clockwise.
    pub(super) fn corner_before(&self, direction: IntPoint) -> usize {
        (0..CORNERS)
            .find(|&k| {
                let (from, to) = (self.corner(k), self.corner(k + 1));
                cross(from, direction) >= 0 && cross(direction, to) > 0
            })
            .unwrap_or_default()
    }

    /// Where its border lies in a direction, to the nearest unit.
    pub(super) fn border(&self, direction: IntPoint) -> IntPoint {
        let k = self.corner_before(direction);
        let (from, to) = (self.corner(k), self.corner(k + 1));
        let (before, after) = (cross(from, direction) as f64, cross(direction, to) as f64);
        let part = before / (before + after);
        let axis = |a: i64, b: i64| a + ((b - a) as f64 * part).round() as i64;
        IntPoint::new(axis(from.x, to.x), axis(from.z, to.z))
    }
}

/// A direction turned left by a quarter.
pub(super) fn left_of(d: IntPoint) -> IntPoint {
    IntPoint::new(-d.z, d.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gauge_holds_its_circle_and_little_more() {
        for radius in [1, 250, 1_000_003, 1 << 40, MAX_REACH] {
            let gauge = Gauge::new(radius);
            for k in 0..CORNERS {
                let (from, to) = (gauge.corner(k), gauge.corner(k + 1));
                let edge = to - from;
                // Its line is no nearer than the radius: cross(from, to)² ≥ radius² · |edge|².
                let (height, length) = (cross(from, to) as f64, (dot(edge, edge) as f64).sqrt());
                assert!(height >= radius as f64 * length * (1.0 - 1e-12), "radius {radius}, edge {k}");
                let far = (dot(from, from) as f64).sqrt();
                assert!(far <= radius as f64 * 1.008_63 + 1.5, "radius {radius}, corner {k}: {far}");
                // Convex, counter-clockwise.
                assert!(
                    radius < 100 || cross(edge, gauge.corner(k + 2) - to) > 0,
                    "radius {radius}, corner {k}"
                );
            }
            assert_eq!(gauge.corner(0).x, radius);
        }
    }

    #[test]
    fn supports_turn_with_the_direction() {
        let gauge = Gauge::new(1_000_000);
        let at = |x: i64, z: i64| gauge.support(IntPoint::new(x, z));
        assert_eq!(
            (at(1, 0), at(1000, 200), at(1, 1), at(0, 1), at(-1, 0), at(0, -1)),
            (23, 0, 2, 5, 11, 17)
        );
        assert_eq!(gauge.border(IntPoint::new(7, 0)), IntPoint::new(1_000_000, 0));
        assert_eq!(gauge.border(gauge.corner(9)), gauge.corner(9));
    }
}
