//! What a search for a path is asked for, and what it finds.

use crate::format::PolyRef;

/// How far a path got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathStatus {
    /// It reaches the end.
    Complete,
    /// It ends at the reachable place nearest to the end.
    Partial,
    /// Start or end lies off the mesh.
    #[default]
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
    /// What is here.
    pub marks: PointMarks,
}

/// What there is at a point of a path; several may hold at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointMarks {
    /// The path begins here.
    pub start: bool,
    /// The path ends here.
    pub end: bool,
    /// An off-mesh link is taken from here.
    pub departure: bool,
    /// An off-mesh link comes down here.
    pub arrival: bool,
    /// From here on the floor has another area type.
    pub area_change: bool,
    /// From here on one is on another level.
    pub level_change: bool,
}

/// How to look for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOptions {
    /// Nodes that the search looks at, at most. A search that would need more ends at the place nearest to the end
    /// that it has come to, and says so in [`NavPath::limit_reached`].
    pub max_nodes: usize,
    /// Whether a straight stretch gets a point wherever the area type changes.
    pub area_points: bool,
    /// Whether a straight stretch gets a point wherever it crosses from polygon to polygon.
    pub crossing_points: bool,
}

impl Default for PathOptions {
    /// No limit, and no points but bends and changes of level.
    fn default() -> Self {
        Self { max_nodes: usize::MAX, area_points: false, crossing_points: false }
    }
}

/// A path, or how far it got.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NavPath {
    /// How far it got.
    pub status: PathStatus,
    /// Start, corners (and level changes on straight stretches), end; a single point where start and end are
    /// one. A link has a point where it is taken and one where it comes down.
    pub points: Vec<NavPoint>,
    /// The polygons walked through, in order.
    pub corridor: Vec<PolyRef>,
    /// Horizontal length, links included.
    pub length: f64,
    /// Length along the surface, links included as straight lines; steps between polygons are not counted.
    pub length_3d: f64,
    /// How far the start was moved, horizontally, to get onto the mesh.
    pub start_moved: f64,
    /// How far the end was moved, horizontally, to get onto the mesh.
    pub end_moved: f64,
    /// The search ended at its limit: whether there is a way to the end is not known.
    pub limit_reached: bool,
    /// Why it is not complete, in words with numbers; empty when it is.
    pub reason: String,
}

impl NavPath {
    pub(super) fn clear(&mut self, status: PathStatus, reason: String) {
        self.status = status;
        self.points.clear();
        self.corridor.clear();
        (self.length, self.length_3d) = (0.0, 0.0);
        (self.start_moved, self.end_moved) = (0.0, 0.0);
        self.limit_reached = false;
        self.reason = reason;
    }

    /// Becomes equal to another path. Its memory begins with room for a common path and grows by doubling, so that one
    /// which serves paths of about the same length soon grows no more.
    pub(super) fn copy_from(&mut self, other: &Self) {
        copy_list(&mut self.points, &other.points);
        copy_list(&mut self.corridor, &other.corridor);
        self.reason.clone_from(&other.reason);
        self.status = other.status;
        (self.length, self.length_3d) = (other.length, other.length_3d);
        (self.start_moved, self.end_moved) = (other.start_moved, other.end_moved);
        self.limit_reached = other.limit_reached;
    }

    /// Bytes held by its lists.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.points.capacity() * size_of::<NavPoint>() + self.corridor.capacity() * size_of::<PolyRef>()
    }
}

fn copy_list<T: Copy>(list: &mut Vec<T>, other: &[T]) {
    list.clear();
    list.reserve(other.len().next_power_of_two().max(1024 / size_of::<T>()));
    list.extend_from_slice(other);
}
