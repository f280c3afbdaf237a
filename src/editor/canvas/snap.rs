//! Where a point lands: another area's point, the square's edge or the grid, in this order.

use crate::editor::tools::Keys;
use crate::project::{AreaId, Document};

/// Farthest that joining reaches, in squares, whatever the zoom.
const JOIN_SQUARES: f64 = 0.5;
/// Farthest that joining reaches, in pixels.
const JOIN_PIXELS: f64 = 10.0;

/// How points snap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapSettings {
    /// Grid lines per square: 10 is the tenth-of-a-square grid.
    pub per_square: f64,
    /// Whether points join other areas' points.
    pub join: bool,
}

impl Default for SnapSettings {
    fn default() -> Self {
        Self { per_square: 10.0, join: true }
    }
}

/// Which rule placed a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapKind {
    /// Exactly another area's point.
    Join {
        /// That area's name, for the word at the cursor.
        name: String,
        /// Its level.
        level: i8,
    },
    /// The square's edge: whole numbers.
    Square,
    /// The grid.
    Grid,
}

impl SnapKind {
    /// The word at the cursor.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Join { name, level } => format!("joins {name}, level {level}"),
            Self::Square => "square edge".to_owned(),
            Self::Grid => String::new(),
        }
    }

    /// The same in one word, for the status bar.
    #[must_use]
    pub fn short(&self) -> &'static str {
        match self {
            Self::Join { .. } => "join",
            Self::Square => "square",
            Self::Grid => "grid",
        }
    }
}

/// A place after snapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapped {
    /// World (x, z).
    pub place: [f64; 2],
    /// The rule that won.
    pub kind: SnapKind,
}

/// Snaps a place. `pixel` is the size of a pixel in squares; points of areas for which `skip` holds are not joined.
#[must_use]
pub fn snap(
    place: [f64; 2],
    document: &Document,
    settings: SnapSettings,
    keys: Keys,
    pixel: f64,
    skip: &dyn Fn(AreaId) -> bool,
) -> Snapped {
    if settings.join
        && !keys.alt
        && let Some(joined) = join(place, document, pixel, skip)
    {
        return joined;
    }
    if keys.ctrl {
        return Snapped { place: round_to(place, 1.0), kind: SnapKind::Square };
    }
    Snapped { place: round_to(place, settings.per_square), kind: SnapKind::Grid }
}

/// Each coordinate to the nearest line of a grid with `per_square` lines a square, the same on both sides of zero,
/// never −0.
#[must_use]
pub fn round_to(place: [f64; 2], per_square: f64) -> [f64; 2] {
    place.map(|value| (value * per_square).round() / per_square + 0.0)
}

fn join(place: [f64; 2], document: &Document, pixel: f64, skip: &dyn Fn(AreaId) -> bool) -> Option<Snapped> {
    let reach = (JOIN_PIXELS * pixel).min(JOIN_SQUARES);
    let mut best: Option<(f64, Snapped)> = None;
    for area in document.areas.iter().filter(|area| !skip(area.id)) {
        for &point in &area.points {
            let distance = (point[0] - place[0]).hypot(point[1] - place[1]);
            if distance <= reach && best.as_ref().is_none_or(|(least, _)| distance < *least) {
                let kind = SnapKind::Join { name: area.name.clone(), level: area.level };
                best = Some((distance, Snapped { place: point, kind }));
            }
        }
    }
    best.map(|(_, snapped)| snapped)
}
