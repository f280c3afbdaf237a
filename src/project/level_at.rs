//! Levels by their height: the one that an area on a floor belongs to, and a new one where there is none.

use super::{Document, Level};
use crate::geom::plane::thousandth;

/// A floor is at a level's elevation if it is no farther from it than this, whatever the agents climb.
const LEAST: f64 = 0.05;

/// The level whose elevation is nearest to world y, if it is no farther away than `reach`.
#[must_use]
pub fn level_at(document: &Document, y: f64, reach: f64) -> Option<i8> {
    let away = |level: i8| (document.height_of(level) - y).abs();
    let near = document.levels.iter().map(|level| level.number).filter(|&level| away(level) <= reach);
    near.min_by(|a, b| away(*a).total_cmp(&away(*b)).then(a.cmp(b)))
}

/// The least that any class climbs: a floor no farther than this from a level's elevation is the level's for all.
#[must_use]
pub fn least_climb(document: &Document) -> f64 {
    let climbs = document.classes.iter().map(|class| f64::from(class.climb));
    climbs.fold(f64::INFINITY, f64::min).max(LEAST)
}

/// A level at world y with a number that none has: between the numbers of the levels below and above where one is free
/// there, else over all of them, else under all of them. `None` where all are taken.
#[must_use]
pub fn new_level_at(document: &Document, y: f64) -> Option<Level> {
    let elevation = thousandth(y - document.settings.height);
    let below = document.levels.iter().filter(|level| level.elevation <= elevation);
    let above = document.levels.iter().filter(|level| level.elevation > elevation);
    let (below, above) = (below.map(|level| level.number).max(), above.map(|level| level.number).min());
    let taken = |number: &i8| document.level(*number).is_some();
    let numbers = || document.levels.iter().map(|level| level.number);
    let tried = [
        below.and_then(|number| number.checked_add(1)),
        above.and_then(|number| number.checked_sub(1)),
        numbers().max().and_then(|number| number.checked_add(1)),
        numbers().min().and_then(|number| number.checked_sub(1)),
    ];
    let number = tried.into_iter().flatten().find(|number| !taken(number))?;
    Some(Level { elevation, ..Level::new(number) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{Command, apply};

    fn with(levels: &[(i8, f64)]) -> Document {
        levels.iter().fold(Document::default(), |document, &(number, elevation)| {
            apply(&document, &Command::SetLevel(Level { elevation, ..Level::new(number) })).unwrap()
        })
    }

    fn new(levels: &[(i8, f64)], y: f64) -> (i8, f64) {
        let level = new_level_at(&with(levels), y).unwrap();
        (level.number, level.elevation)
    }

    #[test]
    fn numbers_go_with_heights_where_one_is_free() {
        assert_eq!(new(&[(0, 0.0)], 8.4), (1, 8.4));
        assert_eq!(new(&[(0, 0.0)], -2.2), (-1, -2.2));
        assert_eq!(new(&[(0, 0.0), (4, 12.0)], 5.0), (1, 5.0));
        // None is free between 0 and 1.
        assert_eq!(new(&[(0, 0.0), (1, 8.4)], 4.0), (2, 4.0));
        assert_eq!(new(&[(0, 0.0), (127, 8.4)], 15.0), (-1, 15.0));
    }

    #[test]
    fn a_level_is_found_within_reach_alone() {
        let document = with(&[(0, 0.0), (1, 0.8), (2, 3.0)]);
        assert_eq!(level_at(&document, 0.5, 0.5), Some(1));
        assert_eq!(level_at(&document, 0.3, 0.5), Some(0));
        assert_eq!(level_at(&document, 2.0, 0.5), None);
    }
}
