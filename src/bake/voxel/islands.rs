//! Islands too small to matter go, the same ones in every tile size.

use std::collections::VecDeque;

use super::compact::CompactField;
use super::grid::{VoxelGrid, Window};
use super::soup::NO_LABEL;
use crate::bake::BakeError;
use crate::geom::box_tree::CellBox;

/// Cells that a first look reaches beyond the part of an island that is known; each further look reaches twice as far
/// beyond what the last one found.
const FIRST_LOOK: i32 = 4;
/// The farthest look. An island that goes on beyond it is kept.
const LAST_LOOK: i32 = 96;

/// An island of fewer floors than the least, as far as the tile itself shows it.
struct Piece {
    floors: Vec<u32>,
    goes_on: bool,
}

/// Takes the label from all floors of islands of fewer than `min_region_area` floors.
///
/// An island may go on in other tiles. Where its part in this one is too small, `walkable` is asked for the floors of a
/// window around that part, wide enough to count the rest; every tile that holds a part of it comes to one answer.
///
/// # Errors
/// Those of `walkable`.
pub(crate) fn drop_islands(
    field: &mut CompactField,
    window: &Window,
    grid: &VoxelGrid,
    walkable: &dyn Fn(&Window) -> Result<CompactField, BakeError>,
) -> Result<(), BakeError> {
    for piece in small_pieces(field, grid.min_region_area) {
        if piece.goes_on && goes_far(field, window, grid, &piece, walkable)? {
            continue;
        }
        for floor in piece.floors {
            field.label[floor as usize] = NO_LABEL;
        }
    }
    Ok(())
}

fn small_pieces(field: &CompactField, least: i64) -> Vec<Piece> {
    if least < 2 {
        return Vec::new();
    }
    let mut seen = vec![false; field.len()];
    let mut pieces = Vec::new();
    let mut stack: Vec<u32> = Vec::new();
    field.visit_inside(|_, _, start| {
        if seen[start] || field.label[start] == NO_LABEL {
            return;
        }
        let mut piece = Piece { floors: Vec::new(), goes_on: false };
        let mut count = 0;
        seen[start] = true;
        stack.push(start as u32);
        // What is seen over the border counts too, and may lead back into the tile: all of it is there.
        while let Some(floor) = stack.pop() {
            count += 1;
            if !field.is_inside(floor as usize) {
                piece.goes_on = true;
            } else if count < least {
                piece.floors.push(floor);
            }
            for link in field.links[floor as usize] {
                let other = link as usize;
                if field.label[other] != NO_LABEL && !seen[other] {
                    seen[other] = true;
                    stack.push(link);
                }
            }
        }
        if count < least {
            pieces.push(piece);
        }
    });
    pieces
}

/// Whether the island that a piece is of has enough floors, counted over the tile's border.
fn goes_far(
    field: &CompactField,
    window: &Window,
    grid: &VoxelGrid,
    piece: &Piece,
    walkable: &dyn Fn(&Window) -> Result<CompactField, BakeError>,
) -> Result<bool, BakeError> {
    let start = piece.floors[0] as usize;
    let in_world = |cell: [u16; 2], low: [i32; 2]| [0, 1].map(|axis| i32::from(cell[axis]) + low[axis]);
    let start_cell = in_world(field.cells[start], window.low);
    let mut known = CellBox::EMPTY;
    for &floor in &piece.floors {
        let cell = in_world(field.cells[floor as usize], window.low);
        known = known.join(&CellBox { low: cell, high: cell });
    }
    let mut reach = FIRST_LOOK;
    while reach <= LAST_LOOK {
        let beyond = reach + grid.border;
        let wide = Window {
            low: known.low.map(|low| low - beyond),
            size: [0, 1].map(|axis| known.high[axis] - known.low[axis] + 1 + 2 * beyond),
        };
        let floors = walkable(&wide)?;
        let [x, z] = [0, 1].map(|axis| (start_cell[axis] - wide.low[axis]) as usize);
        let same = |&floor: &usize| floors.y[floor] == field.y[start];
        let Some(seed) = floors.cell(z * floors.width + x).find(same) else { return Ok(true) };
        let mut counted = CellBox::EMPTY;
        let count = count_from(&floors, seed, grid.min_region_area, |floor| {
            let cell = in_world(floors.cells[floor], wide.low);
            counted = counted.join(&CellBox { low: cell, high: cell });
        });
        match count {
            Count::Enough => return Ok(true),
            Count::Few => return Ok(false),
            Count::Unknown => (known, reach) = (counted, reach * 2),
        }
    }
    Ok(true)
}

enum Count {
    Enough,
    Few,
    /// It goes on over the window's border.
    Unknown,
}

/// Counts the floors of an island, nearest first, and shows each.
fn count_from(field: &CompactField, seed: usize, least: i64, mut visit: impl FnMut(usize)) -> Count {
    let mut seen = vec![false; field.len()];
    let mut queue = VecDeque::from([seed as u32]);
    seen[seed] = true;
    let (mut count, mut leaves) = (0, false);
    while let Some(floor) = queue.pop_front() {
        count += 1;
        visit(floor as usize);
        if count >= least {
            return Count::Enough;
        }
        for link in field.links[floor as usize] {
            let other = link as usize;
            if field.label[other] != NO_LABEL && !field.is_inside(other) {
                leaves = true;
            } else if field.label[other] != NO_LABEL && !seen[other] {
                seen[other] = true;
                queue.push_back(link);
            }
        }
    }
    if leaves { Count::Unknown } else { Count::Few }
}
