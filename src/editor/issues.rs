//! Which issues are shown, and what is done about them: filters, fixes, what is hidden on purpose.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::action::Action;
use super::canvas::pick::Item;
use super::state::{Frame, Selection, State, Tone};
use super::worker::BakeFailure;
use crate::bake::{Diagnostic, DiagnosticKind, Severity};
use crate::project::fix::{Fix, FixAct, FixContext, fixes, fixes_of_failure};
use crate::project::{Command, HiddenIssue};

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
    shown: Vec<usize>,
    /// Those of them that the filter lets through.
    listed: Vec<usize>,
    key: Option<(u64, usize, IssueFilter)>,
    /// Errors, warnings and notes that are not hidden, their kinds and levels.
    counts: [usize; 3],
    /// The kinds among them, in order.
    pub kinds: Vec<DiagnosticKind>,
    /// The levels among them, in order.
    pub levels: Vec<i8>,
    /// Counts changes of what is not hidden.
    pub edition: u64,
    fixes: BTreeMap<usize, Vec<Fix>>,
    failure_fixes: Option<(u64, Vec<Fix>)>,
}

impl State {
    /// Keeps the lists of issues up to date.
    pub(super) fn refresh_issues(&mut self) {
        let hidden = Arc::as_ptr(&self.document().hidden_issues) as usize;
        let baked = if self.bake.shown.is_some() { self.bake.shown_generation } else { 0 };
        let key = Some((baked, hidden, self.issue_view.filter));
        if self.issue_view.key == key {
            return;
        }
        if self.issue_view.key.is_none_or(|(of, ..)| of != baked) {
            self.issue_view.fixes.clear();
        }
        let news = self.issue_view.key.is_none_or(|(of, by, _)| (of, by) != (baked, hidden));
        let document = self.document();
        let any_hidden = !document.hidden_issues.is_empty();
        let all = self.issues();
        let shown: Vec<usize> =
            (0..all.len()).filter(|&index| !(any_hidden && document.hides(&all[index]))).collect();
        let filter = self.issue_view.filter;
        let listed = shown.iter().copied().filter(|&index| filter.lets_through(&all[index])).collect();
        if news {
            let mut counts = [0; 3];
            let (mut kinds, mut levels) = (BTreeSet::new(), BTreeSet::new());
            for issue in shown.iter().map(|&index| &all[index]) {
                counts[severity_index(issue)] += 1;
                kinds.insert(issue.kind);
                levels.insert(issue.level);
            }
            let view = &mut self.issue_view;
            view.counts = counts;
            (view.kinds, view.levels) = (kinds.into_iter().collect(), levels.into_iter().collect());
            view.edition += 1;
        }
        (self.issue_view.shown, self.issue_view.listed) = (shown, listed);
        self.issue_view.key = key;
    }

    /// How many errors, warnings and notes are not hidden on purpose.
    #[must_use]
    pub fn issue_counts(&self) -> [usize; 3] {
        self.issue_view.counts
    }

    /// The issues that are not hidden, as places in [`State::issues`], worst first.
    #[must_use]
    pub fn shown_issues(&self) -> &[usize] {
        &self.issue_view.shown
    }

    /// Those of them that the list's filter lets through.
    #[must_use]
    pub fn listed_issues(&self) -> &[usize] {
        &self.issue_view.listed
    }

    /// What can be done about an issue; nothing while the mesh is older than the drawing.
    pub fn fixes(&mut self, index: usize) -> Vec<Fix> {
        if !self.fresh() {
            return Vec::new();
        }
        if let Some(known) = self.issue_view.fixes.get(&index) {
            return known.clone();
        }
        let (Some(issue), Some(baked)) = (self.issues().get(index), &self.bake.shown) else {
            return Vec::new();
        };
        let context =
            FixContext { document: self.document(), class: self.class(), mesh: Some(&baked.mesh.mesh) };
        let found = fixes(&context, issue);
        self.issue_view.fixes.insert(index, found.clone());
        found
    }

    /// What can be done about a bake that gave no mesh.
    pub fn failure_fixes(&mut self) -> Vec<Fix> {
        let Some(BakeFailure::Bake(error)) = &self.bake.failure else { return Vec::new() };
        let answered = self.bake.answered;
        if let Some((of, known)) = &self.issue_view.failure_fixes
            && *of == answered
        {
            return known.clone();
        }
        let found = fixes_of_failure(self.document(), self.class(), error);
        self.issue_view.failure_fixes = Some((answered, found.clone()));
        found
    }

    /// Does what a fix does; what is left for the window to do.
    pub fn do_fix(&mut self, index: Option<usize>, fix: &Fix) -> Option<Action> {
        match &fix.act {
            FixAct::Change(command) => {
                if self.commit(&fix.name, command) {
                    self.say(Tone::Good, format!("{}: done; Ctrl+Z takes it back", fix.name));
                    self.show_added(command);
                }
                None
            }
            FixAct::Show { areas, links } => {
                let mut selection = Selection::default();
                areas.iter().for_each(|&id| selection.add(Item::Area(id)));
                links.iter().for_each(|&id| selection.add(Item::Link(id)));
                if let Some(issue) = index.and_then(|index| self.issues().get(index)).cloned() {
                    self.level = issue.level;
                    if let Some(area) = areas.first().and_then(|&id| self.document().area(id)) {
                        self.level = area.level;
                    }
                }
                self.select(selection);
                self.frame_next = Some(Frame::Selection);
                None
            }
            FixAct::Retry => Some(Action::BakeNow),
            FixAct::Stages(tile) => {
                self.pick_stage_tile(*tile);
                self.shown.overlays.stage = true;
                None
            }
        }
    }

    /// Selects the links that a fix has drawn, and shows them.
    fn show_added(&mut self, command: &Command) {
        let Command::AddLinks(links) = command else { return };
        let mut selection = Selection::default();
        links.iter().for_each(|link| selection.add(Item::Link(link.id)));
        if let Some(link) = links.first() {
            self.level = link.start_level;
        }
        self.select(selection);
        self.frame_next = Some(Frame::Selection);
    }

    /// Hides an issue on purpose: the map remembers it.
    pub fn hide_issue(&mut self, index: usize) {
        let Some(issue) = self.issues().get(index) else { return };
        let hidden = HiddenIssue::of(self.document(), issue);
        if self.commit("Hide an issue", &Command::HideIssues(vec![hidden])) {
            self.issue = None;
        }
    }

    /// Shows hidden issues again.
    pub fn unhide_issues(&mut self, issues: Vec<HiddenIssue>) {
        let name = if issues.len() == 1 { "Show a hidden issue" } else { "Show hidden issues" };
        self.commit(name, &Command::ShowIssues(issues));
    }

    /// An issue in one line for other people: what, where, measured, limit, what can be done.
    pub fn issue_text(&mut self, index: usize) -> String {
        let fixes: Vec<String> = self.fixes(index).into_iter().map(|fix| fix.name).collect();
        let Some(issue) = self.issues().get(index) else { return String::new() };
        let [x, z] = issue.place;
        let mut text = format!("{} · at {x:.3}, {z:.3} on level {}", issue.message, issue.level);
        for (word, value) in [("measured", issue.measured), ("limit", issue.limit)] {
            if value.is_finite() {
                text += &format!(" · {word} {}", super::words::measure(value));
            }
        }
        if !fixes.is_empty() {
            text += &format!(" · fix: {}", fixes.join(", "));
        }
        text
    }
}
