//! Every rule of a tile, in one list.

use super::{FormatError, NavMeshParams, RawTile};

pub(super) fn check_tile(_tile: &RawTile, _params: &NavMeshParams) -> Result<(), FormatError> {
    todo!()
}
