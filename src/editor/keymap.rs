//! Which keys do what: the list's own keys, but for those that the user bound to others.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Context, Id, Key, KeyboardShortcut, Modifiers};
use serde::{Deserialize, Serialize};

use super::action::{Action, Entry, LIST};

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
        others.filter_map(|(other, _)| super::action::entry(*other)).collect()
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
