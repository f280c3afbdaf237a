//! Which segments may meet: buckets on a coarse grid.

use super::grid::{IntBox, IntPoint};

/// Segments sorted into the cells they pass. Cells are found in f64 with a margin, so that none is missed; exact
/// predicates decide later.
#[derive(Debug)]
pub struct SegmentGrid {
    low: [f64; 2],
    cell: [f64; 2],
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl SegmentGrid {
    /// Sorts `segments` into about as many cells as there are segments.
    #[must_use]
    pub fn new(segments: &[(IntPoint, IntPoint)]) -> Self {
        let bounds = IntBox::around(segments.iter().flat_map(|&(a, b)| [a, b]));
        let (low, size) = if segments.is_empty() {
            ([0.0; 2], [1.0; 2])
        } else {
            let size = bounds.high - bounds.low;
            ([bounds.low.x as f64, bounds.low.z as f64], [size.x as f64 + 1.0, size.z as f64 + 1.0])
        };
        let wanted = segments.len().clamp(1, 1 << 20) as f64;
        let columns = ((wanted * size[0] / size[1]).sqrt().ceil().clamp(1.0, wanted.min(2048.0))) as usize;
        let rows = ((wanted / columns as f64).ceil().clamp(1.0, 2048.0)) as usize;
        let cell = [size[0] / columns as f64, size[1] / rows as f64];
        let mut grid =
            Self { low, cell, columns, rows, starts: vec![0; columns * rows + 1], members: Vec::new() };
        let mut counts = vec![0_u32; columns * rows];
        for &(a, b) in segments {
            grid.cells_along(a, b, |cell| counts[cell] += 1);
        }
        let mut total = 0;
        for (start, count) in grid.starts.iter_mut().zip(counts.iter().chain([&0])) {
            *start = total;
            total += count;
        }
        let mut next: Vec<u32> = grid.starts[..columns * rows].to_vec();
        let mut members = vec![0; total as usize];
        for (index, &(a, b)) in segments.iter().enumerate() {
            grid.cells_along(a, b, |cell| {
                members[next[cell] as usize] = index as u32;
                next[cell] += 1;
            });
        }
        grid.members = members;
        grid
    }

    /// Calls `visit` with each cell that the segment may pass.
    fn cells_along(&self, a: IntPoint, b: IntPoint, mut visit: impl FnMut(usize)) {
        let (a, b) = ([a.x as f64, a.z as f64], [b.x as f64, b.z as f64]);
        let (bottom, top) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        let slope = if top[1] > bottom[1] { (top[0] - bottom[0]) / (top[1] - bottom[1]) } else { 0.0 };
        for row in self.row_of(bottom[1])..=self.row_of(top[1]) {
            let row_low = self.low[1] + row as f64 * self.cell[1];
            let x_at = |z: f64| bottom[0] + (z.clamp(bottom[1], top[1]) - bottom[1]) * slope;
            let (mut x0, mut x1) = (x_at(row_low), x_at(row_low + self.cell[1]));
            if bottom[1] == top[1] {
                (x0, x1) = (bottom[0], top[0]);
            }
            let margin = (self.cell[0] + (top[0] - bottom[0]).abs()) * 1e-9 + 1.0;
            for column in self.column_of(x0.min(x1) - margin)..=self.column_of(x0.max(x1) + margin) {
                visit(row * self.columns + column);
            }
        }
    }

    fn row_of(&self, z: f64) -> usize {
        (((z - self.low[1]) / self.cell[1]).max(0.0) as usize).min(self.rows - 1)
    }

    fn column_of(&self, x: f64) -> usize {
        (((x - self.low[0]) / self.cell[0]).max(0.0) as usize).min(self.columns - 1)
    }

    /// Calls `visit(i, j)`, i < j, once for each pair of segments that share a cell.
    pub fn pairs(&self, segments: &[(IntPoint, IntPoint)], mut visit: impl FnMut(u32, u32)) {
        let mut seen_by = vec![u32::MAX; segments.len()];
        for (index, &(a, b)) in segments.iter().enumerate() {
            let index = index as u32;
            self.cells_along(a, b, |cell| {
                for &other in &self.members[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                    if index < other && seen_by[other as usize] != index {
                        seen_by[other as usize] = index;
                        visit(index, other);
                    }
                }
            });
        }
    }

    /// Calls `visit(i, j)`, i < j, at least for each pair of segments that come within `distance` of each other, each
    /// pair once.
    pub fn pairs_near(
        &self,
        segments: &[(IntPoint, IntPoint)],
        distance: i64,
        mut visit: impl FnMut(u32, u32),
    ) {
        let mut seen_by = vec![u32::MAX; segments.len()];
        let margin = distance as f64;
        for (index, &(a, b)) in segments.iter().enumerate() {
            let bounds = IntBox::around([a, b]);
            let index = index as u32;
            let reached = bounds.grown(distance);
            let rows = self.row_of(bounds.low.z as f64 - margin)..=self.row_of(bounds.high.z as f64 + margin);
            for row in rows {
                let columns = self.column_of(bounds.low.x as f64 - margin)
                    ..=self.column_of(bounds.high.x as f64 + margin);
                for cell in columns.map(|column| row * self.columns + column) {
                    for &other in &self.members[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                        let (c, d) = segments[other as usize];
                        if index < other
                            && seen_by[other as usize] != index
                            && reached.meets(&IntBox::around([c, d]))
                        {
                            seen_by[other as usize] = index;
                            visit(index, other);
                        }
                    }
                }
            }
        }
    }

    /// The cells of the column that holds `x`, from one row above that of `z` downwards: each cell's upper bound in z
    /// (nearly) and its segments. A segment that passes (x, z') with z' ≤ z is in a cell whose bound is at least z'.
    pub fn cells_below(&self, x: i64, z: i64) -> impl Iterator<Item = (f64, &[u32])> {
        let column = self.column_of(x as f64);
        let top = (self.row_of(z as f64) + 1).min(self.rows - 1);
        (0..=top).rev().map(move |row| {
            let cell = row * self.columns + column;
            let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
            (self.low[1] + (row + 1) as f64 * self.cell[1], &self.members[range])
        })
    }
}
