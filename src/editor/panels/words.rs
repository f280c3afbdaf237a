//! Numbers and things in words, the same everywhere.

use egui_material_icons::icons::{ICON_CIRCLE, ICON_DANGEROUS, ICON_WARNING};

use crate::bake::Severity;
use crate::bake::voxel::ProbeSpan;
use crate::draw::StagePicture;
use crate::editor::canvas::paint::OFF_MESH;
use crate::editor::canvas::pick::distance;
use crate::editor::export::many;
use crate::editor::state::State;
use crate::editor::tools::Marker;
use crate::query::{NavPoint, PathStatus};

/// "12.3, 4": at most three decimals, no zeros at the end.
#[must_use]
pub fn place([x, z]: [f64; 2]) -> String {
    format!("{}, {}", number(x), number(z))
}

/// At most three decimals, no zeros at the end, never "-0".
#[must_use]
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Small values with the digits that matter: what an issue measured, and its limit.
#[must_use]
pub fn measure(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.01 {
        format!("{value:.6}").trim_end_matches('0').to_owned()
    } else {
        number(value)
    }
}

/// A kind of issue.
#[must_use]
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Its sign: an octagon with a cross, a triangle, a disc.
#[must_use]
pub fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => ICON_DANGEROUS.codepoint,
        Severity::Warning => ICON_WARNING.codepoint,
        Severity::Note => ICON_CIRCLE.codepoint,
    }
}

/// The answer of the path test in one sentence; `None` while nothing is asked.
#[must_use]
pub fn path(state: &State) -> Option<String> {
    let path = state.path.as_ref()?;
    Some(match path.status {
        PathStatus::Complete => {
            let off = off_mesh(state).map(|text| format!(" · {text}")).unwrap_or_default();
            format!("Path {:.2} squares · {}{off}", path.length, levels(state).unwrap_or_default())
        }
        PathStatus::Partial => {
            format!("No path. {} It gets {:.2} squares far.", sentence(&path.reason), path.length)
        }
        PathStatus::None => format!("No path. {}", sentence(&path.reason)),
    })
}

/// "19 polygons, 40 links, 1 island": what the complete bake gave, and how the checks stand.
#[must_use]
pub fn counts(state: &State) -> Option<String> {
    let baked = state.bake.shown.as_ref().filter(|_| state.fresh())?;
    let counts = &baked.counts;
    let mut text = format!(
        "{}, {}, {}",
        many(counts.polygons, "polygon"),
        many(counts.links, "link"),
        many(counts.islands, "island")
    );
    if !baked.checks.is_empty() {
        let failed = baked.checks.iter().filter(|answer| !answer.passed).count();
        text += &format!(" · {}, {failed} failed", many(baked.checks.len(), "check"));
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

/// "height 3.2, room 1.4, slope 12°: walkable, region 3, area type 0".
#[must_use]
pub fn span(span: &ProbeSpan) -> String {
    format!("{}: {}", span_measures(span), span.verdict)
}

/// The numbers of a span of a column.
#[must_use]
pub fn span_measures(span: &ProbeSpan) -> String {
    let short = |value: f64| number((value * 100.0).round() / 100.0);
    let room = span.head_room.map_or_else(|| "open sky".to_owned(), |room| format!("room {}", short(room)));
    format!("height {}, {room}, slope {}°", short(span.high), short(span.slope))
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
    Some(format!("Tile {x}, {z} · {number}: {} · {}{took}", shown.name, stage_cost(shown)))
}

/// "1234 floors, 0.8 ms, 96 kB".
#[must_use]
pub fn stage_cost(stage: &StagePicture) -> String {
    let unit = stage.unit.strip_suffix('s').unwrap_or(stage.unit);
    let mut words = vec![many(stage.count, unit)];
    let took = |secs: f64| format!("{:.2} ms", secs * 1000.0);
    words.push(stage.secs.map_or_else(|| stage.untimed.to_owned(), took));
    words.extend(stage.bytes.map(|bytes| match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }));
    words.join(", ")
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
    } else if state.bake.shown.is_none() && !state.geometry.is_current(state) {
        "reading geometry".to_owned()
    } else if state.fresh() {
        format!("fresh {took}")
    } else if crate::editor::canvas::paint::visibly_stale(state) {
        if state.baking() { "stale, baking".to_owned() } else { "stale".to_owned() }
    } else {
        format!("baking {took}")
    }
}
