//! Floors: flat at a level's elevation, or an area's own facets (ramps and drawn heights).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use super::outline::{Drawing, NOT_WALKABLE, Ring};
use crate::bake::{FlatInput, Surface};
use crate::geom::grid::IntPoint;
use crate::geom::predicates::{in_span, orient};
use crate::geom::ring::winding_beside;

/// A triangle of an area's own surface, in units, with a world height at each corner.
#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [IntPoint; 3],
    heights: [f64; 3],
}

/// One area's own surface.
#[derive(Debug)]
struct OwnSurface {
    /// Digest of the points and heights that it was made from.
    key: [u8; 32],
    facets: Vec<Facet>,
    /// Edges between facets that do not lie in one plane.
    creases: Vec<[IntPoint; 2]>,
}

/// The surfaces of all ramp and heights areas, by ring. A clone shares them.
#[derive(Clone, Debug)]
pub(crate) struct Surfaces {
    by_ring: BTreeMap<u32, Arc<OwnSurface>>,
    /// Heights are whole multiples of this power of two.
    step: f64,
}

/// The levels that a ramp's points lie on seams with: (ring, point) → an index into the drawing's levels.
pub(crate) type RampEnds = BTreeMap<(u32, IntPoint), usize>;

impl Surfaces {
    /// No area has a surface of its own.
    pub(crate) fn flat(cell_size: f64) -> Self {
        Self { by_ring: BTreeMap::new(), step: height_step(cell_size) }
    }

    /// Builds them. What `old` holds of the same points and heights is shared, not built again.
    pub(crate) fn new(
        input: &FlatInput,
        drawing: &Drawing,
        ends: &RampEnds,
        cell_size: f64,
        height: f64,
        old: &Self,
    ) -> Self {
        let step = height_step(cell_size);
        let known: BTreeMap<[u8; 32], &Arc<OwnSurface>> =
            old.by_ring.values().filter(|_| old.step == step).map(|own| (own.key, own)).collect();
        let mut by_ring = BTreeMap::new();
        for (index, ring) in (0..).zip(&drawing.rings) {
            let heights = match &input.areas[ring.area].surface {
                Surface::Level => continue,
                _ if ring.label == NOT_WALKABLE => continue,
                Surface::Ramp => {
                    let level = |&p: &IntPoint| ends.get(&(index, p)).copied().unwrap_or(ring.level);
                    ring.points().iter().map(|p| drawing.elevations[level(p)]).collect()
                }
                Surface::Heights(given) => given_heights(input, drawing, ring, given, height),
            };
            let key = digest_of(ring.points(), &heights, drawing.frame.decimal_step());
            let own = known.get(&key).map(|&own| own.clone()).unwrap_or_else(|| {
                let facets = triangulate(ring.points(), &heights, drawing.frame.decimal_step());
                let creases = find_creases(&facets, step);
                Arc::new(OwnSurface { key, facets, creases })
            });
            by_ring.insert(index, own);
        }
        Self { by_ring, step }
    }

    /// Whether both are made of the same surfaces in the same order.
    pub(crate) fn are_those_of(&self, other: &Self) -> bool {
        self.step == other.step
            && self.by_ring.values().map(|own| own.key).eq(other.by_ring.values().map(|own| own.key))
    }

    /// Whether no area has a surface of its own.
    pub(crate) fn are_all_levels(&self) -> bool {
        self.by_ring.is_empty()
    }

    /// What tells a ring's own surface from any other; `None` for a ring at its level's elevation.
    pub(crate) fn key(&self, ring: u32) -> Option<&[u8; 32]> {
        self.by_ring.get(&ring).map(|own| &own.key)
    }

    /// The creases of a ring's own surface.
    pub(crate) fn creases(&self, ring: u32) -> &[[IntPoint; 2]] {
        self.by_ring.get(&ring).map_or(&[], |own| &own.creases)
    }

    /// The height of a label's surface at a place: its area's at the nearest point, or its level's.
    pub(crate) fn at(&self, drawing: &Drawing, level: usize, label: u32, place: IntPoint) -> f64 {
        self.on(drawing, level, drawing.labels[label as usize].surface, place)
    }

    /// The height of a ring's own surface at a place, at the nearest point of it; of its level without one.
    pub(crate) fn on(&self, drawing: &Drawing, level: usize, surface: Option<u32>, place: IntPoint) -> f64 {
        let own = surface.and_then(|ring| self.by_ring.get(&ring));
        let elevation = drawing.elevations[level];
        own.map_or(elevation, |own| height_on(&own.facets, place, elevation))
    }

    /// To the nearest multiple of the height step.
    pub(crate) fn round(&self, height: f64) -> f64 {
        (height / self.step + 0.5).floor() * self.step
    }
}

/// The finest power of two that is at least 1/1024 of a cell.
fn height_step(cell_size: f64) -> f64 {
    2_f64.powi((cell_size / 1024.0).log2().ceil() as i32)
}

fn digest_of(points: &[IntPoint], heights: &[f64], unit: i64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(unit.to_le_bytes());
    for (p, height) in points.iter().zip(heights) {
        hash.update(p.x.to_le_bytes());
        hash.update(p.z.to_le_bytes());
        hash.update(height.to_le_bytes());
    }
    hash.finalize().into()
}

/// The given heights of the points that the ring kept.
fn given_heights(input: &FlatInput, drawing: &Drawing, ring: &Ring, given: &[f64], height: f64) -> Vec<f64> {
    let outline = &input.areas[ring.area].outline;
    let of_point: HashMap<IntPoint, f64> = outline
        .iter()
        .zip(given)
        .rev()
        .filter_map(|(&world, &y)| drawing.frame.unit_from_world(world).map(|p| (p, height + y)))
        .collect();
    let own = drawing.elevations[ring.level];
    ring.points().iter().map(|p| of_point.get(p).copied().unwrap_or(own)).collect()
}

/// The constrained Delaunay triangles inside an outline; of all its points where it crosses itself.
/// Works in decimal steps (`unit` units each), which f64 holds exactly.
fn triangulate(points: &[IntPoint], heights: &[f64], unit: i64) -> Vec<Facet> {
    let first = points[0];
    let mut height_of: HashMap<IntPoint, f64> = HashMap::new();
    for (&p, &height) in points.iter().zip(heights) {
        height_of.entry(p).or_insert(height);
    }
    let mut distinct: Vec<IntPoint> = height_of.keys().copied().collect();
    distinct.sort_unstable_by_key(|p| (p.z, p.x));
    let find = |p: IntPoint| distinct.partition_point(|q| (q.z, q.x) < (p.z, p.x));
    let vertices: Vec<Point2<f64>> = distinct
        .iter()
        .map(|&p| Point2::new(((p.x - first.x) / unit) as f64, ((p.z - first.z) / unit) as f64))
        .collect();
    let count = points.len();
    let edges: Vec<[usize; 2]> =
        (0..count).map(|i| [find(points[i]), find(points[(i + 1) % count])]).collect();
    let simple = !crosses_itself(points);
    let cdt = if simple {
        ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(vertices, edges)
    } else {
        ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(vertices, Vec::new())
    };
    let Ok(cdt) = cdt else { return Vec::new() };
    let mut facets: Vec<Facet> = Vec::new();
    for face in cdt.inner_faces() {
        let corners =
            face.positions().map(|p| IntPoint::new(p.x as i64 * unit + first.x, p.y as i64 * unit + first.z));
        let heights = corners.map(|p| height_of.get(&p).copied().unwrap_or(0.0));
        if !simple || middle_is_inside(points, &corners) {
            facets.push(Facet { corners, heights });
        }
    }
    facets.sort_unstable_by_key(|facet| facet.corners.map(|p| (p.z, p.x)));
    facets
}

/// Edges between two facets whose planes differ by more than half a height step at the far corner.
fn find_creases(facets: &[Facet], step: f64) -> Vec<[IntPoint; 2]> {
    let mut by_edge: HashMap<(IntPoint, IntPoint), (usize, usize)> = HashMap::new();
    for (index, facet) in facets.iter().enumerate() {
        for i in 0..3 {
            by_edge.insert((facet.corners[i], facet.corners[(i + 1) % 3]), (index, (i + 2) % 3));
        }
    }
    let mut creases = Vec::new();
    for facet in facets {
        for i in 0..3 {
            let (from, to) = (facet.corners[i], facet.corners[(i + 1) % 3]);
            let Some(&(other, far)) = by_edge.get(&(to, from)) else { continue };
            let apart = (plane_height(facet, facets[other].corners[far]) - facets[other].heights[far]).abs();
            if from < to && apart > step / 2.0 {
                creases.push([from, to]);
            }
        }
    }
    creases.sort_unstable();
    creases
}

/// The height of a facet's plane at a place, inside the facet or not.
fn plane_height(facet: &Facet, place: IntPoint) -> f64 {
    let [a, b, c] = facet.corners;
    let area = orient(a, b, c) as f64;
    let (weight_b, weight_c) = (orient(c, a, place) as f64 / area, orient(a, b, place) as f64 / area);
    let [ha, hb, hc] = facet.heights;
    ha + (hb - ha) * weight_b + (hc - ha) * weight_c
}

fn crosses_itself(points: &[IntPoint]) -> bool {
    let n = points.len();
    let edge = |i: usize| (points[i], points[(i + 1) % n]);
    (0..n).any(|i| {
        let (a, b) = edge(i);
        (i + 2..n).filter(|&j| (j + 1) % n != i).any(|j| {
            let (c, d) = edge(j);
            let (c_side, d_side) = (orient(a, b, c).signum(), orient(a, b, d).signum());
            let (a_side, b_side) = (orient(c, d, a).signum(), orient(c, d, b).signum());
            let apart = c_side * d_side > 0 || a_side * b_side > 0;
            let on_line = c_side == 0 && d_side == 0;
            !apart && (!on_line || in_span(a, b, c) || in_span(a, b, d) || in_span(c, d, a))
        })
    })
}

/// Whether the triangle's middle has a winding number other than 0, in thirds of a unit.
fn middle_is_inside(points: &[IntPoint], corners: &[IntPoint; 3]) -> bool {
    let first = points[0];
    let triple = |p: IntPoint| IntPoint::new((p.x - first.x) * 3, (p.z - first.z) * 3);
    let middle = corners.iter().fold(IntPoint::default(), |sum, &p| {
        let d = p - first;
        IntPoint::new(sum.x + d.x, sum.z + d.z)
    });
    let tripled: Vec<IntPoint> = points.iter().map(|&p| triple(p)).collect();
    winding_beside(&tripled, middle) != 0
}

/// The height at the nearest point of the facets.
fn height_on(facets: &[Facet], place: IntPoint, otherwise: f64) -> f64 {
    let mut best = (f64::INFINITY, otherwise);
    for facet in facets {
        let [a, b, c] = facet.corners;
        let area = orient(a, b, c);
        let parts = [orient(b, c, place), orient(c, a, place), orient(a, b, place)];
        if area > 0 && parts.iter().all(|&part| part >= 0) {
            return plane_height(facet, place);
        }
        for i in 0..3 {
            let (from, to) = (facet.corners[i], facet.corners[(i + 1) % 3]);
            let (d, q) = (to - from, place - from);
            let (dx, dz, qx, qz) = (d.x as f64, d.z as f64, q.x as f64, q.z as f64);
            let t = ((dx * qx + dz * qz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
            let (ex, ez) = (qx - dx * t, qz - dz * t);
            let distance = ex * ex + ez * ez;
            if distance < best.0 {
                let (from, to) = (facet.heights[i], facet.heights[(i + 1) % 3]);
                best = (distance, from + (to - from) * t);
            }
        }
    }
    best.1
}
