//! Detour's tiled mesh.

use super::given::{Given, Mesh, Written};
use crate::cli::output::sentences;
use crate::interop::mset::export_mset;

const LEFT_OUT: &str =
    "the settings are left out, but for tile and cell size and the agent's radius, height and climb";
/// What a mesh of Detour's is said to have been baked with, since it does not say so itself.
const SLOPE_READ: f32 = 45.0;

pub(super) fn mset(given: Given) -> anyhow::Result<Written> {
    let path = given.input.display().to_string();
    let Mesh { mesh, settings, mut lost } = given.mesh()?;
    let export = export_mset(&mesh).map_err(|error| anyhow::anyhow!("{path}: {error}"))?;
    lost.extend(sentences(&export.to_string()));
    let params = mesh.params();
    if settings.is_some() || params.settings_digest != 0 {
        lost.push(LEFT_OUT.to_owned());
    } else if (params.agent_max_slope - SLOPE_READ).abs() > 0.0 {
        lost.push(format!("the steepest slope, {} degrees, is left out", params.agent_max_slope));
    }
    Ok(Written { bytes: export.bytes, lost })
}
