//! `ONPM` bytes, stitched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::format::codec::decode_onpm;
use navwright_fuzz::{bounded, exercise, repair_mesh};

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    repair_mesh(&mut bytes);
    let Ok(read) = bounded(bytes.len(), 16, || decode_onpm(&bytes)) else { return };
    if let Ok(mesh) = read.link() {
        assert!(mesh.to_bytes() == bytes, "written back to other bytes");
        exercise(&mesh);
    }
});
