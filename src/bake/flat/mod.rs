//! The flat bake: drawn areas to tiles, exactly.

mod arrange;
mod assemble;
mod cut;
mod faces;
mod frame;
mod heights;
mod layers;
mod outline;
mod overlay;
mod partition;
mod snap;

use super::{BakeError, BakeOptions, BakeReport, FlatInput};
use crate::format::{NavMesh, NavSettings};

pub(super) fn bake_mesh(
    _input: &FlatInput,
    _settings: &NavSettings,
    _options: &BakeOptions<'_>,
) -> Result<(NavMesh, BakeReport), BakeError> {
    todo!()
}
