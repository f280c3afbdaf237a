//! Area types: what the numbers 0 to 63 of floors mean to people and to paths.

use std::sync::Arc;

use super::CommandError;
use super::check;

/// The highest cost of a unit of length on an area type.
pub const MAX_COST: f64 = 1e6;

/// What an area type is called, how it is shown and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaType {
    /// 0 to 63.
    pub number: u8,
    /// What people call it.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// What paths pay for a unit of length on it: 1 is plain floor, 0 to [`MAX_COST`].
    pub cost: f64,
}

impl AreaType {
    /// The type as it is before anybody names it: cost 1, a colour of its own.
    #[must_use]
    pub fn new(number: u8) -> Self {
        const COLORS: [[u8; 3]; 8] = [
            [0x00, 0x72, 0xB2],
            [0x56, 0xB4, 0xE9],
            [0xE6, 0x9F, 0x00],
            [0x00, 0x9E, 0x73],
            [0xCC, 0x79, 0xA7],
            [0xF0, 0xE4, 0x42],
            [0xA6, 0x76, 0x1D],
            [0xD5, 0x5E, 0x00],
        ];
        let color = COLORS[usize::from(number) % COLORS.len()];
        Self { number, name: format!("type {number}"), color, cost: 1.0 }
    }
}

pub(super) type AreaTypes = Arc<Vec<Arc<AreaType>>>;

pub(super) fn check_type(kind: &AreaType) -> Result<(), CommandError> {
    check::area_type(|| "the number of an area type".to_owned(), kind.number)?;
    check::name(|| format!("the name of area type {}", kind.number), &kind.name)?;
    if (0.0..=MAX_COST).contains(&kind.cost) {
        return Ok(());
    }
    let bound = format!("must be 0 to {MAX_COST}");
    Err(check::out_of_range(format!("the cost of area type {}", kind.number), kind.cost, bound))
}

pub(super) fn set(before: &AreaTypes, kind: &AreaType) -> Result<AreaTypes, CommandError> {
    check_type(kind)?;
    let kind = AreaType { cost: check::positive_zero(kind.cost), ..kind.clone() };
    let mut types = (**before).clone();
    match types.binary_search_by_key(&kind.number, |entry| entry.number) {
        Ok(place) if *types[place] == kind => return Ok(Arc::clone(before)),
        Ok(place) => types[place] = Arc::new(kind),
        Err(place) => types.insert(place, Arc::new(kind)),
    }
    Ok(Arc::new(types))
}

pub(super) fn remove(before: &AreaTypes, number: u8) -> Result<AreaTypes, CommandError> {
    let place = before.iter().position(|entry| entry.number == number);
    let place = place.ok_or(CommandError::NoSuchAreaType(number))?;
    let mut types = (**before).clone();
    types.remove(place);
    Ok(Arc::new(types))
}
