//! The thread that says why a path is not there: one answer for the question asked last, and an old answer until it is there.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use navwright::bake::DiagnosticKind;
use navwright::editor::explainer::{Explainer, WhyAnswer, WhyQuestion};
use navwright::editor::state::State;
use navwright::editor::tools::Marker;
use navwright::editor::worker::Worker;
use navwright::project::{Area, Command};
use navwright::query::BarrierKind;

use super::gestures;

/// Two floors, 4 apart.
const APART: &str = "nav walk 0 0 0 8 0 8 8 0 8\nnav walk 0 12 0 20 0 20 8 12 8";

/// Bakes what the state asks for, and hands it over.
fn bake(state: &mut State) {
    let (done, is_done) = channel();
    let worker = Worker::start(move || done.send(()).unwrap());
    worker.submit(state.bake_request(true).unwrap());
    is_done.recv().unwrap();
    state.baked(worker.poll().unwrap());
    state.refresh();
}

/// A map that is baked, with a start on one floor and an end on the other.
fn asked() -> State {
    let mut state = gestures::open(APART);
    bake(&mut state);
    let marker = |x: f64| Some(Marker { place: [x, 4.0], level: 0, y: None });
    (state.tools.test.start, state.tools.test.end) = (marker(4.0), marker(16.0));
    state.refresh();
    state
}

/// A thread that waits after each answer until it is let go on.
struct Held {
    explainer: Explainer,
    answered: Receiver<()>,
    go_on: Sender<()>,
}

fn held() -> Held {
    let ((answer, answered), (go_on, may_go_on)) = (channel(), channel());
    let may_go_on = Mutex::new(may_go_on);
    let explainer = Explainer::start(move || {
        answer.send(()).unwrap();
        // An error: the test is over.
        let _gone = may_go_on.lock().unwrap().recv().is_err();
    });
    Held { explainer, answered, go_on }
}

impl Held {
    fn answer(&self) -> WhyAnswer {
        self.answered.recv().unwrap();
        let answer = self.explainer.poll().unwrap();
        self.go_on.send(()).unwrap();
        answer
    }
}

fn width(answer: &WhyAnswer) -> f64 {
    let [barrier] = &answer.barriers[..] else { panic!("{answer:#?}") };
    assert!(matches!(barrier.kind, BarrierKind::Gap { .. }), "{barrier:#?}");
    barrier.distance
}

#[test]
fn the_question_asked_last_is_answered_and_those_before_it_are_not() {
    let mut state = asked();
    let first = state.why_question().unwrap();
    let again = |number: u64| WhyQuestion { number, ..first.clone() };
    let held = held();
    held.explainer.ask(again(1));
    held.answered.recv().unwrap();
    // The thread is held: three come, one after another, and one is called off.
    held.explainer.ask(again(2));
    held.explainer.ask(again(3));
    held.explainer.cancel();
    held.explainer.ask(again(4));
    held.go_on.send(()).unwrap();
    held.answered.recv().unwrap();
    held.go_on.send(()).unwrap();
    let numbers: Vec<u64> =
        std::iter::from_fn(|| held.explainer.poll()).map(|answer| answer.number).collect();
    assert_eq!(numbers, [1, 4]);
}

#[test]
fn an_old_answer_stays_until_the_new_one_is_there() {
    let mut state = asked();
    let held = held();
    // Nothing is known yet, and asked once.
    assert!(state.why.is_looked_for() && state.why.barrier().is_none());
    let question = state.why_question().unwrap();
    state.refresh();
    assert!(state.why_question().is_none());
    held.explainer.ask(question.clone());
    let first = held.answer();
    let narrow = width(&first);
    state.explained(first.clone());
    assert!(!state.why.is_looked_for());
    assert_eq!(state.barrier_fixes().len(), 1, "a jump");
    // The second floor moves by 1: after the bake the answer of before is there, without anything to do about it.
    let area = state.document().areas.last().unwrap();
    let points = area.points.iter().map(|[x, z]| [x + 1.0, *z]).collect();
    let moved = Area { points, ..(**area).clone() };
    assert!(state.commit("Move", &Command::SetAreas(vec![moved])));
    bake(&mut state);
    assert!(state.why.is_looked_for());
    assert_eq!(state.why.barrier().map(|barrier| barrier.distance), Some(narrow));
    assert!(state.barrier_fixes().is_empty());
    // The first question's answer is too late now.
    state.explained(first);
    assert!(state.why.is_looked_for());
    held.explainer.ask(state.why_question().unwrap());
    let second = held.answer();
    assert!((width(&second) - narrow - 1.0).abs() < 1e-3, "{second:#?}");
    state.explained(second);
    assert!(
        !state.why.is_looked_for() && (state.why.barrier().unwrap().distance - narrow - 1.0).abs() < 1e-3
    );
    // Other places are another question: nothing that is known fits.
    state.tools.test.start = state.tools.test.end.map(|end| Marker { place: [2.0, 2.0], ..end });
    state.refresh();
    assert!(state.why.is_looked_for() && state.why.barrier().is_none());
    // A path that is there has nothing in its way, whatever comes.
    let late = state.why_question().unwrap();
    state.tools.test.end = state.tools.test.start;
    state.refresh();
    held.explainer.ask(late);
    state.explained(held.answer());
    assert!(state.path_exists() && state.why.barrier().is_none() && !state.why.is_looked_for());
}

#[test]
fn what_can_be_done_about_an_island_comes_later_and_for_its_own_bake_only() {
    let mut state = gestures::open(APART);
    bake(&mut state);
    let held = held();
    let index = state.shown_issues()[0];
    assert_eq!(state.issues()[index].kind, DiagnosticKind::Island);
    assert!(state.fixes(index).is_empty() && state.advice_is_looked_for(index));
    let [question] = &state.issue_questions()[..] else { panic!("it is asked once") };
    let question = question.clone();
    assert!(state.fixes(index).is_empty() && state.issue_questions().is_empty(), "and not again");
    held.explainer.ask_of_issue(question);
    let answer = |held: &Held| {
        held.answered.recv().unwrap();
        let answer = held.explainer.poll_issue().unwrap();
        held.go_on.send(()).unwrap();
        answer
    };
    let first = answer(&held);
    state.advised(first.clone());
    let names: Vec<String> = state.fixes(index).into_iter().map(|fix| fix.name).collect();
    // 4 wide is as far as an agent of 2 jumps.
    assert!(names.contains(&"Add a link".to_owned()) && !state.advice_is_looked_for(index), "{names:?}");
    assert_eq!(state.remark(index), None);
    // Farther away: what was said before is for another bake.
    let area = state.document().areas.last().unwrap();
    let points = area.points.iter().map(|[x, z]| [x + 1.0, *z]).collect();
    let moved = Area { points, ..(**area).clone() };
    assert!(state.commit("Move", &Command::SetAreas(vec![moved])));
    assert!(state.fixes(index).is_empty() && !state.advice_is_looked_for(index), "the mesh is old");
    bake(&mut state);
    assert!(state.fixes(index).is_empty() && state.advice_is_looked_for(index));
    state.advised(first);
    assert!(state.fixes(index).is_empty() && state.advice_is_looked_for(index));
    state.issue_questions().into_iter().for_each(|question| held.explainer.ask_of_issue(question));
    state.advised(answer(&held));
    assert_eq!(state.remark(index).as_deref(), Some("no link an agent can take: nearest gap 5 wide"));
}
