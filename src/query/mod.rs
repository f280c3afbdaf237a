//! Questions to a mesh: nearest place, path, corners, islands. Takes `&TiledNavMesh` and a caller's scratch;
//! warm scratch allocates nothing. Lengths are horizontal unless named otherwise.
//!
//! Reading order: `filter` (what is open, what it costs), `view` (a polygon in the world), `surface` (heights),
//! `index` (where polygons are), `graph` (ways out of a polygon), `plan` (all of them laid out for searching),
//! `nearest`, `any_angle` with its `sight` and `open` list (the shortest way), `astar` (the cheapest corridor, where costs
//! differ), `funnel` (pulled tight), `path` (the answer), `reason` (why not), `walk` (steps that slide,
//! and rays), `around` (walls, boxes, random places), `islands`, `scratch` (memory that is kept).
//! No query takes a tile's polygons for disjoint in plan.
//!
//! For those who come from Detour:
//!
//! | Detour | here |
//! |---|---|
//! | `dtNavMeshQuery` | [`PathScratch`], which has no limit on nodes, and the functions below |
//! | `dtQueryFilter` | [`QueryFilter`]: costs, flags, and links by user id |
//! | `findNearestPoly` | [`nearest_in_box`] (Euclidean, without a discount for being above) or [`closest_nav_point`] (by level) |
//! | `queryPolygons` | [`polygons_in_box`] |
//! | `getPolyHeight` | [`height_on_polygon`] |
//! | `findPath` and `findStraightPath` | [`find_nav_path`], or between places [`find_path_between`]: corridor and corners in one, and the shortest there is where costs are equal |
//! | `moveAlongSurface` | [`move_along_surface`], or by level [`move_on_nav`] |
//! | `raycast` | [`raycast`] |
//! | `findDistanceToWall` | [`distance_to_wall`] |
//! | `getPolyWallSegments` | [`walls_around`] |
//! | `findPolysAroundCircle`, `findLocalNeighbourhood` | [`polygons_around`] |
//! | `findRandomPoint` | [`random_point`] |
//! | `findRandomPointAroundCircle` | [`random_point_around`], which stays in the circle |
//! | `isValidPolyRef` | [`TiledNavMesh::polygon`](crate::format::TiledNavMesh::polygon) |
//! | `getTileAndPolyByRef`, `calcTileLoc`, `addTile`, `removeTile` | [`TiledNavMesh`](crate::format::TiledNavMesh) |
//! | `importNavMesh` (`MSET`) | [`import_mset`](crate::interop::mset::import_mset) |

mod any_angle;
mod around;
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
mod sight;
mod surface;
mod view;
mod walk;

pub use around::{
    WallHit, distance_to_wall, nearest_in_box, polygons_around, polygons_in_box, random_point,
    random_point_around, walls_around,
};
pub use filter::QueryFilter;
pub use islands::{Islands, islands};
pub use nearest::{NavPlace, closest_nav_point};
pub use path::{
    NavPath, NavPoint, PathStatus, QueryError, SNAP_TILES, find_nav_path, find_nav_path_into,
    find_path_between,
};
pub use scratch::PathScratch;
pub use surface::height_on_polygon;
pub use walk::{NavMove, RayHit, move_along_surface, move_on_nav, raycast};
