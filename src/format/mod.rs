//! What a tiled navigation mesh is, in memory and in bytes (version 2, frozen). Opens no files.
//!
//! Reading order: [`NavMeshParams`] and [`NavSettings`] (what a mesh was built with), [`Fingerprint`],
//! [`RawTile`] → [`Tile`] (parse, then validate), [`TileRef`] and [`PolyRef`] (generations and slots),
//! [`TiledNavMesh`] (tiles in slots, with derived links; [`PolygonState`]: what a game changed since), [`Snapshot`] (its state, tiles by content id), [`NavWorld`]
//! (a mesh per agent class), [`from_polygons`] (a builder's polygons to a tile), [`collect_debug`] (a mesh as plain
//! data for overlays), and [`codec`] (bytes, one file per magic).

pub mod codec;
mod debug;
mod error;
mod fields;
mod fingerprint;
mod mesh;
mod params;
mod polygon_state;
mod polygons;
mod refs;
mod settings;
mod snapshot;
mod tile;
pub(crate) mod validate;
mod world;

pub use debug::{DebugGeometry, DebugLink, DebugPolygon, collect_debug};
pub use error::FormatError;
pub use fields::Field;
pub use fingerprint::Fingerprint;
pub(crate) use mesh::{Attachment, History, SlotLinks, SlotStates};
pub use mesh::{Link, LinkKind, MAX_SLOTS, NavMesh, PolygonState, Slot, TiledNavMesh, UnlinkedMesh};
pub use params::{NavMeshParams, WORLD_BOUND};
pub use polygons::{TilePolygons, from_polygons};
pub use refs::{PolyRef, TileRef};
pub use settings::{AuthoredLink, NavSettings, Partition};
pub use snapshot::{Snapshot, SnapshotSlot};
pub use tile::{DetailMesh, DetailTriangle, NO_SIDE, OffMeshLink, Polygon, RawTile, Tile, TilePosition};
pub use world::NavWorld;
