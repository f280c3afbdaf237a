//! What a search for shortest paths remembers: nodes, roots, marks on cells; and floods, which share the marks.

use super::QueryFilter;
use super::far::Far;
use super::open::OpenList;
use super::plan::{NONE, Plan};

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) left: [f64; 2],
    pub(super) right: [f64; 2],
    /// Length of the shortest way over this stretch, walls between it and the goal ignored.
    pub(super) estimate: f64,
    pub(super) root: u32,
    pub(super) parent: u32,
    /// The side of `cell` that is entered by; [`NONE`] at the start; a link's number with [`super::plan::JUMP`].
    pub(super) entry: u32,
    pub(super) cell: u32,
    /// [`LEFT_END`], [`RIGHT_END`], [`DONE`].
    pub(super) flags: u32,
}

/// The stretch ends where the side does.
pub(super) const LEFT_END: u32 = 1;
pub(super) const RIGHT_END: u32 = 2;
/// The estimate is the whole way to the goal, in this cell.
pub(super) const DONE: u32 = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) at: [f64; 2],
    /// Length of the way there.
    pub(super) length: f64,
    /// No way to the goal by this root is shorter.
    pub(super) least: f64,
    /// Its corner, or a link's number after all corners; [`NONE`] for the start.
    pub(super) corner: u32,
    pub(super) parent: u32,
}

/// What a search knows of a corner, or of a link's arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerNote {
    /// The search that it is of.
    pub(super) stamp: u32,
    /// The goal is at least so far, by landmarks; no number before they were asked.
    pub(super) far: f32,
    /// A way there is known that is this long; infinite if none is.
    pub(super) reach: f64,
    /// For [`RIGHT_TURN`] and [`LEFT_TURN`]; [`NONE`] where there is none. Equally long ways to a corner that turn about it
    /// to the right and to the left see different cells, so each keeps its own root.
    pub(super) roots: [u32; 2],
}

impl CornerNote {
    const fn new(stamp: u32) -> Self {
        Self { stamp, far: f32::NAN, reach: f64::INFINITY, roots: [NONE; 2] }
    }

    /// The note, empty if it is of another search.
    #[inline]
    pub(super) fn of(&mut self, stamp: u32) -> &mut Self {
        if self.stamp != stamp {
            *self = Self::new(stamp);
        }
        self
    }
}

pub(super) const RIGHT_TURN: usize = 0;
pub(super) const LEFT_TURN: usize = 1;

/// The search's memory.
#[derive(Clone, Debug, Default)]
pub(super) struct AnyAngleMemory {
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<Root>,
    pub(super) open: OpenList,
    /// Per corner and link.
    pub(super) notes: Vec<CornerNote>,
    /// Per cell: when it was last marked, as [`GOAL`] or as on the way out of the goal's dead end.
    pub(super) marks: Vec<u32>,
    pub(super) stamp: u32,
    /// The node that a search looks at next, before the open ones.
    pub(super) next: Option<u32>,
    /// A way to the goal of this length is known; infinite if none is.
    pub(super) bound: f64,
    /// The straight way to the goal, as far as it goes: cells, and the sides they are entered by.
    pub(super) straight: Vec<[u32; 2]>,
    /// How far the goal is at least, where landmarks tell.
    pub(super) far: Far,
    /// Cells that a flood has yet to look at.
    waiting: Vec<u32>,
}

pub(super) const GOAL: u32 = 1;

impl AnyAngleMemory {
    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.roots.capacity() * size_of::<Root>()
            + self.open.memory_bytes()
            + self.far.memory_bytes()
            + self.straight.capacity() * size_of::<[u32; 2]>()
            + self.notes.capacity() * size_of::<CornerNote>()
            + (self.marks.capacity() + self.waiting.capacity()) * size_of::<u32>()
    }

    pub(super) fn begin(&mut self, plan: &Plan) {
        self.nodes.clear();
        self.roots.clear();
        self.open.clear();
        self.next = None;
        self.bound = f64::INFINITY;
        let (notes, cells) = (plan.corner_count + plan.jumps.len(), plan.cell_count());
        if self.stamp > u32::MAX - 8 {
            self.notes.clear();
            self.marks.clear();
            self.stamp = 0;
        }
        if self.notes.len() < notes {
            self.notes.resize(notes, CornerNote::new(0));
        }
        if self.marks.len() < cells {
            self.marks.resize(cells, 0);
        }
        // Stamps are even, so that a mark holds one more bit.
        self.stamp += 2;
    }

    /// Begins a flood that a caller leads: from one cell, on to the cells it names.
    pub(super) fn begin_flood(&mut self, plan: &Plan, start: u32) {
        self.begin(plan);
        self.waiting.clear();
        self.flood_to(start);
    }

    pub(super) fn flood_to(&mut self, cell: u32) {
        if self.marks[cell as usize] != self.stamp {
            self.marks[cell as usize] = self.stamp;
            self.waiting.push(cell);
        }
    }

    pub(super) fn next_flooded(&mut self) -> Option<u32> {
        self.waiting.pop()
    }

    /// Marks some cells as if a flood had reached them.
    pub(super) fn mark(&mut self, plan: &Plan, cells: impl Iterator<Item = u32>) {
        self.begin(plan);
        cells.for_each(|cell| self.marks[cell as usize] = self.stamp);
    }

    /// Marks the cells that a search has come to as if a flood had reached them; its nodes stay.
    pub(super) fn mark_nodes(&mut self) {
        self.stamp += 2;
        for node in &self.nodes {
            self.marks[node.cell as usize] = self.stamp;
        }
    }

    /// Whether the last flood reached a cell.
    pub(super) fn was_reached(&self, cell: u32) -> bool {
        self.marks[cell as usize] == self.stamp
    }
}

/// Marks every open cell that can be reached from some cells.
pub(super) fn flood(plan: &Plan, filter: &QueryFilter, starts: &[u32], memory: &mut AnyAngleMemory) {
    memory.begin(plan);
    let AnyAngleMemory { marks, stamp, waiting, .. } = memory;
    waiting.clear();
    let mut reach = |cell: u32, waiting: &mut Vec<u32>| {
        if marks[cell as usize] != *stamp && filter.passes_cell(&plan.cells[cell as usize]) {
            marks[cell as usize] = *stamp;
            waiting.push(cell);
        }
    };
    starts.iter().for_each(|cell| reach(*cell, waiting));
    while let Some(cell) = waiting.pop() {
        plan.ways_out(cell).for_each(|side| reach(side.to, waiting));
        let jumps = plan.jumps[plan.jumps_of(cell)].iter();
        jumps.filter(|jump| filter.passes_jump(jump)).for_each(|jump| reach(jump.to, waiting));
    }
}
