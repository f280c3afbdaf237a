//! Edges that levels share: which side they lie on, who shares them, and how high they meet.

use std::sync::Arc;

use super::act::{Fix, FixContext, change, name_of, number, thousandth};
use crate::bake::{AreaKind, Diagnostic, Element, Surface};
use crate::geom::plane::{self, contains, distance, edges, nearest_on_segment, part_along, signed_area};
use crate::project::{Area, Command, Document, Level};

/// An edge lies on a place if it is no farther away than this, in squares.
const ON_PLACE: f64 = 1e-4;
/// How far to a side of an edge its inside is looked for, in squares.
const BESIDE: f64 = 1e-3;
/// How far an edge steps back from a seam, in squares: a gap that no longer looks like a missed join.
const STEP_BACK: f64 = 0.1;

/// An area's edge through an issue's place.
#[derive(Clone, Copy)]
struct Side<'a> {
    area: &'a Arc<Area>,
    edge: usize,
    from: [f64; 2],
    to: [f64; 2],
    /// To where one can walk: into a walk area, out of a hole; of length 1.
    walkable: [f64; 2],
}

/// All edges through a place, of the areas of some levels, the smallest area first.
fn sides<'a>(document: &'a Document, place: [f64; 2], levels: Option<[i8; 2]>) -> Vec<Side<'a>> {
    let mut found = Vec::new();
    for area in document.areas.iter().filter(|area| levels.is_none_or(|levels| levels.contains(&area.level)))
    {
        for (edge, from, to) in edges(&area.points) {
            let length = distance(from, to);
            if length <= 0.0 || distance(nearest_on_segment(from, to, place), place) > ON_PLACE {
                continue;
            }
            let left = [-(to[1] - from[1]) / length, (to[0] - from[0]) / length];
            let beside = |sign: f64| [place[0] + sign * left[0] * BESIDE, place[1] + sign * left[1] * BESIDE];
            let (inside_left, inside_right) =
                (contains(&area.points, beside(1.0)), contains(&area.points, beside(-1.0)));
            if inside_left == inside_right {
                continue;
            }
            let sign = if inside_left == (area.kind == AreaKind::Walk) { 1.0 } else { -1.0 };
            found.push(Side { area, edge, from, to, walkable: left.map(|value| sign * value) });
        }
    }
    found.sort_by(|a, b| signed_area(&a.area.points).abs().total_cmp(&signed_area(&b.area.points).abs()));
    found
}

fn levels_of(diagnostic: &Diagnostic) -> Option<[i8; 2]> {
    match diagnostic.element {
        Element::Levels(levels) => Some(levels),
        _ => None,
    }
}

/// Mirrors an area about the shared edge, so that it lies on the edge's other side.
pub(super) fn flip(document: &Document, diagnostic: &Diagnostic) -> Vec<Fix> {
    let Some(levels) = levels_of(diagnostic) else { return Vec::new() };
    let all = sides(document, diagnostic.place, Some(levels));
    let walk = |side: &&Side<'_>| side.area.kind == AreaKind::Walk;
    let of_side = |side: &Side<'_>| {
        let across = |point: [f64; 2]| {
            let along = part_along(side.from, side.to, point);
            let foot = [0, 1].map(|axis| side.from[axis] + along * (side.to[axis] - side.from[axis]));
            if distance(foot, point) <= ON_PLACE {
                return point;
            }
            thousandth([0, 1].map(|axis| 2.0 * foot[axis] - point[axis]))
        };
        let points = side.area.points.iter().map(|&point| across(point)).collect();
        let flipped = Area { points, ..(**side.area).clone() };
        let help = "Mirrors the area about the edge, so that both levels meet there";
        change(format!("Flip {}", name_of(side.area)), help, Command::SetAreas(vec![flipped]))
    };
    all.iter().filter(walk).take(2).map(of_side).collect()
}

/// Moves an area's edge a tenth back from the seam, so that it shares it no more.
pub(super) fn take_off(document: &Document, diagnostic: &Diagnostic) -> Vec<Fix> {
    // Of a contested seam the issue names two levels, but all that lie there may go.
    let levels =
        levels_of(diagnostic).filter(|_| diagnostic.kind != crate::bake::DiagnosticKind::SeamContested);
    let all = sides(document, diagnostic.place, levels);
    let of_side = |side: &Side<'_>| {
        let away = |value: f64| (value.abs() * STEP_BACK * 1000.0 - 1e-6).ceil().copysign(value) / 1000.0;
        let [dx, dz] = side.walkable.map(away);
        let mut moved = (**side.area).clone();
        for index in [side.edge, (side.edge + 1) % side.area.points.len()] {
            let [x, z] = moved.points[index];
            moved.points[index] = thousandth([x + dx, z + dz]);
        }
        let help = format!("Moves this edge of {} by {STEP_BACK} away from it", name_of(side.area));
        change(format!("Take {} off the edge", name_of(side.area)), help, Command::SetAreas(vec![moved]))
    };
    all.iter().take(6).map(of_side).collect()
}

/// Lets a flat area rise to the other level along the seam, with points where the seam ends.
pub(super) fn make_ramp(document: &Document, diagnostic: &Diagnostic) -> Vec<Fix> {
    let Some(levels) = levels_of(diagnostic) else { return Vec::new() };
    let all = sides(document, diagnostic.place, Some(levels));
    let flat = |side: &&Side<'_>| side.area.kind == AreaKind::Walk && side.area.surface == Surface::Level;
    let of_side = |side: &Side<'_>| {
        // Where the other level's edges begin and end on this one.
        let other = all.iter().filter(|other| other.area.level != side.area.level);
        let mut ends: Vec<[f64; 2]> = other
            .flat_map(|other| [other.from, other.to])
            .filter(|&end| {
                let part = part_along(side.from, side.to, end);
                let on = distance(nearest_on_segment(side.from, side.to, end), end) <= ON_PLACE;
                on && 0.0 < part && part < 1.0 && !side.area.points.contains(&end)
            })
            .collect();
        ends.sort_by(|a, b| {
            part_along(side.from, side.to, *b).total_cmp(&part_along(side.from, side.to, *a))
        });
        ends.dedup();
        let ramp = ends.into_iter().fold((**side.area).clone(), |area, end| area.with_point(side.edge, end));
        let ramp = Area { surface: Surface::Ramp, ..ramp };
        let help = "Its points on the seam take the other level's elevation";
        change(format!("Make {} a ramp", name_of(side.area)), help, Command::SetAreas(vec![ramp]))
    };
    all.iter().filter(flat).take(2).map(of_side).collect()
}

fn with_elevation(document: &Document, level: i8, elevation: f64, help: &str) -> Fix {
    let entry = document.level(level).map_or_else(|| Level::new(level), |entry| (**entry).clone());
    let name = format!("Set level {level} to elevation {}", number(elevation));
    change(name, help, Command::SetLevel(Level { elevation, ..entry }))
}

/// Brings the level farther from the ground so near that the step is the climb.
pub(super) fn set_elevation(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let [low, high] = levels_of(diagnostic)?;
    let (below, above) = (document.elevation(low), document.elevation(high));
    let climb = (diagnostic.limit * 1000.0).floor() / 1000.0;
    // The higher number moves, unless it is the ground.
    let (level, from, to) = if high == 0 { (low, below, above) } else { (high, above, below) };
    let nearer = diagnostic.measured - climb;
    if nearer <= 0.0 || (from - to).abs() < nearer {
        return None;
    }
    let elevation = plane::thousandth(from + nearer.copysign(to - from));
    Some(with_elevation(
        document,
        level,
        elevation,
        "All of the level moves; the step is then what the agent climbs",
    ))
}

/// Sets two levels so far apart that no border takes one for the other.
pub(super) fn set_apart(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let [low, high] = levels_of(diagnostic)?;
    let document = context.document;
    let (below, above) = (document.elevation(low), document.elevation(high));
    let apart = f64::from(context.class.height).max(2.0 * diagnostic.limit);
    let apart = (apart * 10.0).ceil() / 10.0;
    let (level, from) = if high == 0 { (low, above - apart) } else { (high, below + apart) };
    let help = "All of the level moves, out of the climb and with head room below";
    Some(with_elevation(document, level, plane::thousandth(from), help))
}
