//! The mesh's place nearest to a point, by level.

use super::error::{QueryError, check_point};
use super::index::QueryIndex;
use super::plan::{Cell, Plan};
use super::surface::height_at;
use super::view::PolygonView;
use super::{PathScratch, QueryFilter};
use crate::format::{PolyRef, TiledNavMesh};

/// A place on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPlace {
    /// World x, y, z.
    pub position: [f64; 3],
    /// The polygon's level.
    pub level: i8,
    /// The polygon it lies on.
    pub polygon: PolyRef,
    /// How far from the asked point, horizontally; 0 if the point lies on the mesh.
    pub distance: f64,
}

/// Its place on the plane.
pub(super) fn xz(place: &NavPlace) -> [f64; 2] {
    [place.position[0], place.position[2]]
}

/// The open place nearest to a world x, z: on one level, or on any.
///
/// Nearest is horizontal. A point on an edge or a corner lies on the polygon. Equally near places of several
/// levels: the level nearest to 0, then the higher; within a level the highest polygon, then the first
/// reference. `None` if nothing open lies within `max_distance` (which may be infinite).
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn closest_nav_point(
    mesh: &TiledNavMesh,
    position: [f64; 2],
    level: Option<i8>,
    max_distance: f64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<NavPlace>, QueryError> {
    check_point(["position x", "position z"], position)?;
    scratch.index.update(mesh);
    let PathScratch { index, near_cells, .. } = scratch;
    Ok(nearest(mesh, index, position, level, max_distance, filter, near_cells))
}

/// The place of a polygon nearest to a world x, z, with its height; `None` for a stale reference.
#[must_use]
pub fn closest_on_polygon(mesh: &TiledNavMesh, polygon: PolyRef, point: [f64; 2]) -> Option<NavPlace> {
    let view = PolygonView::new(mesh, polygon)?;
    let (near, distance) = view.closest(point);
    let position = [near[0], height_at(&view, near), near[1]];
    Some(NavPlace { position, level: view.polygon.level(), polygon, distance: distance.sqrt() })
}

/// As [`closest_nav_point`]; `tied` becomes the cells of that level that hold the nearest place at that
/// height, up to a step: several when it lies on a shared edge or corner.
pub(super) fn nearest(
    mesh: &TiledNavMesh,
    index: &QueryIndex,
    point: [f64; 2],
    level: Option<i8>,
    max_distance: f64,
    filter: &QueryFilter,
    tied: &mut Vec<u32>,
) -> Option<NavPlace> {
    tied.clear();
    let plan = &index.plan;
    let open = |cell: &Cell| level.is_none_or(|level| level == cell.level) && filter.passes_cell(cell);
    index.visit_at(point, |number, surely| {
        let cell = &plan.cells[number as usize];
        if open(cell) && (surely || plan.contains(cell, point)) {
            tied.push(number);
        }
    });
    if let [only] = tied[..] {
        let own = &plan.cells[only as usize];
        let y = cell_height(mesh, plan, only, point);
        let (level, polygon) = (own.level, plan.polygons[only as usize]);
        return Some(NavPlace { position: [point[0], y, point[1]], level, polygon, distance: 0.0 });
    }
    if tied.is_empty() {
        find_nearest(index, point, max_distance, open, tied);
    }
    settle_tie(mesh, plan, point, tied)
}

/// Fills `tied` with the open cells nearest to a place.
fn find_nearest(
    index: &QueryIndex,
    point: [f64; 2],
    max_distance: f64,
    open: impl Fn(&Cell) -> bool,
    tied: &mut Vec<u32>,
) {
    let plan = &index.plan;
    let mut best = max_distance * max_distance;
    index.visit_cells(point, best, |number, limit| {
        let cell = &plan.cells[number as usize];
        if !open(cell) {
            return limit;
        }
        let distance = plan.closest(cell, point).1;
        if distance < best {
            tied.clear();
        }
        if distance <= best {
            tied.push(number);
            best = distance;
        }
        limit.min(distance)
    });
}

/// The place to take among cells that are equally near; those that do not hold it go.
fn settle_tie(mesh: &TiledNavMesh, plan: &Plan, point: [f64; 2], tied: &mut Vec<u32>) -> Option<NavPlace> {
    if let [only] = tied[..] {
        return Some(cell_place(mesh, plan, only, point));
    }
    let places = tied.iter().map(|cell| cell_place(mesh, plan, *cell, point));
    let place = places.reduce(preferred)?;
    let climb = f64::from(mesh.params().walkable_climb);
    tied.retain(|cell| {
        let other = cell_place(mesh, plan, *cell, point);
        other.level == place.level
            && (other.position[1] - place.position[1]).abs() <= climb
            && [other.position[0], other.position[2]] == [place.position[0], place.position[2]]
    });
    tied.sort_unstable_by_key(|cell| plan.polygons[*cell as usize]);
    Some(place)
}

/// The place of a cell nearest to a point.
pub(super) fn cell_place(mesh: &TiledNavMesh, plan: &Plan, number: u32, point: [f64; 2]) -> NavPlace {
    let cell = &plan.cells[number as usize];
    let (near, distance) = plan.closest(cell, point);
    NavPlace {
        position: [near[0], cell_height(mesh, plan, number, near), near[1]],
        level: cell.level,
        polygon: plan.polygons[number as usize],
        distance: distance.sqrt(),
    }
}

/// The height of a cell's surface at a point of it.
pub(super) fn cell_height(mesh: &TiledNavMesh, plan: &Plan, number: u32, point: [f64; 2]) -> f64 {
    let cell = &plan.cells[number as usize];
    if !cell.flat_y.is_nan() {
        return cell.flat_y;
    }
    PolygonView::new(mesh, plan.polygons[number as usize]).map_or(f64::NAN, |view| height_at(&view, point))
}

fn preferred(a: NavPlace, b: NavPlace) -> NavPlace {
    let from_ground = |place: &NavPlace| (i16::from(place.level).abs(), -i16::from(place.level));
    let order = from_ground(&a)
        .cmp(&from_ground(&b))
        .then(b.position[1].total_cmp(&a.position[1]))
        .then(a.polygon.cmp(&b.polygon));
    if order.is_le() { a } else { b }
}
