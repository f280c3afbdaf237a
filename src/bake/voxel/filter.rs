//! Which tops of spans can be stood on: low obstacles are stepped over, ledges and low ceilings are not.

use super::grid::Window;
use super::rasterize::Heightfield;
use super::soup::NO_LABEL;

/// A ceiling where there is none; differences to any floor stay in range.
pub(crate) const OPEN_SKY: i32 = i32::MAX / 2;

/// A floor with head room above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Floor {
    /// Top of the span below it.
    pub(crate) y: i32,
    /// Bottom of the span above it, or [`OPEN_SKY`].
    pub(crate) ceiling: i32,
    /// [`NO_LABEL`] where nothing may walk.
    pub(crate) label: u16,
}

/// All floors of a window with head room: those of cell c are `floors[first[c]..first[c + 1]]`, from below.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OpenField {
    pub(crate) first: Vec<u32>,
    pub(crate) floors: Vec<Floor>,
    /// Per cell the bottom of its lowest span, or [`OPEN_SKY`].
    pub(crate) bottom: Vec<i32>,
}

/// Floors with at least `height` above them. An obstacle whose top lies at most `climb` above the walkable span below
/// it becomes walkable itself.
pub(crate) fn open_floors(field: &Heightfield, height: i32, climb: i32) -> OpenField {
    let cells = field.first.len() - 1;
    let mut open = OpenField {
        first: Vec::with_capacity(cells + 1),
        floors: Vec::with_capacity(field.spans.len()),
        bottom: Vec::with_capacity(cells),
    };
    for cell in 0..cells {
        open.first.push(open.floors.len() as u32);
        let spans = &field.spans[field.first[cell] as usize..field.first[cell + 1] as usize];
        open.bottom.push(spans.first().map_or(OPEN_SKY, |span| span.low));
        // The span below: whether it was walkable by itself, its label now, its top.
        let mut below = (false, NO_LABEL, 0);
        for (index, span) in spans.iter().enumerate() {
            let walkable = span.label != NO_LABEL;
            let step_up = !walkable && below.0 && span.high - below.2 <= climb;
            let label = if step_up { below.1 } else { span.label };
            below = (walkable, label, span.high);
            let ceiling = spans.get(index + 1).map_or(OPEN_SKY, |above| above.low);
            if ceiling - span.high >= height {
                open.floors.push(Floor { y: span.high, ceiling, label });
            }
        }
    }
    open.first.push(open.floors.len() as u32);
    open
}

/// Takes the label from floors beside a drop of more than `climb`, and from those whose reachable neighbours lie more
/// than `climb` apart, which is too steep. The window's outside counts as a drop.
///
/// Answers for each floor and direction the floor beside that an agent may step to, or the number of floors: the
/// nearest in height, the lower of two, labelled or not; and the floors that lost their label, ascending.
pub(crate) fn filter_ledges(
    open: &mut OpenField,
    window: &Window,
    height: i32,
    climb: i32,
) -> (Vec<[u32; 4]>, Vec<u32>) {
    let [width, depth] = window.size.map(|cells| cells as usize);
    let mut links = vec![[open.floors.len() as u32; 4]; open.floors.len() + 1];
    let mut ledges: Vec<u32> = Vec::new();
    for z in 0..depth {
        for cell in z * width..(z + 1) * width {
            let floors = open.first[cell] as usize..open.first[cell + 1] as usize;
            if floors.is_empty() {
                continue;
            }
            let x = cell - z * width;
            let inside = x > 0 && z > 0 && x + 1 < width && z + 1 < depth;
            for index in floors {
                let floor = open.floors[index];
                if floor.label != NO_LABEL
                    && (!inside || is_ledge(open, cell, width, floor, [height, climb], &mut links[index]))
                {
                    ledges.push(index as u32);
                }
            }
        }
    }
    for &index in &ledges {
        open.floors[index as usize].label = NO_LABEL;
    }
    (links, ledges)
}

/// Per floor a bit for each direction in which an agent would step to a ledge.
pub(crate) fn steps_to_ledges(links: &[[u32; 4]], ledges: &[u32]) -> Vec<u8> {
    let mut is_ledge = vec![false; links.len()];
    ledges.iter().for_each(|&ledge| is_ledge[ledge as usize] = true);
    let bits = |links: &[u32; 4]| (0..4).map(|d| u8::from(is_ledge[links[d] as usize]) << d).sum();
    links.iter().map(bits).collect()
}

/// Whether a floor is a ledge or too steep; fills its links as far as it looked.
fn is_ledge(
    open: &OpenField,
    cell: usize,
    width: usize,
    floor: Floor,
    [height, climb]: [i32; 2],
    links: &mut [u32; 4],
) -> bool {
    let (mut lowest, mut highest) = (floor.y, floor.y);
    for (neighbour, link) in [cell - 1, cell + width, cell + 1, cell - width].into_iter().zip(links) {
        // The room below all spans of the neighbour is a bottomless drop.
        if floor.ceiling.min(open.bottom[neighbour]) - floor.y >= height {
            return true;
        }
        let first = open.first[neighbour];
        let mut nearest = climb + 1;
        for (other, number) in
            open.floors[first as usize..open.first[neighbour + 1] as usize].iter().zip(first..)
        {
            if floor.ceiling.min(other.ceiling) - floor.y.max(other.y) < height {
                continue;
            }
            let step = other.y - floor.y;
            if step < -climb {
                return true;
            }
            if step <= climb {
                lowest = lowest.min(other.y);
                highest = highest.max(other.y);
                if step.abs() < nearest {
                    (nearest, *link) = (step.abs(), number);
                }
            }
        }
    }
    highest - lowest > climb
}
