//! `check`: the pinned checks of a map on a fresh bake.

use std::sync::Arc;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::CheckArgs;
use super::class;
use super::diagnostics::diagnostic_json;
use super::output::{Exit, complain, count, decimal, json_text, print};
use super::source::{Source, complain_of};
use crate::bake::{BakeOptions, Diagnostic};
use crate::project::{AgentClass, CheckAnswer, Document, Spot, Wanted, name_links, run_checks};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let source = Source::load(&args.project, &args.set, &args.source)?;
    source.notes.iter().for_each(|note| complain(note));
    let document = &source.document;
    let chosen = class::of_map(document, args.class.class.as_deref(), &args.project)?;
    let classes: Vec<Arc<AgentClass>> = match chosen {
        Some(class) => vec![Arc::clone(class)],
        None => (*document.classes).clone(),
    };
    let options = BakeOptions { jobs: args.jobs as usize, ..BakeOptions::default() };
    let mut asked = Vec::new();
    for class in classes {
        let name = || format!("{}, agent class \"{}\"", args.project.display(), class.name.escape_debug());
        let (mesh, mut report) = source.bake(&document.bake_settings(&class), options).with_context(name)?;
        let answers = run_checks(document, &class, &mesh.mesh);
        name_links(document, &mut report.diagnostics);
        complain_of(&args.project, &report);
        asked.push((class, answers, report.diagnostics));
    }
    let all: usize = asked.iter().map(|(_, answers, _)| answers.len()).sum();
    if all == 0 {
        let name = args.project.display();
        complain(&format!("note: {name} pins no checks; the editor's path test does (\"Pin as a check\")"));
    }
    let failed = asked.iter().flat_map(|(_, answers, _)| answers).filter(|answer| !answer.passed).count();
    let text = if args.json {
        let of_class = |(class, answers, said): &(Arc<AgentClass>, Vec<CheckAnswer>, Vec<Diagnostic>)| {
            let diagnostics: Value = said.iter().map(diagnostic_json).collect();
            json!({ "class": class.name, "checks": answers_json(document, answers), "diagnostics": diagnostics })
        };
        let classes: Vec<Value> = asked.iter().map(of_class).collect();
        json_text(&json!({ "classes": classes, "checks": all, "failed": failed }))?
    } else {
        let mut text = String::new();
        for (class, answers, _) in &asked {
            if asked.len() > 1 && !answers.is_empty() {
                text += &format!("class \"{}\"\n", class.name.escape_debug());
            }
            text += &answers_lines(document, answers);
        }
        text + &format!("{}, {failed} failed\n", count(all, "check"))
    };
    print(&text)?;
    Ok(Exit::finding(failed > 0))
}

/// A line for each check: "passed" or "failed", its name, its places, what was found.
pub(super) fn answers_lines(document: &Document, answers: &[CheckAnswer]) -> String {
    let place = |Spot { at: [x, z], level, y }: Spot| {
        let height = y.map_or_else(String::new, |y| format!(" at height {}", decimal(y, 3)));
        format!("{},{},{level}{height}", decimal(x, 3), decimal(z, 3))
    };
    let line = |answer: &CheckAnswer| {
        let check = document.check(answer.id)?;
        let (word, name) = (if answer.passed { "passed" } else { "failed" }, check.name.escape_debug());
        let (start, end) = (place(check.start_spot()), place(check.end_spot()));
        Some(format!("check {word}: \"{name}\" from {start} to {end}: {}\n", answer.message))
    };
    answers.iter().filter_map(line).collect()
}

pub(super) fn answers_json(document: &Document, answers: &[CheckAnswer]) -> Value {
    let of_answer = |answer: &CheckAnswer| {
        let check = document.check(answer.id)?;
        let end = |Spot { at: [x, z], level, y }: Spot| match y {
            Some(y) => json!({ "x": x, "z": z, "level": level, "y": y }),
            None => json!({ "x": x, "z": z, "level": level }),
        };
        Some(json!({
            "id": format!("{:016x}", check.id.0),
            "name": check.name,
            "start": end(check.start_spot()),
            "end": end(check.end_spot()),
            "wanted": if check.wanted == Wanted::Path { "path" } else { "no_path" },
            "longest": check.longest,
            "passed": answer.passed,
            "length": answer.length,
            "message": answer.message,
        }))
    };
    answers.iter().filter_map(of_answer).collect()
}
