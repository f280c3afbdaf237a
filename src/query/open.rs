//! The open list of a search: a heap with four children to a node, least estimate first.

#[derive(Clone, Copy, Debug)]
struct Entry {
    estimate: f64,
    node: u32,
}

impl Entry {
    /// Among equal estimates the newer node first: it is farther on.
    #[inline]
    fn before(&self, other: &Self) -> bool {
        self.estimate < other.estimate || (self.estimate == other.estimate && self.node > other.node)
    }
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
        self.entries.first().map(|entry| entry.estimate)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    pub(super) fn push(&mut self, estimate: f64, node: u32) {
        let entry = Entry { estimate, node };
        let mut hole = self.entries.len();
        self.entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / 4;
            if !entry.before(&self.entries[parent]) {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let entry = self.entries.pop()?;
        let Some(top) = self.entries.first().copied() else { return Some(entry.node) };
        let count = self.entries.len();
        let mut hole = 0;
        loop {
            let first = 4 * hole + 1;
            if first >= count {
                break;
            }
            let mut least = first;
            for child in first + 1..(first + 4).min(count) {
                if self.entries[child].before(&self.entries[least]) {
                    least = child;
                }
            }
            if !self.entries[least].before(&entry) {
                break;
            }
            self.entries[hole] = self.entries[least];
            hole = least;
        }
        self.entries[hole] = entry;
        Some(top.node)
    }
}
