//! `ONNW` bytes, stitched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::format::codec::decode_onnw;
use navwright::format::NavWorld;
use navwright_fuzz::{bounded, repair_world};

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    repair_world(&mut bytes);
    if bounded(bytes.len(), 16, || decode_onnw(&bytes).is_err()) {
        return;
    }
    if let Ok(world) = NavWorld::from_bytes(&bytes) {
        let written = world.to_bytes().expect("what was read can be written");
        assert!(written == bytes, "written back to other bytes");
    }
});
