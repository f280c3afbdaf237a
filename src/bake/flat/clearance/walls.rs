//! The edges of the joined surface in one column as clearance sees them: walls, their corners, and the openings
//! between levels. Each belongs to the column that has its inside, so that all columns together have it once.

use std::collections::BTreeSet;

use crate::bake::flat::arrange::Place;
use crate::bake::flat::outline::NOT_WALKABLE;
use crate::bake::flat::overlay::Overlay;
use crate::geom::grid::IntPoint;
use crate::geom::predicates::{compare_angles, cross, dot};

/// A straight run of an outline that is no seam, its level on the left of `from` → `to`. Ends are rounded down to
/// whole units; `is_exact` says that neither had to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    pub(super) level: usize,
    pub(super) from: IntPoint,
    pub(super) to: IntPoint,
    pub(super) is_exact: bool,
}

/// Where two walls of a level meet and its inside is wider than 180°: their directions, the first one's towards it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(super) level: usize,
    pub(super) at: IntPoint,
    pub(super) before: IntPoint,
    pub(super) after: IntPoint,
}

/// A place of a seam that stops the sight of what passes it, on the levels and in the directions of `sectors`.
#[derive(Clone, Debug)]
pub(crate) struct SeamEnd {
    pub(super) at: IntPoint,
    pub(super) sectors: Vec<Sector>,
    /// Whether it does so in all directions of each level of `sectors`.
    pub(super) is_whole: bool,
}

/// Part of a level's inside around a place, counter-clockwise from `start` to `end`, and which of the two is a seam.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sector {
    pub(super) level: usize,
    pub(super) start: IntPoint,
    pub(super) end: IntPoint,
    pub(super) starts_at_seam: bool,
    pub(super) ends_at_seam: bool,
}

/// A straight seam: the levels that end there left and right of `from` → `to`, `from` < `to`. Each pair is joined, also
/// where they contest it: the floors meet there, whichever pair the tiles can hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Opening {
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
pub(crate) struct SurfaceEdges {
    pub(super) walls: Vec<Wall>,
    pub(super) corners: Vec<Corner>,
    pub(super) seam_ends: Vec<SeamEnd>,
    pub(super) openings: Vec<Opening>,
}

/// Finds the edges of the joined surface in a tile. `overlay`: of its window, no clearance removed.
pub(crate) fn find_edges(overlay: &Overlay) -> SurfaceEdges {
    let pieces = overlay.arrangement.pieces.len() as u32;
    let sides: Vec<(Vec<usize>, Vec<usize>)> = (0..pieces).map(|piece| overlay.seam_levels(piece)).collect();
    let scene = Scene { overlay, sides };
    let mut edges = SurfaceEdges { openings: find_openings(&scene), ..SurfaceEdges::default() };
    for level in 0..overlay.level_count() {
        let outline: Vec<u32> =
            (0..pieces * 2).filter(|&half| scene.is_outline(half, level) && scene.is_in_tile(half)).collect();
        find_walls(&scene, level, &outline, &mut edges.walls);
        edges.corners.extend(outline.iter().filter_map(|&half| find_corner(&scene, level, half)));
    }
    let is_near = |half: u32| scene.is_in_tile(half) || scene.is_in_tile(half ^ 1);
    let seams = (0..pieces).map(|piece| piece * 2).filter(|&half| scene.is_seam(half) && is_near(half));
    let nodes: BTreeSet<u32> =
        seams.flat_map(|half| [half, half ^ 1]).map(|half| overlay.arrangement.origin(half)).collect();
    // Of the columns around a node, one has the inside left of its first seam.
    let is_here = |&node: &u32| {
        let first = overlay.arrangement.outgoing(node).iter().find(|&&half| scene.is_seam(half));
        first.is_some_and(|&half| scene.is_in_tile(half))
    };
    edges.seam_ends =
        nodes.into_iter().filter(is_here).filter_map(|node| find_seam_end(&scene, node)).collect();
    edges
}

/// The overlay with what ends on either side of each piece.
struct Scene<'a> {
    overlay: &'a Overlay,
    /// Per piece: levels on the left only, on the right only.
    sides: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Scene<'_> {
    /// The levels that lie left of the half and end there.
    fn ends_on(&self, half: u32) -> &[usize] {
        let (left, right) = &self.sides[half as usize / 2];
        if half & 1 == 0 { left } else { right }
    }

    /// Whether the level lies left of the half and ends there.
    fn is_outline(&self, half: u32, level: usize) -> bool {
        self.ends_on(half).contains(&level)
    }

    /// Whether the half has the tile on its left.
    fn is_in_tile(&self, half: u32) -> bool {
        self.overlay.in_tile[self.overlay.faces.of_half[half as usize] as usize]
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
    let halves: Vec<u32> = seams.into_iter().map(rising).filter(|&half| scene.is_in_tile(half)).collect();
    let sides = |half: u32| {
        let (left, right) = &scene.sides[half as usize / 2];
        if half & 1 == 0 { (left, right) } else { (right, left) }
    };
    let next = |half: u32| {
        scene.straight_on(half, |next| {
            scene.is_seam(next) && scene.is_in_tile(next) && sides(next) == sides(half)
        })
    };
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
        let ends =
            around.iter().filter(|&&out| scene.is_outline(out, level) || scene.is_outline(out ^ 1, level));
        let passes = ends.count() == 2;
        scene.straight_on(half, |next| {
            passes && scene.is_outline(next, level) && scene.is_in_tile(next) && !scene.is_seam(next)
        })
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

/// The corner that an outline's half starts from, if its level is wider than 180° there and walls bound it.
fn find_corner(scene: &Scene<'_>, level: usize, start: u32) -> Option<Corner> {
    let arrangement = &scene.overlay.arrangement;
    let node = arrangement.origin(start);
    let around = arrangement.outgoing(node);
    let first = around.iter().position(|&half| half == start)?;
    let is_inside =
        |half: u32| scene.overlay.label(scene.overlay.faces.of_half[half as usize], level) != NOT_WALKABLE;
    let turned = (1..=around.len()).map(|i| around[(first + i) % around.len()]);
    let end = turned.into_iter().find(|&half| !is_inside(half))?;
    let (before, after) = (arrangement.direction(end ^ 1), arrangement.direction(start));
    let turn = cross(before, after);
    let is_wide = turn < 0 || (turn == 0 && dot(before, after) < 0);
    let is_walled = !scene.is_seam(start) && !scene.is_seam(end);
    (is_wide && is_walled).then(|| Corner { level, at: scene.place(node), before, after })
}

/// A seam's place as a source of clearance.
///
/// A wall of the level itself that ends here does, in all directions. For walls of other levels, lines that pass the
/// place to either side are followed by turning around it, half a turn: does one of them meet a wall's end? Where both
/// go on, but to different levels (floors that wind around the place more than once, like a spiral stair around its
/// pole), the place counts as a wall as well: what is seen past it on one side ends there.
fn find_seam_end(scene: &Scene<'_>, node: u32) -> Option<SeamEnd> {
    let around = Around::new(scene, node)?;
    let count = around.events.len();
    let (mut sectors, mut is_whole) = (Vec::new(), true);
    for level in 0..scene.overlay.level_count() {
        let is_inside = |arc: usize| around.is_inside(scene, arc, level);
        let stops: Vec<bool> =
            (0..count).map(|arc| is_inside(arc) && around.stops(scene, arc, level)).collect();
        if !stops.contains(&true) {
            continue;
        }
        is_whole &= (0..count).all(|arc| !is_inside(arc) || stops[arc]);
        for start in 0..count {
            // Arcs belong together unless the level ends between them.
            let is_joined = |event: usize| {
                stops[(event + count - 1) % count] && stops[event] && {
                    let half = around.events[event].1;
                    half.is_none_or(|half| {
                        !scene.is_outline(half, level) && !scene.is_outline(half ^ 1, level)
                    })
                }
            };
            if !stops[start] || is_joined(start) {
                continue;
            }
            let length = (1..count).find(|&length| !is_joined((start + length) % count)).unwrap_or(count);
            let end = (start + length) % count;
            let at_seam = |event: usize, other: usize| {
                let half = around.events[event].1;
                !is_inside(other % count) && half.is_some_and(|half| scene.is_seam(half))
            };
            sectors.push(Sector {
                level,
                start: around.events[start].0,
                end: around.events[end].0,
                starts_at_seam: at_seam(start, start + count - 1),
                ends_at_seam: at_seam(end, end),
            });
        }
    }
    (!sectors.is_empty()).then(|| SeamEnd { at: scene.place(node), sectors, is_whole })
}

/// The directions around a node in which outlines leave it, and the opposite ones, counter-clockwise; arc i lies
/// between event i and the next.
struct Around {
    /// The direction, and the half that leaves in it.
    events: Vec<(IntPoint, Option<u32>)>,
    /// The face of each arc.
    faces: Vec<u32>,
}

impl Around {
    fn new(scene: &Scene<'_>, node: u32) -> Option<Self> {
        let arrangement = &scene.overlay.arrangement;
        let bounds = |half: u32| {
            let (left, right) = &scene.sides[half as usize / 2];
            !left.is_empty() || !right.is_empty()
        };
        let leaving: Vec<u32> =
            arrangement.outgoing(node).iter().copied().filter(|&half| bounds(half)).collect();
        let mut events: Vec<(IntPoint, Option<u32>)> = Vec::with_capacity(leaving.len() * 2);
        for &half in &leaving {
            let d = arrangement.direction(half);
            events.push((d, Some(half)));
            events.push((IntPoint::default() - d, None));
        }
        events.sort_by(|a, b| compare_angles(a.0, b.0).then(b.1.cmp(&a.1)));
        events.dedup_by(|b, a| compare_angles(a.0, b.0).is_eq());
        let last = events.iter().rev().find_map(|event| event.1)?;
        let mut face = scene.overlay.faces.of_half[last as usize];
        let faces = events
            .iter()
            .map(|event| {
                face = event.1.map_or(face, |half| scene.overlay.faces.of_half[half as usize]);
                face
            })
            .collect();
        Some(Self { events, faces })
    }

    fn is_inside(&self, scene: &Scene<'_>, arc: usize, level: usize) -> bool {
        scene.overlay.label(self.faces[arc], level) != NOT_WALKABLE
    }

    /// Whether the node stops what a line from an arc of a level sees past it, or is an end of the level's own wall.
    fn stops(&self, scene: &Scene<'_>, arc: usize, level: usize) -> bool {
        let [left, right] = [true, false].map(|is_left| self.half_turned(scene, arc, level, is_left));
        left.is_none() || right.is_none() || left != right || {
            [true, false].into_iter().any(|is_left| self.ends_at_wall(scene, arc, level, is_left))
        }
    }

    /// The i-th half met by turning from an arc, if its event has one: in the direction that one comes from, the level
    /// on its left.
    fn met(&self, arc: usize, i: usize, is_left: bool) -> Option<u32> {
        let count = self.events.len();
        // Counter-clockwise over events arc + 1, arc + 2, …; clockwise over arc, arc − 1, ….
        let event = if is_left { arc + 1 + i } else { arc + count - i } % count;
        self.events[event].1.map(|half| if is_left { half ^ 1 } else { half })
    }

    /// The levels that half a turn leads to; `None` where one ends at a wall on the way.
    fn half_turned(
        &self,
        scene: &Scene<'_>,
        arc: usize,
        level: usize,
        is_left: bool,
    ) -> Option<BTreeSet<usize>> {
        let mut levels = BTreeSet::from([level]);
        for half in (0..self.events.len() / 2).filter_map(|i| self.met(arc, i, is_left)) {
            let mut next = BTreeSet::new();
            for &level in &levels {
                if !scene.is_outline(half, level) {
                    next.insert(level);
                    continue;
                }
                let beyond = scene.ends_on(half ^ 1);
                if beyond.is_empty() {
                    return None;
                }
                next.extend(beyond);
            }
            levels = next;
        }
        Some(levels)
    }

    /// Whether turning on the level itself comes to a wall.
    fn ends_at_wall(&self, scene: &Scene<'_>, arc: usize, level: usize, is_left: bool) -> bool {
        let mut met = (0..self.events.len()).filter_map(|i| self.met(arc, i, is_left));
        met.find(|&half| scene.is_outline(half, level)).is_some_and(|half| !scene.is_seam(half))
    }
}
