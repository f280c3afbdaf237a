//! Wavefront OBJ text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use navwright::interop::obj::import_obj;
use navwright_fuzz::bounded;

fuzz_target!(|data: &[u8]| {
    if let Ok(import) = bounded(data.len(), 32, || import_obj(data, "fuzzed.obj")) {
        let count = import.mesh.vertices.len() as u32;
        assert!(import.mesh.triangles.iter().flatten().all(|&vertex| vertex < count), "an index out of range");
    }
});
