//! How far the bake in hand is: told by its threads, read by the window.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::bake::{self, Step};

/// The window is woken at most this often while a bake goes on.
const PERIOD: Duration = Duration::from_millis(100);

/// Where a voxel bake is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The stage that began last, such as "contours".
    pub stage: &'static str,
    /// Tiles that are done, those that were kept among them.
    pub done: usize,
    /// All tiles; 0 until they are known.
    pub total: usize,
    /// Tiles that were kept from the bake before.
    pub kept: usize,
    /// When the bake began.
    pub since: Instant,
    /// When the first tile began.
    first: Option<Instant>,
}

impl Progress {
    /// Part of the tiles that are done, 0 to 1.
    #[must_use]
    pub fn part(&self) -> f32 {
        if self.total == 0 { 0.0 } else { self.done as f32 / self.total as f32 }
    }

    /// How long it will take from now on, as the tiles so far tell; `None` before the first.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let (made, first) = (self.done.saturating_sub(self.kept), self.first?);
        let rest = self.total.saturating_sub(self.done);
        (made > 0).then(|| first.elapsed().mul_f64(rest as f64 / made as f64))
    }

    /// "contours, tile 14 of 36, 3 s left".
    #[must_use]
    pub fn words(&self) -> String {
        if self.total == 0 {
            return self.stage.to_owned();
        }
        let tile = (self.done + 1).min(self.total);
        let left = self.left().map_or_else(String::new, |left| match left.as_secs() {
            0 => ", under 1 s left".to_owned(),
            seconds @ 1..=99 => format!(", {} s left", seconds + 1),
            seconds => format!(", {} min left", seconds / 60 + 1),
        });
        format!("{}, tile {tile} of {}{left}", self.stage, self.total)
    }
}

/// The progress of the bake in hand, if there is one.
#[derive(Debug, Default)]
pub(super) struct Watched(Mutex<Option<(Progress, Instant)>>);

impl Watched {
    /// A bake begins.
    pub(super) fn begin(&self) {
        let since = Instant::now();
        let progress = Progress { stage: "triangles", done: 0, total: 0, kept: 0, since, first: None };
        *self.lock() = Some((progress, since));
    }

    /// It has ended.
    pub(super) fn end(&self) {
        *self.lock() = None;
    }

    /// Where it is.
    pub(super) fn now(&self) -> Option<Progress> {
        self.lock().map(|(progress, _)| progress)
    }

    /// A stage begins; whether the window is to be woken.
    pub(super) fn step(&self, step: Step) -> bool {
        self.change(|progress| {
            progress.stage = step.stage;
            progress.first.get_or_insert_with(Instant::now);
        })
    }

    /// Tiles are done; whether the window is to be woken.
    pub(super) fn tiles(&self, tiles: bake::Progress) -> bool {
        self.change(|progress| {
            if progress.first.is_none() {
                progress.kept = tiles.done;
            }
            progress.done = progress.done.max(tiles.done);
            progress.total = tiles.total;
        })
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) -> bool {
        let mut now = self.lock();
        let Some((progress, woken)) = &mut *now else { return false };
        change(progress);
        let is_due = woken.elapsed() >= PERIOD;
        if is_due {
            *woken = Instant::now();
        }
        is_due
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(Progress, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_the_stage_the_tile_and_how_long_it_takes() {
        let watched = Watched::default();
        assert_eq!(watched.now(), None);
        watched.begin();
        assert_eq!(watched.now().map(|now| now.words()), Some("triangles".to_owned()));
        // 13 of 36 are kept from the bake before: they say nothing about the time.
        watched.tiles(bake::Progress { done: 13, total: 36 });
        watched.step(Step { stage: "contours", tile: [0, 0] });
        let now = watched.now();
        assert_eq!(now.map(|now| now.words()), Some("contours, tile 14 of 36".to_owned()));
        assert_eq!(now.and_then(|now| now.left()), None);
        std::thread::sleep(Duration::from_millis(20));
        watched.tiles(bake::Progress { done: 14, total: 36 });
        let left = watched.now().and_then(|now| now.left());
        // One tile took 20 ms at least, 22 are left.
        assert!(left.is_some_and(|left| left >= Duration::from_millis(22 * 20)), "{left:?}");
        watched.end();
        assert_eq!(watched.now(), None);
    }
}
