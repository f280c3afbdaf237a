//! Parts of levels that clearance removes whole.

use std::collections::BTreeMap;

use crate::bake::flat::components::{Components, Cover};
use crate::bake::flat::cut::ColumnInput;
use crate::bake::flat::outline::{Drawing, NOT_WALKABLE};
use crate::bake::flat::overlay::Overlay;
use crate::bake::flat::survey::{BorderRun, border_runs};
use crate::bake::{AreaKind, Diagnostic, DiagnosticKind, Element, FlatInput};

/// The parts of a column's levels before seams join them, as drawn.
#[derive(Debug)]
pub(crate) struct ClearedParts {
    pub(crate) parts: Vec<ClearedPart>,
    pub(crate) borders: [Vec<BorderRun>; 4],
}

/// One of them, in units.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClearedPart {
    level: usize,
    doubled_area: f64,
    /// What clearance leaves of it.
    left_doubled_area: f64,
    perimeter: f64,
    /// Its longest outline edge: the length, the middle, and the direction into the part; a walk area's, if one has any.
    longest: f64,
    middle: [f64; 2],
    inward: [f64; 2],
    /// The walk area whose edge that is: owner number in the column, then ring.
    owner: Option<u32>,
}

impl ClearedPart {
    /// Whether clearance leaves more of it than hairs that rounding leaves, a few units wide.
    fn is_left(&self) -> bool {
        self.left_doubled_area > 32.0 * self.perimeter
    }

    /// Puts two pieces of one part together.
    fn add(&mut self, other: &Self) {
        self.left_doubled_area += other.left_doubled_area;
        self.doubled_area += other.doubled_area;
        self.perimeter += other.perimeter;
        if (other.owner.is_some(), other.longest) > (self.owner.is_some(), self.longest) {
            let Self { longest, middle, inward, owner, .. } = *other;
            *self = Self { longest, middle, inward, owner, ..*self };
        }
    }
}

/// Looks at a column's parts. `overlay`: of its window, clearance removed.
pub(crate) fn cleared_parts(drawing: &Drawing, column: &ColumnInput, overlay: &Overlay) -> ClearedParts {
    let components = Components::as_drawn(overlay, Cover::Tile);
    let mut parts: Vec<ClearedPart> = (0..components.count() as u32)
        .map(|part| ClearedPart { level: components.level(part), ..ClearedPart::default() })
        .collect();
    let arrangement = &overlay.arrangement;
    let origin = [column.square.low.x as f64, column.square.low.z as f64];
    let face = |half: u32| overlay.faces.of_half[half as usize];
    for half in 0..arrangement.pieces.len() as u32 * 2 {
        if !components.covers(face(half)) {
            continue;
        }
        for level in 0..overlay.level_count() {
            if overlay.drawn_label(face(half), level) == NOT_WALKABLE {
                continue;
            }
            let part = &mut parts[components.on_level(face(half), level) as usize];
            let [a, b] = [half, half ^ 1].map(|half| arrangement.f64_of(arrangement.origin(half)));
            let d = [b[0] - a[0], b[1] - a[1]];
            let doubled = (a[0] - origin[0]) * d[1] - (a[1] - origin[1]) * d[0];
            if overlay.label(face(half), level) != NOT_WALKABLE {
                part.left_doubled_area += doubled;
            }
            let is_outline = overlay.drawn_label(face(half ^ 1), level) == NOT_WALKABLE;
            if !is_outline && components.covers(face(half ^ 1)) {
                continue;
            }
            part.doubled_area += doubled;
            if is_outline {
                let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
                let owners =
                    arrangement.members(half / 2).iter().map(|m| arrangement.edges[m.edge as usize].owner);
                let is_walk = |&owner: &u32| {
                    let ring = column.rings.get(owner as usize);
                    ring.is_some_and(|&ring| drawing.rings[ring as usize].kind == AreaKind::Walk)
                };
                part.add(&ClearedPart {
                    perimeter: length,
                    longest: length,
                    middle: [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])],
                    inward: [-d[1] / length, d[0] / length],
                    owner: owners.filter(is_walk).max(),
                    ..ClearedPart::default()
                });
            }
        }
    }
    ClearedParts { parts, borders: std::array::from_fn(|side| border_runs(overlay, &components, side)) }
}

/// Reports each part of a level that clearance leaves nothing of. `parts`: those of all columns, with the number of the
/// whole part each belongs to, their owners being rings.
pub(crate) fn report_vanished(
    input: &FlatInput,
    drawing: &Drawing,
    parts: impl Iterator<Item = (u32, ClearedPart)>,
    radius: f32,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut whole: BTreeMap<u32, ClearedPart> = BTreeMap::new();
    for (number, part) in parts {
        let start = ClearedPart { level: part.level, ..ClearedPart::default() };
        whole.entry(number).or_insert(start).add(&part);
    }
    for part in whole.values().filter(|part| !part.is_left()) {
        // No part's clearance is less than its area by its outline: about half its mean width.
        let half_width = part.doubled_area / 2.0 / part.perimeter;
        let inside = |i: usize| part.middle[i] + part.inward[i] * half_width;
        let level = drawing.levels[part.level];
        let measured = drawing.frame.length_from_units(half_width);
        let area = part.owner.map(|ring| &input.areas[drawing.rings[ring as usize].area]);
        let name = area.map_or_else(String::new, |area| format!(" ({})", area.name));
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::VanishedUnderRadius,
            place: drawing.frame.world_from_unit(inside(0), inside(1)),
            level,
            element: area.map_or(Element::Level(level), |area| Element::Area(area.id)),
            measured,
            limit: f64::from(radius),
            message: format!(
                "a part of level {level}{name} vanishes: no place of it lies {radius} from its walls; half its mean width is {measured:.3}"
            ),
        });
    }
}

impl ClearedParts {
    /// The parts with rings as owners.
    pub(crate) fn with_rings<'a>(&'a self, rings: &'a [u32]) -> impl Iterator<Item = ClearedPart> + 'a {
        self.parts.iter().map(|part| {
            let owner = part.owner.map(|owner| rings[owner as usize]);
            ClearedPart { owner, ..*part }
        })
    }
}
