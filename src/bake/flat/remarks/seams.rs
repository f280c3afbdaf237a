//! Remarks on edges that levels share: steps, seams that several pairs want, edges with both insides on one side.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::bake::flat::outline::Drawing;
use crate::bake::flat::seam_line::{SeamPiece, SeamSide};
use crate::bake::flat::surfaces::Surfaces;
use crate::bake::{Diagnostic, DiagnosticKind, Element};
use crate::geom::grid::IntPoint;

/// What is said once: of one pair of levels on one input edge.
type Topic = (DiagnosticKind, (IntPoint, IntPoint), usize, usize);

/// All remarks on the drawing's shared pieces; of the pieces of one edge the greatest measure is said.
pub(crate) fn report_seams(
    drawing: &Drawing,
    pieces: &[SeamPiece],
    surfaces: &Surfaces,
    climb: f64,
) -> Vec<Diagnostic> {
    let mut said: BTreeMap<Topic, Diagnostic> = BTreeMap::new();
    for piece in pieces {
        let [a, b] = piece.ends();
        let place = drawing.frame.world_from_unit(f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1]));
        let mut say = |kind, l: usize, r: usize, measured: f64, limit: f64, message: String| {
            let (low, high) = (l.min(r), l.max(r));
            let level = drawing.levels[low];
            let element = Element::Levels([level, drawing.levels[high]]);
            let diagnostic = Diagnostic { kind, place, level, element, measured, limit, message };
            match said.entry((kind, piece.line, low, high)) {
                Entry::Vacant(entry) => _ = entry.insert(diagnostic),
                Entry::Occupied(mut entry) if entry.get().measured < measured => _ = entry.insert(diagnostic),
                Entry::Occupied(_) => {}
            }
        };
        let number = |level: usize| drawing.levels[level];
        for side in [&piece.left, &piece.right] {
            for pair in side.windows(2) {
                let (a, b) = (pair[0].level, pair[1].level);
                let message = format!(
                    "levels {} and {} share an edge, but lie on the same side of it: they are not joined there",
                    number(a),
                    number(b)
                );
                say(DiagnosticKind::SameSideEdges, a, b, f64::NAN, f64::NAN, message);
            }
        }
        if piece.is_contested() {
            let all: Vec<String> =
                piece.left.iter().chain(&piece.right).map(|side| number(side.level).to_string()).collect();
            let count = (piece.left.len() * piece.right.len()) as f64;
            let message =
                format!("levels {} compete for one seam; an edge joins two levels only", all.join(", "));
            let (l, r) = (piece.left[0].level, piece.right[0].level);
            say(DiagnosticKind::SeamContested, l, r, count, 1.0, message);
        }
        for left in &piece.left {
            for right in &piece.right {
                let step = step_between(drawing, surfaces, left, right, [a, b]);
                if step > climb {
                    let (l, r) = (left.level, right.level);
                    let message = format!(
                        "levels {} and {} meet with a step of {step:.3}, the agent climbs {climb}; make one side a ramp or \
                         set the elevations nearer",
                        number(l.min(r)),
                        number(l.max(r))
                    );
                    say(DiagnosticKind::SeamStep, l, r, step, climb, message);
                }
            }
        }
    }
    said.into_values().collect()
}

/// The greater of the steps at a piece's ends.
fn step_between(
    drawing: &Drawing,
    surfaces: &Surfaces,
    left: &SeamSide,
    right: &SeamSide,
    ends: [[f64; 2]; 2],
) -> f64 {
    let step_at = |[x, z]: [f64; 2]| {
        let place = IntPoint::new(x.round() as i64, z.round() as i64);
        let height = |side: &SeamSide| surfaces.on(drawing, side.level, side.surface, place);
        (height(left) - height(right)).abs()
    };
    step_at(ends[0]).max(step_at(ends[1]))
}
