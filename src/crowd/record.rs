//! What went into a crowd, to be played again: for finding a fault, and for seeing that two machines agree.

use super::agent::{AgentId, AgentParams, AgentTarget};
use super::crowd::{Crowd, CrowdError};
use crate::format::TiledNavMesh;
use crate::query::QueryFilter;

/// Something that a game told a crowd.
#[derive(Clone, Debug, PartialEq)]
pub enum CrowdInput {
    /// [`Crowd::add_filter`] (a number that is too large) or [`Crowd::set_filter`].
    Filter {
        /// Which one.
        filter: usize,
        /// What it is from then on.
        value: Box<QueryFilter>,
    },
    /// [`Crowd::add_agent`], where there was floor.
    Add {
        /// What the agent is like.
        params: AgentParams,
        /// World x, z.
        position: [f64; 2],
        /// The level asked for.
        level: Option<i8>,
    },
    /// [`Crowd::remove_agent`].
    Remove(AgentId),
    /// [`Crowd::set_target`].
    Target {
        /// Whose.
        id: AgentId,
        /// What it wants from then on.
        target: AgentTarget,
    },
    /// [`Crowd::set_velocity`].
    Velocity {
        /// Whose.
        id: AgentId,
        /// World x, z a second.
        velocity: [f64; 2],
    },
    /// [`Crowd::step`].
    Step,
}

/// A crowd's state at some time, and what went in since.
#[derive(Clone, Debug)]
pub struct CrowdRecord {
    start: Box<Crowd>,
    inputs: Vec<CrowdInput>,
}

impl CrowdRecord {
    pub(super) fn new(start: Crowd) -> Self {
        Self { start: Box::new(start), inputs: Vec::new() }
    }

    pub(super) fn push(&mut self, input: CrowdInput) {
        self.inputs.push(input);
    }

    /// What went in, in order.
    #[must_use]
    pub fn inputs(&self) -> &[CrowdInput] {
        &self.inputs
    }

    /// Plays everything again. `mesh_at` gives the mesh before each step, by the number of steps made since the record
    /// began; it must go through the edits that the game made, at the same steps.
    ///
    /// # Errors
    /// What the crowd says of an input, which it took the first time, so the mesh is another one.
    pub fn replay<'a>(&self, mut mesh_at: impl FnMut(u64) -> &'a TiledNavMesh) -> Result<Crowd, CrowdError> {
        let mut crowd = (*self.start).clone();
        let mut steps = 0;
        for input in &self.inputs {
            match input {
                CrowdInput::Filter { filter, value } if *filter == usize::MAX => {
                    crowd.add_filter((**value).clone());
                }
                CrowdInput::Filter { filter, value } => crowd.set_filter(*filter, (**value).clone())?,
                CrowdInput::Add { params, position, level } => {
                    crowd.add_agent(mesh_at(steps), *params, *position, *level)?;
                }
                CrowdInput::Remove(id) => crowd.remove_agent(*id)?,
                CrowdInput::Target { id, target } => crowd.set_target(*id, *target)?,
                CrowdInput::Velocity { id, velocity } => crowd.set_velocity(*id, *velocity)?,
                CrowdInput::Step => {
                    crowd.step(mesh_at(steps));
                    steps += 1;
                }
            }
        }
        Ok(crowd)
    }
}
