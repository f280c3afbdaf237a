//! `path`: the way between two places.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail, ensure};
use serde_json::{Value, json};

use super::args::{PathArgs, Place, number};
use super::explain::{barrier_lines, explanation_json};
use super::output::{Exit, count, decimal, json_text, print};
use super::places;
use super::source::mesh_or_bake;
use crate::format::TiledNavMesh;
use crate::project::{Document, Spot, SpotPath, explain_spots, find_path};
use crate::query::{
    Landmarks, NavPath, PathExplanation, PathScratch, PathStatus, QueryFilter, USUAL_LANDMARKS,
    closest_nav_point,
};

pub(super) fn run(args: &PathArgs) -> anyhow::Result<Exit> {
    let (mesh, baked) = mesh_or_bake(&args.file, args.class.class.as_deref(), &args.set, &args.source)?;
    let mut asker = Asker::new(&mesh, baked.as_ref().map(|(source, _)| &source.document), args.xyz);
    if let Some(pairs) = &args.pairs {
        return run_pairs(args, pairs, &mut asker);
    }
    let (Some(from), Some(to)) = (args.from, args.to) else {
        bail!("FROM and TO are needed, or --pairs FILE")
    };
    let found = asker.ask(from, to)?;
    let told = if args.explain { Some(asker.explain(from, to)?) } else { None };
    let notes = asker.notes([from, to], &found)?;
    let path = answer_of(found);
    let text = if args.json {
        let mut value = path_json(&path);
        value["notes"] = json!(notes);
        if let Some(told) = &told {
            value["explanation"] = explanation_json(told);
        }
        json_text(&value)?
    } else {
        path_text(&path, &notes, args.explain) + &told.as_ref().map(barrier_lines).unwrap_or_default()
    };
    print(&text)?;
    Ok(Exit::finding(path.status != PathStatus::Complete))
}

/// Asks a mesh, with places as the command line has them.
pub(super) struct Asker<'a> {
    mesh: &'a TiledNavMesh,
    /// The map that the mesh was baked from; an empty one if it is not known.
    document: Cow<'a, Document>,
    xyz: bool,
    filter: QueryFilter,
    scratch: PathScratch,
    /// Nodes to look at before landmarks are found.
    patience: u64,
    prepared: bool,
    /// Lengths of the ways so far, and of the straight lines between their ends.
    walked: f64,
    straight: f64,
}

/// What landmarks cost, in nodes that a search looks at for each polygon: each of them is a search over the whole mesh.
const LANDMARKS_COST: u64 = 200;
/// By so much ways must be longer than straight lines for landmarks to pay; else plain searches are quicker.
const WINDING: f64 = 1.25;

impl<'a> Asker<'a> {
    /// Of a mesh baked just now, its map says which floors places mean, and what its area types cost.
    pub(super) fn new(mesh: &'a TiledNavMesh, document: Option<&'a Document>, xyz: bool) -> Self {
        let polygons: usize = mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
        let document = document.map_or_else(|| Cow::Owned(Document::default()), Cow::Borrowed);
        Self {
            mesh,
            filter: document.filter(),
            document,
            xyz,
            scratch: PathScratch::default(),
            patience: polygons as u64 * LANDMARKS_COST,
            prepared: false,
            walked: 0.0,
            straight: 0.0,
        }
    }

    /// As [`Self::ask`], of many: finds landmarks once searching has cost as much as that does and ways wind.
    fn ask_another(&mut self, from: Place, to: Place) -> anyhow::Result<NavPath> {
        let winding = self.walked > WINDING * self.straight;
        if !self.prepared && winding && self.patience <= self.scratch.nodes() {
            self.prepared = true;
            self.scratch.use_landmarks(Some(Arc::new(Landmarks::find(self.mesh, USUAL_LANDMARKS))));
        }
        let path = answer_of(self.ask(from, to)?);
        if let (Some(first), Some(last)) = (path.points.first(), path.points.last()) {
            let [a, b] = [first, last].map(|point| point.position);
            self.walked += path.length;
            self.straight += (a[0] - b[0]).hypot(a[2] - b[2]);
        }
        Ok(path)
    }

    pub(super) fn ask(&mut self, from: Place, to: Place) -> anyhow::Result<SpotPath> {
        let [from, to] = self.spots(from, to)?;
        Ok(find_path(&self.document, self.mesh, [&from, &to], &self.filter, &mut self.scratch)?)
    }

    pub(super) fn explain(&mut self, from: Place, to: Place) -> anyhow::Result<PathExplanation> {
        let [from, to] = self.spots(from, to)?;
        Ok(explain_spots(&self.document, self.mesh, [&from, &to], &self.filter, &mut self.scratch)?)
    }

    /// Notes on both ends of a path, a sentence each.
    pub(super) fn notes(&mut self, ends: [Place; 2], found: &SpotPath) -> anyhow::Result<Vec<String>> {
        places::notes(self.mesh, ends, found, self.xyz, &self.filter, &mut self.scratch)
    }

    fn spots(&mut self, from: Place, to: Place) -> anyhow::Result<[Spot; 2]> {
        Ok([self.spot(from).context("FROM")?, self.spot(to).context("TO")?])
    }

    fn spot(&mut self, place: Place) -> anyhow::Result<Spot> {
        let Place { first: [a, b], third } = place;
        match (self.xyz, third) {
            (false, None) => Ok(Spot { at: [a, b], level: self.nearest_level([a, b])?, y: None }),
            (false, Some(level)) => Ok(Spot { at: [a, b], level: level_of(level)?, y: None }),
            (true, Some(z)) => Ok(Spot { at: [a, z], level: 0, y: Some(b) }),
            (true, None) => bail!("{a},{b} has two numbers; with --xyz a place is X,Y,Z"),
        }
    }

    fn nearest_level(&mut self, at: [f64; 2]) -> anyhow::Result<i8> {
        let floor = closest_nav_point(self.mesh, at, None, f64::INFINITY, &self.filter, &mut self.scratch)?;
        Ok(floor.map_or(0, |floor| floor.level))
    }
}

/// The path that is answered with: none where a place is too far off the mesh to be meant, as in a check.
pub(super) fn answer_of(found: SpotPath) -> NavPath {
    if found.off().is_none() {
        return found.path;
    }
    NavPath {
        reason: found.why_not(),
        start_moved: found.path.start_moved,
        end_moved: found.path.end_moved,
        ..NavPath::default()
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
        let path = asker.ask_another(from, to).with_context(place)?;
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

pub(super) fn status_name(status: PathStatus) -> &'static str {
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

fn path_text(path: &NavPath, notes: &[String], explain: bool) -> String {
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
    text.extend(notes.iter().map(|note| format!("note: {note}\n")));
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
