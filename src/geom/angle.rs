//! Sines and cosines that are the same on every platform: the library's may differ from one to the next.

/// Sine and cosine of an angle in degrees, exact at right angles, elsewhere to a few units in the last place.
#[must_use]
pub fn sin_cos_of_degrees(degrees: f64) -> (f64, f64) {
    let turned = degrees.rem_euclid(360.0);
    let quadrant = (turned / 90.0).floor();
    let rest = turned - quadrant * 90.0;
    let (sin, cos) = if rest == 0.0 { (0.0, 1.0) } else { (cosine(90.0 - rest), cosine(rest)) };
    match quadrant as i32 % 4 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The cosine of 0 to 90 degrees by its series.
#[must_use]
pub fn cosine(degrees: f64) -> f64 {
    let angle = degrees * (std::f64::consts::PI / 180.0);
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..14 {
        term *= -angle * angle / f64::from(2 * k * (2 * k - 1));
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_quadrants_are_right() {
        for step in -1500..1500 {
            let degrees = f64::from(step) * 0.7;
            let (sin, cos) = sin_cos_of_degrees(degrees);
            let (expected_sin, expected_cos) = degrees.to_radians().sin_cos();
            assert!((sin - expected_sin).abs() < 1e-12 && (cos - expected_cos).abs() < 1e-12, "{degrees}");
        }
        let exact = [-90.0, 0.0, 90.0, 180.0, 270.0].map(sin_cos_of_degrees);
        assert_eq!(exact, [(-1.0, 0.0), (0.0, 1.0), (1.0, -0.0), (-0.0, -1.0), (-1.0, 0.0)]);
    }

    #[test]
    fn cosines_are_exact_to_a_few_units() {
        for degrees in [0.0_f64, 30.0, 45.0, 60.0, 89.0, 90.0] {
            assert!((cosine(degrees) - degrees.to_radians().cos()).abs() < 1e-15, "{degrees}");
        }
    }
}
