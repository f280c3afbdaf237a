//! What a mesh answers to the pinned checks.

use std::sync::Arc;

use super::{AgentClass, CheckId, Document, PathCheck, SpotPath, Wanted, find_path};
use crate::format::TiledNavMesh;
use crate::query::PathScratch;

/// What a mesh answers to a check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckAnswer {
    /// Of the check.
    pub id: CheckId,
    /// Whether the answer is the wanted one.
    pub passed: bool,
    /// The path's length, where it is complete.
    pub length: Option<f64>,
    /// What was found, with numbers.
    pub message: String,
}

/// How far a marker may be moved onto the mesh before a check says it is off it, in squares.
const MOVED: f64 = 0.01;

impl PathCheck {
    /// Judges the path between its places. One whose end lies off the mesh is none.
    #[must_use]
    pub fn judge(&self, found: &SpotPath) -> CheckAnswer {
        let path = &found.path;
        let length = found.exists().then_some(path.length);
        let reason = found.why_not();
        let moved = path.start_moved.max(path.end_moved);
        let off = if moved > MOVED { format!(", {moved:.3} off the mesh") } else { String::new() };
        let (passed, message) = match (self.wanted, length) {
            (Wanted::Path, None) => (false, format!("no path: {reason}")),
            (Wanted::NoPath, Some(length)) => {
                (false, format!("there is a path of {length:.3} squares, and there must be none"))
            }
            (Wanted::NoPath, None) => (true, format!("no path, as it must be: {reason}")),
            (Wanted::Path, Some(length)) => match self.longest {
                Some(longest) if length > longest => (
                    false,
                    format!("the path is {length:.3} squares long{off}, at most {longest} is allowed"),
                ),
                Some(longest) => (true, format!("{length:.3} squares{off}, at most {longest}")),
                None => (true, format!("{length:.3} squares{off}")),
            },
        };
        CheckAnswer { id: self.id, passed, length, message }
    }
}

/// Asks a class's mesh all of the document's checks that are meant for it, in order.
#[must_use]
pub fn run_checks(document: &Document, class: &AgentClass, mesh: &TiledNavMesh) -> Vec<CheckAnswer> {
    let (filter, mut scratch) = (document.filter(), PathScratch::default());
    let asked = document.checks.iter().filter(|check| check.is_asked_of(class));
    let answer = |check: &Arc<PathCheck>| {
        let ends = [&check.start_spot(), &check.end_spot()];
        match find_path(document, mesh, ends, &filter, &mut scratch) {
            Ok(found) => check.judge(&found),
            Err(error) => {
                CheckAnswer { id: check.id, passed: false, length: None, message: error.to_string() }
            }
        }
    };
    asked.map(answer).collect()
}
