//! Faults of one outline: crossings become pieces, points that are one become one.

use std::collections::BTreeMap;

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};

use super::act::{Fix, change, name_of};
use crate::bake::flat::join_levels;
use crate::bake::{AreaKind, Diagnostic, Element, FlatArea, FlatInput, Surface};
use crate::format::NavSettings;
use crate::geom::plane::{contains, distance, edges, nearest_on_segment, signed_area};
use crate::project::{Area, AreaId, Command, Document, issue_area, new_id};

/// A node of the joined outline nearer to a drawn point than this is that point, in squares: a step of the decimal
/// grid, on which nodes lie.
const SAME_POINT: f64 = 1e-4;
/// Most points of an outline that is split: the fix is computed while its button is shown.
const MOST_POINTS: usize = 2000;

/// The area as pieces that fill the same floor, none of which crosses itself or passes a point twice.
pub(super) fn split(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let area = issue_area(document, diagnostic)?;
    let pieces = simple_pieces(&area.points)?;
    let with = |points: Vec<[f64; 2]>, id: AreaId, name: String| {
        let surface = surface_of(area, &points);
        Area { id, name, points, surface, ..(**area).clone() }
    };
    let mut pieces = pieces.into_iter();
    let first = with(pieces.next()?, area.id, area.name.clone());
    let mut taken: Vec<String> = document.areas.iter().map(|area| area.name.clone()).collect();
    let rest: Vec<Area> = pieces
        .map(|points| {
            let stem = name_of(area);
            let free = |number: &u32| !taken.contains(&format!("{stem} {number}"));
            let name = format!("{stem} {}", (2..).find(free).unwrap_or(2));
            taken.push(name.clone());
            with(points, AreaId(new_id()), name)
        })
        .collect();
    let place = document.areas.iter().position(|other| other.id == area.id)?;
    let before = document.areas.get(place + 1).map(|next| next.id);
    let ids: Vec<AreaId> = rest.iter().map(|area| area.id).collect();
    let mut commands = vec![Command::SetAreas(vec![first])];
    if !rest.is_empty() {
        commands.push(Command::AddAreas(rest));
        commands.push(Command::MoveAreas { ids, before });
    }
    let help = "The area becomes pieces that fill the same floor, none of which crosses itself";
    Some(change("Split here", help, Command::Several(commands)))
}

/// Outlines that fill what one outline fills (non-zero rule), the largest first; `None` where rounding stands in the
/// way.
///
/// The joined outline is triangulated, and triangles are put together again as long as no corner comes twice: parts
/// without a hole stay whole, a part around a hole becomes two or more.
pub(super) fn simple_pieces(outline: &[[f64; 2]]) -> Option<Vec<Vec<[f64; 2]>>> {
    if outline.len() > MOST_POINTS {
        return None;
    }
    let boundary = filled_boundary(outline)?;
    let mut mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    for &[a, b] in &boundary {
        let ends = [a, b].map(|[x, z]| mesh.insert(Point2::new(x, z)));
        let [Ok(a), Ok(b)] = ends else { return None };
        if a == b || !mesh.can_add_constraint(a, b) {
            return None;
        }
        mesh.add_constraint(a, b);
    }
    let corner = |index: usize| {
        let at = mesh.vertex(spade::handles::FixedVertexHandle::from_index(index)).position();
        [at.x, at.y]
    };
    // Each inside triangle's corners, and by directed edge the triangle whose edge it is.
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    let mut of_edge: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for face in mesh.inner_faces() {
        let corners = face.vertices().map(|vertex| vertex.index());
        let at = corners.map(corner);
        let middle = [0, 1].map(|axis| (at[0][axis] + at[1][axis] + at[2][axis]) / 3.0);
        if !contains(outline, middle) {
            continue;
        }
        for edge in face.adjacent_edges() {
            if !edge.is_constraint_edge() {
                of_edge.insert((edge.from().index(), edge.to().index()), triangles.len());
            }
        }
        triangles.push(corners);
    }
    let mut pieces: Vec<Vec<[f64; 2]>> = put_together(&triangles, &of_edge)
        .into_iter()
        .map(|ring| ring.into_iter().map(corner).collect())
        .collect();
    let whole: f64 = boundary.iter().map(|[a, b]| (a[0] * b[1] - a[1] * b[0]) / 2.0).sum();
    let parts: f64 = pieces.iter().map(|piece| signed_area(piece)).sum();
    if pieces.is_empty() || (whole.abs() - parts).abs() > 1e-6 * (1.0 + parts) {
        return None;
    }
    pieces.sort_by(|a, b| signed_area(b).total_cmp(&signed_area(a)));
    Some(pieces)
}

/// Grows rings triangle by triangle, each corner once.
fn put_together(triangles: &[[usize; 3]], of_edge: &BTreeMap<(usize, usize), usize>) -> Vec<Vec<usize>> {
    let mut taken = vec![false; triangles.len()];
    let mut rings = Vec::new();
    for start in 0..triangles.len() {
        if std::mem::replace(&mut taken[start], true) {
            continue;
        }
        let mut ring = triangles[start].to_vec();
        let mut at = 0;
        // Every edge of the ring is looked at; what is put in is looked at next.
        while at < ring.len() {
            let (a, b) = (ring[at], ring[(at + 1) % ring.len()]);
            // Beyond lies the triangle that has the edge the other way round.
            let beyond = of_edge.get(&(b, a)).copied().filter(|&next| !taken[next]);
            let corner = beyond.and_then(|next| triangles[next].into_iter().find(|&c| c != a && c != b));
            match (beyond, corner) {
                (Some(next), Some(corner)) if !ring.contains(&corner) => {
                    taken[next] = true;
                    ring.insert(at + 1, corner);
                }
                _ => at += 1,
            }
        }
        rings.push(ring);
    }
    rings
}

/// The edges around what an outline fills, inside on the left, with drawn points exactly as they were drawn.
fn filled_boundary(outline: &[[f64; 2]]) -> Option<Vec<[[f64; 2]; 2]>> {
    let area = FlatArea {
        id: 1,
        name: String::new(),
        kind: AreaKind::Walk,
        level: 0,
        outline: outline.to_vec(),
        area_type: None,
        flags: None,
        surface: Surface::Level,
    };
    let input = FlatInput { areas: vec![area], ..FlatInput::default() };
    let joined = join_levels(&input, &NavSettings::default()).ok()?;
    let level = joined.levels.first()?;
    let drawn = |place: [f64; 2]| {
        let near = outline.iter().copied().find(|&point| distance(point, place) <= SAME_POINT);
        near.unwrap_or_else(|| crossing_place(place))
    };
    let all = level.outlines.iter().map(|edge| edge.map(drawn));
    Some(all.filter(|[a, b]| a != b).collect())
}

/// A crossing: on the thousandth where it lies there, else to the millionth.
fn crossing_place(place: [f64; 2]) -> [f64; 2] {
    let coarse = super::act::thousandth(place);
    if distance(coarse, place) < 1e-7 {
        return coarse;
    }
    place.map(|value| (value * 1e6).round() / 1e6 + 0.0)
}

/// The surface of a piece: heights along the drawn edges; where two cross, the earlier edge's, as the bake has it.
fn surface_of(area: &Area, points: &[[f64; 2]]) -> Surface {
    let Surface::Heights(heights) = &area.surface else { return area.surface.clone() };
    let height = |place: [f64; 2]| {
        if let Some(index) = area.points.iter().position(|&point| point == place) {
            return heights[index];
        }
        let away =
            |&(_, a, b): &(usize, [f64; 2], [f64; 2])| distance(nearest_on_segment(a, b, place), place);
        let on = edges(&area.points).find(|edge| away(edge) <= SAME_POINT);
        let Some((index, a, b)) = on else { return heights[0] };
        let part = (distance(a, place) / distance(a, b).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        heights[index] + part * (heights[(index + 1) % heights.len()] - heights[index])
    };
    Surface::Heights(points.iter().map(|&place| height(place)).collect())
}

/// Takes the second of two points that are nearly one away, or the tip of a spike.
pub(super) fn merge(document: &Document, diagnostic: &Diagnostic) -> Option<Fix> {
    let Element::Point { area, index } = diagnostic.element else { return None };
    let area = document.area(AreaId(area))?;
    let count = area.points.len();
    let at = *area.points.get(index)?;
    let next = (index + 1) % count;
    let is_pair = distance(at, area.points[next]) <= diagnostic.limit;
    let (gone, name, help) = if is_pair {
        (
            next,
            format!("Merge points {} and {}", index + 1, next + 1),
            "The second point goes, the first stays",
        )
    } else {
        (index, format!("Remove point {}", index + 1), "The tip of the spike goes")
    };
    let fewer = area.without_point(gone)?;
    Some(change(name, help, Command::SetAreas(vec![fewer])))
}
