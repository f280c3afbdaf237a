//! Crowds of several classes side by side: each on its own mesh, all avoiding one another.

use super::crowd::Crowd;
use super::neighbors::{Body, NeighborGrid};
use super::settings::{CrowdError, CrowdSettings};
use crate::format::NavWorld;

/// A crowd per agent class of a world. Agents of all classes avoid one another.
#[derive(Clone, Debug)]
pub struct WorldCrowd {
    crowds: Vec<Crowd>,
    bodies: Vec<Body>,
    grid: NeighborGrid,
}

impl WorldCrowd {
    /// An empty crowd for each class.
    ///
    /// # Errors
    /// As [`Crowd::new`].
    pub fn new(class_count: usize, settings: CrowdSettings) -> Result<Self, CrowdError> {
        let crowds = (0..class_count).map(|_| Crowd::new(settings)).collect::<Result<_, _>>()?;
        Ok(Self { crowds, bodies: Vec::new(), grid: NeighborGrid::default() })
    }

    /// The crowd of a class.
    #[must_use]
    pub fn crowd(&self, class: usize) -> Option<&Crowd> {
        self.crowds.get(class)
    }

    /// The crowd of a class, to add agents and to tell them what to do. Its own steps know nothing of the others.
    pub fn crowd_mut(&mut self, class: usize) -> Option<&mut Crowd> {
        self.crowds.get_mut(class)
    }

    /// As [`Crowd::advance`], for all classes. Classes that the world lacks stand still.
    pub fn advance(&mut self, world: &NavWorld, elapsed_secs: f64) -> u32 {
        let mut crowds = self.crowds.iter_mut();
        let steps = crowds.next().map_or(0, |first| first.steps_for(elapsed_secs));
        for _ in 0..steps {
            self.step(world);
        }
        steps
    }

    /// One step of all classes. Classes that the world lacks stand still.
    pub fn step(&mut self, world: &NavWorld) {
        for (crowd, class) in self.crowds.iter_mut().zip(world.classes()) {
            crowd.prepare(&class.mesh);
        }
        self.bodies.clear();
        let mut range = 0.0_f64;
        for crowd in &self.crowds {
            range = range.max(crowd.add_bodies(&mut self.bodies));
        }
        self.grid.build(&self.bodies, range);
        let mut first = 0;
        for (crowd, class) in self.crowds.iter_mut().zip(world.classes()) {
            let count = crowd.place_count();
            crowd.walk(&class.mesh, &self.bodies, first, &self.grid);
            first += count;
        }
    }
}
