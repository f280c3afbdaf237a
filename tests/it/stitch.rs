//! Links against a plain reading of the rules that looks at every pair. What hostile piles of polygons cost is counted
//! beside the code, in `src/stitch/tests.rs`.

use navwright::format::{
    FormatError, Link, LinkKind, NO_SIDE, NavMeshParams, OffMeshLink, PolyRef, Polygon, RawTile, Slot, Tile,
    TileRef, TiledNavMesh, UnlinkedMesh,
};
use proptest::prelude::*;

use crate::vectors::{kind, links, names, read};

const SIZE: f32 = 16.0;

fn params(walkable_climb: f32) -> NavMeshParams {
    NavMeshParams {
        origin: [0.0; 3],
        tile_size: SIZE.into(),
        cell_size: 0.25,
        max_verts_per_poly: 6,
        walkable_climb,
        agent_radius: 0.5,
        agent_height: 2.0,
        agent_max_slope: 45.0,
        settings_digest: 0,
    }
}

/// Every link, by looking at every pair: the rules as the format states them, one after the other.
fn links_by_rule(mesh: &TiledNavMesh) -> Vec<(PolyRef, Link)> {
    let mut out = Vec::new();
    for (reference, tile) in mesh.tiles() {
        for polygon in 0..u32::try_from(tile.polygons.len()).unwrap() {
            let from = reference.polygon(polygon);
            out.extend(portals_of(mesh, from, tile).into_iter().map(|link| (from, link)));
            out.extend(off_mesh_of(mesh, from).into_iter().map(|link| (from, link)));
        }
    }
    out
}

/// The border edge: interval ends and heights, first vertex first.
fn border(tile: &Tile, polygon: usize, edge: usize, side: u8) -> [(f64, f64); 2] {
    let corners = &tile.edge_vertices[tile.polygons[polygon].edges()];
    [edge, (edge + 1) % corners.len()].map(|corner| {
        let [x, y, z] = tile.vertices[corners[corner] as usize];
        (if side == 0 || side == 2 { z.into() } else { x.into() }, tile.origin_y + f64::from(y))
    })
}

fn height([(u0, h0), (u1, h1)]: [(f64, f64); 2], u: f64) -> f64 {
    match u {
        _ if u == u0 => h0,
        _ if u == u1 => h1,
        _ => {
            let t = (u - u0) / (u1 - u0);
            h0 + (h1 - h0) * t
        }
    }
}

fn portals_of(mesh: &TiledNavMesh, from: PolyRef, tile: &Tile) -> Vec<Link> {
    let climb = f64::from(mesh.params().walkable_climb);
    let polygon = from.polygon() as usize;
    let mut found = Vec::new();
    for edge in 0..tile.polygons[polygon].edges().len() {
        let side = tile.edge_sides[tile.polygons[polygon].edges().start + edge];
        let step = match side {
            0 => (1, 0),
            1 => (0, 1),
            2 => (-1, 0),
            3 => (0, -1),
            _ => continue,
        };
        let a = border(tile, polygon, edge, side);
        for (other, facing) in mesh.tiles() {
            let across = [i64::from(facing.tile_x), facing.tile_z.into()]
                == [i64::from(tile.tile_x) + step.0, i64::from(tile.tile_z) + step.1];
            if !across {
                continue;
            }
            for (index, there) in facing.polygons.iter().enumerate() {
                for (there_edge, _) in
                    facing.edge_sides[there.edges()].iter().enumerate().filter(|at| *at.1 == side ^ 2)
                {
                    let b = border(facing, index, there_edge, side);
                    let lo = a[0].0.min(a[1].0).max(b[0].0.min(b[1].0));
                    let hi = a[0].0.max(a[1].0).min(b[0].0.max(b[1].0));
                    let agree = |u| (height(a, u) - height(b, u)).abs() <= climb;
                    if hi > lo && agree(lo) && agree(hi) {
                        let part = |u| (u - a[0].0) / (a[1].0 - a[0].0) * 255.0;
                        let link = Link {
                            to: other.polygon(u32::try_from(index).unwrap()),
                            kind: LinkKind::Portal,
                            edge: u8::try_from(edge).unwrap(),
                            side,
                            range_min: part(lo).min(part(hi)).floor().clamp(0.0, 255.0) as u8,
                            range_max: part(lo).max(part(hi)).ceil().clamp(0.0, 255.0) as u8,
                            link: 0,
                            owner_slot: 0,
                        };
                        found.push(((side, edge, facing.layer, index, there_edge), link));
                    }
                }
            }
        }
    }
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, link)| link).collect()
}

fn off_mesh_of(mesh: &TiledNavMesh, from: PolyRef) -> Vec<Link> {
    let (mut forward, mut reverse) = (Vec::new(), Vec::new());
    for (owner, tile) in mesh.tiles() {
        for (index, link) in tile.links.iter().enumerate() {
            let radius = f64::from(link.radius);
            let point = |local| tile.point_in_world(mesh.params(), local);
            let end = point(link.end);
            let column = mesh.params().world_to_tile(end[0], end[2]);
            let starts = best(mesh, vec![(owner, tile)], point(link.start), radius);
            let ends = column.and_then(|(x, z)| best(mesh, mesh.column(x, z).collect(), end, radius));
            let (Some(start), Some(end)) = (starts, ends) else { continue };
            let record = |to, kind| Link {
                to,
                kind,
                edge: 0,
                side: NO_SIDE,
                range_min: 0,
                range_max: 255,
                link: u32::try_from(index).unwrap(),
                owner_slot: owner.slot(),
            };
            if start == from {
                forward.push(record(end, LinkKind::OffMesh));
            }
            if end == from && link.bidirectional {
                reverse.push(record(start, LinkKind::OffMeshReverse));
            }
        }
    }
    forward.extend(reverse);
    forward
}

fn best(
    mesh: &TiledNavMesh,
    tiles: Vec<(TileRef, &Tile)>,
    [x, y, z]: [f64; 3],
    radius: f64,
) -> Option<PolyRef> {
    let climb = f64::from(mesh.params().walkable_climb);
    let mut found: Option<(f64, PolyRef)> = None;
    for (reference, tile) in tiles {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            let corners = tile.edge_vertices[polygon.edges()].iter();
            let outline: Vec<[f64; 3]> = corners
                .map(|&vertex| tile.point_in_world(mesh.params(), tile.vertices[vertex as usize]))
                .collect();
            let mut distance2 = f64::INFINITY;
            let mut crosses = Vec::new();
            for (k, a) in outline.iter().enumerate() {
                let b = outline[(k + 1) % outline.len()];
                let (ex, ez) = (b[0] - a[0], b[2] - a[2]);
                crosses.push(ex * (z - a[2]) - ez * (x - a[0]));
                let length2 = ex * ex + ez * ez;
                let t = if length2 == 0.0 { 0.0 } else { ((x - a[0]) * ex + (z - a[2]) * ez) / length2 };
                let t = t.clamp(0.0, 1.0);
                let (dx, dz) = (x - (a[0] + ex * t), z - (a[2] + ez * t));
                distance2 = distance2.min(dx * dx + dz * dz);
            }
            if crosses.iter().all(|&cross| cross >= 0.0) && crosses.iter().any(|&cross| cross > 0.0) {
                distance2 = 0.0;
            }
            let low = outline.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
            let high = outline.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
            let dy = 0.0_f64.max(low - y).max(y - high);
            let score = distance2 + dy * dy;
            let in_reach = distance2 <= radius * radius && dy <= climb;
            if in_reach && found.is_none_or(|(least, _)| score < least) {
                found = Some((score, reference.polygon(u32::try_from(index).unwrap())));
            }
        }
    }
    found.map(|found| found.1)
}

#[test]
fn the_vectors_links_follow_the_rules_read_plainly() {
    let mut count = 0;
    for name in names("", "onpm") {
        let mesh = TiledNavMesh::from_bytes(&read(&name)).unwrap();
        let by_rule = links_by_rule(&mesh);
        count += by_rule.len();
        assert_eq!(links(&mesh), by_rule, "{name}");
    }
    assert_eq!(count, 357);
}

/// Adds a triangle; a `side` makes its first edge a portal.
fn push_triangle(tile: &mut RawTile, corners: [[f32; 3]; 3], side: u8) {
    let first = u32::try_from(tile.vertices.len()).unwrap();
    let first_edge = u32::try_from(tile.edge_vertices.len()).unwrap();
    tile.vertices.extend(corners);
    tile.edge_vertices.extend([first, first + 1, first + 2]);
    tile.edge_neighbours.extend([0; 3]);
    tile.edge_sides.extend([side, NO_SIDE, NO_SIDE]);
    tile.polygons.push(Polygon { first_edge, vertex_count: 3, area: 0, flags: 1 });
}

/// A triangle with a portal on a side from u0 to u1 (u0 < u1), at heights h0 and h1 there.
fn push_portal(tile: &mut RawTile, side: u8, (u0, h0): (f32, f32), (u1, h1): (f32, f32)) {
    let (low, high) = ((u0, h0), (u1, h1));
    let [a, b] = if side == 0 || side == 3 { [low, high] } else { [high, low] };
    let middle = (u0 + u1) / 2.0;
    let at = |(u, h): (f32, f32), depth: f32| match side {
        0 => [SIZE - depth, h, u],
        1 => [u, h, SIZE - depth],
        2 => [depth, h, u],
        _ => [u, h, depth],
    };
    push_triangle(tile, [at(a, 0.0), at(b, 0.0), at((middle, h0), 1.0)], side);
}

fn raw(tile_x: i32, tile_z: i32, layer: i32) -> RawTile {
    RawTile { tile_x, tile_z, layer, ..RawTile::default() }
}

fn mesh_of(tiles: Vec<RawTile>, params: NavMeshParams) -> Result<TiledNavMesh, FormatError> {
    let slot = |tile: RawTile| Slot { salt: 1, tile: Some(tile.validate(&params).unwrap()) };
    UnlinkedMesh { params, slots: tiles.into_iter().map(slot).collect() }.link()
}

/// A coordinate on a coarse grid, or anywhere, so that ties and odd values both turn up.
fn coordinate(low: f32, high: f32) -> impl Strategy<Value = f32> {
    let span = (high - low) * 2.0;
    prop_oneof![(0.0..=span).prop_map(move |steps| low + steps.floor() / 2.0), low..high]
}

type End = (f32, f32);

fn portal_ends() -> impl Strategy<Value = (End, End)> {
    let height = || prop_oneof![coordinate(0.0, 3.0), -40.0_f32..40.0];
    let ends = (coordinate(0.0, SIZE), coordinate(0.0, SIZE), height(), height(), any::<bool>());
    ends.prop_filter_map("an interval", |(a, b, h0, h1, level)| {
        let (u0, u1) = if a < b { (a, b) } else { (b, a) };
        (u0 < u1).then_some(((u0, h0), (u1, if level { h0 } else { h1 })))
    })
}

fn triangle() -> impl Strategy<Value = [[f32; 3]; 3]> {
    let point = || (coordinate(-SIZE, 2.0 * SIZE), coordinate(0.0, 3.0), coordinate(-SIZE, 2.0 * SIZE));
    (point(), point(), point()).prop_filter_map("counter-clockwise", |(a, b, c)| {
        let area = (b.0 - a.0) * (c.2 - a.2) - (b.2 - a.2) * (c.0 - a.0);
        let points = [a, b, c].map(|(x, y, z)| [x, y, z]);
        match area {
            area if area > 1.0e-2 => Some(points),
            area if area < -1.0e-2 => Some([points[0], points[2], points[1]]),
            _ => None,
        }
    })
}

fn off_mesh_link() -> impl Strategy<Value = OffMeshLink> {
    let point = || (coordinate(-8.0, 40.0), coordinate(-1.0, 4.0), coordinate(-8.0, 40.0));
    let radius = prop::sample::select(vec![0.25_f32, 1.0, 4.0, 100.0]);
    (point(), point(), radius, any::<bool>()).prop_map(|(start, end, radius, bidirectional)| OffMeshLink {
        start: [start.0, start.1, start.2],
        end: [end.0, end.1, end.2],
        radius,
        area: 0,
        bidirectional,
        flags: 1,
        user_id: 0,
    })
}

/// Portals by side, other triangles and links of one tile.
type Part = (Vec<(u8, (End, End))>, Vec<[[f32; 3]; 3]>, Vec<OffMeshLink>);

fn part() -> impl Strategy<Value = Part> {
    (
        prop::collection::vec((0..4_u8, portal_ends()), 1..60),
        prop::collection::vec(triangle(), 0..30),
        prop::collection::vec(off_mesh_link(), 0..12),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_tiles_link_as_by_looking_at_every_pair(
        parts in prop::collection::vec((0..3_i32, 0..2_i32, part()), 1..6),
        climb in prop::sample::select(vec![0.0_f32, 0.5, 1.0, 20.0]),
    ) {
        let mut tiles: Vec<RawTile> = Vec::new();
        for (tile_x, tile_z, (portals, triangles, links)) in parts {
            let layer = tiles.iter().filter(|tile| (tile.tile_x, tile.tile_z) == (tile_x, tile_z)).count();
            let mut tile = raw(tile_x, tile_z, i32::try_from(7 - layer).unwrap());
            for (side, (low, high)) in portals {
                push_portal(&mut tile, side, low, high);
            }
            triangles.into_iter().for_each(|corners| push_triangle(&mut tile, corners, NO_SIDE));
            tile.links = links;
            tiles.push(tile);
        }
        match mesh_of(tiles, params(climb)) {
            Ok(mesh) => prop_assert_eq!(links(&mesh), links_by_rule(&mesh)),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

#[test]
fn a_tile_with_too_many_portal_links_is_refused_by_load_and_by_add() {
    let pile = |count: usize| {
        [(0, 0), (1, 2)].map(|(tile_x, side)| {
            let mut tile = raw(tile_x, 0, 0);
            (0..count).for_each(|_| push_portal(&mut tile, side, (0.0, 0.0), (SIZE, 0.0)));
            tile
        })
    };
    // n polygons on each side give n * n links; 3 * n edges allow 192 * n + 1024. The least n beyond is 198.
    let params = params(0.5);
    assert_eq!(links(&mesh_of(pile(197).into(), params).unwrap()).len(), 2 * 197 * 197);
    let error = mesh_of(pile(198).into(), params).unwrap_err();
    assert_eq!(kind(&error), "out_of_range");
    assert!(
        error.to_string().contains("(0, 0, layer 0)") || error.to_string().contains("(1, 0, layer 0)"),
        "{error}"
    );
    assert!(error.to_string().contains("39040"), "{error}");

    let mut mesh = TiledNavMesh::new(params).unwrap();
    let [first, second] = pile(198).map(|tile| tile.validate(&params).unwrap());
    mesh.add_tile(first).unwrap();
    let before = mesh.to_bytes();
    assert_eq!(kind(&mesh.add_tile(second.clone()).unwrap_err()), "out_of_range");
    assert_eq!(mesh.to_bytes(), before);
    let [_, small] = pile(100).map(|tile| tile.validate(&params).unwrap());
    mesh.add_tile(small).unwrap();
    let (bytes, count) = (mesh.to_bytes(), links(&mesh).len());
    assert_eq!(kind(&mesh.replace_tile(second).unwrap_err()), "out_of_range");
    assert_eq!((mesh.to_bytes(), links(&mesh).len()), (bytes, count));
}
