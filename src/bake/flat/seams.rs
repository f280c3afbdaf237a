//! Which levels a contested seam joins: an edge of a tile has one neighbour, so where several pairs of levels want one
//! piece of edge, pairs that have no other way come first.
//!
//! Pairs of components with an uncontested piece keep that. A pair with none takes its shortest contested piece, or an
//! equal part of it, in level order, when several such pairs want it. The rest goes to the smallest height difference,
//! then the lowest levels.

use std::collections::{BTreeMap, BTreeSet};

use super::joined::Components;
use super::outline::Drawing;
use super::overlay::Overlay;
use super::surfaces::Surfaces;
use crate::geom::grid::IntPoint;
use crate::geom::predicates::{cross, dot};

/// A straight stretch of edge that several pairs of levels want, cut into equal parts.
#[derive(Clone, Debug)]
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
struct Stretch {
    from: u32,
    to: u32,
    left: Vec<usize>,
    right: Vec<usize>,
    /// The component of each level, left ones then right ones.
    components: Vec<u32>,
    length: f64,
    half: u32,
}

impl Stretch {
    fn pairs(&self) -> impl Iterator<Item = ((usize, usize), (u32, u32))> + '_ {
        let right_first = self.left.len();
        self.left.iter().enumerate().flat_map(move |(i, &l)| {
            let component = self.components[i];
            self.right
                .iter()
                .enumerate()
                .map(move |(j, &r)| ((l, r), ordered(component, self.components[right_first + j])))
        })
    }

    fn is_contested(&self) -> bool {
        self.left.len() + self.right.len() > 2
    }
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Decides every contested stretch of the drawing.
pub(crate) fn settle_seams(
    drawing: &Drawing,
    overlay: &Overlay,
    components: &Components,
    surfaces: &Surfaces,
) -> Vec<Contested> {
    let stretches = find_stretches(overlay, components);
    if !stretches.iter().any(Stretch::is_contested) {
        return Vec::new();
    }
    let settled: BTreeSet<(u32, u32)> = stretches
        .iter()
        .filter(|s| !s.is_contested())
        .flat_map(|s| s.pairs().map(|(_, pair)| pair))
        .collect();
    // Each unsettled pair of components → its shortest contested stretch, ties by least (z, x).
    let mut shortest: BTreeMap<(u32, u32), (usize, (usize, usize))> = BTreeMap::new();
    let mut order: Vec<usize> = (0..stretches.len()).filter(|&i| stretches[i].is_contested()).collect();
    order.sort_by(|&a, &b| {
        let place = |i: usize| {
            let (p, q) = (
                overlay.arrangement.floor_of(stretches[i].from),
                overlay.arrangement.floor_of(stretches[i].to),
            );
            (p.z, p.x).min((q.z, q.x))
        };
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
            let rest = by_height(drawing, overlay, surfaces, stretch);
            let parts = if claims.is_empty() {
                vec![fill(Vec::new(), &rest)]
            } else {
                claims.into_iter().map(|claim| fill(vec![claim], &rest)).collect()
            };
            Contested {
                from: overlay.arrangement.floor_of(stretch.from),
                to: overlay.arrangement.floor_of(stretch.to),
                left: stretch.left.clone(),
                right: stretch.right.clone(),
                parts,
            }
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
fn by_height(
    drawing: &Drawing,
    overlay: &Overlay,
    surfaces: &Surfaces,
    stretch: &Stretch,
) -> Vec<(usize, usize)> {
    let (a, b) = (overlay.arrangement.f64_of(stretch.from), overlay.arrangement.f64_of(stretch.to));
    let middle = [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])];
    let step = |(l, r): (usize, usize)| {
        let (left, right) = (overlay.sides(stretch.half, l).0, overlay.sides(stretch.half, r).1);
        (surfaces.beside(drawing, l, left, middle) - surfaces.beside(drawing, r, right, middle)).abs()
    };
    let mut pairs: Vec<(usize, usize)> = stretch.pairs().map(|(levels, _)| levels).collect();
    pairs.sort_by(|&x, &y| {
        let levels = |(l, r): (usize, usize)| (l.min(r), l.max(r));
        step(x).total_cmp(&step(y)).then_with(|| levels(x).cmp(&levels(y)))
    });
    pairs
}

/// The longest straight stretches with one set of levels on either side.
fn find_stretches(overlay: &Overlay, components: &Components) -> Vec<Stretch> {
    let arrangement = &overlay.arrangement;
    let sides = |half: u32| {
        let (left, right) = overlay.seam_levels(half / 2);
        if half & 1 == 0 { (left, right) } else { (right, left) }
    };
    let same = |a: u32, b: u32| {
        sides(a) == sides(b)
            && component_list(overlay, components, a) == component_list(overlay, components, b)
    };
    let straight = |half: u32| {
        let d = arrangement.direction(half);
        arrangement.outgoing(arrangement.origin(half ^ 1)).iter().copied().find(|&next| {
            let e = arrangement.direction(next);
            cross(d, e) == 0 && dot(d, e) > 0 && same(half, next)
        })
    };
    let mut seen = vec![false; arrangement.pieces.len()];
    let mut stretches = Vec::new();
    for piece in 0..arrangement.pieces.len() as u32 {
        let (left, right) = overlay.seam_levels(piece);
        if seen[piece as usize] || left.is_empty() || right.is_empty() {
            continue;
        }
        let mut first = piece * 2;
        while let Some(before) = straight(first ^ 1) {
            first = before ^ 1;
        }
        let mut last = first;
        seen[last as usize / 2] = true;
        while let Some(next) = straight(last) {
            last = next;
            seen[last as usize / 2] = true;
        }
        let (from, to) = (arrangement.origin(first), arrangement.origin(last ^ 1));
        let (a, b) = (arrangement.f64_of(from), arrangement.f64_of(to));
        let (left, right) = sides(first);
        stretches.push(Stretch {
            from,
            to,
            components: component_list(overlay, components, first),
            left,
            right,
            length: (a[0] - b[0]).hypot(a[1] - b[1]),
            half: first,
        });
    }
    stretches
}

/// The components of the levels left only, then right only, of a half.
fn component_list(overlay: &Overlay, components: &Components, half: u32) -> Vec<u32> {
    let face = |half: u32| overlay.faces.of_half[half as usize];
    let (mut left, mut right) = overlay.seam_levels(half / 2);
    if half & 1 == 1 {
        std::mem::swap(&mut left, &mut right);
    }
    let of_left = left.iter().map(|&level| components.on_level(face(half), level));
    let of_right = right.iter().map(|&level| components.on_level(face(half ^ 1), level));
    of_left.chain(of_right).collect()
}
