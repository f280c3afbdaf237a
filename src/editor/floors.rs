//! Floors of one level that lie over each other at a place.

use crate::format::TiledNavMesh;
use crate::geom::plane::thousandth;
use crate::project::{Document, Spot, floor_of, floors_over};
use crate::query::{PathScratch, QueryFilter, SNAP_TILES};

/// The floors over a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Floors {
    /// World y of each, from below.
    pub heights: Vec<f64>,
    /// The place in the list of the one that is meant, if it is one of them.
    pub taken: Option<usize>,
}

impl Floors {
    /// The floors of a mesh over a place, where they can lie over each other.
    #[must_use]
    pub fn at(document: &Document, mesh: &TiledNavMesh, spot: Spot, scratch: &mut PathScratch) -> Self {
        if !document.stacks_floors() {
            return Self::default();
        }
        let filter = QueryFilter::default();
        let over = floors_over(mesh, spot.at, None, &filter, scratch).unwrap_or_default();
        let heights: Vec<f64> = over.iter().map(|floor| floor.position[1]).collect();
        let reach = SNAP_TILES * mesh.params().tile_size;
        let meant = floor_of(document, mesh, &spot, reach, &filter, scratch).ok().flatten();
        let taken = meant.filter(|meant| meant.distance == 0.0).and_then(|meant| {
            let away = |index: &usize| (heights[*index] - meant.position[1]).abs();
            (0..heights.len()).min_by(|a, b| away(a).total_cmp(&away(b)))
        });
        Self { heights, taken }
    }

    /// The floor above the one that is meant (`above`), or below it, from the last on to the first: its place in the list and
    /// its height in thousandths. There must be one.
    #[must_use]
    pub fn beside(&self, above: bool) -> (usize, f64) {
        let count = self.heights.len();
        let next = match self.taken {
            Some(taken) if above => (taken + 1) % count,
            Some(taken) => (taken + count - 1) % count,
            None if above => 0,
            None => count - 1,
        };
        (next, self.typed(next))
    }

    /// The height of a floor as a file keeps it, in thousandths.
    #[must_use]
    pub fn typed(&self, index: usize) -> f64 {
        thousandth(self.heights[index])
    }

    /// "floor 1 of 2", where there is a choice.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let count = self.heights.len();
        (count > 1).then_some(())?;
        Some(match self.taken {
            Some(taken) => format!("floor {} of {count}", taken + 1),
            None => format!("{count} floors"),
        })
    }
}
