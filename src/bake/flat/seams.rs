//! Which levels a contested seam joins: an edge of a tile has one neighbour, so where several pairs of levels want one
//! piece of edge, pairs that have no other way come first.
//!
//! Pairs of components with an uncontested piece keep that. A pair with none takes its shortest contested piece, or an
//! equal part of it, in level order, when several such pairs want it. The rest goes to the smallest height difference,
//! then the lowest levels.

use std::collections::{BTreeMap, BTreeSet};

use super::outline::Drawing;
use super::seam_line::{SeamPiece, SeamSide, straight_lines};
use super::surfaces::Surfaces;
use crate::bake::Seam;
use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::predicates::{cross, dot};

/// A straight stretch of edge that several pairs of levels want, cut into equal parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contested {
    /// Its ends in units, rounded down; `left` levels lie left of from → to only.
    from: IntPoint,
    to: IntPoint,
    left: Vec<usize>,
    right: Vec<usize>,
    /// The pairs (left, right) that each part joins.
    parts: Vec<Vec<(usize, usize)>>,
}

impl Contested {
    /// The box around it, in units.
    pub(crate) fn bounds(&self) -> IntBox {
        IntBox::around([self.from, self.to])
    }

    /// The places, in units, where one part ends and the next begins.
    pub(crate) fn cuts(&self) -> impl Iterator<Item = IntPoint> + '_ {
        let (d, count) = (self.to - self.from, self.parts.len() as i64);
        (1..count).map(move |i| {
            let part = |delta: i64| (i128::from(delta) * i128::from(i)).div_euclid(i128::from(count)) as i64;
            IntPoint::new(self.from.x + part(d.x), self.from.z + part(d.z))
        })
    }

    /// Whether it joins `left` and `right` at a place (in units) near it; `None` where the place is not on it, within
    /// `reach`.
    pub(crate) fn joins(&self, place: IntPoint, reach: i64, left: usize, right: usize) -> Option<bool> {
        let straight = self.left.contains(&left) && self.right.contains(&right);
        let turned = self.left.contains(&right) && self.right.contains(&left);
        if !straight && !turned {
            return None;
        }
        let (d, q) = (self.to - self.from, place - self.from);
        let length = (dot(d, d) as f64).sqrt();
        let (along, off) = (dot(d, q) as f64 / length, (cross(d, q) as f64 / length).abs());
        let margin = reach as f64;
        if off > margin || along < -margin || along > length + margin {
            return None;
        }
        let part =
            (along / length * self.parts.len() as f64).clamp(0.0, self.parts.len() as f64 - 1.0) as usize;
        let pair = if straight { (left, right) } else { (right, left) };
        Some(self.parts[part].contains(&pair))
    }
}

/// A stretch of edge between two sets of levels, before it is decided who gets it.
struct Stretch<'a> {
    ends: [IntPoint; 2],
    middle: [f64; 2],
    length: f64,
    /// The sides of its first piece: the same levels and components all along.
    left: &'a [SeamSide],
    right: &'a [SeamSide],
}

impl Stretch<'_> {
    /// Each pair of levels (left, right), with the pair of components.
    fn pairs(&self) -> impl Iterator<Item = ((usize, usize), (u32, u32))> + '_ {
        self.left.iter().flat_map(move |left| {
            self.right.iter().map(move |right| {
                let components = (left.component, right.component);
                let ordered = (components.0.min(components.1), components.0.max(components.1));
                ((left.level, right.level), ordered)
            })
        })
    }

    fn is_contested(&self) -> bool {
        self.left.len() + self.right.len() > 2
    }
}

/// The longest straight stretches with one set of levels and components on either side.
fn find_stretches(pieces: &[SeamPiece]) -> Vec<Stretch<'_>> {
    let items: BTreeSet<_> = pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.is_seam())
        .map(|(index, piece)| {
            let levels = |sides: &[SeamSide]| -> Vec<_> {
                sides.iter().map(|side| (side.level, side.component)).collect()
            };
            ((levels(&piece.left), levels(&piece.right)), index)
        })
        .collect();
    straight_lines(pieces, &items)
        .into_iter()
        .map(|line| {
            let (first, last) = (&pieces[line.first], &pieces[line.last]);
            let (a, b) = (first.ends()[0], last.ends()[1]);
            Stretch {
                ends: [first.floor_ends()[0], last.floor_ends()[1]],
                middle: [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])],
                length: (a[0] - b[0]).hypot(a[1] - b[1]),
                left: &first.left,
                right: &first.right,
            }
        })
        .collect()
}

/// Decides every contested stretch. `pieces`: all of the drawing's, sorted, their components known.
pub(crate) fn settle_seams(drawing: &Drawing, pieces: &[SeamPiece], surfaces: &Surfaces) -> Vec<Contested> {
    if !pieces.iter().any(SeamPiece::is_contested) {
        return Vec::new();
    }
    let mut stretches = find_stretches(pieces);
    stretches.sort_by_key(|stretch| stretch.ends.map(|p| (p.z, p.x)));
    let settled: BTreeSet<(u32, u32)> = stretches
        .iter()
        .filter(|s| !s.is_contested())
        .flat_map(|s| s.pairs().map(|(_, pair)| pair))
        .collect();
    // Each unsettled pair of components → its shortest contested stretch, ties by least (z, x).
    let mut shortest: BTreeMap<(u32, u32), (usize, (usize, usize))> = BTreeMap::new();
    let mut order: Vec<usize> = (0..stretches.len()).filter(|&i| stretches[i].is_contested()).collect();
    order.sort_by(|&a, &b| {
        let place = |i: usize| stretches[i].ends.map(|p| (p.z, p.x)).into_iter().min();
        stretches[a].length.total_cmp(&stretches[b].length).then_with(|| place(a).cmp(&place(b)))
    });
    for &index in &order {
        for (levels, pair) in stretches[index].pairs() {
            if !settled.contains(&pair) {
                shortest.entry(pair).or_insert((index, levels));
            }
        }
    }
    let mut wanted: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (index, levels) in shortest.into_values() {
        wanted.entry(index).or_default().push(levels);
    }
    order.sort_unstable();
    order
        .into_iter()
        .map(|index| {
            let stretch = &stretches[index];
            let mut claims = wanted.remove(&index).unwrap_or_default();
            claims.sort_by_key(|&(l, r)| (l.min(r), l.max(r)));
            claims.dedup();
            let rest = by_height(drawing, surfaces, stretch);
            let parts = if claims.is_empty() {
                vec![fill(Vec::new(), &rest)]
            } else {
                claims.into_iter().map(|claim| fill(vec![claim], &rest)).collect()
            };
            let levels = |sides: &[SeamSide]| sides.iter().map(|side| side.level).collect();
            let [from, to] = stretch.ends;
            Contested { from, to, left: levels(stretch.left), right: levels(stretch.right), parts }
        })
        .collect()
}

/// Adds pairs in order, each level once.
fn fill(mut chosen: Vec<(usize, usize)>, rest: &[(usize, usize)]) -> Vec<(usize, usize)> {
    for &(l, r) in rest {
        if !chosen.iter().any(|&(cl, cr)| cl == l || cr == r) {
            chosen.push((l, r));
        }
    }
    chosen
}

/// All pairs of a stretch, the smallest height difference first, then the lowest levels.
fn by_height(drawing: &Drawing, surfaces: &Surfaces, stretch: &Stretch<'_>) -> Vec<(usize, usize)> {
    let place = IntPoint::new(stretch.middle[0].round() as i64, stretch.middle[1].round() as i64);
    let height = |side: &SeamSide| surfaces.on(drawing, side.level, side.surface, place);
    let mut pairs: Vec<(f64, (usize, usize))> = Vec::new();
    for left in stretch.left {
        for right in stretch.right {
            pairs.push(((height(left) - height(right)).abs(), (left.level, right.level)));
        }
    }
    pairs.sort_by(|&(a_step, a), &(b_step, b)| {
        let levels = |(l, r): (usize, usize)| (l.min(r), l.max(r));
        a_step.total_cmp(&b_step).then_with(|| levels(a).cmp(&levels(b)))
    });
    pairs.into_iter().map(|(_, pair)| pair).collect()
}

/// The seams between each pair of levels as the longest straight lines, sorted.
pub(crate) fn find_seams(drawing: &Drawing, pieces: &[SeamPiece]) -> Vec<Seam> {
    // A pair that changes sides along a line ends a seam there.
    let mut items: BTreeSet<((usize, usize), usize)> = BTreeSet::new();
    for (index, piece) in pieces.iter().enumerate() {
        for left in &piece.left {
            items.extend(piece.right.iter().map(|right| ((left.level, right.level), index)));
        }
    }
    let mut seams: Vec<Seam> = straight_lines(pieces, &items)
        .into_iter()
        .map(|line| {
            let world = |p: [f64; 2]| drawing.frame.world_from_unit(p[0], p[1]);
            let (from, to) = (world(pieces[line.first].ends()[0]), world(pieces[line.last].ends()[1]));
            let (low, high) = (line.value.0.min(line.value.1), line.value.0.max(line.value.1));
            Seam { levels: [drawing.levels[low], drawing.levels[high]], from, to }
        })
        .collect();
    sort_seams(&mut seams);
    seams
}

/// By levels, then place.
pub(crate) fn sort_seams(seams: &mut [Seam]) {
    seams.sort_by(|a, b| {
        let place = |s: &Seam| [s.from[0], s.from[1], s.to[0], s.to[1]];
        let by_place = place(a).into_iter().zip(place(b)).map(|(a, b)| a.total_cmp(&b));
        a.levels.cmp(&b.levels).then(by_place.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then))
    });
}
