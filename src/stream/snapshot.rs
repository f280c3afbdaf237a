//! A mesh back in the state of a snapshot.

use super::TileLibrary;
use crate::format::{FormatError, Slot, Snapshot, TiledNavMesh, UnlinkedMesh};

/// Puts a mesh into a snapshot's state: slots, generations and links exactly, so that every reference that was valid
/// then is valid again. All tiles come from the library, also those that the mesh holds already. Stitches once.
///
/// # Errors
/// The mesh is then as it was. [`FormatError::Fingerprint`] if the mesh, or a tile of the library that the snapshot
/// names, was built with other parameters (checked before anything else), [`FormatError::MissingContent`] with the slot
/// and the content id that the library lacks, and what reading a tile's bytes or linking a mesh's slots may say.
pub fn restore(
    mesh: &mut TiledNavMesh,
    snapshot: &Snapshot,
    library: &TileLibrary,
) -> Result<(), FormatError> {
    let restored = resolve(mesh, snapshot, library).map_err(|error| error.under("snapshot"))?;
    *mesh = restored;
    Ok(())
}

fn resolve(
    mesh: &TiledNavMesh,
    snapshot: &Snapshot,
    library: &TileLibrary,
) -> Result<TiledNavMesh, FormatError> {
    if let Some((field, own, theirs)) = mesh.params().first_difference(&snapshot.params) {
        let what = format!("{field} is {theirs}, but the mesh's parameters have {own}");
        return Err(FormatError::Fingerprint { what });
    }
    let named = || snapshot.slots.iter().enumerate().filter_map(|(index, slot)| Some((index, slot.content?)));
    for (index, id) in named() {
        let found = library.build_of(id).filter(|&found| found != mesh.fingerprint());
        if let Some(found) = found {
            let expected = mesh.fingerprint();
            let what = format!(
                "slot {index}: library tile {id}: fingerprint {found} found, but {expected} expected"
            );
            return Err(FormatError::Fingerprint { what });
        }
    }
    let mut slots = Vec::with_capacity(snapshot.slots.len());
    for (index, slot) in snapshot.slots.iter().enumerate() {
        let Some(id) = slot.content else {
            slots.push(Slot { salt: slot.salt, tile: None });
            continue;
        };
        let place = || format!("slot {index}: library tile {id}");
        let found = library.tile(id, mesh.params()).map_err(|error| error.under(&place()))?;
        let Some(tile) = found else {
            let what = format!("slot {index}: no tile with content id {id} is in the library");
            return Err(FormatError::MissingContent { what });
        };
        slots.push(Slot { salt: slot.salt, tile: Some(tile) });
    }
    UnlinkedMesh { params: *mesh.params(), slots }.link()
}
