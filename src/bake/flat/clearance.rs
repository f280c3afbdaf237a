//! Clearance: what lies nearer to a wall than an agent's middle may come.
//!
//! Removed from each level is the Minkowski sum of each wall (an outline edge that is not a seam) with one 24-gon, as
//! far as it is seen along straight lines in the joined surface: on the wall's own level and through seams, never
//! through overlap.
//!
//! Why the shapes below are all of that. Measure with the 24-gon as a norm, and let q be a place of a wall that p sees
//! along a straight line in the surface, at the least distance of all such places. Where q is a corner of the outline
//! or a seam's end, p lies in the 24-gon around it (`point_rays`). Else q is inside a straight wall; if p − q does not
//! point to the 24-gon's corner that supports the wall's normal, moving q along the wall comes nearer to p, so
//! something must stop the sight just there: a place of the surface's edge on the line from p to q, which p sees
//! nearer than q, against the choice of q. So p lies in the sheaf of lines from the wall along that corner
//! (`wall_rays`). At a corner narrower than 180° the two sheaves cover what the corner would.
//!
//! A beam looks at openings only. Behind a wall on its way (a hole's edge, a gap) all that it would remove lies even
//! nearer to that wall, so a thin gap's both sides, and a wall's behind, need no care.
//!
//! A wall is closed: its end counts for all of its own level around it. Where floors wind around a place more than once
//! (a spiral stair's pole), or levels contest a seam, lines that pass a corner on either side may come to different
//! floors. Such a corner counts as a wall, so that nothing seen past it comes nearer than the radius; there, and only
//! there, more may be removed than is said below.
//!
//! How far off: the 24-gon's radius is r and one step of the coarser grid, its corners lie up to 0.863 % further.
//! Places rounded to units, and the few units that shapes overlap by, are below a tenth of a step (a step has 250 units
//! or more); snapping to the binary grid moves an edge by less than 0.71 steps. So never less than r, and at most 1 %
//! and three steps more.

mod beams;
mod covered;
mod gauge;
mod removed;
mod walls;

use std::collections::HashMap;

use super::frame::Frame;
use crate::bake::BakeError;
use crate::format::FormatError;
use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::predicates::{compare_angles, cross, dot};
use beams::{Ray, spread};
use covered::Covered;
use gauge::{CORNERS, Gauge, MAX_REACH, left_of};
pub(crate) use removed::Cleared;
use removed::Removed;
use walls::{Corner, Opening, SeamEnd, Sector, Wall};
pub(crate) use walls::{SurfaceEdges, find_edges};

/// Units that a wall's clearance reaches behind it where its ends were rounded.
const BEHIND: f64 = 4.0;
/// Units that a sheaf of rays is wider than what it is seen from, so that rounding leaves no hair between two.
const BESIDE: f64 = 8.0;

/// What keeps agents of one radius away from walls.
#[derive(Debug)]
pub(crate) struct Clearance {
    gauge: Gauge,
    /// How far from a column's walls it can change a tile, in units: sums of gauge and wall, and a tile's own step.
    margin: i64,
}

impl Clearance {
    /// For agents of this radius; `None` for none.
    ///
    /// # Errors
    /// A radius that the grids' 64 bits do not hold, with the largest allowed.
    pub(crate) fn new(frame: &Frame, radius: f32) -> Result<Option<Self>, BakeError> {
        if radius <= 0.0 {
            return Ok(None);
        }
        // The step keeps edges the radius away when they are snapped.
        let coarser = frame.step.max(frame.decimal_step());
        let largest = frame.length_from_units((MAX_REACH - coarser) as f64);
        if f64::from(radius) >= largest {
            return Err(BakeError::Format(FormatError::OutOfRange {
                name: "agent_radius".to_owned(),
                value: radius.to_string(),
                bound: format!("a flat bake with this cell and tile size takes less than {largest}"),
            }));
        }
        let gauge = Gauge::new(frame.units_from_length_up(radius.into()) + coarser);
        let margin = gauge.reach() + frame.step + (BEHIND + BESIDE) as i64;
        Ok(Some(Self { gauge, margin }))
    }

    /// How far from a changed column tiles may change: past one wall, an opening that it is seen through, and a column
    /// that the wall runs through.
    pub(crate) fn reach(&self, frame: &Frame) -> i64 {
        2 * self.margin + frame.tile_units()
    }

    /// What is removed from a tile; `fence` is its square grown by a step. `edges_in` gives the edges of all columns
    /// that meet a box, in any order.
    pub(crate) fn near<'a>(
        &self,
        fence: &IntBox,
        edges_in: impl Fn(&IntBox) -> Vec<&'a SurfaceEdges>,
    ) -> Cleared {
        let near = fence.grown(self.margin);
        let (mut walls, mut corners, mut seam_ends): (Vec<&Wall>, Vec<&Corner>, Vec<&SeamEnd>) =
            Default::default();
        let mut around = *fence;
        let mut is_near = |bounds: IntBox| {
            let meets = bounds.meets(&near);
            if meets {
                around = IntBox::around([around.low, around.high, bounds.low, bounds.high]);
            }
            meets
        };
        for edges in edges_in(&near) {
            walls.extend(edges.walls.iter().filter(|wall| is_near(IntBox::around([wall.from, wall.to]))));
            corners.extend(edges.corners.iter().filter(|corner| is_near(IntBox::around([corner.at]))));
            seam_ends.extend(edges.seam_ends.iter().filter(|end| is_near(IntBox::around([end.at]))));
        }
        if walls.is_empty() && corners.is_empty() && seam_ends.is_empty() {
            return Cleared::default();
        }
        let around = around.grown(self.margin);
        let mut openings: Vec<&Opening> =
            edges_in(&around).iter().flat_map(|edges| &edges.openings).collect();
        // One order wherever a wall is looked at from.
        openings.sort_unstable();
        let scene = Scene { gauge: &self.gauge, openings: OpeningGrid::new(openings, self.gauge.reach()) };
        let mut covered = Covered::new(fence, self.gauge.reach());
        if covered.is_useful() {
            let ends = walls.iter().flat_map(|wall| [(wall.level, wall.from), (wall.level, wall.to)]);
            for (level, place) in ends.chain(corners.iter().map(|corner| (corner.level, corner.at))) {
                if !covered.is_whole(level) && scene.sees_no_opening(level, place) {
                    covered.mark(level, place);
                }
            }
        }
        let mut removed = Removed { edges: Vec::new(), covered };
        walls.into_iter().for_each(|wall| scene.remove_wall(wall, &mut removed));
        corners.into_iter().for_each(|corner| scene.remove_corner(corner, &mut removed));
        seam_ends.into_iter().for_each(|end| scene.remove_seam_end(end, &mut removed));
        removed.finish(fence)
    }
}

/// The gauge, and the openings in reach of a tile's walls.
struct Scene<'a> {
    gauge: &'a Gauge,
    openings: OpeningGrid<'a>,
}

impl Scene<'_> {
    /// Whether no opening of the level lies within reach of a place.
    fn sees_no_opening(&self, level: usize, place: IntPoint) -> bool {
        let openings = self.openings.near(&IntBox::around([place]).grown(self.gauge.reach()));
        !openings.iter().any(|opening| opening.touches(level))
    }

    fn remove_wall(&self, wall: &Wall, removed: &mut Removed) {
        let Wall { level, from, to, is_exact } = *wall;
        let d = to - from;
        if from == to {
            return;
        }
        let corner = self.gauge.corner(self.gauge.support(left_of(d)));
        let openings = self.openings.near(
            &IntBox::around([from, to, plus(from, corner), plus(to, corner)]).grown((BEHIND + BESIDE) as i64),
        );
        let behind = scaled_to(corner, -BEHIND);
        if openings.iter().any(|opening| opening.touches(level)) {
            spread(from, wall_rays(from, d, corner, behind, &openings), level, &openings, removed);
            return;
        }
        let behind = if is_exact { IntPoint::default() } else { behind };
        let ring = [plus(from, behind), plus(to, behind), to, plus(to, corner), plus(from, corner), from];
        removed.add_ring(level, ring.into_iter());
    }

    fn remove_corner(&self, corner: &Corner, removed: &mut Removed) {
        let Corner { level, at, before, after } = *corner;
        let first = self.gauge.support(left_of(after));
        let last = self.gauge.support(left_of(before));
        let count = (last + CORNERS - first) % CORNERS;
        if count == 0 {
            return;
        }
        let all = IntBox::around([at]).grown(self.gauge.reach());
        let openings = self.openings.near(&all);
        let fan = (first..=first + count).map(|k| self.gauge.corner(k));
        if openings.iter().any(|opening| opening.touches(level)) {
            let directions = self.directions(at, &openings, &[]);
            let rays =
                self.point_rays(&directions, self.gauge.corner(first), self.gauge.corner(last), [false; 2]);
            spread(at, rays, level, &openings, removed);
        } else {
            removed.add_ring(level, std::iter::once(at).chain(fan.map(|p| plus(at, p))));
        }
    }

    fn remove_seam_end(&self, end: &SeamEnd, removed: &mut Removed) {
        let all = IntBox::around([end.at]).grown(self.gauge.reach());
        let openings = self.openings.near(&all);
        let mut levels: Vec<usize> = end.sectors.iter().map(|sector| sector.level).collect();
        levels.sort_unstable();
        levels.dedup();
        // Openings that end here hide nothing from here.
        let hides = |opening: &&Opening| {
            opening.from != end.at
                && opening.to != end.at
                && levels.iter().any(|&level| opening.touches(level))
        };
        if end.is_whole && !openings.iter().any(hides) {
            for &level in &levels {
                removed.add_ring(level, (0..CORNERS).map(|k| plus(end.at, self.gauge.corner(k))));
            }
            return;
        }
        let bounds: Vec<IntPoint> =
            end.sectors.iter().flat_map(|sector| [sector.start, sector.end]).collect();
        let directions = self.directions(end.at, &openings, &bounds);
        for &Sector { level, start, end: last, starts_at_seam, ends_at_seam } in &end.sectors {
            // Over a seam's end both levels take the same edges of the gauge, so that the seam ends at one place.
            let rays = self.point_rays(&directions, start, last, [starts_at_seam, ends_at_seam]);
            spread(end.at, rays, level, &openings, removed);
        }
    }

    /// All directions from a place in which something changes, counter-clockwise from +x: the gauge's corners, the ends
    /// of openings, where they leave the gauge, and those given.
    fn directions(&self, at: IntPoint, openings: &[&Opening], given: &[IntPoint]) -> Vec<(IntPoint, bool)> {
        let mut directions: Vec<(IntPoint, bool)> =
            (0..CORNERS).map(|k| (self.gauge.corner(k), true)).collect();
        let mut add = |d: IntPoint| {
            if d != IntPoint::default() {
                directions.push((d, false));
            }
        };
        for opening in openings {
            let (from, to) = (opening.from - at, opening.to - at);
            add(from);
            add(to);
            for k in 0..CORNERS {
                if let Some(place) = meeting(self.gauge.corner(k), self.gauge.corner(k + 1), from, to) {
                    add(place);
                }
            }
        }
        given.iter().for_each(|&d| add(d));
        // Corners first among equals.
        directions.sort_by(|a, b| compare_angles(a.0, b.0).then(b.1.cmp(&a.1)));
        directions.dedup_by(|b, a| compare_angles(a.0, b.0).is_eq());
        directions
    }

    /// The rays from a place between two of its directions, counter-clockwise; an end that is `open` goes on by 15° to 30°,
    /// to a corner of the gauge.
    fn point_rays(
        &self,
        directions: &[(IntPoint, bool)],
        start: IntPoint,
        end: IntPoint,
        open: [bool; 2],
    ) -> Vec<Ray> {
        let count = directions.len();
        let index = |d: IntPoint| {
            directions.iter().position(|other| compare_angles(other.0, d).is_eq()).unwrap_or_default()
        };
        let widened = |from: usize, step: usize| {
            let mut corners = 0;
            let mut moved = 0;
            while corners < 2 {
                moved += 1;
                corners += usize::from(directions[(from + moved * step) % count].1);
            }
            moved
        };
        let (start, end) = (index(start), index(end));
        let before = if open[0] { widened(start, count - 1) } else { 0 };
        let behind = if open[1] { widened(end, 1) } else { 0 };
        let steps = ((end + count - start) % count + before + behind).min(count);
        let first = start + count - before;
        let border = |i: usize| {
            let (d, is_corner) = directions[(first + i) % count];
            if is_corner { d } else { self.gauge.border(d) }
        };
        let mut rays: Vec<Ray> = (0..=steps).map(|i| Ray::new(IntPoint::default(), border(i))).collect();
        if steps < count {
            let beside = |end: IntPoint, by: f64| {
                let side = scaled_to(left_of(end), by);
                Ray::new(side, plus(end, side))
            };
            rays.insert(0, beside(border(0), -BESIDE));
            rays.push(beside(border(steps), BESIDE));
        }
        rays
    }
}

/// The rays of a wall along the gauge's `corner`, from its far end to its near one, counter-clockwise as of a place.
fn wall_rays(
    from: IntPoint,
    d: IntPoint,
    corner: IntPoint,
    behind: IntPoint,
    openings: &[&Opening],
) -> Vec<Ray> {
    let whole = cross(d, corner) as f64;
    let mut parts = vec![0.0, 1.0];
    for opening in openings {
        let (a, b) = (opening.from - from, opening.to - from);
        let edge = meeting(corner, plus(d, corner), a, b);
        parts.extend([Some(a), Some(b), edge].into_iter().flatten().map(|p| cross(p, corner) as f64 / whole));
    }
    parts.retain(|part| (0.0..=1.0).contains(part));
    parts.sort_by(|a, b| b.total_cmp(a));
    let along =
        |part: f64, whole: i64| if part == 1.0 { whole } else { (whole as f64 * part).round() as i64 };
    let mut feet: Vec<IntPoint> =
        parts.into_iter().map(|part| IntPoint::new(along(part, d.x), along(part, d.z))).collect();
    let beside = scaled_to(d, BESIDE);
    feet.insert(0, plus(d, beside));
    feet.push(IntPoint::default() - beside);
    feet.dedup();
    feet.into_iter().map(|foot| Ray::new(plus(foot, behind), plus(foot, corner))).collect()
}

/// Where two segments cross, to the nearest unit.
fn meeting(a: IntPoint, b: IntPoint, c: IntPoint, d: IntPoint) -> Option<IntPoint> {
    let (from, to) = (cross(b - a, c - a) as f64, cross(b - a, d - a) as f64);
    let (start, end) = (cross(d - c, a - c) as f64, cross(d - c, b - c) as f64);
    if from * to >= 0.0 || start * end >= 0.0 {
        return None;
    }
    let part = start / (start - end);
    let axis = |a: i64, b: i64| a + ((b - a) as f64 * part).round() as i64;
    Some(IntPoint::new(axis(a.x, b.x), axis(a.z, b.z)))
}

fn plus(a: IntPoint, b: IntPoint) -> IntPoint {
    IntPoint::new(a.x + b.x, a.z + b.z)
}

/// A direction at another length, to the nearest unit.
fn scaled_to(d: IntPoint, length: f64) -> IntPoint {
    let scale = length / (dot(d, d) as f64).sqrt();
    IntPoint::new((d.x as f64 * scale).round() as i64, (d.z as f64 * scale).round() as i64)
}

/// Openings by the cells that their bounds meet.
struct OpeningGrid<'a> {
    openings: Vec<&'a Opening>,
    bounds: IntBox,
    cell: i64,
    members: HashMap<(i64, i64), Vec<u32>>,
}

impl<'a> OpeningGrid<'a> {
    /// At most this many cells along a side of the openings' bounds.
    const MOST: i64 = 512;

    fn new(openings: Vec<&'a Opening>, reach: i64) -> Self {
        let bounds = IntBox::around(openings.iter().flat_map(|opening| [opening.from, opening.to]));
        let size = if openings.is_empty() { IntPoint::default() } else { bounds.high - bounds.low };
        let cell = (size.x.max(size.z) / Self::MOST + 1).max(reach);
        let mut members: HashMap<(i64, i64), Vec<u32>> = HashMap::new();
        for (index, opening) in (0..).zip(&openings) {
            for at in cells(cell, &IntBox::around([opening.from, opening.to])) {
                members.entry(at).or_default().push(index);
            }
        }
        Self { openings, bounds, cell, members }
    }

    /// The openings whose bounds meet a box, in order.
    fn near(&self, bounds: &IntBox) -> Vec<&'a Opening> {
        if !self.bounds.meets(bounds) {
            return Vec::new();
        }
        let (low, high) = (bounds.low, bounds.high);
        let within = IntBox {
            low: IntPoint::new(low.x.max(self.bounds.low.x), low.z.max(self.bounds.low.z)),
            high: IntPoint::new(high.x.min(self.bounds.high.x), high.z.min(self.bounds.high.z)),
        };
        let mut found: Vec<u32> =
            cells(self.cell, &within).filter_map(|at| self.members.get(&at)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        let all = found.into_iter().map(|index| self.openings[index as usize]);
        all.filter(|opening| IntBox::around([opening.from, opening.to]).meets(bounds)).collect()
    }
}

/// The cells that a box meets.
fn cells(cell: i64, bounds: &IntBox) -> impl Iterator<Item = (i64, i64)> + use<> {
    let of = |units: i64| units.div_euclid(cell);
    let (x0, x1) = (of(bounds.low.x), of(bounds.high.x));
    (of(bounds.low.z)..=of(bounds.high.z)).flat_map(move |z| (x0..=x1).map(move |x| (z, x)))
}
