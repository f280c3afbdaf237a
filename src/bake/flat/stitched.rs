//! The baked columns as one mesh: authored links put in, tiles in their slots, stitched again only where they changed.

use std::collections::BTreeMap;

use super::columns::Columns;
use super::links::{LinkedColumn, link_columns, report_unattached};
use super::outline::Drawing;
use super::remarks::{Borders, MeshNotes};
use crate::bake::Diagnostic;
use crate::format::{FormatError, NavMeshParams, NavSettings, Slot, Tile, TiledNavMesh, UnlinkedMesh};

/// The mesh of the last bake, with what was found out about it.
#[derive(Debug, Default)]
pub(crate) struct StitchedMesh {
    mesh: Option<TiledNavMesh>,
    linked: BTreeMap<(i32, i32), LinkedColumn>,
    notes: MeshNotes,
    /// The columns that were asked for.
    tiles: Option<[i32; 4]>,
}

impl StitchedMesh {
    /// The mesh of these columns: slots in (tile_z, tile_x, layer) order, salts 1.
    ///
    /// # Errors
    /// [`FormatError`] for more slots or links than the format takes.
    pub(crate) fn update(
        &mut self,
        settings: &NavSettings,
        params: &NavMeshParams,
        drawing: &Drawing,
        columns: &Columns,
        tiles: Option<[i32; 4]>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<TiledNavMesh, FormatError> {
        if self.tiles != tiles {
            *self = Self { tiles, ..Self::default() };
        }
        let baked: BTreeMap<(i32, i32), &[Tile]> = columns
            .iter()
            .filter(|&(&(z, x), _)| {
                tiles.is_none_or(|[x0, z0, x1, z1]| x0 <= x && x <= x1 && z0 <= z && z <= z1)
            })
            .filter_map(|(&(z, x), column)| match &column.layers {
                Some(Ok(layers)) if !layers.is_empty() => Some(((z, x), layers.as_slice())),
                _ => None,
            })
            .collect();
        let old = std::mem::take(&mut self.linked);
        self.linked = link_columns(settings, params, &baked, old, tiles, diagnostics);
        let layers = baked
            .iter()
            .flat_map(|(at, &layers)| self.linked.get(at).map_or(layers, |linked| linked.layers.as_slice()));
        let mesh = place_tiles(self.mesh.take(), params, layers.collect())?;
        report_unattached(settings, &mesh, tiles, diagnostics);
        let seams = |x: i32, z: i32| {
            let survey = columns.get(&(z, x)).and_then(|column| column.survey.as_ref());
            survey.map_or(&[][..], |survey| survey.seams.as_slice())
        };
        self.notes.remark(&mesh, &Borders { drawing, seams: &seams, tiles }, diagnostics);
        self.mesh = Some(mesh.clone());
        Ok(mesh)
    }
}

/// Puts tiles in order into slots: into the old mesh where it has the same positions and few of them changed.
pub(crate) fn place_tiles(
    old: Option<TiledNavMesh>,
    params: &NavMeshParams,
    tiles: Vec<&Tile>,
) -> Result<TiledNavMesh, FormatError> {
    if let Some(mut mesh) = old.filter(|mesh| mesh.slots().len() == tiles.len()) {
        let mut changed = Vec::new();
        let mut fits = true;
        for ((_, old), &new) in mesh.tiles().zip(&tiles) {
            fits &= old.position() == new.position();
            if !old.is_same(new) {
                changed.push(new);
            }
        }
        if fits && changed.len() * 4 <= tiles.len() {
            for tile in changed {
                mesh.exchange_tile(tile.clone())?;
            }
            return Ok(mesh);
        }
    }
    let slots = tiles.into_iter().map(|tile| Slot { salt: 1, tile: Some(tile.clone()) }).collect();
    UnlinkedMesh { params: *params, slots }.link()
}
