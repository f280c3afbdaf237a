//! Adding, replacing and removing tiles: slots, generations, and links that equal a whole stitching.

use navwright::format::{
    FormatError, NavMeshParams, OffMeshLink, PolyRef, Snapshot, Tile, TilePolygons, TilePosition, TileRef,
    TiledNavMesh, UnlinkedMesh, from_polygons,
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

const PARAMS: NavMeshParams = NavMeshParams {
    origin: [-20.5, 0.0, 3.25],
    tile_size: 16.0,
    cell_size: 0.25,
    max_verts_per_poly: 6,
    walkable_climb: 0.5,
    agent_radius: 0.0,
    agent_height: 2.0,
    agent_max_slope: 45.0,
    settings_digest: 0,
};

/// What a random tile is made of: strips across it, each with a height or left out, along x or along z.
#[derive(Clone, Debug)]
struct Strips {
    position: TilePosition,
    along_x: bool,
    /// Width in eighths of the tile; height in quarters at either end; `None`: nothing there.
    strips: Vec<(u8, Option<[u8; 2]>)>,
    links: Vec<OffMeshLink>,
}

impl Strips {
    /// `None` if no strip is there.
    fn tile(&self) -> Option<Tile> {
        let TilePosition { tile_x, tile_z, .. } = self.position;
        let corner = [PARAMS.tile_origin_x(tile_x), PARAMS.tile_origin_z(tile_z)];
        let (mut vertices, mut counts, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let mut from = 0.0;
        for &(width, heights) in &self.strips {
            let to = (from + f64::from(width) * 2.0).min(16.0);
            if let Some([low, high]) = heights.filter(|_| to > from) {
                let first = u32::try_from(vertices.len()).unwrap();
                for (along, across, height) in
                    [(from, 0.0, low), (to, 0.0, low), (to, 16.0, high), (from, 16.0, high)]
                {
                    let [x, z] = if self.along_x { [along, across] } else { [across, along] };
                    vertices.push([corner[0] + x, f64::from(height) / 4.0, corner[1] + z]);
                }
                counts.push(4);
                indices.extend(first..first + 4);
            }
            from = to;
        }
        let polygons = TilePolygons {
            position: self.position,
            origin_y: 0.0,
            vertices: &vertices,
            vertex_counts: &counts,
            indices: &indices,
            areas: None,
            flags: None,
        };
        let mut raw = from_polygons(&polygons, &PARAMS).ok()?;
        raw.links.clone_from(&self.links);
        Some(raw.validate(&PARAMS).unwrap())
    }
}

fn strips() -> impl Strategy<Value = Strips> {
    let position =
        (0..3, 0..3, 0..2).prop_map(|(tile_x, tile_z, layer)| TilePosition { tile_x, tile_z, layer });
    let strip = (1_u8..5, prop::option::weighted(0.8, [0_u8..6, 0_u8..6]));
    // Ends reach a tile's width beyond the nine columns, so some lie where no tile ever stands.
    let point = || (-36.0_f32..52.0, 0.0_f32..1.5, -36.0_f32..52.0);
    let start = (0.0_f32..16.0, 0.0_f32..1.5, 0.0_f32..16.0);
    let link =
        (start, point(), 0.1_f32..6.0, any::<bool>()).prop_map(|(start, end, radius, bidirectional)| {
            let (start, end) = ([start.0, start.1, start.2], [end.0, end.1, end.2]);
            OffMeshLink { start, end, radius, area: 0, bidirectional, flags: 1, user_id: 0 }
        });
    let links = prop::collection::vec(link, 0..4);
    (position, any::<bool>(), prop::collection::vec(strip, 1..6), links)
        .prop_map(|(position, along_x, strips, links)| Strips { position, along_x, strips, links })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Tiles that come, change and go at random, with jumps across the whole mesh: after every edit the links are
    /// those of a whole stitching.
    #[test]
    fn random_tiles_leave_the_links_of_a_whole_stitching(
        edits in prop::collection::vec((0..4_u8, strips()), 1..40),
    ) {
        let mut mesh = TiledNavMesh::new(PARAMS).unwrap();
        for (edit, strips) in edits {
            let (position, stood) = (strips.position, mesh.tile_at(strips.position).is_some());
            match (edit, strips.tile()) {
                (0, _) => prop_assert_eq!(mesh.remove_tile(position).is_ok(), stood),
                (1, _) => {
                    let layers = mesh.column(position.tile_x, position.tile_z).count();
                    prop_assert_eq!(mesh.remove_column(position.tile_x, position.tile_z).len(), layers);
                }
                (_, None) => continue,
                (_, Some(tile)) if stood => _ = mesh.replace_tile(tile).unwrap(),
                (_, Some(tile)) => _ = mesh.add_tile(tile).unwrap(),
            }
            prop_assert_eq!(links(&mesh), links(&stitched_whole(&mesh)), "after edit {} of {}", edit, position);
        }
    }
}

/// A floor of `side` × `side` tiles of one square each; every tenth tile has a jump to a tile far away.
fn field(side: i32) -> TiledNavMesh {
    let mut mesh = TiledNavMesh::new(PARAMS).unwrap();
    for tile_z in 0..side {
        for tile_x in 0..side {
            mesh.add_tile(square(tile_x, tile_z, 0, (tile_x + tile_z) % 10 == 3)).unwrap();
        }
    }
    mesh
}

fn square(tile_x: i32, tile_z: i32, height: u8, jumps: bool) -> Tile {
    let end = [8.0 + 16.0 * 7.0, 0.0, 8.0 + 16.0 * 5.0];
    let jump = OffMeshLink {
        start: [8.0, 0.0, 8.0],
        end,
        radius: 1.0,
        area: 0,
        bidirectional: true,
        flags: 1,
        user_id: 0,
    };
    let strips = Strips {
        position: TilePosition { tile_x, tile_z, layer: 0 },
        along_x: true,
        strips: vec![(8, Some([height; 2]))],
        links: if jumps { vec![jump] } else { Vec::new() },
    };
    strips.tile().unwrap()
}

/// What an edit stitches again: the links of every other tile stay where they are in memory, however many there are.
#[test]
fn an_edit_touches_the_links_of_its_neighbours_alone() {
    for side in [10, 30] {
        let mut mesh = field(side);
        let place = |mesh: &TiledNavMesh| -> Vec<_> {
            let tiles = mesh.tiles().map(|(tile, content)| (content.position(), tile.polygon(0)));
            tiles.map(|(position, polygon)| (position, mesh.links(polygon).as_ptr())).collect()
        };
        // (4, 4) jumps nowhere and no jump ends there; (9, 4) jumps to (16, 9); a jump from (2, 1) ends in (9, 6).
        for (at, jumps, most) in [((4, 4), false, 5), ((9, 4), true, 6), ((9, 6), false, 6)] {
            let before = place(&mesh);
            mesh.replace_tile(square(at.0, at.1, 1, jumps)).unwrap();
            let after = place(&mesh);
            let touched = before.iter().zip(&after).filter(|(before, after)| before != after).count();
            assert!((1..=most).contains(&touched), "{at:?} of {side} × {side}: {touched} tiles");
            assert_eq!(links(&mesh), links(&stitched_whole(&mesh)));
        }
    }
}
