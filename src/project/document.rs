//! A map: levels, areas, authored links and settings. A value: cheap to clone, compared by pointer first.

use std::sync::Arc;

use super::{
    AgentClass, AreaType, ClassId, Geometry, GeometryId, HiddenIssue, PathCheck, Picture, PictureId, Spot,
    VoxelExtras,
};
use crate::bake::{AreaKind, FlatArea, FlatInput, FlatLevel, Surface};
use crate::format::{AuthoredLink, NavSettings};

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

impl Link {
    /// Where it starts.
    #[must_use]
    pub fn start_spot(&self) -> Spot {
        Spot { at: self.start, level: self.start_level, y: self.start_y }
    }

    /// Where it ends.
    #[must_use]
    pub fn end_spot(&self) -> Spot {
        Spot { at: self.end, level: self.end_level, y: self.end_y }
    }

    /// The same with another start.
    #[must_use]
    pub fn starting_at(self, spot: Spot) -> Self {
        Self { start: spot.at, start_level: spot.level, start_y: spot.y, ..self }
    }

    /// The same with another end.
    #[must_use]
    pub fn ending_at(self, spot: Spot) -> Self {
        Self { end: spot.at, end_level: spot.level, end_y: spot.y, ..self }
    }
}

/// The map. Every part sits behind an `Arc`: a copy is cheap, and `Arc::ptr_eq` tells what changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// What all classes are built with: no links (they live in `links`), and an agent that says nothing (they live in
    /// `classes`).
    pub settings: Arc<NavSettings>,
    /// Who walks the map: at least one, sorted by (order, id).
    pub classes: Arc<Vec<Arc<AgentClass>>>,
    /// Sorted by number; holds level 0 and every level that an area or a link stands on.
    pub levels: Arc<Vec<Arc<Level>>>,
    /// Sorted by (order, id): where labels overlap the later wins.
    pub areas: Arc<Vec<Arc<Area>>>,
    /// Sorted by id, so that two people's additions merge into one order (a build's digest covers it).
    pub links: Arc<Vec<Arc<Link>>>,
    /// What the map is drawn over; sorted by id.
    pub pictures: Arc<Vec<Arc<Picture>>>,
    /// What area types mean, sorted by number; those without an entry cost 1.
    pub area_types: Arc<Vec<Arc<AreaType>>>,
    /// Paths that must exist, or must not; sorted by id.
    pub checks: Arc<Vec<Arc<PathCheck>>>,
    /// Issues that are hidden on purpose, in the order of the file.
    pub hidden_issues: Arc<Vec<HiddenIssue>>,
    /// Geometry in other files, sorted by id.
    pub geometry: Arc<Vec<Arc<Geometry>>>,
    /// What only a voxel bake asks for.
    pub voxel: Arc<VoxelExtras>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            settings: Arc::new(NavSettings::default()),
            classes: Arc::new(vec![Arc::new(AgentClass::default())]),
            levels: Arc::new(vec![Arc::new(Level::new(0))]),
            areas: Arc::default(),
            links: Arc::default(),
            pictures: Arc::default(),
            area_types: Arc::default(),
            checks: Arc::default(),
            hidden_issues: Arc::default(),
            geometry: Arc::default(),
            voxel: Arc::default(),
        }
    }
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

impl Document {
    /// The elevation of a level: its entry's, or 3 × its number.
    #[must_use]
    pub fn elevation(&self, level: i8) -> f64 {
        let entry = self.levels.iter().find(|entry| entry.number == level);
        entry.map_or_else(|| 3.0 * f64::from(level), |entry| entry.elevation)
    }

    /// The area with this id.
    #[must_use]
    pub fn area(&self, id: AreaId) -> Option<&Arc<Area>> {
        self.areas.iter().find(|area| area.id == id)
    }

    /// The link with this id.
    #[must_use]
    pub fn link(&self, id: LinkId) -> Option<&Arc<Link>> {
        self.links.iter().find(|link| link.id == id)
    }

    /// The reference picture with this id.
    #[must_use]
    pub fn picture(&self, id: PictureId) -> Option<&Arc<Picture>> {
        self.pictures.iter().find(|picture| picture.id == id)
    }

    /// The imported geometry with this id.
    #[must_use]
    pub fn geometry(&self, id: GeometryId) -> Option<&Arc<Geometry>> {
        self.geometry.iter().find(|item| item.id == id)
    }

    /// The agent class with this id.
    #[must_use]
    pub fn class(&self, id: ClassId) -> Option<&Arc<AgentClass>> {
        self.classes.iter().find(|class| class.id == id)
    }

    /// The level's own entry, if it has one.
    #[must_use]
    pub fn level(&self, number: i8) -> Option<&Arc<Level>> {
        self.levels.iter().find(|level| level.number == number)
    }

    /// Whether both are the very same value, by pointers alone: equal content elsewhere in memory is not.
    #[must_use]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.settings, &other.settings)
            && Arc::ptr_eq(&self.classes, &other.classes)
            && Arc::ptr_eq(&self.levels, &other.levels)
            && Arc::ptr_eq(&self.areas, &other.areas)
            && Arc::ptr_eq(&self.links, &other.links)
            && Arc::ptr_eq(&self.pictures, &other.pictures)
            && Arc::ptr_eq(&self.area_types, &other.area_types)
            && Arc::ptr_eq(&self.checks, &other.checks)
            && Arc::ptr_eq(&self.hidden_issues, &other.hidden_issues)
            && Arc::ptr_eq(&self.geometry, &other.geometry)
            && Arc::ptr_eq(&self.voxel, &other.voxel)
    }

    /// What the flat bake reads.
    #[must_use]
    pub fn flat_input(&self) -> FlatInput {
        let levels =
            self.levels.iter().map(|l| FlatLevel { number: l.number, elevation: l.elevation }).collect();
        FlatInput { levels, areas: self.areas.iter().map(|area| flat_area(area)).collect() }
    }

    /// The settings of each class's bake, in order.
    #[must_use]
    pub fn world_settings(&self) -> Vec<NavSettings> {
        self.classes.iter().map(|class| self.bake_settings(class)).collect()
    }

    /// The settings of a class's bake, with the authored links at their own or their levels' heights.
    #[must_use]
    pub fn bake_settings(&self, class: &AgentClass) -> NavSettings {
        let world = |spot: Spot| {
            let y = spot.y.unwrap_or_else(|| self.height_of(spot.level));
            [spot.at[0], y, spot.at[1]]
        };
        let links = self.links.iter().map(|link| AuthoredLink {
            start: world(link.start_spot()),
            end: world(link.end_spot()),
            radius: link.radius,
            bidirectional: link.bidirectional,
            area: link.area,
            flags: link.flags,
            user_id: link.user_id,
        });
        NavSettings { links: links.collect(), ..class.settings(&self.settings) }
    }
}
