//! Ids and names of new things.

use crate::bake::AreaKind;
use crate::project::{AreaId, ClassId, Document, LinkId, new_id};

/// An id that no area has.
#[must_use]
pub(super) fn fresh_area(document: &Document) -> AreaId {
    loop {
        let id = AreaId(new_id());
        if document.area(id).is_none() {
            return id;
        }
    }
}

/// An id that no link has.
#[must_use]
pub(super) fn fresh_link(document: &Document) -> LinkId {
    loop {
        let id = LinkId(new_id());
        if document.link(id).is_none() {
            return id;
        }
    }
}

/// An id that no agent class has.
#[must_use]
pub(super) fn fresh_class(document: &Document) -> ClassId {
    loop {
        let id = ClassId(new_id());
        if document.class(id).is_none() {
            return id;
        }
    }
}

/// "agent 2": the least number that is free.
#[must_use]
pub(super) fn class_name(document: &Document) -> String {
    // The first one is called "agent", without a number.
    let names = document.classes.iter().map(|class| class.name.as_str());
    numbered("agent", names.chain(["agent 1"]))
}

/// "area 3", "hole 2": the least number that is free.
#[must_use]
pub(super) fn area_name(document: &Document, kind: AreaKind) -> String {
    let word = if kind == AreaKind::Walk { "area" } else { "hole" };
    numbered(word, document.areas.iter().map(|area| area.name.as_str()))
}

/// "link 3": the least number that is free.
#[must_use]
pub(super) fn link_name(document: &Document) -> String {
    numbered("link", document.links.iter().map(|link| link.name.as_str()))
}

/// One more than the largest user id of a link.
#[must_use]
pub(super) fn next_user_id(document: &Document) -> u32 {
    document.links.iter().map(|link| link.user_id).max().map_or(1, |id| id.saturating_add(1))
}

fn numbered<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> String {
    let number = |name: &str| name.strip_prefix(word)?.strip_prefix(' ')?.parse::<usize>().ok();
    let taken: std::collections::BTreeSet<usize> = names.filter_map(number).collect();
    let free = (1..=taken.len() + 1).find(|candidate| !taken.contains(candidate));
    format!("{word} {}", free.unwrap_or(taken.len() + 1))
}
