//! `merge`: bakes of tile ranges to the bytes of a whole bake.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use serde_json::{Value, json};

use super::args::MergeArgs;
use super::load::load_part;
use super::output::{Exit, count, json_text, print, write_file};
use super::summary::Summary;
use crate::format::{NavMesh, NavMeshParams, NavSettings, Slot, Tile, UnlinkedMesh};

/// The order of a bake's slots: row, column, layer.
type Place = (i32, i32, i32);

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    let mut joined: Option<Joined<'_>> = None;
    for path in &args.parts {
        let (settings, mesh) = load_part(path)?;
        match &mut joined {
            None => joined = Some(Joined::new(path, settings, mesh)),
            Some(joined) => joined.add(path, settings, mesh)?,
        }
    }
    let Some(joined) = joined else { bail!("there is no part to join") };
    let slots = joined.tiles.into_values().map(|(tile, _)| Slot { salt: 1, tile: Some(tile) });
    let mesh = UnlinkedMesh { params: joined.params, slots: slots.collect() }.link()?;
    let (mesh, bytes) = match joined.settings {
        Some(settings) => {
            let whole = NavMesh { settings, mesh };
            let bytes = whole.to_bytes()?;
            (whole.mesh, bytes)
        }
        None => {
            let bytes = mesh.to_bytes();
            (mesh, bytes)
        }
    };
    write_file(&args.output, &bytes)?;
    let summary = Summary::of(&mesh);
    let text = if args.json {
        let mut map = summary.as_json();
        map.insert("parts".to_owned(), json!(args.parts.len()));
        map.insert("output".to_owned(), json!(args.output.display().to_string()));
        map.insert("bytes".to_owned(), json!(bytes.len()));
        json_text(&Value::Object(map))?
    } else {
        let mut text = summary.lines();
        let (parts, bytes) = (count(args.parts.len(), "part"), count(bytes.len(), "byte"));
        text += &format!("joined {parts} to {}, {bytes}\n", args.output.display());
        text
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// The tiles of the parts so far, each with the part that brought it.
struct Joined<'a> {
    first: &'a Path,
    params: NavMeshParams,
    settings: Option<NavSettings>,
    tiles: BTreeMap<Place, (Tile, &'a Path)>,
}

impl<'a> Joined<'a> {
    fn new(first: &'a Path, settings: Option<NavSettings>, mesh: UnlinkedMesh) -> Self {
        let params = mesh.params;
        // Within one part no two tiles share a place, so the first part cannot contradict itself.
        let tiles = tiles(mesh).map(|(place, tile)| (place, (tile, first))).collect();
        Self { first, params, settings, tiles }
    }

    fn add(
        &mut self,
        path: &'a Path,
        settings: Option<NavSettings>,
        mesh: UnlinkedMesh,
    ) -> anyhow::Result<()> {
        if let Some((field, first, other)) = self.params.first_difference(&mesh.params) {
            let (a, b) = (self.first.display(), path.display());
            bail!(
                "{b} is of another build than {a}: {field} is {other}, not {first}; navwright diff {a} {b} says more"
            )
        }
        if self.settings.is_none() {
            self.settings = settings;
        }
        for (place, tile) in tiles(mesh) {
            if let Some((held, from)) = self.tiles.get(&place) {
                if held.content_id() != tile.content_id() {
                    let (position, a, b) = (tile.position(), from.display(), path.display());
                    bail!("tile {position} differs between {a} and {b}; bake all parts from one map")
                }
                continue;
            }
            self.tiles.insert(place, (tile, path));
        }
        Ok(())
    }
}

fn tiles(mesh: UnlinkedMesh) -> impl Iterator<Item = (Place, Tile)> {
    let tiles = mesh.slots.into_iter().filter_map(|slot| slot.tile);
    tiles.map(|tile| ((tile.tile_z, tile.tile_x, tile.layer), tile))
}
