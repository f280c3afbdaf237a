//! A mesh (`ONPM`): tiles in slots. Links are derived, so none are stored.
//!
//! | offset | type | field |
//! |---|---|---|
//! | 0 | 4 bytes | magic `ONPM` |
//! | 4 | u16 | version 2 |
//! | 6 | u16 | flags 0 |
//! | 8 | 68 bytes | parameter block |
//! | 76 | u32 | slot_count, at most 1 048 575 |
//! | 80 | | per slot: u32 salt (1..=0xFFFFFF), u32 tile byte length (0: free), then one `ONPT` tile |
//!
//! Nothing follows the last slot.

use super::onpt::decode_with;
use super::{FORMAT_VERSION, Reader, Writer, encode_onpt};
use crate::format::validate::{check_positions, check_salt};
use crate::format::{FormatError, MAX_SLOTS, NavMeshParams, Slot, TiledNavMesh, UnlinkedMesh};

const MAGIC: [u8; 4] = *b"ONPM";

/// Reads a mesh and checks every rule of its slots and tiles. It has no links yet.
///
/// # Errors
/// [`FormatError`] naming what, where, the value and the bound.
pub fn decode_onpm(bytes: &[u8]) -> Result<UnlinkedMesh, FormatError> {
    decode(bytes).map_err(|error| error.under("mesh"))
}

/// A mesh's bytes.
#[must_use]
pub fn encode_onpm(mesh: &TiledNavMesh) -> Vec<u8> {
    let mut out = Writer::new();
    out.head(MAGIC, FORMAT_VERSION);
    out.bytes(&mesh.params().to_bytes());
    out.count(mesh.slots().len());
    for slot in mesh.slots() {
        out.u32(slot.salt);
        let tile = slot.tile.as_ref().map(encode_onpt).unwrap_or_default();
        out.count(tile.len());
        out.bytes(&tile);
    }
    out.finish()
}

fn decode(bytes: &[u8]) -> Result<UnlinkedMesh, FormatError> {
    let mut reader = Reader::new(bytes);
    let (params, slot_count) = decode_slot_head(&mut reader, MAGIC, 8)?;
    let fingerprint = params.fingerprint();
    let mut slots = Vec::with_capacity(slot_count);
    for index in 0..slot_count {
        let mut read = || -> Result<Slot, FormatError> {
            let (salt, length) = (reader.u32()?, reader.u32()?);
            check_salt(salt)?;
            if length == 0 {
                return Ok(Slot { salt, tile: None });
            }
            let tile = reader.take(length as usize).map_err(|error| error.under("tile byte length"))?;
            Ok(Slot { salt, tile: Some(decode_with(tile, &params, fingerprint)?) })
        };
        slots.push(read().map_err(|error| error.under(&format!("slot {index}")))?);
    }
    if reader.remaining() != 0 {
        let (at, count) = (reader.offset(), reader.remaining());
        let what = format!("{count} trailing bytes after the last of {slot_count} slots, at offset {at}");
        return Err(FormatError::bad("mesh.trailing", what));
    }
    check_positions(&slots)?;
    Ok(UnlinkedMesh { params, slots })
}

/// Head, parameter block and slot count of a mesh or a snapshot; the count is compared with the bytes that remain.
pub(super) fn decode_slot_head(
    reader: &mut Reader<'_>,
    magic: [u8; 4],
    slot_bytes: usize,
) -> Result<(NavMeshParams, usize), FormatError> {
    reader.head(magic, FORMAT_VERSION)?;
    let block = reader.array().map_err(|error| error.under("parameter block"))?;
    let params = NavMeshParams::from_bytes(&block)?;
    let count = reader.u32().map_err(|error| error.under("slot_count"))? as usize;
    let room = reader.remaining() / slot_bytes;
    if count > MAX_SLOTS {
        let what = format!("slot_count is {count}, but at most {MAX_SLOTS} are allowed");
        return Err(FormatError::bad("mesh.slot_count", what));
    }
    if count > room {
        let remaining = reader.remaining();
        let what =
            format!("slot_count is {count}, but the {remaining} bytes that remain hold at most {room}");
        return Err(FormatError::bad("mesh.slot_count", what));
    }
    Ok((params, count))
}

impl TiledNavMesh {
    /// The mesh as `ONPM` bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode_onpm(self)
    }
}
