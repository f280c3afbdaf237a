//! Detour's `MSET` files, read and linked, and written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::interop::mset::{export_mset, import_mset};
use navwright_fuzz::bounded;

fuzz_target!(|data: &[u8]| {
    if let Ok(import) = bounded(data.len(), 96, || import_mset(data)) {
        let mesh = import.mesh;
        // What was read keeps every rule of our own format.
        let bytes = mesh.to_bytes();
        assert!(navwright::format::TiledNavMesh::from_bytes(&bytes).is_ok(), "written as no valid mesh");
        // May be refused, but with words.
        drop(export_mset(&mesh));
    }
});
