//! Says why a path is not there, on a thread of its own: that takes time in proportion to the mesh.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::format::NavMesh;
use crate::project::{Document, Spot, floor_of};
use crate::query::{Barrier, PathScratch, SNAP_TILES, explain_path_until};

/// What stands between two places.
#[derive(Clone, Debug)]
pub struct WhyQuestion {
    /// Its number; the answer carries it back.
    pub number: u64,
    /// The drawing.
    pub document: Document,
    /// What was baked of it.
    pub mesh: Arc<NavMesh>,
    /// The start and the end.
    pub ends: [Spot; 2],
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct WhyAnswer {
    /// The question's.
    pub number: u64,
    /// As in [`PathExplanation`](crate::query::PathExplanation): one after another.
    pub barriers: Vec<Barrier>,
    /// As there: elsewhere.
    pub instead: Vec<Barrier>,
}

/// The thread's handle. Dropping it ends the thread.
#[derive(Debug)]
pub struct Explainer {
    shared: Arc<Shared>,
    answers: Receiver<WhyAnswer>,
}

#[derive(Debug, Default)]
struct Shared {
    next: Mutex<Next>,
    wake: Condvar,
    /// Nobody wants the answer in hand any more.
    stop: AtomicBool,
}

#[derive(Debug, Default)]
struct Next {
    question: Option<WhyQuestion>,
    closed: bool,
}

impl Explainer {
    /// Starts the thread; `wake` is called after each answer.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let (sender, answers) = channel();
        let of_thread = Arc::clone(&shared);
        let spawned =
            std::thread::Builder::new().name("why".to_owned()).spawn(move || run(&of_thread, &sender, &wake));
        // Without a thread nothing is ever found, and the window says what it knows by itself.
        drop(spawned);
        Self { shared, answers }
    }

    /// Asks. The question before is not answered any more: it is forgotten, or stopped if it is in hand.
    pub fn ask(&self, question: WhyQuestion) {
        self.replace(Some(question), false);
    }

    /// Nothing is wanted any more.
    pub fn cancel(&self) {
        self.replace(None, false);
    }

    /// The next answer that is there, if any. Never waits.
    pub fn poll(&self) -> Option<WhyAnswer> {
        self.answers.try_recv().ok()
    }

    fn replace(&self, question: Option<WhyQuestion>, closed: bool) {
        let mut next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = Next { question, closed };
        self.shared.stop.store(true, Ordering::Relaxed);
        drop(next);
        self.shared.wake.notify_one();
    }
}

impl Drop for Explainer {
    fn drop(&mut self) {
        self.replace(None, true);
    }
}

fn run(shared: &Shared, sender: &Sender<WhyAnswer>, wake: &dyn Fn()) {
    let mut scratch = PathScratch::default();
    while let Some(question) = take(shared) {
        let answered = catch_unwind(AssertUnwindSafe(|| answer(&question, &mut scratch, &shared.stop)));
        let answer = answered.unwrap_or_else(|_| {
            scratch = PathScratch::default();
            WhyAnswer { number: question.number, ..WhyAnswer::default() }
        });
        // The lock is held, so that no answer comes after another question was asked.
        let next = shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = !shared.stop.load(Ordering::Relaxed);
        if is_wanted && sender.send(answer).is_err() {
            return;
        }
        drop(next);
        if is_wanted {
            wake();
        }
    }
}

fn take(shared: &Shared) -> Option<WhyQuestion> {
    let mut next = shared.next.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if next.closed {
            return None;
        }
        if let Some(question) = next.question.take() {
            shared.stop.store(false, Ordering::Relaxed);
            return Some(question);
        }
        next = shared.wake.wait(next).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The answer, without barriers once `stop` is set.
fn answer(question: &WhyQuestion, scratch: &mut PathScratch, stop: &AtomicBool) -> WhyAnswer {
    let WhyQuestion { number, document, mesh, ends } = question;
    let (mesh, filter) = (&mesh.mesh, document.filter());
    let reach = SNAP_TILES * mesh.params().tile_size;
    let mut floor = |spot: &Spot| floor_of(document, mesh, spot, reach, &filter, scratch).ok().flatten();
    let [start, end] = [&ends[0], &ends[1]].map(&mut floor);
    let told = start.zip(end).and_then(|(start, end)| {
        explain_path_until(mesh, &start, &end, &filter, scratch, stop).ok().flatten()
    });
    let told = told.unwrap_or_default();
    WhyAnswer { number: *number, barriers: told.barriers, instead: told.instead }
}
