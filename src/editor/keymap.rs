//! Which keys do what: the list's own keys, but for those that the user bound to others; and which were pressed.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Context, Id, Key, KeyboardShortcut, Modifiers};
use serde::{Deserialize, Serialize};

use super::action::{Action, Entry, Group, LIST, entry};

/// Keys that a widget which has the keyboard uses itself.
const WIDGET_KEYS: [Key; 7] =
    [Key::Tab, Key::Enter, Key::Space, Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown];

/// The user's own bindings, as they are kept: an action's name and its keys, such as `"Save": ["Ctrl+S"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keymap(BTreeMap<String, Vec<String>>);

/// What an action is called in [`Keymap`].
fn name(action: Action) -> String {
    format!("{action:?}")
}

/// "Ctrl+Shift+S", as it is kept; what is shown to people follows the system's ways.
fn text(keys: &KeyboardShortcut) -> String {
    let Modifiers { alt, shift, ctrl, mac_cmd, command } = keys.modifiers;
    let held = [(command || ctrl || mac_cmd, "Ctrl+"), (alt, "Alt+"), (shift, "Shift+")];
    let held: String = held.into_iter().filter(|(held, _)| *held).map(|(_, word)| word).collect();
    format!("{held}{}", keys.logical_key.name())
}

fn parse(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = text;
    loop {
        if let Some(after) = rest.strip_prefix("Ctrl+") {
            (modifiers, rest) = (modifiers | Modifiers::COMMAND, after);
        } else if let Some(after) = rest.strip_prefix("Alt+") {
            (modifiers, rest) = (modifiers | Modifiers::ALT, after);
        } else if let Some(after) = rest.strip_prefix("Shift+") {
            (modifiers, rest) = (modifiers | Modifiers::SHIFT, after);
        } else {
            return Some(KeyboardShortcut::new(modifiers, Key::from_name(rest)?));
        }
    }
}

impl Keymap {
    /// The keys of an action, those that menus show first.
    #[must_use]
    pub fn keys(&self, action: Action) -> Vec<KeyboardShortcut> {
        match self.0.get(&name(action)) {
            Some(own) => own.iter().filter_map(|text| parse(text)).collect(),
            None => standard(action),
        }
    }

    /// Binds an action to these keys alone; none unbinds it.
    pub fn bind(&mut self, action: Action, keys: Option<KeyboardShortcut>) {
        let keys: Vec<KeyboardShortcut> = keys.into_iter().collect();
        if keys == standard(action) {
            self.reset(action);
        } else {
            self.0.insert(name(action), keys.iter().map(text).collect());
        }
    }

    /// Gives an action its own keys back.
    pub fn reset(&mut self, action: Action) {
        self.0.remove(&name(action));
    }

    /// Gives all actions their own keys back.
    pub fn reset_all(&mut self) {
        self.0.clear();
    }

    /// Whether the action has other keys than its own.
    #[must_use]
    pub fn is_changed(&self, action: Action) -> bool {
        self.0.contains_key(&name(action))
    }

    /// Whether any action has.
    #[must_use]
    pub fn is_any_changed(&self) -> bool {
        !self.0.is_empty()
    }

    /// Makes this the keymap of a context, where menus, tooltips and the keyboard look for it.
    pub fn install(&self, context: &Context) {
        let id = Id::unique("keymap");
        let known = context.data(|data| data.get_temp::<Arc<Bound>>(id));
        if known.is_none_or(|bound| bound.keymap != *self) {
            context.data_mut(|data| data.insert_temp(id, Arc::new(Bound::of(self))));
        }
    }
}

/// The keys in the list.
fn standard(action: Action) -> Vec<KeyboardShortcut> {
    let rows = LIST.iter().filter(|entry| entry.action == action);
    rows.flat_map(|entry| entry.keys.iter().copied()).collect()
}

/// All actions with their keys, in the order of the list.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    keymap: Keymap,
    rows: Vec<(Action, Vec<KeyboardShortcut>)>,
}

impl Bound {
    fn of(keymap: &Keymap) -> Self {
        let mut rows: Vec<(Action, Vec<KeyboardShortcut>)> = Vec::new();
        for entry in LIST {
            if rows.iter().all(|(action, _)| *action != entry.action) {
                rows.push((entry.action, keymap.keys(entry.action)));
            }
        }
        Self { keymap: keymap.clone(), rows }
    }

    /// Every action with its keys.
    pub fn rows(&self) -> impl Iterator<Item = (Action, &[KeyboardShortcut])> {
        self.rows.iter().map(|(action, keys)| (*action, keys.as_slice()))
    }

    /// An action's keys.
    #[must_use]
    pub fn keys(&self, action: Action) -> &[KeyboardShortcut] {
        self.rows.iter().find(|(known, _)| *known == action).map_or(&[], |(_, keys)| keys)
    }

    /// The other actions that have one of this action's keys.
    #[must_use]
    pub fn clashes(&self, action: Action) -> Vec<&'static Entry> {
        let own = self.keys(action);
        let others = self
            .rows
            .iter()
            .filter(|(other, keys)| *other != action && keys.iter().any(|key| own.contains(key)));
        others.filter_map(|(other, _)| entry(*other)).collect()
    }
}

/// The keys that hold in a context.
#[must_use]
pub fn bound(context: &Context) -> Arc<Bound> {
    let id = Id::unique("keymap");
    if let Some(bound) = context.data(|data| data.get_temp::<Arc<Bound>>(id)) {
        return bound;
    }
    let bound = Arc::new(Bound::of(&Keymap::default()));
    context.data_mut(|data| data.insert_temp(id, Arc::clone(&bound)));
    bound
}

/// The actions whose keys were pressed. Nothing while a text field has the keyboard, but for those with Ctrl that text
/// fields do not use. `on_canvas`: no widget beside the canvas has the keyboard.
pub fn pressed(context: &Context, on_canvas: bool) -> Vec<Action> {
    // An open menu takes Esc and the arrows.
    if egui::Popup::is_any_open(context) {
        return Vec::new();
    }
    let typing = context.text_edit_focused();
    let bound = bound(context);
    let mut found = Vec::new();
    context.input_mut(|input| {
        // Longer combinations first: `consume_shortcut` ignores extra Shift.
        let mut rows: Vec<(Action, &KeyboardShortcut)> =
            bound.rows().flat_map(|(action, keys)| keys.iter().map(move |keys| (action, keys))).collect();
        rows.sort_by_key(|(_, keys)| {
            let Modifiers { shift, command, alt, .. } = keys.modifiers;
            std::cmp::Reverse(u8::from(shift) + u8::from(command) + u8::from(alt))
        });
        for (action, keys) in rows {
            let group = entry(action).map(|entry| entry.group);
            let in_text = keys.modifiers.command && group == Some(Group::File);
            let own = !on_canvas && WIDGET_KEYS.contains(&keys.logical_key) && !keys.modifiers.command;
            if (!typing || in_text) && !own {
                // Two presses within a slow frame are two.
                let count = input.count_and_consume_key(keys.modifiers, keys.logical_key);
                found.extend(std::iter::repeat_n(action, count));
            }
        }
    });
    found
}

/// The combination that is pressed in this frame, if any; `None` also for `Esc`.
#[must_use]
pub fn pressed_now(context: &Context) -> Option<KeyboardShortcut> {
    context.input(|input| {
        input.events.iter().find_map(|event| match event {
            egui::Event::Key { key, pressed: true, modifiers, .. } if *key != Key::Escape => {
                let mut held = Modifiers::NONE;
                held.alt = modifiers.alt;
                held.shift = modifiers.shift;
                let held = if modifiers.command { held | Modifiers::COMMAND } else { held };
                Some(KeyboardShortcut::new(held, *key))
            }
            // These come as what they do, not as keys.
            egui::Event::Copy => Some(KeyboardShortcut::new(Modifiers::COMMAND, Key::C)),
            egui::Event::Cut => Some(KeyboardShortcut::new(Modifiers::COMMAND, Key::X)),
            egui::Event::Paste(_) => Some(KeyboardShortcut::new(Modifiers::COMMAND, Key::V)),
            _ => None,
        })
    })
}

/// The keys of an action as words, such as "Ctrl+Z"; empty if it has none.
#[must_use]
pub fn keys_text(context: &Context, entry: &Entry) -> String {
    bound(context).keys(entry.action).first().map(|keys| shortcut_text(context, keys)).unwrap_or_default()
}

/// A combination of keys as words, with signs where a key has one.
#[must_use]
pub fn shortcut_text(context: &Context, keys: &KeyboardShortcut) -> String {
    let text = context.format_shortcut(keys);
    let signs = [
        ("OpenBracket", "["),
        ("CloseBracket", "]"),
        ("Comma", ","),
        ("Period", "."),
        ("Plus", "+"),
        ("Minus", "-"),
        ("Equals", "="),
    ];
    signs.into_iter().fold(text, |text, (name, sign)| text.replace(name, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_kept_as_text_and_read_back() {
        for entry in LIST {
            for keys in entry.keys {
                assert_eq!(parse(&text(keys)), Some(*keys), "{}", text(keys));
            }
        }
        assert_eq!(
            text(&KeyboardShortcut::new(Modifiers::COMMAND | Modifiers::SHIFT, Key::S)),
            "Ctrl+Shift+S"
        );
        assert_eq!(parse("Ctrl+Nonsense"), None);
    }

    #[test]
    fn the_standard_keys_do_not_clash() {
        let bound = Bound::of(&Keymap::default());
        for (action, _) in bound.rows() {
            let clashes: Vec<_> = bound.clashes(action).iter().map(|entry| entry.name).collect();
            assert!(clashes.is_empty(), "{action:?} and {clashes:?}");
        }
    }
}
