//! What a mesh looks like: plain data for overlays.

use super::{Link, LinkKind, NavMeshParams, PolyRef, Polygon, Tile, TiledNavMesh};

/// A polygon in world coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugPolygon {
    /// Which one.
    pub polygon: PolyRef,
    /// World x, y, z of its corners, counter-clockwise with x right and z up.
    pub outline: Vec<[f64; 3]>,
    /// Area type.
    pub area: u8,
    /// Author's flags in the low byte; the level as an i8 in the high byte.
    pub flags: u16,
}

/// A link as a segment in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebugLink {
    /// The polygon it leaves.
    pub from: PolyRef,
    /// The link.
    pub link: Link,
    /// Portal: where the covered part of the edge begins. Off-mesh: where an agent departs.
    pub start: [f64; 3],
    /// Portal: where the covered part ends. Off-mesh: where an agent arrives.
    pub end: [f64; 3],
}

/// Every polygon in slot and polygon order; every link in slot, polygon and link order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct DebugGeometry {
    /// The polygons.
    pub polygons: Vec<DebugPolygon>,
    /// The links.
    pub links: Vec<DebugLink>,
}

/// A mesh as plain data.
#[must_use]
pub fn collect_debug(mesh: &TiledNavMesh) -> DebugGeometry {
    let mut geometry = DebugGeometry::default();
    for (reference, tile) in mesh.tiles() {
        for (index, polygon) in (0..).zip(&tile.polygons) {
            let from = reference.polygon(index);
            let outline = outline_in_world(mesh.params(), tile, polygon);
            for &link in mesh.links(from) {
                let [start, end] = link_in_world(mesh, &outline, &link);
                geometry.links.push(DebugLink { from, link, start, end });
            }
            let (area, flags) = (polygon.area, polygon.flags);
            geometry.polygons.push(DebugPolygon { polygon: from, outline, area, flags });
        }
    }
    geometry
}

fn outline_in_world(params: &NavMeshParams, tile: &Tile, polygon: &Polygon) -> Vec<[f64; 3]> {
    let corners = &tile.edge_vertices[polygon.edges()];
    corners.iter().map(|&vertex| tile.point_in_world(params, tile.vertices[vertex as usize])).collect()
}

/// `outline`: that of the polygon which the link leaves.
fn link_in_world(mesh: &TiledNavMesh, outline: &[[f64; 3]], link: &Link) -> [[f64; 3]; 2] {
    if link.kind == LinkKind::Portal {
        let edge = usize::from(link.edge);
        let (a, b) = (outline[edge], outline[(edge + 1) % outline.len()]);
        return [link.range_min, link.range_max].map(|part| point_between(a, b, f64::from(part) / 255.0));
    }
    let slot = &mesh.slots()[link.owner_slot as usize];
    let ends = slot.tile.as_ref().and_then(|tile| {
        let authored = tile.links.get(link.link as usize)?;
        Some([authored.start, authored.end].map(|point| tile.point_in_world(mesh.params(), point)))
    });
    // A mesh's off-mesh links have their owner in its slot.
    let [start, end] = ends.unwrap_or([outline[0]; 2]);
    if link.kind == LinkKind::OffMesh { [start, end] } else { [end, start] }
}

/// The ends themselves at 0 and 1.
fn point_between(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    std::array::from_fn(|axis| if t >= 1.0 { b[axis] } else { a[axis] + (b[axis] - a[axis]) * t })
}
