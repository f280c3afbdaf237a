//! What a file is, by its content, and what is in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};

use crate::format::{FormatError, NavMesh, NavSettings, TiledNavMesh};
use crate::project::{self, Opened};

/// Most bytes of a mesh file that is read.
const MAX_MESH_BYTES: u64 = 2 << 30;

/// A file's content.
pub(super) enum Content {
    /// A mesh; with its settings if the file has them (`ONNM`), without if it is a bare mesh (`ONPM`).
    Mesh {
        /// The settings.
        settings: Option<Box<NavSettings>>,
        /// The mesh.
        mesh: Box<TiledNavMesh>,
        /// The file's size.
        bytes: usize,
    },
    /// A project or map text.
    Map(Opened),
}

/// Why a file's content cannot be used.
pub(super) enum LoadError {
    /// It is a kind that is known, and breaks a rule of it.
    Invalid(anyhow::Error),
    /// It cannot be read, or is of no kind that is known.
    Unreadable(anyhow::Error),
}

impl From<LoadError> for anyhow::Error {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Invalid(error) | LoadError::Unreadable(error) => error,
        }
    }
}

/// Reads any file that is known.
pub(super) fn load(path: &Path) -> Result<Content, LoadError> {
    let name = path.display();
    match mesh_bytes(path).map_err(LoadError::Unreadable)? {
        Some(bytes) => {
            let fail = |error: FormatError| LoadError::Invalid(anyhow::anyhow!("{name}: {error}"));
            let (settings, mesh) = match &bytes[..4] {
                b"ONNM" => {
                    let NavMesh { settings, mesh } = NavMesh::from_bytes(&bytes).map_err(fail)?;
                    (Some(Box::new(settings)), mesh)
                }
                _ => (None, TiledNavMesh::from_bytes(&bytes).map_err(fail)?),
            };
            Ok(Content::Mesh { settings, mesh: Box::new(mesh), bytes: bytes.len() })
        }
        None => load_map(path).map(Content::Map),
    }
}

/// Reads a file that must be a project or map text.
pub(super) fn load_map(path: &Path) -> Result<Opened, LoadError> {
    use project::OpenError;
    use project::file::FileError;
    project::open(path).map_err(|error| match error {
        OpenError::Unknown { .. } | OpenError::File(FileError::Io { .. } | FileError::TooLarge { .. }) => {
            LoadError::Unreadable(error.into())
        }
        _ => LoadError::Invalid(error.into()),
    })
}

/// Reads a file that must be a baked mesh.
pub(super) fn load_mesh(path: &Path) -> anyhow::Result<TiledNavMesh> {
    match load(path)? {
        Content::Mesh { mesh, .. } => Ok(*mesh),
        Content::Map(_) => {
            let name = path.display();
            bail!("{name} is a map, not a baked mesh; bake it first: navwright bake {name} -o OUT.onnm")
        }
    }
}

/// The bytes of a file that begins as one of the mesh kinds that are read.
fn mesh_bytes(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    let name = || path.display().to_string();
    let mut file = File::open(path).with_context(name)?;
    let mut bytes = Vec::new();
    file.by_ref().take(4).read_to_end(&mut bytes).with_context(name)?;
    match &bytes[..] {
        b"ONNM" | b"ONPM" => {}
        b"ONNW" => {
            bail!("{}: a world of several agent classes (ONNW), which this version does not read", name())
        }
        b"ONPS" => bail!("{}: a snapshot (ONPS), which refers to tiles that are not in it", name()),
        b"ONPT" => {
            bail!("{}: a single tile (ONPT), which says nothing without its mesh's parameters", name())
        }
        _ => return Ok(None),
    }
    file.take(MAX_MESH_BYTES).read_to_end(&mut bytes).with_context(name)?;
    if bytes.len() as u64 > MAX_MESH_BYTES {
        let error = io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {MAX_MESH_BYTES} bytes"));
        return Err(error).with_context(name);
    }
    Ok(Some(bytes))
}
