//! Bytes under construction.

/// Appends little-endian values.
#[derive(Clone, Debug, Default)]
pub(in crate::format) struct Writer {
    out: Vec<u8>,
}

impl Writer {
    pub(in crate::format) fn new() -> Self {
        Self::default()
    }

    pub(in crate::format) fn with_capacity(bytes: usize) -> Self {
        Self { out: Vec::with_capacity(bytes) }
    }

    pub(in crate::format) fn finish(self) -> Vec<u8> {
        self.out
    }

    /// Magic, version and no flags.
    pub(super) fn head(&mut self, magic: [u8; 4], version: u16) {
        self.bytes(&magic);
        self.u16(version);
        self.u16(0);
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(in crate::format) fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// A length that validation has bound to u32.
    pub(in crate::format) fn count(&mut self, count: usize) {
        debug_assert!(u32::try_from(count).is_ok());
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    pub(in crate::format) fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    pub(in crate::format) fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    pub(in crate::format) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(in crate::format) fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(in crate::format) fn f32(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(in crate::format) fn f64(&mut self, value: f64) {
        self.bytes(&value.to_le_bytes());
    }
}
