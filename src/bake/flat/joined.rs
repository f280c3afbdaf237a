//! The whole drawing joined and cut, before any tile: areas, pieces, holes and the seams between levels.

use super::components::{Components, Cover};
use super::frame::Frame;
use super::outline::{Drawing, NOT_WALKABLE, outline_diagnostics, prepare_outlines};
use super::overlay::{Overlay, overlay_all};
use super::seam_line::seam_pieces;
use super::seams::find_seams;
use crate::bake::{BakeError, Diagnostic, FlatInput, Seam};
use crate::format::NavSettings;
use crate::geom::grid::IntPoint;
use crate::geom::predicates::cross;
use crate::geom::union_find::UnionFind;

/// One level, joined and cut.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinedLevel {
    /// Its number.
    pub level: i8,
    /// Area in square world units.
    pub area: f64,
    /// Twice the area in square units of 1/(125·2^m), exactly; `None` where a corner lies between units.
    pub doubled_area_units: Option<i128>,
    /// Pieces connected through the open inside.
    pub components: usize,
    /// Bounded pieces of the rest of the plane.
    pub holes: usize,
    /// Outer and inner outlines as directed segments, the inside on the left, in world coordinates.
    pub outlines: Vec<[[f64; 2]; 2]>,
}

/// What the drawing is, joined and cut.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinedStage {
    /// Levels that areas stand on, ascending.
    pub levels: Vec<JoinedLevel>,
    /// The longest straight pieces that two levels share.
    pub seams: Vec<Seam>,
    /// Pieces of all levels together, joined over seams.
    pub components: usize,
    /// Units a world unit: `doubled_area_units / (2 · units_per_square²)` is the area.
    pub units_per_square: f64,
    /// Faults of single outlines.
    pub diagnostics: Vec<Diagnostic>,
}

/// Joins and cuts the drawing exactly, without tiles.
///
/// # Errors
/// As `bake_mesh`, for settings and limits.
pub fn join_levels(input: &FlatInput, settings: &NavSettings) -> Result<JoinedStage, BakeError> {
    settings.validate()?;
    let frame = Frame::new(settings)?;
    let outlines = prepare_outlines(input, &frame, |_| None)?;
    let drawing = Drawing::new(input, settings, frame, &outlines);
    let overlay = overlay_all(&drawing);
    let components = Components::new(&overlay, Cover::All);
    let pieces = seam_pieces(&drawing, &overlay, &components);
    let levels =
        (0..drawing.levels.len()).map(|level| joined_level(&drawing, &overlay, &components, level)).collect();
    let mut over_seams = UnionFind::new(components.count());
    for piece in &pieces {
        for left in &piece.left {
            piece.right.iter().for_each(|right| _ = over_seams.union(left.component, right.component));
        }
    }
    Ok(JoinedStage {
        levels,
        seams: find_seams(&drawing, &pieces),
        components: (0..components.count() as u32).filter(|&c| over_seams.find(c) == c).count(),
        units_per_square: drawing.frame.area_scale().sqrt(),
        diagnostics: outline_diagnostics(&outlines).cloned().collect(),
    })
}

fn joined_level(drawing: &Drawing, overlay: &Overlay, components: &Components, level: usize) -> JoinedLevel {
    let arrangement = &overlay.arrangement;
    let mut outlines = Vec::new();
    let (mut exact, mut doubled) = (Some(0_i128), 0.0_f64);
    let anchor = arrangement.places.first().map_or([0.0; 2], |_| arrangement.f64_of(0));
    let anchor_unit =
        if arrangement.places.is_empty() { IntPoint::default() } else { arrangement.floor_of(0) };
    for piece in 0..arrangement.pieces.len() as u32 {
        let (left, right) = overlay.sides(piece * 2, level);
        let half = match (left != NOT_WALKABLE, right != NOT_WALKABLE) {
            (true, false) => piece * 2,
            (false, true) => piece * 2 + 1,
            _ => continue,
        };
        let (from, to) = (arrangement.origin(half), arrangement.origin(half ^ 1));
        let (a, b) = (arrangement.f64_of(from), arrangement.f64_of(to));
        doubled += (a[0] - anchor[0]) * (b[1] - anchor[1]) - (a[1] - anchor[1]) * (b[0] - anchor[0]);
        exact = exact
            .zip(arrangement.exact_of(from).zip(arrangement.exact_of(to)))
            .and_then(|(sum, (a, b))| sum.checked_add(cross(a - anchor_unit, b - anchor_unit)));
        let frame = &drawing.frame;
        outlines.push([frame.world_from_unit(a[0], a[1]), frame.world_from_unit(b[0], b[1])]);
    }
    let scale = 2.0 * drawing.frame.area_scale();
    JoinedLevel {
        level: drawing.levels[level],
        area: exact.map_or(doubled, |exact| exact as f64) / scale,
        doubled_area_units: exact,
        components: components.count_on(level),
        holes: count_holes(overlay, level),
        outlines,
    }
}

/// Closed pieces of the rest of the plane, joined at points too, other than the unbounded one.
fn count_holes(overlay: &Overlay, level: usize) -> usize {
    let faces = overlay.faces.count;
    let mut sets = UnionFind::new(faces);
    let closed = |half: u32| {
        let face = overlay.faces.of_half[half as usize];
        (overlay.label(face, level) == NOT_WALKABLE).then_some(face)
    };
    for node in 0..overlay.arrangement.places.len() as u32 {
        let mut first = None;
        for face in overlay.arrangement.outgoing(node).iter().filter_map(|&half| closed(half)) {
            let with = *first.get_or_insert(face);
            sets.union(with, face);
        }
    }
    let outside = sets.find(0);
    (0..faces as u32)
        .filter(|&face| {
            overlay.label(face, level) == NOT_WALKABLE && sets.find(face) == face && face != outside
        })
        .count()
}
