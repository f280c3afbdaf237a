//! Questions to a mesh: nearest place, path, corners, islands. Takes `&TiledNavMesh` and a caller's scratch;
//! warm scratch allocates nothing. Lengths are horizontal unless named otherwise.
//!
//! Reading order: `filter` (what is open, what it costs), `view` (a polygon in the world), `surface` (heights),
//! `index` (where polygons are), `graph` (ways out of a polygon), `plan` (all of them laid out for searching),
//! `nearest`, `any_angle` with its `open` list (the shortest way), `astar` (the cheapest corridor, where costs
//! differ), `funnel` (pulled tight), `path` (the answer), `reason` (why not), `islands`, `scratch` (memory that is kept).
//! No query takes a tile's polygons for disjoint in plan.

mod any_angle;
mod astar;
mod filter;
mod funnel;
mod graph;
mod index;
mod islands;
mod nearest;
mod open;
mod path;
mod plan;
mod reason;
mod scratch;
mod surface;
mod view;

pub use filter::QueryFilter;
pub use islands::{Islands, islands};
pub use nearest::{NavPlace, closest_nav_point};
pub use path::{NavPath, NavPoint, PathStatus, QueryError, SNAP_TILES, find_nav_path};
pub use scratch::PathScratch;
pub use surface::height_on_polygon;
