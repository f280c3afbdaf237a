//! Parts of the floor that nearly meet, or meet in a point only.

use std::sync::Arc;

use super::act::{Fix, change, name_of, on_level, thousandth};
use crate::bake::{AreaKind, Diagnostic};
use crate::geom::plane::{contains, distance, edges, nearest_on_segment, part_along, signed_area};
use crate::project::{Area, Command, Document};

/// Edges whose directions differ by more than this sine do not face each other, as in the bake.
const LARGEST_SINE: f64 = 0.17;
/// How much a passage is widened, in squares.
const WIDEN: f64 = 0.1;

/// An area's edge.
#[derive(Clone, Copy)]
struct Side<'a> {
    area: &'a Arc<Area>,
    edge: usize,
    from: [f64; 2],
    to: [f64; 2],
}

/// Moves the smaller area's edge onto the other one's, with points on both where either ends.
pub(super) fn join(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let (place, gap) = (diagnostic.place, diagnostic.measured);
    let reach = gap * 0.5 + 0.005;
    let sides: Vec<Side<'_>> = document
        .areas
        .iter()
        .flat_map(|area| edges(&area.points).map(move |(edge, from, to)| Side { area, edge, from, to }))
        .filter(|side| distance(nearest_on_segment(side.from, side.to, place), place) <= reach)
        .collect();
    let unit = |side: &Side<'_>| {
        let length = distance(side.from, side.to).max(f64::MIN_POSITIVE);
        [(side.to[0] - side.from[0]) / length, (side.to[1] - side.from[1]) / length]
    };
    let facing = |a: &Side<'_>, b: &Side<'_>| {
        let (u, v) = (unit(a), unit(b));
        // On both sides of the place, as far apart as was measured.
        let [p, q] = [a, b].map(|side| nearest_on_segment(side.from, side.to, place));
        let apart = (distance(p, q) - gap).abs();
        let opposite = (p[0] - place[0]) * (q[0] - place[0]) + (p[1] - place[1]) * (q[1] - place[1]) <= 0.0;
        let parallel = (u[0] * v[1] - u[1] * v[0]).abs() <= LARGEST_SINE;
        (parallel && opposite && a.area.id != b.area.id).then_some(apart)
    };
    let pairs =
        sides.iter().enumerate().flat_map(|(index, a)| sides[index + 1..].iter().map(move |b| (a, b)));
    let measured = pairs.filter_map(|(a, b)| Some((facing(a, b)?, a, b)));
    let (apart, a, b) = measured.min_by(|x, y| x.0.total_cmp(&y.0))?;
    if apart > 0.005 {
        return None;
    }
    let size = |side: &Side<'_>| signed_area(&side.area.points).abs();
    let (fixed, moved) = if size(a) < size(b) { (b, a) } else { (a, b) };
    let changed = joined(document, fixed, moved);
    let help = format!(
        "Moves the edge of {} by {} onto {}, with points where either edge ends",
        name_of(moved.area),
        super::act::number(gap),
        name_of(fixed.area)
    );
    Some(change("Join", help, Command::SetAreas(changed)))
}

/// The areas with `moved`'s edge on `fixed`'s, and what was joined to its points moved along.
fn joined(document: &Document, fixed: &Side<'_>, moved: &Side<'_>) -> Vec<Area> {
    // How near an end of one edge is to an end of the other to become it.
    let near = 2.0
        * distance(nearest_on_segment(fixed.from, fixed.to, moved.from), moved.from)
            .min(distance(nearest_on_segment(fixed.from, fixed.to, moved.to), moved.to))
            .max(0.05);
    let mut into_fixed: Vec<[f64; 2]> = Vec::new();
    let mut steps: Vec<([f64; 2], [f64; 2])> = Vec::new();
    for end in [moved.from, moved.to] {
        let ends = [fixed.from, fixed.to];
        let nearest = if distance(ends[0], end) <= distance(ends[1], end) { ends[0] } else { ends[1] };
        let part = part_along(fixed.from, fixed.to, end);
        if distance(nearest, end) <= near {
            steps.push((end, nearest));
        } else if 0.0 < part && part < 1.0 {
            let on = thousandth(nearest_on_segment(fixed.from, fixed.to, end));
            steps.push((end, on));
            into_fixed.push(on);
        }
    }
    let reached = |place: [f64; 2]| steps.iter().any(|&(_, to)| to == place);
    let into_moved: Vec<[f64; 2]> = [fixed.from, fixed.to]
        .into_iter()
        .filter(|&end| !reached(end) && (0.0..=1.0).contains(&part_along(moved.from, moved.to, end)))
        .collect();
    let mut changed: Vec<Area> = Vec::new();
    for area in document.areas.iter() {
        let mut next = (**area).clone();
        if area.id == moved.area.id {
            next = with_points(next, moved.edge, &into_moved);
        } else if area.id == fixed.area.id {
            changed.push(with_points(next, fixed.edge, &into_fixed));
            continue;
        }
        for point in &mut next.points {
            if let Some(&(_, to)) = steps.iter().find(|(from, _)| from == point) {
                *point = to;
            }
        }
        if next != **area {
            changed.push(next);
        }
    }
    changed
}

/// Puts points into the edge after point `edge`, in their order along it.
fn with_points(area: Area, edge: usize, places: &[[f64; 2]]) -> Area {
    let (from, to) = (area.points[edge], area.points[(edge + 1) % area.points.len()]);
    let mut places = places.to_vec();
    // The last one first, so that each goes in right behind the edge's first point.
    places.sort_by(|a, b| part_along(from, to, *b).total_cmp(&part_along(from, to, *a)));
    places.into_iter().fold(area, |area, place| area.with_point(edge, place))
}

/// Moves the corner at which two parts touch a tenth into the part beyond (or a hole's corner back).
pub(super) fn widen(document: &Document, diagnostic: &Diagnostic) -> Vec<Fix> {
    let place = diagnostic.place;
    let corner = |area: &Arc<Area>| area.points.iter().position(|&point| distance(point, place) < 1e-4);
    let areas = on_level(document, diagnostic.level);
    let corners = areas.filter_map(|area| Some((area, corner(area)?)));
    let mut found = Vec::new();
    for (area, index) in corners {
        // A walk area grows out of its corner, a hole shrinks into it.
        let inward = area.kind == AreaKind::Hole;
        let Some(moved) = moved_corner(&area.points, index, inward) else { continue };
        let mut wider = (**area).clone();
        wider.points[index] = moved;
        let name = format!("Widen by {WIDEN} at {}", name_of(area));
        let help = format!("Moves point {} of {} so that there is a way through", index + 1, name_of(area));
        found.push(change(name, help, Command::SetAreas(vec![wider])));
    }
    found
}

/// The corner moved by [`WIDEN`] along the middle between its edges, into the outline or out of it.
fn moved_corner(points: &[[f64; 2]], index: usize, inward: bool) -> Option<[f64; 2]> {
    let count = points.len();
    let (before, at, after) =
        (points[(index + count - 1) % count], points[index], points[(index + 1) % count]);
    let unit = |to: [f64; 2]| {
        let length = distance(at, to);
        (length > 0.0).then(|| [(to[0] - at[0]) / length, (to[1] - at[1]) / length])
    };
    let (a, b) = (unit(before)?, unit(after)?);
    let mut along = [a[0] + b[0], a[1] + b[1]];
    let mut length = along[0].hypot(along[1]);
    if length < 1e-3 {
        // A straight line: at right angles to it.
        along = [-b[1], b[0]];
        length = 1.0;
    }
    let step = along.map(|value| value / length);
    let into = |sign: f64| [at[0] + sign * step[0] * 0.01, at[1] + sign * step[1] * 0.01];
    let sign = if contains(points, into(1.0)) { 1.0 } else { -1.0 };
    if !contains(points, into(sign)) {
        return None;
    }
    let sign = if inward { sign } else { -sign };
    // At least the whole step along each axis that it has a part of, so that the way is as wide as is said.
    let ceiling = |value: f64| (value.abs() * WIDEN * 1000.0).ceil().copysign(value) / 1000.0;
    let [x, z] = step.map(|value| ceiling(sign * value));
    Some(thousandth([at[0] + x, at[1] + z]))
}
