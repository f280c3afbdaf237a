//! What a file is, by its content, and what is in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};

use super::class;
use crate::format::codec::{decode_onnm, decode_onnw, decode_onpm};
use crate::format::{FormatError, NavMesh, NavSettings, NavWorld, Snapshot, TiledNavMesh, UnlinkedMesh};
use crate::interop::mset::import_mset;
use crate::project::{self, Opened};

/// Most bytes of a mesh file that is read.
const MAX_MESH_BYTES: u64 = 2 << 30;

/// Files of one mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeshKind {
    /// A mesh with its settings.
    Onnm,
    /// A bare mesh.
    Onpm,
    /// Detour's tiles.
    Mset,
}

/// A file's content.
pub(super) enum Content {
    /// A mesh; with its settings if the file has them (`ONNM`), without if it is a bare mesh (`ONPM`) or Detour's
    /// (`MSET`).
    Mesh {
        /// What the file is.
        kind: MeshKind,
        /// The settings.
        settings: Option<Box<NavSettings>>,
        /// The mesh.
        mesh: Box<TiledNavMesh>,
        /// What of the file is not in the mesh, in words; empty where all is.
        left_out: String,
        /// The file's size.
        bytes: usize,
    },
    /// A mesh for each agent class (`ONNW`).
    World {
        /// The classes.
        world: Box<NavWorld>,
        /// The file's size.
        bytes: usize,
    },
    /// A mesh's state without its tiles (`ONPS`).
    Snapshot {
        /// The slots.
        snapshot: Snapshot,
        /// The file's size.
        bytes: usize,
    },
    /// A project or map text.
    Map(Opened),
}

impl Content {
    /// What a file of one mesh is.
    pub(super) fn mesh_kind(&self) -> Option<MeshKind> {
        match self {
            Self::Mesh { kind, .. } => Some(*kind),
            _ => None,
        }
    }
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
            let size = bytes.len();
            let mesh = |kind, settings, mesh| Content::Mesh {
                kind,
                settings,
                mesh: Box::new(mesh),
                left_out: String::new(),
                bytes: size,
            };
            match &bytes[..4] {
                b"ONNM" => {
                    let NavMesh { settings, mesh: tiles } = NavMesh::from_bytes(&bytes).map_err(fail)?;
                    Ok(mesh(MeshKind::Onnm, Some(Box::new(settings)), tiles))
                }
                b"ONNW" => {
                    let world = Box::new(NavWorld::from_bytes(&bytes).map_err(fail)?);
                    Ok(Content::World { world, bytes: size })
                }
                b"ONPS" => {
                    let snapshot = Snapshot::from_bytes(&bytes).map_err(fail)?;
                    Ok(Content::Snapshot { snapshot, bytes: size })
                }
                b"TESM" => {
                    let fail = |error| LoadError::Invalid(anyhow::anyhow!("{name}: {error}"));
                    let import = import_mset(&bytes).map_err(fail)?;
                    let left_out = import.to_string();
                    let (kind, mesh) = (MeshKind::Mset, Box::new(import.mesh));
                    Ok(Content::Mesh { kind, settings: None, mesh, left_out, bytes: size })
                }
                _ => Ok(mesh(MeshKind::Onpm, None, TiledNavMesh::from_bytes(&bytes).map_err(fail)?)),
            }
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

/// Reads a file that must be a baked mesh, or a world of them of which `class` takes one.
pub(super) fn load_mesh(path: &Path, class: Option<&str>) -> anyhow::Result<TiledNavMesh> {
    mesh_of(load(path)?, path, class)
}

/// As [`load_mesh`], for what is read already.
pub(super) fn mesh_of(content: Content, path: &Path, class: Option<&str>) -> anyhow::Result<TiledNavMesh> {
    match content {
        Content::Mesh { mesh, .. } => {
            refuse_class(path, class)?;
            Ok(*mesh)
        }
        Content::World { world, .. } => Ok(class::of_world(*world, class, path)?.mesh),
        Content::Snapshot { .. } => bail!("{}: a snapshot (ONPS), which holds no tiles", path.display()),
        Content::Map(_) => {
            let name = path.display();
            bail!("{name} is a map, not a baked mesh; bake it first: navwright bake {name} -o OUT.onnm")
        }
    }
}

/// A file of one mesh has no classes to take one of.
pub(super) fn refuse_class(path: &Path, class: Option<&str>) -> anyhow::Result<()> {
    match class {
        None | Some("0") => Ok(()),
        Some(class) => bail!("--class {}: {} is a single mesh", class.escape_debug(), path.display()),
    }
}

/// A mesh without its links, with its settings if the file has them.
pub(super) type Part = (Option<NavSettings>, UnlinkedMesh);

/// The meshes of a file, without deriving their links.
pub(super) enum Parts {
    /// A baked mesh.
    Mesh(Box<Part>),
    /// A world of them.
    World(Vec<Part>),
}

/// Reads a file that must be a baked mesh or a world of them.
pub(super) fn load_parts(path: &Path) -> anyhow::Result<Parts> {
    let name = path.display();
    let bytes = mesh_bytes(path)?;
    let read = |bytes: &[u8]| -> Result<_, FormatError> {
        Ok(match &bytes[..4] {
            b"ONNM" => {
                let (settings, mesh) = decode_onnm(bytes)?;
                Some(Parts::Mesh(Box::new((Some(settings), mesh))))
            }
            b"ONNW" => {
                let classes = decode_onnw(bytes)?.into_iter();
                Some(Parts::World(classes.map(|(settings, mesh)| (Some(settings), mesh)).collect()))
            }
            b"ONPM" => Some(Parts::Mesh(Box::new((None, decode_onpm(bytes)?)))),
            _ => None,
        })
    };
    let parts = bytes.map_or(Ok(None), |bytes| read(&bytes)).with_context(|| name.to_string())?;
    parts.with_context(|| format!("{name} is not a baked mesh (ONNM, ONNW or ONPM)"))
}

/// The bytes of a file that begins as one of the mesh kinds that are read.
fn mesh_bytes(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    let name = || path.display().to_string();
    let mut file = File::open(path).with_context(name)?;
    let mut bytes = Vec::new();
    file.by_ref().take(4).read_to_end(&mut bytes).with_context(name)?;
    match &bytes[..] {
        b"ONNM" | b"ONPM" | b"ONNW" | b"ONPS" | b"TESM" => {}
        [0xCE, 0xFA, 0xED, 0xFE] => bail!("{}: a Source navigation mesh, which is not read", name()),
        b"ONPT" => {
            bail!("{}: a single tile (ONPT), which says nothing without its mesh's parameters", name())
        }
        // No text begins so: control characters, or bytes that UTF-8 does not have.
        head if head.iter().any(|&byte| !(b'\t'..=0xF4).contains(&byte)) => {
            bail!("{}: begins with {head:02x?}, as no file that is read here does", name())
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
