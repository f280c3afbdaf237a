//! Agent classes: who walks the map. Each gets a mesh of its own from the same drawing.

use std::sync::Arc;

use super::CommandError;
use super::check;
use super::element::{MAX_ORDER, ORDER_STEP};
use crate::format::NavSettings;

/// Most agent classes of a document.
pub const MAX_CLASSES: usize = 64;

/// A random, stable id of an agent class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u64);

/// A kind of agent. Everything else that a mesh is built with is shared by all classes.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentClass {
    /// Its id.
    pub id: ClassId,
    /// Its place among the classes: they are sorted by (order, id). Commands that add or move classes set it.
    pub order: i64,
    /// What people and `--class` call it: not empty, not a number, and no other class's name.
    pub name: String,
    /// How far its middle keeps from walls (`agent_radius`).
    pub radius: f32,
    /// The head room it needs (`agent_height`).
    pub height: f32,
    /// The highest step it takes (`walkable_climb`).
    pub climb: f32,
    /// The steepest floor it walks, in degrees (`agent_max_slope`).
    pub max_slope: f32,
}

impl Default for AgentClass {
    /// The class of a new document. Its id is the same in all of them, so that equal maps give equal files.
    fn default() -> Self {
        Self { name: "agent".to_owned(), ..Self::of(&NavSettings::default()) }
    }
}

impl AgentClass {
    /// The class that settings are made for, without a name.
    pub(super) fn of(settings: &NavSettings) -> Self {
        Self {
            id: ClassId(1),
            order: ORDER_STEP,
            name: String::new(),
            radius: settings.agent_radius,
            height: settings.agent_height,
            climb: settings.walkable_climb,
            max_slope: settings.agent_max_slope,
        }
    }

    /// The class with the agent that settings are made for.
    #[must_use]
    pub fn with(self, settings: &NavSettings) -> Self {
        Self { id: self.id, order: self.order, name: self.name, ..Self::of(settings) }
    }

    /// The settings with this class as their agent.
    #[must_use]
    pub fn settings(&self, shared: &NavSettings) -> NavSettings {
        NavSettings {
            agent_radius: self.radius,
            agent_height: self.height,
            walkable_climb: self.climb,
            agent_max_slope: self.max_slope,
            ..shared.clone()
        }
    }
}

/// What all classes share of some settings: no links, and an agent that says nothing.
#[must_use]
pub fn shared_settings(settings: &NavSettings) -> NavSettings {
    let shared = NavSettings { links: Vec::new(), ..settings.clone() };
    AgentClass::of(&NavSettings::default()).settings(&shared)
}

/// Checks what all classes share.
pub(super) fn check_shared(settings: &NavSettings) -> Result<(), CommandError> {
    if !settings.links.is_empty() {
        let bound = "links are kept beside a project's settings, not in them";
        return Err(check::out_of_range("the number of links in the settings", settings.links.len(), bound));
    }
    let nothing = agent_fields(&NavSettings::default());
    for ((field, value), (_, default)) in agent_fields(settings).into_iter().zip(nothing) {
        if value != default {
            let bound = format!("is kept in the agent classes; beside them it stays {default}");
            return Err(check::out_of_range(format!("{field} in the settings"), value, bound));
        }
    }
    Ok(settings.validate()?)
}

/// The settings without a −0.0.
pub(super) fn clean_shared(settings: &NavSettings) -> NavSettings {
    NavSettings {
        origin: settings.origin.map(check::positive_zero),
        cell_height: check::positive_zero(settings.cell_height),
        contour_max_error: settings.contour_max_error + 0.0,
        max_edge_length: check::positive_zero(settings.max_edge_length),
        detail_sample_distance: check::positive_zero(settings.detail_sample_distance),
        detail_max_error: check::positive_zero(settings.detail_max_error),
        height: check::positive_zero(settings.height),
        ..shared_settings(settings)
    }
}

pub(super) type Classes = Arc<Vec<Arc<AgentClass>>>;

/// Checks a class by itself; `settings` words and bounds are those of the format.
pub(super) fn check_class(class: &AgentClass) -> Result<(), CommandError> {
    let what = || format!("the name of agent class {:016x}", class.id.0);
    check::name(what, &class.name)?;
    let shown = || format!("\"{}\"", class.name.escape_debug());
    if class.name.trim().is_empty() || class.name.trim() != class.name {
        return Err(check::out_of_range(what(), shown(), "must not be empty, nor begin or end with a space"));
    }
    if class.name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(check::out_of_range(what(), shown(), "must not be a number: classes are counted too"));
    }
    let settings = class.settings(&NavSettings::default());
    settings.validate().map_err(|error| error.under(&format!("agent class \"{}\"", class.name)).into())
}

fn clean(class: &AgentClass) -> AgentClass {
    AgentClass {
        radius: class.radius + 0.0,
        height: class.height + 0.0,
        climb: class.climb + 0.0,
        max_slope: class.max_slope + 0.0,
        ..class.clone()
    }
}

fn check_name_is_free(classes: &[Arc<AgentClass>], class: &AgentClass) -> Result<(), CommandError> {
    match classes.iter().find(|other| other.id != class.id && other.name == class.name) {
        Some(other) => Err(CommandError::ClassNameTaken(other.name.clone())),
        None => Ok(()),
    }
}

fn place_of(classes: &Classes, id: ClassId) -> Result<usize, CommandError> {
    let place = classes.iter().position(|class| class.id == id);
    place.ok_or(CommandError::NoSuchClass(id.0))
}

pub(super) fn add(classes: &Classes, class: &AgentClass) -> Result<Classes, CommandError> {
    check_class(class)?;
    if classes.len() >= MAX_CLASSES {
        let bound = format!("must be at most {MAX_CLASSES}");
        return Err(check::out_of_range("the number of agent classes", classes.len() + 1, bound));
    }
    if classes.iter().any(|other| other.id == class.id) {
        return Err(CommandError::ClassExists(class.id.0));
    }
    check_name_is_free(classes, class)?;
    let mut classes = (**classes).clone();
    let order = classes.last().map_or(0, |last| last.order).saturating_add(ORDER_STEP);
    classes.push(Arc::new(AgentClass { order, ..clean(class) }));
    Ok(Arc::new(renumbered(classes)))
}

pub(super) fn set(classes: &Classes, class: &AgentClass) -> Result<Classes, CommandError> {
    check_class(class)?;
    let place = place_of(classes, class.id)?;
    check_name_is_free(classes, class)?;
    let class = AgentClass { order: classes[place].order, ..clean(class) };
    if *classes[place] == class {
        return Ok(Arc::clone(classes));
    }
    let mut classes = (**classes).clone();
    classes[place] = Arc::new(class);
    Ok(Arc::new(classes))
}

pub(super) fn remove(classes: &Classes, id: ClassId) -> Result<Classes, CommandError> {
    let place = place_of(classes, id)?;
    if classes.len() == 1 {
        return Err(CommandError::LastClass);
    }
    let mut classes = (**classes).clone();
    classes.remove(place);
    Ok(Arc::new(classes))
}

/// Moves a class to just before another, or to the end; all get new order keys, of which there are few.
pub(super) fn move_before(
    classes: &Classes,
    id: ClassId,
    before: Option<ClassId>,
) -> Result<Classes, CommandError> {
    let from = place_of(classes, id)?;
    let to = before.map_or(Ok(classes.len()), |other| place_of(classes, other))?;
    if to == from || to == from + 1 {
        return Ok(Arc::clone(classes));
    }
    let mut classes = (**classes).clone();
    let class = classes.remove(from);
    classes.insert(if to > from { to - 1 } else { to }, class);
    Ok(Arc::new(renumbered(classes)))
}

/// Gives classes that stand in their order keys of that order, keeping what is sorted already.
pub(super) fn renumbered(classes: Vec<Arc<AgentClass>>) -> Vec<Arc<AgentClass>> {
    let key = |class: &AgentClass| (class.order, class.id);
    if classes.is_sorted_by(|a, b| key(a) < key(b)) && classes.iter().all(|c| c.order.abs() <= MAX_ORDER) {
        return classes;
    }
    let orders = (1..).map(|place: i64| place * ORDER_STEP);
    let with_order = |(class, order): (Arc<AgentClass>, i64)| {
        if class.order == order { class } else { Arc::new(AgentClass { order, ..(*class).clone() }) }
    };
    classes.into_iter().zip(orders).map(with_order).collect()
}

/// The settings' fields that classes hold.
pub(super) fn agent_fields(settings: &NavSettings) -> [(&'static str, f32); 4] {
    [
        ("agent_radius", settings.agent_radius),
        ("agent_height", settings.agent_height),
        ("walkable_climb", settings.walkable_climb),
        ("agent_max_slope", settings.agent_max_slope),
    ]
}
