//! Heights of floors at places that are asked for in every frame: looked up once for each bake and drawing.

use std::collections::BTreeMap;

use super::scene::spot_height;
use crate::editor::state::State;
use crate::project::Spot;
use crate::query::PathScratch;

/// Most that are kept.
const MOST: usize = 4_096;

/// What was looked up.
#[derive(Debug, Default)]
pub struct Heights {
    /// The drawing and the bake that it was looked up in.
    of: (u64, u64),
    known: BTreeMap<(i8, [u64; 2], Option<u64>), f64>,
    scratch: PathScratch,
}

impl Heights {
    /// As [`spot_height`].
    pub fn at(&mut self, state: &State, spot: Spot) -> f64 {
        let of = (state.generation, state.bake.shown_generation);
        if self.of != of || self.known.len() >= MOST {
            self.known.clear();
            self.of = of;
        }
        let scratch = &mut self.scratch;
        let key = (spot.level, spot.at.map(f64::to_bits), spot.y.map(f64::to_bits));
        *self.known.entry(key).or_insert_with(|| spot_height(state, spot, scratch))
    }
}
