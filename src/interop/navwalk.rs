//! Map text: `nav walk LEVEL x z x z …` and `nav hole …`, one area a line; `#` starts a comment.
//!
//! ```text
//! # the yard
//! nav walk 0 2.000 3.000 20.000 3.000 20.000 15.000 2.000 15.000
//! nav hole 0 8.000 6.000 12.000 6.000 12.000 9.000
//! ```
//!
//! Numbers are written with three decimals, rounded and never cut, so a text that was written once stays the same, byte
//! for byte, however often it is read and written. Comments and blank lines stay where they are.

use std::fmt;

use crate::bake::{AreaKind, limits::MAX_OUTLINE_POINTS};
use crate::format::WORLD_BOUND;

/// A map text, line by line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapText {
    /// In the order of the text.
    pub lines: Vec<MapLine>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub enum MapLine {
    /// `nav walk …` or `nav hole …`, and the comment behind it, from its `#` on.
    Area(MapArea, Option<String>),
    /// A comment from its `#` on, or nothing for a blank line.
    Text(String),
}

/// A drawn polygon as map text has it.
#[derive(Clone, Debug, PartialEq)]
pub struct MapArea {
    /// Walk or hole.
    pub kind: AreaKind,
    /// The floor.
    pub level: i8,
    /// Points (x, z), 3 or more.
    pub points: Vec<[f64; 2]>,
}

/// What is wrong with a map text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: found {found}, expected {expected}")]
pub struct MapTextError {
    /// Line, from 1.
    pub line: usize,
    /// Column of the word found, in characters from 1.
    pub column: usize,
    /// The word, in quotes, or `the end of the line`.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl MapText {
    /// Reads a map text. Lines may end with `\r\n`, words may be parted by any blanks.
    ///
    /// # Errors
    /// [`MapTextError`] for the first line that is no area, comment or blank.
    pub fn parse(text: &str) -> Result<Self, MapTextError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut left = MAX_OUTLINE_POINTS;
        let lines = text.lines().enumerate().map(|(index, line)| parse_line(index + 1, line, &mut left));
        Ok(Self { lines: lines.collect::<Result<_, _>>()? })
    }

    /// The areas in order.
    pub fn areas(&self) -> impl Iterator<Item = &MapArea> {
        self.lines.iter().filter_map(|line| match line {
            MapLine::Area(area, _) => Some(area),
            MapLine::Text(_) => None,
        })
    }
}

/// The text, each line ended by `\n`.
impl fmt::Display for MapText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| match line {
            MapLine::Area(area, None) => writeln!(f, "{area}"),
            MapLine::Area(area, Some(comment)) => writeln!(f, "{area} {comment}"),
            MapLine::Text(text) => writeln!(f, "{text}"),
        })
    }
}

/// The line, without its end.
impl fmt::Display for MapArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nav {} {}", kind_word(self.kind), self.level)?;
        self.points.iter().flatten().try_for_each(|&value| write!(f, " {}", thousandths(value)))
    }
}

fn kind_word(kind: AreaKind) -> &'static str {
    match kind {
        AreaKind::Walk => "walk",
        AreaKind::Hole => "hole",
    }
}

/// A coordinate with three decimals: the number as people read it (the shortest decimal that is this f64) rounded to
/// nearest, half away from zero. So 2.0005 is `2.001`, −0.0004 is `0.000`, and 16.8 is `16.800`. What would round to the
/// world's bound stays inside it by a thousandth.
#[must_use]
pub fn thousandths(value: f64) -> String {
    // Display never uses an exponent, and gives the fewest digits that read back to the value.
    let text = value.abs().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digit = |place: usize| u64::from(fraction.as_bytes().get(place).map_or(0, |byte| byte - b'0'));
    let round_up = u64::from(digit(3) >= 5);
    let most = WORLD_BOUND as u64 * 1000 - 1;
    let whole = whole.parse::<u64>().map_or(most, |whole| whole.saturating_mul(1000));
    let count = whole.saturating_add(digit(0) * 100 + digit(1) * 10 + digit(2) + round_up).min(most);
    let sign = if value < 0.0 && count > 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", count / 1000, count % 1000)
}

/// Whether writing a coordinate changes it.
#[must_use]
pub fn is_rounded(value: f64) -> bool {
    thousandths(value).parse() != Ok(value)
}

/// The words of a line, each with its column; the cursor knows where the line ends.
struct Words<'a> {
    line: usize,
    text: &'a str,
    /// Byte offset of what is not read yet.
    at: usize,
}

impl<'a> Words<'a> {
    /// The next word and its byte offset.
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.len() - rest.trim_start().len();
        let rest = &self.text[start..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + length;
        (length > 0).then(|| (start, &rest[..length]))
    }

    fn error(&self, word: Option<(usize, &str)>, expected: impl Into<String>) -> MapTextError {
        let start = word.map_or(self.text.len(), |(start, _)| start);
        let column = self.text[..start].chars().count() + 1;
        let found = word.map_or_else(|| "the end of the line".to_owned(), |(_, word)| quoted(word));
        MapTextError { line: self.line, column, found, expected: expected.into() }
    }
}

/// A word in quotes, cut where it is long, without anything a terminal would obey.
fn quoted(word: &str) -> String {
    const MOST: usize = 40;
    let cut: String = word.chars().take(MOST).collect();
    let dots = if cut.len() < word.len() { "…" } else { "" };
    format!("\"{}{dots}\"", cut.escape_debug())
}

fn parse_line(number: usize, line: &str, left: &mut usize) -> Result<MapLine, MapTextError> {
    let (code, comment) = match line.find('#') {
        Some(start) => (&line[..start], Some(line[start..].trim_end().to_owned())),
        None => (line, None),
    };
    let mut words = Words { line: number, text: code.trim_end(), at: 0 };
    match words.next() {
        None => Ok(MapLine::Text(comment.unwrap_or_default())),
        Some((_, "nav")) => Ok(MapLine::Area(parse_area(&mut words, left)?, comment)),
        word => Err(words.error(word, "nav, # or a blank line")),
    }
}

fn parse_area(words: &mut Words<'_>, left: &mut usize) -> Result<MapArea, MapTextError> {
    let kind = match words.next() {
        Some((_, "walk")) => AreaKind::Walk,
        Some((_, "hole")) => AreaKind::Hole,
        word => return Err(words.error(word, "walk or hole")),
    };
    let word = words.next();
    let level = word.and_then(|(_, word)| word.parse().ok());
    let level = level.ok_or_else(|| words.error(word, "a level from -128 to 127"))?;
    let mut points = Vec::new();
    while let Some(word) = words.next() {
        let x = coordinate(words, Some(word), "x", points.len())?;
        let second = words.next();
        let z = coordinate(words, second, "z", points.len())?;
        *left = left.checked_sub(1).ok_or_else(|| {
            words.error(Some(word), format!("no more than {MAX_OUTLINE_POINTS} points in all"))
        })?;
        points.push([x, z]);
    }
    if points.len() < 3 {
        let expected = format!("3 or more points, after {}", points.len());
        return Err(words.error(None, expected));
    }
    Ok(MapArea { kind, level, points })
}

fn coordinate(
    words: &Words<'_>,
    word: Option<(usize, &str)>,
    axis: &str,
    point: usize,
) -> Result<f64, MapTextError> {
    let value = word.and_then(|(_, word)| word.parse::<f64>().ok());
    match value {
        Some(value) if value.abs() < WORLD_BOUND => Ok(value + 0.0),
        Some(_) => {
            let expected = format!("{axis} of point {} strictly between -2097152 and 2097152", point + 1);
            Err(words.error(word, expected))
        }
        None => Err(words.error(word, format!("a number, {axis} of point {}", point + 1))),
    }
}
