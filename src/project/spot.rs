//! Places as an author names them, and the floors that are meant.
//!
//! A drawn floor is told by its level alone. Imported geometry has floors of one level over each other, as storeys of one
//! file have, so a place there can have a height of its own; without one it means the floor nearest to the level's
//! elevation.

use std::f64::consts::SQRT_2;

use super::{Document, Spot};
use crate::format::{NavMeshParams, TiledNavMesh, WORLD_BOUND};
use crate::query::{
    NavPath, NavPlace, PathScratch, PathStatus, QueryError, QueryFilter, SNAP_TILES, closest_nav_point,
    closest_on_polygon, find_nav_path, find_path_between, nearest_in_box, polygons_in_box,
};

/// All heights.
const ALL: f64 = WORLD_BOUND - 1.0;

/// A path between two spots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpotPath {
    /// The path between the floors nearest to them.
    pub path: NavPath,
    /// What is wrong with the start, in words with numbers, where its floor is too far away to be the one that is meant.
    pub start_off: Option<String>,
    /// The same of the end.
    pub end_off: Option<String>,
}

impl SpotPath {
    /// Whether there is a path: a complete one between the places that are meant.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path.status == PathStatus::Complete && self.off().is_none()
    }

    /// What is wrong with the places, the start first.
    #[must_use]
    pub fn off(&self) -> Option<&str> {
        self.start_off.as_deref().or(self.end_off.as_deref())
    }
}

/// The farthest that a place may lie beside the mesh and still be meant to be on it: as far as the corner of a room is
/// from the mesh that an agent's radius leaves there, and two cells for the rounding of a bake.
#[must_use]
pub fn farthest_beside(params: &NavMeshParams) -> f64 {
    SQRT_2 * f64::from(params.agent_radius) + 2.0 * params.cell_size
}

/// The same in height: the climb, and a cell.
#[must_use]
pub fn farthest_above(params: &NavMeshParams) -> f64 {
    f64::from(params.walkable_climb) + params.cell_size
}

/// The floors over a place, from below; of one level, or of all.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn floors_over(
    mesh: &TiledNavMesh,
    at: [f64; 2],
    level: Option<i8>,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Vec<NavPlace>, QueryError> {
    let mut polygons = Vec::new();
    let ([x, z], mut found) = (at, Vec::new());
    polygons_in_box(mesh, [x, -ALL, z], [x, ALL, z], filter, scratch, &mut polygons)?;
    for polygon in polygons {
        let place = closest_on_polygon(mesh, polygon, at);
        found.extend(
            place.filter(|place| place.distance == 0.0 && level.is_none_or(|level| level == place.level)),
        );
    }
    found.sort_by(|a, b| a.position[1].total_cmp(&b.position[1]).then(a.polygon.cmp(&b.polygon)));
    // On an edge or a corner several polygons are one floor.
    let climb = f64::from(mesh.params().walkable_climb);
    found.dedup_by(|b, a| a.level == b.level && (b.position[1] - a.position[1]).abs() <= 0.5 * climb);
    Ok(found)
}

/// The floor that is meant by a spot, or else the nearest to it within `reach`; `None` if there is none.
///
/// With a height: the nearest in space. Without: the level's floor there; where floors can lie over each other
/// ([`Document::stacks_floors`]), the one nearest to the level's elevation, and where none of the level is there, one at
/// that elevation.
///
/// # Errors
/// As [`floors_over`].
pub fn floor_of(
    document: &Document,
    mesh: &TiledNavMesh,
    spot: &Spot,
    reach: f64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<NavPlace>, QueryError> {
    let [x, z] = spot.at;
    // Boxes stay in the world.
    let farthest = |y: f64| reach.min(WORLD_BOUND - 1.0 - x.abs().max(z.abs()).max(y.abs())).max(0.0);
    if let Some(y) = spot.y {
        return nearest_in_box(mesh, [x, y, z], [farthest(y); 3], filter, scratch);
    }
    let own = closest_nav_point(mesh, spot.at, Some(spot.level), reach, filter, scratch)?;
    if !document.stacks_floors() {
        return Ok(own);
    }
    let height = document.height_of(spot.level);
    let away = |place: &NavPlace| (place.position[1] - height).abs();
    let over = floors_over(mesh, spot.at, Some(spot.level), filter, scratch)?;
    if let Some(floor) = over.into_iter().min_by(|a, b| away(a).total_cmp(&away(b))) {
        return Ok(Some(floor));
    }
    let climb = f64::from(mesh.params().walkable_climb);
    let wide = farthest(height);
    let beside = nearest_in_box(mesh, [x, height, z], [wide, climb, wide], filter, scratch)?;
    // A wall that several storeys share is as far from each; the one at the elevation is meant.
    let slack = farthest_beside(mesh.params());
    let beside = beside
        .filter(|place| away(place) <= climb && own.is_none_or(|own| place.distance <= own.distance + slack));
    Ok(beside.or(own))
}

/// The path between two spots.
///
/// # Errors
/// As [`find_nav_path`].
pub fn find_path(
    document: &Document,
    mesh: &TiledNavMesh,
    [from, to]: [&Spot; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<SpotPath, QueryError> {
    let mut found = SpotPath::default();
    if !document.stacks_floors() && from.y.is_none() && to.y.is_none() {
        let (start, end) = (Some(from.level), Some(to.level));
        found.path = find_nav_path(mesh, from.at, start, to.at, end, filter, scratch)?;
    } else {
        let reach = SNAP_TILES * mesh.params().tile_size;
        let mut floor = |spot: &Spot| floor_of(document, mesh, spot, reach, filter, scratch);
        match (floor(from)?, floor(to)?) {
            (Some(start), Some(end)) => {
                find_path_between(mesh, &start, &end, filter, scratch, &mut found.path)?;
            }
            (start, _) => {
                let (name, spot) = if start.is_none() { ("start", from) } else { ("end", to) };
                found.path.reason = nowhere(name, spot, reach);
            }
        }
    }
    let path = &found.path;
    if path.status == PathStatus::Complete {
        let ends = (path.points.first(), path.points.last());
        let floor = |end: Option<&crate::query::NavPoint>| end.map(|point| point.position[1]);
        let params = mesh.params();
        found.start_off = off("start", from, path.start_moved, floor(ends.0), params);
        found.end_off = off("end", to, path.end_moved, floor(ends.1), params);
    }
    Ok(found)
}

fn nowhere(name: &str, spot: &Spot, reach: f64) -> String {
    let [x, z] = spot.at;
    let at = spot.y.map_or_else(|| format!(" on level {}", spot.level), |y| format!(" at height {y:.3}"));
    format!("the {name} ({x:.3}, {z:.3}){at} lies off the mesh: no open floor within {reach:.3}")
}

/// Says that a floor is too far from the spot that it was found for.
fn off(name: &str, spot: &Spot, beside: f64, floor: Option<f64>, params: &NavMeshParams) -> Option<String> {
    let limit = farthest_beside(params);
    if beside > limit {
        return Some(format!("the {name} lies {beside:.3} off the mesh, and at most {limit:.3} is let pass"));
    }
    let (above, limit) = (spot.y? - floor?, farthest_above(params));
    let side = if above > 0.0 { "above" } else { "below" };
    (above.abs() > limit).then(|| {
        format!(
            "the {name} lies {:.3} {side} the nearest floor, and at most {limit:.3} is let pass",
            above.abs()
        )
    })
}
