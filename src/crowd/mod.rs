//! Many walkers at once: each on its own path, none through another, none off the mesh. Fixed time steps, and equal
//! inputs give equal positions to the bit, on any number of threads.
//!
//! Reading order: `settings` ([`AgentParams`], [`CrowdSettings`]), `agent` (what it wants and how it fares), `roster`
//! (agents by id), `plan` (paths: asked for in turn, a few nodes a step), `neighbors` (who is near), `avoidance`
//! (velocities that hit nobody), `step` (one step of one agent), `input` (what a game tells a crowd), `crowd`
//! ([`Crowd`]: agents of one class on one mesh), `world` ([`WorldCrowd`]: several classes that avoid one another),
//! `record` ([`CrowdRecord`]: what went in, to be played again).
//!
//! For those who come from Detour:
//!
//! | Detour | here |
//! |---|---|
//! | `dtCrowd`, `dtCrowdAgentParams` | [`Crowd`], [`AgentParams`] |
//! | `addAgent`, `removeAgent`, `getAgent`, `getActiveAgents` | [`Crowd::add_agent`], [`Crowd::remove_agent`], [`Crowd::agent`], [`Crowd::agents`] |
//! | `updateAgentParameters` | [`Crowd::set_params`] |
//! | `requestMoveTarget`, `requestMoveVelocity`, `resetMoveTarget` | [`Crowd::set_target`] with an [`AgentTarget`] |
//! | `update(dt)` | [`Crowd::advance`], in fixed steps of [`CrowdSettings::step_secs`] |
//! | `getFilter`, `getEditableFilter` | [`Crowd::add_filter`], [`Crowd::set_filter`] |
//! | `setObstacleAvoidanceParams`, `getVelocitySampleCount`, `getQueryHalfExtents` | [`CrowdSettings::avoid_secs`]; there are no samples, and an agent is put at most twice its radius from where one asked |
//! | `dtCrowdAgentAnimation` | [`AgentState::OnLink`] with its progress |
//! | `dtObstacleAvoidanceQuery` | optimal reciprocal collision avoidance, which samples nothing |
//! | `dtPathCorridor`, `dtPathQueue` | [`PathCorridor`](crate::query::PathCorridor), [`PathQueue`](crate::query::PathQueue) |
//! | `dtLocalBoundary`, `dtProximityGrid` | inside |

mod agent;
mod avoidance;
#[allow(clippy::module_inception, reason = "the room's main type has the room's name")]
mod crowd;
mod input;
mod neighbors;
mod plan;
mod record;
mod roster;
mod settings;
mod step;
mod world;

pub use agent::{Agent, AgentState, AgentTarget};
pub use crowd::Crowd;
pub use input::CrowdInput;
pub use record::CrowdRecord;
pub use settings::{AgentId, AgentParams, CrowdError, CrowdSettings};
pub use world::WorldCrowd;
