//! A bake that keeps what did not change: a column whose input is the same keeps its tiles.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::cut::{ColumnInput, column_input};
use super::overlay::cleared_level;
use super::{Context, bake_column};
use crate::bake::{BakeError, BakeOptions, BakeReport, FlatInput};
use crate::format::{FormatError, NavMesh, NavMeshParams, NavSettings, Tile};

/// Bakes one map again and again, as in an editor: only columns whose own input changed are baked anew.
///
/// What comes out is that of `bake_mesh`, byte for byte, whatever was baked before.
#[derive(Debug, Default)]
pub struct FlatBaker {
    kept: BTreeMap<(i32, i32), Kept>,
}

/// A column's tiles without authored links, and the digest of all that they were made from.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    key: [u8; 32],
    pub(super) layers: Result<Vec<Tile>, String>,
}

impl FlatBaker {
    /// Bakes every tile that the drawing touches and stitches them.
    ///
    /// # Errors
    /// As `bake_mesh`; what was kept stays kept.
    pub fn bake(
        &mut self,
        input: &FlatInput,
        settings: &NavSettings,
        options: &BakeOptions<'_>,
    ) -> Result<(NavMesh, BakeReport), BakeError> {
        super::bake_kept(&mut self.kept, input, settings, options)
    }
}

/// The column's tiles: the kept ones where their input is the same.
pub(super) fn bake_or_keep(
    context: &Context<'_>,
    kept: Option<&Kept>,
    column: [i32; 2],
    rings: &[u32],
) -> Kept {
    let input = column_input(context.drawing, context.surfaces, context.clearance, column, rings);
    let key = digest(context, &input);
    let same = kept.filter(|kept| kept.key == key);
    let layers = match same {
        Some(kept) => kept.layers.clone().and_then(|layers| stamp(layers, context.params)),
        None => bake_column(context, column, input),
    };
    Kept { key, layers }
}

/// Gives tiles the fingerprint of these parameters, which differ in the settings' digest at most.
fn stamp(layers: Vec<Tile>, params: &NavMeshParams) -> Result<Vec<Tile>, String> {
    let fingerprint = params.fingerprint();
    let stamp_one = |tile: Tile| -> Result<Tile, FormatError> {
        if tile.fingerprint() == fingerprint { Ok(tile) } else { (*tile).clone().validate(params) }
    };
    layers.into_iter().map(stamp_one).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Digests all that a column's tiles depend on: the grid, the edges that meet it, the labels and heights of its areas.
fn digest(context: &Context<'_>, input: &ColumnInput) -> [u8; 32] {
    let mut hash = Sha256::new();
    let params = NavMeshParams { settings_digest: 0, ..*context.params };
    hash.update(params.to_bytes());
    hash.update(format!("{:?}", context.drawing.frame));
    let point = |hash: &mut Sha256, p: crate::geom::grid::IntPoint| {
        hash.update(p.x.to_le_bytes());
        hash.update(p.z.to_le_bytes());
    };
    // Owners are numbered by first use, so that areas elsewhere do not matter.
    let mut number_of: BTreeMap<u32, u32> = BTreeMap::new();
    for edge in &input.edges {
        let next = number_of.len() as u32;
        hash.update(number_of.entry(edge.owner).or_insert(next).to_le_bytes());
        point(&mut hash, edge.from);
        point(&mut hash, edge.to);
    }
    for &(ring, winding) in &input.windings {
        let next = number_of.len() as u32;
        hash.update(number_of.entry(ring).or_insert(next).to_le_bytes());
        hash.update(winding.to_le_bytes());
    }
    for (&owner, number) in &number_of {
        if let Some(level) = cleared_level(owner) {
            hash.update(number.to_le_bytes());
            hash.update(context.drawing.levels[level].to_le_bytes());
        }
    }
    for &ring in &input.rings {
        // A ring that only its bounds bring here has no number and changes nothing.
        let Some(number) = number_of.get(&ring) else { continue };
        let data = &context.drawing.rings[ring as usize];
        hash.update(number.to_le_bytes());
        hash.update(context.drawing.levels[data.level].to_le_bytes());
        hash.update(context.drawing.elevations[data.level].to_le_bytes());
        hash.update([u8::from(data.kind == crate::bake::AreaKind::Walk)]);
        if let Some(label) = context.drawing.labels.get(data.label as usize) {
            hash.update([label.area_type, label.flags, u8::from(label.surface.is_some())]);
        }
        context.surfaces.digest(ring, &mut hash);
    }
    for seam in context.contested {
        hash.update(format!("{seam:?}"));
    }
    hash.finalize().into()
}
