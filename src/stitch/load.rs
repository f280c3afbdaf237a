//! A whole mesh at once: every link of every tile, stitched once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::border_edge::{BorderEdge, border_edges};
use super::offmesh::{attach_ends, attach_starts, end_column, links_of};
use super::order::{Leaving, slot_links};
use super::portal::{check_link_count, column_across, join_borders};
use crate::format::codec::{decode_onnm, decode_onnw, decode_onpm};
use crate::format::validate::{check_positions, check_salt};
use crate::format::{
    Attachment, FormatError, History, NavMesh, NavMeshParams, NavSettings, NavWorld, TileRef, TiledNavMesh,
    UnlinkedMesh,
};

impl UnlinkedMesh {
    /// Checks the slots and derives all links.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] for parameters outside their bounds and for a tile with more than
    /// `64 * edge_count + 1024` portal links, [`FormatError::Bad`] for a salt outside its bounds and for two tiles
    /// at one position, [`FormatError::Fingerprint`] for a tile built with other parameters.
    pub fn link(self) -> Result<TiledNavMesh, FormatError> {
        let mut mesh = TiledNavMesh::new(self.params)?;
        check_positions(&self.slots)?;
        for (slot, entry) in (0..).zip(&self.slots) {
            check_salt(entry.salt).map_err(|error| error.under(&format!("slot {slot}")))?;
            if let Some(tile) = &entry.tile {
                mesh.check_fingerprint(tile).map_err(|error| error.under(&format!("slot {slot}")))?;
                mesh.by_position.insert(tile.position(), slot);
            } else {
                mesh.free.insert(slot);
            }
        }
        mesh.links = vec![Arc::default(); self.slots.len()];
        mesh.attachments = vec![Arc::default(); self.slots.len()];
        mesh.slots = self.slots;
        let mut leaving = vec![Vec::new(); mesh.slots.len()];
        link_portals(&mesh, &mut leaving)?;
        link_off_mesh(&mut mesh, &mut leaving);
        for (slot, leaving) in leaving.into_iter().enumerate() {
            if let Some(tile) = &mesh.slots[slot].tile {
                mesh.links[slot] = Arc::new(slot_links(tile.polygons.len(), leaving, &mesh.slots));
            }
        }
        Ok(mesh)
    }
}

/// Joins every column with the ones across its +X and +Z sides; both links of a pair are found at once.
fn link_portals(mesh: &TiledNavMesh, leaving: &mut [Vec<Leaving>]) -> Result<(), FormatError> {
    let climb = mesh.params.walkable_climb.into();
    let columns: BTreeSet<(i32, i32)> = mesh.by_position.keys().map(|at| (at.tile_x, at.tile_z)).collect();
    for &column in &columns {
        for side in [0, 1] {
            let Some(across) = column_across(column, side).filter(|across| columns.contains(across)) else {
                continue;
            };
            let edges = column_edges(mesh, column, side);
            let facing = column_edges(mesh, across, side ^ 2);
            join_borders(&edges, facing, climb, |from, link| {
                let slot = from.slot();
                let links = &mut leaving[slot as usize];
                links.push((from.polygon(), link));
                match &mesh.slots[slot as usize].tile {
                    Some(tile) => check_link_count(tile, slot, links.len() as u64),
                    None => Ok(()),
                }
            })?;
        }
    }
    Ok(())
}

/// The portal edges of all layers of a column on one side, lowest layer first.
pub(super) fn column_edges(mesh: &TiledNavMesh, (tile_x, tile_z): (i32, i32), side: u8) -> Vec<BorderEdge> {
    mesh.column(tile_x, tile_z).flat_map(|(reference, tile)| border_edges(reference, tile, side)).collect()
}

fn link_off_mesh(mesh: &mut TiledNavMesh, leaving: &mut [Vec<Leaving>]) {
    let mut attachments: BTreeMap<u32, Vec<Attachment>> = BTreeMap::new();
    let mut ends_in: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (reference, tile) in mesh.tiles().filter(|(_, tile)| !tile.links.is_empty()) {
        let starts = attach_starts(mesh, reference, tile).into_iter();
        let starts = starts.map(|start| Attachment { start, end: None });
        attachments.insert(reference.slot(), starts.collect());
        for (index, link) in (0..).zip(&tile.links) {
            if let Some(column) = end_column(&mesh.params, tile, link) {
                ends_in.entry(column).or_default().insert((reference.slot(), index));
            }
        }
    }
    for (&column, links) in &ends_in {
        let ends = attach_ends(mesh, column, links.iter().copied());
        for (&(slot, index), end) in links.iter().zip(ends) {
            if let Some(links) = attachments.get_mut(&slot) {
                links[index as usize].end = end;
            }
        }
    }
    for (&slot, attachments) in &attachments {
        let entry = &mesh.slots[slot as usize];
        let Some(tile) = &entry.tile else { continue };
        let owner = TileRef::new(entry.salt, slot);
        for (index, (link, &attachment)) in tile.links.iter().zip(attachments).enumerate() {
            for (from, link) in links_of(owner, index, link, attachment) {
                leaving[from as usize].push(link);
            }
        }
    }
    for (slot, attachments) in attachments {
        mesh.attachments[slot as usize] = Arc::new(attachments);
    }
    mesh.ends_in = ends_in;
}

impl TiledNavMesh {
    /// A mesh without slots.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] for parameters outside their bounds.
    pub fn new(params: NavMeshParams) -> Result<Self, FormatError> {
        params.validate()?;
        Ok(Self {
            params,
            fingerprint: params.fingerprint(),
            slots: Vec::new(),
            by_position: BTreeMap::new(),
            free: BTreeSet::new(),
            links: Vec::new(),
            attachments: Vec::new(),
            ends_in: BTreeMap::new(),
            states: BTreeMap::new(),
            history: History::new(),
        })
    }

    /// Reads `ONPM` bytes and stitches once.
    ///
    /// # Errors
    /// [`FormatError`] naming what, where, the value and the bound.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        decode_onpm(bytes)?.link().map_err(|error| error.under("mesh"))
    }
}

impl NavMesh {
    /// An empty mesh for these settings; a −0.0 among them becomes 0.0.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] with the setting, its value and the bound.
    pub fn new(settings: NavSettings) -> Result<Self, FormatError> {
        let mesh = TiledNavMesh::new(settings.to_params()?)?;
        Ok(Self { settings: settings.normalized(), mesh })
    }

    /// Reads `ONNM` bytes and stitches once.
    ///
    /// # Errors
    /// [`FormatError`] naming what, where, the value and the bound.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let (settings, mesh) = decode_onnm(bytes)?;
        Ok(Self { settings, mesh: mesh.link().map_err(|error| error.under("envelope: mesh"))? })
    }

    /// Reads bare `ONPM` bytes that were built with `settings`, and stitches once.
    ///
    /// # Errors
    /// As [`TiledNavMesh::from_bytes`]; [`FormatError::Fingerprint`] naming the first parameter in which the
    /// settings and the mesh differ.
    pub fn from_mesh_bytes(bytes: &[u8], settings: NavSettings) -> Result<Self, FormatError> {
        let mesh = TiledNavMesh::from_bytes(bytes)?;
        settings.check_matches(mesh.params())?;
        Ok(Self { settings, mesh })
    }
}

impl NavWorld {
    /// Reads `ONNW` bytes and stitches every class once.
    ///
    /// # Errors
    /// [`FormatError`] naming the class, what, where, the value and the bound.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let link = |(index, (settings, mesh)): (usize, (NavSettings, UnlinkedMesh))| {
            let place = || format!("world: class {index}: envelope: mesh");
            Ok(NavMesh { settings, mesh: mesh.link().map_err(|error| error.under(&place()))? })
        };
        let classes = decode_onnw(bytes)?.into_iter().enumerate().map(link);
        Self::new(classes.collect::<Result<_, FormatError>>()?)
    }
}
