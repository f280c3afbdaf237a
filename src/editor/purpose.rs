//! What a path is asked for: the dialog of the desktop, the name that it begins with, the ending.

use std::path::{Path, PathBuf};

use super::export::What;
use super::state::State;
use crate::project::GeometryId;

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Purpose {
    Open,
    Save,
    Export,
    /// The areas and links of another map, into this one.
    Import,
    /// The file of geometry that is not where it was.
    Find(GeometryId),
    /// A picture of the map as it is drawn: PNG or SVG.
    Render,
    /// The mesh's polygons as map text, to look at with other programs.
    Outlines,
    /// The numbers of the plot that is looked at.
    PlotNumbers,
    /// A picture of it.
    PlotPicture,
    Picture,
    /// A baked mesh that the one on screen is compared with.
    Compare,
}

impl Purpose {
    /// Whether the file is there already and stays as it is.
    #[must_use]
    pub fn reads(self) -> bool {
        matches!(self, Self::Open | Self::Import | Self::Find(_) | Self::Picture | Self::Compare)
    }
}

/// Asks the desktop for a path.
pub(super) fn native_dialog(purpose: Purpose, suggested: &Path) -> Option<PathBuf> {
    let mut dialog = rfd::FileDialog::new();
    if let Some(folder) = suggested.parent().filter(|folder| folder.is_dir()) {
        dialog = dialog.set_directory(folder);
    }
    let name = suggested.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match purpose {
        Purpose::Open => dialog
            .set_title("Open a map")
            .add_filter("Maps", &["ron", "nav", "txt"])
            .add_filter("Geometry", &["obj", "gltf", "glb"])
            .add_filter("All files", &["*"])
            .pick_file(),
        Purpose::Import => dialog
            .set_title("Import a map or geometry")
            .add_filter("Maps and geometry", &["nav", "txt", "ron", "obj", "gltf", "glb"])
            .add_filter("All files", &["*"])
            .pick_file(),
        Purpose::Find(_) => dialog
            .set_title("Find the geometry's file")
            .add_filter("Geometry", &["obj", "gltf", "glb"])
            .add_filter("All files", &["*"])
            .pick_file(),
        Purpose::Render => dialog
            .set_title("Export a picture")
            .add_filter("Picture", &["png", "svg"])
            .set_file_name(name)
            .save_file(),
        Purpose::Outlines => dialog
            .set_title("Export the mesh's outlines")
            .add_filter("Map text", &["nav", "txt"])
            .set_file_name(name)
            .save_file(),
        Purpose::PlotNumbers => dialog
            .set_title("Export the plot's numbers")
            .add_filter("Comma-separated values", &["csv"])
            .set_file_name(name)
            .save_file(),
        Purpose::PlotPicture => dialog
            .set_title("Export the plot's picture")
            .add_filter("Picture", &["png"])
            .set_file_name(name)
            .save_file(),
        Purpose::Picture => {
            dialog.set_title("Import a picture").add_filter("Pictures", &["png", "jpg", "jpeg"]).pick_file()
        }
        Purpose::Compare => dialog
            .set_title("Compare with a build")
            .add_filter("Baked meshes", &["onnm", "onnw", "onpm"])
            .add_filter("All files", &["*"])
            .pick_file(),
        Purpose::Save => dialog
            .set_title("Save the project")
            .add_filter("Project", &["nav.ron", "ron"])
            .set_file_name(name)
            .save_file(),
        Purpose::Export => dialog
            .set_title("Export the mesh")
            .add_filter("Navigation mesh", &["onnm"])
            .add_filter("World of agent classes", &["onnw"])
            .set_file_name(name)
            .save_file(),
    }
}

/// The path that a dialog begins with.
pub(super) fn suggestion(purpose: Purpose, what: What, state: &State) -> PathBuf {
    if let Purpose::Find(id) = purpose {
        return where_it_was(id, state);
    }
    let endings = [".ron", ".txt", ".nav", ".obj", ".glb", ".gltf"];
    let stem = endings
        .into_iter()
        .fold(state.name.as_str(), |stem, ending| stem.strip_suffix(ending).unwrap_or(stem));
    let ending = ending(purpose, what).unwrap_or("nav.ron");
    let name = match purpose {
        Purpose::Outlines => format!("{stem}.mesh.{ending}"),
        Purpose::PlotNumbers | Purpose::PlotPicture => {
            let plot = state.plots.kind.name().to_lowercase().replace(' ', "_");
            format!("{stem}.{plot}.{ending}")
        }
        _ => format!("{stem}.{ending}"),
    };
    // A map that has no file yet goes beside what was imported first.
    let geometry = || {
        let item = state.document().geometry.first()?;
        Some(state.folder().unwrap_or_default().join(&item.path))
    };
    state
        .file
        .clone()
        .or_else(geometry)
        .map_or_else(|| PathBuf::from(&name), |file| file.with_file_name(&name))
}

/// Where a file of geometry was; if its folder is gone, its name in the nearest one that is there.
fn where_it_was(id: GeometryId, state: &State) -> PathBuf {
    let path = state.document().geometry(id).map(|item| item.path.clone()).unwrap_or_default();
    let whole = state.folder().unwrap_or_default().join(path);
    let there = whole.ancestors().skip(1).find(|folder| folder.is_dir());
    match (there, whole.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => whole,
    }
}

/// What an export is of unless something else is picked: all agent classes.
pub(super) fn what_of(state: &State) -> What {
    if state.document().classes.len() > 1 { What::World } else { What::Class(state.class().id) }
}

/// What a file is to hold: its ending says it, else what was picked.
#[must_use]
pub fn what_by_ending(path: &Path, picked: What, state: &State) -> What {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    match (ending.to_str(), picked) {
        (Some("onnw"), _) => What::World,
        (Some("onnm"), What::World) => What::Class(state.class().id),
        _ => picked,
    }
}

/// The ending of what is written; `None` for what is read.
fn ending(purpose: Purpose, what: What) -> Option<&'static str> {
    match purpose {
        Purpose::Open | Purpose::Import | Purpose::Find(_) | Purpose::Picture | Purpose::Compare => None,
        Purpose::Save => Some("nav.ron"),
        Purpose::Export => Some(what.ending()),
        Purpose::Render | Purpose::PlotPicture => Some("png"),
        Purpose::PlotNumbers => Some("csv"),
        Purpose::Outlines => Some("nav"),
    }
}

/// Adds the ending that is missing.
pub(super) fn with_extension(purpose: Purpose, what: What, path: &Path) -> PathBuf {
    if path.extension().is_some() {
        return path.to_owned();
    }
    let Some(ending) = ending(purpose, what) else { return path.to_owned() };
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
