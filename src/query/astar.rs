//! A* from portal to portal.
//!
//! A node is a point on a portal: its left end, its right end, or the point where the straight line from the
//! node before to the goal crosses it (or comes nearest). Within a convex polygon any two of its portals' points
//! see each other, so a way over nodes is a real way; the taut way bends at portals' ends only. The ways that
//! reach the goal are pulled tight one by one until no open node promises a better one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::QueryFilter;
use super::funnel::{Pulled, Step};
use super::graph::{Crossing, Exit, each_exit};
use super::index::QueryIndex;
use super::view::{PolygonView, closest_on_segment, distance, orientation};
use crate::format::{PolyRef, TiledNavMesh};

const NONE: u32 = u32::MAX;
/// Points of a portal that are nodes.
const SAMPLES: usize = 3;

#[derive(Clone, Copy, Debug)]
struct Node {
    polygon: PolyRef,
    area: u8,
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
    /// Per exit and sample the node, or `NONE`.
    node_of: Vec<u32>,
    open: BinaryHeap<Open>,
    /// Per polygon where a corridor last had it; believed only where the corridor agrees.
    place_of: Vec<u32>,
}

impl SearchMemory {
    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.node_of.capacity() * size_of::<u32>()
            + self.open.capacity() * size_of::<Open>()
            + self.place_of.capacity() * size_of::<u32>()
    }

    fn clear(&mut self, index: &QueryIndex) {
        for node in &self.nodes {
            if let Some(entry) = self.node_of.get_mut(node.key) {
                *entry = NONE;
            }
        }
        self.nodes.clear();
        self.open.clear();
        self.node_of.resize(index.exit_count() * SAMPLES, NONE);
        self.place_of.resize(index.polygon_count(), NONE);
    }

    /// Writes down the corridor that ends in a node. Rounding can make a walk round a corner and back look no
    /// longer than staying, so a polygon that is walked into twice loses what lies between.
    fn write_corridor(&mut self, last: u32, index: &QueryIndex, steps: &mut Vec<Step>) {
        steps.clear();
        let mut at = last;
        while let Some(node) = self.nodes.get(at as usize) {
            steps.push(Step { polygon: node.polygon, area: node.area, entry: node.entry });
            at = node.parent;
        }
        steps.reverse();
        let (mut kept, mut leg) = (0, 0);
        for place in 0..steps.len() {
            let step = steps[place];
            let earlier = &mut self.place_of[index.number(step.polygon)];
            let seen = *earlier as usize;
            if let Some(Crossing::OffMesh { .. }) = step.entry {
                leg = kept;
            } else if (leg..kept).contains(&seen) && steps[seen].polygon == step.polygon {
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
    pub(super) mesh: &'a TiledNavMesh,
    pub(super) index: &'a QueryIndex,
    pub(super) filter: &'a QueryFilter,
    /// The start, and the polygons that hold it.
    pub(super) start: [f64; 2],
    pub(super) starts: &'a [PolyRef],
    /// The goal, and the polygons that hold it.
    pub(super) goal: [f64; 2],
    pub(super) goals: &'a [PolyRef],
}

impl Search<'_> {
    /// Finds a way and leaves it, pulled tight, in `best`. Without one it returns false, and
    /// [`SearchMemory::reached`] tells everything that can be reached.
    pub(super) fn run(&self, memory: &mut SearchMemory, trial: &mut Pulled, best: &mut Pulled) -> bool {
        memory.clear(self.index);
        let least_cost = self.filter.least_cost(self.index.areas);
        for polygon in self.starts {
            let Some(view) = PolygonView::new(self.mesh, *polygon) else { continue };
            let estimate = least_cost * distance(self.start, self.goal);
            memory.open.push(Open { estimate, cost: 0.0, node: memory.nodes.len() as u32 });
            memory.nodes.push(Node {
                polygon: *polygon,
                area: view.polygon.area,
                at: self.start,
                cost: 0.0,
                estimate,
                parent: NONE,
                entry: None,
                closed: false,
                key: usize::MAX,
            });
        }
        let mut best_cost = f64::INFINITY;
        while let Some(open) = memory.open.pop() {
            // The margin keeps equal ways that differ by rounding from being tried one by one.
            if best_cost <= open.estimate * (1.0 + 1e-12) {
                break;
            }
            let node = &mut memory.nodes[open.node as usize];
            if node.closed || node.estimate < open.estimate {
                continue;
            }
            node.closed = true;
            if self.goals.contains(&node.polygon) {
                memory.write_corridor(open.node, self.index, &mut trial.steps);
                trial.pull(self.start, self.goal, |area| self.filter.cost(area));
                if trial.cost < best_cost {
                    best_cost = trial.cost;
                    std::mem::swap(trial, best);
                }
            }
            self.expand(memory, open.node, least_cost);
        }
        best_cost.is_finite()
    }

    fn expand(&self, memory: &mut SearchMemory, place: u32, least_cost: f64) {
        let node = memory.nodes[place as usize];
        let Some(view) = PolygonView::new(self.mesh, node.polygon) else { return };
        let first_exit = self.index.first_exit(node.polygon);
        let walked_from = match node.entry {
            Some(Crossing::Portal { .. }) => memory.nodes[node.parent as usize].polygon,
            _ => PolyRef::NONE,
        };
        let area_cost = self.filter.cost(node.area);
        each_exit(self.mesh, &view, self.filter, |exit| match exit.crossing {
            Crossing::Portal { .. } if exit.to == walked_from => {}
            Crossing::Portal { left, right } => {
                let towards = aim(node.at, self.goal, left, right);
                for (sample, at) in [left, right, towards].into_iter().enumerate() {
                    if sample < 2 || (at != left && at != right) {
                        let cost = node.cost + area_cost * distance(node.at, at);
                        let key = (first_exit + exit.ordinal) * SAMPLES + sample;
                        self.relax(memory, place, &exit, at, cost, key, least_cost);
                    }
                }
            }
            Crossing::OffMesh { departure, arrival, area, .. } => {
                let walk = area_cost * distance(node.at, departure);
                let cost = node.cost + walk + self.filter.cost(area) * distance(departure, arrival);
                let key = (first_exit + exit.ordinal) * SAMPLES;
                self.relax(memory, place, &exit, arrival, cost, key, least_cost);
            }
        });
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one private step of the search; a struct would only rename them"
    )]
    fn relax(
        &self,
        memory: &mut SearchMemory,
        parent: u32,
        exit: &Exit,
        at: [f64; 2],
        cost: f64,
        key: usize,
        least_cost: f64,
    ) {
        let estimate = cost + least_cost * distance(at, self.goal);
        let known = memory.node_of[key];
        if let Some(node) = memory.nodes.get_mut(known as usize) {
            if node.closed || node.estimate <= estimate {
                return;
            }
            (node.at, node.cost, node.estimate, node.parent) = (at, cost, estimate, parent);
            memory.open.push(Open { estimate, cost, node: known });
            return;
        }
        let Some(next) = PolygonView::new(self.mesh, exit.to) else { return };
        let node = memory.nodes.len() as u32;
        memory.node_of[key] = node;
        memory.nodes.push(Node {
            polygon: exit.to,
            area: next.polygon.area,
            at,
            cost,
            estimate,
            parent,
            entry: Some(exit.crossing),
            closed: false,
            key,
        });
        memory.open.push(Open { estimate, cost, node });
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
