//! The way that a search has found, read back from its last node.

use super::Run;
use crate::query::frontier::AnyAngleMemory;
use crate::query::funnel::{Pulled, Step};
use crate::query::plan::{JUMP, NONE};
use crate::query::sight::{cross, minus};

impl<const FILTERED: bool> Run<'_, '_, FILTERED> {
    /// Writes the steps to a node, and where the way bends.
    pub(super) fn write_way(&self, last: u32, way: &mut Pulled) {
        let plan = self.search.plan;
        let AnyAngleMemory { nodes, roots, .. } = &*self.memory;
        let Pulled { steps, bends, .. } = way;
        steps.clear();
        bends.clear();
        let mut root = nodes.get(last as usize).map_or(NONE, |node| node.root);
        bends.extend(self.last_bend(last).map(|at| (0, at)));
        let mut at = last;
        while at != NONE {
            let node = &nodes[at as usize];
            if node.root != root {
                bends.push((steps.len(), roots[root as usize].at));
                root = node.root;
            }
            let entry = plan.entry(node.cell, node.entry);
            steps.push(Step::new(plan, node.cell, entry));
            at = node.parent;
        }
        // Counted from the end so far.
        bends.iter_mut().for_each(|(step, _)| *step = steps.len() - 1 - *step);
        steps.reverse();
        bends.reverse();
    }

    /// The end of the last node's stretch that the way to the goal bends at, if it does.
    pub(super) fn last_bend(&self, last: u32) -> Option<[f64; 2]> {
        let node = self.memory.nodes.get(last as usize).filter(|node| node.entry < JUMP)?;
        let root = self.memory.roots[node.root as usize].at;
        let to = minus(self.search.goal, root);
        if cross(minus(node.right, root), to) < 0.0 {
            Some(node.right)
        } else {
            (cross(minus(node.left, root), to) > 0.0).then_some(node.left)
        }
    }
}
