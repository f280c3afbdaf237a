//! The bake thread: takes the newest document, gives back a mesh, never makes the window wait.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::geometry::{Geometries, Loaded};

use super::progress::{Progress, Watched};
use super::timings::{Stopwatch, Timings};
use crate::bake::flat::FlatBaker;
use crate::bake::voxel::VoxelBaker;
use crate::bake::{BakeError, BakeOptions, BakeReport, Diagnostic, DiagnosticKind, Element};
use crate::draw::{IslandShapes, TileShapes};
use crate::format::{Fingerprint, NO_SIDE, NavMesh, TiledNavMesh};
use crate::project::{AgentClass, CheckAnswer, Document, Geometry, name_links, run_checks, voxel_input};
use crate::query::{QueryFilter, islands};

/// Least time between the starts of two bakes while drags go on.
const PAUSE: Duration = Duration::from_millis(100);

/// How a map is baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// Its drawn areas alone, exactly.
    Flat,
    /// Its drawn areas and imported geometry, by voxels.
    Voxel,
}

/// What to bake.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which state of the drawing this is; the outcome carries it back.
    pub generation: u64,
    /// The drawing.
    pub document: Document,
    /// The agent that the mesh is for.
    pub class: Arc<AgentClass>,
    /// Its number among the requests; the outcome carries it back.
    pub ticket: u64,
    /// How.
    pub mode: Mode,
    /// The map's geometry as it was read.
    pub geometry: Geometries,
    /// Whether a drag goes on: then bakes are started less often.
    pub dragging: bool,
    /// Whether nothing of the last bake is kept, as the exporter does it.
    pub complete: bool,
}

/// A bake that came out.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The mesh.
    pub mesh: Arc<NavMesh>,
    /// Diagnostics and seams.
    pub report: Arc<BakeReport>,
    /// What the canvas draws of it.
    pub shapes: Arc<TileShapes>,
    /// Which polygons can reach each other.
    pub islands: Arc<IslandShapes>,
    /// Counted once, here.
    pub counts: Counts,
    /// What the pinned checks say.
    pub checks: Arc<Vec<CheckAnswer>>,
    /// How it was baked.
    pub mode: Mode,
    /// How many tile columns of a voxel bake were made; the others were kept.
    pub fresh_tiles: usize,
    /// What the stages of this bake took; what each tile took when it was made.
    pub timings: Arc<Timings>,
}

/// What a designer wants to know of a mesh.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Counts {
    pub tiles: usize,
    pub polygons: usize,
    /// Joined edges inside tiles and over borders, and ways along off-mesh links: one for each direction.
    pub links: usize,
    pub islands: usize,
    /// Per level, in squares.
    pub area: BTreeMap<i8, f64>,
    pub fingerprint: Fingerprint,
}

/// What became of a request.
#[derive(Debug)]
pub struct Outcome {
    /// Of the request.
    pub generation: u64,
    /// Of the request.
    pub ticket: u64,
    /// The mesh, or why there is none.
    pub result: Result<Baked, BakeFailure>,
    /// How long it took.
    pub took: Duration,
}

/// Why there is no mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeFailure {
    /// The bake says so.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// A fault of the program.
    #[error("the bake broke down: {0}")]
    Panic(String),
}

impl BakeFailure {
    /// Whether somebody wanted it to stop.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        *self == Self::Bake(BakeError::Stopped)
    }
}

/// The thread's handle. Dropping it stops the thread.
#[derive(Debug)]
pub struct Worker {
    shared: Arc<Shared>,
    outcomes: Receiver<Outcome>,
    thread: Option<std::thread::JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    next: Mutex<Next>,
    wake: Condvar,
    stop: AtomicBool,
    progress: Watched,
}

#[derive(Debug, Default)]
struct Next {
    request: Option<Request>,
    /// How the bake in hand is done.
    running: Option<Mode>,
    closed: bool,
}

impl Worker {
    /// Starts the thread; `wake` is called after each outcome.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let (sender, outcomes) = channel();
        let wake: Arc<dyn Fn() + Send + Sync> = Arc::new(wake);
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("bake".to_owned())
            .spawn(move || run(&of_thread, &sender, &*wake))
            .ok();
        Self { shared, outcomes, thread }
    }

    /// Replaces a request not yet begun. A flat bake that has begun is finished first, so that a long drag sees meshes; a
    /// voxel bake is stopped, and what it has finished is kept.
    pub fn submit(&self, request: Request) {
        let mut next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        if next.running == Some(Mode::Voxel) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        next.request = Some(request);
        drop(next);
        self.shared.wake.notify_one();
    }

    /// Stops the bake in hand and forgets the request not yet begun.
    pub fn cancel(&self) {
        let mut next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.request = None;
        if next.running.is_some() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a bake is in hand or waits to be.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.running.is_some() || next.request.is_some()
    }

    /// Where the voxel bake in hand is.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        self.shared.progress.now()
    }

    /// The next outcome that is there, if any. Never waits.
    pub fn poll(&self) -> Option<Outcome> {
        self.outcomes.try_recv().ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.next.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been told already.
            drop(thread.join());
        }
    }
}

fn run(shared: &Shared, sender: &Sender<Outcome>, wake: &(dyn Fn() + Send + Sync)) {
    let mut last_start: Option<Instant> = None;
    let mut bakers = Bakers::default();
    while let Some(request) = take(shared, last_start) {
        let start = Instant::now();
        last_start = Some(start);
        if request.complete {
            bakers = Bakers::default();
        }
        let baked = catch_unwind(AssertUnwindSafe(|| bakers.bake(&request, shared, wake)));
        shared.progress.end();
        shared.next.lock().unwrap_or_else(PoisonError::into_inner).running = None;
        let result = match baked {
            Ok(result) => result.map_err(BakeFailure::from),
            Err(panic) => {
                bakers = Bakers::default();
                Err(BakeFailure::Panic(panic_text(&*panic)))
            }
        };
        let outcome =
            Outcome { generation: request.generation, ticket: request.ticket, result, took: start.elapsed() };
        if sender.send(outcome).is_err() {
            return;
        }
        wake();
    }
}

/// Waits for a request, and during drags for the pause between bakes; `None` ends the thread.
fn take(shared: &Shared, last_start: Option<Instant>) -> Option<Request> {
    let mut next = shared.next.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if next.closed {
            return None;
        }
        let since = last_start.map_or(PAUSE, |start| start.elapsed());
        match &next.request {
            Some(request) if !request.dragging || since >= PAUSE => {
                next.running = Some(request.mode);
                shared.stop.store(false, Ordering::Relaxed);
                return next.request.take();
            }
            Some(_) => {
                let wait = shared.wake.wait_timeout(next, PAUSE.saturating_sub(since));
                next = wait.unwrap_or_else(PoisonError::into_inner).0;
            }
            None => next = shared.wake.wait(next).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// What is kept from bake to bake.
#[derive(Debug, Default)]
struct Bakers {
    flat: FlatBaker,
    voxel: VoxelBaker,
    /// What was shown last.
    before: Option<(Arc<NavMesh>, Arc<TileShapes>)>,
    /// What each tile column took that was made by voxels.
    tile_secs: BTreeMap<[i32; 2], f64>,
}

impl Bakers {
    /// Bakes and counts what came out, keeping the tiles, and their shapes, whose input did not change since the last
    /// bake.
    fn bake(
        &mut self,
        request: &Request,
        shared: &Shared,
        wake: &(dyn Fn() + Send + Sync),
    ) -> Result<Baked, BakeError> {
        let settings = request.document.bake_settings(&request.class);
        let (watch, begun) = (Stopwatch::default(), Instant::now());
        let (mesh, report) = match request.mode {
            Mode::Flat => {
                let options = BakeOptions { stop: Some(&shared.stop), ..BakeOptions::default() };
                self.flat.bake(&request.document.flat_input(), &settings, &options)?
            }
            Mode::Voxel => {
                shared.progress.begin();
                let tell = |is_due: bool| {
                    if is_due {
                        wake()
                    }
                };
                let step = |step| {
                    watch.step(step);
                    tell(shared.progress.step(step));
                };
                let tiles = |progress| {
                    watch.tile_done();
                    tell(shared.progress.tiles(progress));
                };
                let options = BakeOptions {
                    stop: Some(&shared.stop),
                    step: Some(&step),
                    progress: Some(&tiles),
                    ..BakeOptions::default()
                };
                let (input, drawing) = voxel_input(&request.document, &settings, request.geometry.meshes())?;
                let (mesh, report) = self.voxel.bake(&input, &settings, &options)?;
                (mesh, report.with(drawing))
            }
        };
        let mut timings = watch.take();
        if request.mode == Mode::Flat {
            timings.stages.push(("flat bake", begun.elapsed().as_secs_f64()));
        }
        // Tiles that were kept took what they took then.
        self.tile_secs.append(&mut timings.tiles);
        self.tile_secs.retain(|[x, z], _| mesh.mesh.column(*x, *z).next().is_some());
        timings.tiles.clone_from(&self.tile_secs);
        let mut report = report.with(unreadable(&request.geometry));
        name_links(&request.document, &mut report.diagnostics);
        let checks = run_checks(&request.document, &request.class, &mesh.mesh);
        let islands = islands(&mesh.mesh, &QueryFilter::default());
        let counts = count_with(&mesh.mesh, islands.count());
        let islands = Arc::new(IslandShapes::of(&mesh.mesh, islands));
        let last = self.before.as_ref().map(|(mesh, shapes)| (&mesh.mesh, &**shapes));
        let shapes = Arc::new(TileShapes::of(&mesh.mesh, last));
        let mesh = Arc::new(mesh);
        self.before = Some((Arc::clone(&mesh), Arc::clone(&shapes)));
        let fresh_tiles = if request.mode == Mode::Voxel { self.voxel.fresh_columns() } else { 0 };
        let (report, checks, mode) = (Arc::new(report), Arc::new(checks), request.mode);
        let timings = Arc::new(timings);
        Ok(Baked { mesh, report, shapes, islands, counts, checks, mode, fresh_tiles, timings })
    }
}

/// A diagnostic for each file of geometry that could not be read, where its origin lies.
pub(super) fn unreadable(geometry: &Geometries) -> Vec<Diagnostic> {
    let failed = geometry.items.iter().filter_map(|loaded| Some((loaded, loaded.error.as_ref()?)));
    // The name says which file; the reason is what is to be read.
    let reason = |item: &Geometry, error: &str| {
        let of_file = format!("{}: ", item.file_name());
        error.split_once(&of_file).map_or_else(|| error.to_owned(), |(_, reason)| reason.to_owned())
    };
    let tell = |(Loaded { item, triangles, .. }, error): (&Loaded, &String)| Diagnostic {
        kind: DiagnosticKind::GeometryUnreadable,
        place: [item.offset[0], item.offset[2]],
        level: item.level,
        element: Element::Geometry(item.id.0),
        measured: f64::NAN,
        limit: f64::NAN,
        message: if *triangles > 0 {
            format!(
                "geometry {} cannot be read again, so its last state is baked: {}",
                item.name(),
                reason(item, error)
            )
        } else {
            format!("geometry {} is left out: {}", item.name(), reason(item, error))
        },
    };
    failed.map(tell).collect()
}

/// Counts a mesh.
#[must_use]
pub fn count(mesh: &TiledNavMesh) -> Counts {
    count_with(mesh, islands(mesh, &QueryFilter::default()).count())
}

fn count_with(mesh: &TiledNavMesh, islands: usize) -> Counts {
    let mut counts = Counts {
        tiles: 0,
        polygons: 0,
        links: 0,
        islands,
        area: BTreeMap::new(),
        fingerprint: mesh.params().fingerprint(),
    };
    for (tile_ref, tile) in mesh.tiles() {
        counts.tiles += 1;
        counts.polygons += tile.polygons.len();
        for (index, polygon) in (0_u32..).zip(&tile.polygons) {
            counts.links += mesh.links(tile_ref.polygon(index)).len();
            let inner = |edge: &usize| tile.edge_neighbours[*edge] != 0 && tile.edge_sides[*edge] == NO_SIDE;
            counts.links += polygon.edges().filter(inner).count();
            let corners = polygon.edges().map(|edge| tile.vertices[tile.edge_vertices[edge] as usize]);
            let corners: Vec<[f64; 2]> = corners.map(|v| [f64::from(v[0]), f64::from(v[2])]).collect();
            let twice: f64 = (0..corners.len())
                .map(|at| {
                    let (a, b) = (corners[at], corners[(at + 1) % corners.len()]);
                    a[0] * b[1] - a[1] * b[0]
                })
                .sum();
            *counts.area.entry(polygon.level()).or_default() += 0.5 * twice.abs();
        }
    }
    counts
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}
