//! What changed in the things beside areas and links: pictures, area types, checks, hidden issues, geometry.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::item::{
    Change, Item, Part, changed, changed_height, changed_option, named, one_or_many, place, quoted,
};
use crate::project::{
    AreaType, CheckId, Document, Geometry, GeometryId, PathCheck, Picture, PictureId, UpAxis, VoxelExtras,
    Wanted,
};

/// Issues that only one of both hides, as one change.
pub(super) fn of_hidden_issues(before: &Document, after: &Document, found: &mut Vec<Change>) {
    let keys = |document: &Document| document.hidden_issues.iter().map(|issue| issue.key()).collect();
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (keys(before), keys(after));
    let (hidden, shown) = (new.difference(&old).count(), old.difference(&new).count());
    let words: Vec<String> = [(hidden, "hidden"), (shown, "shown again")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, verb)| format!("{count} {verb}"))
        .collect();
    if !words.is_empty() {
        let (part, name) = (Part::HiddenIssues, "hidden issues".to_owned());
        found.push(Change { part, name, what: words.join(", ") });
    }
}

/// Fields of the voxel bake's extras that differ.
pub(super) fn of_voxel(before: &Document, after: &Document, found: &mut Vec<Change>) {
    for ((name, old), (_, new)) in voxel_values(&before.voxel).into_iter().zip(voxel_values(&after.voxel)) {
        if old != new {
            let (part, what) = (Part::Voxel(name), format!("{old} › {new}"));
            found.push(Change { part, name: format!("voxel {name}"), what });
        }
    }
    let (old, new) = (&before.voxel.seeds, &after.voxel.seeds);
    let moved = old.iter().zip(new).filter(|(old, new)| old != new).count();
    if old.len() == new.len() && moved > 0 {
        let what = format!("{} moved", one_or_many(moved, "seed", "seeds"));
        found.push(Change { part: Part::Voxel("seeds"), name: "voxel seeds".to_owned(), what });
    }
}

/// Each field of the voxel bake's extras, by its name in the file, as text.
pub(in crate::project) fn voxel_values(extras: &VoxelExtras) -> [(&'static str, String); 3] {
    let VoxelExtras { seeds, ledge_radius, area_priority } = extras;
    let radius = ledge_radius.map_or_else(|| "none".to_owned(), |radius| radius.to_string());
    [
        ("seeds", one_or_many(seeds.len(), "seed", "seeds")),
        ("ledge_radius", radius),
        ("area_priority", format!("{area_priority:?}")),
    ]
}

impl Item for Picture {
    type Key = PictureId;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.pictures
    }

    fn key(&self) -> PictureId {
        self.id
    }

    fn part(key: PictureId) -> Part {
        Part::Picture(key)
    }

    fn name(&self) -> String {
        named("picture", self.name(), self.id.0)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self { id: _, path, level, offset, squares_per_pixel, opacity } = after;
        changed(&mut words, "path", &quoted(&self.path), &quoted(path));
        changed(&mut words, "level", &self.level, level);
        changed(&mut words, "offset", &place(self.offset), &place(*offset));
        changed(&mut words, "squares per pixel", &self.squares_per_pixel, squares_per_pixel);
        changed(&mut words, "opacity", &self.opacity, opacity);
        words
    }
}

impl Item for AreaType {
    type Key = u8;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.area_types
    }

    fn key(&self) -> u8 {
        self.number
    }

    fn part(key: u8) -> Part {
        Part::AreaType(key)
    }

    fn name(&self) -> String {
        format!("area type {}", self.number)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self { number: _, name, color, cost } = after;
        let hex = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
        changed(&mut words, "name", &quoted(&self.name), &quoted(name));
        changed(&mut words, "color", &hex(self.color), &hex(*color));
        changed(&mut words, "cost", &self.cost, cost);
        words
    }
}

impl Item for PathCheck {
    type Key = CheckId;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.checks
    }

    fn key(&self) -> CheckId {
        self.id
    }

    fn part(key: CheckId) -> Part {
        Part::Check(key)
    }

    fn name(&self) -> String {
        named("check", &self.name, self.id.0)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self { id: _, name, class, start, start_level, start_y, end, end_level, end_y, wanted, longest } =
            after;
        changed(&mut words, "name", &quoted(&self.name), &quoted(name));
        if self.class != *class {
            words.push("agent class".to_owned());
        }
        changed(&mut words, "start", &place(self.start), &place(*start));
        changed(&mut words, "start level", &self.start_level, start_level);
        changed_height(&mut words, "start height", self.start_y, *start_y);
        changed(&mut words, "end", &place(self.end), &place(*end));
        changed(&mut words, "end level", &self.end_level, end_level);
        changed_height(&mut words, "end height", self.end_y, *end_y);
        if self.wanted != *wanted {
            let now = if *wanted == Wanted::Path { "now a path is wanted" } else { "now no path is wanted" };
            words.push(now.to_owned());
        }
        changed_option(&mut words, "longest", &self.longest, longest);
        words
    }
}

impl Item for Geometry {
    type Key = GeometryId;

    fn list(document: &Document) -> &Arc<Vec<Arc<Self>>> {
        &document.geometry
    }

    fn key(&self) -> GeometryId {
        self.id
    }

    fn part(key: GeometryId) -> Part {
        Part::Geometry(key)
    }

    fn name(&self) -> String {
        named("geometry", if self.name.is_empty() { &self.path } else { &self.name }, self.id.0)
    }

    fn words(&self, after: &Self) -> Vec<String> {
        let mut words = Vec::new();
        let Self { id: _, name, path, up, flip, scale, turn, offset, level, area_type, flags } = after;
        let triple = |[x, y, z]: [f64; 3]| format!("({x}, {y}, {z})");
        changed(&mut words, "name", &quoted(&self.name), &quoted(name));
        changed(&mut words, "path", &quoted(&self.path), &quoted(path));
        if self.up != *up {
            words.push(if *up == UpAxis::Y { "now y is up" } else { "now z is up" }.to_owned());
        }
        if self.flip != *flip {
            words.push(if *flip { "now turned over" } else { "no longer turned over" }.to_owned());
        }
        changed(&mut words, "scale", &self.scale, scale);
        changed(&mut words, "turn", &self.turn, turn);
        changed(&mut words, "offset", &triple(self.offset), &triple(*offset));
        changed(&mut words, "level", &self.level, level);
        changed_option(&mut words, "type", &self.area_type, area_type);
        changed_option(&mut words, "flags", &self.flags, flags);
        words
    }
}
