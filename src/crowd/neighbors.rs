//! Who is near: agents in the squares of a grid that has no bounds.

use crate::format::PolyRef;

/// An agent as others see it during a step: as it was before the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) position: [f64; 3],
    pub(super) velocity: [f64; 2],
    pub(super) preferred: [f64; 2],
    pub(super) radius: f64,
    pub(super) height: f64,
    pub(super) polygon: PolyRef,
    pub(super) priority: u8,
    /// Looks in a row without progress.
    pub(super) stalls: u32,
    /// Whether it is on its way.
    pub(super) walks: bool,
    /// On a link, or where there is no agent: nobody avoids it.
    pub(super) ghost: bool,
}

/// Neighbours that an agent heeds: the nearest ones.
pub(super) const MOST_NEIGHBORS: usize = 10;

/// A neighbour of an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbor {
    /// Its place among the bodies.
    pub(super) body: u32,
    /// Squared, horizontal.
    pub(super) distance: f64,
}

/// The neighbours found, nearest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbors {
    list: [Neighbor; MOST_NEIGHBORS],
    count: usize,
}

impl Neighbors {
    pub(super) fn list(&self) -> &[Neighbor] {
        &self.list[..self.count]
    }

    fn add(&mut self, found: Neighbor) {
        let before = |a: &Neighbor, b: &Neighbor| (a.distance, a.body) < (b.distance, b.body);
        if self.count == MOST_NEIGHBORS {
            if !before(&found, &self.list[MOST_NEIGHBORS - 1]) {
                return;
            }
            self.count -= 1;
        }
        let mut place = self.count;
        while place > 0 && before(&found, &self.list[place - 1]) {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = found;
        self.count += 1;
    }
}

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighborGrid {
    square: f64,
    /// Per bucket where its bodies begin in `bodies`; one more at the end.
    starts: Vec<u32>,
    bodies: Vec<u32>,
    /// Per body the square it is in.
    squares: Vec<[i32; 2]>,
}

impl NeighborGrid {
    /// Sorts bodies into squares of a side no neighbour is farther than.
    pub(super) fn build(&mut self, bodies: &[Body], range: f64) {
        self.square = range.max(1e-3);
        self.squares.clear();
        let side = self.square;
        self.squares.extend(bodies.iter().map(|body| square_of([body.position[0], body.position[2]], side)));
        let buckets = (2 * bodies.len()).next_power_of_two().max(16);
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        for square in &self.squares {
            self.starts[bucket_of(*square, buckets) + 1] += 1;
        }
        for bucket in 0..buckets {
            self.starts[bucket + 1] += self.starts[bucket];
        }
        self.bodies.clear();
        self.bodies.resize(bodies.len(), 0);
        // From the back, so that the starts end where they belong and each bucket is in order.
        for (body, square) in self.squares.iter().enumerate().rev() {
            let end = &mut self.starts[bucket_of(*square, buckets) + 1];
            *end -= 1;
            self.bodies[*end as usize] = body as u32;
        }
        self.starts.remove(0);
        self.starts.push(bodies.len() as u32);
    }

    /// The nearest bodies within a distance of one, on its own height.
    pub(super) fn around(&self, own: usize, range: f64, bodies: &[Body]) -> Neighbors {
        let mut found = Neighbors { list: [Neighbor { body: 0, distance: 0.0 }; MOST_NEIGHBORS], count: 0 };
        let body = &bodies[own];
        let [x, z] = self.squares[own];
        let buckets = self.starts.len() - 1;
        for square_z in z.saturating_sub(1)..=z.saturating_add(1) {
            for square_x in x.saturating_sub(1)..=x.saturating_add(1) {
                let square = [square_x, square_z];
                let bucket = bucket_of(square, buckets);
                let inside = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
                for &other in &self.bodies[inside] {
                    let there = &bodies[other as usize];
                    if self.squares[other as usize] != square || other as usize == own || there.ghost {
                        continue;
                    }
                    let (dx, dz) =
                        (there.position[0] - body.position[0], there.position[2] - body.position[2]);
                    let distance = dx * dx + dz * dz;
                    if distance <= range * range && overlap(body, there) {
                        found.add(Neighbor { body: other, distance });
                    }
                }
            }
        }
        found
    }

    pub(super) fn memory_bytes(&self) -> usize {
        (self.starts.capacity() + self.bodies.capacity()) * size_of::<u32>()
            + self.squares.capacity() * size_of::<[i32; 2]>()
    }
}

#[allow(clippy::cast_possible_truncation, reason = "saturates far outside the world")]
fn square_of(at: [f64; 2], side: f64) -> [i32; 2] {
    at.map(|value| (value / side).floor() as i32)
}

/// Whether two bodies share a height.
fn overlap(a: &Body, b: &Body) -> bool {
    a.position[1] < b.position[1] + b.height && b.position[1] < a.position[1] + a.height
}

/// Teschner et al. 2003.
fn bucket_of([x, z]: [i32; 2], buckets: usize) -> usize {
    ((x as u32).wrapping_mul(73_856_093) ^ (z as u32).wrapping_mul(19_349_663)) as usize & (buckets - 1)
}
