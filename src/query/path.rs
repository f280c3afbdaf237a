//! `find_nav_path`: two places with levels in, corners with levels out.

use super::QueryFilter;
use crate::format::{PolyRef, TiledNavMesh};

/// How far a path got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// It reaches the end.
    Complete,
    /// It ends at the reachable place nearest to the end.
    Partial,
    /// Start or end lies off the mesh.
    None,
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPoint {
    /// World x, y, z.
    pub position: [f64; 3],
    /// The level one is on from here.
    pub level: i8,
    /// The polygon it lies on.
    pub polygon: PolyRef,
    /// `user_id` of the off-mesh link that is taken from here.
    pub link: Option<u32>,
}

/// A path, or how far it got.
#[derive(Clone, Debug, PartialEq)]
pub struct NavPath {
    /// How far it got.
    pub status: PathStatus,
    /// Start, corners (and level changes on straight stretches), end.
    pub points: Vec<NavPoint>,
    /// The polygons walked through, in order.
    pub corridor: Vec<PolyRef>,
    /// Horizontal length, links included.
    pub length: f64,
    /// Length along the surface, links included.
    pub length_3d: f64,
    /// Why it is not complete, in words with numbers; empty when it is.
    pub reason: String,
}

/// Memory that searches reuse.
#[derive(Clone, Debug, Default)]
pub struct PathScratch {}

/// A question that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A coordinate beyond the coordinate rule.
    #[error("{name} is {value}, but must be finite and strictly inside ±2097152")]
    OutOfRange {
        /// Which.
        name: &'static str,
        /// The value found.
        value: f64,
    },
}

/// The path between two places (world x, z), each on a level; `None` takes the nearest level there.
///
/// # Errors
/// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
pub fn find_nav_path(
    _mesh: &TiledNavMesh,
    _start: [f64; 2],
    _start_level: Option<i8>,
    _end: [f64; 2],
    _end_level: Option<i8>,
    _filter: &QueryFilter,
    _scratch: &mut PathScratch,
) -> Result<NavPath, QueryError> {
    todo!()
}
