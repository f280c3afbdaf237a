//! Which cells a coordinate or a stretch lies in.

use wide::f64x2;

/// Adding 1.5 · 2^52 to a value within ±2^30 leaves the nearest whole number in the low bits: IEEE rounding does the work.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// The nearest whole number of a value within ±2^30, as both.
#[inline]
fn rounded(value: f64) -> (i32, f64) {
    let sum = value + WHOLE;
    (sum.to_bits() as i32, sum - WHOLE)
}

/// The nearest whole numbers of two values within ±2^30.
#[inline]
pub(crate) fn nearest(values: f64x2) -> [i32; 2] {
    (values + WHOLE).to_array().map(|sum| sum.to_bits() as i32)
}

/// The cell that a coordinate within ±2^30 lies in.
#[inline]
pub(crate) fn floor(value: f64) -> i32 {
    let (whole, of) = rounded(value);
    whole - i32::from(of > value)
}

/// The last cell before a coordinate: the one below it where it lies on a border.
#[inline]
pub(crate) fn last_before(value: f64) -> i32 {
    let (whole, of) = rounded(value);
    whole - i32::from(of >= value)
}

/// The last cell that a stretch touches; one that ends on a border of cells touches only those before it.
#[inline]
pub(crate) fn last_touched(low: f64, high: f64) -> i32 {
    last_before(high).max(floor(low))
}
