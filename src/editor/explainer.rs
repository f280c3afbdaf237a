//! Says why a path is not there and what can be done about islands, on a thread of its own: that takes time in
//! proportion to the mesh.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::bake::Diagnostic;
use crate::format::NavMesh;
use crate::project::fix::{Advice, FixContext, IslandMemory, advice};
use crate::project::{AgentClass, Document, Spot, floor_of};
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

/// What can be done about an issue.
#[derive(Clone, Debug)]
pub struct IssueQuestion {
    /// The bake that found it; the answer carries it back.
    pub generation: u64,
    /// Its place among that bake's issues; the answer carries it back.
    pub index: usize,
    /// The issue.
    pub issue: Diagnostic,
    /// The drawing.
    pub document: Document,
    /// The agent.
    pub class: Arc<AgentClass>,
    /// What was baked of it.
    pub mesh: Arc<NavMesh>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct IssueAnswer {
    /// The question's.
    pub generation: u64,
    /// The question's.
    pub index: usize,
    /// What can be done.
    pub advice: Advice,
}

/// The thread's handle. Dropping it ends the thread.
#[derive(Debug)]
pub struct Explainer {
    shared: Arc<Shared>,
    answers: Receiver<WhyAnswer>,
    advice: Receiver<IssueAnswer>,
}

#[derive(Debug, Default)]
struct Shared {
    next: Mutex<Next>,
    wake: Condvar,
    /// Nobody wants to know any more why the path in hand is not there.
    stop: AtomicBool,
}

#[derive(Debug, Default)]
struct Next {
    question: Option<WhyQuestion>,
    /// In the order in which they were asked.
    issues: VecDeque<IssueQuestion>,
    closed: bool,
}

enum Task {
    Why(WhyQuestion),
    Issue(IssueQuestion),
}

/// Where answers go.
struct Senders {
    answers: Sender<WhyAnswer>,
    advice: Sender<IssueAnswer>,
}

/// What is kept from question to question.
#[derive(Default)]
struct Kept {
    scratch: PathScratch,
    islands: IslandMemory,
}

impl Explainer {
    /// Starts the thread; `wake` is called after each answer.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let ((answers_in, answers), (advice_in, advice)) = (channel(), channel());
        let senders = Senders { answers: answers_in, advice: advice_in };
        let of_thread = Arc::clone(&shared);
        let spawned = std::thread::Builder::new()
            .name("why".to_owned())
            .spawn(move || run(&of_thread, &senders, &wake));
        // Without a thread nothing is ever found, and the window says what it knows by itself.
        drop(spawned);
        Self { shared, answers, advice }
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

    /// Asks what can be done about an issue. Those of earlier bakes that are not answered yet are forgotten.
    pub fn ask_of_issue(&self, question: IssueQuestion) {
        let mut next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.issues.retain(|other| other.generation == question.generation);
        next.issues.push_back(question);
        drop(next);
        self.shared.wake.notify_one();
    }

    /// The next answer about an issue that is there, if any. Never waits.
    pub fn poll_issue(&self) -> Option<IssueAnswer> {
        self.advice.try_recv().ok()
    }

    fn replace(&self, question: Option<WhyQuestion>, closed: bool) {
        let mut next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        (next.question, next.closed) = (question, closed);
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

fn run(shared: &Shared, senders: &Senders, wake: &dyn Fn()) {
    let mut kept = Kept::default();
    while let Some(task) = take(shared) {
        let is_sent = match task {
            Task::Why(question) => {
                let answer = guarded(&mut kept, |kept| answer(&question, &mut kept.scratch, &shared.stop));
                let nothing = || WhyAnswer { number: question.number, ..WhyAnswer::default() };
                // The lock is held, so that no answer comes after another question was asked.
                let next = shared.next.lock().unwrap_or_else(PoisonError::into_inner);
                if shared.stop.load(Ordering::Relaxed) {
                    continue;
                }
                let is_sent = senders.answers.send(answer.unwrap_or_else(nothing)).is_ok();
                drop(next);
                is_sent
            }
            Task::Issue(question) => {
                let IssueQuestion { generation, index, issue, document, class, mesh } = &question;
                let context = FixContext { document, class, mesh: Some(&mesh.mesh) };
                let found = guarded(&mut kept, |kept| advice(&context, issue, &mut kept.islands));
                let (generation, index, advice) = (*generation, *index, found.unwrap_or_default());
                senders.advice.send(IssueAnswer { generation, index, advice }).is_ok()
            }
        };
        if !is_sent {
            return;
        }
        wake();
    }
}

/// What is kept may be in pieces after a panic.
fn guarded<T>(kept: &mut Kept, work: impl FnOnce(&mut Kept) -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(|| work(kept)));
    if done.is_err() {
        *kept = Kept::default();
    }
    done.ok()
}

fn take(shared: &Shared) -> Option<Task> {
    let mut next = shared.next.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if next.closed {
            return None;
        }
        if let Some(question) = next.question.take() {
            shared.stop.store(false, Ordering::Relaxed);
            return Some(Task::Why(question));
        }
        if let Some(question) = next.issues.pop_front() {
            return Some(Task::Issue(question));
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
