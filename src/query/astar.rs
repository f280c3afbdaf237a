//! A* from portal to portal.
//!
//! A node is a point on a portal: its left end, its right end, or the point where the straight line from the
//! node before to the goal crosses it (or comes nearest). Within a convex polygon any two of its portals' points
//! see each other, so a way over nodes is a real way; the taut way bends at portals' ends only. The ways that
//! reach the goal are pulled tight one by one until no open node promises a better one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::QueryFilter;
use super::any_angle::Progress;
use super::funnel::{Pulled, Step};
use super::graph::Crossing;
use super::plan::{NONE, Plan};
use super::view::{closest_on_segment, distance, orientation};

/// Points of a portal that are nodes.
const SAMPLES: usize = 3;

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: u32,
    at: [f64; 2],
    /// Cost from the start.
    cost: f64,
    /// Cost from the start plus the least possible to the goal.
    estimate: f64,
    parent: u32,
    entry: Option<Crossing>,
    closed: bool,
    /// Which exit's sample this is; `NONE` at the start.
    key: usize,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    estimate: f64,
    cost: f64,
    node: u32,
}

/// The search's memory; empty between searches but for its capacity and the nodes of the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchMemory {
    nodes: Vec<Node>,
    /// Per side and sample, then per link, the node, or `NONE`.
    node_of: Vec<u32>,
    open: BinaryHeap<Open>,
    /// Per cell where a corridor last had it; believed only where the corridor agrees.
    place_of: Vec<u32>,
    /// What the best way so far costs.
    best_cost: f64,
}

impl SearchMemory {
    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.node_of.capacity() * size_of::<u32>()
            + self.open.capacity() * size_of::<Open>()
            + self.place_of.capacity() * size_of::<u32>()
    }

    fn clear(&mut self, plan: &Plan) {
        for node in &self.nodes {
            if let Some(entry) = self.node_of.get_mut(node.key) {
                *entry = NONE;
            }
        }
        self.nodes.clear();
        self.open.clear();
        self.best_cost = f64::INFINITY;
        let keys = plan.sides.len() * SAMPLES + plan.jumps.len();
        self.node_of.resize(self.node_of.len().max(keys), NONE);
        self.place_of.resize(self.place_of.len().max(plan.cell_count()), NONE);
    }

    /// The cells that the search has come to.
    pub(super) fn reached(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().map(|node| node.cell)
    }

    /// Writes down the corridor that ends in a node. Rounding can make a walk round a corner and back look no
    /// longer than staying, so a polygon that is walked into twice loses what lies between.
    fn write_corridor(&mut self, last: u32, plan: &Plan, steps: &mut Vec<Step>) {
        steps.clear();
        let mut at = last;
        while let Some(node) = self.nodes.get(at as usize) {
            steps.push(Step::new(plan, node.cell, node.entry));
            at = node.parent;
        }
        steps.reverse();
        let (mut kept, mut leg) = (0, 0);
        for place in 0..steps.len() {
            let step = steps[place];
            let earlier = &mut self.place_of[step.cell as usize];
            let seen = *earlier as usize;
            if let Some(Crossing::OffMesh { .. }) = step.entry {
                leg = kept;
            } else if (leg..kept).contains(&seen) && steps[seen].cell == step.cell {
                kept = seen + 1;
                continue;
            }
            *earlier = kept as u32;
            steps[kept] = step;
            kept += 1;
        }
        steps.truncate(kept);
    }
}

/// What a search is about.
pub(super) struct Search<'a> {
    pub(super) plan: &'a Plan,
    pub(super) filter: &'a QueryFilter,
    /// The start, and the cells that hold it.
    pub(super) start: [f64; 2],
    pub(super) starts: &'a [u32],
    /// The goal, and the cells that hold it.
    pub(super) goal: [f64; 2],
    pub(super) goals: &'a [u32],
}

impl Search<'_> {
    pub(super) fn begin(&self, memory: &mut SearchMemory) {
        memory.clear(self.plan);
        let estimate = self.least_cost() * distance(self.start, self.goal);
        for cell in self.starts {
            memory.open.push(Open { estimate, cost: 0.0, node: memory.nodes.len() as u32 });
            memory.nodes.push(Node {
                cell: *cell,
                at: self.start,
                cost: 0.0,
                estimate,
                parent: NONE,
                entry: None,
                closed: false,
                key: usize::MAX,
            });
        }
    }

    /// Goes on until the best way is found and left, pulled tight, in `best`, or `budget` nodes were looked at; what
    /// is left of it stays in it.
    pub(super) fn go_on(
        &self,
        memory: &mut SearchMemory,
        trial: &mut Pulled,
        best: &mut Pulled,
        budget: &mut usize,
    ) -> Progress {
        let least_cost = self.least_cost();
        while let Some(open) = memory.open.peek().copied() {
            // The margin keeps equal ways that differ by rounding from being tried one by one.
            if memory.best_cost <= open.estimate * (1.0 + 1e-12) {
                break;
            }
            if *budget == 0 {
                return Progress::Paused;
            }
            memory.open.pop();
            let node = &mut memory.nodes[open.node as usize];
            if node.closed || node.estimate < open.estimate {
                continue;
            }
            *budget -= 1;
            node.closed = true;
            if self.goals.contains(&node.cell) {
                memory.write_corridor(open.node, self.plan, &mut trial.steps);
                trial.pull(self.start, self.goal, |area| self.filter.cost(area));
                if trial.cost < memory.best_cost {
                    memory.best_cost = trial.cost;
                    std::mem::swap(trial, best);
                }
            }
            self.expand(memory, open.node, least_cost);
        }
        if memory.best_cost.is_finite() { Progress::Found } else { Progress::Nothing }
    }

    /// Whether some way to the goal is known, if not surely the best.
    pub(super) fn has_way(memory: &SearchMemory) -> bool {
        memory.best_cost.is_finite()
    }

    /// Writes the cells on the way to a cell that the search has come to down.
    pub(super) fn write_way_to(&self, cell: u32, memory: &mut SearchMemory, steps: &mut Vec<Step>) {
        let nodes = memory.nodes.iter().enumerate().filter(|(_, node)| node.cell == cell);
        let best = nodes.min_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost));
        let last = best.map_or(NONE, |(place, _)| place as u32);
        memory.write_corridor(last, self.plan, steps);
    }

    fn least_cost(&self) -> f64 {
        let all = self.plan.tally.all();
        self.filter.least_cost(all.cell_areas | all.jump_areas)
    }

    fn expand(&self, memory: &mut SearchMemory, place: u32, least_cost: f64) {
        let plan = self.plan;
        let node = memory.nodes[place as usize];
        let cell = &plan.cells[node.cell as usize];
        let walked_from = match node.entry {
            Some(Crossing::Portal { .. }) => memory.nodes[node.parent as usize].cell,
            _ => NONE,
        };
        let area_cost = self.filter.cost(cell.area);
        for side in plan.side_places(cell) {
            let way = &plan.sides[side as usize];
            if way.to == NONE
                || way.to == walked_from
                || !self.filter.passes_cell(&plan.cells[way.to as usize])
            {
                continue;
            }
            // Counter-clockwise: walking out over a side, its start is to the right.
            let (right, left) = (way.at, plan.sides[plan.next(cell, side) as usize].at);
            let towards = aim(node.at, self.goal, left, right);
            for (sample, at) in [left, right, towards].into_iter().enumerate() {
                if sample < 2 || (at != left && at != right) {
                    let cost = node.cost + area_cost * distance(node.at, at);
                    let key = side as usize * SAMPLES + sample;
                    let estimate = cost + least_cost * distance(at, self.goal);
                    let entry = Some(Crossing::Portal { left, right });
                    memory.relax(Node {
                        cell: way.to,
                        at,
                        cost,
                        estimate,
                        parent: place,
                        entry,
                        closed: false,
                        key,
                    });
                }
            }
        }
        for number in plan.jumps_of(node.cell) {
            let jump = plan.jumps[number];
            if !self.filter.passes_jump(&jump) || !self.filter.passes_cell(&plan.cells[jump.to as usize]) {
                continue;
            }
            let walk = area_cost * distance(node.at, jump.departure);
            let cost =
                node.cost + walk + self.filter.cost(jump.area) * distance(jump.departure, jump.arrival);
            memory.relax(Node {
                cell: jump.to,
                at: jump.arrival,
                cost,
                estimate: cost + least_cost * distance(jump.arrival, self.goal),
                parent: place,
                entry: Some(jump.crossing()),
                closed: false,
                key: plan.sides.len() * SAMPLES + number,
            });
        }
    }
}

impl SearchMemory {
    /// Opens a node unless one of its key is known that is as good.
    fn relax(&mut self, node: Node) {
        let (estimate, cost) = (node.estimate, node.cost);
        let known = self.node_of[node.key];
        if let Some(old) = self.nodes.get_mut(known as usize) {
            if old.closed || old.estimate <= estimate {
                return;
            }
            (old.at, old.cost, old.estimate, old.parent) = (node.at, cost, estimate, node.parent);
            self.open.push(Open { estimate, cost, node: known });
            return;
        }
        let place = self.nodes.len() as u32;
        self.node_of[node.key] = place;
        self.nodes.push(node);
        self.open.push(Open { estimate, cost, node: place });
    }
}

/// The portal's point on the straight way from a point to the goal, or the end nearest to that way.
fn aim(from: [f64; 2], goal: [f64; 2], left: [f64; 2], right: [f64; 2]) -> [f64; 2] {
    let (side_left, side_right) = (orientation(from, goal, left), orientation(from, goal, right));
    if side_left > 0.0 && side_right < 0.0 {
        let t = side_right / (side_right - side_left);
        return [right[0] + (left[0] - right[0]) * t, right[1] + (left[1] - right[1]) * t];
    }
    // Crossed from behind, or passed on one side: the end that makes the way over it shorter; when the goal is
    // behind, the nearest point may do better still.
    let near = closest_on_segment(left, right, from);
    let over = |at: [f64; 2]| distance(from, at) + distance(at, goal);
    [left, right, near].into_iter().reduce(|a, b| if over(b) < over(a) { b } else { a }).unwrap_or(near)
}

impl Ord for Open {
    /// Greatest is what to look at first: the least estimate, then the farthest on, then the oldest.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_estimate = other.estimate.total_cmp(&self.estimate);
        by_estimate.then(self.cost.total_cmp(&other.cost)).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}
