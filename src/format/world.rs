//! A mesh per agent class, all from the same input.

use super::{FormatError, NavMesh};

/// One mesh for each agent class, in the caller's order; at least one. Reading lives in the stitch room.
#[derive(Clone, Debug)]
pub struct NavWorld {
    classes: Vec<NavMesh>,
}

impl NavWorld {
    /// A world of these classes; each is what a build of its settings alone would be.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] for no class.
    pub fn new(classes: Vec<NavMesh>) -> Result<Self, FormatError> {
        if classes.is_empty() {
            return Err(FormatError::out_of_range("class count", "0", "a world has at least one class"));
        }
        Ok(Self { classes })
    }

    /// The classes, in order.
    #[must_use]
    pub fn classes(&self) -> &[NavMesh] {
        &self.classes
    }

    /// The classes, to edit their tiles.
    pub fn classes_mut(&mut self) -> &mut [NavMesh] {
        &mut self.classes
    }

    /// The classes, taken apart.
    #[must_use]
    pub fn into_classes(self) -> Vec<NavMesh> {
        self.classes
    }

    /// Index of the class for an agent: the one with the smallest radius that is at least the agent's, or the
    /// largest one if none is large enough; the lowest index among equals.
    #[must_use]
    pub fn class_for(&self, radius: f64) -> usize {
        let radius_of = |index: usize| f64::from(self.classes[index].settings.agent_radius);
        let indices = || 0..self.classes.len();
        let fitting = indices().filter(|&index| radius_of(index) >= radius);
        // `min_by` keeps the first of equals, `max_by` the last, so the second one looks from the end.
        fitting
            .min_by(|&a, &b| radius_of(a).total_cmp(&radius_of(b)))
            .or_else(|| indices().rev().max_by(|&a, &b| radius_of(a).total_cmp(&radius_of(b))))
            .unwrap_or(0)
    }

    /// The mesh of [`NavWorld::class_for`].
    #[must_use]
    pub fn mesh_for(&self, radius: f64) -> &NavMesh {
        &self.classes[self.class_for(radius)]
    }
}
