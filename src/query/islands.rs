//! Islands: polygons that edges, portals and links join.

use super::QueryFilter;
use super::index::QueryIndex;
use super::plan::Plan;
use crate::format::{PolyRef, TiledNavMesh};

/// Which island each polygon belongs to. Islands are numbered in the order of their first polygons.
#[derive(Clone, Debug)]
pub struct Islands {
    /// Per slot the running number of its first polygon.
    first_polygon: Vec<u32>,
    /// Per polygon its island; `u32::MAX` for a closed polygon.
    of_polygon: Vec<u32>,
    polygon_counts: Vec<u32>,
}

const CLOSED: u32 = u32::MAX;

impl Islands {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.polygon_counts.len()
    }

    /// The island of a polygon; `None` if the filter closes it. The reference must be of the mesh asked.
    #[must_use]
    pub fn of(&self, polygon: PolyRef) -> Option<u32> {
        let first = *self.first_polygon.get(polygon.slot() as usize)?;
        let island = *self.of_polygon.get((first + polygon.polygon()) as usize)?;
        (island != CLOSED).then_some(island)
    }

    /// How many polygons an island has; 0 for an island that is not there.
    #[must_use]
    pub fn polygon_count(&self, island: u32) -> u32 {
        self.polygon_counts.get(island as usize).copied().unwrap_or(0)
    }
}

/// The islands of a mesh under a filter.
///
/// A link joins whichever way it leads: between two polygons of one island there may be a one-way jump, so
/// being on one island does not promise a path both ways; being on different islands means none either way.
#[must_use]
pub fn islands(mesh: &TiledNavMesh, filter: &QueryFilter) -> Islands {
    let mut index = QueryIndex::default();
    index.update(mesh);
    let mut sets = Vec::new();
    join(&index.plan, filter, &mut sets);
    let mut first_polygon = Vec::with_capacity(mesh.slots().len());
    let mut count = 0;
    for slot in mesh.slots() {
        first_polygon.push(count);
        count += slot.tile.as_ref().map_or(0, |tile| tile.polygons.len() as u32);
    }
    let mut names = vec![CLOSED; sets.len()];
    let mut of_polygon = Vec::with_capacity(sets.len());
    let mut polygon_counts = Vec::new();
    for cell in index.cells() {
        if sets[cell as usize] == CLOSED {
            of_polygon.push(CLOSED);
            continue;
        }
        let root = root(&mut sets, cell) as usize;
        if names[root] == CLOSED {
            names[root] = polygon_counts.len() as u32;
            polygon_counts.push(0);
        }
        of_polygon.push(names[root]);
        polygon_counts[names[root] as usize] += 1;
    }
    Islands { first_polygon, of_polygon, polygon_counts }
}

/// Fills `sets` with a union-find forest over the open cells.
pub(super) fn join(plan: &Plan, filter: &QueryFilter, sets: &mut Vec<u32>) {
    sets.clear();
    sets.extend(0..plan.cell_count() as u32);
    let open =
        |cell: u32| !plan.polygons[cell as usize].is_none() && filter.passes_cell(&plan.cells[cell as usize]);
    for cell in 0..plan.cell_count() as u32 {
        if !open(cell) {
            sets[cell as usize] = CLOSED;
        }
    }
    let mut union = |from: u32, to: u32| {
        if open(to) {
            let (a, b) = (root(sets, from), root(sets, to));
            sets[a.max(b) as usize] = a.min(b);
        }
    };
    for cell in (0..plan.cell_count() as u32).filter(|cell| open(*cell)) {
        plan.ways_out(cell).for_each(|side| union(cell, side.to));
        let jumps = plan.jumps[plan.jumps_of(cell)].iter();
        jumps.filter(|jump| filter.passes_jump(jump)).for_each(|jump| union(cell, jump.to));
    }
}

/// The root of an open polygon's set; halves the way there.
pub(super) fn root(sets: &mut [u32], polygon: u32) -> u32 {
    let mut at = polygon;
    while sets[at as usize] != at {
        sets[at as usize] = sets[sets[at as usize] as usize];
        at = sets[at as usize];
    }
    at
}

/// An island as a sentence names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct IslandNote {
    /// As in [`Islands`].
    pub(super) id: usize,
    pub(super) polygon_count: usize,
    /// How many islands there are.
    pub(super) island_count: usize,
}

/// The island of an open cell, from the forest that [`join`] made.
pub(super) fn describe(index: &QueryIndex, sets: &mut [u32], cell: u32) -> IslandNote {
    let wanted = root(sets, cell);
    let mut note = IslandNote { id: 0, polygon_count: 0, island_count: 0 };
    let mut seen = vec![false; sets.len()];
    for at in index.cells() {
        if sets[at as usize] == CLOSED {
            continue;
        }
        let root = root(sets, at);
        if note.polygon_count == 0 && root == wanted {
            note.id = note.island_count;
        }
        note.island_count += usize::from(!std::mem::replace(&mut seen[root as usize], true));
        note.polygon_count += usize::from(root == wanted);
    }
    note
}
