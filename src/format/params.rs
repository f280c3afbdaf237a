//! The parameters that tie a mesh's tiles together: the 68-byte block.

use super::codec::{FORMAT_VERSION, Reader};
use super::error::{show, show_f32};
use super::{Fingerprint, FormatError};

/// World coordinates lie strictly inside ± this bound (2^21).
pub const WORLD_BOUND: f64 = 2_097_152.0;

/// What every tile of a mesh agrees on: the grid, the agent and the digest of the builder's settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavMeshParams {
    /// World position of tile (0, 0)'s corner, each strictly inside ±2^21.
    pub origin: [f64; 3],
    /// Side of a tile in world units, exactly representable as f32, at most 8192 cells.
    pub tile_size: f64,
    /// Side of a cell in world units, above 0.
    pub cell_size: f64,
    /// Most vertices a polygon may have, 3..=16.
    pub max_verts_per_poly: u16,
    /// Highest step an agent takes, in world units.
    pub walkable_climb: f32,
    /// Agent radius in world units.
    pub agent_radius: f32,
    /// Agent height in world units.
    pub agent_height: f32,
    /// Steepest slope an agent walks, 0..=90 degrees.
    pub agent_max_slope: f32,
    /// Digest of the builder settings that are not parameters; 0 for hand-built parameters.
    pub settings_digest: u64,
}

impl NavMeshParams {
    /// Length of the block in bytes.
    pub const BYTES: usize = 68;

    /// Largest |y| of a tile-local vertex and largest tile-local link coordinate: 16384 cells.
    #[must_use]
    pub fn max_local_extent(&self) -> f64 {
        16384.0 * self.cell_size
    }

    /// World x of a tile column's corner: product, then sum.
    #[must_use]
    pub fn tile_origin_x(&self, tile_x: i32) -> f64 {
        self.origin[0] + f64::from(tile_x) * self.tile_size
    }

    /// World z of a tile row's corner: product, then sum.
    #[must_use]
    pub fn tile_origin_z(&self, tile_z: i32) -> f64 {
        self.origin[2] + f64::from(tile_z) * self.tile_size
    }

    /// The column of a world position: `floor((x - origin) / tile_size)` on each axis; `None` where that is no
    /// i32, since columns beyond do not exist.
    #[must_use]
    pub fn world_to_tile(&self, x: f64, z: f64) -> Option<(i32, i32)> {
        let column = |value: f64, origin: f64| {
            let index = ((value - origin) / self.tile_size).floor();
            let exists = f64::from(i32::MIN) <= index && index <= f64::from(i32::MAX);
            #[allow(clippy::cast_possible_truncation, reason = "a whole number inside the range of i32")]
            exists.then_some(index as i32)
        };
        Some((column(x, self.origin[0])?, column(z, self.origin[2])?))
    }

    /// The same parameters with every −0.0 as 0.0, so that equal parameters have equal fingerprints.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        self.origin.iter_mut().for_each(|value| *value += 0.0);
        for value in [
            &mut self.walkable_climb,
            &mut self.agent_radius,
            &mut self.agent_height,
            &mut self.agent_max_slope,
        ] {
            *value += 0.0;
        }
        self
    }

    /// The build fingerprint that every tile built with these parameters carries: a hash of `ONFP`, the format
    /// version and the block.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut bytes = Vec::with_capacity(6 + Self::BYTES);
        bytes.extend_from_slice(b"ONFP");
        bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes.extend_from_slice(&self.to_bytes());
        Fingerprint::of(&bytes)
    }

    /// The block as the mesh header stores it.
    ///
    /// | offset | type | field |
    /// |---|---|---|
    /// | 0 | f64 ×3 | origin x, y, z |
    /// | 24 | f64 | tile_size |
    /// | 32 | f64 | cell_size |
    /// | 40 | u16 | max_verts_per_poly |
    /// | 42 | u16 | zero |
    /// | 44 | f32 | walkable_climb |
    /// | 48 | f32 | agent_radius |
    /// | 52 | f32 | agent_height |
    /// | 56 | f32 | agent_max_slope |
    /// | 60 | u64 | settings_digest |
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut out = [0; Self::BYTES];
        let mut at = 0;
        let mut put = |bytes: &[u8]| {
            out[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
        };
        self.origin.iter().for_each(|value| put(&value.to_le_bytes()));
        put(&self.tile_size.to_le_bytes());
        put(&self.cell_size.to_le_bytes());
        put(&self.max_verts_per_poly.to_le_bytes());
        put(&[0; 2]);
        for value in [self.walkable_climb, self.agent_radius, self.agent_height, self.agent_max_slope] {
            put(&value.to_le_bytes());
        }
        put(&self.settings_digest.to_le_bytes());
        out
    }

    /// Reads a block, keeping every bit, and checks it.
    ///
    /// # Errors
    /// [`FormatError::Bad`] with the field, its value and the bound.
    pub fn from_bytes(block: &[u8; Self::BYTES]) -> Result<Self, FormatError> {
        let mut reader = Reader::new(block);
        let origin = [reader.f64()?, reader.f64()?, reader.f64()?];
        let (tile_size, cell_size) = (reader.f64()?, reader.f64()?);
        let max_verts_per_poly = reader.u16()?;
        let zero = reader.u16()?;
        if zero != 0 {
            let what = format!("parameter block: zero field at offset 42 is {zero}, but must be 0");
            return Err(FormatError::bad("params.zero", what));
        }
        let params = Self {
            origin,
            tile_size,
            cell_size,
            max_verts_per_poly,
            walkable_climb: reader.f32()?,
            agent_radius: reader.f32()?,
            agent_height: reader.f32()?,
            agent_max_slope: reader.f32()?,
            settings_digest: reader.u64()?,
        };
        params.validate().map_err(|error| error.in_file("params.bounds").under("parameter block"))?;
        Ok(params)
    }

    /// Checks every bound; in memory a violation is `OutOfRange`.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] with the field, its value and the bound.
    pub fn validate(&self) -> Result<(), FormatError> {
        for (axis, value) in ["origin_x", "origin_y", "origin_z"].into_iter().zip(self.origin) {
            check_inside_world(axis, value)?;
        }
        check_positive("cell_size", self.cell_size)?;
        check_positive("tile_size", self.tile_size)?;
        let tile_size = |bound: String| FormatError::out_of_range("tile_size", show(self.tile_size), bound);
        if f64::from(self.tile_size_f32()).to_bits() != self.tile_size.to_bits() {
            return Err(tile_size("must be exactly representable as f32".to_owned()));
        }
        let most = 8192.0 * self.cell_size;
        if self.tile_size > most {
            let cell = show(self.cell_size);
            return Err(tile_size(format!(
                "must be at most 8192 * cell_size = {} (cell_size {cell})",
                show(most)
            )));
        }
        check_range("max_verts_per_poly", self.max_verts_per_poly.into(), 3, 16)?;
        check_not_negative("walkable_climb", self.walkable_climb.into())?;
        check_not_negative("agent_radius", self.agent_radius.into())?;
        check_not_negative("agent_height", self.agent_height.into())?;
        if !(0.0..=90.0).contains(&self.agent_max_slope) {
            let value = show_f32(self.agent_max_slope);
            return Err(FormatError::out_of_range("agent_max_slope", value, "must be 0 to 90 degrees"));
        }
        Ok(())
    }

    /// The border coordinate: `tile_size` as the f32 that it is exactly.
    #[must_use]
    pub fn tile_size_f32(&self) -> f32 {
        #[allow(clippy::cast_possible_truncation, reason = "exact by the rule on tile_size")]
        {
            self.tile_size as f32
        }
    }

    /// The first field whose bits differ, with this block's value and the other's.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let mut pairs = self.fields().into_iter().zip(other.fields());
        pairs
            .find(|(own, theirs)| own.bits != theirs.bits)
            .map(|(own, theirs)| (own.name, own.text, theirs.text))
    }
}

/// A world coordinate: finite and strictly inside ±2^21.
pub(crate) fn check_inside_world(name: &str, value: f64) -> Result<(), FormatError> {
    if value.abs() < WORLD_BOUND {
        return Ok(());
    }
    Err(FormatError::out_of_range(name, show(value), "must be finite and strictly inside +-2097152"))
}

pub(super) fn check_positive(name: &str, value: f64) -> Result<(), FormatError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(FormatError::out_of_range(name, show(value), "must be finite and above 0"))
}

pub(super) fn check_not_negative(name: &str, value: f64) -> Result<(), FormatError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(FormatError::out_of_range(name, show(value), "must be finite and at least 0"))
}

pub(super) fn check_range(name: &str, value: i64, least: i64, most: i64) -> Result<(), FormatError> {
    if least <= value && value <= most {
        return Ok(());
    }
    Err(FormatError::out_of_range(name, value.to_string(), format!("must be {least} to {most}")))
}
