//! The same search without a goal: shortest lengths from one corner to all that can be reached.

use super::AnyAngle;
use crate::query::QueryFilter;
use crate::query::frontier::AnyAngleMemory;
use crate::query::plan::{JUMP, Plan};
use crate::query::sight::{distance, length_through};
use crate::query::view::closest_on_segment;

/// Lengths over a plan on which everything is open and costs its length.
pub(in crate::query) struct Spread<'a> {
    plan: &'a Plan,
    filter: QueryFilter,
    memory: AnyAngleMemory,
    /// Per corner of the plan.
    lengths: Vec<f64>,
    /// Corners that the last spread came to.
    reached: Vec<u32>,
}

impl<'a> Spread<'a> {
    pub(in crate::query) fn new(plan: &'a Plan) -> Self {
        let mut memory = AnyAngleMemory::default();
        memory.begin(plan);
        // Nothing is a dead end where everything is a goal.
        memory.marks.fill(u32::MAX);
        let lengths = vec![f64::INFINITY; plan.corner_count];
        Self { plan, filter: QueryFilter::default(), memory, lengths, reached: Vec::new() }
    }

    /// The length to a corner from where the last spread began; infinite if it did not come there.
    pub(in crate::query) fn length(&self, corner: u32) -> f64 {
        self.lengths[corner as usize]
    }

    /// Measures from a corner, which `cells` touch.
    pub(in crate::query) fn spread(&mut self, at: [f64; 2], cells: &[u32]) {
        let Self { plan, filter, memory, lengths, reached } = self;
        let plan = *plan;
        reached.drain(..).for_each(|corner| lengths[corner as usize] = f64::INFINITY);
        let mut reach = |corner: u32, length: f64| {
            let known = &mut lengths[corner as usize];
            if known.is_infinite() {
                reached.push(corner);
            }
            *known = known.min(length);
        };
        let search = AnyAngle {
            plan,
            filter,
            unit_cost: 1.0,
            start: at,
            starts: cells,
            goal: at,
            goals: &[],
            known: None,
        };
        memory.begin(plan);
        let mut run = search.run::<false>(memory);
        run.open_starts();
        while let Some(place) = run.memory.open.pop() {
            let node = run.memory.nodes[place as usize];
            if run.is_stale(&node) {
                continue;
            }
            // A cell is convex: by this stretch, each of its corners is come to straight on or about an end.
            let root = run.memory.roots[node.root as usize];
            for side in plan.ring(&plan.cells[node.cell as usize]) {
                let rest = if node.entry < JUMP {
                    length_through(root.at, node.right, node.left, side.at)
                } else {
                    distance(root.at, side.at)
                };
                reach(side.corner, root.length + rest);
            }
            let first = run.memory.nodes.len();
            run.expand(place, &node);
            run.drop_overtaken(first);
            let AnyAngleMemory { nodes, roots, open, .. } = &mut *run.memory;
            for (place, node) in (first as u32..).zip(&mut nodes[first..]) {
                let root = &roots[node.root as usize];
                let near = closest_on_segment(node.left, node.right, root.at);
                node.estimate = root.length + distance(root.at, near);
                open.push(node.estimate, place);
            }
        }
    }
}
