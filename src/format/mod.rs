//! What a tiled navigation mesh is, in memory and in bytes (version 2, frozen). Opens no files.
//!
//! Reading order: [`NavMeshParams`] and [`NavSettings`] (what a mesh was built with), [`Fingerprint`],
//! [`RawTile`] → [`Tile`] (parse, then validate), [`TileRef`] and [`PolyRef`] (generations and slots),
//! [`TiledNavMesh`] (tiles in slots, with derived links), and [`codec`] (bytes, one file per magic).

pub mod codec;
mod error;
mod fingerprint;
mod mesh;
mod params;
mod refs;
mod settings;
mod tile;
pub(crate) mod validate;

pub use error::FormatError;
pub use fingerprint::Fingerprint;
pub(crate) use mesh::{Attachment, SlotLinks};
pub use mesh::{Link, LinkKind, MAX_SLOTS, NavMesh, Slot, TiledNavMesh, UnlinkedMesh};
pub use params::{NavMeshParams, WORLD_BOUND};
pub use refs::{PolyRef, TileRef};
pub use settings::{AuthoredLink, NavSettings, Partition};
pub use tile::{DetailMesh, DetailTriangle, NO_SIDE, OffMeshLink, Polygon, RawTile, Tile, TilePosition};
