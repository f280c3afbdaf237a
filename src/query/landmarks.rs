//! Landmarks: lengths to a few places, known beforehand, from which a search tells which stretches lead astray.
//!
//! For a landmark L no way from a to b is shorter than |L a| − |L b|, lengths being those of shortest ways: so says the
//! triangle. Lengths are those of the mesh at its most open, with every polygon and link open and links leading both ways
//! at their own length. So they promise too little rather than too much, whatever a filter closes and whatever areas and
//! flags become; other tiles or links, and they are not used.
//!
//! Source: Goldberg and Harrelson 2005 (ALT), there for the nodes of a graph; what it says of a stretch of an edge is ours.

use std::sync::Arc;

use super::plan::NONE;
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
    /// Per corner of the mesh its row: lengths in whole steps, rounded down, or [`UNKNOWN`].
    rows: Vec<[u16; LANES]>,
    step: f64,
    /// What they were found on.
    slots: Vec<SlotKey>,
    edition: u64,
}

/// Lengths that are looked at together.
pub(super) const LANES: usize = 8;
/// A length that is not known.
pub(super) const UNKNOWN: u16 = u16::MAX;

/// A slot as it was; held so that addresses cannot be given to others.
#[derive(Clone, Debug)]
struct SlotKey {
    salt: u32,
    tile: Option<Tile>,
    links: Arc<SlotLinks>,
}

impl Landmarks {
    /// `lengths`: a row of [`LANES`] times `row_lanes` for each corner; no number for what is not known.
    pub(super) fn new(mesh: &TiledNavMesh, row_lanes: usize, lengths: &[[f32; LANES]]) -> Self {
        let longest = lengths.as_flattened().iter().fold(0.0, |longest: f32, length| longest.max(*length));
        let step = f64::from(longest.max(f32::MIN_POSITIVE)) / f64::from(UNKNOWN - 1);
        let steps = |length: f32| {
            if length.is_nan() {
                UNKNOWN
            } else {
                (f64::from(length) / step).min(f64::from(UNKNOWN - 1)) as u16
            }
        };
        let slots = mesh.slots().iter().zip(&mesh.links);
        let key = |(slot, links): (&Slot, &Arc<SlotLinks>)| SlotKey {
            salt: slot.salt,
            tile: slot.tile.clone(),
            links: Arc::clone(links),
        };
        Self {
            row_lanes,
            rows: lengths.iter().map(|row| row.map(steps)).collect(),
            step,
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
        self.rows.capacity() * size_of::<[u16; LANES]>() + self.slots.capacity() * size_of::<SlotKey>()
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
    /// The lengths from a corner to the landmarks, in whole steps: each is less than one step more, or [`UNKNOWN`].
    #[inline]
    pub(super) fn row(&self, corner: u32) -> &'a [[u16; LANES]] {
        let lanes = self.landmarks.row_lanes;
        let row = self.rows[corner as usize];
        if row == NONE { &[] } else { &self.landmarks.rows[row as usize * lanes..][..lanes] }
    }

    /// What lengths are measured in.
    pub(super) fn step(&self) -> f64 {
        self.landmarks.step
    }

    /// How many times [`LANES`] landmarks there are.
    pub(super) fn row_lanes(&self) -> usize {
        self.landmarks.row_lanes
    }
}
