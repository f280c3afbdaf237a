//! What agents are like, how a crowd runs, and what it cannot do.

use crate::query::QueryError;

/// Names an agent of a crowd; stale once the agent was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// What an agent is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentParams {
    /// How far it keeps other agents away; above 0. Walls are kept away by the mesh, which is built for a radius.
    pub radius: f64,
    /// Agents whose heights do not overlap do not avoid each other; above 0.
    pub height: f64,
    /// World units a second.
    pub max_speed: f64,
    /// World units a second, a second.
    pub max_acceleration: f64,
    /// Space that it likes to keep to others beyond both radii; 0 for none.
    pub separation: f64,
    /// Of two agents of different priority the lesser one gives way alone; of equal ones both do.
    pub priority: u8,
    /// Which of the crowd's filters it walks by.
    pub filter: usize,
}

impl Default for AgentParams {
    /// Somebody on foot.
    fn default() -> Self {
        Self {
            radius: 0.5,
            height: 2.0,
            max_speed: 3.5,
            max_acceleration: 10.0,
            separation: 0.0,
            priority: 128,
            filter: 0,
        }
    }
}

impl AgentParams {
    /// Largest radius, height and separation, and largest speed and acceleration.
    const MOST: f64 = 1e4;

    pub(super) fn check(&self, filters: usize) -> Result<(), CrowdError> {
        let sizes = [("agent radius", self.radius), ("agent height", self.height)];
        let rates = [
            ("agent max_speed", self.max_speed),
            ("agent max_acceleration", self.max_acceleration),
            ("agent separation", self.separation),
        ];
        let bad = |(_, value): &(&str, f64), least: f64| !(least <= *value && *value <= Self::MOST);
        let found = sizes.into_iter().find(|size| bad(size, 1e-3));
        if let Some((name, value)) = found.or_else(|| rates.into_iter().find(|rate| bad(rate, 0.0))) {
            return Err(CrowdError::Params { name, value, most: Self::MOST });
        }
        if self.filter >= filters {
            return Err(CrowdError::NoFilter { filter: self.filter, count: filters });
        }
        Ok(())
    }
}

/// How a crowd runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdSettings {
    /// Seconds of a step.
    pub step_secs: f64,
    /// Steps that one [`Crowd::advance`](super::Crowd::advance) makes at most; time beyond that is dropped, so that a
    /// long pause does not scatter the crowd nor stop the game.
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
