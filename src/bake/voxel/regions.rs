//! Walkable floors to regions: sheets that do not overlap and that one outline can describe.

use super::compact::CompactField;
use super::grid::VoxelGrid;
use super::merge::{merge_regions, merge_sheets};
use super::poll::{POLL_EVERY, Poll};
use super::region::{BORDER, NO_REGION, Regions};
use super::soup::NO_LABEL;
use super::split::split_overlapping;
use super::sweep::sweep_regions;
use super::watershed::{distance_field, watershed};
use crate::bake::BakeError;
use crate::format::Partition;

/// Divides the tile's walkable floors. Regions do not cross labels.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn build_regions(
    field: &CompactField,
    grid: &VoxelGrid,
    partition: Partition,
    poll: Poll<'_>,
) -> Result<Regions, BakeError> {
    let mut of = border_regions(field, poll)?;
    let distance = match partition {
        Partition::Watershed => distance_field(field, poll)?,
        Partition::Monotone | Partition::Layers => Vec::new(),
    };
    let count = match partition {
        Partition::Watershed => watershed(field, &distance, &mut of, poll)?,
        Partition::Monotone | Partition::Layers => sweep_regions(field, &mut of, poll)?,
    };
    let count = match partition {
        Partition::Watershed | Partition::Monotone => merge_regions(field, grid, &mut of, count, poll)?,
        Partition::Layers => merge_sheets(field, &mut of, count, poll)?,
    };
    let count = split_overlapping(field, &mut of, count, poll)?;
    Ok(Regions { of, count, distance })
}

fn border_regions(field: &CompactField, poll: Poll<'_>) -> Result<Vec<u32>, BakeError> {
    let mut of = vec![NO_REGION; field.len() + 1];
    for (chunk, floors) in of[..field.len()].chunks_mut(POLL_EVERY).enumerate() {
        poll()?;
        for (floor, region) in (chunk * POLL_EVERY..).zip(floors) {
            if field.label[floor] != NO_LABEL && !field.is_inside(floor) {
                *region = BORDER;
            }
        }
    }
    Ok(of)
}
