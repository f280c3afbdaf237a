//! What a map is drawn of: areas on levels, links between them; and places.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::bake::{AreaKind, FlatArea, Surface};

/// An area's order key lies in ± this.
pub const MAX_ORDER: i64 = 1_000_000_000_000;

/// The step between order keys: room to move areas between two others without touching these.
pub(super) const ORDER_STEP: i64 = 10;

/// A random, stable id, so that two people's additions merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AreaId(pub u64);

/// A random, stable id of an authored link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkId(pub u64);

/// A random id for a new area or link: 64 bits, so that two people never draw the same one.
#[must_use]
pub fn new_id() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's hash keys are random; a fresh pair each time makes a fresh number.
    std::hash::RandomState::new().build_hasher().finish()
}

/// A drawn polygon.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "as in `bake::FlatArea`")]
pub struct Area {
    pub id: AreaId,
    /// Its place among the areas: they are sorted by (order, id). Commands that add or move areas set it, so any
    /// value will do in a new one.
    pub order: i64,
    pub name: String,
    pub kind: AreaKind,
    pub level: i8,
    /// Points (x, z), closed.
    pub points: Vec<[f64; 2]>,
    pub area_type: Option<u8>,
    pub flags: Option<u8>,
    pub surface: Surface,
}

/// A floor.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Level {
    pub number: i8,
    pub name: String,
    pub elevation: f64,
}

impl Level {
    /// The level as it is before anybody names it: elevation 3 × its number.
    #[must_use]
    pub fn new(number: i8) -> Self {
        let name = if number == 0 { "ground".to_owned() } else { format!("level {number}") };
        Self { number, name, elevation: 3.0 * f64::from(number) }
    }
}

/// An authored link: ends lie on levels, so that their heights follow the levels' elevations, but for an end that has a
/// height of its own: that is kept when levels are raised, and the level then says only where the end is shown.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "as in `format::AuthoredLink`")]
pub struct Link {
    pub id: LinkId,
    pub name: String,
    /// World (x, z).
    pub start: [f64; 2],
    pub start_level: i8,
    /// World y; `None` is the level's elevation.
    pub start_y: Option<f64>,
    pub end: [f64; 2],
    pub end_level: i8,
    /// As `start_y`.
    pub end_y: Option<f64>,
    pub radius: f64,
    pub bidirectional: bool,
    pub area: u8,
    pub flags: u16,
    pub user_id: u32,
}

/// A place on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// World (x, z).
    pub at: [f64; 2],
    /// Its level.
    pub level: i8,
    /// World y of the floor that is meant, where that is not for the level to say.
    pub y: Option<f64>,
}

/// An area as the flat bake reads it.
#[must_use]
pub fn flat_area(area: &Area) -> FlatArea {
    FlatArea {
        id: area.id.0,
        name: area.name.clone(),
        kind: area.kind,
        level: area.level,
        outline: area.points.clone(),
        area_type: area.area_type,
        flags: area.flags,
        surface: area.surface.clone(),
    }
}

/// Gives areas that stand in their order keys of that order, keeping what is sorted already.
pub(super) fn renumbered(areas: Vec<Arc<Area>>) -> Vec<Arc<Area>> {
    if areas.is_sorted_by(|a, b| (a.order, a.id) < (b.order, b.id))
        && areas.iter().all(|area| area.order.abs() <= MAX_ORDER)
    {
        return areas;
    }
    let orders = (1..).map(|place: i64| place * ORDER_STEP);
    areas.into_iter().zip(orders).map(|(area, order)| with_order(area, order)).collect()
}

pub(super) fn with_order(area: Arc<Area>, order: i64) -> Arc<Area> {
    if area.order == order { area } else { Arc::new(Area { order, ..(*area).clone() }) }
}

/// The levels with an entry for each of `numbers`; the same pointer when none is missing.
pub(super) fn with_levels(levels: &Arc<Vec<Arc<Level>>>, numbers: &BTreeSet<i8>) -> Arc<Vec<Arc<Level>>> {
    let missing =
        |number: &&i8| levels.binary_search_by_key(*number, |level: &Arc<Level>| level.number).is_err();
    let new: Vec<_> = numbers.iter().filter(missing).map(|&number| Arc::new(Level::new(number))).collect();
    if new.is_empty() {
        return Arc::clone(levels);
    }
    let mut all = [levels.as_slice(), &new].concat();
    all.sort_by_key(|level| level.number);
    Arc::new(all)
}
