//! What the tiles on both sides of a border agree on: corners that both keep, so that a floor that goes on is stitched.
//!
//! Both tiles know the floors on both sides of the border, so both find the same runs of cells across which the floor
//! goes on, the same heights along them, and the same line through few corners: the ends, and whatever a straight line
//! would miss by too much. Both keep those corners; others that one of them has on the border lie close to the line.

use super::compact::CompactField;
use super::grid::VoxelGrid;
use super::outline::corner_height;
use super::soup::NO_LABEL;

/// How far a corner of one tile alone may leave the line, in climbs. The tile beside may have one there too, off the
/// other way, and the two must lie within a climb.
const OFF_LINE: f64 = 0.45;

/// A corner of cells on a border over which the floor goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BorderCorner {
    /// x, y, z from the tile's corner.
    place: [i32; 3],
    /// The height that it gets.
    y: i32,
    /// Whether both tiles keep it.
    pinned: bool,
}

/// All corners of the tile's border over which the floor goes on, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    corners: Vec<BorderCorner>,
    /// Cells of the tile's side.
    side: i32,
}

impl Pins {
    /// The height of a corner, moved towards the border's line where it is one; and whether it stays.
    pub(crate) fn settle(&self, place: [i32; 3]) -> (i32, bool) {
        if ![0, self.side].contains(&place[0]) && ![0, self.side].contains(&place[2]) {
            return (place[1], false);
        }
        let from = self.corners.partition_point(|corner| corner.place < place);
        // A corner of the tile lies on two sides, and a pin on either is a pin; pinned ones come last.
        let same = self.corners[from..].iter().take_while(|corner| corner.place == place);
        same.fold((place[1], false), |found, corner| {
            if corner.pinned || !found.1 { (corner.y, corner.pinned) } else { found }
        })
    }
}

/// Finds the corners that stay on all four sides.
pub(crate) fn pin_borders(field: &CompactField, grid: &VoxelGrid) -> Pins {
    let mut pins = Vec::new();
    for direction in 0..4 {
        pin_side(field, grid, direction, &mut pins);
    }
    pins.sort_unstable();
    pins.dedup();
    Pins { corners: pins, side: grid.tile_cells }
}

fn pin_side(field: &CompactField, grid: &VoxelGrid, direction: usize, pins: &mut Vec<BorderCorner>) {
    // Along the side, always in world order, so that both tiles go the same way.
    let along = if direction.is_multiple_of(2) { 1 } else { 2 };
    // A tile is square.
    let last = field.width - field.border - 1;
    let across = [field.border, last, last, field.border][direction];
    for step in field.border..=last {
        let cell = if along == 1 { step * field.width + across } else { across * field.width + step };
        for floor in field.cell(cell) {
            if goes_on(field, floor, direction) && before(field, floor, direction, along).is_none() {
                pin_run(field, grid, floor, direction, along, pins);
            }
        }
    }
}

/// Whether an agent may step from a floor of the tile to the tile beside.
fn goes_on(field: &CompactField, floor: usize, direction: usize) -> bool {
    let other = field.links[floor][direction] as usize;
    field.label[floor] != NO_LABEL && field.label[other] != NO_LABEL
}

/// The floor beside along the border over which the run goes on: linked on both sides of the border.
fn beside(field: &CompactField, floor: usize, direction: usize, along: usize) -> Option<usize> {
    let [x, z] = field.cell_of(floor);
    let at = if along % 2 == 1 { z } else { x };
    let inside = (field.width - 2 * field.border) as i32;
    let ends = if along == 1 || along == 2 { at + 1 >= inside } else { at <= 0 };
    let next = field.links[floor][along];
    let outside = field.links[floor][direction] as usize;
    let both = next != field.none()
        && goes_on(field, next as usize, direction)
        && field.links[outside][along] == field.links[next as usize][direction];
    (!ends && both).then_some(next as usize)
}

fn before(field: &CompactField, floor: usize, direction: usize, along: usize) -> Option<usize> {
    beside(field, floor, direction, (along + 2) % 4)
}

/// Follows a run from its first floor and pins what stays of its corners.
fn pin_run(
    field: &CompactField,
    grid: &VoxelGrid,
    first: usize,
    direction: usize,
    along: usize,
    pins: &mut Vec<BorderCorner>,
) {
    let height_at = |floor: usize, end: usize| {
        // The corner between two directions is asked by the one that the other follows.
        let corner = if (direction + 1) % 4 == end { direction } else { end };
        corner_height(field, floor, corner)
    };
    let mut heights = vec![height_at(first, (along + 2) % 4)];
    let mut floor = Some(first);
    while let Some(here) = floor {
        heights.push(height_at(here, along));
        floor = beside(field, here, direction, along);
    }
    let last = heights.len() - 1;
    let mut kept = vec![0, last];
    keep_between(&heights, 0, last, tolerance(grid), &mut kept);
    kept.sort_unstable();
    let [x, z] = field.cell_of(first);
    let n = grid.tile_cells;
    let slack = OFF_LINE * f64::from(grid.climb);
    for pair in kept.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        for step in from..=to {
            let pinned = step == from || step == to;
            let y = heights[step];
            let along = step as i32;
            let place = match direction {
                0 => [0, y, z + along],
                1 => [x + along, y, n],
                2 => [n, y, z + along],
                _ => [x + along, y, 0],
            };
            let line = line_at(&heights, from, to, step);
            let settled = match f64::from(y) - line {
                _ if pinned => y,
                off if off > slack => (line + slack).floor() as i32,
                off if off < -slack => (line - slack).ceil() as i32,
                _ => y,
            };
            pins.push(BorderCorner { place, y: settled, pinned });
        }
    }
}

/// How far the line may leave the floor: so little that no line comes nearer to the line of the floor above or below
/// than a climb, and that heights on the border stay within a climb of the floor.
fn tolerance(grid: &VoxelGrid) -> f64 {
    let (climb, height) = (f64::from(grid.climb), f64::from(grid.height));
    ((height - climb) / 2.0).clamp(OFF_LINE * climb, 0.75 * climb)
}

/// The height at a step of the straight line between two others.
fn line_at(heights: &[i32], from: usize, to: usize, step: usize) -> f64 {
    let (low, high) = (f64::from(heights[from]), f64::from(heights[to]));
    low + (high - low) * ((step - from) as f64 / (to - from) as f64)
}

/// Adds the step farthest off the line between two others, again and again, until all lie within the tolerance
/// (Douglas & Peucker 1973).
fn keep_between(heights: &[i32], from: usize, to: usize, tolerance: f64, kept: &mut Vec<usize>) {
    let mut stack = vec![(from, to)];
    while let Some((from, to)) = stack.pop() {
        let mut farthest = (tolerance, None);
        for step in from + 1..to {
            let off = (f64::from(heights[step]) - line_at(heights, from, to, step)).abs();
            if off > farthest.0 {
                farthest = (off, Some(step));
            }
        }
        if let Some(step) = farthest.1 {
            kept.push(step);
            stack.push((from, step));
            stack.push((step, to));
        }
    }
}
