//! Where polygons are and how they are numbered: a tree of boxes per tile, one over all tiles, and running
//! numbers of polygons and exits. Kept between queries; after an edit only the changed tiles' trees are built
//! again.

use super::plan::Plan;
use super::view::PolygonView;
use crate::format::{PolyRef, RawTile, Tile, TileRef, TiledNavMesh};

/// An axis-aligned box in world x, z.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    min: [f64; 2],
    max: [f64; 2],
}

impl Bounds {
    const EMPTY: Self = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };

    fn including(self, point: [f64; 2]) -> Self {
        Self {
            min: [self.min[0].min(point[0]), self.min[1].min(point[1])],
            max: [self.max[0].max(point[0]), self.max[1].max(point[1])],
        }
    }

    fn joined(self, other: Self) -> Self {
        self.including(other.min).including(other.max)
    }

    fn distance_squared(&self, point: [f64; 2]) -> f64 {
        let dx = (self.min[0] - point[0]).max(point[0] - self.max[0]).max(0.0);
        let dz = (self.min[1] - point[1]).max(point[1] - self.max[1]).max(0.0);
        dx * dx + dz * dz
    }

    fn centre(&self, axis: usize) -> f64 {
        self.min[axis] + self.max[axis]
    }
}

/// A box of a tree: a leaf names an item, an inner box its second child (the first one follows it).
#[derive(Clone, Copy, Debug)]
struct BoxNode {
    bounds: Bounds,
    /// 0 in a leaf.
    second: u32,
    item: u32,
}

#[derive(Clone, Debug, Default)]
struct BoxTree {
    nodes: Vec<BoxNode>,
}

impl BoxTree {
    fn build(items: &mut [(Bounds, u32)]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(items.len() * 2) };
        if !items.is_empty() {
            tree.grow(items);
        }
        tree
    }

    fn grow(&mut self, items: &mut [(Bounds, u32)]) {
        let bounds = items.iter().fold(Bounds::EMPTY, |all, (bounds, _)| all.joined(*bounds));
        let place = self.nodes.len();
        self.nodes.push(BoxNode { bounds, second: 0, item: items[0].1 });
        if items.len() == 1 {
            return;
        }
        let axis = usize::from(bounds.max[1] - bounds.min[1] > bounds.max[0] - bounds.min[0]);
        let middle = items.len() / 2;
        items.select_nth_unstable_by(middle, |a, b| {
            a.0.centre(axis).total_cmp(&b.0.centre(axis)).then(a.1.cmp(&b.1))
        });
        let (first, second) = items.split_at_mut(middle);
        self.grow(first);
        self.nodes[place].second = self.nodes.len() as u32;
        self.grow(second);
    }

    /// Calls back with the items whose boxes lie within the limit, nearer boxes first; `visit` gets and returns
    /// the limit (a squared distance), which it may lower.
    fn visit_near(&self, point: [f64; 2], mut limit: f64, mut visit: impl FnMut(u32, f64) -> f64) -> f64 {
        if self.nodes.is_empty() {
            return limit;
        }
        // Halving the items, a tree of 2^32 leaves is 33 boxes deep, and each depth leaves at most one behind.
        let mut waiting = [0_u32; 40];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let place = waiting[count];
            let node = &self.nodes[place as usize];
            if node.bounds.distance_squared(point) > limit {
                continue;
            }
            if node.second == 0 {
                limit = visit(node.item, limit);
                continue;
            }
            let gap = |child: u32| self.nodes[child as usize].bounds.distance_squared(point);
            let (first, second) = (place + 1, node.second);
            let (near, far) = if gap(second) < gap(first) { (second, first) } else { (first, second) };
            waiting[count] = far;
            waiting[count + 1] = near;
            count += 2;
        }
        limit
    }
}

#[derive(Clone, Debug)]
struct SlotIndex {
    salt: u32,
    /// Held so that its address, which tells whether the slot changed, cannot be given to another tile.
    tile: Option<Tile>,
    tree: BoxTree,
    first_polygon: u32,
}

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryIndex {
    slots: Vec<SlotIndex>,
    tiles: BoxTree,
    /// Per polygon the number of its first exit (edges, then links); one more at the end.
    first_exit: Vec<u32>,
    /// A bit per area type that polygons or links have.
    pub(super) areas: u64,
    pub(super) plan: Plan,
    /// Of the mesh that this index is for.
    edition: u64,
}

impl QueryIndex {
    /// Follows the mesh; cheap when nothing changed since the last call. Links are a pure function of the tiles
    /// in their slots, so equal tiles mean an equal mesh.
    pub(super) fn update(&mut self, mesh: &TiledNavMesh) {
        if self.edition == mesh.edition() {
            return;
        }
        self.edition = mesh.edition();
        if self.is_current(mesh) {
            return;
        }
        let old = std::mem::take(&mut self.slots);
        let mut old = old.into_iter().map(Some).collect::<Vec<_>>();
        let mut first_polygon = 0;
        for (place, slot) in mesh.slots().iter().enumerate() {
            let kept = old
                .get_mut(place)
                .and_then(Option::take)
                .filter(|kept| kept.salt == slot.salt && same_tile(kept.tile.as_ref(), slot.tile.as_ref()));
            let mut entry = kept.unwrap_or_else(|| SlotIndex {
                salt: slot.salt,
                tile: slot.tile.clone(),
                tree: slot.tile.as_ref().map_or_else(BoxTree::default, |tile| {
                    polygon_tree(mesh, TileRef::new(slot.salt, place as u32), tile)
                }),
                first_polygon,
            });
            entry.first_polygon = first_polygon;
            first_polygon += slot.tile.as_ref().map_or(0, |tile| tile.polygons.len() as u32);
            self.slots.push(entry);
        }
        self.index_tiles();
        self.index_exits(mesh);
        let (slots, mut plan) = (&self.slots, std::mem::take(&mut self.plan));
        plan.build(mesh, |polygon| slots[polygon.slot() as usize].first_polygon + polygon.polygon());
        self.plan = plan;
    }

    fn is_current(&self, mesh: &TiledNavMesh) -> bool {
        self.slots.len() == mesh.slots().len()
            && self
                .slots
                .iter()
                .zip(mesh.slots())
                .all(|(own, slot)| own.salt == slot.salt && same_tile(own.tile.as_ref(), slot.tile.as_ref()))
    }

    fn index_tiles(&mut self) {
        let boxes = self.slots.iter().enumerate();
        let mut boxes: Vec<_> = boxes
            .filter_map(|(place, slot)| slot.tree.nodes.first().map(|root| (root.bounds, place as u32)))
            .collect();
        self.tiles = BoxTree::build(&mut boxes);
    }

    fn index_exits(&mut self, mesh: &TiledNavMesh) {
        self.first_exit.clear();
        self.areas = 0;
        let mut exits = 0;
        for (reference, tile) in mesh.tiles() {
            for (place, polygon) in tile.polygons.iter().enumerate() {
                self.first_exit.push(exits);
                self.areas |= 1 << (polygon.area & 63);
                let links = mesh.links(reference.polygon(place as u32)).len() as u32;
                exits += u32::from(polygon.vertex_count) + links;
            }
            for link in &tile.links {
                self.areas |= 1 << (link.area & 63);
            }
        }
        self.first_exit.push(exits);
    }

    pub(super) fn polygon_count(&self) -> usize {
        self.first_exit.len().saturating_sub(1)
    }

    pub(super) fn exit_count(&self) -> usize {
        self.first_exit.last().map_or(0, |count| *count as usize)
    }

    /// A polygon's running number over the whole mesh, in slot and polygon order.
    pub(super) fn number(&self, polygon: PolyRef) -> usize {
        (self.slots[polygon.slot() as usize].first_polygon + polygon.polygon()) as usize
    }

    pub(super) fn first_exit(&self, polygon: PolyRef) -> usize {
        self.first_exit[self.number(polygon)] as usize
    }

    /// Calls back with polygons whose boxes lie within a squared distance, near ones early. `visit` gets and
    /// returns the limit, which it may lower.
    pub(super) fn visit_near<'a>(
        &self,
        mesh: &'a TiledNavMesh,
        point: [f64; 2],
        limit: f64,
        mut visit: impl FnMut(PolygonView<'a>, f64) -> f64,
    ) {
        self.tiles.visit_near(point, limit, |place, limit| {
            let slot = &self.slots[place as usize];
            slot.tree.visit_near(point, limit, |polygon, limit| {
                match PolygonView::new(mesh, TileRef::new(slot.salt, place).polygon(polygon)) {
                    Some(view) => visit(view, limit),
                    None => limit,
                }
            })
        });
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let trees = self.slots.iter().map(|slot| slot.tree.nodes.capacity()).sum::<usize>();
        (trees + self.tiles.nodes.capacity()) * size_of::<BoxNode>()
            + self.slots.capacity() * size_of::<SlotIndex>()
            + self.first_exit.capacity() * size_of::<u32>()
            + self.plan.memory_bytes()
    }
}

fn same_tile(a: Option<&Tile>, b: Option<&Tile>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => std::ptr::eq::<RawTile>(&**a, &**b),
        (None, None) => true,
        _ => false,
    }
}

fn polygon_tree(mesh: &TiledNavMesh, reference: TileRef, tile: &Tile) -> BoxTree {
    let polygons = tile.polygons.iter().enumerate();
    let mut boxes: Vec<_> = polygons
        .map(|(place, polygon)| {
            let view = PolygonView {
                params: mesh.params(),
                tile,
                polygon,
                reference: reference.polygon(place as u32),
            };
            let corners = (0..view.corner_count()).map(|k| view.corner(k));
            (corners.fold(Bounds::EMPTY, Bounds::including), place as u32)
        })
        .collect();
    BoxTree::build(&mut boxes)
}
