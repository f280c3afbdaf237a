//! Drags that all tools share. Each update is computed from the document at the press, so nothing drifts; the release
//! is one undo step and a cancelled drag leaves no trace.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Context, Feedback};
use crate::draw::{Role, Shape, Sign};
use crate::editor::canvas::pick::{Item, LinkEnd, distance};
use crate::editor::canvas::snap::{SnapKind, Snapped, round_to};
use crate::editor::state::Selection;
use crate::project::{Area, AreaId, Command, Document, Link, LinkId};

/// A drag under way.
#[derive(Clone, Debug, PartialEq)]
pub enum Gesture {
    /// A point, with the points of other areas that lie exactly on it.
    Point(PointDrag),
    /// Several points, with those that lie exactly on them.
    Points(PointsDrag),
    /// Whole areas and links.
    Things(ThingDrag),
    /// One end of a link.
    LinkEnd(LinkId, LinkEnd),
}

/// A dragged point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointDrag {
    area: AreaId,
    index: usize,
    /// Where it was.
    from: [f64; 2],
    /// The area with the point that this drag has put in; `None` for a point that was there.
    inserted: Option<Area>,
}

/// Dragged points.
#[derive(Clone, Debug, PartialEq)]
pub struct PointsDrag {
    points: BTreeSet<(AreaId, usize)>,
    /// Where the point under the cursor was: it is the one that snaps.
    from: [f64; 2],
}

/// Dragged things.
#[derive(Clone, Debug, PartialEq)]
pub struct ThingDrag {
    items: Selection,
    press: [f64; 2],
    /// The point of them nearest to the press: it is the one that snaps.
    anchor: [f64; 2],
}

impl Gesture {
    /// Takes hold of a point.
    #[must_use]
    pub fn point(document: &Document, area: AreaId, index: usize) -> Option<Self> {
        let from = *document.area(area)?.points.get(index)?;
        Some(Self::Point(PointDrag { area, index, from, inserted: None }))
    }

    /// Takes hold of several points, by the one at `from`.
    #[must_use]
    pub fn points(points: &BTreeSet<(AreaId, usize)>, from: [f64; 2]) -> Self {
        Self::Points(PointsDrag { points: points.clone(), from })
    }

    /// Puts a point into the edge after point `edge` at `place` and takes hold of it.
    #[must_use]
    pub fn insert(document: &Document, area: AreaId, edge: usize, place: [f64; 2]) -> Option<Self> {
        let inserted = with_point(document.area(area)?, edge, place);
        Some(Self::Point(PointDrag { area, index: edge + 1, from: place, inserted: Some(inserted) }))
    }

    /// Takes hold of whole things at `press`.
    #[must_use]
    pub fn things(document: &Document, items: &Selection, press: [f64; 2]) -> Option<Self> {
        let areas = items.areas(document).flat_map(|area| area.points.iter().copied());
        let ends = items.links(document).flat_map(|link| [link.start, link.end]);
        let anchor = areas.chain(ends).min_by(|a, b| distance(*a, press).total_cmp(&distance(*b, press)))?;
        Some(Self::Things(ThingDrag { items: items.clone(), press, anchor }))
    }

    /// The change that puts what is held at `place`, and the snap that won.
    #[must_use]
    pub fn update(&self, place: [f64; 2], context: &Context<'_>) -> (Option<Command>, Snapped) {
        match self {
            Self::Point(drag) => drag.update(place, context),
            Self::Points(drag) => drag.update(place, context),
            Self::Things(drag) => drag.update(place, context),
            Self::LinkEnd(id, end) => {
                let snapped = context.snapped_to_grid(place);
                let link = context.document.links.iter().find(|link| link.id == *id);
                let command = link.map(|link| {
                    let mut link = (**link).clone();
                    match end {
                        LinkEnd::Start => link.start = snapped.place,
                        LinkEnd::End => link.end = snapped.place,
                    }
                    Command::SetLinks(vec![link])
                });
                (command, snapped)
            }
        }
    }

    /// The undo step's name.
    #[must_use]
    pub fn name(&self, document: &Document) -> String {
        let area_name = |id| document.area(id).map_or_else(|| "area".to_owned(), |area| area.name.clone());
        match self {
            Self::Point(drag) if drag.inserted.is_some() => format!("Add point to {}", area_name(drag.area)),
            Self::Point(drag) => match drag.moving(document).len() {
                1 => format!("Move point of {}", area_name(drag.area)),
                count => format!("Move {count} joined points"),
            },
            Self::Points(drag) => format!("Move {} points", drag.points.len()),
            Self::Things(drag) => match drag.items.only() {
                Some(Item::Area(id)) => format!("Move {}", area_name(id)),
                Some(Item::Link(_)) => "Move link".to_owned(),
                None => format!("Move {} things", drag.items.len()),
            },
            Self::LinkEnd(..) => "Move link end".to_owned(),
        }
    }

    /// What is shown at the cursor.
    #[must_use]
    pub fn feedback(&self, place: [f64; 2], context: &Context<'_>) -> Feedback {
        let (_, snapped) = self.update(place, context);
        let moved = match self {
            Self::Point(drag) => Some((drag.from, snapped.place)),
            Self::Points(drag) => Some((drag.from, snapped.place)),
            Self::Things(drag) => Some((drag.anchor, snapped.place)),
            Self::LinkEnd(..) => None,
        };
        let mut word = snapped.kind.word();
        if let Some((from, to)) = moved {
            let change = [to[0] - from[0], to[1] - from[1]];
            let delta = format!("{:+.1}, {:+.1}", change[0] + 0.0, change[1] + 0.0);
            word = if word.is_empty() { delta } else { format!("{word} · {delta}") };
        }
        Feedback { shapes: ghost(&snapped), word: Some((snapped.place, word)), snap: Some(snapped.kind) }
    }
}

impl PointDrag {
    /// Where the point was put in, if this drag has put it in.
    #[must_use]
    pub fn inserted_at(&self) -> Option<[f64; 2]> {
        self.inserted.as_ref().map(|_| self.from)
    }

    /// The points that move: the held one and, unless it was just put in, all that lie exactly on it.
    fn moving(&self, document: &Document) -> Vec<(AreaId, usize)> {
        if self.inserted.is_some() {
            return vec![(self.area, self.index)];
        }
        joined_points(document, self.from)
    }

    fn update(&self, place: [f64; 2], context: &Context<'_>) -> (Option<Command>, Snapped) {
        let document = context.document;
        let moving = if context.keys.alt { vec![(self.area, self.index)] } else { self.moving(document) };
        let mut snapped = context.snapped(place, &|id| moving.iter().any(|&(area, _)| area == id));
        if context.keys.shift && self.inserted.is_none() {
            keep_axis(&mut snapped, self.from, place);
        }
        let mut areas: Vec<Area> = Vec::new();
        for (id, index) in moving {
            let at = match areas.iter().position(|area| area.id == id) {
                Some(at) => at,
                None => {
                    let base = self.inserted.clone().filter(|area| area.id == id);
                    let Some(area) = base.or_else(|| document.area(id).map(|area| (**area).clone())) else {
                        continue;
                    };
                    areas.push(area);
                    areas.len() - 1
                }
            };
            if let Some(point) = areas[at].points.get_mut(index) {
                *point = snapped.place;
            }
        }
        let command = (!areas.is_empty()).then_some(Command::SetAreas(areas));
        (command, snapped)
    }
}

impl PointsDrag {
    fn update(&self, place: [f64; 2], context: &Context<'_>) -> (Option<Command>, Snapped) {
        let document = context.document;
        let moving = if context.keys.alt { self.points.clone() } else { with_joined(document, &self.points) };
        let mut snapped = context.snapped(place, &|id| moving.iter().any(|&(area, _)| area == id));
        if context.keys.shift {
            keep_axis(&mut snapped, self.from, place);
        }
        (shift_points(document, &moving, self.from, snapped.place), snapped)
    }
}

impl ThingDrag {
    fn update(&self, place: [f64; 2], context: &Context<'_>) -> (Option<Command>, Snapped) {
        let aim = [self.anchor[0] + place[0] - self.press[0], self.anchor[1] + place[1] - self.press[1]];
        let mut snapped = context.snapped(aim, &|id| self.items.has(Item::Area(id)));
        if context.keys.shift {
            keep_axis(&mut snapped, self.anchor, aim);
        }
        let command = shift_items(context.document, &self.items, self.anchor, snapped.place);
        (command, snapped)
    }
}

/// The change that moves things so that what lies at `from` comes to lie at `to`; `None` if nothing is left to move.
#[must_use]
pub fn shift_items(document: &Document, items: &Selection, from: [f64; 2], to: [f64; 2]) -> Option<Command> {
    let shift = |point: [f64; 2]| shifted(point, from, to);
    let areas: Vec<Area> = items
        .areas(document)
        .map(|area| Area {
            points: area.points.iter().map(|&point| shift(point)).collect(),
            ..(**area).clone()
        })
        .collect();
    let links: Vec<Link> = items
        .links(document)
        .map(|link| Link { start: shift(link.start), end: shift(link.end), ..(**link).clone() })
        .collect();
    match (areas.is_empty(), links.is_empty()) {
        (true, true) => None,
        (false, true) => Some(Command::SetAreas(areas)),
        (true, false) => Some(Command::SetLinks(links)),
        (false, false) => Some(Command::Several(vec![Command::SetAreas(areas), Command::SetLinks(links)])),
    }
}

/// The change that moves points so that what lies at `from` comes to lie at `to`; `None` if there are none.
#[must_use]
pub fn shift_points(
    document: &Document,
    points: &BTreeSet<(AreaId, usize)>,
    from: [f64; 2],
    to: [f64; 2],
) -> Option<Command> {
    map_points(document, points, |point| shifted(point, from, to))
}

/// The change that puts each of some points elsewhere; `None` if there are none.
#[must_use]
pub fn map_points(
    document: &Document,
    points: &BTreeSet<(AreaId, usize)>,
    to: impl Fn([f64; 2]) -> [f64; 2],
) -> Option<Command> {
    let mut areas: Vec<Area> = Vec::new();
    for &(id, index) in points {
        if areas.last().is_none_or(|area| area.id != id) {
            areas.extend(document.area(id).map(|area| (**area).clone()));
        }
        let held = areas.last_mut().filter(|area| area.id == id);
        if let Some(point) = held.and_then(|area| area.points.get_mut(index)) {
            *point = to(*point);
        }
    }
    (!areas.is_empty()).then_some(Command::SetAreas(areas))
}

/// Points, and all that lie exactly on one of them.
#[must_use]
pub fn with_joined(document: &Document, points: &BTreeSet<(AreaId, usize)>) -> BTreeSet<(AreaId, usize)> {
    let place = |&(id, index): &(AreaId, usize)| document.area(id)?.points.get(index).copied();
    let bits = |place: [f64; 2]| place.map(|value| (value + 0.0).to_bits());
    let places: BTreeSet<[u64; 2]> = points.iter().filter_map(place).map(bits).collect();
    let mut all = points.clone();
    for area in document.areas.iter() {
        let on = area.points.iter().enumerate().filter(|(_, point)| places.contains(&bits(**point)));
        all.extend(on.map(|(index, _)| (area.id, index)));
    }
    all
}

/// All points of all areas that lie exactly at a place.
#[must_use]
pub fn joined_points(document: &Document, place: [f64; 2]) -> Vec<(AreaId, usize)> {
    let mut found = Vec::new();
    for area in document.areas.iter() {
        let on = area.points.iter().enumerate().filter(|(_, point)| **point == place);
        found.extend(on.map(|(index, _)| (area.id, index)));
    }
    found
}

/// [`Area::with_point`].
#[must_use]
pub fn with_point(area: &Arc<Area>, edge: usize, place: [f64; 2]) -> Area {
    area.with_point(edge, place)
}

/// [`Area::without_point`].
#[must_use]
pub fn without_point(area: &Area, index: usize) -> Option<Area> {
    area.without_point(index)
}

/// The ghost that shows where a point would land, and by which rule.
#[must_use]
pub fn ghost(snapped: &Snapped) -> Vec<Shape> {
    let sign = match snapped.kind {
        SnapKind::Join { .. } => Sign::Ring,
        SnapKind::Square => Sign::Square,
        SnapKind::Grid => Sign::Plus,
    };
    let mut shapes = vec![Shape::Marker { at: snapped.place, sign, role: Role::Ghost }];
    if matches!(snapped.kind, SnapKind::Join { .. }) {
        shapes.push(Shape::Marker { at: snapped.place, sign: Sign::Disc, role: Role::Handle });
    }
    shapes
}

/// Keeps the coordinate that has moved less.
fn keep_axis(snapped: &mut Snapped, from: [f64; 2], place: [f64; 2]) {
    let still = usize::from((place[0] - from[0]).abs() >= (place[1] - from[1]).abs());
    snapped.place[still] = from[still];
}

/// `point` moved by `to − from`: exactly `to` where it is `from`, and back on the thousandth where all were on it.
#[must_use]
pub fn shifted(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    let moved: [f64; 2] = std::array::from_fn(|axis| {
        if point[axis] == from[axis] { to[axis] } else { point[axis] + (to[axis] - from[axis]) + 0.0 }
    });
    let on_grid = |place: [f64; 2]| round_to(place, 1000.0) == place;
    if on_grid(point) && on_grid(from) && on_grid(to) { round_to(moved, 1000.0) } else { moved }
}
