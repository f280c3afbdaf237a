//! What lies under the cursor, in words: the card that comes after a rest of 0.3 seconds.
//!
//! [`card_at`] decides what it is about; `drawn` writes of what is drawn, `baked` of the mesh.

mod baked;
mod card;
mod drawn;

use crate::editor::canvas::pick::{self, Pick};
use crate::editor::state::State;
use crate::editor::tools::ToolKind;

pub use card::Card;

/// What lies at a place; `pixel` is the size of a pixel in squares.
#[must_use]
pub fn card_at(state: &State, place: [f64; 2], pixel: f64) -> Option<Card> {
    if state.tools.kind() == ToolKind::Test {
        return baked::path_point(state, place, pixel)
            .or_else(|| baked::link(state, place, pixel))
            .or_else(|| baked::border_edge(state, place, pixel, None))
            .or_else(|| baked::polygon(state, place, None))
            .or_else(|| baked::tile(state, place));
    }
    let (document, level) = (state.pickable(), state.level);
    let mesh = state.shown.overlays.mesh && state.fresh();
    let baked = || mesh.then(|| baked::polygon(state, place, Some(level))).flatten();
    let picks = pick::all_at(document, level, place, pixel, &|_| false);
    let Some(first) = picks.first() else {
        let free = |id| document.geometry(id).is_some();
        let geometry = match state.aim {
            Some(aim) => aim.geometry,
            None => state.geometry.at(place, state.ground_cut(), &free),
        };
        return geometry.and_then(|id| drawn::geometry(state, id, place)).map(|card| card.with(baked()));
    };
    match first {
        Pick::LinkEnd(id, _) | Pick::Link(id) => drawn::link(state, *id),
        Pick::Picture(_) | Pick::Geometry(_) => baked(),
        Pick::Point(id, index) => drawn::point(state, *id, *index),
        Pick::Edge(id, index, on) => {
            let border = mesh.then(|| baked::border_edge(state, place, pixel, Some(level))).flatten();
            drawn::edge(state, *id, *index, *on).map(|card| card.with(border))
        }
        Pick::Area(id) => {
            if let Some(border) = mesh.then(|| baked::border_edge(state, place, pixel, Some(level))).flatten()
            {
                return Some(border);
            }
            drawn::area(state, *id).map(|card| card.with(baked()))
        }
    }
}
