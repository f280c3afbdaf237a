//! Settings by name: `--set NAME=VALUE`, and the list that `inspect` prints.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use serde_json::{Value, json};

use super::args::number;
use super::output::count;
use crate::format::{NavSettings, Partition};
use crate::project::{Document, shared_settings};

/// A setting's name, how its text is set, and its value as JSON.
type Row = (&'static str, fn(&mut NavSettings, &str) -> Result<(), String>, fn(&NavSettings) -> Value);

macro_rules! plain {
    ($field:ident, $parse:ident) => {
        plain!($field, $parse, json_of)
    };
    ($field:ident, $parse:ident, $show:ident) => {
        (
            stringify!($field),
            |settings, text| {
                settings.$field = $parse(text)?;
                Ok(())
            },
            |settings| $show(settings.$field),
        )
    };
}

#[rustfmt::skip]
const ROWS: [Row; 20] = [
    ("origin", set_origin, |settings| json!(settings.origin)),
    ("tile_size", set_tile_size, |settings| json!(settings.tile_size)),
    plain!(cell_size, number),
    plain!(cell_height, number),
    plain!(snap_bits, whole),
    ("partition", set_partition, |settings| json!(settings.partition.name())),
    plain!(min_region_area, whole),
    plain!(merge_region_area, whole),
    plain!(contour_max_error, single, shortest),
    plain!(max_edge_length, number),
    plain!(detail_sample_distance, number),
    plain!(detail_max_error, number),
    plain!(max_verts_per_poly, whole),
    plain!(height, number),
    plain!(area, whole),
    plain!(flags, whole),
    plain!(walkable_climb, single, shortest),
    plain!(agent_radius, single, shortest),
    plain!(agent_height, single, shortest),
    plain!(agent_max_slope, single, shortest),
];

/// What an agent class is.
const AGENT: [&str; 4] = ["walkable_climb", "agent_radius", "agent_height", "agent_max_slope"];

/// Overrides settings of a map; what belongs to agent classes, in each of them.
pub(super) fn apply_to_map(document: &mut Document, list: &[String]) -> anyhow::Result<()> {
    let mut classes = Vec::new();
    let mut shared = Arc::clone(&document.settings);
    for class in document.classes.iter() {
        let mut settings = class.settings(&document.settings);
        apply(&mut settings, list)?;
        classes.push(Arc::new((**class).clone().with(&settings)));
        shared = Arc::new(shared_settings(&settings));
    }
    document.settings = shared;
    document.classes = Arc::new(classes);
    Ok(())
}

/// Overrides settings in order, then checks every bound.
fn apply(settings: &mut NavSettings, list: &[String]) -> anyhow::Result<()> {
    for text in list {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| anyhow!("--set {text}: write it as NAME=VALUE, such as cell_size=0.3"))?;
        let name = name.trim();
        let row = ROWS.iter().find(|row| row.0 == name);
        let (_, set, _) = row
            .ok_or_else(|| anyhow!("--set {text}: there is no setting \"{name}\"; there are {}", names()))?;
        set(settings, value.trim()).map_err(|error| anyhow!("--set {text}: {error}"))?;
    }
    settings.validate().context("settings")
}

/// All settings but the links, as a JSON object.
pub(super) fn as_json(settings: &NavSettings) -> Value {
    let pairs = ROWS.iter().map(|(name, _, get)| ((*name).to_owned(), get(settings)));
    Value::Object(pairs.collect())
}

/// The settings that all classes of a map share, as lines `name  value`.
pub(super) fn shared_lines(settings: &NavSettings) -> String {
    let shared = ROWS.iter().filter(|(name, ..)| !AGENT.contains(name));
    shared.map(|(name, _, get)| line(name, &get(settings))).collect()
}

/// The settings that make an agent class, as lines `name  value`.
pub(super) fn agent_lines(settings: &NavSettings) -> String {
    let agent = ROWS.iter().filter(|(name, ..)| AGENT.contains(name));
    agent.map(|(name, _, get)| line(name, &get(settings))).collect()
}

/// All settings but the links, as lines `name  value`.
pub(super) fn as_lines(settings: &NavSettings) -> String {
    ROWS.iter().map(|(name, _, get)| line(name, &get(settings))).collect()
}

/// `  name  value` as a line.
pub(super) fn line(name: &str, value: &Value) -> String {
    let value = match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain_number).collect::<Vec<_>>().join(", "),
        value => plain_number(value),
    };
    format!("  {name:<23}{value}\n")
}

fn names() -> String {
    ROWS.map(|row| row.0).join(", ")
}

fn json_of<T: Into<Value>>(value: T) -> Value {
    value.into()
}

/// A single as the shortest number that reads back to it, not as the double with all its digits.
pub(super) fn shortest(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or_else(|_none| f64::from(value)))
}

fn plain_number(value: &Value) -> String {
    value.as_f64().map_or_else(|| value.to_string(), |number| format!("{number}"))
}

fn whole<T: TryFrom<i64>>(text: &str) -> Result<T, String> {
    let value: i64 =
        text.parse().map_err(|_not_whole| format!("\"{}\" is not a whole number", text.escape_debug()))?;
    T::try_from(value).map_err(|_too_large| format!("{value} does not fit this setting"))
}

fn single(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the nearest single is what is wanted; its range is checked"
    )]
    let nearest = value as f32;
    if nearest.is_finite() { Ok(nearest) } else { Err(format!("{value} does not fit this setting")) }
}

fn set_origin(settings: &mut NavSettings, text: &str) -> Result<(), String> {
    let numbers = text.split(',').map(number).collect::<Result<Vec<f64>, String>>()?;
    settings.origin = <[f64; 3]>::try_from(numbers)
        .map_err(|numbers| format!("it has {}; an origin is X,Y,Z", count(numbers.len(), "number")))?;
    Ok(())
}

fn set_tile_size(settings: &mut NavSettings, text: &str) -> Result<(), String> {
    settings.tile_size = single(text)?.into();
    Ok(())
}

fn set_partition(settings: &mut NavSettings, text: &str) -> Result<(), String> {
    let all = [Partition::Watershed, Partition::Monotone, Partition::Layers];
    let found = all.into_iter().find(|&partition| partition.name() == text);
    settings.partition =
        found.ok_or_else(|| format!("\"{}\" is none of watershed, monotone, layers", text.escape_debug()))?;
    Ok(())
}
