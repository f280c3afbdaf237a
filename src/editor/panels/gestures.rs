//! What the mouse does with each tool, and what is typed while it is used.

use egui::{Label, RichText, Ui};

use super::fields;
use crate::editor::style;

/// Rows under a title: what is done, and what comes of it.
type Section = (&'static str, &'static [(&'static str, &'static str)]);

const SECTIONS: [Section; 7] = [
    (
        "MOUSE EVERYWHERE",
        &[
            ("Wheel, pinch", "zoom at the cursor"),
            ("Middle drag, Space + drag, two fingers", "pan"),
            ("Esc or right click during a drag", "the old place again"),
            ("Drag a point", "moves it, in every drawing tool"),
            ("Shift + click on an edge", "adds a point; held, drags it at once"),
            ("Right click on a point", "removes it"),
            ("Ctrl while placing", "on the square's edge"),
            ("Alt while placing", "joins nothing; drags one point off joined ones"),
            ("Shift while dragging", "keeps to one axis"),
        ],
    ),
    (
        "MOUSE: SELECT",
        &[
            ("Click, Ctrl + click", "picks; adds or removes"),
            ("Alt + click", "picks the next thing below"),
            ("Drag", "moves; from empty ground a box"),
            ("Right click", "on a point removes it, elsewhere a menu"),
        ],
    ),
    (
        "MOUSE: WALK AREA, HOLE",
        &[("Click", "adds a point; on the first one closes"), ("Right click", "takes the last point back")],
    ),
    (
        "MOUSE: LINK, MEASURE",
        &[
            ("Click, click", "a link's start and end"),
            ("Drag a link's end", "moves it"),
            ("Right click on a link", "removes it"),
            ("Measure: drag", "length and angle; back at its start an area"),
            ("Measure: right click", "clears"),
        ],
    ),
    (
        "MOUSE: TEST THE BAKE, INSPECT",
        &[
            ("Test: click, click", "start S and end E of a path"),
            ("Test: drag S or E", "moves it"),
            ("Test: right click", "clears"),
            ("Inspect: click", "why is it so here?"),
            ("Inspect: right click", "a menu of all things at the place"),
        ],
    ),
    (
        "MOUSE: PLAY",
        &[("Hold", "steps straight at the cursor, slides on walls"), ("Right click", "walks there by path")],
    ),
    (
        "TYPED ON THE CANVAS",
        &[
            ("12.3, 4 and Enter", "a point, a link's end or a measured place at x, z"),
            ("2.5 during a drag", "so far, the way that the drag goes"),
            ("1, -2.5 during a drag", "so far in x and z"),
            ("x or z during a drag", "keeps to that axis; again lets go"),
            ("Backspace, Esc", "the last letter back, all of it"),
        ],
    ),
];

/// How many rows there are with what was typed into the filter, titles as two.
#[must_use]
pub(super) fn height(filter: &str) -> usize {
    found(filter).iter().map(|(_, rows)| rows.len() + 2).sum()
}

/// Shows them.
pub(super) fn show(ui: &mut Ui, filter: &str) {
    for (title, rows) in found(filter) {
        fields::head(ui, title);
        for (gesture, does) in rows {
            ui.horizontal_wrapped(|ui| {
                ui.set_min_height(22.0);
                ui.label(RichText::new(gesture).color(style::of(ui.ctx()).strong));
                ui.add(Label::new(does).wrap());
            });
        }
    }
}

/// The sections with the rows that have all words of the filter.
fn found(filter: &str) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let typed = filter.trim().to_lowercase();
    let fits = |title: &str, (gesture, does): (&str, &str)| {
        let whole = format!("{title} {gesture} {does}").to_lowercase();
        typed.split_whitespace().all(|word| whole.contains(word))
    };
    let of = |(title, rows): Section| {
        (title, rows.iter().copied().filter(|row| fits(title, *row)).collect::<Vec<_>>())
    };
    SECTIONS.into_iter().map(of).filter(|(_, rows)| !rows.is_empty()).collect()
}
