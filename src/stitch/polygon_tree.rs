//! Which polygon a point attaches to: the one with the smallest score in reach.

use super::order::index_u32;
use crate::format::{NavMeshParams, PolyRef, Tile, TileRef};

/// Polygons in a leaf.
const LEAF: usize = 4;
/// Slack for rounding, as a part of the largest coordinate involved, when a box stands for its polygons.
const SLACK: f64 = 1.0 / (1_u64 << 32) as f64;

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
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
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
}

/// The best so far: score, then rank.
type Best = Option<(f64, u32)>;

impl<'a> PolygonTree<'a> {
    /// `tiles` come lowest layer first: that, then the polygon's index, decides between equal scores.
    pub(crate) fn new(params: &'a NavMeshParams, tiles: Vec<(TileRef, &'a Tile)>) -> Self {
        let mut items = Vec::new();
        for (tile, &(_, content)) in (0..).zip(&tiles) {
            for polygon in 0..content.polygons.len() {
                let outline = outline_in_world(params, content, polygon);
                items.push(Item { tile, polygon: index_u32(polygon), bounds: bounds_of(outline) });
            }
        }
        let mut order: Vec<u32> = (0..).take(items.len()).collect();
        let mut nodes = Vec::with_capacity(2 * items.len().div_ceil(LEAF));
        if !items.is_empty() {
            build(&items, &mut order, 0, &mut nodes);
        }
        Self { params, tiles, items, order, nodes }
    }

    /// The polygon that a world point attaches to: within `radius` horizontally and `climb` vertically, smallest
    /// distance² + dy², then lowest layer, then lowest index.
    pub(crate) fn attach(&self, point: [f64; 3], radius: f64, climb: f64) -> Option<PolyRef> {
        let mut best: Best = None;
        let mut stack = Vec::new();
        self.push(0, point, &mut stack);
        while let Some((at, reach)) = stack.pop() {
            let node = &self.nodes[at];
            if !reach.may_win(best, node.first_rank, radius, climb) {
                continue;
            }
            if node.second == 0 {
                for &rank in &self.order[node.start..node.end] {
                    self.consider(rank, point, radius, climb, &mut best);
                }
                continue;
            }
            // The more promising child is popped first.
            let children =
                [at + 1, node.second].map(|child| (child, Reach::to(&self.nodes[child].bounds, point)));
            let rank = |(child, reach): &(usize, Reach)| (reach.score(), self.nodes[*child].first_rank);
            let [first, second] = children;
            let in_order = rank(&first).partial_cmp(&rank(&second)).is_none_or(|order| order.is_le());
            stack.extend(if in_order { [second, first] } else { [first, second] });
        }
        best.map(|(_, rank)| {
            let item = &self.items[rank as usize];
            self.tiles[item.tile as usize].0.polygon(item.polygon)
        })
    }

    fn push(&self, at: usize, point: [f64; 3], stack: &mut Vec<(usize, Reach)>) {
        if let Some(node) = self.nodes.get(at) {
            stack.push((at, Reach::to(&node.bounds, point)));
        }
    }

    fn consider(&self, rank: u32, point: [f64; 3], radius: f64, climb: f64, best: &mut Best) {
        let item = &self.items[rank as usize];
        if !Reach::to(&item.bounds, point).may_win(*best, rank, radius, climb) {
            return;
        }
        let tile = self.tiles[item.tile as usize].1;
        let distance2 = distance_squared(self.params, tile, item.polygon as usize, point);
        let exact = Reach { distance2, dy: dy(&item.bounds, point[1]) };
        if exact.may_win(*best, rank, radius, climb) {
            *best = Some((exact.score(), rank));
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
    fn to(bounds: &Bounds, point: [f64; 3]) -> Self {
        let largest = [0, 2].iter().fold(0.0_f64, |most, &axis| {
            most.max(bounds.low[axis].abs()).max(bounds.high[axis].abs()).max(point[axis].abs())
        });
        let gap = |axis: usize| {
            let outside = (bounds.low[axis] - point[axis]).max(point[axis] - bounds.high[axis]);
            (outside - largest * SLACK).max(0.0)
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
            && best.is_none_or(|(score, best_rank)| {
                self.score() < score || (self.score() <= score && rank < best_rank)
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
fn distance_squared(params: &NavMeshParams, tile: &Tile, polygon: usize, [px, _, pz]: [f64; 3]) -> f64 {
    let outline = outline_in_world(params, tile, polygon);
    let (mut inside, mut strict, mut least) = (true, false, f64::INFINITY);
    for ([ax, _, az], [bx, _, bz]) in outline.clone().zip(outline.cycle().skip(1)) {
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
    let empty = Bounds { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };
    points.fold(empty, |bounds, point| union(&bounds, &Bounds { low: point, high: point }))
}

fn union(a: &Bounds, b: &Bounds) -> Bounds {
    Bounds {
        low: std::array::from_fn(|axis| a.low[axis].min(b.low[axis])),
        high: std::array::from_fn(|axis| a.high[axis].max(b.high[axis])),
    }
}

/// Splits at the median of the axis along which the centers spread widest.
fn build(items: &[Item], order: &mut [u32], start: usize, nodes: &mut Vec<Node>) {
    let item = |index: u32| &items[index as usize];
    let center =
        |index: u32, axis: usize| item(index).bounds.low[axis] / 2.0 + item(index).bounds.high[axis] / 2.0;
    let first = item(order[0]).bounds;
    let bounds = order[1..].iter().fold(first, |bounds, &index| union(&bounds, &item(index).bounds));
    let first_rank = order.iter().copied().min().unwrap_or(0);
    let at = nodes.len();
    nodes.push(Node { bounds, first_rank, start, end: start + order.len(), second: 0 });
    if order.len() <= LEAF {
        return;
    }
    let centers = order.iter().map(|&index| [0, 1, 2].map(|axis| center(index, axis)));
    let spread = bounds_of(centers);
    let width = |axis: usize| spread.high[axis] - spread.low[axis];
    let widest =
        if width(0) >= width(1) && width(0) >= width(2) { 0 } else { 1 + usize::from(width(2) > width(1)) };
    let middle = order.len() / 2;
    order.select_nth_unstable_by(middle, |&a, &b| {
        center(a, widest).total_cmp(&center(b, widest)).then(a.cmp(&b))
    });
    let (first, second) = order.split_at_mut(middle);
    build(items, first, start, nodes);
    nodes[at].second = nodes.len();
    build(items, second, start + middle, nodes);
}
