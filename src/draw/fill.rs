//! Outlines of any form as convex pieces, for canvases that fill nothing else.

use std::collections::BTreeMap;

/// Cuts the non-zero inside of a closed outline into trapezoids.
///
/// `outline`: any winding, may cross itself; points (x, z). For showing only: crossings are rounded. The pieces do
/// not overlap and their areas sum to the inside's but for rounding. Cost is quadratic in the points.
#[must_use]
pub fn convex_pieces(outline: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let edges = rising_edges(outline);
    let cuts = cuts(&edges);
    let mut pieces = Vec::new();
    // Spans that the slab below ended with: (left edge, right edge) → where the trapezoid began.
    let mut open: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for slab in cuts.windows(2) {
        let mut next = BTreeMap::new();
        for span in spans(&edges, slab[0], slab[1]) {
            let began = open.remove(&span).unwrap_or(slab[0]);
            next.insert(span, began);
        }
        close(&edges, &open, slab[0], &mut pieces);
        open = next;
    }
    if let Some(&top) = cuts.last() {
        close(&edges, &open, top, &mut pieces);
    }
    pieces
}

/// An edge from its lower to its upper end, with the winding that it adds.
struct Edge {
    low: [f64; 2],
    high: [f64; 2],
    winding: i32,
}

impl Edge {
    fn x_at(&self, z: f64) -> f64 {
        if z <= self.low[1] {
            return self.low[0];
        }
        if z >= self.high[1] {
            return self.high[0];
        }
        let t = (z - self.low[1]) / (self.high[1] - self.low[1]);
        self.low[0] + (self.high[0] - self.low[0]) * t
    }
}

fn rising_edges(outline: &[[f64; 2]]) -> Vec<Edge> {
    let next = outline.iter().cycle().skip(1);
    let pairs = outline.iter().zip(next);
    let rising = pairs.filter_map(|(&a, &b)| match a[1].partial_cmp(&b[1])? {
        std::cmp::Ordering::Less => Some(Edge { low: a, high: b, winding: 1 }),
        std::cmp::Ordering::Greater => Some(Edge { low: b, high: a, winding: -1 }),
        std::cmp::Ordering::Equal => None,
    });
    rising.collect()
}

/// Every z at which an edge begins, ends or crosses another, in order.
fn cuts(edges: &[Edge]) -> Vec<f64> {
    let mut cuts: Vec<f64> = edges.iter().flat_map(|edge| [edge.low[1], edge.high[1]]).collect();
    for (index, a) in edges.iter().enumerate() {
        cuts.extend(edges[index + 1..].iter().filter_map(|b| crossing(a, b)));
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

fn crossing(a: &Edge, b: &Edge) -> Option<f64> {
    let low = a.low[1].max(b.low[1]);
    let high = a.high[1].min(b.high[1]);
    if low >= high {
        return None;
    }
    let below = a.x_at(low) - b.x_at(low);
    let above = a.x_at(high) - b.x_at(high);
    (below * above < 0.0).then(|| low + (high - low) * (below / (below - above)))
}

/// Pairs of edges between which the slab is inside.
fn spans(edges: &[Edge], low: f64, high: f64) -> Vec<(usize, usize)> {
    let middle = 0.5 * (low + high);
    let mut across: Vec<(f64, usize)> = edges
        .iter()
        .enumerate()
        .filter(|(_, edge)| edge.low[1] <= low && high <= edge.high[1])
        .map(|(index, edge)| (edge.x_at(middle), index))
        .collect();
    across.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut spans = Vec::new();
    let (mut winding, mut left) = (0, 0);
    for &(_, index) in &across {
        if winding == 0 {
            left = index;
        }
        winding += edges[index].winding;
        if winding == 0 {
            spans.push((left, index));
        }
    }
    spans
}

fn close(edges: &[Edge], open: &BTreeMap<(usize, usize), f64>, top: f64, pieces: &mut Vec<Vec<[f64; 2]>>) {
    for (&(left, right), &bottom) in open {
        let (left, right) = (&edges[left], &edges[right]);
        let mut piece = vec![
            [left.x_at(bottom), bottom],
            [right.x_at(bottom), bottom],
            [right.x_at(top), top],
            [left.x_at(top), top],
        ];
        piece.dedup();
        if piece.len() > 3 && piece[0] == piece[piece.len() - 1] {
            piece.pop();
        }
        if piece.len() >= 3 {
            pieces.push(piece);
        }
    }
}
