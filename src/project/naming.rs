//! Names of new things.

use std::collections::BTreeSet;

/// "area 3": a word and the least number that no name has.
#[must_use]
pub fn numbered<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> String {
    let number = |name: &str| name.strip_prefix(word)?.strip_prefix(' ')?.parse::<usize>().ok();
    let taken: BTreeSet<usize> = names.filter_map(number).collect();
    let free = (1..=taken.len() + 1).find(|candidate| !taken.contains(candidate));
    format!("{word} {}", free.unwrap_or(taken.len() + 1))
}
