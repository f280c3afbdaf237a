//! Debug geometry, and why edges and off-mesh links lead where they do.

use navwright::format::{
    LinkKind, NavMeshParams, OffMeshLink, PolyRef, TilePolygons, TilePosition, TiledNavMesh, collect_debug,
    from_polygons,
};
use navwright::stitch::{EdgeExplanation, EndExplanation, PortalMiss, explain_edge, explain_link};

use crate::vectors::{Content, links, names, read};

const PARAMS: NavMeshParams = NavMeshParams {
    origin: [100.0, 0.0, -50.0],
    tile_size: 16.0,
    cell_size: 0.25,
    max_verts_per_poly: 6,
    walkable_climb: 0.5,
    agent_radius: 0.0,
    agent_height: 2.0,
    agent_max_slope: 45.0,
    settings_digest: 0,
};

/// A floor of tile-local [x0, z0, x1, z1] whose height at z0 and at z1 is given, in column (tile_x, 0).
fn floor(
    tile_x: i32,
    layer: i32,
    [x0, z0, x1, z1]: [f64; 4],
    [y0, y1]: [f64; 2],
    slot_links: &[OffMeshLink],
) -> navwright::format::Tile {
    let (x, z) = (100.0 + f64::from(tile_x) * 16.0, -50.0);
    let vertices = [[x + x0, y0, z + z0], [x + x1, y0, z + z0], [x + x1, y1, z + z1], [x + x0, y1, z + z1]];
    let polygons = TilePolygons {
        position: TilePosition { tile_x, tile_z: 0, layer },
        origin_y: 0.0,
        vertices: &vertices,
        vertex_counts: &[4],
        indices: &[0, 1, 2, 3],
        areas: None,
        flags: None,
    };
    let mut raw = from_polygons(&polygons, &PARAMS).unwrap();
    raw.links = slot_links.to_vec();
    raw.validate(&PARAMS).unwrap()
}

fn mesh(tiles: Vec<navwright::format::Tile>) -> TiledNavMesh {
    let mut mesh = TiledNavMesh::new(PARAMS).unwrap();
    tiles.into_iter().for_each(|tile| _ = mesh.add_tile(tile).unwrap());
    mesh
}

/// The first polygon of a slot.
fn first(mesh: &TiledNavMesh, slot: u32) -> PolyRef {
    mesh.tiles().find(|(tile, _)| tile.slot() == slot).unwrap().0.polygon(0)
}

/// The edge on the tile's +X border of a floor that reaches it: from its second corner.
const EAST: u8 = 1;

fn east(mesh: &TiledNavMesh) -> PortalMiss {
    match explain_edge(mesh, first(mesh, 0), EAST).unwrap() {
        EdgeExplanation::Unlinked { side: 0, reason } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_height_miss_says_how_high_and_where() {
    let own = floor(0, 0, [4.0, 2.0, 16.0, 10.0], [1.0, 1.0], &[]);
    // Faces it from z 4 on, rising from 1.25 to 2.25 at z 12: at z 10 it is 2.0.
    let facing = floor(1, 0, [0.0, 4.0, 8.0, 12.0], [1.25, 2.25], &[]);
    let high = floor(1, 3, [0.0, 0.0, 8.0, 16.0], [9.0, 9.0], &[]);
    let mesh = mesh(vec![own, high, facing]);
    let PortalMiss::Height { nearest, difference, climb, place } = east(&mesh) else { panic!() };
    assert_eq!((nearest.polygon, nearest.edge), (first(&mesh, 2), 3));
    assert_eq!((difference, climb, place), (1.0, 0.5, [116.0, 1.0, -40.0]));
}

#[test]
fn an_edge_that_overlaps_none_says_how_far_the_nearest_is() {
    let own = || floor(0, 0, [4.0, 2.0, 16.0, 5.0], [1.0, 1.0], &[]);
    let before = floor(1, 0, [0.0, 0.0, 8.0, 0.5], [1.0, 1.0], &[]);
    let after = floor(1, 1, [0.0, 6.25, 8.0, 9.0], [1.0, 1.0], &[]);
    let mesh_far = mesh(vec![own(), before, after]);
    let PortalMiss::NoOverlap { nearest, gap, place } = east(&mesh_far) else { panic!() };
    assert_eq!((nearest.polygon, gap, place), (first(&mesh_far, 2), 1.25, [116.0, 1.0, -45.0]));
    // Intervals that only touch do not overlap.
    let mesh_near = mesh(vec![own(), floor(1, 0, [0.0, 5.0, 8.0, 9.0], [1.0, 1.0], &[])]);
    assert!(matches!(east(&mesh_near), PortalMiss::NoOverlap { gap: 0.0, .. }));
}

#[test]
fn a_missing_tile_portal_or_column_is_named() {
    let own = || floor(0, 0, [4.0, 2.0, 16.0, 5.0], [1.0, 1.0], &[]);
    assert_eq!(east(&mesh(vec![own()])), PortalMiss::NoTile { tile_x: 1, tile_z: 0 });
    let inside = floor(1, 0, [1.0, 2.0, 8.0, 5.0], [1.0, 1.0], &[]);
    assert_eq!(east(&mesh(vec![own(), inside])), PortalMiss::NoPortal { tile_x: 1, tile_z: 0 });
    let Ok(Content::Mesh(extreme)) = Content::read("x.onpm", &read("extreme_columns.onpm"), None) else {
        panic!()
    };
    let mut beyond = 0;
    for (from, edge, explanation) in all_edges(&extreme) {
        if let EdgeExplanation::Unlinked { reason: PortalMiss::NoColumn, side } = explanation {
            let tile = extreme.tile(from.tile()).unwrap();
            let edge_of_the_world = if side == 0 { i32::MAX } else { i32::MIN };
            assert_eq!(tile.tile_x, edge_of_the_world, "edge {edge}");
            beyond += 1;
        }
    }
    assert!(beyond >= 2);
}

fn all_edges(mesh: &TiledNavMesh) -> Vec<(PolyRef, u8, EdgeExplanation)> {
    let mut found = Vec::new();
    for (reference, tile) in mesh.tiles() {
        for (index, polygon) in (0..).zip(&tile.polygons) {
            let from = reference.polygon(index);
            for edge in 0..polygon.vertex_count {
                found.push((from, edge, explain_edge(mesh, from, edge).unwrap()));
            }
            assert_eq!(explain_edge(mesh, from, polygon.vertex_count), None);
        }
    }
    found
}

/// On every vector: an explanation agrees with the tile's own arrays and the stated links, and a miss breaks the
/// limit that it names.
#[test]
fn explanations_agree_with_the_links_of_every_vector() {
    for name in names("", "onpm") {
        let Ok(Content::Mesh(mesh)) = Content::read(&name, &read(&name), None) else { panic!("{name}") };
        let mut explained = Vec::new();
        for (from, edge, explanation) in all_edges(&mesh) {
            let (tile, index) = mesh.polygon(from).unwrap();
            let at = tile.polygons[index].first_edge as usize + usize::from(edge);
            let (neighbour, side) = (tile.edge_neighbours[at], tile.edge_sides[at]);
            match explanation {
                EdgeExplanation::Neighbour(other) => assert_eq!(other.polygon() + 1, neighbour, "{name}"),
                EdgeExplanation::Wall => assert_eq!((neighbour, side), (0, 255), "{name}"),
                EdgeExplanation::Linked(links) => {
                    explained.extend(links.into_iter().map(|link| (from, link)))
                }
                EdgeExplanation::Unlinked { side: own, reason } => {
                    assert_eq!(own, side, "{name}");
                    if let PortalMiss::Height { difference, climb, .. } = reason {
                        assert!(difference.abs() > climb, "{name}: {difference} is within {climb}");
                    }
                }
            }
        }
        let mut portals = links(&mesh);
        portals.retain(|(_, link)| link.kind == LinkKind::Portal);
        let key = |(from, link): &(PolyRef, navwright::format::Link)| (*from, link.edge, link.to);
        portals.sort_by_key(key);
        explained.sort_by_key(key);
        assert_eq!(explained, portals, "{name}");
    }
}

fn slot_link(start: [f32; 3], end: [f32; 3]) -> OffMeshLink {
    OffMeshLink { start, end, radius: 0.5, area: 0, bidirectional: true, flags: 1, user_id: 7 }
}

#[test]
fn an_unattached_link_says_by_how_much() {
    let links = [
        slot_link([2.0, 1.0, 4.0], [18.0, 1.0, 4.0]),
        slot_link([2.0, 1.25, 12.0], [18.0, 4.0, 4.0]),
        slot_link([13.0, 1.0, 14.0], [50.0, 1.0, 4.0]),
    ];
    let mesh = mesh(vec![
        floor(0, 0, [0.0, 0.0, 10.0, 10.0], [1.0, 1.0], &links),
        floor(1, 0, [0.0, 0.0, 10.0, 10.0], [1.0, 1.0], &[]),
    ]);
    let owner = first(&mesh, 0).tile();
    let explain = |link| explain_link(&mesh, owner, link).unwrap();
    let (EndExplanation::Attached(start), EndExplanation::Attached(end)) = (explain(0).start, explain(0).end)
    else {
        panic!()
    };
    assert_eq!((start.polygon, start.distance, start.dy), (first(&mesh, 0), 0.0, 0.0));
    assert_eq!((end.polygon, end.distance, end.dy), (first(&mesh, 1), 0.0, 0.0));
    let EndExplanation::OutOfReach { nearest, radius, climb } = explain(1).start else { panic!() };
    assert_eq!((nearest.distance, nearest.dy, radius, climb), (2.0, 0.25, 0.5, 0.5));
    let EndExplanation::OutOfReach { nearest, .. } = explain(1).end else { panic!() };
    assert_eq!((nearest.polygon, nearest.distance, nearest.dy), (first(&mesh, 1), 0.0, 3.0));
    let EndExplanation::OutOfReach { nearest, .. } = explain(2).start else { panic!() };
    assert_eq!(nearest.distance, 5.0, "3 and 4 off a corner");
    assert_eq!(explain(2).end, EndExplanation::NoTile);
    assert_eq!(explain_link(&mesh, owner, 3), None);
}

#[test]
fn debug_geometry_lists_polygons_and_links_in_order() {
    for name in names("", "onpm") {
        let Ok(Content::Mesh(mesh)) = Content::read(&name, &read(&name), None) else { panic!("{name}") };
        let debug = collect_debug(&mesh);
        let found: Vec<_> = debug.links.iter().map(|link| (link.from, link.link)).collect();
        assert_eq!(found, links(&mesh), "{name}");
        let polygons: Vec<PolyRef> = debug.polygons.iter().map(|polygon| polygon.polygon).collect();
        assert_eq!(polygons.len(), mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum::<usize>());
        assert!(
            polygons
                .windows(2)
                .all(|pair| { (pair[0].slot(), pair[0].polygon()) < (pair[1].slot(), pair[1].polygon()) })
        );
    }
}

#[test]
fn a_links_segment_is_the_covered_part_or_the_jump() {
    let jump = slot_link([2.0, 1.0, 4.0], [18.0, 1.0, 6.0]);
    let mesh = mesh(vec![
        floor(0, 0, [0.0, 0.0, 16.0, 10.0], [1.0, 2.0], &[jump]),
        floor(1, 0, [0.0, 5.0, 10.0, 10.0], [1.5, 2.0], &[]),
    ]);
    let debug = collect_debug(&mesh);
    let found: Vec<_> = debug.links.iter().map(|link| (link.link.kind, link.start, link.end)).collect();
    // The covered half of the edge in whole 255ths: 127 / 255 of 10 is 4.98…
    let z = 127.0 / 255.0;
    let near = [116.0, 1.0 + z, -50.0 + 10.0 * z];
    let (start, end) = ([102.0, 1.0, -46.0], [118.0, 1.0, -44.0]);
    let expected = [
        (LinkKind::Portal, near, [116.0, 2.0, -40.0]),
        (LinkKind::OffMesh, start, end),
        (LinkKind::Portal, [116.0, 2.0, -40.0], [116.0, 1.5, -45.0]),
        (LinkKind::OffMeshReverse, end, start),
    ];
    for ((kind, start, end), (wanted, from, to)) in found.iter().zip(expected) {
        assert_eq!(*kind, wanted);
        for (a, b) in start.iter().zip(from).chain(end.iter().zip(to)) {
            assert!((a - b).abs() < 1e-9, "{found:?}");
        }
    }
    assert_eq!(found.len(), 4);
    assert_eq!(debug.polygons[0].outline[2], [116.0, 2.0, -40.0]);
}
