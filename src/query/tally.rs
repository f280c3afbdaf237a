//! What all cells and links of a mesh have, summed up so that an edit changes the sums by what it touches.

/// Of one slot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SlotTally {
    /// Bits of the area types of its cells.
    pub(super) cell_areas: u64,
    /// Bits of the area types of its links.
    pub(super) jump_areas: u64,
    /// The flags that some cell has, and those that some cell lacks.
    pub(super) any_flags: u8,
    pub(super) lacked_flags: u8,
    /// Its coordinates are at most 2 to this power.
    pub(super) exponent: u8,
}

/// Of a whole mesh.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    cell_areas: [u32; 64],
    jump_areas: [u32; 64],
    any_flags: [u32; 8],
    lacked_flags: [u32; 8],
    exponents: [u32; 64],
    all: SlotTally,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            cell_areas: [0; 64],
            jump_areas: [0; 64],
            any_flags: [0; 8],
            lacked_flags: [0; 8],
            exponents: [0; 64],
            all: SlotTally::default(),
        }
    }
}

impl Tally {
    /// The sums.
    #[inline]
    pub(super) fn all(&self) -> &SlotTally {
        &self.all
    }

    pub(super) fn exchange(&mut self, old: Option<&SlotTally>, new: Option<&SlotTally>) {
        for (slot, sign) in [(old, u32::MAX), (new, 1)] {
            let Some(slot) = slot else { continue };
            count(&mut self.cell_areas, slot.cell_areas, sign);
            count(&mut self.jump_areas, slot.jump_areas, sign);
            count(&mut self.any_flags, slot.any_flags.into(), sign);
            count(&mut self.lacked_flags, slot.lacked_flags.into(), sign);
            count(&mut self.exponents, 1 << slot.exponent, sign);
        }
        self.all = SlotTally {
            cell_areas: bits(&self.cell_areas),
            jump_areas: bits(&self.jump_areas),
            any_flags: bits(&self.any_flags) as u8,
            lacked_flags: bits(&self.lacked_flags) as u8,
            exponent: (63 - (bits(&self.exponents) | 1).leading_zeros()) as u8,
        };
    }
}

/// Adds `sign` (1, or −1 in two's complement) to the count of each set bit.
fn count(counts: &mut [u32], mut bits: u64, sign: u32) {
    while bits != 0 {
        let place = &mut counts[bits.trailing_zeros() as usize];
        *place = place.wrapping_add(sign);
        bits &= bits - 1;
    }
}

fn bits(counts: &[u32]) -> u64 {
    (0..).zip(counts).filter(|(_, count)| **count != 0).fold(0, |bits, (place, _)| bits | 1 << place)
}
