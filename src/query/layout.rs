//! From tiles to a plan: the cells, sides and links of one slot, and which side is the other face of which.

use super::graph::{Crossing, portal};
use super::plan::{Cell, DOWN, Jump, NO_CELL, NONE, Plan, Side};
use super::surface::flat_height;
use super::tally::SlotTally;
use super::view::{PolygonView, distance, world_xz};
use crate::format::{LinkKind, NO_SIDE, PolyRef, SlotStates, TileRef, TiledNavMesh};

/// A part of one of a plan's arrays that belongs to a slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) count: u32,
    /// What it may grow to where it lies.
    room: u32,
}

impl Span {
    /// Makes room for `count` items, at the array's end if need be; returns how many places are lost.
    pub(super) fn set_count(&mut self, count: u32, array_length: usize) -> u32 {
        let mut lost = 0;
        if count > self.room {
            lost = self.room;
            (self.first, self.room) = (array_length as u32, count);
        }
        self.count = count;
        lost
    }

    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    pub(super) fn contains(&self, place: u32) -> bool {
        self.first <= place && place < self.first + self.count
    }
}

/// Where the things of a slot lie.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub(super) cells: Span,
    pub(super) sides: Span,
    pub(super) jumps: Span,
    pub(super) corners: Span,
}

/// What a slot's cells are made of, before it gets its place in the plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    cells: Vec<Cell>,
    sides: Vec<Side>,
    jumps: Vec<Jump>,
    extras: Vec<Cover>,
    covers: Vec<Cover>,
    extent: f64,
}

/// A stretch of an edge that a portal link covers.
#[derive(Clone, Copy, Debug)]
struct Cover {
    right: [f64; 2],
    left: [f64; 2],
    along: [f64; 2],
    to: u32,
}

impl Draft {
    /// Drafts the cells of a slot. `number`: a polygon's place in the plan.
    fn draw(&mut self, mesh: &TiledNavMesh, tile: TileRef, count: u32, number: &impl Fn(PolyRef) -> u32) {
        self.cells.clear();
        self.sides.clear();
        self.jumps.clear();
        self.extent = 1.0;
        for polygon in 0..count {
            if let Some(view) = PolygonView::new(mesh, tile.polygon(polygon)) {
                self.add_cell(mesh, &view, number);
            }
        }
    }

    fn add_cell(&mut self, mesh: &TiledNavMesh, view: &PolygonView<'_>, number: &impl Fn(PolyRef) -> u32) {
        let first = self.sides.len() as u32;
        let links = mesh.links(view.reference);
        self.extras.clear();
        for (k, edge) in view.polygon.edges().enumerate() {
            let (at, neighbour) = (view.corner(k), view.tile.edge_neighbours[edge]);
            self.extent = self.extent.max(at[0].abs()).max(at[1].abs());
            if neighbour != 0 {
                self.add_side(at, number(view.reference.tile().polygon(neighbour - 1)));
            } else if view.tile.edge_sides[edge] == NO_SIDE {
                self.add_side(at, NONE);
            } else {
                self.covers.clear();
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
                    self.covers.push(Cover { right, left, along, to: number(link.to) });
                }
                self.add_covers(at, view.corner(k + 1));
            }
        }
        let side_count = self.sides.len() as u32 - first;
        for place in 0..self.extras.len() {
            let extra = self.extras[place];
            self.add_side(extra.right, extra.to);
            self.add_side(extra.left, NONE);
        }
        let first_jump = self.jumps.len() as u32;
        self.add_jumps(mesh, view, number);
        self.cells.push(Cell {
            first,
            side_count: side_count as u16,
            extra_count: self.extras.len() as u16,
            first_jump,
            jump_count: self.jumps.len() as u32 - first_jump,
            area: view.polygon.area,
            flags: (view.polygon.flags & 0xFF) as u8,
            level: view.polygon.level(),
            parent: NONE,
            flat_y: flat_height(view).unwrap_or(f64::NAN),
            ways: 0,
        });
    }

    fn add_jumps(&mut self, mesh: &TiledNavMesh, view: &PolygonView<'_>, number: &impl Fn(PolyRef) -> u32) {
        for link in mesh.links(view.reference).iter().filter(|link| link.kind != LinkKind::Portal) {
            let Some(next) = PolygonView::new(mesh, link.to) else { continue };
            let Some(owner) = mesh.slots().get(link.owner_slot as usize).and_then(|slot| slot.tile.as_ref())
            else {
                continue;
            };
            let Some(authored) = owner.links.get(link.link as usize) else { continue };
            let place = |point: [f32; 3]| world_xz(mesh.params(), owner, [point[0], point[2]]);
            let (start, end) = (place(authored.start), place(authored.end));
            let reverse = link.kind == LinkKind::OffMeshReverse;
            let (start, end) = if reverse { (end, start) } else { (start, end) };
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
    fn add_covers(&mut self, at: [f64; 2], end: [f64; 2]) {
        self.covers.sort_by(|a, b| a.along[0].total_cmp(&b.along[0]).then(a.along[1].total_cmp(&b.along[1])));
        let (mut reached, mut so_far) = (at, 0.0);
        for place in 0..self.covers.len() {
            let cover = self.covers[place];
            if cover.along[0] < so_far {
                self.extras.push(cover);
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
}

impl Plan {
    /// Sets how many cells a slot has; their numbers are fixed from here on. Returns places that are lost.
    pub(super) fn place_cells(&mut self, block: &mut Block, tile: TileRef, count: u32) -> u32 {
        for cell in block.cells.range() {
            (self.cells[cell], self.polygons[cell]) = (NO_CELL, PolyRef::NONE);
        }
        let lost = block.cells.set_count(count, self.cells.len());
        let end = self.cells.len().max(block.cells.range().end);
        self.cells.resize(end, NO_CELL);
        self.polygons.resize(end, PolyRef::NONE);
        for (polygon, cell) in (0..).zip(block.cells.range()) {
            self.polygons[cell] = tile.polygon(polygon);
        }
        lost
    }

    /// Lays out a slot's cells, sides and links. Twins, corners and dead ends are found afterwards. Returns what the
    /// slot has in all, and places that are lost.
    pub(super) fn lay_out(
        &mut self,
        mesh: &TiledNavMesh,
        tile: TileRef,
        block: &mut Block,
        draft: &mut Draft,
        number: &impl Fn(PolyRef) -> u32,
    ) -> (SlotTally, u32) {
        draft.draw(mesh, tile, block.cells.count, number);
        let none = Side { at: [0.0; 2], to: NONE, twin: NONE, corner: NONE, flags: 0 };
        let mut lost = block.sides.set_count(draft.sides.len() as u32, self.sides.len());
        self.sides.resize(self.sides.len().max(block.sides.range().end), none);
        lost += block.jumps.set_count(draft.jumps.len() as u32, self.jumps.len());
        let no_jump =
            Jump { to: NONE, departure: [0.0; 2], arrival: [0.0; 2], user_id: 0, area: 0, flags: 0 };
        self.jumps.resize(self.jumps.len().max(block.jumps.range().end), no_jump);
        self.sides[block.sides.range()].copy_from_slice(&draft.sides);
        self.jumps[block.jumps.range()].copy_from_slice(&draft.jumps);
        for (place, cell) in block.cells.range().zip(&draft.cells) {
            let (first, first_jump) = (cell.first + block.sides.first, cell.first_jump + block.jumps.first);
            self.cells[place] = Cell { first, first_jump, ..*cell };
        }
        let exponent = draft.extent.log2().ceil().clamp(0.0, 63.0) as u8;
        let jump_areas = draft.jumps.iter().fold(0, |areas, jump| areas | 1 << (jump.area & 63));
        let tally = SlotTally { jump_areas, exponent, ..SlotTally::default() };
        (self.tally_cells(block, tally), lost)
    }

    /// Gives a slot's cells the areas and flags of its tile, or what a game made of them.
    pub(super) fn set_states(&mut self, mesh: &TiledNavMesh, block: &Block, states: Option<&SlotStates>) {
        for (polygon, cell) in (0..).zip(block.cells.range()) {
            let Some((tile, index)) = mesh.polygon(self.polygons[cell]) else { continue };
            let built = &tile.polygons[index];
            let changed = states.and_then(|states| states.get(&polygon));
            let own = &mut self.cells[cell];
            (own.area, own.flags) = changed
                .map_or((built.area, (built.flags & 0xFF) as u8), |changed| (changed.area, changed.flags));
        }
    }

    /// A slot's sums, with those of its cells counted again.
    pub(super) fn tally_cells(&self, block: &Block, mut tally: SlotTally) -> SlotTally {
        (tally.cell_areas, tally.any_flags, tally.lacked_flags) = (0, 0, 0);
        for cell in &self.cells[block.cells.range()] {
            tally.cell_areas |= 1 << (cell.area & 63);
            tally.any_flags |= cell.flags;
            tally.lacked_flags |= !cell.flags;
        }
        tally
    }

    /// Finds the other faces of a slot's sides: of all, or of those into the slots that `wanted` names; then which sides
    /// lead somewhere.
    pub(super) fn find_twins(&mut self, block: &Block, wanted: impl Fn(u32) -> bool) {
        for cell in block.cells.range() {
            let own = self.cells[cell];
            for place in self.side_places(&own) {
                let side = self.sides[place as usize];
                if side.to == NONE || !wanted(self.polygons[side.to as usize].slot()) {
                    continue;
                }
                let end = self.sides[self.next(&own, place) as usize].at;
                let next = self.cells[side.to as usize];
                let twin = self.side_places(&next).find(|twin| {
                    let other = &self.sides[*twin as usize];
                    other.to == cell as u32
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
            let ring = self.ring(&own).iter().take(64).enumerate();
            let ways = ring.fold(0, |ways, (k, side)| ways | u64::from(side.to != NONE) << k);
            self.cells[cell].ways = ways;
        }
    }

    /// Takes off a slot's cells with one way left, again and again: what remains lies on loops or leads elsewhere.
    pub(super) fn find_dead_ends(&mut self, block: &Block) {
        let first = block.cells.first;
        let inside = |cell: u32| block.cells.contains(cell);
        let mut ways = vec![0_u32; block.cells.count as usize];
        for cell in block.cells.range() {
            ways[cell - first as usize] += self.ways_out(cell as u32).count() as u32;
            for jump in &self.jumps[self.jumps_of(cell as u32)] {
                ways[cell - first as usize] += 1;
                if inside(jump.to) {
                    ways[(jump.to - first) as usize] += 1;
                }
            }
        }
        let mut gone = vec![false; ways.len()];
        let mut waiting: Vec<u32> = (0..block.cells.count).filter(|cell| ways[*cell as usize] == 1).collect();
        while let Some(cell) = waiting.pop() {
            if gone[cell as usize] || ways[cell as usize] != 1 {
                continue;
            }
            let left = |to: u32| !inside(to) || !gone[(to - first) as usize];
            let parent = self.ways_out(first + cell).map(|side| side.to).find(|to| left(*to));
            let Some(parent) = parent.filter(|parent| inside(*parent)) else {
                continue; // Its one way is a link, or leads to another tile.
            };
            gone[cell as usize] = true;
            self.cells[(first + cell) as usize].parent = parent;
            let parent = (parent - first) as usize;
            ways[parent] -= 1;
            if ways[parent] == 1 {
                waiting.push(parent as u32);
            }
        }
        for cell in block.cells.range() {
            for place in self.side_places(&self.cells[cell]) {
                let side = self.sides[place as usize];
                if side.to != NONE && inside(side.to) && self.cells[side.to as usize].parent == cell as u32 {
                    self.sides[place as usize].flags |= DOWN;
                }
            }
        }
    }
}
