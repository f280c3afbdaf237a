//! `render`: a map or a mesh as a picture.

use anyhow::{Context, bail, ensure};

use super::args::{Background, RenderArgs};
use super::load::{Content, load, mesh_of};
use super::output::{Exit, complain, print, write_file};
use super::path::Asker;
use super::source::Source;
use super::summary::Summary;
use super::{class, settings};
use crate::bake::{BakeOptions, BakeReport, Severity};
use crate::draw::{Contents, Picture, Raster, Rgba, Svg, Theme};

#[derive(Clone, Copy)]
enum Kind {
    Png,
    Svg,
}

pub(super) fn run(args: &RenderArgs) -> anyhow::Result<Exit> {
    let kind = kind(args)?;
    let class = args.class.class.as_deref();
    let (input, mesh, report) = match load(&args.file)? {
        Content::Map(opened) => {
            let mut opened = opened;
            settings::apply_to_map(&mut opened.document, &args.set.set)?;
            let source = Source::new(opened, &args.file, &args.source)?;
            source.notes.iter().for_each(|note| complain(note));
            let document = &source.document;
            let class = class::of_map(document, class, &args.file)?.unwrap_or(&document.classes[0]);
            let baked = source.bake(&document.bake_settings(class), BakeOptions::default());
            let (mesh, report) = baked.with_context(|| args.file.display().to_string())?;
            (Some(source.input), mesh.mesh, report)
        }
        baked => {
            ensure!(args.set.set.is_empty(), "--set: {} is baked already", args.file.display());
            (None, mesh_of(baked, &args.file, class)?, BakeReport::default())
        }
    };
    let path = match args.path.as_deref() {
        Some(&[from, to]) => Some(Asker::new(&mesh, false).ask(from, to)?),
        _ => None,
    };
    let issues: Vec<_> =
        report.diagnostics.into_iter().filter(|d| d.kind.severity() != Severity::Note).collect();
    let title = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let contents = Contents {
        title: &title,
        subtitle: &Summary::of(&mesh).line().replace(", ", "  ·  "),
        input: input.as_ref(),
        mesh: Some(&mesh),
        path: path.as_ref(),
        issues: &issues,
    };
    let theme = if args.theme == Background::Dark { Theme::DARK } else { Theme::LIGHT };
    let bytes = painted(&Picture::new(&contents, theme), theme.background(), args, kind)?;
    write_file(&args.output, &bytes)?;
    print(&format!("wrote {}\n", args.output.display()))?;
    Ok(Exit::Done)
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
