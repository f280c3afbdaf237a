//! Which tile and stage of the bake is looked at, and what was found; and the column under a place that was asked about.

use std::sync::Arc;

use super::study::Question;
use super::worker::Mode;
use crate::bake::voxel::{TileStages, VoxelProbe};
use crate::draw::StagePicture;

/// What is looked at, and what was found.
#[derive(Debug, Default)]
pub struct StageView {
    /// The tile that was picked; none: that in the middle of the canvas.
    pub tile: Option<[i32; 2]>,
    /// Whether the tiles around it are looked at too.
    pub around: bool,
    /// Whether all tiles are: of a large map those nearest to it.
    pub all: bool,
    /// The stage's place in the list.
    pub index: usize,
    /// Whether only what the stage took away is shown.
    pub difference: bool,
    /// The stages; empty where the tile has no floor.
    pub stages: Vec<StagePicture>,
    /// The tiles' voxels, in a voxel bake.
    pub voxels: Arc<Vec<TileStages>>,
    /// Why there are none.
    pub failure: Option<String>,
    /// Another number whenever `stages` is another list.
    pub edition: u64,
    /// What was asked last, and its number.
    pub(super) asked: Option<(Key, u64)>,
    pub(super) answered: u64,
}

/// What an answer depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) generation: u64,
    pub(super) mode: Mode,
    /// The bake whose seeds are told of; 0 for none.
    pub(super) seeded: u64,
    pub(super) question: Question,
}

/// The column under the place that was asked about.
#[derive(Debug, Default)]
pub struct ProbeView {
    /// What was found, and where.
    pub found: Option<([f64; 2], Result<VoxelProbe, String>)>,
    pub(super) asked: Option<(Key, u64)>,
}

impl StageView {
    /// The stage that is shown.
    #[must_use]
    pub fn shown(&self) -> Option<&StagePicture> {
        self.stages.get(self.index.min(self.stages.len().saturating_sub(1)))
    }

    /// Whether an answer is waited for.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.asked.as_ref().is_some_and(|(_, number)| *number != self.answered)
    }
}
