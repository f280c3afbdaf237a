//! Links between polygons: across tile borders and along off-mesh links. Derived, never stored: a pure function
//! of the tiles in their slots.
//!
//! Reading order: `border_edge`, `portal` (border edges → links) with `border_tree` (which edges may face each other),
//! `offmesh` (jumps, ladders, doors) with `polygon_tree` and its `hull` (which polygons a point may attach to), `order`
//! (the links of a slot in the format's order), `load` (a whole mesh:
//! [`UnlinkedMesh::link`](crate::format::UnlinkedMesh), the loaders `NavMesh::from_bytes` and
//! `TiledNavMesh::from_bytes`), `edit` (`TiledNavMesh::{new, add_tile, replace_tile, remove_tile, remove_column}`,
//! which stitch again only what an edit can change), `explain` (why an edge or an off-mesh link leads where it does, or
//! nowhere).

mod border_edge;
mod border_tree;
mod edit;
mod explain;
mod hull;
mod load;
mod offmesh;
mod order;
mod polygon_tree;
mod portal;
#[cfg(test)]
mod tests;

pub use explain::{
    Candidate, EdgeExplanation, EndExplanation, FacingEdge, LinkExplanation, PortalMiss, explain_edge,
    explain_link,
};
pub(crate) use polygon_tree::PolygonTree;
