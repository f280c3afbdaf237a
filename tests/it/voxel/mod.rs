//! The voxel bake: against Recast's own results, and on the small inputs that broke others.

mod drawing;
mod faults;
mod input;
mod live;
mod oracle;
mod probe;
mod reasons;
mod rules;
mod same;
mod scenes;
mod seeds;
mod solid;
mod soups;
mod stages;

use std::sync::Arc;

use navwright::bake::{
    BakeOptions, BakeReport, Diagnostic, Severity, TriangleMesh, VoxelInput, bake_voxel_mesh,
};
use navwright::format::{LinkKind, NO_SIDE, NavMesh, NavSettings, PolyRef, RawTile, Tile};
use navwright::query::{Islands, QueryFilter, height_on_polygon, islands};

/// Recast's usual numbers, in tiles of so many cells.
fn settings_of(tile_cells: u32) -> NavSettings {
    NavSettings {
        tile_size: f64::from((f64::from(tile_cells) * 0.3) as f32),
        cell_size: 0.3,
        cell_height: 0.2,
        walkable_climb: 0.9,
        agent_radius: 0.6,
        agent_height: 2.0,
        detail_sample_distance: 1.8,
        detail_max_error: 0.2,
        ..NavSettings::default()
    }
}

fn bake(input: &VoxelInput, settings: &NavSettings) -> (NavMesh, BakeReport) {
    bake_voxel_mesh(input, settings, &BakeOptions::default()).unwrap()
}

/// What is wrong, as a bake says it; that floors lie apart is no more than a note.
fn complaints(report: &BakeReport) -> Vec<Diagnostic> {
    report.diagnostics.iter().filter(|said| said.kind.severity() > Severity::Note).cloned().collect()
}

fn input_of(meshes: Vec<TriangleMesh>) -> VoxelInput {
    VoxelInput { meshes, ..VoxelInput::default() }
}

/// A rectangle of floor, facing up: from (x0, z0) to (x1, z1) at a height of each corner (low x low z, high x low z,
/// high x high z, low x high z).
fn quad(mesh: &mut TriangleMesh, [x0, z0, x1, z1]: [f64; 4], y: [f64; 4]) {
    let base = mesh.vertices.len() as u32;
    Arc::make_mut(&mut mesh.vertices).extend([
        [x0, y[0], z0],
        [x1, y[1], z0],
        [x1, y[2], z1],
        [x0, y[3], z1],
    ]);
    Arc::make_mut(&mut mesh.triangles).extend([[base, base + 2, base + 1], [base, base + 3, base + 2]]);
}

fn plate(rectangle: [f64; 4], y: f64) -> TriangleMesh {
    let mut mesh = TriangleMesh { name: "plate".to_owned(), ..TriangleMesh::default() };
    quad(&mut mesh, rectangle, [y; 4]);
    mesh
}

/// A closed box with its faces outward.
fn block(mesh: &mut TriangleMesh, [x0, z0, x1, z1]: [f64; 4], y0: f64, y1: f64) {
    let base = mesh.vertices.len() as u32;
    for y in [y0, y1] {
        Arc::make_mut(&mut mesh.vertices).extend([[x0, y, z0], [x1, y, z0], [x1, y, z1], [x0, y, z1]]);
    }
    let faces = [[4, 7, 6, 5], [0, 1, 2, 3], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]];
    for [a, b, c, d] in faces {
        Arc::make_mut(&mut mesh.triangles)
            .extend([[base + a, base + b, base + c], [base + a, base + c, base + d]]);
    }
}

fn doubled_area(tile: &RawTile, polygon: usize) -> f64 {
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    let place = |index: usize| tile.vertices[corners[index % corners.len()] as usize].map(f64::from);
    (0..corners.len()).map(|i| (place(i), place(i + 1))).map(|(a, b)| a[0] * b[2] - a[2] * b[0]).sum()
}

/// The horizontal area of all polygons.
fn area_of(mesh: &NavMesh) -> f64 {
    let tiles = mesh.mesh.tiles();
    tiles.map(|(_, tile)| (0..tile.polygons.len()).map(|p| doubled_area(tile, p) / 2.0).sum::<f64>()).sum()
}

fn components(mesh: &NavMesh) -> Islands {
    islands(&mesh.mesh, &QueryFilter::default())
}

/// The polygon that Detour would take for a point: nearest in space within 2, 4, 2; over a polygon, the climb is free.
fn polygon_at(mesh: &NavMesh, point: [f64; 3]) -> Option<PolyRef> {
    let params = mesh.mesh.params();
    let mut best: Option<(f64, PolyRef)> = None;
    let (low, high) = (
        params.world_to_tile(point[0] - 2.0, point[2] - 2.0)?,
        params.world_to_tile(point[0] + 2.0, point[2] + 2.0)?,
    );
    for tile_x in low.0..=high.0 {
        for tile_z in low.1..=high.1 {
            for (reference, tile) in mesh.mesh.column(tile_x, tile_z) {
                for polygon in 0..tile.polygons.len() {
                    let reference = reference.polygon(polygon as u32);
                    let found = distance_to(mesh, tile, polygon, reference, point);
                    if let Some(score) = found.filter(|score| best.is_none_or(|(least, _)| *score < least)) {
                        best = Some((score, reference));
                    }
                }
            }
        }
    }
    best.map(|(_, polygon)| polygon)
}

fn distance_to(
    mesh: &NavMesh,
    tile: &Tile,
    polygon: usize,
    reference: PolyRef,
    point: [f64; 3],
) -> Option<f64> {
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    let place = |index: usize| {
        tile.point_in_world(mesh.mesh.params(), tile.vertices[corners[index % corners.len()] as usize])
    };
    let (mut inside, mut nearest) = (true, (f64::INFINITY, [0.0; 2]));
    for edge in 0..corners.len() {
        let (a, b) = (place(edge), place(edge + 1));
        let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
        let (px, pz) = (point[0] - a[0], point[2] - a[2]);
        inside &= dx * pz - dz * px >= 0.0;
        let t = ((px * dx + pz * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
        let off = (px - t * dx).powi(2) + (pz - t * dz).powi(2);
        if off < nearest.0 {
            nearest = (off, [a[0] + t * dx, a[2] + t * dz]);
        }
    }
    let (off, at) = if inside { (0.0, [point[0], point[2]]) } else { nearest };
    let dy = (height_on_polygon(&mesh.mesh, reference, at)? - point[1]).abs();
    if (at[0] - point[0]).abs() > 2.0 || (at[1] - point[2]).abs() > 2.0 || dy > 4.0 {
        return None;
    }
    let climb = f64::from(mesh.mesh.params().walkable_climb);
    Some(if inside { (dy - climb).max(0.0).powi(2) } else { off + dy * dy })
}

/// Portal edges that no links cover from end to end, with their places: none, if every floor that goes on is stitched.
fn open_portals(mesh: &NavMesh) -> Vec<String> {
    let mut open = Vec::new();
    for (reference, tile) in mesh.mesh.tiles() {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            for (edge, side) in polygon.edges().enumerate() {
                if tile.edge_sides[side] == NO_SIDE {
                    continue;
                }
                let mut covered = vec![false; 255];
                for link in mesh.mesh.links(reference.polygon(index as u32)) {
                    if link.kind == LinkKind::Portal && usize::from(link.edge) == edge {
                        covered[link.range_min.into()..link.range_max.into()].fill(true);
                    }
                }
                if covered.contains(&false) {
                    let vertex = tile.edge_vertices[side] as usize;
                    let place = tile.point_in_world(mesh.mesh.params(), tile.vertices[vertex]);
                    open.push(format!("tile {} polygon {index} edge {edge} at {place:?}", tile.position()));
                }
            }
        }
    }
    open
}
