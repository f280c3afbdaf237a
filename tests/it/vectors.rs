//! The format vectors in `tests/fixtures/format`: files, what is stated about them, and meshes in the same words.

use std::fs;
use std::path::{Path, PathBuf};

use navwright::format::{
    FormatError, Link, LinkKind, NavMesh, NavMeshParams, NavWorld, PolyRef, Snapshot, Tile, TilePosition,
    TiledNavMesh,
};
use navwright::stream::TileLibrary;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The folder, or a file in it.
pub(crate) fn fixture(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format").join(path)
}

pub(crate) fn read(path: impl AsRef<Path>) -> Vec<u8> {
    let path = fixture(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn read_json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&read(path)).unwrap()
}

pub(crate) fn read_params(path: impl AsRef<Path>) -> NavMeshParams {
    NavMeshParams::from_bytes(&read(path).try_into().unwrap()).unwrap()
}

/// Names of the files in the folder with this beginning and extension, sorted.
pub(crate) fn names(start: &str, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(fixture("")).unwrap().map(|entry| entry.unwrap().path());
    let wanted = entries.filter(|path| path.extension().is_some_and(|found| found == extension));
    let mut names: Vec<_> =
        wanted.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.retain(|name| name.starts_with(start));
    names.sort();
    names
}

/// Every valid file that has its own statement: (name, bytes).
pub(crate) fn valid() -> Vec<(String, Vec<u8>)> {
    let names =
        ["onpt", "onpm", "onnm", "onnw", "onps"].into_iter().flat_map(|extension| names("", extension));
    names.filter(|name| !name.starts_with("edit_")).map(|name| (name.clone(), read(name))).collect()
}

/// What a file holds.
#[derive(Debug)]
pub(crate) enum Content {
    Tile(Tile),
    Mesh(TiledNavMesh),
    Envelope(NavMesh),
    World(NavWorld),
    Snapshot(Snapshot),
}

impl Content {
    /// Reads by extension; `params` are those of a bare tile.
    pub(crate) fn read(
        name: &str,
        bytes: &[u8],
        params: Option<&NavMeshParams>,
    ) -> Result<Self, FormatError> {
        match name.rsplit_once('.').unwrap().1 {
            "onpt" => Tile::from_bytes(bytes, params.unwrap()).map(Self::Tile),
            "onpm" => TiledNavMesh::from_bytes(bytes).map(Self::Mesh),
            "onnm" => NavMesh::from_bytes(bytes).map(Self::Envelope),
            "onnw" => NavWorld::from_bytes(bytes).map(Self::World),
            "onps" => Snapshot::from_bytes(bytes).map(Self::Snapshot),
            other => panic!("{other}: not a kind of file that is read here"),
        }
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        match self {
            Self::Tile(tile) => tile.to_bytes(),
            Self::Mesh(mesh) => mesh.to_bytes(),
            Self::Envelope(mesh) => mesh.to_bytes().unwrap(),
            Self::World(world) => world.to_bytes().unwrap(),
            Self::Snapshot(snapshot) => snapshot.to_bytes(),
        }
    }
}

/// The vectors' word for an error's kind.
pub(crate) fn kind(error: &FormatError) -> &'static str {
    match error {
        FormatError::Bad { .. } => "format",
        FormatError::Version { .. } => "version",
        FormatError::Fingerprint { .. } => "fingerprint",
        FormatError::OutOfRange { .. } => "out_of_range",
        FormatError::Occupied { .. } => "occupied",
        FormatError::MissingContent { .. } => "missing_content",
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A library of the tiles in files of the folder.
pub(crate) fn library<'a>(files: impl Iterator<Item = &'a str>) -> TileLibrary {
    let mut library = TileLibrary::new();
    files.for_each(|file| _ = library.add_bytes(read(file)));
    library
}

/// The slots as the vectors state them.
pub(crate) fn slots_json(mesh: &TiledNavMesh) -> Value {
    let slot = |(index, slot): (usize, &navwright::format::Slot)| match &slot.tile {
        None => json!({"slot": index, "salt": slot.salt, "tile": null}),
        Some(tile) => json!({
            "slot": index, "salt": slot.salt, "tile": position_json(tile.position()),
            "content_id": tile.content_id().to_string(),
        }),
    };
    mesh.slots().iter().enumerate().map(slot).collect()
}

fn position_json(position: TilePosition) -> Value {
    json!([position.tile_x, position.tile_z, position.layer])
}

pub(crate) fn position(value: &Value) -> TilePosition {
    let at = |index: usize| i32::try_from(value[index].as_i64().unwrap()).unwrap();
    TilePosition { tile_x: at(0), tile_z: at(1), layer: at(2) }
}

/// All links in slot, polygon and link order.
pub(crate) fn links(mesh: &TiledNavMesh) -> Vec<(PolyRef, Link)> {
    let polygons = mesh.tiles().flat_map(|(reference, tile)| {
        (0..u32::try_from(tile.polygons.len()).unwrap()).map(move |polygon| reference.polygon(polygon))
    });
    polygons.flat_map(|from| mesh.links(from).iter().map(move |&link| (from, link))).collect()
}

/// All links as the vectors state them.
pub(crate) fn links_json(mesh: &TiledNavMesh) -> Value {
    links(mesh).into_iter().map(|(from, link)| link_json(from, &link)).collect()
}

fn link_json(from: PolyRef, link: &Link) -> Value {
    let portal = link.kind == LinkKind::Portal;
    let (edge, side) = (portal.then_some(link.edge), portal.then_some(link.side));
    let (index, owner) = ((!portal).then_some(link.link), (!portal).then_some(link.owner_slot));
    let kind = match link.kind {
        LinkKind::Portal => "portal",
        LinkKind::OffMesh => "off_mesh",
        LinkKind::OffMeshReverse => "off_mesh_reverse",
    };
    json!({
        "slot": from.slot(), "polygon": from.polygon(), "from": format!("0x{:016x}", from.bits()), "kind": kind,
        "to_slot": link.to.slot(), "to_polygon": link.to.polygon(), "to": format!("0x{:016x}", link.to.bits()),
        "edge": edge, "side": side, "range_min": link.range_min, "range_max": link.range_max,
        "link": index, "owner_slot": owner,
    })
}
