//! Paths looked for over several frames: one ([`SlicedPath`]), or many that wait in line ([`PathQueue`]).

use std::collections::VecDeque;

use super::nearest::xz;
use super::path::{begin_between, begin_path, check_question};
use super::search::Job;
use super::{NavPath, NavPlace, PathOptions, PathScratch, QueryError, QueryFilter};
use crate::format::TiledNavMesh;

/// A search that goes on a few nodes at a time and gives the path that a whole one gives, to the bit.
///
/// It keeps its state in the scratch it is given, and begins anew if that served another search or was asked about another
/// mesh in between, if it is another scratch, or if the mesh was edited or is another one. Where the end turns out to be out of reach, the one call that finds out takes time in proportion to
/// what can be reached.
#[derive(Clone, Debug)]
pub struct SlicedPath {
    question: Question,
    filter: QueryFilter,
    options: PathOptions,
    /// The search, the number that its scratch had when it paused, and how often the scratch's index had followed a mesh.
    running: Option<(Job, u64, u64)>,
    nodes: usize,
    done: bool,
}

/// What is asked: by places and levels, or between known places.
#[derive(Clone, Copy, Debug)]
enum Question {
    Levels(([f64; 2], Option<i8>), ([f64; 2], Option<i8>)),
    Between(NavPlace, NavPlace),
}

impl SlicedPath {
    /// As [`find_nav_path_with`](super::find_nav_path_with); nothing is searched yet.
    ///
    /// # Errors
    /// [`QueryError::OutOfRange`] for a coordinate that is not finite or outside ±2^21;
    /// [`QueryError::AreaCost`] for a cost that is not finite or negative.
    pub fn new(
        start: ([f64; 2], Option<i8>),
        end: ([f64; 2], Option<i8>),
        filter: &QueryFilter,
        options: PathOptions,
    ) -> Result<Self, QueryError> {
        check_question(start, end, filter)?;
        Ok(Self::of(Question::Levels(start, end), filter, options))
    }

    /// As [`find_path_between`](super::find_path_between); nothing is searched yet. If one of the places' polygons is
    /// gone or closed when the search begins, it is looked for by its position and level.
    ///
    /// # Errors
    /// As [`SlicedPath::new`].
    pub fn between(
        from: &NavPlace,
        to: &NavPlace,
        filter: &QueryFilter,
        options: PathOptions,
    ) -> Result<Self, QueryError> {
        check_question((xz(from), None), (xz(to), None), filter)?;
        Ok(Self::of(Question::Between(*from, *to), filter, options))
    }

    /// Turns to another question of the same kind; the filter's memory is used again.
    pub(crate) fn begin_again(
        &mut self,
        from: &NavPlace,
        to: &NavPlace,
        filter: &QueryFilter,
    ) -> Result<(), QueryError> {
        check_question((xz(from), None), (xz(to), None), filter)?;
        self.question = Question::Between(*from, *to);
        self.filter.copy_from(filter);
        (self.running, self.nodes, self.done) = (None, 0, false);
        Ok(())
    }

    fn of(question: Question, filter: &QueryFilter, options: PathOptions) -> Self {
        Self { question, filter: filter.clone(), options, running: None, nodes: 0, done: false }
    }

    /// Looks at up to `nodes` nodes more. Returns whether the path is found (or that there is none): it is then
    /// written to `path`, which is left alone before. Ends by itself at [`PathOptions::max_nodes`].
    pub fn go_on(
        &mut self,
        mesh: &TiledNavMesh,
        nodes: usize,
        scratch: &mut PathScratch,
        path: &mut NavPath,
    ) -> bool {
        let mut budget = nodes;
        self.spend(mesh, &mut budget, scratch, path)
    }

    fn spend(
        &mut self,
        mesh: &TiledNavMesh,
        budget: &mut usize,
        scratch: &mut PathScratch,
        path: &mut NavPath,
    ) -> bool {
        if self.done {
            return true;
        }
        let Some(mut job) = self.job(mesh, scratch, path) else {
            self.done = true;
            return true;
        };
        let most = (*budget).min(self.options.max_nodes - self.nodes);
        let mut left = most;
        self.done = job.go_on(mesh, &self.filter, &mut left, scratch, path);
        self.nodes += most - left;
        *budget -= most - left;
        if !self.done && self.nodes == self.options.max_nodes {
            job.give_up(mesh, &self.filter, self.nodes, scratch, path);
            self.done = true;
        }
        self.running = Some((job, scratch.renew(), scratch.index.follows));
        self.done
    }

    /// Ends the search with the way to the place nearest to the end that it has come to;
    /// [`NavPath::limit_reached`] says so. Nothing happens if it has ended.
    pub fn stop(&mut self, mesh: &TiledNavMesh, scratch: &mut PathScratch, path: &mut NavPath) {
        if self.done {
            return;
        }
        self.done = true;
        if let Some(mut job) = self.job(mesh, scratch, path) {
            // Little is known of a search that never began: it looks at its start at least.
            let mut first = usize::from(self.nodes == 0);
            if !job.go_on(mesh, &self.filter, &mut first, scratch, path) {
                job.give_up(mesh, &self.filter, self.nodes.max(1), scratch, path);
            }
        }
    }

    /// Nodes looked at so far.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The search in hand, or a new one; `None` if the path says why there is none.
    fn job(&mut self, mesh: &TiledNavMesh, scratch: &mut PathScratch, path: &mut NavPath) -> Option<Job> {
        scratch.index.update(mesh);
        if let Some((job, number, follows)) = self.running.take()
            && (number, follows) == (scratch.searches, scratch.index.follows)
        {
            return Some(job);
        }
        self.nodes = 0;
        let (start, end) = match &self.question {
            Question::Levels(start, end) => (*start, *end),
            Question::Between(from, to) => {
                if let Some(job) = begin_between(mesh, from, to, &self.filter, self.options, scratch) {
                    return Some(job);
                }
                ((xz(from), Some(from.level)), (xz(to), Some(to.level)))
            }
        };
        begin_path(mesh, start, end, &self.filter, self.options, scratch, path)
    }
}

/// Names a path that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathTicket(u64);

/// Paths that wait in line for their turn: so many nodes a frame, in the order they were asked for.
#[derive(Clone, Debug, Default)]
pub struct PathQueue {
    waiting: VecDeque<(PathTicket, SlicedPath)>,
    found: Vec<(PathTicket, NavPath)>,
    issued: u64,
    /// Memory of paths that were taken, for those to come.
    spare: Vec<NavPath>,
}

impl PathQueue {
    /// Puts a search at the end of the line.
    pub fn ask(&mut self, search: SlicedPath) -> PathTicket {
        self.issued += 1;
        let ticket = PathTicket(self.issued);
        self.waiting.push_back((ticket, search));
        ticket
    }

    /// Takes a search out of the line, or its path if it was found.
    pub fn cancel(&mut self, ticket: PathTicket) {
        self.waiting.retain(|(other, _)| *other != ticket);
        if let Some(place) = self.found.iter().position(|(other, _)| *other == ticket) {
            self.spare.push(self.found.remove(place).1);
        }
    }

    /// Looks at up to `nodes` nodes, for one search after the other. Returns how many were looked at.
    pub fn update(&mut self, mesh: &TiledNavMesh, nodes: usize, scratch: &mut PathScratch) -> usize {
        let mut budget = nodes;
        while budget > 0 {
            let Some((ticket, search)) = self.waiting.front_mut() else { break };
            let mut path = self.spare.pop().unwrap_or_default();
            // A search that finds its answer at once costs a node too, so that a frame's work has an end.
            let before = budget;
            let done = search.spend(mesh, &mut budget, scratch, &mut path);
            budget = budget.min(before - 1);
            if done {
                self.found.push((*ticket, path));
                self.waiting.pop_front();
            } else {
                self.spare.push(path);
            }
        }
        nodes - budget
    }

    /// The path of a ticket, if it was found; it leaves the queue, and the memory of `path` serves another one.
    pub fn take(&mut self, ticket: PathTicket, path: &mut NavPath) -> bool {
        let Some(place) = self.found.iter().position(|(other, _)| *other == ticket) else { return false };
        let (_, found) = self.found.remove(place);
        self.spare.push(std::mem::replace(path, found));
        true
    }

    /// How many searches wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
