//! A short tour: a few steps that point at the real widgets and go on when what they ask for is done.

use egui::{
    Align2, Area, Button, Context, Frame, Id, Margin, Order, Rect, RichText, Stroke, StrokeKind, vec2,
};

use super::action::{self, Action};
use super::keymap;
use super::panels::fields;
use super::state::State;
use super::style;
use super::tools::ToolKind;

/// A widget that a step points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Spot {
    Tools,
    Canvas,
    Levels,
    Outline,
    Status,
    Export,
    Commands,
}

/// Notes where a widget is in this frame.
pub fn mark(context: &Context, spot: Spot, rect: Rect) {
    context.data_mut(|data| data.insert_temp(Id::unique("tour").with(spot), rect));
}

fn place(context: &Context, spot: Spot) -> Option<Rect> {
    context.data(|data| data.get_temp(Id::unique("tour").with(spot)))
}

/// A step.
struct Step {
    spot: Spot,
    head: &'static str,
    text: &'static str,
    /// An action whose keys the text ends with.
    keys: Option<Action>,
    /// What ends the step by itself, seen from how it was when the step began.
    done: fn(&State, &Before) -> bool,
}

/// What a step is measured against.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    areas: usize,
    level: i8,
    exports: bool,
}

impl Before {
    fn of(state: &State) -> Self {
        Self { areas: state.document().areas.len(), level: state.level, exports: state.exported.is_some() }
    }
}

const STEPS: [Step; 7] = [
    Step {
        spot: Spot::Tools,
        head: "Tools",
        text: "Each tool has a letter. Take the Walk tool to draw where things may walk.",
        keys: Some(Action::Tool(ToolKind::Walk)),
        done: |state, _| state.tools.kind() == ToolKind::Walk,
    },
    Step {
        spot: Spot::Canvas,
        head: "Draw",
        text: "Click corners on free ground, then the first one again. The mesh follows while you draw; every \
               change is one undo step.",
        keys: Some(Action::Undo),
        done: |state, before| state.document().areas.len() > before.areas,
    },
    Step {
        spot: Spot::Levels,
        head: "Levels",
        text: "Floors have numbers. Two levels are joined where their areas share an edge, as stairs do; a bridge that \
               only lies above is not. Go to another level.",
        keys: Some(Action::LevelUp),
        done: |state, before| state.level != before.level,
    },
    Step {
        spot: Spot::Canvas,
        head: "Test",
        text: "With the Test tool, one click is the start and the next the end of a path. If there is none, it says why.",
        keys: Some(Action::Tool(ToolKind::Test)),
        done: |state, _| state.path.is_some() && state.tools.kind() == ToolKind::Test,
    },
    Step {
        spot: Spot::Status,
        head: "What is wrong, and where it stands",
        text: "Errors, warnings and notes are counted here and drawn at their places. The line also says what each button \
               of the mouse does now.",
        keys: Some(Action::NextIssue),
        done: |_, _| false,
    },
    Step {
        spot: Spot::Export,
        head: "Export",
        text: "Bakes completely, writes the file, reads it back and compares. Your game loads that file.",
        keys: Some(Action::Export),
        done: |state, before| state.exported.is_some() && !before.exports,
    },
    Step {
        spot: Spot::Commands,
        head: "Everything by name",
        text: "Every command is found by its name here, and all keys and signs are listed under Help.",
        keys: Some(Action::Palette),
        done: |_, _| false,
    },
];

/// The tour under way, or its offer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tour {
    /// The step, and how it was when it began.
    at: Option<(usize, Before)>,
    /// Whether it is offered.
    pub offered: bool,
}

impl Tour {
    /// A tour that is offered, or not.
    #[must_use]
    pub fn offered(offered: bool) -> Self {
        Self { at: None, offered }
    }

    /// Begins at the first step.
    pub fn begin(&mut self, state: &State) {
        *self = Self { at: Some((0, Before::of(state))), offered: false };
    }

    /// The step's number from 1, while the tour is under way.
    #[must_use]
    pub fn step(&self) -> Option<usize> {
        self.at.map(|(step, _)| step + 1)
    }

    /// Shows the step; whether the tour has been seen, or was skipped, just now.
    pub(super) fn show(&mut self, context: &Context, state: &State) -> bool {
        if self.offered {
            return self.offer(context, state);
        }
        let Some((at, before)) = self.at else { return false };
        let step = &STEPS[at];
        let screen = context.content_rect();
        let target =
            place(context, step.spot).unwrap_or(Rect::from_center_size(screen.center(), vec2(40.0, 40.0)));
        let accent = style::severity_color(context, crate::bake::Severity::Warning);
        let painter = context.layer_painter(egui::LayerId::new(Order::Foreground, Id::unique("tour frame")));
        painter.rect_stroke(target.expand(3.0), 5.0, Stroke::new(2.5, accent), StrokeKind::Outside);
        let (place, pivot) = beside(target, screen);
        let mut next = false;
        let mut ended = false;
        card(context, "tour", place, pivot, |ui| {
            let count = RichText::new(format!("{} of {}", at + 1, STEPS.len())).small();
            ui.horizontal(|ui| {
                ui.label(RichText::new(step.head).heading().color(style::of(ui.ctx()).strong));
                ui.label(count.color(style::of(ui.ctx()).weak));
            });
            let keys = step.keys.and_then(action::entry).map(|entry| keymap::keys_text(ui.ctx(), entry));
            let keys =
                keys.filter(|keys| !keys.is_empty()).map(|keys| format!(" ({keys})")).unwrap_or_default();
            ui.label(format!("{}{keys}", step.text));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let last = at + 1 == STEPS.len();
                next = ui.add(fields::primary(ui.ctx(), if last { "Done" } else { "Next" })).clicked();
                ended = !last && ui.add(Button::new("Skip the tour").min_size(vec2(90.0, 26.0))).clicked();
            });
        });
        if next || (step.done)(state, &before) {
            context.request_repaint();
            self.at = (at + 1 < STEPS.len()).then(|| (at + 1, Before::of(state)));
        } else if ended {
            self.at = None;
        }
        self.at.is_none()
    }

    /// Takes the offer away, if it is there.
    pub(super) fn dismiss(&mut self) -> bool {
        std::mem::take(&mut self.offered)
    }

    fn offer(&mut self, context: &Context, state: &State) -> bool {
        let Some(canvas) = place(context, Spot::Canvas) else { return false };
        // An answer that was asked for is not covered.
        if state.asked.is_some() {
            return false;
        }
        let mut answer = None;
        card(context, "tour offer", canvas.max - vec2(12.0, 12.0), Align2::RIGHT_BOTTOM, |ui| {
            ui.label(RichText::new("New here?").heading().color(style::of(ui.ctx()).strong));
            ui.label(format!("A tour of {} steps shows the way. It stays under Help.", STEPS.len()));
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                if ui.add(fields::primary(ui.ctx(), "Start the tour")).clicked() {
                    answer = Some(true);
                }
                if ui.add(Button::new("No, thanks").min_size(vec2(90.0, 26.0))).clicked() {
                    answer = Some(false);
                }
            });
        });
        match answer {
            Some(true) => self.begin(state),
            Some(false) => self.offered = false,
            None => {}
        }
        answer.is_some()
    }
}

/// Where a card stands beside a widget, and which of its corners.
fn beside(target: Rect, screen: Rect) -> (egui::Pos2, Align2) {
    const GAP: f32 = 12.0;
    let large = target.height() > 0.5 * screen.height();
    if large {
        // Inside, where it hides least.
        return (target.right_bottom() - vec2(GAP, GAP), Align2::RIGHT_BOTTOM);
    }
    let right = target.center().x > screen.center().x;
    let x = if right { target.max.x } else { target.min.x };
    if target.center().y < screen.center().y {
        let pivot = if right { Align2::RIGHT_TOP } else { Align2::LEFT_TOP };
        (egui::pos2(x, target.max.y + GAP), pivot)
    } else {
        let pivot = if right { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
        (egui::pos2(x, target.min.y - GAP), pivot)
    }
}

fn card(
    context: &Context,
    id: &'static str,
    at: egui::Pos2,
    pivot: Align2,
    content: impl FnOnce(&mut egui::Ui),
) {
    Area::new(Id::unique(id)).order(Order::Foreground).pivot(pivot).fixed_pos(at).show(context, |ui| {
        let colors = style::of(ui.ctx());
        let frame = Frame::new()
            .fill(colors.panel)
            .stroke(Stroke::new(1.0, colors.ruler_line))
            .corner_radius(8.0)
            .inner_margin(Margin::symmetric(14, 12))
            .shadow(egui::epaint::Shadow {
                offset: [0, 4],
                blur: 16,
                spread: 0,
                color: egui::Color32::from_black_alpha(110),
            });
        frame.show(ui, |ui| {
            ui.set_max_width(320.0);
            content(ui);
        });
    });
}
