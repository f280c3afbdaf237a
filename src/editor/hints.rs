//! What to do next on a map that was begun empty: three lines on the canvas that follow what was done, from the first
//! floor to the exported file.

use egui::{Align2, Area, Context, FontId, Frame, Id, Margin, Order, Rect, RichText, vec2};

use super::action::{self, Action};
use super::keymap;
use super::state::State;
use super::style;
use super::tools::ToolKind;
use crate::bake::AreaKind;

/// Three lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Which step of how many.
    pub step: (usize, usize),
    /// What comes next.
    pub what: &'static str,
    /// How it is done.
    pub how: String,
    /// What shows that it worked.
    pub then: &'static str,
}

const STEPS: usize = 7;
/// The step in which a path is asked for.
const ASKING: usize = 5;
/// Where the lines stand when an answer stands on top of the canvas, in points.
const BELOW_ANSWERS: f32 = 72.0;

/// What to do next; `None` once the map was exported, or where it was not begun empty.
#[must_use]
pub fn next(context: &Context, state: &State) -> Option<Hint> {
    let document = state.document();
    // Who brings a level along does not begin with a floor.
    let empty = document.areas.is_empty() && document.geometry.is_empty();
    let own = !document.geometry.is_empty();
    if !(state.guided || empty) || own || state.exported.is_some() {
        return None;
    }
    let key =
        |action| action::entry(action).map(|entry| keymap::keys_text(context, entry)).unwrap_or_default();
    let tool = |kind| key(Action::Tool(kind));
    // Named only while another tool is in hand.
    let press = |kind: ToolKind| {
        if state.tools.kind() == kind { String::new() } else { format!("Press {}, then ", tool(kind)) }
    };
    let sentence = |text: &str| -> String {
        let mut letters = text.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    };
    let sentences = |text: String| text.split(". ").map(sentence).collect::<Vec<_>>().join(". ");
    let walks = || document.areas.iter().filter(|area| area.kind == AreaKind::Walk);
    let floor = walks().map(|area| area.level).next();
    let has_hole = document.areas.iter().any(|area| area.kind == AreaKind::Hole);
    let has_landing = floor.is_some_and(|floor| walks().any(|area| area.level != floor));
    let has_path = state.path_exists();
    // Places lie on the level in sight.
    let two_places = match floor {
        Some(floor) if state.level == floor => {
            format!(
                "click 1 place on the floor, press {}, click 1 place on the landing",
                key(Action::LevelUp)
            )
        }
        _ => format!(
            "click 1 place on the landing, press {}, click 1 place on the floor",
            key(Action::LevelDown)
        ),
    };
    let hint =
        |step, what, how: String, then| Some(Hint { step: (step, STEPS), what, how: sentences(how), then });
    match floor {
        None => hint(
            1,
            "Draw a floor",
            format!("{}click 4 corners and the first one again", press(ToolKind::Walk)),
            "It turns blue: it can be walked.",
        ),
        Some(_) if !has_hole && !has_landing => hint(
            2,
            "Cut a hole into it",
            format!("{}click 3 corners inside the floor and the first one again", press(ToolKind::Hole)),
            "It is hatched: nothing walks there.",
        ),
        Some(floor) if !has_landing => {
            let up = format!("Press {} to go up a level. ", key(Action::LevelUp));
            let up = if state.level == floor { up } else { String::new() };
            hint(
                3,
                "Add a landing on the next level",
                format!(
                    "{up}{}click 4 corners and the first one again, 2 of them on corners of the floor",
                    press(ToolKind::Walk)
                ),
                "Rungs show where the levels join.",
            )
        }
        Some(_) if document.links.is_empty() => hint(
            4,
            "Add a jump",
            format!("{}{}", press(ToolKind::Link), two_places),
            "An arc leads from one to the other.",
        ),
        Some(_) if !has_path => hint(
            5,
            "Ask for a path",
            format!("{}{}", press(ToolKind::Test), two_places),
            "Its length and levels are on top.",
        ),
        Some(_) if document.checks.is_empty() => hint(
            6,
            "Pin the path as a check",
            format!("Press {}, type \"pin\", press Enter", key(Action::Palette)),
            "Every bake then looks whether it is still there.",
        ),
        Some(_) => hint(
            7,
            "Export the mesh",
            format!("Press {}, type a name, press Enter", key(Action::Export)),
            "The file is read back and compared.",
        ),
    }
}

/// Shows the lines in a corner of the canvas; clicks go through them.
pub(super) fn show(context: &Context, state: &State, canvas: Rect) {
    let Some(hint) = next(context, state) else { return };
    // Who asks for a path has begun something else than what is still to be drawn.
    if state.tools.kind() == ToolKind::Test && hint.step.0 < ASKING {
        return;
    }
    // What was asked is answered on top.
    let answers = state.tools.kind().shows_bake() || state.path.is_some() || state.shown.overlays.stage;
    if state.tools.kind() == ToolKind::Inspect && state.asked.is_some() {
        return;
    }
    let top = if answers { BELOW_ANSWERS } else { 14.0 };
    let area = Area::new(Id::unique("hint")).order(Order::Middle).interactable(false);
    area.pivot(Align2::LEFT_TOP).fixed_pos(canvas.min + vec2(14.0, top)).show(context, |ui| {
        let colors = style::of(ui.ctx());
        let frame = Frame::new()
            .fill(colors.plate)
            .stroke(egui::Stroke::new(1.0, colors.line))
            .corner_radius(6.0)
            .inner_margin(Margin::symmetric(14, 10));
        frame.show(ui, |ui| {
            ui.set_max_width(340.0);
            ui.spacing_mut().item_spacing.y = 3.0;
            let (step, of) = hint.step;
            let size = |text: String, size: f32| RichText::new(text).font(FontId::proportional(size));
            ui.label(size(format!("{step} of {of}: {}", hint.what), 15.5).color(colors.strong));
            ui.label(size(hint.how, 13.0).color(colors.text));
            ui.label(size(hint.then.to_owned(), 12.0).color(colors.weak));
        });
    });
}
