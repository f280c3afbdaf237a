//! All a tool may know, with what follows from it: where a place snaps to, what stands there; and what a tool shows.

use super::event::Keys;
use super::typed::{self, Exact};
use crate::draw::Shape;
use crate::editor::canvas::grid::FINEST;
use crate::editor::canvas::pick::PictureSizes;
use crate::editor::canvas::snap::{Rules, SnapKind, SnapSettings, Snapped};
use crate::editor::geometry::Geometries;
use crate::editor::selection::Selection;
use crate::project::{AreaId, Document, GeometryId, Spot, least_climb};

/// All a tool may know.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The document without the preview.
    pub document: &'a Document,
    /// The same without what the mouse passes over.
    pub pickable: &'a Document,
    /// The current level.
    pub level: i8,
    /// What is selected.
    pub selection: &'a Selection,
    /// Modifier keys.
    pub keys: Keys,
    /// How points snap.
    pub snap: SnapSettings,
    /// Size of a pixel in squares.
    pub pixel: f64,
    /// What is typed: set by [`Tools`](super::Tools).
    pub exact: Exact,
    /// How large the reference pictures are.
    pub pictures: &'a PictureSizes,
    /// Imported geometry, where it was read.
    pub geometry: &'a Geometries,
    /// World height above which the canvas shows nothing of it.
    pub cut: f64,
    /// In the 3D view, the geometry under the mouse, if any; on the canvas it is looked for from above.
    pub aimed: Option<Option<GeometryId>>,
    /// World y of the surface under the mouse on the 3D view.
    pub surface: Option<f64>,
}

/// A surface is at a level's elevation if it is no farther from it than this, whatever the agents climb.
const LEAST_CLIMB: f64 = 0.05;

impl Context<'_> {
    /// The geometry that a click at a place would take where nothing is drawn.
    #[must_use]
    pub fn geometry_at(&self, place: [f64; 2]) -> Option<GeometryId> {
        let free = |id: GeometryId| self.pickable.geometry(id).is_some();
        match self.aimed {
            Some(aimed) => aimed.filter(|&id| free(id)),
            None => self.geometry.at(place, self.cut, &free),
        }
    }

    /// The outline around an item of geometry.
    #[must_use]
    pub fn hull(&self, id: GeometryId) -> Vec<[f64; 2]> {
        let found = self.geometry.get(id).zip(self.document.geometry(id));
        found.map(|(loaded, item)| loaded.hull_at(item)).unwrap_or_default()
    }

    /// A link's end at a place. It gets a height of its own where the surface under the mouse is farther from the level's
    /// elevation than every class climbs: there it would not attach.
    #[must_use]
    pub fn link_spot(&self, at: [f64; 2]) -> Spot {
        let climbs = self.document.classes.iter().map(|class| f64::from(class.climb));
        let climb = climbs.fold(f64::INFINITY, f64::min).max(LEAST_CLIMB);
        let floor = self.document.height_of(self.level);
        let y = self.surface_y().filter(|y| (y - floor).abs() > climb);
        Spot { at, level: self.level, y }
    }

    /// A place to ask about. It gets the height of the surface under the mouse where floors of one level can lie over each
    /// other; elsewhere the level tells the floor, and goes on telling it when it is raised.
    #[must_use]
    pub fn test_spot(&self, at: [f64; 2]) -> Spot {
        Spot { at, level: self.level, y: self.surface_y().filter(|_| self.document.stacks_floors()) }
    }

    fn surface_y(&self) -> Option<f64> {
        self.surface.map(|y| (y * FINEST).round() / FINEST + 0.0)
    }

    /// World y of the floor under the mouse on which an area would be drawn, where that is not the level's plane.
    #[must_use]
    pub fn floor(&self) -> Option<f64> {
        let (level, reach) = (self.document.height_of(self.level), least_climb(self.document));
        self.surface_y().filter(|y| self.document.stacks_floors() && (y - level).abs() > reach)
    }

    /// Snaps a place; areas for which `skip` holds are not joined.
    #[must_use]
    pub fn snapped(&self, place: [f64; 2], skip: &dyn Fn(AreaId) -> bool) -> Snapped {
        self.rules(skip).snap(place)
    }

    /// Snaps a place to the grid or the square's edge only.
    #[must_use]
    pub fn snapped_to_grid(&self, place: [f64; 2]) -> Snapped {
        self.to_grid().snapped(place, &|_| true)
    }

    /// Where what was at `from` and is dragged to `aim` comes to lie: by a typed move, along a kept axis, else snapped.
    /// `shift`: whether `Shift` keeps an axis.
    #[must_use]
    pub fn landed(
        &self,
        from: [f64; 2],
        aim: [f64; 2],
        shift: bool,
        skip: &dyn Fn(AreaId) -> bool,
    ) -> Snapped {
        if let Some(place) = self.exact.moved(from, aim) {
            return Snapped { place, kind: SnapKind::Typed };
        }
        match self.axis(from, aim, shift) {
            Some(axis) => self.rules(skip).snap_along(from, axis, aim),
            None => self.snapped(aim, skip),
        }
    }

    /// As [`Context::landed`], joining nothing.
    #[must_use]
    pub fn landed_on_grid(&self, from: [f64; 2], aim: [f64; 2]) -> Snapped {
        self.to_grid().landed(from, aim, true, &|_| true)
    }

    /// The axis that a drag keeps to: the locked one, else with `Shift` the one it has gone farther along.
    #[must_use]
    pub fn axis(&self, from: [f64; 2], aim: [f64; 2], shift: bool) -> Option<usize> {
        let wider = (shift && self.keys.shift).then(|| typed::wider(from, aim));
        self.exact.axis.or(wider)
    }

    fn to_grid(self) -> Self {
        Self { snap: SnapSettings { join: false, ..self.snap }, ..self }
    }

    fn rules<'a>(&'a self, skip: &'a dyn Fn(AreaId) -> bool) -> Rules<'a> {
        Rules { document: self.document, settings: self.snap, keys: self.keys, pixel: self.pixel, skip }
    }
}

/// What a tool shows on top of the drawing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Feedback {
    /// In world coordinates.
    pub shapes: Vec<Shape>,
    /// A word at a place.
    pub word: Option<([f64; 2], String)>,
    /// The snap that won, for the status bar.
    pub snap: Option<SnapKind>,
}
