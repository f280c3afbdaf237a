//! Drawn areas as rings on the unit grid, and what is wrong with a ring by itself.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::edge_index::EdgeIndex;
use super::frame::Frame;
use crate::bake::limits::MAX_OUTLINE_POINTS;
use crate::bake::{AreaKind, BakeError, Diagnostic, DiagnosticKind, Element, FlatArea, FlatInput, Surface};
use crate::format::{NavSettings, WORLD_BOUND};
use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::predicates::{doubled_area, orient};
use crate::geom::ring::winding_of_edge;

/// What one area's points alone give; shared from one bake to the next while the area stays as it is.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Closed, without zero-length edges, 3 or more points; empty where nothing can be baked.
    pub(crate) points: Vec<IntPoint>,
    pub(crate) bounds: IntBox,
    diagnostics: Vec<Diagnostic>,
    index: OnceLock<EdgeIndex>,
}

/// Outlines of so many points, over so many tiles, are worth an index.
const INDEXED_POINTS: usize = 64;
const INDEXED_TILES: i64 = 4;

/// One area's outline on the unit grid.
#[derive(Clone, Debug)]
pub(crate) struct Ring {
    /// Index into `FlatInput::areas`.
    pub(crate) area: usize,
    /// Index into [`Drawing::levels`].
    pub(crate) level: usize,
    pub(crate) kind: AreaKind,
    /// Index into [`Drawing::labels`] (walk areas).
    pub(crate) label: u32,
    /// Whether its points take other levels' heights where they lie on seams.
    pub(crate) is_ramp: bool,
    outline: Arc<Outline>,
}

impl Ring {
    /// Closed, without zero-length edges; 3 or more points.
    pub(crate) fn points(&self) -> &[IntPoint] {
        &self.outline.points
    }

    /// Calls `visit` with the edges (from, to) that meet a box, in order around the ring.
    pub(crate) fn edges_in(&self, frame: &Frame, bounds: &IntBox, mut visit: impl FnMut(IntPoint, IntPoint)) {
        let points = self.points();
        let mut try_edge = |edge: usize| {
            let (from, to) = (points[edge], points[(edge + 1) % points.len()]);
            if IntBox::around([from, to]).meets(bounds) {
                visit(from, to);
            }
        };
        match self.index(frame) {
            Some(index) => index.near(frame, bounds).into_iter().for_each(|edge| try_edge(edge as usize)),
            None => (0..points.len()).for_each(try_edge),
        }
    }

    /// The winding number just right of and above `p`: at (x + ε, z + ε²).
    pub(crate) fn winding_beside(&self, frame: &Frame, p: IntPoint) -> i32 {
        let points = self.points();
        let edge = |edge: usize| (points[edge], points[(edge + 1) % points.len()]);
        match self.index(frame) {
            Some(index) => {
                let edges = index.above_or_below(frame, p.x).iter();
                edges.map(|&i| edge(i as usize)).map(|(from, to)| winding_of_edge(from, to, p)).sum()
            }
            None => (0..points.len()).map(edge).map(|(from, to)| winding_of_edge(from, to, p)).sum(),
        }
    }

    fn index(&self, frame: &Frame) -> Option<&EdgeIndex> {
        let tiles = |low: i64, high: i64| frame.tile_of(high) - frame.tile_of(low);
        let (low, high) = (self.bounds().low, self.bounds().high);
        let is_long = self.points().len() >= INDEXED_POINTS
            && tiles(low.x, high.x) + tiles(low.z, high.z) >= INDEXED_TILES;
        is_long.then(|| self.outline.index.get_or_init(|| EdgeIndex::new(frame, self.points())))
    }

    /// Whether both have the points of one bake's outline.
    pub(crate) fn is_same_outline(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outline, &other.outline)
    }

    /// The box around its points.
    pub(crate) fn bounds(&self) -> &IntBox {
        &self.outline.bounds
    }
}

/// What a polygon of the mesh says of itself: areas with one label join without a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Label {
    pub(crate) area_type: u8,
    pub(crate) flags: u8,
    /// Ring whose own surface it is; `None` at its level's elevation.
    pub(crate) surface: Option<u32>,
}

/// No label: not walkable.
pub(crate) const NOT_WALKABLE: u32 = u32::MAX;

/// All areas, ready for exact arithmetic.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub(crate) frame: Frame,
    /// Level numbers that areas stand on, ascending.
    pub(crate) levels: Vec<i8>,
    pub(crate) labels: Vec<Label>,
    pub(crate) rings: Vec<Ring>,
    /// World elevation of each level, plane height included.
    pub(crate) elevations: Vec<f64>,
}

/// Takes each area's outline to the unit grid; `old` gives the outline of an area that did not change.
///
/// # Errors
/// More points than [`MAX_OUTLINE_POINTS`].
pub(crate) fn prepare_outlines(
    input: &FlatInput,
    frame: &Frame,
    old: impl Fn(usize) -> Option<Arc<Outline>>,
) -> Result<Vec<Arc<Outline>>, BakeError> {
    let point_count: usize = input.areas.iter().map(|area| area.outline.len()).sum();
    if point_count > MAX_OUTLINE_POINTS {
        return Err(BakeError::Limit {
            name: "number of outline points",
            value: point_count.to_string(),
            limit: MAX_OUTLINE_POINTS.to_string(),
        });
    }
    let outline = |(index, area)| old(index).unwrap_or_else(|| Arc::new(prepare_outline(area, frame)));
    Ok(input.areas.iter().enumerate().map(outline).collect())
}

fn prepare_outline(area: &FlatArea, frame: &Frame) -> Outline {
    let mut diagnostics = Vec::new();
    let points = ring_points(area, frame, &mut diagnostics).unwrap_or_default();
    report_close_points(area, &mut diagnostics);
    report_spikes(area, &mut diagnostics);
    let bounds = IntBox::around(points.iter().copied());
    Outline { bounds, points, diagnostics, index: OnceLock::new() }
}

/// Neighbouring points of an outline nearer than a thousandth.
fn report_close_points(area: &FlatArea, diagnostics: &mut Vec<Diagnostic>) {
    const LIMIT: f64 = 0.001;
    let count = area.outline.len();
    for (index, &a) in area.outline.iter().enumerate() {
        let b = area.outline[(index + 1) % count];
        let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
        // A thousandth drawn is a thousandth, whatever f64 makes of the difference.
        if distance < LIMIT * (1.0 - 1e-6) && count > 1 {
            let next = (index + 1) % count + 1;
            diagnostics.push(Diagnostic {
                kind: DiagnosticKind::PointsTooClose,
                place: a,
                level: area.level,
                element: Element::Point { area: area.id, index },
                measured: distance,
                limit: LIMIT,
                message: format!(
                    "{}: points {} and {next} lie {distance:.6} apart, nearer than {LIMIT}",
                    area.name,
                    index + 1
                ),
            });
        }
    }
}

/// Corners at which an outline turns back on itself, leaving a spike thinner than a thousandth. Its width is that of
/// the shorter edge's other end from the longer edge.
fn report_spikes(area: &FlatArea, diagnostics: &mut Vec<Diagnostic>) {
    const LIMIT: f64 = 0.001;
    let count = area.outline.len();
    for index in 0..count {
        let (before, tip, after) = (
            area.outline[(index + count - 1) % count],
            area.outline[index],
            area.outline[(index + 1) % count],
        );
        let (a, b) = ([before[0] - tip[0], before[1] - tip[1]], [after[0] - tip[0], after[1] - tip[1]]);
        let (length_a, length_b) = (a[0].hypot(a[1]), b[0].hypot(b[1]));
        let (short, long) = (length_a.min(length_b), length_a.max(length_b));
        let forward = a[0] * b[0] + a[1] * b[1] > 0.0;
        let width = (a[0] * b[1] - a[1] * b[0]).abs() / long;
        // Nearer than the limit to the tip it is a point too close, not a spike. A comparison with NaN is false.
        if count > 3 && forward && short >= LIMIT && width < LIMIT * (1.0 - 1e-6) {
            diagnostics.push(Diagnostic {
                kind: DiagnosticKind::PointsTooClose,
                place: tip,
                level: area.level,
                element: Element::Point { area: area.id, index },
                measured: width,
                limit: LIMIT,
                message: format!(
                    "{}: point {} is the tip of a spike {width:.6} wide, thinner than {LIMIT}",
                    area.name,
                    index + 1
                ),
            });
        }
    }
}

impl Drawing {
    /// All areas that can be baked. `outlines`: one per area.
    pub(crate) fn new(
        input: &FlatInput,
        settings: &NavSettings,
        frame: Frame,
        outlines: &[Arc<Outline>],
    ) -> Self {
        let mut stands = [false; 256];
        input.areas.iter().for_each(|area| stands[usize::from(area.level as u8)] = true);
        let levels: Vec<i8> = (i8::MIN..=i8::MAX).filter(|&level| stands[usize::from(level as u8)]).collect();
        let elevations = levels.iter().map(|&level| settings.height + input.elevation(level)).collect();
        let mut drawing = Self { frame, levels, labels: Vec::new(), rings: Vec::new(), elevations };
        let mut label_of: BTreeMap<Label, u32> = BTreeMap::new();
        for (index, (area, outline)) in input.areas.iter().zip(outlines).enumerate() {
            if outline.points.is_empty() {
                continue;
            }
            let is_walk = area.kind == AreaKind::Walk;
            let own_surface = (area.surface != Surface::Level).then_some(drawing.rings.len() as u32);
            let label = Label {
                area_type: area.area_type.unwrap_or(settings.area),
                flags: area.flags.unwrap_or((settings.flags & 0xFF) as u8),
                surface: own_surface,
            };
            let label = if is_walk {
                let next = drawing.labels.len() as u32;
                let number = *label_of.entry(label).or_insert(next);
                if number == next {
                    drawing.labels.push(label);
                }
                number
            } else {
                NOT_WALKABLE
            };
            drawing.rings.push(Ring {
                area: index,
                level: drawing.levels.partition_point(|&level| level < area.level),
                kind: area.kind,
                label,
                is_ramp: is_walk && area.surface == Surface::Ramp,
                outline: outline.clone(),
            });
        }
        drawing
    }
}

/// What the outlines say of themselves, in order.
pub(crate) fn outline_diagnostics(outlines: &[Arc<Outline>]) -> impl Iterator<Item = &Diagnostic> {
    outlines.iter().flat_map(|outline| &outline.diagnostics)
}

/// The outline on the unit grid without repeated points; `None` with a diagnostic where nothing can be baked.
fn ring_points(area: &FlatArea, frame: &Frame, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<IntPoint>> {
    let mut report = |kind, place: [f64; 2], element, measured, limit, message: String| {
        let place = if place.iter().all(|v| v.is_finite()) { place } else { [0.0; 2] };
        diagnostics.push(Diagnostic { kind, place, level: area.level, element, measured, limit, message });
    };
    let mut points: Vec<IntPoint> = Vec::with_capacity(area.outline.len());
    for (index, &world) in area.outline.iter().enumerate() {
        let inside = world.iter().all(|v| v.is_finite() && v.abs() < WORLD_BOUND);
        let Some(point) = inside.then(|| frame.unit_from_world(world)).flatten() else {
            let worst = if world[0].abs() < WORLD_BOUND { world[1] } else { world[0] };
            report(
                DiagnosticKind::OutOfRange,
                world,
                Element::Point { area: area.id, index },
                worst,
                WORLD_BOUND,
                format!(
                    "{}, point {}: ({}, {}) is too far out; coordinates lie inside ±2097152, and nearer for very small \
                     tiles or cells. The area is left out",
                    area.name,
                    index + 1,
                    world[0],
                    world[1]
                ),
            );
            return None;
        };
        if points.last() != Some(&point) {
            points.push(point);
        }
    }
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let first = area.outline.first().copied().unwrap_or_default();
    let mut distinct = points.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let on_one_line = distinct.windows(3).all(|w| orient(w[0], w[1], w[2]) == 0);
    if distinct.len() < 3 || on_one_line {
        let why = if distinct.len() < 3 {
            format!("has {} different points, an area needs 3", distinct.len())
        } else {
            "has no area: all its points lie on one line".to_owned()
        };
        report(
            DiagnosticKind::OutlineDegenerate,
            first,
            Element::Area(area.id),
            distinct.len() as f64,
            3.0,
            format!("{} {why}; it is left out", area.name),
        );
        return None;
    }
    debug_assert!(doubled_area(&points).checked_abs().is_some());
    Some(points)
}
