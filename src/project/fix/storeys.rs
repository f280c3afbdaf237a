//! Areas that lie over or under the floors that they are meant for.

use super::act::{Fix, FixContext, change, number};
use crate::bake::{Diagnostic, DiagnosticKind};
use crate::format::TiledNavMesh;
use crate::geom::plane::{contains, thousandth};
use crate::project::{
    Area, Command, Document, Level, Spot, floors_over, issue_area, level_at, link_of, new_level_at,
};
use crate::query::{NavPlace, PathScratch, QueryFilter};

/// Places along each side of an outline's box at which floors are looked for.
const SIDE: u8 = 12;
/// Most heights that are offered.
const MOST: usize = 3;

/// Puts the hole on the floors that lie in it: the level itself where nothing else is on it, else the hole on a level of
/// that height.
pub(super) fn to_floors(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Vec<Fix> {
    let document = context.document;
    let (Some(area), Some(mesh)) = (issue_area(document, diagnostic), context.mesh) else {
        return Vec::new();
    };
    let climb = f64::from(context.class.climb);
    let mut heights = heights_in(mesh, area, climb);
    let own = document.height_of(area.level);
    heights.sort_by(|a, b| (a - own).abs().total_cmp(&(b - own).abs()));
    heights.truncate(MOST);
    let alone = stands_alone(document, area);
    let mut found = Vec::new();
    if let Some(&nearest) = heights.first().filter(|_| alone) {
        found.extend(lower_level(document, area, nearest));
    }
    // The nearest one is had by moving the level already.
    found.extend(heights.iter().skip(found.len()).filter_map(|&y| move_area(document, area, y, climb)));
    found
}

/// Puts a link's end on a floor that lies right where the end is, on another level or at another height; from the nearest.
pub(super) fn end_on_floor(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Vec<Fix> {
    let (document, Some(mesh)) = (context.document, context.mesh) else { return Vec::new() };
    let Some(link) = link_of(document, diagnostic) else { return Vec::new() };
    let at_end = diagnostic.kind == DiagnosticKind::LinkEndUnattached;
    let (spot, word) = if at_end { (link.end_spot(), "end") } else { (link.start_spot(), "start") };
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let mut floors = floors_over(mesh, spot.at, None, &filter, &mut scratch).unwrap_or_default();
    let own = spot.y.unwrap_or_else(|| document.height_of(spot.level));
    let away = |floor: &NavPlace| (floor.position[1] - own).abs();
    floors.sort_by(|a, b| away(a).total_cmp(&away(b)));
    let climb = f64::from(context.class.climb);
    let put = floors.iter().take(MOST).map(|floor| {
        let y = thousandth(floor.position[1]);
        let on_level = (document.height_of(floor.level) - y).abs() <= climb;
        let name = if on_level {
            format!("Put the {word} on level {}", floor.level)
        } else {
            format!("Put the {word} on the floor at {}", number(y))
        };
        let spot = Spot { at: spot.at, level: floor.level, y: (!on_level).then_some(y) };
        let link = (**link).clone();
        let moved = if at_end { link.ending_at(spot) } else { link.starting_at(spot) };
        change(name, "A floor lies right there", Command::SetLinks(vec![moved]))
    });
    put.collect()
}

fn lower_level(document: &Document, area: &Area, y: f64) -> Option<Fix> {
    let elevation = y - document.settings.height;
    let entry = document.level(area.level).map_or_else(|| Level::new(area.level), |entry| (**entry).clone());
    let name = format!("Put level {} at {}", area.level, number(elevation));
    let help = "The level's elevation becomes the height of the floor that lies in the hole";
    Some(change(name, help, Command::SetLevel(Level { elevation, ..entry })))
}

fn move_area(document: &Document, area: &Area, y: f64, climb: f64) -> Option<Fix> {
    let (number_of, level) = match level_at(document, y, climb) {
        Some(level) => (level, None),
        None => new_level_at(document, y).map(|level| (level.number, Some(level)))?,
    };
    let moved = Command::SetAreas(vec![Area { level: number_of, ..area.clone() }]);
    let (name, command) = match level {
        None => (format!("Move it to level {number_of}"), moved),
        Some(level) => {
            let name = format!("Move it to a level at {}", number(level.elevation));
            (name, Command::Several(vec![Command::SetLevel(level), moved]))
        }
    };
    Some(change(name, format!("There it cuts the floor at height {}", number(y)), command))
}

/// Whether nothing but one area has its height from the area's level.
fn stands_alone(document: &Document, area: &Area) -> bool {
    let level = area.level;
    let others = document.areas.iter().any(|other| other.level == level && other.id != area.id);
    let links = document.links.iter().any(|link| {
        let ends = [link.start_spot(), link.end_spot()];
        ends.iter().any(|end| end.level == level && end.y.is_none())
    });
    !others && !links && document.checks.is_empty()
}

/// World y of the floors in an outline, the lowest of each storey.
fn heights_in(mesh: &TiledNavMesh, area: &Area, climb: f64) -> Vec<f64> {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let axis = |axis: usize| area.points.iter().map(move |point| point[axis]);
    let low = [0, 1].map(|k| axis(k).fold(f64::INFINITY, f64::min));
    let high = [0, 1].map(|k| axis(k).fold(f64::NEG_INFINITY, f64::max));
    let mut heights: Vec<f64> = Vec::new();
    for (row, column) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
        let part = [column, row].map(|step| (f64::from(step) + 0.5) / f64::from(SIDE));
        let at = [0, 1].map(|k| low[k] + part[k] * (high[k] - low[k]));
        if !contains(&area.points, at) {
            continue;
        }
        let floors = floors_over(mesh, at, None, &filter, &mut scratch).unwrap_or_default();
        heights.extend(floors.iter().map(|floor| thousandth(floor.position[1])));
    }
    heights.sort_by(f64::total_cmp);
    // One storey may slope.
    let mut last = f64::NEG_INFINITY;
    heights.retain(|&y| {
        let starts = y - last > climb.max(0.05);
        last = y;
        starts
    });
    heights
}
