//! Remarks on the stitched mesh: borders that did not join, islands, crowded tiles, slivers.

use std::collections::BTreeMap;

use crate::bake::{Diagnostic, DiagnosticKind, Element, Seam};
use crate::format::{LinkKind, NO_SIDE, Polygon, Tile, TiledNavMesh};
use crate::geom::union_find::UnionFind;

/// More polygons than this in one tile slow queries and edits.
const CROWDED: usize = 4096;

/// All remarks on the mesh. `tiles`: the columns that were asked for, if not all; `step`: of the binary grid.
pub(crate) fn on_mesh(
    mesh: &TiledNavMesh,
    seams: &[Seam],
    tiles: Option<[i32; 4]>,
    step: f64,
    diagnostics: &mut Vec<Diagnostic>,
) {
    report_borders(mesh, seams, tiles, diagnostics);
    if tiles.is_none() {
        report_islands(mesh, diagnostics);
    }
    for (_, tile) in mesh.tiles() {
        report_thin_polygons(mesh, tile, 2.0 * step, diagnostics);
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
}

/// The thinnest polygon of a tile, where some are thinner than `limit`.
fn report_thin_polygons(mesh: &TiledNavMesh, tile: &Tile, limit: f64, diagnostics: &mut Vec<Diagnostic>) {
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
            heights.fold(0.0, f64::max) / d[0].hypot(d[1])
        };
        (0..corners.len()).map(width_at).fold(f64::INFINITY, f64::min)
    };
    let thin: Vec<(usize, f64)> =
        tile.polygons.iter().map(width_of).enumerate().filter(|&(_, width)| width < limit).collect();
    let Some(&(index, measured)) = thin.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
    let world = |&vertex: &u32| tile.point_in_world(mesh.params(), tile.vertices[vertex as usize]);
    let corners: Vec<[f64; 3]> = tile.edge_vertices[tile.polygons[index].edges()].iter().map(world).collect();
    diagnostics.push(Diagnostic {
        kind: DiagnosticKind::ThinPolygon,
        place: area_and_middle(&corners).1,
        level: tile.polygons[index].level(),
        element: Element::Tile { tile_x: tile.tile_x, tile_z: tile.tile_z },
        measured,
        limit,
        message: format!(
            "tile ({}, {}) has {} polygons thinner than two steps of the grid ({limit:.9}); the thinnest is {measured:.9} wide",
            tile.tile_x,
            tile.tile_z,
            thin.len()
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
    seams: &[Seam],
    tiles: Option<[i32; 4]>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let baked = |x: i64, z: i64| {
        tiles.is_none_or(|[x0, z0, x1, z1]| {
            i64::from(x0) <= x && x <= i64::from(x1) && i64::from(z0) <= z && z <= i64::from(z1)
        })
    };
    for (reference, tile) in mesh.tiles() {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let links = mesh.links(reference.polygon(index as u32));
            for (edge, at) in polygon.edges().enumerate() {
                let side = tile.edge_sides[at];
                if side == NO_SIDE {
                    continue;
                }
                let (dx, dz) = [(1, 0), (0, 1), (-1, 0), (0, -1)][usize::from(side)];
                let portals =
                    links.iter().filter(|l| l.kind == LinkKind::Portal && usize::from(l.edge) == edge);
                let beyond = (i64::from(tile.tile_x) + dx, i64::from(tile.tile_z) + dz);
                let place = edge_middle(mesh, tile, index, edge);
                let level = polygon.level();
                let element = Element::Tile { tile_x: tile.tile_x, tile_z: tile.tile_z };
                let mut other_levels: Vec<i8> = Vec::new();
                let mut count = 0;
                for link in portals {
                    count += 1;
                    let other = mesh.polygon(link.to).map(|(tile, index)| tile.polygons[index].level());
                    other_levels.extend(
                        other.filter(|&other| other != level && !on_seam(seams, [level, other], place)),
                    );
                }
                if count == 0 && baked(beyond.0, beyond.1) {
                    diagnostics.push(Diagnostic {
                        kind: DiagnosticKind::BorderMismatch,
                        place,
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
                for other in other_levels {
                    // Said once, from the lower level.
                    if level < other {
                        diagnostics.push(Diagnostic {
                            kind: DiagnosticKind::LevelsTooClose,
                            place,
                            level,
                            element,
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
    }
}

fn on_seam(seams: &[Seam], levels: [i8; 2], [x, z]: [f64; 2]) -> bool {
    let levels = [levels[0].min(levels[1]), levels[0].max(levels[1])];
    seams.iter().filter(|seam| seam.levels == levels).any(|seam| {
        let (dx, dz) = (seam.to[0] - seam.from[0], seam.to[1] - seam.from[1]);
        let (qx, qz) = (x - seam.from[0], z - seam.from[1]);
        let length = dx.hypot(dz);
        let along = (dx * qx + dz * qz) / length;
        ((dx * qz - dz * qx) / length).abs() < 1e-3 && -1e-3 < along && along < length + 1e-3
    })
}

/// Parts of the mesh that nothing joins to the largest one.
fn report_islands(mesh: &TiledNavMesh, diagnostics: &mut Vec<Diagnostic>) {
    let mut first_of_slot: Vec<u32> = vec![0; mesh.slots().len()];
    let mut total = 0;
    for (reference, tile) in mesh.tiles() {
        first_of_slot[reference.slot() as usize] = total;
        total += tile.polygons.len() as u32;
    }
    let mut sets = UnionFind::new(total as usize);
    for (reference, tile) in mesh.tiles() {
        let first = first_of_slot[reference.slot() as usize];
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let here = first + index as u32;
            for &neighbour in &tile.edge_neighbours[polygon.edges()] {
                if neighbour != 0 {
                    sets.union(here, first + neighbour - 1);
                }
            }
            for link in mesh.links(reference.polygon(index as u32)) {
                sets.union(here, first_of_slot[link.to.slot() as usize] + link.to.polygon());
            }
        }
    }
    // Root → (area, place, level) of its polygons.
    let mut islands: BTreeMap<u32, (f64, [f64; 2], i8)> = BTreeMap::new();
    for (reference, tile) in mesh.tiles() {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let corners: Vec<[f64; 3]> = tile.edge_vertices[polygon.edges()]
                .iter()
                .map(|&vertex| tile.point_in_world(mesh.params(), tile.vertices[vertex as usize]))
                .collect();
            let (area, middle) = area_and_middle(&corners);
            let root = sets.find(first_of_slot[reference.slot() as usize] + index as u32);
            islands.entry(root).or_insert((0.0, middle, polygon.level())).0 += area;
        }
    }
    let largest =
        islands.iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(b.0.cmp(a.0))).map(|(&root, _)| root);
    for (&root, &(area, place, level)) in &islands {
        if Some(root) != largest {
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

pub(super) fn area_and_middle(corners: &[[f64; 3]]) -> (f64, [f64; 2]) {
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
