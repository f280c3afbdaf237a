//! The outlines of regions along the sides of cells.

use super::border::Pins;
use super::compact::{CompactField, STEPS};
use super::outline::{corner_height, outline_edges};
use super::poll::{Poll, poll_at};
use super::region::{BORDER, NO_REGION, Regions};
use crate::bake::BakeError;

/// Across an edge on the tile's border where the floor goes on: this plus the format's side, 0 to 3.
pub(crate) const ACROSS_SIDE: u32 = u32::MAX - 3;
/// The format's side of each direction of [`STEPS`].
pub(crate) const SIDE_OF_DIRECTION: [u8; 4] = [2, 1, 0, 3];

/// A corner of cells on an outline, and what lies across the edge that begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corner {
    /// Cells from the tile's corner.
    pub(crate) x: i32,
    /// The greatest height of the floors that meet there, linked round the corner; nearer to the border's line on it.
    pub(crate) y: i32,
    pub(crate) z: i32,
    /// [`NO_REGION`] for a wall, a region, or [`ACROSS_SIDE`] plus the side.
    pub(crate) across: u32,
    /// Whether the edge is to follow the cells: along walls, and between floors of different labels.
    pub(crate) followed: bool,
    /// Shared with the tile beside, so it stays.
    pub(crate) pinned: bool,
}

/// A closed outline with the region on its left: counter-clockwise round it, clockwise round its holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contour {
    pub(crate) region: u32,
    pub(crate) label: u16,
    pub(crate) corners: Vec<Corner>,
}

/// The side of an edge across which the floor goes on in another tile.
pub(crate) fn border_side(across: u32) -> Option<u8> {
    (across >= ACROSS_SIDE).then(|| (across - ACROSS_SIDE) as u8)
}

/// The outlines of all regions, outer and inner, every side of a cell an edge.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn trace_contours(
    field: &CompactField,
    regions: &Regions,
    pins: &Pins,
    poll: Poll<'_>,
) -> Result<Vec<Contour>, BakeError> {
    let of = &regions.of;
    let mut walked = vec![0_u8; field.len()];
    let mut contours = Vec::new();
    for floor in field.inside_rows().flatten() {
        poll_at(floor, poll)?;
        let region = of[floor];
        if region == NO_REGION {
            continue;
        }
        for direction in 0..4 {
            let edge = of[field.links[floor][direction] as usize] != region;
            if edge && walked[floor] & 1 << direction == 0 {
                let mut contour = Contour { region, label: field.label[floor], corners: Vec::new() };
                outline_edges(field, of, (floor, direction), poll, |floor, direction| {
                    walked[floor] |= 1 << direction;
                    contour.corners.push(corner(field, of, pins, floor, direction));
                })?;
                contours.push(contour);
            }
        }
    }
    Ok(contours)
}

/// Where the edge of a floor in a direction begins.
fn corner(field: &CompactField, of: &[u32], pins: &Pins, floor: usize, direction: usize) -> Corner {
    let [cell_x, cell_z] = field.cell_of(floor);
    // From each side's edge with the cell on the left: where it begins, from the cell's lower corner.
    let [dx, dz] = [[0, 1], [1, 1], [1, 0], [0, 0]][direction];
    let (x, z) = (cell_x + dx, cell_z + dz);
    let link = field.links[floor][direction] as usize;
    let other = of[link];
    let followed = other == NO_REGION || field.label[link] != field.label[floor];
    let across = if other == BORDER { ACROSS_SIDE + u32::from(SIDE_OF_DIRECTION[direction]) } else { other };
    let (y, pinned) = pins.settle([x, corner_height(field, floor, direction), z]);
    Corner { x, y, z, across, followed, pinned }
}

const _: () = assert!(STEPS[0][0] == -1 && STEPS[1][1] == 1 && STEPS[2][0] == 1 && STEPS[3][1] == -1);
