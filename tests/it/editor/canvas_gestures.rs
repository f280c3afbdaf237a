//! Every gesture of the canvas on the whole window: each is exactly one undo step, undone and done again to the byte.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use navwright::editor::tools::ToolKind;

use super::table::{Case, check, open, run, tool, verify, window};

const SQUARE: &str = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000";
const TWO: &str = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav walk 1 4.000 0.000 8.000 0.000 8.000 4.000 4.000 4.000";
const TRIANGLE: &str = "nav walk 0 0.000 0.000 4.000 4.000 0.000 4.000";
const TRIANGLES: &str = "nav walk 0 1.000 1.000 5.000 1.000 5.000 5.000";

#[test]
fn drawing() {
    let hole = "nav hole 0 1.000 1.000 5.000 1.000 5.000 5.000";
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        ("clicks and the first point", "", "W click 1.02 1.04 click 5 1 click 5 5 click 1.1 1.1", TRIANGLES, 1),
        ("Enter closes", "", "W click 1 1 click 5 1 click 5 5 enter", TRIANGLES, 1),
        ("a hole", "", "H click 1 1 click 5 1 click 5 5 click 1 1", hole, 1),
        ("a release far from the press adds one point", "", "W click 1 1 press 4 1 move 5 1 release 5 1 click 5 5 enter", TRIANGLES, 1),
        ("right click takes the last point back", "", "W click 1 1 click 5 1 click 7 3 right 7 3 click 5 5 enter", TRIANGLES, 1),
        ("Backspace too", "", "W click 1 1 click 5 1 click 7 3 back click 5 5 enter", TRIANGLES, 1),
        ("undo takes points back, redo returns them", "", "W click 1 1 click 5 1 click 5 5 undo undo redo redo enter", TRIANGLES, 1),
        ("a point of the drawing is dragged", "", "W click 1 1 click 5 1 click 7 5 drag 7 5 5 5 enter", TRIANGLES, 1),
        ("two points are no area", "", "W click 1 1 click 5 1 enter click 1 1 esc", "", 0),
        ("Esc drops the drawing", "", "W click 1 1 click 5 1 click 5 5 esc", "", 0),
        ("the last point again does nothing", "", "W click 1 1 click 5 1 click 5.02 1.03 click 5 5 enter", TRIANGLES, 1),
        ("snapped onto the first point it closes", "", "grid 1 W click 1 1 click 5 1 click 5 5 click 1.4 1.3", TRIANGLES, 1),
        ("a crossing may be closed", "", "W click 0 0 click 4 4 click 4 0 click 0 4 click 0 0", "nav walk 0 0.000 0.000 4.000 4.000 4.000 0.000 0.000 4.000", 1),
        ("typed places", "", "W type 1,1 enter type 5_1 enter type 5,5.0004 enter enter", TRIANGLES, 1),
        ("a typed place that is the first one closes", "", "W type 1,1 enter type 5,1 enter type 5,5 enter type 1,1 enter", TRIANGLES, 1),
        ("typing is taken back by Backspace and Esc", "", "W type 9 back type 1,1 enter type 77 esc type 5,1 enter click 5 5 enter", TRIANGLES, 1),
    ];
    check(&mut window(), cases);
}

#[test]
fn points() {
    let moved = "nav walk 0 0.000 0.000 6.500 0.300 4.000 4.000 0.000 4.000";
    let added = "nav walk 0 0.000 0.000 2.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000";
    let pulled = "nav walk 0 0.000 0.000 2.100 -1.500 4.000 0.000 4.000 4.000 0.000 4.000";
    let fewer = "nav walk 0 0.000 0.000 4.000 4.000 0.000 4.000";
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        ("drag a point, Select", SQUARE, "V drag 4.1 0.1 6.52 0.33", moved, 1),
        ("drag a point, Walk", SQUARE, "W drag 4.1 0.1 6.52 0.33", moved, 1),
        ("drag a point, Hole", SQUARE, "H drag 4.1 0.1 6.52 0.33", moved, 1),
        ("a point in small steps is one step", SQUARE, "V press 4 0 move 4.5 0.1 move 5 0.2 move 6 0.3 move 6.5 0.3 release 6.5 0.3", moved, 1),
        ("Shift+click an edge, Select", SQUARE, "V shift-click 2.02 0.1", added, 1),
        ("Shift+click an edge, Walk", SQUARE, "W shift-click 2.02 0.1", added, 1),
        ("Shift+drag from an edge", SQUARE, "V shift-drag 2.02 0.1 2.12 -1.52", pulled, 1),
        ("right click removes a point, Select", SQUARE, "V right 4.1 0.1", fewer, 1),
        ("right click removes a point, Walk", SQUARE, "W right 4.1 0.1", fewer, 1),
        ("right press and release apart removes none", SQUARE, "V press-right 4 0 move 4.5 0 release-right 4.5 0", SQUARE, 0),
        ("not of a triangle", TRIANGLE, "V right 4.1 3.9", TRIANGLE, 0),
        ("Esc during a drag", SQUARE, "V press 4 0 move 6 1 esc move 7 7 release 7 7", SQUARE, 0),
        ("right click during a drag", SQUARE, "V press 4 0 move 6 1 press-right 6 1 release-right 6 1 move 7 7 release 7 7", SQUARE, 0),
        ("Esc during a drag, Walk", SQUARE, "W press 4 0 move 6 1 esc release 7 7", SQUARE, 0),
        ("back where it was is no step", SQUARE, "V press 4 0 move 6 1 move 4 0 release 4 0", SQUARE, 0),
        ("two drags are two steps", SQUARE, "V drag 4 0 5 0 drag 5 0 6.5 0.3", moved, 2),
        ("typed in the drag", SQUARE, "V press 4 0 move 4.7 0.2 type x_2.5 enter move 7 7 release 7 7", "nav walk 0 0.000 0.000 6.500 0.000 4.000 4.000 0.000 4.000", 1),
        ("typed without an axis: as far as that, that way", SQUARE, "V press 4 0 move 4 -1 type 2.125 release 4 -1", "nav walk 0 0.000 0.000 4.000 -2.125 4.000 4.000 0.000 4.000", 1),
        ("both numbers typed", SQUARE, "V press 4 0 move 4.5 0 type 2.5,.3 enter release 4 0", moved, 1),
        ("Y locks z", SQUARE, "V press 4 0 type y move 6 1.52 release 6 1.52", "nav walk 0 0.000 0.000 4.000 1.500 4.000 4.000 0.000 4.000", 1),
        ("Z does too, X again lets go", SQUARE, "V press 4 0 move 4.5 0 type x type x type z move 6 1.52 release 6 1.52", "nav walk 0 0.000 0.000 4.000 1.500 4.000 4.000 0.000 4.000", 1),
        ("Esc while typing restores", SQUARE, "V press 4 0 move 4.7 0.2 type x_2.5 esc release 7 7", SQUARE, 0),
        ("typed in Walk's drag", SQUARE, "W press 4 0 move 4.7 0.2 type x_2.5 enter release 7 7", "nav walk 0 0.000 0.000 6.500 0.000 4.000 4.000 0.000 4.000", 1),
        ("several picked points", SQUARE, "V click 4 0 ctrl-click 4 4 drag 4 4 5 4.5", "nav walk 0 0.000 0.000 5.000 0.500 5.000 4.500 0.000 4.000", 1),
        ("arrows move a picked point", SQUARE, "V click 4 0 right-key right-key shift-up", "nav walk 0 0.000 0.000 4.200 1.000 4.000 4.000 0.000 4.000", 1),
    ];
    check(&mut window(), cases);
}

#[test]
fn things() {
    let right = "nav walk 0 1.000 0.500 5.000 0.500 5.000 4.500 1.000 4.500";
    let both = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav hole 0 6.000 0.000 8.000 0.000 8.000 2.000";
    let one = "nav walk 0 0.100 0.000 4.100 0.000 4.100 4.000 0.100 4.000";
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        ("drag an area", SQUARE, "V drag 2 2 3.03 2.46", right, 1),
        ("Esc restores it", SQUARE, "V press 2 2 move 6 6 esc release 6 6", SQUARE, 0),
        ("Shift keeps an axis", SQUARE, "V shift-drag 2 2 3 2.46", "nav walk 0 1.000 0.000 5.000 0.000 5.000 4.000 1.000 4.000", 1),
        ("typed", SQUARE, "V press 2 2 move 2.5 2 type x_1.234 enter release 9 9", "nav walk 0 1.234 0.000 5.234 0.000 5.234 4.000 1.234 4.000", 1),
        ("a box and Del", both, "V drag -1 -1 9 5 del", "", 1),
        ("Ctrl adds, both move", both, "V click 2 2 ctrl-click 7.5 0.6 drag 2 2 2 3", "nav walk 0 0.000 1.000 4.000 1.000 4.000 5.000 0.000 5.000
nav hole 0 6.000 1.000 8.000 1.000 8.000 3.000", 1),
        ("quick nudges are one step", SQUARE, "V click 2 2 right-key right-key right-key shift-up", "nav walk 0 0.300 1.000 4.300 1.000 4.300 5.000 0.300 5.000", 1),
        ("slow ones are several", SQUARE, "V click 2 2 right-key pause left pause right-key", one, 3),
        ("duplicate", SQUARE, "V click 2 2 duplicate", "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav walk 0 1.000 -1.000 5.000 -1.000 5.000 3.000 1.000 3.000", 1),
        ("rotate", "nav walk 0 0.000 0.000 4.000 0.000 4.000 2.000", "V click 3 1 ctrl-[", "nav walk 0 3.000 -1.000 3.000 3.000 1.000 3.000", 1),
        ("to the level above", "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav walk 1 20.000 0.000 21.000 0.000 21.000 1.000", "V click 2 2 ctrl-pgup", "nav walk 1 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav walk 1 20.000 0.000 21.000 0.000 21.000 1.000", 1),
        ("delete", SQUARE, "V click 2 2 del", "", 1),
    ];
    check(&mut window(), cases);
}

#[test]
fn links() {
    let link = "link 0 1 1 0 3 3\n";
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        ("two clicks", "", "K click 1.02 1 click 3 2.96", link, 1),
        ("over levels", TWO, "K click 1 1 pgup click 6 2", &format!("{TWO}\nlink 0 1 1 1 6 2"), 1),
        ("typed", "", "K type 1,1 enter type 3,3 enter", link, 1),
        ("drag an end, Link", link, "K drag 3 3 5.02 1", "link 0 1 1 0 5 1", 1),
        ("drag an end, Select", link, "V drag 1 1 1 0", "link 0 1 0 0 3 3", 1),
        ("exactly", link, "K press 3 3 move 3.5 3 type x_0.125 enter release 9 9", "link 0 1 1 0 3.125 3", 1),
        ("Shift keeps an axis", link, "K shift-drag 3 3 5 3.4", "link 0 1 1 0 5 3", 1),
        ("Esc restores", link, "K press 3 3 move 5 1 esc release 5 1", link, 0),
        ("right click removes", link, "K right 3.05 3", "", 1),
        ("right click on its line too", link, "K right 1.64 2.36", "", 1),
        ("Esc drops a started one", "", "K click 1 1 esc click 2 2 esc", "", 0),
        ("drag as a whole", link, "V drag 1.64 2.36 2.64 2.36", "link 0 2 1 0 4 3", 1),
    ];
    check(&mut window(), cases);
}

/// Section 4: which rule wins, and where the point lands.
#[test]
fn snapping() {
    let odd = "nav walk 1 4.033 1.017 8.000 1.000 8.000 5.000 4.033 5.021";
    let joined = format!("{odd}\nnav walk 0 1.000 1.000 4.033 1.017 4.033 5.021");
    let free = format!("{odd}\nnav walk 0 1.000 1.000 4.200 1.100 4.100 4.900");
    let straight = "nav walk 1 4.000 0.000 4.000 6.000 8.000 6.000 8.000 0.000";
    // The edge x = 4 gets the points (4, 1) and (4, 3.2), in the order that it runs.
    let on_edge = "nav walk 1 4.000 0.000 4.000 1.000 4.000 3.200 4.000 6.000 8.000 6.000 8.000 0.000
nav walk 0 1.000 1.000 4.000 1.000 4.000 3.200";
    let ctrl_edge = "nav walk 1 4.000 0.000 4.000 1.000 4.000 3.000 4.000 6.000 8.000 6.000 8.000 0.000
nav walk 0 1.000 1.000 4.000 1.000 4.000 3.000";
    let slanted = "nav walk 1 0.000 0.000 8.000 4.000 0.000 4.000";
    // (3, 1.5) lies on the edge from (0, 0) to (8, 4).
    let on_slanted = "nav walk 1 0.000 0.000 3.000 1.500 8.000 4.000 0.000 4.000
nav walk 0 3.000 1.500 6.000 -1.000 3.000 -1.000";
    let shared = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav walk 1 4.000 0.000 8.000 0.000 8.000 4.000 4.000 4.000";
    let shared_after = "nav walk 0 0.000 0.000 4.000 0.000 4.000 2.000 4.000 4.000 0.000 4.000
nav walk 1 4.000 0.000 8.000 0.000 8.000 4.000 4.000 4.000 4.000 2.000";
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        ("join on any level", odd, "W click 1 1 click 4.2 1.1 click 4.1 4.9 enter", &joined, 1),
        ("join before Ctrl", odd, "W click 1 1 ctrl-click 4.2 1.1 ctrl-click 4.1 4.9 enter", &joined, 1),
        ("Alt turns joining off", odd, "W click 1 1 alt-click 4.2 1.1 alt-click 4.1 4.9 enter", &free, 1),
        ("an edge gets the point too", straight, "W click 1 1 click 4.1 1.02 click 3.9 3.21 enter", on_edge, 1),
        ("before Ctrl, which takes whole numbers along it", straight, "W click 1 1 ctrl-click 4.1 1.1 ctrl-click 3.9 3.21 enter", ctrl_edge, 1),
        ("Alt turns that off too", straight, "W click 1 1 alt-click 3.9 1 alt-click 3.9 3.2 enter", &format!("{straight}\nnav walk 0 1.000 1.000 3.900 1.000 3.900 3.200"), 1),
        ("exactly on a slanted edge where it can be", slanted, "W click 3.02 1.46 click 6 -1 click 3 -1 enter", on_slanted, 1),
        ("a dragged point joins an edge", "nav walk 0 0.000 0.000 2.000 0.000 2.000 2.000
nav walk 1 4.000 0.000 4.000 6.000 8.000 6.000", "V drag 2 2 3.9 2.02", "nav walk 0 0.000 0.000 2.000 0.000 4.000 2.000
nav walk 1 4.000 0.000 4.000 2.000 4.000 6.000 8.000 6.000", 1),
        ("a shared edge gets it in both areas", shared, "V shift-click 4.05 2.02", shared_after, 1),
        ("a moved area joins by the point nearest the press", "nav walk 0 0.000 0.000 2.000 0.000 2.000 2.000
nav walk 1 4.000 -6.000 4.000 6.000 8.000 6.000", "V drag 1.8 0.2 3.75 -1", "nav walk 0 2.000 -1.200 4.000 -1.200 4.000 0.800
nav walk 1 4.000 -6.000 4.000 -1.200 4.000 6.000 8.000 6.000", 1),
        ("Ctrl takes the squares' edges", "", "W ctrl-click 1.4 1.4 ctrl-click 4.6 1.4 ctrl-click 4.6 4.6 enter", TRIANGLES, 1),
        ("tenths, the same on both sides of zero", "", "W click 0.26 -0.26 click 3.34 -0.04 click -0.34 3.36 enter", "nav walk 0 0.300 -0.300 3.300 0.000 -0.300 3.400", 1),
        ("quarters", "", "grid 4 W click 0.3 -0.3 click 3.4 0.1 click 0.1 3.36 enter", "nav walk 0 0.250 -0.250 3.500 0.000 0.000 3.250", 1),
        ("halves", "", "grid 2 W click 0.3 -0.3 click 3.3 0.1 click 0.1 3.36 enter", "nav walk 0 0.500 -0.500 3.500 0.000 0.000 3.500", 1),
        ("whole squares", "", "grid 1 W click 0.3 -0.3 click 3.3 0.1 click 0.1 3.36 enter", "nav walk 0 0.000 0.000 3.000 0.000 0.000 3.000", 1),
        ("Shift keeps an axis of a point", SQUARE, "V shift-drag 4.1 0.1 6.5 0.8", "nav walk 0 0.000 0.000 6.500 0.000 4.000 4.000 0.000 4.000", 1),
        ("and joins only what lies on it", "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000
nav walk 1 6.533 0.100 8.000 0.100 8.000 3.000", "V shift-drag 4 0 6.5 0.1", "nav walk 0 0.000 0.000 6.500 0.000 4.000 4.000
nav walk 1 6.533 0.100 8.000 0.100 8.000 3.000", 1),
        ("a kept axis meets an edge", "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000
nav walk 1 6.033 -1.000 6.033 3.000 8.000 3.000", "V shift-drag 4 0 6.1 0.1", "nav walk 0 0.000 0.000 6.033 0.000 4.000 4.000
nav walk 1 6.033 -1.000 6.033 0.000 6.033 3.000 8.000 3.000", 1),
        ("joined points move together", TWO, "V drag 4 0 4 -1", "nav walk 0 0.000 0.000 4.000 -1.000 4.000 4.000 0.000 4.000
nav walk 1 4.000 -1.000 8.000 0.000 8.000 4.000 4.000 4.000", 1),
        ("Alt pulls one away", TWO, "V alt-drag 4 0 4 -1", "nav walk 0 0.000 0.000 4.000 -1.000 4.000 4.000 0.000 4.000
nav walk 1 4.000 0.000 8.000 0.000 8.000 4.000 4.000 4.000", 1),
    ];
    check(&mut window(), cases);
}

/// Section 15: all of it by keys.
#[test]
fn keys_alone() {
    #[rustfmt::skip]
    let cases: &[Case<'_>] = &[
        ("Space puts points at the cross-hair, arrows move it", "", "leave W space space shift-right-key shift-right-key space shift-up shift-up space enter",
            "nav walk 0 4.000 2.000 6.000 2.000 6.000 4.000", 1),
        ("Tab selects, Enter goes into the points, arrows move one", SQUARE, "tab enter tab shift-right-key", "nav walk 0 0.000 0.000 5.000 0.000 4.000 4.000 0.000 4.000", 1),
        ("Shift+Tab goes back", SQUARE, "tab enter shift-tab up", "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.100", 1),
        ("Esc leads out of the points, arrows move the area", SQUARE, "tab enter esc shift-up", "nav walk 0 0.000 1.000 4.000 1.000 4.000 5.000 0.000 5.000", 1),
        ("Tab goes to the next thing", "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000
nav hole 0 6.000 0.000 7.000 0.000 7.000 1.000", "tab tab del", "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000", 1),
    ];
    check(&mut window(), cases);
}

#[test]
fn tab_leaves_the_canvas_after_the_last_thing_and_screen_readers_are_told() {
    let mut window = window();
    open(&mut window, SQUARE);
    window.state_mut().state.shown.canvas_only = false;
    window.run_steps(2);
    let canvas = |window: &super::drive::Window| {
        let canvas = window.get_by_role_and_label(Role::Canvas, "Canvas, level 0");
        (canvas.is_focused(), canvas.value().unwrap_or_default())
    };
    run(&mut window, "tab");
    let (focused, value) = canvas(&window);
    assert!(focused && value.contains("walk area, level 0, 4 points"), "{value}");
    run(&mut window, "enter");
    assert!(canvas(&window).1.starts_with("point 1 of"), "{}", canvas(&window).1);
    run(&mut window, "esc tab");
    assert!(!canvas(&window).0, "after the last thing another widget has the keyboard");
    // Keys that a widget uses are its own now.
    run(&mut window, "shift-tab");
    assert!(canvas(&window).0, "and Shift+Tab comes back");
}

/// Points within 9 and edges within 6 pixels of the screen, at every zoom and number of pixels a point.
#[test]
fn points_and_edges_are_grabbed_at_any_zoom() {
    let moved = "nav walk 0 0.000 0.000 5.000 1.000 4.000 4.000 0.000 4.000";
    let added = "nav walk 0 0.000 0.000 2.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000";
    for pixels_per_point in [1.0, 1.5, 2.0] {
        let mut window = window();
        window.set_pixels_per_point(pixels_per_point);
        for scale in [12.0, 40.0, 130.0] {
            let cases = [
                (
                    "a point 8 pixels away",
                    "V px 5.5 5.5 press 4 0 move 4.5 0.5 move 5 1 release 5 1",
                    moved,
                    1,
                ),
                ("not 10 pixels away", "V px 8 6.1 press 4 0 move 5 1 release 5 1", SQUARE, 0),
                ("an edge 5 pixels away", "V px 0 5 shift-click 2 0", added, 1),
                ("not 7 pixels away", "V px 0 7 shift-click 2 0", SQUARE, 0),
            ];
            for (name, script, after, steps) in cases {
                open(&mut window, SQUARE);
                window.state_mut().state.camera.scale = scale;
                window.run_steps(1);
                run(&mut window, script);
                verify(&mut window, &format!("{name} at {scale} and {pixels_per_point}"), after, steps);
            }
        }
    }
}

#[test]
fn joining_reaches_10_pixels_and_at_most_half_a_square() {
    let mut window = window();
    let target = "nav walk 1 4.033 4.033 8.000 0.000 8.000 4.000";
    for (scale, aside, joins) in
        [(40.0, 9.5, true), (40.0, 10.5, false), (100.0, 9.5, true), (12.0, 5.5, true), (12.0, 6.5, false)]
    {
        open(&mut window, target);
        window.state_mut().state.camera.scale = scale;
        window.run_steps(1);
        run(&mut window, &format!("W px -{aside} 0 click 4.033 4.033"));
        let point = window.state().state.tools.draft()[0];
        assert_eq!(point == [4.033, 4.033], joins, "{aside} pixels at {scale}: {point:?}");
    }
}

#[test]
fn words_at_the_cursor_say_which_rule_won() {
    let mut window = window();
    let word = |window: &super::drive::Window| {
        let state = &window.state().state;
        let feedback = state.tools.feedback(&state.context(navwright::editor::tools::Keys::default()));
        feedback.word.map(|(_, word)| word).unwrap_or_default()
    };
    open(&mut window, TWO);
    run(&mut window, "W hover 8.1 0.1");
    assert!(word(&window).contains("level 1") && word(&window).starts_with("joins"), "{}", word(&window));
    run(&mut window, "hover 6.03 0.1");
    assert!(word(&window).starts_with("on edge of"), "{}", word(&window));
    run(&mut window, "hover -2 -1.02");
    assert_eq!(word(&window), "grid");
    run(&mut window, "click -2 -1 hover 1 3");
    assert_eq!(word(&window), "grid · 5.00 · 53°");
    run(&mut window, "esc V hover 4 0");
    assert!(word(&window).contains("2 joined points"), "{}", word(&window));
    run(&mut window, "press 4 0 move 4 -1");
    assert!(
        word(&window).contains("0, -1") && word(&window).contains("2 joined points"),
        "{}",
        word(&window)
    );
    run(&mut window, "type x_2.5");
    assert!(word(&window).starts_with("x 2.5") && word(&window).contains("+2.5, 0"), "{}", word(&window));
    run(&mut window, "esc release 4 -1");
    // A drawing that cannot close yet says so.
    run(&mut window, "W click -2 -1 click -1 -1 hover -2 -1");
    assert_eq!(word(&window), "needs 3 points");
}

#[test]
fn measuring() {
    let mut window = window();
    open(&mut window, SQUARE);
    run(&mut window, "M drag 0 0 4 0");
    let chain = |window: &super::drive::Window| window.state().state.tools.measure.chain().to_vec();
    assert_eq!(chain(&window), [[0.0, 0.0], [4.0, 0.0]]);
    run(&mut window, "drag 4 0 4 3");
    assert!(!window.state().state.tools.measure.closed());
    run(&mut window, "drag 4 3 0 0");
    assert_eq!(chain(&window).len(), 4);
    assert!(window.state().state.tools.measure.closed());
    let state = &window.state().state;
    let feedback = state.tools.feedback(&state.context(navwright::editor::tools::Keys::default()));
    let words: Vec<String> = feedback
        .shapes
        .iter()
        .filter_map(|shape| match shape {
            navwright::draw::Shape::Text { text, .. } => Some(text.clone()),
            _ => None,
        })
        .collect();
    // The triangle of sides 3, 4 and 5.
    assert_eq!(words, ["4", "3", "5", "area 6 · around 12"]);
    // A drag elsewhere starts anew, a right click clears, and the map is as it was.
    run(&mut window, "drag 1 -1 3 -1");
    assert_eq!(chain(&window), [[1.0, -1.0], [3.0, -1.0]]);
    run(&mut window, "right 6 6");
    assert!(chain(&window).is_empty());
    run(&mut window, "press 1 -1 move 3 -1 esc release 3 -1");
    assert!(chain(&window).is_empty(), "called off");
    run(&mut window, "click 1 -1 type 4,3 enter");
    assert_eq!(chain(&window), [[1.0, -1.0], [4.0, 3.0]]);
    verify(&mut window, "measuring", SQUARE, 0);
}

#[test]
fn inspecting_says_what_is_here_and_why_not() {
    let mut window = window();
    let map = "nav walk 0 0.000 0.000 8.000 0.000 8.000 6.000 0.000 6.000
nav hole 0 2.000 2.000 4.000 2.000 4.000 4.000 2.000 4.000
link 0 5 1 0 7 1";
    open(&mut window, map);
    super::drive::settle(&mut window);
    run(&mut window, "I click 6 3");
    let asked = |window: &super::drive::Window| window.state().state.asked_text().unwrap();
    let text = asked(&window);
    for part in [
        "Place: 6, 3 · level 0",
        "Area: ",
        "walk area, level 0, 4 points, 48 squares",
        "Polygon: ",
        "of tile (0, 0), layer 0",
        "Island: 1 of 1",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("Not walkable"), "{text}");
    window.get_by_label("What is here");
    run(&mut window, "click 3 3");
    assert!(asked(&window).contains("Not walkable: inside the hole \"area 2\""), "{}", asked(&window));
    run(&mut window, "click 3 -1");
    let outside = asked(&window);
    assert!(
        outside.contains("Not walkable: outside every area of level 0") && outside.contains("1 away"),
        "{outside}"
    );
    run(&mut window, "click 8 0");
    assert!(asked(&window).contains("Point: 2 of"), "{}", asked(&window));
    run(&mut window, "click 4 0");
    assert!(asked(&window).contains("Edge: 1 to 2 of"), "{}", asked(&window));
    // The right button offers all that is there.
    run(&mut window, "right 3 3");
    window.run_steps(2);
    window.get_by_label_contains("4 points, 4 squares").click();
    window.run_steps(3);
    assert_eq!(window.state().state.selection.len(), 1);
    run(&mut window, "esc esc");
    assert_eq!(window.state().state.asked, None);
    verify(&mut window, "inspecting", map, 0);
}

#[test]
fn inspecting_measures_the_wall_where_the_agent_is_too_wide() {
    let mut window = window();
    open(&mut window, "nav walk 0 0.000 0.000 8.000 0.000 8.000 6.000 0.000 6.000");
    let state = &mut window.state_mut().state;
    let class = navwright::project::AgentClass { radius: 0.5, ..(**state.class()).clone() };
    assert!(state.commit("radius", &navwright::project::Command::SetClass(class)));
    super::drive::settle(&mut window);
    run(&mut window, "I click 3 0.3");
    let text = window.state().state.asked_text().unwrap();
    assert!(
        text.contains("nearer to a wall than the agent's radius: 0.3 from the wall at 3, 0, radius 0.5"),
        "{text}"
    );
    assert!(text.contains("Nearest floor: 0.2 away, at 3, 0.5"), "{text}");
}

#[test]
fn playing_slides_along_walls_and_goes_by_path() {
    let mut window = window();
    // A floor with a wall between its halves, open at the top.
    let map = "nav walk 0 0.000 0.000 8.000 0.000 8.000 6.000 0.000 6.000
nav hole 0 3.900 0.000 4.100 0.000 4.100 4.000 3.900 4.000";
    open(&mut window, map);
    super::drive::settle(&mut window);
    run(&mut window, "P click 2 1");
    window.run_steps(3);
    let place = |window: &super::drive::Window| window.state().state.tools.play.walker().unwrap().place;
    assert_eq!(place(&window), [2.0, 1.0], "a click puts the walker down");
    // Held at a place behind the wall: it slides up along it, and stays on this side of it.
    run(&mut window, "press 6 2");
    window.run_steps(120);
    let at = place(&window);
    assert!((at[0] - 3.9).abs() < 1e-6 && 1.0 < at[1] && at[1] <= 2.01, "{at:?}");
    run(&mut window, "release 6 2");
    window.run_steps(2);
    assert!(!window.state().state.tools.play.walks(), "letting go stops it");
    run(&mut window, "right 6 1");
    for _ in 0..600 {
        window.step();
    }
    let at = place(&window);
    assert!((at[0] - 6.0).abs() < 1e-6 && (at[1] - 1.0).abs() < 1e-6, "{at:?}");
    let trail = window.state().state.tools.play.trail();
    assert!(trail.iter().any(|step| step.place[1] >= 4.0 - 1e-6), "round the end of the wall");
    // It never stood in the wall.
    assert!(trail.iter().all(|step| !(3.9 + 1e-6 < step.place[0]
        && step.place[0] < 4.1 - 1e-6
        && step.place[1] < 4.0 - 1e-6)));
    run(&mut window, "esc");
    assert_eq!(window.state().state.tools.play.walker(), None);
    verify(&mut window, "playing", map, 0);
    // Idle again: nobody asks for frames.
    window.run();
}

#[test]
fn tools_have_their_keys_and_undo_brings_selection_and_level_back() {
    let mut window = window();
    open(&mut window, TWO);
    for (key, kind) in [
        (Key::P, ToolKind::Play),
        (Key::I, ToolKind::Inspect),
        (Key::M, ToolKind::Measure),
        (Key::K, ToolKind::Link),
        (Key::V, ToolKind::Select),
    ] {
        super::drive::key(&mut window, key);
        assert_eq!(tool(&window), kind);
    }
    run(&mut window, "click 2 2 pgup click 6 2 drag 6 2 7 2");
    let selected = window.state().state.selection.clone();
    run(&mut window, "pgdn click 2 2 undo");
    let state = &window.state().state;
    assert_eq!(state.level, 1, "the level that the step was done on");
    assert_eq!(state.selection, selected);
}

#[test]
fn joining_is_switched_off_and_the_grid_chosen_in_the_toolbar() {
    let mut window = window();
    open(&mut window, TWO);
    window.state_mut().state.shown.canvas_only = false;
    window.run_steps(2);
    window.get_by_role_and_label(Role::CheckBox, "Join").click();
    window.run_steps(2);
    run(&mut window, "W click 8.14 0.06");
    assert_eq!(window.state().state.tools.draft(), [[8.1, 0.1]], "the grid, not the point at (8, 0)");
    run(&mut window, "esc");
    window.get_by_role_and_label(Role::ComboBox, "Grid").click();
    window.run_steps(3);
    window.get_by_label("1/4 square").click();
    window.run_steps(3);
    run(&mut window, "W click 8.14 0.06");
    assert_eq!(window.state().state.tools.draft(), [[8.25, 0.0]]);
}
