//! Ids and names of new things.

use std::collections::BTreeSet;

use crate::bake::AreaKind;
use crate::project::{AreaId, ClassId, Document, LinkId, new_id, numbered};

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

/// The names and user ids of a document and of what is being added to it.
pub(super) struct Names {
    areas: BTreeSet<String>,
    links: BTreeSet<String>,
    user_ids: BTreeSet<u32>,
}

impl Names {
    pub(super) fn of(document: &Document) -> Self {
        Self {
            areas: document.areas.iter().map(|area| area.name.clone()).collect(),
            links: document.links.iter().map(|link| link.name.clone()).collect(),
            user_ids: document.links.iter().map(|link| link.user_id).collect(),
        }
    }

    /// The name if it is free, else with the least number that is.
    pub(super) fn area(&mut self, name: &str) -> String {
        free_name(&mut self.areas, name)
    }

    /// As [`Names::area`].
    pub(super) fn link(&mut self, name: &str) -> String {
        free_name(&mut self.links, name)
    }

    /// The user id if it is free, else one more than the largest.
    pub(super) fn user_id(&mut self, wanted: u32) -> u32 {
        let next = || self.user_ids.last().map_or(1, |last| last.saturating_add(1));
        let id = if self.user_ids.contains(&wanted) { next() } else { wanted };
        self.user_ids.insert(id);
        id
    }
}

fn free_name(taken: &mut BTreeSet<String>, name: &str) -> String {
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    };
    let mut numbered = (2..).map(|number: u64| format!("{stem} {number}"));
    let free = std::iter::once(name.to_owned()).chain(&mut numbered).find(|name| !taken.contains(name));
    let free = free.unwrap_or_default();
    taken.insert(free.clone());
    free
}
