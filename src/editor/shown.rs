//! What is shown, and which panels are open.

use super::overlays::Overlays;

/// How levels other than the current one are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum OtherLevels {
    Off,
    #[default]
    Faint,
    Full,
}

/// What is shown, and which panels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Shown {
    pub others: OtherLevels,
    pub grid: bool,
    pub overlays: Overlays,
    pub rulers: bool,
    pub outline: bool,
    pub properties: bool,
    pub issues: bool,
    pub history: bool,
    pub canvas_only: bool,
    pub keys: bool,
    pub preferences: bool,
    pub start: bool,
    pub views: Seen,
}

/// Which of the canvas and the 3D view are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Seen {
    #[default]
    Flat,
    Split,
    Solid,
}

impl Seen {
    /// What comes after it.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Flat => Self::Split,
            Self::Split => Self::Solid,
            Self::Solid => Self::Flat,
        }
    }
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            others: OtherLevels::Faint,
            grid: true,
            overlays: Overlays::default(),
            rulers: true,
            outline: true,
            properties: true,
            issues: true,
            history: true,
            canvas_only: false,
            keys: false,
            preferences: false,
            start: false,
            views: Seen::default(),
        }
    }
}
