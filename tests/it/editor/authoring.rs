//! What is done to a selection: several points, boxes, clipboard, turns, order, simplify, join. As (document, script,
//! document) triples; each edit is one undo step and undoes to the same value.

use navwright::editor::canvas::pick::Item;
use navwright::project::{AreaId, open_text};

use super::gestures::{SQUARE, check, open, run, says, text};

/// A square and a triangle to the right of it that shares its edge from (4, 0) to (4, 4).
const NEIGHBOURS: &str = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav walk 0 4.000 0.000 7.000 2.000 4.000 4.000";

#[test]
fn several_points_move_together_with_those_joined_to_them() {
    // Ctrl+click picks points of what is selected one by one; the triangle's corner comes along.
    let pick = "V click 2 2 ctrl-click 4 0 ctrl-click 0 0 ";
    let moved = "nav walk 0 1.000 -1.000 5.000 -1.000 4.000 4.000 0.000 4.000
nav walk 0 5.000 -1.000 7.000 2.000 4.000 4.000";
    let state = check(NEIGHBOURS, &format!("{pick} drag 0 0 1 -1"), moved, 1);
    assert_eq!(state.history.past().collect::<Vec<_>>(), ["Move 2 points"]);
    assert_eq!(state.selection.points().len(), 2, "they stay picked");
    // With Alt they are pulled away from the triangle.
    let alone = "nav walk 0 1.000 -1.000 5.000 -1.000 4.000 4.000 0.000 4.000
nav walk 0 4.000 0.000 7.000 2.000 4.000 4.000";
    check(NEIGHBOURS, &format!("{pick} alt-drag 0 0 1 -1"), alone, 1);
    // Shift keeps the axis that moved less.
    let level = "nav walk 0 2.000 0.000 6.000 0.000 4.000 4.000 0.000 4.000
nav walk 0 6.000 0.000 7.000 2.000 4.000 4.000";
    check(NEIGHBOURS, &format!("{pick} shift-drag 0 0 2 0.3"), level, 1);
    let nudged = "nav walk 0 0.000 0.100 4.000 0.100 4.000 4.000 0.000 4.000
nav walk 0 4.000 0.100 7.000 2.000 4.000 4.000";
    check(NEIGHBOURS, &format!("{pick} nudge up"), nudged, 1);
    // A picked point is given back by another Ctrl+click, and Esc drops the drag.
    check(NEIGHBOURS, &format!("{pick} press 0 0 move 1 1 esc"), NEIGHBOURS, 0);
    let mut state = open(NEIGHBOURS);
    run(&mut state, &format!("{pick} ctrl-click 0 0"));
    assert_eq!(state.selection.selected_point().map(|(_, index)| index), Some(1));
}

#[test]
fn several_points_are_deleted_but_three_stay() {
    let pentagon = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 2.000 6.000 0.000 4.000";
    let pick = "V click 2 2 ctrl-click 2 6 ctrl-click 4 4 ";
    check(pentagon, &format!("{pick} del"), "nav walk 0 0.000 0.000 4.000 0.000 0.000 4.000", 1);
    let state = check(pentagon, &format!("{pick} ctrl-click 4 0 del"), pentagon, 0);
    assert!(says(&state).contains("area 1 needs 3 points"), "{}", says(&state));
}

#[test]
fn a_box_takes_what_lies_inside_or_what_it_touches() {
    let items = |script: &str| {
        let mut state = open(NEIGHBOURS);
        run(&mut state, script);
        let ids: Vec<u64> = state
            .selection
            .items()
            .map(|item| if let Item::Area(AreaId(id)) = item { id } else { 0 })
            .collect();
        (ids, state.selection.points().len())
    };
    assert_eq!(items("V drag -1 -1 5 5"), (vec![1], 0), "to the right: what lies inside");
    assert_eq!(items("V drag 5 5 -1 -1"), (vec![1, 2], 0), "to the left: what it touches");
    assert_eq!(items("V drag -1 -1 8 5"), (vec![1, 2], 0));
    assert_eq!(items("V drag 9 5 6.9 1.9"), (vec![2], 0), "a corner is enough");
    assert_eq!(items("V drag 9 9 8 8"), (vec![], 0));
    // An edge that passes through the box without a corner in it.
    assert_eq!(items("V drag 2 -0.5 1 0.5"), (vec![1], 0));
    assert_eq!(items("V drag 8 0 6 0.4"), (vec![], 0), "near the triangle's box, not the triangle");
    // Nothing whole: points of what is selected. Ctrl begins a box on a floor, and adds.
    assert_eq!(items("V click 2 2 drag -1 -1 1 5"), (vec![1], 2));
    assert_eq!(items("V click 2 2 drag -1 -1 1 1 ctrl-drag -1 3 1 5"), (vec![1], 2));
    assert_eq!(items("V click 5 2 ctrl-drag 1 1 -1 -1"), (vec![1, 2], 0));
}

#[test]
fn the_clipboard_is_text_that_another_map_takes() {
    let mut state = open(NEIGHBOURS);
    run(&mut state, "V click 5 2");
    let copied = state.copied().unwrap();
    let part = open_text(&copied, "clipboard").unwrap().document;
    assert_eq!(text(&part), "nav walk 0 4.000 0.000 7.000 2.000 4.000 4.000\n");
    let mut other = open(SQUARE);
    other.level = 3;
    other.paste(&copied, true);
    assert_eq!(text(other.document()), format!("{SQUARE}\nnav walk 3 4.000 0.000 7.000 2.000 4.000 4.000\n"));
    assert_eq!(other.document().areas[1].name, "area 2");
    // Lines of map text are taken too, and what is neither is refused with its reason.
    other.paste("nav hole 5 1 1 2 1 2 2\nnav walk 6 1 1 2 1 2 2", true);
    let kinds: Vec<i8> = other.document().areas.iter().map(|area| area.level).collect();
    assert_eq!(kinds, [0, 3, 3, 4], "the lowest comes to the current level, the others keep their distance");
    let before = other.document().clone();
    for (nonsense, reason) in
        [("Shall I compare thee", "starts with"), ("", "empty"), ("# a comment", "no area")]
    {
        other.paste(nonsense, true);
        assert!(says(&other).contains(reason), "{nonsense}: {}", says(&other));
    }
    other.level = 127;
    other.paste("nav walk 0 1 1 2 1 2 2\nnav walk 1 1 1 2 1 2 2", true);
    assert!(says(&other).contains("level 1 would become 128"), "{}", says(&other));
    assert!(other.document().ptr_eq(&before));
}

#[test]
fn copy_cut_and_paste_are_one_step_each() {
    let pasted = format!("{SQUARE}\nnav walk 0 8.000 8.000 12.000 8.000 12.000 12.000 8.000 12.000");
    let state = check(SQUARE, "V click 2 2 clip cursor 10.02 9.96 paste", &pasted, 1);
    let names: Vec<_> = state.document().areas.iter().map(|area| area.name.as_str()).collect();
    assert_eq!(names, ["area 1", "area 2"]);
    assert_eq!(state.document().areas.iter().filter(|a| state.selection.has(Item::Area(a.id))).count(), 1);
    check(SQUARE, "V click 2 2 cut", "", 1);
    check(SQUARE, "V click 2 2 cut paste-in-place", SQUARE, 2);
    let twice = format!("{SQUARE}\n{}", SQUARE.replace("walk 0", "walk 2"));
    check(SQUARE, "V click 2 2 clip level 2 paste-in-place", &twice, 1);
}

#[test]
fn turns_and_mirrors_come_back_to_where_they_began() {
    let house = "nav walk 0 0.000 0.000 3.000 0.000 3.000 2.000 1.500 3.300 0.000 2.000";
    // About the middle of the box, (1.5, 1.65), on the grid (1.5, 1.7).
    let left = "nav walk 0 3.200 0.200 3.200 3.200 1.200 3.200 -0.100 1.700 1.200 0.200";
    check(house, "V click 1 1 left", left, 1);
    check(house, "V click 1 1 left left left left", house, 4);
    check(house, "V click 1 1 left turn-right", house, 2);
    check(house, "V click 1 1 mirror-z mirror-z", house, 2);
    check(SQUARE, "V click 2 2 mirror-x", "nav walk 0 4.000 0.000 0.000 0.000 0.000 4.000 4.000 4.000", 1);
    check(SQUARE, "V click 2 2 scale 0.5", "nav walk 0 1.000 1.000 3.000 1.000 3.000 3.000 1.000 3.000", 1);
    let state = check(SQUARE, "V click 2 2 scale 0", SQUARE, 0);
    assert!(says(&state).contains("factor is 0"), "{}", says(&state));
    // Picked points alone, with what is joined to them: the edge at x = 4 is turned about (4, 2).
    let turned = "nav walk 0 0.000 0.000 6.000 2.000 2.000 2.000 0.000 4.000
nav walk 0 6.000 2.000 7.000 2.000 2.000 2.000";
    check(NEIGHBOURS, "V click 2 2 ctrl-click 4 0 ctrl-click 4 4 left", turned, 1);
}

#[test]
fn areas_change_their_order_and_level() {
    let three = "nav walk 0 0.000 0.000 1.000 0.000 1.000 1.000
nav walk 0 2.000 0.000 3.000 0.000 3.000 1.000
nav walk 0 4.000 0.000 5.000 0.000 5.000 1.000";
    let lines: Vec<&str> = three.lines().collect();
    let order = |places: [usize; 3]| places.map(|place| lines[place]).join("\n");
    check(three, "V click 0.8 0.3 later", &order([1, 0, 2]), 1);
    check(three, "V click 0.8 0.3 later later", &order([1, 2, 0]), 2);
    check(three, "V click 4.8 0.3 earlier", &order([0, 2, 1]), 1);
    check(three, "V click 0.8 0.3 ctrl-click 2.8 0.3 later", &order([2, 0, 1]), 1);
    let state = check(three, "V click 4.8 0.3 later", three, 0);
    assert!(says(&state).contains("last"), "{}", says(&state));
    let levels = "nav walk 0 0.000 0.000 1.000 0.000 1.000 1.000
nav walk 2 2.000 0.000 3.000 0.000 3.000 1.000";
    let up = levels.replace("walk 0", "walk 2");
    let state = check(levels, "V click 0.8 0.3 take-up", &up, 1);
    assert_eq!((state.level, state.selection.len()), (2, 1), "the view goes along");
    check(levels, "V click 0.8 0.3 take-up take-down", levels, 2);
    check(levels, "V click 0.8 0.3 take-down", levels, 0);
}

#[test]
fn simplify_drops_what_the_outline_does_not_need_and_keeps_what_is_joined() {
    let bumpy = "nav walk 0 0.000 0.000 2.000 0.030 4.000 0.000 4.000 2.000 4.000 4.000 0.000 4.000";
    check(bumpy, "V click 1 2 simplify 0.05", SQUARE, 1);
    check(
        bumpy,
        "V click 1 2 simplify 0.01",
        "nav walk 0 0.000 0.000 2.000 0.030 4.000 0.000 4.000 4.000 0.000 4.000",
        1,
    );
    // A neighbour has (4, 2) too: it stays.
    let joined = format!("{bumpy}\nnav walk 0 4.000 2.000 6.000 2.000 6.000 4.000");
    let kept = "nav walk 0 0.000 0.000 4.000 0.000 4.000 2.000 4.000 4.000 0.000 4.000
nav walk 0 4.000 2.000 6.000 2.000 6.000 4.000";
    check(&joined, "V click 1 2 simplify 0.05", kept, 1);
    let state = check(SQUARE, "V click 2 2 simplify 0.05", SQUARE, 0);
    assert!(says(&state).contains("No point"), "{}", says(&state));
    // However large the tolerance, an area keeps three points.
    let mut state = open(bumpy);
    run(&mut state, "V click 1 2 simplify 100");
    assert!(state.document().areas[0].points.len() >= 3);
}

#[test]
fn points_join_a_near_point_or_edge_and_separate_again() {
    // (4.05, 0) is near (4, 0); (4.05, 2) is near the edge, which gets a point.
    let apart = "nav walk 0 0.000 0.000 4.000 0.000 4.000 4.000 0.000 4.000
nav walk 0 4.050 0.000 7.000 0.000 4.050 2.000";
    let joined = "nav walk 0 0.000 0.000 4.000 0.000 4.000 2.000 4.000 4.000 0.000 4.000
nav walk 0 4.000 0.000 7.000 0.000 4.000 2.000";
    check(apart, "V click 5 0.5 join", joined, 1);
    let state = check(joined, "V click 5 0.5 join", joined, 0);
    assert!(says(&state).contains("Nothing to join"), "{}", says(&state));
    let mut state = open(joined);
    run(&mut state, "V click 5 0.5 separate");
    let points = &state.document().areas[1].points;
    // Both stepped a tenth into the triangle, so neither lies on the square any more; the third is not shared.
    assert_eq!(points[1], [7.0, 0.0]);
    for index in [0, 2] {
        let old = [[4.0, 0.0], [7.0, 0.0], [4.0, 2.0]][index];
        let step = (points[index][0] - old[0]).hypot(points[index][1] - old[1]);
        assert!((0.09..0.15).contains(&step) && points[index][0] > 4.0, "{points:?}");
    }
    assert_eq!(state.document().areas[0].points.len(), 5, "the other area stays as it is");
    assert_eq!(state.history.past().count(), 1);
    check(SQUARE, "V click 2 2 separate", SQUARE, 0);
}

#[test]
fn same_kind_and_touching_are_selected() {
    let map = format!("{NEIGHBOURS}\nnav hole 0 1.000 1.000 2.000 1.000 2.000 2.000\nnav walk 0 20.000 0.000 21.000 0.000 21.000 1.000
nav walk 1 7.000 2.000 9.000 2.000 9.000 4.000");
    let items = |script: &str| {
        let mut state = open(&map);
        run(&mut state, script);
        state
            .selection
            .items()
            .map(|item| if let Item::Area(AreaId(id)) = item { id } else { 0 })
            .collect::<Vec<u64>>()
    };
    assert_eq!(items("V click 3 3 same-kind"), [1, 2, 4]);
    assert_eq!(items("V click 3 3 touching"), [1, 2, 3], "an edge, and a hole inside");
    assert_eq!(items("V click 5 2 touching"), [1, 2, 5], "on another level by a shared point");
}

#[test]
fn an_area_is_put_beside_another_with_the_selection_it_is_part_of() {
    let ids = |script: &str, moved: u64, other: u64, after: bool| {
        let mut state =
            open(&(1..=4).map(|x| format!("nav walk 0 {x} 0 {x}.5 0 {x} 0.5\n")).collect::<String>());
        run(&mut state, script);
        state.put_beside(AreaId(moved), AreaId(other), after);
        let order = state.document().areas.iter().map(|area| area.id.0).collect::<Vec<_>>();
        (order, state.history.past().count())
    };
    assert_eq!(ids("V", 1, 3, true), (vec![2, 3, 1, 4], 1));
    assert_eq!(ids("V", 1, 3, false), (vec![2, 1, 3, 4], 1));
    assert_eq!(ids("V", 4, 1, false), (vec![4, 1, 2, 3], 1));
    assert_eq!(ids("V", 1, 4, true), (vec![2, 3, 4, 1], 1));
    assert_eq!(ids("V", 2, 3, false), (vec![1, 2, 3, 4], 0), "where it was: no step");
    assert_eq!(ids("V click 1.2 0.1 ctrl-click 3.2 0.1", 3, 4, true), (vec![2, 4, 1, 3], 1));
    let mut state = open("nav walk 0 0 0 1 0 1 1\nnav walk 1 0 0 1 0 1 1");
    state.put_beside(AreaId(1), AreaId(2), true);
    assert!(says(&state).contains("within its level"), "{}", says(&state));
    assert_eq!(state.history.past().count(), 0);
}
