//! What the drawing says of heights: lengths and steps of seams, slopes of ramps.

use std::collections::BTreeMap;

use crate::bake::{AreaKind, Seam, Surface};
use crate::draw::{Anchor, Role, Shape, Sign, View};
use crate::editor::canvas::pick::{distance, edges, nearest_on_segment};
use crate::editor::state::State;
use crate::editor::words;
use crate::project::{Area, Document};

/// Seams and ramps smaller than this on screen have no words, in pixels.
const WORDS_FROM: f64 = 36.0;
/// Most seams and ramps with words.
const MOST: usize = 300;
/// A seam lies on a point or an edge that is no farther away, in squares.
const ON_SEAM: f64 = 1e-4;

/// How a sloped area rises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// From its lowest to its highest side, through its middle.
    pub from: [f64; 2],
    #[allow(missing_docs, reason = "said above")]
    pub to: [f64; 2],
    /// Highest less lowest point.
    pub rise: f64,
    /// Of the plane nearest to its points.
    pub degrees: f64,
}

/// Words at the seams and ramps of the current level that are in sight.
#[must_use]
pub fn level_notes(state: &State, view: &View) -> Vec<Shape> {
    let (document, level) = (state.document(), state.level);
    let Some(baked) = state.bake.shown.as_ref() else { return Vec::new() };
    let mut shapes = Vec::new();
    let [low, high] = view.shown();
    let in_sight = |p: [f64; 2]| (0..2).all(|axis| low[axis] <= p[axis] && p[axis] <= high[axis]);
    let long = |seam: &&Seam| {
        distance(seam.from, seam.to) * view.scale >= WORDS_FROM && seam.levels.contains(&level)
    };
    // Seams that several pairs of levels have at one place stand one below the other.
    let mut lines: BTreeMap<[i64; 2], u8> = BTreeMap::new();
    for seam in baked.report.seams.iter().filter(long).take(MOST) {
        let middle = [0, 1].map(|axis| f64::midpoint(seam.from[axis], seam.to[axis]));
        if !in_sight(middle) {
            continue;
        }
        let [a, b] = seam.levels;
        let mut text = format!("level {a} ↔ {b}, {:.1} squares", distance(seam.from, seam.to));
        if let Some(step) = step_at(document, seam, middle).filter(|step| *step > 5e-4) {
            text += &format!(", step {}", words::number(step));
        }
        // Beside the seam, on the side where there is room above it.
        let along = [seam.to[0] - seam.from[0], seam.to[1] - seam.from[1]];
        let length = along[0].hypot(along[1]);
        let up = if along[0] >= 0.0 { 1.0 } else { -1.0 };
        let off = 13.0 / view.scale;
        let at = [middle[0] - up * along[1] / length * off, middle[1] + up * along[0] / length * off];
        #[allow(clippy::cast_possible_truncation, reason = "thousandths within the world's bound")]
        let line = lines.entry(middle.map(|value| (value * 1000.0) as i64)).or_default();
        let below = f64::from(*line) * 14.0 / view.scale;
        *line = line.saturating_add(1);
        let steep = along[1].abs() > along[0].abs();
        let anchor = if steep { Anchor::Left } else { Anchor::Center };
        let at =
            if steep { [middle[0] + 10.0 / view.scale, middle[1] - below] } else { [at[0], at[1] + below] };
        shapes.push(Shape::Text { at, text, anchor, role: Role::Label });
    }
    let sloped = |area: &&std::sync::Arc<Area>| {
        area.level == level && area.kind == AreaKind::Walk && area.surface != Surface::Level
    };
    for area in document.areas.iter().filter(sloped).take(MOST) {
        let Some(slope) = slope(document, &baked.report.seams, area) else { continue };
        let middle = [0, 1].map(|axis| f64::midpoint(slope.from[axis], slope.to[axis]));
        if distance(slope.from, slope.to) * view.scale < WORDS_FROM * 0.6 || !in_sight(middle) {
            continue;
        }
        let direction = [slope.to[0] - slope.from[0], slope.to[1] - slope.from[1]];
        shapes.push(Shape::Polyline { points: vec![slope.from, slope.to], closed: false, role: Role::Draft });
        shapes.push(Shape::Marker { at: slope.to, sign: Sign::ArrowHead(direction), role: Role::Label });
        let text = format!("+{}, {:.1}°", words::number(slope.rise), slope.degrees);
        // Well below the arrow, where words of a seam beside it do not reach.
        let below = [middle[0], middle[1] - 24.0 / view.scale];
        shapes.push(Shape::Text { at: below, text, anchor: Anchor::Center, role: Role::Label });
    }
    shapes
}

/// How far apart in height the two sides of a seam are drawn at a place of it; `None` where a ramp takes the step.
fn step_at(document: &Document, seam: &Seam, place: [f64; 2]) -> Option<f64> {
    let [a, b] = seam.levels.map(|level| side_height(document, level, place));
    Some((a? - b?).abs())
}

fn side_height(document: &Document, level: i8, place: [f64; 2]) -> Option<f64> {
    let mut height = Some(document.elevation(level));
    for area in document.areas.iter().filter(|area| area.level == level && area.kind == AreaKind::Walk) {
        for (index, a, b) in edges(&area.points) {
            if distance(nearest_on_segment(a, b, place), place) > ON_SEAM {
                continue;
            }
            height = match &area.surface {
                Surface::Level => height,
                Surface::Ramp => None,
                Surface::Heights(heights) => {
                    let part = distance(a, place) / distance(a, b).max(f64::MIN_POSITIVE);
                    let (from, to) = (heights.get(index)?, heights.get((index + 1) % heights.len())?);
                    Some(from + part * (to - from))
                }
            };
        }
    }
    height
}

/// The heights of an area's points, as the bake has them.
#[must_use]
pub fn heights(document: &Document, seams: &[Seam], area: &Area) -> Vec<f64> {
    let own = document.elevation(area.level);
    match &area.surface {
        Surface::Level => vec![own; area.points.len()],
        Surface::Heights(heights) => heights.clone(),
        Surface::Ramp => {
            let of_point = |&point: &[f64; 2]| {
                let on =
                    |seam: &&Seam| distance(nearest_on_segment(seam.from, seam.to, point), point) <= ON_SEAM;
                let others = seams.iter().filter(on).filter_map(|seam| match seam.levels {
                    [a, b] if a == area.level => Some(b),
                    [a, b] if b == area.level => Some(a),
                    _ => None,
                });
                // The nearest level's number first, then the higher.
                let away = |level: &i8| (i16::from(*level) - i16::from(area.level)).abs();
                let other = others.min_by_key(|level| (away(level), -i16::from(*level)));
                other.map_or(own, |level| document.elevation(level))
            };
            area.points.iter().map(of_point).collect()
        }
    }
}

/// How an area rises, by the plane nearest to its points; `None` for a flat one.
#[must_use]
pub fn slope(document: &Document, seams: &[Seam], area: &Area) -> Option<Slope> {
    let heights = heights(document, seams, area);
    let count = area.points.len() as f64;
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / count;
    let middle = [0, 1].map(|axis| mean(&mut area.points.iter().map(|point| point[axis])));
    let level = mean(&mut heights.iter().copied());
    let (mut xx, mut xz, mut zz, mut xh, mut zh) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (point, height) in area.points.iter().zip(&heights) {
        let (x, z, h) = (point[0] - middle[0], point[1] - middle[1], height - level);
        (xx, xz, zz, xh, zh) = (xx + x * x, xz + x * z, zz + z * z, xh + x * h, zh + z * h);
    }
    let determinant = xx * zz - xz * xz;
    if determinant.abs() < 1e-12 {
        return None;
    }
    let gradient = [(xh * zz - zh * xz) / determinant, (zh * xx - xh * xz) / determinant];
    let steepness = gradient[0].hypot(gradient[1]);
    if steepness < 1e-6 {
        return None;
    }
    let up = gradient.map(|value| value / steepness);
    let along = |point: &[f64; 2]| (point[0] - middle[0]) * up[0] + (point[1] - middle[1]) * up[1];
    let reach = area.points.iter().map(along);
    let (low, high) = (reach.clone().fold(0.0, f64::min), reach.fold(0.0, f64::max));
    let at = |length: f64| [middle[0] + up[0] * length, middle[1] + up[1] * length];
    let (least, most) =
        heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &h| (a.min(h), b.max(h)));
    let degrees = steepness.atan().to_degrees();
    Some(Slope { from: at(low * 0.7), to: at(high * 0.7), rise: most - least, degrees })
}
