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
pub use joined::{JoinedLevel, JoinedStage, join_levels};
pub(super) use links::{LinkedColumn, link_columns, report_unattached};
pub use stages::{ColumnStages, StageEdge, StageLabel, StageOutline, StagePolygon};
pub(super) use stitched::place_tiles;

use super::{BakeError, BakeOptions, BakeReport, FlatInput};
use crate::format::{NavMesh, NavSettings};

pub(super) fn bake_mesh(
    input: &FlatInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    FlatBaker::default().bake(input, settings, options)
}
