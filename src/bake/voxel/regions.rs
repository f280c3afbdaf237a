//! Walkable floors to regions: sheets that do not overlap and that one outline can describe.

use super::compact::CompactField;
use super::grid::VoxelGrid;
use super::merge::{merge_regions, merge_sheets};
use super::region::{BORDER, NO_REGION, Regions};
use super::soup::NO_LABEL;
use super::sweep::sweep_regions;
use super::watershed::{distance_field, watershed};
use crate::format::Partition;

/// Divides the tile's walkable floors. Regions do not cross labels.
pub(crate) fn build_regions(field: &CompactField, grid: &VoxelGrid, partition: Partition) -> Regions {
    let mut of = border_regions(field);
    let distance = match partition {
        Partition::Watershed => distance_field(field),
        Partition::Monotone | Partition::Layers => Vec::new(),
    };
    let count = match partition {
        Partition::Watershed => watershed(field, &distance, &mut of),
        Partition::Monotone | Partition::Layers => sweep_regions(field, &mut of),
    };
    let count = match partition {
        Partition::Watershed | Partition::Monotone => merge_regions(field, grid, &mut of, count),
        Partition::Layers => merge_sheets(field, &mut of, count),
    };
    Regions { of, count, distance }
}

fn border_regions(field: &CompactField) -> Vec<u32> {
    let mut of = vec![NO_REGION; field.len() + 1];
    for (floor, region) in of[..field.len()].iter_mut().enumerate() {
        if field.label[floor] != NO_LABEL && !field.is_inside(floor) {
            *region = BORDER;
        }
    }
    of
}
