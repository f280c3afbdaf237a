//! Test: the first click is the start, the second the end; either marker can be dragged.

use super::context::Context;
use super::event::{Button, Effect, Event};
use crate::editor::canvas::grid::{FINEST, round_to};
use crate::editor::canvas::pick::{POINT_PIXELS, distance};
use crate::project::Spot;

/// A place on a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// World (x, z).
    pub place: [f64; 2],
    /// The level it was put on.
    pub level: i8,
    /// World y of the floor it was put on, where floors of one level can lie over each other.
    pub y: Option<f64>,
}

impl Marker {
    /// The place that is meant.
    #[must_use]
    pub fn spot(self) -> Spot {
        Spot { at: self.place, level: self.level, y: self.y }
    }
}

impl From<Spot> for Marker {
    fn from(Spot { at, level, y }: Spot) -> Self {
        Self { place: at, level, y }
    }
}

/// The test tool's state: the two markers.
#[derive(Clone, Debug, Default)]
pub struct TestTool {
    /// Where the path starts.
    pub start: Option<Marker>,
    /// Where it ends.
    pub end: Option<Marker>,
    press: Press,
}

#[derive(Clone, Copy, Debug, Default)]
enum Press {
    #[default]
    Up,
    Down {
        at: [f64; 2],
    },
    /// Dragging the start (`true`) or the end; where it was.
    Dragging {
        start: bool,
        from: Marker,
    },
    CalledOff,
}

impl TestTool {
    pub(super) fn busy(&self) -> bool {
        !matches!(self.press, Press::Up)
    }

    /// Lets go of a marker; one that is being dragged goes back.
    pub(super) fn release(&mut self) {
        if let Press::Dragging { start, from } = std::mem::take(&mut self.press) {
            *self.marker(start) = Some(from);
        }
    }

    /// Takes both markers away. Whether there was one.
    pub fn clear(&mut self) -> bool {
        self.press = Press::Up;
        let had = self.start.is_some();
        (self.start, self.end) = (None, None);
        had
    }

    pub(super) fn event(&mut self, event: Event, context: &Context<'_>) -> Vec<Effect> {
        let marker = |place| Marker::from(context.test_spot(round_to(place, FINEST)));
        match event {
            Event::Press(Button::Left, at) => self.press = Press::Down { at },
            Event::Drag(place) => {
                if let Press::Down { at } = self.press {
                    self.press = self.hold(at, context).unwrap_or(Press::Down { at });
                }
                if let Press::Dragging { start, from } = self.press {
                    // On the canvas it stays on its floor; in 3D it goes to the one under the mouse.
                    let Marker { level, y, .. } =
                        if context.surface.is_some() { marker(place) } else { from };
                    *self.marker(start) = Some(Marker { level, y, ..marker(place) });
                }
            }
            Event::Press(Button::Right, _) => {
                if self.busy() {
                    self.release();
                    self.press = Press::CalledOff;
                }
            }
            Event::Release { button: Button::Left, place, .. } => {
                if let Press::Down { .. } = std::mem::take(&mut self.press) {
                    if self.start.is_none() || self.end.is_some() {
                        (self.start, self.end) = (Some(marker(place)), None);
                    } else {
                        self.end = Some(marker(place));
                    }
                }
            }
            Event::Release { button: Button::Right, moved, .. } => {
                if !moved && !self.busy() {
                    self.clear();
                }
            }
            Event::StepBack => {
                if self.end.take().is_none() {
                    self.start = None;
                }
            }
            Event::Hover(_) | Event::Leave | Event::Typed(_) | Event::Finish => {}
        }
        Vec::new()
    }

    fn hold(&self, at: [f64; 2], context: &Context<'_>) -> Option<Press> {
        let reach = POINT_PIXELS * context.pixel;
        let near = |marker: Option<Marker>| marker.filter(|marker| distance(marker.place, at) <= reach);
        let end = near(self.end).map(|from| Press::Dragging { start: false, from });
        end.or_else(|| near(self.start).map(|from| Press::Dragging { start: true, from }))
    }

    fn marker(&mut self, start: bool) -> &mut Option<Marker> {
        if start { &mut self.start } else { &mut self.end }
    }

    pub(super) fn help(&self) -> String {
        match (self.start, self.end) {
            (None, _) => "Left: where the path starts (S)".to_owned(),
            (Some(_), None) => "Left: where the path ends (E) · Right: clear".to_owned(),
            (Some(_), Some(_)) => "Left: start again, or drag a marker · Right: clear".to_owned(),
        }
    }
}
