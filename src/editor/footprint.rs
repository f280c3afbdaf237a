//! Triangles by their place on the ground: which lie over a place or a box, without looking at all of them, and the
//! outline of all. Made once for a mesh, on the thread that reads it.

use crate::bake::TriangleMesh;
use crate::geom::plane::{distance, edges, nearest_on_segment};

/// Triangles that a cell is meant to have.
const PER_CELL: usize = 4;
/// Most cells of a side.
const MOST_CELLS: usize = 512;
/// A triangle over more cells than this is looked at wherever one looks.
const WIDE: usize = 64;

/// Triangles of several meshes by the cells of a grid on the ground.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    low: [f64; 2],
    /// Cells a world unit.
    per_unit: [f64; 2],
    /// Columns and rows.
    counts: [usize; 2],
    /// Where each cell's triangles begin in `triangles`, and where the last one's end.
    starts: Vec<u32>,
    triangles: Vec<u32>,
    /// Those over many cells.
    wide: Vec<u32>,
    /// The number of each mesh's first triangle.
    firsts: Vec<u32>,
    /// The outline around all, counter-clockwise.
    hull: Vec<[f64; 2]>,
    /// What faces up and what faces down, in squares of the ground.
    facing: [f64; 2],
}

type Triangle = [[f64; 3]; 3];

impl Footprint {
    /// Of all triangles whose corners are there and finite. `bounds`: the box of all finite corners.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counted before; 1 to 512")]
    pub fn new(meshes: &[TriangleMesh], bounds: Option<[[f64; 3]; 2]>) -> Self {
        let count: usize = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        let Some([low, high]) = bounds.filter(|_| count > 0 && u32::try_from(count).is_ok()) else {
            return Self::default();
        };
        let size = [high[0] - low[0], high[2] - low[2]].map(|size| size.max(1e-9));
        let cells = (count / PER_CELL).max(1) as f64;
        let per_unit = (cells / (size[0] * size[1])).sqrt();
        let counts = size.map(|size| ((size * per_unit).ceil() as usize).clamp(1, MOST_CELLS));
        let per_unit = [0, 1].map(|axis| counts[axis] as f64 / size[axis]);
        let mut firsts = Vec::with_capacity(meshes.len());
        let mut next = 0;
        for mesh in meshes {
            firsts.push(next);
            next += mesh.triangles.len() as u32;
        }
        let mut made = Self { low: [low[0], low[2]], per_unit, counts, firsts, ..Self::default() };
        made.fill(meshes);
        made.hull = hull(meshes);
        made.facing = facing(meshes);
        made
    }

    /// Counts, then puts in: one list for all cells.
    fn fill(&mut self, meshes: &[TriangleMesh]) {
        let mut starts = vec![0_u32; self.counts[0] * self.counts[1] + 1];
        let mut wide = Vec::new();
        self.each(meshes, |number, range| {
            if cells_of(range) > WIDE {
                wide.push(number);
            } else {
                self.cells(range).for_each(|cell| starts[cell + 1] += 1);
            }
        });
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut triangles = vec![0; starts[starts.len() - 1] as usize];
        let mut next = starts.clone();
        self.each(meshes, |number, range| {
            if cells_of(range) <= WIDE {
                for cell in self.cells(range) {
                    triangles[next[cell] as usize] = number;
                    next[cell] += 1;
                }
            }
        });
        (self.starts, self.triangles, self.wide) = (starts, triangles, wide);
    }

    /// Each sound triangle with the cells under its box.
    fn each(&self, meshes: &[TriangleMesh], mut take: impl FnMut(u32, [[usize; 2]; 2])) {
        for (mesh, &first) in meshes.iter().zip(&self.firsts) {
            for (number, corners) in (first..).zip(mesh.triangles.iter()) {
                if let Some(triangle) = corners_of(mesh, *corners) {
                    take(number, self.range(box_of(&triangle)));
                }
            }
        }
    }

    /// The columns and rows that a box lies over: from, and to the last.
    fn range(&self, [low, high]: [[f64; 2]; 2]) -> [[usize; 2]; 2] {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then held")]
        let index = |value: f64, axis: usize| {
            (((value - self.low[axis]) * self.per_unit[axis]) as usize).min(self.counts[axis] - 1)
        };
        [[index(low[0], 0), index(low[1], 1)], [index(high[0], 0), index(high[1], 1)]]
    }

    fn cells(&self, [low, high]: [[usize; 2]; 2]) -> impl Iterator<Item = usize> + use<> {
        let columns = self.counts[0];
        (low[1]..=high[1]).flat_map(move |row| (low[0]..=high[0]).map(move |column| row * columns + column))
    }

    /// Every triangle whose box on the ground meets a box, once.
    pub fn meeting(&self, meshes: &[TriangleMesh], wanted: [[f64; 2]; 2], mut take: impl FnMut(Triangle)) {
        if self.starts.is_empty() {
            return;
        }
        let meets = |[low, high]: [[f64; 2]; 2]| {
            (0..2).all(|axis| low[axis] <= wanted[1][axis] && wanted[0][axis] <= high[axis])
        };
        let range = self.range(wanted);
        let columns = self.counts[0];
        for cell in self.cells(range) {
            let at = [cell % columns, cell / columns];
            let listed = self.starts[cell] as usize..self.starts[cell + 1] as usize;
            for &number in &self.triangles[listed] {
                let Some(triangle) = self.triangle(meshes, number) else { continue };
                let ground = box_of(&triangle);
                let [first, _] = self.range(ground);
                // It stands in several cells: the first of them that is looked at has it.
                let is_first = (0..2).all(|axis| at[axis] == first[axis].max(range[0][axis]));
                if is_first && meets(ground) {
                    take(triangle);
                }
            }
        }
        for &number in &self.wide {
            if let Some(triangle) = self.triangle(meshes, number).filter(|triangle| meets(box_of(triangle))) {
                take(triangle);
            }
        }
    }

    /// The highest surface over a place that is not above `below`.
    #[must_use]
    pub fn top(&self, meshes: &[TriangleMesh], place: [f64; 2], below: f64) -> Option<f64> {
        let mut top: Option<f64> = None;
        self.meeting(meshes, [place, place], |triangle| {
            let height = height_at(&triangle, place).filter(|&height| height <= below);
            if let Some(height) = height.filter(|&height| top.is_none_or(|top| height > top)) {
                top = Some(height);
            }
        });
        top
    }

    /// The outline around all, counter-clockwise.
    #[must_use]
    pub fn hull(&self) -> &[[f64; 2]] {
        &self.hull
    }

    /// How much of the ground triangles cover that face up, and that face down, in squares.
    #[must_use]
    pub fn facing(&self) -> [f64; 2] {
        self.facing
    }

    fn triangle(&self, meshes: &[TriangleMesh], number: u32) -> Option<Triangle> {
        let mesh = self.firsts.partition_point(|&first| first <= number) - 1;
        let corners = meshes.get(mesh)?.triangles.get((number - self.firsts[mesh]) as usize)?;
        corners_of(meshes.get(mesh)?, *corners)
    }
}

/// How far a place is from an outline's edge.
#[must_use]
pub fn away_from_rim(outline: &[[f64; 2]], place: [f64; 2]) -> f64 {
    let away = edges(outline).map(|(_, a, b)| distance(nearest_on_segment(a, b, place), place));
    away.fold(f64::INFINITY, f64::min)
}

fn cells_of([low, high]: [[usize; 2]; 2]) -> usize {
    (high[0] - low[0] + 1) * (high[1] - low[1] + 1)
}

fn corners_of(mesh: &TriangleMesh, corners: [u32; 3]) -> Option<Triangle> {
    let corner = |index: u32| {
        mesh.vertices
            .get(index as usize)
            .copied()
            .filter(|corner| corner.iter().all(|value| value.is_finite()))
    };
    let [Some(a), Some(b), Some(c)] = corners.map(corner) else { return None };
    Some([a, b, c])
}

/// How much of the ground triangles cover that face up, and that face down, in squares.
#[must_use]
pub fn facing(meshes: &[TriangleMesh]) -> [f64; 2] {
    let (mut up, mut down) = (0.0, 0.0);
    for mesh in meshes {
        for triangle in mesh.triangles.iter().filter_map(|&corners| corners_of(mesh, corners)) {
            let [a, b, c] = triangle.map(|[x, _, z]| [x, z]);
            let covered = 0.5 * ((b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]));
            if covered > 0.0 { up += covered } else { down -= covered }
        }
    }
    [up, down]
}

fn box_of([a, b, c]: &Triangle) -> [[f64; 2]; 2] {
    let on = |least: fn(f64, f64) -> f64, axis: usize| least(least(a[axis], b[axis]), c[axis]);
    [[on(f64::min, 0), on(f64::min, 2)], [on(f64::max, 0), on(f64::max, 2)]]
}

/// The height of a triangle over a place, if it lies over it.
fn height_at([a, b, c]: &Triangle, place: [f64; 2]) -> Option<f64> {
    let (u, v) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
    let p = [place[0] - a[0], place[1] - a[2]];
    let twice = u[0] * v[1] - u[1] * v[0];
    let (s, t) = ((p[0] * v[1] - p[1] * v[0]) / twice, (u[0] * p[1] - u[1] * p[0]) / twice);
    // Seen edge on there is no number.
    let inside = s >= -1e-9 && t >= -1e-9 && s + t <= 1.0 + 1e-9;
    inside.then(|| a[1] + s * (b[1] - a[1]) + t * (c[1] - a[1]))
}

/// The convex outline around all finite corners on the ground (Andrew 1979), after what lies within the octagon of the
/// outermost ones is left out (Akl and Toussaint 1978).
fn hull(meshes: &[TriangleMesh]) -> Vec<[f64; 2]> {
    const WAYS: [[f64; 2]; 8] = [
        [1.0, 0.0],
        [1.0, 1.0],
        [0.0, 1.0],
        [-1.0, 1.0],
        [-1.0, 0.0],
        [-1.0, -1.0],
        [0.0, -1.0],
        [1.0, -1.0],
    ];
    let corners = || {
        let all = meshes.iter().flat_map(|mesh| mesh.vertices.iter());
        all.map(|[x, _, z]| [*x, *z]).filter(|corner| corner.iter().all(|value| value.is_finite()))
    };
    let mut far = [(f64::NEG_INFINITY, [0.0; 2]); 8];
    for corner in corners() {
        for (way, best) in WAYS.iter().zip(&mut far) {
            let along = way[0] * corner[0] + way[1] * corner[1];
            if along > best.0 {
                *best = (along, corner);
            }
        }
    }
    let octagon: Vec<[f64; 2]> = far.iter().map(|(_, corner)| *corner).collect();
    let outside =
        |corner: &[f64; 2]| (0..8).any(|side| turn(octagon[side], octagon[(side + 1) % 8], *corner) <= 0.0);
    let mut left: Vec<[f64; 2]> = corners().filter(outside).collect();
    left.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    left.dedup();
    if left.len() < 3 {
        return left;
    }
    let mut around: Vec<[f64; 2]> = Vec::new();
    for back in [false, true] {
        let begin = around.len();
        let mut add = |corner: [f64; 2]| {
            while around.len() >= begin + 2
                && turn(around[around.len() - 2], around[around.len() - 1], corner) <= 0.0
            {
                around.pop();
            }
            around.push(corner);
        };
        if back {
            left.iter().rev().for_each(|corner| add(*corner));
        } else {
            left.iter().for_each(|corner| add(*corner));
        }
        around.pop();
    }
    around
}

/// Twice the area of a triangle; above 0 against the clock.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Numbers that look random.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from(u32::try_from(state >> 33).unwrap()) / f64::from(u32::MAX >> 1)
        }
    }

    /// Triangles small and large, and some that are none.
    fn soup(seed: u64, count: u32) -> Vec<TriangleMesh> {
        let mut next = numbers(seed);
        let mut meshes = vec![TriangleMesh::default(), TriangleMesh::default()];
        for number in 0..count {
            let mesh = &mut meshes[usize::from(number % 3 == 0)];
            let (vertices, triangles) =
                (Arc::make_mut(&mut mesh.vertices), Arc::make_mut(&mut mesh.triangles));
            let size = if number % 50 == 0 { 80.0 } else { 2.0 };
            let middle = [next() * 100.0, next() * 10.0, next() * 60.0];
            let first = u32::try_from(vertices.len()).unwrap();
            for _ in 0..3 {
                vertices.push(middle.map(|value| value + (next() - 0.5) * size));
            }
            if number % 40 == 7 {
                vertices[first as usize][1] = f64::NAN;
            }
            triangles.push([first, first + 1, if number % 60 == 9 { u32::MAX } else { first + 2 }]);
        }
        meshes
    }

    fn bounds(meshes: &[TriangleMesh]) -> Option<[[f64; 3]; 2]> {
        let all = meshes.iter().flat_map(|mesh| mesh.vertices.iter());
        let finite = all.filter(|vertex| vertex.iter().all(|value| value.is_finite()));
        finite.fold(None, |bounds: Option<[[f64; 3]; 2]>, vertex| {
            let [low, high] = bounds.unwrap_or([*vertex; 2]);
            Some([
                std::array::from_fn(|axis| low[axis].min(vertex[axis])),
                std::array::from_fn(|axis| high[axis].max(vertex[axis])),
            ])
        })
    }

    #[test]
    fn what_meets_a_box_is_what_a_look_at_all_finds_and_comes_once() {
        let meshes = soup(7, 3000);
        let footprint = Footprint::new(&meshes, bounds(&meshes));
        assert!(!footprint.wide.is_empty() && footprint.triangles.len() > 3000, "of both kinds");
        let mut next = numbers(11);
        for _ in 0..200 {
            let at = [next() * 120.0 - 10.0, next() * 80.0 - 10.0];
            let size = [next() * 20.0, next() * 20.0];
            let wanted = [at, [at[0] + size[0], at[1] + size[1]]];
            let mut found = Vec::new();
            footprint.meeting(&meshes, wanted, |triangle| found.push(format!("{triangle:?}")));
            let all = meshes
                .iter()
                .flat_map(|mesh| mesh.triangles.iter().filter_map(move |corners| corners_of(mesh, *corners)));
            let meets = |triangle: &Triangle| {
                let [low, high] = box_of(triangle);
                (0..2).all(|axis| low[axis] <= wanted[1][axis] && wanted[0][axis] <= high[axis])
            };
            let mut expected: Vec<String> = all.filter(meets).map(|found| format!("{found:?}")).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_top_is_the_highest_surface_below_the_cut() {
        let floor = |y: f64| [[0.0, y, 0.0], [0.0, y, 4.0], [4.0, y, 4.0], [4.0, y, 0.0]];
        let vertices: Vec<[f64; 3]> = [0.0, 1.5, 3.0].into_iter().flat_map(floor).collect();
        let triangles =
            (0..3).flat_map(|part| [[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|at| at + 4 * part)));
        let (vertices, triangles) = (Arc::new(vertices), Arc::new(triangles.collect()));
        let mesh = TriangleMesh { vertices, triangles, ..TriangleMesh::default() };
        let meshes = [mesh];
        let footprint = Footprint::new(&meshes, bounds(&meshes));
        assert_eq!(footprint.top(&meshes, [1.0, 3.0], 2.0), Some(1.5));
        assert_eq!(footprint.top(&meshes, [1.0, 3.0], 9.0), Some(3.0));
        assert_eq!(footprint.top(&meshes, [1.0, 3.0], -1.0), None);
        assert_eq!(footprint.top(&meshes, [4.5, 3.0], 9.0), None);
        assert_eq!(footprint.hull(), [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]);
    }

    #[test]
    fn the_hull_is_convex_and_holds_every_corner() {
        let meshes = soup(3, 500);
        let footprint = Footprint::new(&meshes, bounds(&meshes));
        let hull = footprint.hull();
        let count = hull.len();
        assert!(count >= 3);
        for (at, &a) in hull.iter().enumerate() {
            let b = hull[(at + 1) % count];
            assert!(turn(a, b, hull[(at + 2) % count]) > 0.0);
            for [x, _, z] in
                meshes.iter().flat_map(|mesh| mesh.vertices.iter()).filter(|corner| corner[1].is_finite())
            {
                assert!(turn(a, b, [*x, *z]) >= -1e-9, "{x}, {z} outside of {a:?}, {b:?}");
            }
        }
    }

    #[test]
    fn nothing_is_over_nothing() {
        let empty = Footprint::new(&[], None);
        assert_eq!(empty.top(&[], [0.0, 0.0], 1.0), None);
        assert!(empty.hull().is_empty());
    }
}
