//! Drawn areas as rings on the unit grid, and what is wrong with a ring by itself.

use super::frame::Frame;
use crate::bake::limits::MAX_OUTLINE_POINTS;
use crate::bake::{AreaKind, BakeError, Diagnostic, DiagnosticKind, Element, FlatArea, FlatInput, Surface};
use crate::format::{NavSettings, WORLD_BOUND};
use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::predicates::{doubled_area, orient};

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
    /// Closed, without zero-length edges; 3 or more points, or as few as are left.
    pub(crate) points: Vec<IntPoint>,
    pub(crate) bounds: IntBox,
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

/// Takes the drawing to the unit grid. Outlines that cannot be baked are left out, with a diagnostic.
///
/// # Errors
/// More points than [`MAX_OUTLINE_POINTS`]; settings that no grid fits.
pub(crate) fn prepare(
    input: &FlatInput,
    settings: &NavSettings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Drawing, BakeError> {
    let frame = Frame::new(settings)?;
    let point_count: usize = input.areas.iter().map(|area| area.outline.len()).sum();
    if point_count > MAX_OUTLINE_POINTS {
        return Err(BakeError::Limit {
            name: "number of outline points",
            value: point_count.to_string(),
            limit: MAX_OUTLINE_POINTS.to_string(),
        });
    }
    let mut levels: Vec<i8> = input.areas.iter().map(|area| area.level).collect();
    levels.sort_unstable();
    levels.dedup();
    let elevations = levels.iter().map(|&level| settings.height + input.elevation(level)).collect();
    let mut drawing = Drawing { frame, levels, labels: Vec::new(), rings: Vec::new(), elevations };
    for (index, area) in input.areas.iter().enumerate() {
        if let Some(points) = ring_points(area, &frame, diagnostics) {
            let label =
                if area.kind == AreaKind::Walk { drawing.label_of(area, settings) } else { NOT_WALKABLE };
            let level = drawing.levels.partition_point(|&level| level < area.level);
            let bounds = IntBox::around(points.iter().copied());
            drawing.rings.push(Ring { area: index, level, kind: area.kind, label, points, bounds });
        }
    }
    Ok(drawing)
}

impl Drawing {
    fn label_of(&mut self, area: &FlatArea, settings: &NavSettings) -> u32 {
        let own_surface = (area.surface != Surface::Level).then_some(self.rings.len() as u32);
        let label = Label {
            area_type: area.area_type.unwrap_or(settings.area),
            flags: area.flags.unwrap_or((settings.flags & 0xFF) as u8),
            surface: own_surface,
        };
        let found = self.labels.iter().position(|&known| known == label);
        found.unwrap_or_else(|| {
            self.labels.push(label);
            self.labels.len() - 1
        }) as u32
    }
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
