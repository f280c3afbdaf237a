//! Rules of values made in memory; those of files are in `codec`.

use navwright::format::{
    AuthoredLink, DetailMesh, DetailTriangle, FormatError, NO_SIDE, NavMeshParams, NavSettings, Polygon,
    RawTile,
};

use crate::vectors::{kind, read_params};

fn params() -> NavMeshParams {
    read_params("tiles/tiles.params")
}

/// `count` equal triangles.
fn triangles(count: usize) -> RawTile {
    let edge_vertices = (0..count).flat_map(|_| [0, 1, 2]).collect();
    let polygon = |index: usize| Polygon {
        first_edge: u32::try_from(3 * index).unwrap(),
        vertex_count: 3,
        area: 0,
        flags: 1,
    };
    RawTile {
        vertices: vec![[1.0, 0.0, 1.0], [5.0, 0.0, 1.0], [1.0, 0.0, 5.0]],
        polygons: (0..count).map(polygon).collect(),
        edge_vertices,
        edge_neighbours: vec![0; 3 * count],
        edge_sides: vec![NO_SIDE; 3 * count],
        ..RawTile::default()
    }
}

fn refused(tile: RawTile) -> String {
    let error = tile.validate(&params()).unwrap_err();
    assert!(matches!(error, FormatError::Bad { .. }), "{error:?}");
    error.to_string()
}

#[test]
fn arrays_made_by_hand_must_agree() {
    triangles(2).validate(&params()).unwrap();
    let mut tile = triangles(2);
    tile.polygons[1].first_edge = u32::MAX;
    assert!(refused(tile).contains("polygon 1: first edge is 4294967295, but must be 3"));
    let mut tile = triangles(2);
    tile.polygons[1].vertex_count = 255;
    assert!(refused(tile).contains("edge_vertices has 6 entries, but the polygons have 258 edges"));
    let mut tile = triangles(2);
    tile.edge_neighbours.pop();
    assert!(refused(tile).contains("edge_neighbours has 5 entries"));
    let mut tile = triangles(2);
    tile.edge_sides.clear();
    assert!(refused(tile).contains("edge_sides has 0 entries"));
    assert!(refused(RawTile::default()).contains("polygon_count is 0"));
    let mut tile = triangles(2);
    tile.detail_meshes.push(DetailMesh {
        vertex_base: 0,
        vertex_count: 0,
        triangle_base: 0,
        triangle_count: 0,
    });
    assert!(refused(tile).contains("detail_mesh_count is 1, but must be 0 or polygon_count 2"));
}

#[test]
fn one_step_decides_at_every_bound_of_a_vertex() {
    let params = params();
    let extent = 16384.0_f32 * 0.25;
    assert_eq!(f64::from(extent), params.max_local_extent());
    for (axis, low, high) in [(0, -16.0_f32, 32.0_f32), (1, -extent, extent), (2, -16.0, 32.0)] {
        for (bound, beyond) in [(low, low.next_down()), (high, high.next_up())] {
            let with = |value: f32| {
                let mut tile = triangles(1);
                tile.vertices.push([0.0; 3]);
                tile.vertices[3][axis] = value;
                tile.validate(&params)
            };
            with(bound).unwrap();
            let error = with(beyond).unwrap_err().to_string();
            assert!(error.contains(&format!("vertex 3: {} is", ["x", "y", "z"][axis])), "{error}");
        }
    }
}

/// So many that looking at every triangle of every range, ten thousand million, would stand out.
#[test]
fn overlapping_detail_ranges_are_checked_against_the_least_limit() {
    const COUNT: u32 = 100_000;
    let mut tile = triangles(COUNT as usize);
    tile.detail_vertices = vec![[1.0; 3]; 10];
    tile.detail_triangles = vec![DetailTriangle { indices: [0, 1, 5], edge_flags: 0 }; COUNT as usize];
    let mesh =
        |vertex_count| DetailMesh { vertex_base: 0, vertex_count, triangle_base: 0, triangle_count: COUNT };
    tile.detail_meshes = vec![mesh(3); COUNT as usize];
    tile.clone().validate(&params()).unwrap();
    let mut narrow = tile.clone();
    narrow.detail_meshes[77] =
        DetailMesh { vertex_count: 2, triangle_base: 99, triangle_count: 1, ..mesh(0) };
    assert!(refused(narrow).contains("detail mesh 77: triangle 99 has index 5, but it must be below 5"));
    let mut uncovered = tile;
    uncovered.detail_meshes =
        vec![DetailMesh { triangle_base: 1, triangle_count: COUNT - 1, ..mesh(3) }; COUNT as usize];
    uncovered.detail_triangles[0].indices = [u16::MAX; 3];
    uncovered.validate(&params()).unwrap();
}

/// A change of valid settings, and what the error must name.
type Break = (fn(&mut NavSettings), &'static str);

#[test]
fn settings_outside_their_bounds_are_named() {
    let breaks: [Break; 22] = [
        (|s| s.origin[2] = -2_097_152.0, "origin_z is -2097152"),
        (|s| s.origin[0] = f64::NAN, "origin_x is NaN"),
        (|s| s.tile_size = 0.1, "tile_size is 0.1"),
        (|s| s.tile_size = 4096.0, "tile_size is 4096"),
        (|s| s.cell_size = 0.0, "cell_size is 0"),
        (|s| s.cell_height = f64::INFINITY, "cell_height is inf"),
        (|s| s.snap_bits = 21, "snap_bits is 21"),
        (|s| s.snap_bits = -2, "snap_bits is -2"),
        (|s| s.min_region_area = -1, "min_region_area is -1"),
        (|s| s.merge_region_area = i32::MIN, "merge_region_area is -2147483648"),
        (|s| s.contour_max_error = f32::NAN, "contour_max_error is NaN"),
        (|s| s.max_verts_per_poly = 17, "max_verts_per_poly is 17"),
        (|s| s.area = 64, "area is 64"),
        (|s| s.max_edge_length = -1.0, "max_edge_length is -1"),
        (|s| s.detail_sample_distance = f64::INFINITY, "detail_sample_distance is inf"),
        (|s| s.detail_max_error = -0.5, "detail_max_error is -0.5"),
        (|s| s.height = 2_097_152.0, "height is 2097152"),
        (|s| s.walkable_climb = -0.5, "walkable_climb is -0.5"),
        (|s| s.agent_max_slope = 90.0_f32.next_up(), "agent_max_slope is 90.00001"),
        (|s| s.links[1].end[2] = f64::NAN, "authored link 1: end z is NaN"),
        (|s| s.links[1].radius = 0.0, "authored link 1: radius is 0"),
        (|s| s.links[1].area = 64, "authored link 1: area is 64"),
    ];
    let link = AuthoredLink {
        start: [0.0; 3],
        end: [1.0; 3],
        radius: 1.0,
        bidirectional: true,
        area: 63,
        flags: 0,
        user_id: 0,
    };
    let valid = NavSettings { cell_size: 0.25, links: vec![link; 2], ..NavSettings::default() };
    valid.validate().unwrap();
    for (change, words) in breaks {
        let mut settings = valid.clone();
        change(&mut settings);
        let error = settings.validate().unwrap_err();
        assert_eq!(kind(&error), "out_of_range", "{error}");
        assert!(error.to_string().contains(words), "{error} should say {words}");
        assert!(settings.to_params().is_err());
    }
}

#[test]
fn negative_zero_settings_hash_as_zero() {
    let plain = NavSettings::default();
    let mut signed = plain.clone();
    signed.origin = [-0.0; 3];
    signed.height = -0.0;
    signed.agent_radius = -0.0;
    assert_ne!(plain.digest(), signed.digest());
    let [a, b] = [plain, signed].map(|settings| settings.to_params().unwrap());
    assert_eq!(a.to_bytes(), b.to_bytes());
    let by_hand = NavMeshParams { origin: [-0.0; 3], agent_radius: -0.0, ..a };
    assert_ne!(a.fingerprint(), by_hand.fingerprint());
    assert_eq!(a.fingerprint(), by_hand.normalized().fingerprint());
}

#[test]
fn columns_beyond_i32_do_not_exist() {
    let params = NavMeshParams { tile_size: 0.000_5_f32.into(), cell_size: 0.001, ..params() };
    let column = |x: f64| params.world_to_tile(x, 0.0);
    assert_eq!(column(0.0), Some((0, 0)));
    assert_eq!(column(-0.0001), Some((-1, 0)));
    assert_eq!(column(-2_000_000.0), None);
    assert_eq!(column(2_000_000.0), None);
    assert_eq!(column(f64::NAN), None);
}
