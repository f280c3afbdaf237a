//! Adding, replacing and removing tiles: slots, generations, and links that equal a whole stitching.

use navwright::format::{
    FormatError, PolyRef, Snapshot, Tile, TilePosition, TileRef, TiledNavMesh, UnlinkedMesh,
};
use navwright::stream::restore;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::vectors::{
    Content, kind, library, links, links_json, names, position, read, read_json, read_params, sha256,
    slots_json,
};

/// The vectors' tiles, each against the parameters it was built with.
fn tile(file: &str) -> Tile {
    let params = if file.contains("foreign") { "tiles/foreign.params" } else { "tiles/tiles.params" };
    Tile::from_bytes(&read(file), &read_params(params)).unwrap()
}

/// Stitched as a whole from the same slots.
fn stitched_whole(mesh: &TiledNavMesh) -> TiledNavMesh {
    UnlinkedMesh { params: *mesh.params(), slots: mesh.slots().to_vec() }.link().unwrap()
}

#[test]
fn edit_sequences_give_the_stated_states() {
    let files = names("edit_", "json");
    assert_eq!(files.len(), 10);
    for file in files {
        let stated = read_json(&file);
        let mut mesh = match stated["start"].as_str() {
            Some(start) => TiledNavMesh::from_bytes(&read(start)).unwrap(),
            None => TiledNavMesh::new(read_params("tiles/tiles.params")).unwrap(),
        };
        assert_eq!(stated["fingerprint"], mesh.fingerprint().to_string(), "{file}");
        check_state(&format!("{file}: start"), &mesh, &stated["start_state"]);
        for (index, step) in stated["steps"].as_array().unwrap().iter().enumerate() {
            let place = format!("{file}: step {index}");
            match apply(&mut mesh, step) {
                Ok(result) => assert_eq!(result, step["result"], "{place}"),
                Err(error) => assert_eq!(step["error"]["kind"], kind(&error), "{place}: {error}"),
            }
            check_state(&place, &mesh, step);
        }
    }
}

/// Does what a step says, and answers as the vectors do.
fn apply(mesh: &mut TiledNavMesh, step: &Value) -> Result<Value, FormatError> {
    let reference = |tile: TileRef| json!({"slot": tile.slot(), "salt": tile.salt()});
    let step_tile = || tile(step["tile"].as_str().unwrap());
    match step["op"].as_str().unwrap() {
        "add" => mesh.add_tile(step_tile()).map(reference),
        "replace" => mesh.replace_tile(step_tile()).map(reference),
        "remove" => {
            let slot = mesh.tile_at(position(&step["position"])).map(|found| found.0.slot());
            mesh.remove_tile(position(&step["position"]))?;
            let slot = slot.unwrap();
            Ok(json!({"slot": slot, "salt": mesh.slots()[slot as usize].salt}))
        }
        "remove_column" => {
            let at = |index: usize| {
                i32::try_from(step["column"][index].as_i64().or(step["position"][index].as_i64()).unwrap())
                    .unwrap()
            };
            let slots: Vec<u32> = mesh.column(at(0), at(1)).map(|found| found.0.slot()).collect();
            mesh.remove_column(at(0), at(1));
            Ok(json!({"slots": slots}))
        }
        "reload" => {
            *mesh = TiledNavMesh::from_bytes(&mesh.to_bytes())?;
            Ok(step["result"].clone())
        }
        "snapshot" => {
            let bytes = Snapshot::of(mesh).to_bytes();
            assert_eq!(bytes, read(step["file"].as_str().unwrap()));
            Ok(json!({"sha256": sha256(&bytes)}))
        }
        "restore" => {
            let snapshot = Snapshot::from_bytes(&read(step["file"].as_str().unwrap()))?;
            let files = step["library"].as_array().unwrap().iter();
            restore(mesh, &snapshot, &library(files.map(|file| file.as_str().unwrap())))?;
            Ok(json!({}))
        }
        other => panic!("unknown step {other}"),
    }
}

fn check_state(place: &str, mesh: &TiledNavMesh, stated: &Value) {
    assert_eq!(slots_json(mesh), stated["slots"], "{place}");
    assert_eq!(links_json(mesh), stated["links"], "{place}");
    assert_eq!(stated["mesh_sha256"], sha256(&mesh.to_bytes()), "{place}");
    for (bits, valid) in stated["refs"].as_object().unwrap() {
        let reference = PolyRef::from_bits(u64::from_str_radix(&bits[2..], 16).unwrap());
        assert_eq!(mesh.polygon(reference).is_some(), valid.as_bool().unwrap(), "{place}: {bits}");
    }
}

#[test]
fn a_new_tile_takes_the_lowest_free_slot() {
    let mut mesh = TiledNavMesh::new(read_params("tiles/tiles.params")).unwrap();
    for (slot, file) in (0..).zip(["a", "b", "c", "d"]) {
        assert_eq!(mesh.add_tile(tile(&format!("tiles/{file}.onpt"))).unwrap(), TileRef::new(1, slot));
    }
    let at = |tile_x, tile_z| TilePosition { tile_x, tile_z, layer: 0 };
    mesh.remove_tile(at(0, 1)).unwrap();
    mesh.remove_tile(at(1, 0)).unwrap();
    assert_eq!(mesh.add_tile(tile("tiles/far.onpt")).unwrap(), TileRef::new(2, 1));
    assert_eq!(mesh.add_tile(tile("tiles/b.onpt")).unwrap(), TileRef::new(2, 2));
    assert_eq!(mesh.add_tile(tile("tiles/c.onpt")).unwrap(), TileRef::new(1, 4));
}

#[test]
fn a_tile_of_other_settings_is_refused_before_its_position_is_looked_at() {
    let mut mesh = TiledNavMesh::new(read_params("tiles/tiles.params")).unwrap();
    let foreign = tile("tiles/foreign.onpt");
    for result in [mesh.add_tile(foreign.clone()), mesh.replace_tile(foreign.clone())] {
        let error = result.unwrap_err();
        assert_eq!(kind(&error), "fingerprint");
        let both = [foreign.fingerprint(), mesh.fingerprint()].map(|value| value.to_string());
        assert!(both.iter().all(|value| error.to_string().contains(value)), "{error}");
    }
}

/// Meshes whose tiles random edits take out and put back: portals in layers, off-mesh links across tiles.
const MESHES: [&str; 8] = [
    "random_grid.onpm",
    "random_far.onpm",
    "portal_order.onpm",
    "offmesh_order.onpm",
    "offmesh_layer_ties.onpm",
    "offmesh_cross_tile.onpm",
    "extreme_columns.onpm",
    "layers_climb.onpm",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn edits_leave_the_links_of_a_whole_stitching(
        name in prop::sample::select(&MESHES[..]),
        edits in prop::collection::vec((0..3_u8, any::<prop::sample::Index>()), 1..16),
    ) {
        let Ok(Content::Mesh(mut mesh)) = Content::read(name, &read(name), None) else { panic!("{name}") };
        let tiles: Vec<Tile> = mesh.tiles().map(|(_, tile)| tile.clone()).collect();
        for (edit, index) in edits {
            let tile = index.get(&tiles);
            let position = tile.position();
            let stood = mesh.tile_at(position).is_some();
            let done = match edit {
                0 => mesh.remove_tile(position).is_ok() == stood,
                1 => mesh.add_tile(tile.clone()).is_ok() != stood,
                _ => mesh.replace_tile(tile.clone()).is_ok() == stood,
            };
            prop_assert!(done, "{name}: edit {edit} of {position}");
            let whole = stitched_whole(&mesh);
            prop_assert_eq!(links(&mesh), links(&whole), "{}: after edit {} of {}", name, edit, position);
        }
        let again = TiledNavMesh::from_bytes(&mesh.to_bytes()).unwrap();
        prop_assert_eq!(links(&mesh), links(&again));
    }
}
