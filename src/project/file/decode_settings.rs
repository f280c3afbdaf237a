//! The schema's settings: one list of fields, and what each version makes of the agent's.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::decode_items::Coordinate;
use crate::format::{NavSettings, Partition};
use crate::project::AgentClass;
use crate::project::class;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", rename = "partition")]
enum PartitionV1 {
    Watershed,
    Monotone,
    Layers,
}

/// Version 1's settings: with the one agent there was.
#[derive(Default)]
pub(super) struct SettingsV1 {
    /// What all classes share.
    pub(super) shared: NavSettings,
    /// The agent.
    pub(super) class: AgentClass,
}

/// Settings since version 2: what all classes share.
#[derive(Default)]
pub(super) struct SettingsV2(pub(super) NavSettings);

/// All fields of any version; those left out are at their defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Settings", default)]
struct Fields {
    origin: (Coordinate, Coordinate, Coordinate),
    tile_size: f64,
    cell_size: f64,
    cell_height: f64,
    snap_bits: i32,
    partition: PartitionV1,
    min_region_area: i32,
    merge_region_area: i32,
    contour_max_error: f32,
    max_verts_per_poly: u16,
    area: u8,
    max_edge_length: f64,
    detail_sample_distance: f64,
    detail_max_error: f64,
    height: Coordinate,
    walkable_climb: Option<f32>,
    agent_radius: Option<f32>,
    agent_height: Option<f32>,
    agent_max_slope: Option<f32>,
    flags: u16,
}

impl Default for Fields {
    fn default() -> Self {
        let NavSettings {
            origin,
            tile_size,
            cell_size,
            cell_height,
            snap_bits,
            partition: _,
            min_region_area,
            merge_region_area,
            contour_max_error,
            max_verts_per_poly,
            area,
            max_edge_length,
            detail_sample_distance,
            detail_max_error,
            height,
            walkable_climb: _,
            agent_radius: _,
            agent_height: _,
            agent_max_slope: _,
            flags,
            links: _,
        } = NavSettings::default();
        let [x, y, z] = origin.map(Coordinate);
        Self {
            origin: (x, y, z),
            tile_size,
            cell_size,
            cell_height,
            snap_bits,
            partition: PartitionV1::Watershed,
            min_region_area,
            merge_region_area,
            contour_max_error,
            max_verts_per_poly,
            area,
            max_edge_length,
            detail_sample_distance,
            detail_max_error,
            height: Coordinate(height),
            walkable_climb: None,
            agent_radius: None,
            agent_height: None,
            agent_max_slope: None,
            flags,
        }
    }
}

impl Fields {
    /// The settings, with an agent that says nothing.
    fn shared(&self) -> NavSettings {
        let (x, y, z) = &self.origin;
        let settings = NavSettings {
            origin: [x.0, y.0, z.0],
            tile_size: self.tile_size,
            cell_size: self.cell_size,
            cell_height: self.cell_height,
            snap_bits: self.snap_bits,
            partition: match self.partition {
                PartitionV1::Watershed => Partition::Watershed,
                PartitionV1::Monotone => Partition::Monotone,
                PartitionV1::Layers => Partition::Layers,
            },
            min_region_area: self.min_region_area,
            merge_region_area: self.merge_region_area,
            contour_max_error: self.contour_max_error,
            max_verts_per_poly: self.max_verts_per_poly,
            area: self.area,
            max_edge_length: self.max_edge_length,
            detail_sample_distance: self.detail_sample_distance,
            detail_max_error: self.detail_max_error,
            height: self.height.0,
            flags: self.flags,
            ..NavSettings::default()
        };
        class::clean_shared(&settings)
    }

    /// The agent's fields that are there.
    fn agent(&self) -> [(&'static str, Option<f32>); 4] {
        [
            ("agent_radius", self.agent_radius),
            ("agent_height", self.agent_height),
            ("walkable_climb", self.walkable_climb),
            ("agent_max_slope", self.agent_max_slope),
        ]
    }
}

impl<'de> Deserialize<'de> for SettingsV1 {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = Fields::deserialize(from)?;
        let shared = fields.shared();
        class::check_shared(&shared).map_err(D::Error::custom)?;
        let nothing = AgentClass::default();
        let class = AgentClass {
            radius: fields.agent_radius.unwrap_or(nothing.radius) + 0.0,
            height: fields.agent_height.unwrap_or(nothing.height) + 0.0,
            climb: fields.walkable_climb.unwrap_or(nothing.climb) + 0.0,
            max_slope: fields.agent_max_slope.unwrap_or(nothing.max_slope) + 0.0,
            ..nothing
        };
        class.settings(&shared).validate().map_err(D::Error::custom)?;
        Ok(Self { shared, class })
    }
}

impl<'de> Deserialize<'de> for SettingsV2 {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = Fields::deserialize(from)?;
        if let Some((name, _)) = fields.agent().into_iter().find(|(_, value)| value.is_some()) {
            let text = format!("{name} stands in the settings; since version 2 it belongs into a class");
            return Err(D::Error::custom(text));
        }
        let shared = fields.shared();
        class::check_shared(&shared).map_err(D::Error::custom)?;
        Ok(Self(shared))
    }
}
