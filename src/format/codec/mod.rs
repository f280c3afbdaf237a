//! Bytes: one file per magic, with its offset table on top. Little-endian, IEEE-754 bit patterns, no padding
//! except where a table says zero; a reader refuses any other value there.
//!
//! Reading order: `reader` and `writer`, `onpt` (a tile) with its `layout`, `onpm` (a mesh), `onps` (a snapshot of one),
//! `onnm` (a mesh with its settings), `onnw` (a world of agent classes). A mesh read here has no links yet; the stitch room makes them.

mod layout;
mod onnm;
mod onnw;
mod onpm;
mod onps;
mod onpt;
mod reader;
mod writer;

pub use onnm::{decode_onnm, encode_onnm};
pub use onnw::{decode_onnw, encode_onnw};
pub use onpm::{decode_onpm, encode_onpm};
pub use onps::{decode_onps, encode_onps};
pub use onpt::{decode_onpt, encode_onpt};

pub(super) use layout::encoded_len;
pub(super) use reader::Reader;
pub(super) use writer::Writer;

/// Version of tiles, meshes and snapshots.
pub const FORMAT_VERSION: u16 = 2;
/// Version of the envelopes.
pub const ENVELOPE_VERSION: u16 = 1;
