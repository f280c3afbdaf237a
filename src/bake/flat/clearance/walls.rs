//! The edges of the joined surface as clearance sees them: walls, their corners, and the openings between levels.

use std::collections::BTreeMap;

use crate::bake::flat::arrange::Place;
use crate::bake::flat::outline::NOT_WALKABLE;
use crate::bake::flat::overlay::Overlay;
use crate::geom::grid::IntPoint;
use crate::geom::predicates::{cross, dot};
use crate::geom::union_find::UnionFind;

/// A straight run of an outline that is no seam, its level on the left of `from` → `to`. Ends are rounded down to
/// whole units; `is_exact` says that neither had to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    pub(super) level: usize,
    pub(super) from: IntPoint,
    pub(super) to: IntPoint,
    pub(super) is_exact: bool,
}

/// Where two walls of a level meet and its inside is wider than 180°: their directions, the first one's towards it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) level: usize,
    pub(super) at: IntPoint,
    pub(super) before: IntPoint,
    pub(super) after: IntPoint,
}

/// Where walls and seams meet: all that is joined around the place.
#[derive(Clone, Debug)]
pub(super) struct SeamEnd {
    pub(super) at: IntPoint,
    pub(super) sectors: Vec<Sector>,
}

/// The inside of a level around a place, counter-clockwise from `start` to `end`, and which of the two is a seam.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sector {
    pub(super) level: usize,
    pub(super) start: IntPoint,
    pub(super) end: IntPoint,
    pub(super) starts_at_seam: bool,
    pub(super) ends_at_seam: bool,
}

/// A straight seam: the levels that end there left and right of `from` → `to`, `from` < `to`. Each pair is joined, also
/// where they contest it: the floors meet there, whichever pair the tiles can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) from: IntPoint,
    pub(super) to: IntPoint,
    pub(super) left: Vec<usize>,
    pub(super) right: Vec<usize>,
}

impl Opening {
    pub(super) fn touches(&self, level: usize) -> bool {
        self.left.contains(&level) || self.right.contains(&level)
    }
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(super) struct SurfaceEdges {
    pub(super) walls: Vec<Wall>,
    pub(super) corners: Vec<Corner>,
    pub(super) seam_ends: Vec<SeamEnd>,
    pub(super) openings: Vec<Opening>,
}

/// Finds the edges of the joined surface. `overlay` holds whole outlines.
pub(super) fn find_edges(overlay: &Overlay) -> SurfaceEdges {
    let pieces = overlay.arrangement.pieces.len() as u32;
    let sides: Vec<(Vec<usize>, Vec<usize>)> = (0..pieces).map(|piece| overlay.seam_levels(piece)).collect();
    let scene = Scene { overlay, sides };
    let mut edges = SurfaceEdges { openings: find_openings(&scene), ..SurfaceEdges::default() };
    let mut at_seams: BTreeMap<u32, Vec<SeamSector>> = BTreeMap::new();
    for level in 0..overlay.level_count() {
        let outline: Vec<u32> = (0..pieces * 2).filter(|&half| scene.is_outline(half, level)).collect();
        find_walls(&scene, level, &outline, &mut edges.walls);
        for &half in &outline {
            find_corner(&scene, level, half, &mut edges.corners, &mut at_seams);
        }
    }
    edges.seam_ends = at_seams.into_iter().flat_map(|(node, sectors)| seam_ends(&scene, node, &sectors)).collect();
    edges
}

/// The overlay with what ends on either side of each piece.
struct Scene<'a> {
    overlay: &'a Overlay,
    /// Per piece: levels on the left only, on the right only.
    sides: Vec<(Vec<usize>, Vec<usize>)>,
}

/// A sector of a level between two halves that leave its place.
struct SeamSector {
    level: usize,
    start: u32,
    end: u32,
}

impl Scene<'_> {
    /// Whether the level lies left of the half and ends there.
    fn is_outline(&self, half: u32, level: usize) -> bool {
        let (left, right) = &self.sides[half as usize / 2];
        if half & 1 == 0 { left.contains(&level) } else { right.contains(&level) }
    }

    fn is_seam(&self, half: u32) -> bool {
        let (left, right) = &self.sides[half as usize / 2];
        !left.is_empty() && !right.is_empty()
    }

    fn place(&self, node: u32) -> IntPoint {
        self.overlay.arrangement.floor_of(node)
    }

    /// The half that goes straight on after `half` among those that `fits`.
    fn straight_on(&self, half: u32, fits: impl Fn(u32) -> bool) -> Option<u32> {
        let arrangement = &self.overlay.arrangement;
        let d = arrangement.direction(half);
        arrangement.outgoing(arrangement.origin(half ^ 1)).iter().copied().find(|&next| {
            let e = arrangement.direction(next);
            cross(d, e) == 0 && dot(d, e) > 0 && fits(next)
        })
    }

    /// The first and last half of each straight run of `halves`.
    fn runs(&self, halves: &[u32], next: impl Fn(u32) -> Option<u32>) -> Vec<(u32, u32)> {
        let mut continued: Vec<u32> = halves.iter().filter_map(|&half| next(half)).collect();
        continued.sort_unstable();
        let firsts = halves.iter().copied().filter(|half| continued.binary_search(half).is_err());
        firsts
            .map(|first| {
                let mut last = first;
                while let Some(half) = next(last) {
                    last = half;
                }
                (first, last)
            })
            .collect()
    }
}

fn find_openings(scene: &Scene<'_>) -> Vec<Opening> {
    let arrangement = &scene.overlay.arrangement;
    let seams: Vec<u32> =
        (0..scene.sides.len() as u32).map(|piece| piece * 2).filter(|&half| scene.is_seam(half)).collect();
    // Each piece once, in the direction in which its place grows.
    let rising = |half: u32| {
        let d = arrangement.direction(half);
        if (d.x, d.z) > (0, 0) { half } else { half ^ 1 }
    };
    let halves: Vec<u32> = seams.into_iter().map(rising).collect();
    let sides = |half: u32| {
        let (left, right) = &scene.sides[half as usize / 2];
        if half & 1 == 0 { (left, right) } else { (right, left) }
    };
    let next = |half: u32| scene.straight_on(half, |next| scene.is_seam(next) && sides(next) == sides(half));
    let run = |(first, last): (u32, u32)| {
        let (left, right) = sides(first);
        Opening {
            from: scene.place(arrangement.origin(first)),
            to: scene.place(arrangement.origin(last ^ 1)),
            left: left.clone(),
            right: right.clone(),
        }
    };
    scene.runs(&halves, next).into_iter().map(run).filter(|opening| opening.from != opening.to).collect()
}

fn find_walls(scene: &Scene<'_>, level: usize, outline: &[u32], walls: &mut Vec<Wall>) {
    let arrangement = &scene.overlay.arrangement;
    let halves: Vec<u32> = outline.iter().copied().filter(|&half| !scene.is_seam(half)).collect();
    let next = |half: u32| {
        // Where the level's outline passes a place more than once, runs end.
        let around = arrangement.outgoing(arrangement.origin(half ^ 1));
        let ends = around.iter().filter(|&&out| scene.is_outline(out, level) || scene.is_outline(out ^ 1, level));
        let passes = ends.count() == 2;
        scene.straight_on(half, |next| passes && scene.is_outline(next, level) && !scene.is_seam(next))
    };
    let is_whole = |node: u32| {
        matches!(arrangement.places[node as usize], Place::Point(_)) || arrangement.exact_of(node).is_some()
    };
    for (first, last) in scene.runs(&halves, next) {
        let (from, to) = (arrangement.origin(first), arrangement.origin(last ^ 1));
        let is_exact = is_whole(from) && is_whole(to);
        walls.push(Wall { level, from: scene.place(from), to: scene.place(to), is_exact });
    }
}

/// The inside of a level counter-clockwise from an outline's half: a corner of two walls, or a part of a seam's end.
fn find_corner(
    scene: &Scene<'_>,
    level: usize,
    start: u32,
    corners: &mut Vec<Corner>,
    at_seams: &mut BTreeMap<u32, Vec<SeamSector>>,
) {
    let arrangement = &scene.overlay.arrangement;
    let node = arrangement.origin(start);
    let around = arrangement.outgoing(node);
    let first = around.iter().position(|&half| half == start).unwrap_or_default();
    let is_inside = |half: u32| {
        scene.overlay.label(scene.overlay.faces.of_half[half as usize], level) != NOT_WALKABLE
    };
    let turned = (1..=around.len()).map(|i| around[(first + i) % around.len()]);
    let Some(end) = turned.into_iter().find(|&half| !is_inside(half)) else { return };
    if scene.is_seam(start) || scene.is_seam(end) {
        at_seams.entry(node).or_default().push(SeamSector { level, start, end });
        return;
    }
    let (before, after) = (arrangement.direction(end ^ 1), arrangement.direction(start));
    let turn = cross(before, after);
    if turn < 0 || (turn == 0 && dot(before, after) < 0) {
        corners.push(Corner { level, at: scene.place(node), before, after });
    }
}

/// The sectors of a place, joined over its seams, where some wall ends.
fn seam_ends(scene: &Scene<'_>, node: u32, sectors: &[SeamSector]) -> Vec<SeamEnd> {
    let arrangement = &scene.overlay.arrangement;
    let mut sets = UnionFind::new(sectors.len());
    for (i, a) in sectors.iter().enumerate() {
        for (j, b) in sectors.iter().enumerate().skip(i + 1) {
            let meets = |x: u32, y: u32| x == y && scene.is_seam(x);
            if meets(a.start, b.end) || meets(a.end, b.start) || meets(a.start, b.start) || meets(a.end, b.end) {
                sets.union(i as u32, j as u32);
            }
        }
    }
    let mut groups: BTreeMap<u32, Vec<&SeamSector>> = BTreeMap::new();
    for (i, sector) in sectors.iter().enumerate() {
        groups.entry(sets.find(i as u32)).or_default().push(sector);
    }
    let with_wall = |group: &Vec<&SeamSector>| {
        group.iter().any(|sector| !scene.is_seam(sector.start) || !scene.is_seam(sector.end))
    };
    let sector_of = |sector: &SeamSector| Sector {
        level: sector.level,
        start: arrangement.direction(sector.start),
        end: arrangement.direction(sector.end),
        starts_at_seam: scene.is_seam(sector.start),
        ends_at_seam: scene.is_seam(sector.end),
    };
    groups
        .into_values()
        .filter(with_wall)
        .map(|group| SeamEnd {
            at: scene.place(node),
            sectors: group.into_iter().map(sector_of).collect(),
        })
        .collect()
}
