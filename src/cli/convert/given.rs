//! What was read, as what a format may ask for; or why it cannot be had as such.

use std::path::PathBuf;

use anyhow::{bail, ensure};

use crate::bake::TriangleMesh;
use crate::cli::args::ConvertArgs;
use crate::cli::class;
use crate::cli::load::{Content, MeshKind, load, refuse_class};
use crate::cli::output::{count, sentences};
use crate::cli::source::place_geometry;
use crate::format::{NavMesh, NavSettings, NavWorld, TiledNavMesh};
use crate::interop::surface::surface;
use crate::project::{FileKind, Opened, load_geometry};

/// A file that was read, and where it goes.
pub(super) struct Given {
    pub(super) input: PathBuf,
    pub(super) output: PathBuf,
    class: Option<String>,
    content: Content,
}

/// A file to write, and what of the one given is not in it, a sentence each.
pub(super) struct Written {
    pub(super) bytes: Vec<u8>,
    pub(super) lost: Vec<String>,
}

/// A mesh, with its settings if they are known.
pub(super) struct Mesh {
    pub(super) mesh: TiledNavMesh,
    pub(super) settings: Option<NavSettings>,
    /// What was left out so far.
    pub(super) lost: Vec<String>,
}

/// Triangles in the world.
pub(super) struct Triangles {
    pub(super) meshes: Vec<TriangleMesh>,
    /// What was left out so far.
    pub(super) lost: Vec<String>,
}

impl Given {
    pub(super) fn read(args: &ConvertArgs) -> anyhow::Result<Self> {
        let mut content = load(&args.input)?;
        match &mut content {
            Content::Map(Opened { document, kind }) => {
                place_geometry(document, *kind, &args.input, &args.placement)?;
            }
            _ => {
                if let Some(name) = args.placement.first_given() {
                    bail!("{name}: {} is a baked mesh, which lies where it was baked", args.input.display())
                }
            }
        }
        let class = args.class.class.clone();
        Ok(Self { input: args.input.clone(), output: args.output.clone(), class, content })
    }

    /// One mesh; of a world the class that is asked for.
    pub(super) fn mesh(self) -> anyhow::Result<Mesh> {
        let (path, class) = (&self.input, self.class.as_deref());
        match self.content {
            Content::Mesh { settings, mesh, left_out, .. } => {
                refuse_class(path, class)?;
                let lost = sentences(&left_out);
                Ok(Mesh { mesh: *mesh, settings: settings.map(|settings| *settings), lost })
            }
            Content::World { world, .. } => {
                let others = world.classes().len() - 1;
                let NavMesh { settings, mesh } = class::of_world(*world, class, path)?;
                let verb = if others == 1 { "is" } else { "are" };
                let lost =
                    (others > 0).then(|| format!("{} {verb} left out", count(others, "other agent class")));
                Ok(Mesh { mesh, settings: Some(settings), lost: lost.into_iter().collect() })
            }
            Content::Snapshot { .. } => {
                bail!("{}: a snapshot (ONPS) names tiles by their content and holds none", path.display())
            }
            Content::Map(opened) => {
                let (path, kind) = (path.display(), map_words(opened.kind));
                bail!(
                    "{path} is {kind}, and becomes a mesh by baking; do that first: navwright bake {path} -o OUT.onnm"
                )
            }
        }
    }

    /// One mesh that knows its settings.
    pub(super) fn settled(self) -> anyhow::Result<(NavMesh, Vec<String>)> {
        let (path, kind) = (self.input.clone(), self.content.mesh_kind());
        let Mesh { mesh, settings, lost } = self.mesh()?;
        let Some(settings) = settings else {
            let what =
                if kind == Some(MeshKind::Mset) { "Detour's mesh (MSET)" } else { "a bare mesh (ONPM)" };
            bail!(
                "{} is {what}, which does not hold the settings that it was built with, as ONNM and ONNW do; \
                 write it as .onpm, which every command here reads",
                path.display()
            )
        };
        Ok((NavMesh { settings, mesh }, lost))
    }

    /// All classes of a world, or the one that is asked for.
    pub(super) fn world(self) -> anyhow::Result<(NavWorld, Vec<String>)> {
        match self {
            Self { class: None, content: Content::World { world, .. }, .. } => Ok((*world, Vec::new())),
            given => {
                let (mesh, lost) = given.settled()?;
                Ok((NavWorld::new(vec![mesh])?, lost))
            }
        }
    }

    /// A project, map text, or geometry as a map that holds nothing else.
    pub(super) fn map(self) -> anyhow::Result<Opened> {
        let path = self.input.display();
        if let Some(class) = &self.class {
            bail!("--class {}: a map keeps all its classes", class.escape_debug())
        }
        match self.content {
            Content::Map(opened) => Ok(opened),
            Content::Mesh { .. } | Content::World { .. } => {
                bail!("{path} is a baked mesh, and what was drawn to bake it is not in it")
            }
            Content::Snapshot { .. } => bail!("{path} is a snapshot of a mesh (ONPS), and no map"),
        }
    }

    /// The floors of a mesh, or geometry.
    pub(super) fn triangles(self) -> anyhow::Result<Triangles> {
        let path = self.input.display().to_string();
        match self.content {
            Content::Map(Opened { document, kind: FileKind::Geometry }) => {
                ensure!(self.class.is_none(), "--class: {path} is geometry, which has no agent classes");
                let loaded = load_geometry(&document, self.input.parent().unwrap_or(&PathBuf::new()))?;
                // Notes begin with the file's name, which whoever says them puts before.
                let name =
                    document.geometry.first().map(|item| format!("{}: ", item.path)).unwrap_or_default();
                let note = |note: String| note.strip_prefix(&name).map_or(note.clone(), str::to_owned);
                let mut lost: Vec<String> = loaded.notes.into_iter().map(note).collect();
                lost.push(
                    "whatever is no triangle is left out: materials, normals, texture places".to_owned(),
                );
                Ok(Triangles { meshes: loaded.meshes, lost })
            }
            Content::Map(opened) => bail!(
                "{path} is {}, and has floors once it is baked; do that first: navwright bake {path} -o OUT.onnm",
                map_words(opened.kind)
            ),
            content => {
                let Mesh { mesh, mut lost, .. } = Self { content, ..self }.mesh()?;
                lost.push(
                    "flags, links and settings are left out; levels and area types are names of objects"
                        .to_owned(),
                );
                Ok(Triangles { meshes: surface(&mesh), lost })
            }
        }
    }
}

fn map_words(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Project => "a project",
        FileKind::MapText => "map text",
        FileKind::Geometry => "geometry",
    }
}
