//! A map: levels, areas, authored links and settings. A value: cheap to clone, compared by pointer first.

use std::sync::Arc;

use super::{
    AgentClass, Area, AreaId, AreaType, CheckId, ClassId, Geometry, GeometryId, HiddenIssue, Level, Link,
    LinkId, MAX_AREA_TYPE, PathCheck, Picture, PictureId, Spot, VoxelExtras, flat_area,
};
use crate::bake::{FlatInput, FlatLevel};
use crate::format::{AuthoredLink, NavSettings};
use crate::query::QueryFilter;

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

    /// The type's own entry, if it has one.
    #[must_use]
    pub fn area_type(&self, number: u8) -> Option<&Arc<AreaType>> {
        self.area_types.iter().find(|entry| entry.number == number)
    }

    /// What paths pay on each area type; 1 on those without an entry.
    #[must_use]
    pub fn area_costs(&self) -> [f64; MAX_AREA_TYPE as usize + 1] {
        let mut costs = [1.0; MAX_AREA_TYPE as usize + 1];
        for entry in self.area_types.iter() {
            if let Some(cost) = costs.get_mut(usize::from(entry.number)) {
                *cost = entry.cost;
            }
        }
        costs
    }

    /// The check with this id.
    #[must_use]
    pub fn check(&self, id: CheckId) -> Option<&Arc<PathCheck>> {
        self.checks.iter().find(|check| check.id == id)
    }

    /// The filter that paths on this map are asked with: its area types' costs.
    #[must_use]
    pub fn filter(&self) -> QueryFilter {
        QueryFilter { area_costs: self.area_costs(), ..QueryFilter::default() }
    }

    /// World y of a level's elevation.
    #[must_use]
    pub fn height_of(&self, level: i8) -> f64 {
        self.settings.height + self.elevation(level)
    }

    /// Whether floors of one level can lie over each other.
    #[must_use]
    pub fn stacks_floors(&self) -> bool {
        !self.geometry.is_empty()
    }
}
