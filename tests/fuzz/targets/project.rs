//! Project text (`.nav.ron`).
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::project::file::{decode, encode};

fuzz_target!(|text: &str| {
    if let Ok(document) = decode(text, "fuzz.nav.ron") {
        let written = encode(&document);
        let again = decode(&written, "fuzz.nav.ron").expect("what was written can be read");
        assert!(encode(&again) == written, "written back to another text");
    }
});
