//! Eye and lock: what is not drawn, and what the mouse passes over. They belong to the session, not to the map (whose
//! file holds nothing of how it is looked at), and what is hidden is baked all the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::canvas::pick::Item;
use crate::project::Document;

/// Things that are marked.
#[derive(Debug, Default)]
pub struct Marks {
    hidden: BTreeSet<Item>,
    locked: BTreeSet<Item>,
    /// A document, and the same without what is marked: what can be picked.
    pickable: Option<(Document, Document)>,
    /// Counts changes of what is hidden.
    pub edition: u64,
}

impl Marks {
    /// Whether a thing is not drawn.
    #[must_use]
    pub fn is_hidden(&self, item: Item) -> bool {
        self.hidden.contains(&item)
    }

    /// Whether the mouse passes over a thing.
    #[must_use]
    pub fn is_locked(&self, item: Item) -> bool {
        self.locked.contains(&item)
    }

    /// A document without what the mouse passes over.
    pub(super) fn pickable<'a>(&'a self, document: &'a Document) -> &'a Document {
        match &self.pickable {
            Some((of, pickable)) if of.ptr_eq(document) => pickable,
            _ => document,
        }
    }

    fn passes_over(&self, item: Item) -> bool {
        self.hidden.contains(&item) || self.locked.contains(&item)
    }

    /// Hides things, or draws them again.
    pub(super) fn set_hidden(&mut self, items: &[Item], hidden: bool) {
        mark(&mut self.hidden, items, hidden);
        self.edition += 1;
        self.pickable = None;
    }

    /// Locks things, or lets the mouse have them again.
    pub(super) fn set_locked(&mut self, items: &[Item], locked: bool) {
        mark(&mut self.locked, items, locked);
        self.edition += 1;
        self.pickable = None;
    }

    /// Keeps what can be picked of a document up to date.
    pub(super) fn refresh(&mut self, document: &Document) {
        if self.hidden.is_empty() && self.locked.is_empty() {
            self.pickable = None;
            return;
        }
        if self.pickable.as_ref().is_some_and(|(of, _)| of.ptr_eq(document)) {
            return;
        }
        let areas = document.areas.iter().filter(|area| !self.passes_over(Item::Area(area.id)));
        let links = document.links.iter().filter(|link| !self.passes_over(Item::Link(link.id)));
        let geometry = document.geometry.iter().filter(|item| !self.passes_over(Item::Geometry(item.id)));
        let (areas, links) = (Arc::new(areas.cloned().collect()), Arc::new(links.cloned().collect()));
        let geometry = Arc::new(geometry.cloned().collect());
        let pickable = Document { areas, links, geometry, ..document.clone() };
        self.pickable = Some((document.clone(), pickable));
    }
}

fn mark(marked: &mut BTreeSet<Item>, items: &[Item], on: bool) {
    for &item in items {
        if on {
            marked.insert(item);
        } else {
            marked.remove(&item);
        }
    }
}
