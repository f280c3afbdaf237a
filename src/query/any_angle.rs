//! The true shortest path where every length costs the same: a search over stretches of edges seen from a root.
//!
//! A node is a stretch of a side, all of it seen from the last bend (the root). Walking into the cell beyond, the
//! stretch throws a cone: the sides in it are seen too; those beside it can be seen from the stretch's end, if a
//! taut path may bend there. Of all nodes the one that promises the shortest way is taken first, so the first to
//! reach the goal's cell is the answer.
//!
//! ```text
//!   a _______ b     into the cell from below, through the stretch L..R of its side a → b (the cell above it);
//!     L /   \ R     what the rays r L and r R enclose is seen from r, what lies right of r R from R if R = b
//!      /     \      is a corner that a path may bend at, and the same on the left
//!         r
//! ```
//!
//! Source: Cui, Harabor and Grastien 2017 (Polyanya). Ours: bends only at corners that turn, cells that lead
//! nowhere else left out, links, one root for each corner, and stretches to all of which a shorter way is known.

mod appraise;
mod choose;
mod expand;
mod spread;
mod way;

pub(super) use spread::Spread;

use super::QueryFilter;
use super::frontier::{AnyAngleMemory, DONE, GOAL, Node, Root};
use super::funnel::{Pulled, Step};
use super::landmarks::Known;
use super::plan::{JUMP, NONE, Plan};
use super::sight::{cross, distance, length_through, minus};

/// What a search is about.
pub(super) struct AnyAngle<'a> {
    pub(super) plan: &'a Plan,
    pub(super) filter: &'a QueryFilter,
    /// What a unit of floor costs; above 0.
    pub(super) unit_cost: f64,
    /// The start, and the cells that hold it.
    pub(super) start: [f64; 2],
    pub(super) starts: &'a [u32],
    /// The goal, and the cells that hold it.
    pub(super) goal: [f64; 2],
    pub(super) goals: &'a [u32],
    /// Distances that say more than straight lines do.
    pub(super) known: Option<Known<'a>>,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// There is a way.
    Found,
    /// There is none.
    Nothing,
    /// It may go on.
    Paused,
}

impl AnyAngle<'_> {
    /// Begins. Where the straight way is free, its cells are written down as a corridor's steps at once.
    pub(super) fn begin(&self, memory: &mut AnyAngleMemory, way: &mut Pulled) -> Progress {
        let apart = |start: &u32| self.goals.iter().all(|goal| self.plan.surely_apart(*start, *goal));
        if self.starts.iter().all(apart) {
            return Progress::Nothing;
        }
        memory.begin(self.plan);
        if self.filter.passes_all_cells(self.plan) {
            self.run::<false>(memory).begin(&mut way.steps)
        } else {
            self.run::<true>(memory).begin(&mut way.steps)
        }
    }

    /// Goes on until the shortest way is found and its cells and bends are written down, or `budget` nodes were looked
    /// at; what is left of it stays in it.
    pub(super) fn go_on(
        &self,
        memory: &mut AnyAngleMemory,
        way: &mut Pulled,
        budget: &mut usize,
    ) -> Progress {
        if self.filter.passes_all_cells(self.plan) {
            self.run::<false>(memory).go_on(way, budget)
        } else {
            self.run::<true>(memory).go_on(way, budget)
        }
    }

    /// Writes the cells on the way to a cell that the search has come to down.
    pub(super) fn write_way_to(&self, cell: u32, memory: &mut AnyAngleMemory, way: &mut Pulled) {
        let nodes = memory.nodes.iter().enumerate().filter(|(_, node)| node.cell == cell);
        let best = nodes.min_by(|(_, a), (_, b)| a.estimate.total_cmp(&b.estimate));
        let last = best.map_or(NONE, |(place, _)| place as u32);
        self.run::<true>(memory).write_way(last, way);
    }

    fn run<'a, const FILTERED: bool>(&'a self, memory: &'a mut AnyAngleMemory) -> Run<'a, 'a, FILTERED> {
        let jump_areas = self.plan.tally.all().jump_areas;
        let jump_cost = self.filter.least_cost(jump_areas) / self.unit_cost;
        let scale = if jump_areas == 0 { 1.0 } else { jump_cost.min(1.0) };
        Run { search: self, memory, scale }
    }
}

struct Run<'a, 'b, const FILTERED: bool> {
    search: &'a AnyAngle<'a>,
    memory: &'b mut AnyAngleMemory,
    /// The least that a unit of length can cost, a link's included, over what floor costs.
    scale: f64,
}

impl<const FILTERED: bool> Run<'_, '_, FILTERED> {
    fn begin(&mut self, steps: &mut Vec<Step>) -> Progress {
        self.mark_goals();
        if self.scale == 1.0 && self.go_straight(steps) {
            return Progress::Found;
        }
        self.open_starts();
        Progress::Paused
    }

    /// Marks the goal's cells and the way out of their dead ends.
    fn mark_goals(&mut self) {
        let (marks, stamp) = (&mut self.memory.marks, self.memory.stamp);
        for goal in self.search.goals {
            let mut cell = self.search.plan.cells[*goal as usize].parent;
            while cell != NONE {
                marks[cell as usize] = marks[cell as usize].max(stamp);
                cell = self.search.plan.cells[cell as usize].parent;
            }
        }
        for goal in self.search.goals {
            marks[*goal as usize] = stamp | GOAL;
        }
    }

    fn is_goal(&self, cell: u32) -> bool {
        self.memory.marks[cell as usize] == self.memory.stamp | GOAL
    }

    /// Writes the straight way down if nothing stands in it. False where that takes a closer look, too.
    fn go_straight(&mut self, steps: &mut Vec<Step>) -> bool {
        let plan = self.search.plan;
        if !self.walk_straight() {
            return false;
        }
        steps.clear();
        for &[cell, entry] in &self.memory.straight {
            steps.push(Step::new(plan, cell, plan.entry(cell, entry)));
        }
        true
    }

    /// Fills `straight` with the cells of the straight way, each with the side it is entered by, as far as nothing
    /// stands in it; whether that is to the goal.
    fn walk_straight(&mut self) -> bool {
        let (plan, start) = (self.search.plan, self.search.start);
        let Some(mut cell) = self.search.starts.first().copied() else { return false };
        let along = minus(self.search.goal, start);
        if FILTERED && !self.is_open(cell) {
            return false;
        }
        self.memory.straight.clear();
        let mut entry = NONE;
        for _ in 0..plan.cell_count() {
            let own = &plan.cells[cell as usize];
            self.memory.straight.push([cell, entry]);
            if self.is_goal(cell) {
                return true;
            }
            // Counter-clockwise, the side left by is where the corners pass from the ray's right to its left.
            let ring = plan.ring(own);
            let Some(last) = ring.last() else { return false };
            let mut right = cross(along, minus(last.at, start)) <= 0.0;
            let left_by = ring.iter().position(|side| {
                let was_right = std::mem::replace(&mut right, cross(along, minus(side.at, start)) <= 0.0);
                was_right && !right
            });
            let Some(end) = left_by else { return false };
            let side = &ring[if end == 0 { ring.len() - 1 } else { end - 1 }];
            if side.to == NONE || (FILTERED && !self.is_open(side.to)) {
                return false;
            }
            (cell, entry) = (side.to, side.twin);
        }
        false
    }

    fn open_starts(&mut self) {
        if let Some(known) = self.search.known {
            let AnyAngle { plan, goal, goals, .. } = *self.search;
            self.memory.far.begin(known, plan, goal, goals);
        }
        let start = self.search.start;
        let whole = self.scale * distance(start, self.search.goal);
        self.memory.roots.push(Root { at: start, length: 0.0, least: 0.0, corner: NONE, parent: NONE });
        for cell in self.search.starts {
            if FILTERED && !self.is_open(*cell) {
                continue;
            }
            let place = self.memory.nodes.len() as u32;
            let (entry, parent) = (NONE, NONE);
            let node = Node {
                left: start,
                right: start,
                estimate: whole,
                root: 0,
                parent,
                entry,
                cell: *cell,
                flags: 0,
            };
            self.memory.nodes.push(node);
            self.memory.open.push(whole, place);
        }
    }

    fn go_on(&mut self, way: &mut Pulled, budget: &mut usize) -> Progress {
        loop {
            let chosen = self.memory.next.take();
            let Some(place) = chosen.or_else(|| self.memory.open.pop()) else {
                return Progress::Nothing;
            };
            let node = self.memory.nodes[place as usize];
            if chosen.is_none() && self.is_stale(&node) {
                continue;
            }
            let in_goal = self.is_goal(node.cell);
            if in_goal && (self.scale == 1.0 || node.flags & DONE != 0) {
                self.write_way(place, way);
                return Progress::Found;
            }
            if *budget == 0 {
                self.memory.next = Some(place);
                return Progress::Paused;
            }
            *budget -= 1;
            if in_goal {
                self.add_done(place);
            }
            let first = self.memory.nodes.len();
            self.expand(place, &node);
            self.memory.next = self.choose(first);
        }
    }

    /// The way straight on in the goal's cell, where estimates promise less than it costs.
    fn add_done(&mut self, place: u32) {
        let node = self.memory.nodes[place as usize];
        let root = self.memory.roots[node.root as usize];
        let rest = if node.entry >= JUMP {
            distance(root.at, self.search.goal)
        } else {
            length_through(root.at, node.right, node.left, self.search.goal)
        };
        let estimate = root.length + rest;
        let done = self.memory.nodes.len() as u32;
        self.memory.nodes.push(Node { estimate, flags: node.flags | DONE, ..node });
        self.memory.open.push(estimate, done);
    }
}
