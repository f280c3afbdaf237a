//! A search from places to places in steps: the shortest way first, the cheapest where costs differ, and the way to
//! the reachable place nearest to the end where there is none.

use super::any_angle::{AnyAngle, Progress};
use super::astar::Search;
use super::frontier::{AnyAngleMemory, flood};
use super::index::QueryIndex;
use super::nearest::{NavPlace, cell_place, xz};
use super::pulled_path::write_path;
use super::scratch::PathScratch;
use super::{NavPath, PathOptions, PathStatus, QueryFilter, islands, reason};
use crate::format::TiledNavMesh;

/// A path that is being looked for. Its memory is the scratch that it was begun with.
#[derive(Clone, Debug)]
pub(super) struct Job {
    from: NavPlace,
    to: NavPlace,
    /// Where the search in hand leads to, if that is not the end.
    stop: Option<NavPlace>,
    why: String,
    stage: Stage,
    options: PathOptions,
    /// What a unit of floor costs at least, and whether it costs that everywhere.
    unit_cost: f64,
    equal: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Shortest,
    Cheapest,
    Done(bool),
}

/// Nodes that a search looks at before it asks whether start and goal hang together at all, which takes time in
/// proportion to the mesh: this many, and one for so many cells.
const NODES_BEFORE_ISLANDS: usize = 256;
const CELLS_PER_NODE: usize = 16;

impl Job {
    /// Begins to look for a way from the cells in `scratch.start_cells` to those in `scratch.goal_cells`.
    pub(super) fn begin(
        from: NavPlace,
        to: NavPlace,
        filter: &QueryFilter,
        options: PathOptions,
        scratch: &mut PathScratch,
    ) -> Self {
        scratch.renew();
        scratch.best.all_crossings = options.crossing_points;
        scratch.trial.all_crossings = options.crossing_points;
        let areas = scratch.index.plan.tally.all().cell_areas;
        let equal = filter.equal_cost(areas);
        let unit_cost = equal.unwrap_or_else(|| filter.least_cost(areas));
        let equal = equal.is_some();
        let (stop, why, stage) = (None, String::new(), Stage::Shortest);
        let mut job = Self { from, to, stop, why, stage, options, unit_cost, equal };
        job.begin_search(filter, scratch);
        job
    }

    fn begin_search(&mut self, filter: &QueryFilter, scratch: &mut PathScratch) {
        if self.unit_cost == 0.0 {
            return self.begin_cheapest(filter, scratch);
        }
        self.stage = Stage::Shortest;
        let PathScratch { index, start_cells, goal_cells, any_angle, best, .. } = scratch;
        let ask = self.shortest(index, filter, start_cells, goal_cells);
        match ask.begin(any_angle, best) {
            Progress::Paused => {}
            Progress::Found => self.found_shortest(true, filter, scratch),
            Progress::Nothing => self.stage = Stage::Done(false),
        }
    }

    fn begin_cheapest(&mut self, filter: &QueryFilter, scratch: &mut PathScratch) {
        self.stage = Stage::Cheapest;
        let PathScratch { index, start_cells, goal_cells, search, .. } = scratch;
        self.cheapest(index, filter, start_cells, goal_cells).begin(search);
    }

    fn shortest<'a>(
        &self,
        index: &'a QueryIndex,
        filter: &'a QueryFilter,
        starts: &'a [u32],
        goals: &'a [u32],
    ) -> AnyAngle<'a> {
        let (start, goal) = (xz(&self.from), xz(self.goal()));
        let (plan, unit_cost) = (&index.plan, self.unit_cost);
        // Of equally short ways landmarks may find another one, and where costs differ it may lead over dearer floor.
        let known = index.landmarks.known().filter(|_| self.equal);
        AnyAngle { plan, filter, unit_cost, start, starts, goal, goals, known }
    }

    fn cheapest<'a>(
        &self,
        index: &'a QueryIndex,
        filter: &'a QueryFilter,
        starts: &'a [u32],
        goals: &'a [u32],
    ) -> Search<'a> {
        Search { plan: &index.plan, filter, start: xz(&self.from), starts, goal: xz(self.goal()), goals }
    }

    /// What the search in hand leads to.
    fn goal(&self) -> &NavPlace {
        self.stop.as_ref().unwrap_or(&self.to)
    }

    /// Goes on to the path's end, or until so many nodes were looked at.
    pub(super) fn run(
        &mut self,
        mesh: &TiledNavMesh,
        filter: &QueryFilter,
        max_nodes: usize,
        scratch: &mut PathScratch,
        path: &mut NavPath,
    ) {
        let mut budget = max_nodes;
        if !self.go_on(mesh, filter, &mut budget, scratch, path) {
            self.give_up(mesh, filter, max_nodes, scratch, path);
        }
    }

    /// Looks at up to `budget` nodes more; what is left of it stays in it. Returns whether the path is written.
    pub(super) fn go_on(
        &mut self,
        mesh: &TiledNavMesh,
        filter: &QueryFilter,
        budget: &mut usize,
        scratch: &mut PathScratch,
        path: &mut NavPath,
    ) -> bool {
        loop {
            match self.stage {
                Stage::Shortest => {
                    if !self.go_on_shortest(filter, budget, scratch) {
                        return false;
                    }
                }
                Stage::Cheapest => {
                    let PathScratch { index, start_cells, goal_cells, search, trial, best, .. } = scratch;
                    let ask = self.cheapest(index, filter, start_cells, goal_cells);
                    match ask.go_on(search, trial, best, budget) {
                        Progress::Paused => return false,
                        found => self.stage = Stage::Done(found == Progress::Found),
                    }
                }
                Stage::Done(true) => {
                    let status = if self.stop.is_some() { PathStatus::Partial } else { PathStatus::Complete };
                    self.write(mesh, status, scratch, path);
                    return true;
                }
                Stage::Done(false) => {
                    debug_assert!(self.stop.is_none(), "a polygon that was reached is reached again");
                    self.turn_to_nearest(mesh, filter, scratch);
                }
            }
        }
    }

    fn go_on_shortest(
        &mut self,
        filter: &QueryFilter,
        budget: &mut usize,
        scratch: &mut PathScratch,
    ) -> bool {
        let plan = &mut scratch.index.plan;
        let first = if plan.islands_known() {
            *budget
        } else {
            (*budget).min(NODES_BEFORE_ISLANDS + plan.cell_count() / CELLS_PER_NODE)
        };
        let mut part = first;
        let PathScratch { index, start_cells, goal_cells, any_angle, best, nodes, .. } = &mut *scratch;
        let ask = self.shortest(index, filter, start_cells, goal_cells);
        let progress = ask.go_on(any_angle, best, &mut part);
        *budget -= first - part;
        *nodes += (first - part) as u64;
        match progress {
            Progress::Found => self.found_shortest(false, filter, scratch),
            Progress::Nothing => {
                // Sight lines are rounded, joins are not: these have the last word on whether there is a way.
                flood(&index.plan, filter, start_cells, any_angle);
                if goal_cells.iter().any(|cell| any_angle.was_reached(*cell)) {
                    self.begin_cheapest(filter, scratch);
                } else {
                    self.stage = Stage::Done(false);
                }
            }
            Progress::Paused if *budget == 0 => return false,
            Progress::Paused => {
                let plan = &mut index.plan;
                plan.find_islands();
                let apart = |start: &u32| goal_cells.iter().all(|goal| plan.surely_apart(*start, *goal));
                if start_cells.iter().all(apart) {
                    self.stage = Stage::Done(false);
                }
            }
        }
        true
    }

    /// Pulls what was found tight; `straight`: no need, nothing stands in the straight way.
    fn found_shortest(&mut self, straight: bool, filter: &QueryFilter, scratch: &mut PathScratch) {
        // Where costs differ, this is the shortest way as if all floor cost the least; if that is what it leads over,
        // then nothing is cheaper.
        let steps = &scratch.best.steps;
        if self.equal || steps.iter().all(|step| filter.cost(step.area) == self.unit_cost) {
            let (from, to) = (xz(&self.from), xz(self.goal()));
            if straight {
                scratch.best.pull_straight(from, to);
            } else {
                scratch.best.pull_seen(from, to);
            }
            self.stage = Stage::Done(true);
        } else {
            self.begin_cheapest(filter, scratch);
        }
    }

    /// There is no way to the end: looks for the one to the reachable place nearest to it.
    fn turn_to_nearest(&mut self, mesh: &TiledNavMesh, filter: &QueryFilter, scratch: &mut PathScratch) {
        let PathScratch { index, start_cells, any_angle, sets, words, .. } = &mut *scratch;
        flood(&index.plan, filter, start_cells, any_angle);
        let stop = nearest_reached(mesh, index, any_angle, &self.to).unwrap_or(self.from);
        if *words {
            islands::join(&index.plan, filter, sets);
            let mut island =
                |place: &NavPlace| islands::describe(index, sets, index.number(place.polygon) as u32);
            let (own, other) = (island(&self.from), island(&self.to));
            self.why = reason::unreachable(own, other, &stop, &self.to);
        }
        self.lead_to(stop, scratch);
        self.begin_search(filter, scratch);
    }

    fn lead_to(&mut self, stop: NavPlace, scratch: &mut PathScratch) {
        scratch.goal_cells.clear();
        scratch.goal_cells.push(scratch.index.number(stop.polygon) as u32);
        self.stop = Some(stop);
    }

    /// Writes down what the search has so far: the way to the place nearest to the end that it has come to.
    pub(super) fn give_up(
        &mut self,
        mesh: &TiledNavMesh,
        filter: &QueryFilter,
        nodes: usize,
        scratch: &mut PathScratch,
        path: &mut NavPath,
    ) {
        let unreachable = self.stop.is_some();
        if self.stage == Stage::Cheapest && Search::has_way(&scratch.search) {
            let status = if unreachable { PathStatus::Partial } else { PathStatus::Complete };
            self.write(mesh, status, scratch, path);
            path.limit_reached = true;
            return;
        }
        let PathScratch { index, start_cells, goal_cells, any_angle, search, best, .. } = &mut *scratch;
        if self.stage == Stage::Cheapest {
            any_angle.mark(&index.plan, search.reached());
        } else {
            any_angle.mark_nodes();
        }
        let stop = nearest_reached(mesh, index, any_angle, &self.to).unwrap_or(self.from);
        let cell = index.number(stop.polygon) as u32;
        if self.stage == Stage::Cheapest {
            let ask = self.cheapest(index, filter, start_cells, goal_cells);
            ask.write_way_to(cell, search, &mut best.steps);
        } else {
            let ask = self.shortest(index, filter, start_cells, goal_cells);
            ask.write_way_to(cell, any_angle, best);
        }
        best.pull_tight(xz(&self.from), xz(&stop));
        if !unreachable && scratch.words {
            self.why = reason::limit(nodes, &stop, &self.to);
        }
        self.lead_to(stop, scratch);
        self.write(mesh, PathStatus::Partial, scratch, path);
        path.limit_reached = !unreachable;
    }

    fn write(&mut self, mesh: &TiledNavMesh, status: PathStatus, scratch: &PathScratch, path: &mut NavPath) {
        path.clear(status, std::mem::take(&mut self.why));
        path.start_moved = self.from.distance;
        path.end_moved = self.to.distance;
        write_path(mesh, &scratch.index.plan, &scratch.best, self.options, path);
    }
}

/// The reached place nearest to the end in space, so that a bridge overhead does not count as near.
fn nearest_reached(
    mesh: &TiledNavMesh,
    index: &QueryIndex,
    flooded: &AnyAngleMemory,
    end: &NavPlace,
) -> Option<NavPlace> {
    let mut best: Option<(f64, NavPlace)> = None;
    let plan = &index.plan;
    index.visit_cells(xz(end), f64::INFINITY, |number, limit| {
        if !flooded.was_reached(number) {
            return limit;
        }
        let place = cell_place(mesh, plan, number, xz(end));
        let horizontal = place.distance * place.distance;
        if horizontal > limit {
            return limit;
        }
        let rise = place.position[1] - end.position[1];
        let gap = horizontal + rise * rise;
        let better = |(least, other): &(f64, NavPlace)| {
            gap < *least || (gap == *least && place.polygon < other.polygon)
        };
        if best.as_ref().is_none_or(better) {
            best = Some((gap, place));
        }
        limit.min(gap)
    });
    best.map(|(_, place)| place)
}
