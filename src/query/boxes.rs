//! Boxes round polygons and tiles, and what finds them by place: trees, and a grid for the polygons under a point.

/// An axis-aligned box in world x, z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Bounds {
    pub(super) const EMPTY: Self = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };

    pub(super) fn including(self, point: [f64; 2]) -> Self {
        Self {
            min: [self.min[0].min(point[0]), self.min[1].min(point[1])],
            max: [self.max[0].max(point[0]), self.max[1].max(point[1])],
        }
    }

    fn joined(self, other: Self) -> Self {
        Self {
            min: [self.min[0].min(other.min[0]), self.min[1].min(other.min[1])],
            max: [self.max[0].max(other.max[0]), self.max[1].max(other.max[1])],
        }
    }

    #[inline]
    fn distance_squared(&self, point: [f64; 2]) -> f64 {
        let dx = (self.min[0] - point[0]).max(point[0] - self.max[0]).max(0.0);
        let dz = (self.min[1] - point[1]).max(point[1] - self.max[1]).max(0.0);
        dx * dx + dz * dz
    }

    fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
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

/// A tree of boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree {
    nodes: Vec<BoxNode>,
}

impl BoxTree {
    pub(super) fn build(items: &mut [(Bounds, u32)]) -> Self {
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
    pub(super) fn visit_near(
        &self,
        point: [f64; 2],
        mut limit: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
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

    pub(super) fn visit_box(&self, min: [f64; 2], max: [f64; 2], visit: &mut impl FnMut(u32)) {
        let mut waiting = [0_u32; 40];
        let mut count = usize::from(!self.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let place = waiting[count];
            let node = &self.nodes[place as usize];
            let apart = |axis: usize| node.bounds.max[axis] < min[axis] || max[axis] < node.bounds.min[axis];
            if apart(0) || apart(1) {
                continue;
            }
            if node.second == 0 {
                visit(node.item);
                continue;
            }
            waiting[count] = node.second;
            waiting[count + 1] = place + 1;
            count += 2;
        }
    }

    /// The box of everything; `None` for an empty tree.
    pub(super) fn bounds(&self) -> Option<Bounds> {
        self.nodes.first().map(|root| root.bounds)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<BoxNode>()
    }
}

/// A tree over the boxes of slots that follows edits: a box that changes is put right from its leaf up; new ones wait
/// beside the tree; when too many wait or have moved away, the tree is built again.
#[derive(Clone, Debug, Default)]
pub(super) struct TileTree {
    tree: BoxTree,
    /// Per node the one above it.
    parents: Vec<u32>,
    /// Per slot its leaf, or `u32::MAX`.
    leaves: Vec<u32>,
    loose: Vec<(Bounds, u32)>,
    moved: usize,
}

impl TileTree {
    /// Sets the box of a slot; `None` takes it out.
    pub(super) fn set(&mut self, slot: u32, bounds: Option<Bounds>) {
        let leaf = self.leaves.get(slot as usize).copied().unwrap_or(u32::MAX);
        if leaf == u32::MAX {
            self.loose.retain(|(_, other)| *other != slot);
            self.loose.extend(bounds.map(|bounds| (bounds, slot)));
            return;
        }
        let (old, new) = (self.tree.nodes[leaf as usize].bounds, bounds.unwrap_or(Bounds::EMPTY));
        self.moved += usize::from(new.min[0] < new.max[0] && !old.meets(&new));
        self.tree.nodes[leaf as usize].bounds = new;
        let mut at = leaf;
        while at != 0 {
            at = self.parents[at as usize];
            let (first, second) = (at as usize + 1, self.tree.nodes[at as usize].second as usize);
            let joined = self.tree.nodes[first].bounds.joined(self.tree.nodes[second].bounds);
            self.tree.nodes[at as usize].bounds = joined;
        }
    }

    /// Builds the tree again if it has become a poor one.
    pub(super) fn settle(&mut self) {
        let waiting = self.loose.len() + self.moved;
        if waiting <= 16 + self.tree.nodes.len() / 64 && !self.tree.nodes.is_empty() {
            return;
        }
        let mut items = std::mem::take(&mut self.loose);
        let leaves = self.tree.nodes.iter().filter(|node| node.second == 0);
        items.extend(
            leaves
                .filter(|leaf| leaf.bounds.min[0] <= leaf.bounds.max[0])
                .map(|leaf| (leaf.bounds, leaf.item)),
        );
        items.sort_unstable_by_key(|(_, slot)| *slot);
        self.leaves.clear();
        self.leaves.resize(items.last().map_or(0, |(_, slot)| *slot as usize + 1), u32::MAX);
        self.tree = BoxTree::build(&mut items);
        self.parents.clear();
        self.parents.resize(self.tree.nodes.len(), 0);
        for (place, node) in self.tree.nodes.iter().enumerate() {
            if node.second == 0 {
                self.leaves[node.item as usize] = place as u32;
            } else {
                self.parents[place + 1] = place as u32;
                self.parents[node.second as usize] = place as u32;
            }
        }
        self.moved = 0;
    }

    /// As [`BoxTree::visit_near`].
    pub(super) fn visit_near(
        &self,
        point: [f64; 2],
        limit: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let limit = self.tree.visit_near(point, limit, &mut visit);
        let mut near = limit;
        for (bounds, slot) in &self.loose {
            if bounds.distance_squared(point) <= near {
                near = visit(*slot, near);
            }
        }
        near
    }

    pub(super) fn visit_box(&self, min: [f64; 2], max: [f64; 2], visit: &mut impl FnMut(u32)) {
        self.tree.visit_box(min, max, visit);
        let wanted = Bounds { min, max };
        self.loose.iter().filter(|(bounds, _)| bounds.meets(&wanted)).for_each(|(_, slot)| visit(*slot));
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.tree.memory_bytes()
            + (self.parents.capacity() + self.leaves.capacity()) * size_of::<u32>()
            + self.loose.capacity() * size_of::<(Bounds, u32)>()
    }
}

/// How a polygon lies to a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// It stays out of it.
    Apart,
    /// It may reach into it.
    Partly,
    /// All of the box lies in it.
    Covers,
}

/// Set in an entry of a grid whose polygon covers the square.
const COVERS: u32 = 1 << 31;

/// A grid over a tile's polygons: those that may reach into each square.
#[derive(Clone, Debug, Default)]
pub(super) struct PointGrid {
    min: [f64; 2],
    squares_per_unit: [f64; 2],
    counts: [usize; 2],
    /// Per square where its polygons begin in `polygons`; one more at the end.
    starts: Vec<u32>,
    polygons: Vec<u32>,
}

impl PointGrid {
    /// About sixteen squares a polygon. `meeting`: how a polygon lies to a box that its own box meets.
    pub(super) fn build(items: &[(Bounds, u32)], meeting: impl Fn(u32, &Bounds) -> Meeting) -> Self {
        let all = items.iter().fold(Bounds::EMPTY, |all, (bounds, _)| all.joined(*bounds));
        if items.is_empty() {
            return Self::default();
        }
        let size = [0, 1].map(|axis| (all.max[axis] - all.min[axis]).max(1e-9));
        let mut side = (size[0] * size[1] / (16.0 * items.len() as f64)).sqrt();
        let mut grid = loop {
            let counts = size.map(|size| (size / side).ceil().clamp(1.0, 4096.0) as usize);
            let squares_per_unit = [0, 1].map(|axis| counts[axis] as f64 / size[axis]);
            let grid = Self { min: all.min, squares_per_unit, counts, ..Self::default() };
            let entries: usize = items.iter().map(|(bounds, _)| grid.squares(bounds).count()).sum();
            // Polygons whose boxes overlap much get larger squares, so that the grid stays small.
            if entries <= 64 * items.len() || counts == [1, 1] {
                break grid;
            }
            side *= 2.0;
        };
        grid.starts = vec![0; grid.counts[0] * grid.counts[1] + 1];
        let entries = items.iter().flat_map(|(bounds, polygon)| {
            let squares = grid.squares(bounds).filter_map(|square| {
                let meeting = meeting(*polygon, &grid.bounds_of(square));
                let covers = meeting == Meeting::Covers && grid.is_inner(square);
                let entry = if covers { *polygon | COVERS } else { *polygon };
                (meeting != Meeting::Apart).then_some((square, entry))
            });
            squares.collect::<Vec<_>>()
        });
        let entries: Vec<(usize, u32)> = entries.collect();
        for (square, _) in &entries {
            grid.starts[square + 1] += 1;
        }
        for square in 1..grid.starts.len() {
            grid.starts[square] += grid.starts[square - 1];
        }
        grid.polygons = vec![0; grid.starts.last().map_or(0, |count| *count as usize)];
        let mut ends = grid.starts.clone();
        for (square, polygon) in entries {
            grid.polygons[ends[square] as usize] = polygon;
            ends[square] += 1;
        }
        grid
    }

    /// A square's box, a little larger than it is, so that what rounding puts into the square lies in it.
    fn bounds_of(&self, square: usize) -> Bounds {
        let at = [square % self.counts[0], square / self.counts[0]];
        let side =
            |axis: usize, step: f64| self.min[axis] + (at[axis] as f64 + step) / self.squares_per_unit[axis];
        Bounds { min: [0, 1].map(|axis| side(axis, -0.01)), max: [0, 1].map(|axis| side(axis, 1.01)) }
    }

    /// Whether what rounding puts into a square surely lies in its box: what lies beside the grid goes into the squares
    /// at its rim, and very small squares are not much larger than an error of rounding.
    fn is_inner(&self, square: usize) -> bool {
        let at = [square % self.counts[0], square / self.counts[0]];
        let own = self.bounds_of(square);
        (0..2).all(|axis| {
            let size = own.min[axis].abs().max(own.max[axis].abs());
            0 < at[axis] && at[axis] + 1 < self.counts[axis] && own.max[axis] - own.min[axis] > size * 1e-11
        })
    }

    /// The squares that a box meets.
    fn squares(&self, bounds: &Bounds) -> impl Iterator<Item = usize> + use<> {
        let (low, high, count) = (self.square(bounds.min), self.square(bounds.max), self.counts[0]);
        (low[1]..=high[1]).flat_map(move |z| (low[0]..=high[0]).map(move |x| z * count + x))
    }

    #[inline]
    fn square(&self, point: [f64; 2]) -> [usize; 2] {
        [0, 1].map(|axis| {
            let at = (point[axis] - self.min[axis]) * self.squares_per_unit[axis];
            (at.max(0.0) as usize).min(self.counts[axis] - 1)
        })
    }

    /// The polygons that may hold a point, each with whether it surely does.
    #[inline]
    pub(super) fn at(&self, point: [f64; 2]) -> impl Iterator<Item = (u32, bool)> {
        let entries = if self.starts.is_empty() {
            &[]
        } else {
            let [x, z] = self.square(point);
            let square = z * self.counts[0] + x;
            &self.polygons[self.starts[square] as usize..self.starts[square + 1] as usize]
        };
        entries.iter().map(|entry| (entry & !COVERS, entry & COVERS != 0))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        (self.starts.capacity() + self.polygons.capacity()) * size_of::<u32>()
    }
}
