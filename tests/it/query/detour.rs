//! A mesh of Detour's, and the answers of real Detour over it (`data/recast`).

use std::fs;

use navwright::format::TiledNavMesh;
use navwright::interop::mset::{import_mset, is_mset};
use navwright::query::{
    NavPath, NavPlace, PathScratch, PathStatus, QueryFilter, find_path_between, nearest_in_box,
};

use crate::support::shared;

fn nav_test() -> Option<(TiledNavMesh, serde_json::Value)> {
    let data = shared("data/recast")?;
    let bytes = fs::read(data.join("all_tiles_navmesh.bin")).unwrap();
    assert!(is_mset(&bytes));
    let text = fs::read_to_string(data.join("oracle/nav_test_ts32_watershed.json")).unwrap();
    Some((import_mset(&bytes).unwrap().mesh, serde_json::from_str(&text).unwrap()))
}

#[test]
fn a_mesh_of_detours_has_its_tiles_and_area() {
    let Some((mesh, oracle)) = nav_test() else { return };
    assert_eq!(mesh.tiles().count(), 66);
    let mut area = 0.0;
    for (_, tile) in mesh.tiles() {
        for polygon in &tile.polygons {
            let corners =
                polygon.edges().map(|edge| tile.vertices[tile.edge_vertices[edge] as usize].map(f64::from));
            let corners: Vec<_> = corners.collect();
            for k in 0..corners.len() {
                let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
                area += (a[0] * b[2] - a[2] * b[0]) / 2.0;
            }
        }
    }
    let theirs = oracle["navmesh"]["walkable_area_xz_m2"].as_f64().unwrap();
    assert!((area - theirs).abs() < 0.01, "{area} instead of {theirs}");
}

#[test]
fn the_pairs_of_the_oracle_are_reached_or_not_as_there_and_no_longer() {
    let Some((mesh, oracle)) = nav_test() else { return };
    let (filter, mut scratch, mut path) =
        (QueryFilter::default(), PathScratch::default(), NavPath::default());
    let point = |value: &serde_json::Value| [0, 1, 2].map(|axis| value[axis].as_f64().unwrap());
    let (mut ours, mut theirs, mut count) = (0.0, 0.0, 0);
    let find = |at: [f64; 3]| -> Option<NavPlace> {
        nearest_in_box(&mesh, at, [2.0, 4.0, 2.0], &filter, &mut PathScratch::default()).unwrap()
    };
    let results = oracle["results"].as_array().unwrap();
    assert_eq!(results.len(), 500);
    for (number, result) in results.iter().enumerate() {
        let (start, end) = (find(point(&result["start"])).unwrap(), find(point(&result["end"])).unwrap());
        assert!(find_path_between(&mesh, &start, &end, &filter, &mut scratch, &mut path).unwrap());
        let reached = result["reached"].as_bool().unwrap();
        assert_eq!(path.status == PathStatus::Complete, reached, "pair {number}: {}", path.reason);
        if reached {
            ours += path.length_3d;
            theirs += result["length"].as_f64().unwrap();
            count += 1;
        }
    }
    assert_eq!(count, 321);
    assert!(ours <= theirs, "{ours} in all, {theirs} there");
}

#[test]
fn damaged_files_are_errors_with_their_place() {
    let Some(data) = shared("data/recast") else { return };
    let bytes = fs::read(data.join("all_tiles_navmesh.bin")).unwrap();
    for cut in [0, 3, 39, 41, 48, 100, 147, 148, 200, bytes.len() / 2, bytes.len() - 1] {
        let error = import_mset(&bytes[..cut]).unwrap_err().to_string();
        assert!(error.contains("byte "), "{cut}: {error}");
    }
    let with = |offset: usize, value: u32| {
        let mut changed = bytes.clone();
        changed[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
        import_mset(&changed).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(with(4, 2).unwrap_err(), "byte 4: the file's version is 2, but must be 1");
    // The first tile's blob begins at 48; its counts at 72.
    for offset in [52, 72, 76, 80, 84, 88, 92, 96, 100, 104] {
        for value in [100_007, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            with(offset, value).unwrap_err();
        }
    }
    // Whatever single byte is changed, there is an answer and no panic.
    for at in (0..bytes.len()).step_by(97) {
        let mut changed = bytes.clone();
        changed[at] ^= 0xFF;
        drop(import_mset(&changed));
    }
}

#[test]
fn off_mesh_connections_come_along() {
    let Some(data) = shared("data/recast") else { return };
    let mesh = import_mset(&fs::read(data.join("all_tiles_navmesh_offmesh.bin")).unwrap()).unwrap().mesh;
    let mut links: Vec<_> = mesh.tiles().flat_map(|(_, tile)| tile.links.clone()).collect();
    links.sort_by_key(|link| link.user_id);
    let told: Vec<_> = links.iter().map(|link| (link.user_id, link.bidirectional)).collect();
    assert_eq!(told, [(1000, true), (1001, false)]);
    // Both are joined: two ways and one way.
    let off_mesh = mesh
        .tiles()
        .flat_map(|(reference, tile)| (0..tile.polygons.len() as u32).map(move |k| reference.polygon(k)))
        .flat_map(|polygon| mesh.links(polygon))
        .filter(|link| link.kind != navwright::format::LinkKind::Portal);
    assert_eq!(off_mesh.count(), 3);
    // The water: area 1, flags 2, 36 square metres.
    let polygons = mesh.tiles().flat_map(|(_, tile)| &tile.polygons);
    let water: Vec<_> = polygons.filter(|polygon| polygon.area == 1).collect();
    assert!(!water.is_empty() && water.iter().all(|polygon| polygon.flags == 2));
}
