//! Tiles in and out through a queue, states that come back, and classes of agents.

use navwright::bake::{BakeOptions, bake_mesh, bake_world};
use navwright::format::{
    NavMesh, NavSettings, NavWorld, PolyRef, Snapshot, Tile, TilePosition, TiledNavMesh,
};
use navwright::stream::{TileLibrary, TileOperation, TileStreamer, restore};

use crate::vectors::{kind, links, read, read_params, slots_json};

fn mesh() -> TiledNavMesh {
    TiledNavMesh::new(read_params("tiles/tiles.params")).unwrap()
}

fn tile(name: &str) -> Tile {
    Tile::from_bytes(&read(format!("tiles/{name}.onpt")), &read_params("tiles/tiles.params")).unwrap()
}

fn put(streamer: &mut TileStreamer, name: &str) {
    streamer.put_tile(read(format!("tiles/{name}.onpt")));
}

fn at(tile_x: i32, tile_z: i32, layer: i32) -> TilePosition {
    TilePosition { tile_x, tile_z, layer }
}

fn content(mesh: &TiledNavMesh, position: TilePosition) -> Option<String> {
    mesh.tile_at(position).map(|(_, tile)| tile.content_id().to_string())
}

#[test]
fn operations_are_applied_in_order_and_no_more_than_asked() {
    let (mut mesh, mut streamer) = (mesh(), TileStreamer::new());
    for name in ["a", "b", "b_layer1"] {
        put(&mut streamer, name);
    }
    streamer.remove_column(1, 0);
    put(&mut streamer, "a_cut");
    assert_eq!(streamer.update(&mut mesh, 0).unwrap(), 0);
    assert!(mesh.slots().is_empty());
    assert_eq!(streamer.update(&mut mesh, 2).unwrap(), 2);
    assert_eq!(streamer.pending().len(), 3);
    assert!(mesh.tile_at(at(1, 0, 0)).is_some() && mesh.tile_at(at(1, 0, 1)).is_none());
    assert_eq!(streamer.update(&mut mesh, 2).unwrap(), 2);
    // A column is one operation, however many layers it has, and its lowest layer goes first.
    assert_eq!(mesh.column(1, 0).count(), 0);
    assert_eq!(content(&mesh, at(0, 0, 0)), Some(tile("a").content_id().to_string()));
    assert_eq!(streamer.update(&mut mesh, 9).unwrap(), 1);
    assert_eq!(content(&mesh, at(0, 0, 0)), Some(tile("a_cut").content_id().to_string()));
    assert_eq!(mesh.slots()[0].salt, 2, "a tile at a position that holds one replaces it");
    assert_eq!(streamer.update(&mut mesh, 9).unwrap(), 0);
}

#[test]
fn a_failing_operation_has_left_the_queue_when_its_error_comes() {
    let (mut mesh, mut streamer) = (mesh(), TileStreamer::new());
    let mut broken = read("tiles/c.onpt");
    broken.pop();
    put(&mut streamer, "a");
    put(&mut streamer, "foreign");
    streamer.put_tile(broken.clone());
    put(&mut streamer, "b");
    let error = streamer.update(&mut mesh, 9).unwrap_err();
    assert_eq!((kind(&error.error), error.applied), ("fingerprint", 1), "{error}");
    assert_eq!(streamer.pending().len(), 2);
    let before = mesh.to_bytes();
    let error = streamer.update(&mut mesh, 9).unwrap_err();
    assert_eq!((kind(&error.error), error.applied), ("format", 0), "{error}");
    assert_eq!(error.operation, TileOperation::Put(broken.into()));
    assert_eq!(mesh.to_bytes(), before);
    assert_eq!(streamer.update(&mut mesh, 9).unwrap(), 1);
    assert_eq!(mesh.tiles().count(), 2);
}

#[test]
fn a_tile_out_and_in_has_its_links_but_not_its_references() {
    let (mut mesh, mut streamer) = (mesh(), TileStreamer::new());
    for name in ["a_linked", "far", "b"] {
        put(&mut streamer, name);
    }
    streamer.update(&mut mesh, 9).unwrap();
    let old = mesh.tile_at(at(5, -3, 0)).unwrap().0;
    let portals = |mesh: &TiledNavMesh| {
        links(mesh).into_iter().map(|(from, link)| (from.slot(), link.kind)).collect::<Vec<_>>()
    };
    let before = portals(&mesh);
    streamer.remove_column(5, -3);
    put(&mut streamer, "far");
    streamer.update(&mut mesh, 1).unwrap();
    assert!(portals(&mesh).len() < before.len());
    streamer.update(&mut mesh, 1).unwrap();
    assert_eq!(portals(&mesh), before);
    assert!(mesh.tile(old).is_none(), "the old reference is stale");
}

#[test]
fn a_snapshot_brings_back_every_reference_and_a_failed_restore_nothing() {
    let mut mesh = mesh();
    let mut library = TileLibrary::new();
    for name in ["a_linked", "b", "far", "c"] {
        mesh.add_tile(tile(name)).unwrap();
    }
    mesh.remove_tile(at(0, 1, 0)).unwrap();
    library.add_mesh(&mesh);
    let snapshot = Snapshot::of(&mesh);
    let (bytes, then, slots) = (mesh.to_bytes(), links(&mesh), slots_json(&mesh));
    let references: Vec<PolyRef> = mesh.tiles().map(|(tile, _)| tile.polygon(0)).collect();

    mesh.replace_tile(tile("b_high")).unwrap();
    mesh.add_tile(tile("d")).unwrap();
    mesh.remove_column(5, -3);
    let (moved, moved_links) = (mesh.to_bytes(), links(&mesh));
    let mut poor = TileLibrary::new();
    poor.add(tile("a_linked"));
    poor.add_bytes(read("tiles/far.onpt"));
    let error = restore(&mut mesh, &snapshot, &poor).unwrap_err();
    assert_eq!(kind(&error), "missing_content");
    assert!(error.to_string().contains(&tile("b").content_id().to_string()), "{error}");
    assert_eq!((mesh.to_bytes(), links(&mesh)), (moved, moved_links));

    let again = Snapshot::from_bytes(&snapshot.to_bytes()).unwrap();
    restore(&mut mesh, &again, &library).unwrap();
    assert_eq!((mesh.to_bytes(), links(&mesh), slots_json(&mesh)), (bytes, then, slots));
    assert!(references.iter().all(|&reference| mesh.polygon(reference).is_some()));
}

#[test]
fn a_snapshot_of_another_build_is_refused_by_the_field() {
    let snapshot = Snapshot::of(&mesh());
    let mut other = TiledNavMesh::new(read_params("tiles/foreign.params")).unwrap();
    let error = restore(&mut other, &snapshot, &TileLibrary::new()).unwrap_err();
    assert_eq!(kind(&error), "fingerprint");
    assert!(error.to_string().contains("agent_radius"), "{error}");
}

/// Fingerprints come first: a foreign tile is named though another one is missing before it.
#[test]
fn fingerprints_are_checked_before_missing_tiles() {
    let mut mesh = mesh();
    mesh.add_tile(tile("a")).unwrap();
    mesh.add_tile(tile("b")).unwrap();
    let mut snapshot = Snapshot::of(&mesh);
    let mut library = TileLibrary::new();
    snapshot.slots[1].content = Some(library.add_bytes(read("tiles/foreign.onpt")));
    assert_eq!(kind(&restore(&mut mesh, &snapshot, &library).unwrap_err()), "fingerprint");
    let foreign =
        Tile::from_bytes(&read("tiles/foreign.onpt"), &read_params("tiles/foreign.params")).unwrap();
    library.add(foreign);
    assert_eq!(kind(&restore(&mut mesh, &snapshot, &library).unwrap_err()), "fingerprint");
    // One that the snapshot does not name is none of its business.
    snapshot.slots[1].content = Some(library.add(tile("b")));
    assert_eq!(kind(&restore(&mut mesh, &snapshot, &library).unwrap_err()), "missing_content");
    library.add(tile("a"));
    restore(&mut mesh, &snapshot, &library).unwrap();
}

fn world(radii: &[f32]) -> NavWorld {
    let class = |&agent_radius: &f32| NavMesh::new(NavSettings { agent_radius, ..NavSettings::default() });
    NavWorld::new(radii.iter().map(|radius| class(radius).unwrap()).collect()).unwrap()
}

#[test]
fn an_agent_gets_the_smallest_class_it_fits_in() {
    let world = world(&[0.5, 2.0, 0.25, 0.5, 2.0]);
    for (radius, class) in [
        (0.0, 2),
        (0.25, 2),
        (f64::from(f32::from_bits(0.25_f32.to_bits() + 1)), 0),
        (0.5, 0),
        (0.51, 1),
        (2.0, 1),
        (2.5, 1),
        (f64::INFINITY, 1),
    ] {
        assert_eq!(world.class_for(radius), class, "{radius}");
        assert_eq!(
            world.mesh_for(radius).settings.agent_radius,
            world.classes()[class].settings.agent_radius
        );
    }
    let single = self::world(&[0.75]);
    assert_eq!((single.class_for(0.1), single.class_for(9.0)), (0, 0));
    assert_eq!(kind(&NavWorld::new(Vec::new()).unwrap_err()), "out_of_range");
}

#[test]
fn each_class_of_a_world_is_the_mesh_by_itself() {
    let Ok(world) = NavWorld::from_bytes(&read("world_three.onnw")) else { panic!() };
    let classes = world.clone().into_classes();
    let alone: Vec<Vec<u8>> = classes.iter().map(|class| class.to_bytes().unwrap()).collect();
    let again = alone.iter().map(|bytes| NavMesh::from_bytes(bytes).unwrap()).collect();
    assert_eq!(NavWorld::new(again).unwrap().to_bytes().unwrap(), read("world_three.onnw"));
}

#[test]
fn each_class_of_a_baked_world_has_the_bytes_of_a_bake_of_its_own() {
    let map = crate::support::root().join("assets/arena.nav.ron");
    let document = navwright::project::open(&map).unwrap().document;
    let (input, options) = (document.flat_input(), BakeOptions::default());
    let class =
        |walkable_climb| NavSettings { walkable_climb, ..document.bake_settings(&document.classes[0]) };
    let classes = [class(0.5), class(0.25), class(1.0)];
    let (world, reports) = bake_world(&input, &classes, &options).unwrap();
    assert_eq!((world.classes().len(), reports.len()), (3, 3));
    for (baked, settings) in world.classes().iter().zip(&classes) {
        let (alone, _) = bake_mesh(&input, settings, &options).unwrap();
        assert_eq!(baked.to_bytes().unwrap(), alone.to_bytes().unwrap(), "climb {}", settings.walkable_climb);
    }
    let again = NavWorld::from_bytes(&world.to_bytes().unwrap()).unwrap();
    assert_eq!(again.to_bytes().unwrap(), world.to_bytes().unwrap());
    assert!(bake_world(&input, &[], &options).is_err());
}
