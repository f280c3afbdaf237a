//! Edges to pieces that meet in their ends only, exactly: no crossing is ever rounded.
//!
//! A crossing is kept as a fraction of an input edge, and every piece keeps the input edges it lies on, so direction
//! and collinearity are asked of integer edges alone. Two crossings are one node exactly when some edge has both at
//! the same fraction.

use crate::geom::grid::{IntBox, IntPoint};
use crate::geom::predicates::{compare_angles, in_span, orient};
use crate::geom::ratio::Ratio;
use crate::geom::segment_grid::SegmentGrid;
use crate::geom::union_find::UnionFind;

/// A directed input edge; its ends differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: IntPoint,
    pub(crate) to: IntPoint,
    /// The caller's number for what it belongs to.
    pub(crate) owner: u32,
}

/// Where a node lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Point(IntPoint),
    /// At a fraction of an input edge.
    Crossing(u32, Ratio),
}

/// A part of one or more input edges between two nodes, with no node inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// An input edge it lies on and runs along, with the fractions of its ends.
    pub(crate) edge: u32,
    pub(crate) start: Ratio,
    pub(crate) end: Ratio,
    first_member: u32,
    member_count: u32,
}

/// An input edge that a piece lies on; whether the edge runs from the piece's `from` to its `to`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) edge: u32,
    pub(crate) forward: bool,
}

/// A piece as a part of one input edge: where it ends, and the half that runs along the edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) end: Ratio,
    pub(crate) half: u32,
}

/// Edges, nodes and pieces, and the order of pieces around each node. Half 2p runs along piece p, half 2p + 1 back.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) edges: Vec<Edge>,
    pub(crate) places: Vec<Place>,
    pub(crate) pieces: Vec<Piece>,
    members: Vec<Member>,
    part_starts: Vec<u32>,
    parts: Vec<Part>,
    outgoing_starts: Vec<u32>,
    outgoing: Vec<u32>,
    pub(crate) grid: SegmentGrid,
}

/// A node on an edge.
#[derive(Clone, Copy)]
struct Event {
    edge: u32,
    at: Ratio,
    node: u32,
}

/// Nodes all edges.
pub(crate) fn arrange(edges: Vec<Edge>) -> Arrangement {
    let (mut places, ends) = distinct_points(&edges);
    let mut events: Vec<Event> = Vec::with_capacity(edges.len() * 3);
    for (edge, &(from, to)) in ends.iter().enumerate() {
        let edge = edge as u32;
        events.push(Event { edge, at: Ratio::ZERO, node: from });
        events.push(Event { edge, at: Ratio::ONE, node: to });
    }
    let segments: Vec<_> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let grid = SegmentGrid::new(&segments);
    grid.pairs(&segments, |i, j| meet(&edges, &ends, i, j, &mut places, &mut events));
    let (starts, mut order) = group(edges.len(), events.iter().map(|event| event.edge));
    for edge in 0..edges.len() {
        order[starts[edge] as usize..starts[edge + 1] as usize].sort_unstable_by(|&a, &b| {
            let (a, b) = (&events[a as usize], &events[b as usize]);
            a.at.cmp(&b.at).then(a.node.cmp(&b.node))
        });
    }
    let events: Vec<Event> = order.into_iter().map(|event| events[event as usize]).collect();

    // Input points come first, so the least node of a set is a point where there is one.
    let mut nodes = UnionFind::new(places.len());
    for pair in events.windows(2) {
        if pair[0].edge == pair[1].edge && pair[0].at == pair[1].at {
            nodes.union(pair[0].node, pair[1].node);
        }
    }
    let Pieces { pieces, members, part_starts, parts } = pieces_of(edges.len(), &events, &mut nodes);
    let (outgoing_starts, outgoing) = order_around(&edges, &pieces, places.len());
    Arrangement { edges, places, pieces, members, part_starts, parts, outgoing_starts, outgoing, grid }
}

/// Groups 0..n by their keys below `count`, each group in order: where each group starts, and the members.
fn group(count: usize, keys: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; count + 1];
    let mut total = 0;
    for key in keys.clone() {
        starts[key as usize + 1] += 1;
        total += 1;
    }
    for at in 0..count {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut members = vec![0; total];
    for (member, key) in (0..).zip(keys) {
        let at = &mut next[key as usize];
        members[*at as usize] = member;
        *at += 1;
    }
    (starts, members)
}

/// Each distinct end point once, in order, and each edge's two of them.
fn distinct_points(edges: &[Edge]) -> (Vec<Place>, Vec<(u32, u32)>) {
    let mut points: Vec<(IntPoint, u32)> =
        (0..).step_by(2).zip(edges).flat_map(|(end, edge)| [(edge.from, end), (edge.to, end + 1)]).collect();
    points.sort_unstable();
    let mut places: Vec<Place> = Vec::with_capacity(points.len());
    let mut ends = vec![(0, 0); edges.len()];
    for (index, &(point, end)) in points.iter().enumerate() {
        if index == 0 || points[index - 1].0 != point {
            places.push(Place::Point(point));
        }
        let (of_edge, node) = (&mut ends[end as usize / 2], places.len() as u32 - 1);
        if end & 1 == 0 { of_edge.0 = node } else { of_edge.1 = node }
    }
    (places, ends)
}

/// Records where two edges meet: a crossing of their insides, or an end of one on the other.
fn meet(
    edges: &[Edge],
    ends: &[(u32, u32)],
    i: u32,
    j: u32,
    places: &mut Vec<Place>,
    events: &mut Vec<Event>,
) {
    let (a, b) = (&edges[i as usize], &edges[j as usize]);
    if !IntBox::around([a.from, a.to]).meets(&IntBox::around([b.from, b.to])) {
        return;
    }
    let (b_from, b_to) = (orient(a.from, a.to, b.from), orient(a.from, a.to, b.to));
    if (b_from > 0 && b_to > 0) || (b_from < 0 && b_to < 0) {
        return;
    }
    let (a_from, a_to) = (orient(b.from, b.to, a.from), orient(b.from, b.to, a.to));
    if (a_from > 0 && a_to > 0) || (a_from < 0 && a_to < 0) {
        return;
    }
    if b_from != 0 && b_to != 0 && a_from != 0 && a_to != 0 {
        let part =
            |from: i128, to: i128| Ratio::new(from.unsigned_abs(), from.unsigned_abs() + to.unsigned_abs());
        let (on_a, on_b) = (part(a_from, a_to), part(b_from, b_to));
        let node = places.len() as u32;
        places.push(Place::Crossing(i, on_a));
        events.push(Event { edge: i, at: on_a, node });
        events.push(Event { edge: j, at: on_b, node });
        return;
    }
    let mut touch = |edge: u32, on: &Edge, orientation: i128, p: IntPoint, node: u32| {
        if orientation == 0 && p != on.from && p != on.to && in_span(on.from, on.to, p) {
            events.push(Event { edge, at: fraction_of_point(on, p), node });
        }
    };
    touch(i, a, b_from, b.from, ends[j as usize].0);
    touch(i, a, b_to, b.to, ends[j as usize].1);
    touch(j, b, a_from, a.from, ends[i as usize].0);
    touch(j, b, a_to, a.to, ends[i as usize].1);
}

/// The fraction of an edge at which a point of it lies.
pub(crate) fn fraction_of_point(edge: &Edge, p: IntPoint) -> Ratio {
    let (d, q) = (edge.to - edge.from, p - edge.from);
    let (along, whole) = if d.x.unsigned_abs() >= d.z.unsigned_abs() { (q.x, d.x) } else { (q.z, d.z) };
    Ratio::new(u128::from(along.unsigned_abs()), u128::from(whole.unsigned_abs()))
}

/// Pieces with the edges they lie on, and each edge's parts.
struct Pieces {
    pieces: Vec<Piece>,
    members: Vec<Member>,
    part_starts: Vec<u32>,
    parts: Vec<Part>,
}

/// Consecutive events of an edge bound pieces; pieces between the same two nodes are one. `events`: by edge, in order
/// along it.
fn pieces_of(edge_count: usize, events: &[Event], nodes: &mut UnionFind) -> Pieces {
    // (lesser node, greater node, first event), so that equal ones come together, by edge.
    let mut stretches: Vec<(u32, u32, u32)> = Vec::with_capacity(events.len());
    for (first, pair) in (0..).zip(events.windows(2)) {
        if pair[0].edge == pair[1].edge {
            let (from, to) = (nodes.find(pair[0].node), nodes.find(pair[1].node));
            if from != to {
                stretches.push((from.min(to), from.max(to), first));
            }
        }
    }
    let mut part_starts = vec![0_u32; edge_count + 1];
    for &(.., first) in &stretches {
        part_starts[events[first as usize].edge as usize + 1] += 1;
    }
    for edge in 0..edge_count {
        part_starts[edge + 1] += part_starts[edge];
    }
    // Stretches come in order along each edge.
    let mut part_of_event = vec![0_u32; events.len()];
    for (part, &(.., first)) in (0..).zip(&stretches) {
        part_of_event[first as usize] = part;
    }
    stretches.sort_unstable();
    let mut pieces: Vec<Piece> = Vec::with_capacity(stretches.len());
    let mut members: Vec<Member> = Vec::with_capacity(stretches.len());
    let mut parts = vec![Part { end: Ratio::ZERO, half: 0 }; stretches.len()];
    for group in stretches.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (low, high, lead) = group[0];
        let is_forward = |first: u32| nodes.root(events[first as usize].node) == low;
        let lead_is_forward = is_forward(lead);
        let (from, to) = if lead_is_forward { (low, high) } else { (high, low) };
        let (start, end) = (events[lead as usize], events[lead as usize + 1]);
        pieces.push(Piece {
            from,
            to,
            edge: start.edge,
            start: start.at,
            end: end.at,
            first_member: members.len() as u32,
            member_count: group.len() as u32,
        });
        let forward_half = (pieces.len() as u32 - 1) * 2;
        for &(.., first) in group {
            let (edge, forward) = (events[first as usize].edge, is_forward(first) == lead_is_forward);
            members.push(Member { edge, forward });
            parts[part_of_event[first as usize] as usize] =
                Part { end: events[first as usize + 1].at, half: forward_half + u32::from(!forward) };
        }
    }
    Pieces { pieces, members, part_starts, parts }
}

/// The halves that leave each node, counter-clockwise from +x.
fn order_around(edges: &[Edge], pieces: &[Piece], node_count: usize) -> (Vec<u32>, Vec<u32>) {
    let halves = 0..pieces.len() as u32 * 2;
    let (starts, mut outgoing) = group(node_count, halves.map(|half| half_origin(pieces, half)));
    for node in 0..node_count {
        let around = &mut outgoing[starts[node] as usize..starts[node + 1] as usize];
        if around.len() > 1 {
            around.sort_unstable_by(|&a, &b| {
                compare_angles(half_direction(edges, pieces, a), half_direction(edges, pieces, b))
            });
        }
    }
    (starts, outgoing)
}

fn half_origin(pieces: &[Piece], half: u32) -> u32 {
    let piece = &pieces[half as usize / 2];
    if half & 1 == 0 { piece.from } else { piece.to }
}

fn half_direction(edges: &[Edge], pieces: &[Piece], half: u32) -> IntPoint {
    let edge = &edges[pieces[half as usize / 2].edge as usize];
    if half & 1 == 0 { edge.to - edge.from } else { edge.from - edge.to }
}

impl Arrangement {
    /// The node a half starts at.
    pub(crate) fn origin(&self, half: u32) -> u32 {
        half_origin(&self.pieces, half)
    }

    /// The direction of a half: that of its input edge, exactly.
    pub(crate) fn direction(&self, half: u32) -> IntPoint {
        half_direction(&self.edges, &self.pieces, half)
    }

    /// The halves that leave a node, counter-clockwise from +x.
    pub(crate) fn outgoing(&self, node: u32) -> &[u32] {
        let range = self.outgoing_starts[node as usize]..self.outgoing_starts[node as usize + 1];
        &self.outgoing[range.start as usize..range.end as usize]
    }

    /// The input edges that a piece lies on.
    pub(crate) fn members(&self, piece: u32) -> &[Member] {
        let piece = &self.pieces[piece as usize];
        &self.members[piece.first_member as usize..(piece.first_member + piece.member_count) as usize]
    }

    /// The pieces of an input edge, in order along it.
    pub(crate) fn parts_of(&self, edge: u32) -> &[Part] {
        let range = self.part_starts[edge as usize]..self.part_starts[edge as usize + 1];
        &self.parts[range.start as usize..range.end as usize]
    }

    /// A node's place in units, rounded down to whole units; exact for points.
    pub(crate) fn floor_of(&self, node: u32) -> IntPoint {
        match self.places[node as usize] {
            Place::Point(p) => p,
            Place::Crossing(edge, at) => {
                let edge = &self.edges[edge as usize];
                floor_at(edge.from, edge.to, at)
            }
        }
    }

    /// A node's place in units, to about an f64's precision.
    pub(crate) fn f64_of(&self, node: u32) -> [f64; 2] {
        match self.places[node as usize] {
            Place::Point(p) => [p.x as f64, p.z as f64],
            Place::Crossing(edge, at) => {
                let edge = &self.edges[edge as usize];
                f64_at(edge.from, edge.to, at)
            }
        }
    }
}

/// The place at a fraction of a segment, each coordinate rounded down to whole units.
pub(crate) fn floor_at(from: IntPoint, to: IntPoint, at: Ratio) -> IntPoint {
    let d = to - from;
    IntPoint::new(floor_along(from.x, d.x, at), floor_along(from.z, d.z, at))
}

/// The place at a fraction of a segment, to about an f64's precision.
pub(crate) fn f64_at(from: IntPoint, to: IntPoint, at: Ratio) -> [f64; 2] {
    let (d, t) = (to - from, at.to_f64());
    [from.x as f64 + d.x as f64 * t, from.z as f64 + d.z as f64 * t]
}

/// The place at a fraction of a segment where it lies on whole units.
pub(crate) fn exact_at(from: IntPoint, to: IntPoint, at: Ratio) -> Option<IntPoint> {
    let d = to - from;
    let exact = at.of(d.x.unsigned_abs()).1 && at.of(d.z.unsigned_abs()).1;
    exact.then(|| floor_at(from, to, at))
}

/// ⌊from + delta · at⌋.
fn floor_along(from: i64, delta: i64, at: Ratio) -> i64 {
    let (part, exact) = at.of(delta.unsigned_abs());
    let part = part as i64;
    if delta >= 0 { from + part } else { from - part - i64::from(!exact) }
}

impl Arrangement {
    /// The node at an input point, if some edge ends there.
    pub(crate) fn node_at(&self, p: IntPoint) -> Option<u32> {
        let place = |node: usize| match self.places[node] {
            Place::Point(q) => Some(q),
            Place::Crossing(..) => None,
        };
        let (mut low, mut high) = (0, self.places.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if place(middle).is_some_and(|q| q < p) { low = middle + 1 } else { high = middle }
        }
        (low < self.places.len() && place(low) == Some(p)).then_some(low as u32)
    }
}

impl Arrangement {
    /// A node's place in units where it lies on whole units.
    pub(crate) fn exact_of(&self, node: u32) -> Option<IntPoint> {
        match self.places[node as usize] {
            Place::Point(p) => Some(p),
            Place::Crossing(edge, at) => {
                let edge = &self.edges[edge as usize];
                exact_at(edge.from, edge.to, at)
            }
        }
    }
}
