//! `find_nav_path`: two places with levels in, corners with levels out.

use super::QueryFilter;
use super::any_angle::{AnyAngle, AnyAngleMemory, flood};
use super::astar::Search;
use super::funnel::{MarkKind, Pulled};
use super::index::QueryIndex;
use super::nearest::{NavPlace, cell_height, cell_place, nearest};
use super::plan::Plan;
use super::scratch::PathScratch;
use super::surface::surface_length;
use super::view::{PolygonView, distance};
use super::walk::open_cell;
use super::{islands, reason};
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
/// by the filter's costs. Equal questions get equal answers. There is no limit on the search: if the end cannot be reached, everything that can be was looked at,
/// and the path leads to the reachable place nearest to the end in space.
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
    (start, start_level): ([f64; 2], Option<i8>),
    (end, end_level): ([f64; 2], Option<i8>),
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    path: &mut NavPath,
) -> Result<(), QueryError> {
    check_point(["start x", "start z"], start)?;
    check_point(["end x", "end z"], end)?;
    filter.check()?;
    scratch.index.update(mesh);
    let reach = SNAP_TILES * mesh.params().tile_size;
    let PathScratch { index, start_cells, goal_cells, .. } = &mut *scratch;
    let Some(from) = nearest(mesh, index, start, start_level, reach, filter, start_cells) else {
        let closest = nearest(mesh, index, start, start_level, f64::INFINITY, filter, start_cells);
        path.clear(PathStatus::None, reason::off_mesh("start", start, start_level, reach, closest));
        return Ok(());
    };
    let Some(to) = nearest(mesh, index, end, end_level, reach, filter, goal_cells) else {
        let closest = nearest(mesh, index, end, end_level, f64::INFINITY, filter, goal_cells);
        path.clear(PathStatus::None, reason::off_mesh("end", end, end_level, reach, closest));
        return Ok(());
    };
    path_between(mesh, &from, &to, filter, scratch, path);
    Ok(())
}

/// As [`find_nav_path_into`], between places that an earlier query returned: also right where floors of one level
/// lie over each other. `false`, and the path as it was, if the reference of either is stale or closed.
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
    check_point(["start x", "start z"], xz(from))?;
    check_point(["end x", "end z"], xz(to))?;
    filter.check()?;
    let Some(start) = open_cell(mesh, from.polygon, filter, scratch) else { return Ok(false) };
    let Some(goal) = open_cell(mesh, to.polygon, filter, scratch) else { return Ok(false) };
    scratch.start_cells.clear();
    scratch.start_cells.push(start);
    scratch.goal_cells.clear();
    scratch.goal_cells.push(goal);
    path_between(mesh, from, to, filter, scratch, path);
    Ok(true)
}

/// The path from the cells in `scratch.start_cells` to those in `scratch.goal_cells`.
fn path_between(
    mesh: &TiledNavMesh,
    from: &NavPlace,
    to: &NavPlace,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    path: &mut NavPath,
) {
    if search(mesh, from, to, filter, scratch) {
        path.clear(PathStatus::Complete, String::new());
        write_path(mesh, &scratch.index, &scratch.best, from, to, path);
        return;
    }
    let PathScratch { index, start_cells, any_angle, sets, .. } = &mut *scratch;
    flood(&index.plan, filter, start_cells, any_angle);
    let stop = nearest_reached(mesh, index, any_angle, to).unwrap_or(*from);
    islands::join(mesh, index, filter, sets);
    let why = reason::unreachable(
        islands::describe(sets, index.number(from.polygon) as u32),
        islands::describe(sets, index.number(to.polygon) as u32),
        &stop,
        to,
    );
    scratch.goal_cells.clear();
    scratch.goal_cells.push(scratch.index.number(stop.polygon) as u32);
    let found = search(mesh, from, &stop, filter, scratch);
    debug_assert!(found, "a polygon that was reached is reached again");
    path.clear(PathStatus::Partial, why);
    write_path(mesh, &scratch.index, &scratch.best, from, to, path);
}

/// Searches from the cells in `scratch.start_cells` to those in `scratch.goal_cells`; leaves the way pulled tight in
/// `scratch.best`. False if there is none.
fn search(
    mesh: &TiledNavMesh,
    from: &NavPlace,
    to: &NavPlace,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> bool {
    let PathScratch { index, starts, goals, start_cells, goal_cells, any_angle, search, trial, best, .. } =
        scratch;
    let (start, goal) = (xz(from), xz(to));
    let plan = &index.plan;
    let equal = filter.equal_cost(plan.cell_areas);
    let unit_cost = equal.unwrap_or_else(|| filter.least_cost(plan.cell_areas));
    if unit_cost > 0.0 {
        let ask = AnyAngle { plan, filter, unit_cost, start, starts: start_cells, goal, goals: goal_cells };
        if ask.run(any_angle, &mut best.steps) {
            // Where costs differ, the shortest way as if all floor cost the least; if that is what it leads over,
            // then nothing is cheaper.
            if equal.is_some() || best.steps.iter().all(|step| filter.cost(step.area) == unit_cost) {
                best.pull(start, goal, |area| filter.cost(area));
                return true;
            }
        } else {
            // Sight lines are rounded, joins are not: these have the last word on whether there is a way.
            flood(plan, filter, start_cells, any_angle);
            if !goal_cells.iter().any(|cell| any_angle.was_reached(*cell)) {
                return false;
            }
        }
    }
    for (polygons, cells) in [(&mut *starts, &*start_cells), (&mut *goals, &*goal_cells)] {
        polygons.clear();
        polygons.extend(cells.iter().map(|cell| plan.polygons[*cell as usize]));
    }
    let search_for = Search { mesh, index, filter, start, starts, goal, goals };
    search_for.run(search, trial, best)
}

pub(super) fn check_point(names: [&'static str; 2], point: [f64; 2]) -> Result<(), QueryError> {
    for (name, value) in names.into_iter().zip(point) {
        if !(-WORLD_BOUND < value && value < WORLD_BOUND) {
            return Err(QueryError::OutOfRange { name, value });
        }
    }
    Ok(())
}

fn xz(place: &NavPlace) -> [f64; 2] {
    [place.position[0], place.position[2]]
}

impl NavPath {
    fn clear(&mut self, status: PathStatus, reason: String) {
        self.status = status;
        self.points.clear();
        self.corridor.clear();
        (self.length, self.length_3d) = (0.0, 0.0);
        (self.start_moved, self.end_moved) = (0.0, 0.0);
        self.reason = reason;
    }
}

/// The reached place nearest to the end in space, so that a bridge overhead does not count as near.
fn nearest_reached(
    mesh: &TiledNavMesh,
    index: &QueryIndex,
    flooded: &AnyAngleMemory,
    end: &NavPlace,
) -> Option<NavPlace> {
    let mut best: Option<(f64, NavPlace)> = None;
    let plan = &index.plan;
    index.visit_cells(xz(end), f64::INFINITY, |number, limit| {
        if !flooded.was_reached(number) {
            return limit;
        }
        let place = cell_place(mesh, plan, number, xz(end));
        let horizontal = place.distance * place.distance;
        if horizontal > limit {
            return limit;
        }
        let rise = place.position[1] - end.position[1];
        let gap = horizontal + rise * rise;
        let better = |(least, other): &(f64, NavPlace)| {
            gap < *least || (gap == *least && place.polygon < other.polygon)
        };
        if best.as_ref().is_none_or(better) {
            best = Some((gap, place));
        }
        limit.min(gap)
    });
    best.map(|(_, place)| place)
}

fn write_path(
    mesh: &TiledNavMesh,
    index: &QueryIndex,
    pulled: &Pulled,
    from: &NavPlace,
    to: &NavPlace,
    path: &mut NavPath,
) {
    path.start_moved = from.distance;
    path.end_moved = to.distance;
    path.corridor.extend(pulled.steps.iter().map(|step| step.polygon));
    let plan = &index.plan;
    let cell = |step: usize| index.number(pulled.steps[step].polygon) as u32;
    let mut last = None;
    for mark in &pulled.marks {
        let number = cell(mark.step);
        let y = cell_height(mesh, plan, number, mark.at);
        let point = NavPoint {
            position: [mark.at[0], y, mark.at[1]],
            level: plan.cells[number as usize].level,
            polygon: plan.polygons[number as usize],
            link: match mark.kind {
                MarkKind::Departure { user_id, .. } => Some(user_id),
                _ => None,
            },
        };
        if let Some((at, before)) = last {
            let run = distance(at, mark.at);
            path.length += run;
            path.length_3d += match (mark.kind, path.points.last()) {
                (MarkKind::Arrival, Some(departure)) => run.hypot(y - departure.position[1]),
                _ => cell_length(mesh, plan, before, at, mark.at),
            };
        }
        last = Some((mark.at, number));
        add_point(&mut path.points, point, mark.kind);
    }
}

/// Length along a cell's surface.
fn cell_length(mesh: &TiledNavMesh, plan: &Plan, number: u32, from: [f64; 2], to: [f64; 2]) -> f64 {
    if !plan.cells[number as usize].flat_y.is_nan() {
        return distance(from, to);
    }
    let view = PolygonView::new(mesh, plan.polygons[number as usize]);
    view.map_or(f64::NAN, |view| surface_length(&view, from, to))
}

/// Adds a point if it is a bend, a link's end, or changes the level; a point at the place of the one before takes
/// its place, so that level and polygon are those from there on.
fn add_point(points: &mut Vec<NavPoint>, point: NavPoint, kind: MarkKind) {
    let Some(last) = points.last_mut() else {
        points.push(point);
        return;
    };
    let same_place = [last.position[0], last.position[2]] == [point.position[0], point.position[2]];
    if same_place && last.link.is_none() {
        *last = point;
    } else if kind != MarkKind::Straight || last.level != point.level {
        points.push(point);
    }
}
