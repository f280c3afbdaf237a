//! The schema's list of reference pictures, which most maps do without.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};

use super::decode_items::{Parsed, Point, checked_list, pair};
use crate::project::picture::{MAX_PICTURES, check_picture};
use crate::project::{Picture, PictureId};

#[derive(Default)]
pub(super) struct Pictures(Vec<Picture>);

impl Pictures {
    pub(super) fn sorted(mut self) -> Vec<Arc<Picture>> {
        self.0.sort_by_key(|picture| picture.id);
        self.0.into_iter().map(Arc::new).collect()
    }
}

impl<'de> Deserialize<'de> for Pictures {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked_list::<D, PictureV2>(from).map(Self)
    }
}

/// How much of a picture is seen unless the file says otherwise.
fn half() -> f64 {
    0.5
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Picture")]
struct PictureV2 {
    id: u64,
    path: String,
    level: i8,
    offset: Point,
    squares_per_pixel: f64,
    #[serde(default = "half")]
    opacity: f64,
}

impl Parsed for PictureV2 {
    type Value = Picture;
    const NOUN: &'static str = "pictures";
    const MOST: usize = MAX_PICTURES;

    fn value(self) -> Result<Picture, String> {
        let picture = Picture {
            id: PictureId(self.id),
            path: self.path,
            level: self.level,
            offset: pair(self.offset),
            squares_per_pixel: self.squares_per_pixel,
            opacity: self.opacity + 0.0,
        };
        check_picture(&picture).map_err(|error| error.to_string())?;
        Ok(picture)
    }

    fn key(picture: &Picture) -> u64 {
        picture.id.0
    }

    fn duplicate(picture: &Picture) -> String {
        format!("picture {:016x} is in the list twice", picture.id.0)
    }
}
