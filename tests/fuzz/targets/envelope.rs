//! `ONNM` bytes, stitched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::format::codec::decode_onnm;
use navwright::format::NavMesh;
use navwright_fuzz::{bounded, repair_envelope};

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    repair_envelope(&mut bytes);
    let Ok((settings, read)) = bounded(bytes.len(), 16, || decode_onnm(&bytes)) else { return };
    if let Ok(mesh) = read.link() {
        let written = NavMesh { settings, mesh }.to_bytes().expect("what was read can be written");
        assert!(written == bytes, "written back to other bytes");
    }
});
