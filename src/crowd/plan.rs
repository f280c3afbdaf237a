//! Paths for agents: asked for in turn, a few nodes a step; and what becomes of them when the mesh changes.

use super::agent::{Agent, AgentId, AgentState, AgentTarget, Patience};
use super::crowd::Crowd;
use crate::format::TiledNavMesh;
use crate::query::{
    Floor, NavPath, NavPlace, PathOptions, PathStatus, QueryFilter, SNAP_TILES, SlicedPath, closest_nav_point,
};

/// The search in hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Planner {
    search: Option<(AgentId, SlicedPath)>,
    path: NavPath,
}

/// A search that finds its answer at once counts as so many nodes, so that a step's work has an end.
const NODES_OF_A_SEARCH: usize = 8;

impl Crowd {
    /// Puts an agent that wants to get somewhere at the end of the line.
    pub(super) fn ask_for_path(&mut self, id: AgentId) {
        let Ok(agent) = self.agent_mut(id) else { return };
        agent.patience.blind = 0;
        let wants = matches!(agent.target, AgentTarget::Place { .. });
        if wants && agent.link.is_none() && agent.state != AgentState::OffMesh && !agent.in_line {
            agent.in_line = true;
            self.line.push_back(id);
        }
    }

    /// After an edit of the mesh: agents whose floor is gone stand still, those whose way is gone wait for another.
    pub(super) fn follow(&mut self, mesh: &TiledNavMesh) {
        let floor = self.scratch.floor(mesh);
        for agent in self.slots.iter_mut().filter_map(|slot| slot.agent.as_mut()) {
            if agent.link.is_none() {
                follow_one(agent, &floor, &self.filters[agent.params.filter]);
            }
        }
        for index in 0..self.slots.len() as u32 {
            let generation = self.slots[index as usize].generation;
            self.ask_for_path(AgentId { index, generation });
        }
    }

    /// Goes on with the searches of agents in line.
    pub(super) fn look_for_paths(&mut self, mesh: &TiledNavMesh) {
        let mut budget = self.settings.nodes_per_step;
        while budget > 0 {
            if self.planner.search.is_none() && !self.begin_search(mesh) {
                return;
            }
            let Some((id, search)) = &mut self.planner.search else { continue };
            let id = *id;
            let before = search.nodes();
            let done = search.go_on(mesh, budget, &mut self.scratch, &mut self.planner.path);
            let used = search.nodes().saturating_sub(before).max(NODES_OF_A_SEARCH);
            budget = budget.saturating_sub(used);
            if done {
                self.planner.search = None;
                self.give_path(mesh, id);
            }
        }
    }

    /// Takes the next agent out of the line. False if nobody waits.
    fn begin_search(&mut self, mesh: &TiledNavMesh) -> bool {
        let Some(id) = self.line.pop_front() else { return false };
        let Ok(agent) = self.agent_mut(id) else { return true };
        agent.in_line = false;
        let Some(agent) = self.agent(id) else { return true };
        let AgentTarget::Place { position, level } = agent.target else { return true };
        let (from, filter) = (*agent.corridor.place(), &self.filters[agent.params.filter]);
        let reach = SNAP_TILES * mesh.params().tile_size;
        let found = closest_nav_point(mesh, position, level, reach, filter, &mut self.scratch);
        // The position was checked when it was set.
        let to = found.ok().flatten();
        let search = to.and_then(|to| SlicedPath::between(&from, &to, filter, PathOptions::default()).ok());
        match search {
            Some(search) => self.planner.search = Some((id, search)),
            None => {
                if let Ok(agent) = self.agent_mut(id) {
                    agent.corridor.clear_path();
                    agent.state = AgentState::NoPath;
                }
            }
        }
        true
    }

    fn give_path(&mut self, mesh: &TiledNavMesh, id: AgentId) {
        let Self { slots, filters, scratch, planner, .. } = self;
        let slot = slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation);
        let Some(agent) = slot.and_then(|slot| slot.agent.as_mut()) else { return };
        if agent.link.is_some() || !matches!(agent.target, AgentTarget::Place { .. }) {
            return;
        }
        if planner.path.status == PathStatus::None {
            agent.corridor.clear_path();
            agent.state = AgentState::NoPath;
            return;
        }
        agent.short = planner.path.status == PathStatus::Partial;
        agent.corridor.set_path(&mut planner.path);
        agent.corridor.look_ahead(&scratch.floor(mesh), &filters[agent.params.filter], 0.0);
        agent.state = AgentState::Walking;
        let remaining = agent.corridor.remaining();
        agent.patience = Patience { remaining, stalls: agent.patience.stalls, ..Patience::default() };
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
