//! Shortest paths against the oracle of `data/flat`.

use navwright::format::TiledNavMesh;
use navwright::query::{PathScratch, PathStatus, QueryFilter, find_nav_path};

use super::flat_maps::{MAPS, MeshFile, Pair, areas, bake, pairs};
use crate::support::shared;

fn check(mesh: &TiledNavMesh, name: &str, pairs: &[Pair]) {
    let (filter, mut scratch) = (QueryFilter::default(), PathScratch::default());
    for (number, Pair { start, end, length }) in pairs.iter().enumerate() {
        let path = find_nav_path(mesh, *start, None, *end, None, &filter, &mut scratch).unwrap();
        let what = format!("{name}, pair {number}, {start:?} to {end:?}: {} of {length:?}", path.length);
        assert_eq!(path.status == PathStatus::Complete, length.is_some(), "{what}: {}", path.reason);
        if let Some(length) = length {
            assert!((path.length - length).abs() <= 1e-4 * length + 2e-3, "{what}");
        }
    }
}

#[test]
fn on_the_flat_maps_every_length_is_the_oracles() {
    let Some(data) = shared("data/flat") else { return };
    for (name, file) in MAPS {
        let pairs = pairs(&data, name);
        assert_eq!(pairs.len(), 300);
        let file = data.join("maps").join(file);
        if file.extension().is_some_and(|ext| ext == "mesh") {
            check(&MeshFile::read(&file).to_mesh(), name, &pairs);
        } else {
            let input = areas(&file);
            check(&bake(&input, 32.0), name, &pairs);
            check(&bake(&input, 1024.0), name, &pairs);
        }
    }
}
