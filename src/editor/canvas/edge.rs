//! Places on other areas' edges, and the points that edges get so that both outlines agree.
//!
//! Coordinates are decimal, so few places lie exactly on a slanted edge. The edge gets the very point that was put beside
//! it, so both outlines run through it; of the places in reach those that lie exactly on the edge win.

use super::grid::{FINEST, round_to};
use super::pick::{distance, nearest_on_segment};
use crate::project::{Area, AreaId, Document};
use std::sync::Arc;

/// Farthest that a place rounded to thousandths lies from the edge it was rounded off, with a little room for the
/// floating point.
const BESIDE: f64 = 0.000_75;
/// How far along an edge an exact place may be from the nearest one.
const ALONG: f64 = 0.05;

/// An edge of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// One end.
    pub from: [f64; 2],
    /// The other end.
    pub to: [f64; 2],
}

impl Edge {
    /// How far a place lies from it.
    #[must_use]
    pub fn distance(&self, place: [f64; 2]) -> f64 {
        distance(nearest_on_segment(self.from, self.to, place), place)
    }

    /// A place between the ends, near the one nearest to `place`: on the grid of `per_square` lines a square where the
    /// edge meets it, else exactly on the edge in thousandths, else the nearest thousandths beside it. `None` where only
    /// an end is near.
    #[must_use]
    pub fn place_near(&self, place: [f64; 2], per_square: f64) -> Option<[f64; 2]> {
        let nearest = nearest_on_segment(self.from, self.to, place);
        let found = self
            .straight(nearest, per_square)
            .or_else(|| self.lattice(nearest, per_square, 0.75 / per_square))
            .or_else(|| self.lattice(nearest, FINEST, ALONG))
            .unwrap_or_else(|| round_to(nearest, FINEST));
        self.holds(found).then_some(found)
    }

    /// Where a line along an axis (0 is x) through a place meets the edge, in thousandths; `None` where it does not, or
    /// only at an end.
    #[must_use]
    pub fn crossing(&self, place: [f64; 2], axis: usize) -> Option<[f64; 2]> {
        let other = 1 - axis;
        let rise = self.to[other] - self.from[other];
        if rise == 0.0 {
            return None;
        }
        let part = (place[other] - self.from[other]) / rise;
        let mut on = place;
        on[axis] = self.from[axis] + part * (self.to[axis] - self.from[axis]);
        on[axis] = round_to(on, FINEST)[axis];
        (0.0 < part && part < 1.0 && self.holds(on)).then_some(on)
    }

    /// Whether a place lies between the ends, on the edge or by a rounding beside it.
    #[must_use]
    pub fn holds(&self, place: [f64; 2]) -> bool {
        let along = [self.to[0] - self.from[0], self.to[1] - self.from[1]];
        let part = (place[0] - self.from[0]) * along[0] + (place[1] - self.from[1]) * along[1];
        let length_squared = along[0] * along[0] + along[1] * along[1];
        let between = 0.0 < part && part < length_squared;
        between && place != self.from && place != self.to && self.distance(place) <= BESIDE
    }

    /// On an edge along an axis: the grid's place on it, or the nearest where that is past an end.
    fn straight(&self, nearest: [f64; 2], per_square: f64) -> Option<[f64; 2]> {
        let still = (0..2).find(|&axis| self.from[axis] == self.to[axis])?;
        let mut on = round_to(nearest, per_square);
        on[still] = self.from[still];
        if !self.holds(on) {
            on = round_to(nearest, FINEST);
            on[still] = self.from[still];
        }
        Some(on)
    }

    /// The place of a grid that lies exactly on the edge, within `reach` of the nearest one; both ends must lie on the
    /// grid.
    fn lattice(&self, nearest: [f64; 2], per_square: f64, reach: f64) -> Option<[f64; 2]> {
        let [from, to] = [self.from, self.to].map(|end| whole(end, per_square));
        let (from, to) = (from?, to?);
        let along = [to[0] - from[0], to[1] - from[1]];
        let pieces = gcd(along[0].unsigned_abs(), along[1].unsigned_abs());
        if pieces < 2 {
            return None;
        }
        let length = distance(self.from, self.to);
        #[allow(clippy::cast_precision_loss, reason = "below 2^33")]
        let part = distance(self.from, nearest) / length * pieces as f64;
        #[allow(clippy::cast_possible_truncation, reason = "between 1 and the number of pieces")]
        let index = (part.round() as i64).clamp(1, pieces as i64 - 1);
        let pieces = i64::try_from(pieces).ok()?;
        #[allow(clippy::cast_precision_loss, reason = "below 2^33")]
        let place: [f64; 2] =
            std::array::from_fn(|axis| (from[axis] + along[axis] / pieces * index) as f64 / per_square + 0.0);
        (distance(place, nearest) <= reach).then_some(place)
    }
}

/// A place as numbers of grid lines, if it lies on the grid.
fn whole(place: [f64; 2], per_square: f64) -> Option<[i64; 2]> {
    if round_to(place, per_square) != place {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "coordinates stay below 2^21, times a thousand")]
    Some(place.map(|value| (value * per_square).round() as i64))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The areas, but for those skipped, that get some of the places as new points, because one of their edges runs through
/// them: with these points.
#[must_use]
pub fn points_put_in(document: &Document, places: &[[f64; 2]], skip: &dyn Fn(AreaId) -> bool) -> Vec<Area> {
    let mut changed = Vec::new();
    for area in document.areas.iter().filter(|area| !skip(area.id)) {
        let mut now = Arc::clone(area);
        for &place in places.iter().filter(|place| !area.points.contains(place)) {
            let edge = super::pick::edges(&now.points)
                .find(|&(_, from, to)| Edge { from, to }.holds(place))
                .map(|(index, ..)| index);
            if let Some(edge) = edge.filter(|_| !now.points.contains(&place)) {
                now = Arc::new(now.with_point(edge, place));
            }
        }
        if !Arc::ptr_eq(&now, area) {
            changed.push((*now).clone());
        }
    }
    changed
}
