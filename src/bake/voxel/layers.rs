//! Polygons to tile layers: joined polygons share one, floors that overlap in plan do not.

use std::collections::BTreeSet;

use super::poll::Poll;
use super::polymesh::PolygonMesh;
use crate::bake::BakeError;
use crate::geom::union_find::UnionFind;

/// The neighbour across each edge, by the index of the edge's first corner among all polygons' corners.
pub(crate) fn find_neighbours(mesh: &PolygonMesh) -> Vec<Option<u32>> {
    // Ends, lower first; whether it runs from the lower; polygon; corner.
    let mut edges: Vec<(u32, u32, bool, u32, u32)> = Vec::new();
    let mut corner = 0;
    for (index, polygon) in (0..).zip(&mesh.polygons) {
        let count = polygon.corners.len();
        for edge in 0..count {
            let (from, to) = (polygon.corners[edge], polygon.corners[(edge + 1) % count]);
            edges.push((from.min(to), from.max(to), from < to, index, corner));
            corner += 1;
        }
    }
    let mut neighbours = vec![None; corner as usize];
    edges.sort_unstable();
    for users in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        // An edge that more than two polygons claim joins none of them.
        if let [down, up] = users
            && down.2 != up.2
            && down.3 != up.3
        {
            neighbours[down.4 as usize] = Some(up.3);
            neighbours[up.4 as usize] = Some(down.3);
        }
    }
    neighbours
}

/// The layer of each polygon: joined polygons as one, first fit, from the lowest up.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn pack_layers(
    mesh: &PolygonMesh,
    neighbours: &[Option<u32>],
    poll: Poll<'_>,
) -> Result<Vec<usize>, BakeError> {
    let mut sets = UnionFind::new(mesh.polygons.len());
    let mut corner = 0;
    for (index, polygon) in (0..).zip(&mesh.polygons) {
        for neighbour in &neighbours[corner..corner + polygon.corners.len()] {
            neighbour.iter().for_each(|&other| _ = sets.union(index, other));
        }
        corner += polygon.corners.len();
    }
    let plans: Vec<Plan> = mesh.polygons.iter().map(|polygon| Plan::new(mesh, &polygon.corners)).collect();
    let mut pieces: Vec<Vec<usize>> = vec![Vec::new(); plans.len()];
    for index in 0..plans.len() {
        pieces[sets.find(index as u32) as usize].push(index);
    }
    pieces.retain(|piece| !piece.is_empty());
    // Polygons are in a fixed order, so the lowest height and the first polygon tell pieces apart.
    pieces.sort_by_cached_key(|piece| (piece.iter().map(|&index| plans[index].lowest).min(), piece[0]));
    let mut piece_of = vec![0; plans.len()];
    for (number, piece) in pieces.iter().enumerate() {
        piece.iter().for_each(|&index| piece_of[index] = number);
    }
    let stacked = stacked_pieces(&plans, &piece_of, poll)?;
    let mut layer_of_piece: Vec<usize> = Vec::with_capacity(pieces.len());
    for number in 0..pieces.len() {
        // Each with the lower ones that it may not lie with.
        let lower = stacked.range((number, 0)..(number, number));
        let taken: BTreeSet<usize> = lower.map(|&(_, other)| layer_of_piece[other]).collect();
        layer_of_piece.push((0..).find(|layer| !taken.contains(layer)).unwrap_or_default());
    }
    Ok(piece_of.into_iter().map(|piece| layer_of_piece[piece]).collect())
}

/// Which pieces overlap in plan: the later one, then the earlier. From west to east, so that only polygons that are as
/// far are compared.
fn stacked_pieces(
    plans: &[Plan],
    piece_of: &[usize],
    poll: Poll<'_>,
) -> Result<BTreeSet<(usize, usize)>, BakeError> {
    let mut order: Vec<usize> = (0..plans.len()).collect();
    order.sort_unstable_by_key(|&index| plans[index].low[0]);
    let mut stacked = BTreeSet::new();
    let mut open: Vec<usize> = Vec::new();
    for index in order {
        poll()?;
        let (plan, piece) = (&plans[index], piece_of[index]);
        open.retain(|&other| plans[other].high[0] > plan.low[0]);
        for &other in &open {
            let pair = (piece.max(piece_of[other]), piece.min(piece_of[other]));
            if pair.0 != pair.1 && plan.overlaps(&plans[other]) {
                stacked.insert(pair);
            }
        }
        open.push(index);
    }
    Ok(stacked)
}

/// A polygon in plan.
struct Plan {
    corners: Vec<[i64; 2]>,
    low: [i64; 2],
    high: [i64; 2],
    lowest: i32,
}

impl Plan {
    fn new(mesh: &PolygonMesh, corners: &[u32]) -> Self {
        let places = corners.iter().map(|&corner| mesh.vertices[corner as usize]);
        let lowest = places.clone().map(|[_, y, _]| y).min().unwrap_or(0);
        let corners: Vec<[i64; 2]> = places.map(|[x, _, z]| [x.into(), z.into()]).collect();
        let along = |axis: usize| corners.iter().map(move |corner| corner[axis]);
        let low = [0, 1].map(|axis| along(axis).min().unwrap_or(0));
        let high = [0, 1].map(|axis| along(axis).max().unwrap_or(0));
        Self { corners, low, high, lowest }
    }

    /// Whether the insides overlap.
    fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.low[axis] < other.high[axis] && other.low[axis] < self.high[axis])
            && !self.parts_from(other)
            && !other.parts_from(self)
    }

    /// Whether one of the edges has all of the other polygon on its right or on it.
    fn parts_from(&self, other: &Self) -> bool {
        (0..self.corners.len()).any(|index| {
            let (a, b) = (self.corners[index], self.corners[(index + 1) % self.corners.len()]);
            other.corners.iter().all(|p| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0)
        })
    }
}
