//! Which portal edges of a column's side may link to a facing edge.
//!
//! Edges are segments in the plane of (coordinate along the border, world height). Overlapping intervals alone
//! would not do: a hostile file may pile up any number of edges at different heights, or with different slopes.
//! So the tree splits on all four of an edge's numbers (both ends' coordinates and heights), and a node is passed
//! over unless some edge in its bounds could agree with the query at both ends of their overlap.

use super::border_edge::BorderEdge;

/// Edges in a leaf.
const LEAF: usize = 8;
/// Slack for rounding, as a part of the largest height involved; far above any rounding, far below any climb
/// that matters, and only ever lets in a candidate that the exact test then refuses.
const SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// The four numbers of an edge: coordinate of its low and high end, height of its low and high end.
type Key = [f64; 4];

#[derive(Clone, Copy, Debug)]
struct Node {
    low: Key,
    high: Key,
    /// The node's edges: `order[start..end]`.
    start: usize,
    end: usize,
    /// Index of the second child; the first one follows its parent. 0 in a leaf.
    second: usize,
}

/// A tree over the edges of one side of a column.
#[derive(Debug)]
pub(super) struct BorderTree {
    edges: Vec<BorderEdge>,
    order: Vec<u32>,
    nodes: Vec<Node>,
}

impl BorderTree {
    pub(super) fn new(edges: Vec<BorderEdge>) -> Self {
        let keys: Vec<Key> = edges.iter().map(key).collect();
        let mut order: Vec<u32> = (0..).take(edges.len()).collect();
        let mut nodes = Vec::with_capacity(2 * edges.len().div_ceil(LEAF));
        let (low, high) = bounds(&keys, &order);
        let scale = std::array::from_fn(|axis| high[axis] - low[axis]);
        build(&keys, &mut order, 0, &scale, &mut nodes);
        Self { edges, order, nodes }
    }

    pub(super) fn edge(&self, index: u32) -> &BorderEdge {
        &self.edges[index as usize]
    }

    /// Visits, in no particular order, at least every edge that links to `query`.
    pub(super) fn for_each_near(&self, query: &BorderEdge, climb: f64, visit: impl FnMut(u32)) {
        self.for_each_near_counted(query, climb, visit, || ());
    }

    /// As `for_each_near`; also tells each time that it looks at a node.
    pub(super) fn for_each_near_counted(
        &self,
        query: &BorderEdge,
        climb: f64,
        mut visit: impl FnMut(u32),
        mut look: impl FnMut(),
    ) {
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            look();
            let node = &self.nodes[at];
            if !may_link(node, query, climb) {
                continue;
            }
            if node.second == 0 {
                self.order[node.start..node.end].iter().for_each(|&index| visit(index));
            } else {
                stack.extend([node.second, at + 1]);
            }
        }
    }
}

fn key(edge: &BorderEdge) -> Key {
    let [low, high] = edge.ends();
    [low.0, high.0, low.1, high.1]
}

fn bounds(keys: &[Key], order: &[u32]) -> (Key, Key) {
    let mut low = [f64::INFINITY; 4];
    let mut high = [f64::NEG_INFINITY; 4];
    for &index in order {
        for (axis, &value) in keys[index as usize].iter().enumerate() {
            low[axis] = low[axis].min(value);
            high[axis] = high[axis].max(value);
        }
    }
    (low, high)
}

/// Splits at the median of the number that spreads widest, measured in the root's spread.
fn build(keys: &[Key], order: &mut [u32], start: usize, scale: &Key, nodes: &mut Vec<Node>) {
    let (low, high) = bounds(keys, order);
    let at = nodes.len();
    nodes.push(Node { low, high, start, end: start + order.len(), second: 0 });
    if order.len() <= LEAF {
        return;
    }
    let spread = |axis: usize| if scale[axis] > 0.0 { (high[axis] - low[axis]) / scale[axis] } else { 0.0 };
    let mut widest = 0;
    for axis in 1..4 {
        if spread(axis) > spread(widest) {
            widest = axis;
        }
    }
    let middle = order.len() / 2;
    order.select_nth_unstable_by(middle, |&a, &b| {
        keys[a as usize][widest].total_cmp(&keys[b as usize][widest]).then(a.cmp(&b))
    });
    let (first, second) = order.split_at_mut(middle);
    build(keys, first, start, scale, nodes);
    nodes[at].second = nodes.len();
    build(keys, second, start + middle, scale, nodes);
}

/// Whether an edge with its numbers in the node's bounds could link to `query`.
fn may_link(node: &Node, query: &BorderEdge, climb: f64) -> bool {
    let [low, high] = query.ends();
    let ([lo_min, hi_min, ..], [lo_max, hi_max, ..]) = (node.low, node.high);
    if !(high.0 > lo_min && low.0 < hi_max) {
        return false;
    }
    let (node_low, node_high) = (node.low[2].min(node.low[3]), node.high[2].max(node.high[3]));
    let largest = node_low.abs().max(node_high.abs()).max(low.1.abs()).max(high.1.abs());
    let reach = climb + (largest + climb) * SLACK;
    // Where an overlap may be, the query's heights must come near the node's.
    let [h0, h1] = [query.height_at(low.0.max(lo_min)), query.height_at(high.0.min(hi_max))];
    if h0.min(h1) > node_high + reach || h0.max(h1) < node_low - reach {
        return false;
    }
    // Where every edge of the node overlaps the query, heights agree at both ends if they agree at all.
    let (from, to) = (low.0.max(lo_max), high.0.min(hi_min));
    if from > to {
        return true;
    }
    [from, to].into_iter().all(|u| {
        let (least, most) = heights_at(node, u);
        let height = query.height_at(u);
        least - reach <= height && height <= most + reach
    })
}

/// Bounds of the heights that the node's edges have at `u`, which lies inside all of them.
fn heights_at(node: &Node, u: f64) -> (f64, f64) {
    let ([lo_min, hi_min, h0_min, h1_min], [lo_max, hi_max, h0_max, h1_max]) = (node.low, node.high);
    // The part of an edge that lies before u falls as either of its ends moves up.
    let part = |lo: f64, hi: f64| if hi > lo { ((u - lo) / (hi - lo)).clamp(0.0, 1.0) } else { 0.5 };
    let parts = [part(lo_max, hi_max), part(lo_min, hi_min)];
    let at = |t: f64, h0: f64, h1: f64| h0 * (1.0 - t) + h1 * t;
    let [a, b] = parts.map(|t| at(t, h0_min, h1_min));
    let [c, d] = parts.map(|t| at(t, h0_max, h1_max));
    (a.min(b), c.max(d))
}
