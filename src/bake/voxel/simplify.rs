//! Outlines with fewer corners: walls may leave the cells by the contour error, what is shared stays shared.

use super::contours::{Contour, Corner};
use super::grid::VoxelGrid;
use super::poll::Poll;
use super::region::NO_REGION;
use crate::bake::BakeError;

/// The corners that stay. `max_error` in cells; outlines that would shrink to nothing or turn inside out are followed
/// exactly along their walls, and if that does not help, all around.
///
/// A corner stays where what lies across changes, and where the tile beside keeps it too: neighbours share these. From
/// one to the next the outline is straight where the same floor goes on across; along walls and floors of another label
/// corners are added until none is farther off than the error (Douglas & Peucker 1973), the same from both sides; then
/// along walls until no edge is longer than the longest.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn simplify(
    contour: &Contour,
    grid: &VoxelGrid,
    max_error: f64,
    poll: Poll<'_>,
) -> Result<Vec<Corner>, BakeError> {
    let winding = doubled_area(&contour.corners).signum();
    for error in [max_error, 0.0] {
        let simple = simplify_within(&contour.corners, grid, error, poll)?;
        if doubled_area(&simple).signum() == winding {
            return Ok(simple);
        }
    }
    Ok(contour.corners.clone())
}

/// Twice the area that an outline winds round, above 0 when counter-clockwise, in square cells.
pub(crate) fn doubled_area(corners: &[Corner]) -> i64 {
    let Some(first) = corners.first() else { return 0 };
    let from_first = |corner: &Corner| (i64::from(corner.x - first.x), i64::from(corner.z - first.z));
    corners
        .windows(2)
        .map(|pair| {
            let ((ax, az), (bx, bz)) = (from_first(&pair[0]), from_first(&pair[1]));
            ax * bz - az * bx
        })
        .sum()
}

fn simplify_within(
    corners: &[Corner],
    grid: &VoxelGrid,
    max_error: f64,
    poll: Poll<'_>,
) -> Result<Vec<Corner>, BakeError> {
    let count = corners.len();
    let repeated = if max_error == 0.0 { repeated_places(corners) } else { Vec::new() };
    let stays = |index: usize| {
        let (before, corner) = (&corners[(index + count - 1) % count], &corners[index]);
        let walls = before.across == NO_REGION && corner.across == NO_REGION;
        corner.pinned
            || corner.across != before.across
            // An outline followed exactly may touch itself at its corners, but not between them.
            || walls && repeated.binary_search(&place(corner)).is_ok()
    };
    let mut kept: Vec<usize> = (0..count).filter(|&index| stays(index)).collect();
    let closed = kept.len() < 2;
    if closed {
        let by_place = |&index: &usize| place(&corners[index]);
        kept.extend((0..count).min_by_key(by_place));
        kept.extend((0..count).max_by_key(by_place));
        kept.sort_unstable();
        kept.dedup();
    }
    let mut simple = Vec::with_capacity(kept.len() * 2);
    for (index, &from) in kept.iter().enumerate() {
        let to = kept[(index + 1) % kept.len()];
        let to = if to > from { to } else { to + count };
        simple.push(corners[from]);
        // One region all around, as of a floor within another, has nothing else to hold its shape.
        if corners[from].followed || closed {
            let wall = Wall { corners, grid, max_error };
            wall.add_between(from, to, &mut simple, poll)?;
        }
    }
    // Of corners at one place the last stays: what lies across is what the edge from there on has across.
    simple.dedup_by(|later, kept| {
        let same = place(later) == place(kept);
        if same {
            *kept = *later;
        }
        same
    });
    while simple.len() > 1 && place(&simple[0]) == place(&simple[simple.len() - 1]) {
        simple.pop();
    }
    Ok(simple)
}

/// Places that an outline comes by more than once, sorted.
fn repeated_places(corners: &[Corner]) -> Vec<(i32, i32)> {
    let mut places: Vec<(i32, i32)> = corners.iter().map(place).collect();
    places.sort_unstable();
    places.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|same| same[0]).collect()
}

fn place(corner: &Corner) -> (i32, i32) {
    (corner.x, corner.z)
}

/// A stretch of an outline that is followed; indices may pass the end and go on from the start.
struct Wall<'a> {
    corners: &'a [Corner],
    grid: &'a VoxelGrid,
    max_error: f64,
}

impl Wall<'_> {
    fn at(&self, index: usize) -> &Corner {
        &self.corners[index % self.corners.len()]
    }

    /// Appends the corners that stay strictly between two.
    fn add_between(
        &self,
        from: usize,
        to: usize,
        simple: &mut Vec<Corner>,
        poll: Poll<'_>,
    ) -> Result<(), BakeError> {
        // What is still to be joined to the corner in hand, nearest last.
        let mut ends = vec![to];
        let mut from = from;
        while let Some(&end) = ends.last() {
            poll()?;
            match self.split(from, end) {
                Some(middle) => ends.push(middle),
                None => {
                    ends.pop();
                    if end != to {
                        simple.push(*self.at(end));
                    }
                    from = end;
                }
            }
        }
        Ok(())
    }

    /// The corner to add between two, if one is needed: the farthest off, else the middle of a wall's edge that is too
    /// long. Which one does not depend on the way round: the region across comes the other way.
    fn split(&self, from: usize, to: usize) -> Option<usize> {
        let (a, b) = (self.at(from), self.at(to));
        let (low, high) = if place(a) <= place(b) { (a, b) } else { (b, a) };
        // One above the other they cannot become one corner: what lies between keeps them apart.
        let apart = place(a) == place(b) && (a.y - b.y).abs() * 2 > self.grid.climb;
        let within = if apart { 0.0 } else { self.max_error * self.max_error };
        let mut farthest: (f64, Option<usize>) = (within, None);
        for index in from + 1..to {
            let corner = self.at(index);
            let off = squared_distance(corner, low, high);
            let first = || farthest.1.is_some_and(|other| place(corner) < place(self.at(other)));
            if off > farthest.0 || off == farthest.0 && first() {
                farthest = (off, Some(index));
            }
        }
        let (dx, dz) = (i64::from(b.x - a.x), i64::from(b.z - a.z));
        let longest = i64::from(self.grid.max_edge_length);
        let too_long = longest > 0 && a.across == NO_REGION && dx * dx + dz * dz > longest * longest;
        farthest.1.or_else(|| (too_long && to - from > 1).then_some(from + (to - from) / 2))
    }
}

/// Squared distance on the plane from a corner to the segment between two.
fn squared_distance(corner: &Corner, from: &Corner, to: &Corner) -> f64 {
    let vector = |a: &Corner, b: &Corner| (f64::from(b.x - a.x), f64::from(b.z - a.z));
    let ((dx, dz), (px, pz)) = (vector(from, to), vector(from, corner));
    let length = dx * dx + dz * dz;
    let t = if length > 0.0 { ((px * dx + pz * dz) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (x, z) = (px - t * dx, pz - t * dz);
    x * x + z * z
}
