//! Text as a document: a serde struct of each version, every value checked where it stands, so that errors have a place.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use ron::extensions::Extensions;
use serde::de::{DeserializeOwned, DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::decode_extras::{AreaTypes, Checks, HiddenIssues};
use super::decode_geometry::{Extras, GeometryList};
use super::decode_items::{Areas, Classes, Levels, Links};
use super::decode_pictures::Pictures;
use super::decode_settings::{SettingsV1, SettingsV2};
use super::{FileError, VERSION};
use crate::project::Document;
use crate::project::element::with_levels;

/// Parses a project's text; `path` is for messages.
///
/// # Errors
/// [`FileError`] with line and column.
pub fn decode(text: &str, path: &str) -> Result<Document, FileError> {
    match stated_version(text) {
        // What a newer version holds may not parse here: its number is the thing to say.
        Some(newer) if newer > VERSION => {
            Err(FileError::Newer { path: path.to_owned(), found: newer, newest: VERSION })
        }
        Some(1) => parse::<ProjectV1>(text, path).map(|project| document(project.into_v2())),
        _ => {
            let project: ProjectV2 = parse(text, path)?;
            known_classes(&project, text, path)?;
            Ok(document(project))
        }
    }
}

fn parse<P: DeserializeOwned>(text: &str, path: &str) -> Result<P, FileError> {
    let error = match options().from_str(text) {
        Ok(project) => return Ok(project),
        Err(error) => error,
    };
    // After a value was refused the cursor is past it already, at what follows.
    let refused = matches!(error.code, ron::Error::Message(_));
    let place = if refused { error.span.start } else { error.span.end };
    let at_end = (place.line, place.col) >= super::place_of(text.trim_end().as_bytes());
    let (line, column) = (place.line, place.col);
    let what = match error.code {
        ron::Error::IntegerOutOfBounds => too_large(text, line, column),
        ref code => said(code, at_end),
    };
    Err(FileError::Text { path: path.to_owned(), line, column, what })
}

/// The number that ends at a place, with its field's name, is none that the field can hold.
fn too_large(text: &str, line: usize, column: usize) -> String {
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || "+-_".contains(letter);
    let before: String = text
        .lines()
        .nth(line.saturating_sub(1))
        .unwrap_or("")
        .chars()
        .take(column.saturating_sub(1))
        .collect();
    let (rest, number) = before.split_at(before.trim_end_matches(is_of_word).len());
    let field = rest.trim_end().strip_suffix(':').map(str::trim_end);
    let field = field.and_then(|rest| rest.rsplit(|letter| !is_of_word(letter)).next());
    match field {
        Some(field) => format!("{field} is {number}, which is beyond the whole numbers that it may be"),
        None => format!("{number} is beyond the whole numbers that may stand there"),
    }
}

/// Every class that a check names must be there.
fn known_classes(project: &ProjectV2, text: &str, path: &str) -> Result<(), FileError> {
    let known = |id| project.classes.0.iter().any(|class| class.id == id);
    let Some((check, class)) = project.checks.classes().find(|&(_, id)| !known(id)) else { return Ok(()) };
    let named = text.rfind(&format!("0x{:016x}", class.0)).unwrap_or(text.len());
    let (line, column) = super::place_of(&text.as_bytes()[..named]);
    let what = format!(
        "check \"{}\" is asked of agent class {:016x}, which is not there",
        check.escape_debug(),
        class.0
    );
    Err(FileError::Text { path: path.to_owned(), line, column, what })
}

fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// The version that a text states, whatever else it holds. Reads no further than that.
fn stated_version(text: &str) -> Option<u32> {
    struct Header<'a>(&'a mut Option<u32>);
    impl<'de> DeserializeSeed<'de> for Header<'_> {
        type Value = ();

        fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
            from.deserialize_struct("Project", &["version"], self)
        }
    }
    impl<'de> Visitor<'de> for Header<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a project")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
            while let Some(field) = fields.next_key::<String>()? {
                if field == "version" {
                    *self.0 = Some(fields.next_value()?);
                    return Ok(());
                }
                fields.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }
    let mut version = None;
    // The rest stays unread, which the parser calls an error: what was found by then counts.
    options().from_str_seed(text, Header(&mut version)).ok();
    version
}

/// The parser's message in our way: a small letter first, no full stop, and said when the text was cut off.
fn said(error: &ron::Error, at_end: bool) -> String {
    let text = error.to_string();
    let mut chars = text.chars();
    let small: String = chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect();
    match error {
        ron::Error::Eof => "the text ends too early".to_owned(),
        _ if at_end && text.starts_with("Expected") => format!("the text ends too early: {small}"),
        _ => small,
    }
}

fn document(project: ProjectV2) -> Document {
    let ProjectV2 {
        version: _,
        settings,
        classes,
        levels,
        areas,
        links,
        pictures,
        area_types,
        checks,
        hidden_issues,
        geometry,
        voxel,
    } = project;
    let mut classes: Vec<_> = classes.0.into_iter().map(Arc::new).collect();
    classes.sort_by_key(|class| (class.order, class.id));
    let mut levels: Vec<_> = levels.0.into_iter().map(Arc::new).collect();
    levels.sort_by_key(|level| level.number);
    let mut areas: Vec<_> = areas.0.into_iter().map(Arc::new).collect();
    areas.sort_by_key(|area| (area.order, area.id));
    let mut links: Vec<_> = links.0.into_iter().map(Arc::new).collect();
    links.sort_by_key(|link| link.id);
    let mut stands: BTreeSet<_> = areas.iter().map(|area| area.level).collect();
    stands.extend(links.iter().flat_map(|link| [link.start_level, link.end_level]));
    let pictures = pictures.sorted();
    stands.extend(pictures.iter().map(|picture| picture.level));
    let geometry = geometry.sorted();
    stands.extend(geometry.iter().map(|item| item.level));
    stands.insert(0);
    Document {
        settings: Arc::new(settings.0),
        classes: Arc::new(classes),
        levels: with_levels(&Arc::new(levels), &stands),
        areas: Arc::new(areas),
        links: Arc::new(links),
        pictures: Arc::new(pictures),
        area_types: Arc::new(area_types.sorted()),
        checks: Arc::new(checks.sorted()),
        hidden_issues: Arc::new(hidden_issues.sorted()),
        geometry: Arc::new(geometry),
        voxel: Arc::new(voxel.0),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Project")]
struct ProjectV2 {
    #[serde(deserialize_with = "version")]
    #[allow(dead_code, reason = "read before the rest; here so that a text without it is refused")]
    version: u32,
    #[serde(default)]
    settings: SettingsV2,
    #[serde(default)]
    classes: Classes,
    #[serde(default)]
    levels: Levels,
    #[serde(default)]
    areas: Areas,
    #[serde(default)]
    links: Links,
    #[serde(default)]
    pictures: Pictures,
    #[serde(default)]
    area_types: AreaTypes,
    #[serde(default)]
    checks: Checks,
    #[serde(default)]
    hidden_issues: HiddenIssues,
    #[serde(default)]
    geometry: GeometryList,
    #[serde(default)]
    voxel: Extras,
}

/// Before there were agent classes: the settings were those of the one agent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Project")]
struct ProjectV1 {
    version: u32,
    #[serde(default)]
    settings: SettingsV1,
    #[serde(default)]
    levels: Levels,
    #[serde(default)]
    areas: Areas,
    #[serde(default)]
    links: Links,
}

impl ProjectV1 {
    fn into_v2(self) -> ProjectV2 {
        let Self { version, settings: SettingsV1 { shared, class }, levels, areas, links } = self;
        let (classes, settings) = (Classes(vec![class]), SettingsV2(shared));
        let (pictures, area_types, checks, hidden_issues, geometry, voxel) = Default::default();
        ProjectV2 {
            version,
            settings,
            classes,
            levels,
            areas,
            links,
            pictures,
            area_types,
            checks,
            hidden_issues,
            geometry,
            voxel,
        }
    }
}

fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(from)?;
    if version == 0 {
        return Err(D::Error::custom("version is 0, the first one was 1"));
    }
    Ok(version)
}
