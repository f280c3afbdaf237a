//! Cards of the mesh: polygons, border edges, tiles, points of the path.

use super::card::Card;
use crate::draw::{Role, Shape};
use crate::editor::canvas::pick::{EDGE_PIXELS, POINT_PIXELS, contains, distance, nearest_on_segment};
use crate::editor::state::State;
use crate::editor::words;
use crate::format::{NO_SIDE, PolyRef, Tile, TileRef, TiledNavMesh};
use crate::geom::plane::signed_area;
use crate::stitch::{EdgeExplanation, PortalMiss, explain_edge};

fn mesh(state: &State) -> Option<&TiledNavMesh> {
    state.bake.shown.as_ref().map(|baked| &baked.mesh.mesh)
}

fn corners(mesh: &TiledNavMesh, tile: &Tile, polygon: usize) -> Vec<[f64; 3]> {
    let vertex = |edge: usize| tile.vertices[tile.edge_vertices[edge] as usize];
    tile.polygons[polygon].edges().map(|edge| tile.point_in_world(mesh.params(), vertex(edge))).collect()
}

fn flat(corners: &[[f64; 3]]) -> Vec<[f64; 2]> {
    corners.iter().map(|corner| [corner[0], corner[2]]).collect()
}

/// The tiles of the column at a place, lowest layer first.
fn column(mesh: &TiledNavMesh, [x, z]: [f64; 2]) -> Vec<(TileRef, &Tile)> {
    mesh.params().world_to_tile(x, z).map(|(x, z)| mesh.column(x, z).collect()).unwrap_or_default()
}

/// The polygon at a place: of a level, or the highest one.
fn polygon_at(mesh: &TiledNavMesh, place: [f64; 2], level: Option<i8>) -> Option<(TileRef, &Tile, usize)> {
    let mut found: Option<(TileRef, &Tile, usize)> = None;
    for (tile_ref, tile) in column(mesh, place) {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            if level.is_some_and(|level| level != polygon.level()) {
                continue;
            }
            let higher = found.is_none_or(|(_, of, at)| of.polygons[at].level() < polygon.level());
            if higher && contains(&flat(&corners(mesh, tile, index)), place) {
                found = Some((tile_ref, tile, index));
            }
        }
    }
    found
}

pub(super) fn polygon(state: &State, place: [f64; 2], level: Option<i8>) -> Option<Card> {
    let mesh = mesh(state)?;
    let (tile_ref, tile, index) = polygon_at(mesh, place, level)?;
    let polygon = &tile.polygons[index];
    let points = flat(&corners(mesh, tile, index));
    let mut card = Card::new(format!("Polygon {index} of tile {}", tile_name(tile)))
        .row("level", polygon.level().to_string())
        .row("vertices", polygon.vertex_count.to_string())
        .row("polygon size", format!("{} squares", words::number(signed_area(&points).abs())))
        .row("area id", polygon.area.to_string())
        .row("flags", format!("0x{:02x}", polygon.flags & 0xFF));
    let mut neighbours: Vec<PolyRef> = Vec::new();
    let inner = polygon.edges().map(|edge| tile.edge_neighbours[edge]).filter(|&next| next != 0);
    neighbours.extend(inner.map(|next| tile_ref.polygon(next - 1)));
    #[allow(clippy::cast_possible_truncation, reason = "tiles count polygons in 32 bits")]
    let own = tile_ref.polygon(index as u32);
    neighbours.extend(mesh.links(own).iter().map(|link| link.to));
    neighbours.sort_unstable();
    neighbours.dedup();
    card = card.row("neighbours", neighbours.len().to_string());
    card.lit.push(Shape::Polyline { points, closed: true, role: Role::Hover });
    for other in neighbours {
        if let Some((tile, index)) = mesh.polygon(other) {
            let points = flat(&corners(mesh, tile, index));
            card.lit.push(Shape::Convex { points, role: Role::Corridor });
        }
    }
    Some(card)
}

fn tile_name(tile: &Tile) -> String {
    format!("({}, {}), layer {}", tile.tile_x, tile.tile_z, tile.layer)
}

/// The edge on a tile border under the cursor: side, part, heights, verdict.
pub(super) fn border_edge(state: &State, place: [f64; 2], pixel: f64, level: Option<i8>) -> Option<Card> {
    const SIDES: [&str; 4] = ["+x", "+z", "−x", "−z"];
    let mesh = mesh(state)?;
    let mut best: Option<(f64, TileRef, &Tile, usize, usize)> = None;
    for (tile_ref, tile) in column(mesh, place) {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            if level.is_some_and(|level| level != polygon.level()) {
                continue;
            }
            let around = corners(mesh, tile, index);
            for (edge, _) in polygon.edges().enumerate().filter(|&(_, at)| tile.edge_sides[at] != NO_SIDE) {
                let (a, b) = (around[edge], around[(edge + 1) % around.len()]);
                let away = distance(nearest_on_segment([a[0], a[2]], [b[0], b[2]], place), place);
                if away <= EDGE_PIXELS * pixel && best.is_none_or(|(least, ..)| away < least) {
                    best = Some((away, tile_ref, tile, index, edge));
                }
            }
        }
    }
    let (_, tile_ref, tile, index, edge) = best?;
    let around = corners(mesh, tile, index);
    let (a, b) = (around[edge], around[(edge + 1) % around.len()]);
    let side = tile.edge_sides[tile.polygons[index].first_edge as usize + edge];
    #[allow(clippy::cast_possible_truncation, reason = "tiles count polygons in 32 bits, edges in 8")]
    let (polygon, edge_number) = (tile_ref.polygon(index as u32), edge as u8);
    // Sides are 0 and 2 along x: the border then runs along z.
    let along = if side.is_multiple_of(2) { [a[2], b[2]] } else { [a[0], b[0]] };
    let verdict = match explain_edge(mesh, polygon, edge_number)? {
        EdgeExplanation::Linked(links) => {
            let parts = links.iter().map(|link| format!("{} to {} of 255", link.range_min, link.range_max));
            format!("stitched, {}", parts.collect::<Vec<_>>().join(" and "))
        }
        EdgeExplanation::Unlinked { reason, .. } => match reason {
            PortalMiss::NoColumn => "no tile can be there".to_owned(),
            PortalMiss::NoTile { tile_x, tile_z } => format!("no tile at ({tile_x}, {tile_z})"),
            PortalMiss::NoPortal { tile_x, tile_z } => format!("tile ({tile_x}, {tile_z}) has a wall here"),
            PortalMiss::NoOverlap { gap, .. } => format!("the nearest edge is {} away", words::measure(gap)),
            PortalMiss::Height { difference, climb, .. } => {
                format!(
                    "height differs {}, limit {}",
                    words::measure(difference.abs()),
                    words::measure(climb)
                )
            }
        },
        EdgeExplanation::Neighbour(_) => "joined inside the tile".to_owned(),
        EdgeExplanation::Wall => "a wall".to_owned(),
    };
    let mut card = Card::new(format!("Border edge of tile {}", tile_name(tile)))
        .row("side", SIDES.get(usize::from(side)).copied().unwrap_or("?"))
        .row("part", format!("{} to {}", words::number(along[0]), words::number(along[1])))
        .row("heights", format!("{} and {}", words::number(a[1]), words::number(b[1])))
        .row("verdict", verdict);
    card.lit =
        vec![Shape::Polyline { points: vec![[a[0], a[2]], [b[0], b[2]]], closed: false, role: Role::Hover }];
    Some(card)
}

pub(super) fn tile(state: &State, place: [f64; 2]) -> Option<Card> {
    let mesh = mesh(state)?;
    let tiles = column(mesh, place);
    let (_, first) = tiles.first()?;
    let id = first.content_id().to_string();
    let bytes: usize = tiles.iter().map(|(_, tile)| tile.to_bytes().len()).sum();
    let polygons: usize = tiles.iter().map(|(_, tile)| tile.polygons.len()).sum();
    let layers: Vec<String> = tiles.iter().map(|(_, tile)| tile.layer.to_string()).collect();
    let card = Card::new(format!("Tile ({}, {})", first.tile_x, first.tile_z))
        .row("column, row", format!("{}, {}", first.tile_x, first.tile_z))
        .row("layers", layers.join(", "))
        .row("polygons", polygons.to_string())
        .row("bytes", bytes.to_string())
        .row("content id", id.get(..16).unwrap_or(&id).to_owned());
    Some(card)
}

/// An off-mesh link of the mesh, as the Test tool shows it.
pub(super) fn link(state: &State, place: [f64; 2], pixel: f64) -> Option<Card> {
    let document = state.document();
    let near = |link: &&std::sync::Arc<crate::project::Link>| {
        let arc = crate::draw::link_arc(link.start, link.end);
        let away = |part: &[[f64; 2]]| distance(nearest_on_segment(part[0], part[1], place), place);
        arc.windows(2).any(|part| away(part) <= EDGE_PIXELS * pixel)
    };
    super::drawn::link(state, document.links.iter().find(near)?.id)
}

/// A corner of the path: how far it is from the start, and on which level.
pub(super) fn path_point(state: &State, place: [f64; 2], pixel: f64) -> Option<Card> {
    let path = state.path.as_ref()?;
    let at = |index: usize| [path.points[index].position[0], path.points[index].position[2]];
    let index = (0..path.points.len()).find(|&index| distance(at(index), place) <= POINT_PIXELS * pixel)?;
    let walked: f64 = (1..=index).map(|index| distance(at(index - 1), at(index))).sum();
    let point = &path.points[index];
    let jump = point.link.map(|id| format!("link with user id {id}"));
    let card = Card::new(format!("Path point {} of {}", index + 1, path.points.len()))
        .row("x, z", words::place(at(index)))
        .row("distance", format!("{} of {} squares", words::number(walked), words::number(path.length)))
        .row("level", point.level.to_string())
        .row("height", words::number(point.position[1]))
        .some_row("jump", jump);
    Some(card)
}
