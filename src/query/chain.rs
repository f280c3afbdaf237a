//! Barriers one after another: the chain from the start to the end on which the least would have to change, as
//! [`PathExplanation::barriers`](super::PathExplanation::barriers) says it.
//!
//! A search for the cheapest way over all cells, where walking costs next to nothing and getting over a barrier costs what
//! would have to change of it. It begins at the end that hangs together with less and is over where it meets what hangs
//! together with the other one, so that a large mesh with a small island takes no longer than the island. Which floors come
//! near each other is not known beforehand and costs most: pairs are measured as the search comes to them, and up to a
//! change that is doubled until the chain found costs no more, so that no pair that was left out can be part of a
//! better one.
//!
//! Source: Dijkstra 1959.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering as Access};

use super::barrier::{At, Barrier, BarrierKind, Change, Ground, middle_places, nearest_places};
use super::nearest::NavPlace;
use super::plan::NONE;
use super::surface::height_range;
use super::view::{PolygonView, distance};
use crate::format::PolyRef;
use crate::geom::union_find::UnionFind;

/// What a square of walking weighs against a square of change.
const WALKING: f64 = 0.01;
/// Most cells that are looked at for pairs, and most pairs that are measured; where that is not enough, the chain is the
/// best of what was measured.
const MOST_LOOKS: usize = 20_000_000;
const MOST_MEASURED: usize = 400_000;
/// A surface this even, in climbs, is taken for a plane of one height.
const EVEN: f64 = 0.1;
/// Changes that differ by less are the same.
const SAME: f64 = 1e-3;

/// The chain, in the order of the way; `nearest`: barriers between what can be reached and what hangs together with the
/// end, however wide. Empty if nothing leads there, and once `stop` is set.
pub(super) fn least_change(
    ground: Ground<'_>,
    ends: [&NavPlace; 2],
    nearest: &[Barrier],
    stop: &AtomicBool,
) -> Vec<Barrier> {
    let change = Change::of(ground.mesh.params());
    let mut chains = Chains::new(ground, change, ends, stop);
    chains.add_links();
    chains.add_known(nearest);
    chains.sort_known();
    let mut limit = 2.0 * change.wall;
    loop {
        let (found, all) = chains.cheapest(limit);
        if stop.load(Access::Relaxed) {
            return Vec::new();
        }
        let total = found.as_ref().map_or(f64::INFINITY, |found| found.total);
        // Beyond the world nothing is found any more.
        if !all || total <= limit || limit > 4.0 * ground.plan().extent {
            return found.map(|found| chains.barriers(&found.steps)).unwrap_or_default();
        }
        limit = (2.0 * limit).min(total);
    }
}

/// A way over a barrier.
#[derive(Clone, Debug)]
struct Crossing {
    from: At,
    to: At,
    cost: f64,
    /// What it is, unless that is still to be seen.
    kind: Option<BarrierKind>,
}

/// How a step of a way gets from one cell to the next.
#[derive(Clone, Copy, Debug)]
enum By {
    /// Open floor or a link.
    Walking,
    /// Into closed floor.
    Closed,
    /// Over a barrier, by its number.
    Crossing(usize),
}

/// Forward, whichever end the search begins at.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: u32,
    to: u32,
    by: By,
}

struct Found {
    total: f64,
    steps: Vec<Step>,
}

/// A cell that waits, cheapest first; of equally cheap ones the first polygon, whatever the numbers of cells.
#[derive(PartialEq)]
struct Waiting {
    cost: f64,
    polygon: PolyRef,
    cell: u32,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.polygon.cmp(&self.polygon))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Chains<'a> {
    ground: Ground<'a>,
    change: Change,
    stop: &'a AtomicBool,
    ends: [u32; 2],
    /// Whether the search begins at the end.
    backward: bool,
    /// Per cell, what walking there costs from the end that the search begins at, and to the other one; infinite where no
    /// walk leads.
    walked: [Vec<f64>; 2],
    /// Per cell, where ways through it are measured.
    middles: Vec<[f64; 2]>,
    /// Per cell: what edges join has one number.
    floors: Vec<u32>,
    /// Links against their direction: the cell that they lead to, and theirs.
    arrivals: Vec<(u32, usize, u32)>,
    /// Those that are known before the search, by the cell that it comes from; then those that it measured.
    crossings: Vec<Crossing>,
    known_count: usize,
    looks: usize,
    measured: usize,
}

impl<'a> Chains<'a> {
    fn new(ground: Ground<'a>, change: Change, ends: [&NavPlace; 2], stop: &'a AtomicBool) -> Self {
        let plan = ground.plan();
        let count = plan.cell_count() as u32;
        let mut middles: Vec<[f64; 2]> = (0..count).map(|cell| ground.middle(cell)).collect();
        let cells = ends.map(|end| ground.index.number(end.polygon) as u32);
        for (cell, end) in cells.into_iter().zip(ends) {
            middles[cell as usize] = [end.position[0], end.position[2]];
        }
        let (mut sets, mut arrivals) = (UnionFind::new(count as usize), Vec::new());
        for cell in ground.index.cells().filter(|&cell| ground.is_open(cell)) {
            for side in plan.ways_out(cell).filter(|side| ground.is_open(side.to)) {
                sets.union(cell, side.to);
            }
            arrivals.extend(plan.jumps_of(cell).map(|jump| (plan.jumps[jump].to, jump, cell)));
        }
        arrivals.sort_unstable();
        let mut chains = Self {
            ground,
            change,
            stop,
            ends: cells,
            backward: false,
            walked: Default::default(),
            middles,
            floors: (0..count).map(|cell| sets.find(cell)).collect(),
            arrivals,
            crossings: Vec::new(),
            known_count: 0,
            looks: 0,
            measured: 0,
        };
        let (from_start, to_end) = (chains.walk(false), chains.walk(true));
        let many = |walked: &[f64]| walked.iter().filter(|cost| cost.is_finite()).count();
        chains.backward = many(&from_start) >= many(&to_end);
        chains.walked = if chains.backward { [to_end, from_start] } else { [from_start, to_end] };
        chains
    }

    fn polygon(&self, cell: u32) -> PolyRef {
        self.ground.plan().polygons[cell as usize]
    }

    /// Calls back with the cells that are walked to from a cell, or from (`backward`) which it is walked to, and what that
    /// costs.
    fn visit_walks(&self, cell: u32, backward: bool, mut visit: impl FnMut(u32, f64)) {
        let (plan, filter) = (self.ground.plan(), self.ground.filter);
        let middle = self.middles[cell as usize];
        for side in plan.ways_out(cell) {
            visit(side.to, WALKING * distance(middle, self.middles[side.to as usize]));
        }
        let mut over = |jump: usize, to: u32, at: [f64; 2], beyond: [f64; 2]| {
            if filter.passes_jump(&plan.jumps[jump]) {
                visit(to, WALKING * (distance(middle, at) + distance(beyond, self.middles[to as usize])));
            }
        };
        if backward {
            let first = self.arrivals.partition_point(|arrival| arrival.0 < cell);
            for &(_, jump, from) in self.arrivals[first..].iter().take_while(|arrival| arrival.0 == cell) {
                over(jump, from, plan.jumps[jump].arrival, plan.jumps[jump].departure);
            }
        } else {
            for jump in plan.jumps_of(cell) {
                over(jump, plan.jumps[jump].to, plan.jumps[jump].departure, plan.jumps[jump].arrival);
            }
        }
    }

    /// What walking costs over open floor from the start, or (`backward`) to the end.
    fn walk(&self, backward: bool) -> Vec<f64> {
        let root = self.ends[usize::from(backward)];
        let mut costs = vec![f64::INFINITY; self.middles.len()];
        let mut waiting = BinaryHeap::new();
        costs[root as usize] = 0.0;
        waiting.push(Waiting { cost: 0.0, polygon: self.polygon(root), cell: root });
        while let Some(Waiting { cost, cell, .. }) = waiting.pop() {
            if self.stop.load(Access::Relaxed) {
                break;
            }
            if cost > costs[cell as usize] {
                continue;
            }
            self.visit_walks(cell, backward, |to, more| {
                let cost = cost + more;
                if self.ground.is_open(to) && cost < costs[to as usize] {
                    costs[to as usize] = cost;
                    waiting.push(Waiting { cost, polygon: self.polygon(to), cell: to });
                }
            });
        }
        costs
    }

    fn add_links(&mut self) {
        let (ground, change, crossings) = (self.ground, self.change, &mut self.crossings);
        ground.visit_useless_links(|from, to, kind| {
            if ground.is_open(from.0) && ground.is_open(to.0) {
                crossings.push(Crossing { from, to, cost: change.of_kind(&kind), kind: Some(kind) });
            }
        });
    }

    /// Barriers between floors that are known already.
    fn add_known(&mut self, known: &[Barrier]) {
        for Barrier { from, to, distance, rise, .. } in known.iter().filter(|known| known.is_of_floors()) {
            let at = |place: &NavPlace| {
                let [x, _, z] = place.position;
                (self.ground.index.number(place.polygon) as u32, [x, z])
            };
            let (from, to, cost) = (at(from), at(to), self.change.between_floors(*distance, *rise));
            self.crossings.push(Crossing { from, to, cost, kind: None });
        }
    }

    /// The cell that the search comes from over a crossing, and the place beyond.
    fn sides<'b>(&self, crossing: &'b Crossing) -> [&'b At; 2] {
        if self.backward { [&crossing.to, &crossing.from] } else { [&crossing.from, &crossing.to] }
    }

    fn sort_known(&mut self) {
        let mut known = std::mem::take(&mut self.crossings);
        // Equal ones in an order that numbers of cells have no part in.
        known.sort_by(|a, b| {
            let ([a_own, a_far], [b_own, b_far]) = (self.sides(a), self.sides(b));
            let order = a_own.0.cmp(&b_own.0).then(a.cost.total_cmp(&b.cost));
            order.then(self.polygon(a_far.0).cmp(&self.polygon(b_far.0)))
        });
        self.known_count = known.len();
        self.crossings = known;
    }

    /// Calls back with the floors near a cell that edges do not join with it, where at most `limit` would have to change:
    /// how much, and the places on both.
    fn visit_floors(&mut self, cell: u32, limit: f64, mut visit: impl FnMut(&Self, u32, f64, [[f64; 2]; 2])) {
        let (ground, change) = (self.ground, self.change);
        let (reach, floor) = (limit + change.margin, self.floors[cell as usize]);
        if limit < change.each || !ground.is_open(cell) {
            return;
        }
        let Shape { ring, low, high, at_rim, heights } = Shape::of(ground, cell);
        let (mut looks, mut found) = (0, Vec::new());
        ground.index.visit_box(low.map(|k| k - reach), high.map(|k| k + reach), |other| {
            looks += 1;
            let is_own = self.walked[0][other as usize].is_finite();
            if self.floors[other as usize] != floor && !is_own && ground.is_open(other) {
                found.push(other);
            }
        });
        self.looks += looks;
        for other in found {
            let beyond = Shape::of(ground, other);
            if !at_rim && !beyond.at_rim {
                continue;
            }
            let apart = [0, 1].map(|k| (beyond.low[k] - high[k]).max(low[k] - beyond.high[k]).max(0.0));
            let rise = (beyond.heights[0] - heights[1]).max(heights[0] - beyond.heights[1]).max(0.0);
            if change.least(apart[0].hypot(apart[1]), rise) > limit {
                continue;
            }
            self.measured += 1;
            let uneven = [heights, beyond.heights].iter().any(|[low, high]| high - low > EVEN * change.wall);
            let (cost, places) = self.nearest((cell, &ring), (other, &beyond.ring), uneven);
            if cost <= limit {
                visit(self, other, cost, places);
            }
        }
    }

    /// The places of two cells between which the least would have to change, of equal ones the nearest; with how much. On
    /// slopes that need not be where they come nearest in plan; on planes it is at a corner of either.
    fn nearest(
        &self,
        (a, ring_a): (u32, &[[f64; 2]]),
        (b, ring_b): (u32, &[[f64; 2]]),
        uneven: bool,
    ) -> (f64, [[f64; 2]; 2]) {
        let (ground, plan) = (self.ground, self.ground.plan());
        let weighed = |[here, there]: [[f64; 2]; 2]| {
            let (apart, rise) = (distance(here, there), ground.height((b, there)) - ground.height((a, here)));
            ((self.change.between_floors(apart, rise), apart.hypot(rise)), [here, there])
        };
        let mut best = weighed(nearest_places(ring_a, ring_b));
        if uneven {
            let of_a = ring_a.iter().map(|&at| [at, plan.closest(ground.cell(b), at).0]);
            let of_b = ring_b.iter().map(|&at| [plan.closest(ground.cell(a), at).0, at]);
            for places in of_a.chain(of_b) {
                if self.change.least(distance(places[0], places[1]), 0.0) <= best.0.0 {
                    let found = weighed(places);
                    best = if found.0 < best.0 { found } else { best };
                }
            }
        }
        (best.0.0, best.1)
    }

    /// The cheapest way, if none of its barriers has more than `limit` to change; and whether all such were measured.
    fn cheapest(&mut self, limit: f64) -> (Option<Found>, bool) {
        self.crossings.truncate(self.known_count);
        let root = self.ends[usize::from(self.backward)];
        let mut tree = Tree::new(self, root);
        let mut all = true;
        while let Some(Waiting { cost, cell, .. }) = tree.waiting.pop() {
            if cost >= tree.total || self.stop.load(Access::Relaxed) {
                break;
            }
            if cost > tree.costs[cell as usize] {
                continue;
            }
            let (is_open, wall) = (self.ground.is_open(cell), self.change.each + self.change.wall);
            self.visit_walks(cell, self.backward, |to, more| {
                let to_is_open = self.ground.is_open(to);
                // From open floor into closed, seen forward.
                let enters = if self.backward { to_is_open && !is_open } else { is_open && !to_is_open };
                let (more, by) = if enters { (more + wall, By::Closed) } else { (more, By::Walking) };
                tree.reach(self, (cell, cost), to, more, by);
            });
            let known = &self.crossings[..self.known_count];
            let first = known.partition_point(|crossing| self.sides(crossing)[0].0 < cell);
            for (number, crossing) in known.iter().enumerate().skip(first) {
                let [own, far] = self.sides(crossing);
                if own.0 != cell {
                    break;
                }
                let more = crossing.cost + self.walked_over(own, far);
                tree.reach(self, (cell, cost), far.0, more, By::Crossing(number));
            }
            if self.looks > MOST_LOOKS || self.measured > MOST_MEASURED {
                all = false;
                continue;
            }
            let mut crossings = Vec::new();
            let number = self.crossings.len();
            self.visit_floors(cell, limit.min(tree.total) - cost, |chains, other, change, [here, there]| {
                let (own, far) = ((cell, here), (other, there));
                let more = change + chains.walked_over(&own, &far);
                if tree.reach(chains, (cell, cost), other, more, By::Crossing(number + crossings.len())) {
                    let (from, to) = if chains.backward { (far, own) } else { (own, far) };
                    crossings.push(Crossing { from, to, cost: change, kind: None });
                }
            });
            self.crossings.append(&mut crossings);
        }
        (tree.found(self), all)
    }

    /// What walking to a crossing and from it on costs.
    fn walked_over(&self, own: &At, far: &At) -> f64 {
        let side = |at: &At| distance(self.middles[at.0 as usize], at.1);
        WALKING * (side(own) + side(far))
    }

    /// A barrier where two cells come nearest; of a stretch that is as near all along, and not worse, in its middle.
    fn between_floors(&self, (from, from_at): At, (to, to_at): At, cost: f64) -> Barrier {
        let ground = self.ground;
        let [a, b] = [from, to].map(|cell| ground.corners(cell).collect::<Vec<_>>());
        let rise = |here: [f64; 2], there: [f64; 2]| ground.height((to, there)) - ground.height((from, here));
        // Of a step its height is what matters, of a gap its width.
        let is_step = rise(from_at, to_at).abs() > self.change.climb;
        let slack = if is_step { self.change.rounding } else { 0.0 };
        let [mut here, mut there] = middle_places(&a, &b, [from_at, to_at], slack);
        let rise = rise(here, there);
        if self.change.between_floors(distance(here, there), rise) > cost + SAME {
            (here, there) = (from_at, to_at);
        }
        let (from, to) = ((from, here), (to, there));
        ground.barrier(from, to, ground.between(from, to))
    }

    /// A barrier between two cells, or, where no more would have to change, between one beside the first and one beside the
    /// second: the one on the shortest way from the place before to the place after. What was walked was measured through
    /// the middles of cells, which are not where it goes.
    fn on_the_way(&self, own: &Crossing, before: [f64; 2], after: [f64; 2]) -> Barrier {
        let (ground, plan) = (self.ground, self.ground.plan());
        let around = |cell: u32| {
            let beside = plan.ways_out(cell).map(|side| side.to).filter(|&cell| ground.is_open(cell));
            std::iter::once(cell).chain(beside).map(|cell| (cell, Shape::of(ground, cell)))
        };
        let far: Vec<(u32, Shape)> = around(own.to.0).collect();
        let length = |barrier: &Barrier| {
            let [here, there] =
                [&barrier.from, &barrier.to].map(|place| [place.position[0], place.position[2]]);
            distance(before, here) + distance(there, after)
        };
        let mut best = self.between_floors(own.from, own.to, own.cost);
        for (from, shape) in around(own.from.0) {
            for (to, beyond) in &far {
                let (cost, [here, there]) = self.nearest((from, &shape.ring), (*to, &beyond.ring), true);
                if cost <= own.cost + SAME {
                    let found = self.between_floors((from, here), (*to, there), cost);
                    best = if length(&found) < length(&best) { found } else { best };
                }
            }
        }
        best
    }

    /// The barriers of a way, in its order.
    fn barriers(&self, steps: &[Step]) -> Vec<Barrier> {
        let (ground, plan) = (self.ground, self.ground.plan());
        let [start, end] = self.ends.map(|cell| self.middles[cell as usize]);
        let mut before = start;
        let barrier = |(number, step): (usize, &Step)| match step.by {
            By::Walking => None,
            By::Crossing(crossing) => {
                let crossing = &self.crossings[crossing];
                let after = steps[number + 1..].iter().find_map(|step| match step.by {
                    By::Crossing(next) => {
                        let Crossing { from, to, cost, .. } = self.crossings[next];
                        let [x, _, z] = self.between_floors(from, to, cost).from.position;
                        Some([x, z])
                    }
                    By::Walking | By::Closed => None,
                });
                let found = match &crossing.kind {
                    Some(kind) => ground.barrier(crossing.from, crossing.to, kind.clone()),
                    None => self.on_the_way(crossing, before, after.unwrap_or(end)),
                };
                before = [found.to.position[0], found.to.position[2]];
                Some(found)
            }
            By::Closed => {
                let (polygon, own) = (self.polygon(step.to), ground.cell(step.to));
                let kind = BarrierKind::ClosedPolygon { polygon, area: own.area, flags: own.flags };
                // Out of it again, on the first open floor.
                let beyond = steps[number..].iter().map(|step| step.to).find(|&cell| ground.is_open(cell));
                let beyond = beyond.unwrap_or(step.to);
                let to = plan.closest(ground.cell(beyond), self.middles[step.from as usize]).0;
                let from = plan.closest(ground.cell(step.from), to).0;
                Some(ground.barrier((step.from, from), (beyond, to), kind))
            }
        };
        steps.iter().enumerate().filter_map(barrier).collect()
    }
}

/// A cell as pairs are measured.
struct Shape {
    ring: Vec<[f64; 2]>,
    low: [f64; 2],
    high: [f64; 2],
    /// Whether an edge of it leads nowhere.
    at_rim: bool,
    /// The least and the greatest height.
    heights: [f64; 2],
}

impl Shape {
    fn of(ground: Ground<'_>, cell: u32) -> Self {
        let plan = ground.plan();
        let ring: Vec<[f64; 2]> = ground.corners(cell).collect();
        let axis = |axis: usize| ring.iter().map(move |at: &[f64; 2]| at[axis]);
        let low = [0, 1].map(|k| axis(k).fold(f64::INFINITY, f64::min));
        let high = [0, 1].map(|k| axis(k).fold(f64::NEG_INFINITY, f64::max));
        let own = ground.cell(cell);
        let at_rim = plan.ring(own).iter().any(|side| side.to == NONE);
        let view = || PolygonView::new(ground.mesh, plan.polygons[cell as usize]);
        let heights = if own.flat_y.is_nan() {
            view().map_or([f64::NAN; 2], |view| height_range(&view))
        } else {
            [own.flat_y; 2]
        };
        Self { ring, low, high, at_rim, heights }
    }
}

/// What a search knows of each cell.
struct Tree {
    costs: Vec<f64>,
    came: Vec<Option<Step>>,
    waiting: BinaryHeap<Waiting>,
    /// Of the best way so far.
    total: f64,
    /// The step of it that meets what hangs together with the other end.
    last: Option<Step>,
}

impl Tree {
    fn new(chains: &Chains<'_>, root: u32) -> Self {
        let count = chains.middles.len();
        let (costs, came) = (vec![f64::INFINITY; count], vec![None; count]);
        let mut tree = Self { costs, came, waiting: BinaryHeap::new(), total: f64::INFINITY, last: None };
        tree.costs[root as usize] = 0.0;
        tree.waiting.push(Waiting { cost: 0.0, polygon: chains.polygon(root), cell: root });
        tree
    }

    /// Goes on to a cell; whether that is the best way there so far.
    fn reach(&mut self, chains: &Chains<'_>, (cell, cost): (u32, f64), to: u32, more: f64, by: By) -> bool {
        let (cost, rest) = (cost + more, chains.walked[1][to as usize]);
        let (from, beyond) = if chains.backward { (to, cell) } else { (cell, to) };
        let step = Step { from, to: beyond, by };
        let side = |step: Step| chains.polygon(if chains.backward { step.from } else { step.to });
        if rest.is_finite() {
            let total = cost + rest;
            let order = total.total_cmp(&self.total);
            let is_first = order.is_eq() && self.last.is_none_or(|last| side(step) < side(last));
            if order.is_lt() || is_first {
                (self.total, self.last) = (total, Some(step));
                return true;
            }
            return false;
        }
        if cost < self.costs[to as usize] {
            self.costs[to as usize] = cost;
            self.came[to as usize] = Some(step);
            self.waiting.push(Waiting { cost, polygon: chains.polygon(to), cell: to });
            return true;
        }
        false
    }

    fn found(self, chains: &Chains<'_>) -> Option<Found> {
        let last = self.last?;
        let mut steps = vec![last];
        let mut at = if chains.backward { last.to } else { last.from };
        while let Some(step) = self.came[at as usize] {
            steps.push(step);
            at = if chains.backward { step.to } else { step.from };
        }
        if !chains.backward {
            steps.reverse();
        }
        Some(Found { total: self.total, steps })
    }
}
