//! Edits of a mesh. Each stitches again only what it can change: the tile's own links, the portal links of the
//! four columns around it, and the off-mesh links that start in the tile or end in its column.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::border_edge::border_edges;
use super::load::column_edges;
use super::offmesh::{attach_ends, attach_starts, end_column, links_of};
use super::order::{Leaving, index_u32, leaving, slot_links};
use super::portal::{check_link_count, column_across, join_borders};
use crate::format::{
    Attachment, FormatError, Link, LinkKind, MAX_SLOTS, PolyRef, Slot, Tile, TilePosition, TileRef,
    TiledNavMesh,
};

/// Links to add, by the slot that they leave.
type Fresh = BTreeMap<u32, Vec<Leaving>>;

impl TiledNavMesh {
    /// Puts a tile into the lowest free slot.
    ///
    /// # Errors
    /// [`FormatError::Fingerprint`] for a tile built with other parameters (checked first),
    /// [`FormatError::Occupied`] if its position holds a tile, [`FormatError::OutOfRange`] if no slot is free or a
    /// tile would have more than `64 * edge_count + 1024` portal links. The mesh is then as it was.
    pub fn add_tile(&mut self, tile: Tile) -> Result<TileRef, FormatError> {
        self.check_fingerprint(&tile)?;
        let position = tile.position();
        if let Some(&slot) = self.by_position.get(&position) {
            let TilePosition { tile_x, tile_z, layer } = position;
            return Err(FormatError::Occupied { tile_x, tile_z, layer, slot });
        }
        let appended = index_u32(self.slots.len());
        let slot = self.free.first().copied().unwrap_or(appended);
        if slot == appended {
            if self.slots.len() >= MAX_SLOTS {
                let bound = format!("a mesh has at most {MAX_SLOTS}");
                return Err(FormatError::out_of_range(
                    "slot count",
                    (self.slots.len() + 1).to_string(),
                    bound,
                ));
            }
            let fresh = self.fresh_portals(TileRef::new(1, slot), &tile)?;
            self.slots.push(Slot { salt: 1, tile: None });
            self.links.push(Arc::default());
            self.attachments.push(Arc::default());
            self.free.insert(slot);
            return Ok(self.install(slot, Slot { salt: 1, tile: Some(tile) }, fresh));
        }
        let salt = self.slots[slot as usize].salt;
        let fresh = self.fresh_portals(TileRef::new(salt, slot), &tile)?;
        Ok(self.install(slot, Slot { salt, tile: Some(tile) }, fresh))
    }

    /// Puts a tile in the place of the one at its position: same slot, next salt, so that references to the old
    /// one are stale even if both look alike.
    ///
    /// # Errors
    /// [`FormatError::Fingerprint`] for a tile built with other parameters (checked first),
    /// [`FormatError::OutOfRange`] if its position holds no tile or a tile would have more than
    /// `64 * edge_count + 1024` portal links. The mesh is then as it was.
    pub fn replace_tile(&mut self, tile: Tile) -> Result<TileRef, FormatError> {
        self.check_fingerprint(&tile)?;
        let slot = self.slot_of(tile.position())?;
        let salt = next_salt(self.slots[slot as usize].salt);
        let fresh = self.fresh_portals(TileRef::new(salt, slot), &tile)?;
        Ok(self.install(slot, Slot { salt, tile: Some(tile) }, fresh))
    }

    /// As [`TiledNavMesh::replace_tile`], but the slot keeps its salt: for the maker of a mesh who has not handed it
    /// out yet.
    ///
    /// # Errors
    /// As [`TiledNavMesh::replace_tile`].
    pub(crate) fn exchange_tile(&mut self, tile: Tile) -> Result<(), FormatError> {
        self.check_fingerprint(&tile)?;
        let slot = self.slot_of(tile.position())?;
        let salt = self.slots[slot as usize].salt;
        let fresh = self.fresh_portals(TileRef::new(salt, slot), &tile)?;
        self.install(slot, Slot { salt, tile: Some(tile) }, fresh);
        Ok(())
    }

    /// Takes the tile at a position out; its slot becomes free, with the next salt.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] if the position holds no tile.
    pub fn remove_tile(&mut self, position: TilePosition) -> Result<Tile, FormatError> {
        let slot = self.slot_of(position)?;
        let entry = &self.slots[slot as usize];
        let Some(tile) = entry.tile.clone() else { return Err(empty_position(position)) };
        let salt = next_salt(entry.salt);
        self.install(slot, Slot { salt, tile: None }, Fresh::new());
        Ok(tile)
    }

    /// Takes all layers of a column out, lowest first; a column without tiles is fine.
    pub fn remove_column(&mut self, tile_x: i32, tile_z: i32) -> Vec<Tile> {
        let positions: Vec<_> = self.column(tile_x, tile_z).map(|(_, tile)| tile.position()).collect();
        positions.into_iter().filter_map(|position| self.remove_tile(position).ok()).collect()
    }

    pub(super) fn check_fingerprint(&self, tile: &Tile) -> Result<(), FormatError> {
        let (found, expected) = (tile.fingerprint(), self.fingerprint);
        if found == expected {
            return Ok(());
        }
        let position = tile.position();
        let what = format!("tile {position}: fingerprint {found} found, but the mesh's is {expected}");
        Err(FormatError::Fingerprint { what })
    }

    fn slot_of(&self, position: TilePosition) -> Result<u32, FormatError> {
        self.by_position.get(&position).copied().ok_or_else(|| empty_position(position))
    }

    /// The portal links between a tile that is about to stand in a slot and its neighbours, both ways.
    fn fresh_portals(&self, reference: TileRef, tile: &Tile) -> Result<Fresh, FormatError> {
        let mut fresh = Fresh::new();
        let slot = reference.slot();
        // What a neighbour keeps: its portal links that do not lead to the slot's present tile.
        let kept = |slot_index: u32| {
            let links = self.links.get(slot_index as usize).filter(|_| slot_index != slot);
            let portal = |link: &&Link| link.kind == LinkKind::Portal && link.to.slot() != slot;
            links.map_or(0, |links| links.links.iter().filter(portal).count() as u64)
        };
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        let column = (tile.tile_x, tile.tile_z);
        for side in 0..4 {
            let Some(across) = column_across(column, side) else { continue };
            let edges: Vec<_> = border_edges(reference, tile, side).collect();
            let facing = column_edges(self, across, side ^ 2);
            join_borders(&edges, facing, self.params.walkable_climb.into(), |from, link| {
                let at = from.slot();
                let count = counts.entry(at).or_insert_with(|| kept(at));
                *count += 1;
                fresh.entry(at).or_default().push((from.polygon(), link));
                let holder = if at == slot { Some(tile) } else { self.slots[at as usize].tile.as_ref() };
                holder.map_or(Ok(()), |tile| check_link_count(tile, at, *count))
            })?;
        }
        Ok(fresh)
    }

    /// Puts a slot's new state in place of the old one and stitches what that changes. `fresh` holds the portal
    /// links of the new tile and its neighbours.
    fn install(&mut self, slot: u32, entry: Slot, mut fresh: Fresh) -> TileRef {
        let reference = TileRef::new(entry.salt, slot);
        self.states.remove(&slot);
        let old = self.slots[slot as usize].tile.take();
        let mut touched: BTreeSet<u32> = fresh.keys().copied().collect();
        touched.insert(slot);
        touched.extend(self.links[slot as usize].links.iter().map(|link| link.to.slot()));
        if let Some(old) = &old {
            self.by_position.remove(&old.position());
            self.forget_ends(slot, old);
        }
        match &entry.tile {
            Some(tile) => {
                self.by_position.insert(tile.position(), slot);
                self.free.remove(&slot);
            }
            None => {
                self.free.insert(slot);
            }
        }
        let position = entry.tile.as_ref().or(old.as_ref()).map(Tile::position);
        self.slots[slot as usize] = entry;
        let stale = self.attach_again(slot, position, &mut fresh, &mut touched);
        self.note_change(touched.iter().copied());
        for at in touched {
            self.stitch_slot(at, slot, &stale, fresh.remove(&at).unwrap_or_default());
        }
        reference
    }

    /// Drops the off-mesh links of a tile that leaves from the index by end column.
    fn forget_ends(&mut self, slot: u32, tile: &Tile) {
        for (index, link) in (0..).zip(&tile.links) {
            let Some(column) = end_column(&self.params, tile, link) else { continue };
            if let Some(links) = self.ends_in.get_mut(&column) {
                links.remove(&(slot, index));
                if links.is_empty() {
                    self.ends_in.remove(&column);
                }
            }
        }
    }

    /// Attaches the off-mesh links that start in the slot's tile or end in its column. Adds their links to
    /// `fresh` and the slots that hold their old and new links to `touched`; returns the ones of other tiles whose
    /// old links are stale.
    fn attach_again(
        &mut self,
        slot: u32,
        position: Option<TilePosition>,
        fresh: &mut Fresh,
        touched: &mut BTreeSet<u32>,
    ) -> BTreeSet<(u32, u32)> {
        let old = std::mem::take(&mut self.attachments[slot as usize]);
        touched.extend(old.iter().filter_map(|attachment| attachment.end).map(PolyRef::slot));
        let mut columns: BTreeMap<(i32, i32), BTreeSet<(u32, u32)>> = BTreeMap::new();
        if let Some(tile) = self.slots[slot as usize].tile.clone() {
            let reference = TileRef::new(self.slots[slot as usize].salt, slot);
            let starts = attach_starts(self, reference, &tile);
            let attachments = starts.into_iter().map(|start| Attachment { start, end: None }).collect();
            self.attachments[slot as usize] = Arc::new(attachments);
            for (index, link) in (0..).zip(&tile.links) {
                if let Some(column) = end_column(&self.params, &tile, link) {
                    self.ends_in.entry(column).or_default().insert((slot, index));
                    columns.entry(column).or_default().insert((slot, index));
                }
            }
        }
        let mut stale = BTreeSet::new();
        if let Some(position) = position {
            let column = (position.tile_x, position.tile_z);
            if let Some(links) = self.ends_in.get(&column) {
                columns.insert(column, links.clone());
                stale.extend(links.iter().copied().filter(|&(owner, _)| owner != slot));
            }
        }
        for (column, links) in columns {
            let ends = attach_ends(self, column, links.iter().copied());
            for ((owner, index), end) in links.into_iter().zip(ends) {
                self.set_end(owner, index, end, touched);
                self.add_links_of(owner, index, fresh, touched);
            }
        }
        stale
    }

    fn set_end(&mut self, owner: u32, index: u32, end: Option<PolyRef>, touched: &mut BTreeSet<u32>) {
        let attachments = Arc::make_mut(&mut self.attachments[owner as usize]);
        let attachment = &mut attachments[index as usize];
        touched.extend(attachment.end.map(PolyRef::slot));
        touched.insert(owner);
        attachment.end = end;
    }

    fn add_links_of(&self, owner: u32, index: u32, fresh: &mut Fresh, touched: &mut BTreeSet<u32>) {
        let entry = &self.slots[owner as usize];
        let Some(tile) = &entry.tile else { return };
        let index = index as usize;
        let attachment = self.attachments[owner as usize][index];
        let reference = TileRef::new(entry.salt, owner);
        for (from, link) in links_of(reference, index, &tile.links[index], attachment) {
            fresh.entry(from).or_default().push(link);
            touched.insert(from);
        }
    }

    /// Replaces what an edit of `edited` made stale among the links of slot `at` by `fresh` ones.
    fn stitch_slot(&mut self, at: u32, edited: u32, stale: &BTreeSet<(u32, u32)>, fresh: Vec<Leaving>) {
        let index = at as usize;
        let Some(tile) = &self.slots[index].tile else {
            self.links[index] = Arc::default();
            return;
        };
        let stays = |(_, link): &Leaving| match link.kind {
            LinkKind::Portal => link.to.slot() != edited,
            LinkKind::OffMesh | LinkKind::OffMeshReverse => {
                link.owner_slot != edited && !stale.contains(&(link.owner_slot, link.link))
            }
        };
        let mut links: Vec<Leaving> = Vec::new();
        if at != edited {
            links.extend(leaving(&self.links[index]).filter(stays));
        }
        links.extend(fresh);
        self.links[index] = Arc::new(slot_links(tile.polygons.len(), links, &self.slots));
    }
}

/// The generation after this one; 0 is skipped.
fn next_salt(salt: u32) -> u32 {
    match (salt + 1) & 0x00FF_FFFF {
        0 => 1,
        next => next,
    }
}

fn empty_position(position: TilePosition) -> FormatError {
    FormatError::out_of_range("tile position", position.to_string(), "no tile stands there")
}
