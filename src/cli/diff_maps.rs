//! What `diff` says of the maps themselves: areas, links, checks and the rest thing by thing, and the triangles of
//! imported geometry, by what is in its files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::output::count;
use crate::project::{
    Change, Document, FileKind, Geometry, GeometryId, Opened, Part, RawGeometry, changes, read_geometry,
};

/// A map, and the folder that its files are found from.
pub(super) struct Map {
    document: Document,
    folder: PathBuf,
    /// Whether it is a file of geometry by itself.
    is_alone: bool,
}

impl Map {
    pub(super) fn new(opened: Opened, path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut document = opened.document;
        let is_alone = opened.kind == FileKind::Geometry;
        if is_alone {
            // A file by itself is given an id by chance; two of them stand for each other.
            let same = |item: &Arc<Geometry>| Arc::new(Geometry { id: GeometryId(0), ..(**item).clone() });
            document.geometry = Arc::new(document.geometry.iter().map(same).collect());
        }
        Self { document, folder, is_alone }
    }
}

/// What differs between two maps beside their settings.
pub(super) struct MapDiff {
    changes: Vec<Change>,
    triangles: Vec<Triangles>,
}

/// The triangles of geometry that both maps have.
struct Triangles {
    name: String,
    sides: [Result<Content, String>; 2],
}

/// What is in a file of geometry.
#[derive(PartialEq)]
struct Content {
    triangles: usize,
    corners: usize,
    /// Of all coordinates and indices, in order.
    digest: String,
}

impl MapDiff {
    pub(super) fn of(a: &Map, b: &Map) -> Self {
        let mut changes = changes(&a.document, &b.document);
        // Settings are compared to the last bit elsewhere.
        changes.retain(|change| match change.part {
            Part::Setting(_) | Part::Settings => false,
            // Another name of the same file is no difference.
            Part::Geometry(_) => !(a.is_alone && b.is_alone),
            _ => true,
        });
        let triangles = a.document.geometry.iter().filter_map(|item| {
            let other = b.document.geometry(item.id)?;
            let sides = [(a, item), (b, other)].map(|(map, item)| content_of(&map.folder.join(&item.path)));
            let (name, its) = (item.name(), other.name());
            let name = if name == its { name.to_owned() } else { format!("{name} and {its}") };
            Some(Triangles { name, sides })
        });
        Self { changes, triangles: triangles.collect() }
    }

    /// What cannot be read counts as different: nobody knows that it is the same.
    pub(super) fn is_different(&self) -> bool {
        !self.changes.is_empty() || self.triangles.iter().any(Triangles::differ)
    }

    pub(super) fn lines(&self) -> String {
        let mut text = if self.is_different() {
            "map\n".to_owned()
        } else {
            "map              areas, links, levels, classes, checks and geometry are the same\n".to_owned()
        };
        for Change { name, what, .. } in &self.changes {
            text += &format!("  ! {name}: {what}\n");
        }
        for found in &self.triangles {
            let (name, [a, b]) = (&found.name, &found.sides);
            let words = |side: &Result<Content, String>| match side {
                Ok(content) => content.words(),
                Err(error) => format!("cannot be read ({error})"),
            };
            if found.differ() {
                text += &format!("  ! triangles of {name}: {} in A, {} in B\n", words(a), words(b));
            } else {
                text += &format!("    triangles of {name}: {}\n", words(a));
            }
        }
        text
    }

    pub(super) fn as_json(&self) -> Value {
        let change = |change: &Change| json!({ "name": change.name, "what": change.what });
        let side = |side: &Result<Content, String>| match side {
            Ok(Content { triangles, corners, digest }) => {
                json!({ "triangles": triangles, "vertices": corners, "digest": digest })
            }
            Err(error) => json!({ "error": error }),
        };
        let triangles = |found: &Triangles| {
            let [a, b] = &found.sides;
            json!({ "name": found.name, "differs": found.differ(), "a": side(a), "b": side(b) })
        };
        json!({
            "changes": self.changes.iter().map(change).collect::<Vec<_>>(),
            "geometry": self.triangles.iter().map(triangles).collect::<Vec<_>>(),
        })
    }
}

impl Triangles {
    fn differ(&self) -> bool {
        match &self.sides {
            [Ok(a), Ok(b)] => a != b,
            _ => true,
        }
    }
}

impl Content {
    fn words(&self) -> String {
        let Self { triangles, corners, digest } = self;
        format!("{}, {} (digest {digest})", count(*triangles, "triangle"), count(*corners, "corner"))
    }
}

fn content_of(path: &Path) -> Result<Content, String> {
    let raw: RawGeometry = read_geometry(path).map_err(|error| error.to_string())?;
    let mut hash = Sha256::new();
    for mesh in &raw.meshes {
        hash.update((mesh.vertices.len() as u64).to_le_bytes());
        mesh.vertices.iter().flatten().for_each(|value| hash.update(value.to_le_bytes()));
        hash.update((mesh.triangles.len() as u64).to_le_bytes());
        mesh.triangles.iter().flatten().for_each(|index| hash.update(index.to_le_bytes()));
    }
    let digest = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Ok(Content {
        triangles: raw.meshes.iter().map(|mesh| mesh.triangles.len()).sum(),
        corners: raw.meshes.iter().map(|mesh| mesh.vertices.len()).sum(),
        digest,
    })
}
