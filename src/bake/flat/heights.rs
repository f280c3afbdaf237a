//! How high a place of the mesh lies: a matter of place and level, never of the tile.

use std::collections::{BTreeMap, HashMap};

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use super::cut::TileCut;
use super::outline::{Drawing, NOT_WALKABLE, Ring};
use super::overlay::Overlay;
use super::snap::Pixel;
use crate::bake::{FlatInput, Surface};
use crate::geom::grid::IntPoint;
use crate::geom::predicates::{compare_angles, in_span, orient};
use crate::geom::union_find::UnionFind;

/// A triangle of an area's own surface, in units, with a world height at each corner.
#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [IntPoint; 3],
    heights: [f64; 3],
}

/// The surfaces of all ramp and heights areas, by ring.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surfaces {
    facets: BTreeMap<u32, Vec<Facet>>,
    /// Edges between facets that do not lie in one plane, by ring.
    creases: BTreeMap<u32, Vec<[IntPoint; 2]>>,
    /// Heights are whole multiples of this power of two.
    step: f64,
}

impl Surfaces {
    /// Builds them from the drawing's seams. `overlay` covers the whole outline of every such area.
    pub(crate) fn new(
        input: &FlatInput,
        drawing: &Drawing,
        overlay: &Overlay,
        cell_size: f64,
        height: f64,
    ) -> Self {
        let step = 2_f64.powi((cell_size / 1024.0).log2().ceil() as i32);
        let (mut facets, mut creases) = (BTreeMap::new(), BTreeMap::new());
        for (index, ring) in drawing.rings.iter().enumerate() {
            let heights = match &input.areas[ring.area].surface {
                Surface::Level => continue,
                _ if ring.label == NOT_WALKABLE => continue,
                Surface::Ramp => ramp_heights(drawing, overlay, ring),
                Surface::Heights(given) => given_heights(input, drawing, ring, given, height),
            };
            let triangles = triangulate(&ring.points, &heights, drawing.frame.decimal_step());
            creases.insert(index as u32, find_creases(&triangles, step));
            facets.insert(index as u32, triangles);
        }
        Self { facets, creases, step }
    }

    /// The creases of a ring's own surface.
    pub(crate) fn creases(&self, ring: u32) -> &[[IntPoint; 2]] {
        self.creases.get(&ring).map_or(&[], Vec::as_slice)
    }

    /// The height of a surface at a place: its area's at the nearest point, or its level's.
    fn at(&self, drawing: &Drawing, level: usize, label: u32, place: IntPoint) -> f64 {
        let surface = drawing.labels[label as usize].surface;
        let facets = surface.and_then(|ring| self.facets.get(&ring));
        facets.map_or(drawing.elevations[level], |facets| height_on(facets, place, drawing.elevations[level]))
    }

    /// To the nearest multiple of the height step.
    pub(crate) fn round(&self, height: f64) -> f64 {
        (height / self.step + 0.5).floor() * self.step
    }

    /// The unrounded height beside a piece's end, for measuring steps.
    pub(crate) fn beside(&self, drawing: &Drawing, level: usize, label: u32, place: [f64; 2]) -> f64 {
        self.at(drawing, level, label, IntPoint::new(place[0].round() as i64, place[1].round() as i64))
    }
}

/// A point on a seam takes the other level's elevation (nearest level number first, then the higher).
fn ramp_heights(drawing: &Drawing, overlay: &Overlay, ring: &Ring) -> Vec<f64> {
    let own = ring.level;
    ring.points
        .iter()
        .map(|&p| {
            let node = overlay.arrangement.node_at(p);
            let around = node.map_or(&[][..], |node| overlay.arrangement.outgoing(node));
            let others = around.iter().flat_map(|&half| {
                let (left, right) = overlay.seam_levels(half / 2);
                let on_ramp =
                    |half: u32| overlay.label(overlay.faces.of_half[half as usize], own) == ring.label;
                let along = half & !1;
                if left.contains(&own) && on_ramp(along) {
                    right
                } else if right.contains(&own) && on_ramp(along + 1) {
                    left
                } else {
                    Vec::new()
                }
            });
            let number = |level: usize| i32::from(drawing.levels[level]);
            let nearest = others.min_by_key(|&level| ((number(level) - number(own)).abs(), -number(level)));
            drawing.elevations[nearest.unwrap_or(own)]
        })
        .collect()
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
    ring.points.iter().map(|p| of_point.get(p).copied().unwrap_or(own)).collect()
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
    super::overlay::winding_beside(&tripled, middle) != 0
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

/// A sector between two pieces around a place, on one level, with the height it shares with all it is joined to.
struct Sector {
    level: usize,
    label: u32,
    /// Direction of its clockwise and counter-clockwise bounds.
    from: IntPoint,
    to: IntPoint,
    height: f64,
}

/// Heights at the hot points of one tile.
pub(crate) struct PlaceHeights<'a> {
    drawing: &'a Drawing,
    cut: &'a TileCut,
    surfaces: &'a Surfaces,
    nodes: HashMap<Pixel, Vec<u32>>,
    known: HashMap<Pixel, Vec<Sector>>,
}

impl<'a> PlaceHeights<'a> {
    pub(crate) fn new(drawing: &'a Drawing, cut: &'a TileCut, surfaces: &'a Surfaces) -> Self {
        let mut nodes: HashMap<Pixel, Vec<u32>> = HashMap::new();
        for (node, &pixel) in cut.pixels.iter().enumerate() {
            if cut.grid.in_tile(pixel) && !cut.overlay.arrangement.outgoing(node as u32).is_empty() {
                nodes.entry(pixel).or_default().push(node as u32);
            }
        }
        Self { drawing, cut, surfaces, nodes, known: HashMap::new() }
    }

    /// The rounded world height at a polygon's corner; `inward` points into the polygon.
    pub(crate) fn at(&mut self, pixel: Pixel, level: usize, label: u32, inward: IntPoint) -> f64 {
        if !self.known.contains_key(&pixel) {
            let sectors = self.sectors(pixel);
            self.known.insert(pixel, sectors);
        }
        let fits = |sector: &&Sector| sector.level == level && sector.label == label;
        let sectors = &self.known[&pixel];
        let towards = |sector: &&Sector| is_between(sector.from, sector.to, inward);
        let found = sectors.iter().filter(fits).find(towards).or_else(|| sectors.iter().find(fits));
        found.map_or_else(
            || {
                self.surfaces.round(self.surfaces.at(
                    self.drawing,
                    level,
                    label,
                    self.cut.grid.unit_of(pixel),
                ))
            },
            |sector| sector.height,
        )
    }

    /// All sectors of a place, joined over pieces that can be crossed, each set at its mean height.
    fn sectors(&self, pixel: Pixel) -> Vec<Sector> {
        let (overlay, arrangement) = (&self.cut.overlay, &self.cut.overlay.arrangement);
        let levels = overlay.level_count();
        let nodes = self.nodes.get(&pixel).map_or(&[][..], Vec::as_slice);
        // Sector i lies left of halves[i], up to the next half around the same node.
        let mut halves: Vec<(u32, u32)> = Vec::new();
        for &node in nodes {
            let around = arrangement.outgoing(node);
            halves.extend((0..around.len()).map(|i| (around[i], around[(i + 1) % around.len()])));
        }
        let left_of: HashMap<u32, usize> =
            halves.iter().enumerate().map(|(i, &(half, _))| (half, i)).collect();
        let right_of: HashMap<u32, usize> =
            halves.iter().enumerate().map(|(i, &(_, next))| (next, i)).collect();
        let mut sets = UnionFind::new(halves.len() * levels);
        let mut join = |a: usize, a_level: usize, b: usize, b_level: usize| {
            sets.union((a * levels + a_level) as u32, (b * levels + b_level) as u32);
        };
        for &(half, _) in &halves {
            let (left, right) = (left_of[&half], right_of[&half]);
            let (mut left_only, mut right_only) = overlay.seam_levels(half / 2);
            if half & 1 == 1 {
                std::mem::swap(&mut left_only, &mut right_only);
            }
            for level in 0..levels {
                let (l, r) = overlay.sides(half, level);
                if l != NOT_WALKABLE && r != NOT_WALKABLE {
                    join(left, level, right, level);
                }
            }
            left_only.iter().for_each(|&l| right_only.iter().for_each(|&r| join(left, l, right, r)));
            // A piece within the place: its left side at one end is its left side at the other.
            if let Some(&far) = right_of.get(&(half ^ 1)) {
                (0..levels).for_each(|level| join(left, level, far, level));
            }
        }
        let place = self.cut.grid.unit_of(pixel);
        let mut surfaces: BTreeMap<u32, Vec<(usize, u32)>> = BTreeMap::new();
        let mut members: Vec<(u32, usize, u32, usize)> = Vec::new();
        for (sector, &(half, _)) in halves.iter().enumerate() {
            for level in 0..levels {
                let label = overlay.sides(half, level).0;
                if label != NOT_WALKABLE {
                    let root = sets.find((sector * levels + level) as u32);
                    let surface = (level, label);
                    let known = surfaces.entry(root).or_default();
                    if !known.iter().any(|&(l, other)| {
                        l == level
                            && self.drawing.labels[other as usize].surface
                                == self.drawing.labels[label as usize].surface
                    }) {
                        known.push(surface);
                    }
                    members.push((root, level, label, sector));
                }
            }
        }
        let heights: BTreeMap<u32, f64> = surfaces
            .into_iter()
            .map(|(root, mut list)| {
                list.sort_unstable_by_key(|&(level, label)| {
                    (level, self.drawing.labels[label as usize].surface)
                });
                let sum: f64 = list
                    .iter()
                    .map(|&(level, label)| self.surfaces.at(self.drawing, level, label, place))
                    .sum();
                (root, self.surfaces.round(sum / list.len() as f64))
            })
            .collect();
        members
            .into_iter()
            .map(|(root, level, label, sector)| {
                let (from, to) = halves[sector];
                let (from, to) = (arrangement.direction(from), arrangement.direction(to));
                Sector { level, label, from, to, height: heights[&root] }
            })
            .collect()
    }
}

/// Whether direction `d` lies counter-clockwise of `from` and before `to` (all around, where they are one).
fn is_between(from: IntPoint, to: IntPoint, d: IntPoint) -> bool {
    let (after, before) = (compare_angles(from, d).is_le(), compare_angles(d, to).is_lt());
    if compare_angles(from, to).is_lt() { after && before } else { after || before }
}
