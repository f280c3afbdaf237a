//! What is to be known of the places of a path: levels that are not there, floors over each other, how far a place lies
//! off the mesh.

use std::collections::BTreeSet;

use super::args::Place;
use super::output::{count, decimal};
use crate::format::TiledNavMesh;
use crate::geom::plane;
use crate::query::{NavPath, height_on_polygon};

/// Most floors over a place that are told.
const MOST_FLOORS: usize = 8;

/// Notes on both ends of a path, a sentence each.
pub(super) fn notes(mesh: &TiledNavMesh, ends: [Place; 2], path: &NavPath, xyz: bool) -> Vec<String> {
    let levels: BTreeSet<i8> =
        mesh.tiles().flat_map(|(_, tile)| &tile.polygons).map(|polygon| polygon.level()).collect();
    let mut notes = Vec::new();
    let taken = [path.points.first(), path.points.last()].map(|point| point.map(|point| point.position[1]));
    for ((name, Place { first, third }), taken) in ["start", "end"].into_iter().zip(ends).zip(taken) {
        match third {
            Some(level) if !xyz && !levels.iter().any(|&known| f64::from(known) == level) => {
                notes.push(format!(
                    "no polygon of the mesh is on level {level}; {}; with --xyz a place is X,Y,Z, by its height",
                    has_levels(&levels)
                ));
            }
            None => notes.extend(taken.and_then(|y| several_floors(mesh, name, first, y))),
            _ => {}
        }
    }
    // What an outline may leave the floor by is no news.
    let bound = mesh.params().cell_size;
    for (name, moved) in [("start", path.start_moved), ("end", path.end_moved)] {
        if moved > bound && moved.is_finite() {
            notes.push(format!("the {name} lies {} off the mesh and was moved onto it", decimal(moved, 3)));
        }
    }
    notes
}

fn has_levels(levels: &BTreeSet<i8>) -> String {
    let list: Vec<String> = levels.iter().map(i8::to_string).collect();
    match &list[..] {
        [] => "it has no polygons at all".to_owned(),
        [only] => format!("all of them are on level {only}"),
        [rest @ .., last] => format!("it has levels {} and {last}", rest.join(", ")),
    }
}

/// Where floors lie over each other at a place, and which of them is taken.
fn several_floors(mesh: &TiledNavMesh, name: &str, at: [f64; 2], taken: f64) -> Option<String> {
    let mut floors: Vec<(f64, i8)> = Vec::new();
    let (tile_x, tile_z) = mesh.params().world_to_tile(at[0], at[1])?;
    for (reference, tile) in mesh.column(tile_x, tile_z) {
        for (number, polygon) in (0..).zip(&tile.polygons) {
            let corners: Vec<[f64; 2]> = tile.edge_vertices[polygon.edges()]
                .iter()
                .map(|&corner| tile.point_in_world(mesh.params(), tile.vertices[corner as usize]))
                .map(|[x, _, z]| [x, z])
                .collect();
            if plane::contains(&corners, at) {
                let y = height_on_polygon(mesh, reference.polygon(number), at)?;
                floors.push((y, polygon.level()));
            }
        }
    }
    floors.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (lowest, highest) = (floors.first()?, floors.last()?);
    if highest.0 - lowest.0 <= f64::from(mesh.params().walkable_climb) {
        return None;
    }
    let heights: Vec<String> = floors.iter().take(MOST_FLOORS).map(|(y, _)| decimal(*y, 3)).collect();
    let more = if floors.len() > MOST_FLOORS { " …" } else { "" };
    // A level that several of them are on does not tell them apart.
    let levels: BTreeSet<i8> = floors.iter().map(|(_, level)| *level).collect();
    let by = if levels.len() == floors.len() { "X,Z,LEVEL or --xyz X,Y,Z" } else { "--xyz X,Y,Z" };
    Some(format!(
        "over the {name} lie {}, at heights {}{more}; the one at {} is taken, {by} takes another",
        count(floors.len(), "floor"),
        heights.join(", "),
        decimal(taken, 3)
    ))
}
