//! Map text (`nav walk …` lines).
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::interop::navwalk::MapText;
use navwright_fuzz::bounded;

fuzz_target!(|text: &str| {
    if let Ok(map) = bounded(text.len(), 32, || MapText::parse(text)) {
        let written = map.to_string();
        let again = MapText::parse(&written).expect("what was written can be read");
        assert!(again.to_string() == written, "written back to another text");
    }
});
