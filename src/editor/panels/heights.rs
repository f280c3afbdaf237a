//! Which of the floors over each other is meant: the height of a link's end, the floor of a place of the path test.

use egui::{ComboBox, DragValue, RichText, Ui};

use super::fields::{self, Change};
use super::properties::COORDINATES;
use crate::editor::state::State;
use crate::editor::style;
use crate::editor::words;
use crate::project::{Spot, floor_of, floors_over};
use crate::query::{QueryFilter, SNAP_TILES};

/// The floors over a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Floors {
    /// World y of each, from below.
    pub heights: Vec<f64>,
    /// The place in the list of the one that is meant, if it is one of them.
    pub taken: Option<usize>,
}

impl Floors {
    /// The floors of the shown mesh over a place, where they can lie over each other.
    #[must_use]
    pub fn at(state: &mut State, spot: Spot) -> Self {
        let document = state.history.document();
        let Some(baked) = state.bake.shown.as_ref().filter(|_| document.stacks_floors()) else {
            return Self::default();
        };
        let (mesh, filter, scratch) = (&baked.mesh.mesh, QueryFilter::default(), &mut state.scratch);
        let over = floors_over(mesh, spot.at, None, &filter, scratch).unwrap_or_default();
        let heights: Vec<f64> = over.iter().map(|floor| floor.position[1]).collect();
        let reach = SNAP_TILES * mesh.params().tile_size;
        let meant = floor_of(document, mesh, &spot, reach, &filter, scratch).ok().flatten();
        let taken = meant.filter(|meant| meant.distance == 0.0).and_then(|meant| {
            let away = |index: &usize| (heights[*index] - meant.position[1]).abs();
            (0..heights.len()).min_by(|a, b| away(a).total_cmp(&away(b)))
        });
        Self { heights, taken }
    }

    /// "floor 1 of 2", where there is a choice.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let count = self.heights.len();
        (count > 1).then_some(())?;
        Some(match self.taken {
            Some(taken) => format!("floor {} of {count}", taken + 1),
            None => format!("{count} floors"),
        })
    }

    /// A list to choose from, where there is a choice; the height that was chosen.
    pub fn choose(&self, ui: &mut Ui, label: &str) -> Option<f64> {
        let words = self.words()?;
        let mut chosen = None;
        let own = |index: usize| words::number(self.heights[index]);
        fields::row(ui, label, |ui, name| {
            let shown = self.taken.map_or_else(|| words.clone(), |taken| format!("{} · {words}", own(taken)));
            let combo = ComboBox::from_id_salt(("floors", label)).selected_text(shown).width(130.0);
            let response = combo.show_ui(ui, |ui| {
                for index in (0..self.heights.len()).rev() {
                    let text = format!("height {}", own(index));
                    if ui.selectable_label(self.taken == Some(index), text).clicked() {
                        chosen = Some((self.heights[index] * 1000.0).round() / 1000.0 + 0.0);
                    }
                }
            });
            response.response.labelled_by(name).on_hover_text("Floors that lie over each other here");
        });
        chosen
    }
}

/// The height of a link's end: the level's, or one of its own.
pub(super) fn field(
    ui: &mut Ui,
    state: &mut State,
    change: &mut Change,
    label: &str,
    spot: Spot,
) -> Option<f64> {
    let mut y = spot.y;
    let level = state.document().height_of(spot.level);
    fields::row(ui, label, |ui, name| {
        let mut own = y.is_some();
        let mut height = y.unwrap_or(level);
        if own {
            let field = DragValue::new(&mut height).range(COORDINATES).speed(0.02).max_decimals(3);
            let field = field.clamp_existing_to_range(false).update_while_editing(false);
            let response = ui.add_sized([60.0, 20.0], field).labelled_by(name);
            change.note(&response);
        } else {
            let text = RichText::new(words::number(level)).color(style::of(ui.ctx()).weak);
            ui.add_sized([60.0, 20.0], egui::Label::new(text));
        }
        let help = "Off: the level's elevation, and moves with it";
        if ui.checkbox(&mut own, "own").on_hover_text(help).changed() {
            change.at_once();
        }
        y = own.then_some(height);
    });
    let floor = Floors::at(state, spot).choose(ui, &label.replace("height", "floor"));
    if let Some(floor) = floor {
        change.at_once();
        y = Some(floor);
    }
    y
}
