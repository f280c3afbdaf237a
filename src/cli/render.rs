//! `render`: a map or a mesh as a picture.

use anyhow::{Context, bail};

use super::args::{Background, RenderArgs};
use super::output::{Exit, complain, print, write_file};
use super::path::{Asker, answer_of, status_name};
use super::source::{Source, mesh_or_bake};
use super::summary::Summary;
use crate::bake::{BakeReport, Severity};
use crate::draw::{Contents, MOST_RELIEF, Picture, Raster, Rgba, Svg, Theme};
use crate::query::PathStatus;

#[derive(Clone, Copy)]
enum Kind {
    Png,
    Svg,
}

pub(super) fn run(args: &RenderArgs) -> anyhow::Result<Exit> {
    let kind = kind(args)?;
    let class = args.class.class.as_deref();
    let (mesh, baked) = mesh_or_bake(&args.file, class, &args.set, &args.source)?;
    let (source, report) = match baked {
        Some((source, report)) => (Some(source), report),
        None => (None, BakeReport::default()),
    };
    let triangles = source.as_ref().map_or(&[][..], Source::triangles);
    let number: usize = triangles.iter().map(|mesh| mesh.triangles.len()).sum();
    if number > MOST_RELIEF {
        complain(&format!(
            "the picture leaves out the geometry: it has {number} triangles, and at most {MOST_RELIEF} are drawn"
        ));
    }
    let path = match args.path.as_deref() {
        Some(&[from, to]) => {
            let mut asker = Asker::new(&mesh, source.as_ref().map(|source| &source.document), args.xyz);
            let found = asker.ask(from, to)?;
            let notes = asker.notes([from, to], &found)?;
            let path = answer_of(found);
            if path.status != PathStatus::Complete {
                complain(&format!("--path: {}: {}", status_name(path.status), path.reason));
            }
            notes.iter().for_each(|note| complain(note));
            Some(path)
        }
        _ => None,
    };
    let whole = path.as_ref().is_none_or(|path| path.status == PathStatus::Complete);
    let issues: Vec<_> =
        report.diagnostics.into_iter().filter(|d| d.kind.severity() != Severity::Note).collect();
    let title = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let contents = Contents {
        title: &title,
        subtitle: &Summary::of(&mesh).line().replace(", ", "  ·  "),
        input: source.as_ref().map(|source| &source.input),
        geometry: triangles,
        mesh: Some(&mesh),
        path: path.as_ref(),
        issues: &issues,
    };
    let theme = if args.theme == Background::Dark { Theme::DARK } else { Theme::LIGHT };
    let bytes = painted(&Picture::new(&contents, theme), theme.background(), args, kind)?;
    write_file(&args.output, &bytes)?;
    print(&format!("wrote {}\n", args.output.display()))?;
    Ok(Exit::finding(!whole))
}

fn kind(args: &RenderArgs) -> anyhow::Result<Kind> {
    let ending = args.output.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("png") => Ok(Kind::Png),
        Some("svg") => Ok(Kind::Svg),
        _ => bail!("{}: the name must end in .png or .svg", args.output.display()),
    }
}

fn painted(picture: &Picture, background: Rgba, args: &RenderArgs, kind: Kind) -> anyhow::Result<Vec<u8>> {
    #[allow(clippy::cast_precision_loss, reason = "at most 16384")]
    let [width, height] = [args.size.width, args.size.height.unwrap_or(0)].map(|side| side as f32);
    let size = if args.size.height.is_some() { [width, height] } else { picture.natural_size(width) };
    match kind {
        Kind::Svg => {
            let mut svg = Svg::new(size, background);
            picture.paint(size, &mut svg);
            Ok(svg.finish().into_bytes())
        }
        Kind::Png => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, 0..=24576")]
            let [w, h] = size.map(|side| side as u32);
            let mut raster = Raster::new(w, h, background)
                .with_context(|| format!("a picture of {w} × {h} pixels is too large"))?;
            picture.paint(size, &mut raster);
            raster.to_png().context("the PNG encoder failed")
        }
    }
}
