//! The link that joins an island to the largest part of the mesh: over the narrowest gap, in space, that an agent takes.

use super::act::{Fix, FixContext, change, number, thousandth};
use super::islands::{Divided, IslandMemory, Part, parts};
use crate::format::TiledNavMesh;
use crate::geom::plane::{self, contains, distance, edges, nearest_on_segment, part_along};
use crate::project::{Command, Spot, new_link};
use crate::query::{
    Barrier, NavPlace, PathScratch, QueryFilter, closest_on_polygon, explain_path_between, polygons_in_box,
};

/// The longest gap that is jumped over and the deepest drop that is taken, in heights of the agent: a person of 1.8 m jumps
/// over some 3.5 m, and from as high without harm.
const REACH: f64 = 2.0;
/// What a way down only weighs against one that leads both ways.
const ONE_WAY: f64 = 2.0;
/// How far an end stands inside its polygon, in squares.
const INSIDE: f64 = 0.3;
/// Lengths that differ by less are the same.
const SAME: f64 = 1e-6;
/// Gaps and steps below this are not told.
const LEAST_TOLD: f64 = 0.005;
/// Most polygons of an island that are looked at.
const MOST_PARTS: usize = 4096;

/// A link to be.
struct Jump {
    /// Its length in space, weighed.
    cost: f64,
    /// How far from the ends of the stretch where both rims face each other: of equal jumps the one in the middle is taken.
    room: f64,
    start: Spot,
    end: Spot,
    /// From start to end.
    run: f64,
    rise: f64,
    both_ways: bool,
}

/// A jump over the narrowest gap from the island to the largest one, or a drop where one of them lies lower than an agent
/// climbs; nothing where they come no nearer than an agent jumps.
pub(super) fn add_link(
    context: &FixContext<'_>,
    divided: &Divided,
    memory: &mut IslandMemory,
) -> Option<Fix> {
    let Jump { start, end, run, rise, both_ways, .. } = nearest_jump(context, divided, &mut memory.scratch)?;
    let link = new_link(context.document, start, end, both_ways);
    let (name, help) = if both_ways {
        let length = number(run.hypot(rise));
        (
            "Add a link",
            format!("A jump of {length} squares both ways, over the narrowest gap to the largest part"),
        )
    } else {
        let (run, drop) = (number(run), number(-rise));
        let help = format!(
            "A drop of {drop}, {run} ahead and one way down, where this and the largest part come nearest; back up is \
             more than the climb"
        );
        ("Add a link down", help)
    };
    Some(change(name, help, Command::AddLinks(vec![link])))
}

/// Why there is no link from the largest part to the island that an agent takes: how they lie where they come nearest.
pub(super) fn no_link(
    context: &FixContext<'_>,
    divided: &Divided,
    memory: &mut IslandMemory,
) -> Option<String> {
    let mesh = context.mesh?;
    let (filter, scratch) = (QueryFilter::default(), &mut memory.scratch);
    let mut of_main = parts(mesh).filter(|part| divided.all.of(part.reference) == Some(divided.main));
    let main = of_main.find_map(|part| closest_on_polygon(mesh, part.reference, part.middle()))?;
    let told = explain_path_between(mesh, &main, &divided.place, &filter, scratch).ok()??;
    let nearest = told.barriers.iter().chain(&told.instead).filter(|barrier| {
        let of = |place: &NavPlace| divided.all.of(place.polygon);
        (of(&barrier.from), of(&barrier.to)) == (Some(divided.main), Some(divided.island))
    });
    let gap = |barrier: &&Barrier| barrier.distance.hypot(barrier.rise);
    let nearest = nearest.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let hundredth = |value: f64| number((value.abs() * 100.0).round() / 100.0);
    let mut measures = Vec::new();
    if nearest.distance >= LEAST_TOLD {
        measures.push(format!("gap {} wide", hundredth(nearest.distance)));
    }
    if nearest.rise.abs() >= LEAST_TOLD {
        let way = if nearest.rise < 0.0 { "down" } else { "up" };
        measures.push(format!("step {} {way}", hundredth(nearest.rise)));
    }
    let measures = if measures.is_empty() { "they touch".to_owned() } else { measures.join(", ") };
    Some(format!("no link an agent can take: nearest {measures}"))
}

fn nearest_jump(
    context: &FixContext<'_>,
    &Divided { ref all, island, main, .. }: &Divided,
    scratch: &mut PathScratch,
) -> Option<Jump> {
    let mesh = context.mesh?;
    let own: Vec<Part> = parts(mesh).filter(|part| all.of(part.reference) == Some(island)).collect();
    let mut search = Search::new(context, mesh, scratch);
    let (filter, mut near) = (QueryFilter::default(), Vec::new());
    for part in own.iter().step_by(own.len().div_ceil(MOST_PARTS).max(1)) {
        let axis = |k: usize| part.corners.iter().map(move |corner| corner[k]);
        let reach = search.reach;
        let low = [0, 1, 2].map(|k| axis(k).fold(f64::INFINITY, f64::min) - reach);
        let high = [0, 1, 2].map(|k| axis(k).fold(f64::NEG_INFINITY, f64::max) + reach);
        // At the edge of the world there is no box to ask of.
        if polygons_in_box(mesh, low, high, &filter, search.scratch, &mut near).is_err() {
            continue;
        }
        for &other in near.iter().filter(|&&other| all.of(other) == Some(main)) {
            let other = Part::of(mesh, other)?;
            search.look(part, &other);
            search.look(&other, part);
        }
    }
    search.best
}

/// What is looked for, and what is found so far.
struct Search<'a> {
    context: &'a FixContext<'a>,
    mesh: &'a TiledNavMesh,
    climb: f64,
    reach: f64,
    /// How far ahead of a floor's rim a drop begins: past the ledge, which is a radius ahead, by another one.
    clear: f64,
    scratch: &'a mut PathScratch,
    best: Option<Jump>,
}

impl<'a> Search<'a> {
    fn new(context: &'a FixContext<'a>, mesh: &'a TiledNavMesh, scratch: &'a mut PathScratch) -> Self {
        let class = context.class;
        Self {
            context,
            mesh,
            climb: f64::from(class.climb),
            reach: REACH * f64::from(class.height),
            clear: 2.0 * f64::from(class.radius).max(mesh.params().cell_size),
            scratch,
            best: None,
        }
    }

    /// Whether a jump is no longer than the best so far.
    fn may_be_better(&self, cost: f64) -> bool {
        self.best.as_ref().is_none_or(|best| cost <= best.cost + SAME)
    }

    /// Whether it is shorter than the best so far, or as short and farther from the ends of its stretch.
    fn is_better(&self, cost: f64, room: f64) -> bool {
        self.best
            .as_ref()
            .is_none_or(|best| cost < best.cost - SAME || cost <= best.cost + SAME && room > best.room + SAME)
    }

    /// Looks for ways from the rim of a polygon to another one.
    fn look(&mut self, from: &Part, to: &Part) {
        let (ring, target) = (from.ring(), to.ring());
        for (_, a, b) in edges(&ring) {
            let length = distance(a, b);
            if length <= 0.0 {
                continue;
            }
            // Polygons run counter-clockwise as seen with z to the left of x: the floor lies to the left.
            let outward = [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
            let shares = target.iter().map(|&corner| part_along(a, b, corner).clamp(0.0, 1.0));
            let low = shares.clone().fold(1.0, f64::min);
            let high = shares.clone().fold(0.0, f64::max);
            for share in [0.5 * (low + high), 0.0, 1.0].into_iter().chain(shares) {
                let place = [0, 1].map(|k| a[k] + share * (b[k] - a[k]));
                let room = (share - low).min(high - share).max(0.0) * length;
                self.jump((from, place), (to, nearest_in(&target, place)), room);
                let ahead = [0, 1].map(|k| place[k] + self.clear * outward[k]);
                let landing = nearest_in(&target, ahead);
                if along(place, landing, outward) >= 0.999 * self.clear {
                    self.drop((from, place), (to, landing), outward, room);
                }
            }
        }
    }

    /// One that leads both ways: neither end lies more than the climb higher.
    fn jump(&mut self, (from, place): (&Part, [f64; 2]), (to, landing): (&Part, [f64; 2]), room: f64) {
        let gap = distance(place, landing);
        if gap > self.reach || !self.may_be_better(gap) {
            return;
        }
        let Some(rise) = self.rise((from, place), (to, landing)) else { return };
        if rise.abs() > self.climb || !self.is_better(gap.hypot(rise), room) {
            return;
        }
        let ahead = [0, 1].map(|k| (landing[k] - place[k]) / gap.max(SAME));
        let (start, end) = (stepped_in(place, from, ahead.map(|k| -k)), stepped_in(landing, to, ahead));
        let Some(risen) = self.rise((from, start), (to, end)) else { return };
        if risen.abs() <= self.climb {
            self.take([gap.hypot(rise), room], (from, start), (to, end), true);
        }
    }

    /// One that leads down only, ahead of the rim.
    fn drop(
        &mut self,
        (from, place): (&Part, [f64; 2]),
        (to, landing): (&Part, [f64; 2]),
        outward: [f64; 2],
        room: f64,
    ) {
        let gap = distance(place, landing);
        if gap > self.reach || !self.may_be_better(ONE_WAY * gap) {
            return;
        }
        let Some(rise) = self.rise((from, place), (to, landing)) else { return };
        let cost = ONE_WAY * gap.hypot(rise);
        if !(-self.reach..-self.climb).contains(&rise) || !self.is_better(cost, room) {
            return;
        }
        let back = outward.map(|k| -k);
        let (start, end) = (stepped_in(place, from, back), stepped_in(landing, to, outward));
        if along(place, end, outward) >= 0.99 * self.clear && self.falls_free((from, start), (to, end)) {
            self.take([cost, room], (from, start), (to, end), false);
        }
    }

    fn take(
        &mut self,
        [cost, room]: [f64; 2],
        start: (&Part, [f64; 2]),
        end: (&Part, [f64; 2]),
        both_ways: bool,
    ) {
        let (Some(from), Some(to)) = (self.spot_on(start), self.spot_on(end)) else { return };
        let Some(rise) = self.rise(start, end) else { return };
        let run = distance(from.at, to.at);
        self.best = Some(Jump { cost, room, start: from, end: to, run, rise, both_ways });
    }

    fn height(&self, (part, at): (&Part, [f64; 2])) -> Option<f64> {
        closest_on_polygon(self.mesh, part.reference, at).map(|floor| floor.position[1])
    }

    fn rise(&self, from: (&Part, [f64; 2]), to: (&Part, [f64; 2])) -> Option<f64> {
        Some(self.height(to)? - self.height(from)?)
    }

    /// Whether there is no floor between the heights of a drop, over where it ends.
    fn falls_free(&mut self, from: (&Part, [f64; 2]), to: (&Part, [f64; 2])) -> bool {
        let (Some(top), Some(bottom)) = (self.height(from), self.height(to)) else { return false };
        let [x, z] = to.1;
        let (low, high) = (bottom + 0.5 * self.climb.min(top - bottom), top + self.climb);
        let (filter, mut found) = (QueryFilter::default(), Vec::new());
        let (min, max) = ([x, low, z], [x, high, z]);
        if polygons_in_box(self.mesh, min, max, &filter, self.scratch, &mut found).is_err() {
            return false;
        }
        let between = |polygon| {
            closest_on_polygon(self.mesh, polygon, to.1)
                .is_some_and(|floor| floor.distance == 0.0 && (low..=high).contains(&floor.position[1]))
        };
        !found.into_iter().any(between)
    }

    /// A link's end: at a level's elevation, else at the floor's height.
    fn spot_on(&self, (part, at): (&Part, [f64; 2])) -> Option<Spot> {
        if let Some(level) = level_at(self.context, part) {
            return Some(Spot { at, level, y: None });
        }
        let y = plane::thousandth(self.height((part, at))?);
        Some(Spot { at, level: part.level, y: Some(y) })
    }
}

/// How far one place lies ahead of another.
fn along(from: [f64; 2], to: [f64; 2], ahead: [f64; 2]) -> f64 {
    (to[0] - from[0]) * ahead[0] + (to[1] - from[1]) * ahead[1]
}

/// The place of a polygon nearest to another one.
fn nearest_in(ring: &[[f64; 2]], place: [f64; 2]) -> [f64; 2] {
    if contains(ring, place) {
        return place;
    }
    let on_edges = edges(ring).map(|(_, a, b)| nearest_on_segment(a, b, place));
    let nearest = on_edges.min_by(|a, b| distance(*a, place).total_cmp(&distance(*b, place)));
    nearest.unwrap_or(place)
}

/// The level at whose elevation a link's end stands on a flat polygon: its own, else any within the climb.
fn level_at(context: &FixContext<'_>, part: &Part) -> Option<i8> {
    let document = context.document;
    let climb = f64::from(context.class.climb);
    let near = |level: i8| {
        let height = document.height_of(level);
        part.corners.iter().all(|corner| (corner[1] - height).abs() <= climb)
    };
    if near(part.level) {
        return Some(part.level);
    }
    document.levels.iter().map(|level| level.number).find(|&level| near(level))
}

/// The same place if it lies well inside a polygon, else one a little farther that way, or where that is not inside, nearer
/// to its middle.
fn stepped_in(place: [f64; 2], part: &Part, ahead: [f64; 2]) -> [f64; 2] {
    let ring = part.ring();
    let depth = |place: [f64; 2]| {
        let rim = edges(&ring).map(|(_, a, b)| distance(nearest_on_segment(a, b, place), place));
        rim.fold(f64::INFINITY, f64::min)
    };
    let missing = (INSIDE - depth(place)).max(0.0);
    let straight = [0, 1].map(|k| place[k] + missing * ahead[k]);
    if contains(&ring, straight) && depth(straight) >= 0.5 * INSIDE {
        return thousandth(straight);
    }
    let middle = part.middle();
    let length = distance(place, middle);
    let share = if length > 0.0 { (missing / length).min(0.5) } else { 0.0 };
    thousandth([0, 1].map(|axis| place[axis] + share * (middle[axis] - place[axis])))
}
