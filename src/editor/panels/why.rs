//! What stands in the way of the tested path, with its fixes as buttons.

use egui::{RichText, Ui};

use super::fields;
use crate::editor::action::Action;
use crate::editor::fix_button::fix_button;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::why::{self, barrier_words};
use crate::editor::words;

/// Most barriers that are listed.
const MOST: usize = 4;

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
    if state.why.barriers.is_empty() {
        return None;
    }
    fields::head(ui, "WHAT STANDS BETWEEN");
    for (index, barrier) in state.why.barriers.clone().iter().take(MOST).enumerate() {
        let [x, _, z] = barrier.from.position;
        let text = format!("{} at {}", barrier_words(state, barrier), words::place([x, z].map(round)));
        let shown = index == state.why.shown;
        let color = if shown { style::of(ui.ctx()).strong } else { style::of(ui.ctx()).text };
        let link = ui.link(RichText::new(text).color(color));
        if link.on_hover_text("Show the place").clicked() {
            state.show_barrier(index);
        }
        if shown {
            ui.horizontal_wrapped(|ui| {
                for fix in state.barrier_fixes() {
                    if fix_button(ui, &fix) {
                        picked = state.do_fix(None, &fix).or(picked);
                    }
                }
            });
        }
    }
    ui.separator();
    picked
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
