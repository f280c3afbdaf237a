//! Outlines with holes to triangles, in whole numbers.

use super::contours::Corner;
use super::poll::Poll;
use crate::bake::BakeError;

/// Corners by their indices, counter-clockwise.
pub(crate) type Triangle = [u32; 3];

/// A corner of the outline in work: where it lies, and its index in the caller's list.
#[derive(Clone, Copy, Debug)]
struct Node {
    x: i64,
    z: i64,
    index: u32,
}

/// Cuts an outline with holes into triangles. `outline` is counter-clockwise, `holes` are clockwise and inside.
///
/// Indices count the outline's corners first, then those of each hole. Answers the triangles, and whether their areas
/// sum to what the outlines enclose: they do unless the outlines cross.
///
/// Source: O'Rourke, Computational Geometry in C (1998), ears by shortest diagonal; a hole is joined by a bridge to the
/// nearest corner that sees it.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn triangulate(
    outline: &[Corner],
    holes: &[&[Corner]],
    poll: Poll<'_>,
) -> Result<(Vec<Triangle>, bool), BakeError> {
    let (ring, joined) = with_bridges(outline, holes, poll)?;
    let area = doubled_ring_area(&ring);
    let triangles = cut_ears(ring.clone(), poll)?;
    let places = places_of(outline, holes);
    let sum: i64 = triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|index| places[index as usize]);
            turn(a, b, c)
        })
        .sum();
    Ok((triangles, joined && sum == area))
}

fn places_of(outline: &[Corner], holes: &[&[Corner]]) -> Vec<Node> {
    let corners = outline.iter().chain(holes.iter().copied().flatten());
    corners.zip(0..).map(|(corner, index)| Node { x: corner.x.into(), z: corner.z.into(), index }).collect()
}

/// Twice the area of a triangle: above 0 when c lies left of a → b.
fn turn(a: Node, b: Node, c: Node) -> i64 {
    (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x)
}

/// Above 0 where a and b lie on one side of `at`, as far as they lie on a line with it.
fn along(at: Node, a: Node, b: Node) -> i64 {
    (a.x - at.x) * (b.x - at.x) + (a.z - at.z) * (b.z - at.z)
}

fn same(a: Node, b: Node) -> bool {
    a.x == b.x && a.z == b.z
}

fn squared_length(a: Node, b: Node) -> i64 {
    (b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z)
}

fn doubled_ring_area(ring: &[Node]) -> i64 {
    let Some(&first) = ring.first() else { return 0 };
    ring.windows(2).map(|pair| turn(first, pair[0], pair[1])).sum()
}

/// Whether the closed segments share a point.
fn meet(a: Node, b: Node, c: Node, d: Node) -> bool {
    let sides = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)].map(i64::signum);
    if sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0 {
        return true;
    }
    sides[0] == 0 && between(a, b, c)
        || sides[1] == 0 && between(a, b, d)
        || sides[2] == 0 && between(c, d, a)
        || sides[3] == 0 && between(c, d, b)
}

/// Whether p, on the line through a and b, lies on the segment.
fn between(a: Node, b: Node, p: Node) -> bool {
    a.x.min(b.x) <= p.x && p.x <= a.x.max(b.x) && a.z.min(b.z) <= p.z && p.z <= a.z.max(b.z)
}

/// Whether the segments cross in a point inside both.
fn cross(a: Node, b: Node, c: Node, d: Node) -> bool {
    turn(a, b, c).signum() * turn(a, b, d).signum() < 0 && turn(c, d, a).signum() * turn(c, d, b).signum() < 0
}

/// Whether p lies inside the corner before–at–after, the ring's inside on the left.
fn in_cone(before: Node, at: Node, after: Node, p: Node) -> bool {
    let bend = turn(before, at, after);
    if bend == 0 && along(at, before, after) > 0 {
        // The tip of a slit: the inside is all around it.
        return turn(before, at, p) != 0 || along(at, before, p) < 0;
    }
    if bend >= 0 {
        turn(at, p, before) > 0 && turn(p, at, after) > 0
    } else {
        !(turn(at, p, after) >= 0 && turn(p, at, before) >= 0)
    }
}

/// One ring of the outline and its holes; whether each hole found its bridge. Those that did not are left out.
fn with_bridges(
    outline: &[Corner],
    holes: &[&[Corner]],
    poll: Poll<'_>,
) -> Result<(Vec<Node>, bool), BakeError> {
    let places = places_of(outline, holes);
    let mut ring = places[..outline.len()].to_vec();
    let mut start = outline.len();
    let mut rings: Vec<&[Node]> = Vec::with_capacity(holes.len());
    for hole in holes {
        rings.push(&places[start..start + hole.len()]);
        start += hole.len();
    }
    // From left to right: what lies between a hole and the outline to its left is joined before it.
    rings.sort_by_key(|hole| hole.iter().map(|node| (node.x, node.z)).min());
    let mut joined = true;
    for (number, hole) in rings.iter().enumerate() {
        match bridge(&ring, hole, &rings[number..], poll)? {
            Some((at, entry)) => {
                let around = (0..=hole.len()).map(|step| hole[(entry + step) % hole.len()]);
                let insert: Vec<Node> = around.chain([ring[at]]).collect();
                ring.splice(at + 1..at + 1, insert);
            }
            None => joined = false,
        }
    }
    Ok((ring, joined))
}

/// A corner of the ring and one of the hole that see each other; the leftmost of the hole is tried first.
fn bridge(
    ring: &[Node],
    hole: &[Node],
    waiting: &[&[Node]],
    poll: Poll<'_>,
) -> Result<Option<(usize, usize)>, BakeError> {
    let leftmost = (0..hole.len()).min_by_key(|&index| (hole[index].x, hole[index].z)).unwrap_or(0);
    let mut near: Vec<(i64, usize)> = Vec::new();
    for step in 0..hole.len() {
        let entry = (leftmost + step) % hole.len();
        let node = hole[entry];
        near.clear();
        for (index, &at) in ring.iter().enumerate() {
            let before = ring[(index + ring.len() - 1) % ring.len()];
            let after = ring[(index + 1) % ring.len()];
            if in_cone(before, at, after, node) {
                near.push((squared_length(at, node), index));
            }
        }
        near.sort_unstable();
        for &(_, index) in &near {
            poll()?;
            let at = ring[index];
            if !blocked(at, node, ring) && !waiting.iter().any(|other| blocked(at, node, other)) {
                return Ok(Some((index, entry)));
            }
        }
    }
    Ok(None)
}

/// Whether an edge of the ring stands between two places; edges that begin or end at one of them do not.
fn blocked(from: Node, to: Node, ring: &[Node]) -> bool {
    let Some(mut a) = ring.last().copied() else { return false };
    let (low, high) = ([from.x.min(to.x), from.z.min(to.z)], [from.x.max(to.x), from.z.max(to.z)]);
    ring.iter().any(|&b| {
        let a = std::mem::replace(&mut a, b);
        // Nearly all lie elsewhere.
        if a.x.max(b.x) < low[0] || a.x.min(b.x) > high[0] || a.z.max(b.z) < low[1] || a.z.min(b.z) > high[1]
        {
            return false;
        }
        let touches = same(a, from) || same(b, from) || same(a, to) || same(b, to);
        !touches && meet(from, to, a, b)
    })
}

/// Cuts off the ear with the shortest diagonal until a triangle is left. Where outlines cross and no ear is clean, one
/// that crosses nothing properly is taken, then any that turns left.
fn cut_ears(mut ring: Vec<Node>, poll: Poll<'_>) -> Result<Vec<Triangle>, BakeError> {
    let mut triangles = Vec::with_capacity(ring.len().saturating_sub(2));
    let mut ears: Vec<bool> = Vec::with_capacity(ring.len());
    for at in 0..ring.len() {
        poll()?;
        ears.push(is_ear(&ring, at));
    }
    while ring.len() > 3 {
        poll()?;
        let count = ring.len();
        let around = |at: usize| (ring[(at + count - 1) % count], ring[at], ring[(at + 1) % count]);
        let length = |at: &usize| {
            let (before, _, after) = around(*at);
            (squared_length(before, after), *at)
        };
        let shortest = (0..count).filter(|&at| ears[at]).min_by_key(length);
        let left = |at: &usize| {
            let (before, at, after) = around(*at);
            turn(before, at, after) > 0
        };
        let loose = || (0..count).filter(left).filter(|&at| crosses_nothing(&ring, at)).min_by_key(length);
        let any = || (0..count).filter(left).min_by_key(length);
        let flat = || {
            (0..count).find(|&at| {
                let (before, here, after) = around(at);
                turn(before, here, after) == 0
            })
        };
        let Some(at) = shortest.or_else(loose).or_else(any).or_else(flat) else { break };
        let (before, here, after) = around(at);
        if turn(before, here, after) > 0 {
            triangles.push([before.index, here.index, after.index]);
        }
        ring.remove(at);
        ears.remove(at);
        let count = ring.len();
        for beside in [(at + count - 1) % count, at % count] {
            ears[beside] = is_ear(&ring, beside);
        }
    }
    if let [a, b, c] = ring[..]
        && turn(a, b, c) > 0
    {
        triangles.push([a.index, b.index, c.index]);
    }
    Ok(triangles)
}

/// Whether the diagonal past a corner lies inside the ring and touches nothing else of it.
fn is_ear(ring: &[Node], at: usize) -> bool {
    let count = ring.len();
    let (before, after) = ((at + count - 1) % count, (at + 1) % count);
    let (from, to) = (ring[before], ring[after]);
    turn(from, ring[at], to) > 0
        && in_cone(ring[(before + count - 1) % count], from, ring[at], to)
        && in_cone(ring[at], to, ring[(after + 1) % count], from)
        && !blocked(from, to, ring)
}

fn crosses_nothing(ring: &[Node], at: usize) -> bool {
    let count = ring.len();
    let (from, to) = (ring[(at + count - 1) % count], ring[(at + 1) % count]);
    !(0..count).any(|index| cross(from, to, ring[index], ring[(index + 1) % count]))
}
