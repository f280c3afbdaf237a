//! References that know when their tile is gone: salt (24 bits) | slot (20 bits) | polygon (20 bits).

use std::fmt;

/// A tile in a slot, with the slot's generation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileRef {
    salt: u32,
    slot: u32,
}

/// A polygon of a tile in a slot, with the slot's generation. The zero value is "no polygon".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PolyRef(u64);

impl TileRef {
    /// `salt` 1..=0xFFFFFF, `slot` below 2^20.
    #[must_use]
    pub fn new(salt: u32, slot: u32) -> Self {
        debug_assert!(salt <= 0x00FF_FFFF && slot < 1 << 20);
        Self { salt, slot }
    }

    /// The slot's generation.
    #[must_use]
    pub fn salt(self) -> u32 {
        self.salt
    }

    /// The slot's number.
    #[must_use]
    pub fn slot(self) -> u32 {
        self.slot
    }

    /// The reference to one of the tile's polygons; `polygon` below 2^20.
    #[must_use]
    pub fn polygon(self, polygon: u32) -> PolyRef {
        debug_assert!(polygon < 1 << 20);
        PolyRef(u64::from(self.salt) << 40 | u64::from(self.slot) << 20 | u64::from(polygon))
    }
}

impl PolyRef {
    /// No polygon: salt 0 is never issued.
    pub const NONE: Self = Self(0);

    /// The reference with these bits.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The 64 bits of the reference.
    #[must_use]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Whether this is [`PolyRef::NONE`] or has no generation.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.0 >> 40 == 0
    }

    /// The polygon's index in its tile.
    #[must_use]
    pub fn polygon(self) -> u32 {
        (self.0 & 0xF_FFFF) as u32
    }

    /// The slot of the polygon's tile.
    #[must_use]
    pub fn slot(self) -> u32 {
        (self.0 >> 20 & 0xF_FFFF) as u32
    }

    /// The generation and slot of the polygon's tile.
    #[must_use]
    pub fn tile(self) -> TileRef {
        TileRef { salt: (self.0 >> 40) as u32, slot: self.slot() }
    }
}

impl fmt::Debug for TileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TileRef(slot {}, salt {})", self.slot, self.salt)
    }
}

impl fmt::Debug for PolyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolyRef(slot {}, polygon {}, salt {})", self.slot(), self.polygon(), self.0 >> 40)
    }
}
