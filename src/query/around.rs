//! What lies around a place: walls, polygons, the nearest place in a box, random places.

use super::clip::Clip;
use super::error::check_point;
use super::index::QueryIndex;
use super::nearest::{NavPlace, cell_height, cell_place};
use super::plan::{NONE, Plan};
use super::view::{PolygonView, closest_on_segment, distance};
use super::walk::open_cell;
use super::{PathScratch, QueryError, QueryFilter};
use crate::format::{PolyRef, TiledNavMesh};

/// A wall, and the place on it nearest to where one asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallHit {
    /// How far, horizontally.
    pub distance: f64,
    /// World x, z of the wall's nearest point.
    pub point: [f64; 2],
    /// From the wall to the floor, at right angles to the wall, of length 1.
    pub normal: [f64; 2],
    /// The wall as it runs with the floor to its left.
    pub wall: [[f64; 2]; 2],
    /// The polygon it bounds.
    pub polygon: PolyRef,
}

/// The wall nearest to a place on a polygon, among those that can be walked to within a distance; `None` if there
/// is none so near, for a stale reference, and for a polygon that the filter closes.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn distance_to_wall(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    point: [f64; 2],
    max_distance: f64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<WallHit>, QueryError> {
    let mut best: Option<WallHit> = None;
    spread(mesh, polygon, point, max_distance, filter, scratch, |_, _, wall, _| {
        let nearer = |wall: &&WallHit| best.as_ref().is_none_or(|best| wall.distance < best.distance);
        if let Some(wall) = wall.filter(|wall| nearer(&wall)) {
            best = Some(wall);
        }
        best.as_ref().map(|best| best.distance)
    })?;
    Ok(best)
}

/// The walls within a distance of a place on a polygon that can be walked to within it, nearest first. `walls` is
/// emptied first; its memory is reused.
///
/// # Errors
/// As [`distance_to_wall`].
pub fn walls_around(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    point: [f64; 2],
    radius: f64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    walls: &mut Vec<WallHit>,
) -> Result<(), QueryError> {
    walls.clear();
    spread(mesh, polygon, point, radius, filter, scratch, |_, _, wall, _| {
        walls.extend(wall);
        None
    })?;
    walls.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.polygon.cmp(&b.polygon)));
    Ok(())
}

/// The polygons that come within a distance of a place on a polygon and can be walked to within it, in the order
/// they are come by. `polygons` is emptied first; its memory is reused.
///
/// # Errors
/// As [`distance_to_wall`].
pub fn polygons_around(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    point: [f64; 2],
    radius: f64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    polygons: &mut Vec<PolyRef>,
) -> Result<(), QueryError> {
    polygons.clear();
    spread(mesh, polygon, point, radius, filter, scratch, |plan, cell, _, first| {
        if first {
            polygons.push(plan.polygons[cell as usize]);
        }
        None
    })
}

/// Spreads from a polygon over open sides that come within a distance. Calls back once for each cell (`first`) and
/// once for each of its walls within the distance; an answer lowers the distance.
fn spread(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    point: [f64; 2],
    radius: f64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    mut visit: impl FnMut(&Plan, u32, Option<WallHit>, bool) -> Option<f64>,
) -> Result<(), QueryError> {
    check_point(["point x", "point z"], point)?;
    let Some(start) = open_cell(mesh, polygon, filter, scratch) else { return Ok(()) };
    scratch.renew();
    let PathScratch { index, any_angle, .. } = scratch;
    let plan = &index.plan;
    let mut limit = radius;
    any_angle.begin_flood(plan, start);
    while let Some(cell) = any_angle.next_flooded() {
        let own = &plan.cells[cell as usize];
        limit = visit(plan, cell, None, true).unwrap_or(limit);
        for side in own.first..own.first + u32::from(own.side_count) {
            let way = &plan.sides[side as usize];
            let ends = [way.at, plan.sides[plan.next(own, side) as usize].at];
            let near = closest_on_segment(ends[0], ends[1], point);
            let far = distance(near, point);
            if far > limit {
                continue;
            }
            if way.to != NONE && filter.passes_cell(&plan.cells[way.to as usize]) {
                any_angle.flood_to(way.to);
                continue;
            }
            let length = distance(ends[0], ends[1]);
            let normal = [(ends[0][1] - ends[1][1]) / length, (ends[1][0] - ends[0][0]) / length];
            let polygon = plan.polygons[cell as usize];
            let wall = WallHit { distance: far, point: near, normal, wall: ends, polygon };
            limit = visit(plan, cell, Some(wall), false).unwrap_or(limit);
        }
    }
    Ok(())
}

/// The open polygons whose surface (detail included) meets a box of world x, y, z, in slot and polygon order.
/// `polygons` is emptied first; its memory is reused.
///
/// The box is compared with the polygon's own box, so one that only passes a corner may be among them.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn polygons_in_box(
    mesh: &TiledNavMesh,
    min: [f64; 3],
    max: [f64; 3],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    polygons: &mut Vec<PolyRef>,
) -> Result<(), QueryError> {
    check_box(min, max)?;
    scratch.index.update(mesh);
    polygons.clear();
    each_in_box(mesh, &scratch.index, min, max, filter, |plan, cell| {
        polygons.push(plan.polygons[cell as usize]);
    });
    polygons.sort_unstable();
    Ok(())
}

/// The place of the mesh nearest to a point, in space, among the open polygons that meet the box of these half
/// extents round it. `distance` of the result is horizontal: 0 says that the point lies over the polygon. Equally
/// near places: the first reference. `None` only if the box is empty.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn nearest_in_box(
    mesh: &TiledNavMesh,
    center: [f64; 3],
    half_extents: [f64; 3],
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<NavPlace>, QueryError> {
    let min = [0, 1, 2].map(|axis| center[axis] - half_extents[axis]);
    let max = [0, 1, 2].map(|axis| center[axis] + half_extents[axis]);
    check_box(min, max)?;
    scratch.index.update(mesh);
    Ok(place_in_box(mesh, &scratch.index, center, half_extents, filter))
}

/// As [`nearest_in_box`], with an index that is up to date.
pub(super) fn place_in_box(
    mesh: &TiledNavMesh,
    index: &QueryIndex,
    center: [f64; 3],
    half_extents: [f64; 3],
    filter: &QueryFilter,
) -> Option<NavPlace> {
    let min = [0, 1, 2].map(|axis| center[axis] - half_extents[axis]);
    let max = [0, 1, 2].map(|axis| center[axis] + half_extents[axis]);
    let mut best: Option<(f64, NavPlace)> = None;
    each_in_box(mesh, index, min, max, filter, |plan, cell| {
        let place = cell_place(mesh, plan, cell, [center[0], center[2]]);
        let rise = place.position[1] - center[1];
        let gap = place.distance * place.distance + rise * rise;
        let better = |(least, other): &(f64, NavPlace)| {
            gap < *least || (gap == *least && place.polygon < other.polygon)
        };
        if best.as_ref().is_none_or(better) {
            best = Some((gap, place));
        }
    });
    best.map(|(_, place)| place)
}

fn check_box(min: [f64; 3], max: [f64; 3]) -> Result<(), QueryError> {
    for corner in [min, max] {
        check_point(["box x", "box z"], [corner[0], corner[2]])?;
        check_point(["box y", "box y"], [corner[1], corner[1]])?;
    }
    Ok(())
}

fn each_in_box(
    mesh: &TiledNavMesh,
    index: &QueryIndex,
    min: [f64; 3],
    max: [f64; 3],
    filter: &QueryFilter,
    mut visit: impl FnMut(&Plan, u32),
) {
    let plan = &index.plan;
    index.visit_box([min[0], min[2]], [max[0], max[2]], |cell| {
        let own = &plan.cells[cell as usize];
        if !filter.passes_cell(own) {
            return;
        }
        let [low, high] = if own.flat_y.is_nan() {
            let view = PolygonView::new(mesh, plan.polygons[cell as usize]);
            view.map_or([f64::NAN; 2], |view| super::surface::height_range(&view))
        } else {
            [own.flat_y; 2]
        };
        if low <= max[1] && min[1] <= high {
            visit(plan, cell);
        }
    });
}

/// A random open place, uniform by (horizontal) area; equal seeds give equal places. `None` if nothing is open.
#[must_use]
pub fn random_point(
    mesh: &TiledNavMesh,
    seed: u64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Option<NavPlace> {
    scratch.index.update(mesh);
    let (index, plan) = (&scratch.index, &scratch.index.plan);
    let mut random = Random(seed);
    let open = |cell: &u32| filter.passes_cell(&plan.cells[*cell as usize]);
    let cells = || index.cells().filter(open);
    let ring = |cell: u32| plan.ring(&plan.cells[cell as usize]).iter().map(|side| side.at);
    let total: f64 = cells().map(|cell| area(ring(cell))).sum();
    let mut left = random.unit() * total;
    let mut last = None;
    for cell in cells() {
        last = Some(cell);
        left -= area(ring(cell));
        if left < 0.0 {
            break;
        }
    }
    let cell = last?;
    let at = point_in(ring(cell), &mut random);
    Some(cell_place(mesh, plan, cell, at))
}

/// A random place within a distance of a place on a polygon, uniform by area over what of the disc can be walked
/// to within it; equal seeds give equal places. `None` for a stale reference and for a closed polygon.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn random_point_around(
    mesh: &TiledNavMesh,
    polygon: PolyRef,
    center: [f64; 2],
    radius: f64,
    seed: u64,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<NavPlace>, QueryError> {
    let mut around = std::mem::take(&mut scratch.polygons);
    let mut clip = std::mem::take(&mut scratch.clip);
    let spread = polygons_around(mesh, polygon, center, radius, filter, scratch, &mut around);
    let place = spread.map(|()| random_in_disc(mesh, &around, center, radius, seed, scratch, &mut clip));
    (scratch.polygons, scratch.clip) = (around, clip);
    place
}

fn random_in_disc(
    mesh: &TiledNavMesh,
    polygons: &[PolyRef],
    center: [f64; 2],
    radius: f64,
    seed: u64,
    scratch: &PathScratch,
    clip: &mut Clip,
) -> Option<NavPlace> {
    let (index, plan) = (&scratch.index, &scratch.index.plan);
    let mut random = Random(seed);
    let square = |polygon: PolyRef, clip: &mut Clip| {
        clip.cut(plan.ring(&plan.cells[index.number(polygon)]).iter().map(|side| side.at), center, radius);
        area(clip.points())
    };
    let total: f64 = polygons.iter().map(|polygon| square(*polygon, clip)).sum();
    // A place in what the square round the disc holds lies in the disc in most cases; where the floor is only in
    // the square's corners, the nearest of many is brought onto the rim.
    let mut nearest: Option<(f64, u32, [f64; 2])> = None;
    for _ in 0..1000 {
        let mut left = random.unit() * total;
        let chosen = polygons.iter().find(|polygon| {
            left -= square(**polygon, clip);
            left < 0.0
        });
        // The polygon that was cut last.
        let Some(polygon) = chosen.or(polygons.last()) else { break };
        let at = point_in(clip.points(), &mut random);
        let far = distance(at, center);
        if nearest.is_none_or(|(least, ..)| far < least) {
            nearest = Some((far, index.number(*polygon) as u32, at));
        }
        if far <= radius {
            break;
        }
    }
    let (far, cell, mut at) = nearest?;
    if far > radius {
        at = plan.closest(&plan.cells[cell as usize], center).0;
    }
    let y = cell_height(mesh, plan, cell, at);
    let own = &plan.cells[cell as usize];
    Some(NavPlace {
        position: [at[0], y, at[1]],
        level: own.level,
        polygon: plan.polygons[cell as usize],
        distance: 0.0,
    })
}

fn triangle_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0
}

/// The area of a convex ring.
fn area(mut ring: impl Iterator<Item = [f64; 2]>) -> f64 {
    let (Some(a), Some(mut b)) = (ring.next(), ring.next()) else { return 0.0 };
    let mut sum = 0.0;
    for c in ring {
        sum += triangle_area(a, b, c);
        b = c;
    }
    sum
}

/// A point of a convex ring, uniform by area.
fn point_in(ring: impl Iterator<Item = [f64; 2]> + Clone, random: &mut Random) -> [f64; 2] {
    let mut left = random.unit() * area(ring.clone());
    let (mut u, mut v) = (random.unit(), random.unit());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    let mut points = ring.clone();
    let (Some(a), Some(mut b)) = (points.next(), points.next()) else {
        return ring.clone().next().unwrap_or([0.0; 2]);
    };
    let mut corners = [a, b, b];
    for c in points {
        corners = [a, b, c];
        left -= triangle_area(a, b, c);
        if left < 0.0 {
            break;
        }
        b = c;
    }
    let [a, b, c] = corners;
    [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * u + (c[axis] - a[axis]) * v)
}

/// Steele, Lea and Flood 2014 (splitmix64).
struct Random(u64);

impl Random {
    /// 0 to 1, 1 not included.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
