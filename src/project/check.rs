//! The bounds of a document's values, shared by commands and the project file.

use super::{Area, CommandError, Level, Link, Spot};
use crate::bake::Surface;
use crate::format::WORLD_BOUND;

/// Most bytes of a name.
pub const MAX_NAME_BYTES: usize = 1000;
/// Most areas or links of a document.
pub const MAX_ELEMENTS: usize = 1_000_000;
/// Highest area type.
pub const MAX_AREA_TYPE: u8 = 63;

/// Shifts nothing but turns −0.0 into 0.0, so that equal documents have equal bytes.
pub(super) fn positive_zero(value: f64) -> f64 {
    value + 0.0
}

pub(super) fn out_of_range(
    what: impl Into<String>,
    value: impl ToString,
    bound: impl Into<String>,
) -> CommandError {
    CommandError::OutOfRange { what: what.into(), value: value.to_string(), bound: bound.into() }
}

/// A coordinate, height or elevation.
pub(super) fn coordinate(what: impl FnOnce() -> String, value: f64) -> Result<(), CommandError> {
    if -WORLD_BOUND < value && value < WORLD_BOUND {
        return Ok(());
    }
    Err(out_of_range(what(), value, "must lie strictly between -2097152 and 2097152"))
}

/// A place; `what` is called with the coordinate that is wrong.
pub(super) fn spot(what: impl Fn(&str) -> String, spot: &Spot) -> Result<(), CommandError> {
    let [x, z] = spot.at;
    for (axis, value) in [("x", Some(x)), ("z", Some(z)), ("height", spot.y)] {
        if let Some(value) = value {
            coordinate(|| what(axis), value)?;
        }
    }
    Ok(())
}

/// A place without a −0.0.
pub(super) fn clean_spot(spot: Spot) -> Spot {
    Spot { at: spot.at.map(positive_zero), y: spot.y.map(positive_zero), ..spot }
}

pub(super) fn name(what: impl FnOnce() -> String, value: &str) -> Result<(), CommandError> {
    if value.len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    let bound = format!("must be at most {MAX_NAME_BYTES} bytes long");
    Err(out_of_range(what(), format!("{} bytes long", value.len()), bound))
}

pub(super) fn area_type(what: impl FnOnce() -> String, value: u8) -> Result<(), CommandError> {
    if value <= MAX_AREA_TYPE {
        return Ok(());
    }
    Err(out_of_range(what(), value, format!("must be 0 to {MAX_AREA_TYPE}")))
}

pub(super) fn radius(what: impl FnOnce() -> String, value: f64) -> Result<(), CommandError> {
    if 0.0 < value && value < WORLD_BOUND {
        return Ok(());
    }
    Err(out_of_range(what(), value, "must be above 0 and below 2097152"))
}

/// How messages call an area: its name, else its id.
pub(super) fn area_label(area: &Area) -> String {
    if area.name.is_empty() { format!("area {:016x}", area.id.0) } else { format!("area \"{}\"", area.name) }
}

fn link_label(link: &Link) -> String {
    if link.name.is_empty() { format!("link {:016x}", link.id.0) } else { format!("link \"{}\"", link.name) }
}

pub(super) fn area(area: &Area) -> Result<(), CommandError> {
    name(|| format!("the name of area {:016x}", area.id.0), &area.name)?;
    if area.points.len() < 3 {
        return Err(CommandError::TooFewPoints { id: area.id.0, count: area.points.len() });
    }
    for (index, point) in area.points.iter().enumerate() {
        for (axis, value) in ["x", "z"].into_iter().zip(*point) {
            coordinate(|| format!("{axis} of point {} of {}", index + 1, area_label(area)), value)?;
        }
    }
    if let Some(value) = area.area_type {
        area_type(|| format!("the type of {}", area_label(area)), value)?;
    }
    if let Surface::Heights(heights) = &area.surface {
        if heights.len() != area.points.len() {
            let bound = format!("must be one per point, {}", area.points.len());
            return Err(out_of_range(
                format!("the number of heights of {}", area_label(area)),
                heights.len(),
                bound,
            ));
        }
        for (index, value) in heights.iter().enumerate() {
            coordinate(|| format!("height {} of {}", index + 1, area_label(area)), *value)?;
        }
    }
    Ok(())
}

pub(super) fn link(link: &Link) -> Result<(), CommandError> {
    name(|| format!("the name of link {:016x}", link.id.0), &link.name)?;
    for (end, at) in [("start", link.start_spot()), ("end", link.end_spot())] {
        spot(|axis| format!("{axis} of the {end} of {}", link_label(link)), &at)?;
    }
    radius(|| format!("the radius of {}", link_label(link)), link.radius)?;
    area_type(|| format!("the area of {}", link_label(link)), link.area)
}

pub(super) fn level(level: &Level) -> Result<(), CommandError> {
    name(|| format!("the name of level {}", level.number), &level.name)?;
    coordinate(|| format!("the elevation of level {}", level.number), level.elevation)
}

/// A path that leads on from the folder of the project's file, with `/` between names.
pub(super) fn relative_path(what: impl FnOnce() -> String, path: &str) -> Result<(), CommandError> {
    let refused = |bound: &str| Err(out_of_range(what(), format!("\"{}\"", path.escape_debug()), bound));
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.is_empty() || path.len() > MAX_NAME_BYTES {
        return refused("must be 1 to 1000 bytes long");
    }
    if path.starts_with('/') || drive {
        return refused("must lead on from the project's folder");
    }
    if path.contains('\\') || path.chars().any(char::is_control) {
        return refused("must be written with / between names, without control characters");
    }
    Ok(())
}
