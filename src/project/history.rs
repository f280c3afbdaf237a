//! Undo and redo: the values before and after, with a name for each step.

use super::{Command, CommandError, Document, changes};

/// A document with its past and its undone future, and perhaps a gesture in hand.
#[derive(Clone, Debug)]
pub struct History {
    current: Document,
    past: Vec<(String, Document)>,
    future: Vec<(String, Document)>,
    /// The step's name, and the document when the gesture began.
    gesture: Option<(String, Document)>,
}

impl History {
    /// Starts with no past.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self { current: document, past: Vec::new(), future: Vec::new(), gesture: None }
    }

    /// The document as it is now, with what a gesture in hand does to it.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.current
    }

    /// Applies a command as one undo step called `name`; redo is forgotten. A command that changes nothing is no
    /// step. A gesture in hand is committed first.
    ///
    /// # Errors
    /// As [`super::apply`]; the document is then untouched.
    pub fn commit(&mut self, name: &str, command: &Command) -> Result<(), CommandError> {
        self.commit_gesture();
        let next = super::apply(&self.current, command)?;
        let before = std::mem::replace(&mut self.current, next);
        self.push(name.to_owned(), before);
        Ok(())
    }

    /// As [`History::commit`], but a last step of the same name grows instead: nudges of one selection in quick
    /// succession are one step. The caller judges whether it is quick enough.
    ///
    /// # Errors
    /// As [`super::apply`]; the document is then untouched.
    pub fn commit_more(&mut self, name: &str, command: &Command) -> Result<(), CommandError> {
        self.commit_gesture();
        let grows = self.future.is_empty() && self.past.last().is_some_and(|(last, _)| last == name);
        if !grows {
            return self.commit(name, command);
        }
        self.current = super::apply(&self.current, command)?;
        Ok(())
    }

    /// Calls the last step what it did, such as `Area "meadow": level 0 › 1`, if it changed one thing; else its name stays.
    pub fn describe_last(&mut self) {
        let Some((name, before)) = self.past.last_mut() else { return };
        if let [only] = &changes(before, &self.current)[..] {
            let words = format!("{}: {}", only.name, only.what);
            let mut letters = words.chars();
            *name = letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
        }
    }

    /// Begins a gesture (a drag) that will be one undo step called `name`. One still in hand is committed first.
    pub fn begin(&mut self, name: &str) {
        self.commit_gesture();
        self.gesture = Some((name.to_owned(), self.current.clone()));
    }

    /// Whether a gesture is in hand.
    #[must_use]
    pub fn in_gesture(&self) -> bool {
        self.gesture.is_some()
    }

    /// The document as it was when the gesture began: what an update's command is measured from.
    #[must_use]
    pub fn gesture_start(&self) -> Option<&Document> {
        self.gesture.as_ref().map(|(_, before)| before)
    }

    /// Shows the gesture so far: `command` applied to the document at its beginning, so that nothing drifts. Without
    /// a gesture nothing happens.
    ///
    /// # Errors
    /// As [`super::apply`]; what the last good update showed stays.
    pub fn update(&mut self, command: &Command) -> Result<(), CommandError> {
        if let Some((_, before)) = &self.gesture {
            self.current = super::apply(before, command)?;
        }
        Ok(())
    }

    /// Ends the gesture as one undo step; whether it changed anything (if not, it is no step).
    pub fn commit_gesture(&mut self) -> bool {
        match self.gesture.take() {
            Some((name, before)) => self.push(name, before),
            None => false,
        }
    }

    /// Ends the gesture and puts the document at its beginning back; whether there was one.
    pub fn cancel_gesture(&mut self) -> bool {
        let Some((_, before)) = self.gesture.take() else { return false };
        self.current = before;
        true
    }

    fn push(&mut self, name: String, before: Document) -> bool {
        if before.ptr_eq(&self.current) {
            return false;
        }
        self.past.push((name, before));
        self.future.clear();
        true
    }

    /// Takes the last step back; its name. A gesture in hand is cancelled first.
    pub fn undo(&mut self) -> Option<&str> {
        self.cancel_gesture();
        let (name, before) = self.past.pop()?;
        let after = std::mem::replace(&mut self.current, before);
        self.future.push((name, after));
        self.future.last().map(|(name, _)| name.as_str())
    }

    /// Does the last undone step again; its name. A gesture in hand is cancelled first.
    pub fn redo(&mut self) -> Option<&str> {
        self.cancel_gesture();
        let (name, after) = self.future.pop()?;
        let before = std::mem::replace(&mut self.current, after);
        self.past.push((name, before));
        self.past.last().map(|(name, _)| name.as_str())
    }

    /// Goes to where `step_count` steps are done: 0 is the start, past + future the newest; more is the newest.
    pub fn jump(&mut self, step_count: usize) {
        while self.past.len() > step_count && self.undo().is_some() {}
        while self.past.len() < step_count && self.redo().is_some() {}
    }

    /// Names of the steps that can be undone, oldest first.
    pub fn past(&self) -> impl ExactSizeIterator<Item = &str> {
        self.past.iter().map(|(name, _)| name.as_str())
    }

    /// Names of the steps that can be redone, next first.
    pub fn future(&self) -> impl ExactSizeIterator<Item = &str> {
        self.future.iter().rev().map(|(name, _)| name.as_str())
    }
}
