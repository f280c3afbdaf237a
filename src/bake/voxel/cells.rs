//! Which cells a coordinate or a stretch lies in.

/// The cell that a coordinate within ±2^30 lies in.
pub(crate) fn floor(value: f64) -> i32 {
    let whole = value as i32;
    whole - i32::from(f64::from(whole) > value)
}

/// The last cell before a coordinate: the one below it where it lies on a border.
pub(crate) fn last_before(value: f64) -> i32 {
    let whole = value as i32;
    whole - i32::from(f64::from(whole) >= value)
}

/// The last cell that a stretch touches; one that ends on a border of cells touches only those before it.
pub(crate) fn last_touched(low: f64, high: f64) -> i32 {
    last_before(high).max(floor(low))
}
