//! Many walkers at once: each on its own path, none through another, none off the mesh. Fixed time steps, and equal
//! inputs give equal positions to the bit, on any number of threads.
//!
//! Reading order: `agent` ([`AgentParams`], what it wants and how it fares), `crowd` ([`Crowd`]: agents of one class on
//! one mesh), `plan` (paths: asked for in turn, a few nodes a step), `neighbors` (who is near), `avoidance` (velocities
//! that hit nobody), `step` (one step of one agent), `world` ([`WorldCrowd`]: several classes that avoid one another),
//! `record` ([`CrowdRecord`]: what went in, to be played again).
//!
//! For those who come from Detour:
//!
//! | Detour | here |
//! |---|---|
//! | `dtCrowd`, `dtCrowdAgentParams` | [`Crowd`], [`AgentParams`] |
//! | `addAgent`, `removeAgent`, `getAgent` | [`Crowd::add_agent`], [`Crowd::remove_agent`], [`Crowd::agent`] |
//! | `requestMoveTarget`, `requestMoveVelocity`, `resetMoveTarget` | [`Crowd::set_target`] with an [`AgentTarget`] |
//! | `update(dt)` | [`Crowd::advance`], in fixed steps of [`CrowdSettings::step_secs`] |
//! | `getEditableFilter` | [`Crowd::set_filter`] |
//! | `dtCrowdAgentAnimation` | [`AgentState::OnLink`] with its progress |
//! | `dtObstacleAvoidanceQuery` | optimal reciprocal collision avoidance, which samples nothing |
//! | `dtPathCorridor`, `dtPathQueue` | [`PathCorridor`](crate::query::PathCorridor), [`PathQueue`](crate::query::PathQueue) |
//! | `dtLocalBoundary`, `dtProximityGrid` | inside |

mod agent;
mod avoidance;
#[allow(clippy::module_inception, reason = "the room's main type has the room's name")]
mod crowd;
mod neighbors;
mod plan;
mod record;
mod step;
mod world;

pub use agent::{Agent, AgentId, AgentParams, AgentState, AgentTarget};
pub use crowd::{Crowd, CrowdError, CrowdSettings};
pub use record::{CrowdInput, CrowdRecord};
pub use world::WorldCrowd;
