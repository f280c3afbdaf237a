//! The bake thread: takes the newest document, gives back a mesh, never makes the window wait.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::bake::flat::FlatBaker;
use crate::bake::{BakeError, BakeOptions, BakeReport};
use crate::draw::{IslandShapes, TileShapes};
use crate::format::{Fingerprint, NO_SIDE, NavMesh, TiledNavMesh};
use crate::project::{AgentClass, CheckAnswer, Document, name_links, run_checks};
use crate::query::{QueryFilter, islands};

/// Least time between the starts of two bakes while drags go on.
const PAUSE: Duration = Duration::from_millis(100);

/// What to bake.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which state of the drawing this is; the outcome carries it back.
    pub generation: u64,
    /// The drawing.
    pub document: Document,
    /// The agent that the mesh is for.
    pub class: Arc<AgentClass>,
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
}

#[derive(Debug, Default)]
struct Next {
    request: Option<Request>,
    closed: bool,
}

impl Worker {
    /// Starts the thread; `wake` is called after each outcome.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let (sender, outcomes) = channel();
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("bake".to_owned())
            .spawn(move || run(&of_thread, &sender, &wake))
            .ok();
        Self { shared, outcomes, thread }
    }

    /// Replaces a request not yet begun. A bake that has begun is finished first, so that a long drag sees meshes.
    pub fn submit(&self, request: Request) {
        let mut next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.request = Some(request);
        drop(next);
        self.shared.wake.notify_one();
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

fn run(shared: &Shared, sender: &Sender<Outcome>, wake: &dyn Fn()) {
    let mut last_start: Option<Instant> = None;
    let mut baker = FlatBaker::default();
    let mut before = None;
    while let Some(request) = take(shared, last_start) {
        let start = Instant::now();
        last_start = Some(start);
        if request.complete {
            baker = FlatBaker::default();
        }
        let baked =
            catch_unwind(AssertUnwindSafe(|| bake_again(&mut baker, &mut before, &request, &shared.stop)));
        let result = match baked {
            Ok(result) => result.map_err(BakeFailure::from),
            Err(panic) => {
                baker = FlatBaker::default();
                Err(BakeFailure::Panic(panic_text(&*panic)))
            }
        };
        let outcome = Outcome { generation: request.generation, result, took: start.elapsed() };
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
            Some(request) if !request.dragging || since >= PAUSE => return next.request.take(),
            Some(_) => {
                let wait = shared.wake.wait_timeout(next, PAUSE.saturating_sub(since));
                next = wait.unwrap_or_else(PoisonError::into_inner).0;
            }
            None => next = shared.wake.wait(next).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// Bakes and counts what came out, keeping the tiles, and their shapes, whose input did not change since the last bake.
fn bake_again(
    baker: &mut FlatBaker,
    before: &mut Option<(Arc<NavMesh>, Arc<TileShapes>)>,
    request: &Request,
    stop: &AtomicBool,
) -> Result<Baked, BakeError> {
    let options = BakeOptions { stop: Some(stop), ..BakeOptions::default() };
    let settings = request.document.bake_settings(&request.class);
    let (mesh, mut report) = baker.bake(&request.document.flat_input(), &settings, &options)?;
    name_links(&request.document, &mut report.diagnostics);
    let checks = run_checks(&request.document, &request.class, &mesh.mesh);
    let islands = islands(&mesh.mesh, &QueryFilter::default());
    let counts = count_with(&mesh.mesh, islands.count());
    let islands = Arc::new(IslandShapes::of(&mesh.mesh, islands));
    let last = before.as_ref().map(|(mesh, shapes)| (&mesh.mesh, &**shapes));
    let shapes = Arc::new(TileShapes::of(&mesh.mesh, last));
    let mesh = Arc::new(mesh);
    *before = Some((Arc::clone(&mesh), Arc::clone(&shapes)));
    let report = Arc::new(report);
    Ok(Baked { mesh, report, shapes, islands, counts, checks: Arc::new(checks) })
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
