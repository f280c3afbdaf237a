//! Triangles over points with heights; Delaunay in plan, grown point by point.

/// No triangle.
const NONE: u32 = u32::MAX;
/// Doubled areas up to this, in square cells, count as none.
const FLAT: f64 = 1e-9;

/// A triangulation of a convex outline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tin {
    points: Vec<[f64; 3]>,
    /// Counter-clockwise.
    corners: Vec<[u32; 3]>,
    /// Across the edge from corner k to corner k + 1.
    beside: Vec<[u32; 3]>,
}

impl Tin {
    /// Triangulates a convex outline; several points of `hull` may lie on one edge of it.
    pub(crate) fn new(points: Vec<[f64; 3]>, hull: &[u32]) -> Self {
        let mut tin = Self { points, ..Self::default() };
        let mut ring = hull.to_vec();
        while ring.len() >= 3 {
            let count = ring.len();
            let at = |index: usize| ring[index % count];
            // Cut where the rest keeps its area: the cut must not run along the next edge on either side.
            let clean = |index: &usize| {
                let (before, here, after) = (at(index + count - 1), ring[*index], at(index + 1));
                let keeps = count == 3
                    || tin.turn(before, after, at(index + 2)) > FLAT
                        && tin.turn(at(index + count - 2), before, after) > FLAT;
                tin.turn(before, here, after) > FLAT && keeps
            };
            let length = |&a: &usize, &b: &usize| {
                let of = |index: usize| tin.squared_length(at(index + count - 1), at(index + 1));
                of(a).total_cmp(&of(b)).then(a.cmp(&b))
            };
            let Some(index) = (0..count).filter(clean).min_by(length) else { break };
            tin.corners.push([at(index + count - 1), ring[index], at(index + 1)]);
            ring.remove(index);
        }
        tin.connect();
        let all: Vec<u32> = (0..tin.corners.len() as u32).collect();
        tin.legalize(all);
        tin
    }

    /// The triangles, and a bit for each edge that lies on the outline.
    pub(crate) fn triangles(&self) -> Vec<([u16; 3], u8)> {
        let flags = |beside: &[u32; 3]| (0..3).map(|edge| u8::from(beside[edge] == NONE) << edge).sum();
        // At most 32768 points.
        let corners = self.corners.iter().map(|corners| corners.map(|corner| corner as u16));
        corners.zip(&self.beside).map(|(corners, beside)| (corners, flags(beside))).collect()
    }

    pub(crate) fn point_count(&self) -> usize {
        self.points.len()
    }

    pub(crate) fn into_points(self) -> Vec<[f64; 3]> {
        self.points
    }

    /// A triangle that holds a place.
    pub(crate) fn find(&self, x: f64, z: f64) -> Option<u32> {
        (0..self.corners.len() as u32).find(|&triangle| self.holds(triangle, x, z))
    }

    pub(crate) fn holds(&self, triangle: u32, x: f64, z: f64) -> bool {
        let [a, b, c] = self.corners[triangle as usize];
        [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| self.side(from, to, x, z) >= -FLAT)
    }

    /// The height of a triangle's plane at a place.
    pub(crate) fn plane_y(&self, triangle: u32, x: f64, z: f64) -> f64 {
        let [a, b, c] = self.corners[triangle as usize];
        let shares = [self.side(b, c, x, z), self.side(c, a, x, z), self.side(a, b, x, z)];
        let sum: f64 = shares.iter().sum();
        let y = |corner: u32| self.points[corner as usize][1];
        (y(a) * shares[0] + y(b) * shares[1] + y(c) * shares[2]) / sum
    }

    /// Adds a point inside a triangle or on its edge; answers the triangles that changed.
    pub(crate) fn insert(&mut self, point: [f64; 3], triangle: u32) -> Vec<u32> {
        let new = self.points.len() as u32;
        self.points.push(point);
        let [x, _, z] = point;
        let corners = self.corners[triangle as usize];
        let near = |edge: &usize| self.side(corners[*edge], corners[(edge + 1) % 3], x, z) <= FLAT;
        let on_edge = (0..3).find(near).filter(|&edge| self.beside[triangle as usize][edge] != NONE);
        let changed = match on_edge {
            Some(edge) => self.split_edge(triangle, edge, new),
            None => self.split_inside(triangle, new),
        };
        self.legalize(changed)
    }

    fn split_inside(&mut self, triangle: u32, new: u32) -> Vec<u32> {
        let [a, b, c] = self.corners[triangle as usize];
        let [ab, bc, ca] = self.beside[triangle as usize];
        let (second, third) = (self.corners.len() as u32, self.corners.len() as u32 + 1);
        self.corners[triangle as usize] = [a, b, new];
        self.beside[triangle as usize] = [ab, second, third];
        self.corners.extend([[b, c, new], [c, a, new]]);
        self.beside.extend([[bc, third, triangle], [ca, triangle, second]]);
        self.rename(bc, triangle, second);
        self.rename(ca, triangle, third);
        vec![triangle, second, third]
    }

    /// Splits an edge and the triangles on both its sides.
    fn split_edge(&mut self, triangle: u32, edge: usize, new: u32) -> Vec<u32> {
        let ([a, b, c], [_, bc, ca]) = self.turned_to(triangle, edge);
        let across = self.beside[triangle as usize][edge];
        let back = self.edge_to(across, triangle);
        let ([_, _, d], [_, ad, db]) = self.turned_to(across, back);
        let (third, fourth) = (self.corners.len() as u32, self.corners.len() as u32 + 1);
        // a–new–c, new–b–c on this side; b–new–d, new–a–d on the other.
        self.corners[triangle as usize] = [a, new, c];
        self.beside[triangle as usize] = [fourth, third, ca];
        self.corners[across as usize] = [b, new, d];
        self.beside[across as usize] = [third, fourth, db];
        self.corners.extend([[new, b, c], [new, a, d]]);
        self.beside.extend([[across, bc, triangle], [triangle, ad, across]]);
        self.rename(bc, triangle, third);
        self.rename(ad, across, fourth);
        vec![triangle, across, third, fourth]
    }

    /// A triangle's corners and neighbours, turned so that an edge comes first.
    fn turned_to(&self, triangle: u32, edge: usize) -> ([u32; 3], [u32; 3]) {
        let turned = |list: [u32; 3]| [list[edge], list[(edge + 1) % 3], list[(edge + 2) % 3]];
        (turned(self.corners[triangle as usize]), turned(self.beside[triangle as usize]))
    }

    fn edge_to(&self, triangle: u32, other: u32) -> usize {
        self.beside[triangle as usize].iter().position(|&beside| beside == other).unwrap_or(0)
    }

    fn rename(&mut self, triangle: u32, from: u32, to: u32) {
        if triangle != NONE {
            let edge = self.edge_to(triangle, from);
            self.beside[triangle as usize][edge] = to;
        }
    }

    /// Flips edges of these triangles until all are Delaunay; answers all that changed.
    fn legalize(&mut self, changed: Vec<u32>) -> Vec<u32> {
        let mut stack = changed.clone();
        let mut changed = changed;
        // Each flip lifts the surface over the paraboloid; rounding is kept from turning in circles by the bound.
        let mut flips = 64 + 16 * self.points.len();
        while let Some(triangle) = stack.pop() {
            for edge in 0..3 {
                if flips > 0 && self.wants_flip(triangle, edge) {
                    flips -= 1;
                    let across = self.flip(triangle, edge);
                    stack.extend([triangle, across]);
                    changed.extend([triangle, across]);
                    break;
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    fn wants_flip(&self, triangle: u32, edge: usize) -> bool {
        let across = self.beside[triangle as usize][edge];
        if across == NONE {
            return false;
        }
        let ([a, b, c], _) = self.turned_to(triangle, edge);
        let ([_, _, d], _) = self.turned_to(across, self.edge_to(across, triangle));
        self.turn(c, a, d) > FLAT && self.turn(d, b, c) > FLAT && self.in_circle(a, b, c, d)
    }

    /// Replaces the edge by the other diagonal of the two triangles; answers the one across.
    fn flip(&mut self, triangle: u32, edge: usize) -> u32 {
        let ([a, b, c], [across, bc, ca]) = self.turned_to(triangle, edge);
        let ([_, _, d], [_, ad, db]) = self.turned_to(across, self.edge_to(across, triangle));
        self.corners[triangle as usize] = [c, a, d];
        self.beside[triangle as usize] = [ca, ad, across];
        self.corners[across as usize] = [d, b, c];
        self.beside[across as usize] = [db, bc, triangle];
        self.rename(ad, across, triangle);
        self.rename(bc, triangle, across);
        across
    }

    fn connect(&mut self) {
        self.beside = vec![[NONE; 3]; self.corners.len()];
        let mut edges: Vec<(u32, u32, u32, usize)> = Vec::with_capacity(self.corners.len() * 3);
        for (index, corners) in (0..).zip(&self.corners) {
            for edge in 0..3 {
                let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
                edges.push((from.min(to), from.max(to), index, edge));
            }
        }
        edges.sort_unstable();
        for pair in edges.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            self.beside[pair[0].2 as usize][pair[0].3] = pair[1].2;
            self.beside[pair[1].2 as usize][pair[1].3] = pair[0].2;
        }
    }

    fn place(&self, point: u32) -> (f64, f64) {
        let [x, _, z] = self.points[point as usize];
        (x, z)
    }

    /// Twice the area of from, to and a place: above 0 on the left.
    fn side(&self, from: u32, to: u32, x: f64, z: f64) -> f64 {
        let ((ax, az), (bx, bz)) = (self.place(from), self.place(to));
        (bx - ax) * (z - az) - (bz - az) * (x - ax)
    }

    fn turn(&self, a: u32, b: u32, c: u32) -> f64 {
        let (x, z) = self.place(c);
        self.side(a, b, x, z)
    }

    fn squared_length(&self, a: u32, b: u32) -> f64 {
        let ((ax, az), (bx, bz)) = (self.place(a), self.place(b));
        (bx - ax) * (bx - ax) + (bz - az) * (bz - az)
    }

    /// Whether d lies inside the circle through a, b, c, clearly.
    fn in_circle(&self, a: u32, b: u32, c: u32, d: u32) -> bool {
        let (dx, dz) = self.place(d);
        let [a, b, c] = [a, b, c].map(|point| {
            let (x, z) = self.place(point);
            (x - dx, z - dz, (x - dx) * (x - dx) + (z - dz) * (z - dz))
        });
        let determinant =
            a.2 * (b.0 * c.1 - c.0 * b.1) - b.2 * (a.0 * c.1 - c.0 * a.1) + c.2 * (a.0 * b.1 - b.0 * a.1);
        determinant > FLAT * (a.2 + b.2 + c.2)
    }
}
