//! The place under the mouse on the 3D view, as the tools know places; they act there as on the canvas.

use super::state::State;
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

impl State {
    /// Does something as if the aim's level were the current one and its pixels those of the canvas.
    pub fn aimed<R>(&mut self, aim: &Aim, act: impl FnOnce(&mut Self) -> R) -> R {
        let (level, pixel) = (self.level, self.pixel);
        (self.level, self.pixel) = (aim.level, Some(aim.pixel));
        let done = act(self);
        self.pixel = pixel;
        // What goes to another level by itself stays there.
        if self.level == aim.level {
            self.level = level;
        }
        done
    }
}
