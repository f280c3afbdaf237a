//! What stands between two places of a mesh that no path joins, and how much of it would have to change.

use std::f64::consts::SQRT_2;

use super::QueryFilter;
use super::index::QueryIndex;
use super::nearest::{NavPlace, cell_height, cell_place};
use super::plan::{Cell, Plan};
use super::sight::{between, cross, minus, overlaps};
use super::view::{closest_on_segment, distance_squared, world_xz};
use crate::format::{NavMeshParams, PolyRef, TiledNavMesh};
use crate::stitch::{
    EdgeExplanation, EndExplanation, LinkExplanation, PortalMiss, explain_edge, explain_link,
};

/// Places nearer than this are one.
const SAME_PLACE: f64 = 1e-3;

/// Two places near each other, one on the start's side and one on the end's, and what stands between.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Can be reached from the start, over the barriers before it.
    pub from: NavPlace,
    /// Leads to the end, over the barriers after it.
    pub to: NavPlace,
    /// How far apart they are, horizontally.
    pub distance: f64,
    /// How much higher `to` is.
    pub rise: f64,
    /// What stands between.
    pub kind: BarrierKind,
}

impl Barrier {
    /// Whether another one is of the same kind between the same two places: polygons that share a corner have it in
    /// common.
    pub(super) fn is_at(&self, other: &Self) -> bool {
        let near = |a: &NavPlace, b: &NavPlace| {
            (0..3).all(|axis| (a.position[axis] - b.position[axis]).abs() < SAME_PLACE)
        };
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
            && self.link() == other.link()
            && near(&self.from, &other.from)
            && near(&self.to, &other.to)
    }

    /// Whether it stands between two floors as they are, and not in a link or in closed floor.
    #[must_use]
    pub fn is_of_floors(&self) -> bool {
        match self.kind {
            BarrierKind::Wall
            | BarrierKind::Gap { .. }
            | BarrierKind::Step { .. }
            | BarrierKind::Portal { .. } => true,
            BarrierKind::Unattached { .. }
            | BarrierKind::OneWay { .. }
            | BarrierKind::ClosedLink { .. }
            | BarrierKind::ClosedPolygon { .. } => false,
        }
    }

    /// The link that it is about.
    fn link(&self) -> Option<u32> {
        match self.kind {
            BarrierKind::Unattached { user_id, .. }
            | BarrierKind::OneWay { user_id }
            | BarrierKind::ClosedLink { user_id } => Some(user_id),
            _ => None,
        }
    }
}

/// What stands between two places.
#[derive(Clone, Debug, PartialEq)]
pub enum BarrierKind {
    /// They touch along an edge that is a wall.
    Wall,
    /// There is no floor between them; 0 wide where they touch at a corner only.
    Gap {
        /// How wide it is.
        width: f64,
    },
    /// One lies above the other.
    Step {
        /// By how much.
        height: f64,
        /// What may be climbed.
        climb: f64,
    },
    /// Two tiles meet there, but their edges missed each other.
    Portal {
        /// By how much.
        miss: PortalMiss,
    },
    /// An off-mesh link is meant to join them, but an end of it is attached to nothing.
    Unattached {
        /// Its `user_id`.
        user_id: u32,
        /// Which end, and by how much.
        link: LinkExplanation,
    },
    /// A link leads from `to` to `from` only.
    OneWay {
        /// Its `user_id`.
        user_id: u32,
    },
    /// A link joins them, but the filter closes it.
    ClosedLink {
        /// Its `user_id`.
        user_id: u32,
    },
    /// The filter closes the way; this is the first closed polygon on it.
    ClosedPolygon {
        /// Which one.
        polygon: PolyRef,
        /// Its area type.
        area: u8,
        /// Its author's flags.
        flags: u8,
    },
}

/// The farthest that a place may lie beside the mesh and still be meant to be on it: as far as the corner of a room is
/// from the mesh that an agent's radius leaves there, and two cells for the rounding of a bake.
#[must_use]
pub fn farthest_beside(params: &NavMeshParams) -> f64 {
    SQRT_2 * f64::from(params.agent_radius) + 2.0 * params.cell_size
}

/// How much of a barrier would have to change, in squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// No wider than this apart, floors may belong together: an agent keeps from the edges of both.
    pub(super) margin: f64,
    pub(super) climb: f64,
    /// What heights are rounded to.
    pub(super) rounding: f64,
    /// What a wall weighs.
    pub(super) wall: f64,
    /// What each barrier weighs.
    pub(super) each: f64,
}

impl Change {
    pub(super) fn of(params: &NavMeshParams) -> Self {
        let climb = f64::from(params.walkable_climb);
        // Where nothing may be climbed, a cell is the least step there is.
        let wall = climb.max(params.cell_size);
        let margin = 2.0 * farthest_beside(params);
        Self { margin, climb, rounding: params.cell_size, wall, each: 0.25 * wall }
    }

    /// Of floors so far apart.
    pub(super) fn between_floors(&self, distance: f64, rise: f64) -> f64 {
        let rise = rise.abs();
        let height = if rise + self.rounding > self.climb { (rise - self.climb).max(0.0) } else { self.wall };
        self.each + (distance - self.margin).max(0.0) + height
    }

    /// Floors that are at least so far apart cost no less.
    pub(super) fn least(&self, distance: f64, rise: f64) -> f64 {
        self.each + (distance - self.margin).max(0.0) + (rise - self.climb).max(0.0)
    }

    /// Of a link or of closed floor.
    pub(super) fn of_kind(&self, kind: &BarrierKind) -> f64 {
        let missed = |end: &EndExplanation| match end {
            EndExplanation::OutOfReach { nearest, radius, climb } => {
                (nearest.distance - radius).max(0.0) + (nearest.dy - climb).max(0.0)
            }
            EndExplanation::Attached(_) | EndExplanation::NoTile => 0.0,
        };
        match kind {
            BarrierKind::Unattached { link, .. } => self.each + missed(&link.start) + missed(&link.end),
            BarrierKind::ClosedPolygon { .. } => self.each + self.wall,
            _ => self.each,
        }
    }
}

/// A place of a cell.
pub(super) type At = (u32, [f64; 2]);

/// A mesh to be measured.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) mesh: &'a TiledNavMesh,
    pub(super) index: &'a QueryIndex,
    pub(super) filter: &'a QueryFilter,
}

impl<'a> Ground<'a> {
    pub(super) fn plan(&self) -> &'a Plan {
        &self.index.plan
    }

    pub(super) fn cell(&self, cell: u32) -> &'a Cell {
        &self.index.plan.cells[cell as usize]
    }

    pub(super) fn is_open(&self, cell: u32) -> bool {
        !self.plan().polygons[cell as usize].is_none() && self.filter.passes_cell(self.cell(cell))
    }

    /// The corners of a cell.
    pub(super) fn corners(&self, cell: u32) -> impl Iterator<Item = [f64; 2]> + 'a {
        let plan = self.plan();
        plan.ring(&plan.cells[cell as usize]).iter().map(|side| side.at)
    }

    pub(super) fn middle(&self, cell: u32) -> [f64; 2] {
        let count = f64::from(self.cell(cell).side_count.max(1));
        let sum = self.corners(cell).fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
        sum.map(|value| value / count)
    }

    pub(super) fn height(&self, (cell, at): At) -> f64 {
        cell_height(self.mesh, self.plan(), cell, at)
    }

    /// A barrier between places of two cells.
    pub(super) fn barrier(&self, (from, from_at): At, (to, to_at): At, kind: BarrierKind) -> Barrier {
        let from = NavPlace { distance: 0.0, ..cell_place(self.mesh, self.plan(), from, from_at) };
        let to = NavPlace { distance: 0.0, ..cell_place(self.mesh, self.plan(), to, to_at) };
        let distance = (from.position[0] - to.position[0]).hypot(from.position[2] - to.position[2]);
        let rise = to.position[1] - from.position[1];
        Barrier { from, to, distance, rise, kind }
    }

    /// What stands between two floors that come nearest at these places.
    pub(super) fn between(&self, (from, from_at): At, (to, to_at): At) -> BarrierKind {
        let plan = self.plan();
        let polygons = [from, to].map(|cell| plan.polygons[cell as usize]);
        if let Some(miss) = self.missed_portal(polygons) {
            return BarrierKind::Portal { miss };
        }
        let width = distance_squared(from_at, to_at).sqrt();
        let rise = (self.height((from, from_at)) - self.height((to, to_at))).abs();
        let climb = f64::from(self.mesh.params().walkable_climb);
        if width > plan.extent * 1e-12 {
            return BarrierKind::Gap { width };
        }
        if rise > climb {
            return BarrierKind::Step { height: rise, climb };
        }
        let ring = |cell: u32| plan.ring(&plan.cells[cell as usize]);
        let edges = |cell: u32| {
            let ring = ring(cell);
            (0..ring.len()).map(move |k| (ring[k].at, ring[(k + 1) % ring.len()].at))
        };
        let along = edges(from).any(|(a, b)| edges(to).any(|(c, d)| overlaps(a, b, c, d)));
        if along { BarrierKind::Wall } else { BarrierKind::Gap { width: 0.0 } }
    }

    /// By how much a border edge of one polygon missed one of the other.
    fn missed_portal(&self, [from, to]: [PolyRef; 2]) -> Option<PortalMiss> {
        let (tile, index) = self.mesh.polygon(from)?;
        let edges = 0..tile.polygons[index].vertex_count;
        edges.into_iter().find_map(|edge| match explain_edge(self.mesh, from, edge)? {
            EdgeExplanation::Unlinked { reason, .. } => match reason {
                PortalMiss::NoOverlap { nearest, .. } | PortalMiss::Height { nearest, .. } => {
                    (nearest.polygon == to).then_some(reason)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// Calls back with each link that would lead from one place to another if something about it were changed: it leads the
    /// other way only, the filter closes it, or an end of it is attached to nothing.
    pub(super) fn visit_useless_links(&self, mut visit: impl FnMut(At, At, BarrierKind)) {
        let plan = self.plan();
        for cell in self.index.cells() {
            for jump in &plan.jumps[plan.jumps_of(cell)] {
                let (here, there) = ((cell, jump.departure), (jump.to, jump.arrival));
                let user_id = jump.user_id;
                if self.filter.passes_jump(jump) {
                    visit(there, here, BarrierKind::OneWay { user_id });
                } else {
                    visit(here, there, BarrierKind::ClosedLink { user_id });
                }
            }
        }
        for (reference, tile) in self.mesh.tiles() {
            for (number, authored) in (0..).zip(&tile.links) {
                let attachment = self.mesh.attachments[reference.slot() as usize].get(number as usize);
                if attachment.is_some_and(|ends| ends.start.is_some() && ends.end.is_some()) {
                    continue;
                }
                let Some(link) = explain_link(self.mesh, reference, number) else { continue };
                let near = |end: EndExplanation| match end {
                    EndExplanation::Attached(candidate) => Some(candidate.polygon),
                    EndExplanation::OutOfReach { nearest, .. } => Some(nearest.polygon),
                    EndExplanation::NoTile => None,
                };
                let (Some(start), Some(end)) = (near(link.start), near(link.end)) else { continue };
                let place = |point: [f32; 3]| world_xz(self.mesh.params(), tile, [point[0], point[2]]);
                let start = (self.index.number(start) as u32, place(authored.start));
                let end = (self.index.number(end) as u32, place(authored.end));
                let kind = BarrierKind::Unattached { user_id: authored.user_id, link };
                visit(start, end, kind.clone());
                if authored.bidirectional {
                    visit(end, start, kind);
                }
            }
        }
    }
}

/// Places of two convex rings that are nearest to each other; the same one if they overlap.
pub(super) fn nearest_places(a: &[[f64; 2]], b: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let edge = |ring: &[[f64; 2]], k: usize| (ring[k], ring[(k + 1) % ring.len()]);
    let inside = |ring: &[[f64; 2]], point: [f64; 2]| {
        (0..ring.len()).all(|k| {
            let (from, to) = edge(ring, k);
            cross(minus(to, from), minus(point, from)) >= 0.0
        })
    };
    if let Some(common) =
        a.iter().find(|point| inside(b, **point)).or(b.iter().find(|point| inside(a, **point)))
    {
        return [*common; 2];
    }
    let (mut best, mut places) = (f64::INFINITY, [a[0], b[0]]);
    for i in 0..a.len() {
        for k in 0..b.len() {
            let ((p, q), (r, s)) = (edge(a, i), edge(b, k));
            let (start, end) = (cross(minus(s, r), minus(p, r)), cross(minus(s, r), minus(q, r)));
            let (other_start, other_end) = (cross(minus(q, p), minus(r, p)), cross(minus(q, p), minus(s, p)));
            if start * end < 0.0 && other_start * other_end < 0.0 {
                return [between(p, q, start / (start - end)); 2];
            }
            let near = [[p, closest_on_segment(r, s, p)], [closest_on_segment(p, q, r), r]];
            for pair in near {
                let gap = distance_squared(pair[0], pair[1]);
                if gap < best {
                    (best, places) = (gap, pair);
                }
            }
        }
    }
    places
}

/// The places in the middle of all those where two convex rings are as near to each other as at `places`, or by no more
/// than `slack` farther.
pub(super) fn middle_places(
    a: &[[f64; 2]],
    b: &[[f64; 2]],
    places: [[f64; 2]; 2],
    slack: f64,
) -> [[f64; 2]; 2] {
    let nearest = |ring: &[[f64; 2]], at: [f64; 2]| {
        let edges = (0..ring.len()).map(|k| closest_on_segment(ring[k], ring[(k + 1) % ring.len()], at));
        edges.min_by(|p, q| distance_squared(*p, at).total_cmp(&distance_squared(*q, at))).unwrap_or(at)
    };
    let gap = |[p, q]: [[f64; 2]; 2]| distance_squared(p, q).sqrt();
    let of_a = a.iter().map(|&at| [at, nearest(b, at)]);
    let of_b = b.iter().map(|&at| [nearest(a, at), at]);
    let is_near = |pair: &[[f64; 2]; 2]| gap(*pair) <= gap(places) + slack.max(SAME_PLACE);
    // Two of them span the stretch: those that lie farthest from each other.
    let all: Vec<[[f64; 2]; 2]> = of_a.chain(of_b).filter(is_near).collect();
    let ends = all.iter().flat_map(|p| all.iter().map(move |q| (p, q)));
    let far = |(p, q): &(&[[f64; 2]; 2], &[[f64; 2]; 2])| distance_squared(p[0], q[0]);
    let Some((p, q)) = ends.max_by(|x, y| far(x).total_cmp(&far(y))) else { return places };
    let middle = [0, 1].map(|axis| f64::midpoint(p[0][axis], q[0][axis]));
    let there = nearest(b, middle);
    [nearest(a, there), there]
}
