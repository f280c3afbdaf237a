//! Regions that wind up over themselves, as a basin on a spiral stair may, are divided: one outline cannot describe them.

use super::compact::CompactField;
use super::poll::{Poll, poll_at};
use super::region::{BORDER, NO_REGION};
use crate::bake::BakeError;

/// Divides regions that have two floors in one cell; answers the highest number then. The first part keeps the number.
///
/// A part grows from its first floor over links, nearest first, into cells that it does not have yet.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn split_overlapping(
    field: &CompactField,
    of: &mut [u32],
    mut count: u32,
    poll: Poll<'_>,
) -> Result<u32, BakeError> {
    let mut winding: Vec<u32> = Vec::new();
    for floor in field.inside_rows().flatten() {
        poll_at(floor, poll)?;
        let region = of[floor];
        if region != NO_REGION && region != BORDER && field.is_stacked(floor) {
            let mut above = field.column_of(floor).skip_while(|&other| other <= floor);
            if above.any(|other| of[other] == region) {
                winding.push(region);
            }
        }
    }
    if winding.is_empty() {
        return Ok(count);
    }
    winding.sort_unstable();
    winding.dedup();
    let mut taken = vec![false; of.len()];
    // The part that a cell's floor is of, counted over all regions.
    let mut part_of = vec![0_u32; field.width * field.depth];
    let (mut part, mut queue) = (0, Vec::new());
    let mut is_first = vec![true; winding.len()];
    for start in field.inside_rows().flatten() {
        poll_at(start, poll)?;
        let region = of[start];
        let Ok(index) = winding.binary_search(&region) else { continue };
        if taken[start] {
            continue;
        }
        let number = match std::mem::replace(&mut is_first[index], false) {
            true => region,
            false => {
                count += 1;
                count
            }
        };
        part += 1;
        queue.clear();
        queue.push(start);
        taken[start] = true;
        part_of[field.cell_index(start)] = part;
        let mut next = 0;
        while let Some(&floor) = queue.get(next) {
            next += 1;
            poll_at(next, poll)?;
            for link in field.links[floor] {
                let other = link as usize;
                if of[other] == region && !taken[other] && part_of[field.cell_index(other)] != part {
                    taken[other] = true;
                    part_of[field.cell_index(other)] = part;
                    queue.push(other);
                }
            }
            of[floor] = number;
        }
    }
    Ok(count)
}
