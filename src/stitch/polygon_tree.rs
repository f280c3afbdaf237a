//! Which polygon a point attaches to: the one with the smallest score in reach.
//!
//! A tree of boxes alone would not do: long slivers side by side all have boxes around one point, and polygons almost
//! on one another all have boxes that reach beyond their slanted edges. So each node also has the hull of its
//! polygons, and splits tell polygons apart by direction as well as by place. Of polygons that lie on one another to
//! the bit, only the first can win. What is left: a point with thousands of polygons around it, all at one distance to
//! a millionth, still looks at each of them.

use std::collections::HashSet;

use super::hull;
use super::order::index_u32;
use crate::format::{NavMeshParams, PolyRef, Tile, TileRef};

/// Polygons in a leaf.
const LEAF: usize = 4;
/// Slack for rounding, as a part of the largest coordinate involved, when a box or a hull stands for its polygons.
const SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// Bounds in world coordinates.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

/// A polygon with its bounds; its place in `items` is its rank when scores tie.
#[derive(Clone, Copy, Debug)]
struct Item {
    tile: u32,
    polygon: u32,
    bounds: Bounds,
    /// The longest edge in X/Z.
    longest: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// The corners of a hull in X/Z around the node's polygons: `hulls[hull.0..hull.1]`.
    hull: (usize, usize),
    /// The least rank in the node.
    first_rank: u32,
    /// The node's items: `order[start..end]`.
    start: usize,
    end: usize,
    /// Index of the second child; the first one follows its parent. 0 in a leaf.
    second: usize,
}

/// A tree over the polygons of a tile, or of all tiles of a column.
#[derive(Debug)]
pub(crate) struct PolygonTree<'a> {
    params: &'a NavMeshParams,
    tiles: Vec<(TileRef, &'a Tile)>,
    items: Vec<Item>,
    order: Vec<u32>,
    nodes: Vec<Node>,
    hulls: Vec<[f64; 2]>,
}

/// The best so far: its reach, then rank.
type Best = Option<(Reach, u32)>;

/// The polygon nearest to a point, and how near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) polygon: PolyRef,
    /// Horizontal; 0 inside.
    pub(super) distance_squared: f64,
    /// Vertical, outside the heights of its corners.
    pub(super) dy: f64,
}

impl<'a> PolygonTree<'a> {
    /// `tiles` come lowest layer first: that, then the polygon's index, decides between equal scores.
    pub(crate) fn new(params: &'a NavMeshParams, tiles: Vec<(TileRef, &'a Tile)>) -> Self {
        let mut items = Vec::new();
        let mut seen = HashSet::new();
        for (tile, &(_, content)) in (0..).zip(&tiles) {
            for polygon in 0..content.polygons.len() {
                let outline = outline_in_world(params, content, polygon);
                if !seen.insert(shape(outline.clone())) {
                    continue;
                }
                let (bounds, longest) = (bounds_of(outline.clone()), longest_edge(outline));
                items.push(Item { tile, polygon: index_u32(polygon), bounds, longest });
            }
        }
        let mut order: Vec<u32> = (0..).take(items.len()).collect();
        let mut tree = Self { params, tiles, items, order: Vec::new(), nodes: Vec::new(), hulls: Vec::new() };
        if !order.is_empty() {
            tree.build(&mut order, 0);
        }
        tree.order = order;
        tree
    }

    /// Splits at the median of the number that spreads widest: a center's coordinate, or a direction measured by
    /// the length of the longest edge.
    fn build(&mut self, order: &mut [u32], start: usize) {
        let item = |index: u32| &self.items[index as usize];
        let bounds = order.iter().fold(Bounds::EMPTY, |bounds, &index| bounds.union(&item(index).bounds));
        let first_rank = order.iter().copied().min().unwrap_or(0);
        let at = self.nodes.len();
        self.nodes.push(Node {
            bounds,
            hull: (0, 0),
            first_rank,
            start,
            end: start + order.len(),
            second: 0,
        });
        if order.len() <= LEAF {
            let outlines = order.iter().flat_map(|&index| {
                let (tile, polygon) = (item(index).tile as usize, item(index).polygon as usize);
                outline_in_world(self.params, self.tiles[tile].1, polygon)
            });
            let points = outlines.map(|[x, _, z]| [x, z]).collect();
            self.set_hull(at, points);
            return;
        }
        let mut low = [f64::INFINITY; 5];
        let mut high = [f64::NEG_INFINITY; 5];
        for &index in order.iter() {
            for (axis, value) in item(index).place().into_iter().enumerate() {
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        let spread = |axis: &usize| high[*axis] - low[*axis];
        let widest = (0..5).max_by(|a, b| spread(a).total_cmp(&spread(b)).then(b.cmp(a))).unwrap_or(0);
        let middle = order.len() / 2;
        order.select_nth_unstable_by(middle, |&a, &b| {
            item(a).place()[widest].total_cmp(&item(b).place()[widest]).then(a.cmp(&b))
        });
        let (first, second) = order.split_at_mut(middle);
        self.build(first, start);
        self.nodes[at].second = self.nodes.len();
        self.build(second, start + middle);
        let points = [self.hull(at + 1), self.hull(self.nodes[at].second)].concat();
        self.set_hull(at, points);
    }

    fn hull(&self, at: usize) -> &[[f64; 2]] {
        let (start, end) = self.nodes[at].hull;
        &self.hulls[start..end]
    }

    fn set_hull(&mut self, at: usize, points: Vec<[f64; 2]>) {
        let start = self.hulls.len();
        self.hulls.extend(hull::around(points));
        self.nodes[at].hull = (start, self.hulls.len());
    }

    /// The polygon that a world point attaches to: within `radius` horizontally and `climb` vertically, smallest
    /// distance² + dy², then lowest layer, then lowest index.
    pub(crate) fn attach(&self, point: [f64; 3], radius: f64, climb: f64) -> Option<PolyRef> {
        self.attach_near(point, radius, climb).map(|near| near.polygon)
    }

    /// As [`PolygonTree::attach`], with what was measured.
    pub(super) fn attach_near(&self, point: [f64; 3], radius: f64, climb: f64) -> Option<Near> {
        self.attach_counted(point, radius, climb, || ())
    }

    /// As `attach_near`; also tells each time that it looks at a node or a polygon.
    pub(super) fn attach_counted(
        &self,
        point: [f64; 3],
        radius: f64,
        climb: f64,
        mut look: impl FnMut(),
    ) -> Option<Near> {
        let mut best: Best = None;
        let mut stack = Vec::new();
        if !self.nodes.is_empty() {
            stack.push((0, self.reach(0, point)));
        }
        while let Some((at, reach)) = stack.pop() {
            look();
            let node = &self.nodes[at];
            if !reach.may_win(best, node.first_rank, radius, climb) {
                continue;
            }
            if node.second == 0 {
                for &rank in &self.order[node.start..node.end] {
                    look();
                    self.consider(rank, point, radius, climb, &mut best);
                }
                continue;
            }
            // The more promising child is popped first.
            let children = [at + 1, node.second].map(|child| (child, self.reach(child, point)));
            let rank = |(child, reach): &(usize, Reach)| (reach.score(), self.nodes[*child].first_rank);
            let [first, second] = children;
            let in_order = rank(&first).partial_cmp(&rank(&second)).is_none_or(|order| order.is_le());
            stack.extend(if in_order { [second, first] } else { [first, second] });
        }
        best.map(|(reach, rank)| {
            let item = &self.items[rank as usize];
            let polygon = self.tiles[item.tile as usize].0.polygon(item.polygon);
            Near { polygon, distance_squared: reach.distance2, dy: reach.dy }
        })
    }

    /// To a node's polygons, by its box and its hull; never more than to any of them, rounding included.
    fn reach(&self, at: usize, point: [f64; 3]) -> Reach {
        let bounds = &self.nodes[at].bounds;
        let reach = Reach::to_box(bounds, point);
        let distance2 = distance_squared(self.hull(at).iter().copied(), point);
        let gap = (distance2.sqrt() - 2.0 * slack(bounds, point)).max(0.0);
        Reach { distance2: reach.distance2.max(gap * gap), ..reach }
    }

    fn consider(&self, rank: u32, point: [f64; 3], radius: f64, climb: f64, best: &mut Best) {
        let item = &self.items[rank as usize];
        if !Reach::to_box(&item.bounds, point).may_win(*best, rank, radius, climb) {
            return;
        }
        let tile = self.tiles[item.tile as usize].1;
        let outline = outline_in_world(self.params, tile, item.polygon as usize);
        let distance2 = distance_squared(outline.map(|[x, _, z]| [x, z]), point);
        let exact = Reach { distance2, dy: dy(&item.bounds, point[1]) };
        if exact.may_win(*best, rank, radius, climb) {
            *best = Some((exact, rank));
        }
    }
}

/// Squared horizontal distance and vertical distance: exact for a polygon, at most the exact ones for a box.
#[derive(Clone, Copy, Debug)]
struct Reach {
    distance2: f64,
    dy: f64,
}

impl Reach {
    /// To a box; never more than to any polygon in it, rounding included.
    fn to_box(bounds: &Bounds, point: [f64; 3]) -> Self {
        let slack = slack(bounds, point);
        let gap = |axis: usize| {
            let outside = (bounds.low[axis] - point[axis]).max(point[axis] - bounds.high[axis]);
            (outside - slack).max(0.0)
        };
        let (dx, dz) = (gap(0), gap(2));
        Self { distance2: dx * dx + dz * dz, dy: dy(bounds, point[1]) }
    }

    fn score(&self) -> f64 {
        self.distance2 + self.dy * self.dy
    }

    /// Whether it is in reach and better than the best so far.
    fn may_win(&self, best: Best, rank: u32, radius: f64, climb: f64) -> bool {
        let in_reach = self.distance2 <= radius * radius && self.dy <= climb;
        in_reach
            && best.is_none_or(|(best, best_rank)| {
                self.score() < best.score() || (self.score() <= best.score() && rank < best_rank)
            })
    }
}

/// Vertical distance outside a height range.
fn dy(bounds: &Bounds, y: f64) -> f64 {
    0.0_f64.max(bounds.low[1] - y).max(y - bounds.high[1])
}

fn outline_in_world<'a>(
    params: &'a NavMeshParams,
    tile: &'a Tile,
    polygon: usize,
) -> impl Iterator<Item = [f64; 3]> + Clone + 'a {
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    corners.iter().map(move |&vertex| tile.point_in_world(params, tile.vertices[vertex as usize]))
}

/// 0 inside or on the polygon, else the least over its edges of the squared distance to the edge's nearest point.
///
/// World coordinates may collapse a tiny polygon to a segment or a point, so inside needs the point strictly left
/// of at least one edge, and an edge without length is its first end.
fn distance_squared(outline: impl Iterator<Item = [f64; 2]> + Clone, [px, _, pz]: [f64; 3]) -> f64 {
    let (mut inside, mut strict, mut least) = (true, false, f64::INFINITY);
    for ([ax, az], [bx, bz]) in outline.clone().zip(outline.cycle().skip(1)) {
        let (ex, ez, wx, wz) = (bx - ax, bz - az, px - ax, pz - az);
        let cross = ex * wz - ez * wx;
        inside &= cross >= 0.0;
        strict |= cross > 0.0;
        let length2 = ex * ex + ez * ez;
        let t = if length2 > 0.0 { ((wx * ex + wz * ez) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let (dx, dz) = (px - (ax + ex * t), pz - (az + ez * t));
        least = least.min(dx * dx + dz * dz);
    }
    if inside && strict { 0.0 } else { least }
}

fn bounds_of(points: impl Iterator<Item = [f64; 3]>) -> Bounds {
    points.fold(Bounds::EMPTY, |bounds, point| bounds.union(&Bounds { low: point, high: point }))
}

/// Outline and height range to the bit, from the corner whose bits are least: equal shapes score alike.
fn shape(outline: impl Iterator<Item = [f64; 3]> + Clone) -> Vec<[u64; 2]> {
    let bounds = bounds_of(outline.clone());
    let mut corners: Vec<[u64; 2]> = outline.map(|[x, _, z]| [x.to_bits(), z.to_bits()]).collect();
    let first = (0..corners.len()).min_by_key(|&corner| corners[corner]).unwrap_or(0);
    corners.rotate_left(first);
    corners.push([bounds.low[1].to_bits(), bounds.high[1].to_bits()]);
    corners
}

fn longest_edge(outline: impl Iterator<Item = [f64; 3]> + Clone) -> [f64; 2] {
    let ends = outline.clone().zip(outline.cycle().skip(1));
    let edges = ends.map(|(a, b)| [b[0] - a[0], b[2] - a[2]]);
    edges
        .max_by(|a, b| (a[0] * a[0] + a[1] * a[1]).total_cmp(&(b[0] * b[0] + b[1] * b[1])))
        .unwrap_or_default()
}

/// How far rounding may put a polygon outside its bounds, seen from a point.
fn slack(bounds: &Bounds, point: [f64; 3]) -> f64 {
    let largest = [0, 2].into_iter().fold(0.0_f64, |most, axis| {
        most.max(bounds.low[axis].abs()).max(bounds.high[axis].abs()).max(point[axis].abs())
    });
    largest * SLACK
}

impl Bounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    fn union(&self, other: &Self) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }
}

impl Item {
    /// Where it is and how it lies: its center, and its longest edge at twice the angle, so that opposite
    /// directions are one.
    fn place(&self) -> [f64; 5] {
        let Bounds { low, high } = self.bounds;
        let center = |axis: usize| low[axis] / 2.0 + high[axis] / 2.0;
        let [x, z] = self.longest;
        let length = (x * x + z * z).sqrt();
        let doubled = if length > 0.0 { [(x * x - z * z) / length, 2.0 * x * z / length] } else { [0.0; 2] };
        [center(0), center(1), center(2), doubled[0], doubled[1]]
    }
}
