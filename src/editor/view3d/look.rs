//! Colours of the theme as the 3D picture needs them.

use crate::draw::{Rgba, Role, Stroke, Style, Theme};

/// One colour laid over another, opaque.
#[must_use]
pub(super) fn over(top: Rgba, ground: Rgba) -> Rgba {
    mixed(ground, top, top.opacity())
}

/// From one colour to another by a part, opaque.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
pub(super) fn mixed(from: Rgba, to: Rgba, part: f32) -> Rgba {
    let channel = |index: usize| {
        let (a, b) = (f32::from(from.0[index]), f32::from(to.0[index]));
        (a + (b - a) * part).round() as u8
    };
    Rgba([channel(0), channel(1), channel(2), 255])
}

/// The same colour with another opacity, 0..=1.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of 255")]
pub(super) fn faded(color: Rgba, opacity: f32) -> Rgba {
    let [r, g, b, _] = color.0;
    Rgba([r, g, b, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8])
}

/// A role's line with what lies under it.
#[must_use]
pub(super) fn line_of(theme: Theme, role: Role) -> (Option<Stroke>, Stroke) {
    let Style { stroke, casing, fill, .. } = theme.style(role);
    let color = fill.unwrap_or(theme.background());
    (casing, stroke.unwrap_or(Stroke { color, width: 1.0, dash: None }))
}

/// The colour of a floor.
#[must_use]
pub(super) fn floor(theme: Theme, level: i8) -> Rgba {
    on_ground(theme, Role::Polygon(level))
}

/// The colour of a floor by its height, where floors of one level lie over each other.
#[must_use]
pub(super) fn floor_at(theme: Theme, shade: u8) -> Rgba {
    on_ground(theme, Role::Height(shade))
}

fn on_ground(theme: Theme, role: Role) -> Rgba {
    let fill = theme.style(role).fill;
    fill.map_or(theme.background(), |fill| over(fill, theme.background()))
}
