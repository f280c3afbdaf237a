//! Which node is looked at next: of those made last, what each promises, and whether a shorter way overtook it.

use super::Run;
use super::appraise::Appraisal;
use crate::query::frontier::{AnyAngleMemory, GOAL, Node};
use crate::query::landmarks::Known;
use crate::query::plan::{JUMP, NONE};
use crate::query::sight::{distance, least_through};

/// Nodes that a search makes before it looks at which of them are overtaken.
const NODES_BEFORE_WEIGHING: usize = 256;

impl<const FILTERED: bool> Run<'_, '_, FILTERED> {
    /// Whether, while a node was open, a shorter way to its root turned up, or to wherever it may lead.
    pub(super) fn is_stale(&mut self, node: &Node) -> bool {
        let corner = self.memory.roots[node.root as usize].corner;
        (corner != NONE && !self.memory.notes[corner as usize].roots.contains(&node.root))
            || (self.weighs() && node.entry < JUMP && self.is_overtaken(node))
    }

    /// Whether it is looked at that shorter ways are known: that takes longer than it saves while a search is short, unless
    /// landmarks ask for the same lengths.
    fn weighs(&self) -> bool {
        // Where a filter closes polygons, a corner may be come to that cannot be gone round.
        !FILTERED && (self.search.known.is_some() || self.memory.nodes.len() >= NODES_BEFORE_WEIGHING)
    }

    fn is_overtaken(&mut self, node: &Node) -> bool {
        let (plan, AnyAngleMemory { roots, notes, stamp, .. }) = (self.search.plan, &mut *self.memory);
        let appraisal = Appraisal::of(plan, &roots[node.root as usize], node, notes, *stamp);
        appraisal.note_reach(notes, node.flags);
        appraisal.is_overtaken(plan)
    }

    /// At least so long is a way by a corner or link that is so far, as landmarks tell.
    pub(super) fn least_by(&mut self, corner: u32, length: f64) -> f64 {
        match self.search.known {
            Some(known) if (corner as usize) < self.search.plan.corner_count => {
                let AnyAngleMemory { notes, far, .. } = &mut *self.memory;
                let rest = far.of(known, corner, &mut notes[corner as usize].far) - far.slack();
                length + self.scale * rest
            }
            _ => length,
        }
    }

    /// At least so long is the way on from where a link comes down in a cell, as landmarks tell.
    fn least_landed(&mut self, known: Known<'_>, cell: u32, at: [f64; 2]) -> f64 {
        let plan = self.search.plan;
        let AnyAngleMemory { notes, far, stamp, .. } = &mut *self.memory;
        let ring = plan.ring(&plan.cells[cell as usize]).iter();
        let least = ring.map(|side| {
            let noted = &mut notes[side.corner as usize].of(*stamp).far;
            far.of(known, side.corner, noted) - distance(side.at, at)
        });
        least.fold(0.0, f64::max) - far.slack()
    }

    /// Takes away those of the nodes that were made last that lead nowhere by a shortest way.
    pub(super) fn drop_overtaken(&mut self, first: usize) {
        let mut kept = first;
        for place in first..self.memory.nodes.len() {
            let node = self.memory.nodes[place];
            if node.entry >= JUMP || !self.is_overtaken(&node) {
                self.memory.nodes[kept] = node;
                kept += 1;
            }
        }
        self.memory.nodes.truncate(kept);
    }

    /// Opens the nodes that were made last, but for those that lead nowhere by a shortest way and for one to go on with at
    /// once: the best, if nothing open is better, or the only one, which needs no estimate unless landmarks may show that
    /// it leads astray.
    pub(super) fn choose(&mut self, first: usize) -> Option<u32> {
        if self.search.known.is_some() {
            self.estimate_by_landmarks(first);
            return self.open_but_best(first);
        }
        if self.weighs() {
            self.drop_overtaken(first);
        }
        if let [only] = self.memory.nodes[first..]
            && !self.is_goal(only.cell)
        {
            return Some(first as u32);
        }
        self.estimate(first);
        self.open_but_best(first)
    }

    fn estimate(&mut self, first: usize) {
        let AnyAngleMemory { nodes, roots, .. } = &mut *self.memory;
        for node in nodes[first..].iter_mut().filter(|node| node.entry < JUMP) {
            let root = &roots[node.root as usize];
            let rest = least_through(root.at, node.right, node.left, self.search.goal);
            node.estimate = root.length + self.scale * rest;
        }
    }

    /// As [`Self::estimate`], with all that landmarks promise; nodes that are overtaken go.
    fn estimate_by_landmarks(&mut self, first: usize) {
        let (plan, Some(known)) = (self.search.plan, self.search.known) else { return };
        let mut kept = first;
        for place in first..self.memory.nodes.len() {
            let AnyAngleMemory { nodes, roots, notes, stamp, marks, far, .. } = &mut *self.memory;
            let (node, in_goal) = (&nodes[place], marks[nodes[place].cell as usize] == *stamp | GOAL);
            let root = &roots[node.root as usize];
            let mut estimate = node.estimate;
            if node.entry < JUMP {
                let appraisal = Appraisal::of(plan, root, node, notes, *stamp);
                if !FILTERED && appraisal.is_overtaken(plan) {
                    continue;
                }
                appraisal.note_reach(notes, node.flags);
                let rest = least_through(root.at, node.right, node.left, self.search.goal);
                estimate = if in_goal {
                    root.length + self.scale * rest
                } else {
                    let rest = rest.max(appraisal.least(known, far, notes));
                    estimate.max(root.length + self.scale * rest)
                };
            } else if !in_goal {
                let (length, cell, at) = (root.length, node.cell, root.at);
                let rest = self.least_landed(known, cell, at);
                estimate = estimate.max(length + self.scale * rest);
            }
            let nodes = &mut self.memory.nodes;
            if kept < place {
                nodes[kept] = nodes[place];
            }
            nodes[kept].estimate = estimate;
            kept += 1;
        }
        self.memory.nodes.truncate(kept);
    }

    fn open_but_best(&mut self, first: usize) -> Option<u32> {
        let AnyAngleMemory { nodes, open, marks, stamp, bound, .. } = &mut *self.memory;
        let (mut best, mut least) = (None, f64::INFINITY);
        for (place, node) in (first..).zip(&nodes[first..]) {
            if node.estimate < least {
                (best, least) = (Some(place), node.estimate);
            }
            if self.scale == 1.0 && marks[node.cell as usize] == *stamp | GOAL {
                *bound = bound.min(node.estimate);
            }
        }
        let go_on = best.filter(|_| open.least().is_none_or(|other| least <= other));
        for (place, node) in (first..).zip(&nodes[first..]) {
            if Some(place) != go_on && node.estimate <= *bound {
                open.push(node.estimate, place as u32);
            }
        }
        go_on.map(|best| best as u32)
    }
}
