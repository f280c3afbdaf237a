//! Tiles in and out of a mesh, in the order they were asked for, a few an update.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use crate::format::{FormatError, Tile, TiledNavMesh};

/// One step of streaming.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileOperation {
    /// A tile's `ONPT` bytes: added, or put in the place of the tile at its position.
    Put(Arc<[u8]>),
    /// All layers of a column, lowest first; a column without tiles is fine.
    RemoveColumn {
        /// Column along x.
        tile_x: i32,
        /// Row along z.
        tile_z: i32,
    },
}

/// An operation that failed. It has left the queue; the mesh is as the operations before it made it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{operation}: {error}")]
pub struct StreamError {
    /// What failed.
    pub operation: TileOperation,
    /// Operations of the same update that were applied before it.
    pub applied: usize,
    /// Why.
    #[source]
    pub error: FormatError,
}

/// A queue of operations on a mesh. It is the host's own: no part of a mesh's snapshot.
///
/// Tiles that go out and come in again have the same bytes and give the same answers, but other slots and
/// generations: a reference from before is stale.
#[derive(Clone, Debug, Default)]
pub struct TileStreamer {
    queue: VecDeque<TileOperation>,
}

impl TileStreamer {
    /// With nothing to do.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for a tile to come in, in the place of the one at its position if there is one.
    pub fn put_tile(&mut self, bytes: impl Into<Arc<[u8]>>) {
        self.queue.push_back(TileOperation::Put(bytes.into()));
    }

    /// Asks for a column to go out.
    pub fn remove_column(&mut self, tile_x: i32, tile_z: i32) {
        self.queue.push_back(TileOperation::RemoveColumn { tile_x, tile_z });
    }

    /// What waits, in order.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &TileOperation> {
        self.queue.iter()
    }

    /// Forgets what waits.
    pub fn clear(&mut self) {
        self.queue.clear();
    }

    /// Applies at most `max_operations` of what waits, in order; returns how many. The mesh is stitched after each.
    ///
    /// # Errors
    /// [`StreamError`] with the first operation that fails; it is no longer in the queue.
    pub fn update(&mut self, mesh: &mut TiledNavMesh, max_operations: usize) -> Result<usize, StreamError> {
        let mut applied = 0;
        while applied < max_operations {
            let Some(operation) = self.queue.pop_front() else { break };
            match apply(&operation, mesh) {
                Ok(()) => applied += 1,
                Err(error) => return Err(StreamError { operation, applied, error }),
            }
        }
        Ok(applied)
    }
}

fn apply(operation: &TileOperation, mesh: &mut TiledNavMesh) -> Result<(), FormatError> {
    match operation {
        TileOperation::Put(bytes) => {
            let tile = Tile::from_bytes(bytes, mesh.params())?;
            if mesh.tile_at(tile.position()).is_some() {
                mesh.replace_tile(tile)?;
            } else {
                mesh.add_tile(tile)?;
            }
        }
        TileOperation::RemoveColumn { tile_x, tile_z } => {
            mesh.remove_column(*tile_x, *tile_z);
        }
    }
    Ok(())
}

impl fmt::Display for TileOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put(bytes) => write!(f, "a tile of {} bytes to come in", bytes.len()),
            Self::RemoveColumn { tile_x, tile_z } => write!(f, "column ({tile_x}, {tile_z}) to go out"),
        }
    }
}
