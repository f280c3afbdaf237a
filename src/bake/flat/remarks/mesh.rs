//! Remarks on the stitched mesh: borders that did not join, islands, crowded tiles. Kept by slot, so that an edit looks
//! again at what it touched only.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bake::flat::outline::Drawing;
use crate::bake::flat::seam_line::SeamPiece;
use crate::bake::{Diagnostic, DiagnosticKind, Element};
use crate::format::{LinkKind, NO_SIDE, Polygon, SlotLinks, Tile, TileRef, TiledNavMesh};
use crate::geom::union_find::UnionFind;

/// More polygons than this in one tile slow queries and edits.
const CROWDED: usize = 4096;

/// What is known of a mesh's slots.
#[derive(Debug, Default)]
pub(crate) struct MeshNotes {
    slots: Vec<SlotNotes>,
}

#[derive(Debug)]
struct SlotNotes {
    /// What the notes were taken of.
    tile: Tile,
    links: Arc<SlotLinks>,
    /// Parts of the tile joined inside it, and the part of each polygon.
    parts: Vec<Part>,
    part_of: Vec<u32>,
    /// Links out of the tile: part, slot and part beyond, each once.
    joins: Vec<(u32, u32, u32)>,
    remarks: Vec<Diagnostic>,
}

/// A part of a tile: its area, and the middle and level of its first polygon.
#[derive(Clone, Copy, Debug)]
struct Part {
    area: f64,
    place: [f64; 2],
    level: i8,
}

/// What the notes on a mesh's borders need to know.
pub(crate) struct Borders<'a> {
    pub(crate) drawing: &'a Drawing,
    /// The shared pieces in a column's square.
    pub(crate) seams: &'a dyn Fn(i32, i32) -> &'a [SeamPiece],
    /// The columns that were asked for, if not all.
    pub(crate) tiles: Option<[i32; 4]>,
}

impl MeshNotes {
    /// Looks at the slots that changed, and says all there is to say.
    pub(crate) fn remark(
        &mut self,
        mesh: &TiledNavMesh,
        borders: &Borders<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        self.slots.truncate(mesh.slots().len());
        let mut fresh = Vec::new();
        for (slot, (reference, tile)) in mesh.tiles().enumerate() {
            let links = &mesh.links[slot];
            match self.slots.get_mut(slot) {
                Some(notes) if notes.tile.is_same(tile) && Arc::ptr_eq(&notes.links, links) => {}
                Some(notes) => {
                    *notes = take_notes(mesh, reference, tile, borders);
                    fresh.push(reference);
                }
                None => {
                    self.slots.push(take_notes(mesh, reference, tile, borders));
                    fresh.push(reference);
                }
            }
        }
        // A tile that changed has new links in the tiles around it, so those are fresh too.
        for reference in fresh {
            self.slots[reference.slot() as usize].joins = self.joins_of(mesh, reference);
        }
        diagnostics.extend(self.slots.iter().flat_map(|notes| &notes.remarks).cloned());
        if borders.tiles.is_none() {
            self.report_islands(diagnostics);
        }
    }

    fn joins_of(&self, mesh: &TiledNavMesh, reference: TileRef) -> Vec<(u32, u32, u32)> {
        let mut joins: Vec<(u32, u32, u32)> = Vec::new();
        for (index, &part) in (0..).zip(&self.slots[reference.slot() as usize].part_of) {
            for link in mesh.links(reference.polygon(index)) {
                let there = &self.slots[link.to.slot() as usize];
                joins.push((part, link.to.slot(), there.part_of[link.to.polygon() as usize]));
            }
        }
        joins.sort_unstable();
        joins.dedup();
        joins
    }

    /// Parts of the mesh that nothing joins to the largest one.
    fn report_islands(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut first = Vec::with_capacity(self.slots.len());
        let mut total = 0;
        for notes in &self.slots {
            first.push(total);
            total += notes.parts.len() as u32;
        }
        let mut sets = UnionFind::new(total as usize);
        for (notes, first_here) in self.slots.iter().zip(&first) {
            for &(part, slot, there) in &notes.joins {
                sets.union(first_here + part, first[slot as usize] + there);
            }
        }
        // A set's root is its first part, whose place and level it is said at.
        let mut islands: BTreeMap<u32, Part> = BTreeMap::new();
        for (number, part) in (0..).zip(self.slots.iter().flat_map(|notes| &notes.parts)) {
            let island = islands.entry(sets.find(number)).or_insert(Part { area: 0.0, ..*part });
            island.area += part.area;
        }
        let largest = islands
            .iter()
            .max_by(|a, b| a.1.area.total_cmp(&b.1.area).then(b.0.cmp(a.0)))
            .map(|(&root, _)| root);
        for (_, &Part { area, place, level }) in islands.iter().filter(|&(&root, _)| Some(root) != largest) {
            diagnostics.push(Diagnostic {
                kind: DiagnosticKind::Island,
                place,
                level,
                element: Element::Level(level),
                measured: area,
                limit: f64::NAN,
                message: format!(
                    "an island of {area:.3} square units: no seam, border or link joins it to the rest"
                ),
            });
        }
    }
}

fn take_notes(mesh: &TiledNavMesh, reference: TileRef, tile: &Tile, borders: &Borders<'_>) -> SlotNotes {
    let mut sets = UnionFind::new(tile.polygons.len());
    for (index, polygon) in (0..).zip(&tile.polygons) {
        for &neighbour in tile.edge_neighbours[polygon.edges()].iter().filter(|&&neighbour| neighbour != 0) {
            sets.union(index, neighbour - 1);
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of: Vec<u32> = Vec::with_capacity(tile.polygons.len());
    for (index, polygon) in (0..).zip(&tile.polygons) {
        let corners: Vec<[f64; 3]> = tile.edge_vertices[polygon.edges()]
            .iter()
            .map(|&vertex| tile.point_in_world(mesh.params(), tile.vertices[vertex as usize]))
            .collect();
        let (area, place) = area_and_middle(&corners);
        let root = sets.find(index);
        let part = if root == index { parts.len() as u32 } else { part_of[root as usize] };
        if root == index {
            parts.push(Part { area: 0.0, place, level: polygon.level() });
        }
        parts[part as usize].area += area;
        part_of.push(part);
    }
    let mut remarks = Vec::new();
    report_borders(mesh, reference, tile, borders, &mut remarks);
    report_crowd(mesh, tile, &mut remarks);
    report_thin_polygons(mesh, tile, borders.drawing, &mut remarks);
    let links = mesh.links[reference.slot() as usize].clone();
    SlotNotes { tile: tile.clone(), links, parts, part_of, joins: Vec::new(), remarks }
}

fn report_crowd(mesh: &TiledNavMesh, tile: &Tile, diagnostics: &mut Vec<Diagnostic>) {
    if tile.polygons.len() > CROWDED {
        let middle = mesh.params().tile_size / 2.0;
        diagnostics.push(Diagnostic {
            kind: DiagnosticKind::CrowdedTile,
            place: [
                mesh.params().tile_origin_x(tile.tile_x) + middle,
                mesh.params().tile_origin_z(tile.tile_z) + middle,
            ],
            level: 0,
            element: Element::Tile { tile_x: tile.tile_x, tile_z: tile.tile_z },
            measured: tile.polygons.len() as f64,
            limit: CROWDED as f64,
            message: format!(
                "tile ({}, {}) has {} polygons; smaller tiles make edits and queries quicker",
                tile.tile_x,
                tile.tile_z,
                tile.polygons.len()
            ),
        });
    }
}

/// The thinnest polygon of a tile, where some are thinner than two steps.
fn report_thin_polygons(
    mesh: &TiledNavMesh,
    tile: &Tile,
    drawing: &Drawing,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let limit = drawing.frame.length_from_units(2.0 * drawing.frame.step as f64);
    let width_of = |polygon: &Polygon| {
        let corners: Vec<[f64; 2]> = tile.edge_vertices[polygon.edges()]
            .iter()
            .map(|&vertex| tile.vertices[vertex as usize])
            .map(|[x, _, z]| [f64::from(x), f64::from(z)])
            .collect();
        // The least width of a convex polygon is at right angles to one of its edges.
        let width_at = |i: usize| {
            let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
            let d = [b[0] - a[0], b[1] - a[1]];
            let heights = corners.iter().map(|p| d[0] * (p[1] - a[1]) - d[1] * (p[0] - a[0]));
            heights.fold(0.0, f64::max) / (d[0] * d[0] + d[1] * d[1]).sqrt()
        };
        (0..corners.len()).map(width_at).fold(f64::INFINITY, f64::min)
    };
    let thin: Vec<(usize, f64)> =
        tile.polygons.iter().map(width_of).enumerate().filter(|&(_, width)| width < limit).collect();
    let Some(&(index, measured)) = thin.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
    let world = |&vertex: &u32| tile.point_in_world(mesh.params(), tile.vertices[vertex as usize]);
    let corners: Vec<[f64; 3]> = tile.edge_vertices[tile.polygons[index].edges()].iter().map(world).collect();
    let (column, count) = (format!("tile ({}, {})", tile.tile_x, tile.tile_z), thin.len());
    diagnostics.push(Diagnostic {
        kind: DiagnosticKind::ThinPolygon,
        place: area_and_middle(&corners).1,
        level: tile.polygons[index].level(),
        element: Element::Tile { tile_x: tile.tile_x, tile_z: tile.tile_z },
        measured,
        limit,
        message: format!(
            "{column}: polygons thinner than two steps of the grid ({limit:.9}): {count}, the thinnest {measured:.9} wide"
        ),
    });
}

/// The middle of an edge in world coordinates.
fn edge_middle(mesh: &TiledNavMesh, tile: &Tile, polygon: usize, edge: usize) -> [f64; 2] {
    let edges = tile.polygons[polygon].edges();
    let count = edges.len();
    let point = |edge: usize| {
        let vertex = tile.edge_vertices[edges.start + edge % count];
        tile.point_in_world(mesh.params(), tile.vertices[vertex as usize])
    };
    let (a, b) = (point(edge), point(edge + 1));
    [f64::midpoint(a[0], b[0]), f64::midpoint(a[2], b[2])]
}

/// Portals that no link covers although the drawing goes on, and links between levels that share no seam there.
fn report_borders(
    mesh: &TiledNavMesh,
    reference: TileRef,
    tile: &Tile,
    borders: &Borders<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let baked = |x: i64, z: i64| {
        borders.tiles.is_none_or(|[x0, z0, x1, z1]| {
            i64::from(x0) <= x && x <= i64::from(x1) && i64::from(z0) <= z && z <= i64::from(z1)
        })
    };
    let seams = (borders.seams)(tile.tile_x, tile.tile_z);
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let links = mesh.links(reference.polygon(index as u32));
        for (edge, at) in polygon.edges().enumerate() {
            let side = tile.edge_sides[at];
            if side == NO_SIDE {
                continue;
            }
            let (dx, dz) = [(1, 0), (0, 1), (-1, 0), (0, -1)][usize::from(side)];
            let portals = links.iter().filter(|l| l.kind == LinkKind::Portal && usize::from(l.edge) == edge);
            let beyond = (i64::from(tile.tile_x) + dx, i64::from(tile.tile_z) + dz);
            let level = polygon.level();
            let element = Element::Tile { tile_x: tile.tile_x, tile_z: tile.tile_z };
            let mut other_levels: Vec<i8> = Vec::new();
            let mut count = 0;
            for link in portals {
                count += 1;
                let other = mesh.polygon(link.to).map(|(tile, index)| tile.polygons[index].level());
                other_levels.extend(other.filter(|&other| other != level));
            }
            if count == 0 && baked(beyond.0, beyond.1) {
                diagnostics.push(Diagnostic {
                    kind: DiagnosticKind::BorderMismatch,
                    place: edge_middle(mesh, tile, index, edge),
                    level,
                    element,
                    measured: 0.0,
                    limit: 1.0,
                    message: format!(
                        "the floor goes on from tile ({}, {}) into ({}, {}), but nothing joins it there",
                        tile.tile_x, tile.tile_z, beyond.0, beyond.1
                    ),
                });
            }
            other_levels.sort_unstable();
            other_levels.dedup();
            // Said once, from the lower level.
            for other in other_levels.into_iter().filter(|&other| level < other) {
                let place = edge_middle(mesh, tile, index, edge);
                if is_on_seam(borders.drawing, seams, [level, other], place) {
                    continue;
                }
                diagnostics.push(Diagnostic {
                    kind: DiagnosticKind::LevelsTooClose,
                    place,
                    level,
                    element: Element::Levels([level, other]),
                    measured: f64::NAN,
                    limit: f64::from(mesh.params().walkable_climb),
                    message: format!(
                        "levels {level} and {other} lie within the climb at a tile border and join there, though they \
                         share no edge; set their elevations further apart"
                    ),
                });
            }
        }
    }
}

fn is_on_seam(drawing: &Drawing, seams: &[SeamPiece], levels: [i8; 2], [x, z]: [f64; 2]) -> bool {
    let joins = |piece: &&SeamPiece| {
        piece.left.iter().any(|left| {
            piece.right.iter().any(|right| {
                let pair = [drawing.levels[left.level], drawing.levels[right.level]];
                pair == levels || pair == [levels[1], levels[0]]
            })
        })
    };
    seams.iter().filter(joins).any(|piece| {
        let [from, to] = piece.ends().map(|[x, z]| drawing.frame.world_from_unit(x, z));
        let (dx, dz) = (to[0] - from[0], to[1] - from[1]);
        let (qx, qz) = (x - from[0], z - from[1]);
        let length = dx.hypot(dz);
        let along = (dx * qx + dz * qz) / length;
        ((dx * qz - dz * qx) / length).abs() < 1e-3 && -1e-3 < along && along < length + 1e-3
    })
}

fn area_and_middle(corners: &[[f64; 3]]) -> (f64, [f64; 2]) {
    let count = corners.len() as f64;
    let mut area = 0.0;
    let mut middle = [0.0; 2];
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let o = corners[0];
        area += (a[0] - o[0]) * (b[2] - o[2]) - (a[2] - o[2]) * (b[0] - o[0]);
        middle = [middle[0] + a[0] / count, middle[1] + a[2] / count];
    }
    (area / 2.0, middle)
}
