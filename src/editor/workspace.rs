//! Layouts by name: where panels are and which of them are shown, for drawing, for finding faults, for baking. The user's,
//! not the map's.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::layout::{self, Layout, Pane};
use super::shown::Shown;

/// The layouts that everybody has.
pub const BUILT_IN: [&str; 3] = ["Draw", "Debug", "Bake"];
/// Most layouts of one's own.
pub const MOST_OWN: usize = 12;

/// A layout with what is shown of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it all")]
pub struct Workspace {
    pub layout: Layout,
    pub outline: bool,
    pub properties: bool,
    pub issues: bool,
    pub history: bool,
}

impl Workspace {
    /// What is on screen now.
    #[must_use]
    pub fn of(layout: Layout, shown: &Shown) -> Self {
        let Shown { outline, properties, issues, history, .. } = *shown;
        Self { layout, outline, properties, issues, history }
    }

    /// Shows the panels that it shows.
    pub fn show(&self, shown: &mut Shown) {
        let Self { layout: _, outline, properties, issues, history } = *self;
        *shown = Shown { outline, properties, issues, history, canvas_only: false, ..*shown };
    }

    /// As it is before anybody changes it; `None` for a name of one's own.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        let tabs = |panels: &[Pane]| Layout::Tabs {
            panels: panels.iter().map(|&pane| Layout::Panel(pane)).collect(),
            active: 0,
        };
        let all = |layout| Self { layout, outline: true, properties: true, issues: true, history: true };
        match name {
            "Draw" => Some(all(layout::standard())),
            // What was found is large, what was done stands beside it.
            "Debug" => {
                let below = vec![
                    (50.0, tabs(&[Pane::Issues])),
                    (25.0, tabs(&[Pane::Bake, Pane::Plots])),
                    (25.0, tabs(&[Pane::History])),
                ];
                let middle = vec![(64.0, layout::views()), (36.0, Layout::Row(below))];
                let right = tabs(&[Pane::Properties, Pane::Outline]);
                Some(all(Layout::Row(vec![(77.0, Layout::Column(middle)), (23.0, right)])))
            }
            // The settings and what comes of them; the drawing is done.
            "Bake" => {
                let right = vec![
                    (62.0, tabs(&[Pane::Properties])),
                    (38.0, tabs(&[Pane::Bake, Pane::Plots, Pane::Issues])),
                ];
                let left = tabs(&[Pane::Outline, Pane::History]);
                let layout =
                    Layout::Row(vec![(15.0, left), (59.0, layout::views()), (26.0, Layout::Column(right))]);
                Some(Self { outline: false, history: false, ..all(layout) })
            }
            _ => None,
        }
    }
}

/// The user's layouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Workspaces {
    /// The one on screen.
    pub current: String,
    /// Those that are not as they were at first, and those of the user's own.
    pub changed: BTreeMap<String, Workspace>,
}

impl Default for Workspaces {
    fn default() -> Self {
        Self { current: BUILT_IN[0].to_owned(), changed: BTreeMap::new() }
    }
}

impl Workspaces {
    /// The names of all, those that everybody has first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.changed.keys().map(String::as_str).filter(|name| !BUILT_IN.contains(name));
        BUILT_IN.into_iter().chain(own)
    }

    /// Whether a layout is the user's own.
    #[must_use]
    pub fn is_own(name: &str) -> bool {
        !BUILT_IN.contains(&name)
    }

    /// Takes what is on screen for the current one.
    pub fn note(&mut self, now: Workspace) {
        if !Self::is_own(&self.current) && Workspace::built_in(&self.current).as_ref() == Some(&now) {
            self.changed.remove(&self.current);
        } else {
            self.changed.insert(self.current.clone(), now);
        }
    }

    /// Goes to another one: what is to be on screen.
    pub fn go_to(&mut self, name: &str) -> Workspace {
        let found = self.changed.get(name).cloned().or_else(|| Workspace::built_in(name));
        name.clone_into(&mut self.current);
        found.unwrap_or_else(|| {
            BUILT_IN[0].clone_into(&mut self.current);
            Workspace::of(layout::standard(), &Shown::default())
        })
    }

    /// The current one as it was at first; one of the user's own becomes the first that everybody has.
    pub fn reset(&mut self) -> Workspace {
        let name = self.current.clone();
        self.changed.remove(&name);
        self.go_to(if Self::is_own(&name) { BUILT_IN[0] } else { &name })
    }

    /// Keeps what is on screen under a name of the user's own, and goes there.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the name.
    pub fn save_as(&mut self, name: &str, now: Workspace) -> Result<(), String> {
        let name = name.trim();
        if name.is_empty() {
            return Err("A layout needs a name".to_owned());
        }
        if name.chars().count() > 40 {
            return Err("A name has at most 40 letters".to_owned());
        }
        if !Self::is_own(name) {
            return Err(format!("{name} is there for everybody; take another name"));
        }
        let own = self.changed.keys().filter(|name| Self::is_own(name)).count();
        if own >= MOST_OWN && !self.changed.contains_key(name) {
            return Err(format!("There are {MOST_OWN} layouts already; remove one first"));
        }
        self.changed.insert(name.to_owned(), now);
        name.clone_into(&mut self.current);
        Ok(())
    }
}
