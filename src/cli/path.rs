//! `path`: the way between two places.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use serde_json::{Value, json};

use super::args::{PathArgs, Place, number};
use super::load::load_mesh;
use super::output::{Exit, count, decimal, json_text, print};
use crate::format::TiledNavMesh;
use crate::query::{
    NavPath, PathScratch, PathStatus, QueryFilter, SNAP_TILES, closest_nav_point, find_nav_path,
};

pub(super) fn run(args: &PathArgs) -> anyhow::Result<Exit> {
    let mesh = load_mesh(&args.file, args.class.class.as_deref())?;
    let mut asker = Asker::new(&mesh, args.xyz);
    if let Some(pairs) = &args.pairs {
        return run_pairs(args, pairs, &mut asker);
    }
    let (Some(from), Some(to)) = (args.from, args.to) else {
        bail!("FROM and TO are needed, or --pairs FILE")
    };
    let path = asker.ask(from, to)?;
    print(&if args.json { json_text(&path_json(&path))? } else { path_text(&path, args.explain) })?;
    Ok(Exit::finding(path.status != PathStatus::Complete))
}

/// Asks a mesh, with places as the command line has them.
pub(super) struct Asker<'a> {
    mesh: &'a TiledNavMesh,
    xyz: bool,
    levels: BTreeSet<i8>,
    filter: QueryFilter,
    scratch: PathScratch,
}

impl<'a> Asker<'a> {
    pub(super) fn new(mesh: &'a TiledNavMesh, xyz: bool) -> Self {
        let levels =
            mesh.tiles().flat_map(|(_, tile)| &tile.polygons).map(|polygon| polygon.level()).collect();
        Self { mesh, xyz, levels, filter: QueryFilter::default(), scratch: PathScratch::default() }
    }

    pub(super) fn ask(&mut self, from: Place, to: Place) -> anyhow::Result<NavPath> {
        let (start, start_level) = self.place(from).context("FROM")?;
        let (end, end_level) = self.place(to).context("TO")?;
        let (mesh, filter) = (self.mesh, &self.filter);
        Ok(find_nav_path(mesh, start, start_level, end, end_level, filter, &mut self.scratch)?)
    }

    /// World x, z and the level, if one is meant.
    fn place(&mut self, place: Place) -> anyhow::Result<([f64; 2], Option<i8>)> {
        let Place { first: [a, b], third } = place;
        match (self.xyz, third) {
            (false, None) => Ok(([a, b], None)),
            (false, Some(level)) => Ok(([a, b], Some(level_of(level)?))),
            (true, Some(z)) => Ok(([a, z], self.level_at([a, b, z])?)),
            (true, None) => bail!("{a},{b} has two numbers; with --xyz a place is X,Y,Z"),
        }
    }

    /// The level of the floor nearest to a place in space.
    fn level_at(&mut self, [x, y, z]: [f64; 3]) -> anyhow::Result<Option<i8>> {
        let reach = SNAP_TILES * self.mesh.params().tile_size;
        let mut best: Option<(f64, i8)> = None;
        for &level in &self.levels {
            let found =
                closest_nav_point(self.mesh, [x, z], Some(level), reach, &self.filter, &mut self.scratch)?;
            if let Some(found) = found {
                let distance = found.distance.hypot(found.position[1] - y);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, level));
                }
            }
        }
        Ok(best.map(|(_, level)| level))
    }
}

fn level_of(value: f64) -> anyhow::Result<i8> {
    #[allow(clippy::cast_possible_truncation, reason = "compared with what it came from")]
    let level = value as i8;
    ensure!(f64::from(level) == value, "{value} is no level; levels are whole numbers from -128 to 127");
    Ok(level)
}

/// One question a line, one answer a line.
fn run_pairs(args: &PathArgs, pairs: &Path, asker: &mut Asker<'_>) -> anyhow::Result<Exit> {
    let (name, reader): (String, Box<dyn BufRead>) = if pairs.as_os_str() == "-" {
        ("standard input".to_owned(), Box::new(io::stdin().lock()))
    } else {
        let name = pairs.display().to_string();
        let file = File::open(pairs).with_context(|| name.clone())?;
        (name, Box::new(BufReader::new(file)))
    };
    let mut exit = Exit::Done;
    for (index, line) in reader.lines().enumerate() {
        let place = || format!("{name}:{}", index + 1);
        let line = line.with_context(place)?;
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let [from, to] = pair(&line).with_context(place)?;
        let path = asker.ask(from, to).with_context(place)?;
        if path.status != PathStatus::Complete {
            exit = Exit::Finding;
        }
        let answer = if args.json { path_json(&path).to_string() } else { path_line(&path, args.explain) };
        if !print(&format!("{answer}\n"))? {
            break;
        }
    }
    Ok(exit)
}

fn pair(line: &str) -> anyhow::Result<[Place; 2]> {
    let words = line.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let numbers = words.map(number).collect::<Result<Vec<f64>, String>>().map_err(|error| anyhow!(error))?;
    let six = <[f64; 6]>::try_from(numbers)
        .map_err(|numbers| anyhow!("{} on the line, 6 are needed", count(numbers.len(), "number")))?;
    let place = |a, b, c| Place { first: [a, b], third: Some(c) };
    Ok([place(six[0], six[1], six[2]), place(six[3], six[4], six[5])])
}

fn status_name(status: PathStatus) -> &'static str {
    match status {
        PathStatus::Complete => "complete",
        PathStatus::Partial => "partial",
        PathStatus::None => "none",
    }
}

fn path_json(path: &NavPath) -> Value {
    let points = path.points.iter().map(|point| {
        let [x, y, z] = point.position;
        json!({ "x": x, "y": y, "z": z, "level": point.level, "link": point.link })
    });
    json!({
        "status": status_name(path.status),
        "length": path.length,
        "length_3d": path.length_3d,
        "points": points.collect::<Vec<_>>(),
        "reason": path.reason,
        "start_moved": path.start_moved,
        "end_moved": path.end_moved,
        "corridor": path.corridor.iter().map(|poly| format!("{:016x}", poly.bits())).collect::<Vec<_>>(),
    })
}

/// Status and lengths; with `explain` the reason too.
fn path_line(path: &NavPath, explain: bool) -> String {
    let mut text = status_name(path.status).to_owned();
    if path.status != PathStatus::None {
        text += &format!(" {} {}", decimal(path.length, 6), decimal(path.length_3d, 6));
    }
    if explain && !path.reason.is_empty() {
        text += &format!(" {}", path.reason);
    }
    text
}

fn path_text(path: &NavPath, explain: bool) -> String {
    let mut text = status_name(path.status).to_owned();
    if path.status != PathStatus::None {
        let (length, surface) = (decimal(path.length, 3), decimal(path.length_3d, 3));
        let corners = count(path.points.len(), "point");
        text += &format!(", length {length} ({surface} along the floor), {corners}");
    }
    text.push('\n');
    if !path.reason.is_empty() {
        text += &format!("why: {}\n", path.reason);
    }
    if !path.points.is_empty() {
        text += &format!("{:>12}{:>12}{:>12}  level\n", "x", "z", "y");
    }
    for point in &path.points {
        let [x, y, z] = point.position.map(|value| decimal(value, 3));
        let link = point.link.map(|id| format!("  takes link {id}")).unwrap_or_default();
        text += &format!("{x:>12}{z:>12}{y:>12}  {}{link}\n", point.level);
    }
    if explain {
        for (what, moved) in [("start", path.start_moved), ("end", path.end_moved)] {
            if moved > 0.0 {
                text += &format!("{what} moved {} onto the mesh\n", decimal(moved, 3));
            }
        }
        let corridor = path.corridor.iter().map(|poly| format!("{}:{}", poly.slot(), poly.polygon()));
        let corridor = corridor.collect::<Vec<_>>().join(" ");
        text += &format!("through (slot:polygon) {corridor}\n");
    }
    text
}
