//! What is known of a tested path that is not there.

use super::tools::Marker;
use crate::project::fix::Fix;
use crate::query::Barrier;

/// What is known of a path that is not there.
#[derive(Clone, Debug, Default)]
pub struct Why {
    /// What stands between the two, nearest first.
    pub barriers: Vec<Barrier>,
    /// The one that is shown.
    pub shown: usize,
    /// Floors under markers that are on none.
    pub elsewhere: Vec<Elsewhere>,
    pub(super) fixes: Option<(usize, Vec<Fix>)>,
    pub(super) key: Option<(Marker, Marker, u64)>,
}

/// A floor where a marker stands, which the marker does not mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Elsewhere {
    /// Whether it is the start.
    pub start: bool,
    /// Where the marker would stand.
    pub marker: Marker,
    /// "Put the start on level 0".
    pub name: String,
}

impl Why {
    /// The barrier that is shown.
    #[must_use]
    pub fn barrier(&self) -> Option<&Barrier> {
        self.barriers.get(self.shown)
    }
}
