//! One agent: what it wants, how it fares.

use super::settings::AgentParams;
use crate::query::{LinkAhead, PathCorridor};

/// What an agent wants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AgentTarget {
    /// Nothing: it stands, and makes room when pushed.
    #[default]
    Nothing,
    /// To get to a place, world x, z, on a level or on any.
    Place {
        /// World x, z.
        position: [f64; 2],
        /// The level; `None` for the nearest one there.
        level: Option<i8>,
    },
    /// To keep a velocity, world x, z a second.
    Velocity([f64; 2]),
}

/// How an agent fares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AgentState {
    /// It wants nothing.
    Idle,
    /// It has asked for a path and stands.
    Waiting,
    /// It is on its way, or keeps a velocity.
    Walking,
    /// It is where it wanted to be, or as near as others there let it.
    Arrived,
    /// It stands at the reachable place nearest to its target.
    ArrivedShort,
    /// There is no mesh where it wants to go.
    NoPath,
    /// It is on an off-mesh link.
    OnLink {
        /// The link's `user_id`.
        user_id: u32,
        /// 0 where the link is taken, 1 where it comes down.
        progress: f64,
    },
    /// The floor it stood on is gone.
    OffMesh,
}

/// An agent of a crowd.
#[derive(Clone, Debug)]
pub struct Agent {
    pub(super) params: AgentParams,
    pub(super) target: AgentTarget,
    pub(super) state: AgentState,
    pub(super) corridor: PathCorridor,
    pub(super) position: [f64; 3],
    pub(super) velocity: [f64; 2],
    /// What it would do if nobody were in its way.
    pub(super) preferred: [f64; 2],
    pub(super) link: Option<LinkAhead>,
    /// Whether its path leads short of its target.
    pub(super) short: bool,
    /// Whether it found out in a step that it needs a path, and whether it waits in line for one.
    pub(super) asks: bool,
    pub(super) in_line: bool,
    pub(super) patience: Patience,
}

/// Whether an agent gets on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patience {
    /// Steps since the last look, and what was left of the way then.
    pub(super) steps: u32,
    pub(super) remaining: f64,
    /// Looks in a row without progress.
    pub(super) stalls: u32,
    /// Steps for which it still backs off.
    pub(super) backing: u32,
    /// Steps with the next corner out of sight.
    pub(super) blind: u32,
}

impl Agent {
    pub(super) fn new(params: AgentParams, corridor: PathCorridor) -> Self {
        Self {
            params,
            target: AgentTarget::Nothing,
            state: AgentState::Idle,
            position: corridor.place().position,
            corridor,
            velocity: [0.0; 2],
            preferred: [0.0; 2],
            link: None,
            short: false,
            asks: false,
            in_line: false,
            patience: Patience::default(),
        }
    }

    /// What it is like.
    #[must_use]
    pub fn params(&self) -> &AgentParams {
        &self.params
    }

    /// World x, y, z.
    #[must_use]
    pub fn position(&self) -> [f64; 3] {
        self.position
    }

    /// World x, z a second.
    #[must_use]
    pub fn velocity(&self) -> [f64; 2] {
        self.velocity
    }

    /// What it wants.
    #[must_use]
    pub fn target(&self) -> AgentTarget {
        self.target
    }

    /// How it fares.
    #[must_use]
    pub fn state(&self) -> AgentState {
        self.state
    }

    /// Whether its path ends at the reachable place nearest to its target, short of it.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.short
    }

    /// Its place on the mesh and the path ahead. On a link: where the link is taken.
    #[must_use]
    pub fn corridor(&self) -> &PathCorridor {
        &self.corridor
    }

    pub(super) fn walks(&self) -> bool {
        self.state == AgentState::Walking
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.corridor.path().memory_bytes()
    }
}
