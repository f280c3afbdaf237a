//! The baked columns as a mesh, linked anew only where they changed.

use std::collections::BTreeMap;

use crate::bake::flat::{LinkedColumn, link_columns, place_tiles};
use crate::bake::{BakeError, Diagnostic};
use crate::format::{NavMeshParams, NavSettings, Tile, TiledNavMesh};

/// The tiles of each column, by (tile_z, tile_x).
pub(crate) type ColumnTiles = BTreeMap<(i32, i32), Vec<Tile>>;

/// A mesh that the next bake starts from.
#[derive(Debug, Default)]
pub(crate) struct KeptMesh {
    mesh: Option<TiledNavMesh>,
    linked: BTreeMap<(i32, i32), LinkedColumn>,
}

impl KeptMesh {
    /// The mesh of these tiles with the authored links. `asked`: as in [`crate::bake::BakeOptions::tiles`]. `once`: no
    /// other bake follows, so nothing is kept.
    ///
    /// # Errors
    /// [`BakeError::Format`] for more slots or links than the format takes.
    pub(crate) fn link(
        &mut self,
        settings: &NavSettings,
        params: &NavMeshParams,
        tiles: &ColumnTiles,
        asked: Option<[i32; 4]>,
        once: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<TiledNavMesh, BakeError> {
        let layers: BTreeMap<(i32, i32), &[Tile]> =
            tiles.iter().map(|(&column, layers)| (column, layers.as_slice())).collect();
        // Meshes and links of other parameters are of no use.
        let mesh = self.mesh.take().filter(|mesh| mesh.params() == params);
        let old = std::mem::take(&mut self.linked);
        let old = if mesh.is_some() { old } else { BTreeMap::new() };
        self.linked = link_columns(settings, params, &layers, old, asked, diagnostics);
        let all = layers
            .iter()
            .flat_map(|(at, &layers)| self.linked.get(at).map_or(layers, |linked| linked.layers.as_slice()));
        let mesh = place_tiles(mesh, params, all.collect())?;
        if !once {
            self.mesh = Some(mesh.clone());
        }
        Ok(mesh)
    }
}
