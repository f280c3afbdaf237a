//! Why an edge or an off-mesh link leads where it does, or nowhere: what was measured, and the limit it broke.

use super::border_edge::{BorderEdge, border_edge};
use super::load::column_edges;
use super::offmesh::end_column;
use super::polygon_tree::{Near, PolygonTree};
use super::portal::column_across;
use crate::format::{Link, LinkKind, NO_SIDE, PolyRef, Tile, TilePosition, TileRef, TiledNavMesh};

/// What an edge of a polygon leads to, or why it leads nowhere.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeExplanation {
    /// To another polygon of its tile.
    Neighbour(PolyRef),
    /// Nowhere: it is a wall inside the tile.
    Wall,
    /// Over a tile border, along these links.
    Linked(Vec<Link>),
    /// Nowhere, although it is a portal on this side (0 +X, 1 +Z, 2 −X, 3 −Z).
    Unlinked {
        /// The border side.
        side: u8,
        /// Why.
        reason: PortalMiss,
    },
}

/// Why a portal edge links to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PortalMiss {
    /// The column across would lie beyond those that exist.
    NoColumn,
    /// No tile stands in the column across.
    NoTile {
        /// Column across.
        tile_x: i32,
        /// Row across.
        tile_z: i32,
    },
    /// Tiles stand there, but none has a portal on the facing side.
    NoPortal {
        /// Column across.
        tile_x: i32,
        /// Row across.
        tile_z: i32,
    },
    /// No facing edge overlaps it; 0 apart still is no overlap.
    NoOverlap {
        /// The facing edge that comes nearest along the border.
        nearest: FacingEdge,
        /// How far apart they are along the border, in world units.
        gap: f64,
        /// World place on the edge that is nearest to it.
        place: [f64; 3],
    },
    /// Facing edges overlap it, but at another height.
    Height {
        /// The one that comes nearest in height.
        nearest: FacingEdge,
        /// Its height less this edge's, at the end of the overlap where they differ most.
        difference: f64,
        /// The most that would be allowed.
        climb: f64,
        /// World place on the edge where they differ so.
        place: [f64; 3],
    },
}

/// An edge on the other side of a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FacingEdge {
    /// Its polygon.
    pub polygon: PolyRef,
    /// Its index in the polygon.
    pub edge: u8,
}

/// Where both ends of an off-mesh link attach, or why not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkExplanation {
    /// At its start, in the tile that owns it.
    pub start: EndExplanation,
    /// At its end, in the column under it.
    pub end: EndExplanation,
}

/// Where an end of an off-mesh link attaches, or why nowhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EndExplanation {
    /// To this polygon.
    Attached(Candidate),
    /// Nowhere: no tile stands in its column (which may lie beyond those that exist).
    NoTile,
    /// Nowhere: the nearest polygon is out of reach.
    OutOfReach {
        /// The nearest one by the stitching's own score.
        nearest: Candidate,
        /// The largest horizontal distance allowed.
        radius: f64,
        /// The largest vertical distance allowed.
        climb: f64,
    },
}

/// A polygon that a point may attach to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Which one.
    pub polygon: PolyRef,
    /// Horizontal distance to it; 0 inside.
    pub distance: f64,
    /// Vertical distance outside the heights of its corners.
    pub dy: f64,
}

/// What an edge of a polygon leads to, or why it leads nowhere; `None` for a stale reference or an edge that the
/// polygon does not have. Costs what the border's edges are.
#[must_use]
pub fn explain_edge(mesh: &TiledNavMesh, polygon: PolyRef, edge: u8) -> Option<EdgeExplanation> {
    let (tile, index) = mesh.polygon(polygon)?;
    let at = tile.polygons[index].edges().nth(edge.into())?;
    let (neighbour, side) = (tile.edge_neighbours[at], tile.edge_sides[at]);
    if neighbour != 0 {
        return Some(EdgeExplanation::Neighbour(polygon.tile().polygon(neighbour - 1)));
    }
    if side == NO_SIDE {
        return Some(EdgeExplanation::Wall);
    }
    let leaves = |link: &&Link| link.kind == LinkKind::Portal && link.edge == edge;
    let links: Vec<Link> = mesh.links(polygon).iter().filter(leaves).copied().collect();
    if !links.is_empty() {
        return Some(EdgeExplanation::Linked(links));
    }
    let own = border_edge(polygon.tile(), tile, index, edge, side);
    Some(EdgeExplanation::Unlinked { side, reason: explain_miss(mesh, tile, &own) })
}

/// Where the ends of a tile's off-mesh link attach, or why not; `None` for a stale reference or a link that the tile
/// does not have.
#[must_use]
pub fn explain_link(mesh: &TiledNavMesh, owner: TileRef, link: u32) -> Option<LinkExplanation> {
    let tile = mesh.tile(owner)?;
    let slot_link = tile.links.get(link as usize)?;
    let reach = (f64::from(slot_link.radius), f64::from(mesh.params().walkable_climb));
    let explain = |tiles: Vec<(TileRef, &Tile)>, point| {
        let tree = PolygonTree::new(mesh.params(), tiles);
        explain_end(&tree, point, reach)
    };
    let start = explain(vec![(owner, tile)], tile.point_in_world(mesh.params(), slot_link.start));
    let column = end_column(mesh.params(), tile, slot_link);
    let tiles = column.map_or_else(Vec::new, |(x, z)| mesh.column(x, z).collect());
    let end = explain(tiles, tile.point_in_world(mesh.params(), slot_link.end));
    Some(LinkExplanation { start, end })
}

fn explain_end(tree: &PolygonTree<'_>, point: [f64; 3], (radius, climb): (f64, f64)) -> EndExplanation {
    let candidate =
        |near: Near| Candidate { polygon: near.polygon, distance: near.distance_squared.sqrt(), dy: near.dy };
    if let Some(near) = tree.attach_near(point, radius, climb) {
        return EndExplanation::Attached(candidate(near));
    }
    match tree.attach_near(point, f64::INFINITY, f64::INFINITY) {
        Some(near) => EndExplanation::OutOfReach { nearest: candidate(near), radius, climb },
        None => EndExplanation::NoTile,
    }
}

fn explain_miss(mesh: &TiledNavMesh, tile: &Tile, own: &BorderEdge) -> PortalMiss {
    let TilePosition { tile_x, tile_z, .. } = tile.position();
    let Some((tile_x, tile_z)) = column_across((tile_x, tile_z), own.side) else {
        return PortalMiss::NoColumn;
    };
    if mesh.column(tile_x, tile_z).next().is_none() {
        return PortalMiss::NoTile { tile_x, tile_z };
    }
    let facing = column_edges(mesh, (tile_x, tile_z), own.side ^ 2);
    // Lowest layer and portal order first, so the first of equals is the one that the format lists first.
    let by_height = facing.iter().filter_map(|other| Some((height_miss(own, other)?, other)));
    let nearest = by_height.min_by(|(a, _), (b, _)| a.difference.abs().total_cmp(&b.difference.abs()));
    let place = |u: f64| place_on(mesh, tile, own, u);
    let name = |other: &BorderEdge| FacingEdge { polygon: other.poly(), edge: other.edge };
    if let Some((miss, other)) = nearest {
        let climb = mesh.params().walkable_climb.into();
        let HeightMiss { difference, u } = miss;
        return PortalMiss::Height { nearest: name(other), difference, climb, place: place(u) };
    }
    let gaps = facing.iter().map(|other| (gap(own, other), other));
    match gaps.min_by(|(a, _), (b, _)| a.length.total_cmp(&b.length)) {
        Some((gap, other)) => {
            PortalMiss::NoOverlap { nearest: name(other), gap: gap.length, place: place(gap.u) }
        }
        None => PortalMiss::NoPortal { tile_x, tile_z },
    }
}

/// The height of a facing edge less one's own, where they differ most.
struct HeightMiss {
    difference: f64,
    u: f64,
}

fn height_miss(own: &BorderEdge, other: &BorderEdge) -> Option<HeightMiss> {
    let ([a0, a1], [b0, b1]) = (own.ends(), other.ends());
    let (lo, hi) = (a0.0.max(b0.0), a1.0.min(b1.0));
    let at = |u: f64| HeightMiss { difference: other.height_at(u) - own.height_at(u), u };
    let (low, high) = (at(lo), at(hi));
    (hi > lo).then(|| if high.difference.abs() > low.difference.abs() { high } else { low })
}

/// What lies between two edges that do not overlap, and one's own coordinate nearest to the other.
struct Gap {
    length: f64,
    u: f64,
}

fn gap(own: &BorderEdge, other: &BorderEdge) -> Gap {
    let ([a0, a1], [b0, b1]) = (own.ends(), other.ends());
    if b0.0 >= a1.0 { Gap { length: b0.0 - a1.0, u: a1.0 } } else { Gap { length: a0.0 - b1.0, u: a0.0 } }
}

/// World place on a border edge at a coordinate along the border.
fn place_on(mesh: &TiledNavMesh, tile: &Tile, edge: &BorderEdge, u: f64) -> [f64; 3] {
    let params = mesh.params();
    let across = if edge.side < 2 { params.tile_size } else { 0.0 };
    let (x, z) = if edge.side.is_multiple_of(2) { (across, u) } else { (u, across) };
    [params.tile_origin_x(tile.tile_x) + x, edge.height_at(u), params.tile_origin_z(tile.tile_z) + z]
}
