//! A close look at one place of a bake, on a thread of its own: the stages of a tile, the column under a place. What is
//! looked at is made again for the look; the bake's own thread is not waited for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::geometry::Geometries;
use super::worker::Mode;
use crate::bake::flat::FlatBaker;
use crate::bake::voxel::{TileStages, VoxelProbe, voxel_probe};
use crate::bake::{BakeError, BakeOptions, timed_stages_of_tiles};
use crate::draw::{StagePicture, flat_stages, seeds_stage, voxel_stages};
use crate::format::NavMesh;
use crate::project::{AgentClass, Document, voxel_input};

/// What to look at, and in what.
#[derive(Clone, Debug)]
pub struct Look {
    /// Its number; the answer carries it back.
    pub number: u64,
    /// The drawing.
    pub document: Document,
    /// The agent.
    pub class: Arc<AgentClass>,
    /// How it is baked.
    pub mode: Mode,
    /// The map's geometry as it was read.
    pub geometry: Geometries,
    /// What seeds left of the map, where it has any and was baked as it is now.
    pub seeded: Option<Arc<NavMesh>>,
    /// What is asked.
    pub question: Question,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The stages of tiles.
    Stages {
        /// Columns and rows.
        tiles: Vec<[i32; 2]>,
        /// The level that is looked at.
        level: i8,
        /// World height above which nothing is shown.
        cut: f64,
    },
    /// The voxels of the column at a place.
    Probe {
        /// World (x, z).
        place: [f64; 2],
    },
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Found {
    /// The stages of the tiles together, in order, empty where there is no floor; and the tiles' voxels, where there are
    /// any.
    Stages(Result<(Vec<StagePicture>, Vec<TileStages>), String>),
    /// A column.
    Probe(Result<VoxelProbe, String>),
}

/// The thread's handle. Dropping it ends the thread.
#[derive(Debug)]
pub struct Study {
    shared: Arc<(Mutex<Asked>, Condvar)>,
    answers: Receiver<(u64, Found)>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// The newest question of each kind that nobody has begun to answer.
#[derive(Debug, Default)]
struct Asked {
    stages: Option<Look>,
    probe: Option<Look>,
    closed: bool,
}

impl Study {
    /// Starts the thread; `wake` is called after each answer.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let shared = Arc::new((Mutex::new(Asked::default()), Condvar::new()));
        let (sender, answers) = channel();
        let of_thread = Arc::clone(&shared);
        let builder = std::thread::Builder::new().name("study".to_owned());
        let thread = builder.spawn(move || run(&of_thread, &sender, &wake)).ok();
        Self { shared, answers, thread }
    }

    /// Asks; a question of the same kind that is not begun is replaced.
    pub fn ask(&self, look: Look) {
        let (asked, wake) = &*self.shared;
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        match look.question {
            Question::Stages { .. } => asked.stages = Some(look),
            Question::Probe { .. } => asked.probe = Some(look),
        }
        drop(asked);
        wake.notify_one();
    }

    /// The next answer that is there, with its question's number. Never waits.
    pub fn poll(&self) -> Option<(u64, Found)> {
        self.answers.try_recv().ok()
    }
}

impl Drop for Study {
    fn drop(&mut self) {
        let (asked, wake) = &*self.shared;
        asked.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        wake.notify_one();
        // What it does takes long at worst and matters to nobody any more.
        drop(self.thread.take());
    }
}

fn run(shared: &(Mutex<Asked>, Condvar), sender: &Sender<(u64, Found)>, wake: &dyn Fn()) {
    let mut flat = FlatBaker::default();
    while let Some(look) = take(shared) {
        let answered = catch_unwind(AssertUnwindSafe(|| answer(&look, &mut flat)));
        let found = answered.unwrap_or_else(|_| {
            flat = FlatBaker::default();
            let why = "it broke down".to_owned();
            match look.question {
                Question::Stages { .. } => Found::Stages(Err(why)),
                Question::Probe { .. } => Found::Probe(Err(why)),
            }
        });
        if sender.send((look.number, found)).is_err() {
            return;
        }
        wake();
    }
}

fn take(shared: &(Mutex<Asked>, Condvar)) -> Option<Look> {
    let (asked, wake) = shared;
    let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if asked.closed {
            return None;
        }
        // A click waits for the column; stages are only looked at.
        if let Some(look) = asked.probe.take().or_else(|| asked.stages.take()) {
            return Some(look);
        }
        asked = wake.wait(asked).unwrap_or_else(PoisonError::into_inner);
    }
}

fn answer(look: &Look, flat: &mut FlatBaker) -> Found {
    match &look.question {
        Question::Probe { place } => Found::Probe(probe(look, *place).map_err(|error| error.to_string())),
        Question::Stages { tiles, level, cut } => {
            let stages = match look.mode {
                Mode::Flat => of_drawing(look, flat, tiles, *level).map(|all| (all, Vec::new())),
                Mode::Voxel => of_voxels(look, tiles, *cut),
            };
            Found::Stages(stages.map_err(|error| error.to_string()))
        }
    }
}

fn probe(look: &Look, place: [f64; 2]) -> Result<VoxelProbe, BakeError> {
    let settings = look.document.bake_settings(&look.class);
    let (input, _) = voxel_input(&look.document, &settings, look.geometry.meshes())?;
    voxel_probe(&input, &settings, place)
}

fn of_voxels(
    look: &Look,
    tiles: &[[i32; 2]],
    cut: f64,
) -> Result<(Vec<StagePicture>, Vec<TileStages>), BakeError> {
    let settings = look.document.bake_settings(&look.class);
    let (input, _) = voxel_input(&look.document, &settings, look.geometry.meshes())?;
    let params = settings.to_params()?;
    let clock = clock();
    let voxels = timed_stages_of_tiles(&input, &settings, tiles, &clock)?;
    let mut all = Vec::new();
    for stages in &voxels {
        let mut pictures = voxel_stages(stages, &params, cut);
        pictures.extend(look.seeded.as_ref().map(|mesh| seeds_stage(stages, &mesh.mesh)));
        join(&mut all, pictures);
    }
    Ok((all, voxels))
}

fn of_drawing(
    look: &Look,
    flat: &mut FlatBaker,
    tiles: &[[i32; 2]],
    level: i8,
) -> Result<Vec<StagePicture>, BakeError> {
    let settings = look.document.bake_settings(&look.class);
    let input = look.document.flat_input();
    let clock = clock();
    let mut all = Vec::new();
    for &[x, z] in tiles {
        let options = BakeOptions { tiles: Some([x, z, x, z]), ..BakeOptions::default() };
        flat.bake(&input, &settings, &options)?;
        if let Some((stages, secs)) = flat.timed_stages(x, z, &clock) {
            join(&mut all, flat_stages(&stages, secs, level));
        }
    }
    Ok(all)
}

fn clock() -> impl Fn() -> f64 {
    let start = Instant::now();
    move || start.elapsed().as_secs_f64()
}

fn join(all: &mut Vec<StagePicture>, more: Vec<StagePicture>) {
    if all.is_empty() {
        *all = more;
    } else {
        all.iter_mut().zip(more).for_each(|(stage, other)| stage.join(other));
    }
}
