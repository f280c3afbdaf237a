//! Detour's tiled meshes, as RecastDemo and `exportNavMesh` write them: `MSET` version 1 with `DNAV` version 7
//! tiles, 32-bit references, little-endian.
//!
//! Reading order: `layout` (magics and sizes), `error`; `blob` (values and sections of a file) and [`import_mset`] (these
//! to a mesh, and what could not be carried over); `bytes`, `bounds` (the tree that Detour looks polygons up by),
//! `write_tile`, `exported` (what could not be written) and [`export_mset`].

mod blob;
mod bounds;
mod bytes;
mod error;
mod export;
mod exported;
mod import;
mod layout;
mod write_tile;

pub use error::{MsetError, MsetExportError};
pub use export::export_mset;
pub use exported::MsetExport;
pub use import::{MsetImport, import_mset, is_mset};
