//! Gaps that look like a missed join: two facing outer edges of different pieces, less than a tenth apart.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::bake::flat::components::{Components, UNKNOWN};
use crate::bake::flat::frame::Frame;
use crate::bake::flat::outline::{Drawing, NOT_WALKABLE};
use crate::bake::flat::overlay::Overlay;
use crate::bake::flat::seam_line::SeamPiece;
use crate::bake::{Diagnostic, DiagnosticKind, Element};
use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::segment_grid::SegmentGrid;
use crate::geom::union_find::UnionFind;

/// Gaps of at least this, in squares, are meant.
const LIMIT: f64 = 0.1;
/// Edges that run apart by more than this sine of an angle (about 10°) are not taken for facing each other.
const LARGEST_SINE: f64 = 0.17;

/// An outer edge in units, the inside on its left.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    pub(super) from: [f64; 2],
    pub(super) to: [f64; 2],
    pub(super) level: usize,
    pub(crate) component: u32,
    pub(crate) owner: u32,
}

/// Two walls that face each other across a gap.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    /// Components and levels of both, numbered by the columns that they lie in.
    pub(crate) components: [u32; 2],
    pub(crate) levels: [usize; 2],
    /// The ring of the first wall's edge.
    pub(crate) owner: u32,
    pub(crate) units: f64,
    pub(crate) place: [f64; 2],
}

/// How far walls look for others, in units: a tenth of a square, but no farther than the next column.
pub(crate) fn gap_reach(frame: &Frame) -> i64 {
    frame.units_from_length(LIMIT).min(frame.tile_units())
}

/// The outer edges inside a tile.
pub(crate) fn walls_of(overlay: &Overlay, components: &Components) -> Vec<Wall> {
    let arrangement = &overlay.arrangement;
    let mut walls = Vec::new();
    for piece in 0..arrangement.pieces.len() as u32 {
        for level in 0..overlay.level_count() {
            let (left, right) = overlay.sides(piece * 2, level);
            let half = match (left != NOT_WALKABLE, right != NOT_WALKABLE) {
                (true, false) => piece * 2,
                (false, true) => piece * 2 + 1,
                _ => continue,
            };
            let component = components.on_level(overlay.faces.of_half[half as usize], level);
            if component != UNKNOWN {
                let edge = arrangement.members(piece).iter().map(|member| member.edge).max().unwrap_or(0);
                walls.push(Wall {
                    from: arrangement.f64_of(arrangement.origin(half)),
                    to: arrangement.f64_of(arrangement.origin(half ^ 1)),
                    level,
                    component,
                    owner: arrangement.edges[edge as usize].owner,
                });
            }
        }
    }
    walls
}

impl Wall {
    /// The box around it, grown by what rounding takes.
    fn bounds(&self) -> IntBox {
        let ends = [self.from, self.to].map(|[x, z]| IntPoint::new(x as i64, z as i64));
        IntBox::around(ends).grown(1)
    }

    /// The same edge with the inside on its right.
    pub(super) fn turned(&self) -> Self {
        Self { from: self.to, to: self.from, ..*self }
    }

    /// Whether something within `reach` of it may lie outside `square`.
    pub(crate) fn is_near_border(&self, square: &IntBox, reach: i64) -> bool {
        let around = self.bounds().grown(reach);
        !(square.contains(around.low) && square.contains(around.high))
    }
}

/// Facing walls of one tile in different components, seams considered.
pub(crate) fn gaps_within(drawing: &Drawing, walls: &[Wall], count: usize, seams: &[SeamPiece]) -> Vec<Gap> {
    if count < 2 {
        return Vec::new();
    }
    let mut joined = UnionFind::new(count);
    for piece in seams {
        for left in piece.left.iter().filter(|side| side.component != UNKNOWN) {
            for right in piece.right.iter().filter(|side| side.component != UNKNOWN) {
                joined.union(left.component, right.component);
            }
        }
    }
    let roots: Vec<u32> = (0..count as u32).map(|component| joined.find(component)).collect();
    let all: Vec<&Wall> = walls.iter().collect();
    facing_pairs(drawing, &all, |i, j| roots[all[i].component as usize] != roots[all[j].component as usize])
}

/// Facing walls, one of each list; the squares are the columns' that they lie in.
pub(crate) fn gaps_between(
    drawing: &Drawing,
    (here, here_square): (&[Wall], IntBox),
    (there, there_square): (&[Wall], IntBox),
) -> Vec<Gap> {
    let reach = gap_reach(&drawing.frame);
    let near = |walls: &'_ [Wall], square: IntBox| -> Vec<usize> {
        (0..walls.len()).filter(|&i| walls[i].bounds().grown(reach).meets(&square)).collect()
    };
    let (near_there, near_here) = (near(here, there_square), near(there, here_square));
    if near_there.is_empty() || near_here.is_empty() {
        return Vec::new();
    }
    let first = near_there.len();
    let all: Vec<&Wall> =
        near_there.iter().map(|&i| &here[i]).chain(near_here.iter().map(|&i| &there[i])).collect();
    facing_pairs(drawing, &all, |i, j| (i < first) != (j < first))
}

fn facing_pairs(drawing: &Drawing, walls: &[&Wall], wanted: impl Fn(usize, usize) -> bool) -> Vec<Gap> {
    let reach = gap_reach(&drawing.frame);
    // Each wall as a segment moved outwards by half the reach is near the other's moved the same way.
    let segments: Vec<(IntPoint, IntPoint)> =
        walls.iter().map(|wall| moved_out(wall, reach as f64 / 2.0)).collect();
    let mut gaps = Vec::new();
    SegmentGrid::new(&segments).pairs_near(&segments, reach, |i, j| {
        let (i, j) = (i as usize, j as usize);
        if wanted(i, j)
            && let Some((units, place)) = facing_gap(walls[i], walls[j], reach as f64)
        {
            let (a, b) = (walls[i], walls[j]);
            let (components, levels) = ([a.component, b.component], [a.level, b.level]);
            gaps.push(Gap { components, levels, owner: a.owner, units, place });
        }
    });
    gaps
}

/// Says each pair of components once, at its narrowest gap. `gaps`: between different components, numbered over the
/// whole drawing, with the id of the area that each gap's first wall belongs to.
pub(crate) fn report_gaps(
    drawing: &Drawing,
    gaps: impl Iterator<Item = (Gap, u64)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut narrowest: BTreeMap<(u32, u32), (Gap, u64)> = BTreeMap::new();
    for (gap, area) in gaps {
        let [a, b] = gap.components;
        let before = |other: &Gap| {
            let place =
                || gap.place[0].total_cmp(&other.place[0]).then(gap.place[1].total_cmp(&other.place[1]));
            gap.units.total_cmp(&other.units).then_with(place).is_lt()
        };
        match narrowest.entry((a.min(b), a.max(b))) {
            Entry::Vacant(entry) => _ = entry.insert((gap, area)),
            Entry::Occupied(mut entry) if before(&entry.get().0) => _ = entry.insert((gap, area)),
            Entry::Occupied(_) => {}
        }
    }
    for (gap, area) in narrowest.into_values() {
        let measured = drawing.frame.length_from_units(gap.units);
        let [level, other] = gap.levels.map(|level| drawing.levels[level]);
        let between = if level == other {
            format!("two parts of level {level}")
        } else {
            format!("levels {level} and {other}")
        };
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::MissedJoin,
            place: drawing.frame.world_from_unit(gap.place[0], gap.place[1]),
            level,
            element: Element::Area(area),
            measured,
            limit: LIMIT,
            message: format!("{between} lie {measured:.3} apart and are not joined; a gap under {LIMIT} looks like a missed join"),
        });
    }
}

fn direction(wall: &Wall) -> ([f64; 2], f64) {
    let d = [wall.to[0] - wall.from[0], wall.to[1] - wall.from[1]];
    let length = d[0].hypot(d[1]).max(f64::MIN_POSITIVE);
    ([d[0] / length, d[1] / length], length)
}

fn moved_out(wall: &Wall, distance: f64) -> (IntPoint, IntPoint) {
    let ([dx, dz], _) = direction(wall);
    let moved = |p: [f64; 2]| IntPoint::new((p[0] + dz * distance) as i64, (p[1] - dx * distance) as i64);
    (moved(wall.from), moved(wall.to))
}

/// The gap between two edges whose outsides face each other over some length, and its middle.
pub(super) fn facing_gap(a: &Wall, b: &Wall, reach: f64) -> Option<(f64, [f64; 2])> {
    let ((da, length), (db, _)) = (direction(a), direction(b));
    let sine = da[0] * db[1] - da[1] * db[0];
    let cosine = da[0] * db[0] + da[1] * db[1];
    if cosine > 0.0 || sine.abs() > LARGEST_SINE {
        return None;
    }
    // Along a, and to its right (outwards).
    let along = |p: [f64; 2]| (p[0] - a.from[0]) * da[0] + (p[1] - a.from[1]) * da[1];
    let out = |p: [f64; 2]| (p[0] - a.from[0]) * da[1] - (p[1] - a.from[1]) * da[0];
    let (low, high) = (along(b.to).max(0.0), along(b.from).min(length));
    // They must face each other over more than the gap is wide.
    if high - low < reach {
        return None;
    }
    let out_at = |t: f64| {
        let (t0, t1) = (along(b.from), along(b.to));
        out(b.from) + (out(b.to) - out(b.from)) * ((t - t0) / (t1 - t0))
    };
    let middle = f64::midpoint(low, high);
    let (gap, widest) = (out_at(middle), out_at(low).max(out_at(high)));
    if !(gap > 0.0 && widest < reach && out_at(low).min(out_at(high)) >= 0.0) {
        return None;
    }
    let place =
        [a.from[0] + da[0] * middle + da[1] * gap / 2.0, a.from[1] + da[1] * middle - da[0] * gap / 2.0];
    Some((gap, place))
}
