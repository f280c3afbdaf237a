//! How far corners are from a goal at least, as landmarks tell.
//!
//! That takes the goal's own lengths to the landmarks, which lie between those by the corners of its cell. Closer ones come
//! from a look around: where the shortest way from the goal to a landmark first bends, if it does, is a corner in sight;
//! or the way leaves, straight, what was looked at. So the least of all that such corners and such ways out promise is at
//! most the length, and the least by the corners alone is at least that.

use super::landmarks::{Known, LANES, UNKNOWN};
use super::plan::{NONE, Plan};
use super::sight::{between, cross, distance, minus, size_of_vector};

/// Cells that are looked into round a goal.
const MOST_LOOKS: usize = 80;

/// A search's memory beside what it notes at each corner.
#[derive(Clone, Debug, Default)]
pub(super) struct Far {
    goal: Vec<GoalLanes>,
    lengths: Vec<Lengths>,
    sights: Vec<Sight>,
    step: f64,
    /// What rounding may have added to a bound, and more.
    slack: f64,
}

/// The goal's lengths to some landmarks lie between these, in steps.
#[derive(Clone, Copy, Debug)]
struct GoalLanes {
    low: [u16; LANES],
    high: [u16; LANES],
}

/// The same while they are looked for.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    low: [f32; LANES],
    high: [f32; LANES],
    /// The least by what is in sight.
    seen: [f32; LANES],
}

const NOTHING_KNOWN: Lengths =
    Lengths { low: [0.0; LANES], high: [f32::INFINITY; LANES], seen: [f32::INFINITY; LANES] };

/// What is seen of a side into a cell.
#[derive(Clone, Copy, Debug)]
struct Sight {
    cell: u32,
    entry: u32,
    left: [f64; 2],
    right: [f64; 2],
}

impl Far {
    /// Turns to a goal, which lies in some cells.
    pub(super) fn begin(&mut self, known: Known<'_>, plan: &Plan, at: [f64; 2], cells: &[u32]) {
        self.step = known.step();
        self.lengths.clear();
        self.lengths.resize(known.row_lanes(), NOTHING_KNOWN);
        let mut widest = 0.0_f64;
        for side in cells.iter().flat_map(|cell| plan.ring(&plan.cells[*cell as usize])) {
            let away = distance(side.at, at);
            widest = widest.max(away);
            let away = (away / self.step) as f32;
            for (own, row) in self.lengths.iter_mut().zip(known.row(side.corner)) {
                for (lane, length) in row.iter().enumerate().filter(|(_, length)| **length != UNKNOWN) {
                    own.low[lane] = own.low[lane].max(f32::from(*length) - away);
                    own.high[lane] = own.high[lane].min(f32::from(*length) + 1.0 + away);
                }
            }
        }
        if self.look_around(known, plan, at, cells) {
            for own in &mut self.lengths {
                for (lane, _) in own.high.iter().enumerate().filter(|(_, high)| high.is_finite()) {
                    own.low[lane] = own.low[lane].max(own.seen[lane]);
                }
            }
        }
        // Numbers of 24 bits are off by less than this where they count 16 bits of steps.
        let rounding = 0.1;
        self.goal.clear();
        self.goal.extend(self.lengths.iter().map(|own| GoalLanes {
            low: own.low.map(|low| (low - rounding).floor() as u16),
            high: own.high.map(|high| (high + rounding).ceil() as u16),
        }));
        // A corner's length may be a step more than its row says.
        self.slack = self.step * 1.1 + (self.step * f64::from(UNKNOWN) + widest) * 1e-9;
    }

    /// Finds out what the goal's surroundings promise. False where that is not known: links may lead away from anywhere.
    fn look_around(&mut self, known: Known<'_>, plan: &Plan, at: [f64; 2], cells: &[u32]) -> bool {
        if !plan.jumps.is_empty() {
            return false;
        }
        self.sights.clear();
        for cell in cells {
            let own = &plan.cells[*cell as usize];
            if own.extra_count > 0 {
                return false;
            }
            for place in own.first..own.first + u32::from(own.side_count) {
                let (side, next) = (&plan.sides[place as usize], plan.next(own, place));
                self.see_corner(known, side.corner, distance(at, side.at));
                if side.to != NONE && !cells.contains(&side.to) {
                    let left = plan.sides[next as usize].at;
                    self.sights.push(Sight { cell: side.to, entry: side.twin, left, right: side.at });
                }
            }
        }
        let mut place = 0;
        while let Some(sight) = self.sights.get(place).copied() {
            place += 1;
            let [right, left] = [sight.right, sight.left].map(|end| minus(end, at));
            let wide = cross(right, left) > 1e-9 * size_of_vector(right) * size_of_vector(left);
            if place <= MOST_LOOKS && wide && plan.cells[sight.cell as usize].extra_count == 0 {
                self.look_into(known, plan, at, sight);
            } else {
                self.see_way_out(known, plan, at, sight);
            }
        }
        true
    }

    fn look_into(&mut self, known: Known<'_>, plan: &Plan, at: [f64; 2], sight: Sight) {
        let cell = &plan.cells[sight.cell as usize];
        let [right, left] = [sight.right, sight.left].map(|end| minus(end, at));
        // How far a corner lies left of the right edge of what is seen, and right of its left edge. One near an edge
        // counts as seen: where that is wrong, it is by next to nothing.
        let inside = |corner: [f64; 2]| {
            let to = minus(corner, at);
            let slack = 1e-9 * size_of_vector(to);
            let sides = [cross(right, to), cross(to, left)];
            let seen =
                sides[0] >= -slack * size_of_vector(right) && sides[1] >= -slack * size_of_vector(left);
            (sides, seen)
        };
        let mut place = plan.next(cell, sight.entry);
        let mut from = inside(plan.sides[place as usize].at);
        while place != sight.entry {
            let side = &plan.sides[place as usize];
            let next = plan.next(cell, place);
            let end = &plan.sides[next as usize];
            let to = inside(end.at);
            if to.1 && next != sight.entry {
                self.see_corner(known, end.corner, distance(at, end.at));
            }
            let apart = (0..2).any(|edge| from.0[edge] <= 0.0 && to.0[edge] <= 0.0);
            if side.to != NONE && !apart {
                // Walking round, the cone's right edge is passed first.
                let cut = |edge: usize| between(side.at, end.at, from.0[edge] / (from.0[edge] - to.0[edge]));
                let right = if from.0[0] < 0.0 { cut(0) } else { side.at };
                let left = if to.0[1] < 0.0 { cut(1) } else { end.at };
                self.sights.push(Sight { cell: side.to, entry: side.twin, left, right });
            }
            (place, from) = (next, to);
        }
    }

    /// The way to a landmark may bend at a corner, so far away.
    fn see_corner(&mut self, known: Known<'_>, corner: u32, away: f64) {
        let away = (away / self.step) as f32;
        for (own, row) in self.lengths.iter_mut().zip(known.row(corner)) {
            for (lane, steps) in row.iter().enumerate() {
                // A length that is not known promises nothing.
                let unknown = *steps == UNKNOWN;
                let length = f32::from(*steps) + away;
                own.seen[lane] = own.seen[lane].min(if unknown { 0.0 } else { length });
                own.high[lane] = own.high[lane].min(if unknown { f32::INFINITY } else { length + 1.0 });
            }
        }
    }

    /// The way to a landmark may lead through a stretch: what it then measures is as for a node of a search.
    fn see_way_out(&mut self, known: Known<'_>, plan: &Plan, at: [f64; 2], sight: Sight) {
        let cell = &plan.cells[sight.cell as usize];
        let ends = [sight.entry, plan.next(cell, sight.entry)].map(|side| &plan.sides[side as usize]);
        let by_left = ((distance(at, sight.right) - distance(ends[0].at, sight.right)) / self.step) as f32;
        let by_right = ((distance(at, sight.left) - distance(ends[1].at, sight.left)) / self.step) as f32;
        let by = |row: u16, more: f32| if row == UNKNOWN { 0.0 } else { f32::from(row) + more };
        let rows = known.row(ends[0].corner).iter().zip(known.row(ends[1].corner));
        for (own, (left, right)) in self.lengths.iter_mut().zip(rows) {
            for lane in 0..LANES {
                let least = by(left[lane], by_left).max(by(right[lane], by_right));
                own.seen[lane] = own.seen[lane].min(least);
            }
        }
    }

    /// What rounding may have added to a bound, and more.
    pub(super) fn slack(&self) -> f64 {
        self.slack
    }

    /// At least so far, but for [`Self::slack`], is a corner from the goal. `noted`: what came out before, if it did.
    #[inline]
    pub(super) fn of(&self, known: Known<'_>, corner: u32, noted: &mut f32) -> f64 {
        if noted.is_nan() {
            *noted = self.find(known, corner);
        }
        f64::from(*noted) * self.step
    }

    /// In steps.
    fn find(&self, known: Known<'_>, corner: u32) -> f32 {
        let mut most = [0; LANES];
        for (row, goal) in known.row(corner).iter().zip(&self.goal) {
            for lane in 0..LANES {
                let beyond = row[lane].saturating_sub(goal.high[lane]);
                let before = goal.low[lane].saturating_sub(row[lane]);
                most[lane] = most[lane].max(beyond).max(before);
            }
        }
        most.into_iter().max().map_or(0.0, f32::from)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.goal.capacity() * size_of::<GoalLanes>()
            + self.lengths.capacity() * size_of::<Lengths>()
            + self.sights.capacity() * size_of::<Sight>()
    }
}
