//! The open list of a search: a heap with four children to a node, least estimate first.

/// An estimate, then a node, as one number: numbers of 64 bits that are not negative are ordered as their bits are. Among
/// equal estimates the newer node comes first: it is farther on.
type Entry = u128;

#[inline]
fn entry(estimate: f64, node: u32) -> Entry {
    debug_assert!(estimate >= 0.0, "lengths are not negative, nor no numbers");
    // Adding 0 makes a 0 of a negative one.
    u128::from((estimate + 0.0).to_bits()) << 32 | u128::from(!node)
}

#[inline]
fn node_of(entry: Entry) -> u32 {
    !(entry as u32)
}

/// See the file's front page.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenList {
    entries: Vec<Entry>,
}

impl OpenList {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn least(&self) -> Option<f64> {
        self.entries.first().map(|entry| f64::from_bits((entry >> 32) as u64))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    pub(super) fn push(&mut self, estimate: f64, node: u32) {
        let entry = entry(estimate, node);
        let mut hole = self.entries.len();
        self.entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / 4;
            if entry >= self.entries[parent] {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let entry = self.entries.pop()?;
        let Some(top) = self.entries.first().copied() else { return Some(node_of(entry)) };
        let count = self.entries.len();
        let mut hole = 0;
        loop {
            let first = 4 * hole + 1;
            if first >= count {
                break;
            }
            let (mut child, mut least) = (first, self.entries[first]);
            if let Some(&[_, b, c, d]) = self.entries[first..].first_chunk::<4>() {
                // Which is least cannot be foreseen, so all are compared and no branch is taken.
                let (low, low_child) = if b < least { (b, first + 1) } else { (least, first) };
                let (high, high_child) = if d < c { (d, first + 3) } else { (c, first + 2) };
                (least, child) = if high < low { (high, high_child) } else { (low, low_child) };
            } else {
                for other in first + 1..count {
                    if self.entries[other] < least {
                        (least, child) = (self.entries[other], other);
                    }
                }
            }
            if least >= entry {
                break;
            }
            self.entries[hole] = least;
            hole = child;
        }
        self.entries[hole] = entry;
        Some(node_of(top))
    }
}
