//! Numbers and things in words, the same everywhere.

use egui_material_icons::icons::{ICON_CIRCLE, ICON_DANGEROUS, ICON_WARNING};

use crate::bake::Severity;
use crate::bake::voxel::ProbeSpan;
use crate::draw::StagePicture;
use crate::project::Spot;

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

/// "level 0", "level 0 at height 3.2": the floor of a place.
#[must_use]
pub fn floor(Spot { level, y, .. }: Spot) -> String {
    let height = y.map(|y| format!(" at height {}", number(y))).unwrap_or_default();
    format!("level {level}{height}")
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

/// A thing by its name, or by what it is where it has none.
#[must_use]
pub fn called<'a>(name: &'a str, kind: &'a str) -> &'a str {
    if name.is_empty() { kind } else { name }
}

/// Things of several kinds: the name of the only one, else "2 areas, 1 link and 1 picture".
#[must_use]
pub fn things<const N: usize>(kinds: [(&str, &[&str]); N]) -> String {
    let there: Vec<&(&str, &[&str])> = kinds.iter().filter(|(_, names)| !names.is_empty()).collect();
    if let [(_, [only])] = there[..] {
        return (*only).to_owned();
    }
    let mut counts: Vec<String> = there.iter().map(|(kind, names)| many(names.len(), kind)).collect();
    match counts.pop() {
        Some(last) if !counts.is_empty() => format!("{} and {last}", counts.join(", ")),
        last => last.unwrap_or_else(|| "nothing".to_owned()),
    }
}

/// "1 island", "2 islands".
#[must_use]
pub fn many(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
