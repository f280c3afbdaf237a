//! Which tops of spans can be stood on: low obstacles are stepped over, ledges and low ceilings are not.

use super::grid::Window;
use super::heightfield::{Columns, Span};
use super::poll::Poll;
use super::soup::NO_LABEL;
use crate::bake::BakeError;

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

/// Makes floors of the columns that are rasterised: those with at least `height` above them. An obstacle whose top lies
/// at most `climb` above the walkable span below it becomes walkable itself.
pub(crate) struct OpenColumns {
    pub(crate) open: OpenField,
    height: i32,
    climb: i32,
}

impl OpenColumns {
    pub(crate) fn new(cells: usize, height: i32, climb: i32) -> Self {
        let mut open = OpenField {
            first: Vec::with_capacity(cells + 1),
            floors: Vec::new(),
            bottom: Vec::with_capacity(cells),
        };
        open.first.push(0);
        Self { open, height, climb }
    }
}

impl Columns for OpenColumns {
    fn expect(&mut self, spans: usize) {
        self.open.floors.reserve_exact(spans);
    }

    fn add_empty(&mut self, cells: usize) {
        let OpenField { first, floors, bottom } = &mut self.open;
        first.resize(first.len() + cells, floors.len() as u32);
        bottom.resize(bottom.len() + cells, OPEN_SKY);
    }

    fn add(&mut self, spans: &[Span]) {
        let Self { open, height, climb } = self;
        open.bottom.push(spans.first().map_or(OPEN_SKY, |span| span.low));
        // The span below: whether it was walkable by itself, its label now, its top.
        let mut below = (false, NO_LABEL, 0);
        for (index, span) in spans.iter().enumerate() {
            let walkable = span.label != NO_LABEL;
            let step_up = !walkable && below.0 && span.high - below.2 <= *climb;
            let label = if step_up { below.1 } else { span.label };
            below = (walkable, label, span.high);
            let ceiling = spans.get(index + 1).map_or(OPEN_SKY, |above| above.low);
            if ceiling - span.high >= *height {
                open.floors.push(Floor { y: span.high, ceiling, label });
            }
        }
        open.first.push(open.floors.len() as u32);
    }
}

/// Takes the label from floors beside a drop of more than `climb`, and from those whose reachable neighbours lie more
/// than `climb` apart, which is too steep. The window's outside counts as a drop.
///
/// Answers for each floor that keeps its label, and each direction, the floor beside that an agent may step to, or the
/// number of floors: the nearest in height, the lower of two, labelled or not; and the floors that lost their label,
/// ascending.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn filter_ledges(
    open: &mut OpenField,
    window: &Window,
    height: i32,
    climb: i32,
    poll: Poll<'_>,
) -> Result<(Vec<[u32; 4]>, Vec<u32>), BakeError> {
    let [width, depth] = window.size.map(|cells| cells as usize);
    let labelled = open.floors.iter().filter(|floor| floor.label != NO_LABEL).count();
    let mut links = Vec::with_capacity(labelled + 1);
    let mut ledges: Vec<u32> = Vec::new();
    let reach = Reach { open, height, climb };
    for z in 0..depth {
        poll()?;
        let row = &open.first[z * width..=(z + 1) * width];
        let (start, end) = (row[0], row[width]);
        // Nothing lies before the last cell that begins with the row, nor after the first that ends with it.
        let cells =
            row.partition_point(|&first| first <= start) - 1..row.partition_point(|&first| first < end);
        for x in cells {
            let inside = x > 0 && z > 0 && x + 1 < width && z + 1 < depth;
            for index in row[x]..row[x + 1] {
                let floor = open.floors[index as usize];
                if floor.label == NO_LABEL {
                    continue;
                }
                match inside.then(|| reach.links_of(floor, z * width + x, width)).flatten() {
                    Some(found) => links.push(found),
                    None => ledges.push(index),
                }
            }
        }
    }
    for &index in &ledges {
        open.floors[index as usize].label = NO_LABEL;
    }
    Ok((links, ledges))
}

/// Per floor that kept its label a bit for each direction in which an agent would step to a ledge.
pub(crate) fn steps_to_ledges(open: &OpenField, links: &[[u32; 4]], ledges: &[u32]) -> Vec<u8> {
    let mut is_ledge = vec![false; open.floors.len() + 1];
    ledges.iter().for_each(|&ledge| is_ledge[ledge as usize] = true);
    let bits = |links: &[u32; 4]| (0..4).map(|d| u8::from(is_ledge[links[d] as usize]) << d).sum();
    links.iter().map(bits).collect()
}

/// What an agent may step to.
struct Reach<'a> {
    open: &'a OpenField,
    height: i32,
    climb: i32,
}

impl Reach<'_> {
    /// The floors beside that an agent may step to from a floor of a cell; `None` for a ledge, and where it is too steep.
    fn links_of(&self, floor: Floor, cell: usize, width: usize) -> Option<[u32; 4]> {
        let OpenField { first, floors, bottom } = self.open;
        let mut links = [floors.len() as u32; 4];
        let (mut lowest, mut highest) = (floor.y, floor.y);
        for (direction, neighbour) in [cell - 1, cell + width, cell + 1, cell - width].into_iter().enumerate()
        {
            // The room below all spans of the neighbour is a bottomless drop. Over the floor itself is room enough.
            if bottom[neighbour] - floor.y >= self.height {
                return None;
            }
            let (from, to) = (first[neighbour], first[neighbour + 1]);
            // Most cells have one floor.
            if to - from == 1 {
                let other = floors[from as usize];
                if floor.ceiling.min(other.ceiling) - floor.y.max(other.y) < self.height {
                    continue;
                }
                let step = other.y - floor.y;
                if step < -self.climb {
                    return None;
                }
                if step <= self.climb {
                    lowest = lowest.min(other.y);
                    highest = highest.max(other.y);
                    links[direction] = from;
                }
                continue;
            }
            let mut nearest = self.climb + 1;
            for (index, other) in floors[from as usize..to as usize].iter().enumerate() {
                if floor.ceiling.min(other.ceiling) - floor.y.max(other.y) < self.height {
                    continue;
                }
                let step = other.y - floor.y;
                if step < -self.climb {
                    return None;
                }
                if step <= self.climb {
                    lowest = lowest.min(other.y);
                    highest = highest.max(other.y);
                    if step.abs() < nearest {
                        nearest = step.abs();
                        links[direction] = from + index as u32;
                    }
                }
            }
        }
        (highest - lowest <= self.climb).then_some(links)
    }
}
