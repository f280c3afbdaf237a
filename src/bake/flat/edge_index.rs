//! Which edges of a long outline pass which rows and columns of tiles, so that a tile need not look at all of them.

use super::frame::Frame;
use crate::geom::grid::{IntBox, IntPoint};

/// The edges of a closed ring by rows and by columns of tiles. Edge i runs from point i to the next.
#[derive(Debug)]
pub(crate) struct EdgeIndex {
    rows: Lines,
    columns: Lines,
}

/// Edges by row (or column): those of line l are `edges[starts[l - first]..starts[l - first + 1]]`.
#[derive(Debug)]
struct Lines {
    first: i64,
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Lines {
    /// `spans`: the least and greatest coordinate of each edge; an edge at a border belongs to both sides.
    fn new(frame: &Frame, spans: impl Iterator<Item = (i64, i64)> + Clone) -> Self {
        let range = |(low, high): (i64, i64)| (frame.tile_of(low - 1), frame.tile_of(high + 1));
        let ranges = spans.map(range);
        let first = ranges.clone().map(|(low, _)| low).min().unwrap_or(0);
        let last = ranges.clone().map(|(_, high)| high).max().unwrap_or(0);
        let mut starts = vec![0_u32; (last - first) as usize + 2];
        for (low, high) in ranges.clone() {
            (low..=high).for_each(|line| starts[(line - first) as usize + 1] += 1);
        }
        for line in 1..starts.len() {
            starts[line] += starts[line - 1];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[starts.len() - 1] as usize];
        for (edge, (low, high)) in (0..).zip(ranges) {
            for line in low..=high {
                let at = &mut next[(line - first) as usize];
                edges[*at as usize] = edge;
                *at += 1;
            }
        }
        Self { first, starts, edges }
    }

    fn of(&self, line: i64) -> &[u32] {
        let at = usize::try_from(line - self.first).ok().filter(|&at| at + 1 < self.starts.len());
        at.map_or(&[], |at| &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize])
    }
}

impl EdgeIndex {
    pub(crate) fn new(frame: &Frame, points: &[IntPoint]) -> Self {
        let ends = |i: usize| (points[i], points[(i + 1) % points.len()]);
        let along = |axis: fn(IntPoint) -> i64| {
            (0..points.len()).map(move |i| {
                let (a, b) = ends(i);
                (axis(a).min(axis(b)), axis(a).max(axis(b)))
            })
        };
        Self { rows: Lines::new(frame, along(|p| p.z)), columns: Lines::new(frame, along(|p| p.x)) }
    }

    /// Edges that may meet a box, ascending: all that do, and others.
    pub(crate) fn near(&self, frame: &Frame, bounds: &IntBox) -> Vec<u32> {
        let gather = |lines: &Lines, low: i64, high: i64| -> Vec<u32> {
            let all = frame.tile_of(low)..=frame.tile_of(high);
            all.flat_map(|line| lines.of(line).iter().copied()).collect()
        };
        let rows = gather(&self.rows, bounds.low.z, bounds.high.z);
        let columns = gather(&self.columns, bounds.low.x, bounds.high.x);
        let mut edges = if rows.len() <= columns.len() { rows } else { columns };
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Edges that may pass over or under a place, ascending: all that do, and others.
    pub(crate) fn above_or_below(&self, frame: &Frame, x: i64) -> &[u32] {
        self.columns.of(frame.tile_of(x))
    }
}
