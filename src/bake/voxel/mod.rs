//! The voxel bake: triangles to tiles, by way of a heightfield. The settings mean what Recast's mean.
//!
//! The stages in reading order: `grid` (settings in cells), `soup` (triangles in cells, found by window), `rasterize`
//! (solid spans), `filter` (which tops can be stood on), `compact` (floors, links, erosion), `marks` (drawn areas and
//! holes), `islands` (small ones go), `regions` with `watershed`, `sweep`, `merge` and `split`, `border` (corners that
//! tiles share), `contours`, `simplify`, `triangulate`, `polymesh` (convex polygons), `detail` with `tin` (heights
//! inside them), `layers`, `assemble` (the format's tiles). `cells`, `region`, `outline`, `poll` and `jobs` are what
//! several of them speak of. `column` runs the stages for one tile, `block` shares voxels among tiles side by side,
//! `baker` runs all of them and keeps what did not change, `kept_mesh` links them, `seeds` drops what no seed
//! reaches, `reasons` says why less came out than went in, by what `census` keeps of each tile. `stages` keeps what
//! each stage made of one tile, `probe` says why nothing can walk at a place; `drawing` makes floors and marks of
//! drawn areas.

mod assemble;
mod baker;
mod block;
mod border;
mod cells;
mod census;
mod column;
mod compact;
mod contours;
mod detail;
mod drawing;
mod facet;
mod filter;
mod grid;
mod heightfield;
mod islands;
mod jobs;
mod kept_mesh;
mod layers;
mod marks;
mod merge;
mod outline;
mod poll;
mod polymesh;
mod probe;
mod rasterize;
mod reasons;
mod region;
mod regions;
mod seeds;
mod simplify;
mod soup;
mod split;
mod stages;
mod sweep;
mod tin;
mod triangulate;
mod watershed;

use super::report::sort_diagnostics;
use super::{BakeError, BakeOptions, BakeReport, Diagnostic, VoxelInput};
use crate::format::{NavMesh, NavSettings};
use column::Context;
use poll::Watch;
use stages::Keeper;

pub use baker::VoxelBaker;
pub use probe::{ProbeSpan, Verdict, VoxelProbe, voxel_probe};
pub use stages::{FloorState, StageFloor, StageNote, StageOutline, StageSpan, TileStages};

pub(super) fn bake_mesh(
    input: &VoxelInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    baker::bake_once(input, settings, options)
}

/// What each stage makes of one tile, and what the bake says about it. `clock`: the seconds since some moment, for the
/// stages' durations.
pub(super) fn tile_stages(
    input: &VoxelInput,
    settings: &NavSettings,
    column: [i32; 2],
    clock: &dyn Fn() -> f64,
) -> Result<(TileStages, BakeReport), BakeError> {
    let mut diagnostics = Vec::new();
    let context = Context::new(input, settings, &BakeOptions::ONE_JOB, None, &mut diagnostics)?;
    let (stages, said) = stages_of(&context, column, clock)?;
    diagnostics.extend(said);
    sort_diagnostics(&mut diagnostics);
    Ok((stages, BakeReport { diagnostics, seams: Vec::new() }))
}

/// As [`tile_stages`], of several tiles; the triangles are taken to cells once.
pub(super) fn stages_of_tiles(
    input: &VoxelInput,
    settings: &NavSettings,
    columns: &[[i32; 2]],
    clock: &dyn Fn() -> f64,
) -> Result<Vec<TileStages>, BakeError> {
    let context = Context::new(input, settings, &BakeOptions::ONE_JOB, None, &mut Vec::new())?;
    columns.iter().map(|&column| Ok(stages_of(&context, column, clock)?.0)).collect()
}

fn stages_of(
    context: &Context<'_>,
    column: [i32; 2],
    clock: &dyn Fn() -> f64,
) -> Result<(TileStages, Vec<Diagnostic>), BakeError> {
    let Some(window) = context.grid.window(column) else { return Ok(Default::default()) };
    let mut keeper = Keeper::new(&context.grid, &context.labels, &context.soup, window, clock);
    let baked = context.bake_column(column, None, Watch::NONE, Some(&mut keeper))?;
    keeper.keep_tiles(baked.tiles);
    Ok((keeper.stages, baked.diagnostics))
}
