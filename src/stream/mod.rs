//! Tiles that come and go while a game runs, and states that come back exactly.
//!
//! Reading order: `source` ([`TileLibrary`]: tiles by content id), `streamer` ([`TileStreamer`]: tiles in and out, a
//! few an update), `snapshot` ([`restore`]: slots and generations as a [`Snapshot`](crate::format::Snapshot) has them).

mod snapshot;
mod source;
mod streamer;

pub use snapshot::restore;
pub use source::TileLibrary;
pub use streamer::{StreamError, TileOperation, TileStreamer};
