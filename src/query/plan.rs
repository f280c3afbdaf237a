//! The mesh laid out for searching: polygons as cells, their edges as sides in one array, cut where portals end.
//!
//! Each slot has a block of cells, sides, corners and links of its own, so that an edit of the mesh lays out anew what
//! it touches and nothing else (`layout`, `corners`). Beside the layout a plan holds what a search would otherwise
//! find out again and again: which corners a taut path can bend at, which cells lead nowhere else in their tile, which
//! cells can hang together at all. Nothing that a search decides by depends on where blocks lie, so a plan that has
//! followed many edits gives the answers of a fresh one.

use super::graph::Crossing;
use super::tally::Tally;
use super::view::{closest_on_segment, distance_squared, orientation};
use crate::format::PolyRef;
use crate::geom::union_find::UnionFind;

/// No cell, side or corner.
pub(super) const NONE: u32 = u32::MAX;
/// Set in what a cell is entered by, for a link.
pub(super) const JUMP: u32 = 1 << 31;

/// A piece of a polygon's edge that leads to one cell, or is a wall. It runs from its own start to the start of
/// the next side, the polygon to its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Where it starts, world x, z.
    pub(super) at: [f64; 2],
    /// The cell beyond, or [`NONE`].
    pub(super) to: u32,
    /// The same stretch as a side of that cell.
    pub(super) twin: u32,
    /// The corner it starts at: sides of cells that hang together round a point share one; cells that only
    /// touch there do not.
    pub(super) corner: u32,
    pub(super) flags: u32,
}

/// A taut path may bend at the side's start.
pub(super) const BENDS: u32 = 1;
/// Beyond lies a cell that only leads back.
pub(super) const DOWN: u32 = 2;

impl Side {
    /// Whether a taut path may bend where the side starts, as long as all cells are open.
    #[inline]
    pub(super) fn bends(&self) -> bool {
        self.flags & BENDS != 0
    }

    /// Whether everything beyond can be left by this side only.
    #[inline]
    pub(super) fn leads_down(&self) -> bool {
        self.flags & DOWN != 0
    }
}

/// A polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Its first side.
    pub(super) first: u32,
    /// Its sides, in order round it.
    pub(super) side_count: u16,
    /// Further ways out that overlap a side (a border shared with several layers): pairs of [`Side`]s after the
    /// ring, each a start with where it leads, and an end.
    pub(super) extra_count: u16,
    /// Its off-mesh links.
    pub(super) first_jump: u32,
    pub(super) jump_count: u32,
    pub(super) area: u8,
    pub(super) flags: u8,
    pub(super) level: i8,
    /// Towards the tile's cells on loops and at its rim: the one cell that leads out of a dead end; else [`NONE`].
    pub(super) parent: u32,
    /// The height of its surface, if that is one height; else NaN.
    pub(super) flat_y: f64,
    /// Bits of those of its first 64 sides that lead somewhere: most sides are walls.
    pub(super) ways: u64,
}

/// A cell of no polygon.
pub(super) const NO_CELL: Cell = Cell {
    first: 0,
    side_count: 0,
    extra_count: 0,
    first_jump: 0,
    jump_count: 0,
    area: 0,
    flags: 0,
    level: 0,
    parent: NONE,
    flat_y: f64::NAN,
    ways: 0,
};

/// The ways out of a cell's ring, in turn; of a cell with more than 64 sides the walls too.
pub(super) struct Ways {
    first: u32,
    later: u64,
    earlier: u64,
    /// For a cell with many sides: where it goes on, how many are left, and how many there are.
    next: u32,
    left: u32,
    count: u32,
}

impl Iterator for Ways {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.later == 0 {
            (self.later, self.earlier) = (self.earlier, 0);
            if self.later == 0 {
                return self.next_of_many();
            }
        }
        let side = self.first + self.later.trailing_zeros();
        self.later &= self.later - 1;
        Some(side)
    }
}

impl Ways {
    fn next_of_many(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let side = self.next;
        self.next = if side + 1 == self.first + self.count { self.first } else { side + 1 };
        Some(side)
    }
}

/// An off-mesh link from a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) to: u32,
    pub(super) departure: [f64; 2],
    pub(super) arrival: [f64; 2],
    pub(super) user_id: u32,
    pub(super) area: u8,
    pub(super) flags: u16,
}

impl Jump {
    pub(super) fn crossing(&self) -> Crossing {
        Crossing::OffMesh {
            departure: self.departure,
            arrival: self.arrival,
            user_id: self.user_id,
            area: self.area,
        }
    }
}

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) cells: Vec<Cell>,
    pub(super) sides: Vec<Side>,
    pub(super) jumps: Vec<Jump>,
    /// Per cell.
    pub(super) polygons: Vec<PolyRef>,
    /// More than any corner's number.
    pub(super) corner_count: usize,
    /// A power of two that no coordinate is greater than.
    pub(super) extent: f64,
    /// What cells and links have, summed up.
    pub(super) tally: Tally,
    /// Per cell: cells with different numbers are joined by nothing, whatever the filter. Known only while
    /// `islands_known`.
    islands: Vec<u32>,
    islands_known: bool,
}

impl Plan {
    pub(super) fn cell_count(&self) -> usize {
        self.polygons.len()
    }

    /// The side that ends where the next one starts.
    #[inline]
    pub(super) fn next(&self, cell: &Cell, side: u32) -> u32 {
        let next = side + 1;
        if next == cell.first + u32::from(cell.side_count) { cell.first } else { next }
    }

    /// The side that ends where this one starts.
    pub(super) fn before(&self, cell: &Cell, side: u32) -> u32 {
        if side == cell.first { cell.first + u32::from(cell.side_count) - 1 } else { side - 1 }
    }

    /// A cell's sides, in order round it.
    #[inline]
    pub(super) fn ring(&self, cell: &Cell) -> &[Side] {
        &self.sides[cell.first as usize..cell.first as usize + usize::from(cell.side_count)]
    }

    /// The sides of a cell's ring that lead somewhere, in order round it from the one after `entry` on; from the first
    /// on where `entry` is not in the ring.
    #[inline]
    pub(super) fn ways_after(&self, cell: &Cell, entry: u32) -> Ways {
        let (first, count) = (cell.first, u32::from(cell.side_count));
        if count > 64 {
            let in_ring = entry.wrapping_sub(first) < count;
            let next = if in_ring { self.next(cell, entry) } else { first };
            return Ways { first, later: 0, earlier: 0, next, left: count - u32::from(in_ring), count };
        }
        let at = entry.wrapping_sub(first);
        let (later, earlier) = if at < count {
            let upto = (1_u64 << at) - 1;
            (cell.ways & !upto & !(1 << at), cell.ways & upto)
        } else {
            (cell.ways, 0)
        };
        Ways { first, later, earlier, next: 0, left: 0, count }
    }

    /// What is crossed into a cell, by a node's entry.
    #[inline]
    pub(super) fn entry(&self, cell: u32, entry: u32) -> Option<Crossing> {
        if entry == NONE {
            None
        } else if entry & JUMP != 0 {
            Some(self.jumps[(entry ^ JUMP) as usize].crossing())
        } else {
            let end = self.next(&self.cells[cell as usize], entry) as usize;
            Some(Crossing::Portal { left: self.sides[entry as usize].at, right: self.sides[end].at })
        }
    }

    #[inline]
    pub(super) fn jumps_of(&self, cell: u32) -> std::ops::Range<usize> {
        let cell = &self.cells[cell as usize];
        cell.first_jump as usize..(cell.first_jump + cell.jump_count) as usize
    }

    /// A cell's point nearest to a place, with the squared distance: the place itself and 0 if inside.
    pub(super) fn closest(&self, cell: &Cell, point: [f64; 2]) -> ([f64; 2], f64) {
        let ring = self.ring(cell);
        let Some(last) = ring.last() else { return (point, f64::INFINITY) };
        let (mut from, mut best) = (last.at, (point, 0.0));
        for side in ring {
            if !lies_left(from, side.at, point) {
                let near = closest_on_segment(from, side.at, point);
                let distance = distance_squared(near, point);
                if best.1 == 0.0 || distance < best.1 {
                    best = (near, distance);
                }
            }
            from = side.at;
        }
        best
    }

    /// Whether a place lies in a cell; its edges and corners are inside. Exact.
    #[inline]
    pub(super) fn contains(&self, cell: &Cell, point: [f64; 2]) -> bool {
        let ring = self.ring(cell);
        let Some(last) = ring.last() else { return false };
        let mut from = last.at;
        ring.iter().all(|side| lies_left(std::mem::replace(&mut from, side.at), side.at, point))
    }

    /// The places in `sides` of a cell's ways and walls: its ring, then the starts of its extras.
    #[inline]
    pub(super) fn side_places(&self, cell: &Cell) -> impl Iterator<Item = u32> + use<> {
        let end = cell.first + u32::from(cell.side_count);
        (cell.first..end).chain((0..u32::from(cell.extra_count)).map(move |k| end + 2 * k))
    }

    /// The sides that lead out of a cell, extras included.
    pub(super) fn ways_out(&self, cell: u32) -> impl Iterator<Item = &Side> {
        let places = self.side_places(&self.cells[cell as usize]);
        places.map(|side| &self.sides[side as usize]).filter(|side| side.to != NONE)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
            + self.sides.capacity() * size_of::<Side>()
            + self.jumps.capacity() * size_of::<Jump>()
            + self.polygons.capacity() * size_of::<PolyRef>()
            + self.islands.capacity() * size_of::<u32>()
    }

    /// Whether two cells are surely not joined; false also while that is not known.
    pub(super) fn surely_apart(&self, a: u32, b: u32) -> bool {
        self.islands_known && self.islands[a as usize] != self.islands[b as usize]
    }

    /// The island of a cell, while [`Self::islands_known`].
    pub(super) fn island(&self, cell: u32) -> u32 {
        self.islands[cell as usize]
    }

    pub(super) fn islands_known(&self) -> bool {
        self.islands_known
    }

    pub(super) fn forget_islands(&mut self) {
        self.islands_known = false;
    }

    /// Takes time in proportion to the whole mesh, so it is put off until a search turns out long.
    pub(super) fn find_islands(&mut self) {
        let mut sets = UnionFind::new(self.cell_count());
        for cell in 0..self.cell_count() as u32 {
            for side in self.ways_out(cell) {
                sets.union(cell, side.to);
            }
            for jump in &self.jumps[self.jumps_of(cell)] {
                sets.union(cell, jump.to);
            }
        }
        self.islands.clear();
        self.islands.extend((0..self.cell_count() as u32).map(|cell| sets.find(cell)));
        self.islands_known = true;
    }
}

/// Whether c lies left of a → b or on it; exact.
#[inline]
fn lies_left(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    orientation(a, b, c) >= 0.0
}
