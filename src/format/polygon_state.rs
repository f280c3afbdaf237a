//! Areas and flags that a game changes while it runs: state of the mesh beside its tiles.

use std::sync::Arc;

use super::{FormatError, PolyRef, PolygonState, TiledNavMesh};

impl TiledNavMesh {
    /// A polygon's area and author's flags as they are now; `None` for a stale reference.
    #[must_use]
    pub fn polygon_state(&self, poly: PolyRef) -> Option<PolygonState> {
        let (tile, index) = self.polygon(poly)?;
        let changed = self.states.get(&poly.slot()).and_then(|states| states.get(&poly.polygon()));
        let polygon = &tile.polygons[index];
        let built = PolygonState { area: polygon.area, flags: (polygon.flags & 0xFF) as u8 };
        Some(changed.copied().unwrap_or(built))
    }

    /// Changes a polygon's area and author's flags until its tile is replaced or removed. Tiles, links and the
    /// fingerprint stay as they are.
    ///
    /// These states are no part of a [`Snapshot`](super::Snapshot): whoever takes one keeps
    /// [`TiledNavMesh::polygon_states`] beside it and sets them again after restoring.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] for a stale reference and for an area above 63. The mesh is then as it was.
    pub fn set_polygon_state(&mut self, poly: PolyRef, state: PolygonState) -> Result<(), FormatError> {
        if state.area > 63 {
            return Err(FormatError::out_of_range(
                "polygon area",
                state.area.to_string(),
                "an area is 0..=63",
            ));
        }
        if self.polygon(poly).is_none() {
            let what = "no tile of that slot and generation has such a polygon";
            return Err(FormatError::out_of_range("polygon", format!("{poly:?}"), what));
        }
        if self.polygon_state(poly) != Some(state) {
            Arc::make_mut(self.states.entry(poly.slot()).or_default()).insert(poly.polygon(), state);
            self.note_change([poly.slot()]);
        }
        Ok(())
    }

    /// Gives a polygon the area and flags of its tile back; nothing happens for one that has them.
    pub fn reset_polygon_state(&mut self, poly: PolyRef) {
        let Some(states) = self.states.get_mut(&poly.slot()) else { return };
        if states.contains_key(&poly.polygon()) && self.slots[poly.slot() as usize].salt == poly.tile().salt()
        {
            Arc::make_mut(states).remove(&poly.polygon());
            if states.is_empty() {
                self.states.remove(&poly.slot());
            }
            self.note_change([poly.slot()]);
        }
    }

    /// Every polygon whose area or flags were changed, in order of slot and polygon.
    pub fn polygon_states(&self) -> impl Iterator<Item = (PolyRef, PolygonState)> {
        self.states.iter().flat_map(|(slot, states)| {
            let tile = super::TileRef::new(self.slots[*slot as usize].salt, *slot);
            states.iter().map(move |(polygon, state)| (tile.polygon(*polygon), *state))
        })
    }
}
