//! What becomes of every floor, by the rules as Recast states them, written a second time: on one grid over the whole
//! scene, floor by floor, without tiles, borders or anything that is there for speed.

use std::collections::{BTreeMap, BTreeSet};

use navwright::bake::voxel::{FloorState, TileStages};
use navwright::bake::{AreaMark, MarkKind, VoxelInput, voxel_tile_stages};
use navwright::format::NavSettings;

use super::scenes::scene;
use super::solid::{SNAP, cut};

/// No ceiling.
const SKY: i64 = 1 << 40;
/// Steps to the cells beside, and how the corner between two is reached: by the first.
const STEPS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];
/// Farther than any edge.
const FAR: i64 = 1 << 30;

/// A solid stretch: from, to, and who its top is (0 for what cannot be walked).
type Span = (i64, i64, u32);

/// A triangle over a cell: its heights where they are sure, and where rounding decides all that may be (`None` for none).
struct Piece {
    heights: Vec<Option<(i64, i64)>>,
    label: u32,
}

struct Floor {
    cell: [i32; 2],
    y: i64,
    ceiling: i64,
    label: u32,
    state: FloorState,
    links: [Option<usize>; 4],
    /// Whether what is missing in a direction is a ledge that could be stepped on.
    ledge_beside: [bool; 4],
}

/// The settings in cells, and the scene's cells.
struct Rules<'a> {
    input: &'a VoxelInput,
    settings: &'a NavSettings,
    unit: [f64; 3],
    climb: i64,
    height: i64,
    radius: i64,
    ledge_radius: i64,
    low: [i32; 2],
    size: [usize; 2],
}

impl<'a> Rules<'a> {
    fn new(input: &'a VoxelInput, settings: &'a NavSettings) -> Self {
        let side = settings.tile_size / (settings.tile_size / settings.cell_size).round();
        let unit = [side, settings.cell_height, side];
        let up = |length: f64, unit: f64| (length / unit - 1e-4).ceil() as i64;
        let radius = up(settings.agent_radius.into(), side);
        let ledge_radius = up(input.ledge_radius.unwrap_or(settings.agent_radius).into(), side);
        let mut rules = Self {
            input,
            settings,
            unit,
            climb: (f64::from(settings.walkable_climb) / unit[1] + 1e-4).floor() as i64,
            height: up(settings.agent_height.into(), unit[1]).max(1),
            radius,
            ledge_radius,
            low: [0; 2],
            size: [0; 2],
        };
        let places = input.meshes.iter().flat_map(|mesh| mesh.vertices.iter()).map(|&at| rules.in_cells(at));
        let places: Vec<[f64; 3]> = places.collect();
        let around = radius.max(ledge_radius) as i32 + 4;
        for (index, axis) in [0, 2].into_iter().enumerate() {
            let cells = || places.iter().map(|place| place[axis].floor() as i32);
            rules.low[index] = cells().min().unwrap() - around;
            rules.size[index] = (cells().max().unwrap() + around + 1 - rules.low[index]) as usize;
        }
        rules
    }

    fn in_cells(&self, at: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| {
            ((at[axis] - self.settings.origin[axis]) / self.unit[axis] * 1024.0).round() / 1024.0
        })
    }

    fn index(&self, [x, z]: [i32; 2]) -> Option<usize> {
        let [x, z] = [x - self.low[0], z - self.low[1]].map(|cell| usize::try_from(cell).ok());
        let (x, z) = (x?, z?);
        (x < self.size[0] && z < self.size[1]).then_some(z * self.size[0] + x)
    }

    fn cell(&self, index: usize) -> [i32; 2] {
        [(index % self.size[0]) as i32 + self.low[0], (index / self.size[0]) as i32 + self.low[1]]
    }

    /// Who wins where floors meet: the greater.
    fn label(&self, area: u8, flags: u8, level: i8) -> u32 {
        let list = &self.input.area_priority;
        let place = list.iter().position(|&own| own == area).map_or(0, |place| list.len() - place);
        1 + ((place as u32) << 24 | u32::from(area) << 16 | u32::from(level as u8) << 8 | u32::from(flags))
    }

    /// The pieces of all triangles, by cell.
    fn pieces(&self) -> Vec<Vec<Piece>> {
        let mut pieces: Vec<Vec<Piece>> = (0..self.size[0] * self.size[1]).map(|_| Vec::new()).collect();
        let least_up = f64::from(self.settings.agent_max_slope).to_radians().cos() - 1e-6;
        for mesh in &self.input.meshes {
            let area = mesh.area_type.unwrap_or(self.settings.area);
            let label = self.label(area, mesh.flags.unwrap_or(self.settings.flags as u8), mesh.level);
            for triangle in mesh.triangles.iter() {
                let [a, b, c] = triangle.map(|corner| mesh.vertices[corner as usize]);
                let (u, v) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
                let normal =
                    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
                if length == 0.0 {
                    continue;
                }
                let up = normal[1] / length;
                let label = if up > 0.0 && up >= least_up { label } else { 0 };
                self.add_pieces([a, b, c].map(|corner| self.in_cells(corner)), label, &mut pieces);
            }
        }
        pieces
    }

    fn add_pieces(&self, corners: [[f64; 3]; 3], label: u32, pieces: &mut [Vec<Piece>]) {
        // A stretch that ends on a border of cells touches those before it.
        let range = |axis: usize| {
            let along = corners.map(|corner| corner[axis]);
            let low = along.iter().copied().fold(f64::INFINITY, f64::min).floor() as i32;
            let high = along.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil() as i32;
            low..=(high - 1).max(low)
        };
        for z in range(2) {
            for x in range(0) {
                let over = |margin: f64| {
                    let mut polygon = corners.to_vec();
                    for (axis, low) in [(0, f64::from(x)), (2, f64::from(z))] {
                        polygon = cut(&polygon, axis, low - margin, true);
                        polygon = cut(&polygon, axis, low + 1.0 + margin, false);
                    }
                    let low = polygon.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
                    let high = polygon.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
                    let low = (low + SNAP).floor() as i64;
                    (!polygon.is_empty()).then(|| (low, ((high - SNAP).ceil() as i64).max(low + 1)))
                };
                let mut heights = vec![over(-1e-6), over(0.0), over(1e-6)];
                heights.sort_unstable();
                heights.dedup();
                pieces[self.index([x, z]).unwrap()].push(Piece { heights, label });
            }
        }
    }

    /// The solid stretches of a cell that are `told`, with their labels, by the pieces there; `None` if no choice of what
    /// rounding decides gives these, and whether it is the only one.
    fn spans(&self, pieces: &[Piece], told: &[(i64, i64)]) -> Option<(Vec<Span>, bool)> {
        let choices: usize = pieces.iter().map(|piece| piece.heights.len()).product();
        let mut found = BTreeSet::new();
        for choice in 0..choices.min(4096) {
            let mut rest = choice;
            let mut chosen: Vec<Span> = Vec::new();
            for piece in pieces {
                let heights = piece.heights[rest % piece.heights.len()];
                chosen.extend(heights.map(|(low, high)| (low, high, piece.label)));
                rest /= piece.heights.len();
            }
            let spans = self.merged(chosen);
            if spans.iter().map(|&(low, high, _)| (low, high)).eq(told.iter().copied()) {
                found.insert(spans);
            }
        }
        let only = found.len() == 1 && choices <= 4096;
        match found.into_iter().next() {
            None if choices > 4096 => Some((Vec::new(), false)),
            found => found.map(|spans| (spans, only)),
        }
    }

    /// What touches is one, and as what reaches near its top says.
    fn merged(&self, mut pieces: Vec<Span>) -> Vec<Span> {
        pieces.sort_unstable();
        let mut spans: Vec<(i64, i64, Vec<Span>)> = Vec::new();
        for piece in pieces {
            match spans.last_mut().filter(|(_, high, _)| piece.0 <= *high) {
                Some((_, high, members)) => {
                    *high = piece.1.max(*high);
                    members.push(piece);
                }
                None => spans.push((piece.0, piece.1, vec![piece])),
            }
        }
        let label = |high: i64, members: &[Span]| {
            members.iter().filter(|piece| piece.1 + self.climb >= high).map(|piece| piece.2).max().unwrap()
        };
        spans.into_iter().map(|(low, high, members)| (low, high, label(high, &members))).collect()
    }

    /// The tops of all spans, cell by cell, and where each cell's begin: slopes, low obstacles, head room.
    fn floors(&self, columns: &[Vec<Span>]) -> (Vec<Floor>, Vec<usize>) {
        let (mut floors, mut first) = (Vec::new(), vec![0]);
        for (index, spans) in columns.iter().enumerate() {
            let (mut was_walkable, mut label_below, mut top_below) = (false, 0, 0);
            for (number, &(_, y, own)) in spans.iter().enumerate() {
                let steps_up = own == 0 && was_walkable && y - top_below <= self.climb;
                let label = if steps_up { label_below } else { own };
                (was_walkable, label_below, top_below) = (own != 0, label, y);
                let ceiling = spans.get(number + 1).map_or(SKY, |above| above.0);
                let state = match label {
                    0 => FloorState::Steep,
                    _ if ceiling - y < self.height => FloorState::LowCeiling,
                    _ => FloorState::Walkable,
                };
                let (links, ledge_beside) = ([None; 4], [false; 4]);
                floors.push(Floor { cell: self.cell(index), y, ceiling, label, state, links, ledge_beside });
            }
            first.push(floors.len());
        }
        (floors, first)
    }

    /// Takes ledges, and floors whose neighbours lie too far apart in height.
    fn take_ledges(&self, floors: &mut [Floor], first: &[usize], columns: &[Vec<Span>]) {
        let is_ledge = |floor: &Floor| {
            let (mut lowest, mut near) = (0, [floor.y; 2]);
            for step in STEPS {
                let Some(beside) = self.beside(floor, step) else { return true };
                let bottom = columns[beside].first().map_or(SKY, |span| span.0);
                if floor.ceiling.min(bottom) - floor.y >= self.height {
                    return true;
                }
                for other in &floors[first[beside]..first[beside + 1]] {
                    if floor.ceiling.min(other.ceiling) - floor.y.max(other.y) < self.height {
                        continue;
                    }
                    let rise = other.y - floor.y;
                    lowest = rise.min(lowest);
                    if rise.abs() <= self.climb {
                        near = [near[0].min(other.y), near[1].max(other.y)];
                    }
                }
            }
            lowest < -self.climb || near[1] - near[0] > self.climb
        };
        let ledges: Vec<bool> =
            floors.iter().map(|floor| floor.state == FloorState::Walkable && is_ledge(floor)).collect();
        for (floor, _) in floors.iter_mut().zip(ledges).filter(|(_, is_ledge)| *is_ledge) {
            floor.state = FloorState::Ledge;
        }
    }

    fn beside(&self, floor: &Floor, step: [i32; 2]) -> Option<usize> {
        self.index([floor.cell[0] + step[0], floor.cell[1] + step[1]])
    }

    /// Joins each floor to the one in reach that is nearest in height, the lower of two, where that is mutual.
    fn link(&self, floors: &mut [Floor], first: &[usize]) {
        let nearest = |floor: &Floor, step: [i32; 2]| {
            let beside = self.beside(floor, step)?;
            let in_reach = |&index: &usize| {
                let other = &floors[index];
                other.ceiling - other.y >= self.height
                    && floor.ceiling.min(other.ceiling) - floor.y.max(other.y) >= self.height
                    && (other.y - floor.y).abs() <= self.climb
            };
            let all = (first[beside]..first[beside + 1]).filter(in_reach);
            all.min_by_key(|&index| ((floors[index].y - floor.y).abs(), floors[index].y))
        };
        let none = [None; 4];
        let found: Vec<[Option<usize>; 4]> = floors
            .iter()
            .map(|floor| if is_walkable(floor) { STEPS.map(|step| nearest(floor, step)) } else { none })
            .collect();
        for index in 0..floors.len() {
            for direction in 0..4 {
                let Some(other) = found[index][direction] else { continue };
                floors[index].ledge_beside[direction] = floors[other].state == FloorState::Ledge;
                if is_walkable(&floors[other]) && found[other][(direction + 2) % 4] == Some(index) {
                    floors[index].links[direction] = Some(other);
                }
            }
        }
    }

    /// Takes what lies too near to a wall or ledge.
    fn erode(&self, floors: &mut [Floor]) {
        let missing = |floor: &Floor, ledge: bool| {
            (0..4).any(|d| floor.links[d].is_none() && floor.ledge_beside[d] == ledge)
        };
        let near: Vec<bool> = if self.radius == self.ledge_radius {
            let off = distances(floors, |floor| floor.links.contains(&None));
            off.into_iter().map(|off| off < 2 * self.radius).collect()
        } else {
            let walls = distances(floors, |floor| missing(floor, false));
            let ledges = distances(floors, |floor| missing(floor, true));
            let near = |(wall, ledge)| wall < 2 * self.radius || ledge < 2 * self.ledge_radius;
            walls.into_iter().zip(ledges).map(near).collect()
        };
        for (floor, _) in floors.iter_mut().zip(near).filter(|(floor, near)| *near && is_walkable(floor)) {
            floor.state = FloorState::NearEdge;
        }
    }

    /// Puts areas on, then holes.
    fn mark(&self, floors: &mut [Floor]) {
        let is_hole = |mark: &&AreaMark| mark.kind == MarkKind::Hole;
        let marks = &self.input.marks;
        for mark in marks.iter().filter(|mark| !is_hole(mark)).chain(marks.iter().filter(is_hole)) {
            let outline: Vec<[f64; 3]> =
                mark.outline.iter().map(|&[x, z]| self.in_cells([x, 0.0, z])).collect();
            let [low, high] = [mark.low, mark.high].map(|y| self.in_cells([0.0, y, 0.0])[1]);
            for floor in floors.iter_mut().filter(|floor| is_walkable(floor)) {
                let inside = low <= floor.y as f64 && floor.y as f64 <= high;
                if !inside || !winds_round(&outline, floor.cell.map(|cell| f64::from(cell) + 0.5)) {
                    continue;
                }
                match mark.kind {
                    MarkKind::Hole => floor.state = FloorState::InHole,
                    MarkKind::Area { area_type, flags } => {
                        floor.label = self.label(area_type, flags, mark.level);
                    }
                }
            }
        }
    }

    /// Takes islands of too few floors.
    fn take_islands(&self, floors: &mut [Floor]) {
        let mut seen = vec![false; floors.len()];
        for start in 0..floors.len() {
            if seen[start] || !is_walkable(&floors[start]) {
                continue;
            }
            let mut island = vec![start];
            seen[start] = true;
            let mut next = 0;
            while let Some(&floor) = island.get(next) {
                next += 1;
                for other in floors[floor].links.into_iter().flatten() {
                    if is_walkable(&floors[other]) && !std::mem::replace(&mut seen[other], true) {
                        island.push(other);
                    }
                }
            }
            if (island.len() as i64) < i64::from(self.settings.min_region_area) {
                island.into_iter().for_each(|floor| floors[floor].state = FloorState::SmallIsland);
            }
        }
    }
}

fn is_walkable(floor: &Floor) -> bool {
    floor.state == FloorState::Walkable
}

/// In half cells, by Recast's two passes of 2 and 3.
fn distances(floors: &[Floor], is_edge: impl Fn(&Floor) -> bool) -> Vec<i64> {
    let edge = |floor: &Floor| if is_walkable(floor) && is_edge(floor) { 0 } else { FAR };
    let mut distance: Vec<i64> = floors.iter().map(edge).collect();
    let mut look = |index: usize, by: [(usize, usize); 2]| {
        for (first, then) in by {
            let Some(beside) = floors[index].links[first] else { continue };
            distance[index] = distance[index].min(distance[beside] + 2);
            if let Some(corner) = floors[beside].links[then] {
                distance[index] = distance[index].min(distance[corner] + 3);
            }
        }
    };
    let all = || (0..floors.len()).filter(|&index| is_walkable(&floors[index]));
    all().for_each(|index| look(index, [(0, 3), (3, 2)]));
    all().rev().for_each(|index| look(index, [(2, 1), (1, 0)]));
    distance
}

fn winds_round(outline: &[[f64; 3]], [x, z]: [f64; 2]) -> bool {
    let mut winding = 0;
    for (index, a) in outline.iter().enumerate() {
        let b = outline[(index + 1) % outline.len()];
        let side = (b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2]);
        if a[2] <= z && z < b[2] && side > 0.0 {
            winding += 1;
        } else if b[2] <= z && z < a[2] && side < 0.0 {
            winding -= 1;
        }
    }
    winding != 0
}

/// Low, high, and what its top is: state, area type, region.
type Told = (i64, i64, FloorState, u8, u32);

#[test]
fn every_floor_ends_as_the_rules_say() {
    let (mut counts, mut sure) = (BTreeMap::<FloorState, usize>::new(), 0);
    for seed in 0..40 {
        let (input, settings) = scene(seed, seed % 2 == 0);
        let rules = Rules::new(&input, &settings);
        let side = (settings.tile_size / settings.cell_size).round() as i32;
        let cells = 0..rules.size[0] * rules.size[1];
        let tile_of = |index: usize| rules.cell(index).map(|cell| cell.div_euclid(side));
        let stages: BTreeMap<[i32; 2], TileStages> = (cells.clone().map(tile_of).collect::<BTreeSet<_>>())
            .into_iter()
            .map(|tile| (tile, voxel_tile_stages(&input, &settings, tile).unwrap().0))
            .collect();
        // By cell of the scene: solid stretches, and what is said of their tops.
        let mut told: BTreeMap<[i32; 2], Vec<Told>> = BTreeMap::new();
        for (tile, stages) in &stages {
            for (span, floor) in stages.solid.iter().zip(&stages.floors) {
                if (0..side).contains(&span.x) && (0..side).contains(&span.z) {
                    let cell = [tile[0] * side + span.x, tile[1] * side + span.z];
                    let heights = (i64::from(span.low), i64::from(span.high));
                    let said = (heights.0, heights.1, floor.state, floor.area_type, floor.region);
                    told.entry(cell).or_default().push(said);
                }
            }
        }
        let mut is_sure = true;
        let mut columns = Vec::new();
        for (index, pieces) in rules.pieces().iter().enumerate() {
            let here = told.get(&rules.cell(index)).map_or(&[][..], Vec::as_slice);
            let heights: Vec<(i64, i64)> = here.iter().map(|said| (said.0, said.1)).collect();
            let Some((spans, only)) = rules.spans(pieces, &heights) else {
                panic!("seed {seed}, cell {:?}: {heights:?} are no union of its triangles", rules.cell(index))
            };
            is_sure &= only;
            columns.push(spans);
        }
        // Where what is above what hangs on rounding, labels do too.
        if !is_sure {
            continue;
        }
        sure += 1;
        let (mut floors, first) = rules.floors(&columns);
        rules.take_ledges(&mut floors, &first, &columns);
        rules.link(&mut floors, &first);
        rules.erode(&mut floors);
        rules.mark(&mut floors);
        rules.take_islands(&mut floors);
        for index in cells {
            let said = told.get(&rules.cell(index)).map_or(&[][..], Vec::as_slice);
            for (floor, said) in floors[first[index]..first[index + 1]].iter().zip(said) {
                let place = format!("seed {seed}, cell {:?}, height {}", floor.cell, floor.y);
                // Which is said first of what is both too steep and too low is another matter.
                let both = [FloorState::Steep, FloorState::LowCeiling];
                let same = floor.state == said.2 || both.contains(&floor.state) && both.contains(&said.2);
                assert!(same, "{place}: {:?}, but told {:?}", floor.state, said.2);
                *counts.entry(floor.state).or_default() += 1;
                if is_walkable(floor) {
                    let area = ((floor.label - 1) >> 16) as u8;
                    assert_eq!(said.3, area, "{place}");
                    assert!(said.4 > 0, "{place}: walkable, but of no region");
                }
            }
        }
    }
    assert!(sure > 30, "{sure} of 40");
    for state in [
        FloorState::Walkable,
        FloorState::Ledge,
        FloorState::NearEdge,
        FloorState::InHole,
        FloorState::SmallIsland,
    ] {
        assert!(counts.get(&state).is_some_and(|&count| count > 20), "{counts:?}");
    }
}
