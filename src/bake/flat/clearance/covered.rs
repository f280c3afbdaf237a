//! Where a radius is large against the drawing's details: parts of a tile that lie whole within reach of one place, so
//! that thousands of sums that overlap there need not be looked at.

use std::collections::BTreeMap;

use crate::geom::grid::{IntBox, IntPoint};

/// Most cells along a side; with smaller radii sums overlap few others.
const MOST_CELLS: i64 = 64;

/// A tile's square in cells of a quarter of the radius, and for each level those that nothing is left of.
#[derive(Debug)]
pub(super) struct Covered {
    fence: IntBox,
    radius: i64,
    cell: i64,
    /// Cells along a side; 0 where it is not worth it.
    count: i64,
    levels: BTreeMap<usize, Cells>,
}

#[derive(Debug)]
struct Cells {
    gone: Vec<bool>,
    left: i64,
}

impl Covered {
    pub(super) fn new(fence: &IntBox, radius: i64) -> Self {
        let side = fence.high.x - fence.low.x;
        let wanted = i128::from(side) * 4 / i128::from(radius) + 1;
        let count = if wanted > i128::from(MOST_CELLS) { 0 } else { wanted as i64 };
        let cell = if count == 0 { 0 } else { side / count + 1 };
        Self { fence: *fence, radius, cell, count, levels: BTreeMap::new() }
    }

    /// Whether it is worth looking for covered cells at all.
    pub(super) fn is_useful(&self) -> bool {
        self.count > 0
    }

    /// The cells (first, last) of both axes that a box meets; none where it misses the square.
    fn range(&self, bounds: &IntBox) -> Option<([i64; 2], [i64; 2])> {
        if !bounds.meets(&self.fence) {
            return None;
        }
        let of = |units: i64, low: i64| ((units - low).div_euclid(self.cell)).clamp(0, self.count - 1);
        let (low, high) = (self.fence.low, self.fence.high);
        let (x0, x1) = (bounds.low.x.max(low.x), bounds.high.x.min(high.x));
        let (z0, z1) = (bounds.low.z.max(low.z), bounds.high.z.min(high.z));
        Some(([of(x0, low.x), of(x1, low.x)], [of(z0, low.z), of(z1, low.z)]))
    }

    fn cell_box(&self, x: i64, z: i64) -> IntBox {
        let low = IntPoint::new(self.fence.low.x + x * self.cell, self.fence.low.z + z * self.cell);
        IntBox { low, high: IntPoint::new(low.x + self.cell, low.z + self.cell) }
    }

    /// Marks the cells of a level within the radius of a place of its walls. No opening of the level is in reach of it.
    pub(super) fn mark(&mut self, level: usize, place: IntPoint) {
        if self.is_whole(level) {
            return;
        }
        let Some((xs, zs)) = self.range(&IntBox::around([place]).grown(self.radius)) else { return };
        let square = |a: i64, b: i64| i128::from(a.max(b)) * i128::from(a.max(b));
        let area = (self.count * self.count) as usize;
        let mut cells = self
            .levels
            .remove(&level)
            .unwrap_or_else(|| Cells { gone: vec![false; area], left: area as i64 });
        for z in zs[0]..=zs[1] {
            for x in xs[0]..=xs[1] {
                let gone = &mut cells.gone[(z * self.count + x) as usize];
                let IntBox { low, high } = self.cell_box(x, z);
                let far = square((place.x - low.x).abs(), (place.x - high.x).abs())
                    + square((place.z - low.z).abs(), (place.z - high.z).abs());
                if !*gone && far <= i128::from(self.radius) * i128::from(self.radius) {
                    *gone = true;
                    cells.left -= 1;
                }
            }
        }
        self.levels.insert(level, cells);
    }

    /// Whether nothing of a level is left in the square.
    pub(super) fn is_whole(&self, level: usize) -> bool {
        self.levels.get(&level).is_some_and(|cells| cells.left == 0)
    }

    /// The levels of which nothing is left in the square.
    pub(super) fn whole_levels(&self) -> impl Iterator<Item = usize> + '_ {
        self.levels.keys().copied().filter(|&level| self.is_whole(level))
    }

    /// Whether all that a box holds of the square is gone on a level.
    pub(super) fn covers(&self, level: usize, bounds: &IntBox) -> bool {
        let Some(cells) = self.levels.get(&level) else { return false };
        let Some((xs, zs)) = self.range(bounds) else { return true };
        (zs[0]..=zs[1]).all(|z| (xs[0]..=xs[1]).all(|x| cells.gone[(z * self.count + x) as usize]))
    }

    /// The covered cells as boxes, by level.
    pub(super) fn boxes(&self) -> impl Iterator<Item = (usize, IntBox)> + '_ {
        self.levels.iter().flat_map(move |(&level, cells)| {
            let gone = (0..).zip(&cells.gone).filter(|&(_, &gone)| gone);
            gone.map(move |(index, _): (i64, _)| {
                (level, self.cell_box(index % self.count, index / self.count))
            })
        })
    }
}
