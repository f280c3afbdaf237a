//! One straight stretch walked through the cells, side by side: rays, and steps that slide along walls.
//!
//! Only the side that is actually left by counts: at a corner one goes round through the cells that hang together
//! there, never into one that only touches.

use super::error::check_point;
use super::nearest::{NavPlace, cell_height, nearest};
use super::plan::{Cell, NONE, Plan};
use super::view::{closest_on_segment, distance};
use super::{PathScratch, QueryError, QueryFilter};
use crate::format::{PolyRef, TiledNavMesh};

/// Where a step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavMove {
    /// World x, y, z; on the mesh, a hair inside where a wall was met.
    pub position: [f64; 3],
    /// The level there.
    pub level: i8,
    /// The polygon there.
    pub polygon: PolyRef,
    /// Whether it is the target.
    pub reached: bool,
    /// The last wall met on the way, as it runs with the floor to its left.
    pub wall: Option<[[f64; 2]; 2]>,
}

/// Where a ray ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The part of the ray before the wall, 0 to 1; 1 if it met none.
    pub t: f64,
    /// World x, y, z of that place.
    pub position: [f64; 3],
    /// The polygon there: a ray has arrived only if this is the polygon one wanted, and not one below it.
    pub polygon: PolyRef,
    /// The wall met, as it runs with the floor to its left; `None` if the whole ray is free.
    pub wall: Option<[[f64; 2]; 2]>,
}

/// How far inside a mover stays of a wall, at coordinates up to 1; it grows with them.
const HAIR: f64 = 1e-9;
/// Walls that one step slides along at most.
const MAX_SLIDES: usize = 8;

/// Moves one straight step from a place on a level, and slides along the walls it meets.
///
/// The step is walked through the polygons. Over a seam it goes on in the next polygon, and the level becomes
/// that polygon's; off-mesh links are not taken. At a wall the rest of the step goes along the wall. The result
/// lies on the mesh, where the next step may start. A start off the mesh is first moved to the nearest open place
/// of the level. `None` if there is none.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn move_on_nav(
    mesh: &TiledNavMesh,
    position: [f64; 2],
    level: Option<i8>,
    target: [f64; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<NavMove>, QueryError> {
    check_point(["position x", "position z"], position)?;
    check_point(["target x", "target z"], target)?;
    scratch.index.update(mesh);
    let PathScratch { index, near_cells, .. } = scratch;
    let Some(from) = nearest(mesh, index, position, level, f64::INFINITY, filter, near_cells) else {
        return Ok(None);
    };
    let cell = index.number(from.polygon) as u32;
    Ok(Some(slide(mesh, &index.plan, filter, cell, xz(&from), target)))
}

/// As [`move_on_nav`], from a place that is known to lie on a polygon: nothing is searched. `None` for a stale
/// reference or a polygon that the filter closes.
///
/// # Errors
/// As [`move_on_nav`].
pub fn move_along_surface(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    position: [f64; 2],
    target: [f64; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<NavMove>, QueryError> {
    check_point(["position x", "position z"], position)?;
    check_point(["target x", "target z"], target)?;
    let Some(cell) = open_cell(mesh, polygon, filter, scratch) else { return Ok(None) };
    let plan = &scratch.index.plan;
    let (from, _) = plan.closest(&plan.cells[cell as usize], position);
    Ok(Some(slide(mesh, plan, filter, cell, from, target)))
}

/// Casts a ray along the mesh from a place on a polygon.
///
/// It passes from polygon to polygon over shared edges and portals, also exactly along them and through a corner
/// that all polygons round it share. `None` for a stale reference or a polygon that the filter closes.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn raycast(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    from: [f64; 2],
    to: [f64; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<RayHit>, QueryError> {
    cast(mesh, polygon, [from, to], filter, scratch, |_| {})
}

/// As [`raycast`]; `polygons` becomes those that the ray passes, in order, its memory reused.
///
/// # Errors
/// As [`raycast`].
pub fn raycast_through(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    from: [f64; 2],
    to: [f64; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    polygons: &mut Vec<PolyRef>,
) -> Result<Option<RayHit>, QueryError> {
    polygons.clear();
    cast(mesh, polygon, [from, to], filter, scratch, |polygon| polygons.push(polygon))
}

fn cast(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    [from, to]: [[f64; 2]; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    mut visit: impl FnMut(PolyRef),
) -> Result<Option<RayHit>, QueryError> {
    check_point(["from x", "from z"], from)?;
    check_point(["to x", "to z"], to)?;
    let Some(cell) = open_cell(mesh, polygon, filter, scratch) else { return Ok(None) };
    let plan = &scratch.index.plan;
    let (from, _) = plan.closest(&plan.cells[cell as usize], from);
    let stop = walk_visiting(plan, filter, cell, from, to, |cell| visit(plan.polygons[cell as usize]));
    let t = if stop.wall.is_some() {
        (distance(from, stop.at) / distance(from, to).max(f64::MIN_POSITIVE)).min(1.0)
    } else {
        1.0
    };
    Ok(Some(RayHit {
        t,
        position: [stop.at[0], cell_height(mesh, plan, stop.cell, stop.at), stop.at[1]],
        polygon: plan.polygons[stop.cell as usize],
        wall: stop.wall,
    }))
}

/// The number of the cell of a polygon, after the index was brought up to date.
pub(super) fn open_cell(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Option<u32> {
    mesh.polygon(polygon)?;
    scratch.index.update(mesh);
    let cell = scratch.index.number(polygon) as u32;
    filter.passes_cell(&scratch.index.plan.cells[cell as usize]).then_some(cell)
}

fn xz(place: &NavPlace) -> [f64; 2] {
    [place.position[0], place.position[2]]
}

/// Where a straight walk stopped: at its end, or at a wall.
pub(super) struct Stop {
    pub(super) cell: u32,
    pub(super) at: [f64; 2],
    pub(super) wall: Option<[[f64; 2]; 2]>,
}

/// How far left of a → b a point lies, in world units.
fn left_of(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let cross = along[0] * (point[1] - a[1]) - along[1] * (point[0] - a[0]);
    cross / (along[0] * along[0] + along[1] * along[1]).sqrt()
}

/// Walks straight from a point of a cell. Never leaves the cells by more than rounding, and always ends: a walk
/// that would go on for longer than there are sides stops where it is.
pub(super) fn walk(plan: &Plan, filter: &QueryFilter, cell: u32, from: [f64; 2], to: [f64; 2]) -> Stop {
    walk_visiting(plan, filter, cell, from, to, |_| {})
}

/// As [`walk`]; calls back with each cell that it comes to.
#[inline]
fn walk_visiting(
    plan: &Plan,
    filter: &QueryFilter,
    mut cell: u32,
    from: [f64; 2],
    to: [f64; 2],
    mut visit: impl FnMut(u32),
) -> Stop {
    let slack = plan.extent * 1e-13;
    let (mut at, mut entry, mut reached) = (from, NONE, 0.0_f64);
    for _ in 0..plan.sides.len() + 8 {
        visit(cell);
        let own = &plan.cells[cell as usize];
        let ring_end = own.first + u32::from(own.side_count);
        // The side left by: the first whose line the stretch crosses outwards; among several on one line the one
        // that is crossed; at a corner one that leads on.
        let mut exit: Option<(f64, u32, bool)> = None;
        let off = |side: u32, t: f64| {
            let (a, b) = (plan.sides[side as usize].at, plan.sides[plan.next(own, side) as usize].at);
            let at = [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
            let off = distance(closest_on_segment(a, b, at), at);
            if off <= slack * 16.0 { 0.0 } else { off }
        };
        for side in own.first..ring_end {
            if side == entry {
                continue;
            }
            let (a, b) = (plan.sides[side as usize].at, plan.sides[plan.next(own, side) as usize].at);
            // Most sides need no measuring: the end is inside.
            if (b[0] - a[0]) * (to[1] - a[1]) - (b[1] - a[1]) * (to[0] - a[0]) >= 0.0 {
                continue;
            }
            let end = left_of(a, b, to);
            if end >= -slack {
                continue;
            }
            let begin = left_of(a, b, from).max(0.0);
            let t = begin / (begin - end);
            let way = &plan.sides[side as usize];
            let open = way.to != NONE && filter.passes_cell(&plan.cells[way.to as usize]);
            let sooner = exit.is_none_or(|(least, other, was_open)| {
                if (t - least).abs() > 1e-12 {
                    return t < least;
                }
                let (own, others) = (off(side, t), off(other, least));
                own < others || (own == others && open && !was_open)
            });
            if sooner {
                exit = Some((t, side, open));
            }
        }
        let Some((t, side, open)) = exit else { return Stop { cell, at: to, wall: None } };
        reached = reached.max(t);
        let (a, b) = (plan.sides[side as usize].at, plan.sides[plan.next(own, side) as usize].at);
        let along = [from[0] + (to[0] - from[0]) * reached, from[1] + (to[1] - from[1]) * reached];
        at = closest_on_segment(a, b, along);
        let side = if open { side } else { along_border(plan, filter, own, entry, at, to, slack * 16.0) };
        if side == NONE {
            return Stop { cell, at, wall: Some([a, b]) };
        }
        entry = plan.sides[side as usize].twin;
        cell = plan.sides[side as usize].to;
    }
    Stop { cell, at, wall: Some([at, at]) }
}

/// The open side that touches a point and on whose line the rest of the way lies: past a wall's end the way runs
/// along the border of the cell beyond. [`NONE`] if there is none.
#[cold]
fn along_border(
    plan: &Plan,
    filter: &QueryFilter,
    cell: &Cell,
    entry: u32,
    at: [f64; 2],
    to: [f64; 2],
    slack: f64,
) -> u32 {
    let ring = cell.first..cell.first + u32::from(cell.side_count);
    let leads = |side: &u32| {
        let way = &plan.sides[*side as usize];
        let (a, b) = (way.at, plan.sides[plan.next(cell, *side) as usize].at);
        *side != entry
            && way.to != NONE
            && filter.passes_cell(&plan.cells[way.to as usize])
            && left_of(a, b, to).abs() <= slack
            && distance(closest_on_segment(a, b, at), at) <= slack
    };
    ring.into_iter().find(leads).unwrap_or(NONE)
}

pub(super) fn slide(
    mesh: &TiledNavMesh,
    plan: &Plan,
    filter: &QueryFilter,
    cell: u32,
    from: [f64; 2],
    target: [f64; 2],
) -> NavMove {
    let wish = [target[0] - from[0], target[1] - from[1]];
    let (mut stop, mut goal, mut wall) = (walk(plan, filter, cell, from, target), target, None);
    for _ in 0..MAX_SLIDES {
        let Some([a, b]) = stop.wall else { break };
        wall = stop.wall;
        let (along, length) = ([b[0] - a[0], b[1] - a[1]], distance(a, b));
        if length == 0.0 {
            break;
        }
        let rest = [goal[0] - stop.at[0], goal[1] - stop.at[1]];
        let run = (rest[0] * along[0] + rest[1] * along[1]) / length;
        let forward = (wish[0] * along[0] + wish[1] * along[1]) * run;
        if run.abs() <= plan.extent * 1e-12 || forward <= 0.0 {
            break;
        }
        let at = inside(plan, stop.cell, stop.at);
        goal = [at[0] + along[0] / length * run, at[1] + along[1] / length * run];
        stop = walk(plan, filter, stop.cell, at, goal);
    }
    let at =
        if wall.is_some() { inside(plan, stop.cell, stop.at) } else { settled(plan, stop.cell, stop.at) };
    NavMove {
        position: [at[0], cell_height(mesh, plan, stop.cell, at), at[1]],
        level: plan.cells[stop.cell as usize].level,
        polygon: plan.polygons[stop.cell as usize],
        reached: wall.is_none(),
        wall,
    }
}

/// A point that lies in a cell but for rounding, so that it lies in it.
fn settled(plan: &Plan, cell: u32, at: [f64; 2]) -> [f64; 2] {
    if plan.closest(&plan.cells[cell as usize], at).1 == 0.0 { at } else { inside(plan, cell, at) }
}

/// A point of a cell, moved a hair towards the cell's middle.
fn inside(plan: &Plan, cell: u32, at: [f64; 2]) -> [f64; 2] {
    let own = &plan.cells[cell as usize];
    let ring = plan.ring(own);
    let count = ring.len() as f64;
    let middle = [0, 1].map(|axis| ring.iter().map(|side| side.at[axis] - at[axis]).sum::<f64>() / count);
    let length = (middle[0] * middle[0] + middle[1] * middle[1]).sqrt();
    let mut part = (plan.extent * HAIR / length.max(f64::MIN_POSITIVE)).min(0.5);
    loop {
        let moved = [at[0] + middle[0] * part, at[1] + middle[1] * part];
        if plan.closest(own, moved).1 == 0.0 || part == 1.0 {
            return moved;
        }
        part = (part * 4.0).min(1.0);
    }
}
