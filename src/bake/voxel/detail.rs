//! Heights inside polygons: samples of the floor where flat triangles would miss it.

use std::collections::BinaryHeap;

use super::compact::CompactField;
use super::grid::VoxelGrid;
use super::poll::Poll;
use super::polymesh::{MeshPolygon, PolygonMesh};
use super::region::{NO_REGION, Regions};
use super::soup::NO_LABEL;
use super::tin::Tin;
use crate::bake::BakeError;

/// Most points of a polygon's detail; indices in the format are 16 bits.
const MOST_POINTS: usize = 32_768;

/// The height detail of one polygon.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PolygonDetail {
    /// Points beside the polygon's corners: x and z in cells from the tile's corner, y in cell heights.
    pub(crate) points: Vec<[f64; 3]>,
    /// Corner indices, the polygon's corners first, and a bit for each edge on the polygon's outline.
    pub(crate) triangles: Vec<([u16; 3], u8)>,
}

/// The detail of all polygons; none at all for a sample distance of 0.
///
/// Along edges the floor is sampled every `sample_distance` and the points farthest off are kept; inside, on a grid of
/// that distance, away from the edges by half of it, the point farthest off is added until all are within the error.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn build_detail(
    field: &CompactField,
    regions: &Regions,
    mesh: &PolygonMesh,
    grid: &VoxelGrid,
    poll: Poll<'_>,
) -> Result<Vec<PolygonDetail>, BakeError> {
    if grid.sample_distance == 0.0 {
        return Ok(Vec::new());
    }
    let sampler = Sampler { field, regions, grid, poll };
    mesh.polygons.iter().map(|polygon| sampler.detail_of(mesh, polygon)).collect()
}

struct Sampler<'a> {
    field: &'a CompactField,
    regions: &'a Regions,
    grid: &'a VoxelGrid,
    poll: Poll<'a>,
}

impl Sampler<'_> {
    fn detail_of(&self, mesh: &PolygonMesh, polygon: &MeshPolygon) -> Result<PolygonDetail, BakeError> {
        let corners: Vec<[f64; 3]> =
            polygon.corners.iter().map(|&corner| mesh.vertices[corner as usize].map(f64::from)).collect();
        let mut points = corners.clone();
        let mut hull = Vec::with_capacity(corners.len());
        for (index, &from) in corners.iter().enumerate() {
            hull.push(index as u32);
            let to = corners[(index + 1) % corners.len()];
            self.add_edge_points(from, to, polygon.region, &mut points, &mut hull);
        }
        let mut tin = Tin::new(points, &hull);
        self.add_inner_points(&corners, polygon.region, &mut tin)?;
        let count = corners.len();
        Ok(PolygonDetail { triangles: tin.triangles(), points: tin.into_points().split_off(count) })
    }

    /// Appends the points kept along an edge to `points`, and their indices to `hull`.
    fn add_edge_points(
        &self,
        from: [f64; 3],
        to: [f64; 3],
        region: u32,
        points: &mut Vec<[f64; 3]>,
        hull: &mut Vec<u32>,
    ) {
        // The polygon across goes the other way; both must see the same points.
        let forward = (from[0], from[2]) <= (to[0], to[2]);
        let (low, high) = if forward { (from, to) } else { (to, from) };
        let (dx, dz) = (high[0] - low[0], high[2] - low[2]);
        let steps = ((dx * dx + dz * dz).sqrt() / self.grid.sample_distance) as usize + 1;
        if steps < 2 || points.len() + steps > MOST_POINTS {
            return;
        }
        let samples: Vec<[f64; 3]> = (0..=steps)
            .map(|step| {
                let t = step as f64 / steps as f64;
                let line: [f64; 3] = std::array::from_fn(|axis| low[axis] + (high[axis] - low[axis]) * t);
                let inner = 0 < step && step < steps;
                let y = if inner { self.height_at(line, region) } else { line[1] };
                [line[0], y, line[2]]
            })
            .collect();
        let mut kept = Vec::new();
        let mut stack = vec![(0, steps)];
        while let Some((a, b)) = stack.pop() {
            let mut farthest = (self.grid.sample_max_error, None);
            for step in a + 1..b {
                let t = (step - a) as f64 / (b - a) as f64;
                let line = samples[a][1] + (samples[b][1] - samples[a][1]) * t;
                let off = (samples[step][1] - line).abs();
                if off > farthest.0 {
                    farthest = (off, Some(step));
                }
            }
            if let Some(step) = farthest.1 {
                kept.push(step);
                stack.extend([(a, step), (step, b)]);
            }
        }
        kept.sort_unstable();
        if !forward {
            kept.reverse();
        }
        for step in kept {
            hull.push(points.len() as u32);
            points.push(samples[step]);
        }
    }

    fn add_inner_points(&self, corners: &[[f64; 3]], region: u32, tin: &mut Tin) -> Result<(), BakeError> {
        let distance = self.grid.sample_distance;
        let range = |axis: usize| {
            let values = corners.iter().map(|corner| corner[axis]);
            let low = values.clone().fold(f64::INFINITY, f64::min);
            let high = values.fold(f64::NEG_INFINITY, f64::max);
            ((low / distance).ceil() as i32, (high / distance).floor() as i32)
        };
        let ((x0, x1), (z0, z1)) = (range(0), range(2));
        let mut samples: Vec<[f64; 3]> = Vec::new();
        for row in z0..=z1 {
            (self.poll)()?;
            for column in x0..=x1 {
                let (x, z) = (f64::from(column) * distance, f64::from(row) * distance);
                if depth_inside(corners, x, z) <= distance / 2.0 {
                    continue;
                }
                if let Some(plane) = tin.find(x, z).map(|triangle| tin.plane_y(triangle, x, z)) {
                    let y = self.height_at([x, plane, z], region);
                    samples.push([x, y, z]);
                }
            }
        }
        let mut waiting = Waiting::new(tin, samples, self.grid.sample_max_error);
        while tin.point_count() < MOST_POINTS
            && let Some(sample) = waiting.next()
        {
            (self.poll)()?;
            let changed = tin.insert(waiting.samples[sample], waiting.triangle_of[sample]);
            waiting.place_again(tin, sample, &changed);
        }
        Ok(())
    }

    /// The floor's height at a place whose height is about `point[1]`: of the polygon's own region, else of the floor
    /// nearest in height in that cell or one of the cells around; else as expected.
    fn height_at(&self, point: [f64; 3], region: u32) -> f64 {
        let field = self.field;
        let last = self.grid.tile_cells - 1;
        // A place on a border of cells is a little more in the cell after it.
        let cell = |value: f64| ((value + 0.01).floor() as i32).clamp(0, last) + self.grid.border;
        let (x, z) = (cell(point[0]), cell(point[2]));
        let mut best: Option<(f64, i32)> = None;
        for ring in 0..=2_i32 {
            for dz in -ring..=ring {
                for dx in (-ring..=ring).filter(|dx| dx.abs().max(dz.abs()) == ring) {
                    let (x, z) = ((x + dx) as usize, (z + dz) as usize);
                    for floor in field.cell(z * field.width + x) {
                        let y = field.y[floor];
                        if ring == 0 && self.regions.of[floor] == region {
                            return y.into();
                        }
                        let off = (f64::from(y) - point[1]).abs();
                        let walkable = field.label[floor] != NO_LABEL && self.regions.of[floor] != NO_REGION;
                        // What nothing walks on counts less than what something does.
                        let off = if walkable { off } else { off + f64::from(self.grid.climb) };
                        if off <= f64::from(2 * self.grid.climb) && best.is_none_or(|(least, _)| off < least)
                        {
                            best = Some((off, y));
                        }
                    }
                }
            }
            if best.is_some() {
                break;
            }
        }
        best.map_or(point[1], |(_, y)| y.into())
    }
}

/// How far a place lies inside a convex outline: its distance to the nearest edge's line, below 0 outside.
fn depth_inside(corners: &[[f64; 3]], x: f64, z: f64) -> f64 {
    let mut depth = f64::INFINITY;
    for (index, to) in corners.iter().enumerate() {
        let from = corners[(index + corners.len() - 1) % corners.len()];
        let (dx, dz) = (to[0] - from[0], to[2] - from[2]);
        let turn = dx * (z - from[2]) - dz * (x - from[0]);
        depth = depth.min(turn / (dx * dx + dz * dz).sqrt());
    }
    depth
}

/// Samples that are not points yet, with the triangle that each lies in, worst first.
struct Waiting {
    samples: Vec<[f64; 3]>,
    triangle_of: Vec<u32>,
    error_of: Vec<f64>,
    /// Per triangle the samples in it.
    inside: Vec<Vec<u32>>,
    /// Errors, as bits, and samples; entries whose error is no longer the sample's are old.
    worst: BinaryHeap<(u64, std::cmp::Reverse<u32>)>,
    max_error: f64,
}

impl Waiting {
    fn new(tin: &Tin, samples: Vec<[f64; 3]>, max_error: f64) -> Self {
        let count = samples.len();
        let mut waiting = Self {
            samples,
            triangle_of: vec![0; count],
            error_of: vec![0.0; count],
            inside: Vec::new(),
            worst: BinaryHeap::new(),
            max_error,
        };
        for sample in 0..count as u32 {
            let [x, _, z] = waiting.samples[sample as usize];
            if let Some(triangle) = tin.find(x, z) {
                waiting.put(tin, sample, triangle);
            }
        }
        waiting
    }

    fn put(&mut self, tin: &Tin, sample: u32, triangle: u32) {
        let [x, y, z] = self.samples[sample as usize];
        let error = (y - tin.plane_y(triangle, x, z)).abs();
        self.triangle_of[sample as usize] = triangle;
        self.error_of[sample as usize] = error;
        if self.inside.len() <= triangle as usize {
            self.inside.resize(triangle as usize + 1, Vec::new());
        }
        self.inside[triangle as usize].push(sample);
        if error > self.max_error {
            self.worst.push((error.to_bits(), std::cmp::Reverse(sample)));
        }
    }

    /// The sample that is farthest off, if any is too far.
    fn next(&mut self) -> Option<usize> {
        while let Some((error, std::cmp::Reverse(sample))) = self.worst.pop() {
            if self.error_of[sample as usize].to_bits() == error {
                return Some(sample as usize);
            }
        }
        None
    }

    /// Forgets a sample that became a point, and looks again at those in changed triangles.
    fn place_again(&mut self, tin: &Tin, done: usize, changed: &[u32]) {
        self.error_of[done] = 0.0;
        let mut moved = Vec::new();
        for &triangle in changed {
            if let Some(inside) = self.inside.get_mut(triangle as usize) {
                moved.append(inside);
            }
        }
        moved.sort_unstable();
        moved.dedup();
        for sample in moved.into_iter().filter(|&sample| sample as usize != done) {
            let [x, _, z] = self.samples[sample as usize];
            let triangle = changed.iter().copied().find(|&triangle| tin.holds(triangle, x, z));
            if let Some(triangle) = triangle.or_else(|| tin.find(x, z)) {
                self.put(tin, sample, triangle);
            }
        }
    }
}
