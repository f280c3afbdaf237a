//! Why there is no path, or only a part of one, in words with numbers.

use super::islands::IslandNote;
use super::nearest::NavPlace;

/// For a start or an end that is too far from the mesh. `closest`: the nearest place there is at any distance.
pub(super) fn off_mesh(
    name: &str,
    point: [f64; 2],
    level: Option<i8>,
    reach: f64,
    closest: Option<NavPlace>,
) -> String {
    let on_level = level.map_or_else(String::new, |level| format!(" on level {level}"));
    let [x, z] = point;
    match closest {
        Some(place) => format!(
            "the {name} ({x:.3}, {z:.3}) lies off the mesh: the nearest open place{on_level} is \
             ({:.3}, {:.3}), {:.3} away, and at most {reach:.3} is looked for",
            place.position[0], place.position[2], place.distance
        ),
        None => format!("the {name} ({x:.3}, {z:.3}) lies off the mesh: there is no open polygon{on_level}"),
    }
}

/// For an end that cannot be reached.
pub(super) fn unreachable(
    start_island: IslandNote,
    end_island: IslandNote,
    stop: &NavPlace,
    end: &NavPlace,
) -> String {
    let why = if start_island.id == end_island.id {
        format!(
            "start and end are on {}, but its one-way links lead no way to the end",
            name_of(start_island)
        )
    } else {
        format!(
            "the start is on {}, the end on {}, and nothing joins them",
            name_of(start_island),
            name_of(end_island)
        )
    };
    format!("{why}; {}", where_it_stops(stop, end))
}

/// For a search that ended at the caller's limit.
pub(super) fn limit(nodes: usize, stop: &NavPlace, end: &NavPlace) -> String {
    format!("the search ended at its limit of {nodes} nodes; {}", where_it_stops(stop, end))
}

fn where_it_stops(stop: &NavPlace, end: &NavPlace) -> String {
    let run = (stop.position[0] - end.position[0]).hypot(stop.position[2] - end.position[2]);
    let rise = end.position[1] - stop.position[1];
    let side = if rise < 0.0 { "above it" } else { "below it" };
    format!("the path stops {run:.3} short of the end, {:.3} {side}", rise.abs())
}

/// "island 2 of 52 (96 polygons)": people count islands from 1.
fn name_of(island: IslandNote) -> String {
    let IslandNote { id, polygon_count, island_count } = island;
    format!("island {} of {island_count} ({})", id + 1, polygons(polygon_count))
}

fn polygons(count: usize) -> String {
    if count == 1 { "1 polygon".to_owned() } else { format!("{count} polygons") }
}
