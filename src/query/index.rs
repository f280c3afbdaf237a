//! Where polygons are and how they are numbered: trees of boxes, a grid per tile, and the plan. Kept between queries;
//! after an edit only what the edit touched is made again.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::boxes::{Bounds, BoxTree, Meeting, PointGrid, TileTree};
use super::corners::Corners;
use super::landmarks::{Adopted, same_tile};
use super::layout::{Block, Draft};
use super::plan::{NONE, Plan};
use super::tally::SlotTally;
use super::view::{PolygonView, orientation};
use crate::format::{LinkKind, PolyRef, SlotLinks, SlotStates, Tile, TileRef, TiledNavMesh};

#[derive(Clone, Debug, Default)]
struct SlotIndex {
    salt: u32,
    /// Held so that their addresses, which tell whether the slot changed, cannot be given to others.
    tile: Option<Tile>,
    links: Arc<SlotLinks>,
    states: Option<SlotStates>,
    tree: BoxTree,
    grid: PointGrid,
    block: Block,
    tally: Option<SlotTally>,
}

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryIndex {
    slots: Vec<SlotIndex>,
    tiles: TileTree,
    pub(super) plan: Plan,
    corners: Corners,
    draft: Draft,
    /// Places of the plan's arrays that no slot uses any more.
    lost: usize,
    /// Of the mesh that this index is for.
    edition: u64,
    /// Another number whenever it follows another mesh or edit, so that cells may have other numbers.
    pub(super) follows: u64,
    pub(super) landmarks: Adopted,
}

impl QueryIndex {
    /// Follows the mesh; cheap when nothing changed since the last call.
    pub(super) fn update(&mut self, mesh: &TiledNavMesh) {
        if self.edition != mesh.edition() {
            self.follow(mesh);
        }
    }

    #[cold]
    fn follow(&mut self, mesh: &TiledNavMesh) {
        let touched: Option<BTreeSet<u32>> = mesh.changed_since(self.edition).map(Iterator::collect);
        self.edition = mesh.edition();
        self.follows += 1;
        let unknown = touched.is_none();
        let touched = match touched {
            Some(touched) if self.slots.len() <= mesh.slots().len() => touched,
            _ if self.slots.len() <= mesh.slots().len() => (0..mesh.slots().len() as u32).collect(),
            _ => {
                self.start_over();
                (0..mesh.slots().len() as u32).collect()
            }
        };
        self.slots.resize(mesh.slots().len(), SlotIndex::default());
        let mut relaid = self.make_again(mesh, &touched);
        if self.lost > 4096 + self.plan.sides.len() / 2 {
            self.start_over();
            self.slots.resize(mesh.slots().len(), SlotIndex::default());
            relaid = self.make_again(mesh, &(0..mesh.slots().len() as u32).collect());
        }
        if unknown || relaid {
            self.landmarks.lay_aside();
        }
        // After an edit of tiles or links they do not fit; whether they fit a mesh not known before has to be looked at.
        if unknown && self.landmarks.fit(mesh) {
            self.landmarks.set_rows(self.corner_rows().0);
            self.plan.find_islands();
        }
    }

    /// Takes landmarks on, from the next question on.
    pub(super) fn adopt(&mut self, landmarks: Adopted) {
        self.landmarks = landmarks;
        // No mesh has this edition, so that all of it is looked at.
        self.edition = 0;
    }

    /// Per corner of the plan its number in the order of slots and sides, and how many there are: unlike places in the
    /// plan these do not depend on what was edited before.
    pub(super) fn corner_rows(&self) -> (Vec<u32>, usize) {
        let (mut rows, mut count) = (vec![NONE; self.plan.corner_count], 0);
        for side in self.slots.iter().flat_map(|slot| &self.plan.sides[slot.block.sides.range()]) {
            let row = &mut rows[side.corner as usize];
            if *row == NONE {
                (*row, count) = (count, count + 1);
            }
        }
        (rows, count as usize)
    }

    fn start_over(&mut self) {
        let landmarks = std::mem::take(&mut self.landmarks);
        *self = Self { edition: self.edition, follows: self.follows, landmarks, ..Self::default() };
    }

    /// Whether anything was laid out anew.
    fn make_again(&mut self, mesh: &TiledNavMesh, touched: &BTreeSet<u32>) -> bool {
        let (mut fresh, mut relaid, mut restated) = (Vec::new(), BTreeSet::new(), Vec::new());
        for &place in touched {
            let (slot, own) = (&mesh.slots()[place as usize], &self.slots[place as usize]);
            let links = &mesh.links[place as usize];
            let states = mesh.states.get(&place);
            if own.salt != slot.salt || !same_tile(own.tile.as_ref(), slot.tile.as_ref()) {
                fresh.push(place);
                relaid.insert(place);
                // Their sides lead to cells that may move.
                relaid.extend(links.links.iter().map(|link| link.to.slot()));
            } else if !Arc::ptr_eq(&own.links, links) {
                relaid.insert(place);
            } else if own.states.as_ref().map(Arc::as_ptr) != states.map(Arc::as_ptr) {
                restated.push(place);
            }
        }
        for &place in &fresh {
            self.place_slot(mesh, place);
        }
        self.tiles.settle();
        for &place in &relaid {
            self.lay_out(mesh, place);
        }
        for &place in &restated {
            self.set_states(mesh, place);
        }
        if !relaid.is_empty() {
            self.join(mesh, &relaid);
            self.plan.forget_islands();
        }
        self.plan.extent = f64::from(self.plan.tally.all().exponent).exp2();
        !relaid.is_empty()
    }

    /// The boxes of a slot's polygons, and their numbers.
    fn place_slot(&mut self, mesh: &TiledNavMesh, place: u32) {
        let slot = &mesh.slots()[place as usize];
        let own = &mut self.slots[place as usize];
        (own.salt, own.tile) = (slot.salt, slot.tile.clone());
        let reference = TileRef::new(slot.salt, place);
        let mut boxes = slot.tile.as_ref().map_or_else(Vec::new, |tile| polygon_boxes(mesh, reference, tile));
        own.grid = PointGrid::build(&boxes, |polygon, square| {
            slot.tile.as_ref().map_or(Meeting::Partly, |tile| {
                let polygon = &tile.polygons[polygon as usize];
                let reference = reference.polygon(0);
                meeting(&PolygonView { params: mesh.params(), tile, polygon, reference }, square)
            })
        });
        own.tree = BoxTree::build(&mut boxes);
        self.tiles.set(place, own.tree.bounds());
        self.lost += self.plan.place_cells(&mut own.block, reference, boxes.len() as u32) as usize;
    }

    fn lay_out(&mut self, mesh: &TiledNavMesh, place: u32) {
        let mut block = self.slots[place as usize].block;
        let reference = TileRef::new(mesh.slots()[place as usize].salt, place);
        let slots = &self.slots;
        let number = |polygon: PolyRef| slots[polygon.slot() as usize].block.cells.first + polygon.polygon();
        let (tally, lost) = self.plan.lay_out(mesh, reference, &mut block, &mut self.draft, &number);
        self.lost += lost as usize;
        let own = &mut self.slots[place as usize];
        own.block = block;
        own.links = Arc::clone(&mesh.links[place as usize]);
        let tally = own.tile.is_some().then_some(tally);
        self.plan.tally.exchange(own.tally.as_ref(), tally.as_ref());
        own.tally = tally;
        own.states = None;
        if mesh.states.contains_key(&place) {
            self.set_states(mesh, place);
        }
    }

    fn set_states(&mut self, mesh: &TiledNavMesh, place: u32) {
        let own = &mut self.slots[place as usize];
        own.states = mesh.states.get(&place).cloned();
        self.plan.set_states(mesh, &own.block, own.states.as_ref());
        let tally = own.tally.map(|tally| self.plan.tally_cells(&own.block, tally));
        self.plan.tally.exchange(own.tally.as_ref(), tally.as_ref());
        own.tally = tally;
    }

    /// Joins the sides of slots that were laid out with each other and with those of the slots around them.
    fn join(&mut self, mesh: &TiledNavMesh, relaid: &BTreeSet<u32>) {
        let mut around = BTreeSet::new();
        for &place in relaid {
            let block = self.slots[place as usize].block;
            self.plan.find_twins(&block, |_| true);
            let portals =
                mesh.links[place as usize].links.iter().filter(|link| link.kind == LinkKind::Portal);
            around.extend(portals.map(|link| link.to.slot()).filter(|slot| !relaid.contains(slot)));
        }
        for &place in &around {
            let block = self.slots[place as usize].block;
            self.plan.find_twins(&block, |slot| relaid.contains(&slot));
        }
        for &place in relaid {
            let own = &mut self.slots[place as usize];
            self.lost += self.corners.find(&mut self.plan, &mut own.block, place) as usize;
            self.plan.find_dead_ends(&own.block);
        }
        let both = || relaid.iter().chain(&around);
        both().for_each(|place| {
            self.corners.find_border(&self.plan, &self.slots[*place as usize].block, *place);
        });
        self.corners.begin_joining();
        both().for_each(|place| self.corners.join(&mut self.plan, *place));
    }

    /// A polygon's number.
    pub(super) fn number(&self, polygon: PolyRef) -> usize {
        (self.slots[polygon.slot() as usize].block.cells.first + polygon.polygon()) as usize
    }

    /// All cells, in slot and polygon order.
    pub(super) fn cells(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().flat_map(|slot| slot.block.cells.range()).map(|cell| cell as u32)
    }

    /// Calls back with every cell that may hold a point, and whether it surely does.
    #[inline]
    pub(super) fn visit_at(&self, point: [f64; 2], mut visit: impl FnMut(u32, bool)) {
        let mut look = |place: u32| {
            let slot = &self.slots[place as usize];
            let first = slot.block.cells.first;
            for (polygon, surely) in slot.grid.at(point) {
                visit(first + polygon, surely);
            }
        };
        if self.slots.len() == 1 {
            return look(0);
        }
        self.tiles.visit_near(point, 0.0, |place, limit| {
            look(place);
            limit
        });
    }

    /// Calls back with cells whose boxes lie within a squared distance, near ones early. `visit` gets and returns
    /// the limit, which it may lower.
    pub(super) fn visit_cells(&self, point: [f64; 2], limit: f64, mut visit: impl FnMut(u32, f64) -> f64) {
        self.tiles.visit_near(point, limit, |place, limit| {
            let slot = &self.slots[place as usize];
            let first = slot.block.cells.first;
            slot.tree.visit_near(point, limit, |polygon, limit| visit(first + polygon, limit))
        });
    }

    /// Calls back with the cells whose boxes meet a box.
    pub(super) fn visit_box(&self, min: [f64; 2], max: [f64; 2], mut visit: impl FnMut(u32)) {
        self.tiles.visit_box(min, max, &mut |place| {
            let slot = &self.slots[place as usize];
            let first = slot.block.cells.first;
            slot.tree.visit_box(min, max, &mut |polygon| visit(first + polygon));
        });
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let slots = self.slots.iter();
        slots.map(|slot| slot.tree.memory_bytes() + slot.grid.memory_bytes()).sum::<usize>()
            + self.slots.capacity() * size_of::<SlotIndex>()
            + self.tiles.memory_bytes()
            + self.corners.memory_bytes()
            + self.plan.memory_bytes()
            + self.landmarks.memory_bytes()
    }
}

/// Apart if a box lies outside one of a polygon's sides; covers if it lies inside all of them, for sure.
fn meeting(polygon: &PolygonView<'_>, square: &Bounds) -> Meeting {
    let count = polygon.corner_count();
    let mut meeting = Meeting::Covers;
    let mut a = polygon.corner(count - 1);
    for corner in 0..count {
        let b = polygon.corner(corner);
        let [dx, dz] = [b[0] - a[0], b[1] - a[1]];
        // The box's corners that lie farthest to the left and to the right of the side.
        let (left_x, right_x) =
            if dz > 0.0 { (square.min[0], square.max[0]) } else { (square.max[0], square.min[0]) };
        let (left_z, right_z) =
            if dx > 0.0 { (square.max[1], square.min[1]) } else { (square.min[1], square.max[1]) };
        if dx * (left_z - a[1]) - dz * (left_x - a[0]) < 0.0 {
            return Meeting::Apart;
        }
        if orientation(a, b, [right_x, right_z]) <= 0.0 {
            meeting = Meeting::Partly;
        }
        a = b;
    }
    meeting
}

fn polygon_boxes(mesh: &TiledNavMesh, reference: TileRef, tile: &Tile) -> Vec<(Bounds, u32)> {
    let polygons = (0..).zip(&tile.polygons);
    let boxes = polygons.map(|(place, polygon)| {
        let view = PolygonView { params: mesh.params(), tile, polygon, reference: reference.polygon(place) };
        let corners = (0..view.corner_count()).map(|k| view.corner(k));
        (corners.fold(Bounds::EMPTY, Bounds::including), place)
    });
    boxes.collect()
}
