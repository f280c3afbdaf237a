//! The whole drawing joined and cut, before any tile: areas, pieces, holes and the seams between levels.

use std::collections::BTreeMap;

use super::outline::{Drawing, NOT_WALKABLE, prepare};
use super::overlay::{Overlay, overlay_all};
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
    let mut diagnostics = Vec::new();
    let drawing = prepare(input, settings, &mut diagnostics)?;
    let overlay = overlay_all(&drawing);
    let components = Components::new(&overlay);
    let levels =
        (0..drawing.levels.len()).map(|level| joined_level(&drawing, &overlay, &components, level)).collect();
    Ok(JoinedStage {
        levels,
        seams: find_seams(&drawing, &overlay),
        components: components.over_seams_count,
        units_per_square: drawing.frame.area_scale().sqrt(),
        diagnostics,
    })
}

/// Which walkable faces belong together, per level and over seams.
#[derive(Debug)]
pub(crate) struct Components {
    /// Per face and level: the component over seams, numbered from 0; `u32::MAX` where not walkable.
    over_seams: Vec<u32>,
    /// The same before seams join: any member's cell stands for the component.
    on_level: Vec<u32>,
    level_count: usize,
    per_level: Vec<usize>,
    /// How many there are over seams.
    pub(crate) over_seams_count: usize,
}

impl Components {
    pub(crate) fn new(overlay: &Overlay) -> Self {
        let levels = overlay.level_count();
        let mut sets = UnionFind::new(overlay.faces.count * levels);
        let cell = |face: u32, level: usize| face * levels as u32 + level as u32;
        let face = |half: u32| overlay.faces.of_half[half as usize];
        let pieces = 0..overlay.arrangement.pieces.len() as u32;
        for piece in pieces.clone() {
            for level in 0..levels {
                let (left, right) = overlay.sides(piece * 2, level);
                if left != NOT_WALKABLE && right != NOT_WALKABLE {
                    sets.union(cell(face(piece * 2), level), cell(face(piece * 2 + 1), level));
                }
            }
        }
        let count_roots = |sets: &mut UnionFind, level: usize| {
            let faces = 0..overlay.faces.count as u32;
            faces
                .filter(|&f| {
                    overlay.label(f, level) != NOT_WALKABLE && sets.find(cell(f, level)) == cell(f, level)
                })
                .count()
        };
        // The least member of a set may be any face of the level, so roots of one level stay on it.
        let per_level = (0..levels).map(|level| count_roots(&mut sets, level)).collect();
        let on_level = (0..(overlay.faces.count * levels) as u32).map(|cell| sets.find(cell)).collect();
        for piece in pieces {
            let (left, right) = overlay.seam_levels(piece);
            for &l in &left {
                for &r in &right {
                    sets.union(cell(face(piece * 2), l), cell(face(piece * 2 + 1), r));
                }
            }
        }
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut over_seams = vec![u32::MAX; overlay.faces.count * levels];
        for f in 0..overlay.faces.count as u32 {
            for level in 0..levels {
                if overlay.label(f, level) != NOT_WALKABLE {
                    let next = numbers.len() as u32;
                    let number = *numbers.entry(sets.find(cell(f, level))).or_insert(next);
                    over_seams[cell(f, level) as usize] = number;
                }
            }
        }
        Self { over_seams, on_level, level_count: levels, per_level, over_seams_count: numbers.len() }
    }

    /// The component of a face on a level by itself.
    pub(crate) fn on_level(&self, face: u32, level: usize) -> u32 {
        self.on_level[face as usize * self.level_count + level]
    }

    /// The component of a face on a level, over seams.
    pub(crate) fn of(&self, face: u32, level: usize) -> u32 {
        self.over_seams[face as usize * self.level_count + level]
    }
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
        components: components.per_level[level],
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

/// The seams between each pair of levels as the longest straight pieces, sorted.
pub(crate) fn find_seams(drawing: &Drawing, overlay: &Overlay) -> Vec<Seam> {
    let arrangement = &overlay.arrangement;
    // Per pair of levels and side: node → the half that leaves it.
    let mut leaving: BTreeMap<(usize, usize), BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for piece in 0..arrangement.pieces.len() as u32 {
        let (left, right) = overlay.seam_levels(piece);
        for &l in &left {
            for &r in &right {
                // The lower level lies left of the half.
                let (pair, half) = if l < r { ((l, r), piece * 2) } else { ((r, l), piece * 2 + 1) };
                leaving.entry(pair).or_default().entry(arrangement.origin(half)).or_default().push(half);
            }
        }
    }
    let mut seams = Vec::new();
    for ((low, high), halves) in leaving {
        let straight = |from: u32, node: u32| {
            let candidates = halves.get(&node).map_or(&[][..], Vec::as_slice);
            let d = arrangement.direction(from);
            candidates.iter().copied().find(|&next| {
                cross(d, arrangement.direction(next)) == 0
                    && crate::geom::predicates::dot(d, arrangement.direction(next)) > 0
            })
        };
        let mut continued: Vec<u32> = halves
            .values()
            .flatten()
            .filter_map(|&half| straight(half, arrangement.origin(half ^ 1)))
            .collect();
        continued.sort_unstable();
        for &first in halves.values().flatten() {
            if continued.binary_search(&first).is_ok() {
                continue;
            }
            let mut last = first;
            while let Some(next) = straight(last, arrangement.origin(last ^ 1)) {
                last = next;
            }
            let world = |node: u32| {
                let [x, z] = arrangement.f64_of(node);
                drawing.frame.world_from_unit(x, z)
            };
            let (mut from, mut to) = (world(arrangement.origin(first)), world(arrangement.origin(last ^ 1)));
            if (to[0], to[1]) < (from[0], from[1]) {
                std::mem::swap(&mut from, &mut to);
            }
            seams.push(Seam { levels: [drawing.levels[low], drawing.levels[high]], from, to });
        }
    }
    seams.sort_by(|a, b| {
        a.levels.cmp(&b.levels).then(a.from[0].total_cmp(&b.from[0])).then(a.from[1].total_cmp(&b.from[1]))
    });
    seams
}
