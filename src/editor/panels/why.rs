//! What stands in the way of the tested path, with its fixes as buttons.

use egui::{RichText, Spinner, Ui};

use super::fields;
use crate::editor::action::Action;
use crate::editor::fix_button::fix_button;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::why::{self, barrier_words};
use crate::editor::words;
use crate::project::fix::Fix;
use crate::query::Barrier;

/// Most barriers one after another that are listed, and most of those elsewhere.
const MOST_IN_CHAIN: usize = 6;
const MOST_INSTEAD: usize = 3;

/// Shows it, if there is something to say; what is left to do.
pub(super) fn show(ui: &mut Ui, state: &mut State) -> Option<Action> {
    let mut picked = None;
    if let Some(text) = why::missed(state) {
        ui.label(text);
        ui.horizontal_wrapped(|ui| {
            for elsewhere in state.why.elsewhere.clone() {
                if ui.button(&elsewhere.name).clicked() {
                    state.put_marker(&elsewhere);
                }
            }
        });
        ui.add_space(4.0);
    }
    let is_late = state.why.is_visibly_looked_for();
    if state.why.barriers.is_empty() && !is_late {
        return picked;
    }
    fields::head(ui, "WHAT STANDS BETWEEN");
    if is_late {
        let weak = style::of(ui.ctx()).weak;
        ui.horizontal(|ui| {
            ui.add(Spinner::new().size(12.0).color(weak));
            ui.label(RichText::new(why::LOOKING).color(weak));
        });
    }
    let (chain, instead) = (state.why.barriers.clone(), state.why.instead.clone());
    let all = state.chain_fixes();
    for (index, barrier) in chain.iter().enumerate().take(MOST_IN_CHAIN) {
        let number = if chain.len() > 1 { format!("{}  ", index + 1) } else { String::new() };
        picked = row(ui, state, (index, barrier), &number, &all).or(picked);
    }
    if chain.len() > MOST_IN_CHAIN {
        let more = chain.len() - MOST_IN_CHAIN;
        ui.label(RichText::new(format!("and {more} more after these")).color(style::of(ui.ctx()).weak));
    }
    if !all.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new("All at once:").color(style::of(ui.ctx()).weak));
            picked = buttons(ui, state, &all).or(picked);
        });
    }
    if !instead.is_empty() {
        ui.label(RichText::new("Elsewhere they come near, too:").color(style::of(ui.ctx()).weak));
    }
    for (index, barrier) in instead.iter().enumerate().take(MOST_INSTEAD) {
        picked = row(ui, state, (chain.len() + index, barrier), "", &[]).or(picked);
    }
    ui.separator();
    picked
}

/// A barrier that a click shows; the one that is shown with what can be done about it, less what is offered for all.
fn row(
    ui: &mut Ui,
    state: &mut State,
    (index, barrier): (usize, &Barrier),
    number: &str,
    all: &[Fix],
) -> Option<Action> {
    let [x, _, z] = barrier.from.position;
    let text = format!("{number}{} at {}", barrier_words(state, barrier), words::place([x, z].map(round)));
    let (shown, colors) = (index == state.why.shown, style::of(ui.ctx()));
    let color = match (shown, state.why.is_visibly_looked_for()) {
        (_, true) => colors.weak,
        (true, false) => colors.strong,
        (false, false) => colors.text,
    };
    let link = ui.link(RichText::new(text).color(color));
    if link.on_hover_text("Show the place").clicked() {
        state.show_barrier(index);
    }
    let mut fixes = if shown { state.barrier_fixes() } else { Vec::new() };
    fixes.retain(|fix| all.iter().all(|known| known.act != fix.act));
    if fixes.is_empty() {
        return None;
    }
    ui.horizontal_wrapped(|ui| buttons(ui, state, &fixes)).inner
}

fn buttons(ui: &mut Ui, state: &mut State, fixes: &[Fix]) -> Option<Action> {
    let mut picked = None;
    for fix in fixes {
        if fix_button(ui, fix) {
            picked = state.do_fix(None, fix).or(picked);
        }
    }
    picked
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
