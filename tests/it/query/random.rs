//! Random mazes against a search that knows nothing of polygons.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navwright::query::{
    NavPath, PathScratch, PathStatus, QueryFilter, closest_nav_point, find_nav_path, height_on_polygon,
};
use proptest::prelude::*;

use super::builder::{Plate, mesh, params};
use crate::support::Random;

const SIDE: usize = 8;

/// Unit cells that are walked on, and where the walls between tiles of 4 cells lie.
#[derive(Clone, Debug)]
struct Maze {
    open: Vec<bool>,
}

impl Maze {
    fn open(&self, x: i64, z: i64) -> bool {
        (0..SIDE as i64).contains(&x)
            && (0..SIDE as i64).contains(&z)
            && self.open[z as usize * SIDE + x as usize]
    }

    /// Rectangles of open cells inside tiles of 4 cells, grown greedily by at most `size` cells.
    fn plates(&self, size: usize) -> Vec<Plate> {
        let mut taken = vec![false; SIDE * SIDE];
        let mut plates = Vec::new();
        let free = |taken: &[bool], x: usize, z: usize| self.open[z * SIDE + x] && !taken[z * SIDE + x];
        for z in 0..SIDE {
            for x in 0..SIDE {
                if !free(&taken, x, z) {
                    continue;
                }
                let (x_end, z_end) = ((x + size).min(x / 4 * 4 + 4), (z + size).min(z / 4 * 4 + 4));
                let x1 = (x..x_end).find(|x| !free(&taken, *x, z)).unwrap_or(x_end);
                let row_free = |z: usize| (x..x1).all(|x| free(&taken, x, z));
                let z1 = (z..z_end).find(|z| !row_free(*z)).unwrap_or(z_end);
                for row in z..z1 {
                    taken[row * SIDE + x..row * SIDE + x1].fill(true);
                }
                plates.push(Plate::rect(0, 0.0, [x as f64, x1 as f64], [z as f64, z1 as f64]));
            }
        }
        plates
    }

    /// Shortest way over `PIECES + 1` points on every unit edge between open cells; a bit above the true
    /// shortest (which bends at cell corners, and these are among the points). `None` if there is no way.
    fn shortest(&self, start: [f64; 2], end: [f64; 2]) -> Option<f64> {
        const PIECES: usize = 16;
        // Edge (cell, 0): its right side; (cell, 1): its upper side.
        let point = |node: usize| {
            let (edge, t) = (node / (PIECES + 1), (node % (PIECES + 1)) as f64 / PIECES as f64);
            let (cell, axis) = (edge / 2, edge % 2);
            let (x, z) = ((cell % SIDE) as f64, (cell / SIDE) as f64);
            if axis == 0 { [x + 1.0, z + t] } else { [x + t, z + 1.0] }
        };
        let edges_of = |x: i64, z: i64| {
            let sides =
                [(x, z, 0, x + 1, z), (x, z, 1, x, z + 1), (x - 1, z, 0, x - 1, z), (x, z - 1, 1, x, z - 1)];
            sides
                .into_iter()
                .filter(|side| self.open(side.3, side.4))
                .map(|(ex, ez, axis, nx, nz)| ((ez as usize * SIDE + ex as usize) * 2 + axis, (nx, nz)))
        };
        let cell_of = |p: [f64; 2]| (p[0].floor() as i64, p[1].floor() as i64);
        let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let mut best = vec![f64::INFINITY; SIDE * SIDE * 2 * (PIECES + 1)];
        let mut queue = BinaryHeap::new();
        let mut answer = f64::INFINITY;
        // Non-negative floats sort like their bits.
        let mut visit =
            |from: [f64; 2], cost: f64, cell: (i64, i64), queue: &mut BinaryHeap<_>, best: &mut [f64]| {
                if cell == cell_of(end) {
                    answer = answer.min(cost + far(from, end));
                }
                for (edge, next) in edges_of(cell.0, cell.1) {
                    for t in 0..=PIECES {
                        let node = edge * (PIECES + 1) + t;
                        let total = cost + far(from, point(node));
                        if total < best[node] {
                            best[node] = total;
                            queue.push(Reverse((total.to_bits(), node, cell, next)));
                        }
                    }
                }
            };
        visit(start, 0.0, cell_of(start), &mut queue, &mut best);
        while let Some(Reverse((cost, node, cell, next))) = queue.pop() {
            let cost = f64::from_bits(cost);
            if cost <= best[node] {
                visit(point(node), cost, next, &mut queue, &mut best);
                visit(point(node), cost, cell, &mut queue, &mut best);
            }
        }
        answer.is_finite().then_some(answer)
    }
}

fn mazes() -> impl Strategy<Value = (Maze, usize, [f64; 2], [f64; 2])> {
    let cells = prop::collection::vec(prop::bool::weighted(0.7), SIDE * SIDE);
    let inside = || (0..SIDE * SIDE, 0.01..0.99, 0.01..0.99);
    (cells, 1..=4_usize, inside(), inside()).prop_map(|(mut open, size, a, b)| {
        let place = |(cell, x, z): (usize, f64, f64)| [(cell % SIDE) as f64 + x, (cell / SIDE) as f64 + z];
        open[a.0] = true;
        open[b.0] = true;
        (Maze { open }, size, place(a), place(b))
    })
}

fn turn(path: &NavPath, k: usize) -> f64 {
    let at = |k: usize| path.points[k].position;
    let heading = |a: [f64; 3], b: [f64; 3]| (b[2] - a[2]).atan2(b[0] - a[0]);
    let turn = (heading(at(k), at(k + 1)) - heading(at(k - 1), at(k))).abs();
    turn.min(std::f64::consts::TAU - turn)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mazes_agree_with_brute_force((maze, size, start, end) in mazes()) {
        let mesh = mesh(params([0.0; 3], 4.0), &maze.plates(size), &[]);
        let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
        let path = find_nav_path(&mesh, start, None, end, None, &filter, &mut scratch).unwrap();
        let shortest = maze.shortest(start, end);
        prop_assert_eq!(path.status == PathStatus::Complete, shortest.is_some());
        prop_assert_eq!(path.reason.is_empty(), shortest.is_some());
        let straight = (start[0] - end[0]).hypot(start[1] - end[1]);
        if let Some(shortest) = shortest {
            prop_assert!(path.length >= straight - 1e-9);
            // 16 points a unit: a crossing is missed by 1/32 at most, so the length by less than this.
            prop_assert!(path.length >= shortest * 0.99 - 1.0 / 32.0, "{} < {shortest}", path.length);
            prop_assert!(path.length <= shortest + 1e-9, "{} > {shortest}", path.length);
            let last = path.points[path.points.len() - 1].position;
            prop_assert_eq!([last[0], last[2]], end);
        }
        let mut length = 0.0;
        for pair in path.points.windows(2) {
            let (a, b) = (pair[0].position, pair[1].position);
            prop_assert!(a != b, "the same point twice: {:?}", a);
            length += (a[0] - b[0]).hypot(a[2] - b[2]);
            for k in 0..=20 {
                let t = f64::from(k) / 20.0;
                let at = [a[0] + (b[0] - a[0]) * t, a[2] + (b[2] - a[2]) * t];
                let place = closest_nav_point(&mesh, at, Some(0), 1e-9, &filter, &mut scratch).unwrap();
                prop_assert!(place.is_some(), "{:?} lies off the mesh", at);
            }
        }
        prop_assert!((length - path.length).abs() < 1e-9);
        prop_assert!((length - path.length_3d).abs() < 1e-9);
        for k in 1..path.points.len().saturating_sub(1) {
            // Corners in line give turns of rounding only; a random place may well ask for one of a millionth.
            prop_assert!(turn(&path, k) >= 1e-9, "no turn at {:?}", path.points[k].position);
        }
    }

    #[test]
    fn nearest_place_agrees_with_a_look_at_every_cell(
        (maze, size, _, _) in mazes(), x in -6.0..14.0, z in -6.0..14.0
    ) {
        let mesh = mesh(params([0.0; 3], 4.0), &maze.plates(size), &[]);
        let mut scratch = PathScratch::default();
        let filter = QueryFilter::default();
        let place = closest_nav_point(&mesh, [x, z], None, f64::INFINITY, &filter, &mut scratch).unwrap().unwrap();
        let gap = |value: f64, cell: usize| (cell as f64 - value).max(value - cell as f64 - 1.0).max(0.0);
        let cells = (0..SIDE * SIDE).filter(|cell| maze.open[*cell]);
        let least = cells.map(|cell| gap(x, cell % SIDE).hypot(gap(z, cell / SIDE))).fold(f64::INFINITY, f64::min);
        prop_assert!((place.distance - least).abs() < 1e-12, "{} instead of {least}", place.distance);
        // What one call returns, every other accepts.
        let again = [place.position[0], place.position[2]];
        let path = find_nav_path(&mesh, again, None, again, None, &filter, &mut scratch).unwrap();
        prop_assert_eq!(path.status, PathStatus::Complete);
        prop_assert!(path.start_moved < 1e-12);
    }
}

#[test]
fn lengths_along_a_floor_agree_with_small_steps() {
    let mut random = Random(31);
    for round in 0..90 {
        let base = 64.0 * random.below(1000) as f64;
        let (x, z) = ([base + 3.0, base + 19.0], [base + 5.0, base + 17.0]);
        let mut inside = || [x[0] + 16.0 * random.unit(), z[0] + 12.0 * random.unit()];
        let (peak, from, mut to) = (inside(), inside(), inside());
        if round % 3 == 0 {
            // Through the peak, so that the way ends on an edge of the surface's triangles or runs along it.
            to = peak;
        }
        let mut high = |at: [f64; 2]| [at[0], 4.0 * random.unit(), at[1]];
        let corners = [[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]].map(&mut high);
        let floor = Plate::polygon(0, &corners).peak(high(peak));
        let mesh = mesh(params([0.0; 3], 64.0), &[floor], &[]);
        let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
        let path = find_nav_path(&mesh, from, None, to, None, &filter, &mut scratch).unwrap();
        let polygon = path.points[0].polygon;
        let place = |step: u32| {
            let t = f64::from(step) / 4000.0;
            let at = [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
            [at[0], height_on_polygon(&mesh, polygon, at).unwrap(), at[1]]
        };
        let steps = (0..4000).map(|step| {
            let (a, b) = (place(step), place(step + 1));
            (b[0] - a[0]).hypot(b[2] - a[2]).hypot(b[1] - a[1])
        });
        let length: f64 = steps.sum();
        assert!((path.length_3d - length).abs() < 0.02, "round {round}: {} for {length}", path.length_3d);
    }
}
