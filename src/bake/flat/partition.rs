//! Regions bounded by segments to convex polygons: constrained Delaunay, then merging.

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use super::cut::Segment;
use super::outline::NOT_WALKABLE;
use super::snap::Pixel;
use crate::geom::grid::IntPoint;
use crate::geom::predicates::{cross, dot, orient};

/// A convex polygon, counter-clockwise, starting at its least (z, x) corner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Poly {
    pub(crate) corners: Vec<Pixel>,
    pub(crate) label: u32,
}

const NONE: usize = usize::MAX;

/// A directed edge of a triangle, later of a polygon.
#[derive(Clone, Copy)]
struct Half {
    origin: u32,
    next: usize,
    prev: usize,
    twin: usize,
    /// Whether a segment lies on it.
    fixed: bool,
    label: u32,
}

/// Splits the regions of one level into convex polygons of at most `max_verts` corners, sorted.
///
/// `segments`: noded (they meet in their ends only), sorted by ends. The polygons' areas add up to the regions'
/// exactly. Equal input gives equal output.
///
/// Source: Hertel & Mehlhorn 1983 over a constrained Delaunay triangulation; edges with the fewest reflex ends are
/// removed first, the longest of them first.
///
/// # Errors
/// A sentence, where the triangulation refuses its input or the labels of a face disagree.
pub(crate) fn convex_partition(segments: &[Segment], max_verts: usize) -> Result<Vec<Poly>, String> {
    if segments.is_empty() {
        return Ok(Vec::new());
    }
    let mut points: Vec<Pixel> = segments.iter().flat_map(|segment| [segment.a, segment.b]).collect();
    points.sort_unstable();
    points.dedup();
    let mut halves = triangulate(&points, segments)?;
    flood_labels(&mut halves, segments, &points)?;
    merge(&mut halves, &points, max_verts);
    let mut polys = collect(&halves, &points);
    polys.sort_unstable();
    Ok(polys)
}

fn index_of(points: &[Pixel], pixel: Pixel) -> usize {
    points.partition_point(|&p| p < pixel)
}

fn triangulate(points: &[Pixel], segments: &[Segment]) -> Result<Vec<Half>, String> {
    let vertices = points.iter().map(|p| Point2::new(f64::from(p.x), f64::from(p.z))).collect();
    let edges = segments.iter().map(|s| [index_of(points, s.a), index_of(points, s.b)]).collect();
    let cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(vertices, edges)
        .map_err(|error| format!("triangulation: {error}"))?;
    let index_of_vertex: Vec<u32> = cdt
        .vertices()
        .map(|v| {
            let p = v.position();
            index_of(points, Pixel { z: p.y as i32, x: p.x as i32 }) as u32
        })
        .collect();
    let mut triangles: Vec<[u32; 3]> = cdt
        .inner_faces()
        .map(|face| {
            let mut corners = face.vertices().map(|v| index_of_vertex[v.fix().index()]);
            let least = (0..3).min_by_key(|&i| corners[i]).unwrap_or(0);
            corners.rotate_left(least);
            corners
        })
        .collect();
    triangles.sort_unstable();
    let mut halves: Vec<Half> = Vec::with_capacity(triangles.len() * 3);
    let mut ends: Vec<(u32, u32, usize)> = Vec::with_capacity(triangles.len() * 3);
    for (t, corners) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (next, prev) = (t * 3 + (i + 1) % 3, t * 3 + (i + 2) % 3);
            ends.push((corners[i], corners[(i + 1) % 3], t * 3 + i));
            halves.push(Half {
                origin: corners[i],
                next,
                prev,
                twin: NONE,
                fixed: false,
                label: NOT_WALKABLE,
            });
        }
    }
    ends.sort_unstable();
    for &(from, to, half) in &ends {
        if let Ok(found) = ends.binary_search_by_key(&(to, from), |&(from, to, _)| (from, to)) {
            halves[half].twin = ends[found].2;
        }
    }
    Ok(halves)
}

/// Takes the labels beside segments to the triangles between them.
fn flood_labels(halves: &mut [Half], segments: &[Segment], points: &[Pixel]) -> Result<(), String> {
    // Points are numbered in order, so segments sorted by their ends are sorted by the ends' numbers; halves are
    // looked up in the same order.
    let mut order: Vec<(u32, u32, usize)> = (0..halves.len())
        .map(|half| {
            let (from, to) = (halves[half].origin, halves[halves[half].next].origin);
            (from.min(to), from.max(to), half)
        })
        .collect();
    order.sort_unstable();
    let mut segment_of: Vec<u32> = vec![u32::MAX; halves.len()];
    let mut at = 0;
    for (low, high, half) in order {
        let ends = (points[low as usize], points[high as usize]);
        while at < segments.len() && (segments[at].a, segments[at].b) < ends {
            at += 1;
        }
        if at < segments.len() && (segments[at].a, segments[at].b) == ends {
            segment_of[half] = at as u32;
        }
    }
    let mut known: Vec<Option<u32>> = vec![None; halves.len() / 3];
    let mut queue: Vec<usize> = Vec::new();
    for half in 0..halves.len() {
        let (from, to) = (halves[half].origin, halves[halves[half].next].origin);
        let Some(segment) = segments.get(segment_of[half] as usize) else { continue };
        halves[half].fixed = true;
        let label = if from < to { segment.left } else { segment.right };
        match known[half / 3] {
            None => {
                known[half / 3] = Some(label);
                queue.push(half / 3);
            }
            Some(other) if other != label => return Err(disagree(points[from as usize])),
            Some(_) => {}
        }
    }
    while let Some(triangle) = queue.pop() {
        let label = known[triangle];
        for half in triangle * 3..triangle * 3 + 3 {
            let twin = halves[half].twin;
            if halves[half].fixed || twin == NONE {
                continue;
            }
            if known[twin / 3].is_none() {
                known[twin / 3] = label;
                queue.push(twin / 3);
            } else if known[twin / 3] != label {
                return Err(disagree(points[halves[half].origin as usize]));
            }
        }
    }
    for (half, data) in halves.iter_mut().enumerate() {
        data.label = known[half / 3].unwrap_or(NOT_WALKABLE);
    }
    Ok(())
}

fn disagree(p: Pixel) -> String {
    format!("labels disagree at binary point ({}, {})", p.x, p.z)
}

/// Removes inner edges while both polygons together stay convex and small enough.
fn merge(halves: &mut [Half], points: &[Pixel], max_verts: usize) {
    let at = |index: u32| points[index as usize].point();
    let inner: Vec<usize> = (0..halves.len())
        .filter(|&h| {
            let half = &halves[h];
            !half.fixed && half.twin != NONE && h < half.twin && half.label != NOT_WALKABLE
        })
        .collect();
    let mut order: Vec<(u32, i128, u32, u32, usize)> = inner
        .into_iter()
        .map(|h| {
            let (from, to) = (halves[h].origin, halves[halves[h].next].origin);
            let reflex = u32::from(is_reflex(halves, points, h))
                + u32::from(is_reflex(halves, points, halves[h].twin));
            let d = at(to) - at(from);
            (reflex, -dot(d, d), from.min(to), from.max(to), h)
        })
        .collect();
    order.sort_unstable();
    // Corner counts by polygon, kept at the set's root.
    let mut sets = crate::geom::union_find::UnionFind::new(halves.len() / 3);
    let mut corners = vec![3_usize; halves.len() / 3];
    for (.., h) in order {
        let twin = halves[h].twin;
        let (mine, other) = (sets.find((h / 3) as u32) as usize, sets.find((twin / 3) as u32) as usize);
        let together = corners[mine] + corners[other] - 2;
        if mine == other || together > max_verts {
            continue;
        }
        let straight_or_left = |before: usize, after: usize| {
            let (a, b) = (halves[before].origin, halves[after].origin);
            orient(at(a), at(b), at(halves[halves[after].next].origin)) >= 0
        };
        if !(straight_or_left(halves[h].prev, halves[twin].next)
            && straight_or_left(halves[twin].prev, halves[h].next))
        {
            continue;
        }
        let (h_prev, h_next) = (halves[h].prev, halves[h].next);
        let (t_prev, t_next) = (halves[twin].prev, halves[twin].next);
        halves[h_prev].next = t_next;
        halves[t_next].prev = h_prev;
        halves[t_prev].next = h_next;
        halves[h_next].prev = t_prev;
        halves[h].label = NOT_WALKABLE;
        halves[twin].label = NOT_WALKABLE;
        sets.union(mine as u32, other as u32);
        let root = sets.find(mine as u32) as usize;
        corners[root] = together;
    }
}

/// Whether the region's corner that holds the half at its origin is wider than 180°.
fn is_reflex(halves: &[Half], points: &[Pixel], half: usize) -> bool {
    let at = |index: u32| points[index as usize].point();
    let direction = |h: usize| at(halves[halves[h].next].origin) - at(halves[h].origin);
    // Clockwise to the first fixed half that leaves this corner, counter-clockwise to the last that comes in.
    let mut first = half;
    loop {
        if halves[first].fixed || halves[first].twin == NONE {
            break;
        }
        first = halves[halves[first].twin].next;
        if first == half {
            return false;
        }
    }
    let mut last = halves[half].prev;
    while !halves[last].fixed && halves[last].twin != NONE {
        last = halves[halves[last].twin].prev;
    }
    let (start, end) = (direction(first), IntPoint::default() - direction(last));
    let turn = cross(start, end);
    turn < 0 || (turn == 0 && dot(start, end) > 0)
}

fn collect(halves: &[Half], points: &[Pixel]) -> Vec<Poly> {
    let mut seen = vec![false; halves.len()];
    let mut polys = Vec::new();
    for first in 0..halves.len() {
        if seen[first] || halves[first].label == NOT_WALKABLE {
            continue;
        }
        let mut corners = Vec::new();
        let mut half = first;
        while !seen[half] {
            seen[half] = true;
            corners.push(points[halves[half].origin as usize]);
            half = halves[half].next;
        }
        let least = (0..corners.len()).min_by_key(|&i| corners[i]).unwrap_or(0);
        corners.rotate_left(least);
        polys.push(Poly { corners, label: halves[first].label });
    }
    polys
}

/// Twice the area between segments, by their labels' sides: what the polygons' areas must add up to.
fn doubled_region_area(segments: &[Segment]) -> i128 {
    let origin = IntPoint::default();
    segments
        .iter()
        .map(|segment| {
            let area = cross(segment.a.point() - origin, segment.b.point() - origin);
            let sign = i128::from(segment.left != NOT_WALKABLE) - i128::from(segment.right != NOT_WALKABLE);
            area * sign
        })
        .sum()
}

/// That the polygons' areas add up to the regions' area.
///
/// # Errors
/// Both areas, in square binary steps.
pub(crate) fn check_areas(segments: &[Segment], polys: &[Poly]) -> Result<(), String> {
    let region = doubled_region_area(segments);
    let ring = |poly: &Poly| {
        let corners: Vec<IntPoint> = poly.corners.iter().map(|corner| corner.point()).collect();
        crate::geom::predicates::doubled_area(&corners)
    };
    let together: i128 = polys.iter().map(ring).sum();
    if together == region {
        return Ok(());
    }
    Err(format!(
        "its polygons cover {together} half square steps of {region}; some part is thinner than the grid"
    ))
}
