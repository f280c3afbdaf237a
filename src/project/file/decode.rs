//! Text as a document: serde structs of each version, every value checked where it stands, so that errors have a place.

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ron::extensions::Extensions;
use serde::de::{DeserializeOwned, DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{FileError, VERSION};
use crate::bake::{AreaKind, Surface};
use crate::format::{NavSettings, Partition};
use crate::project::check::{self, MAX_ELEMENTS, MAX_ORDER, positive_zero};
use crate::project::{Area, AreaId, Document, Level, Link, LinkId, command};

/// Parses a project's text; `path` is for messages.
///
/// # Errors
/// [`FileError`] with line and column.
pub fn decode(text: &str, path: &str) -> Result<Document, FileError> {
    let error = match options().from_str::<Project>(text) {
        Ok(Project { version: VERSION, settings, levels, areas, links }) => {
            return Ok(document(settings, levels, areas, links));
        }
        Ok(Project { version, .. }) => return Err(newer(path, version)),
        Err(error) => error,
    };
    // A newer version may well hold what this one cannot parse: then its number is the thing to say.
    if let Some(version) = stated_version(text)
        && version > VERSION
    {
        return Err(newer(path, version));
    }
    // After a value was refused the cursor is past it already, at what follows.
    let refused = matches!(error.code, ron::Error::Message(_));
    let place = if refused { error.span.start } else { error.span.end };
    let at_end = (place.line, place.col) >= super::place_of(text.trim_end().as_bytes());
    let (line, column, what) = (place.line, place.col, said(&error.code, at_end));
    Err(FileError::Text { path: path.to_owned(), line, column, what })
}

fn newer(path: &str, found: u32) -> FileError {
    FileError::Newer { path: path.to_owned(), found, newest: VERSION }
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

fn document(settings: Settings, levels: Levels, areas: Areas, links: Links) -> Document {
    let mut levels: Vec<_> = levels.0.into_iter().map(Arc::new).collect();
    levels.sort_by_key(|level| level.number);
    let mut areas: Vec<_> = areas.0.into_iter().map(Arc::new).collect();
    areas.sort_by_key(|area| (area.order, area.id));
    let mut links: Vec<_> = links.0.into_iter().map(Arc::new).collect();
    links.sort_by_key(|link| link.id);
    let mut stands: BTreeSet<_> = areas.iter().map(|area| area.level).collect();
    stands.extend(links.iter().flat_map(|link| [link.start_level, link.end_level]));
    stands.insert(0);
    Document {
        settings: Arc::new(settings.0),
        levels: command::with_levels(&Arc::new(levels), &stands),
        areas: Arc::new(areas),
        links: Arc::new(links),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Project {
    #[serde(deserialize_with = "version")]
    version: u32,
    #[serde(default)]
    settings: Settings,
    #[serde(default)]
    levels: Levels,
    #[serde(default)]
    areas: Areas,
    #[serde(default)]
    links: Links,
}

fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(from)?;
    if version == 0 {
        return Err(D::Error::custom("version is 0, the first one was 1"));
    }
    Ok(version)
}

/// One of the schema's structs on its way to what the document holds.
trait Parsed: DeserializeOwned {
    type Value;
    /// What the list holds, for messages.
    const NOUN: &'static str;
    /// The value, checked.
    fn value(self) -> Result<Self::Value, String>;
    /// What must be unique in the list.
    fn key(value: &Self::Value) -> u64;
    fn duplicate(value: &Self::Value) -> String;
}

/// A list in which every item is checked as soon as it is read.
fn checked_list<'de, D: Deserializer<'de>, P: Parsed>(from: D) -> Result<Vec<P::Value>, D::Error> {
    struct Items<P>(PhantomData<P>);
    impl<'de, P: Parsed> Visitor<'de> for Items<P> {
        type Value = Vec<P::Value>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of {}", P::NOUN)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut values = Vec::new();
            let mut keys = BTreeSet::new();
            while let Some(item) = list.next_element::<P>()? {
                let value = item.value().map_err(A::Error::custom)?;
                if !keys.insert(P::key(&value)) {
                    return Err(A::Error::custom(P::duplicate(&value)));
                }
                if values.len() == MAX_ELEMENTS {
                    let noun = P::NOUN;
                    return Err(A::Error::custom(format!("there are more than {MAX_ELEMENTS} {noun}")));
                }
                values.push(value);
            }
            Ok(values)
        }
    }
    from.deserialize_seq(Items(PhantomData::<P>))
}

#[derive(Default)]
struct Levels(Vec<Level>);
#[derive(Default)]
struct Areas(Vec<Area>);
#[derive(Default)]
struct Links(Vec<Link>);

impl<'de> Deserialize<'de> for Levels {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked_list::<D, LevelV1>(from).map(Self)
    }
}

impl<'de> Deserialize<'de> for Areas {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked_list::<D, AreaV1>(from).map(Self)
    }
}

impl<'de> Deserialize<'de> for Links {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked_list::<D, LinkV1>(from).map(Self)
    }
}

/// A coordinate or height, checked where it stands.
struct Coordinate(f64);

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(from)?;
        check::coordinate(|| "this number".to_owned(), value).map_err(D::Error::custom)?;
        Ok(Self(positive_zero(value)))
    }
}

type Point = (Coordinate, Coordinate);

fn pair((x, z): Point) -> [f64; 2] {
    [x.0, z.0]
}

fn name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let value = String::deserialize(from)?;
    check::name(|| "this name".to_owned(), &value).map_err(D::Error::custom)?;
    Ok(value)
}

fn area_type<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let value = u8::deserialize(from)?;
    check::area_type(|| "this area type".to_owned(), value).map_err(D::Error::custom)?;
    Ok(value)
}

fn optional_area_type<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
    let value = Option::<u8>::deserialize(from)?;
    if let Some(value) = value {
        check::area_type(|| "this area type".to_owned(), value).map_err(D::Error::custom)?;
    }
    Ok(value)
}

fn radius<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let value = f64::deserialize(from)?;
    check::radius(|| "this radius".to_owned(), value).map_err(D::Error::custom)?;
    Ok(value)
}

fn order<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    let value = i64::deserialize(from)?;
    if (-MAX_ORDER..=MAX_ORDER).contains(&value) {
        return Ok(value);
    }
    Err(D::Error::custom(format!("this order is {value}, but must be between -{MAX_ORDER} and {MAX_ORDER}")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Level")]
struct LevelV1 {
    number: i8,
    #[serde(deserialize_with = "name", default)]
    name: String,
    #[serde(default)]
    elevation: Option<Coordinate>,
}

impl Parsed for LevelV1 {
    type Value = Level;
    const NOUN: &'static str = "levels";

    fn value(self) -> Result<Level, String> {
        let elevation = self.elevation.map_or_else(|| Level::new(self.number).elevation, |value| value.0);
        Ok(Level { number: self.number, name: self.name, elevation })
    }

    fn key(level: &Level) -> u64 {
        u64::from(level.number.cast_unsigned())
    }

    fn duplicate(level: &Level) -> String {
        format!("level {} is in the list twice", level.number)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", rename = "kind")]
enum KindV1 {
    Walk,
    Hole,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case", rename = "surface")]
enum SurfaceV1 {
    #[default]
    Level,
    Ramp,
    Heights(Vec<Coordinate>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Area")]
struct AreaV1 {
    id: u64,
    #[serde(deserialize_with = "order", default)]
    order: i64,
    #[serde(deserialize_with = "name", default)]
    name: String,
    kind: KindV1,
    level: i8,
    #[serde(deserialize_with = "optional_area_type", default)]
    area_type: Option<u8>,
    #[serde(default)]
    flags: Option<u8>,
    #[serde(default)]
    surface: SurfaceV1,
    points: Vec<Point>,
}

impl Parsed for AreaV1 {
    type Value = Area;
    const NOUN: &'static str = "areas";

    fn value(self) -> Result<Area, String> {
        let area = Area {
            id: AreaId(self.id),
            order: self.order,
            name: self.name,
            kind: match self.kind {
                KindV1::Walk => AreaKind::Walk,
                KindV1::Hole => AreaKind::Hole,
            },
            level: self.level,
            points: self.points.into_iter().map(pair).collect(),
            area_type: self.area_type,
            flags: self.flags,
            surface: match self.surface {
                SurfaceV1::Level => Surface::Level,
                SurfaceV1::Ramp => Surface::Ramp,
                SurfaceV1::Heights(heights) => Surface::Heights(heights.into_iter().map(|h| h.0).collect()),
            },
        };
        check::area(&area).map_err(|error| error.to_string())?;
        Ok(area)
    }

    fn key(area: &Area) -> u64 {
        area.id.0
    }

    fn duplicate(area: &Area) -> String {
        format!("area {:016x} is in the list twice", area.id.0)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Link")]
struct LinkV1 {
    id: u64,
    #[serde(deserialize_with = "name", default)]
    name: String,
    start: Point,
    start_level: i8,
    end: Point,
    end_level: i8,
    #[serde(deserialize_with = "radius")]
    radius: f64,
    bidirectional: bool,
    #[serde(deserialize_with = "area_type")]
    area: u8,
    flags: u16,
    #[serde(default)]
    user_id: u32,
}

impl Parsed for LinkV1 {
    type Value = Link;
    const NOUN: &'static str = "links";

    fn value(self) -> Result<Link, String> {
        let link = Link {
            id: LinkId(self.id),
            name: self.name,
            start: pair(self.start),
            start_level: self.start_level,
            end: pair(self.end),
            end_level: self.end_level,
            radius: self.radius,
            bidirectional: self.bidirectional,
            area: self.area,
            flags: self.flags,
            user_id: self.user_id,
        };
        check::link(&link).map_err(|error| error.to_string())?;
        Ok(link)
    }

    fn key(link: &Link) -> u64 {
        link.id.0
    }

    fn duplicate(link: &Link) -> String {
        format!("link {:016x} is in the list twice", link.id.0)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", rename = "partition")]
enum PartitionV1 {
    Watershed,
    Monotone,
    Layers,
}

#[derive(Default)]
struct Settings(NavSettings);

/// Fields left out are at version 1's defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Settings", default)]
struct SettingsV1 {
    origin: (Coordinate, Coordinate, Coordinate),
    tile_size: f64,
    cell_size: f64,
    cell_height: f64,
    snap_bits: i32,
    partition: PartitionV1,
    min_region_area: i32,
    merge_region_area: i32,
    contour_max_error: f32,
    max_verts_per_poly: u16,
    area: u8,
    max_edge_length: f64,
    detail_sample_distance: f64,
    detail_max_error: f64,
    height: Coordinate,
    walkable_climb: f32,
    agent_radius: f32,
    agent_height: f32,
    agent_max_slope: f32,
    flags: u16,
}

impl Default for SettingsV1 {
    fn default() -> Self {
        let NavSettings {
            origin,
            tile_size,
            cell_size,
            cell_height,
            snap_bits,
            partition: _,
            min_region_area,
            merge_region_area,
            contour_max_error,
            max_verts_per_poly,
            area,
            max_edge_length,
            detail_sample_distance,
            detail_max_error,
            height,
            walkable_climb,
            agent_radius,
            agent_height,
            agent_max_slope,
            flags,
            links: _,
        } = NavSettings::default();
        let [x, y, z] = origin.map(Coordinate);
        Self {
            origin: (x, y, z),
            tile_size,
            cell_size,
            cell_height,
            snap_bits,
            partition: PartitionV1::Watershed,
            min_region_area,
            merge_region_area,
            contour_max_error,
            max_verts_per_poly,
            area,
            max_edge_length,
            detail_sample_distance,
            detail_max_error,
            height: Coordinate(height),
            walkable_climb,
            agent_radius,
            agent_height,
            agent_max_slope,
            flags,
        }
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = SettingsV1::deserialize(from)?;
        let (x, y, z) = read.origin;
        let settings = NavSettings {
            origin: [x.0, y.0, z.0],
            tile_size: read.tile_size,
            cell_size: read.cell_size,
            cell_height: read.cell_height,
            snap_bits: read.snap_bits,
            partition: match read.partition {
                PartitionV1::Watershed => Partition::Watershed,
                PartitionV1::Monotone => Partition::Monotone,
                PartitionV1::Layers => Partition::Layers,
            },
            min_region_area: read.min_region_area,
            merge_region_area: read.merge_region_area,
            contour_max_error: read.contour_max_error,
            max_verts_per_poly: read.max_verts_per_poly,
            area: read.area,
            max_edge_length: read.max_edge_length,
            detail_sample_distance: read.detail_sample_distance,
            detail_max_error: read.detail_max_error,
            height: read.height.0,
            walkable_climb: read.walkable_climb,
            agent_radius: read.agent_radius,
            agent_height: read.agent_height,
            agent_max_slope: read.agent_max_slope,
            flags: read.flags,
            links: Vec::new(),
        };
        check::settings(&settings).map_err(D::Error::custom)?;
        Ok(Self(check::clean_settings(&settings)))
    }
}
