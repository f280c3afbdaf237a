//! A document from map text and back.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::element::{ORDER_STEP, with_levels};
use super::{AgentClass, Area, AreaId, Document, Level};
use crate::bake::Surface;
use crate::format::NavSettings;
use crate::interop::navwalk::{MapArea, MapLine, MapText, is_rounded};

/// The map as a document with default settings. Areas are called "area 1", "area 2" … and have these numbers as ids, so
/// that reading a map twice gives equal documents.
#[must_use]
pub fn document_from_map(map: &MapText) -> Document {
    let areas = map.areas().zip(1_u32..).map(|(area, number)| {
        Arc::new(Area {
            id: AreaId(u64::from(number)),
            order: i64::from(number) * ORDER_STEP,
            name: format!("area {number}"),
            kind: area.kind,
            level: area.level,
            points: area.points.clone(),
            area_type: None,
            flags: None,
            surface: Surface::Level,
        })
    });
    let areas: Vec<_> = areas.collect();
    let document = Document::default();
    let stands: BTreeSet<_> = areas.iter().map(|area| area.level).collect();
    Document { levels: with_levels(&document.levels, &stands), areas: Arc::new(areas), ..document }
}

/// The document's areas as map text, and what map text cannot carry, a sentence each.
#[must_use]
pub fn map_from_document(document: &Document) -> (MapText, Vec<String>) {
    let line = |area: &Arc<Area>| {
        let area = MapArea { kind: area.kind, level: area.level, points: area.points.clone() };
        MapLine::Area(area, None)
    };
    (MapText { lines: document.areas.iter().map(line).collect() }, lost(document))
}

fn lost(document: &Document) -> Vec<String> {
    // Named one by one, so that a new part is not forgotten.
    let Document {
        settings: _,
        classes: _,
        levels: _,
        areas: _,
        links: _,
        pictures,
        area_types,
        checks,
        hidden_issues,
        geometry,
        voxel,
    } = document;
    let areas = || document.areas.iter();
    let numbered = |(area, number): &(&Arc<Area>, u32)| area.name != format!("area {number}");
    let named = areas().zip(1..).filter(numbered).count();
    let typed = areas().filter(|area| area.area_type.is_some() || area.flags.is_some()).count();
    let sloped = areas().filter(|area| area.surface != Surface::Level).count();
    let rounded = areas().flat_map(|area| area.points.iter().flatten()).filter(|v| is_rounded(**v)).count();
    let levels = document.levels.iter().filter(|level| ***level != Level::new(level.number)).count();
    let counted = [
        (document.links.len(), "link", "is left out", "are left out"),
        (named, "area name", "is left out", "are left out"),
        (typed, "area's type or flags", "is left out", "are left out"),
        (sloped, "area's ramp or heights", "is left out", "are left out"),
        (levels, "level's name or elevation", "is left out", "are left out"),
        (area_types.len(), "area type's name", "is left out", "are left out"),
        (checks.len(), "pinned check", "is left out", "are left out"),
        (hidden_issues.len(), "hidden issue", "is left out", "are left out"),
        (pictures.len(), "reference picture", "is left out", "are left out"),
        (geometry.len(), "file of geometry", "is left out", "are left out"),
        (voxel.seeds.len(), "seed", "is left out", "are left out"),
        (rounded, "coordinate", "is rounded to a thousandth", "are rounded to a thousandth"),
    ];
    let mut notes: Vec<_> =
        counted
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, noun, one, many)| {
                if count == 1 {
                    format!("1 {noun} {one}")
                } else {
                    format!("{count} {} {many}", plural(noun))
                }
            })
            .collect();
    if *document.settings != NavSettings::default() {
        notes.push("the settings are left out".to_owned());
    }
    if voxel.ledge_radius.is_some() || !voxel.area_priority.is_empty() {
        notes.push("the ledge radius and the area types' priority are left out".to_owned());
    }
    let nothing = AgentClass::default();
    let says_something = |class: &Arc<AgentClass>| {
        AgentClass { id: nothing.id, order: nothing.order, ..(**class).clone() } != nothing
    };
    if document.classes.len() > 1 || document.classes.iter().any(says_something) {
        notes.push("the agent classes are left out".to_owned());
    }
    notes
}

/// `link` → `links`, `area's type or flags` → `areas' types or flags`.
fn plural(noun: &str) -> String {
    match noun.split_once("'s ") {
        Some((owner, thing)) => format!("{owner}s' {thing}"),
        None if noun.starts_with("file ") => noun.replacen("file ", "files ", 1),
        None => format!("{noun}s"),
    }
}
