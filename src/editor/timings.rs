//! What bakes took, by stage and by tile, as the bake's threads tell it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

use crate::bake::Step;

/// What a bake took on all its threads together, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timings {
    /// By stage, in the order in which they first began.
    pub stages: Vec<(&'static str, f64)>,
    /// By tile column; voxels that a block of tiles shares count for its first one.
    pub tiles: BTreeMap<[i32; 2], f64>,
}

impl Timings {
    fn add(&mut self, step: Step, secs: f64) {
        match self.stages.iter_mut().find(|(stage, _)| *stage == step.stage) {
            Some((_, sum)) => *sum += secs,
            None => self.stages.push((step.stage, secs)),
        }
        *self.tiles.entry(step.tile).or_default() += secs;
    }
}

/// Adds up the time between one step of a thread and its next.
#[derive(Debug, Default)]
pub(super) struct Stopwatch(Mutex<Watched>);

/// The step that each thread is at, and since when; and what was added up.
type Watched = (Vec<(ThreadId, Step, Instant)>, Timings);

impl Stopwatch {
    /// The calling thread begins a stage of a tile.
    pub(super) fn step(&self, step: Step) {
        self.turn(Some(step));
    }

    /// It is done with a tile.
    pub(super) fn tile_done(&self) {
        self.turn(None);
    }

    /// What was added up.
    pub(super) fn take(&self) -> Timings {
        let (_, timings) = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        timings
    }

    fn turn(&self, next: Option<Step>) {
        let (now, thread) = (Instant::now(), std::thread::current().id());
        let mut watch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (open, timings) = &mut *watch;
        if let Some(at) = open.iter().position(|(of, ..)| *of == thread) {
            let (_, step, since) = open.swap_remove(at);
            timings.add(step, now.duration_since(since).as_secs_f64());
        }
        open.extend(next.map(|step| (thread, step, now)));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn time_between_steps_goes_to_the_stage_and_the_tile_that_was_begun() {
        let watch = Stopwatch::default();
        let step = |stage, tile| Step { stage, tile };
        let rest = || std::thread::sleep(Duration::from_millis(20));
        std::thread::scope(|scope| {
            for tile in [[0, 0], [1, 0]] {
                let watch = &watch;
                scope.spawn(move || {
                    watch.step(step("voxels", tile));
                    rest();
                    watch.step(step("regions", tile));
                    rest();
                    rest();
                    watch.tile_done();
                    // Nothing is open: this counts for nobody.
                    rest();
                    watch.tile_done();
                });
            }
        });
        let timings = watch.take();
        let of = |name: &str| timings.stages.iter().find(|(stage, _)| *stage == name).unwrap().1;
        assert!(of("voxels") >= 0.04 && of("regions") >= 0.08);
        assert_eq!(timings.tiles.len(), 2);
        let sum = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>();
        let (stages, tiles) = (
            sum(&mut timings.stages.iter().map(|(_, secs)| *secs)),
            sum(&mut timings.tiles.values().copied()),
        );
        assert!((stages - tiles).abs() < 1e-9, "the same time, cut in two ways");
        assert_eq!(watch.take(), Timings::default());
    }
}
