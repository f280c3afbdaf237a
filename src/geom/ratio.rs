//! Fractions of an edge: exact to compare, whatever their denominators.

use std::cmp::Ordering;

/// A fraction in 0..=1; numerator and denominator below 2^125.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
    approximate: f64,
}

impl Ratio {
    /// 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1, approximate: 0.0 };
    /// 1.
    pub const ONE: Self = Self { numerator: 1, denominator: 1, approximate: 1.0 };

    /// `numerator / denominator`; the denominator is above 0 and not below the numerator.
    #[must_use]
    pub fn new(numerator: u128, denominator: u128) -> Self {
        debug_assert!(0 < denominator && numerator <= denominator);
        Self { numerator, denominator, approximate: numerator as f64 / denominator as f64 }
    }

    /// The nearest f64, to a few units in the last place.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.approximate
    }

    /// 1 − self.
    #[must_use]
    pub fn complement(self) -> Self {
        Self::new(self.denominator - self.numerator, self.denominator)
    }

    /// ⌊length · self⌋ and whether that is exact.
    #[must_use]
    pub fn of(self, length: u64) -> (u64, bool) {
        if let Some(product) = self.numerator.checked_mul(u128::from(length)) {
            return ((product / self.denominator) as u64, product % self.denominator == 0);
        }
        // length · numerator passes 128 bits: bisect on the quotient, comparing products exactly.
        let at_most = |quotient: u64| {
            compare_products(u128::from(quotient), self.denominator, self.numerator, u128::from(length))
        };
        let (mut low, mut high) = (0_u64, length);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if at_most(middle) == Ordering::Greater { high = middle - 1 } else { low = middle }
        }
        (low, at_most(low) == Ordering::Equal)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        // Each approximation is within 3 · 2^-53 of the truth, so a larger difference decides.
        let difference = self.approximate - other.approximate;
        if difference.abs() > 1e-15 {
            return if difference < 0.0 { Ordering::Less } else { Ordering::Greater };
        }
        compare_products(self.numerator, other.denominator, other.numerator, self.denominator)
    }
}

/// Compares a · b with c · d in 256 bits.
#[must_use]
pub fn compare_products(a: u128, b: u128, c: u128, d: u128) -> Ordering {
    match (a.checked_mul(b), c.checked_mul(d)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => wide_product(a, b).cmp(&wide_product(c, d)),
    }
}

/// a · b as (high, low) 128-bit halves.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = (1 << 64) - 1;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let carry = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 64) + (carry >> 64), (carry << 64) | (low & LOW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_products_carry() {
        let m = u128::MAX;
        assert_eq!(wide_product(m, m), (m - 1, 1));
        assert_eq!(wide_product(m, 2), (1, m - 1));
        assert_eq!(wide_product(1 << 100, 1 << 100), (1 << 72, 0));
    }

    #[test]
    fn fractions_that_agree_in_f64_are_told_apart() {
        let big = (1_u128 << 120) - 1;
        assert!(Ratio::new(big - 1, big) < Ratio::ONE);
        assert!(Ratio::new(big / 3, big) < Ratio::new(big / 3 + 1, big));
        assert_eq!(Ratio::new(1 << 60, 3 << 60), Ratio::new(1, 3));
    }

    #[test]
    fn parts_of_a_length_are_floored_exactly() {
        let third = Ratio::new(1, 3);
        assert_eq!(third.of(10), (3, false));
        assert_eq!(third.of(9), (3, true));
        // (2^124 − 1)/3 / 2^124 is a little less than a third: the product passes 128 bits.
        let nearly = Ratio::new(((1 << 124) - 1) / 3, 1 << 124);
        assert_eq!(nearly.of(3 << 61), ((1 << 61) - 1, false));
        assert_eq!(Ratio::new(1 << 123, 1 << 124).of(1 << 62), (1 << 61, true));
    }
}
