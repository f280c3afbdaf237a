//! What changed between two documents, thing by thing, in words.

pub(super) mod extras;
pub(super) mod item;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use super::{
    AgentClass, Area, AreaId, AreaType, ClassId, Document, Geometry, Level, Link, LinkId, PathCheck, Picture,
};
use crate::bake::AreaKind;
use crate::format::NavSettings;
use item::{Item, changed, changed_height, changed_option, named, one_or_many, place, quoted};

pub use item::{Change, Part};

/// What `after` has that `before` has not, in the order of the file; none if both are equal.
#[must_use]
pub fn changes(before: &Document, after: &Document) -> Vec<Change> {
    let mut found = Vec::new();
    for (name, (old, new)) in setting_values(&before.settings)
        .into_iter()
        .zip(setting_values(&after.settings))
        .map(|((name, old), (_, new))| (name, (old, new)))
    {
        if old != new {
            let part = Part::Setting(name);
            found.push(Change { part, name: format!("setting {name}"), what: format!("{old} › {new}") });
        }
    }
    of_list::<AgentClass>(before, after, &mut found);
    of_list::<Level>(before, after, &mut found);
    of_list::<Area>(before, after, &mut found);
    of_list::<Link>(before, after, &mut found);
    of_list::<Picture>(before, after, &mut found);
    of_list::<AreaType>(before, after, &mut found);
    of_list::<PathCheck>(before, after, &mut found);
    extras::of_hidden_issues(before, after, &mut found);
    of_list::<Geometry>(before, after, &mut found);
    extras::of_voxel(before, after, &mut found);
    found
}

fn of_list<T: Item>(before: &Document, after: &Document, found: &mut Vec<Change>) {
    let old: BTreeMap<T::Key, &Arc<T>> = T::list(before).iter().map(|item| (item.key(), item)).collect();
    let new: BTreeMap<T::Key, &Arc<T>> = T::list(after).iter().map(|item| (item.key(), item)).collect();
    for (key, item) in &old {
        let what = match new.get(key) {
            None => "removed".to_owned(),
            Some(now) if Arc::ptr_eq(item, now) => continue,
            Some(now) => {
                let mut words = item.words(now);
                if item.order() != now.order() {
                    words.push("order".to_owned());
                }
                words.join(", ")
            }
        };
        if !what.is_empty() {
            found.push(Change { part: T::part(*key), name: item.name(), what });
        }
    }
    for (key, item) in new.iter().filter(|(key, _)| !old.contains_key(key)) {
        found.push(Change { part: T::part(*key), name: item.name(), what: "added".to_owned() });
    }
}

impl Item for AgentClass {
    type Key = ClassId;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.classes
    }

    fn key(&self) -> ClassId {
        self.id
    }

    fn part(key: ClassId) -> Part {
        Part::Class(key)
    }

    fn order(&self) -> i64 {
        self.order
    }

    fn with_order(self, order: i64) -> Self {
        Self { order, ..self }
    }

    fn name(&self) -> String {
        named("agent class", &self.name, self.id.0)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self { id: _, order: _, name, radius, height, climb, max_slope } = after;
        changed(&mut words, "name", &quoted(&self.name), &quoted(name));
        changed(&mut words, "radius", &self.radius, radius);
        changed(&mut words, "height", &self.height, height);
        changed(&mut words, "climb", &self.climb, climb);
        changed(&mut words, "slope", &self.max_slope, max_slope);
        words
    }
}

impl Item for Level {
    type Key = i8;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.levels
    }

    fn key(&self) -> i8 {
        self.number
    }

    fn part(key: i8) -> Part {
        Part::Level(key)
    }

    fn name(&self) -> String {
        format!("level {}", self.number)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self { number: _, name, elevation } = after;
        changed(&mut words, "name", &quoted(&self.name), &quoted(name));
        changed(&mut words, "elevation", &self.elevation, elevation);
        words
    }
}

impl Item for Area {
    type Key = AreaId;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.areas
    }

    fn key(&self) -> AreaId {
        self.id
    }

    fn part(key: AreaId) -> Part {
        Part::Area(key)
    }

    fn order(&self) -> i64 {
        self.order
    }

    fn with_order(self, order: i64) -> Self {
        Self { order, ..self }
    }

    fn name(&self) -> String {
        named(if self.kind == AreaKind::Walk { "area" } else { "hole" }, &self.name, self.id.0)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self { id: _, order: _, name, kind, level, points, area_type, flags, surface } = after;
        changed(&mut words, "name", &quoted(&self.name), &quoted(name));
        if self.kind != *kind {
            words.push(if *kind == AreaKind::Walk { "now walkable" } else { "now a hole" }.to_owned());
        }
        changed(&mut words, "level", &self.level, level);
        if self.points.len() == points.len() {
            let moved = self.points.iter().zip(points).filter(|(old, new)| old != new).count();
            if moved > 0 {
                words.push(format!("{} moved", one_or_many(moved, "point", "points")));
            }
        } else {
            words.push(format!("{} › {} points", self.points.len(), points.len()));
        }
        changed_option(&mut words, "type", &self.area_type, area_type);
        changed_option(&mut words, "flags", &self.flags, flags);
        if self.surface != *surface {
            words.push("surface".to_owned());
        }
        words
    }
}

impl Item for Link {
    type Key = LinkId;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.links
    }

    fn key(&self) -> LinkId {
        self.id
    }

    fn part(key: LinkId) -> Part {
        Part::Link(key)
    }

    fn name(&self) -> String {
        named("link", &self.name, self.id.0)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self {
            id: _,
            name,
            start,
            start_level,
            start_y,
            end,
            end_level,
            end_y,
            radius,
            bidirectional,
            area,
            flags,
            user_id,
        } = after;
        changed(&mut words, "name", &quoted(&self.name), &quoted(name));
        changed(&mut words, "start", &place(self.start), &place(*start));
        changed(&mut words, "start level", &self.start_level, start_level);
        changed_height(&mut words, "start height", self.start_y, *start_y);
        changed(&mut words, "end", &place(self.end), &place(*end));
        changed(&mut words, "end level", &self.end_level, end_level);
        changed_height(&mut words, "end height", self.end_y, *end_y);
        changed(&mut words, "radius", &self.radius, radius);
        if self.bidirectional != *bidirectional {
            words.push(if *bidirectional { "now both ways" } else { "now one way" }.to_owned());
        }
        changed(&mut words, "type", &self.area, area);
        changed(&mut words, "flags", &self.flags, flags);
        changed(&mut words, "user id", &self.user_id, user_id);
        words
    }
}

/// Each setting that a project keeps, with its value as text.
pub(super) fn setting_values(settings: &NavSettings) -> Vec<(&'static str, String)> {
    fn shown(value: impl Debug) -> String {
        let text = format!("{value:?}").to_lowercase();
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    }
    let NavSettings {
        origin,
        tile_size,
        cell_size,
        cell_height,
        snap_bits,
        partition,
        min_region_area,
        merge_region_area,
        contour_max_error,
        max_verts_per_poly,
        area,
        max_edge_length,
        detail_sample_distance,
        detail_max_error,
        height,
        walkable_climb: _,
        agent_radius: _,
        agent_height: _,
        agent_max_slope: _,
        flags,
        links: _,
    } = settings;
    vec![
        ("origin", shown(origin)),
        ("tile_size", shown(tile_size)),
        ("cell_size", shown(cell_size)),
        ("cell_height", shown(cell_height)),
        ("snap_bits", shown(snap_bits)),
        ("partition", shown(partition)),
        ("min_region_area", shown(min_region_area)),
        ("merge_region_area", shown(merge_region_area)),
        ("contour_max_error", shown(contour_max_error)),
        ("max_verts_per_poly", shown(max_verts_per_poly)),
        ("area", shown(area)),
        ("max_edge_length", shown(max_edge_length)),
        ("detail_sample_distance", shown(detail_sample_distance)),
        ("detail_max_error", shown(detail_max_error)),
        ("height", shown(height)),
        ("flags", shown(flags)),
    ]
}
