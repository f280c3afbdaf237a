//! The last bakes of the open map, and what each of them took.

use std::collections::VecDeque;

use super::worker::Mode;

/// Most bakes that are remembered.
pub const MOST: usize = 50;

/// A bake that came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What was edited before it.
    pub edited: String,
    /// How it was baked.
    pub mode: Mode,
    /// From its begin to its end, in seconds.
    pub secs: f64,
    /// What its stages took on all threads, in seconds; a flat bake is one.
    pub stages: Vec<(&'static str, f64)>,
    /// How many tile columns were made.
    pub tiles: usize,
}

/// The last bakes, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Records {
    kept: VecDeque<Record>,
    /// How many there were before those.
    dropped: usize,
}

impl Records {
    /// Takes one in, and drops the oldest of too many.
    pub fn push(&mut self, record: Record) {
        if self.kept.len() == MOST {
            self.kept.pop_front();
            self.dropped += 1;
        }
        self.kept.push_back(record);
    }

    /// Each with its number, counted from 1 since the map was opened.
    pub fn all(&self) -> impl Iterator<Item = (usize, &Record)> {
        (self.dropped + 1..).zip(&self.kept)
    }

    /// How many bakes there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.dropped + self.kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_fifty_are_kept_with_their_numbers() {
        let mut records = Records::default();
        for number in 0..MOST + 3 {
            let edited = number.to_string();
            records.push(Record { edited, mode: Mode::Flat, secs: 0.0, stages: Vec::new(), tiles: 0 });
        }
        let all: Vec<(usize, &str)> = records.all().map(|(number, found)| (number, &*found.edited)).collect();
        assert_eq!((all.len(), all[0], all[MOST - 1]), (MOST, (4, "3"), (MOST + 3, "52")));
        assert_eq!(records.count(), MOST + 3);
    }
}
