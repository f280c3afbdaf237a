//! What changed between two documents, in words.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use super::Document;

/// What `after` has that `before` has not, a short sentence each; none if they are equal.
#[must_use]
pub fn differences(before: &Document, after: &Document) -> Vec<String> {
    let mut found = Vec::new();
    let mut of_list = |noun: &str, [added, removed, changed]: [usize; 3]| {
        for (count, verb) in [(added, "added"), (removed, "removed"), (changed, "changed")] {
            if count > 0 {
                let ending = match count {
                    1 => "",
                    _ if noun.ends_with('s') => "es",
                    _ => "s",
                };
                found.push(format!("{count} {noun}{ending} {verb}"));
            }
        }
    };
    of_list("area", counted(&before.areas, &after.areas, |area| area.id));
    of_list("link", counted(&before.links, &after.links, |link| link.id));
    of_list("picture", counted(&before.pictures, &after.pictures, |picture| picture.id));
    of_list("level", counted(&before.levels, &after.levels, |level| level.number));
    of_list("area type", counted(&before.area_types, &after.area_types, |entry| entry.number));
    of_list("check", counted(&before.checks, &after.checks, |check| check.id));
    of_list("agent class", counted(&before.classes, &after.classes, |class| class.id));
    if before.hidden_issues != after.hidden_issues {
        found.push("hidden issues changed".to_owned());
    }
    if before.settings != after.settings {
        found.push("settings changed".to_owned());
    }
    found
}

/// Added, removed, changed.
fn counted<T: PartialEq, K: Ord + Hash + Copy>(
    before: &[Arc<T>],
    after: &[Arc<T>],
    key: impl Fn(&T) -> K,
) -> [usize; 3] {
    let old: BTreeMap<K, &Arc<T>> = before.iter().map(|item| (key(item), item)).collect();
    let (mut added, mut changed) = (0, 0);
    for item in after {
        match old.get(&key(item)) {
            None => added += 1,
            Some(was) if !Arc::ptr_eq(was, item) && ***was != **item => changed += 1,
            Some(_) => {}
        }
    }
    [added, (before.len() + added).saturating_sub(after.len()), changed]
}
