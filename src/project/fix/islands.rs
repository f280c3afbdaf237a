//! Parts of the mesh that nothing joins to the rest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::act::{Fix, FixContext, change, name_of, show as show_fix, thousandth};
use crate::bake::{AreaKind, Diagnostic};
use crate::format::{PolyRef, TiledNavMesh};
use crate::geom::plane::{contains, distance, nearest_on_segment};
use crate::project::{Area, AreaId, Command, Link, LinkId, Spot, new_id};
use crate::query::{Islands, PathScratch, QueryFilter, closest_nav_point, closest_on_polygon, islands};

/// Most polygons of a mesh in which fixes for islands are computed.
const MOST_POLYGONS: usize = 200_000;
/// Most corners of an island from which a link is tried.
const MOST_STARTS: usize = 64;
/// How far an end of a new link stands inside its polygon, in squares.
const INSIDE: f64 = 0.3;

/// A polygon of the mesh.
struct Part {
    reference: PolyRef,
    level: i8,
    corners: Vec<[f64; 3]>,
}

impl Part {
    fn middle(&self) -> [f64; 2] {
        let count = self.corners.len() as f64;
        let sum = self.corners.iter().fold([0.0; 2], |sum, corner| [sum[0] + corner[0], sum[1] + corner[2]]);
        sum.map(|value| value / count)
    }
}

fn parts(mesh: &TiledNavMesh) -> Vec<Part> {
    let mut found = Vec::new();
    for (tile_ref, tile) in mesh.tiles() {
        for (index, polygon) in (0_u32..).zip(&tile.polygons) {
            let vertex = |edge: usize| tile.vertices[tile.edge_vertices[edge] as usize];
            let corners =
                polygon.edges().map(|edge| tile.point_in_world(mesh.params(), vertex(edge))).collect();
            found.push(Part { reference: tile_ref.polygon(index), level: polygon.level(), corners });
        }
    }
    found
}

/// The mesh's polygons: those of the island, and the others.
fn divided(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<(Vec<Part>, Vec<Part>)> {
    let mesh = context.mesh?;
    let count: usize = mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
    if count > MOST_POLYGONS {
        return None;
    }
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    let level = Some(diagnostic.level);
    let here = closest_nav_point(mesh, diagnostic.place, level, 1.0, &filter, &mut scratch).ok()??;
    let all: Islands = islands(mesh, &filter);
    let island = all.of(here.polygon)?;
    Some(parts(mesh).into_iter().partition(|part| all.of(part.reference) == Some(island)))
}

/// The walk areas that a part of the mesh comes from.
fn areas_under<'a>(context: &FixContext<'a>, part: &[Part]) -> Vec<&'a Arc<Area>> {
    let middles: Vec<(i8, [f64; 2])> = part.iter().map(|part| (part.level, part.middle())).collect();
    let under = |area: &&Arc<Area>| {
        let on = |&(level, middle): &(i8, [f64; 2])| level == area.level && contains(&area.points, middle);
        area.kind == AreaKind::Walk && middles.iter().any(on)
    };
    context.document.areas.iter().filter(under).collect()
}

pub(super) fn show(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let (island, _) = divided(context, diagnostic)?;
    let areas = areas_under(context, &island).into_iter().map(|area| area.id).collect();
    Some(show_fix("Show the island", "Selects the areas that it is made of", areas))
}

/// Removes the areas that the island alone is made of.
pub(super) fn delete(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let (island, rest) = divided(context, diagnostic)?;
    let areas = areas_under(context, &island);
    let elsewhere: BTreeSet<AreaId> = areas_under(context, &rest).into_iter().map(|area| area.id).collect();
    if areas.is_empty() || areas.iter().any(|area| elsewhere.contains(&area.id)) {
        return None;
    }
    let name = match &areas[..] {
        [only] => format!("Delete {}", name_of(only)),
        many => format!("Delete its {} areas", many.len()),
    };
    let ids = areas.iter().map(|area| area.id).collect();
    Some(change(name, "Removes what the island is made of from the map", Command::RemoveAreas(ids)))
}

/// A jump over the narrowest way from the island to the rest.
pub(super) fn add_link(context: &FixContext<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let (island, rest) = divided(context, diagnostic)?;
    // How long a jump would be, and where on which polygons it would begin and end.
    type Jump<'a> = (f64, ([f64; 2], &'a Part), ([f64; 2], &'a Part));
    let mut best: Option<Jump<'_>> = None;
    let step = island.iter().map(|part| part.corners.len()).sum::<usize>().div_ceil(MOST_STARTS).max(1);
    let starts = island.iter().flat_map(|part| part.corners.iter().map(move |corner| (part, corner)));
    for (part, corner) in starts.step_by(step) {
        let from = [corner[0], corner[2]];
        for other in &rest {
            let count = other.corners.len();
            for (index, a) in other.corners.iter().enumerate() {
                let b = other.corners[(index + 1) % count];
                let to = nearest_on_segment([a[0], a[2]], [b[0], b[2]], from);
                let away = distance(from, to);
                if best.as_ref().is_none_or(|(least, ..)| away < *least) {
                    best = Some((away, (from, part), (to, other)));
                }
            }
        }
    }
    let (_, (from, part), (to, other)) = best?;
    let (start, end) = (spot_on(context, part, from)?, spot_on(context, other, to)?);
    let document = context.document;
    let user_id = document.links.iter().map(|link| link.user_id).max().map_or(1, |id| id.saturating_add(1));
    let taken = |name: &String| document.links.iter().any(|link| link.name == *name);
    let name = (1..=document.links.len() + 1).map(|count| format!("link {count}")).find(|name| !taken(name));
    let link = Link {
        id: LinkId(new_id()),
        name: name.unwrap_or_default(),
        start: start.at,
        start_level: start.level,
        start_y: start.y,
        end: end.at,
        end_level: end.level,
        end_y: end.y,
        radius: 0.5,
        bidirectional: true,
        area: 0,
        flags: 1,
        user_id,
    };
    let length = super::act::number(distance(start.at, end.at));
    let help = format!("A jump of {length} squares both ways, over the narrowest gap to the rest");
    Some(change("Add a link", help, Command::AddLinks(vec![link])))
}

/// A link's end a little inside a polygon, from a place on its rim: at a level's elevation, else at the floor's height.
fn spot_on(context: &FixContext<'_>, part: &Part, rim: [f64; 2]) -> Option<Spot> {
    let at = stepped_in(rim, part);
    if let Some(level) = level_at(context, part) {
        return Some(Spot { at, level, y: None });
    }
    let floor = closest_on_polygon(context.mesh?, part.reference, at)?;
    let [y, _] = thousandth([floor.position[1], 0.0]);
    Some(Spot { at, level: part.level, y: Some(y) })
}

/// The level at whose elevation a link's end stands on a flat polygon: its own, else any within the climb.
fn level_at(context: &FixContext<'_>, part: &Part) -> Option<i8> {
    let document = context.document;
    let climb = f64::from(context.class.climb);
    let near = |level: i8| {
        let height = document.settings.height + document.elevation(level);
        part.corners.iter().all(|corner| (corner[1] - height).abs() <= climb)
    };
    if near(part.level) {
        return Some(part.level);
    }
    document.levels.iter().map(|level| level.number).find(|&level| near(level))
}

/// A place a little inside a polygon, from its rim towards its middle.
fn stepped_in(place: [f64; 2], part: &Part) -> [f64; 2] {
    let middle = part.middle();
    let length = distance(place, middle);
    let share = if length > 0.0 { (INSIDE / length).min(0.5) } else { 0.0 };
    thousandth([0, 1].map(|axis| place[axis] + share * (middle[axis] - place[axis])))
}
