//! Which issues are listed: a filter, without those that are hidden on purpose.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::bake::{Diagnostic, DiagnosticKind, Severity};
use crate::project::Document;
use crate::project::fix::{Advice, Fix};

/// Which issues the list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssueFilter {
    /// Errors, warnings, notes.
    pub severities: [bool; 3],
    /// One kind alone.
    pub kind: Option<DiagnosticKind>,
    /// One level alone.
    pub level: Option<i8>,
}

impl Default for IssueFilter {
    fn default() -> Self {
        Self { severities: [true; 3], kind: None, level: None }
    }
}

impl IssueFilter {
    fn lets_through(&self, issue: &Diagnostic) -> bool {
        self.severities[severity_index(issue)]
            && self.kind.is_none_or(|kind| kind == issue.kind)
            && self.level.is_none_or(|level| level == issue.level)
    }
}

/// 0 for errors, 1 for warnings, 2 for notes.
fn severity_index(issue: &Diagnostic) -> usize {
    match issue.kind.severity() {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Note => 2,
    }
}

/// What is kept of the issues from frame to frame.
#[derive(Debug, Default)]
pub struct IssueView {
    /// What the list shows.
    pub filter: IssueFilter,
    /// Whether the list shows what is hidden on purpose instead.
    pub hidden_shown: bool,
    /// Those that are not hidden, by their place among all.
    pub(super) shown: Vec<usize>,
    /// Those of them that the filter lets through.
    pub(super) listed: Vec<usize>,
    pub(super) key: Option<(u64, usize, IssueFilter)>,
    /// Errors, warnings and notes that are not hidden, their kinds and levels.
    pub(super) counts: [usize; 3],
    /// The kinds among them, in order.
    pub kinds: Vec<DiagnosticKind>,
    /// The levels among them, in order.
    pub levels: Vec<i8>,
    /// Counts changes of what is not hidden.
    pub edition: u64,
    pub(super) advice: BTreeMap<usize, Advice>,
    /// Those that the thread was asked about, and those of them that are not handed over yet.
    pub(super) asked: BTreeSet<usize>,
    pub(super) unsent: Vec<usize>,
    pub(super) failure_fixes: Option<(u64, Vec<Fix>)>,
}

impl IssueView {
    /// Keeps the lists up to date. `baked`: another number whenever `all`, what the bake found, is another list.
    pub(super) fn refresh(&mut self, document: &Document, baked: u64, all: &[Diagnostic]) {
        let hidden = Arc::as_ptr(&document.hidden_issues) as usize;
        let key = Some((baked, hidden, self.filter));
        if self.key == key {
            return;
        }
        if self.key.is_none_or(|(of, ..)| of != baked) {
            self.advice.clear();
            self.asked.clear();
            self.unsent.clear();
        }
        let any_hidden = !document.hidden_issues.is_empty();
        self.shown = (0..all.len()).filter(|&index| !(any_hidden && document.hides(&all[index]))).collect();
        let listed = self.shown.iter().copied().filter(|&index| self.filter.lets_through(&all[index]));
        self.listed = listed.collect();
        if self.key.is_none_or(|(of, by, _)| (of, by) != (baked, hidden)) {
            let mut counts = [0; 3];
            let (mut kinds, mut levels) = (BTreeSet::new(), BTreeSet::new());
            for issue in self.shown.iter().map(|&index| &all[index]) {
                counts[severity_index(issue)] += 1;
                kinds.insert(issue.kind);
                levels.insert(issue.level);
            }
            self.counts = counts;
            (self.kinds, self.levels) = (kinds.into_iter().collect(), levels.into_iter().collect());
            self.edition += 1;
        }
        self.key = key;
    }
}
