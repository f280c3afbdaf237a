//! Only what can be reached from a seed stays.

use std::collections::BTreeMap;

use super::census::{Census, Reached, middle_of};
use super::column::Context;
use super::grid::VoxelGrid;
use super::kept_mesh::{ColumnTiles, KeptMesh};
use crate::bake::{BakeError, Diagnostic, DiagnosticKind, Element, VoxelInput};
use crate::format::{
    DetailMesh, NavMeshParams, PolyRef, Polygon, RawTile, Tile, TilePosition, TileRef, TiledNavMesh,
};

/// What seeds reach of a map, kept from bake to bake: an edit pays for the tiles that it changed and for those around them.
#[derive(Debug, Default)]
pub(crate) struct Seeded {
    /// All floors, before what no seed reaches went.
    mesh: KeptMesh,
    census: Census,
    /// Tiles of which a part is left.
    cut: BTreeMap<TilePosition, Cut>,
}

/// A tile, which of its parts are left, and the tile of these.
#[derive(Debug)]
struct Cut {
    whole: Tile,
    parts: Vec<bool>,
    rest: Tile,
}

impl Seeded {
    /// How many polygons the last bake looked at for it.
    pub(crate) fn looked_at(&self) -> usize {
        self.census.looked_at
    }

    /// Takes from the tiles all polygons that no seed reaches along the mesh's links, and answers how many that are, if
    /// any. A seed that lies on no floor is said. `once`: no other bake follows.
    ///
    /// # Errors
    /// [`BakeError::Format`] for more links than the format takes, or if what is left of a tile breaks a rule of the
    /// format, which it does not.
    pub(crate) fn keep_reached(
        &mut self,
        tiles: &mut ColumnTiles,
        input: &VoxelInput,
        context: &Context<'_>,
        once: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Option<Diagnostic>, BakeError> {
        let (settings, grid) = (context.settings, &context.grid);
        let mesh = self.mesh.link(settings, &context.params, tiles, None, once, &mut Vec::new())?;
        self.census.update(&mesh);
        let reach =
            [2.0 * grid.cell_size + f64::from(settings.agent_radius), f64::from(settings.agent_height)];
        let mut starts = Vec::with_capacity(input.seeds.len());
        for (index, &seed) in input.seeds.iter().enumerate() {
            match polygon_at(&mesh, seed, reach) {
                Some(polygon) => starts.push(polygon),
                None => diagnostics.push(no_floor(index, seed, grid)),
            }
        }
        let reached = self.census.reached(&mesh, starts.into_iter());
        let unreached = no_seed_reaches(&mesh, &self.census, &reached);
        let mut old = std::mem::take(&mut self.cut);
        for layers in tiles.values_mut() {
            let mut kept = Vec::with_capacity(layers.len());
            for tile in layers.drain(..) {
                let Some((slot, linked)) = mesh.tile_at(tile.position()) else { continue };
                let parts = reached.of(slot);
                if parts.iter().all(|&keep| keep) {
                    kept.push(tile);
                } else if parts.contains(&true) {
                    let known = old.remove(&tile.position());
                    let cut = match known.filter(|cut| cut.whole.is_same(&tile) && cut.parts == parts) {
                        Some(cut) => cut,
                        None => {
                            let rest = without(&tile, &self.census.polygons_of(linked, parts));
                            let rest = rest.validate(&context.params)?;
                            Cut { whole: tile.clone(), parts: parts.to_vec(), rest }
                        }
                    };
                    kept.push(cut.rest.clone());
                    self.cut.insert(tile.position(), cut);
                }
            }
            *layers = kept;
        }
        tiles.retain(|_, layers| !layers.is_empty());
        Ok(unreached)
    }
}

/// How many polygons are not reached, at the largest of them.
fn no_seed_reaches(mesh: &TiledNavMesh, census: &Census, reached: &Reached) -> Option<Diagnostic> {
    let (mut count, mut total) = (0_usize, 0.0);
    let mut largest: Option<(f64, &Tile, u32)> = None;
    for (slot, tile) in mesh.tiles() {
        for (part, _) in census.parts(slot, tile, reached).filter(|(_, reached)| !reached) {
            (count, total) = (count + part.polygons, total + part.area);
            let (polygon, area) = part.largest;
            if largest.is_none_or(|(most, ..)| area > most) {
                largest = Some((area, tile, polygon));
            }
        }
    }
    let (_, tile, index) = largest?;
    let index = index as usize;
    let polygons = if count == 1 { "1 polygon" } else { &format!("{count} polygons") };
    Some(Diagnostic {
        kind: DiagnosticKind::NoSeedReaches,
        place: middle_of(mesh, tile, index),
        level: tile.polygons[index].level(),
        element: Element::Settings,
        measured: total,
        limit: 0.0,
        message: format!(
            "no seed reaches {polygons} of {total:.3} square units in all, the largest here, so they are left out"
        ),
    })
}

fn no_floor(index: usize, [x, y, z]: [f64; 3], grid: &VoxelGrid) -> Diagnostic {
    Diagnostic {
        kind: DiagnosticKind::SeedOffFloor,
        place: [x, z],
        level: 0,
        element: Element::Settings,
        measured: y,
        limit: grid.cell_height,
        message: format!("seed {} at {x}, {y}, {z} lies on no floor, so nothing is kept for it", index + 1),
    }
}

/// The polygon nearest to a place, no farther than `reach` across and up or down.
fn polygon_at(mesh: &TiledNavMesh, place: [f64; 3], reach: [f64; 2]) -> Option<PolyRef> {
    let params = mesh.params();
    let (low, high) = (
        params.world_to_tile(place[0] - reach[0], place[2] - reach[0])?,
        params.world_to_tile(place[0] + reach[0], place[2] + reach[0])?,
    );
    let mut best: Option<(f64, PolyRef)> = None;
    for tile_z in low.1..=high.1 {
        for tile_x in low.0..=high.0 {
            for (slot, tile) in mesh.column(tile_x, tile_z) {
                nearest_of_tile(params, slot, tile, place, reach, &mut best);
            }
        }
    }
    best.map(|(_, polygon)| polygon)
}

pub(crate) fn nearest_of_tile(
    params: &NavMeshParams,
    slot: TileRef,
    tile: &Tile,
    [x, y, z]: [f64; 3],
    reach: [f64; 2],
    best: &mut Option<(f64, PolyRef)>,
) {
    for (number, polygon) in (0..).zip(&tile.polygons) {
        let corners: Vec<[f64; 3]> = tile.edge_vertices[polygon.edges()]
            .iter()
            .map(|&vertex| tile.point_in_world(params, tile.vertices[vertex as usize]))
            .collect();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut inside, mut across) = (true, f64::INFINITY);
        for (index, &b) in corners.iter().enumerate() {
            let a = corners[(index + corners.len() - 1) % corners.len()];
            (low, high) = (low.min(b[1]), high.max(b[1]));
            let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
            let (px, pz) = (x - a[0], z - a[2]);
            inside &= dx * pz - dz * px >= 0.0;
            let t = ((px * dx + pz * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
            across = across.min((px - t * dx) * (px - t * dx) + (pz - t * dz) * (pz - t * dz));
        }
        let across = if inside { 0.0 } else { across };
        let up = (low - y).max(y - high).max(0.0);
        let score = across + up * up;
        if across <= reach[0] * reach[0] && up <= reach[1] && best.is_none_or(|(least, _)| score < least) {
            *best = Some((score, slot.polygon(number)));
        }
    }
}

/// A tile with some of its polygons, as if it had never had the others.
fn without(tile: &Tile, keep: &[bool]) -> RawTile {
    let mut number_of = vec![0; tile.polygons.len()];
    let mut count = 0;
    for (index, _) in keep.iter().enumerate().filter(|&(_, &keep)| keep) {
        count += 1;
        number_of[index] = count;
    }
    let mut is_used = vec![false; tile.vertices.len()];
    let kept = || tile.polygons.iter().enumerate().filter(|&(index, _)| keep[index]);
    for (_, polygon) in kept() {
        tile.edge_vertices[polygon.edges()].iter().for_each(|&vertex| is_used[vertex as usize] = true);
    }
    let mut index_of = vec![0; tile.vertices.len()];
    let mut raw = RawTile {
        tile_x: tile.tile_x,
        tile_z: tile.tile_z,
        layer: tile.layer,
        origin_y: tile.origin_y,
        ..RawTile::default()
    };
    for (vertex, _) in is_used.iter().enumerate().filter(|&(_, &used)| used) {
        index_of[vertex] = raw.vertices.len() as u32;
        raw.vertices.push(tile.vertices[vertex]);
    }
    for (index, polygon) in kept() {
        let first_edge = raw.edge_vertices.len() as u32;
        raw.polygons.push(Polygon { first_edge, ..*polygon });
        for edge in polygon.edges() {
            raw.edge_vertices.push(index_of[tile.edge_vertices[edge] as usize]);
            let neighbour = tile.edge_neighbours[edge];
            // A neighbour is reached with it.
            raw.edge_neighbours.push(if neighbour == 0 { 0 } else { number_of[neighbour as usize - 1] });
            raw.edge_sides.push(tile.edge_sides[edge]);
        }
        if let Some(detail) = tile.detail_meshes.get(index) {
            let vertices = detail.vertex_base as usize..(detail.vertex_base + detail.vertex_count) as usize;
            let triangles =
                detail.triangle_base as usize..(detail.triangle_base + detail.triangle_count) as usize;
            raw.detail_meshes.push(DetailMesh {
                vertex_base: raw.detail_vertices.len() as u32,
                triangle_base: raw.detail_triangles.len() as u32,
                ..*detail
            });
            raw.detail_vertices.extend_from_slice(&tile.detail_vertices[vertices]);
            raw.detail_triangles.extend_from_slice(&tile.detail_triangles[triangles]);
        }
    }
    raw
}
