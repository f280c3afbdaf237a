//! `ONPS` bytes, restored from an empty library.
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::format::{Snapshot, TiledNavMesh};
use navwright::stream::{TileLibrary, restore};
use navwright_fuzz::bounded;

fuzz_target!(|data: &[u8]| {
    let Ok(snapshot) = bounded(data.len(), 8, || Snapshot::from_bytes(data)) else { return };
    assert!(snapshot.to_bytes() == data, "written back to other bytes");
    let mut mesh = TiledNavMesh::new(snapshot.params).expect("parameters that were read");
    let free = snapshot.slots.iter().all(|slot| slot.content.is_none());
    assert_eq!(restore(&mut mesh, &snapshot, &TileLibrary::new()).is_ok(), free);
    assert!(!free || Snapshot::of(&mesh) == snapshot || snapshot.params != snapshot.params);
});
