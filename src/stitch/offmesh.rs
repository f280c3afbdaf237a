//! Links along off-mesh link slots: jumps, ladders, doors.

use super::order::{Leaving, index_u32};
use super::polygon_tree::PolygonTree;
use crate::format::{
    Attachment, Link, LinkKind, NO_SIDE, NavMeshParams, OffMeshLink, PolyRef, Tile, TileRef, TiledNavMesh,
};

/// The column under an off-mesh link's end point; `None` beyond the columns that exist.
pub(super) fn end_column(params: &NavMeshParams, tile: &Tile, link: &OffMeshLink) -> Option<(i32, i32)> {
    let end = tile.point_in_world(params, link.end);
    params.world_to_tile(end[0], end[2])
}

/// Where the start points of all of a tile's links attach, in the tile itself.
pub(super) fn attach_starts(mesh: &TiledNavMesh, reference: TileRef, tile: &Tile) -> Vec<Option<u32>> {
    if tile.links.is_empty() {
        return Vec::new();
    }
    let tree = PolygonTree::new(&mesh.params, vec![(reference, tile)]);
    let attach = |link: &OffMeshLink| {
        let point = tile.point_in_world(&mesh.params, link.start);
        tree.attach(point, link.radius.into(), mesh.params.walkable_climb.into()).map(PolyRef::polygon)
    };
    tile.links.iter().map(attach).collect()
}

/// Where the end points of links (owner slot, link index) attach that all lie in one column.
pub(super) fn attach_ends(
    mesh: &TiledNavMesh,
    column: (i32, i32),
    links: impl Iterator<Item = (u32, u32)>,
) -> Vec<Option<PolyRef>> {
    let tree = PolygonTree::new(&mesh.params, mesh.column(column.0, column.1).collect());
    let attach = |(slot, index): (u32, u32)| {
        let tile = mesh.slots[slot as usize].tile.as_ref()?;
        let link = &tile.links[index as usize];
        let point = tile.point_in_world(&mesh.params, link.end);
        tree.attach(point, link.radius.into(), mesh.params.walkable_climb.into())
    };
    links.map(attach).collect()
}

/// The links that an off-mesh link with these attachments gives: (slot, leaving). Both ends are needed.
pub(super) fn links_of(
    owner: TileRef,
    index: usize,
    link: &OffMeshLink,
    attachment: Attachment,
) -> impl Iterator<Item = (u32, Leaving)> {
    let ends = attachment.start.map(|start| owner.polygon(start)).zip(attachment.end);
    let forward = ends.map(|(start, end)| leaving(owner, index, LinkKind::OffMesh, start, end));
    let reverse = ends.filter(|_| link.bidirectional);
    let reverse = reverse.map(|(start, end)| leaving(owner, index, LinkKind::OffMeshReverse, end, start));
    forward.into_iter().chain(reverse)
}

fn leaving(owner: TileRef, index: usize, kind: LinkKind, from: PolyRef, to: PolyRef) -> (u32, Leaving) {
    let link = Link {
        to,
        kind,
        edge: 0,
        side: NO_SIDE,
        range_min: 0,
        range_max: 255,
        link: index_u32(index),
        owner_slot: owner.slot(),
    };
    (from.slot(), (from.polygon(), link))
}
