//! Links between polygons: across tile borders and along off-mesh links. Derived, never stored.
//!
//! Edits of a mesh live here, since every edit stitches again: `TiledNavMesh::{new, add_tile, replace_tile,
//! remove_tile}`, [`UnlinkedMesh::link`](crate::format::UnlinkedMesh) and the loaders `NavMesh::{load, to_bytes}`.
