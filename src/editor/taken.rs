//! Which authored links the path that is shown takes: there its own line counts, and what lay over it would hide it.

use super::state::State;
use crate::geom::plane::distance;
use crate::project::Link;

/// A path comes at least this near to an end of a link that it takes, in squares.
const NEAR: f64 = 0.01;

/// Whether the path takes a link, from either end.
#[must_use]
pub fn takes(state: &State, link: &Link) -> bool {
    let Some(path) = &state.path else { return false };
    let near = |[x, _, z]: [f64; 3], end: [f64; 2]| distance([x, z], end) <= link.radius.max(NEAR);
    path.points.windows(2).filter(|pair| pair[0].link == Some(link.user_id)).any(|pair| {
        let [from, to] = [pair[0].position, pair[1].position];
        near(from, link.start) && near(to, link.end) || near(from, link.end) && near(to, link.start)
    })
}
