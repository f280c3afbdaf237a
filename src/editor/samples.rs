//! The maps that come with the program.

use std::path::Path;

use crate::project::{Document, open_text};

/// A map to look at and to change; saving asks for a name.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What it is called.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub shows: &'static str,
    text: &'static str,
    /// The files that it names.
    pub files: &'static [Bundled],
}

/// A file that a sample names, and that comes with the program as the sample does.
#[derive(Debug)]
pub struct Bundled {
    /// Its path from the map's folder on.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

const HALL: &[Bundled] = &[Bundled { name: "hall.obj", text: include_str!("../../assets/hall.obj") }];

/// All of them, the one that opens by default first.
pub const SAMPLES: [Sample; 4] = [
    Sample {
        name: "arena",
        shows: "Five levels: a pond, a meadow, cliffs with stairs, a bridge over a path, leaps down and across.",
        text: include_str!("../../assets/arena.nav.ron"),
        files: &[],
    },
    Sample {
        name: "first_steps",
        shows: "A floor with a hole, a landing with stairs, and a jump down: what the first two minutes give.",
        text: include_str!("../../assets/first_steps.nav.ron"),
        files: &[],
    },
    Sample {
        name: "stairs",
        shows: "Map text (nav walk … lines): a terrace, its stairs, and the hole under it.",
        text: include_str!("../../assets/stairs.nav"),
        files: &[],
    },
    Sample {
        name: "hall",
        shows: "Imported geometry: a hall with a gallery, columns and stairs, baked by voxels, and areas drawn over it.",
        text: include_str!("../../assets/hall.nav.ron"),
        files: HALL,
    },
];

impl Sample {
    /// The map.
    ///
    /// # Errors
    /// What is wrong with it; a test opens all of them.
    pub fn document(&self) -> Result<Document, String> {
        open_text(self.text, self.name).map(|opened| opened.document).map_err(|error| error.to_string())
    }
}

/// The files of the sample that a map without a folder was made from, as its geometry says.
pub(super) fn files_of(document: &Document) -> &'static [Bundled] {
    let names = |files: &[Bundled]| {
        document
            .geometry
            .iter()
            .any(|item| files.iter().any(|file| Path::new(file.name) == Path::new(&item.path)))
    };
    SAMPLES.iter().map(|sample| sample.files).find(|files| names(files)).unwrap_or_default()
}
