//! Bytes to values and back: every vector as stated, every hostile file refused in the stated words.

use std::sync::LazyLock;

use navwright::format::{
    FormatError, NavMeshParams, NavSettings, Partition, Snapshot, SnapshotSlot, Tile, TiledNavMesh,
};
use navwright::stream::restore;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::vectors::{
    Content, hex, kind, library, links_json, names, read, read_json, read_params, sha256, slots_json, valid,
};

#[test]
fn valid_files_are_read_as_stated_and_written_to_the_same_bytes() {
    let files = valid();
    assert_eq!(files.len(), 54);
    for (name, bytes) in files {
        let stated = read_json(format!("{}.json", name.rsplit_once('.').unwrap().0));
        assert_eq!(stated["sha256"], sha256(&bytes), "{name}: the vector itself");
        let params = stated["params_file"].as_str().map(read_params);
        let content =
            Content::read(&name, &bytes, params.as_ref()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(content.write() == bytes, "{name}: other bytes");
        match &content {
            Content::Tile(tile) => {
                check_params(&name, &params.unwrap(), &stated);
                assert_eq!(tile_json(tile), stated["tiles"][0], "{name}");
            }
            Content::Mesh(mesh) => check_mesh(&name, mesh, &stated),
            Content::Envelope(mesh) => {
                check_mesh(&name, &mesh.mesh, &stated);
                assert_eq!(settings_json(&mesh.settings), stated["settings"], "{name}");
            }
            Content::World(world) => {
                let classes = stated["classes"].as_array().unwrap();
                assert_eq!(world.classes().len(), classes.len(), "{name}");
                for (class, stated) in world.classes().iter().zip(classes) {
                    check_mesh(&name, &class.mesh, stated);
                    assert_eq!(settings_json(&class.settings), stated["settings"], "{name}");
                }
            }
            Content::Snapshot(snapshot) => check_snapshot(&name, snapshot, &stated),
        }
    }
}

fn check_mesh(name: &str, mesh: &TiledNavMesh, stated: &Value) {
    check_params(name, mesh.params(), stated);
    assert_eq!(slots_json(mesh), stated["slots"], "{name}");
    let tiles: Vec<Value> = mesh
        .tiles()
        .map(|(reference, tile)| {
            let mut described = tile_json(tile);
            described["slot"] = reference.slot().into();
            described["salt"] = reference.salt().into();
            described
        })
        .collect();
    assert_eq!(Value::from(tiles), stated["tiles"], "{name}");
    let found = links_json(mesh);
    for (index, (found, stated)) in
        found.as_array().unwrap().iter().zip(stated["links"].as_array().unwrap()).enumerate()
    {
        assert_eq!(found, stated, "{name}: link {index}");
    }
    assert_eq!(
        found.as_array().unwrap().len(),
        stated["links"].as_array().unwrap().len(),
        "{name}: link count"
    );
}

fn check_snapshot(name: &str, snapshot: &Snapshot, stated: &Value) {
    let entry = |(index, slot): (usize, &SnapshotSlot)| json!({"slot": index, "salt": slot.salt, "content_id": slot.content.map(|id| id.to_string())});
    let entries: Value = snapshot.slots.iter().enumerate().map(entry).collect();
    assert_eq!(entries, stated["entries"], "{name}");
    let files = stated["library"].as_array().into_iter().flatten().map(|file| file.as_str().unwrap());
    let mut mesh = TiledNavMesh::new(snapshot.params).unwrap();
    restore(&mut mesh, snapshot, &library(files)).unwrap_or_else(|error| panic!("{name}: {error}"));
    check_mesh(name, &mesh, stated);
    assert!(Snapshot::of(&mesh) == *snapshot, "{name}: a snapshot of what it restores to");
}

fn check_params(name: &str, params: &NavMeshParams, stated: &Value) {
    assert_eq!(stated["params_hex"], hex(&params.to_bytes()), "{name}");
    assert_eq!(stated["fingerprint"], params.fingerprint().to_string(), "{name}");
    assert_eq!(stated["settings_digest"], format!("0x{:016x}", params.settings_digest), "{name}");
}

fn tile_json(tile: &Tile) -> Value {
    json!({
        "tile_x": tile.tile_x, "tile_z": tile.tile_z, "layer": tile.layer, "origin_y": tile.origin_y,
        "content_id": tile.content_id().to_string(), "bytes": tile.to_bytes().len(),
        "vertices": tile.vertices.len(), "polygons": tile.polygons.len(), "edges": tile.edge_vertices.len(),
        "portal_edges": tile.edge_sides.iter().filter(|&&side| side != 255).count(),
        "detail_meshes": tile.detail_meshes.len(), "detail_vertices": tile.detail_vertices.len(),
        "detail_triangles": tile.detail_triangles.len(), "off_mesh_slots": tile.links.len(),
    })
}

fn settings_json(settings: &NavSettings) -> Value {
    let link = |link: &navwright::format::AuthoredLink| {
        json!({
            "start": link.start, "end": link.end, "radius": link.radius,
            "bidirectional": u8::from(link.bidirectional), "area": link.area, "flags": link.flags,
            "user_id": link.user_id,
        })
    };
    json!({
        "origin_x": settings.origin[0], "origin_y": settings.origin[1], "origin_z": settings.origin[2],
        "tile_size": settings.tile_size, "cell_size": settings.cell_size, "cell_height": settings.cell_height,
        "snap_bits": settings.snap_bits, "partition": settings.partition.index(),
        "min_region_area": settings.min_region_area, "merge_region_area": settings.merge_region_area,
        "contour_max_error": f64::from(settings.contour_max_error),
        "max_verts_per_poly": settings.max_verts_per_poly, "area": settings.area,
        "max_edge_length": settings.max_edge_length, "detail_sample_distance": settings.detail_sample_distance,
        "detail_max_error": settings.detail_max_error, "height": settings.height,
        "walkable_climb": f64::from(settings.walkable_climb), "agent_radius": f64::from(settings.agent_radius),
        "agent_height": f64::from(settings.agent_height), "agent_max_slope": f64::from(settings.agent_max_slope),
        "flags": settings.flags, "links": settings.links.iter().map(link).collect::<Vec<_>>(),
    })
}

#[test]
fn settings_give_the_stated_digest() {
    for name in names("settings_", "onnm") {
        let Ok(Content::Envelope(mesh)) = Content::read(&name, &read(&name), None) else { panic!("{name}") };
        let stated = read_json(name.replace(".onnm", ".json"));
        assert_eq!(stated["settings_digest"], format!("0x{:016x}", mesh.settings.digest()), "{name}");
    }
}

#[test]
fn hostile_files_are_refused_in_the_stated_words() {
    let expected = read_json("bad/expected.json");
    let expected = expected.as_object().unwrap();
    assert_eq!(expected.len(), 215);
    for (name, stated) in expected {
        let params = stated["params_file"].as_str().map(|file| read_params(format!("bad/{file}")));
        let content = Content::read(name, &read(format!("bad/{name}")), params.as_ref());
        let error = match content.and_then(|content| restored(content, stated)) {
            Ok(_) => panic!("{name}: accepted"),
            Err(error) => error,
        };
        assert_eq!(stated["kind"], kind(&error), "{name}: {error}");
        for needle in stated["must_mention"].as_array().unwrap() {
            let needle = needle.as_str().unwrap();
            assert!(mentions(&error.to_string(), needle), "{name}: no {needle:?} in {:?}", error.to_string());
        }
    }
}

/// Restores a snapshot from the stated library; anything else was read when it was read.
fn restored(content: Content, stated: &Value) -> Result<(), FormatError> {
    let Content::Snapshot(snapshot) = content else { return Ok(()) };
    let files = stated["library"].as_array().unwrap().iter();
    let files: Vec<String> = files.map(|file| format!("bad/{}", file.as_str().unwrap())).collect();
    let mut mesh = TiledNavMesh::new(snapshot.params).unwrap();
    let result = restore(&mut mesh, &snapshot, &library(files.iter().map(String::as_str)));
    assert!(mesh.slots().is_empty(), "the mesh is left as it was");
    result
}

/// Whether a text mentions one of the alternatives: case is ignored, `_` equals a space, a number stands alone.
fn mentions(text: &str, alternatives: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace('_', " ");
    let text = plain(text);
    plain(alternatives).split('|').any(|needle| {
        let whole = needle.trim_start_matches('-').chars().all(|letter| letter.is_ascii_digit());
        text.match_indices(needle).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + needle.len()..].chars().next();
            let part_of_number = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
            !(whole && (part_of_number(before) || part_of_number(after)))
        })
    })
}

#[test]
fn bare_mesh_bytes_load_with_the_settings_they_were_built_with() {
    let Ok(Content::Envelope(envelope)) = Content::read("a.onnm", &read("settings_links.onnm"), None) else {
        panic!()
    };
    let bytes = envelope.mesh.to_bytes();
    let again = navwright::format::NavMesh::from_mesh_bytes(&bytes, envelope.settings.clone()).unwrap();
    assert_eq!(again.to_bytes().unwrap(), read("settings_links.onnm"));
    let other = NavSettings { agent_radius: 0.75, ..envelope.settings };
    let error = navwright::format::NavMesh::from_mesh_bytes(&bytes, other).unwrap_err();
    assert_eq!(kind(&error), "fingerprint");
    let text = error.to_string();
    assert!(["agent_radius", "0.75", "0.5"].iter().all(|needle| text.contains(needle)), "{text}");
}

#[test]
fn settings_with_a_negative_zero_are_written_as_the_mesh_has_them() {
    let mut mesh = navwright::format::NavMesh::new(NavSettings::default()).unwrap();
    let plain = mesh.to_bytes().unwrap();
    mesh.settings.origin[1] = -0.0;
    mesh.settings.height = -0.0;
    assert_eq!(mesh.to_bytes().unwrap(), plain);
    assert_eq!(mesh.settings.to_params().unwrap().fingerprint(), mesh.mesh.fingerprint());
    mesh.settings.height = 1.0;
    assert_eq!(kind(&mesh.to_bytes().unwrap_err()), "fingerprint");
}

static FILES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(valid);

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Whatever is accepted writes back to the same bytes; nothing panics.
    #[test]
    fn damaged_files_are_refused_or_kept_to_the_byte(
        file in 0..FILES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), damage()), 0..4),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
        tail in prop::collection::vec(any::<u8>(), 0..3),
    ) {
        let (name, bytes) = &FILES[file];
        let params = (name == "single_triangle.onpt").then(|| read_params("single_triangle.params"));
        let mut bytes = bytes.clone();
        for (index, damage) in changes {
            let at = index.index(bytes.len());
            damage.apply(&mut bytes[at..]);
        }
        bytes.extend(tail);
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        if let Ok(content) = Content::read(name, &bytes, params.as_ref()) {
            prop_assert!(content.write() == bytes, "{name}: other bytes");
        }
    }

    #[test]
    fn settings_survive_the_envelope(settings in settings()) {
        let mesh = navwright::format::NavMesh::new(settings).unwrap();
        let bytes = mesh.to_bytes().unwrap();
        let again = navwright::format::NavMesh::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&again.settings, &mesh.settings);
        prop_assert_eq!(again.to_bytes().unwrap(), bytes);
    }
}

#[derive(Clone, Debug)]
enum Damage {
    Byte(u8),
    Bit(u8),
    Word(u32),
    Float(f32),
}

impl Damage {
    fn apply(&self, bytes: &mut [u8]) {
        let word = match self {
            Self::Byte(value) => return bytes[0] = *value,
            Self::Bit(bit) => return bytes[0] ^= 1 << bit,
            Self::Word(word) => word.to_le_bytes(),
            Self::Float(value) => value.to_le_bytes(),
        };
        bytes.iter_mut().zip(word).for_each(|(byte, new)| *byte = new);
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let words =
        prop::sample::select(vec![0, 1, 2, 255, 0x7FFF_FFFF, 0x8000_0000, u32::MAX, 1 << 20, 1 << 30]);
    let floats = prop::sample::select(vec![
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN_POSITIVE,
        -0.0,
        1.0e-45,
        16.0,
        -16.0,
        3.4e38,
    ]);
    prop_oneof![
        any::<u8>().prop_map(Damage::Byte),
        (0_u8..8).prop_map(Damage::Bit),
        words.prop_map(Damage::Word),
        floats.prop_map(Damage::Float),
    ]
}

fn settings() -> impl Strategy<Value = NavSettings> {
    let coordinate = || -2_097_151.0..2_097_151.0_f64;
    let grid = (coordinate(), coordinate(), coordinate(), 0.05..2.0_f64, 1_u16..1000, 0.01..1.0_f64);
    let bake = (-1..=20, 0..3, 0..i32::MAX, 0..i32::MAX, 0.0_f32..9.0, 3_u16..=16, 0_u8..=63, any::<u16>());
    let lengths = (0.0..99.0_f64, 0.0..99.0_f64, 0.0..99.0_f64, coordinate());
    let agent = (0.0_f32..9.0, 0.0_f32..9.0, 0.0_f32..9.0, 0.0_f32..=90.0);
    let links =
        prop::collection::vec((coordinate(), 0.001..9.0_f64, any::<bool>(), 0_u8..=63, any::<u32>()), 0..4);
    (grid, bake, lengths, agent, links).prop_map(|(grid, bake, lengths, agent, links)| NavSettings {
        origin: [grid.0, grid.1, grid.2],
        tile_size: f64::from(grid.4) * 0.125,
        cell_size: grid.3,
        cell_height: grid.5,
        snap_bits: bake.0,
        partition: Partition::from_index(bake.1).unwrap(),
        min_region_area: bake.2,
        merge_region_area: bake.3,
        contour_max_error: bake.4,
        max_verts_per_poly: bake.5,
        area: bake.6,
        flags: bake.7,
        max_edge_length: lengths.0,
        detail_sample_distance: lengths.1,
        detail_max_error: lengths.2,
        height: lengths.3,
        walkable_climb: agent.0,
        agent_radius: agent.1,
        agent_height: agent.2,
        agent_max_slope: agent.3,
        links: links
            .into_iter()
            .map(|(at, radius, bidirectional, area, user_id)| navwright::format::AuthoredLink {
                start: [at, -at, 0.0],
                end: [0.5, at, at],
                radius,
                bidirectional,
                area,
                flags: bake.7,
                user_id,
            })
            .collect(),
    })
}
