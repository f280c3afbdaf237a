//! The flat bake: drawn areas to tiles, exactly.
//!
//! The stages in reading order: `outline` (areas → rings on the unit grid of `frame`), `columns` (the tile columns they
//! reach), and for each column `arrange` (edges → pieces that meet in their ends only, no crossing rounded), `faces`
//! and `overlay` (what is walkable where, with which label), `survey` (what the column says of the whole drawing),
//! `cut` (the tile's share, snapped to the binary grid by `snap`), `partition` (convex polygons), `heights`, `layers`,
//! `assemble` (the format's tiles). `whole` puts the surveys together: `components` over borders, `seam_line` and
//! `seams` (which levels join where, and who gets a contested seam), `surfaces` (ramps take their ends' heights);
//! columns with ramps or contested seams are baked after that. `stitched` makes the mesh, with `links` (authored
//! links), and `remarks` says what a designer should know. `baker` runs all of it, and keeps what did not change.
//! `joined` is the whole drawing at once, without tiles.

mod arrange;
mod assemble;
mod baker;
mod columns;
mod components;
mod cut;
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
mod seam_line;
mod seams;
mod snap;
mod stitched;
mod surfaces;
mod survey;
mod whole;

pub use baker::FlatBaker;
pub use joined::{JoinedLevel, JoinedStage, join_levels};

use super::{BakeError, BakeOptions, BakeReport, Diagnostic, DiagnosticKind, Element, FlatInput};
use crate::format::{FormatError, NavMesh, NavMeshParams, NavSettings};

pub(super) fn bake_mesh(
    input: &FlatInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    FlatBaker::default().bake(input, settings, options)
}

/// Runs `work` in a pool of so many threads; 0 takes rayon's global pool.
fn in_pool<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> Result<T, BakeError> {
    if jobs == 0 {
        return Ok(work());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| BakeError::Unsupported(format!("{jobs} threads: {error}")))?;
    Ok(pool.install(work))
}

fn check_settings(settings: &NavSettings) -> Result<(), BakeError> {
    settings.validate()?;
    if settings.agent_radius > 0.0 {
        return Err(BakeError::Unsupported(format!(
            "agent_radius is {}, but this version's flat bake takes radius 0 only (clearance is not built yet); draw areas \
             as far from walls as the agent's middle may go, or set agent_radius to 0",
            settings.agent_radius
        )));
    }
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

fn sort_diagnostics(diagnostics: &mut [Diagnostic]) {
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
