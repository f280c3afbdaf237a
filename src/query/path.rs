//! `find_nav_path`: two places with levels in, corners with levels out.

use super::QueryFilter;
use super::nearest::{NavPlace, nearest};
use super::reason;
use super::scratch::PathScratch;
use super::search::Job;
use super::walk::open_cell;
use crate::format::{PolyRef, TiledNavMesh, WORLD_BOUND};

/// How far a path got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathStatus {
    /// It reaches the end.
    Complete,
    /// It ends at the reachable place nearest to the end.
    Partial,
    /// Start or end lies off the mesh.
    #[default]
    None,
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPoint {
    /// World x, y, z.
    pub position: [f64; 3],
    /// The level one is on from here.
    pub level: i8,
    /// The polygon it lies on.
    pub polygon: PolyRef,
    /// `user_id` of the off-mesh link that is taken from here.
    pub link: Option<u32>,
    /// What is here.
    pub marks: PointMarks,
}

/// What there is at a point of a path; several may hold at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointMarks {
    /// The path begins here.
    pub start: bool,
    /// The path ends here.
    pub end: bool,
    /// An off-mesh link is taken from here.
    pub departure: bool,
    /// An off-mesh link comes down here.
    pub arrival: bool,
    /// From here on the floor has another area type.
    pub area_change: bool,
    /// From here on one is on another level.
    pub level_change: bool,
}

/// How to look for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOptions {
    /// Nodes that the search looks at, at most. A search that would need more ends at the place nearest to the end
    /// that it has come to, and says so in [`NavPath::limit_reached`].
    pub max_nodes: usize,
    /// Whether a straight stretch gets a point wherever the area type changes.
    pub area_points: bool,
    /// Whether a straight stretch gets a point wherever it crosses from polygon to polygon.
    pub crossing_points: bool,
}

impl Default for PathOptions {
    /// No limit, and no points but bends and changes of level.
    fn default() -> Self {
        Self { max_nodes: usize::MAX, area_points: false, crossing_points: false }
    }
}

/// A path, or how far it got.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NavPath {
    /// How far it got.
    pub status: PathStatus,
    /// Start, corners (and level changes on straight stretches), end; a single point where start and end are
    /// one. A link has a point where it is taken and one where it comes down.
    pub points: Vec<NavPoint>,
    /// The polygons walked through, in order.
    pub corridor: Vec<PolyRef>,
    /// Horizontal length, links included.
    pub length: f64,
    /// Length along the surface, links included as straight lines; steps between polygons are not counted.
    pub length_3d: f64,
    /// How far the start was moved, horizontally, to get onto the mesh.
    pub start_moved: f64,
    /// How far the end was moved, horizontally, to get onto the mesh.
    pub end_moved: f64,
    /// The search ended at its limit: whether there is a way to the end is not known.
    pub limit_reached: bool,
    /// Why it is not complete, in words with numbers; empty when it is.
    pub reason: String,
}

/// A question that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A coordinate beyond the coordinate rule.
    #[error("{name} is {value}, but must be finite and strictly inside ±2097152")]
    OutOfRange {
        /// Which.
        name: &'static str,
        /// The value found.
        value: f64,
    },
    /// A filter's cost that no search can use.
    #[error("the cost of area {area} is {value}, but must be finite and not negative")]
    AreaCost {
        /// The area type.
        area: usize,
        /// The cost found.
        value: f64,
    },
}

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
    scratch.start_cells.clear();
    scratch.start_cells.push(start);
    scratch.goal_cells.clear();
    scratch.goal_cells.push(goal);
    Some(Job::begin(*from, *to, filter, options, scratch))
}

pub(super) fn check_point(names: [&'static str; 2], point: [f64; 2]) -> Result<(), QueryError> {
    for (name, value) in names.into_iter().zip(point) {
        if !(-WORLD_BOUND < value && value < WORLD_BOUND) {
            return Err(QueryError::OutOfRange { name, value });
        }
    }
    Ok(())
}

pub(super) fn xz(place: &NavPlace) -> [f64; 2] {
    [place.position[0], place.position[2]]
}

impl NavPath {
    pub(super) fn clear(&mut self, status: PathStatus, reason: String) {
        self.status = status;
        self.points.clear();
        self.corridor.clear();
        (self.length, self.length_3d) = (0.0, 0.0);
        (self.start_moved, self.end_moved) = (0.0, 0.0);
        self.limit_reached = false;
        self.reason = reason;
    }

    /// Becomes equal to another path. Its memory begins with room for a common path and grows by doubling, so that one
    /// which serves paths of about the same length soon grows no more.
    pub(super) fn copy_from(&mut self, other: &Self) {
        copy_list(&mut self.points, &other.points);
        copy_list(&mut self.corridor, &other.corridor);
        self.reason.clone_from(&other.reason);
        self.status = other.status;
        (self.length, self.length_3d) = (other.length, other.length_3d);
        (self.start_moved, self.end_moved) = (other.start_moved, other.end_moved);
        self.limit_reached = other.limit_reached;
    }

    /// Bytes held by its lists.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.points.capacity() * size_of::<NavPoint>() + self.corridor.capacity() * size_of::<PolyRef>()
    }
}

fn copy_list<T: Copy>(list: &mut Vec<T>, other: &[T]) {
    list.clear();
    list.reserve(other.len().next_power_of_two().max(1024 / size_of::<T>()));
    list.extend_from_slice(other);
}
