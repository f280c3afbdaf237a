//! One conversion: which kind is meant, then what was written and what was left out.

use std::path::Path;

use anyhow::bail;
use serde_json::json;

use super::given::{Given, Written};
use super::kinds::{Target, endings, named, target};
use crate::cli::args::{ConvertArgs, Kind};
use crate::cli::output::{Exit, complain, count, json_text, print, write_file};
use crate::project::file::save_text;

pub(in crate::cli) fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let wanted = wanted(args)?;
    let given = Given::read(args)?;
    let Target { what, write, .. } = target(wanted);
    let Written { bytes, lost } = write(given)?;
    refuse_loss(args, &lost)?;
    if wanted == Kind::Project && args.output.is_file() {
        // Somebody's map is not lost by a slip of the hand: it stays as .bak.
        save_text(&String::from_utf8_lossy(&bytes), &args.output)?;
    } else {
        write_file(&args.output, &bytes)?;
    }
    let (input, output) = (args.input.display().to_string(), args.output.display().to_string());
    lost.iter().for_each(|lost| complain(&format!("warning: {input}: {lost}")));
    print(&if args.json {
        let kind = target(wanted).name;
        json_text(&json!({
            "input": input, "output": output, "kind": kind, "bytes": bytes.len(), "left_out": lost,
        }))?
    } else {
        format!("wrote {output}: {what}, {}\n", count(bytes.len(), "byte"))
    })?;
    Ok(Exit::Done)
}

/// What is left out would be gone if the file took the place of the one it was read from.
fn refuse_loss(args: &ConvertArgs, lost: &[String]) -> anyhow::Result<()> {
    let whole = |path: &Path| std::fs::canonicalize(path).ok();
    match lost {
        [first, ..] if whole(&args.input).is_some() && whole(&args.input) == whole(&args.output) => {
            let name = args.output.display();
            bail!("{name} would replace itself, and something would be lost ({first}); write to another name")
        }
        _ => Ok(()),
    }
}

/// The kind to write: what `--to` says, if the name does not say otherwise, or else what the name says.
fn wanted(args: &ConvertArgs) -> anyhow::Result<Kind> {
    let name = args.output.display();
    let by_name = named(&args.output);
    match (args.to, &by_name[..]) {
        (None, [only]) => Ok(*only),
        (Some(to), []) => Ok(to),
        (Some(to), some) if some.contains(&to) => Ok(to),
        (Some(to), [other, ..]) => {
            let (to, other) = (target(to), target(*other));
            bail!("--to {}: the name {name} is that of {}; choose another name", to.name, other.what)
        }
        (None, []) => bail!("{name}: {}", unnamed(&args.output)),
        (None, several) => {
            let kinds: Vec<&str> = several.iter().map(|kind| target(*kind).name).collect();
            bail!("{name}: the name may mean {}; say which with --to", kinds.join(" or "))
        }
    }
}

/// What is to be said of a name that no format has.
fn unnamed(output: &Path) -> String {
    let ending = output.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("png" | "svg") => "pictures are drawn by render: navwright render IN -o OUT".to_owned(),
        Some("gltf") => "glTF is written in its binary form: end the name in .glb".to_owned(),
        _ => {
            let endings: Vec<String> = endings().map(|ending| format!(".{ending}")).collect();
            let list = endings.join(", ");
            format!("the name does not say what to write; end it in one of {list}, or say --to KIND")
        }
    }
}
