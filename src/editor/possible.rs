//! Which actions there is something to do for: menus, the palette and buttons dim the others.

use super::action::Action;
use super::state::State;

/// Whether an action would do something now.
pub(super) fn is_possible(action: Action, state: &State) -> bool {
    match action {
        Action::Undo => state.history.past().next().is_some() || !state.tools.draft().is_empty(),
        Action::Redo => state.history.future().next().is_some(),
        Action::Delete
        | Action::Duplicate
        | Action::Cut
        | Action::Copy
        | Action::SelectSameKind
        | Action::SelectTouching
        | Action::RotateLeft
        | Action::RotateRight
        | Action::MirrorX
        | Action::MirrorZ
        | Action::SelectionUp
        | Action::SelectionDown
        | Action::FrameSelection => !state.selection.is_empty(),
        Action::MoveLater
        | Action::MoveEarlier
        | Action::JoinPoints
        | Action::Separate
        | Action::Simplify => state.selection.areas(state.document()).next().is_some(),
        Action::CancelBake => state.baking(),
        Action::PinCheck => state.path.is_some(),
        Action::RemoveClass | Action::NextClass => state.document().classes.len() > 1,
        Action::ClassUp => state.document().classes.first() != Some(state.class()),
        Action::ClassDown => state.document().classes.last() != Some(state.class()),
        Action::RemoveLevel => {
            let level = state.level;
            let document = state.document();
            let links =
                document.links.iter().any(|link| link.start_level == level || link.end_level == level);
            let pictures = document.pictures.iter().any(|picture| picture.level == level);
            let geometry = document.geometry.iter().any(|item| item.level == level);
            level != 0
                && !links
                && !pictures
                && !geometry
                && !document.areas.iter().any(|area| area.level == level)
        }
        _ => true,
    }
}
