//! (document, gestures, document) triples on tools, with no window. Documents are map text; places are in squares.

use navwright::editor::action::Step;
use navwright::editor::canvas::pick::Item;
use navwright::editor::state::{Selection, State};
use navwright::editor::tools::{Button, Event, Keys, ToolKind};
use navwright::editor::transform::Transform;
use navwright::project::{Command, Document, map_text, open_text};

pub(super) const SQUARE: &str = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000";

/// Runs a script on a map and compares; then undoes everything and does it again: both ends must come back exactly, in
/// as many steps as said.
pub(super) fn check(before: &str, script: &str, after: &str, steps: usize) -> State {
    let mut state = open(before);
    let start = state.document().clone();
    run(&mut state, script);
    assert_eq!(text(state.document()), lines(after), "after {script:?}");
    assert!(!state.history.in_gesture(), "a gesture is left over after {script:?}");
    assert_eq!(state.history.past().count(), steps, "undo steps of {script:?}");
    let end = state.document().clone();
    for _ in 0..steps {
        state.history.undo().unwrap();
    }
    assert!(state.document().ptr_eq(&start), "undo of {script:?} gives the old value back");
    assert_eq!(state.history.undo(), None);
    for _ in 0..steps {
        state.history.redo().unwrap();
    }
    assert!(state.document().ptr_eq(&end), "redo of {script:?}");
    state
}

pub(super) fn open(map: &str) -> State {
    let map = if map.is_empty() { "# empty".to_owned() } else { lines(map) };
    let mut state = State::new(open_text(&map, "test").unwrap().document, None);
    // 40 pixels a square: points are picked within 0.225, edges within 0.15, joining reaches 0.25 squares.
    state.camera.scale = 40.0;
    state
}

fn lines(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim())).collect()
}

pub(super) fn text(document: &Document) -> String {
    map_text::map_from_document(document).0.to_string()
}

/// Words: a tool's key; `click`, `shift-click`, … with x and z; `right`; `drag` with two places or more; `esc`, `enter`,
/// `back`, `undo`, `redo`, `del`; `level` with a number; `nudge` with a direction; edits of the selection by name.
pub(super) fn run(state: &mut State, script: &str) {
    let mut words = script.split_whitespace().peekable();
    let mut clip = String::new();
    while let Some(word) = words.next() {
        let (keys, verb) = modifiers(word);
        let mut place = || {
            let mut number = || words.next().unwrap().parse::<f64>().unwrap();
            [number(), number()]
        };
        match verb {
            "V" => state.take_tool(ToolKind::Select),
            "W" => state.take_tool(ToolKind::Walk),
            "H" => state.take_tool(ToolKind::Hole),
            "K" => state.take_tool(ToolKind::Link),
            "T" => state.take_tool(ToolKind::Test),
            "click" => click(state, Button::Left, place(), keys),
            "right" => click(state, Button::Right, place(), keys),
            "press" => drop(state.tool_event(Event::Press(Button::Left, place()), keys)),
            "move" => drop(state.tool_event(Event::Drag(place()), keys)),
            "hover" => drop(state.tool_event(Event::Hover(place()), keys)),
            "release" => {
                let release = Event::Release { button: Button::Left, place: place(), moved: true };
                state.tool_event(release, keys);
            }
            "drag" => {
                let (from, to) = (place(), place());
                state.tool_event(Event::Press(Button::Left, from), keys);
                let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
                state.tool_event(Event::Drag(middle), keys);
                state.tool_event(Event::Drag(to), keys);
                state.tool_event(Event::Release { button: Button::Left, place: to, moved: true }, keys);
            }
            "esc" => state.escape(),
            "enter" => drop(state.tool_event(Event::Finish, keys)),
            "back" => drop(state.tool_event(Event::StepBack, keys)),
            "undo" => state.undo(),
            "redo" => state.redo(),
            "del" => state.delete(),
            "all" => state.select_all(),
            "copy" => state.duplicate(),
            "clip" => clip = state.copied().unwrap(),
            "cut" => clip = state.cut().unwrap(),
            "paste" => state.paste(&clip, false),
            "paste-in-place" => state.paste(&clip, true),
            "cursor" => state.cursor = Some(place()),
            "left" => state.transform(Transform::RotateLeft),
            "turn-right" => state.transform(Transform::RotateRight),
            "mirror-x" => state.transform(Transform::MirrorX),
            "mirror-z" => state.transform(Transform::MirrorZ),
            "scale" => state.transform(Transform::Scale(words.next().unwrap().parse().unwrap())),
            "simplify" => state.simplify(words.next().unwrap().parse().unwrap()),
            "join" => state.join_points(),
            "separate" => state.separate(),
            "later" => state.reorder(true),
            "earlier" => state.reorder(false),
            "take-up" => state.move_to_level(true),
            "take-down" => state.move_to_level(false),
            "same-kind" => state.select_same_kind(),
            "touching" => state.select_touching(),
            "level" => state.level = words.next().unwrap().parse().unwrap(),
            "nudge" => {
                let step = match words.next().unwrap() {
                    "left" => Step::Left,
                    "right" => Step::Right,
                    "up" => Step::Up,
                    _ => Step::Down,
                };
                state.nudge(step, keys.shift);
            }
            other => panic!("no such word: {other}"),
        }
    }
}

fn modifiers(word: &str) -> (Keys, &str) {
    let mut keys = Keys::default();
    let mut rest = word;
    loop {
        match rest.split_once('-') {
            Some(("shift", after)) => (keys.shift, rest) = (true, after),
            Some(("ctrl", after)) => (keys.ctrl, rest) = (true, after),
            Some(("alt", after)) => (keys.alt, rest) = (true, after),
            _ => return (keys, rest),
        }
    }
}

fn click(state: &mut State, button: Button, place: [f64; 2], keys: Keys) {
    state.tool_event(Event::Hover(place), keys);
    state.tool_event(Event::Press(button, place), keys);
    state.tool_event(Event::Release { button, place, moved: false }, keys);
}

pub(super) fn says(state: &State) -> &str {
    state.message.as_ref().map_or("", |message| message.text.as_str())
}

#[test]
fn clicks_add_points_and_the_first_point_closes() {
    let script = "W click 1.02 1.04 click 5 1 click 5 5 click 1.1 1.1";
    check("", script, "nav walk 0 1.000 1.000 5.000 1.000 5.000 5.000", 1);
    check("", "H click 1 1 click 5 1 click 5 5 enter", "nav hole 0 1.000 1.000 5.000 1.000 5.000 5.000", 1);
    let below = "level -2 W click 1 1 click 5 1 click 5 5 click 1 1";
    check("", below, "nav walk -2 1.000 1.000 5.000 1.000 5.000 5.000", 1);
}

#[test]
fn an_area_needs_three_points() {
    let state = check("", "W click 1 1 click 5 1 click 1 1 enter", "", 0);
    assert!(says(&state).contains("needs 3 points"), "{}", says(&state));
    assert_eq!(state.tools.draft().len(), 2, "the drawing goes on");
    // A click that lands on the last point does nothing.
    let state = check("", "W click 1 1 click 5 1 click 5.02 1.03", "", 0);
    assert_eq!(state.tools.draft(), [[1.0, 1.0], [5.0, 1.0]]);
}

#[test]
fn points_land_on_tenths_the_same_on_both_sides_of_zero() {
    let script = "W click 0.26 -0.26 click 3.34 -0.04 click -3.34 -3.36 click 0.26 -0.26";
    let state = check("", script, "nav walk 0 0.300 -0.300 3.300 0.000 -3.300 -3.400", 1);
    let points = &state.document().areas[0].points;
    assert!(points.iter().flatten().all(|value| !(*value == 0.0 && value.is_sign_negative())), "{points:?}");
    assert_eq!(points[2], [-3.3, -3.4], "the nearest doubles to the tenths");
}

#[test]
fn ctrl_takes_the_squares_edge() {
    let script = "W ctrl-click 1.4 1.4 ctrl-click 4.6 1.4 ctrl-click 4.6 4.6 enter";
    check("", script, "nav walk 0 1.000 1.000 5.000 1.000 5.000 5.000", 1);
}

#[test]
fn points_join_others_exactly_on_any_level_unless_alt() {
    let odd = "nav walk 1 4.033 1.017 8.000 1.000 8.000 5.000 4.033 5.021";
    let drawn = "nav walk 0 1.000 1.000 4.033 1.017 4.033 5.021";
    check(odd, "level 0 W click 1 1 click 4.2 1.1 click 4.1 4.9 enter", &format!("{odd}\n{drawn}"), 1);
    let free = "nav walk 0 1.000 1.000 4.200 1.100 4.100 4.900";
    check(odd, "level 0 W click 1 1 alt-click 4.2 1.1 alt-click 4.1 4.9 enter", &format!("{odd}\n{free}"), 1);
    // Farther than 10 pixels: no joining.
    let far = "nav walk 0 1.000 1.000 4.300 0.700 4.300 4.700";
    check(odd, "level 0 W click 1 1 click 4.3 0.7 click 4.3 4.7 enter", &format!("{odd}\n{far}"), 1);
}

#[test]
fn joining_reaches_half_a_square_at_most_however_small_the_map_is_shown() {
    let mut state = open(SQUARE);
    state.camera.scale = 4.0;
    run(&mut state, "W click -3 0 click 4.4 0 click 4.6 9 enter");
    assert_eq!(state.document().areas[1].points, [[-3.0, 0.0], [4.0, 0.0], [4.6, 9.0]]);
}

#[test]
fn a_drawing_is_taken_back_point_by_point() {
    let three = "W click 1 1 click 5 1 click 5 5";
    let mut state = open("");
    run(&mut state, three);
    run(&mut state, "undo");
    assert_eq!(state.tools.draft(), [[1.0, 1.0], [5.0, 1.0]]);
    run(&mut state, "undo redo redo");
    assert_eq!(state.tools.draft().len(), 3);
    run(&mut state, "back right 9 9");
    assert_eq!(state.tools.draft().len(), 1);
    run(&mut state, "esc");
    assert!(state.tools.draft().is_empty() && state.document().areas.is_empty());
    assert_eq!(state.tools.kind(), ToolKind::Walk, "Esc drops the drawing first");
    run(&mut state, "esc");
    assert_eq!(state.tools.kind(), ToolKind::Select);
    // Closing is one step, and undoing it removes the whole area.
    run(&mut state, three);
    run(&mut state, "W click 1 1 click 5 1 click 5 5 click 1 1 undo");
    assert!(state.document().areas.is_empty());
}

#[test]
fn a_drag_moves_a_point_in_one_step() {
    let after = "nav walk 0 0.000 0.000 6.500 0.300 4.000 4.000 0.000 4.000";
    check(SQUARE, "V drag 4.1 0.1 6.52 0.33", after, 1);
    check(SQUARE, "W drag 4.1 0.1 6.52 0.33", after, 1);
    check(SQUARE, "V ctrl-drag 4 0 6.4 0.3", "nav walk 0 0.000 0.000 6.000 0.000 4.000 4.000 0.000 4.000", 1);
    // Shift keeps the axis that has moved less.
    check(
        SQUARE,
        "V shift-drag 4.1 0.1 6.5 0.8",
        "nav walk 0 0.000 0.000 6.500 0.000 4.000 4.000 0.000 4.000",
        1,
    );
}

#[test]
fn a_drag_that_is_called_off_leaves_no_trace() {
    check(SQUARE, "V press 4 0 move 6 1 esc move 7 7 release 7 7", SQUARE, 0);
    check(SQUARE, "W press 4 0 move 6 1 esc release 7 7", SQUARE, 0);
    // Back where it was: no step either, and what Esc drops next is the selection.
    let state = check(SQUARE, "V press 2 2 move 6 6 esc release 6 6 click 2 2 esc", SQUARE, 0);
    assert!(state.selection.is_empty());
    let mut right = open(SQUARE);
    run(&mut right, "V press 4 0 move 6 1");
    right.tool_event(Event::Press(Button::Right, [6.0, 1.0]), Keys::default());
    run(&mut right, "release 6 1");
    assert_eq!(text(right.document()), lines(SQUARE));
}

#[test]
fn joined_points_move_together_and_alt_pulls_one_away() {
    let stairs = "nav walk 1 4.000 0.000 8.000 0.000 8.000 4.000 4.000 4.000";
    let both = format!("{SQUARE}\n{stairs}");
    let together = "nav walk 0 0.000 0.000 4.000 -1.000 4.000 4.000 0.000 4.000
                    nav walk 1 4.000 -1.000 8.000 0.000 8.000 4.000 4.000 4.000";
    check(&both, "V drag 4 0 4 -1", together, 1);
    let apart = "nav walk 0 0.000 0.000 4.000 -1.000 4.000 4.000 0.000 4.000
                 nav walk 1 4.000 0.000 8.000 0.000 8.000 4.000 4.000 4.000";
    check(&both, "V alt-drag 4 0 4 -1", apart, 1);
}

#[test]
fn shift_click_on_an_edge_adds_a_point_and_may_drag_it() {
    let added = "nav walk 0 0.000 0.000 2.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000";
    check(SQUARE, "V shift-click 2.02 0.1", added, 1);
    check(SQUARE, "W shift-click 2.02 0.1", added, 1);
    let dragged = "nav walk 0 0.000 0.000 2.100 -1.500 4.000 0.000 4.000 4.000 0.000 4.000";
    check(SQUARE, "V shift-drag 2.02 0.1 2.12 -1.52", dragged, 1);
    let last = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000 0.000 2.000";
    check(SQUARE, "V shift-click 0.1 2", last, 1);
}

#[test]
fn right_click_removes_a_point_but_not_of_a_triangle() {
    let three = "nav walk 0 0.000 0.000 4.000 4.000 0.000 4.000";
    check(SQUARE, "V right 4.1 0.1", three, 1);
    check(SQUARE, "W right 4.1 0.1", three, 1);
    let state = check(three, "V right 4.1 3.9", three, 0);
    assert_eq!(says(&state), "an area needs 3 points; Del deletes the area");
}

#[test]
fn whole_areas_move_and_the_point_nearest_the_press_snaps() {
    let far = "nav walk 1 10.033 0.017 14.000 0.000 14.000 4.000";
    let both = format!("{SQUARE}\n{far}");
    // The corner (4, 0) comes within 0.25 of (10.033, 0.017) and takes it exactly; the others move as much.
    let after = format!("nav walk 0 6.033 0.017 10.033 0.017 10.033 4.017 6.033 4.017\n{far}");
    check(&both, "V drag 3.5 0.5 9.6 0.6", &after, 1);
    check(SQUARE, "V drag 2 2 3.03 2.46", "nav walk 0 1.000 0.500 5.000 0.500 5.000 4.500 1.000 4.500", 1);
}

#[test]
fn selection_by_click_box_and_ctrl() {
    let far = "nav walk 0 10.000 0.000 14.000 0.000 14.000 4.000";
    let hole = "nav hole 0 1.000 1.000 2.000 1.000 2.000 2.000";
    let map = format!("{SQUARE}\n{hole}\n{far}");
    let mut state = open(&map);
    let ids: Vec<Item> = state.document().areas.iter().map(|area| Item::Area(area.id)).collect();
    run(&mut state, "V click 1.8 1.3");
    assert_eq!(state.selection.only(), Some(ids[1]), "the hole lies on top");
    run(&mut state, "alt-click 1.8 1.3");
    assert_eq!(state.selection.only(), Some(ids[0]), "Alt takes the next below");
    run(&mut state, "ctrl-click 13 1");
    assert!(state.selection.len() == 2 && state.selection.has(ids[2]));
    run(&mut state, "ctrl-click 13 1");
    assert_eq!(state.selection.only(), Some(ids[0]));
    run(&mut state, "click 30 30");
    assert!(state.selection.is_empty());
    run(&mut state, "drag -1 -1 5 5");
    assert!(state.selection.len() == 2 && !state.selection.has(ids[2]), "what lies in the box");
    run(&mut state, "all del");
    assert!(state.document().areas.is_empty());
    assert_eq!(state.history.past().collect::<Vec<_>>(), ["Delete 3 areas"]);
}

#[test]
fn other_levels_are_not_picked() {
    let above = "nav walk 1 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000";
    check(above, "level 0 V drag 4 0 6 0 click 2 2 del", above, 0);
    check(above, "level 1 V click 2 2 del", "", 1);
}

#[test]
fn nudges_in_quick_succession_are_one_step() {
    let after = "nav walk 0 0.300 1.000 4.300 1.000 4.300 5.000 0.300 5.000";
    check(SQUARE, "V click 2 2 nudge right nudge right nudge right shift-nudge up", after, 1);
    let point = "nav walk 0 0.000 0.000 4.100 0.000 4.000 4.000 0.000 4.000";
    check(SQUARE, "V click 4 0 nudge right", point, 1);
}

#[test]
fn copies_get_new_names_and_ids() {
    let copy = "nav walk 0 1.000 -1.000 5.000 -1.000 5.000 3.000 1.000 3.000";
    let state = check(SQUARE, "V click 2 2 copy", &format!("{SQUARE}\n{copy}"), 1);
    let [first, second] = [&state.document().areas[0], &state.document().areas[1]];
    assert!(first.id != second.id && first.name != second.name);
}

#[test]
fn links_by_two_clicks_across_levels() {
    let mut state = open(SQUARE);
    run(&mut state, "K click 1.02 1 level 1 click 3 2.96");
    let link = (*state.document().links[0]).clone();
    assert_eq!((link.start, link.start_level, link.end, link.end_level), ([1.0, 1.0], 0, [3.0, 3.0], 1));
    assert!(link.bidirectional && link.radius > 0.0);
    // An end is dragged on its own level only.
    run(&mut state, "drag 1 1 2 2 esc");
    assert_eq!(state.document().links[0].start, [1.0, 1.0]);
    run(&mut state, "drag 3 3 3.5 2");
    assert_eq!(state.document().links[0].end, [3.5, 2.0]);
    run(&mut state, "undo");
    assert_eq!(state.document().links[0].end, [3.0, 3.0]);
    run(&mut state, "right 3.05 3");
    assert!(state.document().links.is_empty());
    // Esc drops a link that has only started.
    run(&mut state, "click 1 1 esc click 2 2 esc");
    assert!(state.document().links.is_empty());
    assert_eq!(state.tools.kind(), ToolKind::Link);
}

#[test]
fn heights_follow_their_points() {
    let mut state = open(SQUARE);
    let mut area = (*state.document().areas[0]).clone();
    area.surface = navwright::bake::Surface::Heights(vec![0.0, 4.0, 4.0, 0.0]);
    let id = area.id;
    assert!(state.commit("heights", &Command::SetAreas(vec![area])));
    state.select(Selection::area(id));
    run(&mut state, "V shift-click 1 0");
    let heights = |state: &State| match &state.document().areas[0].surface {
        navwright::bake::Surface::Heights(heights) => heights.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(heights(&state), [0.0, 1.0, 4.0, 4.0, 0.0], "a quarter along the edge");
    run(&mut state, "right 4 0");
    assert_eq!(heights(&state), [0.0, 1.0, 4.0, 0.0]);
}

#[test]
fn markers_of_the_test_tool() {
    let mut state = open(SQUARE);
    run(&mut state, "T click 1 1 level 1 click 3 3");
    let place =
        |marker: Option<navwright::editor::tools::Marker>| marker.map(|marker| (marker.place, marker.level));
    assert_eq!(place(state.tools.test.start), Some(([1.0, 1.0], 0)));
    assert_eq!(place(state.tools.test.end), Some(([3.0, 3.0], 1)));
    run(&mut state, "drag 1 1 2 2");
    assert_eq!(place(state.tools.test.start), Some(([2.0, 2.0], 0)), "a dragged marker keeps its level");
    run(&mut state, "press 3 3 move 9 9 esc release 9 9");
    assert_eq!(place(state.tools.test.end), Some(([3.0, 3.0], 1)));
    run(&mut state, "click 0.5 0.5");
    assert_eq!((place(state.tools.test.start), state.tools.test.end), (Some(([0.5, 0.5], 1)), None));
    run(&mut state, "right 9 9");
    assert_eq!(state.tools.test.start, None);
    assert_eq!(state.history.past().count(), 0, "asking changes nothing");
}

#[test]
fn places_out_of_range_are_refused_with_their_bound() {
    let mut state = open(SQUARE);
    run(&mut state, "V drag 4 0 9000000 0");
    assert_eq!(text(state.document()), lines(SQUARE));
    assert!(says(&state).contains("2097152"), "{}", says(&state));
}

#[test]
fn levels_are_added_and_only_empty_ones_removed() {
    let mut state = open(SQUARE);
    state.add_level(true);
    state.add_level(false);
    assert_eq!((state.level, state.levels()), (-1, vec![-1, 0, 1]));
    state.remove_level();
    assert_eq!((state.level, state.levels()), (0, vec![0, 1]));
    state.remove_level();
    assert_eq!(state.levels(), [0, 1]);
    state.step_level(true);
    assert_eq!(state.level, 1);
    state.step_level(true);
    assert_eq!(state.level, 1, "there is none above");
}
