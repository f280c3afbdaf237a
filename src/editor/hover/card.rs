//! A card: what something is, with its values.

use crate::draw::Shape;

/// What a card says.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// What it is.
    pub title: String,
    /// Names and values.
    pub rows: Vec<(&'static str, String)>,
    /// What is lit on the canvas while the card is open.
    pub lit: Vec<Shape>,
}

impl Card {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    pub(super) fn row(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.rows.push((name, value.into()));
        self
    }

    pub(super) fn some_row(self, name: &'static str, value: Option<String>) -> Self {
        match value {
            Some(value) => self.row(name, value),
            None => self,
        }
    }

    /// The card as text, for the clipboard.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = self.rows.iter().map(|(name, value)| format!("{name}: {value}"));
        std::iter::once(self.title.clone()).chain(rows).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn with(mut self, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        self.rows.push(("", other.title));
        self.rows.extend(other.rows);
        self.lit.extend(other.lit);
        self
    }
}
