//! Why there is no path, in numbers: the islands of both ends, the places where what can be reached comes nearest to
//! what leads to the end, and what stands between.

use super::frontier::flood;
use super::index::QueryIndex;
use super::islands::{describe, join, root};
use super::nearest::{NavPlace, cell_place};
use super::plan::{NONE, Plan};
use super::sight::{between, cross, minus, overlaps};
use super::view::{closest_on_segment, distance_squared};
use super::{
    NavPath, PathScratch, PathStatus, QueryError, QueryFilter, RayHit, find_nav_path_into, find_path_between,
    raycast,
};
use crate::format::{PolyRef, TiledNavMesh};
use crate::stitch::{
    EdgeExplanation, EndExplanation, LinkExplanation, PortalMiss, explain_edge, explain_link,
};

/// Why there is no path between two places, or where the straight way to a place is blocked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathExplanation {
    /// The path, or how far it gets.
    pub path: NavPath,
    /// The start on the mesh; `None` if it lies too far off.
    pub start: Option<EndNote>,
    /// The end on the mesh; `None` if it lies too far off.
    pub end: Option<EndNote>,
    /// Where a straight walk from the start towards the end stops; `None` if it does not.
    pub straight_stop: Option<RayHit>,
    /// What stands between what can be reached and the end, nearest first; at most [`MOST_BARRIERS`].
    pub barriers: Vec<Barrier>,
}

/// An end of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndNote {
    /// Its place on the mesh.
    pub place: NavPlace,
    /// Its island, counted from 0 as in [`Islands`](super::Islands); people count them from 1.
    pub island: u32,
    /// Polygons of that island.
    pub polygon_count: u32,
    /// How many islands there are.
    pub island_count: u32,
}

/// Two places near each other, one that can be reached and one that leads to the end, and what stands between.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Can be reached from the start.
    pub from: NavPlace,
    /// Leads to the end.
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
    fn is_at(&self, other: &Self) -> bool {
        let near = |a: &NavPlace, b: &NavPlace| {
            (0..3).all(|axis| (a.position[axis] - b.position[axis]).abs() < SAME_PLACE)
        };
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
            && self.link() == other.link()
            && near(&self.from, &other.from)
            && near(&self.to, &other.to)
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

/// Barriers that an explanation names.
pub const MOST_BARRIERS: usize = 8;
/// Places nearer than this are one.
const SAME_PLACE: f64 = 1e-3;
/// Pairs of polygons that are looked at closely, as the nearest ones.
const MOST_PAIRS: usize = 4;

/// Explains the path between two places (world x, z), each on a level; `None` takes the nearest level there. Takes time
/// in proportion to the mesh, and allocates.
///
/// # Errors
/// As [`find_nav_path`](super::find_nav_path).
pub fn explain_path(
    mesh: &TiledNavMesh,
    start: ([f64; 2], Option<i8>),
    end: ([f64; 2], Option<i8>),
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<PathExplanation, QueryError> {
    let mut path = NavPath::default();
    find_nav_path_into(mesh, start, end, filter, scratch, &mut path)?;
    let reach = super::SNAP_TILES * mesh.params().tile_size;
    let mut find = |place: ([f64; 2], Option<i8>)| {
        super::closest_nav_point(mesh, place.0, place.1, reach, filter, scratch)
    };
    let (from, to) = (find(start)?, find(end)?);
    explain(mesh, from, to, path, filter, scratch)
}

/// As [`explain_path`], between two places that queries returned; `None` if one of their polygons is gone or closed.
///
/// # Errors
/// As [`find_nav_path`](super::find_nav_path).
pub fn explain_path_between(
    mesh: &TiledNavMesh,
    from: &NavPlace,
    to: &NavPlace,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<Option<PathExplanation>, QueryError> {
    let mut path = NavPath::default();
    if !find_path_between(mesh, from, to, filter, scratch, &mut path)? {
        return Ok(None);
    }
    explain(mesh, Some(*from), Some(*to), path, filter, scratch).map(Some)
}

fn explain(
    mesh: &TiledNavMesh,
    from: Option<NavPlace>,
    to: Option<NavPlace>,
    path: NavPath,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> Result<PathExplanation, QueryError> {
    let mut told = PathExplanation { path, ..PathExplanation::default() };
    join(&scratch.index.plan, filter, &mut scratch.sets);
    let PathScratch { index, sets, .. } = &mut *scratch;
    let mut note = |place: NavPlace| {
        let island = describe(index, sets, index.number(place.polygon) as u32);
        EndNote {
            place,
            island: island.id as u32,
            polygon_count: island.polygon_count as u32,
            island_count: island.island_count as u32,
        }
    };
    (told.start, told.end) = (from.map(&mut note), to.map(&mut note));
    let (Some(from), Some(to)) = (from, to) else { return Ok(told) };
    let towards = [to.position[0], to.position[2]];
    let ray = raycast(mesh, from.polygon, [from.position[0], from.position[2]], towards, filter, scratch)?;
    told.straight_stop = ray.filter(|hit| hit.wall.is_some() || hit.polygon != to.polygon);
    if told.path.status == PathStatus::Partial {
        told.barriers = barriers(mesh, filter, scratch, &from, &to);
    }
    Ok(told)
}

/// What a search for barriers knows of each cell.
struct Sides<'a> {
    mesh: &'a TiledNavMesh,
    index: &'a QueryIndex,
    filter: &'a QueryFilter,
    /// Can be reached from the start.
    reached: Vec<bool>,
    /// Hangs together with the end, and cannot be reached.
    wanted: Vec<bool>,
    found: Vec<Barrier>,
}

fn barriers(
    mesh: &TiledNavMesh,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    from: &NavPlace,
    to: &NavPlace,
) -> Vec<Barrier> {
    scratch.renew();
    let PathScratch { index, any_angle, sets, .. } = scratch;
    let number = |place: &NavPlace| index.number(place.polygon) as u32;
    let plan = &index.plan;
    flood(plan, filter, &[number(from)], any_angle);
    let count = plan.cell_count() as u32;
    let reached: Vec<bool> = (0..count).map(|cell| any_angle.was_reached(cell)).collect();
    let goal = root(sets, number(to));
    let mut hangs = |cell: u32| sets[cell as usize] != NONE && root(sets, cell) == goal;
    let wanted = (0..count).map(|cell| hangs(cell) && !reached[cell as usize]).collect();
    let mut sides = Sides { mesh, index, filter, reached, wanted, found: Vec::new() };
    sides.find_pairs();
    sides.find_links();
    sides.find_unattached();
    sides.find_closed();
    let gap = |barrier: &Barrier| barrier.distance.hypot(barrier.rise);
    sides.found.sort_by(|a, b| {
        gap(a)
            .total_cmp(&gap(b))
            .then(a.from.polygon.cmp(&b.from.polygon))
            .then(a.to.polygon.cmp(&b.to.polygon))
    });
    let mut found: Vec<Barrier> = Vec::new();
    for barrier in sides.found {
        if found.len() < MOST_BARRIERS && !found.iter().any(|known| known.is_at(&barrier)) {
            found.push(barrier);
        }
    }
    found
}

impl Sides<'_> {
    fn plan(&self) -> &Plan {
        &self.index.plan
    }

    fn add(&mut self, (from, from_at): (u32, [f64; 2]), (to, to_at): (u32, [f64; 2]), kind: BarrierKind) {
        let from = NavPlace { distance: 0.0, ..cell_place(self.mesh, self.plan(), from, from_at) };
        let to = NavPlace { distance: 0.0, ..cell_place(self.mesh, self.plan(), to, to_at) };
        let distance = (from.position[0] - to.position[0]).hypot(from.position[2] - to.position[2]);
        let rise = to.position[1] - from.position[1];
        self.found.push(Barrier { from, to, distance, rise, kind });
    }

    /// The pairs of polygons that come nearest, and what is between them.
    fn find_pairs(&mut self) {
        let cells = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
        let turned = cells(&self.wanted) > cells(&self.reached);
        let (few, many) = if turned { (&self.reached, &self.wanted) } else { (&self.wanted, &self.reached) };
        let plan = self.plan();
        // Gap, cell of the few and cell of the many, a place of each; nearest first.
        let mut best: Vec<(f64, [u32; 2], [[f64; 2]; 2])> = Vec::new();
        for own in (0..plan.cell_count() as u32).filter(|cell| few[*cell as usize]) {
            let ring: Vec<[f64; 2]> =
                plan.ring(&plan.cells[own as usize]).iter().map(|side| side.at).collect();
            let Some(first) = ring.first() else { continue };
            let limit = best.get(MOST_PAIRS - 1).map_or(f64::INFINITY, |farthest| farthest.0);
            let mut look = |other: u32| {
                if !many[other as usize] {
                    return;
                }
                let theirs: Vec<[f64; 2]> =
                    plan.ring(&plan.cells[other as usize]).iter().map(|side| side.at).collect();
                let places = nearest_places(&ring, &theirs);
                let height = |cell, at| super::nearest::cell_height(self.mesh, plan, cell, at);
                let rise = height(own, places[0]) - height(other, places[1]);
                let gap = distance_squared(places[0], places[1]).sqrt().hypot(rise);
                let entry = (gap, [own, other], places);
                let at = best.partition_point(|known| (known.0, known.1) < (gap, entry.1));
                if at < MOST_PAIRS {
                    best.insert(at, entry);
                    best.truncate(MOST_PAIRS);
                }
            };
            if limit.is_finite() {
                let axis = |axis: usize| ring.iter().map(move |at| at[axis]);
                let min = [0, 1].map(|k| axis(k).fold(f64::INFINITY, f64::min) - limit);
                let max = [0, 1].map(|k| axis(k).fold(f64::NEG_INFINITY, f64::max) + limit);
                self.index.visit_box(min, max, &mut look);
            } else {
                // The first ones: the nearest by boxes, wherever they are.
                let mut left = 64;
                self.index.visit_cells(*first, f64::INFINITY, |other, _| {
                    left -= i32::from(many[other as usize]);
                    look(other);
                    if left > 0 { f64::INFINITY } else { -1.0 }
                });
            }
        }
        for (_, [own, other], [here, there]) in best {
            let (from, to) =
                if turned { ((own, here), (other, there)) } else { ((other, there), (own, here)) };
            let kind = self.between(from, to);
            self.add(from, to, kind);
        }
    }

    fn between(&self, (from, from_at): (u32, [f64; 2]), (to, to_at): (u32, [f64; 2])) -> BarrierKind {
        let plan = self.plan();
        let polygons = [from, to].map(|cell| plan.polygons[cell as usize]);
        if let Some(miss) = self.missed_portal(polygons) {
            return BarrierKind::Portal { miss };
        }
        let width = distance_squared(from_at, to_at).sqrt();
        let height = |cell, at| super::nearest::cell_height(self.mesh, plan, cell, at);
        let rise = (height(from, from_at) - height(to, to_at)).abs();
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

    /// Links that lead the other way only, and links that the filter closes.
    fn find_links(&mut self) {
        for cell in 0..self.plan().cell_count() as u32 {
            for number in self.plan().jumps_of(cell) {
                let jump = self.plan().jumps[number];
                let open = self.filter.passes_jump(&jump);
                let (here, there) = ((cell, jump.departure), (jump.to, jump.arrival));
                let user_id = jump.user_id;
                if self.wanted[cell as usize] && self.reached[jump.to as usize] && open {
                    self.add(there, here, BarrierKind::OneWay { user_id });
                } else if self.reached[cell as usize] && self.wanted[jump.to as usize] && !open {
                    self.add(here, there, BarrierKind::ClosedLink { user_id });
                }
            }
        }
    }

    /// Links whose one end is attached to nothing and whose ends lie by what can be reached and what is wanted.
    fn find_unattached(&mut self) {
        let mesh = self.mesh;
        for (reference, tile) in mesh.tiles() {
            for (number, authored) in (0..).zip(&tile.links) {
                let attachment = mesh.attachments[reference.slot() as usize].get(number as usize);
                if attachment.is_some_and(|ends| ends.start.is_some() && ends.end.is_some()) {
                    continue;
                }
                let Some(link) = explain_link(mesh, reference, number) else { continue };
                let near = |end: EndExplanation| match end {
                    EndExplanation::Attached(candidate) => Some(candidate.polygon),
                    EndExplanation::OutOfReach { nearest, .. } => Some(nearest.polygon),
                    EndExplanation::NoTile => None,
                };
                let (Some(start), Some(end)) = (near(link.start), near(link.end)) else { continue };
                let place =
                    |point: [f32; 3]| super::view::world_xz(mesh.params(), tile, [point[0], point[2]]);
                let start = (self.index.number(start) as u32, place(authored.start));
                let end = (self.index.number(end) as u32, place(authored.end));
                let kind = BarrierKind::Unattached { user_id: authored.user_id, link };
                if self.reached[start.0 as usize] && self.wanted[end.0 as usize] {
                    self.add(start, end, kind);
                } else if authored.bidirectional
                    && self.reached[end.0 as usize]
                    && self.wanted[start.0 as usize]
                {
                    self.add(end, start, kind);
                }
            }
        }
    }

    /// Goes on from what can be reached over closed polygons and links, and names the first closed polygon of the way
    /// with the fewest steps.
    fn find_closed(&mut self) {
        let plan = self.plan();
        let count = plan.cell_count();
        let mut came_from = vec![NONE; count];
        let mut waiting: Vec<u32> = (0..count as u32).filter(|cell| self.reached[*cell as usize]).collect();
        let mut next = 0;
        let mut arrived = None;
        while let Some(&cell) = waiting.get(next) {
            next += 1;
            if self.wanted[cell as usize] {
                arrived = Some(cell);
                break;
            }
            let jumps = plan.jumps[plan.jumps_of(cell)].iter().map(|jump| jump.to);
            for to in plan.ways_out(cell).map(|side| side.to).chain(jumps) {
                if !self.reached[to as usize] && came_from[to as usize] == NONE {
                    came_from[to as usize] = cell;
                    waiting.push(to);
                }
            }
        }
        let Some(last) = arrived else { return };
        let (mut cell, mut closed) = (last, None);
        while came_from[cell as usize] != NONE {
            cell = came_from[cell as usize];
            let own = &plan.cells[cell as usize];
            if !self.reached[cell as usize] && !self.filter.passes_cell(own) {
                closed = Some((plan.polygons[cell as usize], own.area, own.flags));
            }
        }
        if let Some((polygon, area, flags)) = closed {
            let middle = |cell: u32| {
                let ring = plan.ring(&plan.cells[cell as usize]);
                [0, 1].map(|axis| ring.iter().map(|side| side.at[axis]).sum::<f64>() / ring.len() as f64)
            };
            let to = (last, plan.closest(&plan.cells[last as usize], middle(cell)).0);
            let from = (cell, plan.closest(&plan.cells[cell as usize], to.1).0);
            self.add(from, to, BarrierKind::ClosedPolygon { polygon, area, flags });
        }
    }
}

/// Places of two convex rings that are nearest to each other; the same one if they overlap.
fn nearest_places(a: &[[f64; 2]], b: &[[f64; 2]]) -> [[f64; 2]; 2] {
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
