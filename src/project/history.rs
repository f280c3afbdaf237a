//! Undo and redo: the values before and after, with a name for each step.

use super::{Command, CommandError, Document};

/// A document with its past and its undone future.
#[derive(Clone, Debug)]
pub struct History {
    current: Document,
    past: Vec<(String, Document)>,
    future: Vec<(String, Document)>,
}

impl History {
    /// Starts with no past.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self { current: document, past: Vec::new(), future: Vec::new() }
    }

    /// The document as it is now.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.current
    }

    /// Applies a command as one undo step called `name`; redo is forgotten.
    ///
    /// # Errors
    /// As [`super::apply`]; the history is then untouched.
    pub fn commit(&mut self, name: &str, command: &Command) -> Result<(), CommandError> {
        let next = super::apply(&self.current, command)?;
        let before = std::mem::replace(&mut self.current, next);
        self.past.push((name.to_owned(), before));
        self.future.clear();
        Ok(())
    }

    /// Takes the last step back; its name.
    pub fn undo(&mut self) -> Option<&str> {
        let (name, before) = self.past.pop()?;
        let after = std::mem::replace(&mut self.current, before);
        self.future.push((name, after));
        self.future.last().map(|(name, _)| name.as_str())
    }

    /// Does the last undone step again; its name.
    pub fn redo(&mut self) -> Option<&str> {
        let (name, after) = self.future.pop()?;
        let before = std::mem::replace(&mut self.current, after);
        self.past.push((name, before));
        self.past.last().map(|(name, _)| name.as_str())
    }

    /// Names of the steps that can be undone, oldest first.
    pub fn past(&self) -> impl Iterator<Item = &str> {
        self.past.iter().map(|(name, _)| name.as_str())
    }

    /// Names of the steps that can be redone, next first.
    pub fn future(&self) -> impl Iterator<Item = &str> {
        self.future.iter().rev().map(|(name, _)| name.as_str())
    }
}
