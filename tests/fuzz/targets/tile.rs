//! `ONPT` bytes against fixed parameters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::format::Tile;
use navwright_fuzz::{bounded, repair_tile, tile_params};

fuzz_target!(|data: &[u8]| {
    let params = tile_params();
    let mut bytes = data.to_vec();
    repair_tile(&mut bytes, &params.to_bytes());
    if let Ok(tile) = bounded(bytes.len(), 8, || Tile::from_bytes(&bytes, &params)) {
        assert!(tile.to_bytes() == bytes, "written back to other bytes");
    }
});
