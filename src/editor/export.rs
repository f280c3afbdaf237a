//! Export: bake completely, write beside the file, swap, read back, compare.

use std::path::{Path, PathBuf};

use super::geometry::Geometries;
use super::words::many;
use super::worker::{BakeFailure, Counts, count, unreadable};
use crate::bake::{BakeError, BakeOptions, BakeReport, Severity, bake_mesh, bake_voxel_mesh};
use crate::format::{FormatError, NavMesh, NavSettings, NavWorld};
use crate::project::{AgentClass, ClassId, Document, run_checks, voxel_input, write_whole};

/// What is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The mesh of one agent class, as `.onnm`.
    Class(ClassId),
    /// A mesh for each, as `.onnw`.
    World,
}

impl What {
    /// The ending of a file that holds this, without the point.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Class(_) => "onnm",
            Self::World => "onnw",
        }
    }
}

/// What was written, as read back.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub what: What,
    /// How long the file is.
    pub bytes: usize,
    /// Whether it was baked by voxels.
    pub voxel: bool,
    /// The agent classes in it, each with what its mesh holds.
    pub classes: Vec<(String, Counts)>,
    /// How many pinned checks were asked of what was read back, and how many failed.
    pub checks: [usize; 2],
}

/// Why nothing was exported; the old file is whole.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No mesh.
    #[error("{of_class}{source}")]
    Bake {
        /// Of which class, if there are several.
        of_class: String,
        /// Why.
        source: BakeFailure,
    },
    /// The class is there no more.
    #[error("its agent class is there no more; export as another one")]
    NoClass,
    /// Diagnostics of error severity.
    #[error("{of_class}{count} {}: {first}", if *count == 1 { "error stands in the way" } else { "errors stand in the way, the first" })]
    Blocked {
        /// Of which class, if there are several.
        of_class: String,
        /// How many.
        count: usize,
        /// The first one's words.
        first: String,
    },
    /// The mesh has no bytes.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The operating system says no.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// What was written is not what was baked.
    #[error("{path}: reads back differently ({what}); do not use it", path = path.display())]
    ReadBack {
        /// The file.
        path: PathBuf,
        /// How it differs.
        what: String,
    },
}

impl Exported {
    /// Says that a mesh of it has no polygon, which is hardly ever what is wanted.
    #[must_use]
    pub fn emptiness(&self) -> Option<String> {
        let empty = self.classes.iter().filter(|(_, counts)| counts.polygons == 0);
        let names: Vec<String> = empty.map(|(name, _)| format!("\"{name}\"")).collect();
        match (names.len(), self.classes.len()) {
            (0, _) => None,
            (_, 1) => Some("the mesh is empty: nothing of the map can be walked on".to_owned()),
            _ => Some(format!("the mesh of {} is empty", names.join(", "))),
        }
    }

    /// "19 polygons, 40 links, 1 island, 4096 bytes, fingerprint 3fa9c1d2"; of a world a part for each class.
    #[must_use]
    pub fn summary(&self) -> String {
        let counted = |counts: &Counts| {
            let fingerprint = counts.fingerprint.to_string();
            let mesh = format!(
                "{}, {}, {}",
                many(counts.polygons, "polygon"),
                many(counts.links, "link"),
                many(counts.islands, "island")
            );
            (mesh, format!("fingerprint {}", fingerprint.get(..8).unwrap_or(&fingerprint)))
        };
        let bytes = many(self.bytes, "byte");
        let checks = match self.checks {
            [0, _] => String::new(),
            [asked, 0] => format!(", {} passed", many(asked, "check")),
            [asked, failed] => format!(", {failed} of {} FAILED", many(asked, "check")),
        };
        match (&self.classes[..], self.what) {
            ([(_, counts)], What::Class(_)) => {
                let (mesh, fingerprint) = counted(counts);
                format!("{mesh}{checks}, {bytes}, {fingerprint}")
            }
            (classes, _) => {
                let of_class = |(name, counts): &(String, Counts)| {
                    let (mesh, fingerprint) = counted(counts);
                    format!("{name}: {mesh}, {fingerprint}")
                };
                let parts: Vec<String> = classes.iter().map(of_class).collect();
                format!("{bytes}{checks} · {}", parts.join(" · "))
            }
        }
    }
}

/// The command line that repeats an export of a project, from any folder.
#[must_use]
pub fn command_line(project: &Path, document: &Document, exported: &Exported) -> String {
    let quoted = |path: &Path| {
        let text = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        let plain = |c: char| c.is_alphanumeric() || "/\\:._-+".contains(c);
        if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
    };
    // By its number: a name may have any letters.
    let class = match exported.what {
        What::Class(id) if document.classes.len() > 1 => {
            let number = document.classes.iter().position(|class| class.id == id).unwrap_or(0);
            format!(" --class {number}")
        }
        _ => String::new(),
    };
    // Said where it is not what the map is baked by anyway, and always of voxels.
    let mode = match (exported.voxel, document.geometry.is_empty()) {
        (true, _) => " --mode voxel",
        (false, false) => " --mode flat",
        (false, true) => "",
    };
    format!("navwright bake {}{mode}{class} -o {}", quoted(project), quoted(&exported.path))
}

/// Bakes a document completely and writes one class's mesh, or all of them, to `path`.
///
/// # Errors
/// [`ExportError`]; unless it is `ReadBack`, a file that was there is untouched.
pub fn export(document: &Document, what: What, path: &Path) -> Result<Exported, ExportError> {
    export_with(document, None, what, path)
}

/// As [`export`]; with `voxels`, the document's geometry as it was read, it is baked by voxels.
///
/// # Errors
/// As [`export`].
pub fn export_with(
    document: &Document,
    voxels: Option<&Geometries>,
    what: What,
    path: &Path,
) -> Result<Exported, ExportError> {
    let classes: Vec<_> = match what {
        What::Class(id) => vec![document.class(id).ok_or(ExportError::NoClass)?],
        What::World => document.classes.iter().collect(),
    };
    let meshes =
        classes.iter().map(|class| bake_class(document, voxels, class)).collect::<Result<Vec<_>, _>>()?;
    let world = NavWorld::new(meshes)?;
    let bytes = bytes_of(&world, what)?;
    write_whole(path, &bytes).map_err(|source| ExportError::Io { path: path.to_owned(), source })?;
    let read = std::fs::read(path).map_err(|source| ExportError::Io { path: path.to_owned(), source })?;
    let differs = |what: String| ExportError::ReadBack { path: path.to_owned(), what };
    if read != bytes {
        return Err(differs(format!("{} bytes written, {} read", bytes.len(), read.len())));
    }
    let again = match what {
        What::Class(_) => NavMesh::from_bytes(&read).and_then(|mesh| NavWorld::new(vec![mesh])),
        What::World => NavWorld::from_bytes(&read),
    };
    let again = again.map_err(|error| differs(error.to_string()))?;
    if bytes_of(&again, what)? != bytes {
        return Err(differs("it writes other bytes".to_owned()));
    }
    let mut counted = Vec::new();
    let mut checks = [0, 0];
    for ((class, baked), read) in classes.into_iter().zip(world.classes()).zip(again.classes()) {
        let answers = run_checks(document, class, &read.mesh);
        checks[0] += answers.len();
        checks[1] += answers.iter().filter(|answer| !answer.passed).count();
        let (baked, read) = (count(&baked.mesh), count(&read.mesh));
        if read != baked {
            return Err(differs(format!(
                "{} and {} baked, {} and {} read",
                many(baked.polygons, "polygon"),
                many(baked.links, "link"),
                many(read.polygons, "polygon"),
                many(read.links, "link")
            )));
        }
        counted.push((class.name.clone(), read));
    }
    let (path, bytes, voxel) = (path.to_owned(), bytes.len(), voxels.is_some());
    Ok(Exported { path, what, bytes, voxel, classes: counted, checks })
}

/// The file's bytes: those of the world, or of its only mesh.
fn bytes_of(world: &NavWorld, what: What) -> Result<Vec<u8>, FormatError> {
    match (world.classes(), what) {
        ([only], What::Class(_)) => only.to_bytes(),
        _ => world.to_bytes(),
    }
}

/// A class's mesh, unless something stands in the way.
fn bake_class(
    document: &Document,
    voxels: Option<&Geometries>,
    class: &AgentClass,
) -> Result<NavMesh, ExportError> {
    let of_class = || match document.classes.len() {
        1 => String::new(),
        _ => format!("agent class {}: ", class.name),
    };
    let settings = document.bake_settings(class);
    let baked = match voxels {
        Some(geometry) => bake_voxels(document, geometry, &settings),
        None => bake_mesh(&document.flat_input(), &settings, &BakeOptions::default()),
    };
    let (mesh, report) =
        baked.map_err(|error| ExportError::Bake { of_class: of_class(), source: error.into() })?;
    let errors = report.diagnostics.iter().filter(|found| found.kind.severity() == Severity::Error);
    let mut errors = errors.map(|found| found.message.clone());
    match errors.next() {
        Some(first) => Err(ExportError::Blocked { of_class: of_class(), count: 1 + errors.count(), first }),
        None => Ok(mesh),
    }
}

fn bake_voxels(
    document: &Document,
    geometry: &Geometries,
    settings: &NavSettings,
) -> Result<(NavMesh, BakeReport), BakeError> {
    let (input, drawing) = voxel_input(document, settings, geometry.meshes())?;
    let (mesh, report) = bake_voxel_mesh(&input, settings, &BakeOptions::default())?;
    Ok((mesh, report.with(drawing).with(unreadable(geometry))))
}
