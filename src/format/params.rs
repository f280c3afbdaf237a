//! The parameters that tie a mesh's tiles together: the 68-byte block.

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

    /// The build fingerprint that every tile built with these parameters carries.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        todo!()
    }

    /// The block as the mesh header stores it.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        todo!()
    }

    /// Checks every bound; in memory a violation is `OutOfRange`.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] with the field, its value and the bound.
    pub fn validate(&self) -> Result<(), FormatError> {
        todo!()
    }
}
