//! Paths for agents: asked for in turn, a few nodes a step; and what becomes of them when the mesh changes.

use std::collections::VecDeque;

use super::agent::{Agent, AgentState, AgentTarget, Patience};
use super::roster::Roster;
use super::settings::AgentId;
use crate::format::TiledNavMesh;
use crate::query::{
    Floor, NavPath, NavPlace, PathOptions, PathScratch, PathStatus, QueryFilter, SNAP_TILES, SlicedPath,
    closest_nav_point,
};

/// Who waits for a path, and the search in hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Planner {
    /// Agents that wait, in the order they asked.
    line: VecDeque<AgentId>,
    /// Whose search is in hand.
    owner: Option<AgentId>,
    /// That search, or the last one, whose memory serves the next.
    search: Option<SlicedPath>,
    path: NavPath,
}

/// A search that finds its answer at once counts as so many nodes, so that a step's work has an end.
const NODES_OF_A_SEARCH: usize = 8;

impl Planner {
    /// Puts an agent that wants to get somewhere at the end of the line.
    pub(super) fn ask(&mut self, roster: &mut Roster, id: AgentId) {
        let Some(agent) = roster.get_mut(id) else { return };
        agent.patience.blind = 0;
        let wants = matches!(agent.target, AgentTarget::Place { .. });
        if wants && agent.link.is_none() && agent.state != AgentState::OffMesh && !agent.in_line {
            agent.in_line = true;
            self.line.push_back(id);
        }
    }

    /// Puts those who found out in a step that they need a path in line.
    pub(super) fn ask_for_all_who_want(&mut self, roster: &mut Roster) {
        for index in 0..roster.places().len() as u32 {
            let id = roster.id_at(index);
            if roster.get_mut(id).is_some_and(|agent| std::mem::take(&mut agent.asks)) {
                self.ask(roster, id);
            }
        }
    }

    /// After an edit of the mesh: agents whose floor is gone stand still, those whose way is gone wait for another.
    pub(super) fn follow(&mut self, roster: &mut Roster, filters: &[QueryFilter], floor: &Floor<'_>) {
        for agent in roster.places_mut().flatten().filter(|agent| agent.link.is_none()) {
            follow_one(agent, floor, &filters[agent.params.filter]);
        }
        for index in 0..roster.places().len() as u32 {
            self.ask(roster, roster.id_at(index));
        }
    }

    /// Goes on with the searches of agents in line, until about so many nodes were looked at.
    pub(super) fn go_on(
        &mut self,
        mesh: &TiledNavMesh,
        nodes: usize,
        roster: &mut Roster,
        filters: &[QueryFilter],
        scratch: &mut PathScratch,
    ) {
        let mut budget = nodes;
        while budget > 0 {
            if self.owner.is_none() && !self.begin_search(mesh, roster, filters, scratch) {
                return;
            }
            let (Some(id), Some(search)) = (self.owner, &mut self.search) else { continue };
            let before = search.nodes();
            let done = search.go_on(mesh, budget, scratch, &mut self.path);
            let used = search.nodes().saturating_sub(before).max(NODES_OF_A_SEARCH);
            budget = budget.saturating_sub(used);
            if done {
                self.owner = None;
                if let Some(agent) = roster.get_mut(id) {
                    self.give_path(agent, &scratch.floor(mesh), filters);
                }
            }
        }
    }

    /// Takes the next agent out of the line. False if nobody waits.
    fn begin_search(
        &mut self,
        mesh: &TiledNavMesh,
        roster: &mut Roster,
        filters: &[QueryFilter],
        scratch: &mut PathScratch,
    ) -> bool {
        let Some(id) = self.line.pop_front() else { return false };
        let Some(agent) = roster.get_mut(id) else { return true };
        agent.in_line = false;
        let AgentTarget::Place { position, level } = agent.target else { return true };
        let filter = &filters[agent.params.filter];
        let reach = SNAP_TILES * mesh.params().tile_size;
        // The position was checked when it was set.
        let to = closest_nav_point(mesh, position, level, reach, filter, scratch).ok().flatten();
        if to.is_some_and(|to| self.begin_between(agent.corridor.place(), &to, filter)) {
            self.owner = Some(id);
        } else {
            agent.corridor.clear_path();
            agent.state = AgentState::NoPath;
        }
        true
    }

    fn begin_between(&mut self, from: &NavPlace, to: &NavPlace, filter: &QueryFilter) -> bool {
        if let Some(search) = &mut self.search {
            return search.begin_again(from, to, filter).is_ok();
        }
        self.search = SlicedPath::between(from, to, filter, PathOptions::default()).ok();
        self.search.is_some()
    }

    fn give_path(&self, agent: &mut Agent, floor: &Floor<'_>, filters: &[QueryFilter]) {
        if agent.link.is_some() || !matches!(agent.target, AgentTarget::Place { .. }) {
            return;
        }
        if self.path.status == PathStatus::None {
            agent.corridor.clear_path();
            agent.state = AgentState::NoPath;
            return;
        }
        agent.short = self.path.status == PathStatus::Partial;
        agent.corridor.copy_path(&self.path);
        agent.corridor.look_ahead(floor, &filters[agent.params.filter], 0.0);
        agent.state = AgentState::Walking;
        let remaining = agent.corridor.remaining();
        agent.patience = Patience { remaining, stalls: agent.patience.stalls, ..Patience::default() };
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.line.capacity() * size_of::<AgentId>() + self.path.memory_bytes()
    }
}

fn follow_one(agent: &mut Agent, floor: &Floor<'_>, filter: &QueryFilter) {
    if !floor.is_open(agent.corridor.place().polygon, filter) {
        let reach = agent.params.radius;
        match floor.place_in_box(agent.position, [reach, agent.params.height, reach], filter) {
            Some(found) => stand_again(agent, found),
            None => lose_floor(agent),
        }
    }
    if !agent.corridor.stands_on(floor, filter) {
        agent.corridor.clear_path();
        if agent.walks() && matches!(agent.target, AgentTarget::Place { .. }) {
            agent.state = AgentState::Waiting;
        }
    }
}

fn stand_again(agent: &mut Agent, place: NavPlace) {
    agent.corridor.set_place(NavPlace { distance: 0.0, ..place });
    agent.position = place.position;
    if agent.state == AgentState::OffMesh {
        agent.state = match agent.target {
            AgentTarget::Nothing => AgentState::Idle,
            AgentTarget::Place { .. } => AgentState::Waiting,
            AgentTarget::Velocity(_) => AgentState::Walking,
        };
    }
}

fn lose_floor(agent: &mut Agent) {
    agent.corridor.clear_path();
    agent.state = AgentState::OffMesh;
    (agent.velocity, agent.preferred) = ([0.0; 2], [0.0; 2]);
}
