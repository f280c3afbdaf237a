//! The settings a mesh is built with: what the parameters are made from, and what the digest covers.

use super::{FormatError, NavMeshParams};

/// How a voxel bake divides the walkable surface into regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Partition {
    /// Watershed: fewest, best shaped regions; slowest.
    #[default]
    Watershed,
    /// Monotone: fastest; long thin regions.
    Monotone,
    /// Layers: non-overlapping sheets; good for tiles.
    Layers,
}

/// An authored off-mesh link (a jump, a ladder, a door) in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuthoredLink {
    /// Where the link starts, in world coordinates.
    pub start: [f64; 3],
    /// Where the link ends, in world coordinates.
    pub end: [f64; 3],
    /// Horizontal reach of both ends, above 0, in world units.
    pub radius: f64,
    /// Whether the link can be taken from its end too.
    pub bidirectional: bool,
    /// Area type, 0..=63.
    pub area: u8,
    /// Polygon flags of the link.
    pub flags: u16,
    /// The caller's own number.
    pub user_id: u32,
}

/// All settings of a build, with the authored links.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are described in the README's table of settings")]
pub struct NavSettings {
    pub origin: [f64; 3],
    pub tile_size: f64,
    pub cell_size: f64,
    pub cell_height: f64,
    /// Bits of the binary grid a flat bake snaps to; −1 chooses them.
    pub snap_bits: i32,
    pub partition: Partition,
    pub min_region_area: i32,
    pub merge_region_area: i32,
    pub contour_max_error: f32,
    pub max_verts_per_poly: u16,
    /// Area type of polygons whose area names none, 0..=63.
    pub area: u8,
    pub max_edge_length: f64,
    pub detail_sample_distance: f64,
    pub detail_max_error: f64,
    /// Height of the plane a flat bake lies on: added to every level's elevation.
    pub height: f64,
    pub walkable_climb: f32,
    pub agent_radius: f32,
    pub agent_height: f32,
    pub agent_max_slope: f32,
    /// Flags of polygons whose area names none.
    pub flags: u16,
    pub links: Vec<AuthoredLink>,
}

impl Default for NavSettings {
    fn default() -> Self {
        Self {
            origin: [0.0; 3],
            tile_size: 32.0,
            cell_size: 0.25,
            cell_height: 0.2,
            snap_bits: -1,
            partition: Partition::Watershed,
            min_region_area: 64,
            merge_region_area: 400,
            contour_max_error: 1.3,
            max_verts_per_poly: 6,
            area: 0,
            max_edge_length: 12.0,
            detail_sample_distance: 1.5,
            detail_max_error: 0.2,
            height: 0.0,
            walkable_climb: 0.5,
            agent_radius: 0.0,
            agent_height: 2.0,
            agent_max_slope: 45.0,
            flags: 1,
            links: Vec::new(),
        }
    }
}

impl NavSettings {
    /// The digest over everything that is not a parameter.
    #[must_use]
    pub fn digest(&self) -> u64 {
        todo!()
    }

    /// Checks every field's bound.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] with the field, its value and the bound.
    pub fn validate(&self) -> Result<(), FormatError> {
        todo!()
    }

    /// The parameter block these settings produce (−0.0 becomes 0.0).
    ///
    /// # Errors
    /// As [`NavSettings::validate`].
    pub fn to_params(&self) -> Result<NavMeshParams, FormatError> {
        todo!()
    }
}
