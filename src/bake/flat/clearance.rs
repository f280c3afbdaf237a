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
//! How far off: the 24-gon's radius is r and one step of the coarser grid, its corners lie up to 0.863 % further.
//! Places rounded to units, and a few units of overlap at openings, are below a hundredth of a step; snapping to the
//! binary grid moves an edge by less than 0.71 steps. So never less than r, and at most 1 % and three steps more.

mod beams;
mod gauge;
mod walls;

use std::collections::{BTreeMap, HashMap};

use super::arrange::Edge;
use super::outline::Drawing;
use super::overlay::{CLEARANCE_EDGE, Overlay, winding_of_edge};
use crate::bake::BakeError;
use crate::format::FormatError;
use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::predicates::{compare_angles, cross, dot};
use beams::{Ray, spread};
use gauge::{CORNERS, Gauge, MAX_REACH, left_of};
use walls::{Corner, Opening, Sector, SeamEnd, SurfaceEdges, Wall, find_edges};

/// Units that a wall's clearance reaches behind it where its ends were rounded.
const BEHIND: f64 = 4.0;

/// The walls and openings of a drawing, ready to remove clearance from any tile.
#[derive(Debug)]
pub(crate) struct Clearance {
    gauge: Gauge,
    edges: SurfaceEdges,
    openings: OpeningGrid,
    /// (row, column) → walls, corners and seam ends in reach.
    columns: BTreeMap<(i32, i32), [Vec<u32>; 3]>,
}

/// The radius in units with the step that keeps snapped edges at least the radius away.
///
/// # Errors
/// A radius that the grids' 64 bits do not hold, with the largest allowed.
pub(crate) fn radius_units(drawing: &Drawing, radius: f32) -> Result<i64, BakeError> {
    let frame = &drawing.frame;
    let coarser = frame.step.max(frame.decimal_step());
    let largest = frame.length_from_units((MAX_REACH - coarser) as f64);
    if f64::from(radius) >= largest {
        return Err(BakeError::Format(FormatError::OutOfRange {
            name: "agent_radius".to_owned(),
            value: radius.to_string(),
            bound: format!("a flat bake with this cell and tile size takes less than {largest}"),
        }));
    }
    Ok(frame.units_from_length_up(radius.into()) + coarser)
}

impl Clearance {
    /// Finds what `radius` units keep away from. `overlay` holds whole outlines; `columns` are (row, column).
    pub(crate) fn new(
        drawing: &Drawing,
        overlay: &Overlay,
        radius: i64,
        columns: impl Iterator<Item = (i32, i32)>,
    ) -> Self {
        let gauge = Gauge::new(radius);
        let edges = find_edges(overlay);
        let openings = OpeningGrid::new(&edges.openings, gauge.reach());
        let mut columns: BTreeMap<(i32, i32), [Vec<u32>; 3]> =
            columns.map(|column| (column, <[Vec<u32>; 3]>::default())).collect();
        // Sums of gauge and wall, and the step that a tile is grown by.
        let margin = gauge.reach() + drawing.frame.step + BEHIND as i64;
        let boxes = [
            edges.walls.iter().map(|wall| IntBox::around([wall.from, wall.to])).collect::<Vec<_>>(),
            edges.corners.iter().map(|corner| IntBox::around([corner.at])).collect(),
            edges.seam_ends.iter().map(|end| IntBox::around([end.at])).collect(),
        ];
        for (kind, boxes) in boxes.iter().enumerate() {
            for (index, bounds) in boxes.iter().enumerate() {
                let near = bounds.grown(margin);
                visit_columns(drawing, &near, &mut columns, |lists| lists[kind].push(index as u32));
            }
        }
        Self { gauge, edges, openings, columns }
    }

    /// What clearance removes near a tile at column (row, column), as directed edges that bound it, a tile's grown
    /// square being `fence`: those that meet it, and how often each level's least corner is covered.
    pub(crate) fn near(&self, column: (i32, i32), fence: &IntBox) -> (Vec<Edge>, Vec<(u32, i32)>) {
        let mut removed = Removed::default();
        if let Some([walls, corners, seam_ends]) = self.columns.get(&column) {
            let (low, high) = (fence.low, fence.high);
            let square = [low, IntPoint::new(high.x, low.z), high, IntPoint::new(low.x, high.z)];
            for &index in walls {
                self.remove_wall(&self.edges.walls[index as usize], &square, &mut removed);
            }
            for &index in corners {
                self.remove_corner(&self.edges.corners[index as usize], &mut removed);
            }
            for &index in seam_ends {
                self.remove_seam_end(&self.edges.seam_ends[index as usize], &mut removed);
            }
        }
        removed.finish(fence)
    }

    fn remove_wall(&self, wall: &Wall, square: &[IntPoint; 4], removed: &mut Removed) {
        let Wall { level, from, to, is_exact } = *wall;
        let d = to - from;
        if from == to {
            return;
        }
        let corner = self.gauge.corner(self.gauge.support(left_of(d)));
        let openings = self.openings.near(
            &self.edges.openings,
            &IntBox::around([from, to, plus(from, corner), plus(to, corner)]).grown(BEHIND as i64),
        );
        let behind = scaled_to(corner, -BEHIND);
        if openings.iter().any(|opening| opening.touches(level)) {
            spread(from, wall_rays(from, d, corner, behind, &openings), level, &openings, removed);
            return;
        }
        if removed.is_whole(level) {
            return;
        }
        let behind = if is_exact { IntPoint::default() } else { behind };
        let ring = [plus(from, behind), plus(to, behind), plus(to, corner), plus(from, corner)];
        removed.add_ring(level, ring.into_iter());
        // A tile that lies whole within reach of one place has nothing left.
        if square[2].x - square[0].x <= 2 * self.gauge.reach() && self.gauge.holds(from, square) {
            let all = IntBox::around([from]).grown(self.gauge.reach());
            let near = self.openings.near(&self.edges.openings, &all);
            if !near.iter().any(|opening| opening.touches(level)) {
                removed.set_whole(level);
            }
        }
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
        let openings = self.openings.near(&self.edges.openings, &all);
        let fan = (first..=first + count).map(|k| self.gauge.corner(k));
        if openings.iter().any(|opening| opening.touches(level)) {
            let directions = self.directions(at, &openings, &[]);
            let rays = self.point_rays(&directions, self.gauge.corner(first), self.gauge.corner(last), [false; 2]);
            spread(at, rays, level, &openings, removed);
        } else {
            removed.add_ring(level, std::iter::once(at).chain(fan.map(|p| plus(at, p))));
        }
    }

    fn remove_seam_end(&self, end: &SeamEnd, removed: &mut Removed) {
        let all = IntBox::around([end.at]).grown(self.gauge.reach());
        let openings = self.openings.near(&self.edges.openings, &all);
        let mut levels: Vec<usize> = end.sectors.iter().map(|sector| sector.level).collect();
        levels.sort_unstable();
        levels.dedup();
        // Openings that end here hide nothing from here.
        let hides = |opening: &&Opening| {
            opening.from != end.at && opening.to != end.at && levels.iter().any(|&level| opening.touches(level))
        };
        if end.is_whole && !openings.iter().any(hides) {
            for &level in &levels {
                removed.add_ring(level, (0..CORNERS).map(|k| plus(end.at, self.gauge.corner(k))));
            }
            return;
        }
        let bounds: Vec<IntPoint> = end.sectors.iter().flat_map(|sector| [sector.start, sector.end]).collect();
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
        (0..=steps)
            .map(|i| {
                let (d, is_corner) = directions[(first + i) % count];
                let border = if is_corner { d } else { self.gauge.border(d) };
                Ray::new(IntPoint::default(), border)
            })
            .collect()
    }
}

/// The rays of a wall along the gauge's `corner`, from its far end to its near one, counter-clockwise as of a place.
fn wall_rays(from: IntPoint, d: IntPoint, corner: IntPoint, behind: IntPoint, openings: &[&Opening]) -> Vec<Ray> {
    let whole = cross(d, corner) as f64;
    let mut parts = vec![0.0, 1.0];
    for opening in openings {
        let (a, b) = (opening.from - from, opening.to - from);
        let edge = meeting(corner, plus(d, corner), a, b);
        parts.extend([Some(a), Some(b), edge].into_iter().flatten().map(|p| cross(p, corner) as f64 / whole));
    }
    parts.retain(|part| (0.0..=1.0).contains(part));
    parts.sort_by(|a, b| b.total_cmp(a));
    let along = |part: f64, whole: i64| if part == 1.0 { whole } else { (whole as f64 * part).round() as i64 };
    let mut feet: Vec<IntPoint> =
        parts.into_iter().map(|part| IntPoint::new(along(part, d.x), along(part, d.z))).collect();
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

/// Calls `visit` with the lists of each column that a box meets.
fn visit_columns<T>(
    drawing: &Drawing,
    bounds: &IntBox,
    columns: &mut BTreeMap<(i32, i32), T>,
    mut visit: impl FnMut(&mut T),
) {
    let frame = &drawing.frame;
    let tile = |units: i64| frame.tile_of(units).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let (x0, x1) = (tile(bounds.low.x), tile(bounds.high.x));
    let (z0, z1) = (tile(bounds.low.z), tile(bounds.high.z));
    if i64::from(z1) - i64::from(z0) < columns.len() as i64 {
        for z in z0..=z1 {
            columns.range_mut((z, x0)..=(z, x1)).for_each(|(_, lists)| visit(lists));
        }
    } else {
        let rows = columns.range_mut((z0, i32::MIN)..=(z1, i32::MAX));
        rows.filter(|((_, x), _)| (x0..=x1).contains(x)).for_each(|(_, lists)| visit(lists));
    }
}

/// Openings by the cells that their bounds meet.
#[derive(Debug)]
struct OpeningGrid {
    bounds: IntBox,
    cell: i64,
    members: HashMap<(i64, i64), Vec<u32>>,
}

impl OpeningGrid {
    /// At most this many cells along a side of the openings' bounds.
    const MOST: i64 = 512;

    fn new(openings: &[Opening], reach: i64) -> Self {
        let bounds = IntBox::around(openings.iter().flat_map(|opening| [opening.from, opening.to]));
        let size = if openings.is_empty() { IntPoint::default() } else { bounds.high - bounds.low };
        let cell = (size.x.max(size.z) / Self::MOST + 1).max(reach);
        let mut grid = Self { bounds, cell, members: HashMap::new() };
        for (index, opening) in openings.iter().enumerate() {
            for cell in grid.cells(&IntBox::around([opening.from, opening.to])) {
                grid.members.entry(cell).or_default().push(index as u32);
            }
        }
        grid
    }

    fn cells(&self, bounds: &IntBox) -> impl Iterator<Item = (i64, i64)> + use<> {
        let of = |units: i64| units.div_euclid(self.cell);
        let (x0, x1) = (of(bounds.low.x), of(bounds.high.x));
        (of(bounds.low.z)..=of(bounds.high.z)).flat_map(move |z| (x0..=x1).map(move |x| (z, x)))
    }

    /// The openings whose bounds meet a box, in order.
    fn near<'a>(&self, openings: &'a [Opening], bounds: &IntBox) -> Vec<&'a Opening> {
        if !self.bounds.meets(bounds) {
            return Vec::new();
        }
        let (low, high) = (bounds.low, bounds.high);
        let within = IntBox {
            low: IntPoint::new(low.x.max(self.bounds.low.x), low.z.max(self.bounds.low.z)),
            high: IntPoint::new(high.x.min(self.bounds.high.x), high.z.min(self.bounds.high.z)),
        };
        let mut found: Vec<u32> =
            self.cells(&within).filter_map(|cell| self.members.get(&cell)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        let all = found.into_iter().map(|index| &openings[index as usize]);
        all.filter(|opening| IntBox::around([opening.from, opening.to]).meets(bounds)).collect()
    }
}

/// What clearance removes, as edges with it on their left; where they wind around a place, it is gone.
#[derive(Debug, Default)]
struct Removed {
    edges: Vec<(usize, IntPoint, IntPoint)>,
    /// Levels of which nothing is left in the tile.
    whole: Vec<usize>,
}

impl Removed {
    fn add_ring(&mut self, level: usize, points: impl Iterator<Item = IntPoint>) {
        let mut ends: Option<(IntPoint, IntPoint)> = None;
        for point in points {
            let (first, last) = ends.unwrap_or((point, point));
            if last != point {
                self.edges.push((level, last, point));
            }
            ends = Some((first, point));
        }
        if let Some((first, last)) = ends
            && first != last
        {
            self.edges.push((level, last, first));
        }
    }

    fn is_whole(&self, level: usize) -> bool {
        self.whole.contains(&level)
    }

    fn set_whole(&mut self, level: usize) {
        if !self.is_whole(level) {
            self.whole.push(level);
        }
    }

    /// The edges that meet the fence, without those that cancel, and how often its least corner is covered.
    fn finish(self, fence: &IntBox) -> (Vec<Edge>, Vec<(u32, i32)>) {
        let Self { edges, mut whole } = self;
        let mut rising: Vec<(usize, IntPoint, IntPoint, i32)> = edges
            .into_iter()
            .filter(|(level, ..)| !whole.contains(level))
            .map(|(level, from, to)| if from < to { (level, from, to, 1) } else { (level, to, from, -1) })
            .collect();
        rising.sort_unstable();
        let mut windings: BTreeMap<u32, i32> = BTreeMap::new();
        let mut kept = Vec::new();
        for group in rising.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
            let (level, low, high, _) = group[0];
            let owner = CLEARANCE_EDGE | level as u32;
            let count: i32 = group.iter().map(|edge| edge.3).sum();
            let (from, to) = if count > 0 { (low, high) } else { (high, low) };
            if count != 0 {
                *windings.entry(owner).or_default() += winding_of_edge(from, to, fence.low) * count.abs();
                if IntBox::around([from, to]).meets(fence) {
                    kept.extend(std::iter::repeat_n(Edge { from, to, owner }, count.unsigned_abs() as usize));
                }
            }
        }
        whole.sort_unstable();
        windings.extend(whole.into_iter().map(|level| (CLEARANCE_EDGE | level as u32, 1)));
        windings.retain(|_, &mut winding| winding != 0);
        (kept, windings.into_iter().collect())
    }
}
