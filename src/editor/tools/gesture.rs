//! Drags that all tools share. Each update is computed from the document at the press, so nothing drifts; the release
//! is one undo step and a cancelled drag leaves no trace.

use std::collections::BTreeSet;

use super::context::{Context, Feedback};
use super::event::Effect;
use super::typed::change_words;
use crate::draw::{Anchor, Role, Shape, Sign};
use crate::editor::canvas::edge::points_put_in;
use crate::editor::canvas::grid::{FINEST, is_on_grid, round_to};
use crate::editor::canvas::pick::{Item, LinkEnd, distance};
use crate::editor::canvas::snap::{SnapKind, Snapped};
use crate::editor::selection::Selection;
use crate::project::{Area, AreaId, Command, Document, Geometry, Link, LinkId, Picture, Spot};

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
    /// Whether it is a point of something drawn, which may join others.
    joins: bool,
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
        let inserted = document.area(area)?.with_point(edge, place);
        Some(Self::Point(PointDrag { area, index: edge + 1, from: place, inserted: Some(inserted) }))
    }

    /// Takes hold of whole things at `press`.
    #[must_use]
    pub fn things(document: &Document, items: &Selection, press: [f64; 2]) -> Option<Self> {
        let areas = items.areas(document).flat_map(|area| area.points.iter().copied());
        let ends = items.links(document).flat_map(|link| [link.start, link.end]);
        let corners = items.pictures(document).map(|picture| picture.offset);
        let origins = items.geometry(document).map(|item| [item.offset[0], item.offset[2]]);
        let nearest = |places: &mut dyn Iterator<Item = [f64; 2]>| {
            places.min_by(|a, b| distance(*a, press).total_cmp(&distance(*b, press)))
        };
        let drawn = nearest(&mut areas.chain(ends));
        let joins = drawn.is_some();
        let anchor = drawn.or_else(|| nearest(&mut corners.chain(origins)))?;
        Some(Self::Things(ThingDrag { items: items.clone(), press, anchor, joins }))
    }

    /// The change that puts what is held at `place`, and the snap that won.
    #[must_use]
    pub fn update(&self, place: [f64; 2], context: &Context<'_>) -> (Option<Command>, Snapped) {
        match self {
            Self::Point(drag) => drag.update(place, context),
            Self::Points(drag) => drag.update(place, context),
            Self::Things(drag) => drag.update(place, context),
            Self::LinkEnd(id, end) => {
                let link = context.document.link(*id);
                let from = link.map(|link| if *end == LinkEnd::Start { link.start } else { link.end });
                let snapped = context.landed_on_grid(from.unwrap_or(place), place);
                let command = link.map(|link| {
                    let from = if *end == LinkEnd::Start { link.start_spot() } else { link.end_spot() };
                    // On the canvas it keeps its height; in 3D it goes to the floor under the mouse.
                    let there = context.link_spot(snapped.place);
                    let spot = if context.surface.is_some() { there } else { Spot { at: there.at, ..from } };
                    let link = (**link).clone();
                    Command::SetLinks(vec![match end {
                        LinkEnd::Start => link.starting_at(spot),
                        LinkEnd::End => link.ending_at(spot),
                    }])
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
            Self::Things(drag) => format!("Move {}", drag.items.thing_words(document)),
            Self::LinkEnd(..) => "Move link end".to_owned(),
        }
    }

    /// Ends the drag at a place: one undo step.
    #[must_use]
    pub fn end(&self, place: [f64; 2], context: &Context<'_>) -> Vec<Effect> {
        let mut effects = vec![Effect::Preview(None)];
        if let (Some(command), _) = self.update(place, context) {
            effects.push(Effect::Commit(self.name(context.document), command));
        }
        effects
    }

    /// Where a point that this drag has put in was put: there it stays if it is not dragged.
    #[must_use]
    pub fn held_place(&self) -> Option<[f64; 2]> {
        match self {
            Self::Point(drag) => drag.inserted.as_ref().map(|_| drag.from),
            _ => None,
        }
    }

    /// What is shown at the cursor.
    #[must_use]
    pub fn feedback(&self, place: [f64; 2], context: &Context<'_>) -> Feedback {
        let (_, snapped) = self.update(place, context);
        let mut shapes = ghost(&snapped);
        let mut words = vec![snapped.kind.word()];
        if let Some(from) = self.origin(context.document) {
            words.push(change_words(from, snapped.place));
            if context.axis(from, self.aim(place), self.keeps_axis()).is_some() {
                let points = vec![from, snapped.place];
                shapes.push(Shape::Polyline { points, closed: false, role: Role::DraftClosing });
            }
        }
        let joined = self.joined(context);
        if joined > 1 {
            words.push(format!("{joined} joined points"));
            shapes.extend(badge(joined, snapped.place, context.pixel));
        }
        words.retain(|word| !word.is_empty());
        Feedback { shapes, word: Some((snapped.place, words.join(" · "))), snap: Some(snapped.kind) }
    }

    /// Where what snaps would be without snapping.
    fn aim(&self, place: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Things(drag) => drag.aim(place),
            _ => place,
        }
    }

    /// Where what snaps was at the press.
    fn origin(&self, document: &Document) -> Option<[f64; 2]> {
        match self {
            Self::Point(drag) => Some(drag.from),
            Self::Points(drag) => Some(drag.from),
            Self::Things(drag) => Some(drag.anchor),
            Self::LinkEnd(id, LinkEnd::Start) => document.link(*id).map(|link| link.start),
            Self::LinkEnd(id, LinkEnd::End) => document.link(*id).map(|link| link.end),
        }
    }

    /// Whether `Shift` keeps an axis: not for a point that a `Shift`+click has just put in.
    fn keeps_axis(&self) -> bool {
        !matches!(self, Self::Point(drag) if drag.inserted.is_some())
    }

    /// How many points move as one; 0 for whole things.
    fn joined(&self, context: &Context<'_>) -> usize {
        match self {
            Self::Point(drag) if !context.keys.alt => drag.moving(context.document).len(),
            _ => 0,
        }
    }
}

impl PointDrag {
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
        let held = |id| moving.iter().any(|&(area, _)| area == id);
        let snapped = context.landed(self.from, place, self.inserted.is_none(), &held);
        let mut areas: Vec<Area> = Vec::new();
        for &(id, index) in &moving {
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
        (with_edge_point(command, document, &snapped, &held), snapped)
    }
}

impl PointsDrag {
    fn update(&self, place: [f64; 2], context: &Context<'_>) -> (Option<Command>, Snapped) {
        let document = context.document;
        let moving = if context.keys.alt { self.points.clone() } else { with_joined(document, &self.points) };
        let held = |id| moving.iter().any(|&(area, _)| area == id);
        let snapped = context.landed(self.from, place, true, &held);
        let command = shift_points(document, &moving, self.from, snapped.place);
        (with_edge_point(command, document, &snapped, &held), snapped)
    }
}

impl ThingDrag {
    fn aim(&self, place: [f64; 2]) -> [f64; 2] {
        [self.anchor[0] + place[0] - self.press[0], self.anchor[1] + place[1] - self.press[1]]
    }

    fn update(&self, place: [f64; 2], context: &Context<'_>) -> (Option<Command>, Snapped) {
        let aim = self.aim(place);
        let held = |id| self.items.has(Item::Area(id));
        if !self.joins {
            let snapped = context.landed_on_grid(self.anchor, aim);
            return (shift_items(context.document, &self.items, self.anchor, snapped.place), snapped);
        }
        let snapped = context.landed(self.anchor, aim, true, &held);
        let command = shift_items(context.document, &self.items, self.anchor, snapped.place);
        (with_edge_point(command, context.document, &snapped, &held), snapped)
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
    let pictures = items
        .pictures(document)
        .map(|picture| Command::SetPicture(Picture { offset: shift(picture.offset), ..(**picture).clone() }));
    let geometry = items.geometry(document).map(|item| {
        let [x, y, z] = item.offset;
        let [x, z] = shift([x, z]);
        Command::SetGeometry(Geometry { offset: [x, y, z], ..(**item).clone() })
    });
    let mut commands: Vec<Command> = pictures.chain(geometry).collect();
    if !links.is_empty() {
        commands.insert(0, Command::SetLinks(links));
    }
    if !areas.is_empty() {
        commands.insert(0, Command::SetAreas(areas));
    }
    match commands.len() {
        0 | 1 => commands.pop(),
        _ => Some(Command::Several(commands)),
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

/// A change together with the point that the edge under the snapped place gets; `held` areas are moved by the change.
fn with_edge_point(
    command: Option<Command>,
    document: &Document,
    snapped: &Snapped,
    held: &dyn Fn(AreaId) -> bool,
) -> Option<Command> {
    if !matches!(snapped.kind, SnapKind::Edge { .. }) {
        return command;
    }
    let others = points_put_in(document, &[snapped.place], held);
    if others.is_empty() {
        return command;
    }
    command.map(|command| Command::Several(vec![command, Command::SetAreas(others)]))
}

/// The ghost that shows where a point would land, and by which rule.
#[must_use]
pub fn ghost(snapped: &Snapped) -> Vec<Shape> {
    let sign = match snapped.kind {
        SnapKind::Join { .. } => Sign::Ring,
        SnapKind::Edge { .. } => Sign::Diamond,
        SnapKind::Square => Sign::EmptySquare,
        SnapKind::Grid | SnapKind::Typed => Sign::Plus,
    };
    let mut shapes = vec![Shape::Marker { at: snapped.place, sign, role: Role::Ghost }];
    if matches!(snapped.kind, SnapKind::Join { .. }) {
        shapes.push(Shape::Marker { at: snapped.place, sign: Sign::Disc, role: Role::Handle });
    }
    shapes
}

/// How many points lie on each other at a place: a disc with the number beside it.
#[must_use]
pub fn badge(count: usize, place: [f64; 2], pixel: f64) -> Vec<Shape> {
    let at = [place[0] - 14.0 * pixel, place[1] + 14.0 * pixel];
    vec![
        Shape::Marker { at, sign: Sign::Disc, role: Role::Badge },
        Shape::Text { at, text: count.to_string(), anchor: Anchor::Center, role: Role::BadgeText },
    ]
}

/// `point` moved by `to − from`: exactly `to` where it is `from`, and back on the thousandth where all were on it.
#[must_use]
pub fn shifted(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    let moved: [f64; 2] = std::array::from_fn(|axis| {
        if point[axis] == from[axis] { to[axis] } else { point[axis] + (to[axis] - from[axis]) + 0.0 }
    });
    let fine = |place| is_on_grid(place, FINEST);
    if fine(point) && fine(from) && fine(to) { round_to(moved, FINEST) } else { moved }
}
