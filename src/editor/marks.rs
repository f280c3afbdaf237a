//! Eye and lock: what is not drawn, and what the mouse passes over. They belong to the session, not to the map (whose
//! file holds nothing of how it is looked at), and what is hidden is baked all the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::canvas::pick::Item;
use super::state::State;
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
}

impl State {
    /// Hides things, or draws them again.
    pub fn set_hidden(&mut self, items: &[Item], hidden: bool) {
        for &item in items {
            if hidden {
                self.marks.hidden.insert(item);
            } else {
                self.marks.hidden.remove(&item);
            }
        }
        self.marks_changed();
    }

    /// Locks things, or lets the mouse have them again.
    pub fn set_locked(&mut self, items: &[Item], locked: bool) {
        for &item in items {
            if locked {
                self.marks.locked.insert(item);
            } else {
                self.marks.locked.remove(&item);
            }
        }
        self.marks_changed();
    }

    fn marks_changed(&mut self) {
        self.marks.edition += 1;
        self.marks.pickable = None;
        self.refresh_marks();
    }

    /// Keeps what can be picked up to date.
    pub(super) fn refresh_marks(&mut self) {
        if self.marks.hidden.is_empty() && self.marks.locked.is_empty() {
            self.marks.pickable = None;
            return;
        }
        let document = self.history.gesture_start().unwrap_or_else(|| self.history.document());
        if self.marks.pickable.as_ref().is_some_and(|(of, _)| of.ptr_eq(document)) {
            return;
        }
        let marks = &self.marks;
        let areas = document.areas.iter().filter(|area| !marks.passes_over(Item::Area(area.id)));
        let links = document.links.iter().filter(|link| !marks.passes_over(Item::Link(link.id)));
        let geometry = document.geometry.iter().filter(|item| !marks.passes_over(Item::Geometry(item.id)));
        let (areas, links) = (Arc::new(areas.cloned().collect()), Arc::new(links.cloned().collect()));
        let geometry = Arc::new(geometry.cloned().collect());
        let pickable = Document { areas, links, geometry, ..document.clone() };
        self.marks.pickable = Some((document.clone(), pickable));
    }

    /// The document without what the mouse passes over. Points of areas keep their numbers.
    #[must_use]
    pub fn pickable(&self) -> &Document {
        let document = self.history.gesture_start().unwrap_or_else(|| self.history.document());
        self.marks.pickable(document)
    }
}
