//! From one node to the next: what of a cell's sides is seen through the stretch it was entered by, and from where.

use super::Run;
use super::appraise::is_longer;
use crate::query::frontier::{AnyAngleMemory, LEFT_END, LEFT_TURN, Node, RIGHT_END, RIGHT_TURN, Root};
use crate::query::plan::{JUMP, NONE, Side};
use crate::query::sight::{
    Beside, Cone, Ray, Seen, between, cross, distance, length_of, length_through, minus, overlaps,
    size_of_vector,
};

impl<const FILTERED: bool> Run<'_, '_, FILTERED> {
    /// Adds the nodes that a node leads to.
    pub(super) fn expand(&mut self, place: u32, node: &Node) {
        let plan = self.search.plan;
        let cell = plan.cells[node.cell as usize];
        let root = self.memory.roots[node.root as usize];
        let ring_end = cell.first + u32::from(cell.side_count);
        if !plan.jumps_of(node.cell).is_empty() {
            self.expand_jumps(place, node, &root);
        }
        let extras = (0..u32::from(cell.extra_count)).map(|k| ring_end + 2 * k);
        if node.entry >= JUMP {
            for side in plan.ways_after(&cell, NONE).chain(extras) {
                let end = plan.sides[plan.next(&cell, side) as usize].at;
                let from = plan.sides[side as usize];
                if self.is_way(&from) {
                    self.add(place, node.root, &from, (from.at, end), LEFT_END | RIGHT_END);
                }
            }
            return;
        }
        let after = plan.next(&cell, node.entry);
        let ray = |end: [f64; 2], corner_side: u32, is_end: bool| Ray {
            along: minus(end, root.at),
            slack: (plan.extent * 1e-12) * size_of_vector(minus(end, root.at)),
            all_inside: end == root.at,
            beside: if is_end { Beside::Unknown { corner_side } } else { Beside::Nothing },
        };
        let mut cone = Cone {
            place,
            root: node.root,
            from: root.at,
            grain: plan.extent * 1e-14,
            right: ray(node.right, after, node.flags & RIGHT_END != 0),
            left: ray(node.left, node.entry, node.flags & LEFT_END != 0),
        };
        let by_extra = node.entry >= ring_end;
        // The ends of the way in hand; where the way before ended, the next one often starts. Two places that change
        // roles, so that nothing is copied.
        let mut seen = [Seen::NOWHERE; 2];
        let (mut from, mut ended_at) = (0, NONE);
        for side in plan.ways_after(&cell, node.entry) {
            let way = &plan.sides[side as usize];
            if !self.is_way(way) {
                continue;
            }
            if ended_at != side {
                seen[from] = cone.place_of(way.at);
            }
            let next = plan.next(&cell, side);
            seen[1 - from] = cone.place_of(plan.sides[next as usize].at);
            (from, ended_at) = (1 - from, next);
            let [to, from] = [&seen[from], &seen[1 - from]];
            if !(by_extra && overlaps(node.left, node.right, from.at, to.at)) {
                self.add_seen(&mut cone, [side, next], from, to);
            }
        }
        for extra in extras.filter(|extra| *extra != node.entry) {
            let way = &plan.sides[extra as usize];
            let (from, to) = (way.at, plan.sides[extra as usize + 1].at);
            if self.is_way(way) && !overlaps(node.left, node.right, from, to) {
                let (from, to) = (cone.place_of(from), cone.place_of(to));
                self.add_seen(&mut cone, [extra, extra + 1], &from, &to);
            }
        }
    }

    /// Whether there may be anything to find beyond a side.
    #[inline]
    fn is_way(&self, side: &Side) -> bool {
        side.to != NONE
            && (!side.leads_down() || self.memory.marks[side.to as usize] >= self.memory.stamp)
            && (!FILTERED || self.is_open(side.to))
    }

    pub(super) fn is_open(&self, cell: u32) -> bool {
        self.search.filter.passes_cell(&self.search.plan.cells[cell as usize])
    }

    /// Adds what of a side lies right of a cone, in it and left of it.
    #[inline]
    fn add_seen(&mut self, cone: &mut Cone, [side, next]: [u32; 2], from: &Seen, to: &Seen) {
        let way = &self.search.plan.sides[side as usize];
        let on_right = from.right == 0.0 && to.right == 0.0;
        let on_left = from.left == 0.0 && to.left == 0.0;
        if on_right || on_left {
            // A side along the cone's right edge starts nearer to the root, one along its left edge ends there; where
            // the cone has no width, both edges are one.
            let away = minus(from.at, cone.from);
            let further = minus(to.at, from.at);
            if away[0] * further[0] + away[1] * further[1] >= 0.0 {
                self.add_edge_on::<RIGHT_TURN>(cone, way, [from.at, to.at], side);
            } else {
                self.add_edge_on::<LEFT_TURN>(cone, way, [from.at, to.at], next);
            }
            return;
        }
        if from.right <= 0.0 && to.right <= 0.0 {
            self.add_beside::<true>(cone, way, (from.at, to.at), LEFT_END | RIGHT_END);
            return;
        }
        let (mut start, mut start_left, mut ends) = (from.at, from.left, RIGHT_END);
        if from.right < 0.0 {
            let t = from.right / (from.right - to.right);
            start = between(from.at, to.at, t);
            start_left = from.left + (to.left - from.left) * t;
            self.add_beside::<true>(cone, way, (from.at, start), RIGHT_END);
            ends = 0;
        }
        // A start on the left edge may be the root itself.
        if start_left > 0.0 || (start_left == 0.0 && to.left >= 0.0) {
            self.add_beside::<false>(cone, way, (start, to.at), ends | LEFT_END);
        } else if to.left <= 0.0 {
            self.add(cone.place, cone.root, way, (start, to.at), ends | LEFT_END);
        } else {
            let end = between(from.at, to.at, from.left / (from.left - to.left));
            self.add(cone.place, cone.root, way, (start, end), ends);
            self.add_beside::<false>(cone, way, (end, to.at), LEFT_END);
        }
    }

    /// Adds a side that lies along a cone's edge: seen from its nearer end, if a path may bend there.
    fn add_edge_on<const TURN: usize>(
        &mut self,
        cone: &Cone,
        way: &Side,
        [right, left]: [[f64; 2]; 2],
        corner_side: u32,
    ) {
        let corner = &self.search.plan.sides[corner_side as usize];
        if corner.bends() || (FILTERED && self.bends_filtered(cone.place, corner_side)) {
            let length = self.memory.roots[cone.root as usize].length + distance(cone.from, corner.at);
            let root = self.root_at(corner.corner, TURN, corner.at, length, cone.root);
            if root != NONE {
                self.add(cone.place, root, way, (right, left), LEFT_END | RIGHT_END);
            }
        }
    }

    #[inline]
    fn add_beside<const RIGHT: bool>(
        &mut self,
        cone: &mut Cone,
        way: &Side,
        stretch: ([f64; 2], [f64; 2]),
        ends: u32,
    ) {
        let ray = if RIGHT { &mut cone.right } else { &mut cone.left };
        if let Beside::Unknown { corner_side } = ray.beside {
            let corner = &self.search.plan.sides[corner_side as usize];
            let root = if corner.bends() || (FILTERED && self.bends_filtered(cone.place, corner_side)) {
                let length = self.memory.roots[cone.root as usize].length + length_of(ray.along);
                let turn = if RIGHT { RIGHT_TURN } else { LEFT_TURN };
                self.root_at(corner.corner, turn, corner.at, length, cone.root)
            } else {
                NONE
            };
            ray.beside = if root == NONE { Beside::Nothing } else { Beside::Root(root) };
        }
        if let Beside::Root(root) = ray.beside {
            self.add(cone.place, root, way, stretch, ends);
        }
    }

    /// The root for turns about a corner, unless a way there is known that is no longer and serves as well.
    fn root_at(&mut self, corner: u32, turn: usize, at: [f64; 2], length: f64, parent: u32) -> u32 {
        let AnyAngleMemory { roots, notes, stamp, .. } = &mut *self.memory;
        let known = notes[corner as usize].of(*stamp);
        if !FILTERED && is_longer(self.search.plan, length, known.reach) {
            return NONE;
        }
        // Both ways, if known, are equally long but for rounding.
        if let Some(other) = known.roots.into_iter().find(|root| *root != NONE) {
            let least = roots[other as usize].length;
            if length < least * (1.0 - 1e-13) {
                known.roots = [NONE; 2];
            } else if length > least * (1.0 + 1e-13) {
                return NONE;
            }
        }
        let same = known.roots[turn];
        if same != NONE {
            // The same way, or one along the same line over corners in between: it may lead through other cells, so
            // what it sees counts too. Of other ways that are equally long, one will do.
            let come = |parent: u32| minus(at, roots[parent as usize].at);
            let (mine, theirs) = (come(parent), come(roots[same as usize].parent));
            let slack = 1e-12 * size_of_vector(mine) * size_of_vector(theirs);
            let in_line =
                cross(mine, theirs).abs() <= slack && mine[0] * theirs[0] + mine[1] * theirs[1] >= 0.0;
            return if in_line { same } else { NONE };
        }
        let root = roots.len() as u32;
        known.roots[turn] = root;
        let least = self.least_by(corner, length);
        self.memory.roots.push(Root { at, length, least, corner, parent });
        root
    }

    /// Whether a closed cell touches the start of a side of a node's cell, so that a path may bend there.
    fn bends_filtered(&self, node: u32, side: u32) -> bool {
        let plan = self.search.plan;
        let owner = self.memory.nodes[node as usize].cell;
        let cell = &plan.cells[owner as usize];
        if side >= cell.first + u32::from(cell.side_count) {
            return true;
        }
        // Once round the corner one way, and if a wall ends that, the other way.
        for forward in [true, false] {
            let (mut cell, mut at) = (owner, side);
            loop {
                if plan.cells[cell as usize].extra_count > 0 || !self.is_open(cell) {
                    return true;
                }
                let own = &plan.cells[cell as usize];
                let crossed = if forward { plan.before(own, at) } else { at };
                let Side { to, twin, .. } = plan.sides[crossed as usize];
                if to == NONE {
                    break;
                }
                cell = to;
                at = if forward { twin } else { plan.next(&plan.cells[to as usize], twin) };
                if at == side {
                    return false;
                }
            }
        }
        false
    }

    /// Adds a stretch (from its right end to its left end, as walked through) of a way out as a node.
    #[inline]
    fn add(&mut self, parent: u32, root: u32, way: &Side, (right, left): ([f64; 2], [f64; 2]), ends: u32) {
        let from = &self.memory.roots[root as usize];
        if (right == from.at && !self.may_swing(from, left, way, 1.0))
            || (left == from.at && !self.may_swing(from, right, way, -1.0))
        {
            return;
        }
        // Until it is known to be needed, those of the node before and of the root, which are no greater.
        let estimate = self.memory.nodes[parent as usize].estimate.max(from.least);
        let node = Node { left, right, estimate, root, parent, entry: way.twin, cell: way.to, flags: ends };
        self.memory.nodes.push(node);
    }

    /// Whether it makes sense to go round a root into the cell beyond a side that starts or ends there: not back
    /// to where the way comes from, so that nothing goes round and round.
    fn may_swing(&self, root: &Root, end: [f64; 2], way: &Side, sign: f64) -> bool {
        let plan = self.search.plan;
        if root.corner == NONE {
            return !self.search.starts.contains(&way.to);
        }
        if let Some(jump) = (root.corner as usize).checked_sub(plan.corner_count) {
            return plan.jumps[jump].to != way.to;
        }
        let come = minus(root.at, self.memory.roots[root.parent as usize].at);
        let go = minus(end, root.at);
        sign * cross(come, go) <= 1e-9 * size_of_vector(come) * size_of_vector(go)
    }

    fn expand_jumps(&mut self, place: u32, node: &Node, root: &Root) {
        let plan = self.search.plan;
        for number in plan.jumps_of(node.cell) {
            let jump = &plan.jumps[number];
            if !self.search.filter.passes_jump(jump) || (FILTERED && !self.is_open(jump.to)) {
                continue;
            }
            let walk = if node.entry >= JUMP {
                distance(root.at, jump.departure)
            } else {
                length_through(root.at, node.right, node.left, jump.departure)
            };
            let cost = self.search.filter.cost(jump.area) / self.search.unit_cost;
            let length = root.length + walk + cost * distance(jump.departure, jump.arrival);
            let corner = (plan.corner_count + number) as u32;
            let landed = self.root_at(corner, RIGHT_TURN, jump.arrival, length, node.root);
            if landed == NONE {
                continue;
            }
            self.memory.nodes.push(Node {
                left: jump.arrival,
                right: jump.arrival,
                estimate: length + self.scale * distance(jump.arrival, self.search.goal),
                root: landed,
                parent: place,
                entry: JUMP | number as u32,
                cell: jump.to,
                flags: 0,
            });
        }
    }
}
