//! What a game tells a crowd.

use super::agent::AgentTarget;
use super::settings::{AgentId, AgentParams};
use crate::query::QueryFilter;

/// Something that a game told a crowd.
#[derive(Clone, Debug, PartialEq)]
pub enum CrowdInput {
    /// [`Crowd::add_filter`](super::Crowd::add_filter) (a number that is too large) or [`Crowd::set_filter`](super::Crowd::set_filter).
    Filter {
        /// Which one.
        filter: usize,
        /// What it is from then on.
        value: Box<QueryFilter>,
    },
    /// [`Crowd::add_agent`](super::Crowd::add_agent), where there was floor.
    Add {
        /// What the agent is like.
        params: AgentParams,
        /// World x, z.
        position: [f64; 2],
        /// The level asked for.
        level: Option<i8>,
    },
    /// [`Crowd::set_params`](super::Crowd::set_params).
    Params {
        /// Whose.
        id: AgentId,
        /// What it is like from then on.
        params: AgentParams,
    },
    /// [`Crowd::remove_agent`](super::Crowd::remove_agent).
    Remove(AgentId),
    /// [`Crowd::set_target`](super::Crowd::set_target).
    Target {
        /// Whose.
        id: AgentId,
        /// What it wants from then on.
        target: AgentTarget,
    },
    /// [`Crowd::set_velocity`](super::Crowd::set_velocity).
    Velocity {
        /// Whose.
        id: AgentId,
        /// World x, z a second.
        velocity: [f64; 2],
    },
    /// [`Crowd::step`](super::Crowd::step).
    Step,
}
