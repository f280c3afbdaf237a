//! Disjoint sets.

/// Disjoint sets of 0..n. The root of a set is always its least member, so equal unions in any order give equal roots.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// `count` sets of one.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect() }
    }

    /// One more set of one; its member.
    pub fn push(&mut self) -> u32 {
        let member = self.parents.len() as u32;
        self.parents.push(member);
        member
    }

    /// The least member of the set.
    pub fn find(&mut self, member: u32) -> u32 {
        let mut at = member;
        while self.parents[at as usize] != at {
            let parent = self.parents[at as usize];
            self.parents[at as usize] = self.parents[parent as usize];
            at = self.parents[at as usize];
        }
        at
    }

    /// As [`Self::find`], without shortening the way for later.
    #[must_use]
    pub fn root(&self, member: u32) -> u32 {
        let mut at = member;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }

    /// Joins two sets; whether they were apart.
    pub fn union(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high as usize] = low;
        low != high
    }
}
