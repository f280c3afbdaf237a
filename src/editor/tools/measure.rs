//! Measure: a drag gives length, dx, dz and angle; drags that go on from the last end make a chain, and a closed chain
//! gives its area. Clicks add to the chain too.

use super::context::{Context, Feedback};
use super::event::{Button, Effect, Event};
use super::typed::change_words;
use crate::draw::{Anchor, Role, Shape, Sign};
use crate::editor::canvas::pick::{POINT_PIXELS, distance};
use crate::editor::canvas::snap::Snapped;
use crate::editor::words;

/// The measure tool's state: the chain so far.
#[derive(Clone, Debug, Default)]
pub struct MeasureTool {
    chain: Vec<[f64; 2]>,
    press: Press,
    cursor: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Press {
    #[default]
    Up,
    Down {
        at: [f64; 2],
    },
    /// From the chain's last place to the cursor; `fresh`: this drag has begun the chain.
    Dragging {
        fresh: bool,
    },
    CalledOff,
}

impl MeasureTool {
    pub(super) fn busy(&self) -> bool {
        !matches!(self.press, Press::Up)
    }

    /// Lets go; what was measured stays.
    pub(super) fn release(&mut self) {
        if matches!(self.press, Press::Dragging { fresh: true }) {
            self.chain.clear();
        }
        self.press = Press::Up;
        self.cursor = None;
    }

    /// Forgets what was measured. Whether there was anything.
    pub fn clear(&mut self) -> bool {
        let had = !self.chain.is_empty();
        self.chain.clear();
        had
    }

    /// The places measured between.
    #[must_use]
    pub fn chain(&self) -> &[[f64; 2]] {
        &self.chain
    }

    /// Whether the chain ends where it begins, so that it has an inside.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.chain.len() > 3 && self.chain.first() == self.chain.last()
    }

    pub(super) fn event(&mut self, event: Event, context: &Context<'_>) -> Vec<Effect> {
        match event {
            Event::Hover(place) => self.cursor = Some(place),
            Event::Leave => self.cursor = None,
            Event::Press(Button::Left, at) => {
                self.cursor = Some(at);
                self.press = Press::Down { at };
            }
            Event::Drag(place) => {
                self.cursor = Some(place);
                if let Press::Down { at } = self.press {
                    self.press = Press::Dragging { fresh: self.begin(at, context) };
                }
            }
            Event::Press(Button::Right, _) => {
                if self.busy() {
                    self.release();
                    self.press = Press::CalledOff;
                }
            }
            Event::Release { button: Button::Left, place, moved } => match std::mem::take(&mut self.press) {
                Press::Up | Press::CalledOff => {}
                Press::Dragging { .. } => self.add(self.end(place, context).place),
                Press::Down { at } => self.click(if moved { place } else { at }, context),
            },
            Event::Release { button: Button::Right, moved, .. } => {
                let was_up = matches!(std::mem::take(&mut self.press), Press::Up);
                if !moved && was_up {
                    self.clear();
                }
            }
            Event::Typed(place) => self.add(place),
            Event::StepBack => drop(self.chain.pop()),
            Event::Finish => {}
        }
        Vec::new()
    }

    /// A drag begins at a place: the chain goes on if it ends there, else another one starts, which is then `true`.
    fn begin(&mut self, at: [f64; 2], context: &Context<'_>) -> bool {
        let start = context.snapped(at, &|_| false).place;
        let reach = POINT_PIXELS * context.pixel;
        let goes_on = self.chain.last().is_some_and(|&last| last == start || distance(last, at) <= reach);
        if goes_on && !self.closed() {
            return false;
        }
        self.chain = vec![start];
        true
    }

    fn click(&mut self, at: [f64; 2], context: &Context<'_>) {
        if self.closed() {
            self.chain.clear();
        }
        self.add(self.end(at, context).place);
    }

    fn add(&mut self, place: [f64; 2]) {
        if self.chain.last() != Some(&place) {
            self.chain.push(place);
        }
    }

    /// Where the cursor measures to: the chain's first place if it is near, else snapped; `Shift` keeps an axis.
    fn end(&self, place: [f64; 2], context: &Context<'_>) -> Snapped {
        let snapped = match self.chain.last() {
            Some(&last) => context.landed(last, place, true, &|_| false),
            None => context.snapped(place, &|_| false),
        };
        let reach = POINT_PIXELS * context.pixel;
        match self.chain.first() {
            Some(&first) if self.chain.len() > 2 && distance(first, place) <= reach => {
                Snapped { place: first, ..snapped }
            }
            _ => snapped,
        }
    }

    pub(super) fn feedback(&self, context: &Context<'_>) -> Feedback {
        let mut shapes = Vec::new();
        let mut feedback = Feedback::default();
        let mut chain = self.chain.clone();
        let open = !self.closed();
        let running = open && !chain.is_empty() || matches!(self.press, Press::Dragging { .. });
        if let Some(cursor) = self.cursor {
            let end = self.end(cursor, context);
            if let Some(&last) = chain.last().filter(|_| running) {
                feedback.word = Some((end.place, segment_words(last, end.place)));
                if matches!(self.press, Press::Dragging { .. }) && last != end.place {
                    chain.push(end.place);
                } else if last != end.place {
                    let points = vec![last, end.place];
                    shapes.push(Shape::Polyline { points, closed: false, role: Role::DraftClosing });
                }
            }
            shapes.extend(super::gesture::ghost(&end));
            feedback.snap = Some(end.kind);
        }
        shapes.push(Shape::Polyline { points: chain.clone(), closed: false, role: Role::Measure });
        let ends = chain.iter().map(|&at| Shape::Marker { at, sign: Sign::Disc, role: Role::Handle });
        shapes.extend(ends);
        for part in chain.windows(2) {
            let middle = [0, 1].map(|axis| 0.5 * (part[0][axis] + part[1][axis]));
            let text = words::number(distance(part[0], part[1]));
            shapes.extend(label(middle, text, context.pixel));
        }
        if let Some(text) = chain_words(&chain) {
            // Of an open chain below its end, so that it hides no segment's length.
            let closed = chain.first() == chain.last();
            let end = chain.last().map(|&[x, z]| [x, z - 34.0 * context.pixel]);
            let at = end.filter(|_| !closed).unwrap_or_else(|| middle_of(&chain));
            shapes.extend(label(at, text, context.pixel));
        }
        feedback.shapes = shapes;
        feedback
    }

    pub(super) fn help(&self) -> String {
        let what = if self.chain.is_empty() {
            "Drag: length, dx, dz and angle"
        } else {
            "Drag or click on from the last end, to the first one: area"
        };
        format!("{what} · Shift one axis · Ctrl square edge · Alt no join · Right: clear")
    }
}

/// Words on a dark plate of their own, so that they read on lines and fills.
fn label(at: [f64; 2], text: String, pixel: f64) -> Vec<Shape> {
    vec![Shape::Text {
        at: [at[0], at[1] + 10.0 * pixel],
        text,
        anchor: Anchor::Center,
        role: Role::MeasureText,
    }]
}

/// "5 · dx, dz +3, +4 · 53.1°".
fn segment_words(from: [f64; 2], to: [f64; 2]) -> String {
    let angle = (to[1] - from[1]).atan2(to[0] - from[0]).to_degrees();
    let length = words::number(distance(from, to));
    format!(
        "{length} · dx, dz {} · {}°",
        change_words(from, to),
        words::number((angle * 10.0).round() / 10.0)
    )
}

/// What a whole chain measures: its length, or if it is closed its area and how long it is around.
fn chain_words(chain: &[[f64; 2]]) -> Option<String> {
    let length: f64 = chain.windows(2).map(|part| distance(part[0], part[1])).sum();
    let closed = chain.len() > 3 && chain.first() == chain.last();
    match (closed, chain.len()) {
        (true, _) => Some(format!("area {} · around {}", words::number(area(chain)), words::number(length))),
        (false, 0..=2) => None,
        (false, _) => Some(format!("in all {}", words::number(length))),
    }
}

/// The area inside a closed line (the shoelace formula, about its first point).
fn area(points: &[[f64; 2]]) -> f64 {
    let Some(&first) = points.first() else { return 0.0 };
    let about = |point: [f64; 2]| [point[0] - first[0], point[1] - first[1]];
    let twice = points.windows(2).map(|part| {
        let (a, b) = (about(part[0]), about(part[1]));
        a[0] * b[1] - a[1] * b[0]
    });
    (0.5 * twice.sum::<f64>()).abs()
}

fn middle_of(points: &[[f64; 2]]) -> [f64; 2] {
    let corners = points.len().max(2) - 1;
    let sum = points.iter().take(corners).fold([0.0; 2], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
    #[allow(clippy::cast_precision_loss, reason = "a number of points")]
    sum.map(|value| value / corners as f64)
}
