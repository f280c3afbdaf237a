//! Areas of a type with an entry, shown in its colour, with a hatch and its words, since colour alone says nothing.

use crate::bake::AreaKind;
use crate::draw::{Anchor, Role, Shape};
use crate::editor::state::State;
use crate::geom::plane::signed_area;
use crate::project::Area;

/// A type's colour and words.
pub(super) type Typed = ([u8; 3], String);

/// What is shown of a walk area's type: nothing for the type that all areas have by the settings.
pub(super) fn typed(state: &State, area: &Area) -> Option<Typed> {
    let document = state.document();
    let number = area.area_type?;
    if area.kind != AreaKind::Walk || number == document.settings.area {
        return None;
    }
    let entry = document.area_type(number)?;
    Some((entry.color, format!("{number} {}", entry.name)))
}

/// Gives an area's shapes its type's look.
pub(super) fn as_typed(shapes: &mut Vec<Shape>, (color, words): &Typed) {
    let mut middle = None;
    for shape in shapes.iter_mut() {
        if let Shape::Area { pieces, role, .. } = shape {
            *role = Role::Typed(*color);
            // In the middle of the largest piece.
            let size = |piece: &&Vec<[f64; 2]>| signed_area(piece).abs();
            middle = pieces.iter().max_by(|a, b| size(a).total_cmp(&size(b))).map(|piece| {
                let count = piece.len() as f64;
                [0, 1].map(|axis| piece.iter().map(|point| point[axis]).sum::<f64>() / count)
            });
        }
    }
    if let Some(at) = middle {
        shapes.push(Shape::Text { at, text: words.clone(), anchor: Anchor::Center, role: Role::Label });
    }
}
