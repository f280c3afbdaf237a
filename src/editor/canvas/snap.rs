//! Where a point lands: another area's point or edge, the square's edge or the grid, in this order.

use super::edge::Edge;
use super::grid::round_to;
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
    /// Whether points join other areas' points and edges.
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
    /// On another area's edge, which gets the point too.
    Edge {
        /// That area's name.
        name: String,
        /// Its level.
        level: i8,
    },
    /// The square's edge: whole numbers.
    Square,
    /// The grid.
    Grid,
    /// Typed.
    Typed,
}

impl SnapKind {
    /// The word at the cursor.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Join { name, level } => format!("joins {name}, level {level}"),
            Self::Edge { name, level } => format!("on edge of {name}, level {level}"),
            Self::Square => "square edge".to_owned(),
            Self::Grid => "grid".to_owned(),
            Self::Typed => String::new(),
        }
    }

    /// The same in one word, for the status bar.
    #[must_use]
    pub fn short(&self) -> &'static str {
        match self {
            Self::Join { .. } => "join",
            Self::Edge { .. } => "edge",
            Self::Square => "square",
            Self::Grid => "grid",
            Self::Typed => "typed",
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

/// What snapping depends on besides the place.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// What there is to join.
    pub document: &'a Document,
    /// The grid, and whether points join at all.
    pub settings: SnapSettings,
    /// `Ctrl` and `Alt`.
    pub keys: Keys,
    /// Size of a pixel in squares.
    pub pixel: f64,
    /// Areas that are not joined: those that are being moved.
    pub skip: &'a dyn Fn(AreaId) -> bool,
}

impl Rules<'_> {
    /// Snaps a place.
    #[must_use]
    pub fn snap(&self, place: [f64; 2]) -> Snapped {
        self.joined(place, None).unwrap_or_else(|| {
            let kind = if self.keys.ctrl { SnapKind::Square } else { SnapKind::Grid };
            Snapped { place: round_to(place, self.step()), kind }
        })
    }

    /// Snaps a place to the line through `from` along an axis (0 is x): the other coordinate stays that of `from`.
    #[must_use]
    pub fn snap_along(&self, from: [f64; 2], axis: usize, place: [f64; 2]) -> Snapped {
        let mut aim = from;
        aim[axis] = place[axis];
        self.joined(aim, Some(axis)).unwrap_or_else(|| {
            let kind = if self.keys.ctrl { SnapKind::Square } else { SnapKind::Grid };
            aim[axis] = round_to(aim, self.step())[axis];
            Snapped { place: aim, kind }
        })
    }

    /// Lines per square.
    fn step(&self) -> f64 {
        if self.keys.ctrl { 1.0 } else { self.settings.per_square }
    }

    /// The nearest point of an area in reach, else the nearest place on an edge; with an `axis` only such on the line
    /// through `place` along it.
    fn joined(&self, place: [f64; 2], axis: Option<usize>) -> Option<Snapped> {
        if !self.settings.join || self.keys.alt {
            return None;
        }
        let reach = (JOIN_PIXELS * self.pixel).min(JOIN_SQUARES);
        self.point(place, axis, reach).or_else(|| self.edge(place, axis, reach))
    }

    fn point(&self, place: [f64; 2], axis: Option<usize>, reach: f64) -> Option<Snapped> {
        let mut best: Option<(f64, Snapped)> = None;
        for area in self.document.areas.iter().filter(|area| !(self.skip)(area.id)) {
            for &point in &area.points {
                let distance = (point[0] - place[0]).hypot(point[1] - place[1]);
                let on_line = axis.is_none_or(|axis| point[1 - axis] == place[1 - axis]);
                let nearer = best.as_ref().is_none_or(|(least, _)| distance < *least);
                if distance <= reach && on_line && nearer {
                    let kind = SnapKind::Join { name: area.name.clone(), level: area.level };
                    best = Some((distance, Snapped { place: point, kind }));
                }
            }
        }
        best.map(|(_, snapped)| snapped)
    }

    fn edge(&self, place: [f64; 2], axis: Option<usize>, reach: f64) -> Option<Snapped> {
        let mut best: Option<(f64, Snapped)> = None;
        for area in self.document.areas.iter().filter(|area| !(self.skip)(area.id)) {
            for (_, from, to) in super::pick::edges(&area.points) {
                let edge = Edge { from, to };
                let away = edge.distance(place);
                if away > reach || best.as_ref().is_some_and(|(least, _)| *least <= away) {
                    continue;
                }
                let on = match axis {
                    Some(axis) => edge.crossing(place, axis),
                    None => edge.place_near(place, self.step()),
                };
                let in_reach = |on: &[f64; 2]| super::pick::distance(*on, place) <= reach;
                if let Some(on) = on.filter(in_reach) {
                    let kind = SnapKind::Edge { name: area.name.clone(), level: area.level };
                    best = Some((away, Snapped { place: on, kind }));
                }
            }
        }
        best.map(|(_, snapped)| snapped)
    }
}
