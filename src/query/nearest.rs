//! The mesh's place nearest to a point, by level.

use super::index::QueryIndex;
use super::surface::height_at;
use super::view::PolygonView;
use super::{PathScratch, QueryError, QueryFilter};
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
    super::path::check_point(["position x", "position z"], position)?;
    scratch.index.update(mesh);
    let PathScratch { index, starts, .. } = scratch;
    Ok(nearest(mesh, index, position, level, max_distance, filter, starts))
}

/// As [`closest_nav_point`]; `tied` becomes the polygons of that level that hold the nearest place at that
/// height, up to a step: several when it lies on a shared edge or corner.
pub(super) fn nearest(
    mesh: &TiledNavMesh,
    index: &QueryIndex,
    point: [f64; 2],
    level: Option<i8>,
    max_distance: f64,
    filter: &QueryFilter,
    tied: &mut Vec<PolyRef>,
) -> Option<NavPlace> {
    tied.clear();
    let mut best = max_distance * max_distance;
    index.visit_near(mesh, point, best, |view, limit| {
        if level.is_some_and(|level| level != view.polygon.level()) || !filter.passes(view.polygon) {
            return limit;
        }
        let distance = view.closest(point).1;
        if distance < best {
            tied.clear();
        }
        if distance <= best {
            tied.push(view.reference);
            best = distance;
        }
        limit.min(distance)
    });
    let views = tied.iter().filter_map(|polygon| PolygonView::new(mesh, *polygon));
    let place = views.map(|view| place_on(&view, point)).reduce(preferred)?;
    let climb = f64::from(mesh.params().walkable_climb);
    tied.retain(|polygon| {
        PolygonView::new(mesh, *polygon).is_some_and(|view| {
            let other = place_on(&view, point);
            other.level == place.level
                && (other.position[1] - place.position[1]).abs() <= climb
                && [other.position[0], other.position[2]] == [place.position[0], place.position[2]]
        })
    });
    tied.sort_unstable();
    Some(place)
}

pub(super) fn place_on(view: &PolygonView<'_>, point: [f64; 2]) -> NavPlace {
    let (near, distance) = view.closest(point);
    NavPlace {
        position: [near[0], height_at(view, near), near[1]],
        level: view.polygon.level(),
        polygon: view.reference,
        distance: distance.sqrt(),
    }
}

fn preferred(a: NavPlace, b: NavPlace) -> NavPlace {
    let from_ground = |place: &NavPlace| (i16::from(place.level).abs(), -i16::from(place.level));
    let order = from_ground(&a)
        .cmp(&from_ground(&b))
        .then(b.position[1].total_cmp(&a.position[1]))
        .then(a.polygon.cmp(&b.polygon));
    if order.is_le() { a } else { b }
}
