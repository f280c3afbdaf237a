//! Reference pictures to draw over. A map keeps where a picture is and how it lies, never the picture itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::CommandError;
use super::check::{self, out_of_range, positive_zero};

/// A random, stable id of a reference picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PictureId(pub u64);

/// Most reference pictures of a map.
pub const MAX_PICTURES: usize = 1000;
/// Least and greatest size of a picture's pixel, in squares.
pub const PIXEL_SIZES: std::ops::RangeInclusive<f64> = 0.000_001..=1000.0;

/// A picture that lies under the drawing of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its id.
    pub id: PictureId,
    /// Its file, from the folder of the project's file on, with `/` between names.
    pub path: String,
    /// The level under which it lies.
    pub level: i8,
    /// World (x, z) of its lower left corner.
    pub offset: [f64; 2],
    /// How large a pixel is.
    pub squares_per_pixel: f64,
    /// From 0, which is not seen, to 1, which covers the ground.
    pub opacity: f64,
}

impl Picture {
    /// Its file's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Its box in the world, if its file has so many pixels: lower left and upper right corner.
    #[must_use]
    pub fn bounds(&self, pixels: [u32; 2]) -> [[f64; 2]; 2] {
        let high = [0, 1].map(|axis| self.offset[axis] + f64::from(pixels[axis]) * self.squares_per_pixel);
        [self.offset, high]
    }
}

pub(super) fn check_picture(picture: &Picture) -> Result<(), CommandError> {
    let Picture { id, path, level: _, offset, squares_per_pixel, opacity } = picture;
    check::relative_path(|| format!("the path of picture {:016x}", id.0), path)?;
    let label = || format!("picture \"{}\"", path.escape_debug());
    for (axis, &value) in ["x", "z"].into_iter().zip(offset) {
        check::coordinate(|| format!("{axis} of the offset of {}", label()), value)?;
    }
    if !PIXEL_SIZES.contains(squares_per_pixel) {
        let what = format!("squares_per_pixel of {}", label());
        return Err(out_of_range(what, squares_per_pixel, "must be 0.000001 to 1000"));
    }
    if !(0.0..=1.0).contains(opacity) {
        return Err(out_of_range(format!("the opacity of {}", label()), opacity, "must be 0 to 1"));
    }
    Ok(())
}

pub(super) type Pictures = Arc<Vec<Arc<Picture>>>;

/// Adds a picture, or replaces the one of the same id.
pub(super) fn set(before: &Pictures, picture: &Picture) -> Result<Pictures, CommandError> {
    check_picture(picture)?;
    let picture = Picture {
        offset: picture.offset.map(positive_zero),
        opacity: positive_zero(picture.opacity),
        ..picture.clone()
    };
    let mut pictures = (**before).clone();
    match pictures.binary_search_by_key(&picture.id, |other| other.id) {
        Ok(place) if *pictures[place] == picture => return Ok(Arc::clone(before)),
        Ok(place) => pictures[place] = Arc::new(picture),
        Err(_) if pictures.len() >= MAX_PICTURES => {
            let bound = format!("must be at most {MAX_PICTURES}");
            return Err(out_of_range("the number of pictures", pictures.len() + 1, bound));
        }
        Err(place) => pictures.insert(place, Arc::new(picture)),
    }
    Ok(Arc::new(pictures))
}

/// Removes pictures.
pub(super) fn remove(before: &Pictures, ids: &[PictureId]) -> Result<Pictures, CommandError> {
    if ids.is_empty() {
        return Ok(Arc::clone(before));
    }
    if let Some(id) = ids.iter().find(|&&id| before.iter().all(|picture| picture.id != id)) {
        return Err(CommandError::NoSuchPicture(id.0));
    }
    let gone: BTreeSet<_> = ids.iter().copied().collect();
    Ok(Arc::new(before.iter().filter(|picture| !gone.contains(&picture.id)).cloned().collect()))
}
