//! Exact predicates on integer points: i64 in, i128 inside.

use std::cmp::Ordering;

use super::grid::IntPoint;

/// Cross product of two difference vectors; each component within ±2^61, the result within ±2^123.
#[must_use]
pub fn cross(a: IntPoint, b: IntPoint) -> i128 {
    i128::from(a.x) * i128::from(b.z) - i128::from(a.z) * i128::from(b.x)
}

/// Dot product of two difference vectors, bounded like [`cross`].
#[must_use]
pub fn dot(a: IntPoint, b: IntPoint) -> i128 {
    i128::from(a.x) * i128::from(b.x) + i128::from(a.z) * i128::from(b.z)
}

/// Twice the signed area of the triangle a, b, c: above 0 when c lies left of a → b.
#[must_use]
pub fn orient(a: IntPoint, b: IntPoint, c: IntPoint) -> i128 {
    cross(b - a, c - a)
}

/// Compares directions by their angle from +x, counter-clockwise in [0°, 360°). Neither is zero.
#[must_use]
pub fn compare_angles(a: IntPoint, b: IntPoint) -> Ordering {
    let lower = |d: IntPoint| d.z < 0 || (d.z == 0 && d.x < 0);
    lower(a).cmp(&lower(b)).then_with(|| 0.cmp(&cross(a, b)))
}

/// Whether the closed segment a–b holds p, which is known to lie on its line.
#[must_use]
pub fn in_span(a: IntPoint, b: IntPoint, p: IntPoint) -> bool {
    a.x.min(b.x) <= p.x && p.x <= a.x.max(b.x) && a.z.min(b.z) <= p.z && p.z <= a.z.max(b.z)
}

/// Twice the signed area of a closed ring, above 0 when it runs counter-clockwise.
#[must_use]
pub fn doubled_area(ring: &[IntPoint]) -> i128 {
    let Some(&first) = ring.first() else { return 0 };
    ring.windows(2).map(|w| cross(w[0] - first, w[1] - first)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_run_counter_clockwise_from_plus_x() {
        let around = [(5, 0), (5, 1), (1, 5), (0, 5), (-1, 5), (-5, 0), (-5, -1), (0, -5), (1, -5), (5, -1)];
        for (i, a) in around.iter().enumerate() {
            for (j, b) in around.iter().enumerate() {
                let (a, b) = (IntPoint::new(a.0, a.1), IntPoint::new(b.0 * 7, b.1 * 7));
                assert_eq!(compare_angles(a, b), i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn orientation_is_exact_at_the_largest_coordinates() {
        let m = crate::geom::grid::MAX_COORDINATE;
        let (a, b) = (IntPoint::new(-m, -m), IntPoint::new(m, m - 1));
        assert_eq!(orient(a, b, IntPoint::new(0, 0)), i128::from(m));
        assert!(orient(a, b, IntPoint::new(0, -1)) < 0);
    }
}
