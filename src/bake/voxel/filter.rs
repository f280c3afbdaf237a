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

    #[inline]
    fn add(&mut self, spans: &[Span]) {
        let Self { open, height, climb } = self;
        if let [span] = spans {
            // Under the open sky there is room enough.
            open.bottom.push(span.low);
            open.floors.push(Floor { y: span.high, ceiling: OPEN_SKY, label: span.label });
            open.first.push(open.floors.len() as u32);
            return;
        }
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
            let floors = row[x]..row[x + 1];
            if x == 0 || z == 0 || x + 1 == width || z + 1 == depth {
                ledges.extend(floors.filter(|&index| open.floors[index as usize].label != NO_LABEL));
                continue;
            }
            let cell = z * width + x;
            let beside = [
                reach.column(cell - 1),
                reach.column(cell + width),
                reach.column(cell + 1),
                reach.column(cell - width),
            ];
            for index in floors {
                let floor = open.floors[index as usize];
                if floor.label == NO_LABEL {
                    continue;
                }
                match reach.links_of(floor, &beside) {
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

/// The floors of a cell.
#[derive(Clone, Copy)]
struct Column<'a> {
    floors: &'a [Floor],
    /// The number of the first.
    first: u32,
    /// Bottom of the cell's lowest span.
    bottom: i32,
}

impl<'a> Reach<'a> {
    #[inline]
    fn column(&self, cell: usize) -> Column<'a> {
        let OpenField { first, floors, bottom } = self.open;
        let (from, to) = (first[cell], first[cell + 1]);
        Column { floors: &floors[from as usize..to as usize], first: from, bottom: bottom[cell] }
    }

    /// The floors beside that an agent may step to from a floor; `None` for a ledge, and where it is too steep.
    #[inline]
    fn links_of(&self, floor: Floor, [west, north, east, south]: &[Column<'_>; 4]) -> Option<[u32; 4]> {
        let mut heights = [floor.y; 2];
        let links = [
            self.link_to(floor, west, &mut heights)?,
            self.link_to(floor, north, &mut heights)?,
            self.link_to(floor, east, &mut heights)?,
            self.link_to(floor, south, &mut heights)?,
        ];
        (heights[1] - heights[0] <= self.climb).then_some(links)
    }

    /// The nearest floor of a column in reach, the lower of two, or the number of all floors; `None` for a drop.
    /// `heights`: the lowest and the highest floor in reach so far.
    #[inline]
    fn link_to(&self, floor: Floor, column: &Column<'_>, heights: &mut [i32; 2]) -> Option<u32> {
        // The room below all spans is a bottomless drop. Over the floor itself is room enough.
        if column.bottom - floor.y >= self.height {
            return None;
        }
        let none = self.open.floors.len() as u32;
        if self.height <= self.climb {
            return self.nearest_of_all(floor, column, heights);
        }
        // The ceiling of a floor is under the next, so below one that is not too high none has room.
        let mut number = column.floors.len();
        while let Some(other) = number.checked_sub(1).and_then(|index| column.floors.get(index)) {
            number -= 1;
            let step = other.y - floor.y;
            if step > self.climb {
                continue;
            }
            if floor.ceiling.min(other.ceiling) - floor.y.max(other.y) < self.height {
                break;
            }
            if step < -self.climb {
                return None;
            }
            *heights = [heights[0].min(other.y), heights[1].max(other.y)];
            return Some(column.first + number as u32);
        }
        Some(none)
    }

    /// As [`Reach::link_to`], where an agent is so low that several floors of a column may be in reach.
    #[cold]
    fn nearest_of_all(&self, floor: Floor, column: &Column<'_>, heights: &mut [i32; 2]) -> Option<u32> {
        let (mut nearest, mut link) = (self.climb + 1, self.open.floors.len() as u32);
        for (index, other) in (column.first..).zip(column.floors) {
            if floor.ceiling.min(other.ceiling) - floor.y.max(other.y) < self.height {
                continue;
            }
            let step = other.y - floor.y;
            if step < -self.climb {
                return None;
            }
            if step <= self.climb {
                *heights = [heights[0].min(other.y), heights[1].max(other.y)];
                if step.abs() < nearest {
                    (nearest, link) = (step.abs(), index);
                }
            }
        }
        Some(link)
    }
}
