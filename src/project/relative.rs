//! Paths from a project's folder on, and a map whose project moves to another folder.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Document, Geometry, Picture};

/// The path of `to` from the folder of the file `from`, with `/` between names; `None` if there is none.
#[must_use]
pub fn relative(from: &Path, to: &Path) -> Option<String> {
    let (from, to) = (plain(from)?, plain(to)?);
    let folder: Vec<Component<'_>> = from.parent()?.components().collect();
    let to: Vec<Component<'_>> = to.components().collect();
    let same = folder.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // Another drive.
    if same == 0 {
        return None;
    }
    let up = folder[same..].iter().map(|_| Some(".."));
    let down = to[same..].iter().map(|part| part.as_os_str().to_str());
    Some(up.chain(down).collect::<Option<Vec<_>>>()?.join("/"))
}

/// The whole path, without `.` and `..`.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// The map as it is kept in the file `to`, where `from` is the file that it was read from: pictures and geometry get the
/// paths from there; and those that cannot be reached from there, which keep theirs.
#[must_use]
pub fn moved(document: &Document, from: &Path, to: &Path) -> (Document, Vec<String>) {
    let folder = from.parent().unwrap_or(Path::new(""));
    let mut lost = Vec::new();
    let mut path_from_there = |path: &String| {
        relative(to, &folder.join(path)).unwrap_or_else(|| {
            lost.push(path.clone());
            path.clone()
        })
    };
    let picture =
        |item: &Arc<Picture>| Arc::new(Picture { path: path_from_there(&item.path), ..(**item).clone() });
    let pictures = document.pictures.iter().map(picture).collect();
    let geometry =
        |item: &Arc<Geometry>| Arc::new(Geometry { path: path_from_there(&item.path), ..(**item).clone() });
    let geometry = document.geometry.iter().map(geometry).collect();
    (Document { pictures: Arc::new(pictures), geometry: Arc::new(geometry), ..document.clone() }, lost)
}
