//! What is selected.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::canvas::pick::Item;
use super::words::{called, many, things};
use crate::project::{Area, AreaId, Document, Geometry, Link, LinkId, Picture};

/// Selected things, and points of selected areas that were picked one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    items: BTreeSet<Item>,
    points: BTreeSet<(AreaId, usize)>,
}

impl Selection {
    /// One thing.
    #[must_use]
    pub fn item(item: Item) -> Self {
        Self { items: BTreeSet::from([item]), points: BTreeSet::new() }
    }

    /// One area.
    #[must_use]
    pub fn area(id: AreaId) -> Self {
        Self::item(Item::Area(id))
    }

    /// One link.
    #[must_use]
    pub fn link(id: LinkId) -> Self {
        Self::item(Item::Link(id))
    }

    /// One area with one of its points.
    #[must_use]
    pub fn point(area: AreaId, index: usize) -> Self {
        Self::points_of([(area, index)])
    }

    /// Points, with the areas that they belong to.
    #[must_use]
    pub fn points_of(points: impl IntoIterator<Item = (AreaId, usize)>) -> Self {
        let points: BTreeSet<_> = points.into_iter().collect();
        Self { items: points.iter().map(|&(area, _)| Item::Area(area)).collect(), points }
    }

    /// Adds a thing.
    pub fn add(&mut self, item: Item) {
        self.items.insert(item);
        self.points.clear();
    }

    /// Adds a thing, or takes it away if it is there.
    pub fn toggle(&mut self, item: Item) {
        if !self.items.remove(&item) {
            self.items.insert(item);
        }
        self.points.clear();
    }

    /// Adds a point of an area, or takes it away if it is there.
    pub fn toggle_point(&mut self, area: AreaId, index: usize) {
        if !self.points.remove(&(area, index)) {
            self.items.insert(Item::Area(area));
            self.points.insert((area, index));
        }
    }

    /// The same without the points.
    #[must_use]
    pub fn without_points(&self) -> Self {
        Self { items: self.items.clone(), points: BTreeSet::new() }
    }

    /// Whether a thing is selected.
    #[must_use]
    pub fn has(&self, item: Item) -> bool {
        self.items.contains(&item)
    }

    /// The selected things.
    pub fn items(&self) -> impl Iterator<Item = Item> + '_ {
        self.items.iter().copied()
    }

    /// The only selected point.
    #[must_use]
    pub fn selected_point(&self) -> Option<(AreaId, usize)> {
        self.points.first().copied().filter(|_| self.points.len() == 1)
    }

    /// The selected points, in the order of areas and outlines.
    #[must_use]
    pub fn points(&self) -> &BTreeSet<(AreaId, usize)> {
        &self.points
    }

    /// The only selected thing.
    #[must_use]
    pub fn only(&self) -> Option<Item> {
        self.items.first().copied().filter(|_| self.items.len() == 1)
    }

    /// How many things.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The selected areas that a document has, in its order.
    pub fn areas<'a>(&'a self, document: &'a Document) -> impl Iterator<Item = &'a Arc<Area>> + 'a {
        document.areas.iter().filter(|area| self.has(Item::Area(area.id)))
    }

    /// The selected links that a document has, in its order.
    pub fn links<'a>(&'a self, document: &'a Document) -> impl Iterator<Item = &'a Arc<Link>> + 'a {
        document.links.iter().filter(|link| self.has(Item::Link(link.id)))
    }

    /// The selected reference pictures that a document has, in its order.
    pub fn pictures<'a>(&'a self, document: &'a Document) -> impl Iterator<Item = &'a Arc<Picture>> + 'a {
        document.pictures.iter().filter(|picture| self.has(Item::Picture(picture.id)))
    }

    /// The selected items of geometry that a document has, in its order.
    pub fn geometry<'a>(&'a self, document: &'a Document) -> impl Iterator<Item = &'a Arc<Geometry>> + 'a {
        document.geometry.iter().filter(|item| self.has(Item::Geometry(item.id)))
    }

    /// What is selected, as names of steps call it: the picked points, else the things.
    #[must_use]
    pub fn words(&self, document: &Document) -> String {
        if self.points.is_empty() {
            return self.thing_words(document);
        }
        let areas: BTreeSet<AreaId> = self.points.iter().map(|(area, _)| *area).collect();
        let whose = areas.first().and_then(|id| document.area(*id)).filter(|_| areas.len() == 1);
        let whose = whose.map(|area| format!(" of {}", called(&area.name, "area")));
        let points =
            if self.points.len() == 1 { "point".to_owned() } else { many(self.points.len(), "point") };
        points + &whose.unwrap_or_default()
    }

    /// The selected things: by name if there is but one, else how many of each kind.
    #[must_use]
    pub fn thing_words(&self, document: &Document) -> String {
        let areas: Vec<&str> = self.areas(document).map(|area| called(&area.name, "area")).collect();
        let links: Vec<&str> = self.links(document).map(|link| called(&link.name, "link")).collect();
        let pictures: Vec<&str> = self.pictures(document).map(|_| "picture").collect();
        let geometry: Vec<&str> = self.geometry(document).map(|item| item.name()).collect();
        things([("area", &areas), ("link", &links), ("picture", &pictures), ("geometry file", &geometry)])
    }

    /// Drops what a document does not have.
    pub fn keep_existing(&mut self, document: &Document) {
        if self.items.is_empty() {
            return;
        }
        self.items.retain(|item| match *item {
            Item::Area(id) => document.area(id).is_some(),
            Item::Link(id) => document.link(id).is_some(),
            Item::Picture(id) => document.picture(id).is_some(),
            Item::Geometry(id) => document.geometry(id).is_some(),
        });
        let has_point =
            |(id, index): (AreaId, usize)| document.area(id).is_some_and(|a| index < a.points.len());
        self.points.retain(|&point| has_point(point));
    }
}

/// What was selected, and on which level, when the next step was begun: by the number of steps done then.
#[derive(Clone, Debug, Default)]
pub(super) struct Views(BTreeMap<usize, (Selection, i8)>);

impl Views {
    /// Notes it, and forgets that of steps that are done otherwise now.
    pub(super) fn note(&mut self, done: usize, selection: Selection, level: i8) {
        self.0.split_off(&done);
        self.0.insert(done, (selection, level));
    }

    /// What it was when so many steps were done.
    pub(super) fn at(&self, done: usize) -> Option<&(Selection, i8)> {
        self.0.get(&done)
    }
}
