//! Small regions join their neighbours.

use super::compact::CompactField;
use super::grid::VoxelGrid;
use super::outline::outline_edges;
use super::poll::{POLL_EVERY, Poll, poll_at};
use super::region::{BORDER, NO_REGION};
use crate::bake::BakeError;

/// A list of so many numbers is looked through without more ado.
const FEW: usize = 8;

/// What merging asks of a region.
#[derive(Clone, Debug, Default)]
struct Region {
    /// Floors in it; 0 once it joined another.
    floors: i64,
    /// Its first floor.
    first: usize,
    label: u16,
    /// What lies along its outline, in order, no entry like the next: regions, [`NO_REGION`] for walls, [`BORDER`].
    around: Vec<u32>,
    /// Regions above or below it.
    stacked: Vec<u32>,
    overlaps_itself: bool,
    /// Regions that it shares an edge with, also round holes.
    beside: Vec<u32>,
}

/// Joins regions of at most `merge_region_area` floors, and those that no wall bounds, with their smallest fitting
/// neighbour, as long as there is one.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn merge_regions(
    field: &CompactField,
    grid: &VoxelGrid,
    of: &mut [u32],
    count: u32,
    poll: Poll<'_>,
) -> Result<u32, BakeError> {
    let mut regions = gather(field, of, count, poll)?;
    trace_outlines(field, of, &mut regions, poll)?;
    let mut names = Names::new(count);
    loop {
        let mut merged = false;
        for index in 1..=count {
            // A region may have a long outline to look along.
            poll()?;
            let region = &regions[index as usize];
            let whole = region.floors > grid.merge_region_area && region.around.contains(&NO_REGION);
            if region.floors == 0 || region.overlaps_itself || whole {
                continue;
            }
            if let Some(target) = smallest_fitting(&regions, &names, index) {
                join(&mut regions, &mut names, index, target);
                merged = true;
            }
        }
        if !merged {
            return names.renumber(of, poll);
        }
    }
}

/// Joins swept regions into sheets that lie nowhere above themselves.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn merge_sheets(
    field: &CompactField,
    of: &mut [u32],
    count: u32,
    poll: Poll<'_>,
) -> Result<u32, BakeError> {
    let regions = gather(field, of, count, poll)?;
    let mut names = Names::new(count);
    let mut taken = vec![false; regions.len()];
    let mut queue = Vec::new();
    for root in 1..=count {
        if taken[root as usize] {
            continue;
        }
        taken[root as usize] = true;
        let label = regions[root as usize].label;
        let mut stacked = regions[root as usize].stacked.clone();
        queue.clear();
        queue.push(root);
        let mut next = 0;
        while next < queue.len() {
            poll()?;
            let region = queue[next];
            next += 1;
            for index in 0..regions[region as usize].beside.len() {
                let other = regions[region as usize].beside[index];
                let data = &regions[other as usize];
                let fits = !taken[other as usize] && data.label == label;
                if fits && !stacked.contains(&other) {
                    taken[other as usize] = true;
                    stacked.extend(&data.stacked);
                    names.set(other, root);
                    queue.push(other);
                }
            }
        }
    }
    names.renumber(of, poll)
}

/// Counts, stacks, neighbours and first floors of all regions.
fn gather(field: &CompactField, of: &[u32], count: u32, poll: Poll<'_>) -> Result<Vec<Region>, BakeError> {
    let mut regions = vec![Region::default(); count as usize + 1];
    for floor in field.inside_rows().flatten() {
        poll_at(floor, poll)?;
        let own = of[floor];
        if own == NO_REGION {
            continue;
        }
        let region = &mut regions[own as usize];
        if region.floors == 0 {
            (region.first, region.label) = (floor, field.label[floor]);
        }
        region.floors += 1;
        for link in field.links[floor] {
            let other = of[link as usize];
            if other == own || other == NO_REGION || other == BORDER {
                continue;
            }
            // Mostly the one beside which the last floor lay.
            if region.beside.last() != Some(&other) && !region.beside.contains(&other) {
                region.beside.push(other);
            }
        }
        if field.is_stacked(floor) {
            let mut next = 0;
            for other in field.column_of(floor).filter(|&other| other != floor).map(|other| of[other]) {
                if other == own {
                    region.overlaps_itself = true;
                } else if other != NO_REGION && other != BORDER {
                    next += 1;
                    // A long list is as the cell before had it, mostly; to look through a short one is quicker than
                    // to tell.
                    let is_long = region.stacked.len() > FEW;
                    let expected = is_long && region.stacked.get(next - 1) == Some(&other);
                    if !expected && !region.stacked.contains(&other) {
                        region.stacked.push(other);
                    }
                }
            }
        }
    }
    regions.iter_mut().for_each(|region| region.beside.sort_unstable());
    Ok(regions)
}

/// Fills `around` by walking the outline on which a region's first floor lies: the outer one.
fn trace_outlines(
    field: &CompactField,
    of: &[u32],
    regions: &mut [Region],
    poll: Poll<'_>,
) -> Result<(), BakeError> {
    for (own, region) in (0..).zip(regions).filter(|(_, region)| region.floors > 0) {
        poll()?;
        let edge = |&direction: &usize| of[field.links[region.first][direction] as usize] != own;
        // The first of all lies on the outline.
        let Some(direction) = (0..4).find(edge) else { continue };
        let around = &mut region.around;
        outline_edges(field, of, (region.first, direction), poll, |floor, direction| {
            let other = of[field.links[floor][direction] as usize];
            if around.last() != Some(&other) {
                around.push(other);
            }
        })?;
        if around.len() > 1 && around.first() == around.last() {
            around.pop();
        }
    }
    Ok(())
}

/// The smallest neighbour that a region may join: of its label, touching it along one stretch only, so that the sum
/// has no hole, and nowhere above or below it.
fn smallest_fitting(regions: &[Region], names: &Names, index: u32) -> Option<u32> {
    let region = &regions[index as usize];
    let mut best: Option<(i64, u32)> = None;
    for &other in &region.around {
        let other = names.of(other);
        if other == NO_REGION || other == BORDER || other == index {
            continue;
        }
        let neighbour = &regions[other as usize];
        let smaller = best.is_none_or(|(floors, _)| neighbour.floors < floors);
        if smaller
            && !neighbour.overlaps_itself
            && neighbour.label == region.label
            && touches_once(region, other, names)
            && touches_once(neighbour, index, names)
            && !region.stacked.iter().any(|&name| names.of(name) == other)
            && !neighbour.stacked.iter().any(|&name| names.of(name) == index)
        {
            best = Some((neighbour.floors, other));
        }
    }
    best.map(|(_, other)| other)
}

fn touches_once(region: &Region, other: u32, names: &Names) -> bool {
    region.around.iter().filter(|&&name| names.of(name) == other).count() == 1
}

/// Joins `index` into `target`, whose outlines touch once: each list goes round from behind the touch.
fn join(regions: &mut [Region], names: &mut Names, index: u32, target: u32) {
    let gone = std::mem::take(&mut regions[index as usize]);
    let mut around = Vec::with_capacity(gone.around.len() + regions[target as usize].around.len());
    for (list, touch) in [(&regions[target as usize].around, index), (&gone.around, target)] {
        let at = list.iter().position(|&name| names.of(name) == touch).unwrap_or(0);
        let behind = list[at + 1..].iter().chain(&list[..at]);
        around.extend(behind.map(|&name| names.of(name)));
    }
    around.dedup();
    while around.len() > 1 && around.first() == around.last() {
        around.pop();
    }
    let sum = &mut regions[target as usize];
    sum.around = around;
    sum.floors += gone.floors;
    sum.stacked.extend(gone.stacked);
    names.set(index, target);
}

/// What each region is called now.
struct Names(Vec<u32>);

impl Names {
    fn new(count: u32) -> Self {
        Self((0..=count).collect())
    }

    fn of(&self, mut region: u32) -> u32 {
        while let Some(&name) = self.0.get(region as usize)
            && name != region
        {
            region = name;
        }
        region
    }

    fn set(&mut self, region: u32, name: u32) {
        self.0[region as usize] = name;
    }

    /// Gives the floors their new names, numbered from 1 in the order in which they first occur; answers how many.
    ///
    /// # Errors
    /// Those of `poll`.
    fn renumber(&self, of: &mut [u32], poll: Poll<'_>) -> Result<u32, BakeError> {
        let mut number = vec![0; self.0.len()];
        let mut count = 0;
        for floors in of.chunks_mut(POLL_EVERY) {
            poll()?;
            for region in floors.iter_mut().filter(|region| **region != BORDER && **region != NO_REGION) {
                let name = self.of(*region);
                if name != NO_REGION && number[name as usize] == 0 {
                    count += 1;
                    number[name as usize] = count;
                }
                *region = number[name as usize];
            }
        }
        Ok(count)
    }
}
