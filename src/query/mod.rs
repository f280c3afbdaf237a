//! Questions to a mesh: nearest place, path, corners, islands. Takes `&TiledNavMesh` and a caller's scratch;
//! warm scratch allocates nothing. Lengths are horizontal unless named otherwise.
//!
//! Reading order: `filter` (what is open, what it costs), `view` (a polygon in the world), `surface` (heights), `graph`
//! (what is crossed between polygons), `plan` (all polygons laid out for searching), made by `layout`, `corners` and
//! `tally`, `boxes` (where polygons are), `landmarks` (lengths known beforehand), `index` (all of that, following a mesh
//! through its edits), `nearest`, `any_angle` with its `sight`, `frontier` and `open` list (the shortest way), `far` (what
//! landmarks say of a goal), `survey` (how they are found), `astar` (the cheapest corridor, where costs differ), `funnel`
//! (pulled tight), `search` (both, step by step), `nav_path` and `pulled_path` (the answer), `path`, `sliced` (over several
//! frames), `reason` and `explain` (why not, in words and as numbers) with `barrier` (what stands between two places, and
//! how much of it would have to change), `gaps` (where two sides come nearest) and `chain` (barriers one after another),
//! `walk` (steps that slide, and rays), `corridor` (a walker on its path), `floor` (many of them), `around` (walls, boxes,
//! random places) with its `clip`, `islands`, `scratch` (memory that is kept). No query takes a tile's polygons for
//! disjoint in plan.
//!
//! For those who come from Detour:
//!
//! | Detour | here |
//! |---|---|
//! | `dtNavMeshQuery` | [`PathScratch`], which has no limit on nodes, and the functions below |
//! | `dtQueryFilter` | [`QueryFilter`]: costs, flags, and links by user id |
//! | `findNearestPoly` | [`nearest_in_box`] (Euclidean, without a discount for being above) or [`closest_nav_point`] (by level) |
//! | `queryPolygons` | [`polygons_in_box`] |
//! | `closestPointOnPoly` | [`closest_on_polygon`] |
//! | `closestPointOnPolyBoundary`, `isInClosedList`, `getPathFromDijkstraSearch`, `getPortalPoints`, `getNodePool` | none: a place inside is its own nearest, and a search's insides stay its own |
//! | `getPolyHeight` | [`height_on_polygon`] |
//! | `dtQueryFilter::setAreaCost`, `setIncludeFlags`, `setExcludeFlags` | [`QueryFilter::area_costs`], [`QueryFilter::include`], [`QueryFilter::exclude`] |
//! | `setPolyArea`, `setPolyFlags`, `getPolyArea`, `getPolyFlags` | [`TiledNavMesh::set_polygon_state`](crate::format::TiledNavMesh::set_polygon_state), [`TiledNavMesh::polygon_state`](crate::format::TiledNavMesh::polygon_state) |
//! | `storeTileState`, `restoreTileState` | [`TiledNavMesh::polygon_states`](crate::format::TiledNavMesh::polygon_states) |
//! | `findPath` and `findStraightPath` | [`find_nav_path`], or between places [`find_path_between`]: corridor and corners in one, and the shortest there is where costs are equal |
//! | `DT_STRAIGHTPATH_START`, `_END`, `_OFFMESH_CONNECTION` | [`NavPoint::marks`] |
//! | `DT_STRAIGHTPATH_AREA_CROSSINGS`, `DT_STRAIGHTPATH_ALL_CROSSINGS` | [`PathOptions::area_points`], [`PathOptions::crossing_points`] |
//! | `DT_FINDPATH_ANY_ANGLE`, `DT_RAYCAST_USE_COSTS` | none: where costs are equal, paths are the shortest without being asked for, and where they are not, rays do not shorten them |
//! | `DT_PARTIAL_RESULT`, `DT_OUT_OF_NODES` | [`PathStatus::Partial`], [`NavPath::limit_reached`] with [`PathOptions::max_nodes`] |
//! | `initSlicedFindPath`, `updateSlicedFindPath`, `finalizeSlicedFindPath`, `finalizeSlicedFindPathPartial` | [`SlicedPath::new`], [`SlicedPath::go_on`], which writes the path, [`SlicedPath::stop`] |
//! | `dtPathQueue`: `request`, `update`, `getRequestStatus` and `getPathResult` | [`PathQueue`]: [`ask`](PathQueue::ask), [`update`](PathQueue::update), [`take`](PathQueue::take) |
//! | `dtPathCorridor`: `reset`, `setCorridor` | [`PathCorridor`]: [`new`](PathCorridor::new), [`set_path`](PathCorridor::set_path) |
//! | `movePosition`, `getPos`, `getPath`, `findCorners` | [`move_to`](PathCorridor::move_to), [`place`](PathCorridor::place), [`path`](PathCorridor::path), [`next_corner`](PathCorridor::next_corner) and those after it in the path |
//! | `optimizePathVisibility`, `optimizePathTopology` | none: each move passes corners beyond which the next one is in sight; a path that is the shortest needs no mending, and one that a walker was pushed off is asked for again |
//! | `isValid`, `fixPathStart`, `trimInvalidPath` | [`stands`](PathCorridor::stands), [`set_place`](PathCorridor::set_place), [`clear_path`](PathCorridor::clear_path) |
//! | `moveTargetPosition`, `getTarget` | a new path by [`set_path`](PathCorridor::set_path); the path's last point |
//! | `moveOverOffmeshConnection` | [`link_ahead`](PathCorridor::link_ahead), [`land`](PathCorridor::land) |
//! | `dtCrowd` | [`Crowd`](crate::crowd::Crowd), in a room of its own |
//! | `moveAlongSurface` | [`move_along_surface`], or by level [`move_on_nav`] |
//! | `raycast` | [`raycast`], and [`raycast_through`] for the polygons it passes |
//! | `findDistanceToWall` | [`distance_to_wall`] |
//! | `getPolyWallSegments` | [`walls_around`] |
//! | `findPolysAroundCircle`, `findLocalNeighbourhood`, `findPolysAroundShape` | [`polygons_around`] |
//! | `findRandomPoint` | [`random_point`] |
//! | `findRandomPointAroundCircle` | [`random_point_around`], which stays in the circle |
//! | `isValidPolyRef`, `getTileAndPolyByRef` | [`TiledNavMesh::polygon`](crate::format::TiledNavMesh::polygon) |
//! | `dtNavMesh`: `addTile`, `removeTile` | [`TiledNavMesh`](crate::format::TiledNavMesh): `add_tile`, `replace_tile`, `remove_tile`, `remove_column` |
//! | `getTileAt`, `getTileRefAt`, `getTilesAt`, `getTileByRef`, `getMaxTiles`, `getTile` | `tile_at`, `column`, `tile`, `slots` |
//! | `calcTileLoc` | [`NavMeshParams`](crate::format::NavMeshParams): the place less the origin, over the tile size |
//! | `encodePolyId`, `decodePolyId*`, `getPolyRefBase` | [`PolyRef`](crate::format::PolyRef), [`TileRef::polygon`](crate::format::TileRef::polygon) |
//! | `getOffMeshConnectionByRef`, `getOffMeshConnectionPolyEndPoints` | a tile's `links`; [`NavPoint::link`] where one is taken, and the point after it |
//! | `importNavMesh` (`MSET`) | [`import_mset`](crate::interop::mset::import_mset) |
//! | `exportNavMesh` (`MSET`) | [`export_mset`](crate::interop::mset::export_mset) |

mod any_angle;
mod around;
mod astar;
mod barrier;
mod boxes;
mod chain;
mod clip;
mod corners;
mod corridor;
mod error;
mod explain;
mod far;
mod filter;
mod floor;
mod frontier;
mod funnel;
mod gaps;
mod graph;
mod index;
mod islands;
mod landmarks;
mod layout;
mod nav_path;
mod nearest;
mod open;
mod path;
mod plan;
mod pulled_path;
mod reason;
mod scratch;
mod search;
mod sight;
mod sliced;
mod surface;
mod survey;
mod tally;
mod view;
mod walk;

pub use around::{
    WallHit, distance_to_wall, nearest_in_box, polygons_around, polygons_in_box, random_point,
    random_point_around, walls_around,
};
pub use barrier::{Barrier, BarrierKind, farthest_beside};
pub use corridor::{LinkAhead, PathCorridor};
pub use error::QueryError;
pub use explain::{EndNote, PathExplanation, explain_path, explain_path_between, explain_path_until};
pub use filter::QueryFilter;
pub(crate) use floor::Floor;
pub use islands::{Islands, islands};
pub use landmarks::Landmarks;
pub use nav_path::{NavPath, NavPoint, PathOptions, PathStatus, PointMarks};
pub use nearest::{NavPlace, closest_nav_point, closest_on_polygon};
pub use path::{SNAP_TILES, find_nav_path, find_nav_path_into, find_nav_path_with, find_path_between};
pub use scratch::PathScratch;
pub use sliced::{PathQueue, PathTicket, SlicedPath};
pub use surface::height_on_polygon;
pub use survey::USUAL_LANDMARKS;
pub use walk::{NavMove, RayHit, move_along_surface, move_on_nav, raycast, raycast_through};
