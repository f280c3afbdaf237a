//! Changes to outlines as a whole: simplify, join with neighbours, separate from them.

use std::collections::BTreeSet;

use super::canvas::grid::round_to;
use super::canvas::pick::{Item, contains, distance, edges, nearest_on_segment};
use super::state::{Selection, State, Tone};
use super::words::many;
use crate::bake::Surface;
use crate::project::{Area, AreaId, Command, Document};

/// Points nearer than this to another area's point or edge look like a missed join, in squares.
pub(super) const JOIN_REACH: f64 = 0.1;
/// How far a separated point steps back from where it was joined, in squares.
const STEP_BACK: f64 = 0.1;

impl State {
    /// Drops the points of selected areas without which no outline moves by more than `tolerance`; points that other
    /// areas share stay.
    pub fn simplify(&mut self, tolerance: f64) {
        let document = self.history.document();
        let mut changed = Vec::new();
        let mut dropped = 0;
        for area in self.selection.areas(document) {
            let simple = simplified(document, area, tolerance);
            dropped += area.points.len() - simple.points.len();
            changed.push(simple);
        }
        if changed.is_empty() {
            return self.say(Tone::Hint, "No area is selected");
        }
        if dropped == 0 {
            return self
                .say(Tone::Hint, format!("No point lies within {tolerance} of where its outline would be"));
        }
        let selection = self.selection.without_points();
        let name = format!("Simplify {}", self.selection.thing_words(document));
        if self.commit(&name, &Command::SetAreas(changed)) {
            self.selection = selection;
            self.say(Tone::Hint, format!("{} dropped", many(dropped, "point")));
        }
    }

    /// Puts points of the selection that nearly lie on another area's point or edge exactly there; on an edge the other
    /// area gets a point too, so that both edges agree.
    pub fn join_points(&mut self) {
        let document = self.history.document();
        let chosen: BTreeSet<AreaId> = self.selection.areas(document).map(|area| area.id).collect();
        let picked = self.selection.points();
        let mut joined = 0;
        let mut next: Vec<Area> = document.areas.iter().map(|area| (**area).clone()).collect();
        for at in 0..next.len() {
            if !chosen.contains(&next[at].id) {
                continue;
            }
            for index in 0..next[at].points.len() {
                if !picked.is_empty() && !picked.contains(&(next[at].id, index)) {
                    continue;
                }
                let place = next[at].points[index];
                match partner(&next, at, place) {
                    Some(Partner::Point(to)) if to != place => {
                        next[at].points[index] = to;
                        joined += 1;
                    }
                    Some(Partner::Edge(other, edge, to)) => {
                        next[at].points[index] = to;
                        next[other] = next[other].with_point(edge, to);
                        joined += 1;
                    }
                    Some(Partner::Point(_)) | None => {}
                }
            }
        }
        if joined == 0 {
            let text = format!(
                "Nothing to join: no point is within {JOIN_REACH} of another area without lying on it"
            );
            return self.say(Tone::Hint, text);
        }
        let name = format!("Join {} of {}", many(joined, "point"), self.selection.thing_words(document));
        if self.commit(&name, &Command::SetAreas(next)) {
            self.say(Tone::Hint, format!("{} joined", many(joined, "point")));
        }
    }

    /// Moves points of the selection that other areas share a step into their own area, so that they are joined no more.
    pub fn separate(&mut self) {
        let document = self.history.document();
        let picked = self.selection.points();
        let mut changed = Vec::new();
        let mut moved = 0;
        for area in self.selection.areas(document) {
            let mut apart = (**area).clone();
            for (index, &place) in area.points.iter().enumerate() {
                if !picked.is_empty() && !picked.contains(&(area.id, index))
                    || !is_shared(document, area.id, place)
                {
                    continue;
                }
                if let Some(inside) = step_inside(&area.points, index) {
                    apart.points[index] = inside;
                    moved += 1;
                }
            }
            changed.push(apart);
        }
        if moved == 0 {
            return self.say(Tone::Hint, "No point of the selection is joined with another area");
        }
        let name = format!("Separate {} of {}", many(moved, "point"), self.selection.thing_words(document));
        if self.commit(&name, &Command::SetAreas(changed)) {
            self.say(Tone::Hint, format!("{} stepped back by {STEP_BACK}", many(moved, "point")));
        }
    }

    /// Selects everything of the kinds that are selected, on this level.
    pub fn select_same_kind(&mut self) {
        let document = self.history.document();
        let kinds: Vec<_> = self.selection.areas(document).map(|area| area.kind).collect();
        let links = self.selection.links(document).next().is_some();
        let mut selection = Selection::default();
        for area in
            document.areas.iter().filter(|area| area.level == self.level && kinds.contains(&area.kind))
        {
            selection.add(Item::Area(area.id));
        }
        let here = |level| level == self.level;
        for link in
            document.links.iter().filter(|link| links && (here(link.start_level) || here(link.end_level)))
        {
            selection.add(Item::Link(link.id));
        }
        self.selection = selection;
    }

    /// Adds to the selection what its areas touch: areas of one level whose outlines meet or lie in one another, and on
    /// other levels those that share a point.
    pub fn select_touching(&mut self) {
        let document = self.history.document();
        let mut selection = self.selection.without_points();
        for held in self.selection.areas(document) {
            for other in document.areas.iter().filter(|other| other.id != held.id) {
                let touches = if other.level == held.level {
                    outlines_meet(&held.points, &other.points)
                } else {
                    other.points.iter().any(|point| held.points.contains(point))
                };
                if touches {
                    selection.add(Item::Area(other.id));
                }
            }
        }
        self.selection = selection;
    }
}

/// What a point would join.
enum Partner {
    Point([f64; 2]),
    /// The area's place in the list, the edge after which point, and the place on it.
    Edge(usize, usize, [f64; 2]),
}

fn partner(areas: &[Area], at: usize, place: [f64; 2]) -> Option<Partner> {
    let others = || areas.iter().enumerate().filter(move |(other, _)| *other != at);
    let points = others().flat_map(|(_, area)| area.points.iter().copied());
    let near = points.map(|point| (distance(point, place), point)).filter(|(away, _)| *away <= JOIN_REACH);
    if let Some((_, point)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) {
        return Some(Partner::Point(point));
    }
    let edges = others().flat_map(|(other, area)| {
        edges(&area.points).map(move |(edge, from, to)| (other, edge, nearest_on_segment(from, to, place)))
    });
    let near = edges.map(|(other, edge, on)| (distance(on, place), other, edge, on));
    let near = near.filter(|&(away, ..)| 0.0 < away && away <= JOIN_REACH);
    let (_, other, edge, on) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Partner::Edge(other, edge, round_to(on, 1000.0)))
}

fn is_shared(document: &Document, own: AreaId, place: [f64; 2]) -> bool {
    document.areas.iter().any(|area| area.id != own && area.points.contains(&place))
}

/// The place a step away from a point, of the eight around it, that lies inside the outline and nearest to the middle
/// between its edges.
fn step_inside(points: &[[f64; 2]], index: usize) -> Option<[f64; 2]> {
    let count = points.len();
    let (before, at, after) =
        (points[(index + count - 1) % count], points[index], points[(index + 1) % count]);
    let unit = |to: [f64; 2]| {
        let length = distance(at, to).max(f64::MIN_POSITIVE);
        [(to[0] - at[0]) / length, (to[1] - at[1]) / length]
    };
    let (a, b) = (unit(before), unit(after));
    // Along a straight line the middle of both edges says nothing; then any place inside will do.
    let along = [a[0] + b[0], a[1] + b[1]];
    let steps = [-1.0, 0.0, 1.0].into_iter().flat_map(|x| [-1.0, 0.0, 1.0].map(|z| [x, z]));
    let places = steps.map(|step: [f64; 2]| {
        let place = round_to([at[0] + step[0] * STEP_BACK, at[1] + step[1] * STEP_BACK], 1000.0);
        let length = step[0].hypot(step[1]);
        let turn = (step[0] * along[0] + step[1] * along[1]).abs() / length.max(1.0);
        (turn - 0.01 * length, place)
    });
    let inside = places.filter(|(_, place)| *place != at && contains(points, *place));
    inside.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
}

/// The area without the points that its outline does not need.
///
/// Source: Douglas and Peucker 1973, on the closed outline from its two points farthest apart from each other.
fn simplified(document: &Document, area: &Area, tolerance: f64) -> Area {
    let points = &area.points;
    let mut keep: Vec<bool> = points.iter().map(|&point| is_shared(document, area.id, point)).collect();
    let far = |from: usize| {
        let away = |index: &usize| distance(points[from], points[*index]);
        (0..points.len()).max_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0)
    };
    let first = far(0);
    let second = far(first);
    (keep[first], keep[second]) = (true, true);
    let fixed: Vec<usize> = (0..points.len()).filter(|&index| keep[index]).collect();
    for (place, &from) in fixed.iter().enumerate() {
        let to = fixed[(place + 1) % fixed.len()];
        keep_between(points, from, to, tolerance, &mut keep);
    }
    let mut simple = area.clone();
    for index in (0..points.len()).rev().filter(|&index| !keep[index]) {
        if let Some(fewer) = simple.without_point(index) {
            simple = fewer;
        }
    }
    debug_assert!(!matches!(&simple.surface, Surface::Heights(h) if h.len() != simple.points.len()));
    simple
}

/// Marks the points between two others (round the end of the list) that lie too far from the line.
fn keep_between(points: &[[f64; 2]], from: usize, to: usize, tolerance: f64, keep: &mut [bool]) {
    let mut parts = vec![(from, to)];
    while let Some((from, to)) = parts.pop() {
        let between =
            (1..points.len()).map(|step| (from + step) % points.len()).take_while(|&index| index != to);
        let away = |index: usize| {
            distance(nearest_on_segment(points[from], points[to], points[index]), points[index])
        };
        let Some(worst) = between.max_by(|&a, &b| away(a).total_cmp(&away(b))) else { continue };
        if away(worst) > tolerance {
            keep[worst] = true;
            parts.extend([(from, worst), (worst, to)]);
        }
    }
}

fn outlines_meet(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    let inside =
        |outer: &[[f64; 2]], inner: &[[f64; 2]]| inner.first().is_some_and(|&point| contains(outer, point));
    inside(a, b)
        || inside(b, a)
        || edges(a).any(|(_, p, q)| edges(b).any(|(_, r, s)| segments_meet(p, q, r, s)))
}

fn segments_meet(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let turn = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        robust::orient2d(
            robust::Coord { x: p[0], y: p[1] },
            robust::Coord { x: q[0], y: q[1] },
            robust::Coord { x: r[0], y: r[1] },
        )
    };
    let apart = |axis: usize| {
        a[axis].max(b[axis]) < c[axis].min(d[axis]) || c[axis].max(d[axis]) < a[axis].min(b[axis])
    };
    let strictly_one_side = |p, q, r, s| {
        let (x, y) = (turn(p, q, r), turn(p, q, s));
        x > 0.0 && y > 0.0 || x < 0.0 && y < 0.0
    };
    !apart(0) && !apart(1) && !strictly_one_side(a, b, c, d) && !strictly_one_side(c, d, a, b)
}
