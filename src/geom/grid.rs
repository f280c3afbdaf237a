//! Integer points and boxes.

/// A point on an integer grid. Coordinates stay within ±2^58, so that three times a difference fits i64 and a sum of
/// products of two differences fits i128.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct IntPoint {
    /// Along x.
    pub x: i64,
    /// Along z.
    pub z: i64,
}

/// Largest magnitude of an [`IntPoint`] coordinate.
pub const MAX_COORDINATE: i64 = 1 << 58;

impl IntPoint {
    /// The point (x, z).
    #[must_use]
    pub const fn new(x: i64, z: i64) -> Self {
        Self { x, z }
    }
}

impl std::ops::Sub for IntPoint {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, z: self.z - other.z }
    }
}

/// A closed box of integer points; `low` ≤ `high` unless it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntBox {
    /// Least corner.
    pub low: IntPoint,
    /// Greatest corner.
    pub high: IntPoint,
}

impl IntBox {
    /// The box that holds nothing.
    pub const EMPTY: Self =
        Self { low: IntPoint::new(i64::MAX, i64::MAX), high: IntPoint::new(i64::MIN, i64::MIN) };

    /// The least box around the points.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = IntPoint>) -> Self {
        points.into_iter().fold(Self::EMPTY, |mut bounds, p| {
            bounds.low = IntPoint::new(bounds.low.x.min(p.x), bounds.low.z.min(p.z));
            bounds.high = IntPoint::new(bounds.high.x.max(p.x), bounds.high.z.max(p.z));
            bounds
        })
    }

    /// Whether the closed boxes share a point.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.z <= other.high.z
            && other.low.z <= self.high.z
    }

    /// Whether the closed box holds the point.
    #[must_use]
    pub fn contains(&self, p: IntPoint) -> bool {
        self.low.x <= p.x && p.x <= self.high.x && self.low.z <= p.z && p.z <= self.high.z
    }

    /// The box grown by `margin` on every side.
    #[must_use]
    pub fn grown(&self, margin: i64) -> Self {
        Self {
            low: IntPoint::new(self.low.x - margin, self.low.z - margin),
            high: IntPoint::new(self.high.x + margin, self.high.z + margin),
        }
    }
}
