//! What is done about issues: fixes, what is hidden on purpose.

use std::sync::Arc;

use super::action::Action;
use super::canvas::pick::Item;
use super::explainer::{IssueAnswer, IssueQuestion};
use super::state::{Frame, Selection, State, Tone};
use super::worker::BakeFailure;
use crate::bake::Diagnostic;
use crate::project::fix::{
    Advice, Fix, FixAct, FixContext, IslandMemory, advice, fixes_of_failure, takes_long,
};
use crate::project::{Command, HiddenIssue};

impl State {
    /// Keeps the lists of issues up to date.
    pub(super) fn refresh_issues(&mut self) {
        let baked = if self.bake.shown.is_some() { self.bake.shown_generation } else { 0 };
        let all = self.bake.shown.as_ref().map_or(&[][..], |baked| &baked.report.diagnostics);
        self.issue_view.refresh(self.history.document(), baked, all);
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

    /// What can be done about an issue; nothing while the mesh is older than the drawing, or while it is looked for.
    pub fn fixes(&mut self, index: usize) -> Vec<Fix> {
        self.advice(index).map(|advice| advice.fixes.clone()).unwrap_or_default()
    }

    /// Why something that one would look for cannot be done about an issue.
    pub fn remark(&mut self, index: usize) -> Option<String> {
        self.advice(index)?.remark.clone()
    }

    /// Whether it is still looked for what can be done about an issue.
    #[must_use]
    pub fn advice_is_looked_for(&self, index: usize) -> bool {
        self.issue_view.asked.contains(&index)
    }

    /// What is known to be done about an issue. Where finding out takes long it is asked for, and comes later.
    fn advice(&mut self, index: usize) -> Option<&Advice> {
        if !self.fresh() {
            return None;
        }
        if !self.issue_view.advice.contains_key(&index) {
            let (issue, baked) = (self.issues().get(index)?, self.bake.shown.as_ref()?);
            if takes_long(issue.kind) {
                if self.issue_view.asked.insert(index) {
                    self.issue_view.unsent.push(index);
                }
                return None;
            }
            let context =
                FixContext { document: self.document(), class: self.class(), mesh: Some(&baked.mesh.mesh) };
            let found = advice(&context, issue, &mut IslandMemory::default());
            self.issue_view.advice.insert(index, found);
        }
        self.issue_view.advice.get(&index)
    }

    /// What is to be asked about issues, once.
    pub fn issue_questions(&mut self) -> Vec<IssueQuestion> {
        let unsent = std::mem::take(&mut self.issue_view.unsent);
        let Some(baked) = &self.bake.shown else { return Vec::new() };
        let question = |index: usize| {
            Some(IssueQuestion {
                generation: self.bake.shown_generation,
                index,
                issue: baked.report.diagnostics.get(index)?.clone(),
                document: self.history.document().clone(),
                class: Arc::clone(self.class()),
                mesh: Arc::clone(&baked.mesh),
            })
        };
        unsent.into_iter().filter_map(question).collect()
    }

    /// Takes in what can be done about an issue, if it is of the bake that is shown.
    pub fn advised(&mut self, IssueAnswer { generation, index, advice }: IssueAnswer) {
        if generation == self.bake.shown_generation && self.issue_view.asked.remove(&index) {
            self.issue_view.advice.insert(index, advice);
        }
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
            FixAct::Find(id) => {
                self.select(Selection::item(Item::Geometry(*id)));
                Some(Action::FindGeometry)
            }
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

    /// An issue in one line for other people: what, where, measured, limit, what can be done and why not more.
    pub fn issue_text(&mut self, index: usize) -> String {
        let fixes: Vec<String> = self.fixes(index).into_iter().map(|fix| fix.name).collect();
        let remark = self.remark(index);
        let Some(issue) = self.issues().get(index) else { return String::new() };
        let [x, z] = issue.place;
        let mut text = format!("{} · at {x:.3}, {z:.3} on level {}", issue.message, issue.level);
        for (word, value) in [("measured", issue.measured), ("limit", issue.limit)] {
            if value.is_finite() && !counts_nothing(issue) {
                text += &format!(" · {word} {}", super::words::measure(value));
            }
        }
        if !fixes.is_empty() {
            text += &format!(" · fix: {}", fixes.join(", "));
        }
        if let Some(remark) = remark {
            text += &format!(" · {remark}");
        }
        text
    }
}

/// Whether what an issue measured is only that there is none of what there should be, which is no measure.
pub(super) fn counts_nothing(issue: &Diagnostic) -> bool {
    issue.measured == 0.0 && issue.limit == 1.0
}
