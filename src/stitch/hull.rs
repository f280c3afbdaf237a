//! A convex outline around points in X/Z, counter-clockwise, with few corners.

/// Corners of a hull; one with more becomes a box along its longest edge.
const CORNERS: usize = 32;

/// The outline may leave out a point by rounding, by some units in its last place.
pub(super) fn around(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let hull = exact(points);
    if hull.len() <= CORNERS { hull } else { turned_box(&hull).to_vec() }
}

/// The convex hull, by Andrew's monotone chain (1979): the lower side from the least point to the greatest, then the
/// upper side back. One or two corners where all points are in one place or on one line.
fn exact(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() <= 2 {
        return points;
    }
    let mut hull = side(points.iter().copied());
    hull.pop();
    hull.extend(side(points.iter().rev().copied()));
    hull.pop();
    hull
}

/// The points where a chain turns left, and its two ends.
fn side(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for point in points {
        while let [.., a, b] = chain[..]
            && (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) <= 0.0
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

/// The box around an outline that lies along its longest edge.
fn turned_box(outline: &[[f64; 2]]) -> [[f64; 2]; 4] {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    let edges = ends.map(|(a, b)| [b[0] - a[0], b[1] - a[1]]);
    let length2 = |[x, z]: [f64; 2]| x * x + z * z;
    let [x, z] = edges.max_by(|&a, &b| length2(a).total_cmp(&length2(b))).unwrap_or([1.0, 0.0]);
    let length = length2([x, z]).sqrt();
    let [x, z] = [x / length, z / length];
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for &[px, pz] in outline {
        for (axis, value) in [x * px + z * pz, x * pz - z * px].into_iter().enumerate() {
            low[axis] = low[axis].min(value);
            high[axis] = high[axis].max(value);
        }
    }
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
    corners.map(|[along, across]| [x * along - z * across, z * along + x * across])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(outline: &[[f64; 2]], [x, z]: [f64; 2]) -> bool {
        let mut edges = outline.iter().zip(outline.iter().cycle().skip(1));
        edges.all(|(a, b)| (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (x - a[0]) >= -1.0e-12)
    }

    #[test]
    fn a_hull_has_only_the_outer_corners() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let inner = [[1.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.0]];
        assert_eq!(around([inner, square].concat()), square);
        assert_eq!(around(vec![[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]]), [[0.0, 0.0], [2.0, 2.0]]);
        assert_eq!(around(vec![[3.0, 4.0]; 5]), [[3.0, 4.0]]);
        assert!(around(Vec::new()).is_empty());
    }

    #[test]
    fn a_hull_of_many_corners_becomes_a_box_around_them() {
        let circle = |corners: u32| {
            let angle = move |corner: u32| f64::from(corner) / f64::from(corners) * std::f64::consts::TAU;
            (0..corners).map(move |corner| [3.0 * angle(corner).cos(), angle(corner).sin() + 7.0])
        };
        assert_eq!(around(circle(32).collect()).len(), 32);
        let outline = around(circle(33).collect());
        assert_eq!(outline.len(), 4);
        assert!(circle(33).all(|point| holds(&outline, point)));
        assert!(!holds(&outline, [0.0, 0.0]));
    }
}
