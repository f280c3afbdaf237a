//! Reading the files of imported geometry, and what a voxel bake of a map is made from.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Document, Geometry};
use crate::bake::{BakeError, Diagnostic, TriangleMesh, VoxelInput};
use crate::format::NavSettings;
use crate::interop::obj::{ObjError, import_obj};

/// Most bytes of a file of geometry.
pub const MAX_GEOMETRY_BYTES: u64 = 4 << 30;

/// Why geometry cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GeometryError {
    /// The operating system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// Its reason.
        source: std::io::Error,
    },
    /// Larger than any geometry.
    #[error("{path} has more than {MAX_GEOMETRY_BYTES} bytes")]
    TooLarge {
        /// The file.
        path: String,
    },
    /// No OBJ file.
    #[error("{path}: {error}")]
    Obj {
        /// The file.
        path: String,
        /// What and where.
        error: ObjError,
    },
    /// No glTF file, or one that this build does not read.
    #[error("{path}: {what}")]
    Gltf {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
}

/// The triangles of a file as they stand in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawGeometry {
    /// One of an OBJ file, one for each node of a glTF file.
    pub meshes: Vec<TriangleMesh>,
    /// What was left out, in words; empty where nothing was.
    pub left_out: String,
}

/// The geometry of a map, in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadedGeometry {
    /// Placed, with their areas, flags and levels.
    pub meshes: Vec<TriangleMesh>,
    /// What was left out of which file.
    pub notes: Vec<String>,
}

/// Reads an OBJ or glTF file; which of them is decided by its content.
///
/// # Errors
/// [`GeometryError`] naming the file.
pub fn read_geometry(path: &Path) -> Result<RawGeometry, GeometryError> {
    decode_geometry(&read_bytes(path)?, path)
}

/// As [`read_geometry`], for bytes that are read already; the files that a glTF file names are looked for beside `path`.
///
/// # Errors
/// [`GeometryError`] naming the file.
pub fn decode_geometry(bytes: &[u8], path: &Path) -> Result<RawGeometry, GeometryError> {
    let shown = path.display().to_string();
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    if is_gltf(bytes) {
        return read_gltf(bytes, path, &name);
    }
    let import = import_obj(bytes, &name).map_err(|error| GeometryError::Obj { path: shown, error })?;
    let left_out = import.to_string();
    Ok(RawGeometry { meshes: vec![import.mesh], left_out })
}

/// A binary glTF, or the brace of one in JSON.
pub(super) fn is_gltf(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.starts_with(b"glTF") || text.trim_ascii_start().starts_with(b"{")
}

#[cfg(feature = "gltf")]
fn read_gltf(bytes: &[u8], path: &Path, name: &str) -> Result<RawGeometry, GeometryError> {
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    // Buffers lie beside the file or below it; what leads elsewhere is not opened.
    let inside = |uri: &str| {
        let uri = uri.replace("%20", " ");
        let parts = Path::new(&uri).components();
        let plain = parts.clone().all(|part| matches!(part, std::path::Component::Normal(_)));
        (plain && !uri.contains("://")).then(|| folder.join(&uri))
    };
    let import = crate::interop::gltf::import_gltf(bytes, |uri| read_bytes(&inside(uri)?).ok());
    let mut import = import
        .map_err(|error| GeometryError::Gltf { path: path.display().to_string(), what: error.to_string() })?;
    for mesh in &mut import.meshes {
        mesh.name = format!("{name}: {}", mesh.name);
    }
    let left_out = import.to_string();
    Ok(RawGeometry { meshes: import.meshes, left_out })
}

#[cfg(not(feature = "gltf"))]
fn read_gltf(_bytes: &[u8], path: &Path, _name: &str) -> Result<RawGeometry, GeometryError> {
    let what = "it is a glTF file, which this build does not read (feature \"gltf\")".to_owned();
    Err(GeometryError::Gltf { path: path.display().to_string(), what })
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, GeometryError> {
    let name = || path.display().to_string();
    let io = |source| GeometryError::Io { path: name(), source };
    let file = std::fs::File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    file.take(MAX_GEOMETRY_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_GEOMETRY_BYTES {
        return Err(GeometryError::TooLarge { path: name() });
    }
    Ok(bytes)
}

/// Reads all geometry of a map and puts it in its place. `folder`: where the map's own file lies.
///
/// # Errors
/// [`GeometryError`] for the first file that cannot be read.
pub fn load_geometry(document: &Document, folder: &Path) -> Result<LoadedGeometry, GeometryError> {
    let mut files: HashMap<PathBuf, RawGeometry> = HashMap::new();
    let mut loaded = LoadedGeometry::default();
    for item in document.geometry.iter() {
        let path = folder.join(&item.path);
        if !files.contains_key(&path) {
            let raw = read_geometry(&path)?;
            if !raw.left_out.is_empty() {
                loaded.notes.push(format!("{}: {}", item.path, raw.left_out));
            }
            files.insert(path.clone(), raw);
        }
        if let Some(raw) = files.get(&path) {
            loaded.meshes.extend(raw.meshes.iter().map(|mesh| placed(mesh, item)));
        }
    }
    Ok(loaded)
}

/// A mesh of a file in the world.
#[must_use]
pub fn placed(mesh: &TriangleMesh, item: &Geometry) -> TriangleMesh {
    let mut mesh =
        TriangleMesh { area_type: item.area_type, flags: item.flags, level: item.level, ..mesh.clone() };
    item.place(Arc::make_mut(&mut mesh.vertices).as_mut_slice());
    if item.flip {
        mesh.triangles = Arc::new(mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect());
    }
    mesh
}

/// What a voxel bake of a map is made from: its geometry, as [`load_geometry`] gives it, its drawn areas and holes, and
/// its extras; with what is to be said about the drawing.
///
/// # Errors
/// As [`crate::bake::bake_mesh`].
pub fn voxel_input(
    document: &Document,
    settings: &NavSettings,
    meshes: Vec<TriangleMesh>,
) -> Result<(VoxelInput, Vec<Diagnostic>), BakeError> {
    let extras = &document.voxel;
    let mut input = VoxelInput {
        meshes,
        seeds: extras.seeds.clone(),
        ledge_radius: extras.ledge_radius,
        area_priority: extras.area_priority.clone(),
        ..VoxelInput::default()
    };
    if document.areas.is_empty() {
        return Ok((input, Vec::new()));
    }
    let diagnostics = input.add_drawing(&document.flat_input(), settings)?;
    Ok((input, diagnostics))
}
