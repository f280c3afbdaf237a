//! The drawing grid.

use super::{Role, Shape, View};

/// The least of 1, 2 or 5 times a power of ten that is at least `least`.
#[must_use]
pub fn nice_step(least: f64) -> f64 {
    if !least.is_finite() || least <= 0.0 {
        return 1.0;
    }
    let decade = 10f64.powf(least.log10().floor());
    let found = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * decade).find(|&step| step >= least);
    found.unwrap_or(10.0 * decade)
}

/// Grid lines where the view looks: thin ones at least 9 pixels apart but never closer than a tenth of a square,
/// stronger ones every fifth, and the axes.
#[must_use]
pub fn grid_shapes(view: &View) -> Vec<Shape> {
    let step = nice_step((9.0 / view.scale).max(0.1));
    let (mut minor, mut major, mut axes) = (Vec::new(), Vec::new(), Vec::new());
    let [low, high] = view.shown();
    for axis in 0..2 {
        let (first, last) = ((low[axis] / step).ceil(), (high[axis] / step).floor());
        if !(first <= last && last - first < 10_000.0) {
            continue;
        }
        let mut index = first;
        while index <= last {
            let at = index * step;
            let line = if axis == 0 { [[at, low[1]], [at, high[1]]] } else { [[low[0], at], [high[0], at]] };
            let list = if index == 0.0 {
                &mut axes
            } else if index % 5.0 == 0.0 {
                &mut major
            } else {
                &mut minor
            };
            list.push(line);
            index += 1.0;
        }
    }
    [(minor, Role::Grid), (major, Role::GridMajor), (axes, Role::Axis)]
        .into_iter()
        .filter(|(segments, _)| !segments.is_empty())
        .map(|(segments, role)| Shape::Lines { segments, role })
        .collect()
}
