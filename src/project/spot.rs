//! Places as an author names them, and the floors that are meant.
//!
//! A drawn floor is told by its level alone. Imported geometry has floors of one level over each other, as storeys of one
//! file have, so a place there can have a height of its own; without one it means the floor nearest to the level's
//! elevation.

use super::{Document, Spot};
use crate::format::{NavMeshParams, TiledNavMesh, WORLD_BOUND};
use crate::query::{
    NavPath, NavPlace, PathExplanation, PathScratch, PathStatus, QueryError, QueryFilter, SNAP_TILES,
    closest_nav_point, closest_on_polygon, explain_path, explain_path_between, farthest_beside,
    find_nav_path, find_path_between, nearest_in_box, polygons_in_box,
};

/// All heights.
const ALL: f64 = WORLD_BOUND - 1.0;

/// A path between two spots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpotPath {
    /// The path between the floors nearest to them.
    pub path: NavPath,
    /// The floor that the start is taken for; `None` if there is none near.
    pub start: Option<NavPlace>,
    /// The same of the end.
    pub end: Option<NavPlace>,
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

    /// Why there is no path between the places that are meant, in words with numbers; empty where there is one.
    #[must_use]
    pub fn why_not(&self) -> String {
        match self.off().filter(|_| self.path.status == PathStatus::Complete) {
            Some(off) => {
                format!("{off}; between the nearest floors there is one of {:.3} squares", self.path.length)
            }
            None => self.path.reason.clone(),
        }
    }
}

/// The farthest that a place may lie above or below the mesh and still be meant to be on it ([`farthest_beside`] is the
/// same beside it): the climb, and a cell.
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
    let reach = SNAP_TILES * mesh.params().tile_size;
    let mut floor = |spot: &Spot| floor_of(document, mesh, spot, reach, filter, scratch);
    let mut found = SpotPath { start: floor(from)?, end: floor(to)?, ..SpotPath::default() };
    if are_told_by_level(document, [from, to]) {
        let (start, end) = (Some(from.level), Some(to.level));
        found.path = find_nav_path(mesh, from.at, start, to.at, end, filter, scratch)?;
    } else if let (Some(start), Some(end)) = (&found.start, &found.end) {
        find_path_between(mesh, start, end, filter, scratch, &mut found.path)?;
    } else {
        let (name, spot) = if found.start.is_none() { ("start", from) } else { ("end", to) };
        found.path.reason = nowhere(name, spot, mesh, reach, filter, scratch)?;
    }
    if found.path.status == PathStatus::Complete {
        let params = mesh.params();
        found.start_off = found.start.and_then(|floor| off("start", from, &floor, params));
        found.end_off = found.end.and_then(|floor| off("end", to, &floor, params));
    }
    Ok(found)
}

/// Explains the path between two spots, as [`find_path`] finds it.
///
/// # Errors
/// As [`find_nav_path`].
pub fn explain_spots(
    document: &Document,
    mesh: &TiledNavMesh,
    [from, to]: [&Spot; 2],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<PathExplanation, QueryError> {
    if are_told_by_level(document, [from, to]) {
        let (start, end) = ((from.at, Some(from.level)), (to.at, Some(to.level)));
        return explain_path(mesh, start, end, filter, scratch);
    }
    let reach = SNAP_TILES * mesh.params().tile_size;
    let mut floor = |spot: &Spot| floor_of(document, mesh, spot, reach, filter, scratch);
    let (Some(start), Some(end)) = (floor(from)?, floor(to)?) else { return Ok(PathExplanation::default()) };
    Ok(explain_path_between(mesh, &start, &end, filter, scratch)?.unwrap_or_default())
}

/// Whether a level has one floor at a place at most, so that it says all.
fn are_told_by_level(document: &Document, spots: [&Spot; 2]) -> bool {
    !document.stacks_floors() && spots.iter().all(|spot| spot.y.is_none())
}

/// Says that there is no floor near a spot, and where the nearest one is.
fn nowhere(
    name: &str,
    spot: &Spot,
    mesh: &TiledNavMesh,
    reach: f64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<String, QueryError> {
    let [x, z] = spot.at;
    let at = spot.y.map_or_else(|| format!(" on level {}", spot.level), |y| format!(" at height {y:.3}"));
    let nearest = match spot.y {
        // The box has all of the world in it.
        Some(y) => {
            let all = [x, y, z].map(|value: f64| (ALL - value.abs()).max(0.0));
            nearest_in_box(mesh, [x, y, z], all, filter, scratch)?
        }
        None => closest_nav_point(mesh, spot.at, Some(spot.level), f64::INFINITY, filter, scratch)?,
    };
    let where_it_is = nearest.map_or_else(String::new, |floor| {
        let [near_x, near_y, near_z] = floor.position;
        let away = floor.distance.hypot(spot.y.map_or(0.0, |y| y - near_y));
        format!("; the nearest lies {away:.3} away, at ({near_x:.3}, {near_z:.3}), height {near_y:.3}")
    });
    Ok(format!(
        "the {name} ({x:.3}, {z:.3}){at} lies off the mesh: no open floor within {reach:.3}{where_it_is}"
    ))
}

/// Says that a floor is too far from the spot that it was found for.
fn off(name: &str, spot: &Spot, floor: &NavPlace, params: &NavMeshParams) -> Option<String> {
    let above = spot.y.map_or(0.0, |y| y - floor.position[1]);
    let side = if above > 0.0 { "above" } else { "below" };
    let (beside, height) = (floor.distance, above.abs());
    let (limit, tall) = (farthest_beside(params), farthest_above(params));
    if beside > limit {
        let space = beside.hypot(above);
        let parts = if height > tall {
            format!(", {beside:.3} beside it and {height:.3} {side} it")
        } else {
            String::new()
        };
        let away = if parts.is_empty() { beside } else { space };
        return Some(format!(
            "the {name} lies {away:.3} off the mesh{parts}, and at most {limit:.3} beside it is near enough"
        ));
    }
    (height > tall).then(|| {
        format!("the {name} lies {height:.3} {side} the nearest floor, and at most {tall:.3} is near enough")
    })
}
