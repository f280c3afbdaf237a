//! What is drawn over the ground, each turned on and off by a digit.

use serde::{Deserialize, Serialize};

/// A part of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described in the list of actions")]
pub enum Overlay {
    Areas,
    Mesh,
    Links,
    Tiles,
    Borders,
    Jumps,
    Islands,
    Stage,
    Labels,
}

/// Which parts are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs, reason = "each is described in the list of actions")]
pub struct Overlays {
    pub areas: bool,
    pub mesh: bool,
    pub links: bool,
    pub tiles: bool,
    pub borders: bool,
    pub jumps: bool,
    pub islands: bool,
    pub stage: bool,
    pub labels: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self {
            areas: true,
            mesh: true,
            links: true,
            tiles: true,
            borders: true,
            jumps: true,
            islands: false,
            stage: false,
            labels: true,
        }
    }
}

impl Overlays {
    /// Whether a part is drawn.
    #[must_use]
    pub fn has(mut self, overlay: Overlay) -> bool {
        *self.part(overlay)
    }

    pub(super) fn part(&mut self, overlay: Overlay) -> &mut bool {
        match overlay {
            Overlay::Areas => &mut self.areas,
            Overlay::Mesh => &mut self.mesh,
            Overlay::Links => &mut self.links,
            Overlay::Tiles => &mut self.tiles,
            Overlay::Borders => &mut self.borders,
            Overlay::Jumps => &mut self.jumps,
            Overlay::Islands => &mut self.islands,
            Overlay::Stage => &mut self.stage,
            Overlay::Labels => &mut self.labels,
        }
    }
}
