//! Geometry in, tiles out. Pure: reads no clock, thread id, environment or random source.

mod input;
pub mod limits;
mod report;

pub mod flat;
pub mod voxel;

pub use input::{
    AreaKind, AreaMark, FlatArea, FlatInput, FlatLevel, MarkKind, Surface, TriangleMesh, VoxelInput,
};
pub use report::{
    BakeError, BakeOptions, BakeReport, Diagnostic, DiagnosticKind, Element, Progress, Seam, Severity, Step,
};

use crate::format::{NavMesh, NavSettings, NavWorld};

/// Bakes every tile that the drawing touches and stitches them.
///
/// Equal input gives equal bytes, whatever `options.jobs` is. Bad geometry is not an error: the mesh of the rest
/// comes out and `report.diagnostics` names each fault with its place.
///
/// # Errors
/// [`BakeError`] for settings out of range, a limit passed or a stop asked for.
pub fn bake_mesh(
    input: &FlatInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    flat::bake_mesh(input, settings, options)
}

/// Bakes every tile that the triangles touch and stitches them.
///
/// Equal input gives equal bytes, whatever `options.jobs` is and in whichever order the triangles come. Bad geometry is
/// not an error: it is left out, and `report.diagnostics` says what and how many.
///
/// # Errors
/// [`BakeError`] for settings out of range, a limit passed or a stop asked for.
pub fn bake_voxel_mesh(
    input: &VoxelInput,
    settings: &NavSettings,
    options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    voxel::bake_mesh(input, settings, options)
}

/// What each stage of [`bake_voxel_mesh`] makes of one tile, to be looked at, with what the bake says about it.
///
/// # Errors
/// As [`bake_voxel_mesh`].
pub fn voxel_tile_stages(
    input: &VoxelInput,
    settings: &NavSettings,
    column: [i32; 2],
) -> Result<(voxel::TileStages, BakeReport), BakeError> {
    voxel::tile_stages(input, settings, column, &|| 0.0)
}

/// As [`voxel_tile_stages`], with each stage's time by the caller's clock: the seconds since whatever moment.
///
/// # Errors
/// As [`bake_voxel_mesh`].
pub fn timed_voxel_stages(
    input: &VoxelInput,
    settings: &NavSettings,
    column: [i32; 2],
    clock: &dyn Fn() -> f64,
) -> Result<(voxel::TileStages, BakeReport), BakeError> {
    voxel::tile_stages(input, settings, column, clock)
}

/// As [`timed_voxel_stages`], of several tiles, without what the bake says. The triangles are prepared once for all.
///
/// # Errors
/// As [`bake_voxel_mesh`].
pub fn timed_stages_of_tiles(
    input: &VoxelInput,
    settings: &NavSettings,
    columns: &[[i32; 2]],
    clock: &dyn Fn() -> f64,
) -> Result<Vec<voxel::TileStages>, BakeError> {
    voxel::stages_of_tiles(input, settings, columns, clock)
}

/// Bakes a mesh for each agent class from the same input, with a report each; class i has the bytes of a bake of
/// `classes[i]` alone.
///
/// # Errors
/// As [`bake_mesh`]; [`BakeError::Format`] for no class.
pub fn bake_world(
    input: &FlatInput,
    classes: &[NavSettings],
    options: &BakeOptions<'_>,
) -> Result<(NavWorld, Vec<BakeReport>), BakeError> {
    // What does not depend on the class is found once.
    let mut baker = flat::FlatBaker::default();
    let baked = classes.iter().map(|settings| baker.bake(input, settings, options));
    let (meshes, reports) = baked.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    Ok((NavWorld::new(meshes)?, reports))
}
