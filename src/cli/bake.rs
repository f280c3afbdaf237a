//! `bake`: a map to the mesh that a game loads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Map, Value, json};

use super::args::BakeArgs;
use super::diagnostics::{diagnostic_json, diagnostic_line, severities};
use super::output::{Exit, check_mesh_name, complain, count, decimal, json_text, print, write_file};
use super::source::Source;
use super::summary::Summary;
use super::{check, class};
use crate::bake::{BakeOptions, BakeReport, Severity};
use crate::format::{FormatError, NavMesh, NavWorld};
use crate::project::{AgentClass, CheckAnswer, Document, name_links, run_checks};

/// A class with its mesh, its report and its checks.
type Of<'a> = (&'a Arc<AgentClass>, ((&'a Summary, &'a BakeReport), &'a Vec<CheckAnswer>));

/// A stage's name and how long it took, in order.
type Timings = Vec<(&'static str, Duration)>;

pub(super) fn run(args: &BakeArgs) -> anyhow::Result<Exit> {
    check_mesh_name(&args.output, &["onnm", "onnw"])?;
    let mut timings = Timings::new();
    let source = timed(&mut timings, "load", || Source::load(&args.project, &args.set, &args.source))?;
    let document = &source.document;
    let as_world = args
        .output
        .extension()
        .is_some_and(|ending| ending.to_ascii_lowercase().as_encoded_bytes() == b"onnw");
    let classes = chosen(document, args, as_world)?;
    let options = BakeOptions {
        jobs: args.jobs as usize,
        tiles: args.tiles.map(|tiles| tiles.0),
        ..BakeOptions::default()
    };
    let bake = |class: &Arc<AgentClass>| {
        let baked = source.bake(&document.bake_settings(class), options);
        let of_class = || match classes.len() {
            1 => args.project.display().to_string(),
            _ => format!("{}, agent class \"{}\"", args.project.display(), class.name.escape_debug()),
        };
        baked.with_context(of_class)
    };
    let baked = timed(&mut timings, "bake", || classes.iter().map(bake).collect::<anyhow::Result<Vec<_>>>())?;
    let (meshes, mut reports): (Vec<NavMesh>, Vec<BakeReport>) = baked.into_iter().unzip();
    reports.iter_mut().for_each(|report| name_links(document, &mut report.diagnostics));
    let mut notes = source.notes.clone();
    if let Some(tiles) = args.tiles.filter(|_| meshes.iter().all(|mesh| mesh.mesh.tiles().next().is_none())) {
        let note = source.nothing_in(tiles.0)?;
        complain(&format!("warning: {note}"));
        notes.push(note);
    }
    if let Some(said) = source.left_out.as_ref().filter(|_| args.json) {
        // The text says so among the diagnostics.
        complain(&format!("warning: {}: {}", args.project.display(), said.message));
    }
    let answers: Vec<Vec<CheckAnswer>> = if args.tiles.is_some() {
        // A part of a map answers for itself only; `check` asks the whole.
        vec![Vec::new(); meshes.len()]
    } else {
        let asked = classes.iter().zip(&meshes);
        timed(&mut timings, "paths", || {
            asked.map(|(class, mesh)| run_checks(document, class, &mesh.mesh)).collect()
        })
    };
    let world = NavWorld::new(meshes)?;
    let bytes = timed(&mut timings, "encode", || bytes_of(&world, as_world))?;
    timed(&mut timings, "check", || read_back(&bytes, as_world))?;
    timed(&mut timings, "write", || write_file(&args.output, &bytes))?;
    let summaries: Vec<Summary> = world.classes().iter().map(|mesh| Summary::of(&mesh.mesh)).collect();
    let baked: Vec<_> = classes.iter().zip(summaries.iter().zip(&reports).zip(&answers)).collect();
    let text = if args.json {
        let class_json = |(class, ((summary, report), answers)): &Of<'_>| {
            let mut map = summary.as_json();
            map.insert("class".to_owned(), json!(class.name));
            map.insert("diagnostics".to_owned(), report.diagnostics.iter().map(diagnostic_json).collect());
            map.insert("checks".to_owned(), check::answers_json(document, answers));
            map
        };
        let mut all: Vec<Map<String, Value>> = baked.iter().map(class_json).collect();
        let mut map = if as_world { Map::new() } else { all.swap_remove(0) };
        if as_world {
            map.insert("classes".to_owned(), all.into_iter().map(Value::Object).collect());
        }
        map.insert("notes".to_owned(), json!(notes));
        map.insert("timings".to_owned(), timings_json(&timings));
        map.insert("output".to_owned(), json!(args.output.display().to_string()));
        map.insert("bytes".to_owned(), json!(bytes.len()));
        json_text(&Value::Object(map))?
    } else {
        let mut text: String = source.notes.iter().map(|note| format!("{note}\n")).collect();
        for (index, (class, ((summary, report), answers))) in baked.iter().enumerate() {
            if as_world {
                text += &format!("class {index} \"{}\"\n", class.name.escape_debug());
            }
            text.extend(report.diagnostics.iter().map(diagnostic_line));
            text += &severities(report);
            text += &summary.lines();
            text += &check::answers_lines(document, answers);
        }
        text += &format!("{}\n", timings_line(&timings));
        text += &format!("wrote {}, {}\n", args.output.display(), count(bytes.len(), "byte"));
        text
    };
    print(&text)?;
    let errors =
        |report: &BakeReport| report.diagnostics.iter().any(|d| d.kind.severity() == Severity::Error);
    let failed = answers.iter().flatten().any(|answer| !answer.passed);
    // A part of a map may well be empty.
    let empty = args.tiles.is_none() && summaries.iter().any(|summary| summary.polygons == 0);
    Ok(Exit::finding(reports.iter().any(errors) || failed || empty))
}

/// What is baked: the class that is asked for, else all, of which a single mesh holds one.
fn chosen(document: &Document, args: &BakeArgs, as_world: bool) -> anyhow::Result<Vec<Arc<AgentClass>>> {
    let (project, output) = (&args.project, args.output.display());
    if let Some(class) = class::of_map(document, args.class.class.as_deref(), project)? {
        return Ok(vec![Arc::clone(class)]);
    }
    if document.classes.len() > 1 && !as_world {
        let has = class::has_classes(document, project);
        bail!(
            "{has}; {output} holds one: pick it with --class, or write all of them to a name that ends in .onnw"
        )
    }
    Ok((*document.classes).clone())
}

/// The file's bytes: those of the world, or of its only mesh.
fn bytes_of(world: &NavWorld, as_world: bool) -> Result<Vec<u8>, FormatError> {
    match world.classes() {
        [only] if !as_world => only.to_bytes(),
        _ => world.to_bytes(),
    }
}

/// What is written must read back to the same bytes; a file that does not is never left behind.
fn read_back(bytes: &[u8], as_world: bool) -> anyhow::Result<()> {
    let again = if as_world {
        NavWorld::from_bytes(bytes).and_then(|world| world.to_bytes())
    } else {
        NavMesh::from_bytes(bytes).and_then(|mesh| mesh.to_bytes())
    };
    let again =
        again.context("the baked mesh does not read back; nothing was written; please report this map")?;
    ensure!(
        again == bytes,
        "the baked mesh reads back different; nothing was written; please report this map"
    );
    Ok(())
}

fn timed<T>(timings: &mut Timings, name: &'static str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    timings.push((name, start.elapsed()));
    done
}

fn timings_json(timings: &Timings) -> Value {
    let pairs = timings.iter().map(|(name, time)| ((*name).to_owned(), json!(time.as_secs_f64() * 1000.0)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn timings_line(timings: &Timings) -> String {
    let part =
        |(name, time): &(&str, Duration)| format!("{name} {} ms", decimal(time.as_secs_f64() * 1000.0, 1));
    let parts: Vec<String> = timings.iter().map(part).collect();
    format!("time             {}", parts.join(", "))
}
