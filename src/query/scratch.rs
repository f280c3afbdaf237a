//! Memory that queries keep between calls.

use super::any_angle::AnyAngleMemory;
use super::astar::SearchMemory;
use super::funnel::Pulled;
use super::index::QueryIndex;
use crate::format::PolyRef;

/// What queries keep between calls: the index of the mesh asked last, and the search's working memory.
///
/// One scratch serves any meshes, one at a time; going back and forth between meshes builds the index again each
/// time. Once warm, a search allocates nothing but its result.
#[derive(Clone, Debug, Default)]
pub struct PathScratch {
    pub(super) index: QueryIndex,
    pub(super) starts: Vec<PolyRef>,
    pub(super) goals: Vec<PolyRef>,
    /// The same as numbers of cells.
    pub(super) start_cells: Vec<u32>,
    pub(super) goal_cells: Vec<u32>,
    pub(super) any_angle: AnyAngleMemory,
    pub(super) search: SearchMemory,
    /// The corridor in hand and the best one so far.
    pub(super) trial: Pulled,
    pub(super) best: Pulled,
    /// Per polygon, its island's root or parent.
    pub(super) sets: Vec<u32>,
}

impl PathScratch {
    /// Bytes held, for budgets and for seeing that a warm scratch no longer grows.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.index.memory_bytes()
            + (self.starts.capacity() + self.goals.capacity()) * size_of::<PolyRef>()
            + (self.start_cells.capacity() + self.goal_cells.capacity()) * size_of::<u32>()
            + self.any_angle.memory_bytes()
            + self.search.memory_bytes()
            + self.trial.memory_bytes()
            + self.best.memory_bytes()
            + self.sets.capacity() * size_of::<u32>()
    }
}
