//! A button that is held down over the 3D view, and what it does.

use egui::Pos2;

use crate::editor::aim::Aim;

/// A button that is down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Down {
    pub(super) what: Hold,
    pub(super) origin: Pos2,
    /// Where the mouse was last.
    pub(super) last: Pos2,
    pub(super) moved: bool,
}

/// What a button that is down does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hold {
    /// It is the tool's: on a level, at a height, with what the aim was off the mouse.
    Tool { aim: Aim, off: [f64; 2] },
    /// It orbits.
    Turn,
    /// It moves the world that is so far away.
    Pan { depth: f64 },
}
