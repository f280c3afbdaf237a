//! A mesh's state by reference to tiles that both sides hold: generations and content ids, slot by slot.

use super::{Fingerprint, NavMeshParams, TiledNavMesh};

/// What a slot of a mesh held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotSlot {
    /// Generation, 1..=0xFFFFFF.
    pub salt: u32,
    /// Content id of the tile in it, if any.
    pub content: Option<Fingerprint>,
}

/// Slots and generations of a mesh, its tiles by content id (`ONPS`). Small: 24 bytes a slot.
///
/// Restoring, and the library of tiles that it needs, live in the stream room.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// What the tiles agree on.
    pub params: NavMeshParams,
    /// All slots, free ones too.
    pub slots: Vec<SnapshotSlot>,
}

impl Snapshot {
    /// The present state of a mesh.
    #[must_use]
    pub fn of(mesh: &TiledNavMesh) -> Self {
        let slots = mesh.slots().iter().map(|slot| SnapshotSlot {
            salt: slot.salt,
            content: slot.tile.as_ref().map(super::Tile::content_id),
        });
        Self { params: *mesh.params(), slots: slots.collect() }
    }
}
