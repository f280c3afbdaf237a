//! Authored links of two settings: which were added, removed, changed, or stand elsewhere in the list.

use std::collections::{BTreeMap, VecDeque};

use crate::format::AuthoredLink;

/// What differs between two lists of links; numbers are indices from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkDiff {
    /// In B alone.
    pub added: Vec<usize>,
    /// In A alone.
    pub removed: Vec<usize>,
    /// Index in A and in B, and the fields that differ.
    pub changed: Vec<(usize, usize, Vec<String>)>,
    /// Index in A and in B of links that are the same but stand before or after others than they did.
    pub moved: Vec<(usize, usize)>,
}

impl LinkDiff {
    /// Pairs equal links first, then those with one user id, then those with the same ends, then those at the same
    /// index; what is left was added or removed.
    #[must_use]
    pub fn of(a: &[AuthoredLink], b: &[AuthoredLink]) -> Self {
        let mut free_a: Vec<bool> = vec![true; a.len()];
        let mut free_b: Vec<bool> = vec![true; b.len()];
        let mut pairs = match_by(a, b, &mut free_a, &mut free_b, |_, link| Some(bits(link)));
        let same = pairs.clone();
        pairs.extend(match_by(a, b, &mut free_a, &mut free_b, |_, link| {
            (link.user_id != 0).then(|| vec![u64::from(link.user_id)])
        }));
        pairs.extend(match_by(a, b, &mut free_a, &mut free_b, |_, link| Some(bits(link)[..6].to_vec())));
        pairs.extend(match_by(a, b, &mut free_a, &mut free_b, |index, _| Some(vec![index as u64])));
        let left = |free: &[bool]| (0..free.len()).filter(|&index| free[index]).collect();
        let mut changed: Vec<_> =
            pairs[same.len()..].iter().map(|&(from, to)| (from, to, differences(&a[from], &b[to]))).collect();
        changed.sort();
        Self { added: left(&free_b), removed: left(&free_a), changed, moved: out_of_order(same) }
    }

    /// Whether there is no difference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A line for each difference. `a` and `b`: the lists that were compared.
    #[must_use]
    pub fn lines(&self, a: &[AuthoredLink], b: &[AuthoredLink]) -> String {
        let mut text = String::new();
        for &index in &self.removed {
            text += &format!("  only in A: link {}, {}\n", index + 1, describe(&a[index]));
        }
        for &index in &self.added {
            text += &format!("  only in B: link {}, {}\n", index + 1, describe(&b[index]));
        }
        for (from, to, fields) in &self.changed {
            let number = if from == to {
                format!("link {}", from + 1)
            } else {
                format!("link {} (B: {})", from + 1, to + 1)
            };
            text += &format!("  changed: {number}: {}\n", fields.join("; "));
        }
        for (from, to) in &self.moved {
            text += &format!("  moved: link {} of A is link {} of B\n", from + 1, to + 1);
        }
        text
    }
}

/// Pairs free links with equal keys, first with first.
fn match_by(
    a: &[AuthoredLink],
    b: &[AuthoredLink],
    free_a: &mut [bool],
    free_b: &mut [bool],
    key: impl Fn(usize, &AuthoredLink) -> Option<Vec<u64>>,
) -> Vec<(usize, usize)> {
    let mut waiting: BTreeMap<Vec<u64>, VecDeque<usize>> = BTreeMap::new();
    for (index, link) in b.iter().enumerate().filter(|(index, _)| free_b[*index]) {
        if let Some(key) = key(index, link) {
            waiting.entry(key).or_default().push_back(index);
        }
    }
    let mut pairs = Vec::new();
    for (from, link) in a.iter().enumerate() {
        let found = key(from, link).filter(|_| free_a[from]);
        if let Some(to) = found.and_then(|key| waiting.get_mut(&key)?.pop_front()) {
            (free_a[from], free_b[to]) = (false, false);
            pairs.push((from, to));
        }
    }
    pairs
}

/// The fewest pairs without which the others stand in one order: all but a longest rising run.
fn out_of_order(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    // tails[k]: the pair that ends the best rising run of k + 1 pairs; before[i]: the pair before i in its run.
    let mut tails: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; pairs.len()];
    for (index, pair) in pairs.iter().enumerate() {
        let length = tails.partition_point(|&tail| pairs[tail].1 < pair.1);
        if length > 0 {
            before[index] = tails[length - 1];
        }
        if length == tails.len() {
            tails.push(index);
        } else {
            tails[length] = index;
        }
    }
    let mut stays = vec![false; pairs.len()];
    let mut at = tails.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        stays[at] = true;
        at = before[at];
    }
    pairs.into_iter().zip(stays).filter(|(_, stays)| !stays).map(|(pair, _)| pair).collect()
}

/// Everything a link is, bit by bit; its ends first.
fn bits(link: &AuthoredLink) -> Vec<u64> {
    let numbers = link.start.iter().chain(&link.end).chain([&link.radius]);
    let mut bits: Vec<u64> = numbers.map(|value| value.to_bits()).collect();
    bits.extend([link.bidirectional.into(), link.area.into(), link.flags.into(), u64::from(link.user_id)]);
    bits
}

fn differences(a: &AuthoredLink, b: &AuthoredLink) -> Vec<String> {
    let mut fields = Vec::new();
    let mut compare = |name: &str, a: String, b: String| {
        if a != b {
            fields.push(format!("{name} {a} → {b}"));
        }
    };
    let point = |[x, y, z]: [f64; 3]| format!("({x}, {y}, {z})");
    compare("start", point(a.start), point(b.start));
    compare("end", point(a.end), point(b.end));
    compare("radius", a.radius.to_string(), b.radius.to_string());
    compare("bidirectional", a.bidirectional.to_string(), b.bidirectional.to_string());
    compare("area", a.area.to_string(), b.area.to_string());
    compare("flags", a.flags.to_string(), b.flags.to_string());
    compare("user_id", a.user_id.to_string(), b.user_id.to_string());
    fields
}

fn describe(link: &AuthoredLink) -> String {
    let ([ax, ay, az], [bx, by, bz]) = (link.start, link.end);
    let ways = if link.bidirectional { "both ways" } else { "one way" };
    format!(
        "({ax}, {ay}, {az}) to ({bx}, {by}, {bz}), {ways}, radius {}, user id {}",
        link.radius, link.user_id
    )
}
