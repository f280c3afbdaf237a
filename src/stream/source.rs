//! Where tiles come from: a library that finds them by their content id.

use std::collections::HashMap;
use std::sync::Arc;

use crate::format::{Fingerprint, FormatError, NavMeshParams, Tile, TiledNavMesh};

/// Offset of the fingerprint in a tile's bytes.
const FINGERPRINT_AT: usize = 8;

/// Tiles by content id. It may hold tiles of several builds; a restore looks at those that it names only.
#[derive(Clone, Debug, Default)]
pub struct TileLibrary {
    entries: HashMap<Fingerprint, Entry>,
}

/// A tile as it was handed over.
#[derive(Clone, Debug)]
enum Entry {
    Checked(Tile),
    Bytes(Arc<[u8]>),
}

impl TileLibrary {
    /// Without tiles.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tile; returns its content id.
    pub fn add(&mut self, tile: Tile) -> Fingerprint {
        let id = tile.content_id();
        self.entries.insert(id, Entry::Checked(tile));
        id
    }

    /// Adds a tile's `ONPT` bytes, to be checked when they are needed; returns their content id.
    pub fn add_bytes(&mut self, bytes: impl Into<Arc<[u8]>>) -> Fingerprint {
        let bytes = bytes.into();
        let id = Fingerprint::of(&bytes);
        // A tile that was checked already is worth more than its bytes.
        self.entries.entry(id).or_insert(Entry::Bytes(bytes));
        id
    }

    /// Adds all tiles of a mesh.
    pub fn add_mesh(&mut self, mesh: &TiledNavMesh) {
        for (_, tile) in mesh.tiles() {
            self.add(tile.clone());
        }
    }

    /// Number of tiles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds no tile.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether it holds the tile with this content id.
    #[must_use]
    pub fn contains(&self, id: Fingerprint) -> bool {
        self.entries.contains_key(&id)
    }

    /// The build fingerprint that an entry states; `None` for no entry, or bytes too short to have one.
    pub(super) fn build_of(&self, id: Fingerprint) -> Option<Fingerprint> {
        match self.entries.get(&id)? {
            Entry::Checked(tile) => Some(tile.fingerprint()),
            Entry::Bytes(bytes) => {
                let stated = bytes.get(FINGERPRINT_AT..FINGERPRINT_AT + 16)?;
                Some(Fingerprint(stated.try_into().ok()?))
            }
        }
    }

    /// The tile with this content id, read against the mesh's parameters; `None` if there is none.
    ///
    /// # Errors
    /// [`FormatError`] if its bytes break a rule or were built with other parameters.
    pub fn tile(&self, id: Fingerprint, params: &NavMeshParams) -> Result<Option<Tile>, FormatError> {
        match self.entries.get(&id) {
            None => Ok(None),
            Some(Entry::Checked(tile)) => Ok(Some(tile.clone())),
            Some(Entry::Bytes(bytes)) => Tile::from_bytes(bytes, params).map(Some),
        }
    }
}
