//! The place under the mouse on the 3D view, as the tools know places; they act there as on the canvas.

use crate::project::GeometryId;

/// A place with its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// World (x, z).
    pub place: [f64; 2],
    /// Its level.
    pub level: i8,
    /// World y of the surface there; `None` on the level's plane.
    pub y: Option<f64>,
    /// Where it is shown, which is elsewhere while levels are pulled apart.
    pub shown: [f64; 3],
    /// The breadth of a pixel there, in squares.
    pub pixel: f64,
    /// Whether there is something of that level, or only its plane.
    pub solid: bool,
    /// The imported geometry that is under the mouse there, if the mouse may have it.
    pub geometry: Option<GeometryId>,
}
