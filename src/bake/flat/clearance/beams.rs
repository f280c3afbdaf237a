//! What a wall's clearance covers where openings are in reach: straight beams through the joined surface.
//!
//! ```text
//!       end ───────── end
//!        │  level 1    │        cells between neighbouring rays; inside a cell each opening
//!   far ─┼─ ─ ─ ─ ─ ─ ─┼─ far   is passed whole or not at all, so that levels follow each other
//!   ═════╪═════════════╪═════   as on a line
//!   near ┼─ ─ ─ ─ ─ ─ ─┼─ near
//!        │  level 0    │
//!     origin ───────── origin   (one place, for a corner)
//! ```

use super::removed::Removed;
use super::walls::Opening;
use crate::geom::grid::IntPoint;

/// Units that a beam reaches beyond an opening it passes or ends at: more than rounding moves a place, and far less
/// than a step of any grid.
const OVERLAP: f64 = 4.0;

/// A straight line out from a wall to where its clearance ends, in units from the beam's base.
#[derive(Clone, Debug)]
pub(super) struct Ray {
    origin: IntPoint,
    end: IntPoint,
    passes: Vec<Pass>,
}

impl Ray {
    pub(super) fn new(origin: IntPoint, end: IntPoint) -> Self {
        Self { origin, end, passes: Vec::new() }
    }
}

/// Where a ray passes an opening: how far along the ray, and the places just before and just behind it.
#[derive(Clone, Copy, Debug)]
struct Pass {
    opening: usize,
    at: f64,
    near: IntPoint,
    far: IntPoint,
}

/// An opening that a cell passes, between its levels `from` (towards the wall) and `to`.
struct Crossing {
    opening: usize,
    at: f64,
    enters_left: bool,
}

/// Removes what is seen from a wall of `level` between neighbouring `rays` (the first one clockwise of the second).
///
/// A beam on a level ends at the nearest opening of that level: where it leaves the level there, it goes on on those
/// joined; where the level begins there, what lies behind is seen through that opening or not at all. Walls on the way
/// are not looked at: behind one, its own clearance covers all that this beam would.
pub(super) fn spread(
    base: IntPoint,
    mut rays: Vec<Ray>,
    level: usize,
    openings: &[&Opening],
    removed: &mut Removed,
) {
    let cells: Vec<Vec<Crossing>> =
        rays.windows(2).map(|pair| crossings(base, &pair[0], &pair[1], openings)).collect();
    for (index, cell) in cells.iter().enumerate() {
        for crossing in cell {
            for ray in &mut rays[index..index + 2] {
                if !ray.passes.iter().any(|pass| pass.opening == crossing.opening) {
                    let pass = pass_of(base, ray, crossing, openings[crossing.opening]);
                    ray.passes.push(pass);
                }
            }
        }
    }
    for ray in &mut rays {
        ray.passes.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.opening.cmp(&b.opening)));
    }
    for (pair, cell) in rays.windows(2).zip(&cells) {
        // A level behind an opening it was reached through; each is followed once.
        let mut reached: Vec<(usize, Option<usize>)> = vec![(level, None)];
        let mut next = 0;
        while let Some(&(level, entered)) = reached.get(next) {
            next += 1;
            let behind = entered.map_or(0, |crossing| crossing + 1);
            let ended = (behind..cell.len()).find(|&i| openings[cell[i].opening].touches(level));
            let opening = |i: usize| cell[i].opening;
            let ring = cell_ring(&pair[0], &pair[1], entered.map(opening), ended.map(opening));
            removed.add_ring(level, ring.into_iter().map(|p| IntPoint::new(base.x + p.x, base.z + p.z)));
            let Some(ended) = ended else { continue };
            let Opening { left, right, .. } = openings[cell[ended].opening];
            let (from, to) = if cell[ended].enters_left { (right, left) } else { (left, right) };
            for &joined in to.iter().filter(|_| from.contains(&level)) {
                if !reached.contains(&(joined, Some(ended))) {
                    reached.push((joined, Some(ended)));
                }
            }
        }
    }
}

/// Places of a cell's directions where an opening ends or leaves the clearance are rays, so its middle line tells which
/// openings the cell passes, in which order.
fn crossings(base: IntPoint, u: &Ray, v: &Ray, openings: &[&Opening]) -> Vec<Crossing> {
    let middle =
        |a: IntPoint, b: IntPoint| [(a.x as f64 + b.x as f64) / 2.0, (a.z as f64 + b.z as f64) / 2.0];
    let (origin, end) = (middle(u.origin, v.origin), middle(u.end, v.end));
    let mut found: Vec<Crossing> = Vec::new();
    for (index, opening) in openings.iter().enumerate() {
        let Line { left_of_from, left_of_to, at, .. } = Line::new(base, origin, end, opening);
        if left_of_from * left_of_to < 0.0 && 0.0 < at && at < 1.0 {
            found.push(Crossing { opening: index, at, enters_left: left_of_from > 0.0 });
        }
    }
    found.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.opening.cmp(&b.opening)));
    found
}

/// How an opening lies to the line from `origin` to `end`.
struct Line {
    /// Above 0 where its ends lie left of the line.
    left_of_from: f64,
    left_of_to: f64,
    /// Its place nearest the line, and the fraction of the line next to that.
    place: [f64; 2],
    at: f64,
}

impl Line {
    fn new(base: IntPoint, origin: [f64; 2], end: [f64; 2], opening: &Opening) -> Self {
        let local = |p: IntPoint| [(p.x - base.x) as f64, (p.z - base.z) as f64];
        let (from, to) = (local(opening.from), local(opening.to));
        let d = [end[0] - origin[0], end[1] - origin[1]];
        let left = |p: [f64; 2]| d[0] * (p[1] - origin[1]) - d[1] * (p[0] - origin[0]);
        let (left_of_from, left_of_to) = (left(from), left(to));
        let part = if left_of_from * left_of_to < 0.0 {
            left_of_from / (left_of_from - left_of_to)
        } else if left_of_from.abs() <= left_of_to.abs() {
            0.0
        } else {
            1.0
        };
        let place = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
        let along = d[0] * (place[0] - origin[0]) + d[1] * (place[1] - origin[1]);
        Self { left_of_from, left_of_to, place, at: along / (d[0] * d[0] + d[1] * d[1]) }
    }
}

fn pass_of(base: IntPoint, ray: &Ray, crossing: &Crossing, opening: &Opening) -> Pass {
    let local = |p: IntPoint| [p.x as f64, p.z as f64];
    let Line { place, at, .. } = Line::new(base, local(ray.origin), local(ray.end), opening);
    let d = opening.to - opening.from;
    let (dx, dz) = (d.x as f64, d.z as f64);
    let length = (dx * dx + dz * dz).sqrt();
    let beyond = if crossing.enters_left { OVERLAP } else { -OVERLAP };
    let (nx, nz) = (-dz / length * beyond, dx / length * beyond);
    let whole = |x: f64, z: f64| IntPoint::new(x.round() as i64, z.round() as i64);
    Pass {
        opening: crossing.opening,
        at,
        near: whole(place[0] - nx, place[1] - nz),
        far: whole(place[0] + nx, place[1] + nz),
    }
}

/// The ring of a cell from one opening (or the wall) to another (or the end of the clearance), both included.
/// Neighbouring cells and levels share the points of a ray, so that their rings share edges and no gap is left.
fn cell_ring(u: &Ray, v: &Ray, entered: Option<usize>, ended: Option<usize>) -> Vec<IntPoint> {
    let side = |ray: &Ray| {
        let index = |opening: usize| ray.passes.iter().position(|pass| pass.opening == opening);
        let first = entered.and_then(index).unwrap_or(0);
        let last = ended.map_or(ray.passes.len().checked_sub(1), index);
        let mut points = Vec::new();
        if entered.is_none() {
            points.push(ray.origin);
        }
        // Openings that meet on the ray may come in either order there.
        let passes = last.map_or(&[][..], |last| &ray.passes[first.min(last)..=last.max(first)]);
        points.extend(passes.iter().flat_map(|pass| [pass.near, pass.far]));
        if ended.is_none() {
            points.push(ray.end);
        }
        points
    };
    let mut ring = side(u);
    ring.extend(side(v).into_iter().rev());
    ring
}
