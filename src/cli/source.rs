//! What a map is baked from: its drawn areas, or its geometry too.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::{Mode, Offset, PlacementArgs, SetArgs, SourceArgs, Up};
use super::class;
use super::diagnostics::severity_name;
use super::load::{Content, load, load_map, mesh_of};
use super::output::{complain, count};
use super::settings;
use crate::bake::{
    self, BakeError, BakeOptions, BakeReport, Diagnostic, DiagnosticKind, Element, FlatInput, Progress,
    Severity, Step, TriangleMesh,
};
use crate::format::{NavMesh, NavSettings, TiledNavMesh};
use crate::project::{
    self, Command, Document, FileKind, LoadedGeometry, Opened, UpAxis, load_geometry, nothing_baked,
    voxel_input,
};

/// A map with all that a bake of it reads.
pub(super) struct Source {
    pub(super) document: Document,
    pub(super) input: FlatInput,
    /// Its geometry, if it is baked by voxels.
    geometry: Option<LoadedGeometry>,
    /// What is said of geometry that a flat bake leaves out.
    pub(super) left_out: Option<Diagnostic>,
    /// What is to be known about the files.
    pub(super) notes: Vec<String>,
}

impl Source {
    /// Reads a map and overrides its settings.
    pub(super) fn load(path: &Path, set: &SetArgs, args: &SourceArgs) -> anyhow::Result<Self> {
        let mut opened = load_map(path)?;
        settings::apply_to_map(&mut opened.document, &set.set)?;
        Self::new(opened, path, args)
    }

    /// Reads what the arguments ask for: without a mode, a map that has geometry is baked by voxels, as in the editor.
    pub(super) fn new(opened: Opened, path: &Path, args: &SourceArgs) -> anyhow::Result<Self> {
        let Opened { mut document, kind } = opened;
        place_geometry(&mut document, kind, path, &args.placement)?;
        let (mut notes, mut left_out) = (Vec::new(), None);
        let geometry = match args.mode.unwrap_or_else(|| mode_of(&document)) {
            Mode::Voxel => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let mut loaded = load_geometry(&document, folder)?;
                notes.append(&mut loaded.notes);
                Some(loaded)
            }
            Mode::Flat => {
                left_out = geometry_left_out(&document);
                None
            }
        };
        let input = document.flat_input();
        Ok(Self { document, input, geometry, left_out, notes })
    }

    /// The triangles of its geometry, in the world, if it is baked by voxels.
    pub(super) fn triangles(&self) -> &[TriangleMesh] {
        self.geometry.as_ref().map_or(&[], |geometry| &geometry.meshes)
    }

    /// Bakes with a progress bar on standard error, if that is a terminal.
    pub(super) fn bake(
        &self,
        settings: &NavSettings,
        options: BakeOptions<'_>,
    ) -> anyhow::Result<(NavMesh, BakeReport)> {
        let (mesh, report) = match &self.geometry {
            None => {
                let (mesh, report) =
                    shown(options, |options| bake::bake_mesh(&self.input, settings, options))?;
                (mesh, report.with(self.left_out.clone()))
            }
            Some(geometry) => {
                let (input, diagnostics) = voxel_input(&self.document, settings, geometry.meshes.clone())?;
                let (mesh, report) =
                    shown(options, |options| bake::bake_voxel_mesh(&input, settings, options))?;
                (mesh, report.with(diagnostics))
            }
        };
        let empty = nothing_baked(&self.document, &mesh.mesh, &report.diagnostics);
        Ok((mesh, report.with(empty.filter(|_| options.tiles.is_none()))))
    }

    /// Says that no tile of the map lies in a range, and where they lie.
    pub(super) fn nothing_in(&self, [x0, z0, x1, z1]: [i32; 4]) -> anyhow::Result<String> {
        let params = self.document.bake_settings(&self.document.classes[0]).to_params()?;
        let drawn = self.document.areas.iter().flat_map(|area| area.points.iter().copied());
        let meshes = self.triangles().iter().flat_map(|mesh| mesh.vertices.iter().map(|&[x, _, z]| [x, z]));
        let drawn = drawn.filter(|_| self.geometry.is_none());
        let columns = drawn.chain(meshes).filter_map(|[x, z]| params.world_to_tile(x, z));
        let bounds = columns.fold(None, |bounds: Option<[i32; 4]>, (x, z)| {
            let [a, b, c, d] = bounds.unwrap_or([x, z, x, z]);
            Some([a.min(x), b.min(z), c.max(x), d.max(z)])
        });
        let map = match bounds {
            Some([a, b, c, d]) => format!("the map lies on tiles {a},{b}..{c},{d}"),
            None => "nothing is drawn or imported".to_owned(),
        };
        Ok(format!("--tiles {x0},{z0}..{x1},{z1}: no tile is there; {map}"))
    }
}

/// How a map is baked where no mode is asked for: by voxels if it has geometry, as in the editor.
pub(super) fn mode_of(document: &Document) -> Mode {
    if document.geometry.is_empty() { Mode::Flat } else { Mode::Voxel }
}

/// Says on standard error what is wrong with a bake that is not shown itself: errors, what is left out, and why there is
/// no floor.
pub(super) fn complain_of(path: &Path, report: &BakeReport) {
    use DiagnosticKind::{FacesDown, GeometryLeftOut, NoFloor};
    let matters = |said: &&Diagnostic| {
        said.kind.severity() == Severity::Error || [FacesDown, GeometryLeftOut, NoFloor].contains(&said.kind)
    };
    for Diagnostic { kind, message, .. } in report.diagnostics.iter().filter(matters) {
        complain(&format!("{}: {}: {message}", severity_name(kind.severity()), path.display()));
    }
}

/// A file's mesh: its own, or that of a bake of the map that it is, with what the bake was made from and said.
pub(super) fn mesh_or_bake(
    path: &Path,
    class: Option<&str>,
    set: &SetArgs,
    args: &SourceArgs,
) -> anyhow::Result<(TiledNavMesh, Option<(Source, BakeReport)>)> {
    match load(path)? {
        Content::Map(mut opened) => {
            settings::apply_to_map(&mut opened.document, &set.set)?;
            let source = Source::new(opened, path, args)?;
            source.notes.iter().for_each(|note| complain(note));
            let document = &source.document;
            let class = class::of_map(document, class, path)?.unwrap_or(&document.classes[0]);
            let baked = source.bake(&document.bake_settings(class), BakeOptions::default());
            let (mesh, report) = baked.with_context(|| path.display().to_string())?;
            complain_of(path, &report);
            Ok((mesh.mesh, Some((source, report))))
        }
        baked => {
            let given = [("--set", !set.set.is_empty()), ("--mode", args.mode.is_some())];
            if let Some((name, _)) = given.into_iter().find(|(_, given)| *given) {
                bail!("{name}: {} is baked already", path.display())
            }
            Ok((mesh_of(baked, path, class)?, None))
        }
    }
}

/// What a flat bake says of the geometry that it does not look at.
fn geometry_left_out(document: &Document) -> Option<Diagnostic> {
    const MOST_NAMES: usize = 3;
    let first = document.geometry.first()?;
    let number = document.geometry.len();
    let mut names: Vec<&str> = document.geometry.iter().take(MOST_NAMES).map(|item| item.name()).collect();
    if number > MOST_NAMES {
        names.push("…");
    }
    let (files, names) = (count(number, "file"), names.join(", "));
    let them = if number == 1 { "it" } else { "them" };
    Some(Diagnostic {
        kind: DiagnosticKind::GeometryLeftOut,
        place: [first.offset[0], first.offset[2]],
        level: first.level,
        element: Element::Geometry(first.id.0),
        measured: number as f64,
        limit: 0.0,
        message: format!(
            "the flat bake leaves out {files} of imported geometry ({names}); without --mode flat {them} would be baked"
        ),
    })
}

/// Lays a geometry file as the arguments say; a map says so itself.
pub(super) fn place_geometry(
    document: &mut Document,
    kind: FileKind,
    path: &Path,
    args: &PlacementArgs,
) -> anyhow::Result<()> {
    let Some(name) = args.first_given() else { return Ok(()) };
    let name_of = path.display();
    ensure!(
        kind == FileKind::Geometry,
        "{name}: {name_of} is a map, which says itself how its geometry lies"
    );
    for item in Arc::clone(&document.geometry).iter() {
        let mut item = (**item).clone();
        item.up = if args.up == Some(Up::Z) { UpAxis::Z } else { UpAxis::Y };
        item.flip = args.flip;
        item.scale = args.scale.unwrap_or(item.scale);
        item.turn = args.turn.unwrap_or(item.turn);
        item.offset = args.offset.map_or(item.offset, |Offset(offset)| offset);
        *document = project::apply(document, &Command::SetGeometry(item)).context(name_of.to_string())?;
    }
    Ok(())
}

fn shown(
    options: BakeOptions<'_>,
    bake: impl FnOnce(&BakeOptions<'_>) -> Result<(NavMesh, BakeReport), BakeError>,
) -> anyhow::Result<(NavMesh, BakeReport)> {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("baking {bar:40} tile {pos} of {len}, {eta} left {msg}") {
        bar.set_style(style);
    }
    let show = |progress: Progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    };
    let step = |step: Step| bar.set_message(step.stage);
    let options = BakeOptions { progress: Some(&show), step: Some(&step), ..options };
    let baked = bake(&options);
    bar.finish_and_clear();
    Ok(baked?)
}
