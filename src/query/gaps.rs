//! The places where what can be reached comes nearest to what leads to the end, and what stands between.

use std::sync::atomic::{AtomicBool, Ordering};

use super::barrier::{At, Barrier, BarrierKind, Ground, nearest_places};
use super::frontier::flood;
use super::islands::root;
use super::nearest::NavPlace;
use super::plan::NONE;
use super::view::distance_squared;
use super::{PathScratch, QueryFilter};
use crate::format::TiledNavMesh;

/// Barriers that are named.
pub(super) const MOST_NEAREST: usize = 8;
/// Pairs of polygons that are looked at closely, as the nearest ones.
const MOST_PAIRS: usize = 4;

/// What stands between what can be reached from one place and what hangs together with another, nearest first; empty once
/// `stop` is set. The scratch has the islands of the mesh in its sets.
pub(super) fn nearest_barriers(
    mesh: &TiledNavMesh,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
    [from, to]: [&NavPlace; 2],
    stop: &AtomicBool,
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
    let ground = Ground { mesh, index, filter };
    let mut sides = Sides { ground, stop, reached, wanted, found: Vec::new() };
    sides.find_pairs();
    sides.find_links();
    sides.find_closed();
    if stop.load(Ordering::Relaxed) {
        return Vec::new();
    }
    let gap = |barrier: &Barrier| barrier.distance.hypot(barrier.rise);
    sides.found.sort_by(|a, b| {
        gap(a)
            .total_cmp(&gap(b))
            .then(a.from.polygon.cmp(&b.from.polygon))
            .then(a.to.polygon.cmp(&b.to.polygon))
    });
    let mut found: Vec<Barrier> = Vec::new();
    for barrier in sides.found {
        if found.len() < MOST_NEAREST && !found.iter().any(|known| known.is_at(&barrier)) {
            found.push(barrier);
        }
    }
    found
}

/// What a search for barriers knows of each cell.
struct Sides<'a> {
    ground: Ground<'a>,
    stop: &'a AtomicBool,
    /// Can be reached from the start.
    reached: Vec<bool>,
    /// Hangs together with the end, and cannot be reached.
    wanted: Vec<bool>,
    found: Vec<Barrier>,
}

impl Sides<'_> {
    fn add(&mut self, from: At, to: At, kind: BarrierKind) {
        self.found.push(self.ground.barrier(from, to, kind));
    }

    /// The pairs of polygons that come nearest, and what is between them.
    fn find_pairs(&mut self) {
        let cells = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
        let turned = cells(&self.wanted) > cells(&self.reached);
        let (few, many) = if turned { (&self.reached, &self.wanted) } else { (&self.wanted, &self.reached) };
        let (ground, plan) = (self.ground, &self.ground.index.plan);
        // Gap, cell of the few and cell of the many, a place of each; nearest first.
        let mut best: Vec<(f64, [u32; 2], [[f64; 2]; 2])> = Vec::new();
        for own in (0..plan.cell_count() as u32).filter(|cell| few[*cell as usize]) {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let ring: Vec<[f64; 2]> = ground.corners(own).collect();
            let Some(first) = ring.first() else { continue };
            let limit = best.get(MOST_PAIRS - 1).map_or(f64::INFINITY, |farthest| farthest.0);
            let mut look = |other: u32| {
                if !many[other as usize] {
                    return;
                }
                let theirs: Vec<[f64; 2]> = ground.corners(other).collect();
                let places = nearest_places(&ring, &theirs);
                let rise = ground.height((own, places[0])) - ground.height((other, places[1]));
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
                ground.index.visit_box(min, max, &mut look);
            } else {
                // The first ones: the nearest by boxes, wherever they are.
                let mut left = 64;
                ground.index.visit_cells(*first, f64::INFINITY, |other, _| {
                    left -= i32::from(many[other as usize]);
                    look(other);
                    if left > 0 { f64::INFINITY } else { -1.0 }
                });
            }
        }
        for (_, [own, other], [here, there]) in best {
            let (from, to) =
                if turned { ((own, here), (other, there)) } else { ((other, there), (own, here)) };
            let kind = self.ground.between(from, to);
            self.add(from, to, kind);
        }
    }

    /// Links that lead the other way only, that the filter closes, or whose one end is attached to nothing.
    fn find_links(&mut self) {
        let (ground, mut found) = (self.ground, Vec::new());
        ground.visit_useless_links(|from, to, kind| {
            if self.reached[from.0 as usize] && self.wanted[to.0 as usize] {
                found.push(ground.barrier(from, to, kind));
            }
        });
        self.found.append(&mut found);
    }

    /// Goes on from what can be reached over closed polygons and links, and names the first closed polygon of the way
    /// with the fewest steps.
    fn find_closed(&mut self) {
        let plan = &self.ground.index.plan;
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
            if !self.reached[cell as usize] && !self.ground.filter.passes_cell(own) {
                closed = Some((plan.polygons[cell as usize], own.area, own.flags));
            }
        }
        if let Some((polygon, area, flags)) = closed {
            let to = (last, plan.closest(&plan.cells[last as usize], self.ground.middle(cell)).0);
            let from = (cell, plan.closest(&plan.cells[cell as usize], to.1).0);
            self.add(from, to, BarrierKind::ClosedPolygon { polygon, area, flags });
        }
    }
}
