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
    let is_labelled = |&index: &u32| open.floors[index as usize].label != NO_LABEL;
    for z in 0..depth {
        poll()?;
        let row = |z: usize| &open.first[z * width..][..width + 1];
        let here = row(z);
        if z == 0 || z + 1 == depth || width < 3 {
            ledges.extend((here[0]..here[width]).filter(is_labelled));
            continue;
        }
        let (north, south) = (row(z + 1), row(z - 1));
        ledges.extend((here[0]..here[1]).filter(is_labelled));
        for x in 1..width - 1 {
            for index in here[x]..here[x + 1] {
                let floor = open.floors[index as usize];
                if floor.label == NO_LABEL {
                    continue;
                }
                let cell = z * width + x;
                let columns = [
                    Column { cell: cell - 1, start: here[x - 1], end: here[x] },
                    Column { cell: cell + width, start: north[x], end: north[x + 1] },
                    Column { cell: cell + 1, start: here[x + 1], end: here[x + 2] },
                    Column { cell: cell - width, start: south[x], end: south[x + 1] },
                ];
                match reach.links_of(floor, &columns) {
                    Some(found) => links.push(found),
                    None => ledges.push(index),
                }
            }
        }
        ledges.extend((here[width - 1]..here[width]).filter(is_labelled));
    }
    for &index in &ledges {
        open.floors[index as usize].label = NO_LABEL;
    }
    // Room for that of no floor, which comes last.
    links.shrink_to(links.len() + 1);
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

/// The floors of a cell: the first, and the one behind the last.
#[derive(Clone, Copy)]
struct Column {
    cell: usize,
    start: u32,
    end: u32,
}

impl Reach<'_> {
    /// The floors beside that an agent may step to from a floor; `None` for a ledge, and where it is too steep.
    #[inline]
    fn links_of(&self, floor: Floor, [west, north, east, south]: &[Column; 4]) -> Option<[u32; 4]> {
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
    fn link_to(&self, floor: Floor, column: &Column, heights: &mut [i32; 2]) -> Option<u32> {
        if self.height <= self.climb {
            return self.nearest_of_all(floor, column, heights);
        }
        // The ceiling of a floor is under the next, so below one that is not too high none has room.
        let mut index = column.end;
        while index > column.start {
            index -= 1;
            let other = self.open.floors[index as usize];
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
            return Some(index);
        }
        self.wall_or_drop(floor, column)
    }

    /// What a column is in which no floor is in reach. The room below all spans is a bottomless drop; over the floor
    /// itself is room enough.
    #[inline]
    fn wall_or_drop(&self, floor: Floor, column: &Column) -> Option<u32> {
        let is_open = self.open.bottom[column.cell] - floor.y >= self.height;
        (!is_open).then_some(self.open.floors.len() as u32)
    }

    /// As [`Reach::link_to`], where an agent is so low that several floors of a column may be in reach.
    #[cold]
    fn nearest_of_all(&self, floor: Floor, column: &Column, heights: &mut [i32; 2]) -> Option<u32> {
        let mut link = self.wall_or_drop(floor, column)?;
        let mut nearest = self.climb + 1;
        for index in column.start..column.end {
            let other = self.open.floors[index as usize];
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
