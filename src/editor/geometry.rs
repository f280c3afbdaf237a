//! Imported geometry as the editor has it: read and put in its place, for the canvas, the 3D view and the bake.
//!
//! Who shows it reads [`State::geometry`](super::state::State): a [`Geometries`], whose `items` stand in the order of the
//! document's. What was made of an item stays good while its `edition` is the same.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::footprint::Footprint;
use super::samples::Bundled;
use crate::bake::TriangleMesh;
use crate::project::{Geometry, GeometryId};

/// All geometry of the open map.
#[derive(Clone, Debug, Default)]
pub struct Geometries {
    /// An entry for each of the document's items, in its order; those of an earlier state of the document while the
    /// thread works.
    pub items: Arc<Vec<Loaded>>,
    /// Another number whenever any entry is another one.
    pub edition: u64,
    /// What they were read for.
    pub(super) of: Option<Source>,
}

/// An item of the document with its triangles.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The item that the triangles were placed by: its id, path, axes, level.
    pub item: Arc<Geometry>,
    /// Another number whenever the triangles or their places are others; no number is used twice while the program runs.
    pub edition: u64,
    /// Another number whenever the triangles are others, or lie otherwise than moved as a whole.
    pub shape: u64,
    /// World x, y (up), z after the item's up axis, scale, turn and offset: one mesh of an OBJ file, one for each node of
    /// a glTF file. Vertices may be NaN or infinite, and triangles may name vertices that are not there: the bake leaves
    /// both out with a count, and who draws them must too. Empty where `error` says why nothing was read.
    pub meshes: Arc<Vec<TriangleMesh>>,
    /// Lowest and highest corner of all finite vertices; `None` where there are none.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Which triangles lie where on the ground.
    pub footprint: Arc<Footprint>,
    /// How many triangles all meshes have.
    pub triangles: usize,
    /// What the reader skipped, with counts, in words; empty where nothing was.
    pub left_out: String,
    /// What is wrong with the file, which is missing or broken; the triangles are those that were read from it last.
    pub error: Option<String>,
}

/// What geometry is read for: equal sources by pointer and folder need no second reading.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) geometry: Arc<Vec<Arc<Geometry>>>,
    pub(super) folder: Option<PathBuf>,
    pub(super) bundled: &'static [Bundled],
}

impl Source {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.geometry, &other.geometry)
            && self.folder == other.folder
            && std::ptr::eq(self.bundled, other.bundled)
    }

    pub(super) fn path_of(&self, item: &Geometry) -> PathBuf {
        self.folder.as_deref().unwrap_or(Path::new("")).join(&item.path)
    }
}

impl Geometries {
    /// The item whose surface is seen from above at a place: the highest not above `cut`, of those that `wanted` holds for.
    #[must_use]
    pub fn at(&self, place: [f64; 2], cut: f64, wanted: &dyn Fn(GeometryId) -> bool) -> Option<GeometryId> {
        let shown = self.items.iter().filter(|loaded| wanted(loaded.item.id));
        let tops = shown
            .filter_map(|loaded| Some((loaded.footprint.top(&loaded.meshes, place, cut)?, loaded.item.id)));
        // Of equally high ones the later.
        tops.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
    }

    /// The entry of an item.
    #[must_use]
    pub fn get(&self, id: GeometryId) -> Option<&Loaded> {
        self.items.iter().find(|loaded| loaded.item.id == id)
    }

    /// Whether the entries are those that were read for `wanted`.
    pub(super) fn is_current(&self, wanted: &Source) -> bool {
        wanted.geometry.is_empty() && self.items.is_empty()
            || self.of.as_ref().is_some_and(|of| of.is_same(wanted))
    }

    /// All meshes, as a voxel bake takes them.
    #[must_use]
    pub fn meshes(&self) -> Vec<TriangleMesh> {
        self.items.iter().flat_map(|loaded| loaded.meshes.iter().cloned()).collect()
    }
}

impl Loaded {
    /// How far the triangles must be moved to lie as an item of the document says; `None` if more is to be done.
    #[must_use]
    pub fn moved_to(&self, item: &Geometry) -> Option<[f64; 3]> {
        let Geometry { up, flip, scale, turn, offset, .. } = &*self.item;
        let same = (*up, *flip) == (item.up, item.flip)
            && (*scale, *turn) == (item.scale, item.turn)
            && self.item.path == item.path;
        same.then(|| std::array::from_fn(|axis| item.offset[axis] - offset[axis]))
    }

    /// The outline around it on the ground, where an item of the document says that it lies.
    #[must_use]
    pub fn hull_at(&self, item: &Geometry) -> Vec<[f64; 2]> {
        let [x, _, z] = self.moved_to(item).unwrap_or_default();
        self.footprint.hull().iter().map(|corner| [corner[0] + x, corner[1] + z]).collect()
    }

    /// The box around it, where an item of the document says that it lies.
    #[must_use]
    pub fn bounds_at(&self, item: &Geometry) -> Option<[[f64; 3]; 2]> {
        let by = self.moved_to(item).unwrap_or_default();
        Some(self.bounds?.map(|corner| std::array::from_fn(|axis| corner[axis] + by[axis])))
    }
}
