//! What the window says of the map in one line: the path, what the bake gave, what it does.

use super::canvas::paint::{OFF_MESH, visibly_stale};
use super::canvas::pick::distance;
use super::state::State;
use super::tools::{Marker, ToolKind};
use super::why;
use super::words;
use super::worker::Mode;
use crate::query::{NavPoint, PathStatus};

/// The answer of the path test in one sentence; `None` while nothing is asked.
#[must_use]
pub fn path(state: &State) -> Option<String> {
    let path = state.path.as_ref()?;
    Some(match path.status {
        PathStatus::Complete if state.path_off.is_some() => {
            let off = sentence(state.path_off.as_deref().unwrap_or_default());
            match why::missed(state) {
                Some(missed) => format!("No path. {off} {missed}"),
                None => {
                    format!(
                        "No path. {off} The way between the nearest floors is {:.2} squares.",
                        path.length
                    )
                }
            }
        }
        PathStatus::Complete => {
            let off = off_mesh(state).map(|text| format!(" · {text}")).unwrap_or_default();
            let floors = floors(state).map(|text| format!(" · {text}")).unwrap_or_default();
            format!("Path {:.2} squares · {}{floors}{off}", path.length, levels(state).unwrap_or_default())
        }
        PathStatus::Partial => {
            // A moment later it is known better.
            let reason = if state.why.is_looked_for() { String::new() } else { sentence(&path.reason) };
            let why = why::sentence(state).unwrap_or(reason);
            let room = if why.is_empty() { "" } else { " " };
            format!("No path. {why}{room}It gets {:.2} squares far.", path.length)
        }
        PathStatus::None => {
            let missed = why::missed(state).map(|text| format!(" {text}")).unwrap_or_default();
            format!("No path. {}{missed}", sentence(&path.reason))
        }
    })
}

/// Whether the answer of the path test stays on top while another tool is used.
#[must_use]
pub fn keeps_path(state: &State) -> bool {
    state.tools.kind() == ToolKind::Select && !state.shown.overlays.stage
}

/// "19 polygons, 40 links, 1 island": what the complete bake gave, and how the checks stand.
#[must_use]
pub fn counts(state: &State) -> Option<String> {
    let baked = state.bake.shown.as_ref().filter(|_| state.fresh())?;
    let counts = &baked.counts;
    let mut text = format!(
        "{}, {}, {}",
        words::many(counts.polygons, "polygon"),
        words::many(counts.links, "link"),
        words::many(counts.islands, "island")
    );
    if !baked.checks.is_empty() {
        let failed = baked.checks.iter().filter(|answer| !answer.passed).count();
        text += &format!(" · {}, {failed} failed", words::many(baked.checks.len(), "check"));
    }
    Some(text)
}

/// How far the markers lie off the mesh, if they do.
fn off_mesh(state: &State) -> Option<String> {
    let path = state.path.as_ref()?;
    let test = &state.tools.test;
    let away = |marker: Option<Marker>, point: Option<&NavPoint>| {
        let (marker, point) = (marker?, point?);
        let away = distance(marker.place, [point.position[0], point.position[2]]);
        (away > OFF_MESH).then_some(away)
    };
    let ends =
        [("start", away(test.start, path.points.first())), ("end", away(test.end, path.points.last()))];
    let words = ends.into_iter().filter_map(|(name, away)| Some(format!("{name} {:.2} off the mesh", away?)));
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// "start on floor 1 of 2": where floors lie over each other below a marker.
fn floors(state: &State) -> Option<String> {
    let [start, end] = &state.test_floors;
    let on = [("start", start), ("end", end)];
    let words = on.into_iter().filter_map(|(name, floors)| Some(format!("{name} on {}", floors.words()?)));
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// "level 0 › 1 › 0".
#[must_use]
pub fn levels(state: &State) -> Option<String> {
    let path = state.path.as_ref()?;
    let mut levels: Vec<i8> = path.points.iter().map(|point| point.level).collect();
    levels.dedup();
    let levels: Vec<String> = levels.iter().map(i8::to_string).collect();
    Some(format!("level {}", levels.join(" › ")))
}

fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let rest = letters.as_str();
    if reason.is_empty() || reason.ends_with('.') {
        format!("{first}{rest}")
    } else {
        format!("{first}{rest}.")
    }
}

/// The stage of the bake that is looked at, in one line.
#[must_use]
pub fn stage(state: &State) -> Option<String> {
    let view = &state.stage;
    let (shown, [x, z]) = (view.shown()?, state.stage_tile()?);
    let number = format!("{} of {}", view.index.min(view.stages.len() - 1) + 1, view.stages.len());
    let took = match (shown.removed_count, view.difference) {
        (0, false) => String::new(),
        (0, true) => " · took nothing away".to_owned(),
        (count, _) => format!(" · took away {count}"),
    };
    let tiles = if view.all { "All tiles".to_owned() } else { format!("Tile {x}, {z}") };
    Some(format!("{tiles} · {number}: {} · {}{took}", shown.name, words::stage_cost(shown)))
}

/// Whether the mesh is of geometry as it was read last, since a file of it is missing or broken now.
#[must_use]
pub fn is_of_lost_geometry(state: &State) -> bool {
    let lost = || state.geometry.items.iter().any(|loaded| loaded.error.is_some());
    state.bake_mode() == Mode::Voxel && lost()
}

/// What the bake is doing.
#[must_use]
pub fn bake(state: &State) -> String {
    let ms = state.bake.took.as_secs_f64() * 1000.0;
    let took = if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") };
    if let Some(progress) = state.bake.progress.filter(|_| state.baking()) {
        progress.words()
    } else if state.bake.failure.is_some() && !state.fresh() {
        "bake failed".to_owned()
    } else if state.bake.cancelled && !state.fresh() {
        "cancelled, stale".to_owned()
    } else if state.bake.shown.is_none() && !state.geometry_is_current() {
        "reading geometry".to_owned()
    } else if state.fresh() && is_of_lost_geometry(state) {
        "stale, a file is missing".to_owned()
    } else if state.fresh() {
        format!("fresh {took}")
    } else if visibly_stale(state) {
        if state.baking() { "stale, baking".to_owned() } else { "stale".to_owned() }
    } else {
        format!("baking {took}")
    }
}
