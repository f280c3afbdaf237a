//! Settings and parameters as rows of name, text and bits, for whoever compares them.

use super::error::{show, show_f32};
use super::{NavMeshParams, NavSettings};

/// One value of the parameters or the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the format.
    pub name: &'static str,
    /// The shortest decimal that gives it back, the whole number, or the name of a choice.
    pub text: String,
    /// Its bits as the format stores them.
    pub bits: u64,
    /// Width of the bits in bytes.
    pub bytes: usize,
}

impl Field {
    fn wide(name: &'static str, value: f64) -> Self {
        Self { name, text: show(value), bits: value.to_bits(), bytes: 8 }
    }

    fn single(name: &'static str, value: f32) -> Self {
        Self { name, text: show_f32(value), bits: value.to_bits().into(), bytes: 4 }
    }

    fn whole(name: &'static str, value: i32) -> Self {
        Self { name, text: value.to_string(), bits: value.cast_unsigned().into(), bytes: 4 }
    }

    fn short(name: &'static str, value: u16, bytes: usize) -> Self {
        Self { name, text: value.to_string(), bits: value.into(), bytes }
    }
}

impl NavMeshParams {
    /// Every field, in the block's order.
    #[must_use]
    pub fn fields(&self) -> [Field; 11] {
        let digest = self.settings_digest;
        [
            Field::wide("origin_x", self.origin[0]),
            Field::wide("origin_y", self.origin[1]),
            Field::wide("origin_z", self.origin[2]),
            Field::wide("tile_size", self.tile_size),
            Field::wide("cell_size", self.cell_size),
            Field::short("max_verts_per_poly", self.max_verts_per_poly, 2),
            Field::single("walkable_climb", self.walkable_climb),
            Field::single("agent_radius", self.agent_radius),
            Field::single("agent_height", self.agent_height),
            Field::single("agent_max_slope", self.agent_max_slope),
            Field { name: "settings_digest", text: format!("0x{digest:016x}"), bits: digest, bytes: 8 },
        ]
    }
}

impl NavSettings {
    /// Every setting that the digest stands for, in its order; the authored links are apart.
    #[must_use]
    pub fn digest_fields(&self) -> [Field; 12] {
        [
            Field::wide("cell_height", self.cell_height),
            Field::whole("snap_bits", self.snap_bits),
            Field {
                text: self.partition.name().to_owned(),
                ..Field::whole("partition", self.partition.index())
            },
            Field::whole("min_region_area", self.min_region_area),
            Field::whole("merge_region_area", self.merge_region_area),
            Field::single("contour_max_error", self.contour_max_error),
            Field::wide("max_edge_length", self.max_edge_length),
            Field::wide("detail_sample_distance", self.detail_sample_distance),
            Field::wide("detail_max_error", self.detail_max_error),
            Field::wide("height", self.height),
            Field::short("area", self.area.into(), 1),
            Field::short("flags", self.flags, 2),
        ]
    }
}
