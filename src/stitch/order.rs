//! The links of one slot, in the format's order.

use crate::format::{Link, LinkKind, Slot, SlotLinks};

/// A link and the polygon of the slot that it leaves.
pub(super) type Leaving = (u32, Link);

/// Sorts the links that leave a slot's polygons: per polygon portals by (side, portal order, neighbour layer,
/// neighbour portal order), then forward off-mesh links by index, then reverse ones by (owner slot, index).
///
/// The sort is stable and a link does not know its neighbour's portal order: the portal links of one edge to one
/// tile must come in that order already.
pub(super) fn slot_links(polygon_count: usize, mut leaving: Vec<Leaving>, slots: &[Slot]) -> SlotLinks {
    leaving.sort_by_key(|(polygon, link)| (*polygon, sort_key(link, slots)));
    let mut starts = Vec::with_capacity(polygon_count + 1);
    let mut at = 0;
    for polygon in 0..polygon_count {
        starts.push(index_u32(at));
        while leaving.get(at).is_some_and(|leaving| leaving.0 as usize == polygon) {
            at += 1;
        }
    }
    starts.push(index_u32(at));
    debug_assert_eq!(at, leaving.len(), "every link leaves a polygon of the tile");
    SlotLinks { starts, links: leaving.into_iter().map(|(_, link)| link).collect() }
}

/// The links of a slot with the polygons that they leave.
pub(super) fn leaving(links: &SlotLinks) -> impl Iterator<Item = Leaving> {
    links.starts.windows(2).zip(0..).flat_map(|(range, polygon)| {
        links.links[range[0] as usize..range[1] as usize].iter().map(move |&link| (polygon, link))
    })
}

fn sort_key(link: &Link, slots: &[Slot]) -> (LinkKind, u32, u32, i32) {
    match link.kind {
        LinkKind::Portal => {
            let layer = slots[link.to.slot() as usize].tile.as_ref().map_or(0, |tile| tile.layer);
            (link.kind, link.side.into(), link.edge.into(), layer)
        }
        LinkKind::OffMesh => (link.kind, link.link, 0, 0),
        LinkKind::OffMeshReverse => (link.kind, link.owner_slot, link.link, 0),
    }
}

/// An index that the format's ceilings keep far below 2^32.
pub(super) fn index_u32(index: usize) -> u32 {
    debug_assert!(u32::try_from(index).is_ok());
    u32::try_from(index).unwrap_or(u32::MAX)
}
