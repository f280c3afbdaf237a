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
        ((u128::from(self.bits()) * u128::from(below)) >> 64) as u64
    }

    /// A number in 0..1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Triangles that look up: ground of 20 × 20 at 0, a stair of steps of 1 (each 3 deep and 6 wide) from its side at x = 20,
/// and a floor at 4 that the last one leads to, which lies right above the ground's side too.
pub(crate) fn stair_obj() -> String {
    let plates = [
        (0.0, [0.0, 20.0], [0.0, 20.0]),
        (1.0, [20.0, 23.0], [0.0, 6.0]),
        (2.0, [23.0, 26.0], [0.0, 6.0]),
        (3.0, [26.0, 29.0], [0.0, 6.0]),
        (4.0, [29.0, 40.0], [0.0, 20.0]),
        (4.0, [20.0, 29.0], [10.0, 20.0]),
    ];
    let plate = |(number, (y, [x0, x1], [z0, z1])): (usize, (f64, [f64; 2], [f64; 2]))| {
        let [a, b, c, d] = [1, 2, 3, 4].map(|corner| 4 * number + corner);
        format!(
            "v {x0} {y} {z0}\nv {x0} {y} {z1}\nv {x1} {y} {z1}\nv {x1} {y} {z0}\nf {a} {b} {c}\nf {a} {c} {d}\n"
        )
    };
    plates.into_iter().enumerate().map(plate).collect()
}
