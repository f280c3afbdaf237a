//! Parts of the mesh that nothing joins to the rest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::act::{Fix, FixContext, change, name_of, show as show_fix};
use crate::bake::{AreaKind, Diagnostic};
use crate::format::{PolyRef, TiledNavMesh};
use crate::geom::plane::{contains, signed_area};
use crate::project::{Area, AreaId, Command, floors_over};
use crate::query::{Islands, NavPlace, PathScratch, QueryFilter, closest_nav_point, islands};

/// Most polygons of a mesh in which fixes for islands are computed.
const MOST_POLYGONS: usize = 200_000;

/// A polygon of the mesh.
pub(super) struct Part {
    pub(super) reference: PolyRef,
    pub(super) level: i8,
    /// World x, y, z.
    pub(super) corners: Vec<[f64; 3]>,
}

impl Part {
    pub(super) fn of(mesh: &TiledNavMesh, reference: PolyRef) -> Option<Self> {
        let (tile, index) = mesh.polygon(reference)?;
        let polygon = tile.polygons.get(index)?;
        let vertex = |edge: usize| tile.vertices[tile.edge_vertices[edge] as usize];
        let corners = polygon.edges().map(|edge| tile.point_in_world(mesh.params(), vertex(edge))).collect();
        Some(Self { reference, level: polygon.level(), corners })
    }

    /// World x, z of its corners.
    pub(super) fn ring(&self) -> Vec<[f64; 2]> {
        self.corners.iter().map(|&[x, _, z]| [x, z]).collect()
    }

    pub(super) fn middle(&self) -> [f64; 2] {
        let count = self.corners.len() as f64;
        let sum = self.corners.iter().fold([0.0; 2], |sum, corner| [sum[0] + corner[0], sum[1] + corner[2]]);
        sum.map(|value| value / count)
    }
}

pub(super) fn parts(mesh: &TiledNavMesh) -> impl Iterator<Item = Part> + '_ {
    let polygons = mesh.tiles().flat_map(|(tile_ref, tile)| {
        (0..tile.polygons.len() as u32).map(move |index| tile_ref.polygon(index))
    });
    polygons.filter_map(|reference| Part::of(mesh, reference))
}

fn is_too_large(mesh: &TiledNavMesh) -> bool {
    mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum::<usize>() > MOST_POLYGONS
}

/// Why nothing is looked for in a mesh.
pub(super) fn not_looked_for(context: &FixContext<'_>) -> Option<String> {
    let too_large = context.mesh.is_some_and(is_too_large);
    too_large.then(|| format!("no link is looked for in a mesh of more than {MOST_POLYGONS} polygons"))
}

/// What is known of the islands of one mesh, kept between its issues.
#[derive(Debug, Default)]
pub struct IslandMemory {
    known: Option<Known>,
    pub(super) scratch: PathScratch,
}

#[derive(Debug)]
struct Known {
    /// Of the mesh that it is known of.
    edition: u64,
    all: Arc<Islands>,
    /// Per island, in squares.
    sizes: Vec<f64>,
}

impl IslandMemory {
    fn of(&mut self, mesh: &TiledNavMesh) -> &Known {
        let known = self.known.take().filter(|known| known.edition == mesh.edition());
        self.known.insert(known.unwrap_or_else(|| {
            let all: Islands = islands(mesh, &QueryFilter::default());
            let mut sizes = vec![0.0; all.count()];
            for part in parts(mesh) {
                if let Some(island) = all.of(part.reference) {
                    sizes[island as usize] += signed_area(&part.ring()).abs();
                }
            }
            Known { edition: mesh.edition(), all: Arc::new(all), sizes }
        }))
    }
}

/// The islands of a mesh, and which two of them an issue is about.
pub(super) struct Divided {
    pub(super) all: Arc<Islands>,
    /// The one that it names, and a place on it.
    pub(super) island: u32,
    pub(super) place: NavPlace,
    /// The largest, which that one should be joined with.
    pub(super) main: u32,
}

/// Which island an issue names: at its place, as all of them are told; of storeys over each other the largest one that is
/// not the largest of all.
pub(super) fn divided(
    context: &FixContext<'_>,
    diagnostic: &Diagnostic,
    memory: &mut IslandMemory,
) -> Option<Divided> {
    let mesh = context.mesh?;
    if is_too_large(mesh) {
        return None;
    }
    let Known { all, sizes, .. } = memory.of(mesh);
    let (all, sizes) = (Arc::clone(all), sizes.clone());
    let (filter, scratch) = (QueryFilter::default(), &mut memory.scratch);
    // Of equal ones the first.
    let larger = |a: u32, b: u32| sizes[a as usize].total_cmp(&sizes[b as usize]).then(b.cmp(&a));
    let main = (0..all.count() as u32).max_by(|&a, &b| larger(a, b))?;
    let level = Some(diagnostic.level);
    let mut here = floors_over(mesh, diagnostic.place, level, &filter, scratch).ok()?;
    if here.is_empty() {
        here.extend(closest_nav_point(mesh, diagnostic.place, level, 1.0, &filter, scratch).ok()?);
    }
    let named = here.into_iter().filter_map(|floor| Some((all.of(floor.polygon)?, floor)));
    let named = named.filter(|(island, _)| *island != main);
    let (island, place) = named.max_by(|a, b| larger(a.0, b.0))?;
    Some(Divided { all, island, place, main })
}

/// The mesh's polygons: those of the island, and the others.
fn both_sides(
    context: &FixContext<'_>,
    Divided { all, island, .. }: &Divided,
) -> Option<(Vec<Part>, Vec<Part>)> {
    Some(parts(context.mesh?).partition(|part| all.of(part.reference) == Some(*island)))
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

pub(super) fn show(context: &FixContext<'_>, divided: &Divided) -> Option<Fix> {
    let (island, _) = both_sides(context, divided)?;
    let areas = areas_under(context, &island).into_iter().map(|area| area.id).collect();
    Some(show_fix("Show the island", "Selects the areas that it is made of", areas))
}

/// Removes the areas that the island alone is made of.
pub(super) fn delete(context: &FixContext<'_>, divided: &Divided) -> Option<Fix> {
    let (island, rest) = both_sides(context, divided)?;
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
