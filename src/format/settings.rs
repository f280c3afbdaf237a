//! The settings a mesh is built with: what the parameters are made from, and what the digest covers.

use sha2::{Digest, Sha256};

use super::codec::Writer;
use super::params::{check_inside_world, check_not_negative, check_positive, check_range};
use super::tile::MAX_AREA;
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

impl Partition {
    /// The number that the digest and the envelope carry.
    #[must_use]
    pub fn index(self) -> i32 {
        match self {
            Self::Watershed => 0,
            Self::Monotone => 1,
            Self::Layers => 2,
        }
    }

    /// Its name, as settings are written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Watershed => "watershed",
            Self::Monotone => "monotone",
            Self::Layers => "layers",
        }
    }

    /// The partition with this number.
    #[must_use]
    pub fn from_index(index: i32) -> Option<Self> {
        match index {
            0 => Some(Self::Watershed),
            1 => Some(Self::Monotone),
            2 => Some(Self::Layers),
            _ => None,
        }
    }
}

impl NavSettings {
    /// The digest over everything that is not a parameter: the first 8 bytes of a SHA-256, little-endian. Taken
    /// over the bits as they are, so −0.0 and 0.0 differ; [`NavSettings::normalized`] makes them equal.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut out = Writer::new();
        out.bytes(b"ONSD");
        out.f64(self.cell_height);
        out.i32(self.snap_bits);
        out.i32(self.partition.index());
        out.i32(self.min_region_area);
        out.i32(self.merge_region_area);
        out.f32(self.contour_max_error);
        out.f64(self.max_edge_length);
        out.f64(self.detail_sample_distance);
        out.f64(self.detail_max_error);
        out.f64(self.height);
        out.u8(self.area);
        out.u16(self.flags);
        out.count(self.links.len());
        self.links.iter().for_each(|link| link.encode(&mut out));
        let digest = Sha256::digest(out.finish());
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        u64::from_le_bytes(first)
    }

    /// Checks every field's bound.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] with the field, its value and the bound.
    pub fn validate(&self) -> Result<(), FormatError> {
        self.block().validate()?;
        check_positive("cell_height", self.cell_height)?;
        check_range("snap_bits", self.snap_bits.into(), -1, 20)?;
        check_range("min_region_area", self.min_region_area.into(), 0, i32::MAX.into())?;
        check_range("merge_region_area", self.merge_region_area.into(), 0, i32::MAX.into())?;
        check_not_negative("contour_max_error", self.contour_max_error.into())?;
        check_not_negative("max_edge_length", self.max_edge_length)?;
        check_not_negative("detail_sample_distance", self.detail_sample_distance)?;
        check_not_negative("detail_max_error", self.detail_max_error)?;
        check_range("area", self.area.into(), 0, MAX_AREA.into())?;
        check_inside_world("height", self.height)?;
        let most = u32::MAX.into();
        check_range("link count", i64::try_from(self.links.len()).unwrap_or(i64::MAX), 0, most)?;
        let check = |(index, link): (usize, &AuthoredLink)| {
            link.validate().map_err(|error| error.under(&format!("authored link {index}")))
        };
        self.links.iter().enumerate().try_for_each(check)
    }

    /// The same settings with every −0.0 as 0.0, so that equal settings have equal digests.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        self.origin.iter_mut().for_each(|value| *value += 0.0);
        for value in [
            &mut self.max_edge_length,
            &mut self.detail_sample_distance,
            &mut self.detail_max_error,
            &mut self.height,
        ] {
            *value += 0.0;
        }
        for value in [
            &mut self.contour_max_error,
            &mut self.walkable_climb,
            &mut self.agent_radius,
            &mut self.agent_height,
            &mut self.agent_max_slope,
        ] {
            *value += 0.0;
        }
        for link in &mut self.links {
            link.start.iter_mut().chain(&mut link.end).for_each(|value| *value += 0.0);
        }
        self
    }

    /// The parameter block these settings produce (−0.0 becomes 0.0).
    ///
    /// # Errors
    /// As [`NavSettings::validate`].
    pub fn to_params(&self) -> Result<NavMeshParams, FormatError> {
        self.validate()?;
        Ok(self.clone().normalized().block())
    }

    /// Requires a mesh's parameters to be those of these settings, bit for bit; settings that hold a −0.0 also
    /// match the parameters that [`NavSettings::to_params`] makes of them.
    ///
    /// # Errors
    /// [`FormatError::Fingerprint`] naming the first field that differs, with both values;
    /// [`FormatError::OutOfRange`] for settings outside their bounds.
    pub fn check_matches(&self, params: &NavMeshParams) -> Result<(), FormatError> {
        let normalized = self.to_params()?;
        if normalized.first_difference(params).is_none() {
            return Ok(());
        }
        self.check_matches_bits(params)
    }

    /// As [`NavSettings::check_matches`], for bits that stand in one file.
    pub(super) fn check_matches_bits(&self, params: &NavMeshParams) -> Result<(), FormatError> {
        match self.block().first_difference(params) {
            None => Ok(()),
            Some((field, own, theirs)) => Err(FormatError::Fingerprint {
                what: format!("{field} is {own} in the settings, but {theirs} in the mesh's parameters"),
            }),
        }
    }

    /// The parameter block, unchecked and with every bit kept.
    fn block(&self) -> NavMeshParams {
        NavMeshParams {
            origin: self.origin,
            tile_size: self.tile_size,
            cell_size: self.cell_size,
            max_verts_per_poly: self.max_verts_per_poly,
            walkable_climb: self.walkable_climb,
            agent_radius: self.agent_radius,
            agent_height: self.agent_height,
            agent_max_slope: self.agent_max_slope,
            settings_digest: self.digest(),
        }
    }
}

impl AuthoredLink {
    /// Length of a link in bytes, in the digest's input and in the envelope.
    pub const BYTES: usize = 64;

    /// Checks every field's bound. How far the end may lie from the start is a rule of the bake.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] with the field, its value and the bound.
    pub fn validate(&self) -> Result<(), FormatError> {
        for (name, point) in [("start", self.start), ("end", self.end)] {
            for (axis, value) in ["x", "y", "z"].into_iter().zip(point) {
                check_inside_world(&format!("{name} {axis}"), value)?;
            }
        }
        check_positive("radius", self.radius)?;
        check_range("area", self.area.into(), 0, MAX_AREA.into())
    }

    pub(super) fn encode(&self, out: &mut Writer) {
        self.start.iter().chain(&self.end).for_each(|&value| out.f64(value));
        out.f64(self.radius);
        out.u8(self.bidirectional.into());
        out.u8(self.area);
        out.u16(self.flags);
        out.u32(self.user_id);
    }
}
