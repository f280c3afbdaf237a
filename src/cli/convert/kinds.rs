//! What can be written: a line for each format.

use std::path::Path;

use clap::ValueEnum;

use super::given::{Given, Written};
use super::{maps, mset, own, triangles};
use crate::cli::args::Kind;

/// A format that is written.
pub(super) struct Target {
    /// As `--to` has it.
    pub(super) name: &'static str,
    /// In words.
    pub(super) what: &'static str,
    /// Endings of names that mean it, without the dot.
    pub(super) endings: &'static [&'static str],
    /// Takes what it can hold.
    pub(super) write: fn(Given) -> anyhow::Result<Written>,
}

#[rustfmt::skip]
pub(super) fn target(kind: Kind) -> Target {
    match kind {
        Kind::Project => Target { name: "project", what: "a project", endings: &["nav.ron", "ron"], write: maps::project },
        Kind::Map => Target { name: "map", what: "map text", endings: &["nav", "txt"], write: maps::map_text },
        Kind::Onnm => Target { name: "onnm", what: "a mesh with its settings (ONNM)", endings: &["onnm"], write: own::onnm },
        Kind::Onnw => Target { name: "onnw", what: "a world of agent classes (ONNW)", endings: &["onnw"], write: own::onnw },
        Kind::Onpm => Target { name: "onpm", what: "a bare mesh (ONPM)", endings: &["onpm"], write: own::onpm },
        Kind::Onps => Target { name: "onps", what: "a snapshot (ONPS)", endings: &["onps"], write: own::onps },
        Kind::Mset => Target { name: "mset", what: "Detour's tiled mesh (MSET)", endings: &["mset", "bin"], write: mset::mset },
        Kind::Obj => Target { name: "obj", what: "triangles (OBJ)", endings: &["obj"], write: triangles::obj },
        Kind::Glb => Target { name: "glb", what: "triangles (binary glTF)", endings: &["glb"], write: triangles::glb },
    }
}

/// The kinds that a name may mean by its ending; the longest ending counts.
pub(super) fn named(path: &Path) -> Vec<Kind> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let longest = |kind: &Kind| {
        let fits = |ending: &&&str| name.strip_suffix(**ending).is_some_and(|rest| rest.ends_with('.'));
        target(*kind).endings.iter().filter(fits).map(|ending| ending.len()).max()
    };
    let best = Kind::value_variants().iter().filter_map(longest).max();
    let fits = |kind: &&Kind| best.is_some() && longest(kind) == best;
    Kind::value_variants().iter().filter(fits).copied().collect()
}

/// All endings.
pub(super) fn endings() -> impl Iterator<Item = &'static str> {
    Kind::value_variants().iter().flat_map(|kind| target(*kind).endings).copied()
}
