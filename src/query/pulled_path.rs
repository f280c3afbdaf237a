//! From a corridor pulled tight to a path's points: heights, levels, lengths, marks.

use super::funnel::{MarkKind, Pulled};
use super::nearest::cell_height;
use super::plan::Plan;
use super::surface::surface_length;
use super::view::{PolygonView, distance};
use super::{NavPath, NavPoint, PathOptions, PointMarks};
use crate::format::TiledNavMesh;

/// Fills a path that was cleared.
pub(super) fn write_path(
    mesh: &TiledNavMesh,
    plan: &Plan,
    pulled: &Pulled,
    options: PathOptions,
    path: &mut NavPath,
) {
    path.corridor.extend(pulled.steps.iter().map(|step| plan.polygons[step.cell as usize]));
    let mut last: Option<([f64; 2], u32)> = None;
    for mark in &pulled.marks {
        let number = pulled.steps[mark.step].cell;
        let own = &plan.cells[number as usize];
        let before = last.map_or(own, |(_, before)| &plan.cells[before as usize]);
        let mut point = NavPoint {
            position: [mark.at[0], f64::NAN, mark.at[1]],
            level: own.level,
            polygon: plan.polygons[number as usize],
            link: match mark.kind {
                MarkKind::Departure { user_id, .. } => Some(user_id),
                _ => None,
            },
            marks: PointMarks {
                start: false,
                end: false,
                departure: matches!(mark.kind, MarkKind::Departure { .. }),
                arrival: mark.kind == MarkKind::Arrival,
                area_change: own.area != before.area,
                level_change: own.level != before.level,
            },
        };
        let entry = entry_for(path.points.last(), &point, mark.kind, options);
        if entry != Entry::Nothing {
            point.position[1] = cell_height(mesh, plan, number, mark.at);
        }
        if let Some((at, before)) = last {
            let run = distance(at, mark.at);
            path.length += run;
            path.length_3d += match (mark.kind, path.points.last()) {
                (MarkKind::Arrival, Some(departure)) => run.hypot(point.position[1] - departure.position[1]),
                _ => cell_length(mesh, plan, before, at, mark.at),
            };
        }
        last = Some((mark.at, number));
        add_point(&mut path.points, point, entry);
    }
    if let Some(first) = path.points.first_mut() {
        first.marks.start = true;
    }
    if let Some(last) = path.points.last_mut() {
        last.marks.end = true;
    }
}

/// Length along a cell's surface.
fn cell_length(mesh: &TiledNavMesh, plan: &Plan, number: u32, from: [f64; 2], to: [f64; 2]) -> f64 {
    if !plan.cells[number as usize].flat_y.is_nan() {
        return distance(from, to);
    }
    let view = PolygonView::new(mesh, plan.polygons[number as usize]);
    view.map_or(f64::NAN, |view| surface_length(&view, from, to))
}

/// What a mark becomes of a path.
#[derive(Clone, Copy, PartialEq)]
enum Entry {
    Nothing,
    /// Another point.
    Added,
    /// Takes the last point's place, so that level and polygon are those from there on.
    InPlace,
}

/// A mark is a point if it is a bend, a link's end, or changes the level (or, if wanted, the area or the polygon).
fn entry_for(last: Option<&NavPoint>, point: &NavPoint, kind: MarkKind, options: PathOptions) -> Entry {
    let Some(last) = last else { return Entry::Added };
    let same_place = [last.position[0], last.position[2]] == [point.position[0], point.position[2]];
    if same_place && last.link.is_none() {
        Entry::InPlace
    } else if kind != MarkKind::Straight
        || last.level != point.level
        || (options.area_points && point.marks.area_change)
        || options.crossing_points
    {
        Entry::Added
    } else {
        Entry::Nothing
    }
}

fn add_point(points: &mut Vec<NavPoint>, mut point: NavPoint, entry: Entry) {
    match (entry, points.last_mut()) {
        (Entry::Nothing, _) => {}
        (Entry::InPlace, Some(last)) => {
            point.marks.arrival |= last.marks.arrival;
            point.marks.area_change |= last.marks.area_change;
            point.marks.level_change |= last.marks.level_change;
            *last = point;
        }
        _ => points.push(point),
    }
}
