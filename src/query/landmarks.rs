//! Landmarks: lengths to a few places, known beforehand, from which a search tells which stretches lead astray.
//!
//! For a landmark L no way from a to b is shorter than |L a| − |L b|, lengths being those of shortest ways: so says the
//! triangle. Lengths are those of the mesh at its most open, with every polygon and link open and links leading both ways
//! at their own length. So they promise too little rather than too much, whatever a filter closes and whatever areas and
//! flags become; other tiles or links, and they are not used.
//!
//! Source: Goldberg and Harrelson 2005 (ALT), there for the nodes of a graph; what it says of a stretch of an edge is ours.

use std::sync::Arc;

use super::plan::{JUMP, NONE, Plan};
use super::sight::distance;
use crate::format::{RawTile, Slot, SlotLinks, Tile, TiledNavMesh};

/// Landmarks of a mesh with the lengths to them, for [`PathScratch::use_landmarks`](super::PathScratch::use_landmarks).
///
/// Paths come out the same lengths as without; finding them takes the less time the more the shortest way differs from
/// the straight line: a winding map is searched several times as fast, an open one up to a quarter slower.
/// [`Landmarks::find`] takes the time of a hundred searches and more, so they are for a mesh that is asked often.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use navwright::format::NavMesh;
/// use navwright::query::{Landmarks, PathScratch, QueryFilter, USUAL_LANDMARKS, find_nav_path};
///
/// let mesh = NavMesh::from_bytes(&std::fs::read("maze.onnm")?)?.mesh;
/// let landmarks = Arc::new(Landmarks::find(&mesh, USUAL_LANDMARKS));
/// let mut scratch = PathScratch::default();
/// // Scratches of other threads take the same ones.
/// scratch.use_landmarks(Some(Arc::clone(&landmarks)));
/// let path = find_nav_path(&mesh, [1.0, 2.0], None, [90.0, 80.0], None, &QueryFilter::default(), &mut scratch)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Landmarks {
    /// Lengths to this many times [`LANES`] landmarks a row.
    pub(super) row_lanes: usize,
    /// Per corner of the mesh its row; no number for a length that is not known.
    pub(super) rows: Vec<[f32; LANES]>,
    /// No length in a row is greater.
    pub(super) longest: f32,
    /// What they were found on.
    slots: Vec<SlotKey>,
    edition: u64,
}

/// Lengths that are looked at together.
pub(super) const LANES: usize = 4;

/// A slot as it was; held so that addresses cannot be given to others.
#[derive(Clone, Debug)]
struct SlotKey {
    salt: u32,
    tile: Option<Tile>,
    links: Arc<SlotLinks>,
}

impl Landmarks {
    pub(super) fn new(mesh: &TiledNavMesh, row_lanes: usize, row_count: usize) -> Self {
        let slots = mesh.slots().iter().zip(&mesh.links);
        let key = |(slot, links): (&Slot, &Arc<SlotLinks>)| SlotKey {
            salt: slot.salt,
            tile: slot.tile.clone(),
            links: Arc::clone(links),
        };
        Self {
            row_lanes,
            rows: vec![[f32::NAN; LANES]; row_lanes * row_count],
            longest: 0.0,
            slots: slots.map(key).collect(),
            edition: mesh.edition(),
        }
    }

    /// Whether they are of this mesh, or of one with the same tiles and links: of a clone, before or after its areas or
    /// flags changed. They are not of a mesh that was read or baked a second time.
    #[must_use]
    pub fn fit(&self, mesh: &TiledNavMesh) -> bool {
        let same = |((key, slot), links): ((&SlotKey, &Slot), &Arc<SlotLinks>)| {
            key.salt == slot.salt
                && same_tile(key.tile.as_ref(), slot.tile.as_ref())
                && Arc::ptr_eq(&key.links, links)
        };
        self.edition == mesh.edition()
            || (self.slots.len() == mesh.slots().len()
                && self.slots.iter().zip(mesh.slots()).zip(&mesh.links).all(same))
    }

    /// Bytes held beside the mesh's own tiles and links.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<[f32; LANES]>() + self.slots.capacity() * size_of::<SlotKey>()
    }
}

/// Whether two slots hold one and the same tile, or none.
pub(super) fn same_tile(a: Option<&Tile>, b: Option<&Tile>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => std::ptr::eq::<RawTile>(&**a, &**b),
        (None, None) => true,
        _ => false,
    }
}

/// Landmarks as an index holds them.
#[derive(Clone, Debug, Default)]
pub(super) struct Adopted {
    landmarks: Option<Arc<Landmarks>>,
    /// Per corner of the plan its row, while they fit.
    rows: Vec<u32>,
    fit: bool,
}

impl Adopted {
    pub(super) fn new(landmarks: Option<Arc<Landmarks>>) -> Self {
        Self { landmarks, ..Self::default() }
    }

    /// Whether they fit a mesh; if so, they need [`Self::set_rows`].
    pub(super) fn fit(&self, mesh: &TiledNavMesh) -> bool {
        self.landmarks.as_ref().is_some_and(|landmarks| landmarks.fit(mesh))
    }

    pub(super) fn set_rows(&mut self, rows: Vec<u32>) {
        (self.rows, self.fit) = (rows, true);
    }

    /// The mesh is another one now.
    pub(super) fn lay_aside(&mut self) {
        self.fit = false;
    }

    /// What is known of the mesh, if anything.
    #[inline]
    pub(super) fn known(&self) -> Option<Known<'_>> {
        let landmarks = self.landmarks.as_deref().filter(|_| self.fit)?;
        Some(Known { landmarks, rows: &self.rows })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<u32>()
    }
}

/// Landmarks, and which row is whose.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    landmarks: &'a Landmarks,
    rows: &'a [u32],
}

impl<'a> Known<'a> {
    /// The lengths from a corner to the landmarks.
    #[inline]
    fn row(&self, corner: u32) -> &'a [[f32; LANES]] {
        let lanes = self.landmarks.row_lanes;
        let row = self.rows[corner as usize];
        if row == NONE { &[] } else { &self.landmarks.rows[row as usize * lanes..][..lanes] }
    }
}

/// How far corners are from the goal at least: a search's memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Far {
    goal: Vec<GoalLanes>,
    /// Per corner: when it was last asked for, and what came out.
    of_corner: Vec<(u32, f32)>,
    stamp: u32,
    /// What rounding may have added, and more.
    slack: f64,
}

/// The goal's lengths to some landmarks lie between these.
#[derive(Clone, Copy, Debug)]
struct GoalLanes {
    low: [f32; LANES],
    high: [f32; LANES],
}

impl Far {
    /// Turns to a goal, which lies in some cells.
    pub(super) fn begin(&mut self, known: Known<'_>, plan: &Plan, at: [f64; 2], cells: &[u32]) {
        if self.stamp == u32::MAX {
            self.of_corner.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        if self.of_corner.len() < plan.corner_count {
            self.of_corner.resize(plan.corner_count, (0, 0.0));
        }
        let nowhere = GoalLanes { low: [0.0; LANES], high: [f32::INFINITY; LANES] };
        self.goal.clear();
        self.goal.resize(known.landmarks.row_lanes, nowhere);
        let mut widest = 0.0_f32;
        for side in cells.iter().flat_map(|cell| plan.ring(&plan.cells[*cell as usize])) {
            let away = distance(side.at, at) as f32;
            widest = widest.max(away);
            for (goal, row) in self.goal.iter_mut().zip(known.row(side.corner)) {
                for (lane, length) in row.iter().enumerate() {
                    goal.low[lane] = larger(goal.low[lane], length - away);
                    goal.high[lane] = -larger(-goal.high[lane], -(length + away));
                }
            }
        }
        // Each of the few numbers of 24 bits that a bound is made of is off by 2^-25 of itself at most.
        self.slack = f64::from(known.landmarks.longest + widest) * 1e-6;
    }

    /// At least so far is a corner from the goal.
    #[inline]
    fn of(&mut self, known: Known<'_>, corner: u32) -> f64 {
        let own = &mut self.of_corner[corner as usize];
        if own.0 != self.stamp {
            let mut most = [0.0; LANES];
            for (row, goal) in known.row(corner).iter().zip(&self.goal) {
                for lane in 0..LANES {
                    let more = larger(row[lane] - goal.high[lane], goal.low[lane] - row[lane]);
                    most[lane] = larger(most[lane], more);
                }
            }
            *own = (self.stamp, most.into_iter().fold(0.0, f32::max));
        }
        f64::from(own.1)
    }

    /// At least so long is the way from a root through a stretch, left end first, of a cell's side to the goal.
    ///
    /// A way over a place p of the stretch measures |root p| and then, a being an end of the stretch's edge, at least
    /// what a promises less |a p|. Away from a the one grows by no more than the other, so the least is at the
    /// stretch's far end.
    #[inline]
    pub(super) fn least_through(
        &mut self,
        known: Known<'_>,
        plan: &Plan,
        root: [f64; 2],
        [cell, entry]: [u32; 2],
        [left_end, right_end]: [[f64; 2]; 2],
    ) -> f64 {
        let cell = &plan.cells[cell as usize];
        if entry >= JUMP {
            let ring = plan.ring(cell).iter();
            let least = ring.map(|side| self.of(known, side.corner) - distance(side.at, root));
            return least.fold(0.0, f64::max) - self.slack;
        }
        let left = &plan.sides[entry as usize];
        let right = &plan.sides[plan.next(cell, entry) as usize];
        let by_left = self.of(known, left.corner) + distance(root, right_end) - distance(left.at, right_end);
        let by_right = self.of(known, right.corner) + distance(root, left_end) - distance(right.at, left_end);
        by_left.max(by_right) - self.slack
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.goal.capacity() * size_of::<GoalLanes>() + self.of_corner.capacity() * size_of::<(u32, f32)>()
    }
}

/// The larger of two numbers, the first if the second is none: what one instruction does for all lanes.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
