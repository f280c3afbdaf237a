//! The plane in floats, for tools and pictures: nothing here decides what a bake does.

/// The nearest thousandth, never −0: places are kept in these.
#[must_use]
pub fn thousandth(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0 + 0.0
}

/// Distance of two places.
#[must_use]
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The edges of a closed outline: index of the first point, first point, second point.
pub fn edges(points: &[[f64; 2]]) -> impl Iterator<Item = (usize, [f64; 2], [f64; 2])> + '_ {
    (0..points.len()).map(|index| (index, points[index], points[(index + 1) % points.len()]))
}

/// Whether a closed outline winds around a place (non-zero rule).
#[must_use]
pub fn contains(points: &[[f64; 2]], place: [f64; 2]) -> bool {
    let mut winding = 0;
    for (_, from, to) in edges(points) {
        let side = (to[0] - from[0]) * (place[1] - from[1]) - (place[0] - from[0]) * (to[1] - from[1]);
        if from[1] <= place[1] && place[1] < to[1] && side > 0.0 {
            winding += 1;
        } else if to[1] <= place[1] && place[1] < from[1] && side < 0.0 {
            winding -= 1;
        }
    }
    winding != 0
}

/// The place on a segment nearest to another.
#[must_use]
pub fn nearest_on_segment(from: [f64; 2], to: [f64; 2], place: [f64; 2]) -> [f64; 2] {
    let along = [to[0] - from[0], to[1] - from[1]];
    let part = part_along(from, to, place).clamp(0.0, 1.0);
    [from[0] + part * along[0], from[1] + part * along[1]]
}

/// Where a place's foot lies on the line through two others: 0 at the first, 1 at the second; 0 if they are one.
#[must_use]
pub fn part_along(from: [f64; 2], to: [f64; 2], place: [f64; 2]) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    if length_squared <= 0.0 {
        return 0.0;
    }
    ((place[0] - from[0]) * along[0] + (place[1] - from[1]) * along[1]) / length_squared
}

/// The area of a closed outline, above 0 when it runs counter-clockwise.
#[must_use]
pub fn signed_area(points: &[[f64; 2]]) -> f64 {
    let Some(&[x, z]) = points.first() else { return 0.0 };
    let cross = |a: [f64; 2], b: [f64; 2]| (a[0] - x) * (b[1] - z) - (a[1] - z) * (b[0] - x);
    edges(points).map(|(_, a, b)| cross(a, b)).sum::<f64>() / 2.0
}
