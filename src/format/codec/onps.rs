//! A snapshot (`ONPS`): a mesh's slots, with tiles by content id.
//!
//! | offset | type | field |
//! |---|---|---|
//! | 0 | 4 bytes | magic `ONPS` |
//! | 4 | u16 | version 2 |
//! | 6 | u16 | flags 0 |
//! | 8 | 68 bytes | parameter block, verbatim |
//! | 76 | u32 | slot_count, at most 1 048 575 |
//! | 80 | | per slot: u32 salt (1..=0xFFFFFF), u32 zero, 16 bytes tile content id (all zero: free) |
//!
//! Nothing follows the last slot.

use super::onpm::decode_slot_head;
use super::{FORMAT_VERSION, Reader, Writer};
use crate::format::validate::check_salt;
use crate::format::{Fingerprint, FormatError, Snapshot, SnapshotSlot};

const MAGIC: [u8; 4] = *b"ONPS";
/// Length of the head in bytes.
const HEAD_BYTES: usize = 80;
/// Length of a slot in bytes.
const SLOT_BYTES: usize = 24;

/// Reads a snapshot. That the tiles exist, and fit, is known only when it is restored.
///
/// # Errors
/// [`FormatError`] naming what, where, the value and the bound.
pub fn decode_onps(bytes: &[u8]) -> Result<Snapshot, FormatError> {
    decode(bytes).map_err(|error| error.under("snapshot"))
}

/// A snapshot's bytes.
#[must_use]
pub fn encode_onps(snapshot: &Snapshot) -> Vec<u8> {
    let mut out = Writer::with_capacity(HEAD_BYTES + SLOT_BYTES * snapshot.slots.len());
    out.head(MAGIC, FORMAT_VERSION);
    out.bytes(&snapshot.params.to_bytes());
    out.count(snapshot.slots.len());
    for slot in &snapshot.slots {
        out.u32(slot.salt);
        out.u32(0);
        out.bytes(&slot.content.map_or([0; 16], |content| content.0));
    }
    out.finish()
}

fn decode(bytes: &[u8]) -> Result<Snapshot, FormatError> {
    let mut reader = Reader::new(bytes);
    let (params, slot_count) = decode_slot_head(&mut reader, MAGIC, SLOT_BYTES)?;
    let mut slots = Vec::with_capacity(slot_count);
    for index in 0..slot_count {
        let mut read = || -> Result<SnapshotSlot, FormatError> {
            let salt = reader.u32()?;
            check_salt(salt)?;
            reader.zero_u32()?;
            let content: [u8; 16] = reader.array()?;
            let content = (content != [0; 16]).then_some(Fingerprint(content));
            Ok(SnapshotSlot { salt, content })
        };
        slots.push(read().map_err(|error| error.under(&format!("slot {index}")))?);
    }
    if reader.remaining() != 0 {
        let (at, count) = (reader.offset(), reader.remaining());
        let what = format!("{count} trailing bytes after the last of {slot_count} slots, at offset {at}");
        return Err(FormatError::bad("snapshot.trailing", what));
    }
    Ok(Snapshot { params, slots })
}

impl Snapshot {
    /// Reads `ONPS` bytes.
    ///
    /// # Errors
    /// As [`decode_onps`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        decode_onps(bytes)
    }

    /// The snapshot as `ONPS` bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode_onps(self)
    }
}
