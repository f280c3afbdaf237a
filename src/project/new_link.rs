//! A link that is not in the map yet, as the tool and the fixes make it.

use super::naming::numbered;
use super::{Document, Link, LinkId, Spot, new_id};

/// Reach of a new link's ends, in squares.
pub const LINK_RADIUS: f64 = 0.5;

/// A link from a spot to another with an id that none has, the least number that is free for a name, and one more than the
/// largest user id.
#[must_use]
pub fn new_link(document: &Document, start: Spot, end: Spot, bidirectional: bool) -> Link {
    let mut ids = std::iter::repeat_with(|| LinkId(new_id()));
    let id = ids.find(|id| document.link(*id).is_none()).unwrap_or(LinkId(0));
    Link {
        id,
        name: numbered("link", document.links.iter().map(|link| link.name.as_str())),
        start: start.at,
        start_level: start.level,
        start_y: start.y,
        end: end.at,
        end_level: end.level,
        end_y: end.y,
        radius: LINK_RADIUS,
        bidirectional,
        area: 0,
        flags: 1,
        user_id: document.links.iter().map(|link| link.user_id).max().map_or(1, |id| id.saturating_add(1)),
    }
}
