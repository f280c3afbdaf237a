//! The agents of one class on one mesh.

use std::collections::VecDeque;

use super::agent::{Agent, AgentId, AgentParams, AgentState, AgentTarget, Patience};
use super::neighbors::{Body, NeighborGrid};
use super::plan::Planner;
use super::record::{CrowdInput, CrowdRecord};
use super::step::Rules;
use crate::format::{PolyRef, TiledNavMesh};
use crate::query::{NavPlace, PathCorridor, PathScratch, QueryError, QueryFilter, closest_nav_point};

/// How a crowd runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdSettings {
    /// Seconds of a step.
    pub step_secs: f64,
    /// Steps that one [`Crowd::advance`] makes at most; time beyond that is dropped, so that a long pause does not
    /// scatter the crowd nor stop the game.
    pub max_steps: u32,
    /// Nodes that searches for paths look at in a step.
    pub nodes_per_step: usize,
    /// Seconds that agents look ahead to avoid each other.
    pub avoid_secs: f64,
    /// Whether a step uses all threads of rayon's pool. The positions are the same either way.
    pub parallel: bool,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self { step_secs: 1.0 / 30.0, max_steps: 8, nodes_per_step: 4096, avoid_secs: 1.0, parallel: false }
    }
}

/// What a crowd cannot do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CrowdError {
    /// A value of an agent or of the settings beyond its bounds.
    #[error("{name} is {value}, but must be above 0 (rates: not below 0) and at most {most}")]
    Params {
        /// Which.
        name: &'static str,
        /// The value found.
        value: f64,
        /// The largest allowed.
        most: f64,
    },
    /// A filter that the crowd does not have.
    #[error("filter {filter} is asked for, but the crowd has {count}")]
    NoFilter {
        /// The one asked for.
        filter: usize,
        /// How many there are.
        count: usize,
    },
    /// No open floor for a new agent near enough.
    #[error("there is no open floor within {reach} of ({x}, {z})")]
    OffMesh {
        /// World x asked for.
        x: f64,
        /// World z asked for.
        z: f64,
        /// How far was looked: twice the agent's radius.
        reach: f64,
    },
    /// An agent that is not, or no longer, in the crowd.
    #[error("there is no agent {0:?}")]
    NoAgent(AgentId),
    /// A coordinate or a cost that no query takes.
    #[error(transparent)]
    Query(#[from] QueryError),
}

#[derive(Clone, Debug)]
pub(super) struct AgentSlot {
    pub(super) generation: u32,
    pub(super) agent: Option<Agent>,
}

/// Agents of one class on one mesh.
///
/// The mesh is passed to every step; it may be edited between steps, and tiles may come and go. An agent never leaves
/// it: steps slide along walls, and change the floor over seams only. A clone goes on exactly as the original.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(super) settings: CrowdSettings,
    pub(super) filters: Vec<QueryFilter>,
    pub(super) slots: Vec<AgentSlot>,
    free: Vec<u32>,
    pub(super) scratch: PathScratch,
    pub(super) planner: Planner,
    /// Agents that wait for a path, in the order they asked.
    pub(super) line: VecDeque<AgentId>,
    bodies: Vec<Body>,
    grid: NeighborGrid,
    owed_secs: f64,
    steps: u64,
    edition: u64,
    record: Option<CrowdRecord>,
}

impl Crowd {
    /// Nobody yet. Filter 0 is the default one.
    ///
    /// # Errors
    /// [`CrowdError::Params`] for a step that is not above 0 and at most 1 second, and for a look ahead that is not
    /// above 0 and at most 60 seconds.
    pub fn new(settings: CrowdSettings) -> Result<Self, CrowdError> {
        let bounds = [("step_secs", settings.step_secs, 1.0), ("avoid_secs", settings.avoid_secs, 60.0)];
        for (name, value, most) in bounds {
            if !(1e-4 <= value && value <= most) {
                return Err(CrowdError::Params { name, value, most });
            }
        }
        Ok(Self {
            settings,
            filters: vec![QueryFilter::default()],
            slots: Vec::new(),
            free: Vec::new(),
            scratch: PathScratch::without_words(),
            planner: Planner::default(),
            line: VecDeque::new(),
            bodies: Vec::new(),
            grid: NeighborGrid::default(),
            owed_secs: 0.0,
            steps: 0,
            edition: 0,
            record: None,
        })
    }

    /// How it runs.
    #[must_use]
    pub fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// Adds a filter; returns its number.
    pub fn add_filter(&mut self, filter: QueryFilter) -> usize {
        self.note(|| CrowdInput::Filter { filter: usize::MAX, value: Box::new(filter.clone()) });
        self.filters.push(filter);
        self.filters.len() - 1
    }

    /// Changes a filter. Agents who walk by it look for new paths.
    ///
    /// # Errors
    /// [`CrowdError::NoFilter`].
    pub fn set_filter(&mut self, filter: usize, value: QueryFilter) -> Result<(), CrowdError> {
        let count = self.filters.len();
        if filter >= count {
            return Err(CrowdError::NoFilter { filter, count });
        }
        self.note(|| CrowdInput::Filter { filter, value: Box::new(value.clone()) });
        self.filters[filter] = value;
        let ids: Vec<AgentId> = self.ids().collect();
        for id in ids {
            if self.agent(id).is_some_and(|agent| agent.params.filter == filter) {
                self.ask_for_path(id);
            }
        }
        Ok(())
    }

    /// Puts an agent on the mesh, at the open place nearest to a world x, z on a level (or any), at most twice its
    /// radius away.
    ///
    /// # Errors
    /// [`CrowdError::OffMesh`] if there is none, [`CrowdError::Params`], [`CrowdError::NoFilter`], and
    /// [`CrowdError::Query`] for a coordinate out of range.
    pub fn add_agent(
        &mut self,
        mesh: &TiledNavMesh,
        params: AgentParams,
        position: [f64; 2],
        level: Option<i8>,
    ) -> Result<AgentId, CrowdError> {
        params.check(self.filters.len())?;
        let reach = 2.0 * params.radius;
        let filter = &self.filters[params.filter];
        let found = closest_nav_point(mesh, position, level, reach, filter, &mut self.scratch)?;
        let [x, z] = position;
        let place = found.ok_or(CrowdError::OffMesh { x, z, reach })?;
        let place = NavPlace { distance: 0.0, ..place };
        self.note(|| CrowdInput::Add { params, position, level });
        let agent = Agent::new(params, PathCorridor::new(place));
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.agent = Some(agent);
            return Ok(AgentId { index, generation: slot.generation });
        }
        self.slots.push(AgentSlot { generation: 1, agent: Some(agent) });
        Ok(AgentId { index: self.slots.len() as u32 - 1, generation: 1 })
    }

    /// Takes an agent out.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn remove_agent(&mut self, id: AgentId) -> Result<(), CrowdError> {
        self.agent_mut(id)?;
        self.note(|| CrowdInput::Remove(id));
        let slot = &mut self.slots[id.index as usize];
        slot.agent = None;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index);
        Ok(())
    }

    /// Tells an agent what it wants.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`], and [`CrowdError::Query`] for a coordinate out of range.
    pub fn set_target(&mut self, id: AgentId, target: AgentTarget) -> Result<(), CrowdError> {
        let point = match target {
            AgentTarget::Nothing => [0.0; 2],
            AgentTarget::Place { position, .. } => position,
            AgentTarget::Velocity(velocity) => velocity,
        };
        for (name, value) in ["target x", "target z"].into_iter().zip(point) {
            if !(-crate::format::WORLD_BOUND < value && value < crate::format::WORLD_BOUND) {
                return Err(QueryError::OutOfRange { name, value }.into());
            }
        }
        let agent = self.agent_mut(id)?;
        agent.target = target;
        agent.patience = Patience::default();
        if agent.link.is_none() && agent.state != AgentState::OffMesh {
            agent.corridor.clear_path();
            agent.state = match target {
                AgentTarget::Nothing => AgentState::Idle,
                AgentTarget::Place { .. } => AgentState::Waiting,
                AgentTarget::Velocity(_) => AgentState::Walking,
            };
        }
        self.note(|| CrowdInput::Target { id, target });
        self.ask_for_path(id);
        Ok(())
    }

    /// Sets an agent's velocity, world x, z a second: a knock, or a start at speed. It goes on from there as fast as its
    /// acceleration lets it.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`], and [`CrowdError::Params`] for a velocity that is not finite or above 10 000.
    pub fn set_velocity(&mut self, id: AgentId, velocity: [f64; 2]) -> Result<(), CrowdError> {
        let most = 1e4;
        for (name, value) in ["velocity x", "velocity z"].into_iter().zip(velocity) {
            if !(-most <= value && value <= most) {
                return Err(CrowdError::Params { name, value, most });
            }
        }
        self.agent_mut(id)?.velocity = velocity;
        self.note(|| CrowdInput::Velocity { id, velocity });
        Ok(())
    }

    /// An agent; `None` for one that is gone.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<&Agent> {
        let slot = self.slots.get(id.index as usize)?;
        slot.agent.as_ref().filter(|_| slot.generation == id.generation)
    }

    /// All agents, in the order of their places.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, &Agent)> {
        let slots = (0..).zip(&self.slots);
        slots.filter_map(|(index, slot)| {
            Some((AgentId { index, generation: slot.generation }, slot.agent.as_ref()?))
        })
    }

    /// Goes on by some time, in fixed steps: what does not fill a step waits for the next call, and more than
    /// [`CrowdSettings::max_steps`] steps are not made. Returns the steps made.
    pub fn advance(&mut self, mesh: &TiledNavMesh, elapsed_secs: f64) -> u32 {
        let steps = self.steps_for(elapsed_secs);
        for _ in 0..steps {
            self.step(mesh);
        }
        steps
    }

    /// The steps that some more time makes; the rest is kept.
    pub(super) fn steps_for(&mut self, elapsed_secs: f64) -> u32 {
        // A clock that runs backwards, or says nothing, makes no steps.
        let elapsed = if elapsed_secs > 0.0 { elapsed_secs } else { 0.0 };
        let longest = self.settings.step_secs * f64::from(self.settings.max_steps);
        self.owed_secs = (self.owed_secs + elapsed).min(longest);
        let mut steps = 0;
        // The hair keeps sixty sixtieths from being fifty-nine steps.
        while self.owed_secs >= self.settings.step_secs * (1.0 - 1e-9) && steps < self.settings.max_steps {
            self.owed_secs = (self.owed_secs - self.settings.step_secs).max(0.0);
            steps += 1;
        }
        steps
    }

    /// One step.
    pub fn step(&mut self, mesh: &TiledNavMesh) {
        self.prepare(mesh);
        let mut bodies = std::mem::take(&mut self.bodies);
        let mut grid = std::mem::take(&mut self.grid);
        bodies.clear();
        let range = self.add_bodies(&mut bodies);
        grid.build(&bodies, range);
        self.walk(mesh, &bodies, 0, &grid);
        (self.bodies, self.grid) = (bodies, grid);
    }

    /// Before a step: follows the mesh, and looks for paths.
    pub(super) fn prepare(&mut self, mesh: &TiledNavMesh) {
        self.note(|| CrowdInput::Step);
        self.steps += 1;
        if self.edition != mesh.edition() {
            self.edition = mesh.edition();
            self.follow(mesh);
        }
        self.look_for_paths(mesh);
    }

    /// Adds each agent's body, places without one included; returns how far the farthest-looking one looks.
    pub(super) fn add_bodies(&self, bodies: &mut Vec<Body>) -> f64 {
        let mut range = 0.0_f64;
        for slot in &self.slots {
            let Some(agent) = &slot.agent else {
                bodies.push(Body { ghost: true, ..Body::NOBODY });
                continue;
            };
            range = range.max(Rules::range(agent, &self.settings));
            bodies.push(Body {
                position: agent.position,
                velocity: agent.velocity,
                preferred: agent.preferred,
                radius: agent.params.radius,
                height: agent.params.height,
                polygon: agent.corridor.place().polygon,
                priority: agent.params.priority,
                stalls: agent.patience.stalls,
                walks: agent.walks(),
                ghost: agent.link.is_some(),
            });
        }
        // The farthest neighbour that matters may be a large one.
        let largest = bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
        range + largest
    }

    /// Moves every agent by a step. `first`: the place of its first agent among the bodies.
    pub(super) fn walk(&mut self, mesh: &TiledNavMesh, bodies: &[Body], first: usize, grid: &NeighborGrid) {
        let settings = self.settings;
        let (filters, floor) = (&self.filters, self.scratch.floor(mesh));
        let rules = Rules { settings: &settings, floor, filters, bodies, grid };
        let move_one = |(place, slot): (usize, &mut AgentSlot)| {
            if let Some(agent) = &mut slot.agent {
                rules.step(agent, first + place);
            }
        };
        if settings.parallel {
            use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
            self.slots.par_iter_mut().with_min_len(16).enumerate().for_each(move_one);
        } else {
            self.slots.iter_mut().enumerate().for_each(move_one);
        }
        for index in 0..self.slots.len() as u32 {
            let slot = &mut self.slots[index as usize];
            let generation = slot.generation;
            let asks = slot.agent.as_mut().is_some_and(|agent| std::mem::take(&mut agent.asks));
            if asks {
                self.ask_for_path(AgentId { index, generation });
            }
        }
    }

    pub(super) fn agent_mut(&mut self, id: AgentId) -> Result<&mut Agent, CrowdError> {
        let slot = self.slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation);
        slot.and_then(|slot| slot.agent.as_mut()).ok_or(CrowdError::NoAgent(id))
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = AgentId> {
        self.agents().map(|(id, _)| id)
    }

    /// Steps made so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// A number made of every agent's position and velocity: equal states have equal ones.
    #[must_use]
    pub fn state_digest(&self) -> u64 {
        // Fowler, Noll and Vo, 64 bits, by words.
        let mut digest = 0xCBF2_9CE4_8422_2325_u64;
        for (id, agent) in self.agents() {
            let [x, y, z] = agent.position;
            let [vx, vz] = agent.velocity;
            let words = [x, y, z, vx, vz].map(f64::to_bits);
            for word in words.into_iter().chain([u64::from(id.index)]) {
                digest = (digest ^ word).wrapping_mul(0x0000_0100_0000_01B3);
            }
        }
        digest
    }

    /// Notes what goes in from here on, from this state.
    pub fn start_record(&mut self) {
        self.record = None;
        self.record = Some(CrowdRecord::new(self.clone()));
    }

    /// What went in since [`Crowd::start_record`].
    pub fn take_record(&mut self) -> Option<CrowdRecord> {
        self.record.take()
    }

    fn note(&mut self, input: impl FnOnce() -> CrowdInput) {
        if let Some(record) = &mut self.record {
            record.push(input());
        }
    }

    /// Bytes held, for budgets and for seeing that a warm crowd no longer grows.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.scratch.memory_bytes()
            + self.slots.capacity() * size_of::<AgentSlot>()
            + self.agents().map(|(_, agent)| agent.memory_bytes()).sum::<usize>()
            + self.bodies.capacity() * size_of::<Body>()
            + self.grid.memory_bytes()
            + self.line.capacity() * size_of::<AgentId>()
    }
}

impl Body {
    const NOBODY: Self = Self {
        position: [0.0; 3],
        velocity: [0.0; 2],
        preferred: [0.0; 2],
        radius: 0.0,
        height: 0.0,
        polygon: PolyRef::NONE,
        priority: 0,
        stalls: 0,
        walks: false,
        ghost: true,
    };
}
