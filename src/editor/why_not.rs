//! What is known of a tested path that is not there.

use std::time::{Duration, Instant};

use super::explainer::{WhyAnswer, WhyQuestion};
use super::tools::Marker;
use crate::project::fix::Fix;
use crate::query::Barrier;

/// What is looked for for less than this is not said to be, so that quick answers do not flicker.
const PATIENCE: Duration = Duration::from_millis(250);

/// What is known of a path that is not there.
#[derive(Clone, Debug, Default)]
pub struct Why {
    /// What stands between the two, one after another. While it is looked for anew, as it was before.
    pub barriers: Vec<Barrier>,
    /// What stands elsewhere, nearest first.
    pub instead: Vec<Barrier>,
    /// The one that is shown, counted through both.
    pub shown: usize,
    /// Floors under markers that are on none.
    pub elsewhere: Vec<Elsewhere>,
    /// What can be done about the one that is shown, and about all that stand one after another.
    pub(super) fixes: Option<(usize, Vec<Fix>)>,
    pub(super) all_fixes: Option<Vec<Fix>>,
    pub(super) key: Option<(Marker, Marker, u64)>,
    /// The question that waits for its answer, since when.
    pub(super) asked: Option<(u64, Instant)>,
    /// The same, while it is not yet handed over.
    pub(super) unsent: Option<WhyQuestion>,
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
        self.barriers.iter().chain(&self.instead).nth(self.shown)
    }

    /// Whether it is still looked for.
    #[must_use]
    pub fn is_looked_for(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether it is looked for for so long that this is to be said.
    #[must_use]
    pub fn is_visibly_looked_for(&self) -> bool {
        self.asked.is_some_and(|(_, since)| since.elapsed() >= PATIENCE)
    }

    /// When it is to be said that it is looked for.
    pub(super) fn wakes_in(&self) -> Option<Duration> {
        self.asked.map(|(_, since)| PATIENCE.saturating_sub(since.elapsed())).filter(|left| !left.is_zero())
    }

    /// Takes an answer, if it is that of the question that waits.
    pub(super) fn take(&mut self, answer: WhyAnswer) {
        if self.asked.is_none_or(|(number, _)| number != answer.number) {
            return;
        }
        let before = self.barrier().cloned();
        self.asked = None;
        (self.barriers, self.instead) = (answer.barriers, answer.instead);
        (self.fixes, self.all_fixes) = (None, None);
        // What was shown is shown still, if it is still there.
        let all = || self.barriers.iter().chain(&self.instead);
        self.shown = before.and_then(|before| all().position(|known| is_same(known, &before))).unwrap_or(0);
    }
}

/// Whether it stands at the same places; polygons may have other numbers after a bake.
fn is_same(a: &Barrier, b: &Barrier) -> bool {
    a.from.position == b.from.position && a.to.position == b.to.position
}
