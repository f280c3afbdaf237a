//! The place under the mouse on the 3D view, as the tools know places; they act there as on the canvas.

use super::state::{State, Tone};
use crate::project::GeometryId;

/// A place with its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// World (x, z).
    pub place: [f64; 2],
    /// Its level.
    pub level: i8,
    /// Where it is shown, which is elsewhere while levels are pulled apart.
    pub shown: [f64; 3],
    /// The breadth of a pixel there, in squares.
    pub pixel: f64,
    /// World height there.
    pub height: f64,
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

    /// Says so where no level lies at the height of a floor that a link is to end on: links know levels, not heights.
    pub(super) fn tell_link_level(&mut self, aim: &Aim) {
        let document = self.document();
        let elevation = document.settings.height + document.elevation(aim.level);
        let climb = f64::from(self.class().climb).max(0.5);
        if (elevation - aim.height).abs() <= climb {
            return;
        }
        let text = format!(
            "This floor is at {:.1}, level {} at {elevation:.1}: a link ends near its level's elevation, so add a level at {:.1} first",
            aim.height, aim.level, aim.height
        );
        self.say(Tone::Hint, text);
    }
}
