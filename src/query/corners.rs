//! Corners: the sides' starts at one point whose cells hang together, joined within a slot and then over its borders.

use super::layout::Block;
use super::plan::{BENDS, NONE, Plan};
use super::view::orientation;
use crate::geom::union_find::UnionFind;

/// A corner as one slot sees it: the starts of its own sides.
#[derive(Clone, Copy, Debug)]
struct Local {
    slot: u32,
    /// Walls that end and that start here: how many, where one comes from and where one goes to.
    ins: u32,
    outs: u32,
    from: [f64; 2],
    to: [f64; 2],
    /// When it was last joined with others.
    stamp: u32,
    /// Whether a cell of another slot touches it.
    border: bool,
}

const NO_CORNER: Local =
    Local { slot: NONE, ins: 0, outs: 0, from: [0.0; 2], to: [0.0; 2], stamp: 0, border: false };

/// What of a slot lies on its border.
#[derive(Clone, Debug, Default)]
struct Border {
    /// A corner, and a side of another slot that starts there.
    pairs: Vec<(u32, u32)>,
    /// A border corner, and one of the slot's sides that starts there.
    members: Vec<(u32, u32)>,
}

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct Corners {
    locals: Vec<Local>,
    /// Per side its corner within its slot.
    of_side: Vec<u32>,
    /// Per slot.
    borders: Vec<Border>,
    stamp: u32,
    /// Corners of a group whose neighbours were not looked at yet, and all of a group.
    waiting: Vec<u32>,
    group: Vec<u32>,
}

impl Corners {
    /// Joins a slot's sides into corners, as far as its own cells tell. Returns places that are lost.
    pub(super) fn find(&mut self, plan: &mut Plan, block: &mut Block, slot: u32) -> u32 {
        let first = block.sides.first;
        let mut sets = UnionFind::new(block.sides.count as usize);
        let inside = |cell: u32| block.cells.contains(cell);
        let mut odd: Vec<u32> = Vec::new();
        for cell in block.cells.range() {
            let own = plan.cells[cell];
            let ring_end = own.first + u32::from(own.side_count);
            for place in plan.side_places(&own) {
                let side = plan.sides[place as usize];
                if place >= ring_end {
                    for extra in [place, place + 1] {
                        odd.push(extra - first);
                        let at = plan.sides[extra as usize].at;
                        let same = (own.first..ring_end).filter(|k| plan.sides[*k as usize].at == at);
                        same.for_each(|k| {
                            sets.union(extra - first, k - first);
                        });
                    }
                }
                if side.to != NONE && inside(side.to) {
                    let next = &plan.cells[side.to as usize];
                    sets.union(place - first, plan.next(next, side.twin) - first);
                    sets.union(plan.next(&own, place) - first, side.twin - first);
                }
            }
        }
        let mut names = vec![NONE; block.sides.count as usize];
        let mut count = 0;
        for side in 0..block.sides.count {
            let root = sets.find(side);
            if names[root as usize] == NONE {
                names[root as usize] = count;
                count += 1;
            }
            names[side as usize] = names[root as usize];
        }
        let lost = block.corners.set_count(count, self.locals.len());
        self.locals.resize(self.locals.len().max(block.corners.range().end), NO_CORNER);
        self.of_side.resize(plan.sides.len(), NONE);
        plan.corner_count = self.locals.len();
        self.locals[block.corners.range()].fill(Local { slot, ..NO_CORNER });
        for (side, name) in block.sides.range().zip(&names) {
            self.of_side[side] = block.corners.first + name;
        }
        self.count_walls(plan, block);
        for extra in odd {
            self.locals[self.of_side[(first + extra) as usize] as usize].ins = 2;
        }
        for side in block.sides.range() {
            let corner = self.of_side[side];
            let own = plan.sides[side].at;
            plan.sides[side].corner = corner;
            let bends = bends(&self.locals[corner as usize], own);
            plan.sides[side].flags |= if bends { BENDS } else { 0 };
        }
        lost
    }

    fn count_walls(&mut self, plan: &Plan, block: &Block) {
        for cell in &plan.cells[block.cells.range()] {
            for place in cell.first..cell.first + u32::from(cell.side_count) {
                let side = plan.sides[place as usize];
                if side.to == NONE {
                    let next = plan.next(cell, place);
                    let out = &mut self.locals[self.of_side[place as usize] as usize];
                    (out.outs, out.to) = (out.outs + 1, plan.sides[next as usize].at);
                    let into = &mut self.locals[self.of_side[next as usize] as usize];
                    (into.ins, into.from) = (into.ins + 1, side.at);
                }
            }
        }
    }

    /// Notes which of a slot's corners other slots touch. Twins must be known.
    pub(super) fn find_border(&mut self, plan: &Plan, block: &Block, slot: u32) {
        if self.borders.len() <= slot as usize {
            self.borders.resize(slot as usize + 1, Border::default());
        }
        let Border { pairs, members } = &mut self.borders[slot as usize];
        pairs.clear();
        members.clear();
        for cell in block.cells.range() {
            let own = &plan.cells[cell];
            for place in plan.side_places(own) {
                let side = plan.sides[place as usize];
                if side.to != NONE && !block.cells.contains(side.to) {
                    let beyond = plan.next(&plan.cells[side.to as usize], side.twin);
                    pairs.push((self.of_side[place as usize], beyond));
                    pairs.push((self.of_side[plan.next(own, place) as usize], side.twin));
                }
            }
        }
        pairs.sort_unstable();
        for (corner, _) in &*pairs {
            self.locals[*corner as usize].border = true;
        }
        for side in block.sides.range() {
            let corner = self.of_side[side];
            if self.locals[corner as usize].border {
                members.push((corner, side as u32));
            }
        }
        members.sort_unstable();
    }

    /// Before a round of [`Self::join`].
    pub(super) fn begin_joining(&mut self) {
        if self.stamp == u32::MAX {
            self.locals.iter_mut().for_each(|local| local.stamp = 0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// Joins a slot's border corners with those of other slots, and tells their sides.
    pub(super) fn join(&mut self, plan: &mut Plan, slot: u32) {
        for place in 0..self.borders[slot as usize].pairs.len() {
            let (corner, _) = self.borders[slot as usize].pairs[place];
            if self.locals[corner as usize].stamp != self.stamp {
                self.gather(corner);
                self.tell(plan);
            }
        }
    }

    /// Fills `group` with all corners that hang together with one.
    fn gather(&mut self, corner: u32) {
        self.group.clear();
        self.waiting.clear();
        self.waiting.push(corner);
        self.locals[corner as usize].stamp = self.stamp;
        while let Some(corner) = self.waiting.pop() {
            self.group.push(corner);
            let border = &self.borders[self.locals[corner as usize].slot as usize];
            for (_, side) in of_corner(&border.pairs, corner) {
                let other = self.of_side[*side as usize];
                if self.locals[other as usize].stamp != self.stamp {
                    self.locals[other as usize].stamp = self.stamp;
                    self.waiting.push(other);
                }
            }
        }
    }

    fn tell(&self, plan: &mut Plan) {
        let name = self.group.iter().copied().min().unwrap_or(NONE);
        let mut whole = NO_CORNER;
        for corner in &self.group {
            let part = &self.locals[*corner as usize];
            (whole.ins, whole.outs) = (whole.ins + part.ins, whole.outs + part.outs);
            whole.from = if part.ins > 0 { part.from } else { whole.from };
            whole.to = if part.outs > 0 { part.to } else { whole.to };
        }
        for corner in &self.group {
            let border = &self.borders[self.locals[*corner as usize].slot as usize];
            for (_, side) in of_corner(&border.members, *corner) {
                let side = &mut plan.sides[*side as usize];
                side.corner = name;
                side.flags = if bends(&whole, side.at) { side.flags | BENDS } else { side.flags & !BENDS };
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let pair = size_of::<(u32, u32)>();
        let borders = self.borders.iter();
        self.locals.capacity() * size_of::<Local>()
            + (self.of_side.capacity() + self.waiting.capacity() + self.group.capacity()) * size_of::<u32>()
            + borders.map(|b| (b.pairs.capacity() + b.members.capacity()) * pair).sum::<usize>()
    }
}

/// The entries of a corner in a sorted list.
fn of_corner(list: &[(u32, u32)], corner: u32) -> &[(u32, u32)] {
    let first = list.partition_point(|(other, _)| *other < corner);
    let end = first + list[first..].partition_point(|(other, _)| *other == corner);
    &list[first..end]
}

/// Whether a taut path can bend at a corner: there the floor's outline turns right (the floor being to its left), or is
/// too odd to tell.
fn bends(corner: &Local, at: [f64; 2]) -> bool {
    let (from, to) = (corner.from, corner.to);
    match (corner.ins, corner.outs) {
        (0, 0) => false,
        (1, 1) => {
            let turn = orientation(from, at, to);
            let back = (from[0] - at[0]) * (to[0] - at[0]) + (from[1] - at[1]) * (to[1] - at[1]);
            turn < 0.0 || (turn == 0.0 && back > 0.0)
        }
        _ => true,
    }
}
