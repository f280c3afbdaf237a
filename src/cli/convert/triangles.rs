//! Formats of triangles: OBJ, binary glTF.

use super::given::{Given, Triangles, Written};
use crate::bake::TriangleMesh;
use crate::cli::output::count;
use crate::interop::glb::export_glb;
use crate::interop::obj::export_obj;
use crate::interop::surface::finite_part;

pub(super) fn obj(given: Given) -> anyhow::Result<Written> {
    let (meshes, lost) = finite(given)?;
    Ok(Written { bytes: export_obj(&meshes).into_bytes(), lost })
}

pub(super) fn glb(given: Given) -> anyhow::Result<Written> {
    let (meshes, mut lost) = finite(given)?;
    let bytes = export_glb(&meshes)?;
    lost.push("coordinates have 32 bits, from the middle of each mesh on".to_owned());
    Ok(Written { bytes, lost })
}

/// The triangles that have a place.
fn finite(given: Given) -> anyhow::Result<(Vec<TriangleMesh>, Vec<String>)> {
    let Triangles { meshes, mut lost } = given.triangles()?;
    let (meshes, left_out): (Vec<TriangleMesh>, Vec<usize>) = meshes.iter().map(finite_part).unzip();
    let left_out: usize = left_out.into_iter().sum();
    if left_out > 0 {
        let verb = if left_out == 1 { "is" } else { "are" };
        let number = count(left_out, "triangle");
        lost.push(format!("{number} with a coordinate that is no number {verb} left out"));
    }
    Ok((meshes, lost))
}
