//! `validate`: every rule of a file's format.

use std::path::Path;

use serde_json::{Value, json};

use super::args::ValidateArgs;
use super::load::{Content, LoadError, load};
use super::output::{Exit, complain, count, json_text, print, words};
use super::summary::Summary;
use crate::format::NavMesh;
use crate::project::load_geometry;

pub(super) fn run(args: &ValidateArgs) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut rows: Vec<Value> = Vec::new();
    let mut text = String::new();
    for file in &args.files {
        let name = file.display().to_string();
        let checked = load(file).and_then(|content| check(content, file));
        let row = match &checked {
            Ok(what) => json!({ "file": name, "valid": true, "what": what }),
            Err(LoadError::Invalid(error) | LoadError::Unreadable(error)) => {
                json!({ "file": name, "valid": false, "error": words(error) })
            }
        };
        rows.push(row);
        match checked {
            Ok(what) => text += &format!("{name}: valid, {what}\n"),
            Err(LoadError::Invalid(error)) => {
                text += &format!("{}\n", invalid_line(&name, &error));
                if exit == Exit::Done {
                    exit = Exit::Finding;
                }
            }
            Err(LoadError::Unreadable(error)) => {
                complain(&words(&error));
                exit = Exit::Failure;
            }
        }
    }
    print(&if args.json { json_text(&Value::Array(rows))? } else { text })?;
    Ok(exit)
}

/// What the reader has not looked at: the settings of a map, and its geometry.
fn check(content: Content, path: &Path) -> Result<String, LoadError> {
    match content {
        Content::Mesh { mesh, .. } => Ok(Summary::of(&mesh).line()),
        Content::World { world, .. } => {
            let classes = (0..).zip(world.classes());
            let line = |(index, class): (usize, &NavMesh)| {
                format!("class {index}: {}", Summary::of(&class.mesh).line())
            };
            Ok(classes.map(line).collect::<Vec<_>>().join("; "))
        }
        Content::Snapshot { snapshot, .. } => {
            Ok(format!("{} by content id", count(snapshot.slots.len(), "slot")))
        }
        Content::Map(opened) => {
            let document = &opened.document;
            for settings in document.world_settings() {
                settings.validate().map_err(|error| LoadError::Invalid(error.into()))?;
            }
            let mut text =
                format!("{}, {}", count(document.areas.len(), "area"), count(document.links.len(), "link"));
            if !document.geometry.is_empty() {
                let folder = path.parent().unwrap_or(Path::new(""));
                let loaded =
                    load_geometry(document, folder).map_err(|error| LoadError::Invalid(error.into()))?;
                let triangles = loaded.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
                text += &format!(", {}", count(triangles, "triangle"));
            }
            if document.classes.len() > 1 {
                text += &format!(", {}", count(document.classes.len(), "agent class"));
            }
            Ok(text)
        }
    }
}

/// "FILE: invalid: …"; readers begin their messages with the file's name already.
fn invalid_line(name: &str, error: &anyhow::Error) -> String {
    let message = words(error);
    match message.strip_prefix(name) {
        Some(rest) if rest.starts_with(": ") => format!("{name}: invalid{rest}"),
        Some(rest) => format!("{name}{}", rest.replacen(": ", ": invalid: ", 1)),
        None => format!("{name}: invalid: {message}"),
    }
}
