//! What is typed while a tool is used: the exact move of a drag (`x 2.5`), or the place of a point (`12.3, 4`).

use crate::editor::canvas::grid::{FINEST, is_on_grid, round_to};
use crate::editor::words;

/// Most letters that are kept.
const MOST: usize = 40;

/// Text as it is typed, with the axis that was locked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    axis: Option<usize>,
    text: String,
}

/// What the text means so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exact {
    /// The axis that a drag keeps to, 0 for x; z is written `y` or `z`.
    pub axis: Option<usize>,
    numbers: Numbers,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Numbers {
    #[default]
    None,
    One(f64),
    Two([f64; 2]),
}

impl Typed {
    /// Whether nothing is typed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.axis.is_none() && self.text.is_empty()
    }

    /// Takes a letter; whether it means something. `axes`: whether x, y and z lock an axis.
    pub fn push(&mut self, letter: char, axes: bool) -> bool {
        let axis = match letter {
            'x' | 'X' => Some(0),
            'y' | 'Y' | 'z' | 'Z' => Some(1),
            _ => None,
        };
        if let Some(axis) = axis.filter(|_| axes) {
            // The same letter again lets go.
            self.axis = if self.axis == Some(axis) { None } else { Some(axis) };
            return true;
        }
        let number = letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.');
        let between = matches!(letter, ',' | ' ' | ';') && !self.text.is_empty();
        // A space between the axis and its number says nothing.
        if letter == ' ' && self.axis.is_some() && self.text.is_empty() {
            return true;
        }
        if (number || between) && self.text.len() < MOST {
            self.text.push(letter);
            return true;
        }
        false
    }

    /// Takes the last letter back; whether there was one.
    pub fn pop(&mut self) -> bool {
        self.text.pop().is_some() || self.axis.take().is_some()
    }

    /// What it means so far.
    #[must_use]
    pub fn exact(&self) -> Exact {
        let numbers: Vec<f64> = self
            .text
            .split([',', ' ', ';'])
            .filter_map(|part| part.parse::<f64>().ok())
            .filter(|number| number.is_finite())
            .collect();
        let numbers = match numbers[..] {
            [one] => Numbers::One(one),
            [one, two] => Numbers::Two([one, two]),
            _ => Numbers::None,
        };
        Exact { axis: self.axis, numbers }
    }

    /// It as shown at the cursor, with a mark where the next letter goes.
    #[must_use]
    pub fn word(&self) -> String {
        let axis = match self.axis {
            Some(0) => "x ",
            Some(_) => "z ",
            None => "",
        };
        format!("{axis}{}|", self.text)
    }
}

impl Exact {
    /// Where a drag from `from` towards `aim` ends, if a move is typed: along the locked axis, else two numbers, else
    /// one number in the direction that the drag has gone farther in.
    #[must_use]
    pub fn moved(&self, from: [f64; 2], aim: [f64; 2]) -> Option<[f64; 2]> {
        let mut change = [0.0; 2];
        match (self.numbers, self.axis) {
            (Numbers::None, _) => return None,
            (Numbers::One(length), Some(axis)) => change[axis] = length,
            (Numbers::One(length), None) => {
                let axis = wider(from, aim);
                change[axis] = if aim[axis] < from[axis] { -length } else { length };
            }
            (Numbers::Two(both), None) => change = both,
            (Numbers::Two(both), Some(axis)) => change[axis] = both[axis],
        }
        let to = [from[0] + change[0], from[1] + change[1]];
        Some(if is_on_grid(from, FINEST) { round_to(to, FINEST) } else { to })
    }

    /// The place that is typed.
    #[must_use]
    pub fn place(&self) -> Option<[f64; 2]> {
        match self.numbers {
            Numbers::Two(place) => Some(round_to(place, FINEST)),
            Numbers::None | Numbers::One(_) => None,
        }
    }
}

/// The axis along which two places are farther apart.
#[must_use]
pub(super) fn wider(from: [f64; 2], to: [f64; 2]) -> usize {
    usize::from((to[0] - from[0]).abs() < (to[1] - from[1]).abs())
}

/// "+2.5, -1": a move as words.
#[must_use]
pub(super) fn change_words(from: [f64; 2], to: [f64; 2]) -> String {
    let signed = |axis: usize| {
        let text = words::number(to[axis] - from[axis]);
        if text.starts_with('-') || text == "0" { text } else { format!("+{text}") }
    };
    format!("{}, {}", signed(0), signed(1))
}
