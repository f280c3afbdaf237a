//! A mesh: tiles in numbered slots with generations, and the links derived from them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Fingerprint, NavMeshParams, NavSettings, PolyRef, Tile, TilePosition, TileRef};

/// Most slots of a mesh: what a reference's 20 bits can tell apart, less one.
pub const MAX_SLOTS: usize = 1_048_575;

/// Why two polygons are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkKind {
    /// Across a tile border.
    Portal,
    /// Along an off-mesh link, from its start.
    OffMesh,
    /// Back along a bidirectional off-mesh link, from its end.
    OffMeshReverse,
}

/// A derived link from one polygon to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The polygon it leads to.
    pub to: PolyRef,
    /// Why.
    pub kind: LinkKind,
    /// Portal: the edge's index in its polygon. Otherwise 0.
    pub edge: u8,
    /// Portal: the border side. Otherwise [`super::NO_SIDE`].
    pub side: u8,
    /// Portal: first covered 255th of the edge, from its first vertex. Otherwise 0.
    pub range_min: u8,
    /// Portal: last covered 255th. Otherwise 255.
    pub range_max: u8,
    /// Off-mesh: the link's index in its owner tile.
    pub link: u32,
    /// Off-mesh: the owner tile's slot.
    pub owner_slot: u32,
}

/// One slot of a mesh.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Generation, 1..=0xFFFFFF.
    pub salt: u32,
    /// The tile in it, if any.
    pub tile: Option<Tile>,
}

/// What a game made of a polygon: water that turned to ice, a bridge that burns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolygonState {
    /// The area type, 0..=63.
    pub area: u8,
    /// The author's flags; the level stays the tile's.
    pub flags: u8,
}

/// Per polygon of one slot.
pub(crate) type SlotStates = Arc<BTreeMap<u32, PolygonState>>;

/// Slots as read from bytes; [`UnlinkedMesh::link`] (in the stitch room) makes the mesh.
#[derive(Clone, Debug)]
pub struct UnlinkedMesh {
    /// What the tiles agree on.
    pub params: NavMeshParams,
    /// All slots, free ones too.
    pub slots: Vec<Slot>,
}

/// Tiles in slots, and the links that stitching derives from them. Edits live in the stitch room:
/// `add_tile`, `replace_tile`, `remove_tile`. A clone shares tiles and links, so it is cheap.
#[derive(Clone, Debug)]
pub struct TiledNavMesh {
    pub(crate) params: NavMeshParams,
    /// That of the parameters.
    pub(crate) fingerprint: Fingerprint,
    pub(crate) slots: Vec<Slot>,
    pub(crate) by_position: BTreeMap<TilePosition, u32>,
    /// The slots without a tile.
    pub(crate) free: BTreeSet<u32>,
    /// Per slot, per polygon, in the format's order.
    pub(crate) links: Vec<Arc<SlotLinks>>,
    /// Per slot, per off-mesh link of its tile: where the ends attach.
    pub(crate) attachments: Vec<Arc<Vec<Attachment>>>,
    /// The off-mesh links (owner slot, link index) whose end point lies in a column.
    pub(crate) ends_in: BTreeMap<(i32, i32), BTreeSet<(u32, u32)>>,
    /// Areas and flags changed while a game runs, by slot.
    pub(crate) states: BTreeMap<u32, SlotStates>,
    pub(crate) history: History,
}

/// Which slots the last edits touched, so that what was derived from a mesh can follow without looking at all of it.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// Changes with every edit; meshes of one edition are equal.
    edition: u64,
    /// The edition before an edit, and the slots that it touched, oldest first.
    edits: VecDeque<(u64, Arc<[u32]>)>,
}

/// Edits that are remembered: more than a game makes between two questions.
const HISTORY: usize = 256;

impl History {
    /// Of a mesh that was just made.
    pub(crate) fn new() -> Self {
        Self { edition: next_edition(), edits: VecDeque::new() }
    }
}

/// A number that no mesh had before.
fn next_edition() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// The links of one slot's polygons: those of polygon p are `links[starts[p]..starts[p + 1]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotLinks {
    pub(crate) starts: Vec<u32>,
    pub(crate) links: Vec<Link>,
}

/// Where the ends of an off-mesh link attach, if anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attachment {
    /// A polygon of the owner tile.
    pub(crate) start: Option<u32>,
    /// A polygon of a tile in the end point's column.
    pub(crate) end: Option<PolyRef>,
}

/// A mesh with the settings it was built with (file `.onnm`).
#[derive(Clone, Debug)]
pub struct NavMesh {
    /// The settings, links included.
    pub settings: NavSettings,
    /// The tiles.
    pub mesh: TiledNavMesh,
}

impl TiledNavMesh {
    /// What the tiles agree on.
    #[must_use]
    pub fn params(&self) -> &NavMeshParams {
        &self.params
    }

    /// The build fingerprint that every tile of the mesh carries.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// A number that changes with every edit, so that what was derived from a mesh can tell whether it still fits.
    /// Clones share it; it means nothing beyond this process.
    #[must_use]
    pub fn edition(&self) -> u64 {
        self.history.edition
    }

    /// The slots touched since an edition of this mesh or of the one it was cloned from, some of them more than once;
    /// `None` if that is too long ago to know.
    pub(crate) fn changed_since(&self, edition: u64) -> Option<impl Iterator<Item = u32>> {
        let edits = &self.history.edits;
        let first = if edition == self.history.edition {
            edits.len()
        } else {
            edits.iter().position(|(before, _)| *before == edition)?
        };
        Some(edits.range(first..).flat_map(|(_, slots)| slots.iter().copied()))
    }

    /// Marks an edit that touched some slots.
    pub(crate) fn note_change(&mut self, slots: impl IntoIterator<Item = u32>) {
        let history = &mut self.history;
        if history.edits.len() == HISTORY {
            history.edits.pop_front();
        }
        history.edits.push_back((history.edition, slots.into_iter().collect()));
        history.edition = next_edition();
    }

    /// All slots in order, free ones too.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The tiles in slot order, with their references.
    pub fn tiles(&self) -> impl Iterator<Item = (TileRef, &Tile)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            slot.tile.as_ref().map(|tile| (TileRef::new(slot.salt, index as u32), tile))
        })
    }

    /// The tile at a position.
    #[must_use]
    pub fn tile_at(&self, position: TilePosition) -> Option<(TileRef, &Tile)> {
        let slot = *self.by_position.get(&position)?;
        let entry = &self.slots[slot as usize];
        entry.tile.as_ref().map(|tile| (TileRef::new(entry.salt, slot), tile))
    }

    /// The tiles of one column, lowest layer first.
    pub fn column(&self, tile_x: i32, tile_z: i32) -> impl Iterator<Item = (TileRef, &Tile)> {
        let at = |layer| TilePosition { tile_x, tile_z, layer };
        self.by_position.range(at(i32::MIN)..=at(i32::MAX)).filter_map(|(_, &slot)| {
            let entry = &self.slots[slot as usize];
            entry.tile.as_ref().map(|tile| (TileRef::new(entry.salt, slot), tile))
        })
    }

    /// The tile of a valid reference.
    #[must_use]
    pub fn tile(&self, tile: TileRef) -> Option<&Tile> {
        let slot = self.slots.get(tile.slot() as usize)?;
        if slot.salt == tile.salt() { slot.tile.as_ref() } else { None }
    }

    /// The tile and polygon index of a valid reference.
    #[must_use]
    pub fn polygon(&self, poly: PolyRef) -> Option<(&Tile, usize)> {
        let tile = self.tile(poly.tile())?;
        let index = poly.polygon() as usize;
        (index < tile.polygons.len()).then_some((tile, index))
    }

    /// The links that leave a polygon, in the format's order; empty for a stale reference.
    #[must_use]
    pub fn links(&self, poly: PolyRef) -> &[Link] {
        if self.polygon(poly).is_none() {
            return &[];
        }
        let links = &self.links[poly.slot() as usize];
        let index = poly.polygon() as usize;
        &links.links[links.starts[index] as usize..links.starts[index + 1] as usize]
    }
}
