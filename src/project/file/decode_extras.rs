//! The schema's lists that most maps do without: area types, checks, hidden issues.

use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::decode_items::{Coordinate, Parsed, Point, area_type, checked_list, name, pair};
use crate::bake::DiagnosticKind;
use crate::project::check::positive_zero;
use crate::project::{
    AreaId, AreaType, CheckId, ClassId, HiddenIssue, LinkId, PathCheck, Wanted, hidden_issue, path_check,
};

#[derive(Default)]
pub(super) struct AreaTypes(Vec<AreaType>);
#[derive(Default)]
pub(super) struct Checks(Vec<PathCheck>);
#[derive(Default)]
pub(super) struct HiddenIssues(Vec<HiddenIssue>);

impl AreaTypes {
    pub(super) fn sorted(mut self) -> Vec<Arc<AreaType>> {
        self.0.sort_by_key(|kind| kind.number);
        self.0.into_iter().map(Arc::new).collect()
    }
}

impl Checks {
    pub(super) fn sorted(mut self) -> Vec<Arc<PathCheck>> {
        self.0.sort_by_key(|check| check.id);
        self.0.into_iter().map(Arc::new).collect()
    }

    /// The classes that checks name.
    pub(super) fn classes(&self) -> impl Iterator<Item = (&str, ClassId)> {
        self.0.iter().filter_map(|check| Some((check.name.as_str(), check.class?)))
    }
}

impl HiddenIssues {
    pub(super) fn sorted(self) -> Vec<HiddenIssue> {
        hidden_issue::sorted(self.0)
    }
}

impl<'de> Deserialize<'de> for AreaTypes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked_list::<D, AreaTypeV2>(from).map(Self)
    }
}

impl<'de> Deserialize<'de> for Checks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked_list::<D, CheckV2>(from).map(Self)
    }
}

impl<'de> Deserialize<'de> for HiddenIssues {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // The same issue may be hidden by two people: that is no fault.
        let list = Vec::<HiddenIssueV2>::deserialize(from)?;
        Ok(Self(list.into_iter().map(|hidden| hidden.0).collect()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "AreaType")]
struct AreaTypeV2 {
    #[serde(deserialize_with = "area_type")]
    number: u8,
    #[serde(deserialize_with = "name", default)]
    name: String,
    #[serde(default)]
    color: Option<Color>,
    #[serde(default)]
    cost: Option<f64>,
}

/// "#rrggbb".
struct Color([u8; 3]);

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let digits =
            text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] = value
            .ok_or_else(|| {
                D::Error::custom(format!(
                    "this color is \"{}\", but must be like \"#0072b2\"",
                    text.escape_debug()
                ))
            })?
            .to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl Parsed for AreaTypeV2 {
    type Value = AreaType;
    const NOUN: &'static str = "area types";
    const MOST: usize = 64;

    fn value(self) -> Result<AreaType, String> {
        let nothing = AreaType::new(self.number);
        let kind = AreaType {
            number: self.number,
            name: self.name,
            color: self.color.map_or(nothing.color, |color| color.0),
            cost: self.cost.unwrap_or(nothing.cost) + 0.0,
        };
        crate::project::area_type::check_type(&kind).map_err(|error| error.to_string())?;
        Ok(kind)
    }

    fn key(kind: &AreaType) -> u64 {
        kind.number.into()
    }

    fn duplicate(kind: &AreaType) -> String {
        format!("area type {} is in the list twice", kind.number)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", rename = "wanted")]
enum WantedV2 {
    Path,
    NoPath,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Check")]
struct CheckV2 {
    id: u64,
    #[serde(deserialize_with = "name", default)]
    name: String,
    #[serde(default)]
    class: Option<u64>,
    start: Point,
    start_level: i8,
    #[serde(default)]
    start_y: Option<f64>,
    end: Point,
    end_level: i8,
    #[serde(default)]
    end_y: Option<f64>,
    wanted: WantedV2,
    #[serde(default)]
    longest: Option<f64>,
}

impl Parsed for CheckV2 {
    type Value = PathCheck;
    const NOUN: &'static str = "checks";

    fn value(self) -> Result<PathCheck, String> {
        let check = PathCheck {
            id: CheckId(self.id),
            name: self.name,
            class: self.class.map(ClassId),
            start: pair(self.start),
            start_level: self.start_level,
            start_y: self.start_y.map(positive_zero),
            end: pair(self.end),
            end_level: self.end_level,
            end_y: self.end_y.map(positive_zero),
            wanted: match self.wanted {
                WantedV2::Path => Wanted::Path,
                WantedV2::NoPath => Wanted::NoPath,
            },
            longest: self.longest,
        };
        path_check::check_check(&check).map_err(|error| error.to_string())?;
        Ok(check)
    }

    fn key(check: &PathCheck) -> u64 {
        check.id.0
    }

    fn duplicate(check: &PathCheck) -> String {
        format!("check {:016x} is in the list twice", check.id.0)
    }
}

struct HiddenIssueV2(HiddenIssue);

impl<'de> Deserialize<'de> for HiddenIssueV2 {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, rename = "HiddenIssue")]
        struct Fields {
            kind: Kind,
            level: i8,
            at: (Coordinate, Coordinate),
            #[serde(default)]
            area: Option<u64>,
            #[serde(default)]
            link: Option<u64>,
        }
        let Fields { kind: Kind(kind), level, at, area, link } = Fields::deserialize(from)?;
        let (area, link) = (area.map(AreaId), link.map(LinkId));
        Ok(Self(HiddenIssue { kind, level, place: pair(at), area, link }))
    }
}

struct Kind(DiagnosticKind);

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let kind = DiagnosticKind::of_name(&text);
        let unknown = || D::Error::custom(format!("there is no issue of kind \"{}\"", text.escape_debug()));
        kind.map(Self).ok_or_else(unknown)
    }
}
