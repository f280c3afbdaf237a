//! Shortest lengths against Dijkstra over all corners in sight of each other, on grids with many blocks: there, ways to
//! one place abound, and a search leaves most of them out.

use std::sync::Arc;

use navwright::format::TiledNavMesh;
use navwright::query::{Landmarks, PathScratch, PathStatus, QueryFilter, find_nav_path};

use super::builder::{Plate, mesh, params};
use crate::support::Random;

const SIDE: i32 = 22;

/// Unit cells, some of them blocked.
struct Grid {
    open: Vec<bool>,
}

impl Grid {
    /// `walls`: long blocks rather than single ones. No two blocks touch at a point alone.
    fn random(random: &mut Random, walls: bool) -> Self {
        let mut grid = Self { open: vec![true; (SIDE * SIDE) as usize] };
        for _ in 0..if walls { 26 } else { 90 } {
            let mut cell = || (random.unit() * f64::from(SIDE)) as i32;
            let (at, length) = ([cell(), cell()], 1 + if walls { cell() / 2 } else { cell() % 2 });
            let along = usize::from(random.unit() < 0.5);
            for step in 0..length {
                let mut block = at;
                block[along] = (block[along] + step).min(SIDE - 1);
                grid.open[(block[1] * SIDE + block[0]) as usize] = false;
            }
        }
        while let Some(cell) = (0..SIDE * SIDE).find(|cell| {
            let [x, z] = [cell % SIDE, cell / SIDE];
            let diagonal = |dx: i32| !grid.open(x + dx, z + 1) && grid.open(x + dx, z) && grid.open(x, z + 1);
            !grid.open(x, z) && (diagonal(1) || diagonal(-1))
        }) {
            grid.open[cell as usize] = true;
        }
        grid
    }

    fn open(&self, x: i32, z: i32) -> bool {
        (0..SIDE).contains(&x) && (0..SIDE).contains(&z) && self.open[(z * SIDE + x) as usize]
    }

    /// Open cells as rectangles of random size, within tiles of 11 cells.
    fn mesh(&self, random: &mut Random) -> TiledNavMesh {
        let mut free = self.open.clone();
        let mut plates = Vec::new();
        for cell in 0..SIDE * SIDE {
            let [x, z] = [cell % SIDE, cell / SIDE];
            let is_free = |free: &[bool], x: i32, z: i32| free[(z * SIDE + x) as usize];
            if !is_free(&free, x, z) {
                continue;
            }
            let size = 1 + (random.unit() * 5.0) as i32;
            let end = |at: i32| (at + size).min(at / 11 * 11 + 11);
            let x_end = (x..end(x)).find(|x| !is_free(&free, *x, z)).unwrap_or(end(x));
            let row_free = |z: &i32| (x..x_end).all(|x| is_free(&free, x, *z));
            let z_end = (z..end(z)).find(|z| !row_free(z)).unwrap_or(end(z));
            for z in z..z_end {
                (x..x_end).for_each(|x| free[(z * SIDE + x) as usize] = false);
            }
            plates.push(Plate::rect(0, 0.0, [x, x_end].map(f64::from), [z, z_end].map(f64::from)));
        }
        mesh(params([0.0; 3], 11.0), &plates, &[])
    }

    /// Whether nothing blocked lies between two places: looked at half way between each two grid lines that are crossed.
    fn sees(&self, a: [f64; 2], b: [f64; 2]) -> bool {
        let mut cuts = vec![0.0, 1.0];
        for axis in 0..2 {
            let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
            let lines = (low.ceil() as i32..=high.floor() as i32).map(f64::from);
            cuts.extend(lines.filter(|_| low < high).map(|line| (line - a[axis]) / (b[axis] - a[axis])));
        }
        cuts.sort_by(f64::total_cmp);
        cuts.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9).all(|pair| {
            let t = f64::midpoint(pair[0], pair[1]);
            let at = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * t);
            // On a line between cells, either will do.
            let cells = at.map(|at| {
                let near = at.round();
                if (at - near).abs() < 1e-9 { [near as i32 - 1, near as i32] } else { [at.floor() as i32; 2] }
            });
            cells[0].iter().any(|x| cells[1].iter().any(|z| self.open(*x, *z)))
        })
    }

    /// The corners of blocks that a way may bend at.
    fn corners(&self) -> Vec<[f64; 2]> {
        let all = (0..(SIDE + 1) * (SIDE + 1)).map(|corner| [corner % (SIDE + 1), corner / (SIDE + 1)]);
        let bends = |&[x, z]: &[i32; 2]| {
            let open = [(x - 1, z - 1), (x, z - 1), (x - 1, z), (x, z)].map(|(x, z)| self.open(x, z));
            open.into_iter().filter(|open| *open).count() == 3
        };
        all.filter(bends).map(|corner| corner.map(f64::from)).collect()
    }
}

/// Shortest lengths from a place to all places of a list, by those in sight of each other.
fn lengths(places: &[[f64; 2]], sight: &[Vec<bool>], start: usize) -> Vec<f64> {
    let far = |a: usize, b: usize| (places[a][0] - places[b][0]).hypot(places[a][1] - places[b][1]);
    let mut lengths = vec![f64::INFINITY; places.len()];
    let mut done = vec![false; places.len()];
    lengths[start] = 0.0;
    loop {
        let open = (0..places.len()).filter(|place| !done[*place] && lengths[*place].is_finite());
        let Some(next) = open.min_by(|a, b| lengths[*a].total_cmp(&lengths[*b])) else { return lengths };
        done[next] = true;
        for other in (0..places.len()).filter(|other| sight[next][*other]) {
            lengths[other] = lengths[other].min(lengths[next] + far(next, other));
        }
    }
}

#[test]
fn between_many_blocks_lengths_are_those_over_corners_in_sight() {
    let mut random = Random(61);
    let (mut reached, mut bent) = (0, 0);
    for round in 0..24 {
        let grid = Grid::random(&mut random, round % 2 == 0);
        let mesh = grid.mesh(&mut random);
        let mut places = grid.corners();
        let first = places.len();
        while places.len() < first + 14 {
            // Every other place is a corner of cells, which may be one of several polygons.
            let round = if places.len().is_multiple_of(2) { 1.0 } else { 64.0 };
            let at = [(); 2].map(|()| (random.unit() * f64::from(SIDE) * round).round() / round);
            let near = |at: f64| [at.ceil() as i32 - 1, at.floor() as i32];
            if near(at[0]).into_iter().all(|x| near(at[1]).into_iter().all(|z| grid.open(x, z))) {
                places.push(at);
            }
        }
        let sight: Vec<Vec<bool>> =
            places.iter().map(|a| places.iter().map(|b| grid.sees(*a, *b)).collect()).collect();
        let mut plain = PathScratch::default();
        let mut prepared = PathScratch::default();
        prepared.use_landmarks(Some(Arc::new(Landmarks::find(&mesh, [4, 8, 16][round % 3]))));
        for start in first..places.len() {
            let right = lengths(&places, &sight, start);
            for end in (first..places.len()).filter(|end| *end != start) {
                for (scratch, name) in [(&mut plain, "plain"), (&mut prepared, "with landmarks")] {
                    let filter = QueryFilter::default();
                    let path = find_nav_path(&mesh, places[start], None, places[end], None, &filter, scratch)
                        .unwrap();
                    let what = format!(
                        "round {round}, {name}, {:?} to {:?}: {} instead of {}",
                        places[start], places[end], path.length, right[end]
                    );
                    assert_eq!(path.status == PathStatus::Complete, right[end].is_finite(), "{what}");
                    if right[end].is_finite() {
                        assert!((path.length - right[end]).abs() <= 1e-9 * right[end].max(1.0), "{what}");
                        reached += 1;
                        bent += usize::from(path.points.len() > 3);
                    }
                }
            }
        }
    }
    assert!(reached > 5000 && bent > 3000, "{reached} and {bent}");
}
