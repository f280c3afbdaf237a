//! The schema's parts for voxel bakes, which maps without imported geometry do without.

use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::decode_items::{Coordinate, Parsed, checked_list, optional_area_type};
use crate::project::geometry::{check_extras, check_geometry};
use crate::project::{Geometry, GeometryId, MAX_GEOMETRY, UpAxis, VoxelExtras};

#[derive(Default)]
pub(super) struct GeometryList(Vec<Geometry>);
#[derive(Default)]
pub(super) struct Extras(pub(super) VoxelExtras);

impl GeometryList {
    pub(super) fn sorted(mut self) -> Vec<Arc<Geometry>> {
        self.0.sort_by_key(|item| item.id);
        self.0.into_iter().map(Arc::new).collect()
    }
}

impl<'de> Deserialize<'de> for GeometryList {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked_list::<D, GeometryV2>(from).map(Self)
    }
}

type Place = (Coordinate, Coordinate, Coordinate);

fn triple((x, y, z): Place) -> [f64; 3] {
    [x.0, y.0, z.0]
}

fn origin() -> Place {
    (Coordinate(0.0), Coordinate(0.0), Coordinate(0.0))
}

fn one() -> f64 {
    1.0
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case", rename = "up")]
enum UpV2 {
    #[default]
    Y,
    Z,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Geometry")]
struct GeometryV2 {
    id: u64,
    #[serde(default)]
    name: String,
    path: String,
    #[serde(default)]
    up: UpV2,
    #[serde(default)]
    flip: bool,
    #[serde(default = "one")]
    scale: f64,
    #[serde(default)]
    turn: f64,
    #[serde(default = "origin")]
    offset: Place,
    #[serde(default)]
    level: i8,
    #[serde(deserialize_with = "optional_area_type", default)]
    area_type: Option<u8>,
    #[serde(default)]
    flags: Option<u8>,
}

impl Parsed for GeometryV2 {
    type Value = Geometry;
    const NOUN: &'static str = "geometry files";
    const MOST: usize = MAX_GEOMETRY;

    fn value(self) -> Result<Geometry, String> {
        let item = Geometry {
            id: GeometryId(self.id),
            name: self.name,
            path: self.path,
            up: match self.up {
                UpV2::Y => UpAxis::Y,
                UpV2::Z => UpAxis::Z,
            },
            flip: self.flip,
            scale: self.scale,
            turn: self.turn + 0.0,
            offset: triple(self.offset),
            level: self.level,
            area_type: self.area_type,
            flags: self.flags,
        };
        check_geometry(&item).map_err(|error| error.to_string())?;
        Ok(item)
    }

    fn key(item: &Geometry) -> u64 {
        item.id.0
    }

    fn duplicate(item: &Geometry) -> String {
        format!("geometry {:016x} is in the list twice", item.id.0)
    }
}

impl<'de> Deserialize<'de> for Extras {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, rename = "Voxel")]
        struct Fields {
            #[serde(default)]
            seeds: Vec<Place>,
            #[serde(default)]
            ledge_radius: Option<f32>,
            #[serde(default)]
            area_priority: Vec<u8>,
        }
        let Fields { seeds, ledge_radius, area_priority } = Fields::deserialize(from)?;
        let seeds = seeds.into_iter().map(triple).collect();
        let extras =
            VoxelExtras { seeds, ledge_radius: ledge_radius.map(|radius| radius + 0.0), area_priority };
        check_extras(&extras).map_err(D::Error::custom)?;
        Ok(Self(extras))
    }
}
