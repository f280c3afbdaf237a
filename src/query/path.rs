//! `find_nav_path`: two places with levels in, corners with levels out.

use super::QueryFilter;
use super::any_angle::{AnyAngle, AnyAngleMemory, flood};
use super::astar::Search;
use super::funnel::{MarkKind, Pulled};
use super::index::QueryIndex;
use super::nearest::{NavPlace, nearest, place_on};
use super::scratch::PathScratch;
use super::surface::{height_at, surface_length};
use super::view::{PolygonView, distance};
use super::{islands, reason};
use crate::format::{PolyRef, TiledNavMesh, WORLD_BOUND};

/// How far a path got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// It reaches the end.
    Complete,
    /// It ends at the reachable place nearest to the end.
    Partial,
    /// Start or end lies off the mesh.
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
#[derive(Clone, Debug, PartialEq)]
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
    check_point(["start x", "start z"], start)?;
    check_point(["end x", "end z"], end)?;
    filter.check()?;
    scratch.index.update(mesh);
    let reach = SNAP_TILES * mesh.params().tile_size;
    let PathScratch { index, starts, goals, .. } = &mut *scratch;
    let Some(from) = nearest(mesh, index, start, start_level, reach, filter, starts) else {
        let closest = nearest(mesh, index, start, start_level, f64::INFINITY, filter, starts);
        return Ok(no_path(reason::off_mesh("start", start, start_level, reach, closest)));
    };
    let Some(to) = nearest(mesh, index, end, end_level, reach, filter, goals) else {
        let closest = nearest(mesh, index, end, end_level, f64::INFINITY, filter, goals);
        return Ok(no_path(reason::off_mesh("end", end, end_level, reach, closest)));
    };
    if search(mesh, &from, &to, filter, scratch) {
        return Ok(write_path(mesh, &scratch.best, &from, &to, String::new()));
    }
    let PathScratch { index, start_cells, any_angle, sets, .. } = &mut *scratch;
    flood(&index.plan, filter, start_cells, any_angle);
    let stop = nearest_reached(mesh, index, any_angle, &to).unwrap_or(from);
    islands::join(mesh, index, filter, sets);
    let why = reason::unreachable(
        islands::describe(sets, index.number(from.polygon) as u32),
        islands::describe(sets, index.number(to.polygon) as u32),
        &stop,
        &to,
    );
    scratch.goals.clear();
    scratch.goals.push(stop.polygon);
    let found = search(mesh, &from, &stop, filter, scratch);
    debug_assert!(found, "a polygon that was reached is reached again");
    Ok(write_path(mesh, &scratch.best, &from, &to, why))
}

/// Searches from the polygons in `scratch.starts` to those in `scratch.goals`; leaves the way pulled tight in
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
    for (cells, polygons) in [(&mut *start_cells, &*starts), (&mut *goal_cells, &*goals)] {
        cells.clear();
        cells.extend(polygons.iter().map(|polygon| index.number(*polygon) as u32));
    }
    let plan = &index.plan;
    let equal = filter.equal_cost(plan.cell_areas);
    let unit_cost = equal.unwrap_or_else(|| filter.least_cost(plan.cell_areas));
    if unit_cost > 0.0 {
        let ask = AnyAngle { plan, filter, unit_cost, start, starts: start_cells, goal, goals: goal_cells };
        if !ask.run(any_angle, &mut best.steps) {
            return false;
        }
        // Where costs differ, the shortest way as if all floor cost the least; if that is what it leads over,
        // then nothing is cheaper.
        if equal.is_some() || best.steps.iter().all(|step| filter.cost(step.area) == unit_cost) {
            best.pull(start, goal, |area| filter.cost(area));
            return true;
        }
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

fn no_path(reason: String) -> NavPath {
    NavPath {
        status: PathStatus::None,
        points: Vec::new(),
        corridor: Vec::new(),
        length: 0.0,
        length_3d: 0.0,
        start_moved: 0.0,
        end_moved: 0.0,
        reason,
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
    index.visit_near(mesh, xz(end), f64::INFINITY, |view, limit| {
        if !flooded.was_reached(index.number(view.reference) as u32) {
            return limit;
        }
        let horizontal = view.closest(xz(end)).1;
        if horizontal > limit {
            return limit;
        }
        let place = place_on(&view, xz(end));
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
    pulled: &Pulled,
    from: &NavPlace,
    to: &NavPlace,
    reason: String,
) -> NavPath {
    let mut path = no_path(reason);
    path.status = if path.reason.is_empty() { PathStatus::Complete } else { PathStatus::Partial };
    path.start_moved = from.distance;
    path.end_moved = to.distance;
    path.corridor.extend(pulled.steps.iter().map(|step| step.polygon));
    let views = |step: usize| PolygonView::new(mesh, pulled.steps[step].polygon);
    let mut last = None;
    for mark in &pulled.marks {
        let Some(view) = views(mark.step) else { continue };
        let y = height_at(&view, mark.at);
        let point = NavPoint {
            position: [mark.at[0], y, mark.at[1]],
            level: view.polygon.level(),
            polygon: view.reference,
            link: match mark.kind {
                MarkKind::Departure { user_id, .. } => Some(user_id),
                _ => None,
            },
        };
        if let Some((at, step)) = last {
            let run = distance(at, mark.at);
            path.length += run;
            path.length_3d += match (mark.kind, path.points.last(), views(step)) {
                (MarkKind::Arrival, Some(departure), _) => run.hypot(y - departure.position[1]),
                (_, _, Some(view)) => surface_length(&view, at, mark.at),
                _ => run,
            };
        }
        last = Some((mark.at, mark.step));
        add_point(&mut path.points, point, mark.kind);
    }
    path
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
