//! Polygons in world coordinates to tiles.

use navwright::format::{
    FormatError, NO_SIDE, NavMeshParams, RawTile, TilePolygons, TilePosition, TiledNavMesh, from_polygons,
};

use crate::vectors::{kind, links};

const SIZE: f64 = 16.0;
const CELL: f64 = 0.25;

fn params() -> NavMeshParams {
    NavMeshParams {
        origin: [-8.0, 0.0, 4.0],
        tile_size: SIZE,
        cell_size: CELL,
        max_verts_per_poly: 6,
        walkable_climb: 0.5,
        agent_radius: 0.0,
        agent_height: 2.0,
        agent_max_slope: 45.0,
        settings_digest: 0,
    }
}

/// World place of a tile-local x, z of tile (1, -2), on the floor at y 3.
fn world([x, z]: [f64; 2]) -> [f64; 3] {
    [-8.0 + SIZE + x, 3.0, 4.0 - 2.0 * SIZE + z]
}

fn polygons<'a>(vertices: &'a [[f64; 3]], counts: &'a [u8], indices: &'a [u32]) -> TilePolygons<'a> {
    TilePolygons {
        position: TilePosition { tile_x: 1, tile_z: -2, layer: 0 },
        origin_y: 2.0,
        vertices,
        vertex_counts: counts,
        indices,
        areas: None,
        flags: None,
    }
}

fn made(places: &[[f64; 2]], counts: &[u8], indices: &[u32]) -> RawTile {
    let vertices: Vec<_> = places.iter().copied().map(world).collect();
    let raw = from_polygons(&polygons(&vertices, counts, indices), &params()).unwrap();
    raw.clone().validate(&params()).unwrap();
    raw
}

#[test]
fn coordinates_near_a_border_lie_on_it_to_the_bit() {
    let reach = CELL / 1024.0;
    let cases = [
        (reach * 0.99, 0.0),
        (-reach * 0.99, 0.0),
        (reach, 0.0),
        (reach * 1.01, reach * 1.01),
        (-reach * 1.01, -reach * 1.01),
        (SIZE - reach, SIZE),
        (SIZE + reach * 0.99, SIZE),
        (SIZE - reach * 1.5, SIZE - reach * 1.5),
    ];
    for (given, kept) in cases {
        let tile = made(&[[given, 2.0], [SIZE / 2.0, given], [9.0, 9.0]], &[3], &[0, 1, 2]);
        let found = [tile.vertices[0][0], tile.vertices[1][2]];
        assert_eq!(found.map(f32::to_bits), [kept as f32; 2].map(f32::to_bits), "{given}: {found:?}");
        assert!(tile.vertices.iter().all(|vertex| vertex[1].to_bits() == 1.0_f32.to_bits()));
    }
}

#[test]
fn clockwise_polygons_are_turned_round_and_keep_their_first_corner() {
    let square = [[2.0, 2.0], [6.0, 2.0], [6.0, 6.0], [2.0, 6.0]];
    assert_eq!(made(&square, &[4], &[0, 1, 2, 3]).edge_vertices, [0, 1, 2, 3]);
    assert_eq!(made(&square, &[4], &[0, 3, 2, 1]).edge_vertices, [0, 1, 2, 3]);
    assert_eq!(made(&square, &[4], &[2, 1, 0, 3]).edge_vertices, [2, 3, 0, 1]);
    // Collinear corners at either end of the lowest edge.
    let beam = [[2.0, 2.0], [4.0, 2.0], [6.0, 2.0], [6.0, 3.0], [2.0, 3.0]];
    assert_eq!(made(&beam, &[5], &[1, 0, 4, 3, 2]).edge_vertices, [1, 2, 3, 4, 0]);
    // So thin that sums of products in f64 see no area: only exact arithmetic tells its winding.
    let sliver = [[0.1_f64, 0.1], [12.3, 12.3], [5.0, 5.000_000_5]].map(|p| p.map(|v| f64::from(v as f32)));
    assert_eq!(made(&sliver, &[3], &[0, 2, 1]).edge_vertices, [0, 1, 2]);
}

#[test]
fn shared_edges_join_two_polygons_and_walls_on_a_border_are_portals() {
    // Two squares side by side over the tile's whole width, the second one clockwise.
    let places = [[0.0, 0.0], [8.0, 0.0], [16.0, 0.0], [16.0, 8.0], [8.0, 8.0], [0.0, 8.0]];
    let tile = made(&places, &[4, 4], &[0, 1, 4, 5, 1, 4, 3, 2]);
    assert_eq!(tile.edge_vertices, [0, 1, 4, 5, 1, 2, 3, 4]);
    assert_eq!(tile.edge_neighbours, [0, 2, 0, 0, 0, 0, 0, 1]);
    assert_eq!(tile.edge_sides, [3, NO_SIDE, NO_SIDE, 2, 3, 0, NO_SIDE, NO_SIDE]);
    assert_eq!(tile.polygons.iter().map(|p| (p.area, p.flags)).collect::<Vec<_>>(), [(0, 1); 2]);
}

#[test]
fn an_edge_of_three_polygons_stays_a_wall() {
    let places = [[4.0, 4.0], [8.0, 4.0], [8.0, 8.0], [4.0, 8.0], [6.0, 2.0], [9.0, 3.0]];
    // Above the edge 0-1 one polygon, below it two that overlap.
    let tile = made(&places, &[4, 3, 3], &[0, 1, 2, 3, 1, 0, 4, 1, 0, 5]);
    assert!(tile.edge_neighbours.iter().all(|&neighbour| neighbour == 0), "{:?}", tile.edge_neighbours);
    // Two on the same side of an edge run the same way: no neighbours either.
    let tile = made(&places, &[3, 3], &[1, 0, 4, 1, 0, 5]);
    assert!(tile.edge_neighbours.iter().all(|&neighbour| neighbour == 0), "{:?}", tile.edge_neighbours);
    // Without the third they are joined.
    let tile = made(&places, &[4, 3], &[0, 1, 2, 3, 1, 0, 4]);
    assert_eq!(tile.edge_neighbours.iter().filter(|&&neighbour| neighbour != 0).count(), 2);
}

#[test]
fn tiles_made_apart_link_over_their_border() {
    let floor = |tile_x: i32| {
        let x = -8.0 + f64::from(tile_x) * SIZE;
        // Cut a little beside the border, as rounding may leave it.
        let off = CELL / 2048.0;
        let vertices = [
            [x + off, 0.0, 4.0],
            [x + SIZE - off, 0.0, 4.0],
            [x + SIZE + off, 0.0, 20.0],
            [x - off, 0.0, 20.0],
        ];
        let position = TilePosition { tile_x, tile_z: 0, layer: 0 };
        let polygons = TilePolygons { position, origin_y: 0.0, ..polygons(&vertices, &[4], &[0, 1, 2, 3]) };
        from_polygons(&polygons, &params()).unwrap().validate(&params()).unwrap()
    };
    let mut mesh = TiledNavMesh::new(params()).unwrap();
    mesh.add_tile(floor(-1)).unwrap();
    mesh.add_tile(floor(0)).unwrap();
    assert_eq!(links(&mesh).len(), 2);
    assert!(links(&mesh).iter().all(|(_, link)| (link.range_min, link.range_max) == (0, 255)));
}

#[test]
fn areas_and_flags_are_kept() {
    let vertices = [[2.0, 2.0], [6.0, 2.0], [6.0, 6.0], [2.0, 6.0]].map(world);
    let given = TilePolygons {
        areas: Some(&[63, 7]),
        flags: Some(&[0xFF03, 0]),
        ..polygons(&vertices, &[3, 3], &[0, 1, 2, 0, 2, 3])
    };
    let tile = from_polygons(&given, &params()).unwrap();
    assert_eq!(tile.polygons.iter().map(|p| (p.area, p.flags)).collect::<Vec<_>>(), [(63, 0xFF03), (7, 0)]);
}

#[test]
fn what_is_wrong_is_named_with_index_value_and_bound() {
    let square = [[2.0, 2.0], [6.0, 2.0], [6.0, 6.0], [2.0, 6.0]].map(world);
    let mut far = square;
    far[2][0] = 2_097_152.0;
    let mut nan = square;
    nan[1][2] = f64::NAN;
    let whole = polygons(&square, &[4], &[0, 1, 2, 3]);
    let cases: [(TilePolygons<'_>, &str, &[&str]); 10] = [
        (TilePolygons { indices: &[0, 1, 2, 4], ..whole }, "format", &["entry 3", "4", "vertex count 4"]),
        (TilePolygons { indices: &[0, 1, 2], ..whole }, "format", &["3 entries", "4 corners"]),
        (TilePolygons { vertex_counts: &[2, 2], ..whole }, "format", &["polygon 0", "2", "3 to"]),
        (
            TilePolygons { vertex_counts: &[7], ..whole },
            "format",
            &["polygon 0", "7", "max_verts_per_poly 6"],
        ),
        (TilePolygons { vertex_counts: &[], indices: &[], ..whole }, "format", &["polygon_count", "0"]),
        (TilePolygons { areas: Some(&[64]), ..whole }, "format", &["polygon 0", "64", "63"]),
        (TilePolygons { areas: Some(&[1, 2]), ..whole }, "format", &["areas", "2", "1"]),
        (TilePolygons { flags: Some(&[]), ..whole }, "format", &["flags", "0", "1"]),
        (TilePolygons { vertices: &far, ..whole }, "out_of_range", &["vertex 2", "x", "2097152"]),
        (TilePolygons { vertices: &nan, ..whole }, "out_of_range", &["vertex 1", "z", "NaN"]),
    ];
    for (given, expected, words) in cases {
        let error: FormatError = from_polygons(&given, &params()).unwrap_err();
        assert_eq!(kind(&error), expected, "{error}");
        assert!(words.iter().all(|word| error.to_string().contains(word)), "{words:?} in {error}");
    }
}
