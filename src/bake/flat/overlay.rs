//! What is walkable where: each outline filled non-zero by itself, walk areas joined, holes cut, labels on top.

use super::arrange::{Arrangement, Edge, arrange};
use super::faces::{Faces, find_faces};
use super::outline::{Drawing, NOT_WALKABLE, Ring};
use crate::bake::AreaKind;
use crate::geom::grid::IntPoint;

/// Owner of an edge that bounds a tile; faces know whether they lie inside.
pub(crate) const TILE_EDGE: u32 = u32::MAX;
/// Owner of an edge that bounds the window around a tile; labels are found inside only.
pub(crate) const FENCE_EDGE: u32 = u32::MAX - 1;

/// Owner of a crease of an area's own surface: this bit and the area's label.
pub(crate) const CREASE_EDGE: u32 = 1 << 31;

/// Owner of an edge of what clearance removes from a level: this bit and the level's index.
pub(crate) const CLEARANCE_EDGE: u32 = 1 << 30;

/// The level that an edge removes clearance from.
fn cleared_level(owner: u32) -> Option<usize> {
    (CLEARANCE_EDGE..CREASE_EDGE).contains(&owner).then_some((owner & !CLEARANCE_EDGE) as usize)
}

/// An arrangement whose faces know their label on each level.
#[derive(Debug)]
pub(crate) struct Overlay {
    pub(crate) arrangement: Arrangement,
    pub(crate) faces: Faces,
    level_count: usize,
    labels: Vec<u32>,
    /// The labels before clearance; empty where there is none.
    drawn: Vec<u32>,
    /// Whether a face lies inside the tile; false everywhere without one.
    pub(crate) in_tile: Vec<bool>,
    /// What became of each ring owner.
    pub(crate) seen: Vec<Seen>,
}

/// What became of a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// A walk ring: part of it is walkable. A hole: it cuts some walk ring.
    pub(crate) matters: bool,
    /// The least hole (by owner number) that covers some of it.
    pub(crate) hidden_by: Option<u32>,
    /// Whether other holes cover it too.
    pub(crate) hidden_by_more: bool,
}

impl Seen {
    /// Adds what another part of the drawing knows of the ring.
    pub(crate) fn add(&mut self, other: &Self) {
        self.matters |= other.matters;
        let differ = matches!((self.hidden_by, other.hidden_by), (Some(a), Some(b)) if a != b);
        self.hidden_by_more |= other.hidden_by_more || differ;
        self.hidden_by = match (self.hidden_by, other.hidden_by) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

impl Overlay {
    /// The label of a face on a level (an index into the drawing's levels).
    pub(crate) fn label(&self, face: u32, level: usize) -> u32 {
        self.labels[face as usize * self.level_count + level]
    }

    /// The labels left and right of a half on a level.
    pub(crate) fn sides(&self, half: u32, level: usize) -> (u32, u32) {
        let face = |half: u32| self.faces.of_half[half as usize];
        (self.label(face(half), level), self.label(face(half ^ 1), level))
    }

    /// Whether labels change across a piece on a level, or the floor has a crease along it.
    pub(crate) fn is_active(&self, piece: u32, level: usize) -> bool {
        let (left, right) = self.sides(piece * 2, level);
        left != right || (left != NOT_WALKABLE && self.has_crease(piece, left))
    }

    /// Whether a crease of the surface with this label runs along a piece.
    pub(crate) fn has_crease(&self, piece: u32, label: u32) -> bool {
        let owner = |edge: u32| self.arrangement.edges[edge as usize].owner;
        self.arrangement.members(piece).iter().any(|member| owner(member.edge) == CREASE_EDGE | label)
    }

    /// Whether labels change across a piece on any level.
    pub(crate) fn is_active_anywhere(&self, piece: u32) -> bool {
        (0..self.level_count).any(|level| self.is_active(piece, level))
    }

    /// Number of levels.
    pub(crate) fn level_count(&self) -> usize {
        self.level_count
    }

    /// Whether the node is a vertex of some level's outline or label border: anything but a straight passage.
    pub(crate) fn is_vertex(&self, node: u32) -> bool {
        let around = self.arrangement.outgoing(node);
        (0..self.level_count).any(|level| {
            let mut active = around.iter().filter(|&&half| self.is_active(half / 2, level));
            match (active.next(), active.next(), active.next()) {
                (None, ..) => false,
                (Some(&a), Some(&b), None) => {
                    let (a, b) = (self.arrangement.direction(a), self.arrangement.direction(b));
                    crate::geom::predicates::cross(a, b) != 0
                }
                _ => true,
            }
        })
    }

    /// The pairs of levels that a piece is a seam of: left only on the first, right only on the second. Both as drawn,
    /// and where clearance leaves them.
    pub(crate) fn seam_levels(&self, piece: u32) -> (Vec<usize>, Vec<usize>) {
        let face = |half: u32| self.faces.of_half[half as usize];
        let (left, right) = (face(piece * 2), face(piece * 2 + 1));
        let is_drawn = |face: u32, level: usize| self.drawn_label(face, level) != NOT_WALKABLE;
        let is_left = |face: u32, level: usize| self.label(face, level) != NOT_WALKABLE;
        let mut only = (Vec::new(), Vec::new());
        for level in 0..self.level_count {
            match (is_drawn(left, level), is_drawn(right, level)) {
                (true, false) if is_left(left, level) => only.0.push(level),
                (false, true) if is_left(right, level) => only.1.push(level),
                _ => {}
            }
        }
        only
    }

    /// The label of a face on a level before clearance.
    pub(crate) fn drawn_label(&self, face: u32, level: usize) -> u32 {
        let labels = if self.drawn.is_empty() { &self.labels } else { &self.drawn };
        labels[face as usize * self.level_count + level]
    }
}

/// Where labelling starts: a face, and the rings around it there.
pub(crate) struct Start {
    pub(crate) half: u32,
    /// (ring, or owner of clearance; winding number), those not 0.
    pub(crate) windings: Vec<(u32, i32)>,
}

/// What owners of edges are: a ring's number here is an index into a list of these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    level: usize,
    kind: AreaKind,
    label: u32,
}

impl Owner {
    pub(crate) fn of(ring: &Ring) -> Self {
        Self { level: ring.level, kind: ring.kind, label: ring.label }
    }
}

/// Overlays the edges of all rings, with no window; each ring owns its edges.
pub(crate) fn overlay_all(drawing: &Drawing) -> Overlay {
    let rings = (0..).zip(&drawing.rings);
    let edges = rings.flat_map(|(owner, ring)| ring_edges(ring.points(), owner)).collect();
    let arrangement = arrange(edges);
    let faces = find_faces(&arrangement);
    let owners: Vec<Owner> = drawing.rings.iter().map(Owner::of).collect();
    label_faces(&owners, drawing.levels.len(), arrangement, faces, None)
}

/// The directed edges of a closed ring.
pub(crate) fn ring_edges(points: &[IntPoint], owner: u32) -> impl Iterator<Item = Edge> + '_ {
    (0..points.len()).map(move |i| Edge { from: points[i], to: points[(i + 1) % points.len()], owner })
}

/// Walks from face to face over the pieces, keeping each ring's winding number.
pub(crate) fn label_faces(
    owners: &[Owner],
    level_count: usize,
    arrangement: Arrangement,
    faces: Faces,
    start: Option<&Start>,
) -> Overlay {
    let mut state = State {
        owners,
        windings: vec![0; owners.len()],
        walks: vec![Vec::new(); level_count],
        holes: vec![Vec::new(); level_count],
        cleared: vec![0; level_count],
        tile_winding: 0,
    };
    let windings = start.iter().flat_map(|start| &start.windings);
    let mut all_owners =
        arrangement.edges.iter().map(|edge| edge.owner).chain(windings.map(|&(owner, _)| owner));
    let has_clearance = all_owners.any(|owner| cleared_level(owner).is_some());
    let drawn_count = if has_clearance { faces.count * level_count } else { 0 };
    let mut overlay = Overlay {
        labels: vec![NOT_WALKABLE; faces.count * level_count],
        drawn: vec![NOT_WALKABLE; drawn_count],
        in_tile: vec![false; faces.count],
        seen: vec![Seen::default(); owners.len()],
        level_count,
        arrangement,
        faces,
    };
    let first = start.map_or(0, |start| overlay.faces.of_half[start.half as usize]);
    for &(ring, winding) in start.iter().flat_map(|start| &start.windings) {
        state.turn(ring, winding);
    }
    let mut visited = vec![false; overlay.faces.count];
    visited[first as usize] = true;
    state.record(first, &mut overlay);
    // (half that was crossed to come here, next half to look at).
    let mut stack: Vec<(Option<u32>, u32, usize)> = vec![(None, first, 0)];
    while let Some((entered, face, next)) = stack.last_mut() {
        let halves = overlay.faces.halves(*face);
        let Some(&half) = halves.get(*next) else {
            if let Some(half) = *entered {
                state.cross(&overlay.arrangement, half ^ 1);
            }
            stack.pop();
            continue;
        };
        *next += 1;
        let beyond = overlay.faces.of_half[half as usize ^ 1];
        if visited[beyond as usize] || is_fence(&overlay.arrangement, half / 2) {
            continue;
        }
        visited[beyond as usize] = true;
        // From the left of `half` to its right is over its twin from right to left.
        state.cross(&overlay.arrangement, half ^ 1);
        state.record(beyond, &mut overlay);
        stack.push((Some(half ^ 1), beyond, 0));
    }
    overlay
}

fn is_fence(arrangement: &Arrangement, piece: u32) -> bool {
    let owner = |edge: u32| arrangement.edges[edge as usize].owner;
    arrangement.members(piece).iter().any(|member| owner(member.edge) == FENCE_EDGE)
}

/// Winding numbers at a place, and what they make of each level.
struct State<'a> {
    owners: &'a [Owner],
    windings: Vec<i32>,
    /// Per level, ascending.
    walks: Vec<Vec<u32>>,
    holes: Vec<Vec<u32>>,
    /// How often clearance covers the place, per level.
    cleared: Vec<i32>,
    tile_winding: i32,
}

impl State<'_> {
    /// Crosses a half from its right to its left.
    fn cross(&mut self, arrangement: &Arrangement, half: u32) {
        let along = half & 1 == 0;
        for member in arrangement.members(half / 2) {
            let change = if member.forward == along { 1 } else { -1 };
            match arrangement.edges[member.edge as usize].owner {
                TILE_EDGE => self.tile_winding += change,
                owner if owner >= CREASE_EDGE => {}
                ring => self.turn(ring, change),
            }
        }
    }

    /// Changes the winding number of a ring, or of a level's clearance.
    fn turn(&mut self, ring: u32, change: i32) {
        if let Some(level) = cleared_level(ring) {
            self.cleared[level] += change;
            return;
        }
        let winding = &mut self.windings[ring as usize];
        let was = *winding != 0;
        *winding += change;
        let is = *winding != 0;
        if was == is {
            return;
        }
        let owner = &self.owners[ring as usize];
        let set = match owner.kind {
            AreaKind::Walk => &mut self.walks[owner.level],
            AreaKind::Hole => &mut self.holes[owner.level],
        };
        let at = set.partition_point(|&other| other < ring);
        if is {
            set.insert(at, ring);
        } else {
            set.remove(at);
        }
    }

    fn record(&self, face: u32, overlay: &mut Overlay) {
        overlay.in_tile[face as usize] = self.tile_winding != 0;
        for level in 0..overlay.level_count {
            let (walks, holes) = (&self.walks[level], &self.holes[level]);
            let Some(&top) = walks.last() else { continue };
            let Some(&hole) = holes.first() else {
                let (cell, label) =
                    (face as usize * overlay.level_count + level, self.owners[top as usize].label);
                if let Some(drawn) = overlay.drawn.get_mut(cell) {
                    *drawn = label;
                }
                if self.cleared[level] == 0 {
                    overlay.labels[cell] = label;
                }
                walks.iter().for_each(|&ring| overlay.seen[ring as usize].matters = true);
                continue;
            };
            holes.iter().for_each(|&ring| overlay.seen[ring as usize].matters = true);
            for &ring in walks {
                let seen = &mut overlay.seen[ring as usize];
                seen.hidden_by_more |= holes.len() > 1 || seen.hidden_by.is_some_and(|other| other != hole);
                seen.hidden_by = Some(seen.hidden_by.map_or(hole, |other| other.min(hole)));
            }
        }
    }
}
