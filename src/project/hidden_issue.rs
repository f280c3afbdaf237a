//! Issues that are hidden on purpose, as a map keeps them.

use std::sync::Arc;

use super::check::{self, MAX_ELEMENTS};
use super::{AreaId, CommandError, LinkId};
use crate::bake::DiagnosticKind;

/// An issue that somebody has seen and does not want to see again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HiddenIssue {
    /// What kind.
    pub kind: DiagnosticKind,
    /// On which level.
    pub level: i8,
    /// World (x, z), to the thousandth.
    pub place: [f64; 2],
    /// The area it is about, if it is about one.
    pub area: Option<AreaId>,
    /// The link it is about, if it is about one.
    pub link: Option<LinkId>,
}

impl HiddenIssue {
    /// What tells it from others.
    pub(super) fn key(&self) -> (&'static str, i8, [i64; 2], Option<AreaId>, Option<LinkId>) {
        #[allow(clippy::cast_possible_truncation, reason = "within ±2^31 by the coordinates' bound")]
        let place = self.place.map(|value| (value * 1000.0).round() as i64);
        (self.kind.name(), self.level, place, self.area, self.link)
    }
}

pub(super) type Hidden = Arc<Vec<HiddenIssue>>;

pub(super) fn check_hidden(hidden: &HiddenIssue) -> Result<(), CommandError> {
    for (axis, value) in ["x", "z"].into_iter().zip(hidden.place) {
        check::coordinate(|| format!("{axis} of a hidden issue"), value)?;
    }
    Ok(())
}

/// In the order of the file, each once.
pub(super) fn sorted(mut all: Vec<HiddenIssue>) -> Vec<HiddenIssue> {
    all.sort_by_key(HiddenIssue::key);
    all.dedup_by_key(|hidden| hidden.key());
    all
}

pub(super) fn hide(before: &Hidden, new: &[HiddenIssue]) -> Result<Hidden, CommandError> {
    new.iter().try_for_each(check_hidden)?;
    let all = sorted(before.iter().chain(new).copied().collect());
    if all.len() > MAX_ELEMENTS {
        let bound = format!("must be at most {MAX_ELEMENTS}");
        return Err(check::out_of_range("the number of hidden issues", all.len(), bound));
    }
    Ok(if all == **before { Arc::clone(before) } else { Arc::new(all) })
}

pub(super) fn unhide(before: &Hidden, gone: &[HiddenIssue]) -> Hidden {
    let left: Vec<_> = before.iter().filter(|hidden| !gone.contains(hidden)).copied().collect();
    if left.len() == before.len() { Arc::clone(before) } else { Arc::new(left) }
}
