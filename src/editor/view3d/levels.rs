//! How levels stand in the 3D view: pulled apart, faded, cut off above the current one.

use super::space::Vec3;
use crate::editor::state::{OtherLevels, State};

/// A level of things that are cut by height and seen whatever the current level is, such as imported geometry, which is
/// lifted as a whole.
pub const NO_LEVEL: i8 = i8::MIN;
/// Farthest that levels are pulled apart, in multiples of their distance.
pub const MOST_EXPLODE: f64 = 4.0;
/// Two levels nearer to each other than this are pulled apart as if they were this far, in squares.
const LEAST_STOREY: f64 = 1.0;
/// How much of their colour faint levels keep.
const FAINT: f32 = 0.42;
/// What is this far above the current level's floor is cut by the clip plane, if no level comes first.
const HEAD_ROOM: f64 = 2.2;

/// How one level stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How far it is lifted over its own height.
    pub lift: f64,
    /// How much of its colours it keeps, 0..=1.
    pub strength: f32,
    /// Whether it is drawn.
    pub shown: bool,
}

/// How all levels stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    levels: Vec<Standing>,
    /// Nothing without a level is drawn above this height,
    pub clip_height: f64,
    /// nor anything else, where a bake of geometry puts floors of one level over each other.
    pub cuts_all: bool,
    /// Geometry is not seen from behind, so that a roof does not hide the rooms under it.
    pub looks_inside: bool,
}

/// What the view does to levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// How far they are pulled apart, in multiples of their distance: 0 to [`MOST_EXPLODE`].
    pub explode: f64,
    /// Whether what is above the current one is hidden.
    pub clip: bool,
    /// Whether faces of imported geometry that look away are left out.
    pub inside: bool,
}

impl Default for Pull {
    fn default() -> Self {
        Self { explode: 0.0, clip: false, inside: true }
    }
}

impl Stack {
    /// How the levels of a map stand.
    #[must_use]
    pub fn of(state: &State, pull: Pull) -> Self {
        let document = state.document();
        let floors: Vec<(i8, f64)> =
            document.levels.iter().map(|level| (level.number, level.elevation)).collect();
        let base = document.settings.height;
        let one_piece = is_of_one_piece(state);
        let explode = if one_piece { 0.0 } else { pull.explode };
        let lifts = lifts(&floors, explode);
        let bake = state.tools.kind().shows_bake();
        let levels = (i8::MIN..=i8::MAX).map(|level| {
            if level == NO_LEVEL {
                return Standing { lift: 0.0, strength: 1.0, shown: true };
            }
            let other = level != state.level && !bake;
            // All floors of one piece of geometry are on one level: they are not faint for who draws on another.
            let faint = other && !one_piece && state.shown.others == OtherLevels::Faint;
            let strength = if faint { FAINT } else { 1.0 };
            let cut = pull.clip && level > state.level;
            let off = other && state.shown.others == OtherLevels::Off;
            Standing { lift: lift_of(&lifts, level), strength, shown: !cut && !off }
        });
        let floor = document.settings.height + document.elevation(state.level);
        let above = floors.iter().map(|(_, height)| base + *height).filter(|height| *height > floor + 0.25);
        let next = match state.geometry_cut {
            Some(over) => floor + over,
            None => above.fold(floor + HEAD_ROOM, f64::min),
        };
        // Of what is lifted with the level, too.
        let clip_height = if pull.clip { next + lift_of(&lifts, state.level) } else { f64::INFINITY };
        let cuts_all = !document.geometry.is_empty();
        Self { levels: levels.collect(), clip_height, cuts_all, looks_inside: pull.inside }
    }

    /// How a level stands.
    #[must_use]
    pub fn standing(&self, level: i8) -> Standing {
        self.levels[usize::from((i16::from(level) + 128).unsigned_abs())]
    }

    /// How far a level is lifted.
    #[must_use]
    pub fn lift(&self, level: i8) -> f64 {
        self.standing(level).lift
    }

    /// Where a place of a level is shown.
    #[must_use]
    pub fn shown_at(&self, place: Vec3, level: i8) -> Vec3 {
        [place[0], place[1] + self.lift(level), place[2]]
    }

    /// All levels, from −128 on.
    #[must_use]
    pub fn all(&self) -> &[Standing] {
        &self.levels
    }
}

/// Whether the map's storeys cannot be pulled apart: imported geometry has floors of one level over each other, and what is
/// drawn on them would fly off.
#[must_use]
pub fn is_of_one_piece(state: &State) -> bool {
    let geometry = !state.document().geometry.is_empty();
    geometry && state.bake.shown.as_ref().is_some_and(|baked| baked.shapes.storeys.is_some())
}

/// How far levels (numbers and heights) are lifted when they are pulled apart: each gap between neighbours grows by
/// `explode` of itself; level 0, or else the lowest, stays where it is. In order of height.
#[must_use]
pub fn lifts(floors: &[(i8, f64)], explode: f64) -> Vec<(i8, f64)> {
    let mut floors = floors.to_vec();
    floors.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let mut lift = 0.0;
    let mut found: Vec<(i8, f64)> = Vec::with_capacity(floors.len());
    for (index, &(level, height)) in floors.iter().enumerate() {
        if let Some(below) = index.checked_sub(1).map(|below| floors[below].1) {
            lift += explode * (height - below).max(LEAST_STOREY);
        }
        found.push((level, lift));
    }
    let fixed = found.iter().find(|(level, _)| *level == 0).or(found.first()).map_or(0.0, |(_, lift)| *lift);
    found.iter_mut().for_each(|(_, lift)| *lift -= fixed);
    found
}

/// A level that the map does not list stands with the nearest below it by number.
fn lift_of(lifts: &[(i8, f64)], level: i8) -> f64 {
    let below = lifts.iter().filter(|(number, _)| *number <= level).max_by_key(|(number, _)| *number);
    below.or(lifts.iter().min_by_key(|(number, _)| *number)).map_or(0.0, |(_, lift)| *lift)
}
