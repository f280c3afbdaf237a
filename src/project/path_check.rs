//! Pinned checks: paths that must exist, or must not, after every bake.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::check::{self, MAX_ELEMENTS};
use super::{AgentClass, ClassId, CommandError};

/// A random, stable id of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CheckId(pub u64);

/// What a check wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A complete path.
    Path,
    /// No complete path.
    NoPath,
}

/// A question that every bake must answer as the designer did.
#[derive(Clone, Debug, PartialEq)]
pub struct PathCheck {
    /// Its id.
    pub id: CheckId,
    /// What people call it.
    pub name: String,
    /// The only agent class it is asked of; all of them where there is none.
    pub class: Option<ClassId>,
    /// World (x, z) and level of the start, and its height where that is not for the level to say.
    pub start: [f64; 2],
    #[allow(missing_docs, reason = "said above")]
    pub start_level: i8,
    #[allow(missing_docs, reason = "said above")]
    pub start_y: Option<f64>,
    /// World (x, z) and level of the end, and its height.
    pub end: [f64; 2],
    #[allow(missing_docs, reason = "said above")]
    pub end_level: i8,
    #[allow(missing_docs, reason = "said above")]
    pub end_y: Option<f64>,
    /// What it wants.
    pub wanted: Wanted,
    /// The longest that the path may be, in squares; asked only where a path is wanted.
    pub longest: Option<f64>,
}

impl PathCheck {
    /// Whether it is asked of a class's mesh.
    #[must_use]
    pub fn is_asked_of(&self, class: &AgentClass) -> bool {
        self.class.is_none_or(|id| id == class.id)
    }
}

pub(super) type Checks = Arc<Vec<Arc<PathCheck>>>;

pub(super) fn check_check(check: &PathCheck) -> Result<(), CommandError> {
    check::name(|| format!("the name of check {:016x}", check.id.0), &check.name)?;
    for (end, spot) in [("start", check.start_spot()), ("end", check.end_spot())] {
        check::spot(|axis| format!("{axis} of the {end} of check \"{}\"", check.name), &spot)?;
    }
    match check.longest {
        Some(value) if !(value > 0.0 && value.is_finite()) => {
            let what = format!("the longest length of check \"{}\"", check.name);
            Err(check::out_of_range(what, value, "must be above 0"))
        }
        _ => Ok(()),
    }
}

fn clean(check: &PathCheck) -> PathCheck {
    check.clone().between(check::clean_spot(check.start_spot()), check::clean_spot(check.end_spot()))
}

pub(super) fn set(
    before: &Checks,
    classes: &[Arc<AgentClass>],
    check: &PathCheck,
) -> Result<Checks, CommandError> {
    check_check(check)?;
    if let Some(class) = check.class.filter(|&id| classes.iter().all(|class| class.id != id)) {
        return Err(CommandError::NoSuchClass(class.0));
    }
    let check = clean(check);
    let mut checks = (**before).clone();
    match checks.binary_search_by_key(&check.id, |entry| entry.id) {
        Ok(place) if *checks[place] == check => return Ok(Arc::clone(before)),
        Ok(place) => checks[place] = Arc::new(check),
        Err(_) if checks.len() >= MAX_ELEMENTS => {
            let bound = format!("must be at most {MAX_ELEMENTS}");
            return Err(check::out_of_range("the number of checks", checks.len() + 1, bound));
        }
        Err(place) => checks.insert(place, Arc::new(check)),
    }
    Ok(Arc::new(checks))
}

pub(super) fn remove(before: &Checks, ids: &[CheckId]) -> Result<Checks, CommandError> {
    if ids.is_empty() {
        return Ok(Arc::clone(before));
    }
    let all: BTreeSet<_> = before.iter().map(|check| check.id).collect();
    if let Some(id) = ids.iter().find(|id| !all.contains(id)) {
        return Err(CommandError::NoSuchCheck(id.0));
    }
    Ok(Arc::new(before.iter().filter(|check| !ids.contains(&check.id)).cloned().collect()))
}

/// The checks without those that are asked of a class alone.
pub(super) fn without_class(checks: &Checks, class: ClassId) -> Checks {
    if checks.iter().all(|check| check.class != Some(class)) {
        return Arc::clone(checks);
    }
    Arc::new(checks.iter().filter(|check| check.class != Some(class)).cloned().collect())
}
