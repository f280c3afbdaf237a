//! Detour's tiled meshes, as RecastDemo and `exportNavMesh` write them: `MSET` version 1 with `DNAV` version 7
//! tiles, 32-bit references, little-endian.
//!
//! Reading order: `layout` (magics and sizes), [`import_mset`] (bytes to a mesh), `bounds` (the tree that Detour looks
//! polygons up by), [`export_mset`] (a mesh to bytes, and what could not be carried over).

mod bounds;
mod export;
mod import;
mod layout;

pub use export::{MsetExport, MsetExportError, export_mset};
pub use import::{MsetError, MsetImport, import_mset, is_mset};
