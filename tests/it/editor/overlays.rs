//! What is drawn over the ground, turned on and off by digits.

use egui::{Event, Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use navwright::editor::action::{Action, Entry, LIST};
use navwright::editor::overlays::{Overlay, Overlays};
use navwright::editor::preferences::Preferences;
use navwright::editor::safety::Home;

use super::drive::{Window, key, open, open_at_home};

const KEYS: [(Key, Overlay); 8] = [
    (Key::Num1, Overlay::Areas),
    (Key::Num2, Overlay::Mesh),
    (Key::Num3, Overlay::Links),
    (Key::Num4, Overlay::Tiles),
    (Key::Num5, Overlay::Borders),
    (Key::Num6, Overlay::Jumps),
    (Key::Num7, Overlay::Islands),
    (Key::Num9, Overlay::Labels),
];

fn shown(window: &Window) -> Overlays {
    window.state().state.shown.overlays
}

/// Runs frames until all patches are made: a frame makes only as many as it has time for.
fn drawn(window: &mut Window) {
    let mut quiet = 0;
    while quiet < 6 {
        let before = window.state().canvas().1;
        window.step();
        quiet = if window.state().canvas().1 == before { quiet + 1 } else { 0 };
    }
}

/// What the View menu says of an overlay.
fn is_ticked(window: &mut Window, overlay: Overlay) -> bool {
    window.get_all_by_role_and_label(Role::Button, "View").next().unwrap().click();
    window.run_steps(3);
    let submenu = window.query_all_by_role(Role::Button).find(|node| {
        node.accesskit_node()
            .label()
            .is_some_and(|label| label.starts_with("Overlays") && !label.contains("as at first"))
    });
    submenu.unwrap().hover();
    window.run_steps(8);
    let row: &Entry = LIST.iter().find(|entry| entry.action == Action::Overlay(overlay)).unwrap();
    let tick = egui_material_icons::icons::ICON_CHECK.codepoint;
    let (plain, ticked) = (row.name.to_owned(), format!("{tick} {}", row.name));
    let keys = navwright::editor::keymap::keys_text(&window.ctx, row);
    let found = |name: &str| {
        let with_keys = format!("{name} {keys}");
        window.query_all_by_role(Role::Button).any(|node| {
            let label = node.accesskit_node().label();
            label.as_deref() == Some(name) || label.as_deref() == Some(with_keys.as_str())
        })
    };
    let (off, on) = (found(&plain), found(&ticked));
    assert!(off != on, "{overlay:?} is in the menu once: {off} {on}");
    for _ in 0..3 {
        key(window, Key::Escape);
    }
    on
}

#[test]
fn a_digit_shows_and_hides_an_overlay_and_zero_brings_all_back() {
    let mut window = open();
    for (digit, overlay) in KEYS {
        let before = shown(&window).has(overlay);
        key(&mut window, digit);
        assert_eq!(shown(&window).has(overlay), !before, "{overlay:?}");
        let others = KEYS.iter().filter(|(_, other)| *other != overlay);
        for (_, other) in others {
            assert_eq!(shown(&window).has(*other), Overlays::default().has(*other), "{other:?}");
        }
        key(&mut window, digit);
    }
    assert_eq!(shown(&window), Overlays::default());
    key(&mut window, Key::Num7);
    key(&mut window, Key::Num1);
    assert!(is_ticked(&mut window, Overlay::Islands));
    assert!(!is_ticked(&mut window, Overlay::Areas));
    key(&mut window, Key::Num0);
    assert_eq!(shown(&window), Overlays::default());
    assert!(!is_ticked(&mut window, Overlay::Islands));
    assert!(is_ticked(&mut window, Overlay::Areas));
}

#[test]
fn what_is_turned_is_made_anew_once_and_nothing_while_idle() {
    let mut window = open();
    for tool in [Key::V, Key::T] {
        key(&mut window, tool);
        drawn(&mut window);
        // Once round, so that all letters of the messages are known: new ones change the fonts' picture.
        for (digit, _) in KEYS.iter().chain(&KEYS) {
            key(&mut window, *digit);
        }
        drawn(&mut window);
        for (digit, overlay) in KEYS {
            let before = window.state().canvas().1;
            key(&mut window, digit);
            drawn(&mut window);
            let after = window.state().canvas().1;
            match overlay {
                Overlay::Islands => assert!(after > before, "islands are drawn"),
                Overlay::Areas | Overlay::Links | Overlay::Labels => {
                    assert_eq!(after, before, "{overlay:?} are hidden, nothing else changes");
                }
                _ => {}
            }
            window.hover_at(egui::pos2(500.0, 300.0));
            window.run_steps(3);
            window.hover_at(egui::pos2(540.0, 330.0));
            window.run_steps(3);
            assert_eq!(window.state().canvas().1, after, "{overlay:?}: moving the mouse makes nothing anew");
            key(&mut window, digit);
            drawn(&mut window);
        }
    }
}

#[test]
fn digits_typed_for_a_place_turn_nothing() {
    let mut window = open();
    key(&mut window, Key::W);
    for (key, letter) in [(Key::Num1, "1"), (Key::Num2, "2")] {
        // A window gives both in one frame.
        let modifiers = egui::Modifiers::NONE;
        let pressed = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        window.input_mut().events.extend([pressed, Event::Text(letter.to_owned())]);
        window.run_steps(2);
    }
    assert!(!window.state().state.tools.typed().is_empty());
    assert_eq!(shown(&window), Overlays::default());
}

#[test]
fn overlays_are_kept_for_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let home =
        Home { preferences: folder.path().join("preferences.ron"), recovery: folder.path().join("recovery") };
    let mut window = open_at_home(None, Some(&home));
    key(&mut window, Key::Num7);
    key(&mut window, Key::Num4);
    drop(window);
    let kept = Overlays { islands: true, tiles: false, ..Overlays::default() };
    assert_eq!(Preferences::load(&home.preferences).0.overlays, kept);
    assert_eq!(shown(&open_at_home(None, Some(&home))), kept);
}
