//! Why there is no path, in numbers: the islands of both ends, the chain of barriers between them on which the least would
//! have to change, and other places where what can be reached comes near to what leads to the end.

use std::sync::atomic::{AtomicBool, Ordering};

use super::barrier::{Barrier, BarrierKind, Ground};
use super::chain::least_change;
use super::gaps::nearest_barriers;
use super::islands::{describe, join};
use super::nearest::NavPlace;
use super::{
    NavPath, PathScratch, PathStatus, QueryError, QueryFilter, RayHit, find_nav_path_into, find_path_between,
    raycast,
};
use crate::format::TiledNavMesh;

/// Why there is no path between two places, or where the straight way to a place is blocked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathExplanation {
    /// The path, or how far it gets.
    pub path: NavPath,
    /// The start on the mesh; `None` if it lies too far off.
    pub start: Option<EndNote>,
    /// The end on the mesh; `None` if it lies too far off.
    pub end: Option<EndNote>,
    /// Where a straight walk from the start towards the end stops; `None` if it does not.
    pub straight_stop: Option<RayHit>,
    /// What stands between, in the order of the way: of all chains of barriers that lead from the start to the end over
    /// floors between them, the one on which the least would have to change. Most often one.
    ///
    /// What would have to change of a barrier between two floors is by how much it is too much for the agent: its rise
    /// beyond the climb, and its width beyond what an agent keeps from the edges of both ([`farthest_beside`] twice).
    /// Where neither is too much something else stands or gapes there (a wall, a ditch), which counts as a climb too
    /// high. A link that is closed or leads the other way only has nothing to be changed but itself; one whose end
    /// reaches no floor misses it by so much; closed floor counts as a wall. To that comes for each barrier a quarter of
    /// the climb, so that the fewest are taken where as much would have to change, and a hundredth of the way walked, so
    /// that the nearest are.
    ///
    /// So of a stair whose steps are all too high each step is named, and not the wall beside it: `n` steps may use the
    /// climb `n` times, the wall once. A step in the middle of a stair is named at its place, wherever the end's floor
    /// comes near the start's elsewhere.
    ///
    /// [`farthest_beside`]: super::farthest_beside
    pub barriers: Vec<Barrier>,
    /// Where else what can be reached comes near to what hangs together with the end, and what stands there, nearest
    /// first; at most 8.
    pub instead: Vec<Barrier>,
}

/// An end of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndNote {
    /// Its place on the mesh.
    pub place: NavPlace,
    /// Its island, counted from 0 as in [`Islands`](super::Islands); people count them from 1.
    pub island: u32,
    /// Polygons of that island.
    pub polygon_count: u32,
    /// How many islands there are.
    pub island_count: u32,
}

/// Explains the path between two places (world x, z), each on a level; `None` takes the nearest level there. Takes time
/// in proportion to the mesh, and allocates.
///
/// # Errors
/// As [`find_nav_path`](super::find_nav_path).
pub fn explain_path(
    mesh: &TiledNavMesh,
    start: ([f64; 2], Option<i8>),
    end: ([f64; 2], Option<i8>),
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<PathExplanation, QueryError> {
    let mut path = NavPath::default();
    find_nav_path_into(mesh, start, end, filter, scratch, &mut path)?;
    let reach = super::SNAP_TILES * mesh.params().tile_size;
    let mut find = |place: ([f64; 2], Option<i8>)| {
        super::closest_nav_point(mesh, place.0, place.1, reach, filter, scratch)
    };
    let (from, to) = (find(start)?, find(end)?);
    explain(mesh, [from, to], path, filter, scratch, &AtomicBool::new(false))
}

/// As [`explain_path`], between two places that queries returned; `None` if one of their polygons is gone or closed.
///
/// # Errors
/// As [`find_nav_path`](super::find_nav_path).
pub fn explain_path_between(
    mesh: &TiledNavMesh,
    from: &NavPlace,
    to: &NavPlace,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<PathExplanation>, QueryError> {
    explain_path_until(mesh, from, to, filter, scratch, &AtomicBool::new(false))
}

/// As [`explain_path_between`], for a thread that may be told to stop: soon after `stop` is set it gives up, and names no
/// barriers.
///
/// # Errors
/// As [`find_nav_path`](super::find_nav_path).
pub fn explain_path_until(
    mesh: &TiledNavMesh,
    from: &NavPlace,
    to: &NavPlace,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    stop: &AtomicBool,
) -> Result<Option<PathExplanation>, QueryError> {
    let mut path = NavPath::default();
    if !find_path_between(mesh, from, to, filter, scratch, &mut path)? {
        return Ok(None);
    }
    explain(mesh, [Some(*from), Some(*to)], path, filter, scratch, stop).map(Some)
}

fn explain(
    mesh: &TiledNavMesh,
    [from, to]: [Option<NavPlace>; 2],
    path: NavPath,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    stop: &AtomicBool,
) -> Result<PathExplanation, QueryError> {
    let mut told = PathExplanation { path, ..PathExplanation::default() };
    join(&scratch.index.plan, filter, &mut scratch.sets);
    let PathScratch { index, sets, .. } = &mut *scratch;
    let mut note = |place: NavPlace| {
        let island = describe(index, sets, index.number(place.polygon) as u32);
        EndNote {
            place,
            island: island.id as u32,
            polygon_count: island.polygon_count as u32,
            island_count: island.island_count as u32,
        }
    };
    (told.start, told.end) = (from.map(&mut note), to.map(&mut note));
    let (Some(from), Some(to)) = (from, to) else { return Ok(told) };
    let towards = [to.position[0], to.position[2]];
    let ray = raycast(mesh, from.polygon, [from.position[0], from.position[2]], towards, filter, scratch)?;
    told.straight_stop = ray.filter(|hit| hit.wall.is_some() || hit.polygon != to.polygon);
    if told.path.status == PathStatus::Partial {
        let nearest = nearest_barriers(mesh, filter, scratch, [&from, &to], stop);
        let ground = Ground { mesh, index: &scratch.index, filter };
        told.barriers = least_change(ground, [&from, &to], &nearest, stop);
        told.instead = nearest;
        told.instead.retain(|other| !told.barriers.iter().any(|known| is_same(known, other)));
        if stop.load(Ordering::Relaxed) {
            (told.barriers, told.instead) = (Vec::new(), Vec::new());
        }
    }
    Ok(told)
}

/// Whether both are named if one of them is.
fn is_same(a: &Barrier, b: &Barrier) -> bool {
    match (&a.kind, &b.kind) {
        (BarrierKind::ClosedPolygon { polygon, .. }, BarrierKind::ClosedPolygon { polygon: other, .. }) => {
            polygon == other
        }
        _ => {
            let polygons = |barrier: &Barrier| [barrier.from.polygon, barrier.to.polygon];
            let of_floors = |barrier: &Barrier| barrier.is_of_floors();
            a.is_at(b) || of_floors(a) && of_floors(b) && polygons(a) == polygons(b)
        }
    }
}
