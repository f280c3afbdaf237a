//! The agents of one class on one mesh.

use super::agent::{Agent, AgentState, AgentTarget, Patience};
use super::input::CrowdInput;
use super::neighbors::{Body, NeighborGrid};
use super::plan::Planner;
use super::roster::Roster;
use super::settings::{AgentId, AgentParams, CrowdError, CrowdSettings};
use super::step::Rules;
use crate::format::{PolyRef, TiledNavMesh};
use crate::query::{NavPlace, PathCorridor, PathScratch, QueryError, QueryFilter, closest_nav_point};

/// Agents of one class on one mesh.
///
/// The mesh is passed to every step; it may be edited between steps, and tiles may come and go. An agent never leaves
/// it: steps slide along walls, and change the floor over seams only. A clone goes on exactly as the original.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(super) settings: CrowdSettings,
    filters: Vec<QueryFilter>,
    roster: Roster,
    scratch: PathScratch,
    planner: Planner,
    bodies: Vec<Body>,
    grid: NeighborGrid,
    owed_secs: f64,
    steps: u64,
    edition: u64,
    /// While one is made: what went in since.
    pub(super) inputs: Option<Vec<CrowdInput>>,
    /// And the state it began with.
    pub(super) recorded_from: Option<Box<Self>>,
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
            roster: Roster::default(),
            scratch: PathScratch::without_words(),
            planner: Planner::default(),
            bodies: Vec::new(),
            grid: NeighborGrid::default(),
            owed_secs: 0.0,
            steps: 0,
            edition: 0,
            inputs: None,
            recorded_from: None,
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
        for id in self.roster.ids().collect::<Vec<_>>() {
            if self.agent(id).is_some_and(|agent| agent.params.filter == filter) {
                self.planner.ask(&mut self.roster, id);
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
        Ok(self.roster.add(agent))
    }

    /// Takes an agent out.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn remove_agent(&mut self, id: AgentId) -> Result<(), CrowdError> {
        if !self.roster.remove(id) {
            return Err(CrowdError::NoAgent(id));
        }
        self.note(|| CrowdInput::Remove(id));
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
        self.planner.ask(&mut self.roster, id);
        Ok(())
    }

    /// Changes what an agent is like. If it is to walk by another filter, it looks for a new path.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`], [`CrowdError::Params`], [`CrowdError::NoFilter`].
    pub fn set_params(&mut self, id: AgentId, params: AgentParams) -> Result<(), CrowdError> {
        params.check(self.filters.len())?;
        let agent = self.agent_mut(id)?;
        let other_filter = agent.params.filter != params.filter;
        agent.params = params;
        self.note(|| CrowdInput::Params { id, params });
        if other_filter {
            self.planner.ask(&mut self.roster, id);
        }
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
        self.roster.get(id)
    }

    /// All agents, in the order of their places.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, &Agent)> {
        self.roster.iter()
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
            self.planner.follow(&mut self.roster, &self.filters, &self.scratch.floor(mesh));
        }
        let nodes = self.settings.nodes_per_step;
        self.planner.go_on(mesh, nodes, &mut self.roster, &self.filters, &mut self.scratch);
    }

    /// Adds each agent's body, places without one included; returns how far the farthest-looking one looks.
    pub(super) fn add_bodies(&self, bodies: &mut Vec<Body>) -> f64 {
        let mut range = 0.0_f64;
        for place in self.roster.places() {
            let Some(agent) = place else {
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
        let move_one = |(place, agent): (usize, &mut Option<Agent>)| {
            if let Some(agent) = agent {
                rules.step(agent, first + place);
            }
        };
        if settings.parallel {
            use rayon::iter::{IndexedParallelIterator, ParallelIterator};
            self.roster.par_places_mut().enumerate().for_each(move_one);
        } else {
            self.roster.places_mut().enumerate().for_each(move_one);
        }
        self.planner.ask_for_all_who_want(&mut self.roster);
    }

    /// How many places for agents there are, those without one included.
    pub(super) fn place_count(&self) -> usize {
        self.roster.places().len()
    }

    fn agent_mut(&mut self, id: AgentId) -> Result<&mut Agent, CrowdError> {
        self.roster.get_mut(id).ok_or(CrowdError::NoAgent(id))
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

    fn note(&mut self, input: impl FnOnce() -> CrowdInput) {
        if let Some(inputs) = &mut self.inputs {
            inputs.push(input());
        }
    }

    /// Bytes held, for budgets and for seeing that a warm crowd no longer grows.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.scratch.memory_bytes()
            + self.roster.memory_bytes()
            + self.planner.memory_bytes()
            + self.bodies.capacity() * size_of::<Body>()
            + self.grid.memory_bytes()
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
