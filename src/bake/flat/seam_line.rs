//! Pieces of edge that levels share, and the longest straight lines that they make.

use std::collections::{BTreeMap, BTreeSet};

use super::arrange::{exact_at, f64_at, floor_at};
use super::components::Components;
use super::outline::{Drawing, NOT_WALKABLE};
use super::overlay::Overlay;
use crate::geom::grid::IntPoint;
use crate::geom::predicates::cross;
use crate::geom::ratio::Ratio;

/// A level that is walkable on one side of a piece only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeamSide {
    /// Index into the drawing's levels.
    pub(crate) level: usize,
    /// The component there before seams join any, or `UNKNOWN`.
    pub(crate) component: u32,
    /// The ring whose own surface it is.
    pub(crate) surface: Option<u32>,
}

/// A piece of edge with two or more one-sided levels, from fraction `start` to `end` of an input edge. It runs to
/// greater x, or z where it is upright.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeamPiece {
    pub(crate) line: (IntPoint, IntPoint),
    pub(crate) start: Ratio,
    pub(crate) end: Ratio,
    /// Levels that lie left of it only, ascending; then those right of it only.
    pub(crate) left: Vec<SeamSide>,
    pub(crate) right: Vec<SeamSide>,
}

impl SeamPiece {
    /// Whether it joins anything: levels on both sides.
    pub(crate) fn is_seam(&self) -> bool {
        !self.left.is_empty() && !self.right.is_empty()
    }

    /// Whether several pairs of levels want it.
    pub(crate) fn is_contested(&self) -> bool {
        self.is_seam() && self.left.len() + self.right.len() > 2
    }

    /// Its start and end in units, to about an f64's precision.
    pub(crate) fn ends(&self) -> [[f64; 2]; 2] {
        [f64_at(self.line.0, self.line.1, self.start), f64_at(self.line.0, self.line.1, self.end)]
    }

    /// Its start and end, rounded down to whole units.
    pub(crate) fn floor_ends(&self) -> [IntPoint; 2] {
        [floor_at(self.line.0, self.line.1, self.start), floor_at(self.line.0, self.line.1, self.end)]
    }

    /// With rings of the drawing in place of a column's owner numbers.
    pub(crate) fn with_rings(&self, rings: &[u32]) -> Self {
        let mut piece = self.clone();
        for side in piece.left.iter_mut().chain(&mut piece.right) {
            side.surface = side.surface.and_then(|owner| rings.get(owner as usize).copied());
        }
        piece
    }

    /// Takes what another column's part of the same piece knows.
    fn complete(&mut self, other: &Self) {
        for (mine, others) in [(&mut self.left, &other.left), (&mut self.right, &other.right)] {
            for (side, known) in mine.iter_mut().zip(others) {
                side.component = side.component.min(known.component);
            }
        }
    }
}

/// Sorts pieces, and makes one of each piece on a border, which comes from both columns: each knows the components on
/// its own side.
pub(crate) fn join_halves(pieces: &mut Vec<SeamPiece>) {
    pieces.sort_unstable_by(|a, b| a.line.cmp(&b.line).then(a.start.cmp(&b.start)));
    pieces.dedup_by(|next, kept| {
        let same = next.line == kept.line && next.start == kept.start;
        if same {
            kept.complete(next);
        }
        same
    });
}

/// The shared pieces of an overlay: all of them, or those on or in the tile where it covers a window.
pub(crate) fn seam_pieces(drawing: &Drawing, overlay: &Overlay, components: &Components) -> Vec<SeamPiece> {
    let mut pieces = Vec::new();
    if drawing.levels.len() < 2 {
        return pieces;
    }
    for piece in 0..overlay.arrangement.pieces.len() as u32 {
        let face = |half: u32| overlay.faces.of_half[half as usize];
        if !components.covers(face(piece * 2)) && !components.covers(face(piece * 2 + 1)) {
            continue;
        }
        let (left, right) = overlay.seam_levels(piece);
        if left.len() + right.len() < 2 {
            continue;
        }
        let side = |half: u32, level: usize| {
            let label = overlay.label(face(half), level);
            debug_assert!(label != NOT_WALKABLE);
            SeamSide {
                level,
                component: components.on_level(face(half), level),
                surface: drawing.labels[label as usize].surface,
            }
        };
        let left = left.into_iter().map(|level| side(piece * 2, level)).collect();
        let right = right.into_iter().map(|level| side(piece * 2 + 1, level)).collect();
        let data = &overlay.arrangement.pieces[piece as usize];
        let edge = &overlay.arrangement.edges[data.edge as usize];
        pieces.push(if edge.from < edge.to {
            SeamPiece { line: (edge.from, edge.to), start: data.start, end: data.end, left, right }
        } else {
            let (start, end) = (data.end.complement(), data.start.complement());
            SeamPiece { line: (edge.to, edge.from), start, end, left: right, right: left }
        });
    }
    pieces.sort_unstable();
    pieces
}

/// A straight line of pieces that carry one value: the first and last of them.
pub(crate) struct Line<T> {
    pub(crate) value: T,
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// The longest straight lines of pieces with one value, by value, then place. `pieces`: sorted, disjoint. `items`: a
/// piece may carry several values.
pub(crate) fn straight_lines<T: Ord + Clone>(
    pieces: &[SeamPiece],
    items: &BTreeSet<(T, usize)>,
) -> Vec<Line<T>> {
    let next = following(pieces);
    let mut before = vec![usize::MAX; pieces.len()];
    for (piece, &next) in next.iter().enumerate() {
        if next != usize::MAX {
            before[next] = piece;
        }
    }
    let carries = |value: &T, piece: usize| piece != usize::MAX && items.contains(&(value.clone(), piece));
    let mut lines = Vec::new();
    for (value, piece) in items {
        if carries(value, before[*piece]) {
            continue;
        }
        let mut last = *piece;
        while carries(value, next[last]) {
            last = next[last];
        }
        lines.push(Line { value: value.clone(), first: *piece, last });
    }
    lines
}

/// The piece that goes straight on after each, if any.
fn following(pieces: &[SeamPiece]) -> Vec<usize> {
    let exact = |piece: &SeamPiece, at: Ratio| exact_at(piece.line.0, piece.line.1, at);
    let mut starts: BTreeMap<IntPoint, Vec<usize>> = BTreeMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        if let Some(point) = exact(piece, piece.start) {
            starts.entry(point).or_default().push(index);
        }
    }
    let direction = |piece: &SeamPiece| piece.line.1 - piece.line.0;
    let on_other_edge = |index: usize| {
        let piece = &pieces[index];
        let others = exact(piece, piece.end).and_then(|point| starts.get(&point))?;
        others.iter().copied().find(|&other| cross(direction(piece), direction(&pieces[other])) == 0)
    };
    (0..pieces.len())
        .map(|index| {
            let next = pieces.get(index + 1);
            let same_edge =
                next.is_some_and(|next| next.line == pieces[index].line && next.start == pieces[index].end);
            if same_edge { index + 1 } else { on_other_edge(index).unwrap_or(usize::MAX) }
        })
        .collect()
}
