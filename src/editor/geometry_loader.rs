//! Reads imported geometry and puts it in its place, on a thread, once for each change.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::footprint::Footprint;
use super::geometry::{Geometries, Loaded, Source};
use super::samples::Bundled;
use super::state::State;
use super::watch::Watch;
use crate::bake::TriangleMesh;
use crate::project::{Geometry, GeometryId, RawGeometry, decode_geometry, placed, read_geometry};

/// Most triangles that are put in their places anew while they are dragged.
const MOST_LIVE: usize = 100_000;

/// What the thread keeps between readings.
#[derive(Debug, Default)]
struct Cache {
    raw: BTreeMap<PathBuf, Result<Arc<RawGeometry>, String>>,
    placed: BTreeMap<GeometryId, (Arc<RawGeometry>, Loaded)>,
}

/// What was read: the cache as it is now, and an entry for each item.
type Read = (Cache, Vec<Loaded>);

/// Reads what the document asks for, on a thread, one reading at a time.
#[derive(Debug, Default)]
pub struct Loader {
    cache: Cache,
    reading: Option<(Source, Receiver<Read>)>,
    watch: Watch,
    /// Files to be read anew: those that changed on the disk.
    stale: BTreeSet<PathBuf>,
    /// How many readings were begun: tests see that nothing is read in vain.
    pub readings: usize,
}

impl Loader {
    /// Takes in what was read, and begins to read what is wanted.
    pub fn tick(&mut self, state: &mut State, context: &egui::Context) {
        self.take(state);
        if std::mem::take(&mut state.geometry_anew) {
            self.stale.extend(self.cache.raw.keys().cloned());
        }
        self.stale.extend(self.watch.changed());
        let wanted = state.geometry_source();
        let is_due = !self.stale.is_empty() || !state.geometry.is_current(&wanted);
        if self.reading.is_some() || !is_due {
            return;
        }
        // What is dragged follows the hand where that is quick; much of it goes along at the end.
        let heavy = || state.geometry.items.iter().map(|loaded| loaded.triangles).sum::<usize>() > MOST_LIVE;
        if state.history.in_gesture() && heavy() {
            return;
        }
        let folders = wanted.geometry.iter().map(|item| wanted.path_of(item));
        self.watch.follow(folders.filter_map(|path| Some(path.parent()?.to_owned())), context);
        let stale = std::mem::take(&mut self.stale);
        if wanted.geometry.is_empty() {
            self.cache = Cache::default();
            state.geometry =
                Geometries { of: Some(wanted), edition: next_edition(), ..Geometries::default() };
            return;
        }
        let mut cache = std::mem::take(&mut self.cache);
        let (sender, receiver) = channel();
        let (source, wake) = (wanted.clone(), context.clone());
        let spawned = std::thread::Builder::new().name("geometry".to_owned()).spawn(move || {
            let items = cache.read(&source, &stale);
            // The window may be gone by now; then nobody needs the answer.
            drop(sender.send((cache, items)));
            wake.request_repaint();
        });
        self.readings += 1;
        match spawned {
            Ok(_) => self.reading = Some((wanted, receiver)),
            Err(error) => {
                let failed = wanted.geometry.iter().map(|item| Loaded::failed(item, error.to_string()));
                let items = Arc::new(failed.collect());
                state.geometry = Geometries { items, edition: next_edition(), of: Some(wanted) };
            }
        }
    }

    fn take(&mut self, state: &mut State) {
        let Some((source, receiver)) = &self.reading else { return };
        let (cache, items) = match receiver.try_recv() {
            Ok(read) => read,
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => {
                let failed = |item| Loaded::failed(item, "its reader broke down".to_owned());
                (Cache::default(), source.geometry.iter().map(failed).collect())
            }
        };
        let source = source.clone();
        self.reading = None;
        self.cache = cache;
        let editions = |items: &[Loaded]| items.iter().map(|loaded| loaded.edition).collect::<Vec<_>>();
        let is_same = editions(&items) == editions(&state.geometry.items);
        let from_disk = state.geometry.of.as_ref().is_some_and(|of| of.is_same(&source));
        if is_same {
            // Names may be others.
            state.geometry.items = Arc::new(items);
            state.geometry.of = Some(source);
            return;
        }
        let is_first = state.geometry.of.is_none();
        if is_first && !source.is_same(&state.geometry_source()) {
            // Another map was opened meanwhile.
            return;
        }
        state.geometry = Geometries { items: Arc::new(items), edition: next_edition(), of: Some(source) };
        state.geometry_arrived(is_first);
        if from_disk {
            // The document is the same, what it stands for is not.
            state.geometry_changed();
        }
    }
}

impl Loaded {
    fn failed(item: &Arc<Geometry>, error: String) -> Self {
        Self {
            item: Arc::clone(item),
            edition: next_edition(),
            shape: next_edition(),
            meshes: Arc::default(),
            bounds: None,
            footprint: Arc::default(),
            triangles: 0,
            left_out: String::new(),
            error: Some(error),
        }
    }

    /// `shape`: that of the same file's triangles, if they were only moved.
    fn of(item: &Arc<Geometry>, raw: &RawGeometry, shape: Option<u64>) -> Self {
        let meshes: Vec<TriangleMesh> = raw.meshes.iter().map(|mesh| placed(mesh, item)).collect();
        let bounds = bounds(&meshes);
        Self {
            item: Arc::clone(item),
            edition: next_edition(),
            shape: shape.unwrap_or_else(next_edition),
            bounds,
            footprint: Arc::new(Footprint::new(&meshes, bounds)),
            triangles: meshes.iter().map(|mesh| mesh.triangles.len()).sum(),
            meshes: Arc::new(meshes),
            left_out: raw.left_out.clone(),
            error: None,
        }
    }
}

impl Cache {
    /// Reads and places what is not kept or is stale.
    fn read(&mut self, source: &Source, stale: &BTreeSet<PathBuf>) -> Vec<Loaded> {
        let wanted: BTreeSet<PathBuf> = source.geometry.iter().map(|item| source.path_of(item)).collect();
        self.raw.retain(|path, _| wanted.contains(path) && !is_stale(path, stale));
        for path in wanted {
            let (bundled, folder) = (source.bundled, source.folder.as_deref());
            self.raw.entry(path).or_insert_with_key(|path| {
                let read = catch_unwind(AssertUnwindSafe(|| read(path, folder, bundled)));
                read.unwrap_or_else(|_| Err(format!("{}: its reader broke down", path.display())))
            });
        }
        let before = std::mem::take(&mut self.placed);
        let mut items = Vec::new();
        for item in source.geometry.iter() {
            let raw = match self.raw.get(&source.path_of(item)) {
                Some(Ok(raw)) => raw,
                Some(Err(error)) => {
                    // What was read before stays in sight: the file may be in the middle of being written.
                    let last = before.get(&item.id).filter(|(_, loaded)| loaded.item.path == item.path);
                    let failed = match last {
                        Some((of, loaded)) => {
                            let kept = if lies_as(loaded, item) {
                                Loaded { item: Arc::clone(item), ..loaded.clone() }
                            } else {
                                Loaded::of(item, of, loaded.moved_to(item).map(|_| loaded.shape))
                            };
                            self.placed.insert(item.id, (Arc::clone(of), kept.clone()));
                            Loaded { edition: next_edition(), error: Some(error.clone()), ..kept }
                        }
                        None => Loaded::failed(item, error.clone()),
                    };
                    items.push(failed);
                    continue;
                }
                None => continue,
            };
            let kept =
                before.get(&item.id).filter(|(of, loaded)| Arc::ptr_eq(of, raw) && lies_as(loaded, item));
            let loaded = match kept {
                Some((_, loaded)) => Loaded { item: Arc::clone(item), ..loaded.clone() },
                None => {
                    let same = before.get(&item.id).filter(|(of, _)| Arc::ptr_eq(of, raw));
                    let same = same.filter(|(_, loaded)| loaded.moved_to(item).is_some());
                    Loaded::of(item, raw, same.map(|(_, loaded)| loaded.shape))
                }
            };
            self.placed.insert(item.id, (Arc::clone(raw), loaded.clone()));
            items.push(loaded);
        }
        items
    }
}

/// Whether triangles lie as an item of the document says: a name moves none.
fn lies_as(loaded: &Loaded, item: &Geometry) -> bool {
    Geometry { name: item.name.clone(), ..(*loaded.item).clone() } == *item
}

/// Whether a file, or one beside it that a glTF file may name, changed.
fn is_stale(path: &Path, stale: &BTreeSet<PathBuf>) -> bool {
    let is_gltf = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf"));
    stale.contains(path)
        || is_gltf && stale.iter().any(|other| path.parent().is_some_and(|folder| other.starts_with(folder)))
}

fn read(path: &Path, folder: Option<&Path>, bundled: &[Bundled]) -> Result<Arc<RawGeometry>, String> {
    let named = path.strip_prefix(folder.unwrap_or(Path::new(""))).unwrap_or(path);
    let with_program = bundled.iter().find(|file| Path::new(file.name) == named);
    let raw = match with_program {
        Some(file) => decode_geometry(file.text.as_bytes(), named),
        None => read_geometry(path),
    };
    raw.map(Arc::new).map_err(|error| error.to_string())
}

fn bounds(meshes: &[TriangleMesh]) -> Option<[[f64; 3]; 2]> {
    let vertices = meshes.iter().flat_map(|mesh| mesh.vertices.iter());
    let mut finite = vertices.filter(|vertex| vertex.iter().all(|value| value.is_finite()));
    let &first = finite.next()?;
    Some(finite.fold([first; 2], |[low, high], vertex| {
        [
            std::array::from_fn(|axis| low[axis].min(vertex[axis])),
            std::array::from_fn(|axis| high[axis].max(vertex[axis])),
        ]
    }))
}

fn next_edition() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
