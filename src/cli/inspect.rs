//! `inspect`: what is in a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use serde_json::{Map, Value, json};

use super::args::{InspectArgs, Mode};
use super::load::{Content, MeshKind, load};
use super::output::{Exit, count, decimal, json_text, print, sentences};
use super::source::mode_of;
use super::summary::{Summary, digest_text, identity};
use super::{class, settings};
use crate::bake::AreaKind;
use crate::format::{NavMesh, NavMeshParams, NavSettings, NavWorld, Snapshot, TiledNavMesh};
use crate::project::{AgentClass, Document, FileKind, Geometry, Opened, placed, read_geometry};

pub(super) fn run(args: &InspectArgs) -> anyhow::Result<Exit> {
    let text = match load(&args.file)? {
        Content::Mesh { kind, settings, mesh, left_out, bytes } => {
            let settings = settings.as_deref();
            if args.json {
                mesh_json(kind, settings, &mesh, &left_out, bytes)?
            } else {
                let not_read = if left_out.is_empty() {
                    String::new()
                } else {
                    format!("not read         {left_out}\n")
                };
                mesh_text(kind, settings, &mesh, bytes) + &not_read
            }
        }
        Content::World { world, bytes } if args.json => world_json(&world, bytes)?,
        Content::World { world, bytes } => world_text(&world, bytes),
        Content::Snapshot { snapshot, bytes } => snapshot_report(&snapshot, bytes, args.json)?,
        Content::Map(opened) if args.json => map_json(&opened, &args.file)?,
        Content::Map(opened) => map_text(&opened, &args.file)?,
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// What a file of one mesh is called, its magic and its version.
fn kind_words(kind: MeshKind) -> (&'static str, &'static str, u16) {
    match kind {
        MeshKind::Onnm => ("mesh with its settings", "ONNM", 1),
        MeshKind::Onpm => ("bare mesh", "ONPM", 2),
        MeshKind::Mset => ("Detour's tiled mesh", "MSET", 1),
    }
}

fn world_json(world: &NavWorld, bytes: usize) -> anyhow::Result<String> {
    let class = |class: &NavMesh| {
        let mut map = Summary::of(&class.mesh).as_json();
        map.insert("settings".to_owned(), settings::as_json(&class.settings));
        Value::Object(map)
    };
    let classes: Value = world.classes().iter().map(class).collect();
    json_text(&json!({"kind": "ONNW", "version": 1, "bytes": bytes, "classes": classes}))
}

fn world_text(world: &NavWorld, bytes: usize) -> String {
    let classes = world.classes();
    let number = classes.len();
    let mut text = format!("world of {number} agent classes (ONNW, version 1), {}\n", count(bytes, "byte"));
    for (index, class) in classes.iter().enumerate() {
        text += &format!("class {index}: {}\n", class::agent_words(&class.settings));
        text += &Summary::of(&class.mesh).lines();
        text += "settings\n";
        text += &settings::as_lines(&class.settings);
        text += &format!("  {:<23}{}\n", "links", class.settings.links.len());
    }
    text
}

fn snapshot_report(snapshot: &Snapshot, bytes: usize, as_json: bool) -> anyhow::Result<String> {
    let params = &snapshot.params;
    let (slots, tiles) =
        (snapshot.slots.len(), snapshot.slots.iter().filter_map(|slot| slot.content).count());
    let (fingerprint, digest) = (params.fingerprint().to_string(), digest_text(params.settings_digest));
    if as_json {
        let list = snapshot.slots.iter().map(
            |slot| json!({"salt": slot.salt, "content_id": slot.content.map(|content| content.to_string())}),
        );
        return json_text(&json!({
            "kind": "ONPS", "version": 2, "bytes": bytes, "fingerprint": fingerprint, "settings_digest": digest,
            "slots": slots, "tiles": tiles, "slot_list": list.collect::<Vec<_>>(),
        }));
    }
    let mut text = format!("snapshot (ONPS, version 2), {}\n", count(bytes, "byte"));
    text += &format!("fingerprint      {fingerprint}\nsettings digest  {digest}\n");
    text += &format!("slots            {slots} ({} free), tiles by content id\nparameters\n", slots - tiles);
    for (name, value) in parameters(params) {
        text += &settings::line(name, &value);
    }
    Ok(text)
}

fn mesh_json(
    kind: MeshKind,
    settings: Option<&NavSettings>,
    mesh: &TiledNavMesh,
    left_out: &str,
    bytes: usize,
) -> anyhow::Result<String> {
    let (_, kind, version) = kind_words(kind);
    let mut map = Summary::of(mesh).as_json();
    let settings_json = settings.map_or(Value::Null, settings::as_json);
    let parameters = parameters(mesh.params()).into_iter().map(|(name, value)| (name.to_owned(), value));
    let parameters: Map<String, Value> = parameters.collect();
    let tiles: Vec<Value> = mesh
        .tiles()
        .map(|(tile_ref, tile)| {
            json!({
                "slot": tile_ref.slot(), "salt": tile_ref.salt(),
                "x": tile.tile_x, "z": tile.tile_z, "layer": tile.layer,
                "polygons": tile.polygons.len(), "content_id": tile.content_id().to_string(),
            })
        })
        .collect();
    for (key, value) in [
        ("kind", json!(kind)),
        ("version", json!(version)),
        ("bytes", json!(bytes)),
        ("left_out", json!(sentences(left_out))),
        ("settings", settings_json),
        ("parameters", Value::Object(parameters)),
        ("tile_list", Value::Array(tiles)),
    ] {
        map.insert(key.to_owned(), value);
    }
    json_text(&Value::Object(map))
}

fn mesh_text(kind: MeshKind, settings: Option<&NavSettings>, mesh: &TiledNavMesh, bytes: usize) -> String {
    let (what, kind, version) = kind_words(kind);
    let mut text = format!("{what} ({kind}, version {version}), {}\n", count(bytes, "byte"));
    let summary = Summary::of(mesh);
    text += &summary.lines();
    text += &format!("slots            {} ({} free)\n", summary.slots, summary.slots - summary.tiles);
    match settings {
        Some(settings) => {
            text += "settings\n";
            text += &settings::as_lines(settings);
            text += &format!("  {:<23}{}\n", "links", settings.links.len());
        }
        None => {
            text += "parameters\n";
            for (name, value) in parameters(mesh.params()) {
                text += &settings::line(name, &value);
            }
        }
    }
    text
}

fn parameters(params: &NavMeshParams) -> [(&'static str, Value); 9] {
    [
        ("origin", json!(params.origin)),
        ("tile_size", json!(params.tile_size)),
        ("cell_size", json!(params.cell_size)),
        ("max_verts_per_poly", json!(params.max_verts_per_poly)),
        ("walkable_climb", settings::shortest(params.walkable_climb)),
        ("agent_radius", settings::shortest(params.agent_radius)),
        ("agent_height", settings::shortest(params.agent_height)),
        ("agent_max_slope", settings::shortest(params.agent_max_slope)),
        ("settings_digest", json!(digest_text(params.settings_digest))),
    ]
}

/// Per level: walk areas, holes.
fn areas_by_level(document: &Document) -> BTreeMap<i8, [usize; 2]> {
    let mut levels: BTreeMap<i8, [usize; 2]> =
        document.levels.iter().map(|level| (level.number, [0, 0])).collect();
    for area in document.areas.iter() {
        let counts = levels.entry(area.level).or_default();
        counts[usize::from(area.kind == AreaKind::Hole)] += 1;
    }
    levels
}

fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Project => "project",
        FileKind::MapText => "map text",
        FileKind::Geometry => "geometry",
    }
}

/// How the map is baked where no mode is asked for.
fn mode_name(document: &Document) -> &'static str {
    match mode_of(document) {
        Mode::Flat => "flat",
        Mode::Voxel => "voxel",
    }
}

fn map_json(opened: &Opened, path: &Path) -> anyhow::Result<String> {
    let document = &opened.document;
    let geometry = geometry_of(opened, path)?;
    // The keys beside "classes" are those of the first one, which most maps have alone.
    let settings = document.bake_settings(&document.classes[0]);
    let (fingerprint, digest) = identity(&settings)?;
    let class = |class: &Arc<AgentClass>| -> anyhow::Result<Value> {
        let settings = document.bake_settings(class);
        let (fingerprint, digest) = identity(&settings)?;
        Ok(json!({
            "name": class.name,
            "fingerprint": fingerprint,
            "settings_digest": digest,
            "settings": settings::as_json(&settings),
        }))
    };
    let classes = document.classes.iter().map(class).collect::<anyhow::Result<Vec<_>>>()?;
    let levels = areas_by_level(document).into_iter().map(|(number, [walks, holes])| {
        let level = document.levels.iter().find(|level| level.number == number);
        json!({
            "number": number,
            "name": level.map(|level| level.name.clone()).unwrap_or_default(),
            "elevation": document.elevation(number),
            "walk_areas": walks,
            "holes": holes,
        })
    });
    json_text(&json!({
        "kind": kind_name(opened.kind),
        "mode": mode_name(document),
        "fingerprint": fingerprint,
        "settings_digest": digest,
        "areas": document.areas.len(),
        "points": document.areas.iter().map(|area| area.points.len()).sum::<usize>(),
        "authored_links": document.links.len(),
        "geometry": geometry.iter().map(Item::as_json).collect::<Vec<_>>(),
        "levels": levels.collect::<Vec<_>>(),
        "settings": settings::as_json(&settings),
        "classes": classes,
    }))
}

fn map_text(opened: &Opened, path: &Path) -> anyhow::Result<String> {
    let document = &opened.document;
    let mut text = format!("{}\n", kind_name(opened.kind));
    text += &format!("baked            {}, unless --mode says otherwise\n", mode_name(document));
    let points: usize = document.areas.iter().map(|area| area.points.len()).sum();
    text += &format!("areas            {}, with {}\n", document.areas.len(), count(points, "point"));
    text += &format!("links            {}\n", document.links.len());
    text.extend(geometry_of(opened, path)?.iter().map(Item::line));
    for (number, [walks, holes]) in areas_by_level(document) {
        let elevation = document.elevation(number);
        let (walks, holes) = (count(walks, "walk area"), count(holes, "hole"));
        text += &format!("level {number:<3}        {walks}, {holes}, elevation {elevation}\n");
    }
    for (index, class) in document.classes.iter().enumerate() {
        let settings = document.bake_settings(class);
        let (fingerprint, digest) = identity(&settings)?;
        text += &format!("class {index} \"{}\"\n", class.name.escape_debug());
        text += &format!("  {:<23}{fingerprint}\n  {:<23}{digest}\n", "fingerprint", "settings_digest");
        text += &settings::agent_lines(&settings);
    }
    text += "settings\n";
    text += &settings::shared_lines(&document.settings);
    Ok(text)
}

/// A file of imported geometry, and what is in it.
struct Item<'a> {
    item: &'a Geometry,
    /// Or why it cannot be read.
    content: Result<Counted, String>,
}

/// How much geometry there is, and its bounds in the world.
struct Counted {
    corners: usize,
    triangles: usize,
    bounds: Option<[[f64; 3]; 2]>,
}

fn geometry_of<'a>(opened: &'a Opened, path: &Path) -> anyhow::Result<Vec<Item<'a>>> {
    let document = &opened.document;
    let folder = path.parent().unwrap_or(Path::new(""));
    let content = |item: &Geometry| {
        let raw = read_geometry(&folder.join(&item.path)).map_err(|error| error.to_string())?;
        let meshes: Vec<_> = raw.meshes.iter().map(|mesh| placed(mesh, item)).collect();
        let finite = |vertex: &&[f64; 3]| vertex.iter().all(|value| value.is_finite());
        let mut bounds: Option<[[f64; 3]; 2]> = None;
        for vertex in meshes.iter().flat_map(|mesh| mesh.vertices.iter()).filter(finite) {
            let [low, high] = bounds.get_or_insert([*vertex, *vertex]);
            for axis in 0..3 {
                low[axis] = low[axis].min(vertex[axis]);
                high[axis] = high[axis].max(vertex[axis]);
            }
        }
        let corners = meshes.iter().map(|mesh| mesh.vertices.len()).sum();
        let triangles = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        Ok(Counted { corners, triangles, bounds })
    };
    let items: Vec<Item<'_>> =
        document.geometry.iter().map(|item| Item { item, content: content(item) }).collect();
    // Of a map there is more to say; a file of geometry by itself is what cannot be read.
    match items.iter().find_map(|item| item.content.as_ref().err()) {
        Some(error) if opened.kind == FileKind::Geometry => bail!("{error}"),
        _ => Ok(items),
    }
}

impl Item<'_> {
    fn as_json(&self) -> Value {
        match &self.content {
            Ok(Counted { corners, triangles, bounds }) => json!({
                "path": self.item.path,
                "vertices": corners,
                "triangles": triangles,
                "bounds": bounds,
            }),
            Err(error) => json!({ "path": self.item.path, "error": error }),
        }
    }

    fn line(&self) -> String {
        let path = &self.item.path;
        match &self.content {
            Ok(Counted { corners, triangles, bounds }) => {
                let bounds = bounds.map_or_else(String::new, |[low, high]| {
                    let place = |p: [f64; 3]| p.map(|value| decimal(value, 3)).join(", ");
                    format!(", from {} to {}", place(low), place(high))
                });
                let (corners, triangles) = (count(*corners, "corner"), count(*triangles, "triangle"));
                format!("geometry         {path}: {triangles}, {corners}{bounds}\n")
            }
            Err(error) => format!("geometry         {path}: cannot be read: {error}\n"),
        }
    }
}
