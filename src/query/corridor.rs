//! A walker on its path: where it is, which corner comes next, and whether the way still stands.

use super::floor::Floor;
use super::view::distance;
use super::walk::NavMove;
use super::{NavPath, NavPlace, NavPoint, PathScratch, QueryError, QueryFilter};
use crate::format::TiledNavMesh;

/// A walker's place on the mesh and the path ahead of it.
///
/// The walker may stray from its path: as long as it sees the next corner, it goes straight there. A corner is passed
/// once the one after it is in sight. When the next corner is out of sight, the walker was pushed behind one: look for
/// a new path.
#[derive(Clone, Debug)]
pub struct PathCorridor {
    place: NavPlace,
    path: NavPath,
    /// The corner ahead, in the path's points.
    next: usize,
    /// Length of the path from that corner on.
    rest: f64,
    in_sight: bool,
}

/// An off-mesh link that a walker is at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkAhead {
    /// The link's `user_id`.
    pub user_id: u32,
    /// Where it is taken, world x, y, z.
    pub from: [f64; 3],
    /// Where it comes down, world x, y, z.
    pub to: [f64; 3],
}

impl PathCorridor {
    /// A walker at a place that a query returned, without a path.
    #[must_use]
    pub fn new(place: NavPlace) -> Self {
        Self { place, path: NavPath::default(), next: 0, rest: 0.0, in_sight: true }
    }

    /// Where the walker is.
    #[must_use]
    pub fn place(&self) -> &NavPlace {
        &self.place
    }

    /// The path as it was set.
    #[must_use]
    pub fn path(&self) -> &NavPath {
        &self.path
    }

    /// The corner ahead; `None` at the path's end and without a path.
    #[must_use]
    pub fn next_corner(&self) -> Option<&NavPoint> {
        self.path.points.get(self.next)
    }

    /// Horizontal length still to go.
    #[must_use]
    pub fn remaining(&self) -> f64 {
        let ahead = self.next_corner().map_or(0.0, |corner| distance(self.at(), xz(&corner.position)));
        ahead + self.rest
    }

    /// Whether the next corner can be walked to straight on.
    #[must_use]
    pub fn in_sight(&self) -> bool {
        self.in_sight
    }

    /// Whether every polygon of the path is still there and open.
    #[must_use]
    pub fn stands(&self, mesh: &TiledNavMesh, filter: &QueryFilter, scratch: &mut PathScratch) -> bool {
        self.stands_on(&scratch.floor(mesh), filter)
    }

    pub(crate) fn stands_on(&self, floor: &Floor<'_>, filter: &QueryFilter) -> bool {
        let corridor = &self.path.corridor;
        let passed = corridor.iter().rposition(|polygon| *polygon == self.place.polygon).unwrap_or(0);
        floor.is_open(self.place.polygon, filter)
            && corridor[passed..].iter().all(|polygon| floor.is_open(*polygon, filter))
    }

    /// Gives the walker a path from about where it is; `path` gets the memory of the old one.
    pub fn set_path(&mut self, path: &mut NavPath) {
        std::mem::swap(&mut self.path, path);
        self.begin_path();
    }

    /// As [`Self::set_path`], but the memory of both stays with them.
    pub(crate) fn copy_path(&mut self, path: &NavPath) {
        self.path.copy_from(path);
        self.begin_path();
    }

    fn begin_path(&mut self) {
        self.in_sight = true;
        // The first point is where the walker is, unless a link is taken there.
        let at_link = self.path.points.first().is_some_and(|point| point.link.is_some());
        self.turn_to(usize::from(!at_link));
    }

    /// Takes the path away.
    pub fn clear_path(&mut self) {
        self.path.points.clear();
        self.path.corridor.clear();
        self.turn_to(0);
    }

    /// Puts the walker elsewhere; the path stays as it is.
    pub fn set_place(&mut self, place: NavPlace) {
        self.place = place;
    }

    /// Moves the walker one straight step, sliding along walls, and looks which corner comes next. `None`, and nothing
    /// happens, if the polygon it stands on is gone or closed.
    ///
    /// # Errors
    /// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21.
    pub fn move_to(
        &mut self,
        mesh: &TiledNavMesh,
        target: [f64; 2],
        filter: &QueryFilter,
        scratch: &mut PathScratch,
    ) -> Result<Option<NavMove>, QueryError> {
        super::error::check_point(["target x", "target z"], target)?;
        let floor = scratch.floor(mesh);
        let moved = self.step_to(&floor, target, filter);
        if moved.is_some() {
            self.look_ahead(&floor, filter, 0.0);
        }
        Ok(moved)
    }

    pub(crate) fn step_to(
        &mut self,
        floor: &Floor<'_>,
        target: [f64; 2],
        filter: &QueryFilter,
    ) -> Option<NavMove> {
        let moved = floor.slide(self.place.polygon, self.at(), target, filter)?;
        let NavMove { position, level, polygon, .. } = moved;
        self.place = NavPlace { position, level, polygon, distance: 0.0 };
        Some(moved)
    }

    /// Passes corners beyond which the next one is in sight: those within `near` of the walker, and those that are out
    /// of sight themselves.
    pub(crate) fn look_ahead(&mut self, floor: &Floor<'_>, filter: &QueryFilter, near: f64) {
        while let Some(corner) = self.next_corner().copied() {
            let sees = |corner: &NavPoint| floor.sees(self.place.polygon, self.at(), corner, filter);
            let far = distance(self.at(), xz(&corner.position)) > near;
            let in_sight = sees(&corner);
            let passed = !(far && in_sight)
                && corner.link.is_none()
                && self.path.points.get(self.next + 1).is_some_and(sees);
            self.in_sight = in_sight;
            if !passed {
                return;
            }
            self.turn_to(self.next + 1);
        }
        self.in_sight = true;
    }

    /// The off-mesh link that is taken at the next corner, if that is within `reach` and in sight.
    #[must_use]
    pub fn link_ahead(&self, reach: f64) -> Option<LinkAhead> {
        let corner = self.next_corner()?;
        let landing = self.path.points.get(self.next + 1)?;
        let near = self.in_sight && distance(self.at(), xz(&corner.position)) <= reach;
        let user_id = corner.link.filter(|_| near)?;
        Some(LinkAhead { user_id, from: corner.position, to: landing.position })
    }

    /// Puts the walker where the link ahead comes down.
    pub fn land(&mut self) {
        let Some(landing) = self.path.points.get(self.next + 1) else { return };
        let NavPoint { position, level, polygon, link, .. } = *landing;
        self.place = NavPlace { position, level, polygon, distance: 0.0 };
        self.in_sight = true;
        self.turn_to(self.next + 1 + usize::from(link.is_none()));
    }

    fn at(&self) -> [f64; 2] {
        xz(&self.place.position)
    }

    fn turn_to(&mut self, next: usize) {
        self.next = next;
        let ahead = self.path.points.get(next..).unwrap_or(&[]);
        self.rest = ahead.windows(2).map(|pair| distance(xz(&pair[0].position), xz(&pair[1].position))).sum();
    }
}

fn xz(position: &[f64; 3]) -> [f64; 2] {
    [position[0], position[2]]
}
