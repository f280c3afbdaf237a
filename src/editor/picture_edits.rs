//! Reference pictures: taken in, and found again when the project is saved elsewhere.

use std::path::Path;

use super::canvas::grid::round_to;
use super::canvas::pick::Item;
use super::canvas::pictures::size_of;
use super::state::{Selection, State};
use crate::project::relative::relative;
use crate::project::{Command, Picture, PictureId, new_id};

/// Widest that a picture is when it is taken in, in squares.
const BROAD: f64 = 32.0;

impl State {
    /// Takes a picture in under the current level, in the middle of the view.
    ///
    /// # Errors
    /// Why it cannot be one of this project's.
    pub fn import_picture(&mut self, path: &Path) -> Result<(), String> {
        let Some(file) = self.file.clone() else {
            return Err(
                "save the project first: a picture is kept by its path from the project's folder".to_owned()
            );
        };
        let size = size_of(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let relative = relative(&file, path)
            .ok_or_else(|| format!("{} cannot be reached from the project's folder", path.display()))?;
        // The largest of 1, 1/2, 1/4 … squares a pixel at which it is no broader than that.
        let mut pixel = 1.0;
        while f64::from(size[0].max(size[1])) * pixel > BROAD {
            pixel *= 0.5;
        }
        let corner = [0, 1].map(|axis| self.camera.center[axis] - 0.5 * f64::from(size[axis]) * pixel);
        let document = self.history.document();
        let id = std::iter::repeat_with(|| PictureId(new_id())).find(|&id| document.picture(id).is_none());
        let picture = Picture {
            id: id.unwrap_or(PictureId(0)),
            path: relative,
            level: self.level,
            offset: round_to(corner, 1.0),
            squares_per_pixel: pixel,
            opacity: 0.5,
        };
        let name = format!("Import {}", picture.name());
        let id = picture.id;
        let command = Command::SetPicture(picture);
        self.history.commit(&name, &command).map_err(|error| error.to_string())?;
        self.changed();
        self.select(Selection::item(Item::Picture(id)));
        Ok(())
    }

    /// As the project is about to be saved in another folder, pictures get the paths from there. What is not found from
    /// there keeps its path.
    pub(super) fn keep_pictures(&mut self, to: &Path) {
        let Some(from) = self.file.clone() else { return };
        if from.parent() == to.parent() || self.history.document().pictures.is_empty() {
            return;
        }
        let folder = from.parent().unwrap_or(Path::new("")).to_owned();
        let moved = self.history.document().pictures.iter().filter_map(|picture| {
            let path = relative(to, &folder.join(&picture.path))?;
            Some(Command::SetPicture(Picture { path, ..(**picture).clone() }))
        });
        let command = Command::Several(moved.collect());
        self.commit("Find pictures from the new folder", &command);
    }
}
