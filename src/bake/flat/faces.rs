//! The faces of an arrangement: cycles of halves, nested by exact ray shooting.

use super::arrange::{Arrangement, Place};
use crate::geom::grid::IntPoint;
use crate::geom::predicates::cross;
use crate::geom::ratio::{Ratio, compare_products};
use crate::geom::union_find::UnionFind;

/// Which face lies left of each half. Face 0 is the unbounded one.
#[derive(Debug)]
pub(crate) struct Faces {
    pub(crate) of_half: Vec<u32>,
    pub(crate) count: usize,
    starts: Vec<u32>,
    halves: Vec<u32>,
}

impl Faces {
    /// The halves that have the face on their left.
    pub(crate) fn halves(&self, face: u32) -> &[u32] {
        &self.halves[self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize]
    }
}

/// Finds the faces.
pub(crate) fn find_faces(arrangement: &Arrangement) -> Faces {
    let (cycle_of_half, cycle_count) = trace_cycles(arrangement);
    // Cycle numbers are moved up by one: 0 stands for the unbounded face.
    let mut faces = UnionFind::new(cycle_count + 1);
    for (node, half) in component_extremes(arrangement) {
        let outer = cycle_of_half[half as usize] + 1;
        let around = half_below(arrangement, node).map_or(0, |half| cycle_of_half[half as usize] + 1);
        faces.union(outer, around);
    }
    let mut numbers = vec![u32::MAX; cycle_count + 1];
    numbers[0] = 0;
    let mut count = 1;
    let of_half: Vec<u32> = cycle_of_half
        .iter()
        .map(|&cycle| {
            let root = faces.find(cycle + 1) as usize;
            if numbers[root] == u32::MAX {
                numbers[root] = count;
                count += 1;
            }
            numbers[root]
        })
        .collect();
    let (starts, halves) = group_by_face(&of_half, count as usize);
    Faces { of_half, count: count as usize, starts, halves }
}

fn group_by_face(of_half: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; count + 1];
    for &face in of_half {
        starts[face as usize + 1] += 1;
    }
    for face in 0..count {
        starts[face + 1] += starts[face];
    }
    let mut next = starts.clone();
    let mut halves = vec![0; of_half.len()];
    for (half, &face) in of_half.iter().enumerate() {
        halves[next[face as usize] as usize] = half as u32;
        next[face as usize] += 1;
    }
    (starts, halves)
}

/// The half after `half` around the face on its left: at its end, the next one clockwise from its twin.
fn next_half(arrangement: &Arrangement, positions: &[u32], half: u32) -> u32 {
    let twin = half ^ 1;
    let around = arrangement.outgoing(arrangement.origin(twin));
    let position = positions[twin as usize] as usize;
    around[(position + around.len() - 1) % around.len()]
}

fn trace_cycles(arrangement: &Arrangement) -> (Vec<u32>, usize) {
    let half_count = arrangement.pieces.len() * 2;
    let mut positions = vec![0_u32; half_count];
    for node in 0..arrangement.places.len() as u32 {
        for (position, &half) in arrangement.outgoing(node).iter().enumerate() {
            positions[half as usize] = position as u32;
        }
    }
    let mut cycles = vec![u32::MAX; half_count];
    let mut count = 0;
    for first in 0..half_count as u32 {
        let mut half = first;
        if cycles[first as usize] != u32::MAX {
            continue;
        }
        while cycles[half as usize] == u32::MAX {
            cycles[half as usize] = count;
            half = next_half(arrangement, &positions, half);
        }
        count += 1;
    }
    (cycles, count as usize)
}

/// For each connected component its leftmost (then lowest) node, an input point, and the half there that has the
/// outside on its left.
fn component_extremes(arrangement: &Arrangement) -> Vec<(IntPoint, u32)> {
    let mut components = UnionFind::new(arrangement.places.len());
    for piece in &arrangement.pieces {
        components.union(piece.from, piece.to);
    }
    // Points come sorted by (x, z), so the first one met of a component is its extreme.
    let mut seen = vec![false; arrangement.places.len()];
    let mut extremes = Vec::new();
    for (node, place) in arrangement.places.iter().enumerate() {
        let Place::Point(p) = *place else { break };
        let around = arrangement.outgoing(node as u32);
        let root = components.find(node as u32) as usize;
        if around.is_empty() || seen[root] {
            continue;
        }
        seen[root] = true;
        // All halves point right (or straight up): the outside is left of the one with the greatest slope.
        let steepest = around.iter().copied().max_by(|&a, &b| {
            let turn = cross(arrangement.direction(b), arrangement.direction(a));
            turn.cmp(&0)
        });
        if let Some(half) = steepest {
            extremes.push((p, half));
        }
    }
    extremes
}

/// The half with the place just left of `p` above it: the top one of all pieces below, among edges that reach left of
/// `p`. None of them passes through `p` itself.
fn half_below(arrangement: &Arrangement, p: IntPoint) -> Option<u32> {
    let mut best: Option<u32> = None;
    for (row_high, members) in arrangement.grid.cells_below(p.x, p.z) {
        for &edge in members {
            if passes_below(arrangement, edge, p)
                && best.is_none_or(|best| is_above(arrangement, edge, best, p))
            {
                best = Some(edge);
            }
        }
        // What lower rows hold is below the best one, if that passes p.x above this row.
        if best.is_some_and(|best| height_at(arrangement, best, p.x) > row_high + 1.0) {
            break;
        }
    }
    best.map(|edge| half_at(arrangement, edge, p.x))
}

/// The edge's ends, the left one first.
fn left_to_right(arrangement: &Arrangement, edge: u32) -> (IntPoint, IntPoint) {
    let edge = &arrangement.edges[edge as usize];
    if edge.from.x <= edge.to.x { (edge.from, edge.to) } else { (edge.to, edge.from) }
}

/// Whether the edge covers the places just left of p, below it.
fn passes_below(arrangement: &Arrangement, edge: u32, p: IntPoint) -> bool {
    let (left, right) = left_to_right(arrangement, edge);
    left.x < p.x && p.x <= right.x && cross(right - left, p - left) > 0
}

/// Whether edge `a` passes above edge `b` just left of p.
fn is_above(arrangement: &Arrangement, a: u32, b: u32, p: IntPoint) -> bool {
    let ((a0, a1), (b0, b1)) = (left_to_right(arrangement, a), left_to_right(arrangement, b));
    // Depth below p at p.x: cross(d, p − left) / d.x, compared as products.
    let (da, db) = (a1 - a0, b1 - b0);
    let (depth_a, depth_b) = (cross(da, p - a0).unsigned_abs(), cross(db, p - b0).unsigned_abs());
    let order =
        compare_products(depth_a, u128::from(db.x.unsigned_abs()), depth_b, u128::from(da.x.unsigned_abs()));
    // Equal at p.x: the one that falls more steeply to the right is above to the left.
    order.then_with(|| cross(db, da).cmp(&0)).is_lt()
}

fn height_at(arrangement: &Arrangement, edge: u32, x: i64) -> f64 {
    let (left, right) = left_to_right(arrangement, edge);
    let d = right - left;
    left.z as f64 + d.z as f64 * ((x - left.x) as f64 / d.x as f64)
}

/// The half of the edge's piece just left of x that runs to the right, so that what is above lies left of it.
fn half_at(arrangement: &Arrangement, edge: u32, x: i64) -> u32 {
    let input = &arrangement.edges[edge as usize];
    let d = input.to - input.from;
    let at = {
        let along = (x - input.from.x).unsigned_abs();
        Ratio::new(u128::from(along), u128::from(d.x.unsigned_abs()))
    };
    let rightwards = d.x > 0;
    // The part whose far end in walking order is the first at or beyond x; parts run along the edge in order.
    let parts = arrangement.parts_of(edge);
    let index = if rightwards {
        parts.partition_point(|part| part.end < at)
    } else {
        parts.partition_point(|part| part.end <= at)
    };
    parts[index.min(parts.len() - 1)].half ^ u32::from(!rightwards)
}
