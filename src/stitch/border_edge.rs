//! An edge of a polygon on its tile's border: where it lies along the border, how high, and what of it overlaps another.

use super::order::index_u32;
use crate::format::{Link, LinkKind, PolyRef, Tile, TileRef};

/// A portal edge of a tile in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct BorderEdge {
    pub(super) tile: TileRef,
    pub(super) polygon: u32,
    /// The edge's index in its polygon.
    pub(super) edge: u8,
    pub(super) side: u8,
    /// Coordinate along the border at the edge's first and second vertex; they differ.
    u: [f64; 2],
    /// World height at the first and second vertex.
    height: [f64; 2],
}

impl BorderEdge {
    /// The ends in ascending order along the border: (coordinate, height).
    pub(super) fn ends(&self) -> [(f64, f64); 2] {
        let [first, second] = [(self.u[0], self.height[0]), (self.u[1], self.height[1])];
        if first.0 < second.0 { [first, second] } else { [second, first] }
    }

    /// World height at a coordinate, in exactly the format's order of operations.
    pub(super) fn height_at(&self, u: f64) -> f64 {
        let ([u0, u1], [h0, h1]) = (self.u, self.height);
        if u == u0 {
            h0
        } else if u == u1 {
            h1
        } else {
            h0 + (h1 - h0) * ((u - u0) / (u1 - u0))
        }
    }

    /// The overlap with a facing edge, if the heights at both its ends differ by at most `climb`.
    pub(super) fn overlap(&self, other: &Self, climb: f64) -> Option<(f64, f64)> {
        let ([a0, a1], [b0, b1]) = (self.ends(), other.ends());
        let (lo, hi) = (a0.0.max(b0.0), a1.0.min(b1.0));
        let agree = |u| (self.height_at(u) - other.height_at(u)).abs() <= climb;
        (hi > lo && agree(lo) && agree(hi)).then_some((lo, hi))
    }

    /// The link to a facing edge over an overlap, covering it in 255ths from this edge's first vertex.
    pub(super) fn link_to(&self, other: &Self, (lo, hi): (f64, f64)) -> Link {
        let [u0, u1] = self.u;
        let (ta, tb) = ((lo - u0) / (u1 - u0), (hi - u0) / (u1 - u0));
        Link {
            to: other.tile.polygon(other.polygon),
            kind: LinkKind::Portal,
            edge: self.edge,
            side: self.side,
            range_min: range_255((ta.min(tb) * 255.0).floor()),
            range_max: range_255((ta.max(tb) * 255.0).ceil()),
            link: 0,
            owner_slot: 0,
        }
    }

    pub(super) fn poly(&self) -> PolyRef {
        self.tile.polygon(self.polygon)
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number clamped to 0..=255"
)]
fn range_255(value: f64) -> u8 {
    value.clamp(0.0, 255.0) as u8
}

/// The portal edges of a tile on one side, in portal order: by polygon, then edge.
pub(super) fn border_edges(reference: TileRef, tile: &Tile, side: u8) -> impl Iterator<Item = BorderEdge> {
    let edges = tile.polygons.iter().enumerate().flat_map(|(index, polygon)| {
        let count = usize::from(polygon.vertex_count);
        (0..count).map(move |edge| (index, polygon.edges(), edge))
    });
    edges
        .filter(move |(_, range, edge)| tile.edge_sides[range.start + edge] == side)
        .map(move |(index, _, edge)| border_edge(reference, tile, index, index_u8(edge), side))
}

/// One portal edge of a tile.
pub(super) fn border_edge(reference: TileRef, tile: &Tile, polygon: usize, edge: u8, side: u8) -> BorderEdge {
    let axis = if side.is_multiple_of(2) { 2 } else { 0 };
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    let first = usize::from(edge);
    let [a, b] = [corners[first], corners[(first + 1) % corners.len()]];
    let [a, b] = [tile.vertices[a as usize], tile.vertices[b as usize]];
    BorderEdge {
        tile: reference,
        polygon: index_u32(polygon),
        edge,
        side,
        u: [a[axis].into(), b[axis].into()],
        height: [tile.origin_y + f64::from(a[1]), tile.origin_y + f64::from(b[1])],
    }
}

/// The index of an edge in its polygon, which has at most 16.
fn index_u8(edge: usize) -> u8 {
    debug_assert!(edge < 16);
    u8::try_from(edge).unwrap_or(u8::MAX)
}
