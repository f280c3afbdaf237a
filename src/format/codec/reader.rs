//! A cursor over bytes that knows where it is.

use crate::format::FormatError;

/// Reads little-endian values in order; running out of bytes is an error that says where.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(in crate::format) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Checks magic, version and flags, each as soon as its bytes are there.
    pub(super) fn head(&mut self, magic: [u8; 4], version: u16) -> Result<(), FormatError> {
        let name = magic.escape_ascii();
        let found: [u8; 4] = self.array()?;
        if found != magic {
            let what = format!("magic \"{}\" found, but \"{name}\" expected", found.escape_ascii());
            return Err(FormatError::bad("head.magic", what));
        }
        let found = self.u16()?;
        if found != version {
            return Err(FormatError::Version { what: name.to_string(), found, expected: version });
        }
        let flags = self.u16()?;
        if flags != 0 {
            let what = format!("header flags are 0x{flags:04x}, but must be 0");
            return Err(FormatError::bad("head.flags", what));
        }
        Ok(())
    }

    /// Offset of the next byte.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Bytes not yet read.
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        if count > self.remaining() {
            let (at, remaining) = (self.at, self.remaining());
            let what = format!("truncated at offset {at}: {count} bytes needed, {remaining} remain");
            return Err(FormatError::bad("length", what));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    /// A field that must be zero.
    pub(super) fn zero_u32(&mut self) -> Result<(), FormatError> {
        let at = self.at;
        zero_field(at, self.u32()?)
    }

    /// A field that must be zero.
    pub(super) fn zero_u16(&mut self) -> Result<(), FormatError> {
        let at = self.at;
        zero_field(at, self.u16()?.into())
    }

    /// A byte that must be zero.
    pub(super) fn zero_u8(&mut self) -> Result<(), FormatError> {
        let at = self.at;
        zero_field(at, self.u8()?.into())
    }

    pub(in crate::format) fn u8(&mut self) -> Result<u8, FormatError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(in crate::format) fn u16(&mut self) -> Result<u16, FormatError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(in crate::format) fn u32(&mut self) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(in crate::format) fn u64(&mut self) -> Result<u64, FormatError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(in crate::format) fn i32(&mut self) -> Result<i32, FormatError> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub(in crate::format) fn f32(&mut self) -> Result<f32, FormatError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    pub(in crate::format) fn f64(&mut self) -> Result<f64, FormatError> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    pub(super) fn f32x3(&mut self) -> Result<[f32; 3], FormatError> {
        Ok([self.f32()?, self.f32()?, self.f32()?])
    }

    pub(super) fn f64x3(&mut self) -> Result<[f64; 3], FormatError> {
        Ok([self.f64()?, self.f64()?, self.f64()?])
    }
}

fn zero_field(at: usize, value: u32) -> Result<(), FormatError> {
    if value == 0 {
        return Ok(());
    }
    Err(FormatError::bad("zero", format!("zero field at offset {at} is {value}, but must be 0")))
}
