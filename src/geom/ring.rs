//! Closed rings of integer points.

use super::grid::IntPoint;
use super::predicates::cross;

/// The winding number of a ring just right of and above `p`: at (x + ε, z + ε²), which lies on no edge.
#[must_use]
pub fn winding_beside(points: &[IntPoint], p: IntPoint) -> i32 {
    (0..points.len()).map(|i| winding_of_edge(points[i], points[(i + 1) % points.len()], p)).sum()
}

/// What an edge adds to the winding number just right of and above `p`.
#[must_use]
pub fn winding_of_edge(from: IntPoint, to: IntPoint, p: IntPoint) -> i32 {
    let (left, right) = if from.x <= to.x { (from, to) } else { (to, from) };
    if !(left.x <= p.x && p.x < right.x) {
        return 0;
    }
    let above = cross(right - left, p - left);
    // p is above the edge, or on it and the edge does not rise.
    if above > 0 || (above == 0 && right.z <= left.z) {
        if to.x > from.x { 1 } else { -1 }
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_the_border_count_as_those_right_of_and_above_them() {
        let square = [(0, 0), (4, 0), (4, 4), (0, 4)].map(|(x, z)| IntPoint::new(x, z));
        let winding = |x, z| winding_beside(&square, IntPoint::new(x, z));
        assert_eq!([winding(0, 0), winding(2, 0), winding(0, 2), winding(2, 2)], [1; 4]);
        assert_eq!([winding(4, 0), winding(2, 4), winding(4, 4), winding(-1, 2), winding(2, -1)], [0; 5]);
        // Twice around, and backwards.
        let twice = [square, square].concat();
        assert_eq!(winding_beside(&twice, IntPoint::new(1, 1)), 2);
        let back: Vec<IntPoint> = square.into_iter().rev().collect();
        assert_eq!(winding_beside(&back, IntPoint::new(1, 1)), -1);
    }
}
