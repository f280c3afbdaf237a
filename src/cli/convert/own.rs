//! The formats of our own: ONNM, ONNW, ONPM, ONPS.

use super::given::{Given, Mesh, Written};
use crate::format::Snapshot;

const ONLY_ONNM: &str = "the settings are left out, but for the grid, the agent and a digest of all";

pub(super) fn onnm(given: Given) -> anyhow::Result<Written> {
    let (mesh, lost) = given.settled()?;
    Ok(Written { bytes: mesh.to_bytes()?, lost })
}

pub(super) fn onnw(given: Given) -> anyhow::Result<Written> {
    let (world, lost) = given.world()?;
    Ok(Written { bytes: world.to_bytes()?, lost })
}

pub(super) fn onpm(given: Given) -> anyhow::Result<Written> {
    let Mesh { mesh, settings, mut lost } = given.mesh()?;
    lost.extend(settings.map(|_| ONLY_ONNM.to_owned()));
    Ok(Written { bytes: mesh.to_bytes(), lost })
}

pub(super) fn onps(given: Given) -> anyhow::Result<Written> {
    let Mesh { mesh, settings, mut lost } = given.mesh()?;
    lost.extend(settings.map(|_| ONLY_ONNM.to_owned()));
    lost.push("the tiles are left out: who reads a snapshot must hold them".to_owned());
    Ok(Written { bytes: Snapshot::of(&mesh).to_bytes(), lost })
}
