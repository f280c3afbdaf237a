//! The grids of a flat bake, and one finer grid that holds both exactly.
//!
//! - *Decimal*: step 1/(16000·2^k), anchored at world zero. Drawn points lie on it.
//! - *Binary*: step 2^-bits, anchored at the mesh origin. Results lie on it.
//! - *Unit*: step 1/(125·2^m) with m ≥ 7 + k and m > bits, anchored at the mesh origin: every decimal point, binary
//!   point and half binary step is a whole number of units (an origin off this grid is taken to the nearest unit).

use crate::bake::BakeError;
use crate::format::{FormatError, NavSettings};
use crate::geom::grid::{IntPoint, MAX_COORDINATE};

/// Most binary steps of a tile's side: f32 holds every whole number up to here.
pub(crate) const MAX_TILE_STEPS: f64 = 16_777_216.0;

/// How world, unit and binary coordinates relate. All fields are derived from the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Binary grid: 2^bits steps a world unit.
    pub(crate) bits: u32,
    /// Units a binary step; even.
    pub(crate) step: i64,
    /// Binary steps a tile's side.
    pub(crate) tile_steps: i32,
    /// Decimal steps a world unit: 16000·2^k.
    decimal_scale: f64,
    /// Units a decimal step.
    decimal_step: i64,
    /// Units a world unit.
    unit_scale: f64,
    /// The mesh origin in units (x, z).
    origin: [i128; 2],
    origin_world: [f64; 2],
}

impl Frame {
    /// The grids for these settings, which must be valid.
    ///
    /// # Errors
    /// `snap_bits` that make a tile's side more than 2^24 steps, naming the largest allowed; a tile or cell size that no
    /// grid within i64 holds.
    pub(crate) fn new(settings: &NavSettings) -> Result<Self, BakeError> {
        let bits = choose_bits(settings.tile_size, settings.snap_bits)?;
        let mut k = 0_u32;
        while settings.cell_size * 2_f64.powi(k as i32) < 1.0 / 16.0 {
            k += 1;
        }
        let m = (7 + k).max(bits + 1);
        if m > 44 {
            return Err(out_of_range(
                "tile_size",
                settings.tile_size,
                "it is too small: its grid of thousandths and binary steps passes 64 bits",
            ));
        }
        Ok(Self {
            bits,
            step: 125 << (m - bits),
            tile_steps: (settings.tile_size * 2_f64.powi(bits as i32)) as i32,
            decimal_scale: 16000.0 * 2_f64.powi(k as i32),
            decimal_step: 1 << (m - 7 - k),
            unit_scale: 125.0 * 2_f64.powi(m as i32),
            origin: [units_of(settings.origin[0], m), units_of(settings.origin[2], m)],
            origin_world: [settings.origin[0], settings.origin[2]],
        })
    }

    /// A tile's side in units.
    #[must_use]
    pub(crate) fn tile_units(&self) -> i64 {
        i64::from(self.tile_steps) * self.step
    }

    /// The world point on the decimal grid, in units; `None` beyond ±2^58 units.
    #[must_use]
    pub(crate) fn unit_from_world(&self, world: [f64; 2]) -> Option<IntPoint> {
        let axis = |i: usize| {
            let decimal = (world[i] * self.decimal_scale + 0.5).floor();
            let units = decimal as i128 * i128::from(self.decimal_step) - self.origin[i];
            i64::try_from(units).ok().filter(|units| units.abs() <= MAX_COORDINATE)
        };
        Some(IntPoint::new(axis(0)?, axis(1)?))
    }

    /// The nearest f64 world point.
    #[must_use]
    pub(crate) fn world_from_unit(&self, x: f64, z: f64) -> [f64; 2] {
        // Back on the decimal grid first, so that thousandths come out as they were drawn.
        let axis = |units: f64, i: usize| {
            let decimal = (units + self.origin[i] as f64) / self.decimal_step as f64;
            let nearest = decimal.round();
            if (decimal - nearest).abs() < 1e-9 * decimal.abs().max(1.0) {
                nearest / self.decimal_scale
            } else {
                units / self.unit_scale + self.origin_world[i]
            }
        };
        [axis(x, 0), axis(z, 1)]
    }

    /// Square units a square world unit.
    #[must_use]
    pub(crate) fn area_scale(&self) -> f64 {
        self.unit_scale * self.unit_scale
    }

    /// World length of so many units.
    #[must_use]
    pub(crate) fn length_from_units(&self, units: f64) -> f64 {
        units / self.unit_scale
    }

    /// Units of a world length, rounded.
    #[must_use]
    pub(crate) fn units_from_length(&self, length: f64) -> i64 {
        (length * self.unit_scale).round() as i64
    }

    /// Units of a world length, rounded up.
    #[must_use]
    pub(crate) fn units_from_length_up(&self, length: f64) -> i64 {
        (length * self.unit_scale).ceil() as i64
    }

    /// Units a decimal step.
    pub(crate) fn decimal_step(&self) -> i64 {
        self.decimal_step
    }

    /// The tile that holds a unit coordinate; borders belong to the greater tile.
    #[must_use]
    pub(crate) fn tile_of(&self, units: i64) -> i64 {
        units.div_euclid(self.tile_units())
    }
}

/// The binary grid's bits, as given or chosen.
fn choose_bits(tile_size: f64, snap_bits: i32) -> Result<u32, BakeError> {
    let steps = |bits: u32| tile_size * 2_f64.powi(bits as i32);
    if steps(0) > MAX_TILE_STEPS {
        return Err(out_of_range("tile_size", tile_size, "a flat bake takes at most 16777216"));
    }
    let largest = (0..=60).rev().find(|&bits| steps(bits) <= MAX_TILE_STEPS).unwrap_or(0);
    let Ok(mut bits) = u32::try_from(snap_bits) else { return Ok(largest) };
    while bits <= largest && steps(bits).fract() != 0.0 {
        bits += 1;
    }
    if bits > largest {
        let bound = format!("a tile of {tile_size} takes at most {largest}");
        return Err(out_of_range("snap_bits", f64::from(snap_bits), &bound));
    }
    Ok(bits)
}

fn out_of_range(name: &str, value: f64, bound: &str) -> BakeError {
    BakeError::Format(FormatError::OutOfRange {
        name: name.to_owned(),
        value: value.to_string(),
        bound: bound.to_owned(),
    })
}

/// value · 125 · 2^m, to the nearest whole number (halves up), exactly.
fn units_of(value: f64, m: u32) -> i128 {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7FF) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i128;
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let product = if value.is_sign_negative() { -mantissa * 125 } else { mantissa * 125 };
    let shift = exponent + m as i32;
    if shift >= 0 {
        product << shift.min(60)
    } else {
        let shift = (-shift).min(120);
        (product + (1_i128 << (shift - 1))) >> shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_specification() {
        let bits = |tile_size: f64| choose_bits(tile_size, -1).unwrap();
        assert_eq!(bits(32.0), 19);
        assert_eq!(bits(f64::from(9.6_f32)), 20);
        // 9.6 in f32 is a whole number of 2^-19.
        assert_eq!(choose_bits(f64::from(9.6_f32), 3).unwrap(), 19);
        assert!(choose_bits(32.0, 20).unwrap_err().to_string().contains("at most 19"));
    }

    #[test]
    fn thousandths_come_back_as_drawn() {
        for origin in [0.0, -8.3, 1e5 + 0.1] {
            let settings = NavSettings { origin: [origin, 0.0, origin], ..Default::default() };
            let frame = Frame::new(&settings).unwrap();
            for world in [[16.8, -31.7], [0.001, 2.999], [-1234.567, 2_000_000.001]] {
                let p = frame.unit_from_world(world).unwrap();
                assert_eq!(frame.world_from_unit(p.x as f64, p.z as f64), world, "origin {origin}");
            }
        }
    }
}
