//! What went into a crowd, to be played again: for finding a fault, and for seeing that two machines agree.

use super::crowd::Crowd;
use super::input::CrowdInput;
use super::settings::CrowdError;
use crate::format::TiledNavMesh;

/// A crowd's state at some time, and what went in since.
#[derive(Clone, Debug)]
pub struct CrowdRecord {
    start: Box<Crowd>,
    inputs: Vec<CrowdInput>,
}

impl Crowd {
    /// Notes what goes in from here on, from this state.
    pub fn start_record(&mut self) {
        (self.inputs, self.recorded_from) = (None, None);
        self.recorded_from = Some(Box::new(self.clone()));
        self.inputs = Some(Vec::new());
    }

    /// What went in since [`Crowd::start_record`].
    pub fn take_record(&mut self) -> Option<CrowdRecord> {
        Some(CrowdRecord { start: self.recorded_from.take()?, inputs: self.inputs.take()? })
    }
}

impl CrowdRecord {
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
                CrowdInput::Params { id, params } => crowd.set_params(*id, *params)?,
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
