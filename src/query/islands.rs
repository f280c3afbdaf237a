//! Islands: polygons that edges, portals and links join.

use super::QueryFilter;
use super::graph::each_exit;
use super::index::QueryIndex;
use super::view::PolygonView;
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
    join(mesh, &index, filter, &mut sets);
    let mut first_polygon = Vec::with_capacity(mesh.slots().len());
    let mut count = 0;
    for slot in mesh.slots() {
        first_polygon.push(count);
        count += slot.tile.as_ref().map_or(0, |tile| tile.polygons.len() as u32);
    }
    let mut of_polygon = vec![CLOSED; sets.len()];
    let mut polygon_counts = Vec::new();
    for polygon in 0..sets.len() {
        if sets[polygon] == CLOSED {
            continue;
        }
        // The root is the set's lowest number, so it has been named before.
        let root = root(&mut sets, polygon as u32) as usize;
        if root == polygon {
            of_polygon[polygon] = polygon_counts.len() as u32;
            polygon_counts.push(0);
        } else {
            of_polygon[polygon] = of_polygon[root];
        }
        polygon_counts[of_polygon[polygon] as usize] += 1;
    }
    Islands { first_polygon, of_polygon, polygon_counts }
}

/// Fills `sets` with a union-find forest over the open polygons' running numbers; roots are the lowest numbers.
pub(super) fn join(mesh: &TiledNavMesh, index: &QueryIndex, filter: &QueryFilter, sets: &mut Vec<u32>) {
    sets.clear();
    sets.extend(0..index.polygon_count() as u32);
    for (reference, tile) in mesh.tiles() {
        for place in 0..tile.polygons.len() {
            let Some(view) = PolygonView::new(mesh, reference.polygon(place as u32)) else { continue };
            let from = index.number(view.reference) as u32;
            if !filter.passes(view.polygon) {
                sets[from as usize] = CLOSED;
                continue;
            }
            each_exit(mesh, &view, filter, |exit| {
                let (a, b) = (root(sets, from), root(sets, index.number(exit.to) as u32));
                sets[a.max(b) as usize] = a.min(b);
            });
        }
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
}

/// The island of an open polygon, from the forest that [`join`] made.
pub(super) fn describe(sets: &mut [u32], polygon: u32) -> IslandNote {
    let wanted = root(sets, polygon);
    let mut note = IslandNote { id: 0, polygon_count: 0 };
    for at in 0..sets.len() as u32 {
        if sets[at as usize] == CLOSED {
            continue;
        }
        let root = root(sets, at);
        note.id += usize::from(root == at && at < wanted);
        note.polygon_count += usize::from(root == wanted);
    }
    note
}
