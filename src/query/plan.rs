//! The mesh laid out for searching: polygons as cells, their edges as sides in one array, cut where portals end.
//!
//! Built once per mesh. Beside the layout it holds what a search would otherwise find out again and again: which
//! corners a taut path can bend at, which cells lead nowhere else, which cells can hang together at all.

use super::graph::{Crossing, portal};
use super::view::{PolygonView, distance, orientation, world_xz};
use crate::format::{LinkKind, NO_SIDE, PolyRef, TiledNavMesh};
use crate::geom::union_find::UnionFind;

/// No cell, side or corner.
pub(super) const NONE: u32 = u32::MAX;

/// A piece of a polygon's edge that leads to one cell, or is a wall. It runs from its own start to the start of
/// the next side, the polygon to its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Where it starts, world x, z.
    pub(super) at: [f64; 2],
    /// The cell beyond, or [`NONE`].
    pub(super) to: u32,
    /// The same stretch as a side of that cell.
    pub(super) twin: u32,
    /// The corner it starts at: sides of cells that hang together round a point share one; cells that only
    /// touch there do not.
    pub(super) corner: u32,
    flags: u32,
}

/// A taut path may bend at the side's start.
const BENDS: u32 = 1;
/// Beyond lies a cell that only leads back.
const DOWN: u32 = 2;

impl Side {
    /// Whether a taut path may bend where the side starts, as long as all cells are open.
    #[inline]
    pub(super) fn bends(&self) -> bool {
        self.flags & BENDS != 0
    }

    /// Whether everything beyond can be left by this side only.
    #[inline]
    pub(super) fn leads_down(&self) -> bool {
        self.flags & DOWN != 0
    }
}

/// A polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Its first side.
    pub(super) first: u32,
    /// Its sides, in order round it.
    pub(super) side_count: u16,
    /// Further ways out that overlap a side (a border shared with several layers): pairs of [`Side`]s after the
    /// ring, each a start with where it leads, and an end.
    pub(super) extra_count: u16,
    /// Its off-mesh links, up to the next cell's first.
    pub(super) first_jump: u32,
    /// Towards the cells on loops: the one cell that leads out of a dead end; [`NONE`] on a loop.
    pub(super) parent: u32,
    /// Cells with different numbers are joined by nothing, whatever the filter.
    pub(super) island: u32,
    pub(super) area: u8,
    pub(super) flags: u8,
}

/// An off-mesh link from a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) to: u32,
    pub(super) departure: [f64; 2],
    pub(super) arrival: [f64; 2],
    pub(super) user_id: u32,
    pub(super) area: u8,
    pub(super) flags: u16,
}

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// One more at the end, for `first_jump`.
    pub(super) cells: Vec<Cell>,
    pub(super) sides: Vec<Side>,
    pub(super) jumps: Vec<Jump>,
    /// Per cell.
    pub(super) polygons: Vec<PolyRef>,
    pub(super) corner_count: usize,
    /// No coordinate is greater.
    pub(super) extent: f64,
    /// Whether some link leads one way only.
    pub(super) one_way: bool,
    /// Bits of the area types of cells.
    pub(super) cell_areas: u64,
    /// Bits of the area types of links.
    pub(super) jump_areas: u64,
    /// The flags that every cell has, and those that some cell has.
    pub(super) common_flags: u8,
    pub(super) any_flags: u8,
}

/// A stretch of an edge that a portal link covers.
struct Cover {
    right: [f64; 2],
    left: [f64; 2],
    along: [f64; 2],
    to: u32,
}

impl Plan {
    /// `number`: a polygon's running number in slot and polygon order.
    pub(super) fn build(&mut self, mesh: &TiledNavMesh, number: impl Fn(PolyRef) -> u32) {
        self.cells.clear();
        self.sides.clear();
        self.jumps.clear();
        self.polygons.clear();
        (self.cell_areas, self.jump_areas, self.one_way) = (0, 0, false);
        (self.common_flags, self.any_flags) = (0xFF, 0);
        for (reference, tile) in mesh.tiles() {
            for place in 0..tile.polygons.len() {
                if let Some(view) = PolygonView::new(mesh, reference.polygon(place as u32)) {
                    self.add_cell(mesh, &view, &number);
                }
            }
        }
        self.cells.push(Cell {
            first: self.sides.len() as u32,
            side_count: 0,
            extra_count: 0,
            first_jump: self.jumps.len() as u32,
            parent: NONE,
            island: NONE,
            area: 0,
            flags: 0,
        });
        let sizes = self.sides.iter().flat_map(|side| side.at).map(f64::abs);
        self.extent = sizes.fold(1.0, f64::max);
        self.find_twins();
        self.find_corners();
        self.find_islands();
        self.find_dead_ends();
    }

    pub(super) fn cell_count(&self) -> usize {
        self.polygons.len()
    }

    /// The side that ends where the next one starts.
    #[inline]
    pub(super) fn next(&self, cell: &Cell, side: u32) -> u32 {
        let next = side + 1;
        if next == cell.first + u32::from(cell.side_count) { cell.first } else { next }
    }

    /// The side that ends where this one starts.
    pub(super) fn before(&self, cell: &Cell, side: u32) -> u32 {
        if side == cell.first { cell.first + u32::from(cell.side_count) - 1 } else { side - 1 }
    }

    /// The cell that has a side in its ring; `None` for an extra.
    pub(super) fn owner_of(&self, side: u32) -> Option<u32> {
        let cell = self.cells.partition_point(|cell| cell.first <= side).checked_sub(1)?;
        let own = self.cells.get(cell)?;
        (side < own.first + u32::from(own.side_count)).then_some(cell as u32)
    }

    #[inline]
    pub(super) fn jumps_of(&self, cell: u32) -> std::ops::Range<usize> {
        self.cells[cell as usize].first_jump as usize..self.cells[cell as usize + 1].first_jump as usize
    }

    /// The sides that lead out of a cell, extras included.
    pub(super) fn ways_out(&self, cell: u32) -> impl Iterator<Item = &Side> {
        let cell = &self.cells[cell as usize];
        let ring = cell.first as usize..cell.first as usize + usize::from(cell.side_count);
        let extras = (0..usize::from(cell.extra_count)).map(move |k| ring.end + 2 * k);
        ring.clone().chain(extras).map(|side| &self.sides[side]).filter(|side| side.to != NONE)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
            + self.sides.capacity() * size_of::<Side>()
            + self.jumps.capacity() * size_of::<Jump>()
            + self.polygons.capacity() * size_of::<PolyRef>()
    }

    fn add_cell(&mut self, mesh: &TiledNavMesh, view: &PolygonView<'_>, number: &impl Fn(PolyRef) -> u32) {
        let first = self.sides.len() as u32;
        let links = mesh.links(view.reference);
        let mut extras: Vec<Cover> = Vec::new();
        for (k, edge) in view.polygon.edges().enumerate() {
            let (at, neighbour) = (view.corner(k), view.tile.edge_neighbours[edge]);
            if neighbour != 0 {
                self.add_side(at, number(view.reference.tile().polygon(neighbour - 1)));
            } else if view.tile.edge_sides[edge] == NO_SIDE {
                self.add_side(at, NONE);
            } else {
                let mut covers = Vec::new();
                for (place, link) in links.iter().enumerate() {
                    if link.kind != LinkKind::Portal || usize::from(link.edge) != k {
                        continue;
                    }
                    let Some(next) = PolygonView::new(mesh, link.to) else { continue };
                    let Some(Crossing::Portal { left, right }) = portal(view, &next, &links[..place], link)
                    else {
                        continue;
                    };
                    let along = [distance(at, right), distance(at, left)];
                    covers.push(Cover { right, left, along, to: number(link.to) });
                }
                self.add_covers(at, view.corner(k + 1), covers, &mut extras);
            }
        }
        let side_count = self.sides.len() as u32 - first;
        for extra in &extras {
            self.add_side(extra.right, extra.to);
            self.add_side(extra.left, NONE);
        }
        self.cells.push(Cell {
            first,
            side_count: side_count as u16,
            extra_count: extras.len() as u16,
            first_jump: self.jumps.len() as u32,
            parent: NONE,
            island: NONE,
            area: view.polygon.area,
            flags: (view.polygon.flags & 0xFF) as u8,
        });
        self.cell_areas |= 1 << (view.polygon.area & 63);
        self.common_flags &= (view.polygon.flags & 0xFF) as u8;
        self.any_flags |= (view.polygon.flags & 0xFF) as u8;
        self.polygons.push(view.reference);
        for link in links.iter().filter(|link| link.kind != LinkKind::Portal) {
            let Some(next) = PolygonView::new(mesh, link.to) else { continue };
            let owner = mesh.slots().get(link.owner_slot as usize).and_then(|slot| slot.tile.as_ref());
            let Some((owner, authored)) =
                owner.and_then(|tile| Some((tile, tile.links.get(link.link as usize)?)))
            else {
                continue;
            };
            let place = |point: [f32; 3]| world_xz(mesh.params(), owner, [point[0], point[2]]);
            let (start, end) = (place(authored.start), place(authored.end));
            let reverse = link.kind == LinkKind::OffMeshReverse;
            let (start, end) = if reverse { (end, start) } else { (start, end) };
            self.one_way |= !authored.bidirectional;
            self.jump_areas |= 1 << (authored.area & 63);
            self.jumps.push(Jump {
                to: number(link.to),
                departure: view.closest(start).0,
                arrival: next.closest(end).0,
                user_id: authored.user_id,
                area: authored.area,
                flags: authored.flags,
            });
        }
    }

    fn add_side(&mut self, at: [f64; 2], to: u32) {
        self.sides.push(Side { at, to, twin: NONE, corner: NONE, flags: 0 });
    }

    /// An edge on a border, cut where the portals over it end; a portal over a stretch that is taken is an extra.
    fn add_covers(&mut self, at: [f64; 2], end: [f64; 2], mut covers: Vec<Cover>, extras: &mut Vec<Cover>) {
        covers.sort_by(|a, b| a.along[0].total_cmp(&b.along[0]).then(a.along[1].total_cmp(&b.along[1])));
        let (mut reached, mut so_far) = (at, 0.0);
        for cover in covers {
            if cover.along[0] < so_far {
                extras.push(cover);
                continue;
            }
            if cover.right != reached {
                self.add_side(reached, NONE);
            }
            self.add_side(cover.right, cover.to);
            (reached, so_far) = (cover.left, cover.along[1]);
        }
        if reached != end {
            self.add_side(reached, NONE);
        }
    }

    fn side_places(&self, cell: u32) -> impl Iterator<Item = u32> + use<> {
        let cell = self.cells[cell as usize];
        let end = cell.first + u32::from(cell.side_count);
        (cell.first..end).chain((0..u32::from(cell.extra_count)).map(move |k| end + 2 * k))
    }

    fn find_twins(&mut self) {
        for cell in 0..self.cell_count() as u32 {
            for place in self.side_places(cell) {
                let side = self.sides[place as usize];
                if side.to == NONE {
                    continue;
                }
                let end = self.sides[self.next(&self.cells[cell as usize], place) as usize].at;
                let next = self.cells[side.to as usize];
                let twin = self.side_places(side.to).find(|twin| {
                    let other = &self.sides[*twin as usize];
                    other.to == cell
                        && other.at == end
                        && self.sides[self.next(&next, *twin) as usize].at == side.at
                });
                // Links come in pairs, so there is one; a stretch without is a wall.
                let side = &mut self.sides[place as usize];
                match twin {
                    Some(twin) => side.twin = twin,
                    None => side.to = NONE,
                }
            }
        }
    }

    /// Joins the sides' starts into corners, and marks those that a taut path can bend at: there the floor's
    /// outline turns right (the floor being to its left), or is too odd to tell.
    fn find_corners(&mut self) {
        let mut sets = UnionFind::new(self.sides.len());
        let mut odd: Vec<u32> = Vec::new();
        for cell in 0..self.cell_count() as u32 {
            let own = self.cells[cell as usize];
            let ring_end = own.first + u32::from(own.side_count);
            for place in self.side_places(cell) {
                let side = self.sides[place as usize];
                if place >= ring_end {
                    for (extra, at) in [(place, side.at), (place + 1, self.sides[place as usize + 1].at)] {
                        odd.push(extra);
                        let same = (own.first..ring_end).filter(|k| self.sides[*k as usize].at == at);
                        same.for_each(|k| {
                            sets.union(extra, k);
                        });
                    }
                }
                if side.to != NONE {
                    let next = &self.cells[side.to as usize];
                    sets.union(place, self.next(next, side.twin));
                    sets.union(self.next(&own, place), side.twin);
                }
            }
        }
        let count = self.sides.len();
        // Per corner the starts and ends of walls that meet there: how many, and one of each.
        let mut walls = vec![(0_u32, 0_u32, [0.0; 2], [0.0; 2]); count];
        for cell in 0..self.cell_count() as u32 {
            let own = self.cells[cell as usize];
            for place in own.first..own.first + u32::from(own.side_count) {
                let side = self.sides[place as usize];
                if side.to == NONE {
                    let next = self.next(&own, place);
                    let out = &mut walls[sets.find(place) as usize];
                    (out.1, out.3) = (out.1 + 1, self.sides[next as usize].at);
                    let into = &mut walls[sets.find(next) as usize];
                    (into.0, into.2) = (into.0 + 1, side.at);
                }
            }
        }
        for extra in odd {
            walls[sets.find(extra) as usize].0 = 2;
        }
        let mut names = vec![NONE; count];
        self.corner_count = 0;
        for place in 0..count {
            let root = sets.find(place as u32) as usize;
            if names[root] == NONE {
                names[root] = self.corner_count as u32;
                self.corner_count += 1;
            }
            let (ins, outs, from, to) = walls[root];
            let at = self.sides[place].at;
            let bends = match (ins, outs) {
                (0, 0) => false,
                (1, 1) => {
                    let turn = orientation(from, at, to);
                    let back = (from[0] - at[0]) * (to[0] - at[0]) + (from[1] - at[1]) * (to[1] - at[1]);
                    turn < 0.0 || (turn == 0.0 && back > 0.0)
                }
                _ => true,
            };
            let side = &mut self.sides[place];
            side.corner = names[root];
            side.flags |= if bends { BENDS } else { 0 };
        }
    }

    fn find_islands(&mut self) {
        let mut sets = UnionFind::new(self.cell_count());
        for cell in 0..self.cell_count() as u32 {
            for side in self.ways_out(cell) {
                sets.union(cell, side.to);
            }
            for jump in &self.jumps[self.jumps_of(cell)] {
                sets.union(cell, jump.to);
            }
        }
        for cell in 0..self.cell_count() as u32 {
            self.cells[cell as usize].island = sets.find(cell);
        }
    }

    /// Takes off cells with one way left, again and again: what remains lies on loops.
    fn find_dead_ends(&mut self) {
        let count = self.cell_count();
        let mut ways = vec![0_u32; count];
        for cell in 0..count as u32 {
            ways[cell as usize] += self.ways_out(cell).count() as u32;
            for jump in &self.jumps[self.jumps_of(cell)] {
                ways[cell as usize] += 1;
                ways[jump.to as usize] += 1;
            }
        }
        let mut gone = vec![false; count];
        let mut waiting: Vec<u32> = (0..count as u32).filter(|cell| ways[*cell as usize] == 1).collect();
        while let Some(cell) = waiting.pop() {
            if gone[cell as usize] || ways[cell as usize] != 1 {
                continue;
            }
            let Some(parent) = self.ways_out(cell).map(|side| side.to).find(|to| !gone[*to as usize]) else {
                continue; // Its one way is a link.
            };
            gone[cell as usize] = true;
            self.cells[cell as usize].parent = parent;
            ways[parent as usize] -= 1;
            if ways[parent as usize] == 1 {
                waiting.push(parent);
            }
        }
        for cell in 0..count as u32 {
            for place in self.side_places(cell) {
                let side = &mut self.sides[place as usize];
                if side.to != NONE && self.cells[side.to as usize].parent == cell {
                    side.flags |= DOWN;
                }
            }
        }
    }
}
