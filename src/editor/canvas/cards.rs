//! Cards over the canvas: of the badge under the cursor, with its fixes as buttons, or of whatever else rests there.

use egui::{Area, Id, Order, Pos2, Rect, RichText, Ui, pos2, vec2};

use super::badges::{Badges, REACH};
use crate::draw::View;
use crate::editor::action::Action;
use crate::editor::canvas::pick::distance;
use crate::editor::fix_button::fix_button;
use crate::editor::hover::{Card, card_at};
use crate::editor::issues::counts_nothing;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;

/// How long the cursor must rest, in seconds.
const REST: f64 = 0.3;
/// How far the cursor may stray from an open card, in points.
const STRAY: f32 = 12.0;
/// Most issues that one card lists.
const MOST: usize = 12;

/// What a card is written of: the drawing, the mesh, and whether they go together.
pub(in crate::editor) type Written = (u64, u64, bool);

/// What a card would be written of now.
pub(in crate::editor) fn written(state: &State) -> Written {
    (state.generation, state.bake.shown_generation, state.fresh())
}

/// What is open, from frame to frame.
#[derive(Debug, Default)]
pub struct Cards {
    /// Where the cursor rests, and since when.
    rest: Option<(Pos2, f64)>,
    open: Option<Open>,
}

#[derive(Debug)]
enum Open {
    Issues(IssueCard),
    /// Whatever else lies there.
    Thing {
        at: Pos2,
        card: Box<Card>,
        /// What it was written of.
        of: Written,
    },
}

/// A badge's issues with their fixes as buttons.
#[derive(Debug)]
pub(in crate::editor) struct IssueCard {
    /// Where the badge is.
    at: Pos2,
    issues: Vec<usize>,
    bake: u64,
    /// Its place of last frame.
    rect: Rect,
    /// Whether it stays until Esc or a click.
    pinned: bool,
}

impl IssueCard {
    pub(in crate::editor) fn new(at: Pos2, issues: Vec<usize>, pinned: bool, state: &State) -> Self {
        Self { at, issues, bake: state.bake.shown_generation, rect: Rect::from_pos(at), pinned }
    }

    /// All that it says, for the clipboard.
    pub(in crate::editor) fn text(&self, state: &mut State) -> String {
        self.issues.iter().map(|&index| state.issue_text(index)).collect::<Vec<_>>().join("\n")
    }

    /// Whether the cursor has left it, or its issues are no more.
    pub(in crate::editor) fn is_over(&self, ui: &Ui, state: &State) -> bool {
        let pointer = ui.input(|input| input.pointer.latest_pos());
        let near = |p: Pos2| p.distance(self.at) <= REACH + 4.0 || self.rect.expand(STRAY).contains(p);
        let pressed = ui.input(|input| input.pointer.any_pressed());
        let left = !pointer.is_some_and(near);
        let stale = self.bake != state.bake.shown_generation;
        stale || left && (!self.pinned || pressed)
    }

    /// `Some` if something was done, with what is left to do.
    pub(in crate::editor) fn show(
        &mut self,
        ui: &Ui,
        state: &mut State,
        canvas: Rect,
    ) -> Option<Option<Action>> {
        let (picked, shown) = issue_card(ui, state, self.at, &self.issues, canvas);
        self.rect = shown;
        picked
    }
}

impl Cards {
    /// What is lit on the canvas.
    #[must_use]
    pub fn lit(&self) -> &[crate::draw::Shape] {
        match &self.open {
            Some(Open::Thing { card, .. }) => &card.lit,
            _ => &[],
        }
    }

    /// Whether the open card is about issues.
    #[must_use]
    pub fn on_issues(&self) -> bool {
        matches!(self.open, Some(Open::Issues(_)))
    }

    /// The text of the open card, for the clipboard.
    #[must_use]
    pub fn text(&self, state: &mut State) -> Option<String> {
        match self.open.as_ref()? {
            Open::Issues(card) => Some(card.text(state)),
            Open::Thing { card, .. } => Some(card.text()),
        }
    }

    /// Closes what is open. Whether a pinned card was.
    pub fn close(&mut self) -> bool {
        self.rest = None;
        matches!(self.open.take(), Some(Open::Issues(card)) if card.pinned)
    }

    /// Opens a badge's card to stay.
    pub fn pin(&mut self, at: Pos2, issues: Vec<usize>, state: &State) {
        self.open = Some(Open::Issues(IssueCard::new(at, issues, true, state)));
    }

    /// Opens, closes and shows cards; what was picked. `pointer`: where the cursor is, if nothing lies between it and the
    /// canvas and no button is down.
    pub fn show(
        &mut self,
        ui: &Ui,
        state: &mut State,
        badges: &Badges,
        view: &View,
        pointer: Option<Pos2>,
        canvas: Rect,
    ) -> Option<Action> {
        let now = ui.input(|input| input.time);
        self.forget(ui, state);
        let badge = pointer.and_then(|at| badges.badge_at(at));
        // While the mouse rests it is written anew of what has changed.
        let now_of = written(state);
        self.open.take_if(|open| matches!(open, Open::Thing { of, .. } if *of != now_of));
        match pointer {
            Some(at) if self.rest.is_none_or(|(was, _)| was.distance(at) > 2.0) => {
                self.rest = Some((at, now));
                if matches!(self.open, Some(Open::Thing { .. })) {
                    self.open = None;
                }
            }
            None => {
                self.rest = None;
                if matches!(self.open, Some(Open::Thing { .. })) {
                    self.open = None;
                }
            }
            Some(_) => {}
        }
        // The answer to a click says it already, and must not be covered.
        let pixel = 1.0 / view.scale;
        let told = |at: &(Pos2, f64)| is_told(state, view.world_from_pixel(at.0.into()), pixel);
        if self.rest.as_ref().is_some_and(told) && badge.is_none() {
            self.rest = None;
            self.open.take_if(|open| matches!(open, Open::Thing { .. }));
        }
        if let Some((at, since)) = self.rest {
            let rested = now - since;
            if rested < REST {
                let wait = std::time::Duration::from_secs_f64((REST - rested).max(0.01));
                ui.ctx().request_repaint_after(wait);
            } else if let Some((at, badge)) = badge {
                let known = matches!(&self.open, Some(Open::Issues(card)) if card.issues == badge.issues);
                if !known {
                    self.open = Some(Open::Issues(IssueCard::new(at, badge.issues.clone(), false, state)));
                }
            } else if self.open.is_none() {
                let place = view.world_from_pixel(at.into());
                let card = card_at(state, place, 1.0 / view.scale);
                self.open = card.map(|card| Open::Thing { at, card: Box::new(card), of: now_of });
            }
        }
        match &mut self.open {
            Some(Open::Issues(card)) => {
                let picked = card.show(ui, state, canvas);
                if picked.is_some() {
                    self.open = None;
                }
                picked.flatten()
            }
            Some(Open::Thing { at, card, .. }) => {
                thing_card(ui, *at, card, canvas);
                None
            }
            None => None,
        }
    }

    /// Closes an issue card that the cursor has left, or whose issues are no more.
    fn forget(&mut self, ui: &Ui, state: &State) {
        if matches!(&self.open, Some(Open::Issues(card)) if card.is_over(ui, state)) {
            self.open = None;
        }
    }
}

/// Whether the answer of the Inspect tool, which is shown, is about a place.
pub(in crate::editor) fn is_told(state: &State, place: [f64; 2], pixel: f64) -> bool {
    state.asked.as_ref().is_some_and(|asked| distance(asked.place, place) <= f64::from(STRAY) * pixel)
}

/// Where a card of a size stands: to the lower right of a place, inside the canvas if it can.
fn beside(at: Pos2, size: egui::Vec2, canvas: Rect) -> Pos2 {
    let x = if at.x + 14.0 + size.x <= canvas.max.x { at.x + 14.0 } else { at.x - 14.0 - size.x };
    let y = if at.y + 12.0 + size.y <= canvas.max.y { at.y + 12.0 } else { at.y - 12.0 - size.y };
    pos2(x.max(canvas.min.x + 2.0), y.max(canvas.min.y + 2.0))
}

/// Shows a card's frame; its place.
fn card_frame(
    ui: &Ui,
    id: &str,
    at: Pos2,
    canvas: Rect,
    interactable: bool,
    add: impl FnOnce(&mut Ui),
) -> Rect {
    let id = Id::unique(("canvas-card", id));
    let size = ui.ctx().memory(|memory| memory.area_rect(id)).map_or(vec2(300.0, 90.0), |rect| rect.size());
    let area = Area::new(id)
        .order(if interactable { Order::Foreground } else { Order::Tooltip })
        .interactable(interactable)
        .fixed_pos(beside(at, size, canvas));
    let shown = area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(380.0);
            ui.spacing_mut().item_spacing.y = 3.0;
            add(ui);
        });
    });
    shown.response.rect
}

/// A badge's issues with their fixes: `Some` if something was done, with what is left to do; and the card's place.
fn issue_card(
    ui: &Ui,
    state: &mut State,
    at: Pos2,
    issues: &[usize],
    canvas: Rect,
) -> (Option<Option<Action>>, Rect) {
    let mut picked = None;
    let rect = card_frame(ui, "issues", at, canvas, true, |ui| {
        let list = egui::ScrollArea::vertical().id_salt("card-issues").max_height(260.0);
        list.show(ui, |ui| {
            for (place, &index) in issues.iter().take(MOST).enumerate() {
                if place > 0 {
                    ui.separator();
                }
                picked = one_issue(ui, state, index).or(picked.take());
            }
            if issues.len() > MOST {
                ui.label(format!("and {} more in the list of issues", issues.len() - MOST));
            }
        });
    });
    (picked, rect)
}

fn one_issue(ui: &mut Ui, state: &mut State, index: usize) -> Option<Option<Action>> {
    let issue = state.issues().get(index)?.clone();
    let (fixes, remark) = (state.fixes(index), state.remark(index));
    let severity = issue.kind.severity();
    let mut picked = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(words::sign(severity)).color(style::severity_color(ui.ctx(), severity)));
        ui.label(&issue.message);
    });
    let mut numbers = vec![words::place(issue.place), format!("level {}", issue.level)];
    for (word, value) in [("measured", issue.measured), ("limit", issue.limit)] {
        if value.is_finite() && !counts_nothing(&issue) {
            numbers.push(format!("{word} {}", words::measure(value)));
        }
    }
    ui.label(RichText::new(numbers.join(" · ")).size(11.0).color(style::of(ui.ctx()).weak));
    if let Some(remark) = remark {
        ui.label(RichText::new(remark).size(11.0).color(style::of(ui.ctx()).weak));
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for fix in &fixes {
            if fix_button(ui, fix) {
                picked = Some(state.do_fix(Some(index), fix));
            }
        }
        let hide = ui.add(egui::Button::new(RichText::new("Hide this one").size(12.0)).frame(false));
        if hide.on_hover_text("The map remembers it").clicked() {
            state.hide_issue(index);
            picked = Some(None);
        }
    });
    picked
}

pub(in crate::editor) fn thing_card(ui: &Ui, at: Pos2, card: &Card, canvas: Rect) {
    card_frame(ui, "thing", at, canvas, false, |ui| {
        let colors = style::of(ui.ctx());
        ui.label(RichText::new(&card.title).strong().color(colors.strong));
        ui.spacing_mut().interact_size.y = 15.0;
        egui::Grid::new("card-rows").num_columns(2).spacing(vec2(10.0, 2.0)).show(ui, |ui| {
            for (name, value) in &card.rows {
                if name.is_empty() {
                    ui.label(RichText::new(value).strong().size(12.0).color(colors.strong));
                } else {
                    ui.label(RichText::new(*name).size(12.0).color(colors.weak));
                    ui.add(egui::Label::new(RichText::new(value).size(12.0)).wrap());
                }
                ui.end_row();
            }
        });
    });
}
