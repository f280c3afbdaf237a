//! The flat bake: drawn areas to tiles, exactly.
//!
//! The stages in reading order: `outline` (areas → rings on the unit grid of `frame`), `columns` (the tile columns they
//! reach, `edge_index` for long outlines), and for each column `arrange` (edges → pieces that meet in their ends only, no crossing rounded), `faces`
//! and `overlay` (what is walkable where, with which label), `survey` (what the column says of the whole drawing),
//! `cut` (the tile's share, snapped to the binary grid by `snap`), `partition` (convex polygons), `heights`, `layers`,
//! `assemble` (the format's tiles). `whole` puts the surveys together: `components` over borders, `seam_line` and
//! `seams` (which levels join where, and who gets a contested seam; kept in `seam_book`), `surfaces` (ramps take their ends' heights);
//! columns with ramps or contested seams are baked after that, and all columns where `clearance` keeps an agent's radius
//! away from walls, which may stand in other columns. `stitched` makes the mesh, with `links` (authored
//! links), and `remarks` says what a designer should know. `baker` runs all of it, and keeps what did not change.
//! `joined` is the whole drawing at once, without tiles; `stages` shows what became of one column on the way.

mod arrange;
mod assemble;
mod baker;
mod clearance;
mod columns;
mod components;
mod cut;
mod edge_index;
mod faces;
mod frame;
mod heights;
mod joined;
mod layers;
mod links;
mod outline;
mod overlay;
mod partition;
mod remarks;
mod seam_book;
mod seam_line;
mod seams;
mod snap;
mod stages;
mod stitched;
mod surfaces;
mod survey;
mod whole;

pub use baker::FlatBaker;
pub(super) use links::{link_columns, report_unattached};
pub use joined::{JoinedLevel, JoinedStage, join_levels};
pub use stages::{ColumnStages, StageEdge, StageLabel, StageOutline, StagePolygon};

use super::{BakeError, BakeOptions, BakeReport, Diagnostic, DiagnosticKind, Element, FlatInput};
use crate::format::{FormatError, NavMesh, NavMeshParams, NavSettings};

pub(super) fn bake_mesh(
    input: &FlatInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    FlatBaker::default().bake(input, settings, options)
}

fn check_settings(settings: &NavSettings) -> Result<(), BakeError> {
    settings.validate()?;
    if settings.flags > 0xFF {
        return Err(BakeError::Format(FormatError::OutOfRange {
            name: "flags".to_owned(),
            value: settings.flags.to_string(),
            bound: "a flat bake keeps the level in bits 8 to 15, so at most 255".to_owned(),
        }));
    }
    Ok(())
}

fn tile_failed(params: &NavMeshParams, (tile_x, tile_z): (i32, i32), why: &str) -> Diagnostic {
    let half = params.tile_size / 2.0;
    Diagnostic {
        kind: DiagnosticKind::TileFailed,
        place: [params.tile_origin_x(tile_x) + half, params.tile_origin_z(tile_z) + half],
        level: 0,
        element: Element::Tile { tile_x, tile_z },
        measured: f64::NAN,
        limit: f64::NAN,
        message: format!("tile ({tile_x}, {tile_z}) is left out: {why}"),
    }
}

pub(super) fn sort_diagnostics(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let severity = b.kind.severity().cmp(&a.kind.severity());
        let place = || a.place[0].total_cmp(&b.place[0]).then(a.place[1].total_cmp(&b.place[1]));
        severity
            .then(a.kind.cmp(&b.kind))
            .then_with(place)
            .then(a.level.cmp(&b.level))
            .then(a.element.cmp(&b.element))
    });
}
