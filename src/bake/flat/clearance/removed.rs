//! What clearance removes: gathered ring by ring, and then as the edges that meet one tile.

use std::collections::BTreeMap;

use super::covered::Covered;
use crate::bake::flat::arrange::Edge;
use crate::bake::flat::overlay::CLEARANCE_EDGE;
use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::ring::winding_of_edge;

/// What clearance removes near a tile, as directed edges with it on their left: those that meet the tile grown by a
/// step, and how often each level's clearance covers that square's least corner, by owner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cleared {
    pub(crate) edges: Vec<Edge>,
    pub(crate) windings: Vec<(u32, i32)>,
}

/// What clearance removes, as edges with it on their left; where they wind around a place, it is gone.
pub(super) struct Removed {
    pub(super) edges: Vec<(usize, IntPoint, IntPoint)>,
    /// What is gone in any case; sums inside are left out.
    pub(super) covered: Covered,
}

impl Removed {
    pub(super) fn add_ring(&mut self, level: usize, points: impl Iterator<Item = IntPoint>) {
        let before = self.edges.len();
        let mut ends: Option<(IntPoint, IntPoint)> = None;
        let mut bounds = IntBox::EMPTY;
        for point in points {
            let (first, last) = ends.unwrap_or((point, point));
            if last != point {
                self.edges.push((level, last, point));
            }
            ends = Some((first, point));
            bounds = IntBox {
                low: IntPoint::new(bounds.low.x.min(point.x), bounds.low.z.min(point.z)),
                high: IntPoint::new(bounds.high.x.max(point.x), bounds.high.z.max(point.z)),
            };
        }
        if let Some((first, last)) = ends
            && first != last
        {
            self.edges.push((level, last, first));
        }
        if self.covered.covers(level, &bounds) {
            self.edges.truncate(before);
        }
    }

    /// The edges that meet the fence, without those that cancel, and how often its least corner is covered.
    pub(super) fn finish(self, fence: &IntBox) -> Cleared {
        let Self { edges, covered } = self;
        let boxes = covered.boxes().filter(|&(level, _)| !covered.is_whole(level));
        let sides = boxes.flat_map(|(level, IntBox { low, high })| {
            let corners = [low, IntPoint::new(high.x, low.z), high, IntPoint::new(low.x, high.z)];
            (0..4).map(move |i| (level, corners[i], corners[(i + 1) % 4]))
        });
        let mut rising: Vec<(usize, IntPoint, IntPoint, i32)> = edges
            .into_iter()
            .filter(|&(level, ..)| !covered.is_whole(level))
            .chain(sides)
            .map(|(level, from, to)| if from < to { (level, from, to, 1) } else { (level, to, from, -1) })
            .collect();
        rising.sort_unstable();
        let mut windings: BTreeMap<u32, i32> = BTreeMap::new();
        let mut kept = Vec::new();
        for group in rising.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
            let (level, low, high, _) = group[0];
            let owner = CLEARANCE_EDGE | level as u32;
            let count: i32 = group.iter().map(|edge| edge.3).sum();
            let (from, to) = if count > 0 { (low, high) } else { (high, low) };
            if count != 0 {
                *windings.entry(owner).or_default() += winding_of_edge(from, to, fence.low) * count.abs();
                if IntBox::around([from, to]).meets(fence) {
                    kept.extend(std::iter::repeat_n(Edge { from, to, owner }, count.unsigned_abs() as usize));
                }
            }
        }
        windings.extend(covered.whole_levels().map(|level| (CLEARANCE_EDGE | level as u32, 1)));
        windings.retain(|_, &mut winding| winding != 0);
        Cleared { edges: kept, windings: windings.into_iter().collect() }
    }
}
