//! The string pulled tight: from a corridor of polygons to the corners of the shortest way through it.

use super::graph::Crossing;
use super::plan::Plan;
use super::view::{closest_on_segment, distance, distance_squared, orientation};

/// A cell of a corridor and how it is entered; the first one by nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) cell: u32,
    pub(super) area: u8,
    pub(super) level: i8,
    /// Whether its floor has one height.
    pub(super) flat: bool,
    pub(super) entry: Option<Crossing>,
}

impl Step {
    pub(super) fn new(plan: &Plan, cell: u32, entry: Option<Crossing>) -> Self {
        let own = &plan.cells[cell as usize];
        Self { cell, area: own.area, level: own.level, flat: !own.flat_y.is_nan(), entry }
    }

    /// Whether a straight stretch goes on into a step as if nothing had been crossed.
    fn goes_on_in(&self, next: &Self) -> bool {
        self.flat && next.flat && self.level == next.level && self.area == next.area
    }
}

/// A point where a pulled path begins, enters a polygon, or ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) at: [f64; 2],
    /// The corridor's polygon that the path is in from here.
    pub(super) step: usize,
    pub(super) kind: MarkKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MarkKind {
    /// The start, the end, or a bend.
    Corner,
    /// A portal crossed straight on, into a cell where something changes.
    Straight,
    /// An off-mesh link is taken from here; still in the polygon before it.
    Departure { user_id: u32, area: u8 },
    /// Where that link comes down.
    Arrival,
}

/// A corridor, the path pulled tight in it, and its cost. The memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Pulled {
    pub(super) steps: Vec<Step>,
    pub(super) marks: Vec<Mark>,
    pub(super) cost: f64,
    /// Whether every portal that is crossed straight on gets a mark, and not only those where something changes.
    pub(super) all_crossings: bool,
    /// Bends of the leg in hand, with the step each lets the path into.
    pub(super) bends: Vec<(usize, [f64; 2])>,
}

impl Pulled {
    /// Pulls the path from `start` (in the first step's polygon) to `end` (in the last one's) and adds up its
    /// cost. Between links it is the shortest way through the corridor; no bend is reported that does not turn.
    pub(super) fn pull(&mut self, start: [f64; 2], end: [f64; 2], area_cost: impl Fn(u8) -> f64) {
        self.pull_tight(start, end);
        self.cost = self.marks.windows(2).map(|pair| self.stretch_cost(pair, &area_cost)).sum();
    }

    /// As [`Self::pull`], but the cost is not added up.
    pub(super) fn pull_tight(&mut self, start: [f64; 2], end: [f64; 2]) {
        self.marks.clear();
        let (mut first, mut from) = (0, start);
        for step in 1..self.steps.len() {
            if let Some(Crossing::OffMesh { departure, arrival, user_id, area }) = self.steps[step].entry {
                self.leg(first, step - 1, from, departure, MarkKind::Departure { user_id, area });
                (first, from) = (step, arrival);
            }
        }
        self.leg(first, self.steps.len() - 1, from, end, MarkKind::Corner);
    }

    /// As [`Self::pull_tight`], for a corridor without links that the straight way from `start` to `end` runs through.
    pub(super) fn pull_straight(&mut self, start: [f64; 2], end: [f64; 2]) {
        let last = self.steps.len() - 1;
        self.marks.clear();
        self.marks.push(Mark { at: start, step: 0, kind: MarkKind::Corner });
        self.bends.clear();
        self.bends.push((last + 1, end));
        self.mark_leg(0, last, start, end, MarkKind::Corner);
    }

    /// As [`Self::pull_tight`], where `bends` says at which corners the search saw the way bend, each with the step before
    /// the way turns. Seeing is rounded, so it is looked at exactly; where that finds fault, the string is pulled.
    pub(super) fn pull_seen(&mut self, start: [f64; 2], end: [f64; 2]) {
        if !self.settle_seen_bends(start, end) {
            return self.pull_tight(start, end);
        }
        let last = self.steps.len() - 1;
        self.marks.clear();
        self.marks.push(Mark { at: start, step: 0, kind: MarkKind::Corner });
        self.drop_straight_bends(start);
        self.mark_leg(0, last, start, end, MarkKind::Corner);
    }

    /// Gives the bends the steps that [`Self::find_bends`] would give them. True if the way over them is taut and runs
    /// through all portals: there is only one such way, so it is what the funnel would find.
    fn settle_seen_bends(&mut self, start: [f64; 2], end: [f64; 2]) -> bool {
        let last = self.steps.len() - 1;
        let (mut kept, mut from, mut first) = (0, start, 1);
        for bend in 0..self.bends.len() {
            let (mut step, at) = self.bends[bend];
            let next = self.bends.get(bend + 1).map_or(end, |next| next.1);
            let turn = orientation(from, at, next);
            if turn == 0.0 {
                continue;
            }
            // A path turns right about the right ends of portals.
            let other_end = |step: usize| match self.steps.get(step)?.entry? {
                Crossing::Portal { left, right } if turn < 0.0 && right == at => Some(left),
                Crossing::Portal { left, right } if turn > 0.0 && left == at => Some(right),
                _ => None,
            };
            let mut known = other_end(step);
            if known.is_none() {
                step += 1;
                known = other_end(step);
            }
            let Some(mut other) = known else { return false };
            let not_beyond = |other: [f64; 2]| {
                let side = orientation(from, at, other);
                side == 0.0 || (side < 0.0) != (turn < 0.0)
            };
            while not_beyond(other)
                && let Some(further) = other_end(step + 1)
            {
                (step, other) = (step + 1, further);
            }
            if step < first || !self.runs_through(first..step, from, at) {
                return false;
            }
            self.bends[kept] = (step, at);
            (kept, from, first) = (kept + 1, at, step + 1);
        }
        self.bends.truncate(kept);
        self.bends.push((last + 1, end));
        self.runs_through(first..last + 1, from, end)
    }

    /// Whether a line runs through the portals into some steps, and along none of them.
    fn runs_through(&self, steps: std::ops::Range<usize>, from: [f64; 2], to: [f64; 2]) -> bool {
        self.steps[steps].iter().all(|step| match step.entry {
            Some(Crossing::Portal { left, right }) => {
                let (left, right) = (orientation(from, to, left), orientation(from, to, right));
                left >= 0.0 && right <= 0.0 && left != right
            }
            _ => false,
        })
    }

    fn stretch_cost(&self, pair: &[Mark], area_cost: impl Fn(u8) -> f64) -> f64 {
        let area = match pair[0].kind {
            MarkKind::Departure { area, .. } => area,
            _ => self.steps[pair[0].step].area,
        };
        area_cost(area) * distance(pair[0].at, pair[1].at)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Step>()
            + self.marks.capacity() * size_of::<Mark>()
            + self.bends.capacity() * size_of::<(usize, [f64; 2])>()
    }

    /// One leg without links, through the steps `first..=last`; its marks are added, start and end included.
    fn leg(&mut self, first: usize, last: usize, start: [f64; 2], end: [f64; 2], end_kind: MarkKind) {
        let kind = if first == 0 { MarkKind::Corner } else { MarkKind::Arrival };
        self.marks.push(Mark { at: start, step: first, kind });
        self.find_bends(first, last, start, end);
        self.drop_straight_bends(start);
        self.mark_leg(first, last, start, end, end_kind);
    }

    /// Writes the marks of a leg whose bends are found.
    fn mark_leg(&mut self, first: usize, last: usize, start: [f64; 2], end: [f64; 2], end_kind: MarkKind) {
        // Each portal is crossed by the stretch that ends in the first bend at it or after it.
        let (mut from, mut step) = (start, first + 1);
        for bend in 0..self.bends.len() {
            let (bend_step, to) = self.bends[bend];
            while step <= last && step <= bend_step {
                if step == bend_step {
                    self.marks.push(Mark { at: to, step, kind: MarkKind::Corner });
                } else if self.all_crossings || !self.steps[step - 1].goes_on_in(&self.steps[step]) {
                    let at = self.crossing_point(step, from, to);
                    self.marks.push(Mark { at, step, kind: MarkKind::Straight });
                }
                step += 1;
            }
            from = to;
        }
        self.marks.push(Mark { at: end, step: last, kind: end_kind });
    }

    /// The portal into a step, left and right as seen walking; the end point itself beyond the last step.
    fn portal(&self, step: usize, last: usize, end: [f64; 2]) -> ([f64; 2], [f64; 2]) {
        match self.steps.get(step).filter(|_| step <= last).and_then(|step| step.entry) {
            Some(Crossing::Portal { left, right }) => (left, right),
            _ => (end, end),
        }
    }

    /// The funnel over the portals of a leg: its two sides narrow portal by portal; where one crosses over the
    /// other, the other's point is a bend and the next funnel's tip. Portals on one line with the tip only
    /// narrow it, so that they make no bend. The last bend is the end, at step `last + 1`.
    ///
    /// Source: Lee and Preparata 1984, in the form that starts over from each bend (Mononen 2010); with exact
    /// orientation.
    fn find_bends(&mut self, first: usize, last: usize, start: [f64; 2], end: [f64; 2]) {
        self.bends.clear();
        let mut tip = start;
        let (mut left, mut right) = ((first, start), (first, start));
        let mut step = first + 1;
        while step <= last + 1 {
            let (new_left, new_right) = self.portal(step, last, end);
            // Portals round one corner share that end, which narrows nothing.
            if new_right == right.1 && tip != right.1 {
                right.0 = step;
            } else if orientation(tip, right.1, new_right) >= 0.0 {
                if tip == right.1 || orientation(tip, left.1, new_right) <= 0.0 {
                    right = (step, new_right);
                } else {
                    self.bends.push(left);
                    (tip, right, step) = (left.1, left, left.0 + 1);
                    continue;
                }
            }
            if new_left == left.1 && tip != left.1 {
                left.0 = step;
            } else if orientation(tip, left.1, new_left) <= 0.0 {
                if tip == left.1 || orientation(tip, right.1, new_left) >= 0.0 {
                    left = (step, new_left);
                } else {
                    self.bends.push(right);
                    (tip, left, step) = (right.1, right, right.0 + 1);
                    continue;
                }
            }
            step += 1;
        }
        self.bends.push((last + 1, end));
    }

    /// Takes away bends that do not turn: coordinates that are rounded (an odd mesh origin) bend a straight line
    /// by a few units in the last place. The way moves by no more than that.
    fn drop_straight_bends(&mut self, start: [f64; 2]) {
        let (mut kept, mut from) = (0, start);
        for bend in 0..self.bends.len() {
            let (step, at) = self.bends[bend];
            if let Some((_, next)) = self.bends.get(bend + 1) {
                let size = at[0].abs().max(at[1].abs());
                let slack = 1e-12 + size * 1e-15;
                if distance_squared(closest_on_segment(from, *next, at), at) <= slack * slack {
                    continue;
                }
            }
            self.bends[kept] = (step, at);
            kept += 1;
            from = at;
        }
        self.bends.truncate(kept);
    }

    /// Where the straight stretch from → to crosses the portal into a step; the portal's ends exactly when it
    /// passes through them.
    fn crossing_point(&self, step: usize, from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
        let (left, right) = self.portal(step, step, to);
        let (side_left, side_right) = (orientation(from, to, left), orientation(from, to, right));
        if side_left <= 0.0 && side_right < 0.0 {
            left
        } else if side_left > 0.0 && side_right >= 0.0 {
            right
        } else if side_left > 0.0 {
            let t = side_right / (side_right - side_left);
            [right[0] + (left[0] - right[0]) * t, right[1] + (left[1] - right[1]) * t]
        } else {
            // The stretch runs along the portal, or does not move at all.
            closest_on_segment(left, right, from)
        }
    }
}
