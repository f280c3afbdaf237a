//! Walking round regions and corners of cells.

use super::compact::CompactField;
use super::poll::{Poll, poll_at};
use crate::bake::BakeError;

/// Walks the outline of a floor's region from one of its edges, the region on the left.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn outline_edges(
    field: &CompactField,
    of: &[u32],
    (start, start_direction): (usize, usize),
    poll: Poll<'_>,
    mut visit: impl FnMut(usize, usize),
) -> Result<(), BakeError> {
    let own = of[start];
    let (mut floor, mut direction) = (start, start_direction);
    // Each floor is come to at most four times, with at most four turns.
    for step in 1..=16 * field.len() {
        poll_at(step, poll)?;
        let other = field.links[floor][direction] as usize;
        if of[other] == own {
            floor = other;
            direction = (direction + 1) % 4;
        } else {
            visit(floor, direction);
            direction = (direction + 3) % 4;
        }
        if floor == start && direction == start_direction {
            break;
        }
    }
    Ok(())
}

/// The greatest height of the floors round the corner between a direction and the next, as far as links lead round it:
/// the same, whichever of them is asked.
pub(crate) fn corner_height(field: &CompactField, floor: usize, direction: usize) -> i32 {
    let mut highest = field.y[floor];
    // Both ways round: through the direction, and through the next.
    for (first, turn) in [(direction, 1), ((direction + 1) % 4, 3)] {
        let (mut at, mut toward) = (floor, first);
        for _ in 0..3 {
            let next = field.links[at][toward];
            if next == field.none() {
                break;
            }
            at = next as usize;
            highest = highest.max(field.y[at]);
            toward = (toward + turn) % 4;
        }
    }
    highest
}
