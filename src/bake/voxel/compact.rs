//! The walkable floors with links to the floors beside them, and erosion by the agent's radius.

use super::filter::{Floor, OpenField};
use super::grid::Window;
use super::poll::{POLL_EVERY, Poll, poll_at};
use super::soup::NO_LABEL;
use crate::bake::BakeError;

/// Steps to the cells beside: −x, +z, +x, −z. The cell across the corner of directions d and d + 1 is reached either way.
pub(crate) const STEPS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/// The walkable floors of a window in cell order, from below; those of cell c are `first[c]..first[c + 1]`.
///
/// Per-floor arrays have one entry more, for [`CompactField::none`], so that a missing link can be followed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CompactField {
    pub(crate) width: usize,
    pub(crate) depth: usize,
    /// Cells of each side that belong to other tiles.
    pub(crate) border: usize,
    pub(crate) first: Vec<u32>,
    /// The window's cell of each floor: x, z.
    pub(crate) cells: Vec<[u16; 2]>,
    /// Height of each floor.
    pub(crate) y: Vec<i32>,
    /// What each floor is; [`NO_LABEL`] once erosion or a mark took it.
    pub(crate) label: Vec<u16>,
    /// Per floor and direction the floor that an agent steps to, or `none()`.
    pub(crate) links: Vec<[u32; 4]>,
}

impl CompactField {
    /// Walkable floors of `open` with their links.
    ///
    /// `links`: for each walkable floor those to the floors of `open` nearest in height, as the ledge filter found them.
    /// `height` and `climb`: where two floors of one cell may both be in reach, only links that lead back are kept.
    ///
    /// # Errors
    /// Those of `poll`.
    pub(crate) fn new(
        open: OpenField,
        mut links: Vec<[u32; 4]>,
        window: &Window,
        border: i32,
        [height, climb]: [i32; 2],
        poll: Poll<'_>,
    ) -> Result<Self, BakeError> {
        let [width, depth] = window.size.map(|cells| cells as usize);
        let OpenField { mut first, mut floors, .. } = open;
        // No floor leads to none.
        floors.reserve_exact(1);
        floors.push(Floor { y: 0, ceiling: 0, label: NO_LABEL });
        let count = links.len();
        let none = count as u32;
        let (mut from, mut next) = (0, 0);
        for z in 0..depth {
            poll()?;
            let row = &mut first[z * width..][..width + 1];
            for x in 0..width {
                let to = row[x + 1] as usize;
                row[x] = next;
                while from < to {
                    // Nobody asks for the ceiling any more: it holds the number among walkable floors.
                    let floor = &mut floors[from];
                    let is_walkable = floor.label != NO_LABEL;
                    floor.ceiling = if is_walkable { next as i32 } else { none as i32 };
                    next += u32::from(is_walkable);
                    from += 1;
                }
            }
        }
        first[width * depth] = none;
        floors[from].ceiling = none as i32;
        for chunk in links.chunks_mut(POLL_EVERY) {
            poll()?;
            for four in chunk {
                for link in four {
                    *link = floors[*link as usize].ceiling as u32;
                }
            }
        }
        links.push([none; 4]);
        let mut y = Vec::with_capacity(count + 1);
        let mut label = Vec::with_capacity(count + 1);
        for chunk in floors.chunks(POLL_EVERY) {
            poll()?;
            for floor in chunk.iter().filter(|floor| floor.label != NO_LABEL) {
                y.push(floor.y);
                label.push(floor.label);
            }
        }
        y.push(0);
        label.push(NO_LABEL);
        // What is dropped before the next is made is not held at once.
        drop(floors);
        let mut cells = vec![[0; 2]; count];
        let mut floor = 0;
        for z in 0..depth {
            poll()?;
            for (x, &end) in (0..).zip(&first[z * width + 1..][..width]) {
                while floor < end as usize {
                    cells[floor] = [x, z as u16];
                    floor += 1;
                }
            }
        }
        let mut field = Self { width, depth, border: border as usize, first, cells, y, label, links };
        // Two floors of one cell can be in reach of a third only if they lie at most two climbs apart.
        if height <= climb.saturating_mul(2) {
            field.keep_mutual_links();
        }
        Ok(field)
    }

    fn keep_mutual_links(&mut self) {
        let none = self.none();
        let one_way = |&(floor, direction): &(usize, usize)| {
            let other = self.links[floor][direction];
            other != none && self.links[other as usize][(direction + 2) % 4] != floor as u32
        };
        let all = (0..none as usize).flat_map(|floor| (0..4).map(move |direction| (floor, direction)));
        let broken: Vec<(usize, usize)> = all.filter(one_way).collect();
        for (floor, direction) in broken {
            self.links[floor][direction] = none;
        }
    }

    /// The floors of a cell.
    pub(crate) fn cell(&self, cell: usize) -> std::ops::Range<usize> {
        self.first[cell] as usize..self.first[cell + 1] as usize
    }

    /// How many floors there are.
    pub(crate) fn len(&self) -> usize {
        self.links.len() - 1
    }

    /// The number of no floor.
    pub(crate) fn none(&self) -> u32 {
        self.len() as u32
    }

    /// The cell of a floor, from the tile's corner.
    pub(crate) fn cell_of(&self, floor: usize) -> [i32; 2] {
        let [x, z] = self.cells[floor];
        [i32::from(x) - self.border as i32, i32::from(z) - self.border as i32]
    }

    /// Whether a floor belongs to the tile itself.
    pub(crate) fn is_inside(&self, floor: usize) -> bool {
        let [x, z] = self.cells[floor].map(usize::from);
        let (border, width, depth) = (self.border, self.width, self.depth);
        border <= x && x < width - border && border <= z && z < depth - border
    }

    /// The floors of the tile itself, row by row.
    pub(crate) fn inside_rows(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        (self.border..self.depth - self.border).map(|z| {
            let row = z * self.width;
            self.first[row + self.border] as usize..self.first[row + self.width - self.border] as usize
        })
    }

    /// The window's cell of a floor, counted by rows.
    pub(crate) fn cell_index(&self, floor: usize) -> usize {
        let [x, z] = self.cells[floor].map(usize::from);
        z * self.width + x
    }

    /// Whether a floor's cell has others.
    pub(crate) fn is_stacked(&self, floor: usize) -> bool {
        let cell = Some(&self.cells[floor]);
        self.cells.get(floor + 1) == cell || floor > 0 && self.cells.get(floor - 1) == cell
    }

    /// The floors of a floor's cell, itself among them.
    pub(crate) fn column_of(&self, floor: usize) -> std::ops::Range<usize> {
        let cell = self.cells[floor];
        let same = |other: &usize| self.cells[*other] == cell;
        let below = (0..floor).rev().take_while(same).count();
        let above = (floor + 1..self.len()).take_while(same).count();
        floor - below..floor + 1 + above
    }

    /// Distance of each floor to the nearest that `is_edge` holds, in half cells, by the chamfer of 2 and 3.
    ///
    /// # Errors
    /// Those of `poll`.
    pub(crate) fn distances(
        &self,
        is_edge: impl Fn(usize) -> bool,
        poll: Poll<'_>,
    ) -> Result<Vec<u16>, BakeError> {
        const FAR: u16 = u16::MAX - 3;
        let none = self.len();
        let mut distance = vec![FAR; none + 1];
        for (floor, distance) in distance[..none].iter_mut().enumerate() {
            poll_at(floor, poll)?;
            if is_edge(floor) {
                *distance = 0;
            }
        }
        for floor in 0..none {
            poll_at(floor, poll)?;
            if distance[floor] == 0 {
                continue;
            }
            let [west, _, _, south] = self.links[floor].map(|link| link as usize);
            let nearest = distance[floor]
                .min(distance[west] + 2)
                .min(distance[self.links[west][3] as usize] + 3)
                .min(distance[south] + 2)
                .min(distance[self.links[south][2] as usize] + 3);
            distance[floor] = nearest.min(FAR);
        }
        for floor in (0..none).rev() {
            poll_at(floor, poll)?;
            if distance[floor] == 0 {
                continue;
            }
            let [_, north, east, _] = self.links[floor].map(|link| link as usize);
            let nearest = distance[floor]
                .min(distance[east] + 2)
                .min(distance[self.links[east][1] as usize] + 3)
                .min(distance[north] + 2)
                .min(distance[self.links[north][0] as usize] + 3);
            distance[floor] = nearest.min(FAR);
        }
        Ok(distance)
    }

    /// Takes the label from floors closer than `radius` cells to one with fewer than four neighbours. All have labels.
    ///
    /// # Errors
    /// Those of `poll`.
    pub(crate) fn erode(&mut self, radius: i32, poll: Poll<'_>) -> Result<(), BakeError> {
        if radius == 0 {
            return Ok(());
        }
        let none = self.none();
        if radius > 2 {
            let distance = self.distances(|floor| self.links[floor].contains(&none), poll)?;
            self.unlabel_near(&distance, radius);
            return Ok(());
        }
        // Two cells reach the eight floors around, which are few: to them, not from all floors to the edges.
        for floor in 0..self.len() {
            poll_at(floor, poll)?;
            let links = self.links[floor];
            if !links.contains(&none) {
                continue;
            }
            self.label[floor] = NO_LABEL;
            if radius == 2 {
                for (direction, link) in links.into_iter().enumerate() {
                    self.label[link as usize] = NO_LABEL;
                    let corner = self.links[link as usize][(direction + 1) % 4];
                    self.label[corner as usize] = NO_LABEL;
                }
            }
        }
        Ok(())
    }

    /// As [`CompactField::erode`], with a radius of its own off ledges. `ledges`: a bit for each direction in which a
    /// floor's neighbour is missing because it is a ledge.
    ///
    /// # Errors
    /// Those of `poll`.
    pub(crate) fn erode_apart(
        &mut self,
        radius: i32,
        ledge_radius: i32,
        ledges: &[u8],
        poll: Poll<'_>,
    ) -> Result<(), BakeError> {
        let missing = |floor: usize, wanted: bool| {
            let bits = ledges[floor];
            let mut links = self.links[floor].iter().enumerate();
            links.any(|(d, &link)| self.label[link as usize] == NO_LABEL && (bits >> d & 1 == 1) == wanted)
        };
        let off_walls = self.distances(|floor| missing(floor, false), poll)?;
        let off_ledges = self.distances(|floor| missing(floor, true), poll)?;
        self.unlabel_near(&off_walls, radius);
        self.unlabel_near(&off_ledges, ledge_radius);
        Ok(())
    }

    fn unlabel_near(&mut self, distance: &[u16], radius: i32) {
        for (label, &distance) in self.label.iter_mut().zip(distance) {
            if i32::from(distance) < 2 * radius {
                *label = NO_LABEL;
            }
        }
    }
}

/// Floors with links, as islands are counted on them. No floor has the number behind the last, and is not walkable.
pub(crate) trait Floors {
    fn count(&self) -> usize;
    fn is_walkable(&self, floor: usize) -> bool;
    fn links(&self, floor: usize) -> [usize; 4];
    /// Whether all that a floor leads to is there.
    fn shows_links(&self, floor: usize) -> bool;
}

impl Floors for CompactField {
    fn count(&self) -> usize {
        self.len()
    }

    fn is_walkable(&self, floor: usize) -> bool {
        self.label[floor] != NO_LABEL
    }

    fn links(&self, floor: usize) -> [usize; 4] {
        self.links[floor].map(|link| link as usize)
    }

    fn shows_links(&self, floor: usize) -> bool {
        self.is_inside(floor)
    }
}
