//! What several modules need: data outside the package, seeded numbers.
#![allow(dead_code, reason = "not every set of features uses every helper")]

use std::path::{Path, PathBuf};

/// The package's own folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file or folder of the shared data that lies beside the package, such as `data/flat/cases`. `None`, said
/// loudly, where there is none: a clone alone has none.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let beside = [root().join("../shared"), root().join("../../shared")];
    let found = beside.iter().map(|folder| folder.join(path)).find(|file| file.exists());
    if found.is_none() {
        eprintln!("SKIPPED: ../shared/{path} is not there");
    }
    found
}

/// Reproducible numbers (splitmix64, Steele et al. 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in 0..`below`.
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        (u128::from(self.bits()) * u128::from(below) >> 64) as u64
    }

    /// A number in 0..1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
