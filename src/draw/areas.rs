//! A drawing's areas.

use super::{Role, Shape, convex_pieces};
use crate::bake::{AreaKind, FlatArea};

/// An area as it is looked at from level `current`; from `None` every level looks as if it were the current one.
///
/// Areas of the current level are filled; others are outlines, solid below and dashed above, with their level's
/// number at the first point.
#[must_use]
pub fn area_shapes(area: &FlatArea, current: Option<i8>) -> Vec<Shape> {
    let outline = area.outline.clone();
    let order = current.map_or(std::cmp::Ordering::Equal, |current| area.level.cmp(&current));
    let role = match order {
        std::cmp::Ordering::Equal => {
            let role = if area.kind == AreaKind::Walk { Role::Walk } else { Role::Hole };
            let pieces = convex_pieces(&outline);
            return vec![Shape::Area { outline, pieces, role }];
        }
        std::cmp::Ordering::Less => Role::LevelBelow,
        std::cmp::Ordering::Greater => Role::LevelAbove,
    };
    let number = outline.first().map(|&at| Shape::Text {
        at,
        text: area.level.to_string(),
        anchor: super::Anchor::Left,
        role: Role::Ruler,
    });
    let line = Shape::Polyline { points: outline, closed: true, role };
    std::iter::once(line).chain(number).collect()
}
