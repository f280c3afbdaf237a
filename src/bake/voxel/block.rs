//! Tiles side by side that share their voxels: what lies over a border is rasterised once for the tiles on both sides.

use super::compact::{CompactField, Floors};
use super::grid::Window;
use super::soup::NO_LABEL;

/// The walkable floors of several tiles, islands of any size among them.
///
/// It is held while each of its tiles is made, so it is kept small: links of half the size, and no cells of floors,
/// which [`Block::cell`] tells.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// All tiles with the border of the outermost.
    pub(crate) window: Window,
    width: usize,
    depth: usize,
    border: usize,
    first: Vec<u32>,
    y: Vec<i32>,
    label: Vec<u16>,
    links: Vec<[u16; 4]>,
}

/// A row of a part: which floors of the block it has, and the number of the first.
#[derive(Clone, Copy, Default)]
struct Row {
    start: u32,
    end: u32,
    base: u32,
}

impl Row {
    /// The number of a floor of the block, or `none` for one that is not in the row.
    fn number(self, floor: u16, none: u32) -> u32 {
        let index = u32::from(floor).wrapping_sub(self.start);
        if index < self.end - self.start { index + self.base } else { none }
    }
}

impl Block {
    /// The floors of a window; `None` if they are too many for links so small.
    pub(crate) fn new(window: Window, field: CompactField) -> Option<Self> {
        let CompactField { width, depth, border, first, y, label, links, .. } = field;
        u16::try_from(links.len()).ok()?;
        let links = links.iter().map(|links| links.map(|link| link as u16)).collect();
        Some(Self { window, width, depth, border, first, y, label, links })
    }

    /// The window's cell of a floor: x, z.
    pub(crate) fn cell(&self, floor: usize) -> [usize; 2] {
        let behind = self.first.partition_point(|&first| first as usize <= floor);
        let cell = behind.saturating_sub(1);
        [cell % self.width, cell / self.width]
    }

    /// The floor at a cell of the world and a height.
    pub(crate) fn floor_at(&self, cell: [i32; 2], y: i32) -> Option<usize> {
        let [x, z] = [0, 1].map(|axis| (cell[axis] - self.window.low[axis]) as usize);
        let cell = z * self.width + x;
        (self.first[cell] as usize..self.first[cell + 1] as usize).find(|&floor| self.y[floor] == y)
    }

    /// Whether a floor is one of the tiles' own.
    fn is_inside(&self, floor: usize) -> bool {
        let [x, z] = self.cell(floor);
        let Self { width, depth, border, .. } = *self;
        border <= x && x < width - border && border <= z && z < depth - border
    }

    /// The floors of one tile's window, as if it had been rasterised by itself with the agent's `radius`.
    ///
    /// Alone, a window takes what lies beyond it for a drop: the outermost cells are ledges, which have no floors, and
    /// erosion keeps off them. Everything farther inside is the same, since the window's border is that much wider.
    pub(crate) fn part(&self, window: &Window, radius: usize) -> CompactField {
        let block = self;
        let [width, depth] = window.size.map(|cells| cells as usize);
        let [x0, z0] = [0, 1].map(|axis| (window.low[axis] - self.window.low[axis]) as usize);
        let cell = |x: usize, z: usize| (z0 + z) * block.width + x0 + x;
        // One more row on each side, where nothing is.
        let mut rows = vec![Row::default(); depth + 2];
        let mut count = 0;
        for z in 1..depth.saturating_sub(1) {
            let [start, end] = [1, width - 1].map(|x| block.first[cell(x, z)]);
            rows[z + 1] = Row { start, end, base: count };
            count += end - start;
        }
        let mut field = CompactField {
            width,
            depth,
            border: block.border,
            first: Vec::with_capacity(width * depth + 1),
            cells: Vec::with_capacity(count as usize),
            y: Vec::with_capacity(count as usize + 1),
            label: Vec::with_capacity(count as usize + 1),
            links: Vec::with_capacity(count as usize + 1),
        };
        let mut base = 0;
        for z in 0..depth {
            let [south, row, north] = [rows[z], rows[z + 1], rows[z + 2]];
            if row.start == row.end {
                field.first.resize(field.first.len() + width, base);
                continue;
            }
            field.first.push(base);
            let firsts = &block.first[cell(1, z)..cell(width - 1, z)];
            field.first.extend(firsts.iter().map(|&first| first - row.start + base));
            base += row.end - row.start;
            field.first.push(base);
            let floors = row.start as usize..row.end as usize;
            for (x, cell) in (1..).zip(block.first[cell(1, z)..=cell(width - 1, z)].windows(2)) {
                field.cells.extend((cell[0]..cell[1]).map(|_| [x, z as u16]));
            }
            field.y.extend_from_slice(&block.y[floors.clone()]);
            let off_rim = radius < z && z + radius + 1 < depth;
            let inner = match off_rim && 2 * (radius + 1) < width {
                true => block.first[cell(radius + 1, z)]..block.first[cell(width - radius - 1, z)],
                false => row.end..row.end,
            };
            field.label.resize(field.label.len() + (inner.start - row.start) as usize, NO_LABEL);
            field.label.extend_from_slice(&block.label[inner.start as usize..inner.end as usize]);
            field.label.resize(field.label.len() + (row.end - inner.end) as usize, NO_LABEL);
            let links = block.links[floors].iter().map(|&[a, b, c, d]| {
                [row.number(a, count), north.number(b, count), row.number(c, count), south.number(d, count)]
            });
            field.links.extend(links);
        }
        field.first.push(base);
        field.y.push(0);
        field.label.push(NO_LABEL);
        field.links.push([count; 4]);
        field
    }
}

impl Floors for Block {
    fn count(&self) -> usize {
        self.y.len() - 1
    }

    fn is_walkable(&self, floor: usize) -> bool {
        self.label[floor] != NO_LABEL
    }

    fn links(&self, floor: usize) -> [usize; 4] {
        self.links[floor].map(usize::from)
    }

    fn shows_links(&self, floor: usize) -> bool {
        self.is_inside(floor)
    }
}
