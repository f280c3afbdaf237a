//! What is to be known of the places of a path: levels that are not there, floors over each other, how far a place lies
//! off the mesh.

use std::collections::BTreeSet;

use super::args::Place;
use super::output::{count, decimal};
use crate::format::TiledNavMesh;
use crate::project::{SpotPath, floors_over};
use crate::query::{NavPlace, PathScratch, QueryFilter};

/// Most floors over a place that are told.
const MOST_FLOORS: usize = 8;

/// Notes on both ends of a path, a sentence each.
pub(super) fn notes(
    mesh: &TiledNavMesh,
    ends: [Place; 2],
    found: &SpotPath,
    xyz: bool,
    filter: &QueryFilter,
    scratch: &mut PathScratch,
) -> anyhow::Result<Vec<String>> {
    let levels: BTreeSet<i8> =
        mesh.tiles().flat_map(|(_, tile)| &tile.polygons).map(|polygon| polygon.level()).collect();
    let mut notes = Vec::new();
    let taken = [found.start, found.end];
    for ((name, Place { first, third }), taken) in ["start", "end"].into_iter().zip(ends).zip(taken) {
        match third {
            Some(level) if !xyz && !levels.iter().any(|&known| f64::from(known) == level) => {
                notes.push(format!(
                    "no polygon of the mesh is on level {level}; {}; with --xyz a place is X,Y,Z, by its height",
                    has_levels(&levels)
                ));
            }
            // A height is chosen by who gives it.
            Some(_) if xyz => {}
            _ => {
                if let Some(taken) = taken.filter(|taken| taken.distance == 0.0) {
                    let level = third.map(|_| taken.level);
                    let floors = floors_over(mesh, first, level, filter, scratch)?;
                    notes.extend(several_floors(name, &floors, level, taken.position[1]));
                }
            }
        }
    }
    if found.off().is_some() {
        return Ok(notes); // The reason says so.
    }
    // What an outline may leave the floor by is no news, nor is a step.
    let params = mesh.params();
    let (beside, climb) = (params.cell_size, f64::from(params.walkable_climb));
    for (name, floor, place) in [("start", found.start, ends[0]), ("end", found.end, ends[1])] {
        let Some(floor) = floor else { continue };
        let above = if xyz { place.first[1] - floor.position[1] } else { 0.0 };
        if floor.distance > beside || above.abs() > climb {
            let away = decimal(floor.distance.hypot(above), 3);
            notes.push(format!("the {name} lies {away} off the mesh and was moved onto it"));
        }
    }
    Ok(notes)
}

fn has_levels(levels: &BTreeSet<i8>) -> String {
    let list: Vec<String> = levels.iter().map(i8::to_string).collect();
    match &list[..] {
        [] => "it has no polygons at all".to_owned(),
        [only] => format!("all of them are on level {only}"),
        [rest @ .., last] => format!("it has levels {} and {last}", rest.join(", ")),
    }
}

/// Where floors lie over each other at a place, on a level or on all, and which of them is taken.
fn several_floors(name: &str, floors: &[NavPlace], level: Option<i8>, taken: f64) -> Option<String> {
    if floors.len() < 2 {
        return None;
    }
    let heights: Vec<String> =
        floors.iter().take(MOST_FLOORS).map(|floor| decimal(floor.position[1], 3)).collect();
    let more = if floors.len() > MOST_FLOORS { " …" } else { "" };
    // A level that several of them are on does not tell them apart.
    let levels: BTreeSet<i8> = floors.iter().map(|floor| floor.level).collect();
    let by = if levels.len() == floors.len() { "X,Z,LEVEL or --xyz X,Y,Z" } else { "--xyz X,Y,Z" };
    let of_level = level.map_or_else(String::new, |level| format!(" of level {level}"));
    Some(format!(
        "over the {name} lie {}{of_level}, at heights {}{more}; the one at {} is taken, {by} takes another",
        count(floors.len(), "floor"),
        heights.join(", "),
        decimal(taken, 3)
    ))
}
