//! Memory that queries keep between calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::astar::SearchMemory;
use super::clip::Clip;
use super::frontier::AnyAngleMemory;
use super::funnel::Pulled;
use super::index::QueryIndex;
use super::landmarks::{Adopted, Landmarks};
use crate::format::PolyRef;

/// What queries keep between calls: the index of the mesh asked last, and the search's working memory.
///
/// One scratch serves any meshes, one at a time; going back and forth between meshes builds the index again each
/// time. After an edit of the mesh only what it touched is indexed again. Once warm, a search allocates nothing but
/// its result.
#[derive(Clone, Debug)]
pub struct PathScratch {
    pub(super) index: QueryIndex,
    /// Cells that hold a place that was asked for.
    pub(super) near_cells: Vec<u32>,
    /// Cells that hold the start, and the goal, of the search in hand.
    pub(super) start_cells: Vec<u32>,
    pub(super) goal_cells: Vec<u32>,
    pub(super) any_angle: AnyAngleMemory,
    pub(super) search: SearchMemory,
    /// The corridor in hand and the best one so far.
    pub(super) trial: Pulled,
    pub(super) best: Pulled,
    pub(super) polygons: Vec<PolyRef>,
    pub(super) clip: Clip,
    /// Per cell, its island's root or parent.
    pub(super) sets: Vec<u32>,
    /// Whether paths that are not complete say why in words.
    pub(super) words: bool,
    /// Another number whenever a search begins or goes on, no number twice: a search whose memory another one took, or that
    /// is given another's memory, can tell.
    pub(super) searches: u64,
    /// Nodes that searches for shortest paths have looked at.
    pub(super) nodes: u64,
}

impl Default for PathScratch {
    fn default() -> Self {
        Self {
            index: QueryIndex::default(),
            near_cells: Vec::new(),
            start_cells: Vec::new(),
            goal_cells: Vec::new(),
            any_angle: AnyAngleMemory::default(),
            search: SearchMemory::default(),
            trial: Pulled::default(),
            best: Pulled::default(),
            polygons: Vec::new(),
            clip: Clip::default(),
            sets: Vec::new(),
            words: true,
            searches: 0,
            nodes: 0,
        }
    }
}

impl PathScratch {
    /// A scratch whose paths leave [`NavPath::reason`](super::NavPath::reason) empty: once warm, not even paths that
    /// are not complete allocate.
    #[must_use]
    pub fn without_words() -> Self {
        Self { words: false, ..Self::default() }
    }

    /// Takes landmarks on, or off with `None`, for the questions to come; those of several threads may share them.
    ///
    /// They are used while they [`fit`](Landmarks::fit) the mesh that is asked and every area on it costs the same. After
    /// an edit of its tiles or links they are not, without a word, so that no path is longer or missing for it.
    pub fn use_landmarks(&mut self, landmarks: Option<Arc<Landmarks>>) {
        self.index.adopt(Adopted::new(landmarks));
        // A search that is under way begins anew.
        self.renew();
    }

    /// Says that the search's memory is no longer what it was; what it says is the number that it has now.
    pub(super) fn renew(&mut self) -> u64 {
        static LAST: AtomicU64 = AtomicU64::new(0);
        self.searches = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        self.searches
    }

    /// Nodes that searches for shortest paths with this scratch have looked at, all in all: what landmarks can save.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Bytes held, for budgets and for seeing that a warm scratch no longer grows. Landmarks are shared and not counted.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.index.memory_bytes()
            + self.polygons.capacity() * size_of::<PolyRef>()
            + self.clip.memory_bytes()
            + [&self.near_cells, &self.start_cells, &self.goal_cells, &self.sets]
                .map(|list| list.capacity() * size_of::<u32>())
                .iter()
                .sum::<usize>()
            + self.any_angle.memory_bytes()
            + self.search.memory_bytes()
            + self.trial.memory_bytes()
            + self.best.memory_bytes()
    }
}
