//! A world of agent classes (`ONNW`, file `.onnw`).
//!
//! | offset | type | field |
//! |---|---|---|
//! | 0 | 4 bytes | magic `ONNW` |
//! | 4 | u16 | version 1 |
//! | 6 | u16 | flags 0 |
//! | 8 | u32 | class count, 1 ..= remaining bytes / 8 |
//! | 12 | | per class: u32 length, then that many bytes of one `ONNM` envelope |
//!
//! Nothing follows the last class. Classes keep their order and need not share a grid.

use super::{ENVELOPE_VERSION, Reader, Writer, decode_onnm, encode_onnm};
use crate::format::{FormatError, NavSettings, NavWorld, UnlinkedMesh};

const MAGIC: [u8; 4] = *b"ONNW";

/// Reads every class's settings and mesh, in the file's order.
///
/// # Errors
/// [`FormatError`] naming the class, what, where, the value and the bound.
pub fn decode_onnw(bytes: &[u8]) -> Result<Vec<(NavSettings, UnlinkedMesh)>, FormatError> {
    decode(bytes).map_err(|error| error.under("world"))
}

/// A world's bytes.
///
/// # Errors
/// As [`encode_onnm`], naming the class; [`FormatError::OutOfRange`] for an envelope of 4 GiB or more.
pub fn encode_onnw(world: &NavWorld) -> Result<Vec<u8>, FormatError> {
    let mut out = Writer::new();
    out.head(MAGIC, ENVELOPE_VERSION);
    out.count(world.classes().len());
    for (index, class) in world.classes().iter().enumerate() {
        let under = |error: FormatError| error.under(&format!("class {index}"));
        let envelope = encode_onnm(&class.settings, &class.mesh).map_err(under)?;
        if u32::try_from(envelope.len()).is_err() {
            let (length, bound) = (envelope.len().to_string(), "a world's class holds less than 4 GiB");
            return Err(under(FormatError::out_of_range("envelope byte length", length, bound)));
        }
        out.count(envelope.len());
        out.bytes(&envelope);
    }
    Ok(out.finish())
}

fn decode(bytes: &[u8]) -> Result<Vec<(NavSettings, UnlinkedMesh)>, FormatError> {
    let mut reader = Reader::new(bytes);
    reader.head(MAGIC, ENVELOPE_VERSION)?;
    let count = reader.u32().map_err(|error| error.under("class count"))? as usize;
    let remaining = reader.remaining();
    let room = remaining / 8;
    if !(1..=room).contains(&count) {
        let what =
            format!("class count is {count}, but the {remaining} bytes that remain hold 1 to {room} classes");
        return Err(FormatError::bad("world.class_count", what));
    }
    // A class in memory is far larger than the 8 bytes that a count may claim for it: no capacity up front.
    let mut classes = Vec::new();
    for index in 0..count {
        let mut read = || {
            let length = reader.u32().map_err(|error| error.under("length"))? as usize;
            decode_onnm(reader.take(length).map_err(|error| error.under("length"))?)
        };
        classes.push(read().map_err(|error| error.under(&format!("class {index}")))?);
    }
    if reader.remaining() != 0 {
        let (at, left) = (reader.offset(), reader.remaining());
        let what = format!("{left} trailing bytes after the last of {count} classes, at offset {at}");
        return Err(FormatError::bad("world.trailing", what));
    }
    Ok(classes)
}

impl NavWorld {
    /// The world as `ONNW` bytes.
    ///
    /// # Errors
    /// As [`encode_onnw`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        encode_onnw(self)
    }
}
