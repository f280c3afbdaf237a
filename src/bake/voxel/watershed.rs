//! Regions by watershed: basins of the distance to the nearest edge, flooded from the deepest up.

use super::compact::CompactField;
use super::poll::{POLL_EVERY, Poll, poll_at};
use super::region::{BORDER, NO_REGION};
use super::soup::NO_LABEL;
use crate::bake::BakeError;

/// Rings that a region grows by at one level before new regions begin there; Recast's number.
const GROWTH: usize = 8;

/// The distance of each floor to the nearest edge of its area, smoothed, in half cells.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn distance_field(field: &CompactField, poll: Poll<'_>) -> Result<Vec<u16>, BakeError> {
    let label = &field.label;
    let is_edge = |floor: usize| {
        let own = label[floor];
        own == NO_LABEL || field.links[floor].iter().any(|&link| label[link as usize] != own)
    };
    let distance = field.distances(is_edge, poll)?;
    let none = field.len();
    let mut smooth = Vec::with_capacity(none + 1);
    for floor in 0..none {
        poll_at(floor, poll)?;
        let here = u32::from(distance[floor]);
        if here <= 2 {
            smooth.push(distance[floor]);
            continue;
        }
        // Nothing beyond an edge: as far as here. Farther floors than 2 have all four neighbours.
        let mut sum = here;
        for direction in 0..4 {
            let beside = field.links[floor][direction] as usize;
            let corner = field.links[beside][(direction + 1) % 4] as usize;
            sum += if beside == none { here } else { distance[beside].into() };
            sum += if corner == none { here } else { distance[corner].into() };
        }
        smooth.push(((sum + 5) / 9) as u16);
    }
    smooth.push(0);
    Ok(smooth)
}

/// Numbers the tile's floors in `of`, which knows the border's; answers the highest number.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn watershed(
    field: &CompactField,
    distance: &[u16],
    of: &mut [u32],
    poll: Poll<'_>,
) -> Result<u32, BakeError> {
    let mut flood = Flood {
        field,
        distance,
        from_seed: vec![0; field.len() + 1],
        stack: Vec::new(),
        fresh: Vec::new(),
        taken: Vec::new(),
        poll,
        looked_at: 0,
    };
    let order = by_distance(field, distance, of, poll)?;
    let deepest = order.first().map_or(0, |&floor| distance[floor as usize]);
    let mut level = (deepest + 1) & !1;
    let mut next = 0;
    let mut count = 0;
    let mut waiting: Vec<u32> = Vec::new();
    // Once more at the shore: strips of one or two cells have no depth at all.
    loop {
        level = level.saturating_sub(2);
        let deep = order[next..].partition_point(|&floor| distance[floor as usize] >= level);
        waiting.extend_from_slice(&order[next..next + deep]);
        next += deep;
        flood.grow(&waiting, level, if level > 0 { GROWTH } else { usize::MAX }, of)?;
        for floors in waiting.chunks(POLL_EVERY) {
            poll()?;
            for &floor in floors {
                if of[floor as usize] == NO_REGION && flood.begin(floor, level, count + 1, of)? {
                    count += 1;
                }
            }
        }
        let mut left = 0;
        for first in (0..waiting.len()).step_by(POLL_EVERY) {
            poll()?;
            for index in first..waiting.len().min(first + POLL_EVERY) {
                let floor = waiting[index];
                waiting[left] = floor;
                left += usize::from(of[floor as usize] == NO_REGION);
            }
        }
        waiting.truncate(left);
        if level == 0 {
            flood.grow(&waiting, 0, usize::MAX, of)?;
            return Ok(count);
        }
    }
}

/// The tile's walkable floors, deepest first, then by number.
///
/// # Errors
/// Those of `poll`.
fn by_distance(
    field: &CompactField,
    distance: &[u16],
    of: &[u32],
    poll: Poll<'_>,
) -> Result<Vec<u32>, BakeError> {
    let mut waiting: Vec<u32> = Vec::with_capacity(field.len());
    let waits = |floor: usize| of[floor] == NO_REGION && field.label[floor] != NO_LABEL;
    for first in (0..field.len()).step_by(POLL_EVERY) {
        poll()?;
        let floors = first..field.len().min(first + POLL_EVERY);
        waiting.extend(floors.filter(|&floor| waits(floor)).map(|floor| floor as u32));
    }
    let mut starts: Vec<u32> = Vec::new();
    for floors in waiting.chunks(POLL_EVERY) {
        poll()?;
        let deepest = floors.iter().map(|&floor| distance[floor as usize]).max().unwrap_or(0);
        starts.resize(starts.len().max(usize::from(deepest) + 1), 0);
        for &floor in floors {
            starts[usize::from(distance[floor as usize])] += 1;
        }
    }
    let mut at = 0;
    for start in starts.iter_mut().rev() {
        (*start, at) = (at, at + *start);
    }
    let mut order = vec![0; waiting.len()];
    for floors in waiting.chunks(POLL_EVERY) {
        poll()?;
        for &floor in floors {
            let place = &mut starts[usize::from(distance[floor as usize])];
            order[*place as usize] = floor;
            *place += 1;
        }
    }
    Ok(order)
}

struct Flood<'a> {
    field: &'a CompactField,
    distance: &'a [u16],
    /// Steps, doubled, from where its region began or grew from.
    from_seed: Vec<u16>,
    stack: Vec<u32>,
    /// Floors that the last ring of growth took.
    fresh: Vec<u32>,
    /// What this ring takes: floor, region, doubled steps.
    taken: Vec<(u32, u32, u16)>,
    poll: Poll<'a>,
    /// Floors, however often.
    looked_at: usize,
}

impl Flood<'_> {
    /// Grows regions into waiting floors ring by ring, each floor to the region with the shortest way.
    fn grow(&mut self, waiting: &[u32], level: u16, rings: usize, of: &mut [u32]) -> Result<(), BakeError> {
        let field = self.field;
        self.fresh.clear();
        for ring in 0..rings {
            self.taken.clear();
            if ring == 0 {
                for &floor in waiting {
                    self.look()?;
                    self.take(floor, of);
                }
            } else {
                for index in 0..self.fresh.len() {
                    self.look()?;
                    for link in field.links[self.fresh[index] as usize] {
                        let other = link as usize;
                        let waits = of[other] == NO_REGION && field.label[other] != NO_LABEL;
                        if waits && self.distance[other] >= level {
                            self.take(link, of);
                        }
                    }
                }
            }
            self.fresh.clear();
            for &(floor, region, steps) in &self.taken {
                if of[floor as usize] == NO_REGION {
                    of[floor as usize] = region;
                    self.from_seed[floor as usize] = steps;
                    self.fresh.push(floor);
                }
            }
            if self.fresh.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), BakeError> {
        self.looked_at += 1;
        poll_at(self.looked_at, self.poll)
    }

    /// Notes the neighbouring region with the shortest way to a floor, if there is one.
    fn take(&mut self, floor: u32, of: &[u32]) {
        let field = self.field;
        let here = floor as usize;
        if of[here] != NO_REGION {
            return;
        }
        let mut best = (u16::MAX, NO_REGION);
        for link in field.links[here] {
            let other = link as usize;
            let region = of[other];
            if region != NO_REGION && region != BORDER && field.label[other] == field.label[here] {
                let steps = self.from_seed[other].saturating_add(2);
                if steps < best.0 {
                    best = (steps, region);
                }
            }
        }
        if best.1 != NO_REGION {
            self.taken.push((floor, best.1, best.0));
        }
    }

    /// Begins a region at a floor and floods its basin, down to one level below; answers whether anything stayed.
    fn begin(&mut self, floor: u32, level: u16, region: u32, of: &mut [u32]) -> Result<bool, BakeError> {
        let field = self.field;
        let label = field.label[floor as usize];
        let shore = level.saturating_sub(2);
        of[floor as usize] = region;
        self.from_seed[floor as usize] = 0;
        self.stack.push(floor);
        let mut stayed = false;
        while let Some(floor) = self.stack.pop() {
            self.look()?;
            if self.meets_other_region(floor, region, label, of) {
                of[floor as usize] = NO_REGION;
                continue;
            }
            stayed = true;
            for link in field.links[floor as usize] {
                let other = link as usize;
                let waits = of[other] == NO_REGION && field.label[other] == label;
                if waits && self.distance[other] >= shore {
                    of[other] = region;
                    self.from_seed[other] = 0;
                    self.stack.push(link);
                }
            }
        }
        Ok(stayed)
    }

    /// Whether one of the eight floors around belongs to another region of the tile.
    fn meets_other_region(&self, floor: u32, region: u32, label: u16, of: &[u32]) -> bool {
        let field = self.field;
        let other = |floor: usize| {
            let own = [NO_REGION, BORDER, region].contains(&of[floor]);
            field.label[floor] == label && !own
        };
        (0..4).any(|direction| {
            let beside = field.links[floor as usize][direction] as usize;
            let corner = field.links[beside][(direction + 1) % 4] as usize;
            // Only through a floor of the same area.
            field.label[beside] == label && (other(beside) || other(corner))
        })
    }
}
