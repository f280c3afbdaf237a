//! `find_nav_path`: two places with levels in, corners with levels out.

use super::QueryFilter;
use super::error::{QueryError, check_point};
use super::nav_path::{NavPath, PathOptions, PathStatus};
use super::nearest::{NavPlace, nearest, xz};
use super::reason;
use super::scratch::PathScratch;
use super::search::Job;
use super::walk::open_cell;
use crate::format::TiledNavMesh;

/// Tile sides by which a start or an end off the mesh is moved at most.
pub const SNAP_TILES: f64 = 2.0;

/// The path between two places (world x, z), each on a level; `None` takes the nearest level there.
///
/// A place off the mesh is moved to the nearest open place of its level, at most [`SNAP_TILES`] tile sides away;
/// how far is in the result. A place on a shared edge or corner is on all the polygons there.
///
/// The path bends at corners only and has an extra point wherever a straight stretch changes level. Where every
/// area of the mesh costs the same, and also where the shortest path leads over areas of the least cost only, it is
/// the shortest there is (links at their own cost); otherwise it is the shortest through a corridor that A* chose
/// by the filter's costs. Equal questions get equal
/// answers, whatever was asked or edited before. There is no limit on the search: if the end cannot be reached,
/// everything that can be was looked at, and the path leads to the reachable place nearest to the end in space.
///
/// [`find_nav_path_into`] reuses the result's memory too.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21;
/// [`QueryError::AreaCost`] for a cost that is not finite or negative.
pub fn find_nav_path(
    mesh: &TiledNavMesh,
    start: [f64; 2],
    start_level: Option<i8>,
    end: [f64; 2],
    end_level: Option<i8>,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<NavPath, QueryError> {
    let mut path = NavPath::default();
    find_nav_path_into(mesh, (start, start_level), (end, end_level), filter, scratch, &mut path)?;
    Ok(path)
}

/// As [`find_nav_path`], into a path whose memory is reused: once warm, nothing is allocated but the words of a
/// reason. After an error the path is the old one.
///
/// # Errors
/// As [`find_nav_path`].
pub fn find_nav_path_into(
    mesh: &TiledNavMesh,
    start: ([f64; 2], Option<i8>),
    end: ([f64; 2], Option<i8>),
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    path: &mut NavPath,
) -> Result<(), QueryError> {
    find_nav_path_with(mesh, start, end, filter, PathOptions::default(), scratch, path)
}

/// As [`find_nav_path_into`], with a limit on the search and more points if wanted.
///
/// # Errors
/// As [`find_nav_path`].
pub fn find_nav_path_with(
    mesh: &TiledNavMesh,
    start: ([f64; 2], Option<i8>),
    end: ([f64; 2], Option<i8>),
    filter: &QueryFilter,
    options: PathOptions,
    scratch: &mut PathScratch,
    path: &mut NavPath,
) -> Result<(), QueryError> {
    check_question(start, end, filter)?;
    if let Some(mut job) = begin_path(mesh, start, end, filter, options, scratch, path) {
        job.run(mesh, filter, options.max_nodes, scratch, path);
    }
    Ok(())
}

pub(super) fn check_question(
    start: ([f64; 2], Option<i8>),
    end: ([f64; 2], Option<i8>),
    filter: &QueryFilter,
) -> Result<(), QueryError> {
    check_point(["start x", "start z"], start.0)?;
    check_point(["end x", "end z"], end.0)?;
    filter.check()
}

/// Finds both places and begins the search between them; where one lies off the mesh, the path says so.
pub(super) fn begin_path(
    mesh: &TiledNavMesh,
    (start, start_level): ([f64; 2], Option<i8>),
    (end, end_level): ([f64; 2], Option<i8>),
    filter: &QueryFilter,
    options: PathOptions,
    scratch: &mut PathScratch,
    path: &mut NavPath,
) -> Option<Job> {
    scratch.index.update(mesh);
    // The places are looked for in the memory of whatever search was under way.
    scratch.renew();
    let reach = SNAP_TILES * mesh.params().tile_size;
    let PathScratch { index, start_cells, goal_cells, .. } = &mut *scratch;
    let mut find = |name, point, level, cells: &mut Vec<u32>| {
        let place = nearest(mesh, index, point, level, reach, filter, cells);
        if place.is_none() {
            let closest = nearest(mesh, index, point, level, f64::INFINITY, filter, cells);
            path.clear(PathStatus::None, reason::off_mesh(name, point, level, reach, closest));
        }
        place
    };
    let from = find("start", start, start_level, start_cells)?;
    let to = find("end", end, end_level, goal_cells)?;
    Some(Job::begin(from, to, filter, options, scratch))
}

/// The path between two places that queries returned, for callers who know which polygons are meant: of stacked
/// floors of one level too. Returns false, and leaves the path as it was, if one of their polygons is gone or closed.
///
/// # Errors
/// As [`find_nav_path`].
pub fn find_path_between(
    mesh: &TiledNavMesh,
    from: &NavPlace,
    to: &NavPlace,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    path: &mut NavPath,
) -> Result<bool, QueryError> {
    check_question((xz(from), None), (xz(to), None), filter)?;
    let options = PathOptions::default();
    let Some(mut job) = begin_between(mesh, from, to, filter, options, scratch) else { return Ok(false) };
    job.run(mesh, filter, options.max_nodes, scratch, path);
    Ok(true)
}

pub(super) fn begin_between(
    mesh: &TiledNavMesh,
    from: &NavPlace,
    to: &NavPlace,
    filter: &QueryFilter,
    options: PathOptions,
    scratch: &mut PathScratch,
) -> Option<Job> {
    let start = open_cell(mesh, from.polygon, filter, scratch)?;
    let goal = open_cell(mesh, to.polygon, filter, scratch)?;
    scratch.renew();
    scratch.start_cells.clear();
    scratch.start_cells.push(start);
    scratch.goal_cells.clear();
    scratch.goal_cells.push(goal);
    Some(Job::begin(*from, *to, filter, options, scratch))
}
