//! A script of mouse and keys on the whole window, and a table of such scripts: (name, map before, script, map after, undo
//! steps). Each case is undone to the first byte of the project file and done again to the last.

use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use navwright::editor::tools::ToolKind;
use navwright::project::{Document, file, map_text, open_text};

use super::drive::{self, Window, pixel};

/// Pixels a square: points are picked within 0.225, edges within 0.15, joining reaches 0.25 squares.
const SCALE: f64 = 40.0;

/// Name, map before, script, map after, undo steps.
pub(super) type Case<'a> = (&'a str, &'a str, &'a str, &'a str, usize);

/// A window on an empty map, without panels.
pub(super) fn window() -> Window {
    let mut window = drive::open();
    window.state_mut().state.shown.canvas_only = true;
    window
}

/// Opens a map in it.
pub(super) fn open(window: &mut Window, map: &str) {
    let text = if map.is_empty() { "# empty".to_owned() } else { lines(map) };
    let links = |line: &&str| line.starts_with("link ");
    let areas: String = text.lines().filter(|line| !links(line)).map(|line| format!("{line}\n")).collect();
    let mut document = open_text(&format!("# map\n{areas}"), "test").unwrap().document;
    let links: Vec<_> = text.lines().filter(links).zip(1..).map(|(line, id)| link(line, id)).collect();
    document = navwright::project::apply(&document, &navwright::project::Command::AddLinks(links)).unwrap();
    let state = &mut window.state_mut().state;
    state.replace(document, None);
    state.level = 0;
    state.snap = navwright::editor::canvas::snap::SnapSettings::default();
    state.camera.center = [4.0, 2.0];
    state.camera.scale = SCALE;
    state.frame_next = None;
    window.run_steps(2);
    let state = &mut window.state_mut().state;
    state.camera.center = [4.0, 2.0];
    state.camera.scale = SCALE;
    window.run_steps(1);
}

/// "link 0 1 1 1 3 3": start level, x, z, end level, x, z.
fn link(line: &str, id: u64) -> navwright::project::Link {
    let numbers: Vec<f64> = line.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    navwright::project::Link {
        id: navwright::project::LinkId(id),
        name: format!("link {id}"),
        start: [numbers[1], numbers[2]],
        start_level: numbers[0] as i8,
        start_y: None,
        end: [numbers[4], numbers[5]],
        end_level: numbers[3] as i8,
        end_y: None,
        radius: 0.5,
        bidirectional: true,
        area: 0,
        flags: 1,
        user_id: 1,
    }
}

fn lines(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim())).collect()
}

pub(super) fn text(document: &Document) -> String {
    let mut text = map_text::map_from_document(document).0.to_string();
    let links = document.links.iter().map(|link| {
        format!(
            "link {} {} {} {} {} {}\n",
            link.start_level, link.start[0], link.start[1], link.end_level, link.end[0], link.end[1]
        )
    });
    let links: Vec<String> = links.filter(|line| !text.contains(line.as_str())).collect();
    // Map text says by comments what it does not carry over.
    text = text.lines().filter(|line| line.starts_with("nav")).map(|line| format!("{line}\n")).collect();
    text + &links.concat()
}

/// Runs all cases, each on a fresh map, and names those that fail.
pub(super) fn check(window: &mut Window, cases: &[Case<'_>]) {
    for &(name, before, script, after, steps) in cases {
        open(window, before);
        run(window, script);
        verify(window, name, after, steps);
    }
}

/// The map is as said after as many undo steps as said; undone and done again it has the same bytes.
pub(super) fn verify(window: &mut Window, name: &str, after: &str, steps: usize) {
    let bytes = |window: &Window| file::encode(window.state().state.document());
    let state = &window.state().state;
    assert_eq!(text(state.document()), lines(after), "{name}");
    assert!(!state.history.in_gesture(), "{name}: a gesture is left over");
    assert_eq!(state.history.past().count(), steps, "undo steps of {name}");
    let last = bytes(window);
    let mut states = vec![last.clone()];
    for _ in 0..steps {
        combination(window, Modifiers::COMMAND, Key::Z);
        states.push(bytes(window));
    }
    let state = &window.state().state;
    assert_eq!(state.history.past().count(), 0, "{name}: undone");
    assert!(state.document().ptr_eq(&state.saved), "{name}: the first value is back");
    assert_eq!(bytes(window), file::encode(&window.state().state.saved), "{name}: the first bytes");
    for state in states.iter().rev().skip(1) {
        combination(window, Modifiers::COMMAND, Key::Y);
        assert_eq!(bytes(window), *state, "{name}: done again");
    }
    assert_eq!(bytes(window), last, "{name}: the last bytes");
}

/// Words: a tool's key; `click`, `right`, `middle` with x and z; `drag` with two places; `press`, `move`, `release` with
/// one; `shift-`, `ctrl-` and `alt-` before these; `px` with two numbers of pixels, which the next place is moved by;
/// `type` with a text (`_` for a space); keys by name; `undo`, `redo`; `level` with a number; `grid` with lines a square.
pub(super) fn run(window: &mut Window, script: &str) {
    let mut words = script.split_whitespace();
    let mut aside = egui::Vec2::ZERO;
    while let Some(word) = words.next() {
        let (modifiers, verb) = modifiers(word);
        let mut number = || words.next().unwrap().parse::<f64>().unwrap();
        let mut at = |window: &Window| -> Pos2 {
            let place = [number(), number()];
            pixel(window, place) + std::mem::take(&mut aside)
        };
        match verb {
            "px" => {
                aside = egui::vec2(number() as f32, number() as f32);
                continue;
            }
            "click" => {
                let at = at(window);
                click(window, at, PointerButton::Primary, modifiers);
            }
            "right" => {
                let at = at(window);
                click(window, at, PointerButton::Secondary, modifiers);
            }
            "hover" => {
                let at = at(window);
                go(window, at, modifiers);
            }
            "press" | "press-right" => {
                let at = at(window);
                let which = if verb == "press" { PointerButton::Primary } else { PointerButton::Secondary };
                go(window, at, modifiers);
                button(window, at, which, true, modifiers);
            }
            "move" => {
                let at = at(window);
                go(window, at, modifiers);
            }
            "release" | "release-right" => {
                let at = at(window);
                let which = if verb == "release" { PointerButton::Primary } else { PointerButton::Secondary };
                button(window, at, which, false, modifiers);
            }
            "drag" => {
                let (from, to) = (at(window), at(window));
                go(window, from, modifiers);
                button(window, from, PointerButton::Primary, true, modifiers);
                for part in [0.3, 0.7, 1.0] {
                    go(window, from + (to - from) * part, modifiers);
                }
                button(window, to, PointerButton::Primary, false, modifiers);
            }
            "type" => {
                for letter in words.next().unwrap().replace('_', " ").chars() {
                    letter_key(window, letter);
                }
            }
            "level" => window.state_mut().state.level = number() as i8,
            "grid" => window.state_mut().state.snap.per_square = number(),
            "leave" => {
                window.event(Event::PointerGone);
                window.step();
            }
            "undo" => combination(window, Modifiers::COMMAND, Key::Z),
            "redo" => combination(window, Modifiers::COMMAND, Key::Y),
            "all" => combination(window, Modifiers::COMMAND, Key::A),
            "duplicate" => combination(window, Modifiers::COMMAND, Key::D),
            "pause" => std::thread::sleep(std::time::Duration::from_millis(850)),
            key => combination(window, modifiers, named(key)),
        }
    }
    window.run_steps(1);
}

fn named(name: &str) -> Key {
    match name {
        "enter" => Key::Enter,
        "esc" => Key::Escape,
        "back" => Key::Backspace,
        "del" => Key::Delete,
        "tab" => Key::Tab,
        "space" => Key::Space,
        "left" => Key::ArrowLeft,
        "right-key" => Key::ArrowRight,
        "up" => Key::ArrowUp,
        "down" => Key::ArrowDown,
        "pgup" => Key::PageUp,
        "pgdn" => Key::PageDown,
        "[" => Key::OpenBracket,
        "]" => Key::CloseBracket,
        letter => Key::from_name(letter).unwrap_or_else(|| panic!("no such word: {letter}")),
    }
}

fn modifiers(word: &str) -> (Modifiers, &str) {
    let mut modifiers = Modifiers::NONE;
    let mut rest = word;
    loop {
        match rest.split_once('-') {
            Some(("shift", after)) => (modifiers.shift, rest) = (true, after),
            Some(("ctrl", after)) => (modifiers, rest) = (modifiers | Modifiers::COMMAND, after),
            Some(("alt", after)) => (modifiers.alt, rest) = (true, after),
            _ => return (modifiers, rest),
        }
    }
}

fn go(window: &mut Window, at: Pos2, modifiers: Modifiers) {
    window.event(Event::ModifiersChanged(modifiers));
    window.event(Event::PointerMoved(at));
    window.step();
    window.event(Event::ModifiersChanged(Modifiers::NONE));
}

fn button(window: &mut Window, at: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    window.event(Event::ModifiersChanged(modifiers));
    window.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    window.step();
    window.event(Event::ModifiersChanged(Modifiers::NONE));
}

fn click(window: &mut Window, at: Pos2, which: PointerButton, modifiers: Modifiers) {
    go(window, at, modifiers);
    button(window, at, which, true, modifiers);
    button(window, at, which, false, modifiers);
}

fn combination(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.event(Event::ModifiersChanged(modifiers));
    for pressed in [true, false] {
        window.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
    }
    window.step();
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.step();
}

/// A key with the text that it gives, as a window sends both.
fn letter_key(window: &mut Window, letter: char) {
    let key = match letter {
        ' ' => Some(Key::Space),
        '.' => Some(Key::Period),
        ',' => Some(Key::Comma),
        '-' => Some(Key::Minus),
        letter => Key::from_name(&letter.to_ascii_uppercase().to_string()),
    };
    for pressed in [true, false] {
        let key = key.unwrap_or_else(|| panic!("no key for {letter:?}"));
        let modifiers = Modifiers::NONE;
        window.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        if pressed {
            window.event(Event::Text(letter.to_string()));
        }
    }
    window.step();
}

/// The tool in use, for what a script cannot say.
pub(super) fn tool(window: &Window) -> ToolKind {
    window.state().state.tools.kind()
}
