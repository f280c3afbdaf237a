//! Islands too small to matter go, the same ones in every tile size.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use super::block::Block;
use super::compact::{CompactField, Floors, STEPS};
use super::grid::{VoxelGrid, Window};
use super::poll::{Poll, poll_at};
use super::soup::NO_LABEL;
use crate::bake::BakeError;
use crate::geom::box_tree::CellBox;

/// Cells that a first look reaches beyond the part of an island that is known; each further look reaches twice as far
/// beyond what the last one found.
const FIRST_LOOK: i32 = 4;
/// The longest side, in cells, of the box of an island that is counted: a longer one is kept, however few its floors, so
/// that no window becomes too large. A bound on what is looked at would not do: tiles look from different ends.
const LONGEST: i32 = 1 << 10;
/// The farthest that the glance over one side of the tile reaches.
const GLANCE: i64 = 16;

/// An island of fewer floors than the least, as far as the tile itself shows it.
struct Piece {
    floors: Vec<u32>,
    goes_on: bool,
}

/// A floor of another tile: its cell and its height.
type Exit = ([i32; 2], i32);

/// Whether an island is large enough, and the cells that were looked at to find out.
#[derive(Clone, Copy, Debug)]
struct Answer {
    is_large: bool,
    seen: CellBox,
}

/// What is known of islands over the borders of tiles, for floors in the first row behind a border. It is the same
/// whichever tile finds it, and saves the tile there the looking.
#[derive(Debug, Default)]
pub(crate) struct KnownIslands(Mutex<HashMap<Exit, Answer>>);

/// Makes the floors of a window; an agent may be anywhere on them.
type Walkable<'a> = &'a dyn Fn(&Window) -> Result<CompactField, BakeError>;

/// Where islands are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Islands<'a> {
    pub(crate) grid: &'a VoxelGrid,
    pub(crate) known: &'a KnownIslands,
    pub(crate) window: &'a Window,
    /// What the tile shares its voxels with, if anything.
    pub(crate) block: Option<&'a Block>,
    pub(crate) poll: Poll<'a>,
}

impl Islands<'_> {
    /// Takes the label from all floors of islands of fewer than `min_region_area` floors; answers the cells beyond the
    /// window that were looked at.
    ///
    /// An island may go on in other tiles. Where its part in this one is too small, `walkable` is asked for the floors
    /// of windows around that part, wide enough to count the rest; every tile that holds a part of it comes to one
    /// answer.
    ///
    /// # Errors
    /// Those of `walkable`.
    pub(crate) fn drop_small(
        &self,
        field: &mut CompactField,
        walkable: Walkable<'_>,
    ) -> Result<CellBox, BakeError> {
        let mut seen = CellBox::EMPTY;
        for piece in small_pieces(field, self.grid.min_region_area, self.poll)? {
            if is_long(&self.cells_of(field, &piece)) {
                continue;
            }
            if piece.goes_on {
                let answer = self.whole_of(field, &piece, walkable)?;
                seen = seen.join(&answer.seen);
                if answer.is_large {
                    continue;
                }
            }
            for floor in piece.floors {
                field.label[floor as usize] = NO_LABEL;
            }
        }
        Ok(seen)
    }

    /// Whether the island that a piece is of is large enough.
    fn whole_of(
        &self,
        field: &CompactField,
        piece: &Piece,
        walkable: Walkable<'_>,
    ) -> Result<Answer, BakeError> {
        let place =
            |&floor: &u32| (cell_in_world(field, floor as usize, self.window), field.y[floor as usize]);
        if let Ok(known) = self.known.0.lock()
            && let Some(answer) = piece.floors.iter().find_map(|floor| known.get(&place(floor)))
        {
            return Ok(*answer);
        }
        let exits = self.exits_of(field, piece);
        if let Some(answer) = self.in_block(field, piece)? {
            self.tell(exits, answer);
            return Ok(answer);
        }
        let mut seen = CellBox::EMPTY;
        let mut look = |window: &Window| {
            seen = seen.join(&window.cells());
            walkable(window)
        };
        let is_large = self.is_enough_at_a_glance(piece, &exits, &mut look)?
            || self.goes_far(field, piece, &mut look)?;
        let answer = Answer { is_large, seen };
        self.tell(exits, answer);
        Ok(answer)
    }

    /// Keeps an answer for the tiles that a piece leads to.
    fn tell(&self, exits: [Vec<Exit>; 4], answer: Answer) {
        if let Ok(mut known) = self.known.0.lock() {
            known.extend(exits.into_iter().flatten().map(|exit| (exit, answer)));
        }
    }

    /// Whether the island that a piece is of is large enough, as far as the tiles of the block tell.
    fn in_block(&self, field: &CompactField, piece: &Piece) -> Result<Option<Answer>, BakeError> {
        let Some(block) = self.block else { return Ok(None) };
        let start = piece.floors[0] as usize;
        let cell = cell_in_world(field, start, self.window);
        let Some(seed) = block.floor_at(cell, field.y[start]) else { return Ok(None) };
        let mut counted = CellBox::EMPTY;
        let visit = |floor: usize| {
            let place = block.cell(floor);
            let cell = [0, 1].map(|axis| place[axis] as i32 + block.window.low[axis]);
            counted = counted.join(&CellBox { low: cell, high: cell });
        };
        let least = self.grid.min_region_area;
        let count = count_from(block, std::iter::once(seed), least, self.poll, visit)?;
        let is_large = match count {
            Count::Enough => true,
            _ if is_long(&counted) => true,
            Count::Few => false,
            Count::Unknown => return Ok(None),
        };
        Ok(Some(Answer { is_large, seen: window_around(&counted, self.grid.border).cells() }))
    }

    /// Per direction the floors of other tiles that a piece leads to.
    fn exits_of(&self, field: &CompactField, piece: &Piece) -> [Vec<Exit>; 4] {
        let mut exits: [Vec<Exit>; 4] = Default::default();
        for &floor in &piece.floors {
            for (direction, &link) in field.links[floor as usize].iter().enumerate() {
                let other = link as usize;
                if field.label[other] != NO_LABEL && !field.is_inside(other) {
                    exits[direction].push((cell_in_world(field, other, self.window), field.y[other]));
                }
            }
        }
        exits
    }

    /// Whether the floors right behind one side of the tile, together with the piece itself, are enough: that is so of
    /// most pieces, and takes a small window.
    fn is_enough_at_a_glance(
        &self,
        piece: &Piece,
        exits: &[Vec<Exit>; 4],
        look: &mut dyn FnMut(&Window) -> Result<CompactField, BakeError>,
    ) -> Result<bool, BakeError> {
        let widest = exits.iter().enumerate().max_by_key(|(_, exits)| exits.len());
        let Some((direction, exits)) = widest.filter(|(_, exits)| !exits.is_empty()) else {
            return Ok(false);
        };
        let missing = self.grid.min_region_area - piece.floors.len() as i64;
        // Deep enough if the floor goes on as wide as the exits, and a little wider if it would have to be too deep.
        let wide = exits.len() as i64;
        let depth = ((missing + wide - 1) / wide + 1).clamp(3, GLANCE);
        let aside = ((missing / depth - wide) / 2 + 1).clamp(1, GLANCE) as i32;
        let step = STEPS[direction];
        let mut core = CellBox::EMPTY;
        for &(cell, _) in exits {
            let far = [0, 1].map(|axis| cell[axis] + step[axis] * (depth as i32 - 1));
            core = core.join(&CellBox { low: cell, high: cell }).join(&CellBox { low: far, high: far });
        }
        let along = usize::from(step[0] != 0);
        core.low[along] -= aside;
        core.high[along] += aside;
        let strip = window_around(&core, self.grid.border);
        let floors = look(&strip)?;
        let seeds = exits.iter().filter_map(|&(cell, y)| floor_at(&floors, cell, y, &strip));
        Ok(matches!(count_from(&floors, seeds, missing, self.poll, |_| {})?, Count::Enough))
    }

    /// Whether the island that a piece is of has enough floors, counted over the tile's border.
    fn goes_far(
        &self,
        field: &CompactField,
        piece: &Piece,
        look: &mut dyn FnMut(&Window) -> Result<CompactField, BakeError>,
    ) -> Result<bool, BakeError> {
        let start = piece.floors[0] as usize;
        let start_cell = cell_in_world(field, start, self.window);
        let mut known = self.cells_of(field, piece);
        let mut reach = FIRST_LOOK;
        loop {
            let wide = window_around(&known, reach + self.grid.border);
            let floors = look(&wide)?;
            let Some(seed) = floor_at(&floors, start_cell, field.y[start], &wide) else { return Ok(true) };
            let mut counted = CellBox::EMPTY;
            let least = self.grid.min_region_area;
            let visit = |floor: usize| {
                let cell = cell_in_world(&floors, floor, &wide);
                counted = counted.join(&CellBox { low: cell, high: cell });
            };
            let count = count_from(&floors, std::iter::once(seed), least, self.poll, visit)?;
            match count {
                Count::Enough => return Ok(true),
                _ if is_long(&counted) => return Ok(true),
                Count::Few => return Ok(false),
                Count::Unknown => (known, reach) = (counted, (reach * 2).min(LONGEST / 2)),
            }
        }
    }

    /// The cells around a piece, from the mesh's origin.
    fn cells_of(&self, field: &CompactField, piece: &Piece) -> CellBox {
        piece.floors.iter().fold(CellBox::EMPTY, |sum, &floor| {
            let cell = cell_in_world(field, floor as usize, self.window);
            sum.join(&CellBox { low: cell, high: cell })
        })
    }
}

/// Islands of fewer floors than `least`, as far as the window shows them.
fn small_pieces(field: &CompactField, least: i64, poll: Poll<'_>) -> Result<Vec<Piece>, BakeError> {
    let mut pieces = Vec::new();
    if least < 2 {
        return Ok(pieces);
    }
    // Whether an island is known to be large enough, or all of it was looked at.
    const LARGE: u8 = 1;
    const LOOKED_AT: u8 = 2;
    let mut known = vec![0_u8; field.len() + 1];
    let mut island: Vec<u32> = Vec::new();
    for start in 0..field.len() {
        poll_at(start, poll)?;
        if known[start] != 0 || field.label[start] == NO_LABEL {
            continue;
        }
        // What lies to the west and the south came before, and links lead back: nearly all floors are told by that.
        let [west, _, _, south] = field.links[start];
        if known[west as usize] == LARGE || known[south as usize] == LARGE {
            known[start] = LARGE;
            continue;
        }
        island.clear();
        island.push(start as u32);
        known[start] = LOOKED_AT;
        let (mut next, mut is_large) = (0, false);
        while let Some(&floor) = island.get(next).filter(|_| !is_large) {
            next += 1;
            poll_at(next, poll)?;
            for link in field.links[floor as usize] {
                let other = link as usize;
                is_large |= known[other] == LARGE;
                if field.label[other] != NO_LABEL && known[other] == 0 {
                    known[other] = LOOKED_AT;
                    island.push(link);
                }
            }
            is_large |= island.len() as i64 >= least;
        }
        if is_large {
            island.iter().for_each(|&floor| known[floor as usize] = LARGE);
            continue;
        }
        let inside = |&floor: &u32| field.is_inside(floor as usize);
        let mut floors: Vec<u32> = island.iter().copied().filter(inside).collect();
        // What lies beyond the border alone is other tiles' matter.
        if !floors.is_empty() {
            floors.sort_unstable();
            pieces.push(Piece { goes_on: floors.len() < island.len(), floors });
        }
    }
    Ok(pieces)
}

/// Whether an island in this box is kept for its length.
fn is_long(cells: &CellBox) -> bool {
    (0..2).any(|axis| cells.high[axis] - cells.low[axis] >= LONGEST)
}

/// A window around some cells.
fn window_around(cells: &CellBox, beyond: i32) -> Window {
    Window {
        low: cells.low.map(|low| low - beyond),
        size: [0, 1].map(|axis| cells.high[axis] - cells.low[axis] + 1 + 2 * beyond),
    }
}

/// The cell of a floor, from the mesh's origin.
fn cell_in_world(field: &CompactField, floor: usize, window: &Window) -> [i32; 2] {
    [0, 1].map(|axis| i32::from(field.cells[floor][axis]) + window.low[axis])
}

/// The floor of a window at a cell and a height.
fn floor_at(field: &CompactField, cell: [i32; 2], y: i32, window: &Window) -> Option<usize> {
    let [x, z] = [0, 1].map(|axis| (cell[axis] - window.low[axis]) as usize);
    field.cell(z * field.width + x).find(|&floor| field.y[floor] == y)
}

enum Count {
    Enough,
    Few,
    /// It goes on over the window's border.
    Unknown,
}

/// Counts the floors that lead on from some, those included, nearest first, and shows each.
fn count_from(
    floors: &impl Floors,
    seeds: impl Iterator<Item = usize>,
    least: i64,
    poll: Poll<'_>,
    mut visit: impl FnMut(usize),
) -> Result<Count, BakeError> {
    let mut seen = vec![false; floors.count()];
    let mut queue = VecDeque::new();
    for seed in seeds.filter(|&seed| floors.is_walkable(seed)) {
        if !std::mem::replace(&mut seen[seed], true) {
            queue.push_back(seed as u32);
        }
    }
    let (mut count, mut leaves) = (0_usize, false);
    while let Some(floor) = queue.pop_front() {
        count += 1;
        poll_at(count, poll)?;
        visit(floor as usize);
        if count as i64 >= least {
            return Ok(Count::Enough);
        }
        for other in floors.links(floor as usize) {
            if floors.is_walkable(other) && !floors.shows_links(other) {
                leaves = true;
            } else if floors.is_walkable(other) && !seen[other] {
                seen[other] = true;
                queue.push_back(other as u32);
            }
        }
    }
    Ok(if leaves { Count::Unknown } else { Count::Few })
}
