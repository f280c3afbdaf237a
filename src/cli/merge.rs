//! `merge`: bakes of tile ranges to the bytes of a whole bake.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

use super::args::MergeArgs;
use super::load::{Part, Parts, load_parts};
use super::output::{Exit, check_mesh_name, count, json_text, print, write_file};
use super::summary::Summary;
use crate::format::{NavMesh, NavMeshParams, NavSettings, NavWorld, Slot, Tile, TiledNavMesh, UnlinkedMesh};

/// The order of a bake's slots: row, column, layer.
type Place = (i32, i32, i32);

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    // As far as the name alone tells, before anything is read.
    check_mesh_name(&args.output, &["onnm", "onnw", "onpm"])?;
    // A mesh for each class; whether the parts are worlds.
    let mut joined: Option<(Vec<Joined<'_>>, bool)> = None;
    for path in &args.parts {
        let (parts, is_world) = match load_parts(path)? {
            Parts::Mesh(part) => (vec![*part], false),
            Parts::World(parts) => (parts, true),
        };
        let Some((classes, world)) = &mut joined else {
            let first = |(settings, mesh): Part| Joined::new(path, settings, mesh);
            joined = Some((parts.into_iter().map(first).collect(), is_world));
            continue;
        };
        if is_world != *world || parts.len() != classes.len() {
            let [a, b] = [(classes.len(), *world), (parts.len(), is_world)].map(shape);
            bail!("{} is {b}, but {} is {a}", path.display(), args.parts[0].display())
        }
        for (class, (settings, mesh)) in classes.iter_mut().zip(parts) {
            class.add(path, settings, mesh)?;
        }
    }
    let Some((classes, is_world)) = joined else { bail!("there is no part to join") };
    let whole = classes.into_iter().map(Joined::whole).collect::<anyhow::Result<Vec<_>>>()?;
    // Only a bare mesh has no settings, and what parts are is what they are joined to.
    let is_bare = whole.iter().any(|(settings, _)| settings.is_none());
    let (parts, ending) = match (is_world, is_bare) {
        (true, _) => ("worlds", "onnw"),
        (false, true) => ("bare meshes", "onpm"),
        (false, false) => ("meshes with their settings", "onnm"),
    };
    check_mesh_name(&args.output, &[ending])
        .with_context(|| format!("the parts are {parts}, and so is what they are joined to"))?;
    let summaries: Vec<Summary> = whole.iter().map(|(_, mesh)| Summary::of(mesh)).collect();
    let bytes = bytes_of(whole, is_world)?;
    write_file(&args.output, &bytes)?;
    let text = if args.json {
        let mut all: Vec<Map<String, Value>> = summaries.iter().map(Summary::as_json).collect();
        let mut map = if is_world { Map::new() } else { all.swap_remove(0) };
        if is_world {
            map.insert("classes".to_owned(), all.into_iter().map(Value::Object).collect());
        }
        map.insert("parts".to_owned(), json!(args.parts.len()));
        map.insert("output".to_owned(), json!(args.output.display().to_string()));
        map.insert("bytes".to_owned(), json!(bytes.len()));
        json_text(&Value::Object(map))?
    } else {
        let mut text = String::new();
        for (index, summary) in summaries.iter().enumerate() {
            if is_world {
                text += &format!("class {index}\n");
            }
            text += &summary.lines();
        }
        let (parts, bytes) = (count(args.parts.len(), "part"), count(bytes.len(), "byte"));
        text += &format!("joined {parts} to {}, {bytes}\n", args.output.display());
        text
    };
    print(&text)?;
    Ok(Exit::Done)
}

fn shape((classes, is_world): (usize, bool)) -> String {
    if is_world {
        format!("a world of {}", count(classes, "agent class"))
    } else {
        "a single mesh".to_owned()
    }
}

fn bytes_of(whole: Vec<(Option<NavSettings>, TiledNavMesh)>, is_world: bool) -> anyhow::Result<Vec<u8>> {
    let mut meshes = Vec::new();
    for (settings, mesh) in whole {
        // Only a bare mesh has none, and it is never in a world.
        let Some(settings) = settings else { return Ok(mesh.to_bytes()) };
        let mesh = NavMesh { settings, mesh };
        if !is_world {
            return Ok(mesh.to_bytes()?);
        }
        meshes.push(mesh);
    }
    Ok(NavWorld::new(meshes)?.to_bytes()?)
}

/// The tiles of the parts so far, each with the part that brought it.
struct Joined<'a> {
    first: &'a Path,
    params: NavMeshParams,
    settings: Option<NavSettings>,
    tiles: BTreeMap<Place, (Tile, &'a Path)>,
    /// The first part with tiles that have height detail, and the first with tiles that have none.
    by_detail: [Option<&'a Path>; 2],
}

impl<'a> Joined<'a> {
    fn new(first: &'a Path, settings: Option<NavSettings>, mesh: UnlinkedMesh) -> Self {
        let params = mesh.params;
        // Within one part no two tiles share a place, so the first part cannot contradict itself.
        let tiles: BTreeMap<Place, (Tile, &Path)> =
            tiles(mesh).map(|(place, tile)| (place, (tile, first))).collect();
        let by_detail = [true, false]
            .map(|wanted| tiles.values().any(|(tile, _)| detailed(tile) == Some(wanted)).then_some(first));
        Self { first, params, settings, tiles, by_detail }
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
            if let Some(detailed) = detailed(&tile) {
                self.by_detail[usize::from(!detailed)].get_or_insert(path);
                if let [Some(voxel), Some(flat)] = self.by_detail {
                    let (voxel, flat) = (voxel.display(), flat.display());
                    bail!(
                        "{voxel} is a voxel bake, whose tiles have height detail, and {flat} a flat bake, whose tiles have none; bake all parts in one mode"
                    )
                }
            }
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

    fn whole(self) -> anyhow::Result<(Option<NavSettings>, TiledNavMesh)> {
        let slots = self.tiles.into_values().map(|(tile, _)| Slot { salt: 1, tile: Some(tile) });
        let mesh = UnlinkedMesh { params: self.params, slots: slots.collect() }.link()?;
        Ok((self.settings, mesh))
    }
}

/// Whether a tile has height detail: where settings ask for it, every tile of a voxel bake has it, and none of a flat
/// one. `None` for a tile without polygons, which does not tell.
fn detailed(tile: &Tile) -> Option<bool> {
    (!tile.polygons.is_empty()).then_some(!tile.detail_meshes.is_empty())
}

fn tiles(mesh: UnlinkedMesh) -> impl Iterator<Item = (Place, Tile)> {
    let tiles = mesh.slots.into_iter().filter_map(|slot| slot.tile);
    tiles.map(|tile| ((tile.tile_z, tile.tile_x, tile.layer), tile))
}
