//! The schema's lists: serde structs of each kind of item, every value checked where it stands.

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::bake::{AreaKind, Surface};
use crate::project::check::{self, MAX_ELEMENTS, positive_zero};
use crate::project::class::{self, MAX_CLASSES};
use crate::project::element::MAX_ORDER;
use crate::project::{AgentClass, Area, AreaId, ClassId, CommandError, Level, Link, LinkId};

/// One of the schema's structs on its way to what the document holds.
pub(super) trait Parsed: DeserializeOwned {
    type Value;
    /// What the list holds, for messages.
    const NOUN: &'static str;
    /// Most items of the list.
    const MOST: usize = MAX_ELEMENTS;
    /// The value, checked.
    fn value(self) -> Result<Self::Value, String>;
    /// What must be unique in the list.
    fn key(value: &Self::Value) -> u64;
    fn duplicate(value: &Self::Value) -> String;
}

/// A list in which every item is checked as soon as it is read.
pub(super) fn checked_list<'de, D: Deserializer<'de>, P: Parsed>(from: D) -> Result<Vec<P::Value>, D::Error> {
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
                if values.len() == P::MOST {
                    let (noun, most) = (P::NOUN, P::MOST);
                    return Err(A::Error::custom(format!("there are more than {most} {noun}")));
                }
                values.push(value);
            }
            Ok(values)
        }
    }
    from.deserialize_seq(Items(PhantomData::<P>))
}

pub(super) struct Classes(pub(super) Vec<AgentClass>);
#[derive(Default)]
pub(super) struct Levels(pub(super) Vec<Level>);
#[derive(Default)]
pub(super) struct Areas(pub(super) Vec<Area>);
#[derive(Default)]
pub(super) struct Links(pub(super) Vec<Link>);

impl Default for Classes {
    fn default() -> Self {
        Self(vec![AgentClass::default()])
    }
}

impl<'de> Deserialize<'de> for Classes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let classes = checked_list::<D, ClassV2>(from)?;
        if classes.is_empty() {
            return Err(D::Error::custom(CommandError::LastClass));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = classes.iter().find(|class| !names.insert(class.name.as_str())) {
            return Err(D::Error::custom(format!("two agent classes are called \"{}\"", twice.name)));
        }
        Ok(Self(classes))
    }
}

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
pub(super) struct Coordinate(pub(super) f64);

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(from)?;
        check::coordinate(|| "this number".to_owned(), value).map_err(D::Error::custom)?;
        Ok(Self(positive_zero(value)))
    }
}

pub(super) type Point = (Coordinate, Coordinate);

pub(super) fn pair((x, z): Point) -> [f64; 2] {
    [x.0, z.0]
}

pub(super) fn name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let value = String::deserialize(from)?;
    check::name(|| "this name".to_owned(), &value).map_err(D::Error::custom)?;
    Ok(value)
}

pub(super) fn area_type<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let value = u8::deserialize(from)?;
    check::area_type(|| "this area type".to_owned(), value).map_err(D::Error::custom)?;
    Ok(value)
}

pub(super) fn optional_area_type<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
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

/// Fields left out are those of the class that a new document has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Class")]
struct ClassV2 {
    id: u64,
    #[serde(deserialize_with = "order", default)]
    order: i64,
    #[serde(deserialize_with = "name")]
    name: String,
    #[serde(default)]
    agent_radius: Option<f32>,
    #[serde(default)]
    agent_height: Option<f32>,
    #[serde(default)]
    walkable_climb: Option<f32>,
    #[serde(default)]
    agent_max_slope: Option<f32>,
}

impl Parsed for ClassV2 {
    type Value = AgentClass;
    const NOUN: &'static str = "classes";
    const MOST: usize = MAX_CLASSES;

    fn value(self) -> Result<AgentClass, String> {
        let nothing = AgentClass::default();
        let class = AgentClass {
            id: ClassId(self.id),
            order: self.order,
            name: self.name,
            radius: self.agent_radius.unwrap_or(nothing.radius) + 0.0,
            height: self.agent_height.unwrap_or(nothing.height) + 0.0,
            climb: self.walkable_climb.unwrap_or(nothing.climb) + 0.0,
            max_slope: self.agent_max_slope.unwrap_or(nothing.max_slope) + 0.0,
        };
        class::check_class(&class).map_err(|error| error.to_string())?;
        Ok(class)
    }

    fn key(class: &AgentClass) -> u64 {
        class.id.0
    }

    fn duplicate(class: &AgentClass) -> String {
        format!("agent class {:016x} is in the list twice", class.id.0)
    }
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
    #[serde(default)]
    start_y: Option<f64>,
    end: Point,
    end_level: i8,
    #[serde(default)]
    end_y: Option<f64>,
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
            start_y: self.start_y.map(positive_zero),
            end: pair(self.end),
            end_level: self.end_level,
            end_y: self.end_y.map(positive_zero),
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
