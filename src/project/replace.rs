//! Another document in place of the one there is, as one step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::changes::item::Item;
use super::check::{self, out_of_range};
use super::element::{renumbered, with_levels};
use super::{CommandError, Document, area_type, class, geometry, hidden_issue, path_check, picture};

/// `next` where it differs from `before`, and `before`'s own parts, down to the single thing, where it does not; checked as
/// if each thing were added by a command.
pub(super) fn replaced(before: &Document, next: &Document) -> Result<Document, CommandError> {
    class::check_shared(&next.settings)?;
    let settings = class::clean_shared(&next.settings);
    let settings =
        if *before.settings == settings { Arc::clone(&before.settings) } else { Arc::new(settings) };
    let areas = list(before, next, check::area, |area| CommandError::AreaExists(area.id.0))?;
    let links = list(before, next, check::link, |link| CommandError::LinkExists(link.id.0))?;
    let twice =
        |level: &super::Level| out_of_range("the number of entries of a level", level.number, "must be 1");
    let levels = list(before, next, check::level, twice)?;
    let classes = list(before, next, class::check_class, |class| CommandError::ClassExists(class.id.0))?;
    let again = |noun: &str, id: u64| {
        out_of_range(format!("the number of entries of {noun} {id:016x}"), 2, "must be 1")
    };
    let pictures = list(before, next, picture::check_picture, |picture| again("picture", picture.id.0))?;
    let area_types = list(before, next, area_type::check_type, |kind| {
        out_of_range(format!("the number of entries of area type {}", kind.number), 2, "must be 1")
    })?;
    let checks = list(before, next, path_check::check_check, |check| again("check", check.id.0))?;
    let geometry = list(before, next, geometry::check_geometry, |item| again("geometry", item.id.0))?;
    next.hidden_issues.iter().try_for_each(hidden_issue::check_hidden)?;
    let hidden_issues = hidden_issue::sorted(next.hidden_issues.to_vec());
    let voxel = geometry::set_extras(&before.voxel, &next.voxel)?;
    let mut names = BTreeSet::new();
    if let Some(twice) = classes.iter().find(|class| !names.insert(class.name.as_str())) {
        return Err(CommandError::ClassNameTaken(twice.name.clone()));
    }
    if classes.is_empty() {
        return Err(CommandError::LastClass);
    }
    let mut stands: BTreeSet<i8> = areas.iter().map(|area| area.level).collect();
    stands.extend(links.iter().flat_map(|link| [link.start_level, link.end_level]));
    stands.extend(pictures.iter().map(|picture| picture.level));
    stands.extend(geometry.iter().map(|item| item.level));
    stands.insert(0);
    Ok(Document {
        settings,
        classes: shared(&before.classes, class::renumbered(classes)),
        levels: with_levels(&shared(&before.levels, levels), &stands),
        areas: shared(&before.areas, renumbered(areas)),
        links: shared(&before.links, links),
        pictures: shared(&before.pictures, pictures),
        area_types: shared(&before.area_types, area_types),
        checks: shared(&before.checks, checks),
        hidden_issues: if hidden_issues == *before.hidden_issues {
            Arc::clone(&before.hidden_issues)
        } else {
            Arc::new(hidden_issues)
        },
        geometry: shared(&before.geometry, geometry),
        voxel,
    })
}

/// A list of `next` with the things of `before` that are equal, sorted and checked.
fn list<T: Item>(
    before: &Document,
    next: &Document,
    check: impl Fn(&T) -> Result<(), CommandError>,
    twice: impl Fn(&T) -> CommandError,
) -> Result<Vec<Arc<T>>, CommandError> {
    let old: BTreeMap<T::Key, &Arc<T>> = T::list(before).iter().map(|item| (item.key(), item)).collect();
    let mut keys = BTreeSet::new();
    let mut found = Vec::with_capacity(T::list(next).len());
    for item in T::list(next).iter() {
        if !keys.insert(item.key()) {
            return Err(twice(item));
        }
        let known =
            old.get(&item.key()).filter(|known| Arc::ptr_eq(known, item) || known.as_ref() == item.as_ref());
        if known.is_none() {
            check(item)?;
        }
        found.push(Arc::clone(known.copied().unwrap_or(item)));
    }
    found.sort_by_key(|item| (item.order(), item.key()));
    Ok(found)
}

/// The list that was there, if it holds the very same things.
pub(super) fn shared<T>(before: &Arc<Vec<Arc<T>>>, now: Vec<Arc<T>>) -> Arc<Vec<Arc<T>>> {
    let same = before.len() == now.len() && before.iter().zip(&now).all(|(a, b)| Arc::ptr_eq(a, b));
    if same { Arc::clone(before) } else { Arc::new(now) }
}
