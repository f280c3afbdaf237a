//! Distances to walls by walking many straight lines through the drawing itself: no arrangement, no shared code.

use navwright::bake::{AreaKind, FlatInput};

use crate::support::Random;

/// What counts as the same crossing along a line, in squares.
const SAME: f64 = 1e-9;
/// How far from a corner lines are aimed, to either side.
const BESIDE: f64 = 1e-7;

/// The drawing as plain numbers.
pub(super) struct Oracle {
    areas: Vec<(AreaKind, i8, Vec<[f64; 2]>)>,
    edges: Vec<[[f64; 2]; 2]>,
    /// Corners of outlines and places where two of them cross.
    corners: Vec<[f64; 2]>,
    pub(super) levels: Vec<i8>,
}

impl Oracle {
    pub(super) fn new(input: &FlatInput) -> Self {
        let areas: Vec<_> =
            input.areas.iter().map(|area| (area.kind, area.level, area.outline.clone())).collect();
        let edges: Vec<[[f64; 2]; 2]> = areas
            .iter()
            .flat_map(|(_, _, outline)| {
                (0..outline.len()).map(|i| [outline[i], outline[(i + 1) % outline.len()]])
            })
            .filter(|[a, b]| a != b)
            .collect();
        let mut corners: Vec<[f64; 2]> = edges.iter().map(|edge| edge[0]).collect();
        for (i, a) in edges.iter().enumerate() {
            for b in &edges[i + 1..] {
                corners.extend(
                    crossing(a[0], sub(a[1], a[0]), b).filter(|(t, _)| (0.0..=1.0).contains(t)).map(
                        |(t, _)| {
                            let d = sub(a[1], a[0]);
                            [a[0][0] + d[0] * t, a[0][1] + d[1] * t]
                        },
                    ),
                );
            }
        }
        let mut levels: Vec<i8> = areas.iter().map(|area| area.1).collect();
        levels.sort_unstable();
        levels.dedup();
        Self { areas, edges, corners, levels }
    }

    pub(super) fn is_walkable(&self, p: [f64; 2], level: i8) -> bool {
        let inside = |kind: AreaKind| {
            self.areas.iter().any(|(k, l, outline)| *k == kind && *l == level && winding(outline, p) != 0)
        };
        inside(AreaKind::Walk) && !inside(AreaKind::Hole)
    }

    /// The distance from a walkable place to the nearest wall along a straight line, at most `most`: with and without
    /// the ends of walls that are joined to the place only by turning around them.
    pub(super) fn distance(&self, p: [f64; 2], level: i8, most: f64, random: &mut Random) -> [f64; 2] {
        let mut nearest = most;
        let mut look = |dx: f64, dz: f64| {
            let length = dx.hypot(dz);
            if length > 0.0 {
                nearest = nearest.min(self.along(p, [dx / length, dz / length], level, nearest));
            }
        };
        for _ in 0..48 {
            let turn = random.unit() * std::f64::consts::TAU;
            look(turn.cos(), turn.sin());
        }
        for &corner in &self.corners {
            let [dx, dz] = sub(corner, p);
            let length = dx.hypot(dz);
            if length < most * 1.001 && length > 0.0 {
                let (sx, sz) = (-dz / length * BESIDE, dx / length * BESIDE);
                look(dx + sx, dz + sz);
                look(dx - sx, dz - sz);
            }
        }
        for [a, b] in &self.edges {
            let (d, q) = (sub(*b, *a), sub(p, *a));
            let part = (q[0] * d[0] + q[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]);
            if (0.0..=1.0).contains(&part) {
                look(a[0] + d[0] * part - p[0], a[1] + d[1] * part - p[1]);
            }
        }
        let mut with_turned = nearest;
        for &corner in &self.corners {
            let [dx, dz] = sub(corner, p);
            let length = dx.hypot(dz);
            if length >= with_turned || length < 1e-5 {
                continue;
            }
            for there in self.reached(p, [dx / length, dz / length], level, length - 1e-6) {
                let [own, turned] = self.ends_wall(corner, (-dz).atan2(-dx), there);
                nearest = if own { nearest.min(length) } else { nearest };
                with_turned = if own || turned { with_turned.min(length) } else { with_turned };
            }
        }
        [with_turned, nearest]
    }

    /// Whether a wall of the level ends at a corner, and whether any does that is joined around it, or levels contest a
    /// seam there; seen from an angle.
    fn ends_wall(&self, corner: [f64; 2], from: f64, level: i8) -> [bool; 2] {
        let turn = std::f64::consts::TAU;
        let mut angles: Vec<f64> = Vec::new();
        for edge in &self.edges {
            for end in edge {
                let [dx, dz] = sub(*end, corner);
                let (d, q) = (sub(edge[1], edge[0]), sub(corner, edge[0]));
                let (off, along) = (d[0] * q[1] - d[1] * q[0], d[0] * q[0] + d[1] * q[1]);
                let (length, square) = (d[0].hypot(d[1]), d[0] * d[0] + d[1] * d[1]);
                let is_on =
                    off.abs() <= 1e-9 * length && -1e-9 * length <= along && along <= square + 1e-9 * length;
                if is_on && dx.hypot(dz) > 1e-8 {
                    angles.push((dz.atan2(dx) - from).rem_euclid(turn));
                }
            }
        }
        angles.sort_by(f64::total_cmp);
        angles.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        let count = angles.len();
        if count == 0 {
            return [false; 2];
        }
        // Sector i lies before angle i; sector 0 holds the line of sight.
        let middle = |i: usize| {
            let (a, b) =
                if i == 0 { (angles[count - 1] - turn, angles[0]) } else { (angles[i - 1], angles[i]) };
            let angle = f64::midpoint(a, b) + from;
            [corner[0] + angle.cos() * 1e-6, corner[1] + angle.sin() * 1e-6]
        };
        let inside: Vec<Vec<bool>> = (0..count)
            .map(|i| self.levels.iter().map(|&level| self.is_walkable(middle(i), level)).collect())
            .collect();
        let first = self.levels.iter().position(|&l| l == level).unwrap();
        let (mut found, mut seen) = ([false; 2], vec![(0, first)]);
        let mut next = 0;
        while let Some(&(sector, level)) = seen.get(next) {
            next += 1;
            for beyond in [(sector + 1) % count, (sector + count - 1) % count] {
                let joined: Vec<usize> = if inside[beyond][level] {
                    vec![level]
                } else {
                    (0..self.levels.len()).filter(|&l| !inside[sector][l] && inside[beyond][l]).collect()
                };
                // Also where levels contest a seam: lines past the corner then see other floors on either side.
                found[1] |= joined.len() != 1;
                for level in joined {
                    if !seen.contains(&(beyond, level)) {
                        seen.push((beyond, level));
                    }
                }
            }
        }
        // The level's own sector, turning either way.
        for step in [1, count - 1] {
            let mut sector = 0;
            while inside[(sector + step) % count][first] {
                sector = (sector + step) % count;
                if sector == 0 {
                    return found;
                }
            }
            let beyond = (sector + step) % count;
            found[0] |= !(0..self.levels.len()).any(|l| !inside[sector][l] && inside[beyond][l]);
        }
        found
    }

    /// How far a straight line goes before it meets a wall on some level it reaches.
    fn along(&self, p: [f64; 2], d: [f64; 2], level: i8, most: f64) -> f64 {
        self.walk(p, d, level, most).err().unwrap_or(most)
    }

    /// The levels that a straight line of this length reaches; none where it meets a wall.
    fn reached(&self, p: [f64; 2], d: [f64; 2], level: i8, length: f64) -> Vec<i8> {
        self.walk(p, d, level, length).unwrap_or_default()
    }

    /// The levels at the end of a line, or where it meets a wall.
    fn walk(&self, p: [f64; 2], d: [f64; 2], level: i8, most: f64) -> Result<Vec<i8>, f64> {
        let mut crossings: Vec<f64> = self
            .edges
            .iter()
            .filter_map(|edge| crossing(p, d, edge))
            .map(|(t, _)| t)
            .filter(|&t| 0.0 < t && t < most)
            .collect();
        crossings.sort_by(f64::total_cmp);
        let at = |t: f64| [p[0] + d[0] * t, p[1] + d[1] * t];
        let mut here = vec![level];
        let mut i = 0;
        while i < crossings.len() {
            let first = crossings[i];
            let mut last = first;
            while i < crossings.len() && crossings[i] - last <= SAME {
                last = crossings[i];
                i += 1;
            }
            let next = crossings.get(i).map_or(last + 1e-5, |&next| next.min(last + 1e-5));
            let before = first - SAME.min(first / 2.0);
            let (before, after) = (at(before), at(f64::midpoint(last, next)));
            let mut there = Vec::new();
            for &level in &here {
                if self.is_walkable(after, level) {
                    there.push(level);
                    continue;
                }
                let joined = self.levels.iter().copied();
                let joined: Vec<i8> = joined
                    .filter(|&other| !self.is_walkable(before, other) && self.is_walkable(after, other))
                    .collect();
                if joined.is_empty() {
                    return Err(first);
                }
                there.extend(joined);
            }
            there.sort_unstable();
            there.dedup();
            here = there;
        }
        Ok(here)
    }
}

fn sub(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Where the line p + t·d meets an edge's line: t, and the fraction of the edge.
fn crossing(p: [f64; 2], d: [f64; 2], [a, b]: &[[f64; 2]; 2]) -> Option<(f64, f64)> {
    let (e, q) = (sub(*b, *a), sub(*a, p));
    let whole = d[0] * e[1] - d[1] * e[0];
    if whole.abs() < 1e-14 {
        return None;
    }
    let (t, on_edge) = ((q[0] * e[1] - q[1] * e[0]) / whole, (q[0] * d[1] - q[1] * d[0]) / whole);
    (-1e-12..=1.0 + 1e-12).contains(&on_edge).then_some((t, on_edge))
}

fn winding(outline: &[[f64; 2]], p: [f64; 2]) -> i32 {
    let mut winding = 0;
    for (i, a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        let left = (b[0] - a[0]) * (p[1] - a[1]) - (p[0] - a[0]) * (b[1] - a[1]);
        if a[1] <= p[1] && b[1] > p[1] && left > 0.0 {
            winding += 1;
        } else if a[1] > p[1] && b[1] <= p[1] && left < 0.0 {
            winding -= 1;
        }
    }
    winding
}
