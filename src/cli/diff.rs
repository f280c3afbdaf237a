//! `diff`: why two files differ.

use std::path::Path;

use anyhow::bail;
use serde_json::{Map, Value, json};

use super::args::DiffArgs;
use super::class;
use super::diff_maps::{Map as MapSide, MapDiff};
use super::load::{Content, load};
use super::output::{Exit, json_text, print};
use crate::compare::{Bare, Build, Comparison, LinkDiff, Row, TileDiff};
use crate::format::{Field, NavMesh, NavMeshParams, NavSettings, TilePosition, TiledNavMesh};

/// What a file says of one build.
struct Side {
    params: NavMeshParams,
    settings: Option<NavSettings>,
    /// `None` for a map.
    mesh: Option<TiledNavMesh>,
}

impl Side {
    fn build(&self) -> Build<'_> {
        Build { params: &self.params, settings: self.settings.as_ref(), mesh: self.mesh.as_ref() }
    }
}

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    let class = args.class.class.as_deref();
    let ((a, a_map), (b, b_map)) = (sides(&args.first, class)?, sides(&args.second, class)?);
    if a.len().min(b.len()) == 1 && a.len() != b.len() {
        let (many, few) =
            if b.len() == 1 { (&args.first, &args.second) } else { (&args.second, &args.first) };
        let number = a.len().max(b.len());
        bail!("{} has {number} agent classes, {} one; say which with --class", many.display(), few.display())
    }
    let maps = a_map.as_ref().zip(b_map.as_ref()).map(|(a, b)| MapDiff::of(a, b));
    let mut different = a.len() != b.len() || maps.as_ref().is_some_and(MapDiff::is_different);
    let mut classes = Vec::new();
    let mut text = format!("A  {}\nB  {}\n", args.first.display(), args.second.display());
    if a.len() != b.len() {
        text += &format!("A has {} agent classes, B {}\n", a.len(), b.len());
    }
    // What is drawn and imported is what people ask for first.
    text.extend(maps.as_ref().filter(|maps| maps.is_different()).map(MapDiff::lines));
    let single = a.len() == 1 && b.len() == 1;
    for (index, (a, b)) in a.iter().zip(&b).enumerate() {
        let (a, b) = (a.build(), b.build());
        let diff = Comparison::of(&a, &b);
        different |= diff.is_different();
        if !single {
            text += &format!("class {index}\n");
        }
        text += &diff.lines(&a, &b);
        classes.push(as_json(&diff, &a, &b));
    }
    text.extend(maps.as_ref().filter(|maps| !maps.is_different()).map(MapDiff::lines));
    if args.json {
        let mut map = if single { classes.remove(0) } else { Map::new() };
        map.insert("different".to_owned(), json!(different));
        if !single {
            map.insert("classes".to_owned(), classes.into_iter().map(Value::Object).collect());
        }
        map.insert("map".to_owned(), maps.as_ref().map_or(Value::Null, MapDiff::as_json));
        text = json_text(&Value::Object(map))?;
    } else if !different {
        let has_tiles = |sides: &[Side]| sides.iter().all(|side| side.mesh.is_some());
        text += &match (maps.is_some(), a_map.is_some(), b_map.is_some()) {
            (false, false, false) if has_tiles(&a) && has_tiles(&b) => "no difference\n".to_owned(),
            (true, ..) => "no difference in settings, drawing and geometry\n".to_owned(),
            (_, false, false) => "no difference in settings; the tiles were not compared\n".to_owned(),
            (_, of_a, _) => format!(
                "no difference in settings and links; whether {} comes of {} is told by baking it and comparing the meshes\n",
                if of_a { "B" } else { "A" },
                if of_a { "A" } else { "B" },
            ),
        };
    }
    print(&text)?;
    Ok(Exit::finding(different))
}

/// A file's builds: one, or one for each agent class, and the map, if it is one. `class` takes one where there are
/// several.
fn sides(path: &Path, class: Option<&str>) -> anyhow::Result<(Vec<Side>, Option<MapSide>)> {
    let mut map = None;
    let sides = match load(path)? {
        Content::Mesh { settings, mesh, .. } => {
            vec![Side {
                params: *mesh.params(),
                settings: settings.map(|settings| *settings),
                mesh: Some(*mesh),
            }]
        }
        Content::World { world, .. } => {
            let side = |class: NavMesh| Side {
                params: *class.mesh.params(),
                settings: Some(class.settings),
                mesh: Some(class.mesh),
            };
            match class {
                Some(_) => vec![side(class::of_world(*world, class, path)?)],
                None => world.into_classes().into_iter().map(side).collect(),
            }
        }
        Content::Snapshot { snapshot, .. } => {
            vec![Side { params: snapshot.params, settings: None, mesh: None }]
        }
        Content::Map(opened) => {
            let document = &opened.document;
            let settings = match class::of_map(document, class, path)? {
                Some(class) => vec![document.bake_settings(class)],
                None => document.world_settings(),
            };
            let side = |settings: NavSettings| -> anyhow::Result<Side> {
                let settings = settings.normalized();
                Ok(Side { params: settings.to_params()?, settings: Some(settings), mesh: None })
            };
            let sides = settings.into_iter().map(side).collect::<anyhow::Result<_>>()?;
            map = Some(MapSide::new(opened, path));
            sides
        }
    };
    Ok((sides, map))
}

fn as_json(diff: &Comparison, a: &Build<'_>, b: &Build<'_>) -> Map<String, Value> {
    let side = |side: &Build<'_>| {
        json!({
            "fingerprint": side.params.fingerprint().to_string(),
            "settings_digest": format!("{:016x}", side.params.settings_digest),
        })
    };
    let rows = |rows: &[Row]| rows.iter().map(row_as_json).collect::<Value>();
    let change = diff.bare.as_ref().and_then(|bare| match bare {
        Bare::But(change) => Some(json!({"name": change.name, "from": change.from, "to": change.to})),
        _ => None,
    });
    let value = json!({
        "a": side(a),
        "b": side(b),
        "parameters": rows(&diff.parameters),
        "settings": diff.settings.as_ref().map(|(settings, _)| rows(settings)),
        "links": diff.settings.as_ref().map(|(_, links)| links_as_json(links)),
        "single_change": change,
        "tiles": diff.tiles.as_ref().map(tiles_as_json),
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn row_as_json(row: &Row) -> Value {
    let bits = |field: &Field| format!("{:0width$x}", field.bits, width = 2 * field.bytes);
    json!({
        "name": row.a.name,
        "a": row.a.text,
        "b": row.b.text,
        "a_bits": bits(&row.a),
        "b_bits": bits(&row.b),
        "differs": row.differs(),
        "prints_the_same": row.prints_the_same(),
    })
}

fn links_as_json(links: &LinkDiff) -> Value {
    let changed =
        |(from, to, fields): &(usize, usize, Vec<String>)| json!({"a": from, "b": to, "fields": fields});
    let moved = |(from, to): &(usize, usize)| json!({"a": from, "b": to});
    json!({
        "added": links.added,
        "removed": links.removed,
        "changed": links.changed.iter().map(changed).collect::<Vec<_>>(),
        "reordered": links.moved.iter().map(moved).collect::<Vec<_>>(),
    })
}

fn tiles_as_json(tiles: &TileDiff) -> Value {
    let place = |at: &TilePosition| json!({"x": at.tile_x, "z": at.tile_z, "layer": at.layer});
    let different = tiles
        .different
        .iter()
        .map(|(at, how)| json!({"x": at.tile_x, "z": at.tile_z, "layer": at.layer, "how": how}));
    json!({
        "same": tiles.same,
        "moved": tiles.moved,
        "different": different.collect::<Vec<_>>(),
        "only_a": tiles.only_a.iter().map(place).collect::<Vec<_>>(),
        "only_b": tiles.only_b.iter().map(place).collect::<Vec<_>>(),
    })
}
